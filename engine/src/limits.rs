//! Limits on schemas and runs ([`Limits`]), the budget of a run ([`Budget`]), and the limit that a
//! run reached ([`Exhausted`]).
//!
//! A schema is measured while it is read, and refused with a [`SchemaError`](crate::SchemaError)
//! that names the limit. A run carries a [`Budget`]. When it is spent, the run ends with
//! [`Stopped`], which is an `Err`, so that no `not` or `oneOf` can turn it into a verdict. The
//! budget records what was [`Exhausted`].

use crate::instance::{Node, size};
use std::fmt;

/// Limits on the size of a schema and on the cost of a validation.
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
    /// Sets how deep subschemas may nest in the schema document. Default: 64. A subschema of the
    /// root is at depth 1; arrays and objects inside `const`, `examples` or an unknown keyword
    /// count as well.
    #[must_use]
    pub fn depth(mut self, depth: usize) -> Limits {
        self.depth = depth;
        self
    }

    /// Sets how many subschemas the schema may have, including the root and all resources it refers
    /// to. Default: 10,000.
    #[must_use]
    pub fn subschemas(mut self, subschemas: usize) -> Limits {
        self.subschemas = subschemas;
        self
    }

    /// Sets how large the schema may be, in bytes of its compact JSON text. Default: 4 MiB. Texts
    /// count without escapes. A number that is not a 64-bit integer counts eight bytes, unless it
    /// has kept its digits. Every value counts at least four bytes, including the comma after it.
    ///
    /// The resolved URIs of its `$id`s and references may have as many bytes again: a short name
    /// under a long base is a long URI each time it occurs. What is kept of it may take eleven times as many in
    /// memory, which is 44 MiB: copies of very many small objects in `const` or `examples` would take
    /// more.
    #[must_use]
    pub fn document_bytes(mut self, bytes: usize) -> Limits {
        self.document_bytes = bytes;
        self
    }

    /// Returns how much memory a program may need for the document, beside its subschemas.
    pub(crate) fn program_bytes(&self) -> usize {
        // Where a document is small, its few values are no matter.
        self.document_bytes.saturating_mul(11).saturating_add(64 << 10)
    }

    /// Sets how large all patterns of the schema may be together. Default: 80,000. A character,
    /// class or group counts about one. A repetition counts as often as it may occur, except for
    /// single characters. A quarter of the patterns' length is added.
    #[must_use]
    pub fn pattern_size(mut self, states: usize) -> Limits {
        self.pattern_size = states;
        self
    }

    /// Sets how many steps a validation may take. Default: 2,000,000, or 8 for each value of the
    /// instance if that is more. This also sets [`Limits::steps_per_value`] to 0, so that these
    /// steps are the whole budget; set that one afterwards to let the budget grow.
    ///
    /// Visiting a member or an item is a step, and so is applying a subschema to the same value,
    /// such as a branch. Instructions whose work grows with the value are charged by its size.
    #[must_use]
    pub fn steps(mut self, steps: u64) -> Limits {
        self.steps = steps;
        self.steps_per_value = 0;
        self
    }

    /// Sets how many steps a validation may take for each value of the instance, if that is more
    /// than [`Limits::steps`]. Default: 8. Eight bytes of names and texts count as a value. So a
    /// schema with a few checks per value gets a verdict however large the instance is.
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

    /// Returns the limits with the steps for an instance of this size, if that is more than the
    /// fixed steps.
    ///
    /// Measuring an instance takes time, so this is only called when a run has used up its steps,
    /// and then starts again.
    #[cold]
    #[inline(never)]
    pub(crate) fn grown<'a>(&self, instance: impl Node<'a>) -> Option<Limits> {
        if self.steps_per_value == 0 {
            return None;
        }
        let steps = self.steps_per_value.saturating_mul(size(instance));
        (steps > self.steps).then_some(Limits { steps, ..*self })
    }

    /// Sets how deep blocks may nest in a run. Default: 256. Parts of an instance that the schema
    /// does not descend into do not count. Subschemas that nest deep on one value do not count in a
    /// verdict: if they would exceed this limit, they are evaluated from the bottom up.
    #[must_use]
    pub fn instance_depth(mut self, depth: u32) -> Limits {
        self.instance_depth = depth;
        self
    }

    /// Sets how many bytes a run may hold for marks, hashes, remembered verdicts, errors and
    /// annotations. Default: 16 MiB.
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Limits {
        self.memory = bytes;
        self
    }

    /// Sets how many errors a run collects. Default: 100.
    #[must_use]
    pub fn errors(mut self, errors: usize) -> Limits {
        self.errors = errors;
        self
    }

    /// Sets a limit by the name of its setter, as an option of a program would. A value beyond what the limit can hold
    /// sets the highest that it can.
    ///
    /// ```
    /// use stanchion::Limits;
    /// assert_eq!(Limits::default().set("steps", 1_000)?, Limits::default().steps(1_000));
    /// assert!(Limits::default().set("stepz", 1_000).unwrap_err().to_string().contains("steps"));
    /// # Ok::<(), stanchion::UnknownLimit>(())
    /// ```
    pub fn set(self, name: &str, value: u64) -> Result<Limits, UnknownLimit> {
        let size = usize::try_from(value).unwrap_or(usize::MAX);
        Ok(match name {
            "depth" => self.depth(size),
            "subschemas" => self.subschemas(size),
            "document_bytes" => self.document_bytes(size),
            "pattern_size" => self.pattern_size(size),
            "steps" => self.steps(value),
            "steps_per_value" => self.steps_per_value(value),
            "instance_depth" => self.instance_depth(u32::try_from(value).unwrap_or(u32::MAX)),
            "memory" => self.memory(size),
            "errors" => self.errors(size),
            _ => return Err(UnknownLimit { name: name.to_owned() }),
        })
    }

    /// Returns every limit: the name of its setter, and its value.
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

/// The error of [`Limits::set`] for a name that no limit has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLimit {
    name: String,
}

impl fmt::Display for UnknownLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no limit is named {}; there are ", self.name)?;
        for (index, (name, _)) in Limits::default().values().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{name}")?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownLimit {}

/// The limit that stopped a run before it had a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Exhausted {
    /// [`Limits::steps`] were used up, and those for each value.
    Steps,
    /// Blocks were nested deeper than [`Limits::instance_depth`].
    Depth,
    /// [`Limits::memory`] was used up.
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

/// Marker that a run gave up; its budget has the reason. Zero-sized, so `Result<bool, Stopped>`
/// fits in one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// Whether a run counts what it spends. Only the benchmark for the cost of counting is built with
/// `--cfg stanchion_unmetered`. It is not a cargo feature, because features add up: any crate in a
/// program could lift all limits.
const METERED: bool = !cfg!(stanchion_unmetered);

#[cfg(all(test, stanchion_unmetered))]
compile_error!("`stanchion_unmetered` is for one benchmark: without limits there is nothing to test");

/// The rest of the limits during a run.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    steps: u64,
    depth: u32,
    memory: usize,
    why: Option<Exhausted>,
}

impl Budget {
    /// Makes a budget with this many steps, and otherwise the limits.
    #[inline]
    pub(crate) fn new(limits: &Limits, steps: u64) -> Budget {
        Budget { steps, depth: limits.instance_depth, memory: limits.memory, why: None }
    }

    /// Makes a budget for work on the values of a schema, which were measured when it was read and
    /// need no other bound.
    pub(crate) fn for_schema() -> Budget {
        Budget { steps: u64::MAX, depth: u32::MAX, memory: usize::MAX, why: None }
    }

    /// Makes a budget for matching names and patterns of a schema.
    pub(crate) fn for_matches(steps: u64) -> Budget {
        Budget { steps, ..Budget::for_schema() }
    }

    pub(crate) fn steps_left(&self) -> u64 {
        self.steps
    }

    /// Adds steps that were held back for a second start to a run that has its verdict.
    pub(crate) fn add_steps(&mut self, steps: u64) {
        self.steps = self.steps.saturating_add(steps);
    }

    pub(crate) fn memory_left(&self) -> usize {
        self.memory
    }

    /// Ends the run and records the reason. Nothing is left of the exhausted limit.
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

    /// Returns the verdict of a run, or why it gave up.
    pub(crate) fn ended(&self, verdict: Result<bool, Stopped>) -> Result<bool, Exhausted> {
        match verdict {
            Ok(holds) => Ok(holds),
            Err(Stopped) => Err(self.why()),
        }
    }

    /// Returns why the run gave up. A separate cold function, to keep it out of the path of other
    /// verdicts.
    #[cold]
    #[inline(never)]
    pub(crate) fn why(&self) -> Exhausted {
        self.why.unwrap_or(Exhausted::Steps)
    }

    /// Charges for `steps` of work before it is done.
    #[inline]
    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), Stopped> {
        if !METERED {
            return Ok(());
        }
        // Subtracted before the comparison, so that memory is updated in one instruction.
        let is_too_much;
        (self.steps, is_too_much) = self.steps.overflowing_sub(steps);
        if is_too_much { Err(self.stop(Exhausted::Steps)) } else { Ok(()) }
    }

    /// Charges for reading `bytes` bytes of text: a step covers up to 64 of them.
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

    /// Whether there is room for one more level.
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

    /// Charges for `bytes` of memory until [`Budget::release`].
    #[inline]
    pub(crate) fn hold(&mut self, bytes: usize) -> Result<(), Stopped> {
        if !METERED {
            return Ok(());
        }
        let is_too_much;
        (self.memory, is_too_much) = self.memory.overflowing_sub(bytes);
        if is_too_much { Err(self.stop(Exhausted::Memory)) } else { Ok(()) }
    }

    /// Charges for `bytes` of memory if there is room. Returns whether there was.
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
