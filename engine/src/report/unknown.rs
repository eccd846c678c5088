//! Names that a schema has and an object has not, and the other way round: what was probably meant.

use super::tree::{OwnedStep, Unit, UnitKind};
use super::{Cause, Misspelt, Trace};
use crate::instance::{Node, Object};
use crate::limits::{Budget, Stopped};
use crate::program::{Additional, BlockId, Id, Instruction, NameTable, NamedBlocks, Program, Reach};
use crate::run::lookup::find_unpaid;
use crate::suggest::{self, Purse, Search};
use smallvec::{SmallVec, smallvec};
use std::borrow::Cow;

/// For so many missing names one that is misspelt is looked for.
const SOUGHT: usize = 20;

/// So many names are looked at.
const MOST: usize = 1000;

/// So many blocks are looked at for the names that a schema has.
const BLOCKS: usize = 64;

impl Trace {
    /// Tells of the members that a unit refused by a `false` that they are not known, and what was meant.
    pub(super) fn name_unknown<'a, N: Node<'a>>(
        &mut self,
        budget: &mut Budget,
        program: &Program,
        unit: usize,
        node: N,
    ) -> Result<(), Stopped> {
        let Unit { parent, kind: UnitKind::Keyword { at, .. }, .. } = self.units[unit] else { return Ok(()) };
        let UnitKind::Block { block, .. } = self.units[parent as usize].kind else { return Ok(()) };
        let Some(object) = node.as_object() else { return Ok(()) };
        let tables = tables_of(program, budget, block, at)?;
        let mut next = unit + 1;
        while next + 1 < self.units.len() {
            // A member's block, and the one instruction in it.
            let end = self.units[next].end as usize;
            if let [
                Unit { kind: UnitKind::Block { step: OwnedStep::Member(name), .. }, .. },
                Unit { kind: UnitKind::Keyword { error: Some(error), .. }, .. },
            ] = &mut self.units[next..next + 2]
            {
                let meant = probably_meant::<N>(program, &mut self.purse, name, &tables, object);
                *error = Cause::Unknown(meant);
                let bytes = name.len();
                self.hold(budget, bytes)?;
            }
            next = end;
        }
        Ok(())
    }
}

/// Why a member is refused that `additionalProperties` does not know.
pub(crate) fn cause<'a, N: Node<'a>>(
    program: &Program,
    purse: &mut Purse,
    additional: Id<Additional>,
    name: &str,
    object: N::Object,
) -> Cause {
    let named = program.additional[additional].named;
    Cause::Unknown(probably_meant::<N>(program, purse, name, named.as_slice(), object))
}

/// What a member that is not known was probably meant to be: a table of names that the schema has, and the place in that.
pub(super) fn probably_meant<'a, N: Node<'a>>(
    program: &Program,
    purse: &mut Purse,
    name: &str,
    tables: &[Id<NamedBlocks>],
    object: N::Object,
) -> Option<(Id<NamedBlocks>, u32)> {
    let is_free = |name: &str| find_unpaid::<N>(object, name).is_none();
    let (mut search, mut left, mut meant) = (Search::new(name), MOST, None);
    for &table in tables {
        let named = &program.named_blocks[table];
        let letters = &named.letters()[..named.names.len().min(left)];
        left -= letters.len();
        if let Some(place) = search.among(purse, &named.names, letters, is_free) {
            meant = Some((table, place as u32));
        }
    }
    meant
}

/// The tables of the names that a schema speaks of where it refuses all others.
pub(crate) fn tables_of<'p>(
    program: &'p Program,
    budget: &mut Budget,
    block: BlockId,
    at: u32,
) -> Result<Cow<'p, [Id<NamedBlocks>]>, Stopped> {
    if let Instruction::AdditionalProperties(additional) = program.code[at as usize] {
        return Ok(Cow::Borrowed(program.additional[additional].named.as_slice()));
    }
    let Some(evaluated) = program.evaluated(block) else {
        return Ok(Cow::Owned(tables_in(program, budget, block)?));
    };
    if let Some((tables, steps)) = evaluated.tables.get() {
        budget.spend(*steps)?;
        return Ok(Cow::Borrowed(tables));
    }
    let before = budget.steps_left();
    let tables = tables_in(program, budget, block)?;
    let steps = before - budget.steps_left();
    Ok(Cow::Borrowed(&evaluated.tables.get_or_init(|| (tables.into_boxed_slice(), steps)).0))
}

/// The tables of names of a block and of all that it applies to the same node.
fn tables_in(
    program: &Program,
    budget: &mut Budget,
    block: BlockId,
) -> Result<Vec<Id<NamedBlocks>>, Stopped> {
    let mut tables = Vec::new();
    let mut open: SmallVec<[BlockId; 16]> = smallvec![block];
    let mut next = 0;
    while let Some(&block) = open.get(next) {
        next += 1;
        let code = program.block(block).plain.clone();
        budget.spend(u64::from(code.end - code.start))?;
        for at in code {
            let instruction = program.code[at as usize];
            if let Instruction::Properties(named) = instruction {
                tables.push(named);
            }
            program.visit_edges(instruction, |reach, target| {
                if reach == Reach::Node && open.len() < BLOCKS && !open.contains(&target) {
                    open.push(target);
                }
            });
        }
    }
    Ok(tables)
}

/// A member of an object that a block does not speak of, and the missing name that it was probably meant to be.
pub(crate) fn misspelt<'a, N: Node<'a>>(
    program: &Program,
    budget: &mut Budget,
    purse: &mut Purse,
    block: BlockId,
    (names, missing): (&NameTable, &[u32]),
    node: N,
) -> Result<Option<Misspelt>, Stopped> {
    let Some(object) = node.as_object() else { return Ok(None) };
    let mut tables: SmallVec<[Id<NamedBlocks>; 4]> = SmallVec::new();
    for at in program.block(block).plain.clone() {
        let instruction = program.code[at as usize];
        if let Instruction::Properties(named) = instruction {
            tables.push(named);
        } else if program.refuses_unknown(instruction)
            && !matches!(instruction, Instruction::UnevaluatedProperties(_))
        {
            // It will be told as a property that is not known.
            return Ok(None);
        }
    }
    budget.spend(object.len() as u64)?;
    let is_spoken_of = |name: &str| {
        let mut tables = tables.iter().map(|&table| &program.named_blocks[table].names);
        names.find(name).is_some() || tables.any(|table| table.find(name).is_some())
    };
    let others = object.iter().map(|(name, _)| name).filter(|name| !is_spoken_of(name)).take(MOST);
    let others: SmallVec<[&str; 8]> = others.collect();
    for meant in missing.iter().take(SOUGHT).map(|&place| names.get(place as usize)) {
        if let Some(found) = suggest::nearest(purse, meant, others.iter().copied()) {
            return Ok(Some((found.to_owned(), meant.to_owned())));
        }
    }
    Ok(None)
}
