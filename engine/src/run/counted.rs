//! Counts of constants in long arrays, for schemas in which very many `contains` look for a constant each.
//!
//! The first of them that comes to an array looks every item up among all constants of the schema. The others
//! read what it has counted.

use super::memo::Identity;
use super::{Marks, Run};
use crate::instance::{Array, Node, View};
use crate::keyword::equality;
use crate::limits::Stopped;
use ahash::RandomState;
use std::collections::HashMap;

/// The arrays that were counted.
pub(super) type CountedArrays = HashMap<Identity, Counted, RandomState>;

/// The constants in an array, of those that are looked for.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    /// By item: the number of the constant that it equals, and one more; nothing if it equals none.
    items: Vec<u32>,
    /// By number of a constant: how many items equal it.
    counts: Vec<u32>,
}

impl Counted {
    /// How many items equal a constant.
    pub(crate) fn count(&self, constant: u32) -> u64 {
        self.counts.get(constant as usize).copied().unwrap_or(0).into()
    }

    /// The places of the items that equal a constant.
    pub(crate) fn places(&self, constant: u32) -> impl Iterator<Item = usize> {
        let places = self.items.iter().enumerate();
        places.filter(move |&(_, &item)| item == constant + 1).map(|(place, _)| place)
    }
}

impl<R> Run<'_, R> {
    /// Returns the constants in an array, and the marks of the run; nothing, if there is no room to count them.
    pub(crate) fn counted<'a, N: Node<'a>>(
        &mut self,
        items: N::Array,
    ) -> Result<Option<(&Counted, &mut Marks)>, Stopped> {
        let Some(constants) = self.program.contained.as_deref() else { return Ok(None) };
        let identity = Identity::of(View::<N>::Array(items));
        if self.counted.get().is_none_or(|arrays| !arrays.contains_key(&identity)) {
            let numbers = constants.texts.len() + constants.values.len();
            let bytes = size_of::<(Identity, Counted)>() * 2 + (items.len() + numbers) * size_of::<u32>();
            if !self.budget.hold_if_possible(bytes) {
                return Ok(None);
            }
            self.budget.spend(2 * items.len() as u64 + numbers as u64 / 16)?;
            let mut counted = Counted { items: Vec::with_capacity(items.len()), counts: vec![0; numbers] };
            for item in items.iter() {
                let number = match item.view() {
                    View::Array(_) | View::Object(_) => None,
                    View::Null | View::Bool(_) | View::Number(_) | View::String(_) => {
                        equality::find(&mut self.budget, &self.program.seeds, constants, item)?
                    }
                };
                counted.items.push(number.map_or(0, |number| number + 1));
                if let Some(number) = number {
                    counted.counts[number as usize] += 1;
                }
            }
            if self.counted.get().is_none() {
                self.counted = HashMap::with_hasher(self.program.seeds.clone()).into();
            }
            if let Some(arrays) = self.counted.get_mut() {
                arrays.insert(identity, counted);
            }
        }
        let counted = self.counted.get().and_then(|arrays| arrays.get(&identity));
        Ok(counted.map(|counted| (counted, &mut self.marks)))
    }
}
