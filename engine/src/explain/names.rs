//! Names that a schema has and an object has not, and the other way round: what was probably meant.

use super::failure::{Failure, Missing, Misspelt};
use super::tree::{OwnedStep, UnitKind};
use super::walk::Walker;
use crate::instance::{Node, Object};
use crate::keyword::apply::Halt;
use crate::keyword::object;
use crate::limits::{Budget, Stopped};
use crate::program::{Applicator, BlockId, Id, NameTable, NamedBlocks, Plain, Program, Reach};
use crate::run::lookup::{self, find_unpaid};
use crate::suggest;
use smallvec::{SmallVec, smallvec};

/// For so many missing names one that is misspelt is looked for.
const SOUGHT: usize = 20;

/// So many names are looked at.
const MOST: usize = 1000;

/// So many blocks are looked at for the names that a schema has.
const BLOCKS: usize = 64;

/// Tables of the names that a schema speaks of.
type Tables = SmallVec<[Id<NamedBlocks>; 4]>;

impl Walker<'_> {
    /// Makes the errors of members that a `false` rejected, from one on, those of members that are not known, and finds what was meant.
    pub(super) fn name_unknown<'a, N: Node<'a>>(
        &mut self,
        block: BlockId,
        from: usize,
        node: N,
    ) -> Result<(), Halt> {
        let Some(object) = node.as_object() else { return Ok(()) };
        let tables = tables_of(self.program, self.ask.budget(), block, self.open.at)?;
        for index in from..self.sink.errors.len() {
            let error = self.sink.errors[index];
            let parent = self.tree.unit(error).parent;
            let UnitKind::Block { step: OwnedStep::Member(name), .. } = &self.tree.unit(parent).kind else {
                continue;
            };
            let names = tables.iter().flat_map(|&table| {
                let names = self.program.named_blocks[table].names.iter().enumerate();
                names.map(move |(place, name)| ((table, place as u32), name))
            });
            let is_free = |name: &str| find_unpaid::<N>(object, name).is_none();
            let names = names.take(MOST).filter(|(_, name)| is_free(name));
            let meant = suggest::nearest_of(&mut self.suggestions, name, names);
            self.set_failure(error, Failure::Unknown(meant));
        }
        Ok(())
    }

    /// The members that an object lacks, with what was probably meant.
    pub(crate) fn missing<'a, N: Node<'a>>(
        &mut self,
        block: BlockId,
        names: &NameTable,
        node: N,
    ) -> Result<Missing, Stopped> {
        let places = object::missing_names(self.ask.budget(), names, node)?;
        let misspelt = self.misspelt(block, names, &places, node)?;
        let wrapping = self.wrapping_member(names, &places, node);
        Ok(Missing { places, misspelt, wrapping })
    }

    /// The members of an object that a block does not speak of, each with the missing name that it was probably meant to be.
    fn misspelt<'a, N: Node<'a>>(
        &mut self,
        block: BlockId,
        names: &NameTable,
        missing: &[u32],
        node: N,
    ) -> Result<Vec<Misspelt>, Stopped> {
        let program = self.program;
        let Some(object) = node.as_object() else { return Ok(Vec::new()) };
        let mut known: SmallVec<[&NameTable; 4]> = smallvec![names];
        for &instruction in program.plain_of(block) {
            if let Plain::Apply(Applicator::Properties(named)) = instruction {
                known.push(&program.named_blocks[named].names);
            } else if program.comes_first(instruction) {
                // It is an error of its own that the property is not known.
                return Ok(Vec::new());
            }
        }
        for names in &known {
            lookup::pay_for_walk::<N, ()>(self.ask.budget(), names, object)?;
        }
        let is_unknown = |name: &&str| known.iter().all(|names| names.find(name).is_none());
        let others = object.iter().map(|(name, _)| name).filter(is_unknown).take(MOST);
        let mut others: SmallVec<[&str; 8]> = others.collect();
        let mut misspelt = Vec::new();
        for meant in missing.iter().take(SOUGHT).map(|&place| names.get(place as usize)) {
            if let Some(found) = suggest::nearest(&mut self.suggestions, meant, others.iter().copied()) {
                misspelt.push((found.to_owned(), meant.to_owned()));
                others.retain(|other| *other != found);
            }
        }
        Ok(misspelt)
    }
}

/// The tables of the names that a schema speaks of where it rejects all others.
fn tables_of(program: &Program, budget: &mut Budget, block: BlockId, at: u32) -> Result<Tables, Stopped> {
    if let Plain::Apply(Applicator::AdditionalProperties(additional)) = program.code[at as usize] {
        return Ok(program.additional[additional].named.into_iter().collect());
    }
    let mut tables = Tables::new();
    let mut open: SmallVec<[BlockId; 16]> = smallvec![block];
    let mut next = 0;
    while let Some(&block) = open.get(next) {
        next += 1;
        let code = program.plain_of(block);
        budget.spend(code.len() as u64)?;
        for &instruction in code {
            if let Plain::Apply(Applicator::Properties(named)) = instruction {
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
