//! Rules that find likely mistakes in schemas.
//!
//! ```text
//! walk.rs        the subschemas of a document, each a `Site`     words.rs    how findings put things
//! types.rs       keywords that cannot matter                     objects.rs  members that must and must not be there
//! bounds.rs      bounds that leave nothing                       arrays.rs   keywords of arrays without effect
//! branches.rs    branches that nothing or too much takes         values.rs   values that their own schema refuses
//! references.rs  definitions, and what stands beside `$ref`      patterns.rs patterns that mean something else
//! dialects.rs    keywords of another dialect                     spelling.rs words that are nearly known
//! ```
//!
//! A rule is a row in [`RULES`] and a few lines in one of these files. A false alarm is worse than
//! a miss, so a rule reports only what is true whatever the author had in mind.

mod arrays;
mod bounds;
mod branches;
mod dialects;
mod objects;
mod patterns;
mod references;
mod spelling;
mod types;
mod values;
mod walk;
mod words;

use serde_json::Value;
use stanchion::{Diagnosis, Dialect, SchemaError, SchemaErrorKind};
use walk::Tree;

/// Severity of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// The schema does not do what it was written for.
    Warning,
    /// Something has no effect, or works in fewer places than it seems.
    Note,
}

impl Level {
    /// Returns the name of the level in SARIF.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Level::Warning => "warning",
            Level::Note => "note",
        }
    }
}

/// A kind of mistake.
#[derive(Debug)]
pub(crate) struct Rule {
    /// The name, for `--allow` and in reports.
    pub(crate) name: &'static str,
    pub(crate) level: Level,
    /// A description of what it looks for.
    pub(crate) about: &'static str,
}

/// Something that a rule found.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) rule: &'static Rule,
    /// The place in the schema, as a JSON Pointer.
    pub(crate) pointer: String,
    /// The problem.
    pub(crate) message: String,
    /// The way to fix it.
    pub(crate) suggestion: String,
}

/// Declares the rules: a constant for each, and the table of all.
macro_rules! rules {
    ($($id:ident $name:literal $level:ident $about:literal;)*) => {
        $(pub(crate) static $id: Rule = Rule { name: $name, level: Level::$level, about: $about };)*
        /// Every rule, by family.
        pub(crate) static RULES: &[&Rule] = &[$(&$id),*];
    };
}

rules! {
    MISSPELT_KEYWORD "misspelt-keyword" Warning "a keyword that no dialect has, close to one that there is";
    OTHER_DIALECT "other-dialect" Warning "a keyword that the schema's dialect does not have, and therefore ignores";
    UNKNOWN_FORMAT "unknown-format" Note "a format that no specification defines";
    WRONG_TYPE "wrong-type" Warning "a keyword that cannot matter for the given `type`";
    VALUE_REFUSED "value-refused" Warning "a value of `enum` or `const` that the keywords beside it refuse";
    DEFAULT_REFUSED "default-refused" Warning "a `default` that its own schema refuses";
    EXAMPLE_REFUSED "example-refused" Warning "one of the `examples` that its own schema refuses";
    REPEATED_VALUE "repeated-value" Note "a value that is in an `enum` twice";
    EMPTY_RANGE "empty-range" Warning "bounds that leave nothing between them";
    UNREACHABLE_BRANCH "unreachable-branch" Warning "a branch that no value can take";
    CONTRADICTION "contradiction" Warning "demands that no value can meet together";
    REPEATED_BRANCH "repeated-branch" Warning "a branch that is there twice";
    OVERLAPPING_BRANCHES "overlapping-branches" Warning "branches of `oneOf` of which one takes what another takes";
    CONDITION_ALONE "condition-alone" Warning "`if` without `then` and `else`, or those without `if`";
    REQUIRED_UNDECLARED "required-undeclared" Warning "a member that must be there and must not";
    REQUIRED_MISSPELT "required-misspelt" Warning "a required name that is close to a declared one";
    CLOSED_BRANCH "closed-branch" Warning "a part of `allOf` that refuses the members which another part requires";
    ITEMS_ARRAY "items-array" Warning "`items` as an array in 2020-12, where it is `prefixItems`";
    NO_EFFECT "no-effect" Warning "a keyword that does nothing without another";
    UNREACHABLE_ITEM "unreachable-item" Warning "a place in an array that is beyond `maxItems`";
    UNUSED_DEFINITION "unused-definition" Note "a definition to which no reference leads";
    BROKEN_REFERENCE "broken-reference" Warning "a reference that leads nowhere or back to itself, where nothing leads to it";
    REFERENCE_SIBLINGS "reference-siblings" Warning "keywords beside `$ref`, which hides them up to draft-07";
    PATTERN_BACKTRACKING "pattern-backtracking" Note "a pattern that engines without backtracking refuse or cannot bound";
    PATTERN_SLASHES "pattern-slashes" Warning "a pattern in slashes, which are part of it";
    PATTERN_ANCHORS "pattern-anchors" Warning "`^` and `$` that belong to different alternatives";
}

/// Returns the rule of this name.
pub(crate) fn by_name(name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.name == name)
}

/// Collects the findings of rules.
#[derive(Default)]
pub(crate) struct Findings(Vec<Finding>);

impl Findings {
    pub(crate) fn push(
        &mut self,
        rule: &'static Rule,
        pointer: String,
        message: String,
        suggestion: impl Into<String>,
    ) {
        self.0.push(Finding { rule, pointer, message, suggestion: suggestion.into() });
    }
}

/// Runs all rules on a schema. `dialect` applies to a schema that declares none; `diagnosis` is the
/// engine's. A schema that the engine finds too large is not searched, since rules assume a bounded
/// size. Malformed keywords are skipped.
pub(crate) fn find(schema: &Value, dialect: Dialect, diagnosis: &Diagnosis) -> Vec<Finding> {
    let is_too_large = |error: &SchemaError| matches!(error.kind(), SchemaErrorKind::Limit { .. });
    if diagnosis.errors().iter().any(is_too_large) {
        return Vec::new();
    }
    let tree = Tree::of(schema, dialect);
    let mut found = Findings::default();
    spelling::look(diagnosis, &mut found);
    for site in tree.sites() {
        dialects::look(site, &mut found);
        arrays::look(site, &mut found);
        // Keywords hidden by `$ref` are reported once, and not checked.
        if site.is_hidden {
            continue;
        }
        types::look(site, &mut found);
        bounds::look(site, &mut found);
        branches::look(site, &tree, &mut found);
        objects::look(site, &tree, &mut found);
        patterns::look(site, &mut found);
    }
    references::look(&tree, diagnosis, &mut found);
    values::look(&tree, &mut found);
    let mut found = found.0;
    found.sort_by_cached_key(|finding| tree.order_of(&finding.pointer));
    found
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use stanchion::Validator;
    use std::collections::BTreeSet;

    /// Returns the findings in a schema, as `rule pointer`.
    pub(crate) fn found(schema: &str) -> Vec<String> {
        let schema = serde_json::from_str(schema).expect("JSON");
        let findings = find(&schema, Dialect::default(), &Validator::builder().diagnose(&schema));
        findings.into_iter().map(|finding| format!("{} {}", finding.rule.name, finding.pointer)).collect()
    }

    #[track_caller]
    pub(crate) fn check(schema: &str, expected: &[&str]) {
        assert_eq!(found(schema), expected, "in {schema}");
    }

    #[test]
    fn rules_have_names_of_their_own() {
        let names: BTreeSet<&str> = RULES.iter().map(|rule| rule.name).collect();
        assert_eq!(names.len(), RULES.len());
        assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
    }

    #[test]
    fn what_is_no_schema_is_passed_over() {
        for schema in
            ["1", "null", "[]", r#"{"type": 1, "anyOf": 2, "properties": 3, "required": {}, "enum": 4}"#]
        {
            check(schema, &[]);
        }
    }

    #[test]
    fn findings_go_from_the_outside_in() {
        let schema = r#"{"allOf": [{"if": true}], "properties": {"a": {"then": true}}, "minLength": 2, "maxLength": 1}"#;
        check(
            schema,
            &["empty-range /minLength", "condition-alone /allOf/0/if", "condition-alone /properties/a/then"],
        );
    }
}
