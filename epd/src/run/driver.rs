//! Drives engines: processes search concurrently and send results down one channel to one loop. A
//! process is started on demand and restarted after a failure.
//!
//! From top to bottom: [`EngineRun`] runs an engine on all cases; [`EngineSearcher`] is one of its processes;
//! before the first position, [`find_ignored`] proves that the engine obeys its limits.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use chess::rules::CastlingMode;
use chess::rules::Position;
use kit::Progress;
use uci::grammar::{BestMove, FenText, Go, PositionCommand};
use uci::obedience::{self, Disobedience, Disobeyed, ObedienceTrial, SearchExtent, TrialSearch};
use uci::{
    Client, Engine, EngineError, LineDirection, SessionEvent, Start, Transcript, TranscriptLine,
    Wait,
};

use super::journal::EngineJournal;
use super::ledger::{Handshake, PositionState, Refusal, SearchFault, SearchOutcome, Trial};
use super::plan::{PositionLimits, RunCase};
use super::score::{
    BadReplyError, EarlyStop, EarlyStopWatch, OutputRecorder, Search, SearchAnswer, judge,
};

/// Time limit for preparing a new game.
const PATIENCE: Duration = Duration::from_secs(30);
/// Time limit for the engine to exit after `quit`.
const QUIT_GRACE: Duration = Duration::from_secs(1);

/// The longest time per search that is tried.
const MOST_TIME: Duration = Duration::from_millis(100);
/// The most time for a search that is to end at nodes or a depth.
const MOST_WAIT: Duration = Duration::from_secs(10);
/// Time allowed for the best move after `stop`.
const STOP_GRACE: Duration = Duration::from_secs(4);
/// The longest wait until it is looked at again whether a search is overdue.
const SLICE: Duration = Duration::from_millis(100);

/// The kinds of limits on the command line, as they may be typed.
const OPTIONS: [&str; 3] = ["--movetime 100ms", "--nodes 10000", "--depth 8"];

/// An engine of a run.
#[derive(Clone, Debug)]
pub(crate) struct TestedEngine {
    /// What reports call it.
    pub(crate) name: String,
    pub(crate) start: Start,
    /// How it started, once that is known.
    pub(crate) handshake: OnceLock<Handshake>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchRules {
    pub(crate) concurrency: usize,
    pub(crate) repeat: usize,
    /// Time limit of a search that has none in its limits.
    pub(crate) timeout: Duration,
    /// Allowed overrun of a search's time limit; also the time an engine may take to react to
    /// `stop`.
    pub(crate) margin: Duration,
    pub(crate) early_stop: EarlyStop,
}

impl SearchRules {
    /// The rules on which results depend, except `repeat`, in words.
    pub(crate) fn describe(&self) -> Vec<String> {
        vec![
            format!("timeout {} s", self.timeout.as_secs_f64()),
            format!("margin {} s", self.margin.as_secs_f64()),
        ]
    }
}

/// Starts an engine and ends it, once, to check that it runs and obeys the limits of these cases.
pub(crate) fn shake_hands(
    engine: &TestedEngine,
    rules: SearchRules,
    cases: &[RunCase],
) -> Handshake {
    let shake = || EngineSearcher::new(engine, rules).shake_hands(cases);
    engine.handshake.get_or_init(shake).clone()
}

/// The progress of an engine, for a journal.
pub(crate) enum SearchEvent<'a> {
    /// It was started, and reports this name.
    Started {
        name: Option<&'a str>,
        chess960: bool,
    },
    /// A search was finished, `elapsed` after the engine was started, earlier runs included.
    Finished {
        case: usize,
        repeat: usize,
        elapsed: Duration,
        finished: &'a FinishedSearch,
    },
}

/// An engine, and what it is run on.
#[derive(Clone, Copy)]
pub(crate) struct EngineRun<'a> {
    pub(crate) engine: &'a TestedEngine,
    pub(crate) cases: &'a [RunCase],
    pub(crate) rules: SearchRules,
    pub(crate) progress: &'a Progress,
}

impl EngineRun<'_> {
    /// Runs the engine on all cases, except what an earlier run has done. Every event is passed to
    /// `keep` at once.
    ///
    /// # Errors
    ///
    /// When `keep` fails: the run ends.
    pub(crate) fn run(
        &self,
        done: EngineJournal,
        keep: &mut dyn FnMut(&SearchEvent<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Trial> {
        let Self {
            engine,
            cases,
            rules,
            ..
        } = *self;
        let began = now();
        let earlier = Duration::from_millis(done.elapsed_ms);
        let handshake = match &done.started {
            // There is nothing left to ask the engine.
            Some(started) if is_complete(&done, cases, started.chess960) => Handshake::Ready {
                name: started.name.clone(),
                chess960: started.chess960,
            },
            _ => shake_hands(engine, rules, cases),
        };
        let chess960 = match &handshake {
            Handshake::Ready { name, chess960 } => {
                let (name, chess960) = (name.as_deref(), *chess960);
                keep(&SearchEvent::Started { name, chess960 })?;
                Some(chess960)
            }
            _ => None,
        };
        let name = engine.name.clone();
        let mut trial = Trial::new(name, handshake, cases.len(), rules.repeat);
        for (case, outcomes) in done.outcomes.into_iter().enumerate() {
            for (repeat, outcome) in outcomes.into_iter().enumerate() {
                if let Some(outcome) = outcome {
                    trial.record(case, repeat, outcome);
                }
            }
        }
        if let Some(chess960) = chess960 {
            let keep = |case, repeat, finished: &FinishedSearch| {
                keep(&SearchEvent::Finished {
                    case,
                    repeat,
                    elapsed: earlier + began.elapsed(),
                    finished,
                })
            };
            self.search_all(chess960, &mut trial, keep)?;
        }
        trial.interrupted = engine.start.cancel.is_set();
        trial.earlier = earlier;
        trial.time = earlier + began.elapsed();
        Ok(trial)
    }

    /// Makes the searches that the trial does not have yet.
    fn search_all(
        &self,
        chess960: bool,
        trial: &mut Trial,
        mut keep: impl FnMut(usize, usize, &FinishedSearch) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let Self {
            engine,
            cases,
            rules,
            progress,
        } = *self;
        // All cases once before any a second time.
        let all =
            (0..rules.repeat).flat_map(|repeat| (0..cases.len()).map(move |case| (case, repeat)));
        let open = all.filter(|&(case, repeat)| trial.searches(case)[repeat].is_none());
        let open: Vec<(usize, usize)> = open.collect();
        let searches = cases.len() * rules.repeat;
        progress.begin(searches as u64, "searches");
        progress.reach(searches - open.len(), searches);
        let next = AtomicUsize::new(0);
        let (events, inbox) = crossbeam_channel::unbounded();
        std::thread::scope(|scope| {
            for _ in 0..rules.concurrency.min(open.len()) {
                let (events, next, open) = (events.clone(), &next, &open);
                scope.spawn(move || {
                    let mut searcher = EngineSearcher::new(engine, rules);
                    // Until none is left or the run is cancelled.
                    while let Some(&(case, repeat)) = open.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        let Some(finished) = searcher.search(&cases[case], chess960) else {
                            break;
                        };
                        // Nobody listens any more if the results cannot be kept.
                        if events.send((case, repeat, finished)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(events);
            let solved =
                |trial: &Trial, case| usize::from(trial.state(case) == PositionState::Solved);
            let mut count: usize = (0..cases.len()).map(|case| solved(trial, case)).sum();
            for (case, repeat, finished) in inbox {
                keep(case, repeat, &finished)?;
                trial.record(case, repeat, finished.outcome);
                // A case stays open until its last search, so it is counted once.
                count += solved(trial, case);
                progress.advance(1);
                progress.say(format!("searches, {count} positions solved"));
            }
            Ok(())
        })
    }
}

/// Whether an earlier run has done everything that this engine can be asked.
fn is_complete(done: &EngineJournal, cases: &[RunCase], chess960: bool) -> bool {
    let can_be_asked = |case: &RunCase| {
        chess960 || case.record.position().castling_mode() != CastlingMode::Chess960
    };
    let mut searches = cases.iter().zip(&done.outcomes);
    searches.all(|(case, outcomes)| !can_be_asked(case) || outcomes.iter().all(Option::is_some))
}

/// An engine that searches one position after the other.
struct EngineSearcher {
    engine: Engine,
    rules: SearchRules,
}

/// A finished search: what it comes to, and what the engine reported, if it answered.
pub(crate) struct FinishedSearch {
    pub(crate) outcome: SearchOutcome,
    pub(crate) searches: Vec<Search>,
}

impl FinishedSearch {
    fn without_search(outcome: SearchOutcome) -> Self {
        let searches = Vec::new();
        Self { outcome, searches }
    }
}

enum UnansweredSearch {
    Cancelled,
    /// The engine could not be started or set up.
    NotReady(EngineError),
    Fault(SearchFault),
}

impl EngineSearcher {
    /// The engine is started later.
    fn new(engine: &TestedEngine, rules: SearchRules) -> Self {
        Self {
            engine: Engine::new(engine.start.clone()),
            rules,
        }
    }

    /// Starts the engine to check that it runs and obeys the limits of these cases, and to get its name.
    fn shake_hands(mut self, cases: &[RunCase]) -> Handshake {
        let client = match self.engine.ready() {
            Ok(client) => client,
            Err(error) => {
                let reason = error.to_string();
                return match error {
                    EngineError::Session(_) => Handshake::Refused {
                        why: Refusal::Option,
                        reason,
                    },
                    _ => Handshake::Failed {
                        reason,
                        transcript: self.engine.transcript(),
                    },
                };
            }
        };
        let name = client.id().name.clone();
        let chess960 = client.has_chess960();
        let SearchRules {
            margin, timeout, ..
        } = self.rules;
        match find_ignored(client, PositionLimits::of_all(cases), margin, timeout) {
            Ok(Some(ignored)) => Handshake::Refused {
                why: Refusal::Limit,
                reason: ignored.with_remedy(),
            },
            found => {
                // If it has failed, the positions will show what is wrong.
                if found.is_ok() {
                    self.engine.quit(QUIT_GRACE);
                }
                Handshake::Ready { name, chess960 }
            }
        }
    }

    /// Searches a position; `None` if the run was cancelled.
    fn search(&mut self, case: &RunCase, chess960: bool) -> Option<FinishedSearch> {
        if self.engine.start().cancel.is_set() {
            return None;
        }
        let mode = case.record.position().castling_mode();
        if mode == CastlingMode::Chess960 && !chess960 {
            return Some(FinishedSearch::without_search(SearchOutcome::NeedsChess960));
        }
        let (fault, transcript) = match self.ask(case, mode) {
            Ok((searches, answer)) => {
                return Some(FinishedSearch {
                    outcome: SearchOutcome::Answered(Box::new(answer)),
                    searches,
                });
            }
            Err(UnansweredSearch::Cancelled) => return None,
            Err(UnansweredSearch::NotReady(error)) => (fault(&error), self.engine.transcript()),
            Err(UnansweredSearch::Fault(fault)) => {
                let transcript = self.engine.client().map(Client::transcript);
                (
                    fault,
                    transcript.as_ref().map_or_else(String::new, since_new_game),
                )
            }
        };
        // A crashed or hung engine is not reused; nor one whose move is illegal: it may answer another position, and would
        // be one answer behind from here on.
        if !matches!(fault, SearchFault::Overdue { .. }) {
            self.engine.kill();
        }
        Some(FinishedSearch::without_search(SearchOutcome::Failed {
            fault,
            transcript,
        }))
    }

    fn ask(
        &mut self,
        case: &RunCase,
        mode: CastlingMode,
    ) -> Result<(Vec<Search>, SearchAnswer), UnansweredSearch> {
        let not_ready = |error| match error {
            EngineError::Cancelled => UnansweredSearch::Cancelled,
            error => UnansweredSearch::NotReady(error),
        };
        let client = self.engine.ready().map_err(not_ready)?;
        let set = client.set_chess960(mode == CastlingMode::Chess960);
        set.map_err(not_ready)?;
        self.rules.ask(client, case, mode)
    }
}

impl SearchRules {
    /// Searches all positions of a case, and judges the searches.
    fn ask(
        &self,
        client: &mut Client,
        case: &RunCase,
        mode: CastlingMode,
    ) -> Result<(Vec<Search>, SearchAnswer), UnansweredSearch> {
        let steps = case.steps();
        let searches = steps.map(|(position, goal)| {
            let lines = case.lines_of(position);
            let watch = EarlyStopWatch::new(self.early_stop, goal, position, mode);
            let recorder = OutputRecorder::with_lines(lines);
            self.search_position(client, case, position, watch, recorder)
        });
        let searches: Vec<Search> = searches.collect::<Result<_, _>>()?;
        let answer = judge(case, &searches)?;
        Ok((searches, answer))
    }

    fn search_position(
        &self,
        client: &mut Client,
        case: &RunCase,
        position: &Position,
        mut watch: EarlyStopWatch<'_>,
        mut recorder: OutputRecorder,
    ) -> Result<Search, UnansweredSearch> {
        client.new_game(PATIENCE)?;
        let text = PositionCommand::from(FenText::from(position));
        let allowed = match case.limits.time {
            Some(time) => time.saturating_add(self.margin),
            None => self.timeout,
        };
        let began = now();
        client.start_search(text, case.limits.to_go(), allowed)?;
        let search = loop {
            // The session's own deadline ends the wait.
            match client.next_event(now() + PATIENCE) {
                Ok(Some((at, SessionEvent::Info(info)))) => {
                    let since_go = at.saturating_duration_since(began);
                    if let Some(observation) = recorder.info(since_go, &info) {
                        watch.see(observation);
                    }
                }
                Ok(Some((at, SessionEvent::BestMove { best_move, .. }))) => {
                    let since_go = at.saturating_duration_since(began);
                    break recorder.finish(since_go, best_move.reply);
                }
                Ok(_) => {}
                Err(EngineError::TimedOut {
                    wait: Wait::BestMove,
                    after,
                }) => return Err(self.stop_overdue(client, after)),
                Err(error) => return Err(error.into()),
            }
            if watch.is_over() {
                let since_go = now().saturating_duration_since(began);
                break self.stop_early(client, position, recorder, since_go)?;
            }
        };
        // An engine that crashes because of this position, even after its answer, must fail here
        // and not in the next search.
        client.synchronise(PATIENCE)?;
        Ok(search)
    }

    /// Sends `stop` to an engine whose solution is stable. Its reply must be legal, but does not
    /// count.
    fn stop_early(
        &self,
        client: &mut Client,
        position: &Position,
        recorder: OutputRecorder,
        since_go: Duration,
    ) -> Result<Search, UnansweredSearch> {
        let Some(BestMove { reply, .. }) = self.stop(client)? else {
            let what = "no bestmove after stop".to_owned();
            return Err(UnansweredSearch::Fault(SearchFault::Hung { what }));
        };
        let search = recorder.stop(since_go);
        let search = search.expect("only a PV makes a solution stable");
        BadReplyError::check(&reply, position)?;
        Ok(search)
    }

    /// Sends `stop` to an overdue engine: if it answers, it can be reused.
    fn stop_overdue(&self, client: &mut Client, after: Duration) -> UnansweredSearch {
        match self.stop(client) {
            Ok(Some(_)) => UnansweredSearch::Fault(SearchFault::Overdue { after }),
            Ok(None) | Err(EngineError::TimedOut { .. }) => {
                let seconds = after.as_secs_f64();
                let what = format!("no bestmove within {seconds} s, nor after stop");
                UnansweredSearch::Fault(SearchFault::Hung { what })
            }
            Err(error) => error.into(),
        }
    }

    /// Sends `stop`, and waits for the best move within the margin.
    fn stop(&self, client: &mut Client) -> Result<Option<BestMove>, EngineError> {
        client.stop(self.margin)?;
        let deadline = now() + self.margin;
        while let Some((_, event)) = client.next_event(deadline)? {
            if let SessionEvent::BestMove { best_move, .. } = event {
                return Ok(Some(best_move));
            }
        }
        Ok(None)
    }
}

fn fault(error: &EngineError) -> SearchFault {
    let text = error.to_string();
    match error {
        EngineError::TimedOut { .. } => SearchFault::Hung { what: text },
        _ => SearchFault::Crashed { how: text },
    }
}

impl From<BadReplyError> for UnansweredSearch {
    fn from(error: BadReplyError) -> Self {
        let what = error.to_string();
        Self::Fault(SearchFault::Illegal { what })
    }
}

impl From<EngineError> for UnansweredSearch {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Cancelled => Self::Cancelled,
            error => Self::Fault(fault(&error)),
        }
    }
}

/// The transcript of the last position.
fn since_new_game(transcript: &Transcript) -> String {
    let entries: Vec<&TranscriptLine> = transcript.entries().collect();
    let is_new_game = |entry: &&TranscriptLine| {
        entry.direction == LineDirection::Sent && entry.text == "ucinewgame"
    };
    let first = entries.iter().rposition(is_new_game).unwrap_or(0);
    let lines: Vec<String> = entries[first..].iter().map(ToString::to_string).collect();
    lines.join("\n") + "\n"
}

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
            trial.go.movetime_ms.is_some(),
            trial.go.nodes.is_some(),
            trial.go.depth.is_some(),
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
