//! A simd-json tape: the nodes of a document in one array, each container before its content.
//!
//! ```text
//! {"a": [1, 2]}    Object{len 1, count 4}  "a"  Array{len 2, count 2}  1  2
//! ```
//!
//! `count` is how many nodes follow that belong to the container, so a container is skipped in one
//! step and a walk over members costs one step a member. A look-up by name is a scan.
//!
//! Anyone can make a tape, so nothing relies on `len` and `count` being right: a container is never larger than what is left of
//! the one around it, has no more children than nodes, and walks over it give as many children as it has. Where nodes are missing
//! a value is `null`, and where a name is none it is empty.
//!
//! A tape shows every member of its text, also those with a repeated name: `iter` and `len` give all the members and
//! `get` the last one of a name. Text that is read by a [`Reader`] has no such members.
//!
//! [`Reader`]: crate::Reader

use super::number::is_minus_zero;
use super::written::Notation;
use super::{Array, Node, Number, Object, Shape, View, Written};
use simd_json::{Node as Tape, StaticNode};

/// A value on a tape.
#[derive(Clone, Copy, Debug)]
pub struct TapeNode<'a>(&'a [Tape<'a>]);

/// An array on a tape.
#[derive(Clone, Copy, Debug)]
pub struct TapeArray<'a> {
    len: usize,
    nodes: &'a [Tape<'a>],
}

/// An object on a tape.
#[derive(Clone, Copy, Debug)]
pub struct TapeObject<'a> {
    len: usize,
    nodes: &'a [Tape<'a>],
}

impl<'a> From<&'a simd_json::Tape<'_>> for TapeNode<'a> {
    /// The root of a document.
    fn from(tape: &'a simd_json::Tape<'_>) -> TapeNode<'a> {
        TapeNode(&tape.0)
    }
}

impl<'a> Node<'a> for TapeNode<'a> {
    type Array = TapeArray<'a>;
    type Object = TapeObject<'a>;

    #[inline(always)]
    fn view(self) -> View<'a, Self> {
        match self.0.first() {
            Some(&Tape::String(text)) => View::String(text),
            Some(&Tape::Object { len, count }) => {
                let nodes = self.0.get(1..=count).unwrap_or(&[]);
                View::Object(TapeObject { len: len.min(nodes.len()), nodes })
            }
            Some(&Tape::Array { len, count }) => {
                let nodes = self.0.get(1..=count).unwrap_or(&[]);
                View::Array(TapeArray { len: len.min(nodes.len()), nodes })
            }
            Some(&Tape::Static(StaticNode::Bool(value))) => View::Bool(value),
            Some(&Tape::Static(StaticNode::I64(value))) => View::Number(match u64::try_from(value) {
                Ok(value) => Number::Unsigned(value),
                Err(_) => Number::Signed(value),
            }),
            Some(&Tape::Static(StaticNode::U64(value))) => View::Number(Number::Unsigned(value)),
            Some(&Tape::Static(StaticNode::F64(value))) => View::Number(float(value)),
            Some(&Tape::Static(StaticNode::Null)) | None => View::Null,
        }
    }

    #[inline(always)]
    fn shape(self) -> Shape {
        match self.0.first() {
            Some(Tape::String(_)) => Shape::String,
            Some(Tape::Object { .. }) => Shape::Object,
            Some(Tape::Array { .. }) => Shape::Array,
            Some(Tape::Static(StaticNode::Bool(_))) => Shape::Bool,
            Some(Tape::Static(StaticNode::I64(_) | StaticNode::U64(_) | StaticNode::F64(_))) => Shape::Number,
            Some(Tape::Static(StaticNode::Null)) | None => Shape::Null,
        }
    }
}

/// A float of a tape. Minus zero was written with a fraction or an exponent, since a tape has `-0` as an integer.
#[inline(always)]
fn float(value: f64) -> Number<'static> {
    if is_minus_zero(value) {
        return Number::Exact(Written::noted("-0.0", Notation::Integer));
    }
    Number::Float(value)
}

impl<'a> TapeNode<'a> {
    /// Returns the tape behind the value.
    #[inline]
    fn rest(self) -> &'a [Tape<'a>] {
        let Some((node, after)) = self.0.split_first() else { return &[] };
        match *node {
            Tape::Object { count, .. } | Tape::Array { count, .. } => after.get(count..).unwrap_or(&[]),
            Tape::String(_) | Tape::Static(_) => after,
        }
    }
}

impl<'a> Array<'a, TapeNode<'a>> for TapeArray<'a> {
    #[inline]
    fn len(self) -> usize {
        self.len
    }

    #[inline]
    fn iter(self) -> impl Iterator<Item = TapeNode<'a>> {
        let mut rest = self.nodes;
        (0..self.len).map(move |_| {
            let node = TapeNode(rest);
            rest = node.rest();
            node
        })
    }

    fn address(self) -> usize {
        self.nodes.as_ptr().addr()
    }
}

impl<'a> Object<'a, TapeNode<'a>> for TapeObject<'a> {
    #[inline]
    fn len(self) -> usize {
        self.len
    }

    #[inline]
    fn iter(self) -> impl Iterator<Item = (&'a str, TapeNode<'a>)> {
        let mut rest = self.nodes;
        (0..self.len).map(move |_| {
            let (name, after) = match rest.split_first() {
                Some((&Tape::String(name), after)) => (name, after),
                Some((_, after)) => ("", after),
                None => ("", rest),
            };
            let node = TapeNode(after);
            rest = node.rest();
            (name, node)
        })
    }

    fn get(self, name: &str) -> Option<TapeNode<'a>> {
        self.iter().filter(|&(found, _)| found == name).map(|(_, node)| node).last()
    }

    fn address(self) -> usize {
        self.nodes.as_ptr().addr()
    }

    fn get_cost(self) -> usize {
        self.len
    }
}

#[cfg(test)]
mod tests {
    use super::{Tape, TapeNode};
    use crate::instance::{Array, Node, Object, View, conformance};
    use crate::{Limits, Validator};
    use serde_json::json;
    use simd_json::StaticNode;

    #[test]
    fn conforms() {
        conformance::check(|text| {
            let mut bytes = text.as_bytes().to_vec();
            conformance::render(TapeNode::from(&simd_json::to_tape(&mut bytes).unwrap()))
        });
    }

    /// Looks at all of a tape, and at no more. Returns how many values were seen.
    fn walk(node: TapeNode<'_>, depth: usize) -> usize {
        if depth == 0 {
            return 1;
        }
        match node.view() {
            View::Array(items) => {
                assert_eq!(items.iter().count(), items.len());
                1 + items.iter().map(|item| walk(item, depth - 1)).sum::<usize>()
            }
            View::Object(members) => {
                assert_eq!(members.iter().count(), members.len());
                assert_eq!(members.values().count(), members.len());
                members.iter().for_each(|(name, _)| assert!(members.get(name).is_some()));
                1 + members.values().map(|value| walk(value, depth - 1)).sum::<usize>()
            }
            View::Null | View::Bool(_) | View::Number(_) | View::String(_) => 1,
        }
    }

    /// Runs that end, whatever they say.
    fn check(validators: &[Validator], nodes: &[Tape<'_>]) {
        let node = TapeNode(nodes);
        const DEPTH: usize = 6;
        assert!(walk(node, DEPTH) <= 1 + nodes.len() * DEPTH, "{nodes:?}");
        for validator in validators {
            let verdict = validator.verdict(node);
            assert_eq!(validator.is_valid(node), verdict == crate::Verdict::Valid);
            assert!(validator.iter_errors(node).count() <= 101);
            validator.evaluate(node).verbose();
        }
    }

    fn validators() -> Vec<Validator> {
        [
            json!({"unevaluatedItems": false, "anyOf": [{"prefixItems": [{"type": "integer"}]}, {"contains": {"type": "array"}}]}),
            json!({"unevaluatedProperties": {"$ref": "#"}, "anyOf": [{"properties": {"a": {"$ref": "#"}}}, {"required": ["b"]}]}),
            json!({"uniqueItems": true, "items": {"$ref": "#"}, "minItems": 2, "maxProperties": 3}),
            json!({
                "properties": {"a": {"type": "integer"}, "b": {"$ref": "#"}}, "patternProperties": {"^c": {"$ref": "#"}},
                "additionalProperties": {"type": ["string", "array"], "items": {"$ref": "#"}}, "required": ["a"],
                "propertyNames": {"maxLength": 2}, "dependentRequired": {"a": ["b"]},
            }),
            json!({"enum": [[1, 2], {"a": null}, {"a": [], "b": {}}, []], "not": {"const": {"": null}}}),
            json!({"items": {"items": {"type": "number"}}, "contains": {"const": 1}, "maxContains": 1}),
        ]
        .iter()
        .flat_map(|schema| {
            let builder = Validator::builder().limits(Limits::default().steps(1_000));
            [true, false].map(|optimize| builder.clone().optimize(optimize).build(schema).unwrap())
        })
        .collect()
    }

    #[test]
    fn lengths_and_counts_that_are_wrong_do_no_harm() {
        let validators = validators();
        let sizes = [0, 1, 2, 200, usize::MAX - 1, usize::MAX];
        for len in sizes {
            for count in sizes {
                for header in [Tape::Array { len, count }, Tape::Object { len, count }] {
                    check(&validators, &[header]);
                    check(&validators, &[header, Tape::String("a")]);
                    check(&validators, &[header, header, header]);
                    check(
                        &validators,
                        &[Tape::Array { len: 2, count: 3 }, header, Tape::String("a"), header],
                    );
                    let mut many = vec![Tape::Static(StaticNode::U64(1)); 200];
                    many.insert(0, header);
                    check(&validators, &many);
                }
            }
        }
    }

    #[test]
    fn random_tapes_do_no_harm() {
        let validators = validators();
        let mut seed = 11u64;
        let mut next = move |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        for _ in 0..1_000 {
            let length = next(24);
            let mut tape = Vec::new();
            for place in 0..length {
                let left = length - place;
                let mut size = || match next(8) {
                    0 => usize::MAX - next(3),
                    1 => next(300),
                    _ => next(left + 1),
                };
                let (len, count) = (size(), size());
                tape.push(match next(8) {
                    0 | 1 => Tape::Array { len, count },
                    2 | 3 => Tape::Object { len, count },
                    4 => Tape::Static([StaticNode::U64(1), StaticNode::F64(1.5), StaticNode::Null][next(3)]),
                    _ => Tape::String(["a", "b", "c", ""][next(4)]),
                });
            }
            check(&validators, &tape);
        }
    }
}
