//! `stanchion lint`: finds likely mistakes in schemas. The rules are in `rules/`.

use std::error::Error;
use std::io;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use stanchion::Diagnosis;
use stanchion_render::{Finding, Level, Mark, Pictures, Source, locate_all, sarif, visible};

use crate::console::Color;
use crate::rules::{self, RULES, Rule};
use crate::settings::{self, Settings};
use crate::source::{self, Document};
use crate::{Outcome, console};

/// Find likely mistakes in schemas
///
/// Prints for each what is wrong, where, and what to do; `--rules` lists the rules. Exits with 0 if
/// nothing was found, 1 if something was, 2 if a schema was refused or could not be read; a refused
/// schema is still searched.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The schemas: files, or `-` for standard input
    #[arg(required_unless_present = "rules", value_name = "SCHEMA")]
    schemas: Vec<String>,

    /// How to print the findings
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,

    /// A rule to ignore; may be given several times
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = parse_rule)]
    allow: Vec<&'static str>,

    /// When to use colors
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    color: Color,

    /// List the rules, and check nothing
    #[arg(long)]
    rules: bool,

    #[command(flatten)]
    settings: Settings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// With the schema's text and the place marked in it
    Human,
    /// A line for each: file, line and column, place, rule, what is wrong, what to do
    Line,
    /// An array of objects
    Json,
    /// SARIF 2.1.0, for CI services
    Sarif,
}

fn parse_rule(name: &str) -> Result<&'static str, String> {
    match rules::by_name(name) {
        Some(rule) => Ok(rule.name),
        None => Err(format!("no rule is named {name}; `stanchion lint --rules` lists them")),
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Box<dyn Error>> {
    if arguments.rules {
        return list_rules();
    }
    let files = arguments.schemas.iter().map(String::as_str);
    source::read_once(arguments.settings.files().chain(files))?;
    let builder = arguments.settings.builder()?;
    let mut outcome = Outcome::Good;
    let mut documents = Vec::new();
    for file in &arguments.schemas {
        match source::read_json(file) {
            Ok(document) => documents.push(document),
            Err(error) => {
                console::complain(&error);
                outcome = Outcome::Unusable;
            }
        }
    }
    let sources: Vec<Source<'_>> =
        documents.iter().map(|document| Source::new(&document.name, &document.text)).collect();
    let mut findings = Vec::new();
    for (document, source) in documents.iter().zip(&sources) {
        let diagnosis = builder.diagnose(&document.value);
        let found = look(arguments, document, source, &diagnosis);
        let worst = match (diagnosis.errors().is_empty(), found.is_empty()) {
            (false, _) => Outcome::Unusable,
            (true, false) => Outcome::Bad,
            (true, true) => Outcome::Good,
        };
        outcome = outcome.max(worst);
        findings.extend(diagnosis.errors().iter().map(|error| settings::refusal_in(error, source)));
        findings.extend(found);
    }
    print(arguments, &findings, outcome)?;
    Ok(outcome)
}

fn list_rules() -> Result<Outcome, Box<dyn Error>> {
    let width = RULES.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
    for Rule { name, level, about } in RULES.iter().copied() {
        console::say(&format!("{name:width$}  {:7}  {about}", level.name()))?;
    }
    Ok(Outcome::Good)
}

/// Returns the findings of the rules in a schema, with the places in its text.
fn look<'s>(
    arguments: &Arguments,
    document: &Document,
    source: &'s Source<'s>,
    diagnosis: &Diagnosis,
) -> Vec<Finding<'s>> {
    let dialect = arguments.settings.dialect.unwrap_or_default();
    let mut found = rules::find(&document.value, dialect, diagnosis);
    found.retain(|finding| !arguments.allow.contains(&finding.rule.name));
    let pointers: Vec<&str> = found.iter().map(|finding| finding.pointer.as_str()).collect();
    let places = locate_all(&document.text, &pointers);
    let shown = found.iter().zip(places).map(|(finding, place)| {
        let level = match finding.rule.level {
            rules::Level::Warning => Level::Warning,
            rules::Level::Note => Level::Note,
        };
        let mut shown = Finding::new(level, finding.rule.name, source.name(), &finding.message);
        shown.pointer = Some(finding.pointer.clone());
        shown.help.push(finding.suggestion.clone());
        // The name of a keyword shows the place better than a value of many lines.
        let span = place.map(|place| place.name.unwrap_or(place.value));
        let label = if finding.pointer.is_empty() { "/".to_owned() } else { finding.pointer.clone() };
        shown.marks.extend(span.map(|span| Mark { source, span, label }));
        shown
    });
    let mut shown: Vec<Finding<'_>> = shown.collect();
    // In the order of the text.
    shown.sort_by_key(|finding| finding.marks.first().map(|mark| mark.span.start));
    shown
}

fn print(arguments: &Arguments, findings: &[Finding<'_>], outcome: Outcome) -> io::Result<()> {
    let Arguments { format, color, .. } = arguments;
    match format {
        Format::Human => {
            let pictures = if color.on_stdout() { Pictures::colored() } else { Pictures::plain() };
            let drawn: String = findings.iter().map(|finding| pictures.draw(finding) + "\n").collect();
            console::write(drawn.as_bytes())?;
            console::write(summary(findings).as_bytes())
        }
        Format::Line => {
            let lines: String = findings.iter().map(line).collect();
            console::write(lines.as_bytes())
        }
        Format::Json => {
            let list: Vec<Value> = findings.iter().map(object).collect();
            console::write(format!("{:#}\n", Value::from(list)).as_bytes())
        }
        Format::Sarif => {
            let rules = RULES.iter().map(|rule| (rule.name.to_owned(), sentence(rule.about))).collect();
            let log = sarif::log(findings, &rules, env!("CARGO_PKG_VERSION"), outcome.code());
            console::write((log + "\n").as_bytes())
        }
    }
}

fn summary(findings: &[Finding<'_>]) -> String {
    let count = |level| findings.iter().filter(|finding| finding.level == level).count();
    let counts = [(Level::Error, "error"), (Level::Warning, "warning"), (Level::Note, "note")];
    let words: Vec<String> = counts
        .into_iter()
        .map(|(level, word)| (count(level), word))
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}{}", if count == 1 { "" } else { "s" }))
        .collect();
    if words.is_empty() { "nothing found\n".to_owned() } else { words.join(", ") + "\n" }
}

fn line(finding: &Finding<'_>) -> String {
    let mut shown = finding.clone();
    shown.message = format!("{}: {}", finding.rule, finding.message);
    let help: String = finding.help.iter().map(|help| format!(" ({})", visible(help))).collect();
    format!("{}{help}\n", shown.line())
}

fn object(finding: &Finding<'_>) -> Value {
    let position = finding.position();
    json!({
        "file": finding.name,
        "line": position.map(|position| position.line),
        "column": position.map(|position| position.column),
        "pointer": finding.pointer,
        "level": match finding.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        },
        "rule": finding.rule,
        "message": finding.message,
        "suggestion": finding.help.first(),
    })
}

/// Capitalizes the first letter of a phrase.
fn sentence(phrase: &str) -> String {
    let mut letters = phrase.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().collect::<String>() + letters.as_str())
        .unwrap_or_default()
}
