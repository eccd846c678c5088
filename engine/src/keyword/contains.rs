//! `contains`, `minContains`, `maxContains`: [core §10.3.1.3], [validation §6.4.4]. So many items satisfy
//! a subschema, at least one by default; what is no array passes.
//!
//! ```text
//! {"contains": true, "maxContains": 3}    0000 Contains 1..3 → 1    /contains
//! ```
//!
//! `contains` reads both bounds; without it they mean nothing. Items that it accepts count as
//! evaluated since 2020-12.
//!
//! [core §10.3.1.3]: https://json-schema.org/draft/2020-12/json-schema-core#section-10.3.1.3
//! [validation §6.4.4]: https://json-schema.org/draft/2020-12/json-schema-validation#section-6.4.4

use super::string::count;
use crate::compile::{Builder, Site};
use crate::error::SchemaError;
use crate::instance::{Array, Node};
use crate::limits::Stopped;
use crate::program::{Applicator, Contains, Id};
use crate::run::{Recall, Run};
use stanchion_vocab::Keyword;

pub(crate) fn compile(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    compile_contains(builder, site, true)
}

pub(crate) fn compile_without_marks(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    compile_contains(builder, site, false)
}

fn compile_contains(builder: &mut Builder<'_>, site: &Site<'_>, marks: bool) -> Result<(), SchemaError> {
    let bound = |keyword| {
        let entry = builder.sibling(site, keyword)?;
        count(builder, &Site { subschema: site.subschema, entry }).ok()
    };
    let contains = Contains {
        block: site.block(),
        least: bound(Keyword::MinContains).unwrap_or(1),
        most: bound(Keyword::MaxContains),
        marks,
        constant: None,
    };
    let contains = builder.program.contains.push(contains);
    builder.emit(Applicator::Contains(contains));
    Ok(())
}

/// A bound by itself only has to be a count.
pub(crate) fn compile_bound(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    count(builder, site).map(drop)
}

#[inline(never)]
pub(crate) fn contains<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    id: Id<Contains>,
    node: N,
) -> Result<bool, Stopped> {
    let Some(items) = node.as_array() else { return Ok(true) };
    let program = run.program;
    let contains = &program.contains[id];
    if let Some(constant) = contains.constant
        && items.len() >= MIN_COUNTED_ITEMS
        && let Some(holds) = contains_counted::<N, R>(run, contains, constant, items)?
    {
        return Ok(holds);
    }
    if run.is_fast() {
        return contains_fast::<N, R>(run, contains, items);
    }
    let mut accepted = 0u64;
    for (index, item) in items.iter().enumerate() {
        // With the count known to be enough there is no more to see, unless someone asks which items they are.
        let is_settled = match contains.most {
            Some(most) => accepted > most,
            None => accepted >= contains.least,
        };
        if is_settled && !contains.marks {
            break;
        }
        if run.below(contains.block, item)? {
            accepted += 1;
            if contains.marks {
                run.marks.mark(index);
            }
        }
    }
    Ok(contains.holds(accepted))
}

/// The shortest array whose items are counted for all constants at once. In shorter ones they are compared one by one.
const MIN_COUNTED_ITEMS: usize = 64;

/// Looks a constant up among the items, counted once for all constants of the schema. Returns `None` if there is no memory
/// for the counts.
#[inline(never)]
fn contains_counted<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    contains: &Contains,
    constant: u32,
    items: N::Array,
) -> Result<Option<bool>, Stopped> {
    run.budget.spend(1)?;
    let needs_places = contains.marks && run.marks.active();
    if needs_places {
        run.budget.spend(items.len() as u64 / 16)?;
    }
    let Some((counted, marks)) = run.counted::<N>(items)? else { return Ok(None) };
    if needs_places {
        counted.places(constant).for_each(|place| marks.mark(place));
    }
    Ok(Some(contains.holds(counted.count(constant))))
}

impl Contains {
    /// Whether so many accepted items are as many as there have to be.
    pub(crate) fn holds(&self, accepted: u64) -> bool {
        accepted >= self.least && self.most.is_none_or(|most| accepted <= most)
    }
}

fn contains_fast<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    contains: &Contains,
    items: N::Array,
) -> Result<bool, Stopped> {
    run.budget.spend(items.len() as u64)?;
    let gate = run.program.gate(contains.block);
    let mut accepted = 0u64;
    for item in items.iter() {
        // Enough are enough, unless there may be too many.
        if accepted >= contains.least && contains.most.is_none_or(|most| accepted > most) {
            break;
        }
        accepted += u64::from(run.pass(gate, item)?);
    }
    Ok(contains.holds(accepted))
}
