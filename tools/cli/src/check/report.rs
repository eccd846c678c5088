//! Reports on instances, in each format.

use serde_json::{Value, json};
use stanchion::{Errors, Evaluation, Exhausted, ValidationError, Verdict};
use stanchion_render::sarif::{self, Rules};
use stanchion_render::{Finding, Level, Pictures, Source, visible};

use super::schemas::Compiled;
use super::tally::Tally;
use super::turns::Slot;
use super::{Format, OutputFormat};
use crate::Outcome;

/// Settings for reports.
pub(crate) struct Report {
    pub(crate) format: Format,
    pub(crate) output: Option<OutputFormat>,
    pub(crate) is_quiet: bool,
    pub(crate) pictures: Pictures,
    pub(crate) is_colored: bool,
}

impl Report {
    /// Whether the results go to standard output.
    pub(crate) fn is_for_stdout(&self) -> bool {
        self.format != Format::Human
    }

    /// Whether to look for warnings about the schema: they are for people, not for programs that
    /// read the results.
    pub(crate) fn has_warnings(&self) -> bool {
        self.format == Format::Human && !self.is_quiet
    }

    /// Draws a finding for people, with a blank line after it.
    pub(crate) fn picture(&self, finding: &Finding<'_>) -> String {
        format!("{}\n", self.pictures.draw(finding))
    }

    /// Returns the beginning of the output.
    pub(crate) fn head(&self) -> &'static str {
        if self.format == Format::Sarif { sarif::HEAD } else { "" }
    }

    /// Returns the end of the output: a summary.
    pub(crate) fn tail(&self, tally: &Tally, inputs: usize, outcome: Outcome, hidden: u64) -> String {
        match self.format {
            Format::Sarif => {
                let rules: Rules =
                    tally.rules.iter().map(|rule| (rule.clone(), sarif::describe(rule))).collect();
                format!("{}\n", sarif::tail(env!("CARGO_PKG_VERSION"), &rules, outcome.code()))
            }
            Format::Json if !self.is_quiet => format!("{}\n", json!({"summary": tally.json()})),
            Format::Human if !self.is_quiet => {
                let sum = (inputs > 1).then(|| tally.to_string());
                let rest = match hidden {
                    0 => None,
                    1 => Some("1 error is not shown (--show)".to_owned()),
                    _ => Some(format!("{hidden} errors are not shown (--show)")),
                };
                sum.into_iter().chain(rest).map(|line| line + "\n").collect()
            }
            Format::Human | Format::Json | Format::Line => String::new(),
        }
    }

    /// Reports a valid instance.
    pub(crate) fn valid(&self, slot: &mut Slot<'_>, tally: &mut Tally, name: &str, line: Option<usize>) {
        tally.valid += 1;
        match (self.format, line) {
            _ if self.is_quiet => {}
            (Format::Human, None) if self.is_colored => {
                slot.answer(format!("{}: \u{1b}[32mvalid\u{1b}[0m\n", visible(name)));
            }
            (Format::Human, None) => slot.answer(format!("{}: valid\n", visible(name))),
            (Format::Json, _) => slot.item(json_line(record(name, line, "valid"))),
            (Format::Human | Format::Line | Format::Sarif, _) => {}
        }
    }

    /// Reports a file of lines that was checked to its end.
    pub(crate) fn file(&self, slot: &mut Slot<'_>, name: &str, tally: &Tally) {
        if self.format == Format::Human && !self.is_quiet {
            slot.answer(format!("{}: {tally}\n", visible(name)));
        }
    }

    /// Reports an invalid instance.
    pub(crate) fn invalid(
        &self,
        slot: &mut Slot<'_>,
        tally: &mut Tally,
        source: &Source<'_>,
        line: Option<usize>,
        errors: &Errors,
        compiled: &Compiled,
    ) {
        tally.invalid += 1;
        let is_cut = errors.is_cut();
        let errors = errors.as_slice();
        match self.format {
            Format::Json => {
                let mut record = record(source.name(), line, "invalid");
                let findings = Finding::of_errors(errors, source, None);
                record["errors"] = errors.iter().zip(&findings).map(error_record).collect();
                if is_cut {
                    record["more"] = true.into();
                }
                slot.item(json_line(record));
            }
            Format::Line => {
                let findings = Finding::of_errors(errors, source, None);
                self.findings(slot, tally, &with_rest(findings, is_cut));
            }
            Format::Human if slot.is_full() => slot.hide(errors.len()),
            Format::Human | Format::Sarif => {
                let schema = compiled.source();
                let schema = compiled.schema(&schema);
                let findings = Finding::of_errors(errors, source, Some(&schema));
                self.findings(slot, tally, &with_rest(findings, is_cut));
            }
        }
    }

    /// Reports an undecided instance.
    pub(crate) fn undecided(
        &self,
        slot: &mut Slot<'_>,
        tally: &mut Tally,
        name: &str,
        line: Option<usize>,
        exhausted: Exhausted,
    ) {
        tally.undecided += 1;
        if self.format == Format::Json {
            let mut record = record(name, line, "undecided");
            record["error"] = exhausted.to_string().into();
            return slot.item(json_line(record));
        }
        let finding = Finding::new(
            Level::Warning,
            "undecided",
            &at_line(name, line),
            &format!("undecided: {exhausted}"),
        );
        self.findings(slot, tally, &[finding]);
    }

    /// Reports something that could not be checked. Broken lines do not stop the rest.
    pub(crate) fn problem(
        &self,
        slot: &mut Slot<'_>,
        tally: &mut Tally,
        finding: &Finding<'_>,
        line: Option<usize>,
    ) {
        tally.unusable += 1;
        if self.format == Format::Json {
            let mut record = record(&finding.name, line, "unusable");
            record["error"] = finding.message.clone().into();
            if let Some(pointer) = &finding.pointer {
                record["location"] = pointer.clone().into();
            }
            add_position(&mut record, finding);
            return slot.item(json_line(record));
        }
        let mut finding = finding.clone();
        if finding.marks.is_empty() {
            finding.name = at_line(&finding.name, line);
        }
        self.findings(slot, tally, &[finding]);
    }

    /// Reports an instance in an output format of the specification.
    pub(crate) fn evaluation(
        &self,
        slot: &mut Slot<'_>,
        tally: &mut Tally,
        name: &str,
        line: Option<usize>,
        output: OutputFormat,
        evaluation: &Evaluation,
    ) {
        let verdict = match evaluation.verdict() {
            Verdict::Valid if self.is_quiet => {
                tally.valid += 1;
                return;
            }
            Verdict::Valid => {
                tally.valid += 1;
                "valid"
            }
            Verdict::Invalid => {
                tally.invalid += 1;
                "invalid"
            }
            Verdict::Undecided(exhausted) => return self.undecided(slot, tally, name, line, exhausted),
        };
        let mut record = record(name, line, verdict);
        record["output"] = match output {
            OutputFormat::Flag => evaluation.flag(),
            OutputFormat::Basic => evaluation.basic(),
            OutputFormat::Detailed => evaluation.detailed(),
            OutputFormat::Verbose => evaluation.verbose(),
            OutputFormat::List => evaluation.list(),
            OutputFormat::Hierarchical => evaluation.hierarchical(),
        };
        slot.item(json_line(record));
    }

    fn findings(&self, slot: &mut Slot<'_>, tally: &mut Tally, findings: &[Finding<'_>]) {
        match self.format {
            Format::Human => slot.pictures(findings, |finding| self.picture(finding)),
            Format::Line => {
                for finding in findings {
                    slot.item(format!("{}\n", finding.line()));
                }
            }
            Format::Sarif => {
                for finding in findings {
                    tally.rules.insert(finding.rule.clone());
                    slot.item(sarif::result(finding).to_string());
                }
            }
            // Written by the callers, which know more than a finding contains.
            Format::Json => {}
        }
    }
}

/// Returns the findings about an instance, with a note if some were left out.
fn with_rest(mut findings: Vec<Finding<'_>>, is_cut: bool) -> Vec<Finding<'_>> {
    if let (true, Some(name)) = (is_cut, findings.last().map(|last| last.name.clone())) {
        let message = "there are more errors than these (--limits errors=N)";
        findings.push(Finding::new(Level::Note, "errors", &name, message));
    }
    findings
}

/// Formats a file name and a line number.
fn at_line(name: &str, line: Option<usize>) -> String {
    line.map_or_else(|| name.to_owned(), |line| format!("{name}:{line}"))
}

fn record(name: &str, line: Option<usize>, verdict: &str) -> Value {
    let mut record = json!({"file": name, "verdict": verdict});
    if let Some(line) = line {
        record["line"] = line.into();
    }
    record
}

fn error_record((error, finding): (&ValidationError, &Finding<'_>)) -> Value {
    let mut record = json!({
        "instanceLocation": error.instance_path(),
        "keywordLocation": error.evaluation_path(),
        "absoluteKeywordLocation": error.absolute_location(),
        "keyword": error.keyword(),
        "error": error.message(),
    });
    add_position(&mut record, finding);
    record
}

fn add_position(record: &mut Value, finding: &Finding<'_>) {
    if let Some(position) = finding.position() {
        record["line"] = position.line.into();
        record["column"] = position.column.into();
    }
}

fn json_line(record: Value) -> String {
    format!("{record}\n")
}
