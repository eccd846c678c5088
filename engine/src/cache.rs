//! A bounded store of compiled schemas, by content.
//!
//! The key of a schema is its content written down as bytes, in a form of our own: tags, lengths and texts in the order in which
//! the members come. It takes one walk over the schema, and one hash over bytes that lie in a row. Two schemas have the same key
//! only if they are the same text, but for white space and escapes: `1` and `1.0` differ, since errors show them, and so do members in
//! another order where serde_json keeps it. Names such as `$id` mean nothing here.
//!
//! A hash only finds a candidate, whose key is then compared. So there is nothing to gain from schemas whose hashes collide, and
//! the seeds change no verdict.

use crate::error::SchemaError;
use crate::instance::NUMBERS_ARE_TEXT;
use crate::validator::{Validator, ValidatorBuilder};
use ahash::RandomState;
use serde_json::{Number, Value};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How deep values may be nested in what is kept. Parsed ones have 128 levels at most, and those in default limits not many more.
const DEEPEST: u32 = 256;

/// Compiled schemas, to be compiled once and found again by their content.
///
/// A schema that comes with every request need not be compiled for every request. A hit costs a walk over the schema; it is found
/// by all that it says, never by its `$id`.
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
/// A cache has one builder, so that its validators differ by their schemas alone. It is shared between threads by reference; schemas
/// are compiled outside of its lock.
///
/// # Bounds
///
/// It keeps at most so many [entries](Cache::entries), and at most so many [bytes](Cache::bytes). When there is no room, those that were
/// not asked for in a while go: each gets a second chance if it was asked for since it last got one. A schema that is refused is not kept, so
/// it pushes nothing out; it is read again each time. Neither is one kept that would take more than all room there is, or that is nested deeper than
/// 256 levels.
///
/// A stranger who sends many schemas can push out those of others, which then are compiled again. Where that matters, give each party
/// a cache of its own.
pub struct Cache {
    builder: ValidatorBuilder,
    entries: usize,
    bytes: usize,
    seeds: RandomState,
    shelf: Mutex<Shelf>,
}

/// What is kept.
#[derive(Default)]
struct Shelf {
    kept: HashMap<u64, Kept>,
    /// The hashes of all that is kept; who is next to go comes first.
    order: VecDeque<u64>,
    bytes: usize,
}

struct Kept {
    key: Box<[u8]>,
    validator: Validator,
    bytes: usize,
    /// Whether it was asked for since it last was next to go.
    was_used: bool,
}

impl Cache {
    /// An empty cache of validators that this builder makes: up to 1,024 of them, and about 64 MiB.
    pub fn new(builder: ValidatorBuilder) -> Cache {
        Cache {
            seeds: builder.seeds(),
            builder,
            entries: 1024,
            bytes: 64 << 20,
            shelf: Mutex::new(Shelf::default()),
        }
    }

    /// How many validators may be kept: 1,024.
    #[must_use]
    pub fn entries(mut self, entries: usize) -> Cache {
        self.entries = entries;
        self
    }

    /// How many bytes may be kept, as estimated from the schemas: 64 MiB. Not counted are the engines of patterns, which
    /// are made on the first match and bounded by [`Limits::pattern_size`](crate::Limits::pattern_size).
    #[must_use]
    pub fn bytes(mut self, bytes: usize) -> Cache {
        self.bytes = bytes;
        self
    }

    /// The validator of a schema: one that is kept, or a new one.
    pub fn get_or_build(&self, schema: &Value) -> Result<Validator, SchemaError> {
        let Some(key) = Key::new(schema, self.bytes) else { return self.builder.build(schema) };
        let hash = self.seeds.hash_one(&*key.content);
        if let Some(validator) = self.lock().get(hash, &key) {
            return Ok(validator);
        }
        let validator = self.builder.build(schema)?;
        // What has to go is dropped when the lock is open again.
        let (validator, _gone) = self.lock().keep(hash, key, validator, self.entries, self.bytes);
        Ok(validator)
    }

    /// How many validators are kept.
    pub fn len(&self) -> usize {
        self.lock().kept.len()
    }

    /// Whether no validator is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets all validators.
    pub fn clear(&self) {
        let _gone = std::mem::take(&mut *self.lock());
    }

    fn lock(&self) -> MutexGuard<'_, Shelf> {
        // INVARIANT: nothing panics while the lock is held, and the shelf is in order all the time.
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Cache {
    /// A cache of validators as [`Validator::new`] makes them.
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

impl Shelf {
    fn get(&mut self, hash: u64, key: &Key) -> Option<Validator> {
        let kept = self.kept.get_mut(&hash).filter(|kept| *kept.key == *key.content)?;
        kept.was_used = true;
        Some(kept.validator.clone())
    }

    /// Keeps a validator if there can be room for it. Returns the one to use, and what had to go.
    fn keep(
        &mut self,
        hash: u64,
        key: Key,
        validator: Validator,
        entries: usize,
        bytes: usize,
    ) -> (Validator, Vec<Kept>) {
        // Somebody else may have been faster.
        if let Some(first) = self.get(hash, &key) {
            return (first, Vec::new());
        }
        let needed = key.bytes();
        if entries == 0 || needed > bytes {
            return (validator, Vec::new());
        }
        let mut gone = Vec::new();
        while self.order.len() >= entries || self.bytes > bytes - needed {
            let Some(next) = self.order.pop_front() else { break };
            match self.kept.entry(next) {
                Entry::Occupied(mut kept) if kept.get().was_used => {
                    kept.get_mut().was_used = false;
                    self.order.push_back(next);
                }
                Entry::Occupied(kept) => {
                    self.bytes -= kept.get().bytes;
                    gone.push(kept.remove());
                }
                Entry::Vacant(_) => {}
            }
        }
        // Another schema with the same hash stays: there is one place for both, and no reason to prefer this one.
        if let Entry::Vacant(place) = self.kept.entry(hash) {
            let kept = Kept {
                key: key.content.into(),
                validator: validator.clone(),
                bytes: needed,
                was_used: false,
            };
            place.insert(kept);
            self.order.push_back(hash);
            self.bytes += needed;
        }
        (validator, gone)
    }
}

/// The content of a schema as bytes. No two schemas share it: each value begins with its kind, and whatever has a length says it first.
struct Key {
    content: Vec<u8>,
    /// How many values may be subschemas.
    schemas: usize,
}

impl Key {
    /// The key of a schema, or nothing if it takes more than `limit` bytes or is nested deeper than any schema has to be.
    fn new(schema: &Value, limit: usize) -> Option<Key> {
        let mut key = Key { content: Vec::with_capacity(1024), schemas: 0 };
        key.put(schema, limit, DEEPEST)?;
        Some(key)
    }

    fn put(&mut self, value: &Value, limit: usize, depth: u32) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match value {
            Value::Null => self.content.push(0),
            Value::Bool(value) => {
                self.schemas += 1;
                self.content.push(1 + u8::from(*value));
            }
            Value::Number(number) => self.put_number(number),
            Value::String(text) => self.put_text(3, text),
            Value::Array(items) => {
                self.put_length(4, items.len());
                for item in items {
                    self.put(item, limit, depth)?;
                }
            }
            Value::Object(members) => {
                self.schemas += 1;
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

    /// About what the key and the program take. Programs of real schemas have four to ten times the bytes of the key.
    fn bytes(&self) -> usize {
        1024 + 5 * self.content.len() + 128 * self.schemas
    }
}
