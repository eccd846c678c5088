//! Draws a finding for a terminal: the sentence, the text, and the place marked in it.
//!
//! codespan-reporting lays out gutters, marks and labels. It takes line and column from us, so it
//! can draw a short [`excerpt`](crate::excerpt) without hidden characters and still print its
//! position in the whole text.

use std::ops::Range;

use codespan_reporting::diagnostic::{Diagnostic, Label, Severity};
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term::termcolor::{Ansi, NoColor};
use codespan_reporting::term::{self, Config};

use crate::excerpt::{Excerpt, excerpt};
use crate::finding::{Finding, Level, Mark, shown_pointer};
use crate::source::Position;
use crate::visible;

/// Settings for drawing findings.
///
/// ```
/// use stanchion_render::{Finding, Pictures, Source};
/// let validator = stanchion::Validator::new(&serde_json::json!({"items": {"minimum": 1}}))?;
/// let text = "[3, 0]";
/// let errors: Vec<_> = validator.iter_errors(&serde_json::from_str::<serde_json::Value>(text)?).collect();
/// let instance = Source::new("numbers.json", text);
/// let findings = Finding::of_errors(&errors, &instance, None);
/// assert_eq!(Pictures::plain().draw(&findings[0]), "\
/// error[minimum]: 0 is less than the minimum 1
///   ┌─ numbers.json:1:5
///   │
/// 1 │ [3, 0]
///   │     ^ /1
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pictures {
    is_colored: bool,
    columns: usize,
}

impl Pictures {
    /// Returns settings without colors.
    pub fn plain() -> Pictures {
        Pictures { is_colored: false, columns: 100 }
    }

    /// Returns settings with colors, as ANSI escape sequences.
    pub fn colored() -> Pictures {
        Pictures { is_colored: true, columns: 100 }
    }

    /// Sets the widest line of a text, by default 100 columns. A longer one is cut around its mark.
    #[must_use]
    pub fn columns(mut self, columns: usize) -> Pictures {
        self.columns = columns.max(20);
        self
    }

    /// Draws a finding, as lines of text.
    pub fn draw(&self, finding: &Finding<'_>) -> String {
        let mut excerpts = Excerpts(Vec::new());
        let mut labels = Vec::new();
        for marks in lines(&finding.marks) {
            let id = excerpts.0.len();
            let (shown, spans) = self.line(&marks);
            excerpts.0.push(shown);
            for (span, mark) in spans.into_iter().zip(marks) {
                let label =
                    if labels.is_empty() { Label::primary(id, span) } else { Label::secondary(id, span) };
                labels.push(label.with_message(visible(&mark.label)));
            }
        }
        let severity = match finding.level {
            Level::Error => Severity::Error,
            Level::Warning => Severity::Warning,
            Level::Note => Severity::Note,
        };
        let diagnostic = Diagnostic::new(severity)
            .with_message(title(finding))
            .with_code(visible(&finding.rule))
            .with_labels(labels)
            .with_notes(finding.help.iter().map(|help| format!("help: {}", visible(help))).collect());
        self.write(&excerpts, &diagnostic)
    }

    /// Returns a line of a text as it is shown, and the offsets of its marks.
    fn line(&self, marks: &[&Mark<'_>]) -> (Shown, Vec<Range<usize>>) {
        let source = marks[0].source;
        let position = source.position(marks[0].span.start);
        let spans: Vec<_> = marks.iter().map(|mark| mark.span.clone()).collect();
        let Excerpt { text, marks } = excerpt(source, &spans, self.columns);
        (Shown { name: visible(source.name()), text, position }, marks)
    }

    fn write(&self, excerpts: &Excerpts, diagnostic: &Diagnostic<usize>) -> String {
        let config = Config::default();
        let mut picture = Vec::new();
        let written = if self.is_colored {
            term::emit_to_write_style(&mut Ansi::new(&mut picture), &config, excerpts, diagnostic)
        } else {
            term::emit_to_write_style(&mut NoColor::new(&mut picture), &config, excerpts, diagnostic)
        };
        // Writing to memory cannot fail, and every label is in its excerpt.
        debug_assert!(written.is_ok(), "{written:?}");
        let picture = String::from_utf8_lossy(&picture);
        let mut whole: String = picture.lines().map(|line| format!("{}\n", line.trim_end())).collect();
        whole.truncate(1 + whole.trim_end().len());
        whole
    }
}

/// Returns the sentence, with the place if there is no text to show it in.
fn title(finding: &Finding<'_>) -> String {
    let place = match (&finding.marks[..], &finding.pointer) {
        ([_, ..], _) => String::new(),
        ([], None) => format!("{}: ", finding.name),
        ([], Some(pointer)) => format!("{}: {}: ", finding.name, shown_pointer(pointer)),
    };
    visible(&format!("{place}{}", finding.message))
}

/// The lines that a picture shows, each as a separate file for codespan-reporting.
struct Excerpts(Vec<Shown>);

struct Shown {
    name: String,
    text: String,
    /// Position of the first mark in the whole text.
    position: Position,
}

impl Excerpts {
    fn get(&self, id: usize) -> Result<&Shown, Error> {
        self.0.get(id).ok_or(Error::FileMissing)
    }
}

impl<'e> Files<'e> for Excerpts {
    type FileId = usize;
    type Name = &'e str;
    type Source = &'e str;

    fn name(&'e self, id: usize) -> Result<&'e str, Error> {
        Ok(&self.get(id)?.name)
    }

    fn source(&'e self, id: usize) -> Result<&'e str, Error> {
        Ok(&self.get(id)?.text)
    }

    fn line_index(&self, _: usize, _: usize) -> Result<usize, Error> {
        Ok(0)
    }

    fn line_number(&self, id: usize, _: usize) -> Result<usize, Error> {
        Ok(self.get(id)?.position.line)
    }

    fn column_number(&self, id: usize, _: usize, _: usize) -> Result<usize, Error> {
        Ok(self.get(id)?.position.column)
    }

    fn line_range(&self, id: usize, _: usize) -> Result<Range<usize>, Error> {
        Ok(0..self.get(id)?.text.len())
    }
}

/// Groups the marks by line, in the order of the first mark of each.
fn lines<'m, 's>(marks: &'m [Mark<'s>]) -> Vec<Vec<&'m Mark<'s>>> {
    let mut lines: Vec<Vec<&Mark<'_>>> = Vec::new();
    for mark in marks {
        let start = mark.source.line_start(mark.span.start);
        let same = lines.iter_mut().find(|line| {
            std::ptr::eq(line[0].source, mark.source) && mark.source.line_start(line[0].span.start) == start
        });
        match same {
            Some(line) => line.push(mark),
            None => lines.push(vec![mark]),
        }
    }
    lines
}
