//! A contest: every contestant has a turn in each round, and its least time counts.

use std::hint::black_box;
use std::time::{Duration, Instant};

use stanchion_benches::clock::cpu_time;

use super::options::Options;
use super::validators::Peer;

/// Shortest duration of a turn.
const TURN: Duration = Duration::from_millis(1);

/// Fewest rounds, however long they take.
const ROUNDS: usize = 5;

/// A contestant. `pass` does the work once and returns how many instances or schemas went through.
pub(crate) struct Contestant<'a> {
    peer: Peer,
    pass: Box<dyn FnMut() -> usize + 'a>,
    /// Passes in a turn.
    passes: u32,
    /// The least time of a pass.
    least: Duration,
}

impl<'a> Contestant<'a> {
    pub(crate) fn new(peer: Peer, pass: impl FnMut() -> usize + 'a) -> Contestant<'a> {
        Contestant { peer, pass: Box::new(pass), passes: 1, least: Duration::MAX }
    }

    fn turn(&mut self) {
        let start = cpu_time();
        for _ in 0..self.passes {
            black_box((self.pass)());
        }
        let time = cpu_time().saturating_sub(start);
        self.least = self.least.min(time / self.passes);
    }
}

/// Returns the nanoseconds of a pass, by contestant. Fails if their results differ.
pub(crate) fn run(
    mut contestants: Vec<Contestant<'_>>,
    options: &Options,
) -> Result<Vec<(Peer, f64)>, String> {
    let results: Vec<usize> = contestants.iter_mut().map(|contestant| (contestant.pass)()).collect();
    if results.iter().any(|&result| result != results[0]) {
        return Err(format!("the validators came to different counts: {results:?}"));
    }
    for contestant in &mut contestants {
        contestant.turn();
        let least = contestant.least.max(Duration::from_nanos(50));
        contestant.passes = u32::try_from(TURN.as_nanos() / least.as_nanos()).unwrap_or(u32::MAX) + 1;
    }
    let start = Instant::now();
    for round in 0..options.rounds.max(1) {
        if round >= ROUNDS && start.elapsed() > options.time {
            break;
        }
        for at in 0..contestants.len() {
            // Rotate, so that nobody always comes after the slowest.
            let at = (at + round) % contestants.len();
            contestants[at].turn();
        }
    }
    Ok(contestants.iter().map(|contestant| (contestant.peer, contestant.least.as_nanos() as f64)).collect())
}
