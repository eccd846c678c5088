//! Output in the order of the input, from many threads.
//!
//! Every piece of work has a number and a [`Slot`] for what it has to say. A slot keeps that until its turn comes, which is when all
//! slots before it are done; or, if it has much to say, waits for its turn and then says it. So the order is that of one thread, and what
//! is kept is bounded.

use std::io::{self, ErrorKind, Stderr, Stdout, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::progress::Progress;

/// How much a slot keeps before it waits.
const KEPT: usize = 1 << 20;

/// Whose turn it is, and what was said.
pub(crate) struct Turns {
    state: Mutex<State>,
    passed: Condvar,
    /// Whether nobody reads standard output any more.
    is_closed: AtomicBool,
    /// Whether all pictures were shown that are to be.
    is_full: AtomicBool,
}

struct State {
    turn: u64,
    stdout: Stdout,
    stderr: Stderr,
    /// Why standard output cannot be written, if it is not for being closed.
    failure: Option<io::Error>,
    has_commas: bool,
    items: u64,
    /// How many more pictures may be shown, and how many were not.
    pictures: usize,
    hidden: u64,
}

/// Something to be said at once.
enum Said {
    /// An answer.
    Answer(String),
    /// An answer among others, with what goes between them.
    Item(String),
    /// A complaint that is a picture.
    Picture(String),
    /// Pictures that were not even drawn.
    Hidden(u64),
}

impl Turns {
    /// Whether items have commas between them, and how many pictures are shown.
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

    /// What is said before everything else.
    pub(crate) fn begin(&self, head: &str) {
        self.state().write(head, self);
    }

    /// A picture that is shown before all others and not counted among them.
    pub(crate) fn warn(&self, picture: &str) {
        drop(self.state().stderr.write_all(picture.as_bytes()));
    }

    /// What is said after everything else.
    pub(crate) fn end(&self, tail: String) {
        let mut state = self.state();
        state.write(&tail, self);
        state.flush(self);
    }

    /// The place of a piece of work. Places are taken in order, or waiting would not end.
    pub(crate) fn slot(&self, ticket: u64) -> Slot<'_> {
        Slot { turns: self, progress: None, ticket, kept: Vec::new(), bytes: 0 }
    }

    /// Whether there is nobody left to tell.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    /// How many pictures were not shown.
    pub(crate) fn hidden(&self) -> u64 {
        self.state().hidden
    }

    /// What went wrong with the output. A reader who has seen enough is nothing wrong.
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
                // If nobody can be told, the exit code still speaks.
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

/// What one piece of work has to say. When it is dropped, it is said, and the next has its turn.
pub(crate) struct Slot<'t> {
    turns: &'t Turns,
    progress: Option<&'t Progress>,
    ticket: u64,
    kept: Vec<Said>,
    bytes: usize,
}

impl<'t> Slot<'t> {
    /// The same, with a bar that must get out of the way.
    pub(crate) fn beside(mut self, progress: &'t Progress) -> Slot<'t> {
        self.progress = Some(progress);
        self
    }

    /// An answer, with its line feed.
    pub(crate) fn answer(&mut self, text: String) {
        self.keep(Said::Answer(text));
    }

    /// An answer that is one of a list.
    pub(crate) fn item(&mut self, text: String) {
        self.keep(Said::Item(text));
    }

    /// Whether no more pictures are shown.
    pub(crate) fn is_full(&self) -> bool {
        self.turns.is_full.load(Ordering::Relaxed)
    }

    /// Complaints that are counted, and not drawn.
    pub(crate) fn hide(&mut self, count: usize) {
        self.keep(Said::Hidden(count as u64));
    }

    /// Complaints as pictures. If enough were shown, they are counted and not drawn.
    pub(crate) fn pictures<I>(&mut self, items: &[I], draw: impl Fn(&I) -> String) {
        for (index, item) in items.iter().enumerate() {
            if self.is_full() {
                return self.hide(items.len() - index);
            }
            self.keep(Said::Picture(draw(item)));
        }
    }

    /// Waits until all before this have said what they had to say.
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
            // A long row of instances that are not shown takes no room.
            (Said::Hidden(more), Some(Said::Hidden(count))) => {
                *count += more;
                return;
            }
            (Said::Answer(text) | Said::Item(text) | Said::Picture(text), _) => self.bytes += text.len(),
            (Said::Hidden(_), _) => {}
        }
        self.kept.push(said);
        if self.bytes > KEPT {
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
