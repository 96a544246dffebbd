//! The edge that runs engines in parallel; their events go down one channel to one loop.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use chess::perft::Counter;
use chess::rules::CastlingMode;
use crossbeam_channel::Sender;
use kit::Progress;
use uci::perft::{Ask, Driver, Meeting, Speaker, Start, meet};

use super::case::Case;
use super::examine::{Examined, examine};
use super::ledger::{Outcome, State, Trial, nodes_at};
use crate::hunt::{Fault, Finding, Limits, Question, hunt_with};
use crate::subject::Failure;

/// Maximum number of wrong cases to hunt, cheapest first: a broken generator fails everywhere, for
/// the same few reasons.
const MOST_HUNTS: usize = 60;
/// A question above this many leaf nodes that times out may just be too large.
const CLEARLY_HUNG: u64 = 1_000_000;
/// Time limit for questions known to hang.
const HANG: Duration = Duration::from_secs(5);
/// Maximum number of hunts for hangs: each may cost several times [`HANG`].
const MOST_HANGS: usize = 2;

/// Settings of a trial.
#[derive(Clone, Debug)]
pub(crate) struct Rules<'a> {
    /// Computes the correct counts.
    pub(crate) counter: Counter<'a>,
    /// Number of parallel processes.
    pub(crate) jobs: usize,
    /// Time limit for one position.
    pub(crate) timeout: Duration,
    /// Whether faults are hunted down.
    pub(crate) hunts: bool,
    /// The options of our command line that define how engines are asked.
    pub(crate) arguments: Vec<String>,
}

/// Tests an engine on every case and hunts down its faults. `name` is its name in reports; `ask`,
/// if given, is the only dialect to try.
pub(crate) fn try_engine(
    name: &str,
    start: &Start,
    ask: Option<&Ask>,
    cases: &[Case],
    rules: &Rules<'_>,
    progress: &Progress,
) -> Trial {
    let began = now();
    let mut trial = match meet(start, ask, rules.timeout) {
        Err(meeting) => Trial::new(name.to_owned(), meeting, cases.len()),
        Ok(speaker) => {
            let engine = Engine {
                start,
                speaker: &speaker,
            };
            let meeting = Meeting::Speaks(Box::new(speaker.clone()));
            let mut trial = Trial::new(name.to_owned(), meeting, cases.len());
            ask_all(&engine, cases, rules, progress, &mut trial);
            if rules.hunts && !start.cancel.is_set() {
                hunt_all(&engine, cases, rules, progress, &mut trial);
            }
            trial
        }
    };
    trial.arguments.clone_from(&rules.arguments);
    trial.interrupted = start.cancel.is_set();
    trial.time = began.elapsed();
    trial
}

/// An engine whose dialect is known.
struct Engine<'a> {
    start: &'a Start,
    speaker: &'a Speaker,
}

impl<'a> Engine<'a> {
    fn driver(&self) -> Driver<'a> {
        Driver::new(self.start, self.speaker)
    }
}

fn ask_all(
    engine: &Engine<'_>,
    cases: &[Case],
    rules: &Rules<'_>,
    progress: &Progress,
    trial: &mut Trial,
) {
    let mut order: Vec<usize> = (0..cases.len()).collect();
    order.sort_by_key(|&case| std::cmp::Reverse(cases[case].nodes()));
    progress.begin(order.len() as u64, "positions");
    let work = |driver: &mut Driver<'_>, case: usize| {
        let began = now();
        let outcome = ask_one(driver, &cases[case], engine.speaker, rules)?;
        Some((case, outcome, began.elapsed()))
    };
    side_by_side(engine, rules.jobs, &order, work, |(case, outcome, time)| {
        trial.record(case, outcome, time);
        progress.advance(1);
    });
}

/// `None` when the run was cancelled.
fn ask_one(
    driver: &mut Driver<'_>,
    case: &Case,
    speaker: &Speaker,
    rules: &Rules<'_>,
) -> Option<Outcome> {
    let needs_chess960 = case.route.root().castling_mode() == CastlingMode::Chess960;
    if needs_chess960 && !speaker.speech.calibration().chess960 {
        return Some(Outcome::NeedsChess960);
    }
    driver.allow_together(rules.timeout);
    match examine(case, driver, rules.counter) {
        Examined::Right => Some(Outcome::Right),
        Examined::Wrong { depth, counts } => Some(Outcome::Wrong { depth, counts }),
        Examined::Failed {
            failure: Failure::Cancelled,
            ..
        } => None,
        Examined::Failed { depth, failure } => Some(Outcome::Failed {
            depth,
            failure,
            transcript: driver.take_transcript(),
        }),
    }
}

fn hunt_all(
    engine: &Engine<'_>,
    cases: &[Case],
    rules: &Rules<'_>,
    progress: &Progress,
    trial: &mut Trial,
) {
    let order = worth_a_hunt(trial, cases);
    if order.is_empty() {
        return;
    }
    progress.begin(order.len() as u64, "hunts");
    let depths: Vec<_> = (0..cases.len())
        .map(|case| trial.failing_depth(case))
        .collect();
    let outcomes: Vec<_> = trial
        .states()
        .iter()
        .map(|state| outcome(state).cloned())
        .collect();
    let hangs: Vec<bool> = (0..cases.len()).map(|case| trial.hangs(case)).collect();
    let work = |driver: &mut Driver<'_>, case: usize| {
        let time = if hangs[case] {
            rules.timeout.min(HANG)
        } else {
            rules.timeout
        };
        driver.allow_each(time);
        let question = Question {
            route: cases[case].route.clone(),
            depth: depths[case].expect("what is hunted has failed"),
        };
        let found = hunt_with(driver, &question, Limits::default(), rules.counter).ok();
        let found = found.map(|finding| with_first_answer(finding, outcomes[case].as_ref()));
        Some((case, found))
    };
    let note = |(case, found): (usize, Option<Finding>)| {
        if let Some(finding) = found {
            trial.found(case, finding);
        }
        progress.advance(1);
    };
    side_by_side(engine, rules.jobs, &order, work, note);
}

/// A hunt whose questions were all answered correctly misses the wrong answer or crash that started
/// it; this puts it back.
fn with_first_answer(mut finding: Finding, first: Option<&Outcome>) -> Finding {
    let ours = Some(finding.counts.ours);
    let Fault::Flaky(answers) = &mut finding.fault else {
        return finding;
    };
    if answers.iter().any(|&answer| answer != ours) {
        return finding;
    }
    match first {
        Some(Outcome::Wrong { counts, .. }) => {
            answers.insert(0, counts.theirs);
            finding.counts.theirs = counts.theirs;
        }
        // A crash is not flaky just because it does not recur when asked alone.
        Some(Outcome::Failed { failure, .. }) => {
            finding.fault = Fault::Failed(failure.clone());
            finding.counts.theirs = None;
        }
        _ => {}
    }
    finding
}

fn outcome(state: &State) -> Option<&Outcome> {
    match state {
        State::Open => None,
        State::Done { outcome, .. } => Some(outcome),
    }
}

/// The cases to hunt, cheapest first.
fn worth_a_hunt(trial: &Trial, cases: &[Case]) -> Vec<usize> {
    let mut hangs = 0;
    let mut order = trial.failing_cheapest_first(cases);
    order.retain(|&case| {
        if trial.is_unreadable(case) {
            return false;
        }
        if !trial.hangs(case) {
            return true;
        }
        let depth = trial.failing_depth(case).expect("a failing case");
        hangs += 1;
        hangs <= MOST_HANGS && nodes_at(&cases[case], depth) <= CLEARLY_HUNG
    });
    order.truncate(MOST_HUNTS);
    order
}

/// Runs a task for each index, each thread with its own process; `note` is called on the calling
/// thread. A task that returns nothing was cancelled, and ends its thread.
fn side_by_side<T: Send>(
    engine: &Engine<'_>,
    jobs: usize,
    order: &[usize],
    work: impl Fn(&mut Driver<'_>, usize) -> Option<T> + Sync,
    mut note: impl FnMut(T),
) {
    let next = AtomicUsize::new(0);
    let (events, inbox) = crossbeam_channel::unbounded();
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(order.len()) {
            let (events, next, work): (Sender<T>, _, _) = (events.clone(), &next, &work);
            let mut driver = engine.driver();
            scope.spawn(move || {
                while let Some(&index) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Some(event) = work(&mut driver, index) else {
                        break;
                    };
                    let sent = events.send(event);
                    sent.expect("the loop listens until the last worker has gone");
                }
            });
        }
        drop(events);
        for event in inbox {
            note(event);
        }
    });
}

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
fn now() -> Instant {
    Instant::now()
}
