//! An engine with a known dialect: started at the first question, and restarted after failures.

use std::num::NonZeroU32;
use std::time::Duration;

use crate::engine::PATIENCE;
use crate::process::now;
use crate::{Engine, EngineError, Start};
use chess::rules::{CastlingMode, Position};

use super::answer::{Answer, Failure, Route};
use super::ask::{AnswerEnd, NoAnswer, Port as _, Question, has_digit, is_error};
use super::calibrate::Dialect;
use super::detect::DetectedEngine;
use super::lists::{MoveLists, MoveSource, NoList};
use super::wire;

/// Number of lines to report of an unreadable answer.
const EXCERPT: usize = 4;

/// An engine that answers perft questions.
pub struct Driver<'a> {
    engine: Engine,
    dialect: &'a Dialect,
    /// Whether it has the option `UCI_Chess960`.
    chess960: bool,
    /// Time limit for a question, or for several together.
    timeout: Duration,
    /// Remaining time of questions with a common limit.
    left: Option<Duration>,
    /// The transcript up to the last failure.
    transcript: String,
}

impl<'a> Driver<'a> {
    /// An engine that has not been started yet.
    pub fn new(start: &Start, detected: &'a DetectedEngine) -> Self {
        let dialect = &detected.dialect;
        let mut start = start.clone();
        if dialect.on_stderr {
            start = start.with_stderr();
        }
        if dialect.is_console {
            start = start.by_lines();
        }
        if dialect.moves_by() == Some(MoveSource::MultiPv) {
            start = start.with_lines(dialect.most_lines);
        }
        Self {
            engine: Engine::new(start),
            dialect,
            chess960: detected.chess960,
            timeout: Duration::ZERO,
            left: None,
            transcript: String::new(),
        }
    }

    /// Sets a common time limit for all following questions.
    pub fn allow_together(&mut self, time: Duration) {
        self.timeout = time;
        self.left = Some(time);
    }

    /// Sets a time limit for each of the following questions.
    pub fn allow_each(&mut self, time: Duration) {
        self.timeout = time;
        self.left = None;
    }

    /// Returns the transcript up to the last failure.
    pub fn take_transcript(&mut self) -> String {
        std::mem::take(&mut self.transcript)
    }

    fn time_left(&self) -> Duration {
        self.left.unwrap_or(self.timeout)
    }

    /// The engine's count of leaf nodes below a position.
    ///
    /// # Errors
    ///
    /// When there is no answer, or not in the proven format. The engine is ready for the next
    /// question nevertheless.
    pub fn ask(&mut self, route: &Route, depth: NonZeroU32) -> Result<Answer, Failure> {
        let began = now();
        let lines = self.put(route, depth);
        // Only the engine's own time, not the time to judge the answer.
        self.left = self.left.map(|left| left.saturating_sub(began.elapsed()));
        let lines = lines?;
        let mode = route.root().castling_mode();
        let form = &self.dialect.form;
        let answer = form.read_lines(&lines, depth.get(), route.position(), mode);
        if answer.count().is_some() {
            return Ok(answer);
        }
        if self.engine.client().is_some() {
            self.transcript = self.engine.transcript();
        }
        if let Some(message) = lines.iter().find(|line| is_error(line)) {
            let message = message.trim().to_owned();
            return Err(Failure::Refused { message });
        }
        // Some print nothing for a position without moves.
        let has_digits = lines.iter().any(|line| has_digit(line));
        if route.position().legal_move_count() == 0 && !has_digits {
            return Ok(Answer {
                total: Some(0),
                rows: None,
            });
        }
        let last: Vec<&str> = self.transcript.lines().collect();
        let last = &last[last.len().saturating_sub(EXCERPT)..];
        Err(Failure::Unreadable {
            excerpt: last.join(" / "),
        })
    }

    fn put(&mut self, route: &Route, depth: NonZeroU32) -> Result<Vec<String>, Failure> {
        let question = self.dialect.question(route, depth);
        let moves = route.position().legal_moves().len();
        if self.dialect.ask().is_program() {
            let start = self.engine.start();
            let called = wire::call(start, question, self.time_left(), moves > 0);
            self.transcript = called.transcript;
            return called.lines;
        }
        let timeout = self.time_left();
        let was_running = self.engine.is_running();
        let client = match self.engine.ready_within(PATIENCE) {
            Ok(client) => client,
            Err(EngineError::Cancelled) => return Err(Failure::Cancelled),
            Err(error) => {
                let how = error.to_string();
                return Err(Failure::Crashed { how });
            }
        };
        if self.chess960 {
            // An engine that does not read is detected when listening.
            let _ = client.set_chess960(route.root().castling_mode() == CastlingMode::Chess960);
        }
        if !was_running && self.dialect.sync == AnswerEnd::Silence {
            // A console that is still starting is silent, as one is that lists no move: the answer
            // to a first question whose answer is known shows that it has begun to read.
            let start = Route::by_fen(Position::startpos());
            let first = Question {
                lines: &self.dialect.question(&start, NonZeroU32::MIN),
                depth: 1,
                form: &self.dialect.form,
                sync: self.dialect.sync,
                moves: start.position().legal_moves().len(),
            };
            // One that fails here fails at the question itself.
            let _ = first.ask(client, timeout);
        }
        let answer = if let Some(source) = self.dialect.moves_by() {
            let knows_end = self.dialect.calibration().finished;
            if moves == 0 && !knows_end {
                let why = "it does not say when a game is over".to_owned();
                return Err(Failure::NotListed { why });
            }
            let mut lists = MoveLists {
                deadline: client.now() + timeout,
                port: client,
                source,
                most_lines: self.dialect.most_lines,
                knows_end,
            };
            let position = |route: &Route| self.dialect.position_line(route);
            match lists.divide(route, depth.get(), &position) {
                Ok(lines) => Ok(lines),
                Err(NoList::NotListed(why)) => return Err(Failure::NotListed { why }),
                Err(NoList::GoesOn(why)) => {
                    self.engine.kill();
                    return Err(Failure::NotListed { why });
                }
                Err(NoList::NoAnswer(no_answer)) => Err(no_answer),
            }
        } else {
            let question = Question {
                lines: &question,
                depth: depth.get(),
                form: &self.dialect.form,
                sync: self.dialect.sync,
                moves,
            };
            question.ask(client, timeout)
        };
        let failure = match answer {
            Ok(lines) => return Ok(lines),
            Err(NoAnswer::Cancelled) => Failure::Cancelled,
            Err(NoAnswer::TimedOut) => Failure::TimedOut {
                after: self.timeout,
            },
            Err(NoAnswer::Endless) => Failure::endless(),
            Err(NoAnswer::Ended) => Failure::Crashed {
                how: client.how_it_ended(),
            },
        };
        self.transcript = client.transcript().to_string();
        self.engine.kill();
        Err(failure)
    }
}
