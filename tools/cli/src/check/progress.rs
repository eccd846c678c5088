//! How far a long check has come, for whoever sits before a terminal.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::Scope;
use std::time::Duration;

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::inputs::Input;

/// Work that is done sooner shows no progress.
const LONG: Duration = Duration::from_millis(400);

/// What is shown where it is known how much there is to read, and where it is not.
const WITH_END: &str = "{bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
const WITHOUT_END: &str = "{spinner} {bytes}, {bytes_per_sec}, {elapsed}";

/// A bar on standard error, if that is a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    is_wanted: bool,
}

impl Progress {
    /// Nothing is shown yet.
    pub(crate) fn new(inputs: &[Input], is_quiet: bool) -> Progress {
        let known: Option<u64> = inputs.iter().map(|input| input.bytes).sum();
        let bar = ProgressBar::with_draw_target(known, ProgressDrawTarget::hidden());
        let template = if known.is_some() { WITH_END } else { WITHOUT_END };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        Progress { bar, is_wanted: !is_quiet && Term::stderr().is_term() }
    }

    /// What counts the bytes that are read.
    pub(crate) fn bar(&self) -> &ProgressBar {
        &self.bar
    }

    /// Shows the bar once the work has gone on for a while, unless the answer is dropped before.
    pub(crate) fn watch<'s>(&'s self, scope: &'s Scope<'s, '_>) -> Option<Sender<()>> {
        if !self.is_wanted {
            return None;
        }
        let (done, is_done) = mpsc::channel::<()>();
        scope.spawn(move || {
            if is_done.recv_timeout(LONG) == Err(RecvTimeoutError::Timeout) {
                self.bar.set_draw_target(ProgressDrawTarget::stderr());
                self.bar.enable_steady_tick(Duration::from_millis(100));
            }
        });
        Some(done)
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Prints something else, with the bar out of the way.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::Kind;
    use indicatif::InMemoryTerm;

    #[test]
    fn rate_and_time_left_where_the_end_is_known() {
        let terminal = InMemoryTerm::new(5, 100);
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        let style = ProgressStyle::with_template(WITH_END).unwrap();
        let bar = ProgressBar::with_draw_target(Some(4096), target).with_style(style.progress_chars("=> "));
        bar.inc(1024);
        bar.force_draw();
        let shown = terminal.contents();
        assert!(shown.starts_with("=======>") && shown.contains(" 1.00 KiB of 4.00 KiB, "), "{shown}");
        assert!(shown.contains("/s, ") && shown.ends_with(" left"), "{shown}");
    }

    #[test]
    fn no_end_is_known_if_one_input_has_none() {
        assert!(ProgressStyle::with_template(WITHOUT_END).is_ok());
        let input = |bytes| Input { name: String::new(), kind: Kind::Lines, bytes };
        assert_eq!(Progress::new(&[input(Some(1)), input(Some(2))], false).bar().length(), Some(3));
        assert_eq!(Progress::new(&[input(Some(1)), input(None)], false).bar().length(), None);
    }
}
