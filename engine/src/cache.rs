//! A bounded cache of compiled schemas, by content.
//!
//! The key of a schema is its content as bytes, in a form of our own: tags, lengths and texts in
//! the order of the members. It takes one walk over the schema, and one hash over contiguous bytes.
//! Two schemas have the same key only if they are the same text, except for white space and
//! escapes: `1` and `1.0` differ, since errors show them, and so do members in another order if
//! serde_json keeps it. Names such as `$id` have no special role.
//!
//! A hash only finds a candidate, whose key is then compared. So schemas with colliding hashes gain
//! an attacker nothing, and the seeds change no verdict.

use crate::error::SchemaError;
use crate::heap::allocation;
use crate::instance::NUMBERS_ARE_TEXT;
use crate::validator::{Validator, ValidatorBuilder};
use ahash::RandomState;
use serde_json::{Number, Value};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Upper bound for the bytes of an entry on a shelf and in the order: both tables may be half
/// empty.
const ENTRY_BYTES: usize = 2 * (size_of::<(u64, Kept)>() + 1 + size_of::<u64>());

/// Deepest nesting of a cached schema. Parsed values have at most 128 levels, and those within the
/// default limits not many more.
const DEEPEST: u32 = 256;

/// A cache of compiled schemas, found by their content.
///
/// A schema that comes with every request need not be compiled for every request. A hit costs a
/// walk over the schema. The whole content is compared, never just the `$id`.
///
/// ```
/// use stanchion::{Cache, Limits, Validator};
/// use serde_json::json;
///
/// let cache = Cache::new(Validator::builder().limits(Limits::default().steps(100_000))).entries(500);
///
/// let schema = json!({"$id": "https://example.com/a", "type": "string"});
/// let validator = cache.get_or_build(&schema)?;
/// assert!(validator.is_valid(&json!("a")));
/// assert!(cache.get_or_build(&schema)?.is_valid(&json!("b")));
/// assert_eq!(cache.len(), 1);
///
/// // The same `$id` with another content is another schema.
/// let schema = json!({"$id": "https://example.com/a", "type": "integer"});
/// assert!(cache.get_or_build(&schema)?.is_valid(&json!(1)));
/// assert_eq!(cache.len(), 2);
/// # Ok::<(), stanchion::SchemaError>(())
/// ```
///
/// A cache has one builder, so its validators differ by their schemas alone. It is shared between
/// threads by reference. Schemas are compiled outside of its locks, and hits do not wait for each
/// other.
///
/// # Bounds
///
/// It keeps a maximum of [entries](Cache::entries), and a maximum of [bytes](Cache::bytes). When it
/// is full, entries that were not used lately are dropped: each gets a second chance if it was used
/// since its last one. A refused schema is not kept, so it displaces nothing; it is read again each
/// time. A schema that would take more than the whole cache, or that nests deeper than 256 levels,
/// is not kept either.
///
/// A party that sends many schemas can displace those of others, which are then compiled again. If
/// that matters, give each party a cache of its own.
pub struct Cache {
    builder: ValidatorBuilder,
    entries: usize,
    bytes: usize,
    seeds: RandomState,
    /// Entries, by hash. A hit takes a read lock on one of these.
    shelves: Box<[Shelf; SHELVES]>,
    /// Locked before writing to a shelf.
    ledger: Mutex<Ledger>,
    /// Set when a cached validator has built an engine, so that it takes more memory.
    has_grown: Arc<AtomicBool>,
}

/// Number of shelves, so that threads with different schemas rarely share a lock.
const SHELVES: usize = 16;

/// Validators by the hashes of their schemas. No two shelves share a cache line.
#[derive(Default)]
#[repr(align(128))]
struct Shelf(RwLock<HashMap<u64, Kept>>);

/// Totals over all shelves.
#[derive(Default)]
struct Ledger {
    /// The hashes of all entries; the next candidate to drop comes first.
    order: VecDeque<u64>,
    bytes: usize,
}

struct Kept {
    key: Box<[u8]>,
    validator: Validator,
    /// Bytes when it was added. The validator counts what it builds later.
    bytes: usize,
    /// Bytes that the ledger counts for it now.
    counted: usize,
    /// Whether it was used since it was last a candidate to drop.
    was_used: AtomicBool,
}

impl Cache {
    /// Makes an empty cache for validators of this builder: up to 1,024 of them, and 64 MiB.
    pub fn new(builder: ValidatorBuilder) -> Cache {
        Cache {
            seeds: builder.seeds(),
            builder,
            entries: 1024,
            bytes: 64 << 20,
            shelves: Box::default(),
            ledger: Mutex::default(),
            has_grown: Arc::default(),
        }
    }

    /// Sets how many validators may be kept. Default: 1,024.
    #[must_use]
    pub fn entries(mut self, entries: usize) -> Cache {
        self.entries = entries;
        self
    }

    /// Sets how many bytes may be kept. Default: 64 MiB. This counts the heap of validators and
    /// their schemas, with the engines of patterns. Those are built on the first match; the next
    /// call makes room for them.
    #[must_use]
    pub fn bytes(mut self, bytes: usize) -> Cache {
        self.bytes = bytes;
        self
    }

    /// Returns the validator of a schema: a cached one, or a new one.
    pub fn get_or_build(&self, schema: &Value) -> Result<Validator, SchemaError> {
        let Some(key) = Key::new(schema, self.bytes) else { return self.builder.build(schema) };
        if self.has_grown.load(Ordering::Relaxed) {
            let _gone = self.count_again();
        }
        let hash = self.seeds.hash_one(&*key.content);
        if let Some(validator) = self.find(hash, &key) {
            return Ok(validator);
        }
        let validator = self.builder.build(schema)?;
        // Dropped entries are freed after the locks are released.
        let (validator, _gone) = self.keep(hash, key, validator);
        Ok(validator)
    }

    /// Returns how many validators are cached.
    pub fn len(&self) -> usize {
        self.ledger().order.len()
    }

    /// Whether the cache is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes all validators.
    pub fn clear(&self) {
        let mut ledger = self.ledger();
        *ledger = Ledger::default();
        let _gone: Vec<_> = self.shelves.iter().map(|shelf| std::mem::take(&mut *shelf.write())).collect();
        drop(ledger);
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        // INVARIANT: nothing panics while a lock is held, and the state is always consistent.
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn shelf(&self, hash: u64) -> &Shelf {
        &self.shelves[hash as usize % SHELVES]
    }

    fn find(&self, hash: u64, key: &Key) -> Option<Validator> {
        let shelf = self.shelf(hash).read();
        let kept = shelf.get(&hash).filter(|kept| *kept.key == *key.content)?;
        // Most are marked already, and reading is cheaper than writing where threads share it.
        if !kept.was_used.load(Ordering::Relaxed) {
            kept.was_used.store(true, Ordering::Relaxed);
        }
        Some(kept.validator.clone())
    }

    /// Adds a validator if there can be room for it. Returns the one to use, and the dropped
    /// entries.
    fn keep(&self, hash: u64, key: Key, validator: Validator) -> (Validator, Vec<Kept>) {
        validator.program().built_later.report_to(&self.has_grown);
        let needed = allocation(key.content.len()) + ENTRY_BYTES + validator.program().heap_bytes();
        let mut ledger = self.ledger();
        // Another thread may have been faster.
        if let Some(first) = self.find(hash, &key) {
            return (first, Vec::new());
        }
        if self.entries == 0 || needed > self.bytes {
            return (validator, Vec::new());
        }
        let gone = self.make_room(&mut ledger, self.entries - 1, self.bytes - needed);
        // Another schema with the same hash stays: there is one slot for both, and no reason to
        // prefer this one.
        if let Entry::Vacant(place) = self.shelf(hash).write().entry(hash) {
            place.insert(Kept {
                key: key.content.into(),
                validator: validator.clone(),
                bytes: needed,
                counted: needed,
                was_used: AtomicBool::new(false),
            });
            ledger.order.push_back(hash);
            ledger.bytes += needed;
        }
        (validator, gone)
    }

    /// Drops entries that were not used lately, until there are at most `entries` and `bytes`.
    fn make_room(&self, ledger: &mut Ledger, entries: usize, bytes: usize) -> Vec<Kept> {
        let mut gone = Vec::new();
        while ledger.order.len() > entries || ledger.bytes > bytes {
            let Some(next) = ledger.order.pop_front() else { break };
            let mut shelf = self.shelf(next).write();
            let Entry::Occupied(kept) = shelf.entry(next) else { continue };
            if kept.get().was_used.swap(false, Ordering::Relaxed) {
                ledger.order.push_back(next);
            } else {
                ledger.bytes -= kept.get().counted;
                gone.push(kept.remove());
            }
        }
        gone
    }

    /// Counts the engines that were built since, and makes room for them. Returns the dropped
    /// entries.
    #[cold]
    #[inline(never)]
    fn count_again(&self) -> Vec<Kept> {
        let mut ledger = self.ledger();
        // Reset before counting: what is built meanwhile is counted the next time.
        if !self.has_grown.swap(false, Ordering::Acquire) {
            return Vec::new();
        }
        ledger.bytes = 0;
        for shelf in &*self.shelves {
            for kept in shelf.write().values_mut() {
                kept.counted = kept.bytes + kept.validator.program().built_later.bytes();
                ledger.bytes += kept.counted;
            }
        }
        self.make_room(&mut ledger, self.entries, self.bytes)
    }
}

impl Shelf {
    fn read(&self) -> RwLockReadGuard<'_, HashMap<u64, Kept>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, HashMap<u64, Kept>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Cache {
    /// Makes a cache of validators like those of [`Validator::new`].
    fn default() -> Cache {
        Cache::new(Validator::builder())
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (entries, bytes) = (self.entries, self.bytes);
        f.debug_struct("Cache").field("entries", &entries).field("bytes", &bytes).finish_non_exhaustive()
    }
}

/// The content of a schema as bytes. It is unique: each value begins with its kind, and lengths
/// come first.
struct Key {
    content: Vec<u8>,
}

impl Key {
    /// Returns the key of a schema, or `None` if it takes more than `limit` bytes or nests too
    /// deep.
    fn new(schema: &Value, limit: usize) -> Option<Key> {
        let mut key = Key { content: Vec::with_capacity(1024) };
        key.put(schema, limit, DEEPEST)?;
        Some(key)
    }

    fn put(&mut self, value: &Value, limit: usize, depth: u32) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match value {
            Value::Null => self.content.push(0),
            Value::Bool(value) => self.content.push(1 + u8::from(*value)),
            Value::Number(number) => self.put_number(number),
            Value::String(text) => self.put_text(3, text),
            Value::Array(items) => {
                self.put_length(4, items.len());
                for item in items {
                    self.put(item, limit, depth)?;
                }
            }
            Value::Object(members) => {
                self.put_length(5, members.len());
                for (name, value) in members {
                    self.put_text(3, name);
                    self.put(value, limit, depth)?;
                }
            }
        }
        (self.content.len() <= limit).then_some(())
    }

    fn put_number(&mut self, number: &Number) {
        let (kind, bits) = match (number.as_u64(), number.as_i64()) {
            // Several texts may stand for one number.
            _ if NUMBERS_ARE_TEXT => {
                let text = number.to_string();
                return self.put_text(6, &text);
            }
            (Some(value), _) => (7, value),
            (None, Some(value)) => (8, value.cast_unsigned()),
            (None, None) => (9, number.as_f64().unwrap_or(f64::NAN).to_bits()),
        };
        self.content.push(kind);
        self.content.extend_from_slice(&bits.to_le_bytes());
    }

    #[inline]
    fn put_text(&mut self, kind: u8, text: &str) {
        self.put_length(kind, text.len());
        self.content.extend_from_slice(text.as_bytes());
    }

    #[inline]
    fn put_length(&mut self, kind: u8, length: usize) {
        match u8::try_from(length) {
            Ok(short) if short < u8::MAX => self.content.extend_from_slice(&[kind, short]),
            Ok(_) | Err(_) => {
                self.content.extend_from_slice(&[kind, u8::MAX]);
                self.content.extend_from_slice(&(length as u64).to_le_bytes());
            }
        }
    }
}
