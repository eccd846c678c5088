//! `stanchion completions` and `stanchion man`: completions for shells and manual pages, generated
//! from the arguments.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::{Outcome, console};

/// Print completions for a shell
///
/// Put them where the shell looks for them: `stanchion completions bash >
/// ~/.local/share/bash-completion/completions/stanchion`, `stanchion completions zsh >
/// ~/.zfunc/_stanchion`, `stanchion completions fish > ~/.config/fish/completions/stanchion.fish`.
#[derive(Args)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

/// Print the manual page, or write one for each command
#[derive(Args)]
pub(crate) struct Manual {
    /// A directory for `stanchion.1`, `stanchion-check.1` and so on; without it, `stanchion.1` is
    /// printed
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Runs `completions`.
pub(crate) fn run(arguments: &Completions) -> Result<Outcome, Box<dyn Error>> {
    let mut command = crate::Arguments::command();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "stanchion", &mut script);
    console::write(&script)?;
    Ok(Outcome::Good)
}

/// Runs `man`.
pub(crate) fn manual(arguments: &Manual) -> Result<Outcome, Box<dyn Error>> {
    // The long form of `--version` has several lines, but the header of a manual page has one.
    let command = crate::Arguments::command().long_version(env!("CARGO_PKG_VERSION"));
    match &arguments.folder {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            console::write(&page)?;
        }
        Some(folder) => {
            let place = |error| format!("{}: {error}", folder.display());
            fs::create_dir_all(folder).map_err(place)?;
            clap_mangen::generate_to(command, folder).map_err(place)?;
        }
    }
    Ok(Outcome::Good)
}
