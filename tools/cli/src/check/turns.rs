//! Output in the order of the input, from many threads.
//!
//! Every piece of work has a number and a [`Slot`] for its output. A slot keeps the output until
//! its turn comes, which is when all earlier slots are done. A slot with much output waits for its
//! turn and then writes directly. So the order is that of one thread, and the memory is bounded.

use std::io::{self, ErrorKind, Stderr, Stdout, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::progress::Progress;

/// Bytes that a slot keeps before it waits.
const MAX_KEPT: usize = 1 << 20;

/// State of the output: whose turn it is, and what was written.
pub(crate) struct Turns {
    state: Mutex<State>,
    passed: Condvar,
    /// Whether standard output was closed by its reader.
    is_closed: AtomicBool,
    /// Whether the maximum of pictures was shown.
    is_full: AtomicBool,
}

struct State {
    turn: u64,
    stdout: Stdout,
    stderr: Stderr,
    /// Error of writing to standard output, except that it is closed.
    failure: Option<io::Error>,
    has_commas: bool,
    items: u64,
    /// How many more pictures may be shown, and how many were not.
    pictures: usize,
    hidden: u64,
}

/// An output.
enum Said {
    /// A line of results.
    Answer(String),
    /// A result in a list, to be separated from others.
    Item(String),
    /// A picture, for standard error.
    Picture(String),
    /// Pictures that were not drawn.
    Hidden(u64),
}

impl Turns {
    /// Takes whether items are separated by commas, and how many pictures to show.
    pub(crate) fn new(has_commas: bool, pictures: usize) -> Turns {
        Turns {
            state: Mutex::new(State {
                turn: 0,
                stdout: io::stdout(),
                stderr: io::stderr(),
                failure: None,
                has_commas,
                items: 0,
                pictures,
                hidden: 0,
            }),
            passed: Condvar::new(),
            is_closed: AtomicBool::new(false),
            is_full: AtomicBool::new(pictures == 0),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the beginning of the output.
    pub(crate) fn begin(&self, head: &str) {
        self.state().write(head, self);
    }

    /// Shows a picture before all others, which does not count among them.
    pub(crate) fn warn(&self, picture: &str) {
        drop(self.state().stderr.write_all(picture.as_bytes()));
    }

    /// Writes the end of the output.
    pub(crate) fn end(&self, tail: String) {
        let mut state = self.state();
        state.write(&tail, self);
        state.flush(self);
    }

    /// Returns the slot of a piece of work. Slots must be taken in order, or waiting would not end.
    pub(crate) fn slot(&self, ticket: u64) -> Slot<'_> {
        Slot { turns: self, progress: None, ticket, kept: Vec::new(), bytes: 0 }
    }

    /// Whether standard output is closed.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    /// Returns how many pictures were not shown.
    pub(crate) fn hidden(&self) -> u64 {
        self.state().hidden
    }

    /// Returns the error of writing to standard output. A reader that closes it early is not an
    /// error.
    pub(crate) fn failure(&self) -> Option<io::Error> {
        self.state().failure.take()
    }
}

impl State {
    fn say(&mut self, said: &Said, turns: &Turns) {
        match said {
            Said::Answer(text) => self.write(text, turns),
            Said::Item(text) => {
                if self.has_commas && self.items > 0 {
                    self.write(",\n", turns);
                }
                self.items += 1;
                self.write(text, turns);
            }
            Said::Picture(_) if self.pictures == 0 => self.hidden += 1,
            Said::Picture(text) => {
                self.pictures -= 1;
                turns.is_full.store(self.pictures == 0, Ordering::Relaxed);
                self.flush(turns);
                // If standard error cannot be written, the exit code is left.
                drop(self.stderr.write_all(text.as_bytes()));
            }
            Said::Hidden(count) => self.hidden += count,
        }
    }

    fn write(&mut self, text: &str, turns: &Turns) {
        let written = self.stdout.write_all(text.as_bytes());
        self.note(written, turns);
    }

    fn flush(&mut self, turns: &Turns) {
        let flushed = self.stdout.flush();
        self.note(flushed, turns);
    }

    fn note(&mut self, written: io::Result<()>, turns: &Turns) {
        if let Err(error) = written {
            turns.is_closed.store(true, Ordering::Relaxed);
            if error.kind() != ErrorKind::BrokenPipe {
                self.failure.get_or_insert(error);
            }
        }
    }
}

/// Output of one piece of work. Dropping it writes the rest and gives the next one its turn.
pub(crate) struct Slot<'t> {
    turns: &'t Turns,
    progress: Option<&'t Progress>,
    ticket: u64,
    kept: Vec<Said>,
    bytes: usize,
}

impl<'t> Slot<'t> {
    /// Sets a progress bar to hide while printing.
    pub(crate) fn beside(mut self, progress: &'t Progress) -> Slot<'t> {
        self.progress = Some(progress);
        self
    }

    /// Writes a result, with its line feed.
    pub(crate) fn answer(&mut self, text: String) {
        self.keep(Said::Answer(text));
    }

    /// Writes a result that is one of a list.
    pub(crate) fn item(&mut self, text: String) {
        self.keep(Said::Item(text));
    }

    /// Whether no more pictures are shown.
    pub(crate) fn is_full(&self) -> bool {
        self.turns.is_full.load(Ordering::Relaxed)
    }

    /// Counts pictures without drawing them.
    pub(crate) fn hide(&mut self, count: usize) {
        self.keep(Said::Hidden(count as u64));
    }

    /// Draws pictures. If enough were shown, counts them without drawing.
    pub(crate) fn pictures<I>(&mut self, items: &[I], draw: impl Fn(&I) -> String) {
        for (index, item) in items.iter().enumerate() {
            if self.is_full() {
                return self.hide(items.len() - index);
            }
            self.keep(Said::Picture(draw(item)));
        }
    }

    /// Waits until all earlier slots are done.
    pub(crate) fn wait(&mut self) {
        let waiting = self.turns.passed.wait_while(self.turns.state(), |state| state.turn < self.ticket);
        let mut state = waiting.unwrap_or_else(PoisonError::into_inner);
        let kept = std::mem::take(&mut self.kept);
        self.bytes = 0;
        if kept.is_empty() {
            return;
        }
        let mut say = || kept.iter().for_each(|said| state.say(said, self.turns));
        match self.progress {
            Some(progress) => progress.aside(say),
            None => say(),
        }
        state.flush(self.turns);
    }

    fn keep(&mut self, said: Said) {
        self.bytes += size_of::<Said>();
        match (&said, self.kept.last_mut()) {
            // A long row of hidden pictures takes no memory.
            (Said::Hidden(more), Some(Said::Hidden(count))) => {
                *count += more;
                return;
            }
            (Said::Answer(text) | Said::Item(text) | Said::Picture(text), _) => self.bytes += text.len(),
            (Said::Hidden(_), _) => {}
        }
        self.kept.push(said);
        if self.bytes > MAX_KEPT {
            self.wait();
        }
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        self.wait();
        self.turns.state().turn = self.ticket + 1;
        self.turns.passed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn turns_come_in_order_whoever_is_first() {
        let turns = Turns::new(false, 0);
        let order = Mutex::new(Vec::new());
        let next = Mutex::new(0..200);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    loop {
                        let Some(ticket) = next.lock().unwrap().next() else { break };
                        let mut slot = turns.slot(ticket);
                        if ticket % 3 == 0 {
                            thread::yield_now();
                        }
                        slot.wait();
                        order.lock().unwrap().push(ticket);
                    }
                });
            }
        });
        assert_eq!(order.into_inner().unwrap(), (0..200).collect::<Vec<u64>>());
    }
}
