//! A worker: takes pieces, validates them, and reports.

use std::sync::{Mutex, PoisonError};

use stanchion::{Reader, Verdict};
use stanchion_render::{Finding, Level, Source};

use super::feed::{Feed, Job, Piece};
use super::progress::Progress;
use super::report::Report;
use super::schemas::Schemas;
use super::tally::Tally;
use super::turns::{Slot, Turns};
use crate::inputs::Input;
use crate::settings::Bounds;
use crate::source;

/// State that all workers share.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'w> {
    pub(crate) inputs: &'w [Input],
    pub(crate) schemas: &'w Schemas,
    pub(crate) report: &'w Report,
    pub(crate) turns: &'w Turns,
    pub(crate) bounds: &'w Bounds,
    pub(crate) progress: &'w Progress,
    pub(crate) feed: &'w Mutex<Feed<'w>>,
    /// Counts for each file.
    pub(crate) files: &'w Mutex<Vec<Tally>>,
}

/// A worker, with reusable buffers.
pub(crate) struct Worker<'w> {
    shared: Shared<'w>,
    reader: Reader,
    total: Tally,
}

impl<'w> Worker<'w> {
    pub(crate) fn new(shared: Shared<'w>) -> Worker<'w> {
        let reader = Reader::new().text_bytes(shared.bounds.text_bytes.max(shared.bounds.line_bytes));
        Worker { shared, reader, total: Tally::default() }
    }

    /// Works until there are no more pieces, or the output is closed.
    pub(crate) fn work(mut self) -> Tally {
        let Shared { turns, report, progress, feed, .. } = self.shared;
        let mut text = Vec::new();
        while !(turns.is_closed() && report.is_for_stdout()) {
            let job = feed.lock().unwrap_or_else(PoisonError::into_inner).next(&mut text);
            let Some(Job { ticket, input, piece }) = job else { break };
            let mut slot = turns.slot(ticket).beside(progress);
            let mut tally = Tally::default();
            self.piece(&mut slot, &mut tally, input, &piece, &mut text);
            self.total.add(&tally);
            self.count(input, &tally);
        }
        self.total
    }

    /// Adds to the counts of a file. Must run before the slot is dropped, so that the counts are
    /// complete when the end of the file has its turn.
    fn count(&self, input: usize, tally: &Tally) {
        let mut files = self.shared.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = files.get_mut(input) {
            file.add(tally);
        }
    }

    fn piece(
        &mut self,
        slot: &mut Slot<'_>,
        tally: &mut Tally,
        input: usize,
        piece: &Piece,
        text: &mut Vec<u8>,
    ) {
        let Shared { inputs, report, bounds, progress, files, .. } = self.shared;
        let Some(Input { name, .. }) = inputs.get(input) else { return };
        let problem = |message: &str| Finding::new(Level::Error, "unreadable", name, message);
        match piece {
            Piece::Document => match source::read_into(name, text, bounds.text_bytes, progress.bar()) {
                Ok(()) => self.instance(slot, tally, name, None, text),
                Err(why) => report.problem(slot, tally, &problem(&why), None),
            },
            Piece::Lines { first } => self.lines(slot, tally, name, *first, text),
            Piece::TooLong { line } => {
                report.problem(slot, tally, &problem(&too_long(*line, bounds)), Some(*line));
            }
            Piece::Unreadable(why) => report.problem(slot, tally, &problem(why), None),
            Piece::End => {
                slot.wait();
                let files = files.lock().unwrap_or_else(PoisonError::into_inner);
                report.file(slot, name, &files[input]);
            }
        }
    }

    /// Checks lines. Every line that is not blank is an instance.
    fn lines(&mut self, slot: &mut Slot<'_>, tally: &mut Tally, name: &str, first: usize, text: &[u8]) {
        let bounds = self.shared.bounds;
        let mut start = 0;
        let ends =
            memchr::memchr_iter(b'\n', text).chain((text.last() != Some(&b'\n')).then_some(text.len()));
        for (number, end) in (first..).zip(ends) {
            let line = &text[start..end];
            start = end + 1;
            if line.len() > bounds.line_bytes {
                let problem = Finding::new(Level::Error, "unreadable", name, &too_long(number, bounds));
                self.shared.report.problem(slot, tally, &problem, Some(number));
            } else if !line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
                self.instance(slot, tally, name, Some(number), line);
            }
        }
    }

    /// Checks one instance.
    fn instance(
        &mut self,
        slot: &mut Slot<'_>,
        tally: &mut Tally,
        name: &str,
        line: Option<usize>,
        text: &[u8],
    ) {
        let Shared { schemas, report, .. } = self.shared;
        let instance = match self.reader.parse(text) {
            Ok(instance) => instance,
            Err(error) => {
                let text = String::from_utf8_lossy(text);
                let source = Source::new(name, &text).first_line(line.unwrap_or(1));
                return report.problem(slot, tally, &Finding::of_text_error(&error, &source), line);
            }
        };
        let root = instance.root();
        let chosen = schemas.of(root, name);
        let compiled = match &chosen {
            Ok(chosen) => chosen.get(),
            Err(why) => {
                return report.problem(slot, tally, &Finding::new(Level::Error, "schema", name, why), line);
            }
        };
        let Some(compiled) = compiled else { return };
        let validator = &compiled.validator;
        if let Some(output) = report.output {
            return report.evaluation(slot, tally, name, line, output, &validator.evaluate(root));
        }
        match validator.verdict(root) {
            Verdict::Valid => report.valid(slot, tally, name, line),
            Verdict::Invalid => {
                let errors = validator.iter_errors(root);
                // There is a verdict, so the text is JSON and therefore UTF-8.
                let text = std::str::from_utf8(text).unwrap_or_default();
                let source = Source::new(name, text).first_line(line.unwrap_or(1));
                report.invalid(slot, tally, &source, line, &errors, compiled);
            }
            Verdict::Undecided(exhausted) => report.undecided(slot, tally, name, line, exhausted),
        }
    }
}

fn too_long(line: usize, bounds: &Bounds) -> String {
    format!("line {line} has more than {} bytes (line_bytes)", bounds.line_bytes)
}
