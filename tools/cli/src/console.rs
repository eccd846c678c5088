//! Printing: results to standard output, errors to standard error, one line each, unless they are
//! pictures.

use std::io::{self, ErrorKind, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;
use console::Term;
use stanchion_render::{Pictures, visible};

/// When to print colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless the environment says otherwise (NO_COLOR, CLICOLOR, CLICOLOR_FORCE)
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Whether to color standard output.
    pub(crate) fn on_stdout(self) -> bool {
        self.is_on(AutoStream::choice(&io::stdout()))
    }

    /// Whether to color standard error.
    pub(crate) fn on_stderr(self) -> bool {
        self.is_on(AutoStream::choice(&io::stderr()))
    }

    fn is_on(self, found: ColorChoice) -> bool {
        match self {
            Color::Auto => !matches!(found, ColorChoice::Never),
            Color::Always => true,
            Color::Never => false,
        }
    }

    /// Returns the settings for pictures on standard error: as wide as the terminal, if it is one.
    pub(crate) fn pictures(self) -> Pictures {
        let pictures = if self.on_stderr() { Pictures::colored() } else { Pictures::plain() };
        match Term::stderr().size_checked() {
            // The line number and a border are to the left.
            Some((_, columns)) if columns > 0 && io::stderr().is_terminal() => {
                pictures.columns(usize::from(columns).saturating_sub(10))
            }
            Some(_) | None => pictures,
        }
    }
}

/// Prints a line to standard output. A reader that closes it early (`| head`) is not an error.
pub(crate) fn say(line: &str) -> io::Result<()> {
    match writeln!(io::stdout(), "{}", visible(line)) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Writes bytes for programs to standard output. A reader that closes it early is not an error.
pub(crate) fn write(bytes: &[u8]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    match output.write_all(bytes).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Prints a line to standard error. If that fails, the exit code is left.
pub(crate) fn complain(line: &str) {
    drop(writeln!(io::stderr(), "{}", visible(line)));
}
