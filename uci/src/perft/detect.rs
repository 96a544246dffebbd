//! Detects an engine's dialect: who it is, and how it is asked for perft.

use std::time::Duration;

use crate::engine::PATIENCE;
use crate::grammar::OptionKind;
use crate::{Client, Engine, EngineError, EngineProtocol, Start};

use super::answer::Failure;
use super::ask::{self, AnswerPatience, NoAnswer, Port as _, Sync, Tried};
use super::calibrate::{
    CalibrationQuestion, Dialect, Lost, Patiences, Respondent, SEARCHED, Unproved, calibrate,
};
use super::known::KnownPositions;
use super::lists::{LATE_SEARCH, MOST_MOVES, MoveLists, MoveSource, NoList};
use super::question::Ask;
use super::wire;

/// Time limit for a question of twenty nodes, unless the way to ask is given.
const FIRST_ANSWER: Duration = Duration::from_secs(3);
/// The less usual ways to ask a program that never says that it is ready get this part of the time.
const UNUSUAL: u32 = 3;
/// Time limit for a console that belongs to an engine of UCI: it is most likely none.
const FIRST_OF_CONSOLE: Duration = Duration::from_millis(600);
/// How long an engine that is ready may be silent before it is taken to have ignored the first
/// question, `go perft`: some count in a thread, as they search.
const SILENCE_OF_FIRST: Duration = Duration::from_secs(2);
/// The same for the other usual ways.
const SILENCE: Duration = Duration::from_millis(500);
/// The same for the less usual ways.
const SILENCE_OF_UNUSUAL: Duration = Duration::from_millis(200);
const USUAL: usize = 3;
/// Time for an engine to answer `isready` before it is told to speak UCI.
const READY_IN_CONSOLE: Duration = Duration::from_secs(1);
/// Time limit for a program's first question, which includes its start.
const FIRST_CALL: Duration = Duration::from_secs(10);
/// The same for an engine that speaks UCI: it is likely to ignore its arguments.
const FIRST_CALL_OF_ENGINE: Duration = Duration::from_secs(2);
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

/// Detects how to ask an engine, by calibration on the `known` positions. If `ask` is given, only that
/// way is tried, and each question may take as long as `timeout`. Before each way, `asking` is called
/// with its number, from 1, and the number of all.
///
/// # Errors
///
/// The failed detection.
pub fn detect(
    start: &Start,
    ask: Option<&Ask>,
    timeout: Duration,
    known: KnownPositions,
    asking: &dyn Fn(usize, usize),
) -> Result<DetectedEngine, Detection> {
    let mut attempt = Detector::new(start.clone(), ask, timeout, (known, asking));
    let detection = attempt.detect();
    if let Err(Detection::NotUnderstood { .. }) = detection
        && attempt.counts_on_stderr
    {
        let mut with_stderr = Detector::new(start.with_stderr(), ask, timeout, (known, asking));
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
struct Detector<'a> {
    start: Start,
    known: KnownPositions,
    asking: &'a dyn Fn(usize, usize),
    /// Whether the user has named the only way to try.
    is_given: bool,
    spoken: Vec<Ask>,
    called: Vec<Ask>,
    listed: Vec<Ask>,
    patience: Patiences,
    /// The ways that have failed.
    tried: Vec<FailedAttempt>,
    /// Whether it has crashed, hung, or listed wrong moves when it was asked for perft: then its
    /// searches are no verdict.
    breaks_down: bool,
    counts_on_stderr: bool,
}

/// What an engine has said of itself in UCI.
#[derive(Clone)]
struct Introduction {
    name: Option<String>,
    chess960: bool,
    /// Number of lines that `MultiPV` allows.
    most_lines: usize,
}

impl Introduction {
    fn from_client(client: Option<&Client>) -> Self {
        let most_lines = client.and_then(|client| match client.option("MultiPV")?.kind {
            OptionKind::Spin { max, .. } => max,
            _ => None,
        });
        let most_lines = most_lines.unwrap_or(0).clamp(0, MOST_MOVES);
        Self {
            name: client.and_then(|client| client.id().name.clone()),
            chess960: client.is_some_and(Client::has_chess960),
            most_lines: usize::try_from(most_lines).expect("it is small"),
        }
    }

    fn none() -> Self {
        Self::from_client(None)
    }
}

impl<'a> Detector<'a> {
    fn new(
        start: Start,
        ask: Option<&Ask>,
        timeout: Duration,
        (known, asking): (KnownPositions, &'a dyn Fn(usize, usize)),
    ) -> Self {
        let asks = ask.map_or_else(Ask::known, |ask| vec![ask.clone()]);
        let (listed, asks): (Vec<Ask>, Vec<Ask>) =
            asks.into_iter().partition(|ask| ask.moves_by().is_some());
        let (called, spoken): (Vec<Ask>, Vec<Ask>) = asks.into_iter().partition(Ask::is_program);
        let answer = match ask {
            Some(ask) if ask.is_program() => timeout.max(FIRST_CALL),
            Some(_) => timeout.max(FIRST_ANSWER),
            None => FIRST_ANSWER,
        };
        let rest = if ask.is_some() {
            timeout.max(FIRST_ANSWER)
        } else {
            timeout.clamp(FIRST_ANSWER, ANSWER)
        };
        // An engine that is asked in the way that its user has named does not ignore it.
        let silence = if ask.is_some() { answer } else { SILENCE };
        Self {
            start,
            known,
            asking,
            is_given: ask.is_some(),
            spoken,
            called,
            listed,
            patience: Patiences {
                first: AnswerPatience { answer, silence },
                second: rest.min(ANSWER / 2).max(answer),
                rest,
            },
            tried: Vec::new(),
            breaks_down: false,
            counts_on_stderr: false,
        }
    }

    fn detect(&mut self) -> Result<DetectedEngine, Detection> {
        if self.start.protocol == EngineProtocol::Lines {
            return self.by_lines();
        }
        if self.spoken.is_empty() && self.listed.is_empty() {
            return self.by_calls();
        }
        let mut engine = Engine::new(self.start.clone());
        let Err(error) = engine.ready_within(UCIOK) else {
            return self.by_uci(engine);
        };
        let is_mute = |client: &Client| client.process().received_bytes() == 0;
        let is_mute = engine.client().is_none_or(is_mute);
        let is_xboard = |client: &Client| client.has_printed("feature ");
        let is_xboard = engine.client().is_some_and(is_xboard);
        let not_ready = error.to_string();
        match error {
            EngineError::TimedOut { .. } if is_mute => {
                // An engine that answers nothing is more likely slow than a console.
                match engine.ready_within(LATE_UCIOK) {
                    Ok(_) => self.by_uci(engine),
                    Err(_) => self.by_lines(),
                }
            }
            EngineError::TimedOut { .. } if is_xboard && !self.is_given => {
                self.by_xboard().or_else(|_| self.by_calls())
            }
            EngineError::TimedOut { .. } => {
                self.by_lines()
                    .or_else(|nothing| match engine.ready_within(LATE_UCIOK) {
                        Ok(_) => self.by_uci(engine),
                        Err(_) => Err(nothing),
                    })
            }
            EngineError::Ended { .. } | EngineError::ClosedStdout { .. } if !self.is_given => {
                // Some `XBoard` engines end at a word that they do not know.
                let detection = self.by_calls().or_else(|_| self.by_xboard());
                let speaks_xboard = || self.start.other_protocol() == Some(EngineProtocol::Xboard);
                match detection {
                    Err(nothing @ Detection::NotUnderstood { .. }) if speaks_xboard() => {
                        Err(nothing)
                    }
                    // It does not answer in any other way, so its immediate exit is the fault.
                    Err(_) => Err(failed(&not_ready)),
                    understood => understood,
                }
            }
            _ => Err(failed(&not_ready)),
        }
    }

    /// Tries an engine that is ready.
    fn by_uci(&mut self, engine: Engine) -> Result<DetectedEngine, Detection> {
        let introduction = Introduction::from_client(engine.client());
        let mut talk = Talk::new(engine);
        let asks = self.spoken.clone();
        let result = self.try_all(&mut talk, &asks, &introduction);
        self.counts_on_stderr |= talk.counts_on_stderr;
        drop(talk);
        match result {
            Ok(detected) => return Ok(detected),
            Err(None) => return Err(failed(&"it printed uciok again")),
            Err(Some(nothing @ Detection::Failed { .. })) => return Err(nothing),
            // It is asked once more, with standard error.
            Err(Some(nothing)) if self.counts_on_stderr => return Err(nothing),
            Err(Some(nothing)) if self.breaks_down => return Err(nothing),
            Err(Some(Detection::NotUnderstood { tried, .. })) => self.tried = tried,
            Err(Some(_)) => {}
        }
        if !self.is_given && self.start.options.is_empty() {
            match self.beside_uci(&introduction) {
                Ok(detected) => return Ok(detected),
                Err(cancelled) if self.start.cancel.is_set() => return Err(cancelled),
                Err(Detection::NotUnderstood { tried, .. }) => self.tried = tried,
                // What it does there is no fault: it speaks UCI.
                Err(_) => {}
            }
        }
        self.by_moves(&introduction)
    }

    /// Tries an engine that has no perft in UCI: in its console, before any `uci`, and as a program
    /// with arguments. Options can be set only by UCI, so this is for engines without.
    fn beside_uci(&mut self, introduction: &Introduction) -> Result<DetectedEngine, Detection> {
        let mut talk = Talk::new(Engine::new(self.start.by_lines()));
        talk.learn_readiness(READY_IN_CONSOLE)?;
        let asks = self.spoken.iter();
        // `go` means nothing before `uci`, or a search.
        let asks: Vec<Ask> = asks.filter(|ask| !ask.is_go()).cloned().collect();
        let of_console = Introduction {
            name: introduction.name.clone(),
            ..Introduction::none()
        };
        let patience = self.patience;
        self.patience.first.answer = FIRST_OF_CONSOLE;
        let result = self.try_all(&mut talk, &asks, &of_console);
        drop(talk);
        match result {
            Ok(mut detected) => {
                detected.dialect.is_console = true;
                return Ok(detected);
            }
            Err(Some(Detection::NotUnderstood { tried, .. })) => self.tried = tried,
            // A console that ends at once is none.
            Err(_) => {}
        }
        self.patience.first.answer = FIRST_CALL_OF_ENGINE;
        let mut result = self.by_calls();
        self.patience = patience;
        if let Ok(detected) = &mut result {
            detected.name.clone_from(&introduction.name);
        }
        result
    }

    /// Tries an engine without perft, whose searches show what it takes for legal.
    fn by_moves(&mut self, introduction: &Introduction) -> Result<DetectedEngine, Detection> {
        for ask in self.listed.clone() {
            let mut start = self.start.clone();
            let most_lines = introduction.most_lines;
            if ask.moves_by() == Some(MoveSource::MultiPv) {
                if most_lines < 2 {
                    let reason = "it has no option MultiPV".to_owned();
                    let raw = Vec::new();
                    self.tried.push(FailedAttempt { ask, reason, raw });
                    continue;
                }
                start = start.with_lines(most_lines);
            }
            let mut talk = Talk::new(Engine::new(start));
            talk.most_lines = most_lines;
            match self.try_all(&mut talk, &[ask], introduction) {
                Ok(mut detected) => {
                    detected.dialect.most_lines = most_lines;
                    return Ok(detected);
                }
                Err(Some(Detection::NotUnderstood { tried, .. })) => {
                    let is_late = tried.iter().any(|one| one.reason.starts_with(LATE_SEARCH));
                    self.tried = tried;
                    // It searches as long in any other way.
                    if is_late {
                        break;
                    }
                }
                Err(nothing) => {
                    return Err(nothing.unwrap_or_else(|| failed(&"it printed uciok again")));
                }
            }
        }
        Err(Detection::NotUnderstood {
            name: introduction.name.clone(),
            tried: std::mem::take(&mut self.tried),
        })
    }

    /// Tries a program that does not know UCI, but may answer lines.
    fn by_lines(&mut self) -> Result<DetectedEngine, Detection> {
        let asks = self.spoken.clone();
        match self.try_lines(&asks) {
            Ok(detection) => Ok(detection),
            Err(Some(Detection::NotUnderstood { tried, .. })) => {
                self.tried = tried;
                if self.is_given || self.counts_on_stderr {
                    let tried = std::mem::take(&mut self.tried);
                    return Err(Detection::NotUnderstood { name: None, tried });
                }
                self.by_calls()
            }
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

    /// Tries a program that has ended at `uci`, by the commands of `XBoard`.
    fn by_xboard(&mut self) -> Result<DetectedEngine, Detection> {
        let asks = self.spoken.iter().filter(|ask| ask.is_xboard());
        let asks: Vec<Ask> = asks.cloned().collect();
        let result = self.try_lines(&asks);
        result.map_err(|nothing| nothing.unwrap_or_else(|| failed(&"it printed uciok")))
    }

    fn try_lines(&mut self, asks: &[Ask]) -> Result<DetectedEngine, Option<Detection>> {
        let mut talk = Talk::new(Engine::new(self.start.by_lines()));
        let result = self.try_all(&mut talk, asks, &Introduction::none());
        self.counts_on_stderr |= talk.counts_on_stderr;
        let mut detected = result?;
        detected.dialect.is_console = true;
        Ok(detected)
    }

    /// Tries a program that is started once per question.
    fn by_calls(&mut self) -> Result<DetectedEngine, Detection> {
        let mut calls = Calls {
            start: self.start.clone(),
            counts_on_stderr: false,
        };
        let asks = self.called.clone();
        let result = self.try_all(&mut calls, &asks, &Introduction::none());
        self.counts_on_stderr |= calls.counts_on_stderr;
        result.map_err(|nothing| nothing.unwrap_or_else(|| failed(&"it printed uciok, unasked")))
    }

    /// Tries several ways in order. The error is the result of the detection, or `None` if a UCI
    /// engine that starts slowly has shown up.
    fn try_all(
        &mut self,
        respondent: &mut dyn Respondent,
        asks: &[Ask],
        introduction: &Introduction,
    ) -> Result<DetectedEngine, Option<Detection>> {
        let Introduction { name, chess960, .. } = introduction;
        let mut stuck = 0;
        let mut has_searched = false;
        for (index, ask) in asks.iter().enumerate() {
            // Who searches at one word after `go` that it does not know searches at all of them.
            if has_searched && ask.is_go() && !ask.is_bounded_go() {
                continue;
            }
            let ways = self.spoken.len() + self.called.len() + self.listed.len();
            (self.asking)(1 + self.tried.len() % ways, ways);
            let mut patience = self.patience;
            let first = &mut patience.first;
            if index == 0 && !self.is_given {
                first.silence = SILENCE_OF_FIRST;
            }
            if index >= USUAL && !self.is_given {
                first.silence = first.silence.min(SILENCE_OF_UNUSUAL);
                if respondent.sync(false) == Sync::Silence && !ask.is_program() {
                    first.answer /= UNUSUAL;
                }
            }
            let (reason, raw) = match calibrate(respondent, ask, *chess960, patience, self.known) {
                Ok(dialect) => {
                    return Ok(DetectedEngine {
                        name: name.clone(),
                        dialect,
                        chess960: *chess960,
                    });
                }
                Err(Unproved::LateUciok) => return Err(None),
                Err(Unproved::Cancelled) => return Err(Some(failed(&EngineError::Cancelled))),
                Err(Unproved::Gone(reason)) => return Err(Some(Detection::Failed { reason })),
                Err(Unproved::Stuck { reason }) => {
                    stuck += 1;
                    self.breaks_down |= ask.has_uci_position();
                    (reason, Vec::new())
                }
                Err(Unproved::Otherwise { reason, raw }) => (reason, raw),
                Err(Unproved::Broken { reason, raw }) => {
                    // At a position that is not written as in UCI, some end.
                    self.breaks_down |= ask.has_uci_position();
                    (reason, raw)
                }
            };
            has_searched |= reason == SEARCHED;
            let ask = ask.clone();
            self.tried.push(FailedAttempt { ask, reason, raw });
            // An engine that hangs on each of the usual ways will hang on the others; a program that
            // ignores its arguments does so at once.
            let is_call = self.patience.first.answer == FIRST_CALL_OF_ENGINE;
            if stuck >= USUAL || stuck > 0 && is_call {
                break;
            }
        }
        Err(Some(Detection::NotUnderstood {
            name: name.clone(),
            tried: std::mem::take(&mut self.tried),
        }))
    }
}

/// A running engine, restarted if it has ended.
struct Talk {
    engine: Engine,
    /// How the end of an answer is detected, unless `readyok` always came last.
    sync: Sync,
    /// For lists by `MultiPV`: the number of lines that it prints at most.
    most_lines: usize,
    /// Whether the next question is to be asked with `UCI_Chess960`.
    chess960: bool,
    counts_on_stderr: bool,
}

impl Talk {
    fn new(engine: Engine) -> Self {
        let is_uci = engine.start().protocol == EngineProtocol::Uci;
        Self {
            engine,
            sync: if is_uci {
                Sync::ReadyAtOnce
            } else {
                Sync::Silence
            },
            most_lines: 0,
            chess960: false,
            counts_on_stderr: false,
        }
    }

    fn is_uci(&self) -> bool {
        self.engine.start().protocol == EngineProtocol::Uci
    }

    /// Finds out whether a console answers `isready`: then its silence need not be waited for.
    fn learn_readiness(&mut self, patience: Duration) -> Result<(), Detection> {
        let client = self.client().map_err(|lost| match lost {
            Lost::Gone(how) => failed(&how),
            _ => failed(&EngineError::Cancelled),
        })?;
        let deadline = client.now() + patience;
        match ask::come_to_rest(client, deadline) {
            Ok(()) => self.sync = Sync::ReadyAtOnce,
            Err(NoAnswer::Cancelled) => return Err(failed(&EngineError::Cancelled)),
            Err(NoAnswer::Ended) => self.engine.kill(),
            Err(NoAnswer::TimedOut | NoAnswer::Endless) => {}
        }
        Ok(())
    }

    fn client(&mut self) -> Result<&mut Client, Lost> {
        match self.engine.ready_within(PATIENCE) {
            Ok(client) => Ok(client),
            Err(EngineError::Cancelled) => Err(Lost::Cancelled),
            Err(error) => Err(Lost::Gone(error.to_string())),
        }
    }

    /// The lines of a divide, made of lists of moves.
    fn list(
        &mut self,
        asked: &CalibrationQuestion<'_>,
        source: MoveSource,
        patience: AnswerPatience,
    ) -> Result<Result<Tried, NoAnswer>, Lost> {
        let (chess960, most_lines) = (self.chess960, self.most_lines);
        let client = self.client()?;
        let _ = client.set_chess960(chess960);
        let mut lists = MoveLists {
            deadline: client.now() + patience.answer,
            port: client,
            source,
            most_lines,
            knows_end: false,
        };
        match lists.divide(asked.route, asked.depth, asked.position) {
            Ok(lines) => Ok(Ok(Tried {
                last: lines.last().cloned(),
                lines,
                ..Tried::default()
            })),
            Err(NoList::NotListed(why)) => Err(Lost::Ended(why)),
            Err(NoList::NoAnswer(no_answer)) => Ok(Err(no_answer)),
        }
    }
}

impl Respondent for Talk {
    fn put(
        &mut self,
        asked: &CalibrationQuestion<'_>,
        patience: AnswerPatience,
    ) -> Result<Tried, Lost> {
        let (is_uci, sync, chess960) = (self.is_uci(), self.sync, self.chess960);
        let tried = if let Some(source) = asked.moves_by {
            self.list(asked, source, patience)?
        } else {
            let client = self.client()?;
            // An engine that does not read is detected when listening.
            let _ = client.set_chess960(chess960);
            let tried = ask::try_asking(client, asked.lines, sync, patience, asked.expected);
            let is_search = tried.as_ref().is_ok_and(|tried| tried.searched);
            let is_mute = tried.as_ref().is_ok_and(|tried| tried.last.is_none());
            if is_uci && (is_search || is_mute) {
                match ask::stop(client) {
                    // Who does not hear while it searches has searched all the same.
                    Err(NoAnswer::TimedOut) if is_search => {
                        self.engine.kill();
                        tried
                    }
                    stopped => stopped.and(tried),
                }
            } else {
                tried
            }
        };
        let client = self.client()?;
        let counts_on_stderr = client.counts_on_stderr();
        let lost = match tried {
            Ok(mut tried) => {
                tried.late_uciok &= !is_uci;
                self.counts_on_stderr |= counts_on_stderr;
                return Ok(tried);
            }
            Err(NoAnswer::Cancelled) => Lost::Cancelled,
            Err(NoAnswer::Ended) => Lost::Ended(client.how_it_ended()),
            Err(NoAnswer::Endless) => Lost::Ended("it did not stop printing".to_owned()),
            Err(NoAnswer::TimedOut) => Lost::Late,
        };
        self.counts_on_stderr |= counts_on_stderr;
        self.engine.kill();
        Err(lost)
    }

    fn set_chess960(&mut self, on: bool) {
        self.chess960 = on;
    }

    fn abandon(&mut self) {
        self.engine.kill();
    }

    fn sync(&self, ready_came_last: bool) -> Sync {
        match (self.sync, ready_came_last) {
            (Sync::ReadyAtOnce, true) => Sync::WhenReady,
            (sync, _) => sync,
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
        asked: &CalibrationQuestion<'_>,
        patience: AnswerPatience,
    ) -> Result<Tried, Lost> {
        let has_moves = asked.expected.moves > 0;
        let called = wire::call(
            &self.start,
            asked.lines.to_vec(),
            patience.answer,
            has_moves,
        );
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

    fn abandon(&mut self) {}

    fn sync(&self, _: bool) -> Sync {
        Sync::Silence
    }
}
