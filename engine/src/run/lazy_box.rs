//! A lazily filled box, for parts of a run that most runs do not need.

/// A value that is boxed when it is first needed. While it is empty it takes one word, and dropping it costs no call.
#[derive(Debug)]
pub(super) struct LazyBox<T>(Option<Box<T>>);

/// Drops the value out of line, which keeps the code of the usual path small.
#[cold]
#[inline(never)]
fn forget<T>(_: Box<T>) {}

impl<T> Drop for LazyBox<T> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(value) = self.0.take() {
            forget(value);
        }
    }
}

impl<T> Default for LazyBox<T> {
    #[inline(always)]
    fn default() -> LazyBox<T> {
        LazyBox(None)
    }
}

impl<T> From<T> for LazyBox<T> {
    fn from(value: T) -> LazyBox<T> {
        LazyBox(Some(Box::new(value)))
    }
}

impl<T> LazyBox<T> {
    #[inline(always)]
    pub(super) fn get(&self) -> Option<&T> {
        self.0.as_deref()
    }

    #[inline(always)]
    pub(super) fn get_mut(&mut self) -> Option<&mut T> {
        self.0.as_deref_mut()
    }

    pub(super) fn get_or_default(&mut self) -> &mut T
    where
        T: Default,
    {
        self.0.get_or_insert_default()
    }
}
