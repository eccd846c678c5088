//! Finds conditions that ask for the value of one member. One lookup of that value decides which branches to run.
//!
//! ```text
//! {"allOf": [{"if": {"properties": {"kind": {"const": "a"}}}, "then": …}, {"if": {"properties": {"kind": {"const": "b"}}}, "then": …}]}
//!
//! before  0000 If → 1 2    after  0009 Pick "kind" of 2 → 2 4
//!         0001 If → 3 4
//! ```
//!
//! Unlike those of a union, the branches that are left have to hold, all of them. So the test must say no more than what values the member
//! may have.

use super::fuse::{Code, Fuse};
use crate::instance::Node;
use crate::program::{
    Applicator, Assertion, BlockId, Blocks, Condition, Fast, Gate, Id, NameTable, Pick, Plain, Program,
    Scalar, Want,
};
use serde_json::Value;
use stanchion_vocab::{Type, TypeSet};
use std::sync::Arc;

/// The most branches of all values in one table.
const MANY: usize = 256;

/// A condition whose test is the value of a member.
struct Switch {
    condition: Id<Condition>,
    name: Arc<str>,
    values: Vec<Case>,
    is_required: bool,
    then: Option<BlockId>,
    otherwise: Option<BlockId>,
}

/// A value that a table can find. Numbers are none: one may be held in two ways.
#[derive(Clone, Debug, PartialEq)]
enum Case {
    Text(Arc<str>),
    Scalar(Scalar),
}

impl Fuse<'_> {
    /// Makes one lookup of all conditions about one member, where code is for objects alone.
    pub(super) fn switch(&mut self, gate: Gate, code: &mut Code) {
        if gate.asks() != TypeSet::NONE.with(Type::Object) {
            return;
        }
        let mut at = 0;
        while at < code.len() {
            if let Some(mut switches) = self.switches_of(code[at].0) {
                let mut places = Vec::new();
                for (place, &(instruction, _)) in code.iter().enumerate().skip(at + 1) {
                    if let Some(others) = self.switches_of(instruction)
                        && others[0].name == switches[0].name
                    {
                        switches.extend(others);
                        places.push(place);
                    }
                }
                if let Some(pick) = pick(self.program, &switches) {
                    code[at].0 = Fast::Pick(self.program.picks.push(pick));
                    for place in places.into_iter().rev() {
                        code.remove(place);
                    }
                }
            }
            at += 1;
        }
    }

    /// The conditions that an instruction is or stands for, if it does for any that are switches.
    fn switches_of(&mut self, instruction: Fast) -> Option<Vec<Switch>> {
        let one;
        let conditions = if let Fast::Apply(Applicator::If(condition)) = instruction {
            one = [condition];
            &one[..]
        } else if let Fast::Pick(pick) = instruction {
            &self.program.picks[pick].conditions
        } else {
            return None;
        };
        self.looks = self.looks.checked_sub(4 * conditions.len())?;
        let switches: Option<Vec<Switch>> =
            conditions.iter().map(|&condition| switch_of(self.program, condition)).collect();
        switches.filter(|switches| !switches.is_empty())
    }
}

fn instructions(program: &Program, block: BlockId) -> impl Iterator<Item = Plain> {
    let code = program.block(block).plain.clone().map(|at| program.code[at as usize]);
    code.filter(|instruction| instruction.for_verdicts().is_some())
}

/// The condition as a switch, if its test says nothing but what values a member may have.
fn switch_of(program: &Program, condition: Id<Condition>) -> Option<Switch> {
    let &Condition { test, then, otherwise } = &program.conditions[condition];
    let (mut named, mut required) = (None, None);
    for instruction in instructions(program, test) {
        if let Plain::Apply(Applicator::Properties(properties)) = instruction {
            named = Some(&program.named_blocks[properties]);
        } else if let Plain::Assert(Assertion::Required(names)) = instruction {
            required = Some(&program.names[names]);
        } else if !matches!(instruction, Plain::Assert(Assertion::Type(types)) if types.has(Type::Object)) {
            return None;
        }
    }
    let named = named.filter(|named| named.blocks.len() == 1)?;
    let name = named.names.shared().next()?;
    if required.is_some_and(|required| required.len() != 1 || required.find(name).is_none()) {
        return None;
    }
    let values = values(program, named.blocks[0])?;
    let is_required = required.is_some();
    Some(Switch { condition, name: Arc::clone(name), values, is_required, then, otherwise })
}

/// The values that a block allows, if it says nothing else than them and their types.
fn values(program: &Program, block: BlockId) -> Option<Vec<Case>> {
    let mut types = TypeSet::ALL;
    let mut values: Option<&[Value]> = None;
    for instruction in instructions(program, block) {
        if let Plain::Assert(Assertion::Type(only)) = instruction {
            types = types.and(only);
        } else if let (Plain::Assert(Assertion::Equals(constant)), None) = (instruction, values) {
            values = Some(std::slice::from_ref(&program.constants[constant]));
        } else if let (Plain::Assert(Assertion::IsOneOf(id)), None) = (instruction, values) {
            values = Some(&program.enumerations[id].values);
        } else {
            return None;
        }
    }
    let values = values.filter(|values| values.len() <= MANY)?;
    values.iter().filter(|value| types.has(value.view().kind())).map(case).collect()
}

fn case(value: &Value) -> Option<Case> {
    match value {
        Value::String(text) => Some(Case::Text(text.as_str().into())),
        Value::Null => Some(Case::Scalar(Scalar::Null)),
        Value::Bool(value) => Some(Case::Scalar(Scalar::Bool(*value))),
        Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// One table for all switches on a member.
fn pick(program: &mut Program, switches: &[Switch]) -> Option<Pick> {
    let mut values: Vec<&Case> = Vec::new();
    for value in switches.iter().flat_map(|switch| &switch.values) {
        if values.len() * switches.len() > MANY {
            return None;
        }
        if !values.contains(&value) {
            values.push(value);
        }
    }
    let mut push = |chosen: &dyn Fn(&Switch) -> bool| {
        let start = program.lists.len();
        let branch = |switch: &Switch| if chosen(switch) { switch.then } else { switch.otherwise };
        program.lists.extend(switches.iter().filter_map(branch));
        Blocks { start: start as u32, len: (program.lists.len() - start) as u32 }
    };
    let (mut texts, mut scalars) = (Vec::new(), Vec::new());
    for &value in &values {
        let blocks = push(&|switch| switch.values.contains(value));
        match value {
            Case::Text(text) => texts.push((Arc::clone(text), blocks)),
            Case::Scalar(scalar) => scalars.push((*scalar, blocks)),
        }
    }
    let absent = push(&|switch| !switch.is_required);
    // All that may be chosen, one half behind the other.
    let all = push(&|_| true);
    let otherwise = push(&|_| false);
    let all = Blocks { start: all.start, len: all.len + otherwise.len };
    Some(Pick {
        name: (&*switches[0].name).into(),
        texts: NameTable::with(texts, &program.seeds),
        scalars,
        otherwise,
        absent,
        all,
        want: Want::All,
        conditions: switches.iter().map(|switch| switch.condition).collect(),
    })
}
