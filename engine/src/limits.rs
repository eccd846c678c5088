//! Limits on what may be spent ([`Limits`]), the rest of them during a run ([`Budget`]), and the one that was reached ([`Exhausted`]).
//!
//! A schema is measured while it is read, and refused with a [`SchemaError`](crate::SchemaError)
//! that names the limit. A run carries a [`Budget`]; when that is spent the run ends with
//! [`Stopped`], which travels as an `Err`, so that no `not` or `oneOf` can turn it into a verdict. The budget knows
//! what was [`Exhausted`].

use crate::instance::{Node, size};
use std::fmt;

/// How large a schema may be, and how much a validation may spend.
///
/// Every limit has a setter of its own name:
///
/// ```
/// use stanchion::Limits;
/// let limits = Limits::default().subschemas(100).steps(10_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    pub(crate) depth: usize,
    pub(crate) subschemas: usize,
    pub(crate) document_bytes: usize,
    pub(crate) pattern_size: usize,
    pub(crate) steps: u64,
    pub(crate) steps_per_value: u64,
    pub(crate) instance_depth: u32,
    pub(crate) memory: usize,
    pub(crate) errors: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: 64,
            subschemas: 10_000,
            document_bytes: 4 << 20,
            pattern_size: 80_000,
            steps: 2_000_000,
            steps_per_value: 8,
            instance_depth: 256,
            memory: 16 << 20,
            errors: 100,
        }
    }
}

impl Limits {
    /// How deep subschemas may nest in the schema document: 64. A subschema of the root is at depth
    /// 1; the arrays and objects inside `const`, `examples` or an unknown keyword count as well.
    #[must_use]
    pub fn depth(mut self, depth: usize) -> Limits {
        self.depth = depth;
        self
    }

    /// How many subschemas the schema may have, the root and all resources it refers to included: 10,000.
    #[must_use]
    pub fn subschemas(mut self, subschemas: usize) -> Limits {
        self.subschemas = subschemas;
        self
    }

    /// How large the schema may be, as the bytes of its compact JSON text: 4 MiB. Texts count as they are, without escapes; a number that
    /// is no integer of 64 bits counts eight bytes, if it has not kept its digits; and no value counts less than four bytes, with
    /// the comma behind it.
    ///
    /// The URIs that its `$id`s and references stand for may have as many bytes again: a short name under a long base is a long URI,
    /// each time it is written.
    #[must_use]
    pub fn document_bytes(mut self, bytes: usize) -> Limits {
        self.document_bytes = bytes;
        self
    }

    /// How large all patterns of the schema may be together: 80,000. A character, class or group counts about one, and what is
    /// repeated counts as often as it may come, but for single characters; a quarter of the patterns' length is added.
    #[must_use]
    pub fn pattern_size(mut self, states: usize) -> Limits {
        self.pattern_size = states;
        self
    }

    /// How many steps a validation may take: 2,000,000, or 8 for each value of the instance if that is more. Setting this sets
    /// [`Limits::steps_per_value`] to 0, so that these steps are the whole budget; set that after this to let it grow.
    ///
    /// A member or an item that is looked at is a step, and so is a subschema that is applied to the same value, such as a
    /// branch; instructions whose work grows with the value pay for its size.
    #[must_use]
    pub fn steps(mut self, steps: u64) -> Limits {
        self.steps = steps;
        self.steps_per_value = 0;
        self
    }

    /// How many steps a validation may take for each value of the instance, if that is more than [`Limits::steps`]: 8. Eight
    /// bytes of names and texts count as a value. So a schema that asks a few things of each value gets its verdict however
    /// large the instance is.
    ///
    /// ```
    /// use stanchion::{Exhausted, Limits, Validator, Verdict};
    /// use serde_json::json;
    ///
    /// let many = json!(vec!["x"; 10_000]);
    /// let schema = json!({"items": {"type": "string"}});
    /// let limits = Limits::default().steps(1_000);
    /// let validator = Validator::builder().limits(limits).build(&schema)?;
    /// assert_eq!(validator.verdict(&many), Verdict::Undecided(Exhausted::Steps));
    /// let validator = Validator::builder().limits(limits.steps_per_value(2)).build(&schema)?;
    /// assert_eq!(validator.verdict(&many), Verdict::Valid);
    /// # Ok::<(), stanchion::SchemaError>(())
    /// ```
    #[must_use]
    pub fn steps_per_value(mut self, steps: u64) -> Limits {
        self.steps_per_value = steps;
        self
    }

    /// The limits with all steps that an instance may take, if its size allows more than the fixed ones.
    ///
    /// Measuring an instance takes time, so it is for who has run out of steps, and then starts again.
    #[cold]
    #[inline(never)]
    pub(crate) fn grown<'a>(&self, instance: impl Node<'a>) -> Option<Limits> {
        if self.steps_per_value == 0 {
            return None;
        }
        let steps = self.steps_per_value.saturating_mul(size(instance));
        (steps > self.steps).then_some(Limits { steps, ..*self })
    }

    /// How deep blocks may nest in a run: 256. An instance that is nested deeper than its
    /// schema follows it is not touched by this. Subschemas that nest deep on one value do not count in a
    /// verdict: where they would exceed this, they are evaluated from the bottom up.
    #[must_use]
    pub fn instance_depth(mut self, depth: u32) -> Limits {
        self.instance_depth = depth;
        self
    }

    /// How many bytes a run may hold for marks, hashes, remembered verdicts, errors and annotations: 16 MiB.
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Limits {
        self.memory = bytes;
        self
    }

    /// How many errors a run collects: 100.
    #[must_use]
    pub fn errors(mut self, errors: usize) -> Limits {
        self.errors = errors;
        self
    }

    /// Every limit: the name of its setter, and its value.
    ///
    /// ```
    /// use stanchion::Limits;
    /// assert!(Limits::default().depth(7).values().any(|limit| limit == ("depth", 7)));
    /// ```
    pub fn values(&self) -> impl Iterator<Item = (&'static str, u64)> + use<> {
        let values = [
            ("depth", self.depth as u64),
            ("subschemas", self.subschemas as u64),
            ("document_bytes", self.document_bytes as u64),
            ("pattern_size", self.pattern_size as u64),
            ("steps", self.steps),
            ("steps_per_value", self.steps_per_value),
            ("instance_depth", self.instance_depth.into()),
            ("memory", self.memory as u64),
            ("errors", self.errors as u64),
        ];
        values.into_iter()
    }
}

/// The limit that stopped a run before it had a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Exhausted {
    /// [`Limits::steps`] were taken, and those for each value.
    Steps,
    /// [`Limits::instance_depth`] blocks were nested.
    Depth,
    /// [`Limits::memory`] was held.
    Memory,
    /// A number has an exponent beyond a quintillion.
    Number,
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Exhausted::Steps => "the run exceeded its budget of steps",
            Exhausted::Depth => "the run exceeded its budget of depth",
            Exhausted::Memory => "the run exceeded its budget of memory",
            Exhausted::Number => "a number has an exponent beyond what is computed",
        })
    }
}

impl std::error::Error for Exhausted {}

/// A run gave up; its budget knows why. Zero-sized, so `Result<bool, Stopped>` fits in one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// Whether a run counts what it spends. Only the benchmark that measures what counting costs is built with
/// `--cfg stanchion_unmetered`. It is not a cargo feature, because features add up: any crate in a program could lift all limits.
const METERED: bool = !cfg!(stanchion_unmetered);

#[cfg(all(test, stanchion_unmetered))]
compile_error!("`stanchion_unmetered` is for one benchmark: without limits there is nothing to test");

/// The rest of the limits while a run goes on.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    steps: u64,
    depth: u32,
    memory: usize,
    why: Option<Exhausted>,
}

impl Budget {
    /// So many steps, and for the rest what the limits say.
    #[inline]
    pub(crate) fn new(limits: &Limits, steps: u64) -> Budget {
        Budget { steps, depth: limits.instance_depth, memory: limits.memory, why: None }
    }

    /// For work on the values of a schema, which were measured when it was read and need no other bound.
    pub(crate) fn for_schema() -> Budget {
        Budget { steps: u64::MAX, depth: u32::MAX, memory: usize::MAX, why: None }
    }

    /// For matches of names and patterns of a schema, which are not worth more than these steps.
    pub(crate) fn for_matches(steps: u64) -> Budget {
        Budget { steps, ..Budget::for_schema() }
    }

    pub(crate) fn steps_left(&self) -> u64 {
        self.steps
    }

    /// Gives a run that has its verdict the steps that were kept back for another start.
    pub(crate) fn add_steps(&mut self, steps: u64) {
        self.steps = self.steps.saturating_add(steps);
    }

    pub(crate) fn memory_left(&self) -> usize {
        self.memory
    }

    /// Ends the run, with nothing left of what ran out.
    #[cold]
    #[inline(never)]
    pub(crate) fn stop(&mut self, why: Exhausted) -> Stopped {
        match why {
            Exhausted::Steps => self.steps = 0,
            Exhausted::Depth => self.depth = 0,
            Exhausted::Memory => self.memory = 0,
            Exhausted::Number => {}
        }
        self.why = Some(why);
        Stopped
    }

    /// The verdict of a run, or why it gave up.
    pub(crate) fn ended(&self, verdict: Result<bool, Stopped>) -> Result<bool, Exhausted> {
        match verdict {
            Ok(holds) => Ok(holds),
            Err(Stopped) => Err(self.why()),
        }
    }

    /// Apart, so that other verdicts have no part in it.
    #[cold]
    #[inline(never)]
    pub(crate) fn why(&self) -> Exhausted {
        self.why.unwrap_or(Exhausted::Steps)
    }

    /// Pays for `steps` of work before it is done.
    #[inline]
    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), Stopped> {
        if !METERED {
            return Ok(());
        }
        // Taken before it is looked at, so that memory is subtracted from in one instruction.
        let is_too_much;
        (self.steps, is_too_much) = self.steps.overflowing_sub(steps);
        if is_too_much { Err(self.stop(Exhausted::Steps)) } else { Ok(()) }
    }

    /// Pays for looking at `bytes` bytes of text: a step stands for up to 64 of them.
    #[inline]
    pub(crate) fn spend_bytes(&mut self, bytes: usize) -> Result<(), Stopped> {
        self.spend((bytes / 64) as u64)
    }

    /// Goes one level deeper until [`Budget::leave`].
    #[inline]
    pub(crate) fn deepen(&mut self) -> Result<(), Stopped> {
        if !METERED {
            return Ok(());
        }
        let is_too_much;
        (self.depth, is_too_much) = self.depth.overflowing_sub(1);
        if is_too_much { Err(self.stop(Exhausted::Depth)) } else { Ok(()) }
    }

    /// Whether it is possible to go one level deeper.
    #[inline]
    pub(crate) fn has_level(&self) -> bool {
        !METERED || self.depth > 0
    }

    #[inline]
    pub(crate) fn leave(&mut self) {
        if METERED {
            self.depth += 1;
        }
    }

    /// Takes `bytes` of memory until [`Budget::release`].
    #[inline]
    pub(crate) fn hold(&mut self, bytes: usize) -> Result<(), Stopped> {
        if !METERED {
            return Ok(());
        }
        let is_too_much;
        (self.memory, is_too_much) = self.memory.overflowing_sub(bytes);
        if is_too_much { Err(self.stop(Exhausted::Memory)) } else { Ok(()) }
    }

    /// Whether there is room for so many bytes, which are then taken.
    pub(crate) fn hold_if_possible(&mut self, bytes: usize) -> bool {
        if !METERED {
            return true;
        }
        let is_possible = self.memory >= bytes;
        if is_possible {
            self.memory -= bytes;
        }
        is_possible
    }

    #[inline]
    pub(crate) fn release(&mut self, bytes: usize) {
        if METERED {
            self.memory += bytes;
        }
    }
}
