//! A bounded cache of validators by the bytes of their schema and options.
//!
//! A server that is made for each request makes its validators again each time. Here the second one costs a hash over its
//! text. Bytes are compared in full, so two schemas with the same `$id` and different content are different.

use crate::validator::Validator;
use ahash::RandomState;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};
use std::hash::{BuildHasher, Hasher};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// How many validators are kept.
const ENTRIES: usize = 1024;

/// How many bytes may be kept, as estimated from the texts.
const BYTES: usize = 32 << 20;

static SEEDS: OnceLock<[u64; 4]> = OnceLock::new();

/// Gives the seeds of all hash tables, for a place where the standard library has no randomness: a wasm module.
/// Returns `false` if something was hashed already, and the seeds stay as they are.
///
/// Seeds change no answer. They keep strangers from preparing names that collide.
pub fn seed(seeds: [u64; 4]) -> bool {
    SEEDS.set(seeds).is_ok()
}

/// The seeds that were given, or those of the standard library.
pub(crate) fn seeds() -> &'static [u64; 4] {
    SEEDS.get_or_init(|| std::array::from_fn(|_| std::hash::RandomState::new().build_hasher().finish()))
}

/// What is kept.
#[derive(Default)]
struct Shelf {
    kept: BTreeMap<u64, Kept>,
    /// The hashes of all that is kept; the next to go comes first.
    order: VecDeque<u64>,
    bytes: usize,
}

struct Kept {
    options: Box<[u8]>,
    schema: Box<[u8]>,
    validator: Validator,
    /// Whether it was asked for since it was last next to go.
    was_used: bool,
}

impl Kept {
    fn bytes(&self) -> usize {
        footprint(&self.schema, &self.options)
    }
}

/// About what a validator and its key take. Programs have four to ten times the bytes of their schema.
fn footprint(schema: &[u8], options: &[u8]) -> usize {
    1024 + 8 * (schema.len() + options.len())
}

fn shelf() -> MutexGuard<'static, Shelf> {
    static SHELF: Mutex<Shelf> =
        Mutex::new(Shelf { kept: BTreeMap::new(), order: VecDeque::new(), bytes: 0 });
    // INVARIANT: nothing panics while the lock is held, and the shelf is in order all the time.
    SHELF.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What identifies a validator: its texts, hashed.
#[derive(Clone, Copy)]
pub(crate) struct Key<'t> {
    hash: u64,
    schema: &'t [u8],
    options: &'t [u8],
}

impl<'t> Key<'t> {
    /// The key of a schema with options; none if they are too large to be kept.
    pub(crate) fn new(schema: &'t [u8], options: &'t [u8]) -> Option<Key<'t>> {
        if schema.len().saturating_add(options.len()) > BYTES / 64 {
            return None;
        }
        let [a, b, c, d] = *seeds();
        let mut hasher = RandomState::with_seeds(a, b, c, d).build_hasher();
        hasher.write_usize(schema.len());
        hasher.write(schema);
        hasher.write(options);
        Some(Key { hash: hasher.finish(), schema, options })
    }

    /// The validator, if it is kept.
    pub(crate) fn get(self) -> Option<Validator> {
        shelf().get(self)
    }

    /// Keeps a validator.
    pub(crate) fn keep(self, validator: &Validator) {
        // What has to go is dropped when the lock is open again.
        let _gone = shelf().keep(self, validator);
    }
}

/// How many validators the cache holds.
pub fn cached() -> usize {
    shelf().kept.len()
}

/// Empties the cache. Validators that are in use stay as they are.
pub fn clear_cache() {
    let _gone = std::mem::take(&mut *shelf());
}

impl Shelf {
    fn get(&mut self, key: Key<'_>) -> Option<Validator> {
        let kept = self.kept.get_mut(&key.hash)?;
        if *kept.schema != *key.schema || *kept.options != *key.options {
            return None;
        }
        kept.was_used = true;
        Some(kept.validator.clone())
    }

    fn keep(&mut self, key: Key<'_>, validator: &Validator) -> Vec<Kept> {
        let needed = footprint(key.schema, key.options);
        let mut gone = Vec::new();
        // Another schema with the same hash, or the same from another thread, stays.
        if self.kept.contains_key(&key.hash) {
            return gone;
        }
        while self.order.len() >= ENTRIES || self.bytes + needed > BYTES {
            let Some(next) = self.order.pop_front() else { break };
            let Entry::Occupied(mut kept) = self.kept.entry(next) else { continue };
            if kept.get().was_used {
                kept.get_mut().was_used = false;
                self.order.push_back(next);
            } else {
                self.bytes -= kept.get().bytes();
                gone.push(kept.remove());
            }
        }
        let (schema, options) = (key.schema.into(), key.options.into());
        self.kept.insert(key.hash, Kept { options, schema, validator: validator.clone(), was_used: false });
        self.order.push_back(key.hash);
        self.bytes += needed;
        gone
    }
}
