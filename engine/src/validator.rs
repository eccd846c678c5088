//! The face: [`Validator`], its builder, and [`Verdict`]. It calls the stages in order.

use crate::compile::{self, Options};
use crate::cost::{Cost, PlaceCost};
use crate::diagnose::{self, Diagnosis, Faults};
use crate::document::{Rules, uri};
use crate::error::{Errors, SchemaError, SchemaErrorKind, ValidationError};
use crate::explain::Request;
use crate::instance::Node;
use crate::instance::text::{Lines, Reader, TextError};
use crate::limits::{Exhausted, Limits};
use crate::optimize;
use crate::output::Evaluation;
use crate::program::{BlockId, FormatCheck, Gate, Program, names, verify};
use crate::resolve::{self, References, Resolved, Sources};
use crate::run;
use ahash::RandomState;
use serde_json::Value;
use stanchion_vocab::Dialect;
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

/// The answer to «does this instance conform?».
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Valid,
    /// It does not.
    Invalid,
    /// The run was stopped before it had an answer.
    Undecided(Exhausted),
}

impl Verdict {
    pub(crate) fn of(result: Result<bool, Exhausted>) -> Verdict {
        match result {
            Ok(true) => Verdict::Valid,
            Ok(false) => Verdict::Invalid,
            Err(exhausted) => Verdict::Undecided(exhausted),
        }
    }
}

/// A verdict, and what it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Measured {
    /// The verdict.
    pub verdict: Verdict,
    /// The steps of the run that ended so. The same program and instance take the same steps on every machine.
    pub steps: u64,
}

impl Measured {
    fn is_valid(self) -> bool {
        self.verdict == Verdict::Valid
    }
}

/// A compiled schema: made once, immutable, cheap to clone, shared between threads.
///
/// ```
/// use stanchion::{Limits, Validator, Verdict};
/// use serde_json::json;
///
/// // Compile once. `new` refuses a schema that is malformed, that points outside
/// // its own document, or that is larger than the limits allow.
/// let validator = Validator::new(&json!({
///     "type": "object",
///     "properties": {
///         "city": { "type": "string", "minLength": 1 },
///         "days": { "type": "integer", "minimum": 1 }
///     },
///     "required": ["city"],
///     "additionalProperties": false
/// }))?;
///
/// // Run many times. Nothing is fetched, nothing panics, every run ends.
/// assert!(validator.is_valid(&json!({ "city": "Turin", "days": 3 })));
///
/// // The first error, or all of them.
/// let instance = json!({ "city": "", "days": 0 });
/// assert!(validator.validate(&instance).is_err());
/// let paths: Vec<String> = validator
///     .iter_errors(&instance)
///     .map(|error| error.instance_path().to_string())
///     .collect();
/// assert_eq!(paths, ["/city", "/days"]);
///
/// // Untrusted on both sides: tighten the limits, and tell "invalid" from "gave up".
/// let validator = Validator::builder()
///     .limits(Limits::default().subschemas(100).steps(1_000))
///     .build(&json!({ "items": { "type": "string" } }))?;
/// let many: Vec<&str> = vec!["x"; 10_000];
/// match validator.verdict(&json!(many)) {
///     Verdict::Valid | Verdict::Invalid => unreachable!(),
///     Verdict::Undecided(exhausted) => {
///         assert_eq!(exhausted.to_string(), "the run exceeded its budget of steps");
///     }
/// }
/// # Ok::<(), stanchion::SchemaError>(())
/// ```
#[derive(Clone)]
pub struct Validator {
    program: Arc<Program>,
    limits: Limits,
    remember: Remember,
    /// Where runs begin, if there is nothing else to begin with.
    root: Option<Gate>,
}

/// Whether verdicts of blocks are remembered within a run. It changes no verdict, only what is undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Remember {
    /// When a run has spent more than an honest one would, and it may help.
    #[default]
    Auto,
    /// From the start. For tests and benchmarks.
    Always,
    /// Not at all. For tests and benchmarks.
    Never,
}

impl Validator {
    /// Compiles a schema: 2020-12 unless it says otherwise, references within the document, the default limits.
    pub fn new(schema: &Value) -> Result<Validator, SchemaError> {
        Validator::builder().build(schema)
    }

    /// Choices to make before compiling.
    pub fn builder() -> ValidatorBuilder {
        ValidatorBuilder::default()
    }

    /// Whether the instance was proven valid. An undecided one is not.
    pub fn is_valid<'a>(&self, instance: impl Node<'a>) -> bool {
        match &self.root {
            Some(root) => match run::holds(&self.program, &self.limits, root, instance) {
                Ok(holds) => holds,
                Err(exhausted) => self.measure_again(exhausted, instance).is_some_and(Measured::is_valid),
            },
            None => self.measure(instance).is_valid(),
        }
    }

    /// Whether the instance is valid, is invalid, or could not be decided within the limits.
    pub fn verdict<'a>(&self, instance: impl Node<'a>) -> Verdict {
        self.measure(instance).verdict
    }

    /// The verdict, and what it took.
    pub fn measure<'a>(&self, instance: impl Node<'a>) -> Measured {
        let measured = self.measure_within(&self.limits, instance);
        match measured.verdict {
            Verdict::Valid | Verdict::Invalid => measured,
            Verdict::Undecided(exhausted) => self.measure_again(exhausted, instance).unwrap_or(measured),
        }
    }

    #[inline]
    fn measure_within<'a>(&self, limits: &Limits, instance: impl Node<'a>) -> Measured {
        let (ended, steps) = run::verdict(&self.program, limits, self.remember, instance);
        Measured { verdict: Verdict::of(ended), steps }
    }

    /// The verdict for which something was exhausted: with the steps that grow with the instance, if these are more than the fixed
    /// ones; or in layers, if the depth is that of the schema.
    #[cold]
    #[inline(never)]
    fn measure_again<'a>(&self, exhausted: Exhausted, instance: impl Node<'a>) -> Option<Measured> {
        match exhausted {
            Exhausted::Steps => {
                let limits = self.limits.grown(instance)?;
                Some(self.measure_within(&limits, instance))
            }
            Exhausted::Depth => {
                let (ended, steps) = run::verdict_in_layers(&self.program, &self.limits, instance)?;
                Some(Measured { verdict: Verdict::of(ended), steps })
            }
            Exhausted::Memory | Exhausted::Number => None,
        }
    }

    /// A bound on what verdicts may cost, whatever the instance.
    pub fn cost(&self) -> Cost {
        Cost::of(&self.program, &self.limits)
    }

    /// Where in the schema the bound of [`Cost::steps`] comes from: every keyword and subschema with its share, dearest
    /// first, for an instance of so many `nodes` in so many `bytes` of JSON text.
    ///
    /// ```
    /// use stanchion::Validator;
    /// use serde_json::json;
    ///
    /// let validator = Validator::new(&json!({"properties": {"a": {"type": "string", "pattern": "^(ab|cd){9}$"}}}))?;
    /// assert_eq!(validator.cost_by_place(100, 2_000)[0].pointer, "/properties/a/pattern");
    /// # Ok::<(), stanchion::SchemaError>(())
    /// ```
    pub fn cost_by_place(&self, nodes: u64, bytes: u64) -> Vec<PlaceCost> {
        self.cost().by_place(&self.program, nodes, bytes)
    }

    /// The first error, if the instance is not valid: the first that [`Validator::iter_errors`] gives. If it could not be
    /// decided, [`ValidationError::exhausted`] says why.
    pub fn validate<'a>(&self, instance: impl Node<'a>) -> Result<(), ValidationError> {
        let (verdict, found) =
            self.explain(instance, |request| request.errors(true, instance), |(_, found)| found.ran_out());
        match found.errors.into_iter().next() {
            Some(error) => Err(error),
            None if verdict == Verdict::Valid => Ok(()),
            // The limits allow no errors.
            None => Err(ValidationError::exhaustion(Exhausted::Memory)),
        }
    }

    /// All errors, up to [`Limits::errors`]; none if the instance is valid. The walk is over when this returns.
    ///
    /// The order is the same every time: what is wrong with a value itself before what is wrong inside it, and properties that
    /// are not known before those that are missing. A union that rejects is represented by the errors of the
    /// branch that the value's type, a discriminator or its members decide for ([`ValidationError::union`] has the others), or is one error where
    /// nothing decides.
    ///
    /// The verdict and its explanation share one budget ([`Limits::steps`], [`Limits::memory`]). If it ended before all errors were found, the
    /// last one says so by [`ValidationError::exhausted`]. If there are more than the limit, [`Errors::is_cut`] says so.
    pub fn iter_errors<'a>(&self, instance: impl Node<'a>) -> Errors {
        let (_, found) =
            self.explain(instance, |request| request.errors(false, instance), |(_, found)| found.ran_out());
        Errors::new(found.errors, found.is_cut)
    }

    /// The verdict with annotations, errors, and the output formats of the specification, all within one budget.
    pub fn evaluate<'a>(&self, instance: impl Node<'a>) -> Evaluation {
        let whole = self.explain(
            instance,
            |request| request.whole(instance),
            |whole| whole.exhausted == Some(Exhausted::Steps),
        );
        Evaluation { whole, memory: self.limits.memory, annotations: OnceLock::new() }
    }

    /// Explains an instance; if the fixed steps run out and its size allows more, once more with these.
    fn explain<'a, T>(
        &self,
        instance: impl Node<'a>,
        explain: impl Fn(Request<'_>) -> T,
        has_run_out: impl Fn(&T) -> bool,
    ) -> T {
        let Validator { program, limits, remember, root } = self;
        let request = |limits| Request { program, limits, remember: *remember, root: root.as_ref() };
        let explained = explain(request(limits));
        if !has_run_out(&explained) {
            return explained;
        }
        match limits.grown(instance) {
            Some(limits) => {
                explain(Request { program, limits: &limits, remember: *remember, root: root.as_ref() })
            }
            None => explained,
        }
    }

    /// The verdict on an instance given as JSON text. For more than one text, keep a [`Reader`].
    pub fn verdict_json(&self, text: &[u8]) -> Result<Verdict, TextError> {
        self.verdict_json_with(&mut Reader::new(), text)
    }

    /// The verdict on an instance given as JSON text, with buffers that are used again. For a text that is known to be UTF-8 there is
    /// [`Reader::parse_str`].
    pub fn verdict_json_with(&self, reader: &mut Reader, text: &[u8]) -> Result<Verdict, TextError> {
        Ok(self.verdict(reader.parse(text)?.root()))
    }

    /// The verdicts on many instances, one on each line of a text (NDJSON, JSON Lines), with the numbers of
    /// their lines.
    ///
    /// Lines end with a line feed, with or without a carriage return before it. Blank ones are skipped. What is not JSON is an error of
    /// its line, with its place in the whole text, and the next line goes on.
    ///
    /// ```
    /// use stanchion::{Reader, Validator, Verdict};
    ///
    /// let validator = Validator::new(&serde_json::json!({"type": "integer"}))?;
    /// let text = b"1\n\n\"two\"\r\nthree\n4\n";
    /// let mut reader = Reader::new();
    /// let mut verdicts = validator.verdicts_ndjson(&mut reader, text);
    /// assert_eq!(verdicts.next(), Some((1, Ok(Verdict::Valid))));
    /// assert_eq!(verdicts.next(), Some((3, Ok(Verdict::Invalid))));
    /// let (line, error) = verdicts.next().unwrap();
    /// assert_eq!((line, error.unwrap_err().to_string().as_str()), (4, "expected ident at line 4 column 2"));
    /// assert_eq!(verdicts.next(), Some((5, Ok(Verdict::Valid))));
    /// assert_eq!(verdicts.next(), None);
    /// # Ok::<(), stanchion::SchemaError>(())
    /// ```
    pub fn verdicts_ndjson<'a>(&'a self, reader: &'a mut Reader, text: &'a [u8]) -> Verdicts<'a> {
        Verdicts { validator: self, reader, lines: Lines::new(text) }
    }

    /// The program that the schema was compiled to. `Display` prints its listing.
    pub fn program(&self) -> &Program {
        &self.program
    }
}

impl fmt::Debug for Validator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Validator").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl TryFrom<&Value> for Validator {
    type Error = SchemaError;

    fn try_from(schema: &Value) -> Result<Validator, SchemaError> {
        Validator::new(schema)
    }
}

impl FromStr for Validator {
    type Err = Box<dyn std::error::Error + Send + Sync>;

    /// Compiles a schema given as JSON text.
    fn from_str(text: &str) -> Result<Validator, Self::Err> {
        let schema: Value = serde_json::from_str(text)?;
        Ok(Validator::new(&schema)?)
    }
}

/// The verdicts on the lines of a text; see [`Validator::verdicts_ndjson`].
pub struct Verdicts<'a> {
    validator: &'a Validator,
    reader: &'a mut Reader,
    lines: Lines<'a>,
}

impl Iterator for Verdicts<'_> {
    type Item = (usize, Result<Verdict, TextError>);

    fn next(&mut self) -> Option<Self::Item> {
        let (number, line) = self.lines.next()?;
        let verdict = self.validator.verdict_json_with(self.reader, line);
        Some((number, verdict.map_err(|error| error.in_line(number))))
    }
}

impl fmt::Debug for Verdicts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verdicts").finish_non_exhaustive()
    }
}

/// Choices to make before compiling.
#[derive(Clone)]
pub struct ValidatorBuilder {
    limits: Limits,
    references: References,
    resources: Vec<(String, Value)>,
    assert_formats: bool,
    assert_content: bool,
    formats: HashMap<String, FormatCheck, RandomState>,
    dialect: Dialect,
    unknown_dialect: Option<Dialect>,
    array_items: bool,
    optimize: bool,
    remember: Remember,
    /// Nothing for seeds of the process.
    hash_seeds: Option<[u64; 4]>,
}

impl Default for ValidatorBuilder {
    fn default() -> ValidatorBuilder {
        ValidatorBuilder {
            limits: Limits::default(),
            references: References::Local,
            resources: Vec::new(),
            assert_formats: false,
            assert_content: true,
            formats: HashMap::with_hasher(RandomState::with_seeds(0, 0, 0, 0)),
            dialect: Dialect::default(),
            unknown_dialect: None,
            array_items: false,
            optimize: true,
            remember: Remember::Auto,
            hash_seeds: None,
        }
    }
}

impl ValidatorBuilder {
    /// How large the schema may be, and how much a validation may spend.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> ValidatorBuilder {
        self.limits = limits;
        self
    }

    /// How far references may lead.
    #[must_use]
    pub fn references(mut self, references: References) -> ValidatorBuilder {
        self.references = references;
        self
    }

    /// Hands a document over, for references to find under `uri`, under its own `$id`, and under those of resources
    /// embedded in it. Needs [`References::Bundled`].
    #[must_use]
    pub fn resource(mut self, uri: &str, document: &Value) -> ValidatorBuilder {
        self.resources.push((uri::split_fragment(uri).0.to_owned(), document.clone()));
        self
    }

    /// Whether `format` is an assertion. By default it is an annotation, unless a metaschema
    /// with the format-assertion vocabulary says otherwise.
    #[must_use]
    pub fn assert_formats(mut self, assert: bool) -> ValidatorBuilder {
        self.assert_formats = assert;
        self
    }

    /// Whether draft-07's `contentEncoding` and `contentMediaType` are assertions, as that dialect has them: yes. In all later
    /// dialects they are annotations anyway.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion::{Dialect, Validator};
    ///
    /// let schema = json!({"contentMediaType": "application/json"});
    /// let builder = Validator::builder().dialect(Dialect::Draft07);
    /// assert!(!builder.build(&schema)?.is_valid(&json!("{:}")));
    /// assert!(builder.assert_content(false).build(&schema)?.is_valid(&json!("{:}")));
    /// # Ok::<(), stanchion::SchemaError>(())
    /// ```
    #[must_use]
    pub fn assert_content(mut self, assert: bool) -> ValidatorBuilder {
        self.assert_content = assert;
        self
    }

    /// A format of the caller's own, asserted where formats are. It takes the place of a known one of that name.
    #[must_use]
    pub fn format(
        mut self,
        name: &str,
        check: impl Fn(&str) -> bool + Send + Sync + 'static,
    ) -> ValidatorBuilder {
        self.formats.insert(name.to_owned(), FormatCheck::Own(Arc::new(check)));
        self
    }

    /// The dialect of schemas that declare none.
    #[must_use]
    pub fn dialect(mut self, dialect: Dialect) -> ValidatorBuilder {
        self.dialect = dialect;
        self
    }

    /// The dialect to take where `$schema` names one that is neither known nor handed over. Without this,
    /// such a schema is refused.
    #[must_use]
    pub fn unknown_dialect(mut self, dialect: Dialect) -> ValidatorBuilder {
        self.unknown_dialect = Some(dialect);
        self
    }

    /// Whether `items` may be an array, with `additionalItems` beside it, in schemas that declare no dialect. It is a mistake in
    /// 2020-12, where that is `prefixItems` with `items`, and yet seen in the wild.
    #[must_use]
    pub fn array_items(mut self, tolerate: bool) -> ValidatorBuilder {
        self.array_items = tolerate;
        self
    }

    /// Whether to optimize the program, which changes no verdict and no error. On by default; tests
    /// and benchmarks turn it off.
    #[must_use]
    pub fn optimize(mut self, optimize: bool) -> ValidatorBuilder {
        self.optimize = optimize;
        self
    }

    /// Whether verdicts of blocks are remembered within a run; when that helps, by default.
    #[must_use]
    pub fn remember(mut self, remember: Remember) -> ValidatorBuilder {
        self.remember = remember;
        self
    }

    /// Seeds for the hash tables of names and values. By default they come from the standard library's `RandomState`, which has no
    /// randomness on targets without an operating system: there a host gives its own, so that nobody can prepare names that
    /// collide. Seeds change no verdict.
    #[must_use]
    pub fn hash_seeds(mut self, seeds: [u64; 4]) -> ValidatorBuilder {
        self.hash_seeds = Some(seeds);
        self
    }

    /// The seeds of all hash tables.
    pub(crate) fn seeds(&self) -> RandomState {
        match self.hash_seeds {
            Some([a, b, c, d]) => RandomState::with_seeds(a, b, c, d),
            None => names::random_seeds(),
        }
    }

    /// Compiles a schema.
    pub fn build(&self, schema: &Value) -> Result<Validator, SchemaError> {
        let program = self.compile(schema)?;
        let root = run::plain_root(&program, &self.limits, self.remember);
        Ok(Validator { program: Arc::new(program), limits: self.limits, remember: self.remember, root })
    }

    /// All that is wrong with a schema, where [`ValidatorBuilder::build`] gives the first error, and what it probably did not mean.
    /// It takes longer than building, and is for those who write schemas.
    pub fn diagnose(&self, schema: &Value) -> Diagnosis {
        let sources = match self.sources() {
            Ok(sources) => sources,
            Err(error) => return Diagnosis::new(vec![error], Vec::new(), Vec::new()),
        };
        let mut resolved = Resolved::new(&self.limits, &sources);
        resolved.document.faults = Faults::gather();
        let mut faults = Faults::gather();
        let end = match resolved.read(schema, &sources) {
            Ok(()) => compile::compile_with(&resolved, &sources, &self.options(), &mut faults).err(),
            Err(error) => Some(error),
        };
        let warnings = diagnose::warnings(&resolved.document, &self.formats);
        let mut errors = std::mem::take(&mut resolved.document.faults).into_gathered().errors;
        let gathered = faults.into_gathered();
        errors.extend(gathered.references);
        errors.extend(gathered.errors);
        errors.extend(end);
        Diagnosis::new(errors, warnings, gathered.unreached)
    }

    fn compile(&self, schema: &Value) -> Result<Program, SchemaError> {
        let sources = self.sources()?;
        let resolved = resolve::read(schema, &sources, &self.limits)?;
        let mut program = compile::compile(&resolved, &sources, &self.options())?;
        if self.optimize {
            optimize::optimize(&mut program);
        } else {
            (0..program.blocks.len()).for_each(|index| program.run_plain(BlockId(index as u32)));
        }
        program.trim();
        if cfg!(debug_assertions) {
            verify::verify(&program);
        }
        Ok(program)
    }

    /// The resources that references may lead to.
    fn sources(&self) -> Result<Sources<'_>, SchemaError> {
        if let (References::Local, Some((uri, _))) = (self.references, self.resources.first()) {
            let kind = SchemaErrorKind::ResourcesNotUsed { uri: uri.clone() };
            return Err(SchemaError::new("", String::new(), kind));
        }
        let takes_tuples = self.array_items && self.dialect == Dialect::Draft202012;
        let rules = Rules { takes_tuples, ..Rules::of(self.dialect) };
        let (references, unknown) = (self.references, self.unknown_dialect);
        Ok(Sources::new(references, rules, unknown, &self.resources, &self.limits, self.seeds()))
    }

    fn options(&self) -> Options<'_> {
        Options {
            limits: &self.limits,
            assert_formats: self.assert_formats,
            assert_content: self.assert_content,
            formats: &self.formats,
        }
    }
}

impl fmt::Debug for ValidatorBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValidatorBuilder").field("limits", &self.limits).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn validators_are_shared() {
        fn is_shared<T: Send + Sync + Clone>() {}
        is_shared::<Validator>();
        is_shared::<ValidatorBuilder>();
    }
}
