//! A simd-json tape: the nodes of a document in one array, each container before its content.
//!
//! ```text
//! {"a": [1, 2]}    Object{len 1, count 4}  "a"  Array{len 2, count 2}  1  2
//! ```
//!
//! `count` is how many nodes follow that belong to the container, so a container is skipped in one
//! step and a walk over members costs one step a member. A look-up by name is a scan.
//!
//! A tape shows every member of its text, also those with a repeated name: `iter` and `len` give all the members and
//! `get` the last one of a name. Text that is read by a [`Reader`] has no such members.
//!
//! [`Reader`]: crate::Reader

use super::{Array, Node, Number, Object, Shape, View};
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
                View::Object(TapeObject { len, nodes: self.0.get(1..=count).unwrap_or(&[]) })
            }
            Some(&Tape::Array { len, count }) => {
                View::Array(TapeArray { len, nodes: self.0.get(1..=count).unwrap_or(&[]) })
            }
            Some(&Tape::Static(StaticNode::Bool(value))) => View::Bool(value),
            Some(&Tape::Static(StaticNode::I64(value))) => View::Number(match u64::try_from(value) {
                Ok(value) => Number::Unsigned(value),
                Err(_) => Number::Signed(value),
            }),
            Some(&Tape::Static(StaticNode::U64(value))) => View::Number(Number::Unsigned(value)),
            Some(&Tape::Static(StaticNode::F64(value))) => View::Number(Number::Float(value)),
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

impl<'a> TapeNode<'a> {
    /// How many nodes the value takes, itself included.
    #[inline]
    fn extent(self) -> usize {
        match self.0.first() {
            Some(&Tape::Object { count, .. } | &Tape::Array { count, .. }) => count + 1,
            Some(&Tape::String(_) | &Tape::Static(_)) | None => 1,
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
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let node = TapeNode(rest);
            rest = rest.get(node.extent()..).unwrap_or(&[]);
            Some(node)
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
        std::iter::from_fn(move || {
            let (Tape::String(name), after) = rest.split_first()? else { return None };
            let node = TapeNode(after);
            rest = after.get(node.extent()..).unwrap_or(&[]);
            Some((*name, node))
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
    use super::TapeNode;
    use crate::instance::conformance;

    #[test]
    fn conforms() {
        conformance::check(|text| {
            let mut bytes = text.as_bytes().to_vec();
            conformance::render(TapeNode::from(&simd_json::to_tape(&mut bytes).unwrap()))
        });
    }
}
