//! A progress bar for a long check, on a terminal.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::Scope;
use std::time::Duration;

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::inputs::Input;

/// Work that ends sooner shows no progress.
const DELAY: Duration = Duration::from_millis(400);

/// Templates for a known amount to read, and for an unknown one.
const WITH_END: &str = "{bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
const WITHOUT_END: &str = "{spinner} {bytes}, {bytes_per_sec}, {elapsed}";

/// A progress bar on standard error, if that is a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    is_wanted: bool,
}

impl Progress {
    /// Makes a bar that is still hidden.
    pub(crate) fn new(inputs: &[Input], is_quiet: bool) -> Progress {
        let known: Option<u64> = inputs.iter().map(|input| input.bytes).sum();
        let bar = ProgressBar::with_draw_target(known, ProgressDrawTarget::hidden());
        let template = if known.is_some() { WITH_END } else { WITHOUT_END };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        Progress { bar, is_wanted: !is_quiet && Term::stderr().is_term() }
    }

    /// Returns the bar, which counts the bytes that are read.
    pub(crate) fn bar(&self) -> &ProgressBar {
        &self.bar
    }

    /// Shows the bar after a while, unless the returned sender is dropped before.
    pub(crate) fn watch<'s>(&'s self, scope: &'s Scope<'s, '_>) -> Option<Sender<()>> {
        if !self.is_wanted {
            return None;
        }
        let (done, is_done) = mpsc::channel::<()>();
        scope.spawn(move || {
            if is_done.recv_timeout(DELAY) == Err(RecvTimeoutError::Timeout) {
                self.bar.set_draw_target(ProgressDrawTarget::stderr());
                self.bar.enable_steady_tick(Duration::from_millis(100));
            }
        });
        Some(done)
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Prints something else while the bar is hidden.
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
