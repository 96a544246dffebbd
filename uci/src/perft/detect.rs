//! Detects an engine's dialect: who it is, and how it is asked for perft.

use std::time::Duration;

use crate::engine::PATIENCE;
use crate::{Client, Engine, EngineError, EngineProtocol, Start};

use super::answer::Failure;
use super::ask::{self, Expected, NoAnswer, Sync, Tried};
use super::calibrate::{Dialect, Lost, Patience, Respondent, Unproved, calibrate};
use super::question::Ask;
use super::wire;

/// Time limit for a question of twenty nodes, unless the way to ask is given.
const FIRST_ANSWER: Duration = Duration::from_secs(3);
/// The same for the less usual ways to ask.
const UNUSUAL: Duration = Duration::from_secs(1);
const USUAL: usize = 3;
/// Time limit for a program's first question, which includes its start.
const FIRST_CALL: Duration = Duration::from_secs(10);
/// Time limit for a known question of some thousand nodes, once an engine has answered one.
const ANSWER: Duration = Duration::from_secs(20);
/// Time limit for `uciok` before the engine is tried without UCI.
const UCIOK: Duration = Duration::from_secs(5);
/// The same for an engine that has printed nothing or answers nothing else: some load slowly.
const LATE_UCIOK: Duration = Duration::from_secs(20);

/// An engine whose dialect is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DetectedEngine {
    /// The name in its `id name`.
    pub name: Option<String>,
    /// The way to ask it and to read its answers.
    pub dialect: Dialect,
    /// Whether it has the option `UCI_Chess960`.
    pub chess960: bool,
}

/// A failed way to ask an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedAttempt {
    /// The way that was tried.
    pub ask: Ask,
    /// A short description of what the engine did instead of counting.
    pub reason: String,
    /// The last question, as lines that begin with `>`, and the last lines of output, with `<`.
    pub raw: Vec<String>,
}

/// The result of dialect detection.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the fields say what they are")]
pub enum Detection {
    /// The engine answers perft.
    Understood(Box<DetectedEngine>),
    /// The engine runs, but its answers are not understood.
    NotUnderstood {
        /// The name in its `id name`.
        name: Option<String>,
        tried: Vec<FailedAttempt>,
    },
    /// The engine does not start, ends before it prints anything, or rejects an option.
    Failed { reason: String },
}

/// Detects how to ask an engine, by calibration. If `ask` is given, only that way is tried, and
/// each question may take as long as `timeout`.
///
/// # Errors
///
/// The failed detection.
pub fn detect(
    start: &Start,
    ask: Option<&Ask>,
    timeout: Duration,
) -> Result<DetectedEngine, Detection> {
    let mut attempt = Detector::new(start.clone(), ask, timeout);
    let detection = attempt.detect();
    if let Err(Detection::NotUnderstood { .. }) = detection
        && attempt.counts_on_stderr
    {
        let mut with_stderr = Detector::new(start.with_stderr(), ask, timeout);
        if let Ok(mut detected) = with_stderr.detect() {
            detected.dialect.read_from_stderr();
            return reject_options(start, detected);
        }
    }
    detection.and_then(|detection| reject_options(start, detection))
}

/// Options can be set only by UCI.
fn reject_options(start: &Start, detected: DetectedEngine) -> Result<DetectedEngine, Detection> {
    match start.options.first() {
        Some((name, _)) if !detected.dialect.is_uci() => Err(Detection::Failed {
            reason: format!("it does not speak UCI and has no option {name}"),
        }),
        _ => Ok(detected),
    }
}

fn failed(reason: &impl ToString) -> Detection {
    Detection::Failed {
        reason: reason.to_string(),
    }
}

/// An engine whose dialect is being detected.
struct Detector {
    start: Start,
    spoken: Vec<Ask>,
    called: Vec<Ask>,
    patience: Patience,
    /// The ways that have failed.
    tried: Vec<FailedAttempt>,
    counts_on_stderr: bool,
}

impl Detector {
    fn new(start: Start, ask: Option<&Ask>, timeout: Duration) -> Self {
        let asks = ask.map_or_else(Ask::known, |ask| vec![ask.clone()]);
        let (called, spoken): (Vec<Ask>, Vec<Ask>) = asks.into_iter().partition(Ask::is_program);
        let first = if called.is_empty() {
            timeout.max(FIRST_ANSWER)
        } else if spoken.is_empty() {
            timeout.max(FIRST_CALL)
        } else {
            FIRST_ANSWER
        };
        let rest = if ask.is_some() {
            timeout.max(FIRST_ANSWER)
        } else {
            timeout.clamp(FIRST_ANSWER, ANSWER)
        };
        Self {
            start,
            spoken,
            called,
            patience: Patience {
                first,
                second: rest.min(ANSWER / 2).max(first),
                rest,
            },
            tried: Vec::new(),
            counts_on_stderr: false,
        }
    }

    fn detect(&mut self) -> Result<DetectedEngine, Detection> {
        if self.spoken.is_empty() {
            return self.by_calls();
        }
        let mut engine = Engine::new(self.start.clone());
        let Err(error) = engine.ready_within(UCIOK) else {
            return self.by_uci(engine);
        };
        let is_mute = |client: &Client| client.process().received_bytes() == 0;
        let is_mute = engine.client().is_none_or(is_mute);
        let not_ready = error.to_string();
        match error {
            EngineError::TimedOut { .. } if is_mute => {
                // An engine that answers nothing is more likely slow than a console.
                match engine.ready_within(LATE_UCIOK) {
                    Ok(_) => self.by_uci(engine),
                    Err(_) => self.by_lines(),
                }
            }
            EngineError::TimedOut { .. } => {
                self.by_lines()
                    .or_else(|nothing| match engine.ready_within(LATE_UCIOK) {
                        Ok(_) => self.by_uci(engine),
                        Err(_) => Err(nothing),
                    })
            }
            EngineError::Ended { .. } | EngineError::ClosedStdout { .. }
                if !self.called.is_empty() =>
            {
                let detection = self.by_calls();
                // It does not answer when called with arguments either, so its immediate exit is
                // the fault.
                detection.map_err(|_| failed(&not_ready))
            }
            _ => Err(failed(&not_ready)),
        }
    }

    /// Tries an engine that is ready.
    fn by_uci(&mut self, engine: Engine) -> Result<DetectedEngine, Detection> {
        let name = engine.client().and_then(|client| client.id().name.clone());
        let chess960 = engine.client().is_some_and(Client::has_chess960);
        let mut talk = Talk::new(engine);
        let asks = self.spoken.clone();
        let result = self.try_all(&mut talk, &asks, chess960, name);
        self.counts_on_stderr |= talk.counts_on_stderr;
        result.map_err(|nothing| nothing.unwrap_or_else(|| failed(&"it printed uciok again")))
    }

    /// Tries a program that does not know UCI, but may answer lines.
    fn by_lines(&mut self) -> Result<DetectedEngine, Detection> {
        let mut talk = Talk::new(Engine::new(self.start.by_lines()));
        let asks = self.spoken.clone();
        let result = self.try_all(&mut talk, &asks, false, None);
        self.counts_on_stderr |= talk.counts_on_stderr;
        match result {
            Ok(detection) => Ok(detection),
            Err(Some(nothing)) => Err(nothing),
            Err(None) => {
                let mut engine = Engine::new(self.start.clone());
                match engine.ready_within(LATE_UCIOK) {
                    Ok(_) => self.by_uci(engine),
                    Err(error) => Err(failed(&error)),
                }
            }
        }
    }

    /// Tries a program that is started once per question.
    fn by_calls(&mut self) -> Result<DetectedEngine, Detection> {
        let mut calls = Calls {
            start: self.start.clone(),
            counts_on_stderr: false,
        };
        let asks = self.called.clone();
        let result = self.try_all(&mut calls, &asks, false, None);
        self.counts_on_stderr |= calls.counts_on_stderr;
        result.map_err(|nothing| nothing.unwrap_or_else(|| failed(&"it printed uciok, unasked")))
    }

    /// Tries several ways in order. The error is the result of the detection, or `None` if a UCI
    /// engine that starts slowly has shown up.
    fn try_all(
        &mut self,
        respondent: &mut dyn Respondent,
        asks: &[Ask],
        chess960: bool,
        name: Option<String>,
    ) -> Result<DetectedEngine, Option<Detection>> {
        let mut stuck = 0;
        for (index, ask) in asks.iter().enumerate() {
            let mut patience = self.patience;
            if index >= USUAL && !ask.is_program() {
                patience.first = patience.first.min(UNUSUAL);
            }
            let (reason, raw) = match calibrate(respondent, ask, chess960, patience) {
                Ok(dialect) => {
                    return Ok(DetectedEngine {
                        name,
                        dialect,
                        chess960,
                    });
                }
                Err(Unproved::LateUciok) => return Err(None),
                Err(Unproved::Cancelled) => return Err(Some(failed(&EngineError::Cancelled))),
                Err(Unproved::Gone(reason)) => return Err(Some(Detection::Failed { reason })),
                Err(Unproved::Stuck { reason }) => {
                    stuck += 1;
                    (reason, Vec::new())
                }
                Err(Unproved::Otherwise { reason, raw }) => (reason, raw),
            };
            let ask = ask.clone();
            self.tried.push(FailedAttempt { ask, reason, raw });
            // An engine that hangs on each of the usual ways will hang on the others.
            if stuck >= USUAL {
                break;
            }
        }
        Err(Some(Detection::NotUnderstood {
            name,
            tried: std::mem::take(&mut self.tried),
        }))
    }
}

/// A running engine, restarted if it has ended.
struct Talk {
    engine: Engine,
    /// Whether the next question is to be asked with `UCI_Chess960`.
    chess960: bool,
    counts_on_stderr: bool,
}

impl Talk {
    fn new(engine: Engine) -> Self {
        Self {
            engine,
            chess960: false,
            counts_on_stderr: false,
        }
    }

    fn is_uci(&self) -> bool {
        self.engine.start().protocol == EngineProtocol::Uci
    }
}

impl Respondent for Talk {
    fn put(
        &mut self,
        question: &[String],
        expected: Expected,
        patience: Duration,
    ) -> Result<Tried, Lost> {
        let (is_uci, sync) = (self.is_uci(), self.sync(false));
        let client = match self.engine.ready_within(PATIENCE) {
            Ok(client) => client,
            Err(EngineError::Cancelled) => return Err(Lost::Cancelled),
            Err(error) => return Err(Lost::Gone(error.to_string())),
        };
        // An engine that does not read is detected when listening.
        let _ = client.set_chess960(self.chess960);
        let mut tried = ask::try_asking(client, question, sync, patience, expected);
        let is_search = tried.as_ref().is_ok_and(|tried| tried.searched);
        let is_mute = tried.as_ref().is_ok_and(|tried| tried.last.is_none());
        if is_uci && (is_search || is_mute) {
            tried = ask::stop(client).and(tried);
        }
        self.counts_on_stderr |= client.counts_on_stderr();
        let lost = match tried {
            Ok(mut tried) => {
                tried.late_uciok &= !is_uci;
                return Ok(tried);
            }
            Err(NoAnswer::Cancelled) => Lost::Cancelled,
            Err(NoAnswer::Ended) => Lost::Ended(client.how_it_ended()),
            Err(NoAnswer::Endless) => Lost::Ended("it did not stop printing".to_owned()),
            Err(NoAnswer::TimedOut) => Lost::Late,
        };
        self.engine.kill();
        Err(lost)
    }

    fn set_chess960(&mut self, on: bool) {
        self.chess960 = on;
    }

    fn sync(&self, ready_came_last: bool) -> Sync {
        match (self.is_uci(), ready_came_last) {
            (false, _) => Sync::Silence,
            (true, false) => Sync::ReadyAtOnce,
            (true, true) => Sync::WhenReady,
        }
    }
}

/// A program that is started once per question.
struct Calls {
    start: Start,
    counts_on_stderr: bool,
}

impl Respondent for Calls {
    fn put(
        &mut self,
        question: &[String],
        expected: Expected,
        patience: Duration,
    ) -> Result<Tried, Lost> {
        let called = wire::call(&self.start, question.to_vec(), patience, expected.moves > 0);
        self.counts_on_stderr |= called.counts_on_stderr;
        match called.lines {
            Ok(lines) => Ok(Tried {
                last: lines.last().cloned(),
                lines,
                ready_came_last: true,
                ..Tried::default()
            }),
            Err(Failure::Cancelled) => Err(Lost::Cancelled),
            Err(Failure::TimedOut { .. }) => Err(Lost::Late),
            Err(failure) => Err(Lost::Ended(match failure {
                Failure::Crashed { how } => how,
                other => other.to_string(),
            })),
        }
    }

    fn set_chess960(&mut self, _: bool) {}

    fn sync(&self, _: bool) -> Sync {
        Sync::Silence
    }
}
