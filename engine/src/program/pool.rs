//! Pools: what instructions refer to by a typed number.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Index;

/// A place in a [`Pool`] of `T`s.
pub(crate) struct Id<T>(u32, PhantomData<fn() -> T>);

impl<T> Clone for Id<T> {
    fn clone(&self) -> Id<T> {
        *self
    }
}

impl<T> Copy for Id<T> {}

impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Id<T>) -> bool {
        self.0 == other.0
    }
}

impl<T> Eq for Id<T> {}

impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// Gives back room that was left for more, if it is much: to give it back takes about as long as to compile a keyword.
pub(super) fn trim<T>(items: &mut Vec<T>) {
    const MUCH: usize = 512;
    if (items.capacity() - items.len()) * size_of::<T>() >= MUCH {
        items.shrink_to_fit();
    }
}

/// Things that instructions refer to.
#[derive(Debug)]
pub(crate) struct Pool<T>(Vec<T>);

impl<T> Pool<T> {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }

    pub(super) fn vec(&self) -> &Vec<T> {
        &self.0
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.iter_mut()
    }

    /// Gives back room that was left for more, if it is much.
    pub(super) fn trim(&mut self) {
        trim(&mut self.0);
    }

    pub(crate) fn push(&mut self, item: T) -> Id<T> {
        self.0.push(item);
        Id(self.0.len() as u32 - 1, PhantomData)
    }
}

impl<T> Default for Pool<T> {
    fn default() -> Pool<T> {
        Pool(Vec::new())
    }
}

impl<T> Index<Id<T>> for Pool<T> {
    type Output = T;

    #[inline]
    fn index(&self, id: Id<T>) -> &T {
        &self.0[id.0 as usize]
    }
}
