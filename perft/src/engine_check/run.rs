//! The edge that runs engines in parallel; their events go down one channel to one loop.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use chess::perft::Counter;
use chess::rules::{CastlingMode, Position};
use kit::Progress;
use uci::Start;
use uci::perft::{Ask, DetectedEngine, Detection, Driver, KnownPositions, MoveSource, detect};

use super::accept::{self, Shows};
use super::case::{CheckCase, CountedCases};
use super::hunt::{CountQuestion, HuntFault, HuntLimits, HuntResult, Symptom, hunt_with, judge};
use super::ledger::{CaseOutcome, EngineCheck};
use super::time_left::{self, LONG, TimeLeft, time_text};
use crate::count::subject::{Failure, Route, Subject as _};

/// Maximum number of wrong cases to hunt, cheapest first: a broken generator fails everywhere, for
/// the same few reasons.
const MOST_HUNTS: usize = 60;
/// A question above this many leaf nodes that times out may just be too large.
const CLEARLY_HUNG: u64 = 1_000_000;
/// Time limit for questions known to hang.
const HANG: Duration = Duration::from_secs(5);
/// Maximum number of hunts for hangs: each may cost several times [`HANG`].
const MOST_HANGS: usize = 2;
/// Maximum number of hunts for crashes: each question may cost a start of the engine.
const MOST_CRASHES: usize = 2;
/// Maximum number of questions of such a hunt.
const QUESTIONS_OF_A_CRASH: u32 = 60;
/// Maximum number of hunts below a position without any move listed, and of questions of each.
const MOST_HUNTS_BEYOND: u32 = 3;
const QUESTIONS_BEYOND: u32 = 300;
/// Maximum number of leaf nodes that are added up from lists of moves, of an engine without perft:
/// some dozens of lists.
const MOST_LEAVES_BY_LISTS: u64 = 600;
/// What `--max-nodes` is proposed for an engine that takes long.
const FEW_NODES: u64 = 500;
/// Number of questions by which the start of a program is timed: the fastest counts, as the first
/// finds no files in memory.
const STARTS: usize = 3;
/// Maximum number of results that wait for the loop that records them.
const EVENTS: usize = 1_000;

#[derive(Clone, Debug)]
pub(crate) struct EngineRules<'a> {
    pub(crate) counter: Counter<'a>,
    pub(crate) concurrency: usize,
    /// Time limit for one position.
    pub(crate) timeout: Duration,
    /// Whether faults are hunted down.
    pub(crate) hunts: bool,
    /// The options of our command line that define how engines are asked.
    pub(crate) arguments: Vec<String>,
    /// What engines are calibrated on.
    pub(crate) known: KnownPositions,
    /// The cases to ask first.
    pub(crate) first: BTreeSet<usize>,
    /// Whether positions that the engine does not accept make it fail.
    pub(crate) demands_acceptance: bool,
    /// Whether the user has said how deep to count.
    pub(crate) depths_are_given: bool,
}

/// An engine given on the command line.
pub(crate) struct EngineStart<'a> {
    pub(crate) name: &'a str,
    pub(crate) start: Start,
    /// The only dialect to try, if one is given.
    pub(crate) ask: Option<Ask>,
}

/// Tests an engine on every case and hunts down its faults.
pub(crate) fn check_engine(
    engine: &EngineStart<'_>,
    cases: &CountedCases<'_>,
    rules: &EngineRules<'_>,
    progress: &Progress,
    remark: &(dyn Fn(&str) + Sync),
) -> EngineCheck {
    let EngineStart { name, start, .. } = engine;
    let began = now();
    let mut check = match detect_engine(engine, rules, progress) {
        Err(detection) => EngineCheck::new((*name).to_owned(), detection, cases.len()),
        Ok(detected) => {
            let detection = Detection::Understood(Box::new(detected.clone()));
            let mut check = EngineCheck::new((*name).to_owned(), detection, cases.len());
            let mut asking = Asking {
                start,
                detected: &detected,
                cases,
                rules,
                progress,
                remark,
                only_shallowest: false,
            };
            asking.only_shallowest = asking.leaves_deep_counts();
            check.only_shallowest = asking.only_shallowest;
            asking.ask_all(&mut check);
            if rules.hunts && !start.cancel.is_set() {
                asking.hunt_all(&mut check);
            }
            check
        }
    };
    conclude(&mut check, engine, rules, began.elapsed());
    check
}

/// Notes how the check was made, and how long it took.
pub(super) fn conclude(
    check: &mut EngineCheck,
    engine: &EngineStart<'_>,
    rules: &EngineRules<'_>,
    time: Duration,
) {
    check.arguments.clone_from(&rules.arguments);
    check.demands_acceptance = rules.demands_acceptance;
    check.interrupted = engine.start.cancel.is_set();
    check.time = time;
}

/// Finds out how the engine is asked.
pub(super) fn detect_engine(
    engine: &EngineStart<'_>,
    rules: &EngineRules<'_>,
    progress: &Progress,
) -> Result<DetectedEngine, Detection> {
    let EngineStart { name, start, ask } = engine;
    progress.begin(0, "ways to ask for perft");
    let asking = |way: usize, ways: usize| {
        progress.reach(way, ways);
        progress.say(format!("asking {name} for perft: form {way} of {ways}"));
    };
    detect(start, ask.as_ref(), rules.timeout, rules.known, &asking)
}

/// An engine whose dialect is known, and what it is asked.
#[derive(Clone, Copy)]
pub(super) struct Asking<'a> {
    pub(super) start: &'a Start,
    pub(super) detected: &'a DetectedEngine,
    pub(super) cases: &'a CountedCases<'a>,
    pub(super) rules: &'a EngineRules<'a>,
    pub(super) progress: &'a Progress,
    /// Prints a line on standard error, unless that is unwanted.
    pub(super) remark: &'a (dyn Fn(&str) + Sync),
    /// Whether of each position only the shallowest count is asked.
    pub(super) only_shallowest: bool,
}

/// Which wrong cases are hunted: not all, where that may take long and tell nothing new.
#[derive(Debug, Default)]
pub(super) struct HuntBudget {
    hunts: usize,
    hangs: usize,
    crashes: usize,
}

impl HuntBudget {
    /// Whether to hunt a case with this outcome, and so many leaf nodes.
    pub(super) fn takes(&mut self, outcome: &CaseOutcome, nodes: u64) -> bool {
        let is_taken = if outcome.hangs() {
            self.hangs += 1;
            self.hangs <= MOST_HANGS && nodes <= CLEARLY_HUNG
        } else if outcome.crashes() {
            self.crashes += 1;
            self.crashes <= MOST_CRASHES
        } else {
            !outcome.is_unreadable()
        };
        self.hunts += usize::from(is_taken);
        is_taken && self.hunts <= MOST_HUNTS
    }
}

impl Asking<'_> {
    /// Whether only the shallowest count of each position is asked, which is said. A program that is
    /// started for each question, as by an interpreter, may need more time for its starts than for all
    /// else: many positions at depth 1 show more than few with all their counts.
    fn leaves_deep_counts(&self) -> bool {
        if self.rules.depths_are_given || !self.detected.dialect.ask().is_program() {
            return false;
        }
        let cases = self.cases.iter().map(|case| (case.route(), case.counts()));
        let asked = cases.filter(|(route, _)| self.cannot_ask(route).is_none());
        let asked: Vec<Vec<_>> = asked.map(|(_, counts)| counts).collect();
        let (first, all) = (asked.len(), asked.iter().map(Vec::len).sum());
        let Some(start) = self.time_of_start() else {
            return false;
        };
        let times = |questions| time_left::of_starts(start, questions, self.rules.concurrency);
        let leaves = times(all) >= LONG && all > first;
        if leaves {
            let depths = asked.iter().flatten().map(|(depth, _)| depth.get());
            let deepest = depths.max().unwrap_or(1);
            let text = format!(
                "the program is started for each question, which takes {:.1} s: only the shallowest \
                 count of each position is asked, about {}; --depth {deepest} asks all, about {}",
                start.as_secs_f64(),
                time_text(times(first)),
                time_text(times(all)),
            );
            self.progress.above(|| (self.remark)(&text));
        }
        leaves
    }

    /// The time of a question that needs no counting.
    fn time_of_start(&self) -> Option<Duration> {
        let mut driver = Driver::new(self.start, self.detected);
        let start = Route::by_fen(Position::startpos());
        let once = |_| {
            let began = now();
            driver.allow_together(self.rules.timeout);
            // Whatever it answers: only its time counts here.
            let _ = driver.perft(&start, NonZeroU32::MIN);
            began.elapsed()
        };
        (0..STARTS).map(once).min()
    }

    fn ask_all(&self, check: &mut EngineCheck) {
        self.progress.begin(self.cases.len() as u64, "positions");
        let work = |driver: &mut Driver<'_>, &case: &usize| {
            let began = now();
            let outcome = self.ask_case(driver, self.cases.get(case))?;
            Some((case, outcome, began.elapsed()))
        };
        // A process is kept from round to round: some take long to start.
        let mut drivers = self.drivers();
        for round in self.cases.rounds(&self.rules.first) {
            let next = |index: usize| round.get(index);
            let mut left = TimeLeft::new();
            let mut done = 0;
            Self::in_parallel(&mut drivers, next, work, |(case, outcome, time)| {
                let cost = time_left::cost(self.cases.get(case), u64::MAX);
                done += 1;
                if left.note(cost, time, self.rules.concurrency) && !self.only_shallowest {
                    self.remark_on_time(&left, &round, done);
                }
                check.record(case, outcome, time);
                self.progress.advance(1);
            });
            if self.start.cancel.is_set() || check.failing().next().is_some() {
                break;
            }
        }
    }

    /// Says how long the rest will take if that is long, while there is time to ask for less.
    fn remark_on_time(&self, left: &TimeLeft, order: &[usize], done: usize) {
        let takes = |most| {
            let rest = order[done..].iter().map(|&case| self.cases.get(case));
            let cost = rest.map(|case| time_left::cost(case, most)).sum();
            left.estimate(cost, self.rules.concurrency)
        };
        let whole = takes(u64::MAX);
        if whole >= LONG {
            let (whole, less) = (time_text(whole), time_text(takes(FEW_NODES)));
            let all = order.len();
            let text = format!(
                "{done} of {all} positions asked, about {whole} left; --max-nodes {FEW_NODES} \
                 would leave {less}"
            );
            self.progress.above(|| (self.remark)(&text));
        }
    }

    /// Why a position cannot be asked, if so.
    fn cannot_ask(&self, route: &Route) -> Option<CaseOutcome> {
        let Asking { detected, .. } = self;
        let needs_chess960 = route.root().castling_mode() == CastlingMode::Chess960;
        if needs_chess960 && !detected.dialect.calibration().chess960 {
            return Some(CaseOutcome::NeedsChess960);
        }
        let needs_moves = !detected.dialect.sends_moves(route);
        needs_moves.then_some(CaseOutcome::NeedsMoves)
    }

    /// Asks for every count of a case, shallow ones first, until one is wrong. Totals and the rows
    /// of divides are compared with ours. `None` when the run was cancelled.
    pub(super) fn ask_case(
        &self,
        driver: &mut Driver<'_>,
        case: CheckCase<'_>,
    ) -> Option<CaseOutcome> {
        let route = case.route();
        if let Some(unasked) = self.cannot_ask(&route) {
            return Some(unasked);
        }
        driver.allow_together(self.rules.timeout);
        let is_by_moves = self.detected.dialect.moves_by().is_some();
        let most = if self.only_shallowest { 1 } else { usize::MAX };
        for (depth, nodes) in case.counts().into_iter().take(most) {
            // Counts are added up from lists, so that the verdict speaks of lists only.
            if is_by_moves && depth > NonZeroU32::MIN && nodes > MOST_LEAVES_BY_LISTS {
                break;
            }
            let question = CountQuestion {
                route: route.clone(),
                depth,
            };
            let reply = driver.perft(&question.route, depth);
            let Some(judged) = judge(&question, &reply, self.rules.counter) else {
                continue;
            };
            return match judged.symptom {
                Symptom::Failed(Failure::Cancelled) => None,
                Symptom::Failed(Failure::NotListed { why }) => {
                    Some(CaseOutcome::NotListed { depth, why })
                }
                Symptom::Failed(failure) => {
                    let transcript = driver.take_transcript();
                    let is_message = matches!(failure, Failure::Refused { .. });
                    let failed = CaseOutcome::Failed {
                        depth,
                        failure,
                        transcript,
                    };
                    if is_message {
                        self.unless_refused(driver, &question.route, failed)
                    } else {
                        Some(failed)
                    }
                }
                _ => {
                    let counts = judged.counts;
                    let wrong = CaseOutcome::Wrong { depth, counts };
                    self.unless_refused(driver, &question.route, wrong)
                }
            };
        }
        Some(CaseOutcome::Right)
    }

    /// The outcome of a wrong answer or of a message in place of one, unless the position was refused.
    /// `None` when the run was cancelled.
    fn unless_refused(
        &self,
        driver: &mut Driver<'_>,
        route: &Route,
        outcome: CaseOutcome,
    ) -> Option<CaseOutcome> {
        let shows = match self.detected.dialect.moves_by() {
            Some(MoveSource::Replies) => Shows::Reply,
            _ => Shows::Counts,
        };
        // The time of the case is for its own answers.
        driver.allow_each(self.rules.timeout);
        let refusal = accept::refusal(driver, route, shows, self.rules.counter).ok()?;
        Some(refusal.map_or(outcome, CaseOutcome::NotAccepted))
    }

    fn hunt_all(&self, check: &mut EngineCheck) {
        let mut budget = HuntBudget::default();
        let mut failing = check.failing_cheapest_first(self.cases);
        failing.retain(|&(case, outcome)| {
            let depth = outcome.failing_depth().expect("a failing case");
            budget.takes(outcome, self.cases.get(case).nodes_at(depth))
        });
        if failing.is_empty() {
            return;
        }
        self.progress.begin(failing.len() as u64, "hunts");
        let started = failing.into_iter();
        let started: Vec<_> = started.map(|(case, first)| (case, first.clone())).collect();
        let work = |driver: &mut Driver<'_>, (case, first): &(usize, CaseOutcome)| {
            Some((*case, self.hunt_case(driver, *case, first)))
        };
        let next = |index: usize| started.get(index);
        Self::in_parallel(&mut self.drivers(), next, work, |(case, found)| {
            for finding in found {
                check.found(case, finding);
            }
            self.progress.advance(1);
        });
    }

    /// The faults behind the wrong or missing answer of a case.
    pub(super) fn hunt_case(
        &self,
        driver: &mut Driver<'_>,
        case: usize,
        first: &CaseOutcome,
    ) -> Vec<HuntResult> {
        let most = if first.hangs() { HANG } else { Duration::MAX };
        driver.allow_each(self.rules.timeout.min(most));
        let question = CountQuestion {
            route: self.cases.get(case).route(),
            depth: first.failing_depth().expect("a failing case"),
        };
        let mut limits = HuntLimits::default();
        if first.crashes() {
            limits.questions = QUESTIONS_OF_A_CRASH;
        }
        let found = hunt_with(driver, &question, limits, self.rules.counter).ok();
        let mut found: Vec<HuntResult> = found.into_iter().collect();
        if found.iter().any(HuntResult::lists_nothing) {
            found.extend(self.hunt_beyond(driver, case));
        }
        let found = found.into_iter();
        found
            .map(|finding| with_first_answer(finding, first))
            .collect()
    }

    /// Another fault of a case in which a position without any move listed hides what else is wrong: one
    /// below a move of its own after which moves are listed.
    fn hunt_beyond(&self, driver: &mut Driver<'_>, case: usize) -> Option<HuntResult> {
        let case = self.cases.get(case);
        let (depth, _) = *case.counts().last()?;
        let root = CountQuestion::by_fen(*case.route().position(), depth);
        let moves = root.position().legal_moves().into_iter();
        let children = moves.filter_map(|m| Some(root.child(m)?.by_last_moves(0)));
        let limits = HuntLimits {
            questions: QUESTIONS_BEYOND,
            ..HuntLimits::default()
        };
        let mut hunts = 0;
        for question in children {
            let reply = driver.perft(&question.route, question.depth);
            let Some(judged) = judge(&question, &reply, self.rules.counter) else {
                continue;
            };
            if matches!(judged.symptom, Symptom::Failed(_)) {
                return None;
            }
            // No move here either: the same fault, and nothing below it can be seen.
            if judged.counts.theirs == Some(0) {
                continue;
            }
            let found = hunt_with(driver, &question, limits, self.rules.counter).ok()?;
            hunts += 1;
            if !found.lists_nothing() {
                return Some(found);
            }
            if hunts == MOST_HUNTS_BEYOND {
                break;
            }
        }
        None
    }

    pub(super) fn drivers(&self) -> Vec<Driver<'_>> {
        let driver = |_| Driver::new(self.start, self.detected);
        (0..self.rules.concurrency).map(driver).collect()
    }

    /// Runs a task for each item, by its index, until there are no more; each thread has its own process.
    /// `note` is called on the calling thread. A task that returns nothing was cancelled, and ends its
    /// thread.
    pub(super) fn in_parallel<'d, I, T: Send>(
        drivers: &mut [Driver<'d>],
        item: impl Fn(usize) -> Option<I> + Sync,
        work: impl Fn(&mut Driver<'d>, I) -> Option<T> + Sync,
        note: impl FnMut(T),
    ) {
        let next = AtomicUsize::new(0);
        let (events, inbox) = crossbeam_channel::bounded::<T>(EVENTS);
        std::thread::scope(|scope| {
            for driver in drivers {
                let (events, next, item, work) = (events.clone(), &next, &item, &work);
                scope.spawn(move || {
                    while let Some(item) = item(next.fetch_add(1, Ordering::Relaxed)) {
                        let Some(event) = work(driver, item) else {
                            break;
                        };
                        let sent = events.send(event);
                        sent.expect("the loop listens until the last worker has gone");
                    }
                });
            }
            drop(events);
            inbox.into_iter().for_each(note);
        });
    }
}

/// A hunt whose questions were all answered correctly misses the wrong answer or crash that started
/// it; this puts it back.
fn with_first_answer(mut finding: HuntResult, first: &CaseOutcome) -> HuntResult {
    let ours = Some(finding.counts.ours);
    let HuntFault::Flaky(answers) = &mut finding.fault else {
        return finding;
    };
    if answers.iter().any(|&answer| answer != ours) {
        return finding;
    }
    match first {
        CaseOutcome::Wrong { counts, .. } => {
            answers.insert(0, counts.theirs);
            finding.counts.theirs = counts.theirs;
        }
        // A crash is not flaky just because it does not recur when asked alone.
        CaseOutcome::Failed { failure, .. } => {
            finding.fault = HuntFault::Failed(failure.clone());
            finding.counts.theirs = None;
        }
        _ => {}
    }
    finding
}

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
fn now() -> Instant {
    Instant::now()
}
