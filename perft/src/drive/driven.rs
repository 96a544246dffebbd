//! An engine as a [`Subject`]: started when it is first asked, and again after it has failed.

use std::num::NonZeroU32;
use std::time::Duration;

use engine::client::EngineError;
use engine::rules::CastlingMode;

use super::ask::{NoAnswer, Question, Sync};
use super::dialect::Dialect;
use super::identify::Speech;
use super::line::Line;
use super::wire::{NotReady, Start, Wire, now};
use super::{port::Port, script};
use crate::subject::{Answer, Failure, Route, Subject};

/// An engine that is asked by perft.
pub(crate) struct Driven<'a> {
    start: &'a Start,
    speech: &'a Speech,
    /// Whether it has the option `UCI_Chess960`.
    chess960: bool,
    wire: Option<Wire>,
    /// What the running engine was told of Chess960.
    mode: CastlingMode,
    /// How long a question, or some together, may take.
    timeout: Duration,
    /// What is left for questions that were allowed time together.
    left: Option<Duration>,
    /// What was said when it last failed.
    transcript: String,
}

impl<'a> Driven<'a> {
    /// An engine that is not running yet.
    pub(crate) fn new(start: &'a Start, speech: &'a Speech, chess960: bool) -> Self {
        Self {
            start,
            speech,
            chess960,
            wire: None,
            mode: CastlingMode::Standard,
            timeout: Duration::ZERO,
            left: None,
            transcript: String::new(),
        }
    }

    /// Gives it so much time for all questions from now on, together.
    pub(crate) fn allow_together(&mut self, time: Duration) {
        self.timeout = time;
        self.left = Some(time);
    }

    /// Gives it so much time for each question from now on.
    pub(crate) fn allow_each(&mut self, time: Duration) {
        self.timeout = time;
        self.left = None;
    }

    /// What was said up to its last failure.
    pub(crate) fn take_transcript(&mut self) -> String {
        std::mem::take(&mut self.transcript)
    }

    fn time_left(&self) -> Duration {
        self.left.unwrap_or(self.timeout)
    }

    /// Asks, and takes account of the time: only the engine's own, not what we take to judge it.
    fn ask_timed(&mut self, route: &Route, depth: NonZeroU32) -> Result<Vec<Line>, Failure> {
        let began = now();
        let lines = self.ask(route, depth);
        self.left = self.left.map(|left| left.saturating_sub(began.elapsed()));
        lines
    }

    fn ask(&mut self, route: &Route, depth: NonZeroU32) -> Result<Vec<Line>, Failure> {
        if self.speech.dialect == Dialect::Script {
            let called = script::call(self.start, route, depth, self.time_left());
            self.transcript = called.transcript;
            return called.lines;
        }
        let mode = route.root().castling_mode();
        let mut wire = self.running(mode)?;
        let question = Question {
            lines: &self.speech.dialect.lines(route, depth, mode),
            depth: depth.get(),
            format: &self.speech.format,
            sync: self.speech.sync,
            moves: route.position().legal_moves().len(),
        };
        let answer = question.ask(&mut wire, self.time_left());
        if let Ok(lines) = answer {
            self.wire = Some(wire);
            return Ok(lines);
        }
        let failure = match answer {
            Err(NoAnswer::Cancelled) => Failure::Cancelled,
            Err(NoAnswer::TimedOut) => Failure::TimedOut {
                after: self.timeout,
            },
            Err(NoAnswer::Endless) => Failure::endless(),
            _ => Failure::Crashed {
                how: wire.how_it_ended(),
            },
        };
        self.transcript = wire.client.transcript().to_string();
        Err(failure)
    }

    /// The engine, told whether the castling rights are those of Chess960.
    fn running(&mut self, mode: CastlingMode) -> Result<Wire, Failure> {
        let mut wire = match self.wire.take() {
            Some(wire) => wire,
            None => self.restart()?,
        };
        if self.chess960 && self.mode != mode {
            let value = mode == CastlingMode::Chess960;
            wire.send(&format!("setoption name UCI_Chess960 value {value}"));
            self.mode = mode;
        }
        Ok(wire)
    }

    fn restart(&mut self) -> Result<Wire, Failure> {
        self.mode = CastlingMode::Standard;
        let opened = match self.speech.sync {
            Sync::Silence => Wire::open(self.start).map_err(NotReady::from),
            _ => Wire::open_uci(self.start),
        };
        opened.map_err(|not_ready| match not_ready.error {
            EngineError::Cancelled => Failure::Cancelled,
            _ => Failure::Crashed {
                how: not_ready.to_string(),
            },
        })
    }
}

impl Subject for Driven<'_> {
    fn perft(&mut self, route: &Route, depth: NonZeroU32) -> Result<Answer, Failure> {
        let lines = self.ask_timed(route, depth)?;
        let mode = route.root().castling_mode();
        let format = &self.speech.format;
        let answer = format.read(&lines, depth.get(), route.position(), mode);
        if answer.count().is_some() {
            return Ok(answer);
        }
        if let Some(wire) = &self.wire {
            self.transcript = wire.client.transcript().to_string();
        }
        let last = self.transcript.lines().rev().take(2).collect::<Vec<_>>();
        Err(Failure::Unreadable {
            excerpt: last.into_iter().rev().collect::<Vec<_>>().join(" / "),
        })
    }
}
