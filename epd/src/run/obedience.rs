//! Proof, before the first position, that an engine obeys its limits: one that ignores them would cost
//! the time limit at each position, without a word.

use std::fmt;
use std::time::{Duration, Instant};

use uci::grammar::Go;
use uci::obedience::{self, Disobedience, Disobeyed, ObedienceTrial, SearchExtent, TrialSearch};
use uci::{Client, EngineError, SessionEvent, Wait};

use super::plan::PositionLimits;

/// The longest time per search that is tried.
const MOST_TIME: Duration = Duration::from_millis(100);
/// The most time for a search that is to end at nodes or a depth.
const MOST_WAIT: Duration = Duration::from_secs(10);
/// Time allowed for the best move after `stop`.
const STOP_GRACE: Duration = Duration::from_secs(4);
/// Time allowed for preparing a game.
const PATIENCE: Duration = Duration::from_secs(30);
/// The longest wait until it is looked at again whether a search is overdue.
const SLICE: Duration = Duration::from_millis(100);

/// The kinds of limits on the command line.
const OPTIONS: [&str; 3] = ["--nodes", "--depth", "--movetime"];

/// A limit that an engine ignores.
pub(crate) struct Ignored {
    fault: Disobedience,
    /// The options of the other kinds of limits.
    others: Vec<&'static str>,
}

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it {}", self.fault)
    }
}

impl Ignored {
    /// What is wrong, and what to do if the limits are those of the command line.
    pub(crate) fn with_remedy(&self) -> String {
        if let Some(fitting) = self.fault.how.fitting_margin() {
            return format!("{self}: a fitting margin is --margin {fitting}ms");
        }
        let others = self.others.join(", ");
        format!("{self}: choose a limit that it keeps ({others})")
    }
}

enum ObedienceFailure {
    Engine(EngineError),
    Disobeyed {
        command: String,
        seen: SearchExtent,
        how: Disobeyed,
    },
}

impl From<EngineError> for ObedienceFailure {
    fn from(error: EngineError) -> Self {
        Self::Engine(error)
    }
}

/// Searches with each of the limits, in small, and returns the first that the engine
/// ignores. A move may be late by `margin`, and a search without a time limit may take `timeout`.
///
/// # Errors
///
/// When the engine fails otherwise: searches will reveal that.
pub(crate) fn find_ignored(
    client: &mut Client,
    limits: PositionLimits,
    margin: Duration,
    timeout: Duration,
) -> Result<Option<Ignored>, EngineError> {
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1);
    let movetime = limits.time.map(ms);
    for trial in ObedienceTrial::trials(limits.nodes, limits.depth, movetime, ms(MOST_TIME)) {
        let tried = trial.repeat(margin, || try_once(client, &trial, timeout.min(MOST_WAIT)));
        let (command, seen, how) = match tried {
            Ok(None) => continue,
            Ok(Some(how)) => (command_of(&trial.go), SearchExtent::default(), how),
            Err(ObedienceFailure::Disobeyed { command, seen, how }) => (command, seen, how),
            Err(ObedienceFailure::Engine(error)) => return Err(error),
        };
        let fault = Disobedience {
            command,
            asked: command_of(&trial.asked),
            awaited: Wait::BestMove,
            seen,
            how,
        };
        let is_tried = [
            trial.go.nodes.is_some(),
            trial.go.depth.is_some(),
            trial.go.movetime_ms.is_some(),
        ];
        let others = OPTIONS.iter().zip(is_tried).filter(|(_, tried)| !tried);
        let others = others.map(|(option, _)| *option).collect();
        return Ok(Some(Ignored { fault, others }));
    }
    Ok(None)
}

fn command_of(go: &Go) -> String {
    format!("go{go}")
}

/// Searches, and returns the time that the move took.
fn try_once(
    client: &mut Client,
    trial: &ObedienceTrial,
    wait: Duration,
) -> Result<Duration, ObedienceFailure> {
    client.new_game(PATIENCE)?;
    let since = client.start_search(obedience::position(), trial.go.clone(), Duration::MAX)?;
    let mut search = TrialSearch::new(trial, since, wait);
    loop {
        let at = match client.next_event(now() + SLICE)? {
            Some((at, SessionEvent::BestMove { .. })) => {
                if let Some(longer) = search.longer(trial) {
                    return try_once(client, &longer, wait);
                }
                if search.is_beyond() || search.is_short() {
                    let (command, seen, how) =
                        (command_of(&trial.go), search.seen, Disobeyed::Moved);
                    return Err(ObedienceFailure::Disobeyed { command, seen, how });
                }
                return Ok(search.took(at));
            }
            Some((at, SessionEvent::Info(info))) => {
                search.report(at, SearchExtent::from(&*info));
                at
            }
            Some((at, _)) => at,
            None => now(),
        };
        if search.is_overdue(at) {
            let waited = search.took(now());
            client.stop(STOP_GRACE)?;
            let stops = moves(client)?;
            let how = Disobeyed::Unanswered { waited, stops };
            let (command, seen) = (command_of(&trial.go), search.seen);
            return Err(ObedienceFailure::Disobeyed { command, seen, how });
        }
    }
}

/// Whether it moves after `stop`.
fn moves(client: &mut Client) -> Result<bool, EngineError> {
    let deadline = now() + STOP_GRACE;
    loop {
        match client.next_event(deadline) {
            Ok(Some((_, SessionEvent::BestMove { .. }))) => return Ok(true),
            Ok(Some(_)) => {}
            Ok(None) | Err(EngineError::TimedOut { .. }) => return Ok(false),
            Err(error) => return Err(error),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
fn now() -> Instant {
    Instant::now()
}
