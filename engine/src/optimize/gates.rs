//! Finds out what each block says by type alone: yes, no, or «ask».
//!
//! ```text
//! {"type": ["string", "array"], "minItems": 1}    string: yes    array: ask    any other: no
//! ```
//!
//! An instruction answers for each of the seven types, and answers combine: a block says no where one of its
//! instructions does, and yes where all do; `anyOf` says yes where a branch does; `not` turns an answer round. So unions of types
//! come down to a test of one bit, and branches that cannot hold are never tried.
//!
//! A block that only calls another one is skipped: its gate leads to that one.

use crate::instance::Node;
use crate::keyword::apply::On;
use crate::program::{Applicator, Assertion, BlockId, Condition, Enumeration, Gate, Operand, Plain, Program};
use stanchion_vocab::{Type, TypeSet};

/// How many blocks deep an answer is searched; below that it is «ask».
const DEEPEST: usize = 64;

pub(super) const NUMBER: TypeSet = TypeSet::NONE.with(Type::Number);

/// For each type: yes, no, or neither, which is «ask».
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answers {
    yes: TypeSet,
    no: TypeSet,
}

impl Answers {
    const YES: Answers = Answers { yes: TypeSet::ALL, no: TypeSet::NONE };
    const NO: Answers = Answers { yes: TypeSet::NONE, no: TypeSet::ALL };

    /// Only these types have to be asked; all others hold.
    fn asking(types: TypeSet) -> Answers {
        Answers { yes: types.not(), no: TypeSet::NONE }
    }

    /// Only these types hold.
    fn only(types: TypeSet) -> Answers {
        Answers { yes: types, no: types.not() }
    }

    /// Of these types some values hold; no other does.
    fn some_of(types: TypeSet) -> Answers {
        Answers { yes: TypeSet::NONE, no: types.not() }
    }

    pub(super) fn of(gate: Gate) -> Answers {
        Answers { yes: gate.passes(), no: gate.refuses() }
    }

    /// The gate that gives these answers. No is stronger than yes.
    pub(super) fn gate(self, block: BlockId) -> Gate {
        Gate::new(self.yes.and(self.no.not()), self.no, block)
    }

    pub(super) fn and(self, other: Answers) -> Answers {
        Answers { yes: self.yes.and(other.yes), no: self.no.or(other.no) }
    }

    fn or(self, other: Answers) -> Answers {
        Answers { yes: self.yes.or(other.yes), no: self.no.and(other.no) }
    }

    fn not(self) -> Answers {
        Answers { yes: self.no, no: self.yes }
    }

    /// Whether the answer is yes for all these types.
    pub(super) fn hold_for(self, types: TypeSet) -> bool {
        self.yes.and(types) == types
    }
}

/// Finds the gate of every block.
pub(super) fn find(program: &mut Program) {
    let mut found: Vec<Option<Gate>> = vec![None; program.blocks.len()];
    for index in 0..found.len() {
        gate_of(program, &mut found, BlockId(index as u32), 0);
    }
    for (fast, gate) in program.fast.iter_mut().zip(&found) {
        fast.gate = gate.unwrap_or(fast.gate);
    }
    // Where a gate opens on another block, that one's gate may have become known only later.
    for index in 0..found.len() {
        let gate = program.fast[index].gate;
        let block = gate.block;
        let target = *program.gate(block);
        if program.blocks[index].is_shared {
            let stands_for_it = &mut program.blocks[block.0 as usize];
            stands_for_it.is_shared = !stands_for_it.is_light;
        }
        if target.block == block {
            program.fast[index].gate = gate.settled_by(&target);
        }
    }
}

fn gate_of(program: &Program, found: &mut [Option<Gate>], id: BlockId, depth: usize) -> Gate {
    if let Some(gate) = found[id.0 as usize] {
        return gate;
    }
    if depth == DEEPEST {
        return Gate::to(id);
    }
    // Should the block lead back here, that is the answer.
    found[id.0 as usize] = Some(Gate::to(id));
    let mut calls = None;
    let mut rest = Answers::YES;
    for &instruction in program.plain_of(id) {
        let answers = answers(program, instruction, &mut |block| gate_of(program, found, block, depth + 1));
        if let Plain::Apply(Applicator::Call(block)) = instruction
            && calls.is_none()
        {
            calls = Some((block, answers));
        } else {
            rest = rest.and(answers);
        }
    }
    let all = calls.map_or(rest, |(_, answers)| rest.and(answers));
    let mut gate = all.gate(id);
    // With nothing else left to ask, the block that is called stands for this one.
    if let Some((block, _)) = calls
        && rest.hold_for(gate.asks())
        && !program.fast(id).needs_care
    {
        gate.block = gate_of(program, found, block, depth + 1).block;
    }
    found[id.0 as usize] = Some(gate);
    gate
}

/// Returns the answers of an instruction by type, given the gates of blocks.
pub(super) fn answers(
    program: &Program,
    instruction: Plain,
    gate: &mut impl FnMut(BlockId) -> Gate,
) -> Answers {
    match instruction {
        Plain::Assert(assertion) => of_assertion(program, assertion),
        Plain::Apply(applicator) => of_applicator(program, applicator, gate),
        Plain::Annotate(_) | Plain::AnnotateText(_) => Answers::YES,
    }
}

fn of_assertion(program: &Program, assertion: Assertion) -> Answers {
    if assertion == Assertion::Never {
        return Answers::NO;
    }
    // What is an integer in draft-04 is one by its value too.
    if let Assertion::TypeAsWritten(types) = assertion
        && types.has(Type::Integer)
        && !types.has(Type::Number)
    {
        return Answers { yes: types.and(NUMBER.not()), no: types.not() };
    }
    let (about, operand) = assertion.describe(program);
    match operand {
        Operand::Types(types) => Answers::only(types),
        Operand::Value(value) => match value.view().kind() {
            Type::Null => Answers::only(TypeSet::NONE.with(Type::Null)),
            Type::Integer | Type::Number => Answers::some_of(NUMBER),
            kind @ (Type::Boolean | Type::String | Type::Array | Type::Object) => {
                Answers::some_of(TypeSet::NONE.with(kind))
            }
        },
        Operand::Values(enumeration) => of_enumeration(enumeration),
        Operand::Nothing
        | Operand::Items
        | Operand::Number(_)
        | Operand::Multiple(_)
        | Operand::Count(_)
        | Operand::Pattern(_)
        | Operand::Format(_)
        | Operand::Content(_)
        | Operand::Names(_)
        | Operand::Dependent(_) => Answers::asking(about),
    }
}

fn of_applicator(
    program: &Program,
    applicator: Applicator,
    gate: &mut impl FnMut(BlockId) -> Gate,
) -> Answers {
    if let Applicator::AnyOf(blocks) = applicator {
        let all = program.list(blocks).iter().map(|&block| Answers::of(gate(block)));
        return all.fold(Answers::NO, Answers::or);
    }
    if let Applicator::OneOf(blocks) = applicator {
        return one_of(program.list(blocks).iter().map(|&block| gate(block)));
    }
    if let Applicator::If(condition) = applicator {
        return of_condition(&program.conditions[condition], gate);
    }
    let mut answers = Answers::YES;
    applicator.edges(program, |_, on, block| {
        answers = answers.and(match on {
            On::Node => Answers::of(gate(block)),
            On::Not => Answers::of(gate(block)).not(),
            // Children are asked, unless they pass whatever they are.
            On::Item | On::ItemsFrom(_) | On::Member | On::MatchingMembers | On::OtherMembers | On::Names
                if gate(block).is_open() =>
            {
                Answers::YES
            }
            On::Scope(_)
            | On::NodeWith
            | On::Branch
            | On::Test
            | On::Item
            | On::ItemsFrom(_)
            | On::SomeItems
            | On::UnevaluatedItems
            | On::Member
            | On::MatchingMembers
            | On::OtherMembers
            | On::UnevaluatedMembers
            | On::Names => Answers::asking(on.about()),
        });
    });
    answers
}

fn of_condition(condition: &Condition, gate: &mut impl FnMut(BlockId) -> Gate) -> Answers {
    let test = Answers::of(gate(condition.test));
    let mut branch = |block: Option<BlockId>| block.map_or(Answers::YES, |block| Answers::of(gate(block)));
    let (then, otherwise) = (branch(condition.then), branch(condition.otherwise));
    // Both branches count, or one of them where the type decides the test.
    let yes = then.yes.and(otherwise.yes).or(test.yes.and(then.yes)).or(test.no.and(otherwise.yes));
    let no = then.no.and(otherwise.no).or(test.yes.and(then.no)).or(test.no.and(otherwise.no));
    Answers { yes, no }
}

/// Exactly one says yes.
fn one_of(gates: impl Iterator<Item = Gate>) -> Answers {
    let (mut some, mut one, mut two) = (TypeSet::NONE, TypeSet::NONE, TypeSet::NONE);
    let mut asked = TypeSet::NONE;
    for gate in gates {
        two = two.or(one.and(gate.passes()));
        one = one.or(gate.passes());
        asked = asked.or(gate.asks());
        some = some.or(gate.passes()).or(gate.asks());
    }
    Answers { yes: one.and(two.not()).and(asked.not()), no: two.or(some.not()) }
}

fn of_enumeration(enumeration: &Enumeration) -> Answers {
    let mut types = enumeration.other_types;
    if enumeration.texts.len() > 0 {
        types = types.with(Type::String);
    }
    if types.has(Type::Integer) || types.has(Type::Number) {
        types = types.or(NUMBER);
    }
    let null = TypeSet::NONE.with(Type::Null).and(types);
    Answers { yes: null, no: types.not() }
}
