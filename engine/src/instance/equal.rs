//! JSON equality, hashing by value, and uniqueness: [core §4.2.2], [validation §6.4.3].
//!
//! Values are equal whatever represents them: 1 is 1.0, members come in any order. All work is paid
//! for by size.
//!
//! [core §4.2.2]: https://json-schema.org/draft/2020-12/json-schema-core#section-4.2.2
//! [validation §6.4.3]: https://json-schema.org/draft/2020-12/json-schema-validation#section-6.4.3

use super::decimal::Buffer;
use super::{Array, MemberName, Node, Number, Object, View, ends, last_word};
use crate::limits::{Budget, Stopped};
use ahash::RandomState;
use smallvec::SmallVec;

/// Whether two values are equal. Containers inside them are put aside and compared in turn, so that nesting costs no stack.
pub(crate) fn equal<'a, 'b, A: Node<'a>, B: Node<'b>>(
    budget: &mut Budget,
    one: View<'a, A>,
    other: View<'b, B>,
) -> Result<bool, Stopped> {
    let mut aside = Aside { pairs: SmallVec::new(), held: 0 };
    let mut holds = aside.compare(budget, one, other)?;
    while holds && let Some((one, other)) = aside.pairs.pop() {
        aside.held -= size_of::<(A, B)>();
        budget.release(size_of::<(A, B)>());
        holds = match (one.view(), other.view()) {
            (View::Array(one), View::Array(other)) => aside.compare_items(budget, one, other)?,
            (View::Object(one), View::Object(other)) => aside.compare_members(budget, one, other)?,
            (one, other) => aside.compare(budget, one, other)?,
        };
    }
    budget.release(aside.held);
    Ok(holds)
}

/// Pairs of containers that are still to be compared.
struct Aside<A, B> {
    pairs: SmallVec<[(A, B); 8]>,
    held: usize,
}

impl<'a, 'b, A: Node<'a>, B: Node<'b>> Aside<A, B> {
    /// Compares two values that are not inside others.
    fn compare(
        &mut self,
        budget: &mut Budget,
        one: View<'a, A>,
        other: View<'b, B>,
    ) -> Result<bool, Stopped> {
        match (one, other) {
            (View::Null, View::Null) => Ok(true),
            (View::Bool(one), View::Bool(other)) => Ok(one == other),
            (View::Number(one), View::Number(other)) => {
                budget.spend(one.cost() + other.cost())?;
                one.equals(other).map_err(|why| budget.stop(why))
            }
            (View::String(one), View::String(other)) => {
                budget.spend_bytes(one.len().min(other.len()))?;
                Ok(one == other)
            }
            (View::Array(one), View::Array(other)) => self.compare_items(budget, one, other),
            (View::Object(one), View::Object(other)) => self.compare_members(budget, one, other),
            _ => Ok(false),
        }
    }

    /// Compares two children, or puts them aside.
    fn compare_children(&mut self, budget: &mut Budget, one: A, other: B) -> Result<bool, Stopped> {
        budget.spend(1)?;
        let (first, second) = (one.view(), other.view());
        match (first, second) {
            (View::Array(_), View::Array(_)) | (View::Object(_), View::Object(_)) => {
                budget.hold(size_of::<(A, B)>())?;
                self.held += size_of::<(A, B)>();
                self.pairs.push((one, other));
                Ok(true)
            }
            _ => self.compare(budget, first, second),
        }
    }

    fn compare_items(
        &mut self,
        budget: &mut Budget,
        one: A::Array,
        other: B::Array,
    ) -> Result<bool, Stopped> {
        if one.len() != other.len() {
            return Ok(false);
        }
        for (one, other) in one.iter().zip(other.iter()) {
            if !self.compare_children(budget, one, other)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn compare_members(
        &mut self,
        budget: &mut Budget,
        one: A::Object,
        other: B::Object,
    ) -> Result<bool, Stopped> {
        if one.len() != other.len() {
            return Ok(false);
        }
        // Equal objects mostly have their members in the same order.
        let pairs = one.iter().zip(other.iter()).enumerate();
        for (place, ((name, value), (expected, candidate))) in pairs {
            budget.spend_bytes(name.len())?;
            let candidate = if name == expected {
                candidate
            } else {
                budget.spend(other.get_cost() as u64 * (1 + name.len() as u64 / 64))?;
                let Some(candidate) = other.get(name) else { return Ok(false) };
                if other.len() > LOOKED_UP {
                    return self.compare_sorted(budget, one, other, place);
                }
                candidate
            };
            if !self.compare_children(budget, value, candidate)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Compares the members of two objects of one size, from a place on where they are in another order.
    fn compare_sorted(
        &mut self,
        budget: &mut Budget,
        one: A::Object,
        other: B::Object,
        place: usize,
    ) -> Result<bool, Stopped> {
        let held = (one.len() - place) * (size_of::<(&str, A)>() + size_of::<(&str, B)>());
        budget.hold(held)?;
        let mut ours: Vec<(&str, A)> = one.iter().skip(place).collect();
        let mut theirs: Vec<(&str, B)> = other.iter().skip(place).collect();
        sort_by_name(budget, &mut ours)?;
        sort_by_name(budget, &mut theirs)?;
        let mut holds = true;
        for (&(name, value), &(expected, candidate)) in ours.iter().zip(&theirs) {
            holds = name == expected && self.compare_children(budget, value, candidate)?;
            if !holds {
                break;
            }
        }
        budget.release(held);
        Ok(holds)
    }
}

/// In objects of up to so many members that are in another order each is looked up; more are sorted.
const LOOKED_UP: usize = 8;

/// Sorts members by their names. A member pays for all the names that its own is compared with.
fn sort_by_name<N>(budget: &mut Budget, members: &mut [(&str, N)]) -> Result<(), Stopped> {
    let bytes: usize = members.iter().map(|(name, _)| name.len()).sum();
    let steps = (members.len() + bytes / 64) as u64;
    budget.spend(steps)?;
    if members.is_sorted_by_key(|&(name, _)| name) {
        return Ok(());
    }
    budget.spend(8 * steps)?;
    members.sort_unstable_by_key(|&(name, _)| name);
    Ok(())
}

/// Which numbers share a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precision {
    /// Equal ones, and no others: for values of one instance.
    Exact,
    /// Those next to the same float: for values that one of several representations may have rounded.
    Rounded,
}

/// A hash that equal values share, whatever represents them.
///
/// Each value inside has a place, which is a hash of the names and indexes that lead to it. The hash is the sum
/// of a hash for each value with its place, so it does not depend on the order of members, and nothing has to
/// be sorted. Containers inside the value are put aside and hashed in turn, so that nesting costs no stack.
pub(crate) fn hash<'a, N: Node<'a>>(
    budget: &mut Budget,
    seeds: &RandomState,
    precision: Precision,
    value: View<'a, N>,
) -> Result<u64, Stopped> {
    let mut hashing = Hashing { seeds, precision, sum: 0, aside: SmallVec::new(), held: 0 };
    hashing.absorb(budget, value, 0)?;
    hashing.absorb_children(budget, value, 0)?;
    while let Some((container, place)) = hashing.aside.pop() {
        hashing.held -= size_of::<(N, u64)>();
        budget.release(size_of::<(N, u64)>());
        hashing.absorb_children(budget, container.view(), place)?;
    }
    budget.release(hashing.held);
    Ok(hashing.sum)
}

struct Hashing<'s, N> {
    seeds: &'s RandomState,
    precision: Precision,
    /// The sum of the hashes of all values so far.
    sum: u64,
    /// Containers whose children are still to be hashed, with their places.
    aside: SmallVec<[(N, u64); 8]>,
    held: usize,
}

impl<'a, N: Node<'a>> Hashing<'_, N> {
    /// Hashes a scalar, or what kind of container it is and how large.
    fn absorb(&mut self, budget: &mut Budget, value: View<'a, N>, place: u64) -> Result<(), Stopped> {
        budget.spend(1)?;
        let hash = match value {
            View::Null => self.seeds.hash_one((place, 0u8)),
            View::Bool(value) => self.seeds.hash_one((place, 1u8, value)),
            View::Number(number) => {
                self.seeds.hash_one((place, 2u8, hash_number(budget, self.seeds, self.precision, number)?))
            }
            View::String(text) => {
                budget.spend_bytes(text.len())?;
                self.seeds.hash_one((place, 3u8, text))
            }
            View::Array(items) => self.seeds.hash_one((place, 4u8, items.len())),
            View::Object(members) => self.seeds.hash_one((place, 5u8, members.len())),
        };
        self.sum = self.sum.wrapping_add(hash);
        Ok(())
    }

    /// Hashes what is inside a container, and puts the containers among it aside.
    fn absorb_children(
        &mut self,
        budget: &mut Budget,
        value: View<'a, N>,
        place: u64,
    ) -> Result<(), Stopped> {
        match value {
            View::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.absorb_child(budget, item, self.seeds.hash_one((place, index)))?;
                }
            }
            View::Object(members) => {
                for (name, value) in members.iter() {
                    budget.spend_bytes(name.len())?;
                    self.absorb_child(budget, value, self.seeds.hash_one((place, name)))?;
                }
            }
            View::Null | View::Bool(_) | View::Number(_) | View::String(_) => {}
        }
        Ok(())
    }

    fn absorb_child(&mut self, budget: &mut Budget, child: N, place: u64) -> Result<(), Stopped> {
        let view = child.view();
        self.absorb(budget, view, place)?;
        if let View::Array(_) | View::Object(_) = view {
            budget.hold(size_of::<(N, u64)>())?;
            self.held += size_of::<(N, u64)>();
            self.aside.push((child, place));
        }
        Ok(())
    }
}

fn hash_number(
    budget: &mut Budget,
    seeds: &RandomState,
    precision: Precision,
    number: Number<'_>,
) -> Result<u64, Stopped> {
    budget.spend(number.cost())?;
    if precision == Precision::Rounded {
        // Zero has two floats, of which the sum is one.
        return Ok(seeds.hash_one((2u8, (number.nearest() + 0.0).to_bits())));
    }
    // Integers of 64 bits hash as such, and so must the floats and texts that equal one.
    Ok(match number {
        Number::Unsigned(value) => seeds.hash_one((2u8, value, false)),
        Number::Signed(value) => seeds.hash_one((2u8, value.unsigned_abs(), value < 0)),
        Number::Float(value) if value.fract() == 0.0 && value.abs() < 9e15 => {
            seeds.hash_one((2u8, value.abs() as u64, value < 0.0))
        }
        Number::Float(_) | Number::Exact(_) => {
            let mut buffer = Buffer::default();
            let decimal = number.decimal(&mut buffer).map_err(|why| budget.stop(why))?;
            match decimal.small_integer() {
                Some((magnitude, negative)) => seeds.hash_one((2u8, magnitude, negative)),
                None => seeds.hash_one((2u8, decimal)),
            }
        }
    })
}

/// The most items whose summaries are compared one after the other.
const COMPARED_DIRECTLY: usize = 6;

/// The most items whose summaries are compared before anything is hashed.
const GLANCED: usize = 64;

/// The places of two equal items, if there are any.
pub(crate) fn find_equal_items<'a, N: Node<'a>>(
    budget: &mut Budget,
    seeds: &RandomState,
    items: N::Array,
) -> Result<Option<(usize, usize)>, Stopped> {
    let count = items.len();
    if count < 2 || (count <= GLANCED && differ_at_a_glance::<N>(budget, items)?) {
        return Ok(None);
    }
    let held = count.saturating_mul(size_of::<(u64, usize, N)>());
    budget.hold(held)?;
    let mut glanced: SmallVec<[(u64, usize, N); 8]> = SmallVec::with_capacity(count);
    for (index, item) in items.iter().enumerate() {
        glanced.push((glance(budget, item)?, index, item));
    }
    glanced.sort_unstable_by_key(|&(hash, index, _)| (hash, index));
    // The pair whose second item comes first, so that the answer does not depend on the seeds.
    let mut found: Option<(usize, usize)> = None;
    for alike in glanced.chunk_by_mut(|one, other| one.0 == other.0) {
        if let [_] = alike {
            continue;
        }
        // Two are compared. More are hashed first, so that each is compared with at most one.
        if alike.len() > 2 {
            for (hash, _, item) in &mut *alike {
                *hash = self::hash(budget, seeds, Precision::Exact, item.view())?;
            }
            alike.sort_unstable_by_key(|&(hash, index, _)| (hash, index));
        }
        for alike in alike.chunk_by(|one, other| one.0 == other.0) {
            let pair = first_equal_pair(budget, alike)?;
            found = pair.into_iter().chain(found).min_by_key(|&(_, second)| second);
        }
    }
    budget.release(held);
    Ok(found)
}

/// Whether the summaries of some items differ, as they mostly do.
fn differ_at_a_glance<'a, N: Node<'a>>(budget: &mut Budget, items: N::Array) -> Result<bool, Stopped> {
    if items.len() > COMPARED_DIRECTLY {
        return differ_in_a_table::<N>(budget, items);
    }
    let mut glances = [0; COMPARED_DIRECTLY];
    for (place, item) in items.iter().enumerate().take(COMPARED_DIRECTLY) {
        let glance = glance(budget, item)?;
        if glances[..place].contains(&glance) {
            return Ok(false);
        }
        glances[place] = glance;
    }
    Ok(true)
}

/// Like `differ_at_a_glance`, for more items: each has a place in a table, or one behind it.
fn differ_in_a_table<'a, N: Node<'a>>(budget: &mut Budget, items: N::Array) -> Result<bool, Stopped> {
    const SLOTS: usize = 4 * GLANCED;
    const FREE: u64 = 0;
    let mut slots = [FREE; SLOTS];
    for item in items.iter().take(GLANCED) {
        let glance = glance(budget, item)?.max(FREE + 1);
        let mut slot = (glance >> 56) as usize % SLOTS;
        while slots[slot] != FREE {
            if slots[slot] == glance {
                return Ok(false);
            }
            slot = (slot + 1) % SLOTS;
        }
        slots[slot] = glance;
    }
    Ok(true)
}

/// A hash by a short look at a value, which equal values share: mostly enough to see that two differ.
fn glance<'a, N: Node<'a>>(budget: &mut Budget, node: N) -> Result<u64, Stopped> {
    budget.spend(1)?;
    match node.view() {
        View::Array(items) => Ok(mix(4, items.len() as u64)),
        View::Object(members) => {
            budget.spend(members.len() as u64)?;
            // Members come in any order, so they are added up.
            let mut sum = 0u64;
            for (name, value) in members.iter_names() {
                sum = sum.wrapping_add(mix(glance_at_name(name), glance_at_scalar(budget, value)?));
            }
            Ok(mix(5, sum))
        }
        View::Null | View::Bool(_) | View::Number(_) | View::String(_) => glance_at_scalar(budget, node),
    }
}

fn glance_at_scalar<'a, N: Node<'a>>(budget: &mut Budget, node: N) -> Result<u64, Stopped> {
    if let Some(text) = node.text_bytes() {
        return Ok(glance_at_text(text));
    }
    Ok(match node.view() {
        View::Null => 0,
        View::Bool(value) => 1 + u64::from(value),
        View::Number(number) => {
            if let Number::Exact(_) = number {
                budget.spend(number.cost())?;
            }
            glance_at_number(number)
        }
        View::String(text) => glance_at_text(text.as_bytes()),
        View::Array(items) => mix(4, items.len() as u64),
        View::Object(members) => mix(5, members.len() as u64),
    })
}

/// A number by the float next to it, however it is held.
fn glance_at_number(number: Number<'_>) -> u64 {
    if let Number::Unsigned(integer @ ..LARGE) = number {
        return mix(3, integer);
    }
    let float = number.nearest();
    if float.fract() == 0.0 && float.abs() < LARGE as f64 {
        mix(3, float as i64 as u64)
    } else {
        mix(6, float.to_bits())
    }
}

/// Integers from here on are not all floats.
const LARGE: u64 = 1 << 53;

/// A text by its ends and its length.
fn glance_at_text(text: &[u8]) -> u64 {
    let (last, first) = ends(text);
    mix(mix(first, last), text.len() as u64)
}

/// A name by its end and its length.
#[inline(always)]
fn glance_at_name<'a>(name: impl MemberName<'a>) -> u64 {
    let (last, len) = name.end().unwrap_or_else(|| (last_word(name.bytes()), name.bytes().len() as u32));
    mix(last, u64::from(len))
}

fn mix(one: u64, other: u64) -> u64 {
    (one.rotate_left(29) ^ other).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The first two equal items among some whose hashes are equal, given in order.
fn first_equal_pair<'a, N: Node<'a>>(
    budget: &mut Budget,
    alike: &[(u64, usize, N)],
) -> Result<Option<(usize, usize)>, Stopped> {
    for (place, &(_, second, item)) in alike.iter().enumerate() {
        for &(_, first, other) in &alike[..place] {
            budget.spend(1)?;
            if equal(budget, item.view(), other.view())? {
                return Ok(Some((first, second)));
            }
        }
    }
    Ok(None)
}
