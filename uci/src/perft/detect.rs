//! Detects an engine's dialect: who it is, and how it is asked for perft.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::cpus;
use crate::engine::PATIENCE;
use crate::grammar::OptionKind;
use crate::{Cancel, Client, Engine, EngineError, EngineProtocol, Start};

use super::answer::Failure;
use super::ask::{self, AnswerEnd, AnswerPatience, NoAnswer, Port as _, Tried};
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
/// Where no CPU is idle, an engine that has answered in no way may have been late: it is asked again,
/// with so many times the patience.
const PATIENCE_OF_OVERLOAD: u32 = 4;
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
const READY_IN_CONSOLE: Duration = Duration::from_millis(500);
/// Time limit for a program's first question, which includes its start.
const FIRST_CALL: Duration = Duration::from_secs(10);
/// The same for an engine that speaks UCI: it is likely to ignore its arguments.
const FIRST_CALL_OF_ENGINE: Duration = Duration::from_secs(2);
/// Time for a search to stop. An engine that does not is started anew, which is soon done.
const STOP: Duration = Duration::from_millis(500);
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
    asking: &(dyn Fn(usize, usize) + Sync),
) -> Result<DetectedEngine, Detection> {
    let progress = (asking, &AtomicUsize::new(0));
    let mut attempt = Detector::new(start.clone(), ask, timeout, known, progress);
    let mut detection = attempt.detect();
    if let Err(Detection::NotUnderstood { .. }) = detection
        && ask.is_none()
        && cpus::idle().is_some_and(|idle| idle.is_empty())
    {
        attempt = Detector::new(start.clone(), ask, timeout, known, progress);
        attempt.slowness = PATIENCE_OF_OVERLOAD;
        detection = attempt.detect();
    }
    if let Err(Detection::NotUnderstood { .. }) = detection
        && attempt.counts_on_stderr
    {
        let mut with_stderr = Detector::new(start.with_stderr(), ask, timeout, known, progress);
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

/// The result of one way or several to reach an engine.
type DetectionResult = Result<DetectedEngine, NoDetection>;

/// One of the ways to reach an engine.
type Track<'a> = fn(&mut Detector<'a>, &Introduction) -> DetectionResult;

#[derive(Debug, PartialEq, Eq)]
enum NoDetection {
    /// It answers in none of the ways: [`Detector::tried`] says why.
    NoWay,
    /// It is an engine of UCI that starts slowly.
    LateUciok,
    /// See [`Detection::Failed`].
    Failed(String),
}

impl NoDetection {
    fn failed(reason: &EngineError) -> Self {
        Self::Failed(reason.to_string())
    }
}

/// An engine whose dialect is being detected.
struct Detector<'a> {
    start: Start,
    name: Option<String>,
    known: KnownPositions,
    /// Called with the number of the way that is tried, and the number of all.
    asking: &'a (dyn Fn(usize, usize) + Sync),
    /// Number of ways tried, by all detectors of one engine.
    asked: &'a AtomicUsize,
    /// Whether the user has named the only way to try.
    is_given: bool,
    /// How many times longer than on an idle machine an engine may be silent.
    slowness: u32,
    spoken: Vec<Ask>,
    called: Vec<Ask>,
    listed: Vec<Ask>,
    patience: Patiences,
    /// The ways that have failed.
    tried: Vec<FailedAttempt>,
    /// Number of ways at which it has hung.
    stuck: usize,
    /// When it has hung at so many, the others are not tried.
    most_stuck: usize,
    /// Number of ways at which it has printed without end.
    endless: usize,
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
        known: KnownPositions,
        (asking, asked): (&'a (dyn Fn(usize, usize) + Sync), &'a AtomicUsize),
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
            name: None,
            known,
            asking,
            asked,
            is_given: ask.is_some(),
            slowness: 1,
            spoken,
            called,
            listed,
            patience: Patiences {
                first: AnswerPatience { answer, silence },
                second: rest.min(ANSWER / 2).max(answer),
                rest,
            },
            tried: Vec::new(),
            stuck: 0,
            most_stuck: USUAL,
            endless: 0,
            breaks_down: false,
            counts_on_stderr: false,
        }
    }

    /// The detector of another way to reach the same engine, in processes of its own.
    fn beside(&self, cancel: &Cancel) -> Self {
        let mut start = self.start.clone();
        start.cancel = cancel.clone();
        Self {
            start,
            name: self.name.clone(),
            spoken: self.spoken.clone(),
            called: self.called.clone(),
            listed: self.listed.clone(),
            tried: Vec::new(),
            stuck: 0,
            endless: 0,
            breaks_down: false,
            counts_on_stderr: false,
            ..*self
        }
    }

    fn detect(&mut self) -> Result<DetectedEngine, Detection> {
        let found = self.find();
        found.map_err(|not_found| match not_found {
            NoDetection::NoWay => Detection::NotUnderstood {
                name: self.name.take(),
                tried: std::mem::take(&mut self.tried),
            },
            NoDetection::LateUciok => Detection::Failed {
                reason: "it printed uciok, unasked".to_owned(),
            },
            NoDetection::Failed(reason) => Detection::Failed { reason },
        })
    }

    fn find(&mut self) -> DetectionResult {
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
        match error {
            EngineError::TimedOut { .. } if is_mute => self.by_lines_or_late_uci(engine),
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
                let found = self.by_calls().or_else(|_| self.by_xboard());
                let speaks_xboard = || self.start.other_protocol() == Some(EngineProtocol::Xboard);
                match found {
                    Err(NoDetection::NoWay) if speaks_xboard() => Err(NoDetection::NoWay),
                    // It does not answer in any other way, so its immediate exit is the fault.
                    Err(_) => Err(NoDetection::failed(&error)),
                    found => found,
                }
            }
            _ => Err(NoDetection::failed(&error)),
        }
    }

    /// Tries an engine that has printed nothing yet: it is more likely slow than a console, which a
    /// second process finds out in the meantime.
    fn by_lines_or_late_uci(&mut self, mut engine: Engine) -> DetectionResult {
        let cancel = self.start.cancel.part();
        let mut console = self.beside(&cancel);
        let by_lines = thread::scope(|scope| {
            let by_lines = scope.spawn(|| console.by_lines());
            let is_late = engine.ready_within(LATE_UCIOK).is_ok();
            if is_late {
                cancel.set();
            }
            let found = by_lines.join().expect("detection does not panic");
            (!is_late).then_some(found)
        });
        match by_lines {
            Some(found) => {
                self.take_over(console);
                found
            }
            None => self.by_uci(engine),
        }
    }

    /// Tries an engine that is ready.
    ///
    /// Nearly all that have perft answer the first way. The others are asked at the same time in UCI,
    /// in their console before any `uci`, as a program with arguments, and for their moves: to be
    /// ignored in all these ways takes seconds in each.
    fn by_uci(&mut self, engine: Engine) -> DetectionResult {
        let introduction = Introduction::from_client(engine.client());
        self.name.clone_from(&introduction.name);
        let mut talk = Talk::new(engine);
        let asks = self.spoken.clone();
        let (first, others) = asks.split_at(asks.len().min(1));
        let mut found = self.try_all(&mut talk, first, &introduction);
        if matches!(found, Err(NoDetection::NoWay)) {
            let tried = self.tried.len();
            found = self.side_by_side(&mut talk, others, &introduction);
            // It has started before: some run only once at a time.
            if matches!(found, Err(NoDetection::Failed(_))) && !self.start.cancel.is_set() {
                self.tried.truncate(tried);
                found = self.one_by_one(&mut talk, others, &introduction);
            }
        }
        found
    }

    /// The ways beside UCI in which an engine of UCI may be asked.
    fn other_tracks(&self) -> Vec<Track<'a>> {
        // Options can be set only by UCI.
        if self.is_given || !self.start.options.is_empty() {
            vec![Self::by_moves]
        } else {
            vec![Self::by_console, Self::by_calls_of_engine, Self::by_moves]
        }
    }

    /// Goes on in UCI, and beside it in all other ways. UCI comes before the others, whichever
    /// answers first.
    fn side_by_side(
        &mut self,
        talk: &mut Talk,
        asks: &[Ask],
        introduction: &Introduction,
    ) -> DetectionResult {
        let tracks = self.other_tracks();
        let cancel = self.start.cancel.part();
        thread::scope(|scope| {
            let run = |track: Track<'a>| {
                let mut detector = self.beside(&cancel);
                scope.spawn(move || (track(&mut detector, introduction), detector))
            };
            let tracks: Vec<_> = tracks.into_iter().map(run).collect();
            let mut found = self.try_all(talk, asks, introduction);
            self.counts_on_stderr |= talk.counts_on_stderr;
            for track in tracks {
                if self.is_settled(&found) {
                    cancel.set();
                }
                let (by_track, detector) = track.join().expect("detection does not panic");
                if !cancel.is_set() {
                    self.take_over(detector);
                    found = by_track;
                }
            }
            if found == Err(NoDetection::NoWay) && self.start.cancel.is_set() {
                found = Err(NoDetection::failed(&EngineError::Cancelled));
            }
            found
        })
    }

    /// The same ways, one after the other, and only one process of the engine at a time.
    fn one_by_one(
        &mut self,
        talk: &mut Talk,
        asks: &[Ask],
        introduction: &Introduction,
    ) -> DetectionResult {
        let mut found = self.try_all(talk, asks, introduction);
        self.counts_on_stderr |= talk.counts_on_stderr;
        talk.engine.kill();
        for track in self.other_tracks() {
            if self.is_settled(&found) {
                break;
            }
            let mut detector = self.beside(&self.start.cancel);
            found = track(&mut detector, introduction);
            self.take_over(detector);
        }
        found
    }

    /// Whether the other ways do not count. An engine that prints its counts on standard error is asked
    /// once more; one that breaks down at perft is not excused by its moves.
    fn is_settled(&self, found: &DetectionResult) -> bool {
        *found != Err(NoDetection::NoWay) || self.counts_on_stderr || self.breaks_down
    }

    /// Notes what another detector has seen.
    fn take_over(&mut self, beside: Self) {
        self.tried.extend(beside.tried);
        self.counts_on_stderr |= beside.counts_on_stderr;
    }

    /// Tries the console that an engine may be before any `uci`.
    fn by_console(&mut self, introduction: &Introduction) -> DetectionResult {
        self.patience.first.answer = FIRST_OF_CONSOLE * self.slowness;
        self.patience.second = FIRST_ANSWER * self.slowness;
        // With so little time, being late is no hang.
        self.most_stuck = usize::MAX;
        // `go` means nothing there, or a search.
        let asks = self.spoken.iter().filter(|ask| ask.word_of_go().is_none());
        let asks: Vec<Ask> = asks.cloned().collect();
        let mut talk = Talk::new(Engine::new(self.start.by_lines()));
        let ready = talk.learn_readiness(READY_IN_CONSOLE * self.slowness);
        let found = ready.and_then(|()| self.try_all(&mut talk, &asks, &Introduction::none()));
        // What it does there is no fault, since it speaks UCI: a console that ends at once is none.
        let mut detected = found.map_err(|_| NoDetection::NoWay)?;
        detected.name.clone_from(&introduction.name);
        detected.dialect.is_console = true;
        Ok(detected)
    }

    /// Tries an engine of UCI as a program with arguments.
    fn by_calls_of_engine(&mut self, introduction: &Introduction) -> DetectionResult {
        self.patience.first.answer = FIRST_CALL_OF_ENGINE;
        // A program that ignores its arguments does so at once.
        self.most_stuck = 1;
        let mut detected = self.by_calls().map_err(|_| NoDetection::NoWay)?;
        detected.name.clone_from(&introduction.name);
        Ok(detected)
    }

    /// Tries an engine without perft, whose searches show what it takes for legal.
    fn by_moves(&mut self, introduction: &Introduction) -> DetectionResult {
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
                Err(NoDetection::NoWay) => {
                    let last = self.tried.last();
                    // It searches as long in any other way.
                    if last.is_some_and(|last| last.reason.starts_with(LATE_SEARCH)) {
                        break;
                    }
                }
                not_found => return not_found,
            }
        }
        Err(NoDetection::NoWay)
    }

    /// Tries a program that does not know UCI, but may answer lines.
    fn by_lines(&mut self) -> DetectionResult {
        let asks = self.spoken.clone();
        match self.try_lines(&asks) {
            Err(NoDetection::NoWay) if !self.is_given && !self.counts_on_stderr => self.by_calls(),
            Err(NoDetection::LateUciok) => {
                let mut engine = Engine::new(self.start.clone());
                match engine.ready_within(LATE_UCIOK) {
                    Ok(_) => self.by_uci(engine),
                    Err(error) => Err(NoDetection::failed(&error)),
                }
            }
            found => found,
        }
    }

    /// Tries a program that has ended at `uci`, by the commands of `XBoard`.
    fn by_xboard(&mut self) -> DetectionResult {
        let asks = self.spoken.iter().filter(|ask| ask.is_xboard());
        let asks: Vec<Ask> = asks.cloned().collect();
        self.try_lines(&asks)
    }

    fn try_lines(&mut self, asks: &[Ask]) -> DetectionResult {
        let mut talk = Talk::new(Engine::new(self.start.by_lines()));
        let found = self.try_all(&mut talk, asks, &Introduction::none());
        self.counts_on_stderr |= talk.counts_on_stderr;
        let mut detected = found?;
        detected.dialect.is_console = true;
        Ok(detected)
    }

    /// Tries a program that is started once per question.
    fn by_calls(&mut self) -> DetectionResult {
        // What hangs when it is spoken to may still answer its arguments.
        (self.stuck, self.endless) = (0, 0);
        let mut calls = Calls {
            start: self.start.clone(),
            counts_on_stderr: false,
        };
        let asks = self.called.clone();
        let found = self.try_all(&mut calls, &asks, &Introduction::none());
        self.counts_on_stderr |= calls.counts_on_stderr;
        found
    }

    /// Tries several ways in order.
    fn try_all(
        &mut self,
        respondent: &mut dyn Respondent,
        asks: &[Ask],
        introduction: &Introduction,
    ) -> DetectionResult {
        let Introduction { name, chess960, .. } = introduction;
        let ways = self.spoken.len() + self.called.len() + self.listed.len();
        for ask in asks {
            // Who searches at a word after `go` has not read what follows it, but may know another.
            let has_searched_at = |word| {
                let mut searched = self.tried.iter().filter(|one| one.reason == SEARCHED);
                searched.any(|one| one.ask.word_of_go() == Some(word))
            };
            if ask.word_of_go().is_some_and(has_searched_at) {
                continue;
            }
            let way = 1 + self.asked.fetch_add(1, Ordering::Relaxed);
            (self.asking)(way.min(ways), ways);
            let mut patience = self.patience;
            let first = &mut patience.first;
            first.silence *= self.slowness;
            let index = self.spoken.iter().position(|one| one == ask);
            if index == Some(0) && !self.is_given {
                first.silence = SILENCE_OF_FIRST * self.slowness;
            }
            if index >= Some(USUAL) && !self.is_given {
                first.silence = first.silence.min(SILENCE_OF_UNUSUAL * self.slowness);
                if respondent.sync(false) == AnswerEnd::Silence {
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
                Err(Unproved::LateUciok) => return Err(NoDetection::LateUciok),
                Err(Unproved::Cancelled) => {
                    return Err(NoDetection::failed(&EngineError::Cancelled));
                }
                Err(Unproved::Gone(reason)) => return Err(NoDetection::Failed(reason)),
                Err(Unproved::Stuck { reason }) => {
                    self.stuck += 1;
                    self.breaks_down |= ask.has_uci_position();
                    (reason, Vec::new())
                }
                Err(Unproved::Endless { reason }) => {
                    self.endless += 1;
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
            let ask = ask.clone();
            self.tried.push(FailedAttempt { ask, reason, raw });
            // An engine that hangs on each of the usual ways will hang on the others, and one that prints
            // without end will not stop.
            if self.stuck >= self.most_stuck || self.endless >= USUAL {
                break;
            }
        }
        Err(NoDetection::NoWay)
    }
}

/// A running engine, restarted if it has ended.
struct Talk {
    engine: Engine,
    /// How the end of an answer is detected, unless `readyok` always came last.
    sync: AnswerEnd,
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
                AnswerEnd::ReadyAtOnce
            } else {
                AnswerEnd::Silence
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
    fn learn_readiness(&mut self, patience: Duration) -> Result<(), NoDetection> {
        let client = self.client().map_err(|lost| match lost {
            Lost::Gone(how) => NoDetection::Failed(how),
            _ => NoDetection::failed(&EngineError::Cancelled),
        })?;
        let deadline = client.now() + patience;
        match ask::come_to_rest(client, deadline) {
            Ok(()) => self.sync = AnswerEnd::ReadyAtOnce,
            Err(NoAnswer::Cancelled) => return Err(NoDetection::failed(&EngineError::Cancelled)),
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
            Err(NoList::GoesOn(why)) => {
                self.engine.kill();
                Err(Lost::Ended(why))
            }
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
                match ask::stop(client, if is_search { STOP } else { ask::REST }) {
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
            Err(NoAnswer::Endless) => Lost::Endless,
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

    fn sync(&self, ready_came_last: bool) -> AnswerEnd {
        match (self.sync, ready_came_last) {
            (AnswerEnd::ReadyAtOnce, true) => AnswerEnd::WhenReady,
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

    fn sync(&self, _: bool) -> AnswerEnd {
        AnswerEnd::Silence
    }
}
