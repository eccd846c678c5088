//! Finds blocks of which can be told beforehand what `unevaluatedProperties` and `unevaluatedItems` leave.
//!
//! ```text
//! {"allOf": [{"properties": {"a": true}}], "unevaluatedProperties": false}    leaves all but "a"
//! ```
//!
//! There the keyword is what `additionalProperties` or `items` would be, part of a walk, and takes no marks. It is so where nothing
//! that depends on the instance evaluates anything: no branch of a union, no condition, no `contains`.

use crate::program::{self, BlockId, Instruction, NameTable, Program};
use ahash::RandomState;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// So many calls deep we look.
const DEEPEST: usize = 16;

/// What a block evaluates.
#[derive(Debug, Default)]
pub(super) struct Evaluated {
    /// Members of these names.
    pub(super) names: Vec<Arc<str>>,
    pub(super) all_members: bool,
    /// So many items.
    pub(super) items: u32,
    pub(super) all_items: bool,
    /// Whether more of them may be evaluated, as the instance is.
    unknown: bool,
    /// Whether this is so only where all holds: not where a `not` fails, nor a block further in that has an `unevaluated…` keyword.
    if_held: bool,
}

impl Evaluated {
    fn is_nothing(&self) -> bool {
        self.names.is_empty() && !self.all_members && self.items == 0 && !self.all_items && !self.unknown
    }
}

/// Finds these blocks, and notes that they need no care.
pub(super) fn find(program: &mut Program) -> HashMap<BlockId, Evaluated, RandomState> {
    let mut found = HashMap::with_hasher(program.seeds.clone());
    let mut looks = 16 * program.code.len() + 4096;
    for index in 0..program.blocks.len() {
        let id = BlockId(index as u32);
        let block = program.block(id);
        if !block.owns_marks || block.enters {
            continue;
        }
        let mut evaluated = Evaluated::default();
        look(program, &mut looks, id, 0, &mut evaluated);
        if !evaluated.unknown {
            let mut seen: HashSet<Arc<str>, RandomState> = HashSet::with_hasher(program.seeds.clone());
            evaluated.names.retain(|name| seen.insert(Arc::clone(name)));
            program.fast[index].needs_care = false;
            // A verdict ends where something fails; who tells goes on, and has to know what was evaluated then.
            if !evaluated.if_held {
                let told = told(&evaluated, &program.seeds);
                program.evaluated.push((id, told));
            }
            found.insert(id, evaluated);
        }
    }
    found
}

/// The same for who tells about the block.
fn told(evaluated: &Evaluated, seeds: &RandomState) -> program::Evaluated {
    let names = evaluated.names.iter().map(|name| (Arc::clone(name), ()));
    program::Evaluated {
        names: NameTable::with(names, seeds),
        all_members: evaluated.all_members,
        items: evaluated.items,
        all_items: evaluated.all_items,
    }
}

fn look(program: &Program, looks: &mut usize, id: BlockId, depth: usize, evaluated: &mut Evaluated) {
    if depth == DEEPEST || (depth > 0 && program.block(id).enters) {
        evaluated.unknown = true;
        return;
    }
    evaluated.if_held |= depth > 0 && program.block(id).owns_marks;
    for at in program.block(id).plain.clone() {
        let instruction = program.code[at as usize];
        match looks.checked_sub(1) {
            Some(left) => *looks = left,
            None => evaluated.unknown = true,
        }
        match instruction {
            Instruction::Properties(named) => add(&program.named_blocks[named].names, looks, evaluated),
            // Those of the block itself are in its walk.
            Instruction::PatternProperties(_) => evaluated.unknown |= depth > 0,
            Instruction::AdditionalProperties(_) => evaluated.all_members = true,
            Instruction::UnevaluatedProperties(_) => evaluated.all_members |= depth > 0,
            Instruction::UnevaluatedItems(_) => evaluated.all_items |= depth > 0,
            Instruction::PrefixItems(blocks) => evaluated.items = evaluated.items.max(blocks.len),
            Instruction::EachItem(..) => evaluated.all_items = true,
            Instruction::Contains(contains) => evaluated.unknown |= program.contains[contains].marks,
            Instruction::Call(block) => look(program, looks, block, depth + 1, evaluated),
            Instruction::AllOf(blocks) => {
                for &block in program.list(blocks) {
                    look(program, looks, block, depth + 1, evaluated);
                    if evaluated.unknown {
                        return;
                    }
                }
            }
            Instruction::AnyOf(_)
            | Instruction::OneOf(_)
            | Instruction::If(_)
            | Instruction::DependentSchemas(_) => {
                let mut sometimes = Evaluated::default();
                program.visit_edges(instruction, |_, block| {
                    if !sometimes.unknown {
                        look(program, looks, block, depth + 1, &mut sometimes);
                    }
                });
                evaluated.unknown |= !sometimes.is_nothing();
            }
            Instruction::DynamicCall(..) => evaluated.unknown = true,
            // What is below `not` does not count, as either does not hold.
            Instruction::Not(_) => evaluated.if_held = true,
            Instruction::Never
            | Instruction::Type(_)
            | Instruction::TypeAsWritten(_)
            | Instruction::Equals(_)
            | Instruction::IsOneOf(_)
            | Instruction::AtLeast(_)
            | Instruction::AtMost(_)
            | Instruction::Above(_)
            | Instruction::Below(_)
            | Instruction::MultipleOf(_)
            | Instruction::LengthAtLeast(_)
            | Instruction::LengthAtMost(_)
            | Instruction::Matches(_)
            | Instruction::HasFormat(_)
            | Instruction::HasContent(_)
            | Instruction::ItemsAtLeast(_)
            | Instruction::ItemsAtMost(_)
            | Instruction::UniqueItems
            | Instruction::MembersAtLeast(_)
            | Instruction::MembersAtMost(_)
            | Instruction::Required(_)
            | Instruction::DependentRequired(_)
            | Instruction::EachName(_)
            | Instruction::Annotate(_)
            | Instruction::AnnotateText(_) => {}
            // Only fast code has these, and there is none yet.
            Instruction::Members(_)
            | Instruction::MembersByPattern(_)
            | Instruction::EachMember(_)
            | Instruction::InRange(_)
            | Instruction::Pick(_) => evaluated.unknown = true,
        }
        if evaluated.unknown {
            return;
        }
    }
}

fn add(names: &NameTable, looks: &mut usize, evaluated: &mut Evaluated) {
    let Some(left) = looks.checked_sub(names.len()) else {
        evaluated.unknown = true;
        return;
    };
    *looks = left;
    evaluated.names.extend(names.shared().cloned());
}
