//! The results of one engine on each case, and the verdict.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::time::Duration;

use chess::notation::fen;
use kit::Exit;
use serde::Serialize;
use uci::perft::{Detection, Dialect, MoveSource, uci_moves};

use super::accept::{PositionRefusal, reasons};
use super::case::CountedCases;
use super::common::{CommonFault, common_faults};
use super::hunt::{CountPair, HuntResult};
use super::stages::{RuleStage, StageProgress};
use crate::count::subject::Failure;
use crate::suite::check::times::TaskTimes;

/// The result of one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CaseOutcome {
    /// Every count is right, and every row of the divides.
    Right,
    /// The count at this depth, or a row of its divide, is wrong; deeper ones were not tested.
    Wrong {
        depth: NonZeroU32,
        counts: CountPair,
    },
    /// There is no answer at this depth.
    Failed {
        depth: NonZeroU32,
        failure: Failure,
        /// The last lines of the transcript.
        transcript: String,
    },
    /// Not tested: castling needs `UCI_Chess960`, an option that the engine lacks, or that did not
    /// prove to work.
    NeedsChess960,
    /// Not tested: it is about moves after a position, which this engine is not sent.
    NeedsMoves,
    /// Not tested: the engine has refused the position, as its answers show.
    NotAccepted(PositionRefusal),
    /// Not tested to this depth: the engine is asked for lists of moves, and has none here.
    NotListed { depth: NonZeroU32, why: String },
}

impl CaseOutcome {
    /// A stable word for machine-readable output.
    pub(crate) fn as_str(&self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong { .. } => "wrong",
            Self::Failed { .. } => "failed",
            Self::NeedsChess960 => "needs-chess960",
            Self::NeedsMoves => "needs-moves",
            Self::NotAccepted(_) => "not-accepted",
            Self::NotListed { .. } => "not-listed",
        }
    }

    /// The wrong count, if there is one.
    pub(crate) fn counts(&self) -> Option<CountPair> {
        match self {
            Self::Wrong { counts, .. } => Some(*counts),
            _ => None,
        }
    }

    /// The depth of the wrong or missing answer.
    pub(crate) fn failing_depth(&self) -> Option<NonZeroU32> {
        match self {
            Self::Wrong { depth, .. } | Self::Failed { depth, .. } => Some(*depth),
            Self::Right
            | Self::NeedsChess960
            | Self::NeedsMoves
            | Self::NotAccepted(_)
            | Self::NotListed { .. } => None,
        }
    }

    fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Failed { failure, .. } => Some(failure),
            _ => None,
        }
    }

    /// Whether the answer could not be parsed, which is not a wrong count.
    pub(crate) fn is_unreadable(&self) -> bool {
        matches!(self.failure(), Some(Failure::Unreadable { .. }))
    }

    /// Whether the engine ended.
    pub(crate) fn crashes(&self) -> bool {
        matches!(self.failure(), Some(Failure::Crashed { .. }))
    }

    /// Whether the engine timed out.
    pub(crate) fn hangs(&self) -> bool {
        matches!(self.failure(), Some(Failure::TimedOut { .. }))
    }
}

/// One engine with its results.
#[derive(Clone, Debug)]
pub(crate) struct EngineCheck {
    pub(crate) command: String,
    /// The other options of our command line that define how it is asked.
    pub(crate) arguments: Vec<String>,
    /// Whether positions that it does not accept make it fail.
    pub(crate) demands_acceptance: bool,
    /// Whether of each position only the shallowest count was asked.
    pub(crate) only_shallowest: bool,
    /// The result of detecting the engine's dialect.
    pub(crate) detection: Detection,
    /// Wall-clock time of the check.
    pub(crate) time: Duration,
    /// Whether the user ended it.
    pub(crate) interrupted: bool,
    /// The totals of positions that were asked, but are no cases, by suite: those of a stream that are
    /// right, or could not be asked, are not kept.
    pub(crate) streamed: Vec<EngineTotals>,
    /// The wall-clock time of each case; open if the run ended early.
    times: TaskTimes,
    /// The outcome of the cases that are not right.
    outcomes: BTreeMap<usize, CaseOutcome>,
    /// The findings of each traced case, that of its first wrong answer first.
    findings: BTreeMap<usize, Vec<HuntResult>>,
}

static RIGHT: CaseOutcome = CaseOutcome::Right;

/// The totals over one suite or a whole check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct EngineTotals {
    pub(crate) right: usize,
    pub(crate) wrong: usize,
    /// Positions without an answer, including unreadable ones.
    pub(crate) failed: usize,
    /// Those of them whose answer could not be parsed.
    #[serde(skip)]
    pub(crate) unreadable: usize,
    /// Positions not tested because the engine lacks `UCI_Chess960`.
    pub(crate) needs_chess960: usize,
    /// Positions not tested because the engine is not sent moves after a position.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) needs_moves: usize,
    /// Positions not tested because the engine refuses them.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) not_accepted: usize,
    /// Positions not tested because the engine lists no moves there.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) not_listed: usize,
    /// Positions not tested because the run ended early.
    pub(crate) open: usize,
    /// Leaf nodes of the positions that are right.
    pub(crate) nodes: u64,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
const fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl EngineTotals {
    /// Positions that were not tested, for whatever reason.
    pub(crate) fn not_asked(&self) -> usize {
        let not_asked = self.needs_chess960 + self.needs_moves + self.open;
        not_asked + self.not_accepted + self.not_listed
    }

    pub(crate) fn asked(&self) -> usize {
        self.right + self.wrong + self.failed
    }

    /// Counts a position of so many leaf nodes; it is open if it has no outcome.
    pub(crate) fn note(&mut self, outcome: Option<&CaseOutcome>, nodes: u64) {
        match outcome {
            None => self.open += 1,
            Some(CaseOutcome::Right) => {
                self.right += 1;
                self.nodes = self.nodes.saturating_add(nodes);
            }
            Some(CaseOutcome::Wrong { .. }) => self.wrong += 1,
            Some(outcome @ CaseOutcome::Failed { .. }) => {
                self.failed += 1;
                self.unreadable += usize::from(outcome.is_unreadable());
            }
            Some(CaseOutcome::NeedsChess960) => self.needs_chess960 += 1,
            Some(CaseOutcome::NeedsMoves) => self.needs_moves += 1,
            Some(CaseOutcome::NotAccepted(_)) => self.not_accepted += 1,
            Some(CaseOutcome::NotListed { .. }) => self.not_listed += 1,
        }
    }

    fn add(&mut self, other: &Self) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.failed += other.failed;
        self.unreadable += other.unreadable;
        self.needs_chess960 += other.needs_chess960;
        self.needs_moves += other.needs_moves;
        self.not_accepted += other.not_accepted;
        self.not_listed += other.not_listed;
        self.open += other.open;
        self.nodes = self.nodes.saturating_add(other.nodes);
    }
}

/// How many of the tested cases with a tag are wrong or have no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct TagCount<'a> {
    pub(crate) tag: &'a str,
    pub(crate) fail: usize,
    pub(crate) of: usize,
}

/// The outcome of checking an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum EngineVerdict {
    /// Every count is right, and at least one was asked.
    Right,
    Wrong,
    /// No count is wrong, but some questions were not answered.
    Failed,
    /// No count is wrong, but all or some answers could not be parsed.
    NotUnderstood,
    DoesNotStart,
    /// No position could be tested, or only by replies, of which all were legal.
    Nothing,
    /// The user ended the check.
    Interrupted,
}

impl EngineCheck {
    /// A check in which every case is open.
    pub(crate) fn new(command: String, detection: Detection, cases: usize) -> Self {
        Self {
            command,
            arguments: Vec::new(),
            demands_acceptance: false,
            only_shallowest: false,
            detection,
            time: Duration::ZERO,
            interrupted: false,
            streamed: Vec::new(),
            times: TaskTimes::open(cases),
            outcomes: BTreeMap::new(),
            findings: BTreeMap::new(),
        }
    }

    pub(crate) fn record(&mut self, case: usize, outcome: CaseOutcome, time: Duration) {
        self.times.set(case, time);
        if outcome != CaseOutcome::Right {
            self.outcomes.insert(case, outcome);
        }
    }

    /// Records a finding of the hunts that started from a case.
    pub(crate) fn found(&mut self, case: usize, finding: HuntResult) {
        self.findings.entry(case).or_default().push(finding);
    }

    /// The outcome of a case; `None` if it is open.
    pub(crate) fn outcome(&self, case: usize) -> Option<&CaseOutcome> {
        self.times.get(case)?;
        Some(self.outcomes.get(&case).unwrap_or(&RIGHT))
    }

    /// The wall-clock time of a case; `None` if it is open.
    pub(crate) fn time_of(&self, case: usize) -> Option<Duration> {
        self.times.get(case)
    }

    /// The engine's dialect, if its answers are understood.
    pub(crate) fn dialect(&self) -> Option<&Dialect> {
        match &self.detection {
            Detection::Understood(detected) => Some(&detected.dialect),
            _ => None,
        }
    }

    /// The first finding of the hunts that started from a case.
    pub(crate) fn finding(&self, case: usize) -> Option<&HuntResult> {
        self.findings.get(&case)?.first()
    }

    /// The depth of the wrong or missing answer of a case.
    pub(crate) fn failing_depth(&self, case: usize) -> Option<NonZeroU32> {
        self.outcome(case)?.failing_depth()
    }

    /// The wrong or failed cases, cheapest first.
    pub(crate) fn failing_cheapest_first(
        &self,
        cases: &CountedCases<'_>,
    ) -> Vec<(usize, &CaseOutcome)> {
        let cost = |(&case, outcome): (&usize, &'_ CaseOutcome)| {
            let depth = outcome.failing_depth()?;
            Some((cases.get(case).nodes_at(depth), case))
        };
        let mut failing: Vec<_> = self.outcomes.iter().filter_map(cost).collect();
        failing.sort_unstable();
        let failing = failing.into_iter();
        failing
            .map(|(_, case)| (case, &self.outcomes[&case]))
            .collect()
    }

    /// The wrong or failed cases.
    pub(crate) fn failing(&self) -> impl Iterator<Item = (usize, &CaseOutcome)> {
        let outcomes = self.outcomes.iter().map(|(&case, outcome)| (case, outcome));
        outcomes.filter(|(_, outcome)| outcome.failing_depth().is_some())
    }

    /// Why the engine refuses positions: what they have that none of the accepted ones has.
    pub(crate) fn reasons_of_refusal(&self, cases: &CountedCases<'_>) -> Vec<String> {
        let (mut refused, mut accepted) = (Vec::new(), Vec::new());
        for (index, case) in cases.iter().enumerate() {
            match self.outcome(index) {
                Some(CaseOutcome::NotAccepted(_)) => refused.push(*case.route().root()),
                Some(CaseOutcome::Right | CaseOutcome::Wrong { .. }) => {
                    accepted.push(*case.route().root());
                }
                _ => {}
            }
        }
        reasons(&refused, &accepted)
    }

    /// The wrong or failed cases that no finding covers.
    pub(crate) fn unhunted(&self) -> impl Iterator<Item = (usize, &CaseOutcome)> {
        let failing = self.failing();
        failing.filter(|(case, _)| !self.findings.contains_key(case))
    }

    /// The totals of one suite, or of all.
    pub(crate) fn totals(&self, cases: &CountedCases<'_>, suite: Option<usize>) -> EngineTotals {
        let mut totals = EngineTotals::default();
        for (index, others) in self.streamed.iter().enumerate() {
            if suite.is_none_or(|suite| index == suite) {
                totals.add(others);
            }
        }
        for (index, case) in cases.iter().enumerate() {
            if suite.is_some_and(|suite| case.suite() != suite) {
                continue;
            }
            let nodes = if self.only_shallowest {
                case.counts().first().map_or(0, |&(_, nodes)| nodes)
            } else {
                case.nodes()
            };
            totals.note(self.outcome(index), nodes);
        }
        totals
    }

    /// What was asked of no position, since the verdict rests on less.
    pub(crate) fn never_asked(&self) -> Option<&'static str> {
        match self.dialect()?.moves_by() {
            Some(MoveSource::Replies) => Some("moves and counts"),
            Some(MoveSource::MultiPv | MoveSource::SearchMoves) => Some("counts"),
            None => self.only_shallowest.then_some("deeper counts"),
        }
    }

    /// How far the engine has come, if all cases are of stages. A position that it refuses is not right.
    pub(crate) fn progress<'a>(&self, cases: &CountedCases<'a>) -> Option<StageProgress<'a>> {
        let mut stages: BTreeMap<RuleStage<'a>, bool> = BTreeMap::new();
        for (index, case) in cases.iter().enumerate() {
            let outcome = self.outcome(index);
            let is_right = matches!(
                outcome,
                Some(CaseOutcome::Right | CaseOutcome::NeedsChess960 | CaseOutcome::NeedsMoves)
            );
            *stages.entry(case.stage()?).or_insert(true) &= is_right;
        }
        if stages.is_empty() {
            return None;
        }
        let next = stages.values().position(|is_right| !is_right);
        let mut right: Vec<RuleStage<'a>> = stages.into_keys().collect();
        let next = next.and_then(|next| right.drain(next..).next());
        Some(StageProgress { right, next })
    }

    /// The tags of the failing cases; the largest share of failures comes first.
    pub(crate) fn by_tag<'a>(&self, cases: &CountedCases<'a>) -> Vec<TagCount<'a>> {
        let mut tags: BTreeMap<&str, TagCount<'_>> = BTreeMap::new();
        for (index, case) in cases.iter().enumerate() {
            let failing = self.failing_depth(index).is_some();
            if failing || self.outcome(index) == Some(&CaseOutcome::Right) {
                for tag in case.tags() {
                    let new = TagCount {
                        tag,
                        fail: 0,
                        of: 0,
                    };
                    let count = tags.entry(tag).or_insert(new);
                    count.fail += usize::from(failing);
                    count.of += 1;
                }
            }
        }
        let mut list: Vec<TagCount<'_>> = tags.into_values().filter(|tag| tag.fail > 0).collect();
        // Compares the shares (fail / of) without division.
        list.sort_by(|left, right| {
            (right.fail * left.of, right.fail).cmp(&(left.fail * right.of, left.fail))
        });
        list
    }

    /// The findings grouped by cause, most frequent first.
    pub(crate) fn faults(&self) -> Vec<CommonFault<'_>> {
        let all = self.findings.iter();
        common_faults(all.flat_map(|(&case, found)| found.iter().map(move |one| (case, one))))
    }

    /// How many failing cases were traced.
    pub(crate) fn traced(&self) -> usize {
        self.findings.len()
    }

    /// The command that reproduces a finding.
    pub(crate) fn again(&self, finding: &HuntResult) -> String {
        let route = &finding.shown.route;
        let moves = uci_moves(route).join(" ");
        let moves = if moves.is_empty() {
            moves
        } else {
            format!(" moves {moves}")
        };
        let position = format!("{}{moves}", fen::write(route.root()));
        let depth = finding.shown.depth.to_string();
        // One-shot programs have another option than engines.
        let is_template = self.command.contains("{fen}");
        let option = if is_template { "--run" } else { "--engine" };
        let mut words = vec!["perft", "check", option, &self.command];
        words.extend(self.arguments.iter().map(String::as_str));
        words.extend(["--fen", &position, "--depth", &depth]);
        uci::join_words(words)
    }

    /// The verdict on the engine.
    pub(crate) fn verdict(&self, cases: &CountedCases<'_>) -> EngineVerdict {
        let totals = self.totals(cases, None);
        match self.detection {
            _ if self.interrupted => EngineVerdict::Interrupted,
            Detection::NotUnderstood { .. } => EngineVerdict::NotUnderstood,
            Detection::Failed { .. } => EngineVerdict::DoesNotStart,
            Detection::Understood(_) if totals.wrong > 0 => EngineVerdict::Wrong,
            Detection::Understood(_) if self.demands_acceptance && totals.not_accepted > 0 => {
                EngineVerdict::Wrong
            }
            Detection::Understood(_) if totals.failed > totals.unreadable => EngineVerdict::Failed,
            Detection::Understood(_) if totals.unreadable > 0 => EngineVerdict::NotUnderstood,
            Detection::Understood(_) if totals.right == 0 => EngineVerdict::Nothing,
            Detection::Understood(ref detected)
                if detected.dialect.moves_by() == Some(MoveSource::Replies) =>
            {
                EngineVerdict::Nothing
            }
            Detection::Understood(_) => EngineVerdict::Right,
        }
    }
}

impl EngineVerdict {
    pub(crate) fn exit(self) -> Exit {
        match self {
            Self::Right => Exit::Agreed,
            Self::Wrong => Exit::Differs,
            Self::Failed | Self::NotUnderstood | Self::DoesNotStart => Exit::Failed,
            Self::Nothing => Exit::Nothing,
            Self::Interrupted => Exit::Interrupted,
        }
    }
}
