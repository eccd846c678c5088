//! Options from the command line and the environment.

use std::env;
use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use super::results::{Group, Stage};
use super::validators::Peer;

/// Options of a comparison.
pub(crate) struct Options {
    only: String,
    stages: Vec<Stage>,
    pub(crate) peers: Vec<Peer>,
    pub(crate) rounds: usize,
    pub(crate) time: Duration,
    /// Copies of each instance, for `--limits`.
    pub(crate) copies: usize,
    /// File name of the schema in each directory of the corpus.
    pub(crate) schema: Option<String>,
    /// The directory of the corpus.
    pub(crate) corpus: Option<PathBuf>,
    pub(crate) tools: Option<PathBuf>,
    pub(crate) json: Option<PathBuf>,
    pub(crate) svg: Option<PathBuf>,
}

impl Options {
    pub(crate) fn read(words: Vec<String>) -> Result<Options, Box<dyn Error>> {
        let mut options = Options {
            only: String::new(),
            stages: Stage::ALL.to_vec(),
            peers: Peer::ALL.to_vec(),
            rounds: 150,
            time: Duration::from_secs(2),
            copies: 16,
            schema: None,
            corpus: env::var_os("STANCHION_CORPUS").map(PathBuf::from),
            tools: None,
            json: None,
            svg: None,
        };
        let mut words = words.into_iter();
        while let Some(option) = words.next() {
            let mut value = || words.next().ok_or(format!("{option}: expected a value after it"));
            match option.as_str() {
                "--only" => options.only = value()?,
                "--stages" => options.stages = list(&option, &value()?, Stage::by_name)?,
                "--peers" => {
                    options.peers = list(&option, &value()?, Peer::by_name)?;
                    options.peers.insert(0, Peer::Stanchion);
                    options.peers.dedup();
                }
                "--rounds" => options.rounds = number(&option, &value()?)?,
                "--seconds" => {
                    let seconds: f64 = number(&option, &value()?)?;
                    options.time = Duration::try_from_secs_f64(seconds)
                        .map_err(|error| format!("{option}: {seconds}: {error}"))?;
                }
                "--copies" => options.copies = number::<usize>(&option, &value()?)?.max(1),
                "--schema" => options.schema = Some(value()?),
                "--tools" => options.tools = Some(value()?.into()),
                "--json" => options.json = Some(value()?.into()),
                "--svg" => options.svg = Some(value()?.into()),
                _ => {
                    return Err(
                        format!("{option}: no such option; the source of this program lists them").into()
                    );
                }
            }
        }
        Ok(options)
    }

    /// Whether a set is to be run.
    pub(crate) fn wants(&self, group: Group, name: &str) -> bool {
        format!("{}/{name}", group.name()).contains(&self.only)
    }

    /// Whether a stage is to be run.
    pub(crate) fn has(&self, stage: Stage) -> bool {
        self.stages.contains(&stage)
    }
}

fn number<T: std::str::FromStr>(option: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{option}: expected a number, found {text:?}"))
}

/// Parses a list of names, separated by commas.
fn list<T>(option: &str, text: &str, by_name: fn(&str) -> Option<T>) -> Result<Vec<T>, String> {
    text.split(',')
        .map(|name| by_name(name).ok_or(format!("{option}: {name:?} is none of the choices")))
        .collect()
}
