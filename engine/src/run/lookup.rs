//! Finding members by the names of a schema, and paying for the names that are compared.
//!
//! There are two ways. Where the schema has few names, each is looked up in the object; where it has
//! many, one walk over the members looks their names up in the schema's table. Either way a long name
//! pays for its bytes, and a lookup in a large object or table pays for the memory that it touches.

use crate::instance::{MemberName, Node, Object, are_equal_names};
use crate::limits::{Budget, Stopped};
use crate::program::NameTable;

/// An object of up to so many members is scanned; a lookup in a larger one is cheaper.
const MAX_SCANNED: usize = 16;

/// Finds the member of a name.
#[inline]
pub(crate) fn find_member<'a, N: Node<'a>>(
    budget: &mut Budget,
    object: N::Object,
    name: &str,
) -> Result<Option<N>, Stopped> {
    budget.spend(object.get_cost() as u64 * steps_for_name(name))?;
    Ok(find_unpaid(object, name))
}

/// Finds the member of a name for a caller that has paid.
#[inline]
pub(crate) fn find_unpaid<'a, N: Node<'a>>(object: N::Object, name: &str) -> Option<N> {
    if object.len() > MAX_SCANNED {
        return object.get(name);
    }
    let name = name.as_bytes();
    object.iter_names().find(|&(other, _)| are_equal_names(name, other)).map(|(_, value)| value)
}

/// The steps for comparing a name with another one.
#[inline]
pub(crate) fn steps_for_name(name: &str) -> u64 {
    1 + (name.len() / 64) as u64
}

/// The steps for looking all names of a table up in an object.
pub(crate) fn steps_for_lookups<'a, N: Node<'a>, T: Copy>(names: &NameTable<T>, object: N::Object) -> u64 {
    (object.get_cost() as u64).saturating_mul((names.len() + names.bytes() / 64) as u64)
}

/// Pays for a walk over the members of an object that looks each name up in a table.
#[inline]
pub(crate) fn pay_for_walk<'a, N: Node<'a>, T: Copy>(
    budget: &mut Budget,
    names: &NameTable<T>,
    object: N::Object,
) -> Result<(), Stopped> {
    budget.spend(object.len() as u64)?;
    if names.has_costly_lookups() { pay_for_costly_lookups::<N, T>(budget, names, object) } else { Ok(()) }
}

/// Pays for what lookups in a table take beyond a step: memory that is far away, and long names.
#[cold]
#[inline(never)]
pub(crate) fn pay_for_costly_lookups<'a, N: Node<'a>, T: Copy>(
    budget: &mut Budget,
    names: &NameTable<T>,
    object: N::Object,
) -> Result<(), Stopped> {
    let mut steps = 0u64;
    for (name, _) in object.iter_names() {
        steps = steps.saturating_add(names.extra_steps(name.bytes()));
    }
    budget.spend(steps)
}
