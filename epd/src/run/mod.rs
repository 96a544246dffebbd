//! Drives engines: processes search concurrently and send events down one channel to one loop.

mod searcher;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use kit::Progress;
use uci::{Cancel, CommandLine};

use crate::trial::case::Case;
use crate::trial::ledger::{Meeting, Outcome, State, Trial};
use searcher::Searcher;

/// How to start an engine.
#[derive(Clone, Debug)]
pub struct Start {
    /// The name in reports.
    pub name: String,
    /// Its command line.
    pub command: CommandLine,
    /// UCI options by name; a button has no value.
    pub options: Vec<(String, Option<String>)>,
    /// Cancels the run.
    pub cancel: Cancel,
}

/// How to run the trials.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Number of concurrent processes.
    pub jobs: usize,
    /// Number of searches per position.
    pub repeat: usize,
    /// Time limit of a search that has none in its limits.
    pub timeout: Duration,
    /// Allowed overrun of a search's time limit; also the time an engine may take to react to
    /// `stop`.
    pub margin: Duration,
}

/// The result of one search, on its way to the loop that owns the ledger.
struct Event {
    case: usize,
    repeat: usize,
    outcome: Outcome,
}

/// Runs every case on an engine.
pub fn try_engine(start: &Start, cases: &[Case], rules: Rules, progress: &Progress) -> Trial {
    let began = now();
    let meeting = Searcher::new(start, rules).meet();
    let is_ready = matches!(meeting, Meeting::Ready { .. });
    let name = start.name.clone();
    let mut trial = Trial::new(name, meeting, cases.len(), rules.repeat);
    if is_ready {
        search_all(start, cases, rules, progress, &mut trial);
    }
    trial.interrupted = start.cancel.is_set();
    trial.time = began.elapsed();
    trial
}

fn search_all(start: &Start, cases: &[Case], rules: Rules, progress: &Progress, trial: &mut Trial) {
    let searches = cases.len() * rules.repeat;
    progress.begin(searches as u64, "searches");
    let chess960 = matches!(trial.meeting, Meeting::Ready { chess960: true, .. });
    let next = AtomicUsize::new(0);
    let (events, inbox) = crossbeam_channel::unbounded::<Event>();
    std::thread::scope(|scope| {
        for _ in 0..rules.jobs.min(searches) {
            let (events, next) = (events.clone(), &next);
            scope.spawn(move || {
                let searcher = Searcher::new(start, rules);
                work(searcher, cases, chess960, next, &events);
            });
        }
        drop(events);
        let mut solved = 0;
        for Event {
            case,
            repeat,
            outcome,
        } in inbox
        {
            trial.record(case, repeat, outcome);
            // A case stays open until its last search, so it is counted once.
            solved += usize::from(trial.state(case) == State::Solved);
            progress.advance(1);
            progress.say(format!("searches, {solved} positions solved"));
        }
    });
}

/// Searches one case after the other, all of them once before any a second time, until none is left
/// or the run is cancelled.
fn work(
    mut searcher: Searcher<'_>,
    cases: &[Case],
    chess960: bool,
    next: &AtomicUsize,
    events: &Sender<Event>,
) {
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let (case, repeat) = (index % cases.len(), index / cases.len());
        if repeat >= searcher.repeat() {
            return;
        }
        let Some(outcome) = searcher.search(&cases[case], chess960) else {
            return;
        };
        let event = Event {
            case,
            repeat,
            outcome,
        };
        let sent = events.send(event);
        sent.expect("the loop listens until the last worker has gone");
    }
}

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
fn now() -> Instant {
    Instant::now()
}
