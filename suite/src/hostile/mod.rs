//! Hostile schemas: attacks within the bounds that SDKs ship (64 levels, 10,000 subschemas,
//! references that start with `#`), each with its correct verdict by construction.
//!
//! An attack is a function of a size. At full size it is meant to hang, crash or fool a validator;
//! at a small size, any plain validator can confirm the verdict.
//!
//! ```
//! use stanchion_suite::hostile::{self, Expected};
//!
//! for recipe in hostile::recipes() {
//!     let attack = recipe.small();
//!     let Ok(validator) = attack.builder().build(&attack.schema) else { continue };
//!     for instance in &attack.instances {
//!         assert_eq!(validator.is_valid(&instance.value), instance.expected == Expected::Valid);
//!     }
//! }
//! ```
//!
//! A file has the recipes of a few families:
//!
//! | file | families |
//! |---|---|
//! | `fan_out` | references that double at each level, on one node |
//! | `backtracking` | two branches at each level of the instance |
//! | `circuit` | chains and circuits of thousands of subschemas, on one node |
//! | `unevaluated`, `dynamic` | verdicts that depend on more than the node: marks, and the dynamic scope |
//! | `pattern` | catastrophic patterns, lookaround, backreferences, patterns of many states |
//! | `equality` | `uniqueItems`, `enum`, `const` |
//! | `array`, `object` | `contains`; names by the thousand |
//! | `lookup` | names that are long, many, or both |
//! | `scale` | deep and wide instances, many branches, large schemas, long lists of errors |
//! | `number`, `format` | numbers beyond 64 bits and doubles; 100 kB for each format |
//! | `reference` | rings, chains, anchors, pointers |
//! | `trap` | schemas on which an incomplete memo key gives wrong verdicts |

mod array;
mod backtracking;
mod circuit;
mod dynamic;
mod equality;
mod fan_out;
mod format;
mod lookup;
mod number;
mod object;
mod pattern;
mod reference;
mod scale;
mod trap;
mod unevaluated;

use std::fmt;
use std::mem;

use serde_json::{Map, Value, json};
use stanchion::{References, Validator, ValidatorBuilder};

/// The correct result for an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The instance is valid.
    Valid,
    /// The instance is not valid.
    Invalid,
    /// The schema has no meaning and is refused: its references form a ring.
    Refused,
}

/// The results that are accepted instead of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leeway {
    /// None: there is a polynomial algorithm, so a verdict is required.
    Nothing,
    /// Undecided, or refused: no algorithm is known to be polynomial for such schemas.
    Hard,
    /// Undecided, or refused: the attack exceeds the documented limit of this name.
    Beyond(&'static str),
}

/// A value, its text, and the correct result.
pub struct Instance {
    /// The value.
    pub value: Value,
    /// The text, if it differs from the serialized value: other forms of a number, a name given
    /// twice.
    text: Option<String>,
    /// The correct result.
    pub expected: Expected,
}

impl Instance {
    /// Returns the JSON text of the value. Some texts nest deeper than JSON parsers allow.
    pub fn text(&self) -> String {
        match &self.text {
            Some(text) => text.clone(),
            None => text_of(&self.value),
        }
    }
}

impl Drop for Instance {
    /// Drops the value level by level. Dropping it whole would recurse, and some values are very
    /// deep.
    fn drop(&mut self) {
        let mut open = vec![mem::take(&mut self.value)];
        while let Some(value) = open.pop() {
            match value {
                Value::Array(items) => open.extend(items),
                Value::Object(members) => open.extend(members.into_iter().map(|(_, member)| member)),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
    }
}

impl fmt::Debug for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The value may be deep, and printing recurses.
        f.debug_struct("Instance").field("expected", &self.expected).finish_non_exhaustive()
    }
}

/// A schema, and instances to run on it one after the other.
#[derive(Debug)]
pub struct Attack {
    /// The schema.
    pub schema: Value,
    /// The instances.
    pub instances: Vec<Instance>,
    /// The results that are accepted instead of a verdict.
    pub leeway: Leeway,
    /// Whether `format` asserts.
    pub formats: bool,
    /// Whether references use `$id`s in the document.
    pub bundled: bool,
}

impl Attack {
    fn new(schema: Value) -> Attack {
        Attack { schema, instances: Vec::new(), leeway: Leeway::Nothing, formats: false, bundled: false }
    }

    fn valid(self, value: impl Into<Value>) -> Attack {
        self.instance(value.into(), None, Expected::Valid)
    }

    fn invalid(self, value: impl Into<Value>) -> Attack {
        self.instance(value.into(), None, Expected::Invalid)
    }

    fn refused(self, value: impl Into<Value>) -> Attack {
        self.instance(value.into(), None, Expected::Refused)
    }

    /// Adds an instance by its text.
    fn text(self, expected: Expected, text: String) -> Attack {
        let value = serde_json::from_str(&text).expect("an attack's text is JSON");
        self.instance(value, Some(text), expected)
    }

    fn instance(mut self, value: Value, text: Option<String>, expected: Expected) -> Attack {
        self.instances.push(Instance { value, text, expected });
        self
    }

    fn hard(mut self) -> Attack {
        self.leeway = Leeway::Hard;
        self
    }

    fn beyond(mut self, limit: &'static str) -> Attack {
        self.leeway = Leeway::Beyond(limit);
        self
    }

    fn formats(mut self) -> Attack {
        self.formats = true;
        self
    }

    fn bundled(mut self) -> Attack {
        self.bundled = true;
        self
    }

    /// Returns a builder with the settings that the attack needs.
    pub fn builder(&self) -> ValidatorBuilder {
        let references = if self.bundled { References::Bundled } else { References::Local };
        Validator::builder().references(references).assert_formats(self.formats)
    }
}

/// A generator of an attack.
pub struct Recipe {
    /// The family of the attack.
    pub family: &'static str,
    /// The name, unique in the family.
    pub name: String,
    small: usize,
    full: usize,
    make: Box<dyn Fn(usize) -> Attack>,
}

impl Recipe {
    /// Returns the attack at a size at which a plain validator finds the verdict.
    pub fn small(&self) -> Attack {
        (self.make)(self.small)
    }

    /// Returns the attack at full size.
    pub fn full(&self) -> Attack {
        (self.make)(self.full)
    }
}

impl fmt::Debug for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.family, self.name)
    }
}

/// A family of recipes.
struct Family {
    name: &'static str,
    recipes: Vec<Recipe>,
}

impl Family {
    fn new(name: &'static str) -> Family {
        Family { name, recipes: Vec::new() }
    }

    fn add(
        &mut self,
        name: impl Into<String>,
        small: usize,
        full: usize,
        make: impl Fn(usize) -> Attack + 'static,
    ) {
        let recipe = Recipe { family: self.name, name: name.into(), small, full, make: Box::new(make) };
        self.recipes.push(recipe);
    }
}

/// Returns all recipes, family by family.
pub fn recipes() -> Vec<Recipe> {
    let mut families = Vec::new();
    families.extend(fan_out::families());
    families.extend(backtracking::families());
    families.extend(circuit::families());
    families.extend(unevaluated::families());
    families.extend(dynamic::families());
    families.extend(pattern::families());
    families.extend(equality::families());
    families.extend(array::families());
    families.extend(object::families());
    families.extend(lookup::families());
    families.extend(scale::families());
    families.extend(number::families());
    families.extend(format::families());
    families.extend(reference::families());
    families.extend(trap::families());
    families.into_iter().flat_map(|family| family.recipes).collect()
}

/// Returns the JSON text of a value without recursion, since some values are very deep.
pub(crate) fn text_of(value: &Value) -> String {
    enum Part<'v> {
        Value(&'v Value),
        Text(String),
    }
    let mut text = String::new();
    let mut open = vec![Part::Value(value)];
    while let Some(part) = open.pop() {
        match part {
            Part::Text(part) => text.push_str(&part),
            Part::Value(Value::Array(items)) => {
                text.push('[');
                open.push(Part::Text("]".to_owned()));
                for (index, item) in items.iter().enumerate().rev() {
                    open.push(Part::Value(item));
                    open.extend((index > 0).then(|| Part::Text(",".to_owned())));
                }
            }
            Part::Value(Value::Object(members)) => {
                text.push('{');
                open.push(Part::Text("}".to_owned()));
                let members: Vec<_> = members.iter().collect();
                for (index, (name, member)) in members.into_iter().enumerate().rev() {
                    let comma = if index > 0 { "," } else { "" };
                    open.push(Part::Value(member));
                    open.push(Part::Text(format!("{comma}{}:", Value::from(name.as_str()))));
                }
            }
            Part::Value(scalar) => text.push_str(&scalar.to_string()),
        }
    }
    text
}

/// Returns a reference to a definition.
fn to(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// Returns the subschema with the members of another one added.
fn with(mut schema: Value, more: Value) -> Value {
    if let (Value::Object(members), Value::Object(more)) = (&mut schema, more) {
        members.extend(more);
    }
    schema
}

/// Returns an object with these members.
fn object(members: impl IntoIterator<Item = (String, Value)>) -> Value {
    Value::Object(members.into_iter().collect::<Map<String, Value>>())
}

/// Builds definitions `l0` to `l{levels}`, the last of which is the leaf; the root refers to the
/// first. `level` makes one from its number and two references to the next.
fn tower(levels: usize, leaf: Value, level: impl Fn(usize, Value, Value) -> Value) -> Value {
    let next = |index: usize| to(&format!("l{}", index + 1));
    let mut definitions = Map::new();
    for index in 0..levels {
        definitions.insert(format!("l{index}"), level(index, next(index), next(index)));
    }
    definitions.insert(format!("l{levels}"), leaf);
    json!({"$ref": "#/$defs/l0", "$defs": definitions})
}

/// Wraps a value `levels` times, without recursion.
fn wrap(levels: usize, leaf: Value, wrap: impl Fn(Value) -> Value) -> Value {
    (0..levels).fold(leaf, |inner, _| wrap(inner))
}

/// A reproducible source of random numbers.
struct Dice(u64);

impl Dice {
    /// Returns the next number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}
