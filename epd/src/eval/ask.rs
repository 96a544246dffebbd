//! Queries engines for evaluations.

use std::fmt;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use chess::rules::{CastlingMode, Position};
use crossbeam_channel::{Receiver, Sender};
use kit::Progress;
use uci::grammar::{FenText, Go, PositionCommand, Score as UciScore};
use uci::{Client, Engine, EngineError, SessionEvent, Start, Until};

use super::pattern::{ParsedEvaluation, Pattern};
use crate::run::driver::{Ignored, find_ignored};
use crate::run::plan::PositionLimits;

/// Time limit for the answer that shows whether the command `eval` is supported.
const DETECTION: Duration = Duration::from_secs(5);
/// Time limit for the engine to exit after `quit`.
const GRACE: Duration = Duration::from_millis(500);

#[derive(Clone, Debug)]
pub(crate) enum EvalQuery {
    /// With a command that prints the evaluation, which the pattern extracts.
    Command { command: String, pattern: Pattern },
    /// With a search within these limits, in a new game.
    Search(PositionLimits),
}

impl EvalQuery {
    /// The command `eval` of Stockfish.
    pub(crate) fn eval() -> Self {
        Self::Command {
            command: "eval".to_owned(),
            pattern: Pattern::stockfish(),
        }
    }

    /// With a search of one ply.
    pub(crate) fn one_ply() -> Self {
        Self::Search(PositionLimits {
            depth: Some(1),
            ..PositionLimits::default()
        })
    }
}

impl fmt::Display for EvalQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command { command, .. } => f.write_str(command),
            Self::Search(limits) => limits.fmt(f),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct EvalFailure {
    pub(crate) reason: String,
    /// The transcript before the failure; empty if it is of no help.
    pub(crate) transcript: String,
}

/// An engine that is queried, and restarted after each failure.
struct EngineEvaluator {
    engine: Engine,
    query: EvalQuery,
    /// Time limit per position.
    timeout: Duration,
}

impl EngineEvaluator {
    /// The engine's evaluation of a position; `None` if the run was cancelled.
    fn evaluate(&mut self, position: &Position) -> EvalReply {
        if self.engine.start().cancel.is_set() {
            return None;
        }
        match self.ask(position) {
            Ok(evaluation) => Some(Ok(evaluation)),
            Err(Trouble::Engine(EngineError::Cancelled)) => None,
            Err(trouble) => {
                // It may still answer, and the answer would be taken for that to the next position.
                self.engine.kill();
                Some(Err(EvalFailure {
                    reason: trouble.to_string(),
                    transcript: self.engine.transcript(),
                }))
            }
        }
    }

    fn ask(&mut self, position: &Position) -> Result<ParsedEvaluation, Trouble> {
        let client = self.engine.ready()?;
        let chess960 = position.castling_mode() == CastlingMode::Chess960;
        if chess960 && !client.has_chess960() {
            return Err(Trouble::NeedsChess960);
        }
        client.set_chess960(chess960)?;
        match &self.query {
            EvalQuery::Command { command, pattern } => {
                by_command(client, position, command, pattern, self.timeout)
            }
            EvalQuery::Search(limits) => by_search(client, position, limits.to_go(), self.timeout),
        }
    }
}

impl Drop for EngineEvaluator {
    fn drop(&mut self) {
        self.engine.quit(GRACE);
    }
}

/// Detects whether an engine supports Stockfish's command `eval`; if not, or if it crashes on it,
/// it is queried by searches.
pub(crate) fn detect(start: &Start, timeout: Duration) -> Result<EvalQuery, EvalFailure> {
    let mut engine = Engine::new(start.clone());
    let client = engine.ready().map_err(Trouble::from)?;
    let query = EvalQuery::eval();
    let EvalQuery::Command { command, pattern } = &query else {
        return Ok(query);
    };
    // An engine without the command says nothing, or at once that it is unknown.
    let timeout = timeout.min(DETECTION);
    match by_command(client, &Position::startpos(), command, pattern, timeout) {
        Ok(_) => {
            engine.quit(GRACE);
            Ok(query)
        }
        Err(trouble @ Trouble::Engine(EngineError::Cancelled)) => Err(trouble.into()),
        Err(_) => Ok(EvalQuery::one_ply()),
    }
}

/// How much later than its time limit a search may end.
const MARGIN: Duration = Duration::from_secs(1);

/// The limit of the searches that an engine ignores, if there is one: proved before the first position.
pub(crate) fn find_ignored_by(
    start: &Start,
    query: &EvalQuery,
    timeout: Duration,
) -> Option<Ignored> {
    let EvalQuery::Search(limits) = query else {
        return None;
    };
    // Any other fault is reported with the first position.
    let mut engine = Engine::new(start.clone());
    let client = engine.ready().ok()?;
    let ignored = find_ignored(client, *limits, MARGIN, timeout).ok()?;
    if ignored.is_none() {
        engine.quit(GRACE);
    }
    ignored
}

/// What can go wrong during a query.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("the position needs Chess960, and the engine has no option UCI_Chess960")]
    NeedsChess960,
    #[error("no line answers '{command}' with an evaluation")]
    Unreadable { command: String },
    #[error("the search gave no score")]
    NoScore,
}

impl From<Trouble> for EvalFailure {
    fn from(trouble: Trouble) -> Self {
        Self {
            reason: trouble.to_string(),
            transcript: String::new(),
        }
    }
}

/// Sends the command and reads all lines up to `readyok`; the last one that matches the pattern
/// counts.
fn by_command(
    client: &mut Client,
    position: &Position,
    command: &str,
    pattern: &Pattern,
    timeout: Duration,
) -> Result<ParsedEvaluation, Trouble> {
    let side = position.side_to_move();
    let question = format!("position fen {}", FenText::from(position));
    let answer = client.ask(&[&question, command], Until::Ready, timeout)?;
    let mut lines = answer.iter().rev();
    let found = lines.find_map(|line| pattern.read(line, side));
    found.ok_or_else(|| Trouble::Unreadable {
        command: command.to_owned(),
    })
}

fn by_search(
    client: &mut Client,
    position: &Position,
    go: Go,
    timeout: Duration,
) -> Result<ParsedEvaluation, Trouble> {
    // In a new game the hash table knows nothing of other positions.
    client.new_game(timeout)?;
    let mut last: Option<UciScore> = None;
    let observe = |_: Instant, event: &SessionEvent| {
        if let SessionEvent::Info(info) = event
            && info.multipv.is_none_or(|rank| rank == 1)
            && let Some(score) = info.score
            // A bound is better than nothing, but worse than an exact score.
            && (score.bound.is_none() || last.is_none_or(|known: UciScore| known.bound.is_some()))
        {
            last = Some(score);
        }
    };
    let command = PositionCommand::from(FenText::from(position));
    client.go(command, go, timeout, observe)?;
    let score = last.ok_or(Trouble::NoScore)?;
    Ok(ParsedEvaluation::of_search(score, position.side_to_move()))
}

/// The evaluation of a position; `None` if it was not queried because the run was cancelled.
pub(crate) type EvalReply = Option<Result<ParsedEvaluation, EvalFailure>>;

/// Processes of an engine that evaluate positions; they live until the pool is dropped.
pub(crate) struct EvaluatorPool {
    /// Positions with their indexes; `None` once the pool is being dropped.
    jobs: Option<Sender<(usize, Position)>>,
    answers: Receiver<(usize, EvalReply)>,
    workers: Vec<JoinHandle<()>>,
}

impl EvaluatorPool {
    /// A pool of `concurrency` processes, each started with its first position; a position may take as
    /// long as `timeout`.
    pub(crate) fn new(
        start: &Start,
        query: &EvalQuery,
        timeout: Duration,
        concurrency: usize,
    ) -> Self {
        let (jobs, taken) = crossbeam_channel::unbounded::<(usize, Position)>();
        let (given, answers) = crossbeam_channel::unbounded();
        let worker = || {
            let mut evaluator = EngineEvaluator {
                engine: Engine::new(start.clone()),
                query: query.clone(),
                timeout,
            };
            let (taken, given) = (taken.clone(), given.clone());
            std::thread::spawn(move || {
                for (index, position) in taken {
                    let answer = evaluator.evaluate(&position);
                    if given.send((index, answer)).is_err() {
                        break;
                    }
                }
            })
        };
        Self {
            workers: (0..concurrency).map(|_| worker()).collect(),
            jobs: Some(jobs),
            answers,
        }
    }

    /// The evaluations of these positions, in their order, whatever the number of processes.
    pub(crate) fn evaluate(&self, positions: &[Position], progress: &Progress) -> Vec<EvalReply> {
        let jobs = self.jobs.as_ref().expect("it is not being dropped");
        for (index, position) in positions.iter().enumerate() {
            let sent = jobs.send((index, *position));
            sent.expect("the workers take jobs until the pool is dropped");
        }
        let mut answers = vec![None; positions.len()];
        for _ in positions {
            let (index, answer) = self.answers.recv().expect("every job is answered");
            answers[index] = answer;
            progress.advance(1);
        }
        answers
    }
}

impl Drop for EvaluatorPool {
    fn drop(&mut self) {
        // Workers end when the channel closes.
        self.jobs = None;
        for worker in self.workers.drain(..) {
            // A worker that panicked has reported it.
            let _ = worker.join();
        }
    }
}
