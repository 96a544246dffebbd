//! The edge that puts a stream of random positions to an engine.

use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use chess::perft::CountError;
use chess::rules::{CastlingMode, Position};
use kit::Progress;
use uci::perft::{DetectedEngine, Detection, Driver};

use super::counts::{CountSize, CountingError, confirmed_counts};
use super::sources::{RandomPositions, RandomSource};
use crate::count::subject::Route;
use crate::engine_check::case::CountedCases;
use crate::engine_check::common::common_faults;
use crate::engine_check::hunt::HuntResult;
use crate::engine_check::ledger::{CaseOutcome, EngineCheck, EngineTotals};
use crate::engine_check::run::{
    Asking, EngineRules, EngineStart, HuntBudget, conclude, detect_engine,
};
use crate::suite::check::ledger::CountLedger;
use crate::suite::check::plan::CheckPlan;

/// A run ends when it has found so many kinds of fault.
const MOST_FAULTS: usize = 5;
/// It ends, too, after so many failing positions, all of which are kept.
const MOST_FAILING: usize = 200;
/// And after so many that are not answered in time: each costs the whole time limit.
const MOST_HANGING: usize = 5;
/// An answer to the deepest question shall take about this long.
const ANSWER: Duration = Duration::from_millis(10);
/// Leaf nodes of a question as long as the engine's speed is not known, and the most of all.
const FIRST_NODES: u64 = 5_000;
const MOST_NODES: u64 = 1_000_000;
/// Positions between two updates of the progress line.
const PROGRESS_EVERY: u64 = 20;

/// Where a stream begins: after the first positions of a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StreamStart {
    pub(crate) seed: u64,
    pub(crate) skipped: u32,
}

/// When a run ends, and how large its questions are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RandomLimits {
    /// Number of positions.
    pub(crate) positions: Option<u32>,
    pub(crate) time: Option<Duration>,
    /// The deepest count.
    pub(crate) depth: Option<u32>,
    /// Maximum number of leaf nodes; by the engine's speed if there is none.
    pub(crate) nodes: Option<u64>,
}

/// What was found.
#[derive(Debug)]
pub(crate) struct RandomCheck {
    /// The failing positions, a suite for each source.
    pub(crate) plan: CheckPlan,
    pub(crate) ledger: CountLedger,
    /// Its cases are those of the plan; it has the totals of the other positions, too.
    pub(crate) check: EngineCheck,
    pub(crate) span: StreamSpan,
}

/// The part of a stream that was asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StreamSpan {
    pub(crate) start: StreamStart,
    /// As many positions as this were asked, or skipped, from the beginning of the stream on; with several
    /// processes, a few after them may have been asked as well.
    pub(crate) end: u32,
    pub(crate) features: FeaturesSeen,
}

/// A sentence on what was asked, and the options that go on from there.
impl fmt::Display for StreamSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            start: StreamStart { seed, skipped },
            end,
            features,
        } = self;
        if end > skipped {
            let first = skipped + 1;
            write!(
                f,
                "random positions {first} to {end} of seed {seed} ({features}); "
            )?;
        }
        write!(f, "continue with: --random --seed {seed}:{end}")
    }
}

/// How many of the positions that were asked have a feature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FeaturesSeen([u64; 5]);

const FEATURES: [&str; 5] = [
    "check",
    "double check",
    "castling",
    "en passant",
    "promotion",
];

impl FeaturesSeen {
    /// Those of one position.
    fn new(position: &Position) -> Self {
        let has = |fits: &dyn Fn(chess::rules::Move) -> bool| {
            u64::from(position.legal_moves().iter().any(|&m| fits(m)))
        };
        Self([
            position.is_check().into(),
            position.checkers().has_several().into(),
            has(&|m| position.is_castling(m)),
            has(&|m| position.is_en_passant(m)),
            has(&|m| m.promotion().is_some()),
        ])
    }

    fn add(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own += other;
        }
    }

    /// Each name with its number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        FEATURES.into_iter().zip(self.0)
    }
}

impl fmt::Display for FeaturesSeen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, number)) in self.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{name} {number}")?;
        }
        Ok(())
    }
}

/// A position that was asked.
struct AskedPosition {
    number: u64,
    route: Route,
    counts: Vec<(NonZeroU32, u64)>,
    outcome: CaseOutcome,
    time: Duration,
    found: Vec<HuntResult>,
}

/// Speed of the engine so far.
#[derive(Default)]
struct Speed {
    nodes: AtomicU64,
    nanoseconds: AtomicU64,
}

impl Speed {
    fn note(&self, nodes: u64, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
        self.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
    }

    /// The leaf nodes that the engine counts in about [`ANSWER`].
    fn nodes_of_an_answer(&self) -> u64 {
        let nodes = u128::from(self.nodes.load(Ordering::Relaxed));
        let time = u128::from(self.nanoseconds.load(Ordering::Relaxed));
        match (nodes * ANSWER.as_nanos()).checked_div(time) {
            None | Some(0) => FIRST_NODES,
            Some(nodes) => u64::try_from(nodes).map_or(MOST_NODES, |nodes| nodes.min(MOST_NODES)),
        }
    }
}

/// Asks an engine for random positions until a limit is reached, the user ends it, or it has failed
/// often enough.
///
/// # Errors
///
/// When our two generators disagree.
pub(crate) fn check_random(
    engine: &EngineStart<'_>,
    stream: StreamStart,
    limits: &RandomLimits,
    rules: &EngineRules<'_>,
    progress: &Progress,
) -> anyhow::Result<RandomCheck> {
    let began = now();
    let mut results = RandomResults::new(stream);
    let detection = match detect_engine(engine, rules, progress) {
        Err(detection) => detection,
        Ok(detected) => {
            progress.begin(limits.positions.unwrap_or(0).into(), "positions");
            let stream = RandomStream {
                engine,
                detected: &detected,
                positions: RandomPositions::new(stream.seed),
                first: stream.skipped.into(),
                limits,
                rules,
                began: now(),
                speed: Speed::default(),
                budget: Mutex::default(),
                is_over: AtomicBool::new(false),
            };
            stream.run(&mut results, progress)?;
            Detection::Understood(Box::new(detected))
        }
    };
    let mut check = results.into_check(engine.name, detection);
    conclude(&mut check.check, engine, rules, began.elapsed());
    Ok(check)
}

struct RandomStream<'a> {
    engine: &'a EngineStart<'a>,
    detected: &'a DetectedEngine,
    positions: RandomPositions,
    /// Number of the first position.
    first: u64,
    limits: &'a RandomLimits,
    rules: &'a EngineRules<'a>,
    began: Instant,
    speed: Speed,
    budget: Mutex<HuntBudget>,
    /// Whether no more positions are asked.
    is_over: AtomicBool,
}

impl RandomStream<'_> {
    fn run(&self, results: &mut RandomResults, progress: &Progress) -> anyhow::Result<()> {
        let plan = CheckPlan::default();
        let ledger = CountLedger::new(&plan);
        let cases = CountedCases::new(&plan, &ledger);
        let workers = Asking {
            start: &self.engine.start,
            detected: self.detected,
            cases: &cases,
            rules: self.rules,
            progress,
            // The time that is left is not known, or set.
            remark: &|_| {},
            only_shallowest: false,
        };
        let most = self
            .limits
            .positions
            .map_or(usize::MAX, |most| most as usize);
        let number = |index: usize| {
            // One position is asked at least, however short the time.
            let is_late = |most| index > 0 && self.began.elapsed() >= most;
            let is_over = self.is_over.load(Ordering::Relaxed)
                || index >= most
                || self.limits.time.is_some_and(is_late);
            // A number is a line in a report.
            let number = self.first + index as u64;
            (!is_over && number < u64::from(u32::MAX)).then_some(number)
        };
        let work = |driver: &mut Driver<'_>, number| self.ask(&workers, driver, number).transpose();
        let mut error = None;
        Asking::in_parallel(&mut workers.drivers(), number, work, |asked| match asked {
            Ok(asked) => {
                let is_failing = asked.outcome.failing_depth().is_some();
                results.note(asked);
                progress.advance(1);
                if results.positions.is_multiple_of(PROGRESS_EVERY) {
                    let is_endless = self.limits.positions.is_none();
                    let elapsed = is_endless.then(|| self.began.elapsed());
                    progress.say(results.progress(elapsed));
                }
                if is_failing && results.is_enough() {
                    self.is_over.store(true, Ordering::Relaxed);
                }
            }
            Err(disagreement) => {
                self.is_over.store(true, Ordering::Relaxed);
                error.get_or_insert(disagreement);
            }
        });
        match error {
            // Whoever cancels is told so by the verdict.
            None | Some(CountingError::Count(CountError::Cancelled)) => Ok(()),
            Some(error) => Err(error.into()),
        }
    }

    /// Makes, counts and asks a position, and hunts the fault if there is one. Nothing when the run was cancelled.
    fn ask(
        &self,
        workers: &Asking<'_>,
        driver: &mut Driver<'_>,
        number: u64,
    ) -> Result<Option<AskedPosition>, CountingError> {
        let mut route = self.positions.route(number);
        // What is not to be asked is not counted.
        let chess960 = self.detected.dialect.calibration().chess960;
        if route.root().castling_mode() == CastlingMode::Chess960 && !chess960 {
            return Ok(Some(AskedPosition {
                number,
                route,
                counts: Vec::new(),
                outcome: CaseOutcome::NeedsChess960,
                time: Duration::ZERO,
                found: Vec::new(),
            }));
        }
        if !self.detected.dialect.sends_moves(&route) {
            route = route.by_last_moves(0);
        }
        let by_speed = || self.speed.nodes_of_an_answer();
        let size = CountSize {
            depth: self.limits.depth.unwrap_or(u32::MAX),
            least_depth: if self.limits.nodes.is_some() { 1 } else { 2 },
            nodes: self.limits.nodes.unwrap_or_else(by_speed),
        };
        let counts = confirmed_counts(route.position(), size, &self.rules.counter)?;
        let mut plan = CheckPlan::default();
        plan.begin_suite(RandomPositions::source(number).name());
        plan.add_route(line(number), &route, &counts);
        let ledger = all_agree(&plan);
        let cases = CountedCases::new(&plan, &ledger);
        let asking = Asking {
            cases: &cases,
            ..*workers
        };
        let began = now();
        let Some(outcome) = asking.ask_case(driver, cases.get(0)) else {
            return Ok(None);
        };
        let time = began.elapsed();
        if outcome == CaseOutcome::Right {
            self.speed.note(cases.get(0).nodes(), time);
        }
        let mut found = Vec::new();
        if let Some(depth) = outcome.failing_depth()
            && self.rules.hunts
        {
            let nodes = cases.get(0).nodes_at(depth);
            let is_taken = self
                .budget
                .lock()
                .is_ok_and(|mut budget| budget.takes(&outcome, nodes));
            if is_taken && !self.engine.start.cancel.is_set() {
                found = asking.hunt_case(driver, 0, &outcome);
            }
        }
        Ok(Some(AskedPosition {
            number,
            route,
            counts,
            outcome,
            time,
            found,
        }))
    }
}

/// The line of a position in its suite, from 1.
fn line(number: u64) -> usize {
    usize::try_from(number + 1).expect("numbers have 32 bits")
}

/// A ledger in which every count of a plan agrees.
fn all_agree(plan: &CheckPlan) -> CountLedger {
    let mut ledger = CountLedger::new(&CheckPlan::default());
    ledger.agree_on_added(plan);
    ledger
}

/// What is kept of the positions that were asked.
struct RandomResults {
    start: StreamStart,
    /// All positions before this one were asked, and these others.
    next: u64,
    ahead: BTreeSet<u64>,
    /// Number of positions.
    positions: u64,
    features: FeaturesSeen,
    /// The totals of the positions that do not fail, by source.
    totals: [EngineTotals; RandomSource::ALL.len()],
    failing: Vec<AskedPosition>,
}

impl RandomResults {
    fn new(start: StreamStart) -> Self {
        Self {
            start,
            next: start.skipped.into(),
            ahead: BTreeSet::new(),
            positions: 0,
            features: FeaturesSeen::default(),
            totals: [EngineTotals::default(); RandomSource::ALL.len()],
            failing: Vec::new(),
        }
    }

    fn note(&mut self, asked: AskedPosition) {
        self.positions += 1;
        self.ahead.insert(asked.number);
        while self.ahead.remove(&self.next) {
            self.next += 1;
        }
        if asked.outcome != CaseOutcome::NeedsChess960 {
            self.features
                .add(&FeaturesSeen::new(asked.route.position()));
        }
        if asked.outcome.failing_depth().is_some() {
            self.failing.push(asked);
        } else {
            let nodes = asked.counts.iter().map(|&(_, nodes)| nodes).sum();
            let source = RandomPositions::source(asked.number);
            self.totals[source as usize].note(Some(&asked.outcome), nodes);
        }
    }

    fn is_enough(&self) -> bool {
        let hanging = self.failing.iter().filter(|asked| asked.outcome.hangs());
        let found = self.failing.iter().enumerate();
        let found = found.flat_map(|(case, asked)| asked.found.iter().map(move |one| (case, one)));
        self.failing.len() >= MOST_FAILING
            || hanging.count() >= MOST_HANGING
            || common_faults(found).len() >= MOST_FAULTS
    }

    /// What the progress line says after the number of positions, which it has only where it knows the total.
    fn progress(&self, elapsed: Option<Duration>) -> String {
        let number = elapsed.map_or_else(
            || "positions, ".to_owned(),
            |elapsed| {
                let rate = u128::from(self.positions) * 1_000 / elapsed.as_millis().max(1);
                format!("{} positions, {rate} a second, ", self.positions)
            },
        );
        let failing = match self.failing.len() {
            0 => String::new(),
            failing => format!("{failing} FAILING, "),
        };
        format!("{number}{failing}{}", self.features)
    }

    fn into_check(mut self, name: &str, detection: Detection) -> RandomCheck {
        self.failing
            .sort_by_key(|asked| (RandomPositions::source(asked.number), asked.number));
        let mut plan = CheckPlan::default();
        let mut streamed = Vec::new();
        for source in RandomSource::ALL {
            let is_of = |asked: &&AskedPosition| RandomPositions::source(asked.number) == source;
            plan.begin_suite(source.name());
            for asked in self.failing.iter().filter(is_of) {
                plan.add_route(line(asked.number), &asked.route, &asked.counts);
            }
            streamed.push(self.totals[source as usize]);
        }
        let ledger = all_agree(&plan);
        let mut check = EngineCheck::new(name.to_owned(), detection, self.failing.len());
        check.streamed = streamed;
        for (case, asked) in self.failing.into_iter().enumerate() {
            check.record(case, asked.outcome, asked.time);
            for found in asked.found {
                check.found(case, found);
            }
        }
        RandomCheck {
            plan,
            ledger,
            check,
            span: StreamSpan {
                start: self.start,
                end: u32::try_from(self.next).unwrap_or(u32::MAX),
                features: self.features,
            },
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
fn now() -> Instant {
    Instant::now()
}
