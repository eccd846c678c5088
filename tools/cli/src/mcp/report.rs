//! The report on a tool: whether it is accepted, the dialect and the cost of its schemas, and its
//! problems.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value, json};
use stanchion::{Dialect, Growth, Validator};
use stanchion_mcp::{Compiler, InputSchema, Profile, ToolFault, Toolbox};

use crate::rules::{self, Level};

/// Size of the call for which steps are reported: values, and bytes of JSON.
const NODES: u64 = 100;
const BYTES: u64 = 4_000;

/// The report on a tool.
pub(crate) struct Report {
    pub(crate) name: String,
    /// Why the tool as a whole was refused, if no schema is the reason.
    pub(crate) refused: Option<String>,
    pub(crate) parts: Vec<Part>,
    pub(crate) problems: Vec<Problem>,
}

/// A schema of a tool.
pub(crate) struct Part {
    /// `inputSchema` or `outputSchema`.
    pub(crate) name: &'static str,
    pub(crate) found: Result<Facts, String>,
}

/// Facts about a schema that was accepted.
pub(crate) struct Facts {
    /// `None` for a boolean, which means the same in all dialects.
    pub(crate) dialect: Option<Dialect>,
    pub(crate) growth: Growth,
    pub(crate) steps: u64,
}

/// A problem that the author should look at. The tool may still be usable.
pub(crate) struct Problem {
    pub(crate) rule: &'static str,
    pub(crate) level: Level,
    /// The schema, and the place in it; empty for the tool as a whole.
    pub(crate) place: String,
    pub(crate) message: String,
    /// The way to fix it, if the message does not say.
    pub(crate) suggestion: Option<String>,
}

impl Problem {
    fn new(rule: &'static str, place: impl Into<String>, message: impl Into<String>) -> Problem {
        let (place, message) = (place.into(), message.into());
        Problem { rule, level: Level::Warning, place, message, suggestion: None }
    }

    fn to_json(&self) -> Value {
        json!({
            "rule": self.rule,
            "level": self.level.name(),
            "place": self.place,
            "message": self.message,
            "suggestion": self.suggestion,
        })
    }
}

impl Report {
    /// Whether a client may use the tool.
    pub(crate) fn is_accepted(&self) -> bool {
        self.refused.is_none() && self.parts.iter().all(|part| part.found.is_ok())
    }

    pub(crate) fn to_json(&self) -> Value {
        let mut report = Map::new();
        report.insert("name".to_owned(), self.name.as_str().into());
        report.insert("accepted".to_owned(), self.is_accepted().into());
        if let Some(message) = &self.refused {
            report.insert("message".to_owned(), message.as_str().into());
        }
        for part in &self.parts {
            report.insert(part.name.to_owned(), part.to_json());
        }
        let problems = self.problems.iter().map(Problem::to_json);
        report.insert("problems".to_owned(), problems.collect());
        Value::Object(report)
    }
}

impl Part {
    fn to_json(&self) -> Value {
        match &self.found {
            Ok(facts) => json!({
                "accepted": true,
                "dialect": facts.dialect.map(Dialect::name),
                "growth": growth(facts.growth),
                "steps": facts.steps,
            }),
            Err(message) => json!({"accepted": false, "message": message}),
        }
    }

    /// Formats a line: «inputSchema: 2020-12, linear, at most 1234 steps».
    pub(crate) fn to_line(&self) -> String {
        match &self.found {
            Ok(facts) => {
                let dialect = facts.dialect.map_or("a boolean", Dialect::name);
                let steps = match facts.steps {
                    u64::MAX => "no bound on the steps".to_owned(),
                    steps => format!("at most {steps} steps"),
                };
                format!("{}: {dialect}, {}, {steps}", self.name, growth(facts.growth))
            }
            Err(message) => message.clone(),
        }
    }
}

fn growth(growth: Growth) -> &'static str {
    match growth {
        Growth::Constant => "constant",
        Growth::Linear => "linear",
        Growth::Polynomial => "polynomial",
        Growth::Exponential => "exponential",
    }
}

/// Reports on all tools of a list, with the verdicts of a [`Toolbox`].
pub(crate) fn look_at(tools: &[Value], profile: &Profile) -> Vec<Report> {
    let compiler = Compiler::new(profile.clone());
    let mut refused = refused(tools, &compiler);
    let reports = tools.iter().enumerate().map(|(at, tool)| {
        let mut report = look_at_one(at, tool, &compiler);
        match refused.remove(&at) {
            Some(reason) => report.refused = reason,
            // An `outputSchema` of null is none to a lenient profile.
            None => report.parts.retain(|part| part.found.is_ok()),
        }
        report
    });
    reports.collect()
}

/// Returns the tools that a toolbox refuses, by index, with the reason if it is not a schema. The
/// tools of each server are a list.
fn refused(tools: &[Value], compiler: &Compiler) -> HashMap<usize, Option<String>> {
    let mut lists: BTreeMap<Option<&str>, Vec<usize>> = BTreeMap::new();
    for (at, tool) in tools.iter().enumerate() {
        lists.entry(tool.get("server").and_then(Value::as_str)).or_default().push(at);
    }
    let mut refused = HashMap::new();
    for list in lists.values() {
        let definitions = list.iter().map(|at| definition(&tools[*at]));
        for tool in Toolbox::sharing(compiler).replace(definitions).refused {
            let index = tool.index().unwrap_or_default();
            // The line of a schema has its own reason.
            let is_schema = matches!(
                tool.fault(),
                ToolFault::Schema(_) | ToolFault::Definition { path: "/inputSchema", .. }
            );
            let end = if matches!(tool.fault(), ToolFault::TooMany) { list.len() } else { index + 1 };
            let reason = (!is_schema).then(|| tool.to_string());
            refused.extend(list[index..end].iter().map(|at| (*at, reason.clone())));
        }
    }
    refused
}

/// Returns the definition of a tool. Lists of the tools of many servers have its name in `tool`.
fn definition(tool: &Value) -> Value {
    let mut definition = tool.clone();
    if let Value::Object(members) = &mut definition
        && !members.contains_key("name")
        && let Some(name) = members.get("tool").cloned()
    {
        members.insert("name".to_owned(), name);
    }
    definition
}

fn look_at_one(at: usize, tool: &Value, compiler: &Compiler) -> Report {
    let mut problems = Vec::new();
    let name = name_of(at, tool, &mut problems);
    let input = match tool.get("inputSchema") {
        Some(schema) => compiler.input(schema.clone()).map_err(|refusal| refusal.to_string()),
        None => Err("inputSchema: expected an object with \"type\": \"object\", found nothing".to_owned()),
    };
    if let Ok(input) = &input {
        look_at_headers(input, &mut problems);
        look_for_mistakes("inputSchema", input.schema(), &mut problems);
    }
    let input = input.map(|input| Facts::of(input.schema(), input.validator()));
    let mut parts = vec![Part { name: "inputSchema", found: input }];
    if let Some(schema) = tool.get("outputSchema") {
        let output = compiler.output(schema.clone()).map_err(|refusal| refusal.to_string());
        if let Ok(output) = &output {
            look_for_mistakes("outputSchema", output.schema(), &mut problems);
        }
        let output = output.map(|output| Facts::of(output.schema(), output.validator()));
        parts.push(Part { name: "outputSchema", found: output });
    }
    Report { name, refused: None, parts, problems }
}

/// Adds the findings of `stanchion lint` for a schema that was accepted, and whose size is
/// therefore bounded.
fn look_for_mistakes(part: &str, schema: &Value, problems: &mut Vec<Problem>) {
    let diagnosis = Validator::builder().diagnose(schema);
    let findings = rules::find(schema, Dialect::default(), &diagnosis);
    problems.extend(findings.into_iter().map(|finding| Problem {
        rule: finding.rule.name,
        level: finding.rule.level,
        place: format!("{part}{}", finding.pointer),
        message: finding.message,
        suggestion: Some(finding.suggestion),
    }));
}

/// Checks header annotations. Clients on Streamable HTTP refuse a tool that breaks their rules;
/// others ignore them.
fn look_at_headers(input: &InputSchema, problems: &mut Vec<Problem>) {
    if let Err(fault) = input.headers() {
        let place = format!("inputSchema{}", fault.path());
        problems.push(Problem::new("x-mcp-header", place, fault.to_string()));
    }
}

/// Returns the tool's name, with that of its server if the list has it. Checks the rules for names.
fn name_of(at: usize, tool: &Value, problems: &mut Vec<Problem>) -> String {
    let mut report = |message: String| {
        problems.push(Problem::new("tool-name", "name", message));
    };
    // Lists of the tools of many servers have `tool`, and `server` beside it.
    let name = tool.get("name").or_else(|| tool.get("tool")).and_then(Value::as_str);
    let Some(name) = name else { return format!("(tool {})", at + 1) };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if name.is_empty() || name.len() > 128 {
        report(format!("a name has 1 to 128 characters, found {}", name.len()));
    }
    if let Some(odd) = name.chars().find(|c| !is_plain(*c)) {
        report(format!("a name has letters, digits, `_`, `-` and `.` alone, found {odd:?}"));
    }
    match tool.get("server").and_then(Value::as_str) {
        Some(server) => format!("{server}/{name}"),
        None => name.to_owned(),
    }
}

impl Facts {
    fn of(schema: &Value, validator: &Validator) -> Facts {
        let declared = schema.get("$schema").and_then(Value::as_str);
        // A schema with an unknown dialect was refused.
        let dialect = declared.and_then(Dialect::from_uri).unwrap_or_default();
        let cost = validator.cost();
        Facts {
            dialect: (!schema.is_boolean()).then_some(dialect),
            growth: cost.growth(),
            steps: cost.steps(NODES, BYTES),
        }
    }
}
