//! The name of a member, as a value of its own: what `propertyNames` looks at.

use super::{Array, Node, Object, Shape, View};

/// A name. It is a text like any other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'a>(pub(crate) &'a str);

/// The containers that names do not have.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Nothing {}

impl<'a> Node<'a> for Name<'a> {
    type Array = Nothing;
    type Object = Nothing;

    #[inline]
    fn view(self) -> View<'a, Self> {
        View::String(self.0)
    }

    #[inline]
    fn shape(self) -> Shape {
        Shape::String
    }
}

impl<'a> Array<'a, Name<'a>> for Nothing {
    fn len(self) -> usize {
        match self {}
    }

    fn iter(self) -> impl Iterator<Item = Name<'a>> {
        std::iter::empty()
    }

    fn address(self) -> usize {
        match self {}
    }
}

impl<'a> Object<'a, Name<'a>> for Nothing {
    fn len(self) -> usize {
        match self {}
    }

    fn iter(self) -> impl Iterator<Item = (&'a str, Name<'a>)> {
        std::iter::empty()
    }

    fn get(self, _: &str) -> Option<Name<'a>> {
        match self {}
    }

    fn address(self) -> usize {
        match self {}
    }

    fn get_cost(self) -> usize {
        match self {}
    }
}
