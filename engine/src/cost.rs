//! An upper bound on the cost of a run, computed from the program alone, before there is an instance.

use crate::document::pointer;
use crate::instance::{NUMBERS_ARE_TEXT, Number};
use crate::keyword::{dependent, equality};
use crate::limits::Limits;
use crate::program::{
    Applicator, Assertion, Block, BlockId, Fast, Growth, Id, NameTable, Operand, PatternBlocks, Plain,
    Program, Reach, Test, Ways,
};
use crate::run::{self, lookup};
use serde_json::Value;
use stanchion_vocab::Type;
use std::sync::Arc;

/// A bound on what verdicts may cost, for a gateway that wants to refuse a schema before it runs.
///
/// ```
/// use stanchion::{Growth, Validator};
/// use serde_json::json;
///
/// let tool = Validator::new(&json!({"properties": {"city": {"type": "string", "maxLength": 80}}}))?;
/// assert_eq!(tool.cost().growth(), Growth::Linear);
/// // A verdict on 100 values in 2,000 bytes of JSON takes at most so many steps.
/// assert!(tool.cost().steps(100, 2_000) < 10_000);
///
/// let doubling = Validator::new(&json!({"anyOf": [{"items": {"$ref": "#"}}, {"contains": {"$ref": "#"}}]}))?;
/// assert_eq!(doubling.cost().growth(), Growth::Exponential);
/// # Ok::<(), stanchion::SchemaError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cost {
    growth: Growth,
    /// The cost of all blocks, each run once on a node.
    once: Tariff,
    /// How often a block may be run on one node, given that a run remembers.
    times: u64,
    /// The steps that a run may spend before it starts to remember.
    before_memo: u64,
    /// At how many levels of the instance, one inside the other, a block may be run.
    depth: u64,
}

/// The cost of a keyword, or of applying a subschema: see [`Validator::cost_by_place`](crate::Validator::cost_by_place).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlaceCost {
    /// Where it stands in its document, as a JSON Pointer. One of more than 1,024 bytes is cut in its middle, where an ellipsis stands;
    /// once a list has 16 MiB of them, one of more than 128.
    pub pointer: String,
    /// The URI of that document, cut likewise; empty for the schema itself.
    pub document: Arc<str>,
    /// The keyword; none for the subschema itself, or a `false`.
    pub keyword: Option<String>,
    /// Its share of [`Cost::steps`]; `u64::MAX` if nothing bounds it.
    pub steps: u64,
}

/// So many bytes of pointers are many, in a list of places,
const MANY_BYTES: usize = 16 << 20;

/// and the others have at most so many.
const SHORT_POINTER: usize = 128;

/// Steps: for a node, for each of its children, for each byte of its text, and for each value or 16 bytes inside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tariff {
    node: u64,
    child: u64,
    byte: u64,
    inside: u64,
}

impl Cost {
    pub(crate) fn of(program: &Program, limits: &Limits) -> Cost {
        let ways = program.find_ways();
        let blocks = (0..program.blocks.len()).map(|index| of_block(program, BlockId(index as u32)));
        let layers = Tariff { node: run::steps_for_layers(program), ..NOTHING };
        let once = blocks.fold(layers, Tariff::plus);
        let looks_below = once.child > 0 || once.inside > 0;
        Cost {
            growth: if looks_below { ways.growth } else { Growth::Constant },
            once,
            // A memo keeps verdicts with marks apart from those without. How many scopes there may be is not known here.
            times: match (program.anchors.is_empty(), program.may_repeat) {
                (true, true) => 2,
                (true, false) => ways.most,
                (false, _) => u64::MAX,
            },
            before_memo: if program.may_repeat { run::steps_before_memo(limits) } else { 0 },
            depth: levels(program, ways, limits),
        }
    }

    /// How the worst case would grow with the instance if verdicts were not remembered. A run does remember them
    /// where it must, so [`Cost::steps`] is polynomial even where this says exponential.
    pub fn growth(&self) -> Growth {
        self.growth
    }

    /// An upper bound on the steps of a verdict on an instance of so many `nodes` (values, at every depth) in so many `bytes` of
    /// JSON text. What nothing bounds is `u64::MAX`: backreferences, and dynamic references among several resources.
    ///
    /// It holds while what a run remembers fits into [`Limits::memory`]. No run takes more than
    /// [`Limits::steps`] and [`Limits::steps_per_value`] allow, whatever this says.
    pub fn steps(&self, nodes: u64, bytes: u64) -> u64 {
        self.price(self.once, nodes, bytes).saturating_add(self.before_memo)
    }

    /// Computes the price of a tariff for an instance of so many nodes and bytes.
    fn price(&self, tariff: Tariff, nodes: u64, bytes: u64) -> u64 {
        // `propertyNames` looks at names as if they were nodes.
        let (nodes, bytes) = (nodes.saturating_mul(2), bytes.saturating_mul(2));
        let inside = (nodes.saturating_add(bytes / 16)).saturating_mul(nodes.min(self.depth));
        let Tariff { node, child, byte, inside: each } = tariff;
        [(node, nodes), (child, nodes), (byte, bytes), (each, inside)]
            .into_iter()
            .fold(0u64, |sum, (price, count)| sum.saturating_add(price.saturating_mul(count)))
            .saturating_mul(self.times)
    }

    /// The shares of all places, dearest first.
    pub(crate) fn by_place(&self, program: &Program, nodes: u64, bytes: u64) -> Vec<PlaceCost> {
        let mut places = Vec::new();
        let mut bytes_of_pointers = 0;
        // Few resources have the blocks of many.
        let mut last: Option<(&str, Arc<str>)> = None;
        for index in 0..program.blocks.len() as u32 {
            let id = BlockId(index);
            let uri = program.document(id);
            let document = match &last {
                Some((other, shared)) if std::ptr::eq(*other, uri) => Arc::clone(shared),
                _ => pointer::shortened(uri, pointer::LONGEST).into(),
            };
            last = Some((uri, Arc::clone(&document)));
            let mut push = |keyword: Option<&str>, tariff| {
                let most = if bytes_of_pointers < MANY_BYTES { pointer::LONGEST } else { SHORT_POINTER };
                let pointer = program.short_pointer(id, keyword, most);
                bytes_of_pointers += pointer.len();
                let (keyword, document) = (keyword.map(str::to_owned), Arc::clone(&document));
                places.push(PlaceCost {
                    pointer,
                    document,
                    keyword,
                    steps: self.price(tariff, nodes, bytes),
                });
            };
            push(None, of_entering(program.block(id)));
            let (plain, fast) = (of_plain(program, id), of_fast(program, id));
            if fast.sum() > plain.sum() {
                for at in program.fast(id).code() {
                    push(
                        program.fast_keyword_name(at),
                        of_fast_one(program, program.fast_code[at as usize].into()),
                    );
                }
            } else {
                for at in program.block(id).plain.clone() {
                    push(program.keyword_name(at), of_plain_one(program, program.code[at as usize]));
                }
            }
        }
        places.sort_by_key(|place| std::cmp::Reverse(place.steps));
        places
    }
}

/// At how many levels one block may be run. Without recursion each way to it leads to one level, and where nothing is remembered
/// each way is counted as such.
fn levels(program: &Program, ways: Ways, limits: &Limits) -> u64 {
    let deepest = u64::from(limits.instance_depth);
    if ways.recurs || !program.anchors.is_empty() {
        deepest
    } else if program.may_repeat {
        deepest.min(ways.most)
    } else {
        1
    }
}

const NOTHING: Tariff = Tariff { node: 0, child: 0, byte: 0, inside: 0 };

impl Tariff {
    fn max(self, other: Tariff) -> Tariff {
        Tariff {
            node: self.node.max(other.node),
            child: self.child.max(other.child),
            byte: self.byte.max(other.byte),
            inside: self.inside.max(other.inside),
        }
    }

    /// For a node, a child, a byte and a value together.
    fn sum(self) -> u64 {
        self.node.saturating_add(self.child).saturating_add(self.byte).saturating_add(self.inside)
    }

    fn plus(self, other: Tariff) -> Tariff {
        Tariff {
            node: self.node.saturating_add(other.node),
            child: self.child.saturating_add(other.child),
            byte: self.byte.saturating_add(other.byte),
            inside: self.inside.saturating_add(other.inside),
        }
    }
}

/// The block is entered, and has perhaps a frame for marks.
fn of_entering(block: &Block) -> Tariff {
    // Before a block is entered a gate looks at the type.
    Tariff { node: 1, child: u64::from(block.owns_marks), ..NOTHING }.plus(OF_TYPE)
}

/// Finding out whether a number is an integer takes all digits where they are kept as texts.
const OF_TYPE: Tariff = Tariff { byte: NUMBERS_ARE_TEXT as u64, ..NOTHING };

fn of_block(program: &Program, id: BlockId) -> Tariff {
    // A run goes through the plain code or through the fast.
    of_entering(program.block(id)).plus(of_plain(program, id).max(of_fast(program, id)))
}

fn of_plain(program: &Program, id: BlockId) -> Tariff {
    let code = program.plain_of(id).iter();
    code.fold(NOTHING, |sum, &instruction| sum.plus(of_plain_one(program, instruction)))
}

fn of_fast(program: &Program, id: BlockId) -> Tariff {
    let code = program.fast_of(id);
    code.fold(NOTHING, |sum, instruction| sum.plus(of_fast_one(program, instruction)))
}

fn of_plain_one(program: &Program, instruction: Plain) -> Tariff {
    instruction.for_verdicts().map_or(NOTHING, |fast| of_fast_one(program, fast))
}

fn of_fast_one(program: &Program, instruction: Fast) -> Tariff {
    let (mut here, mut below) = (0, 0);
    program.visit_fast_edges(instruction, |reach, _| match reach {
        Reach::Node | Reach::Scope => here += 1,
        Reach::Below => below += 1,
    });
    let own = match instruction {
        Fast::Assert(assertion) => of_assertion(program, assertion),
        Fast::Apply(applicator) => of_applicator(program, applicator),
        Fast::InRange(id) => {
            of_plain(program, program.intervals[id].block).plus(Tariff { byte: 1, ..NOTHING })
        }
        Fast::Text(id) => {
            let text = &program.texts[id];
            let pattern = text.pattern.map(|id| of_assertion(program, Assertion::Matches(id)));
            let format = text.format.map(|id| of_assertion(program, Assertion::HasFormat(id)));
            let length = Tariff { node: 1, byte: 1, ..NOTHING };
            pattern.into_iter().chain(format).fold(length, Tariff::plus)
        }
        Fast::Items(id) => {
            let unique = if program.items[id].unique { OF_UNIQUE_ITEMS } else { NOTHING };
            Tariff { child: 1, ..unique }
        }
        Fast::EachMember(_) => Tariff { child: 1, ..NOTHING },
        Fast::Members(id) | Fast::MembersByPattern(id) => {
            let members = &program.members[id];
            of_patterns(program, members.patterned).plus(of_lookups(&members.names))
        }
        Fast::Pick(id) => {
            let pick = &program.picks[id];
            let value = Tariff { node: 1 + pick.scalars.len() as u64, byte: 1, ..NOTHING };
            value.plus(of_member(&pick.name)).plus(of_text(&pick.texts))
        }
        Fast::Unevaluated(id) => {
            let unevaluated = &program.unevaluated[id];
            let parts = unevaluated.parts.len() as u64;
            let patterns = unevaluated.patterns.iter().map(|&(id, _)| of_patterns(program, Some(id)));
            let members = unevaluated.parts.iter().map(|part| match part {
                Test::Dependent(name, _) => of_member(name),
                Test::Union { .. } | Test::If { .. } => NOTHING,
            });
            let start = Tariff { node: parts, child: 1 + parts, ..NOTHING };
            patterns.chain(members).fold(start, Tariff::plus).plus(of_lookups(&unevaluated.names))
        }
    };
    // What an instruction runs is entered, with a frame for marks on the same node.
    Tariff { node: 2 * here, child: here + 2 * below, ..NOTHING }.plus(own)
}

fn of_assertion(program: &Program, assertion: Assertion) -> Tariff {
    let (about, operand) = assertion.describe(program);
    match operand {
        Operand::Nothing => NOTHING,
        Operand::Items => OF_UNIQUE_ITEMS,
        // A number by its text may have to be looked at.
        Operand::Types(_) => OF_TYPE,
        Operand::Value(constant) => {
            of_equality([constant], u64::from(constant.is_array() || constant.is_object()))
        }
        Operand::Values(enumeration) => {
            let types = enumeration.other_types;
            let has_containers = types.has(Type::Array) || types.has(Type::Object);
            // A container is compared with a few, or hashed and then compared with one.
            let times = if has_containers { equality::COMPARED_DIRECTLY as u64 } else { 0 };
            of_equality(&enumeration.values, times).plus(of_text(&enumeration.texts))
        }
        Operand::Number(bound) => Tariff { node: 1 + digits(bound), byte: 1, ..NOTHING },
        Operand::Multiple(multiple) => {
            let node = multiple.divisor.cost(0);
            Tariff { node, byte: multiple.divisor.cost(1) - node, ..NOTHING }
        }
        // A text is counted; how many children there are is known.
        Operand::Count(_) if about.has(Type::String) => Tariff { node: 1, byte: 1, ..NOTHING },
        Operand::Count(_) => NOTHING,
        Operand::Format(_) | Operand::Content(_) => Tariff { node: 1, byte: 1, ..NOTHING },
        Operand::Pattern(pattern) => {
            let (node, byte) = pattern.worst_case();
            Tariff { node, byte, ..NOTHING }
        }
        Operand::Names(names) => of_names(names),
        Operand::Dependent(dependent) => {
            let required = Tariff { node: dependent.required.len() as u64, ..NOTHING };
            if dependent.names.len() > dependent::MAX_LOOKUPS {
                return of_names(&dependent.names).plus(required);
            }
            let required = dependent.required.iter().map(|&place| dependent.names.get(place as usize));
            dependent.triggers().chain(required).map(of_member).fold(NOTHING, Tariff::plus)
        }
    }
}

/// Finding what an applicator applies its blocks to.
fn of_applicator(program: &Program, applicator: Applicator) -> Tariff {
    if let Applicator::DependentSchemas(id) | Applicator::Properties(id) = applicator {
        return of_names(&program.named_blocks[id].names);
    }
    if let Applicator::PatternProperties(id) = applicator {
        return of_patterns(program, Some(id));
    }
    if let Applicator::AdditionalProperties(id) = applicator {
        let additional = &program.additional[id];
        let named = additional.named.map(|id| of_lookups(&program.named_blocks[id].names));
        return of_patterns(program, additional.patterned).plus(named.unwrap_or(NOTHING));
    }
    let (mut anchors, mut walks) = (0, 0);
    applicator.edges(program, |_, on, _| match on.reach() {
        Reach::Node => {}
        Reach::Scope => anchors = program.anchors.len() as u64,
        Reach::Below => walks = 1,
    });
    Tariff { node: anchors, child: walks, ..NOTHING }
}

/// Comparing a container once, for each value or 16 bytes inside it: if its members are in another order, both
/// sides are sorted.
const COMPARED: u64 = 24;

/// An item is looked at twice, hashed, and compared with one that looks like it.
const OF_UNIQUE_ITEMS: Tariff = Tariff { inside: 6 + COMPARED, ..NOTHING };

/// Comparing a node with values, a container with up to so many of them. A number pays for the digits of both.
fn of_equality<'v>(values: impl IntoIterator<Item = &'v Value>, containers: u64) -> Tariff {
    let mut digits = 0u64;
    let mut open: Vec<&Value> = values.into_iter().collect();
    while let Some(value) = open.pop() {
        match value {
            Value::Number(number) => digits = digits.saturating_add(self::digits(number)),
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.values()),
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }
    let node = digits.saturating_mul(containers.max(1)).saturating_add(16);
    let inside = if containers > 0 { 4 + containers * COMPARED } else { 0 };
    Tariff { node, byte: 1, inside, ..NOTHING }
}

/// Looking a text up in a table, besides what it takes to look at the text.
fn of_text<T: Copy>(texts: &NameTable<T>) -> Tariff {
    Tariff { node: of_lookups(texts).child, ..NOTHING }
}

/// Looking for names among members, or for members among names.
fn of_names(names: &NameTable) -> Tariff {
    Tariff { node: names.len() as u64 + 16, child: 2, ..NOTHING }.plus(of_lookups(names))
}

/// Returns the cost of looking up the names of members in a table, beyond a step for each.
fn of_lookups<T: Copy>(names: &NameTable<T>) -> Tariff {
    let byte = u64::from(names.has_costly_lookups());
    Tariff { child: names.extra_steps(&[]), byte, ..NOTHING }
}

/// Looking for the member of a name.
fn of_member(name: &str) -> Tariff {
    let steps = lookup::steps_for_name(name);
    Tariff { node: steps, child: steps, ..NOTHING }
}

/// The cost of a walk over members that tries each pattern.
fn of_patterns(program: &Program, patterned: Option<Id<PatternBlocks>>) -> Tariff {
    let patterned = patterned.map(|id| &program.pattern_blocks[id]);
    let each = patterned.into_iter().flat_map(PatternBlocks::iter).map(|(pattern, _)| {
        let (node, byte) = program.patterns[pattern].worst_case();
        Tariff { child: node, byte, ..NOTHING }
    });
    each.fold(Tariff { child: 1, ..NOTHING }, Tariff::plus)
}

fn digits(number: &serde_json::Number) -> u64 {
    Number::from(number).cost()
}
