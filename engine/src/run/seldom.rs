//! What most runs do without.

/// Something that a run may need, and mostly does not: until then it is a word, and a run that ends without it ends without a call.
#[derive(Debug)]
pub(super) struct Seldom<T>(Option<Box<T>>);

/// Apart, so that others do without its code.
#[cold]
#[inline(never)]
fn forget<T>(_: Box<T>) {}

impl<T> Drop for Seldom<T> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(value) = self.0.take() {
            forget(value);
        }
    }
}

impl<T> Default for Seldom<T> {
    #[inline(always)]
    fn default() -> Seldom<T> {
        Seldom(None)
    }
}

impl<T> From<T> for Seldom<T> {
    fn from(value: T) -> Seldom<T> {
        Seldom(Some(Box::new(value)))
    }
}

impl<T> Seldom<T> {
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
