//! Verdict and exit code of a run.

use std::fmt;
use std::str::FromStr;

use kit::Exit;

use super::baseline::{BaselineComparison, PositionChange};
use super::ledger::{Handshake, PositionState, Trial};
use super::plan::RunPlan;

/// Significance level: differences with a larger p-value are attributed to chance.
pub(crate) const LEVEL: f64 = 0.05;

/// A condition that makes the exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum FailOn {
    /// A position solved in the baseline is no longer solved [default for repeatable searches]
    NewlyFailed,
    /// Solved less often by more than chance, all together or one (p <= 0.05) [default for others]
    Worse,
    /// A position solved both times takes more nodes by the factor
    Slower,
    /// Solutions take significantly more nodes (p <= 0.05)
    SlowerOverall,
    /// A position of the baseline was not run [default]
    Missing,
    /// A position is not solved
    Unsolved,
    /// A principal variation has a move that is not legal
    IllegalPv,
    /// An engine crashed, hung, was overdue or played an illegal move: always checked, exit code 3
    Crash,
    /// Nothing but crashes
    None,
}

impl FailOn {
    /// Its name on the command line and in reports.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::NewlyFailed => "newly-failed",
            Self::Worse => "worse",
            Self::Slower => "slower",
            Self::SlowerOverall => "slower-overall",
            Self::Missing => "missing",
            Self::Unsolved => "unsolved",
            Self::IllegalPv => "illegal-pv",
            Self::Crash => "crash",
            Self::None => "none",
        }
    }

    pub(crate) fn needs_baseline(self) -> bool {
        matches!(
            self,
            Self::NewlyFailed | Self::Worse | Self::Slower | Self::SlowerOverall | Self::Missing
        )
    }
}

/// The minimum that must be solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MinSolved {
    /// Number of positions.
    Positions(usize),
    /// Percentage of the positions run.
    Percent(f64),
}

impl FromStr for MinSolved {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fail = || "expected a number of positions, or a part such as 95% or 99.5%".to_owned();
        let Some(percent) = text.strip_suffix('%') else {
            return text.parse().map(Self::Positions).map_err(|_| fail());
        };
        match percent.parse() {
            Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(Self::Percent(percent)),
            _ => Err(fail()),
        }
    }
}

impl fmt::Display for MinSolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Positions(positions) => write!(f, "{positions}"),
            Self::Percent(percent) => write!(f, "{percent}%"),
        }
    }
}

impl MinSolved {
    #[expect(
        clippy::cast_precision_loss,
        reason = "counts of positions are far below 2^53"
    )]
    pub(crate) fn is_met(self, solved: usize, asked: usize) -> bool {
        match self {
            Self::Positions(least) => solved >= least,
            // Compares products, so that 3 of 10 are exactly 30%, not a bit less.
            Self::Percent(percent) => solved as f64 * 100.0 >= percent * asked as f64 - 1e-9,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct FailPolicy {
    pub(crate) fail_on: Vec<FailOn>,
    /// The minimum that each engine must solve.
    pub(crate) min_solved: Option<MinSolved>,
    pub(crate) allow_unreadable: bool,
}

/// The rule name of `--min-solved`, beside those of [`FailOn`].
const MIN_SOLVED: &str = "min-solved";

/// A rule that an engine breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// [`FailOn::as_str`], or `min-solved`.
    pub(crate) rule: &'static str,
    pub(crate) text: String,
}

/// The verdict on a position, the same in all reports. The exit code is 1 exactly if a position is
/// [`PositionStatus::Failed`] or an engine as a whole breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PositionStatus {
    /// Solved.
    Passed,
    /// It breaks the rules of these names.
    Failed(Vec<&'static str>),
    /// Unsolved here and in the baseline; no rule of its own.
    KnownFailure,
    /// Unsolved, and no rule requires a solution.
    Unsolved,
    /// The engine failed on it.
    Error,
    /// Not searched: the run was cancelled.
    Open,
    /// Not run: the engine lacks `UCI_Chess960`.
    NeedsChess960,
}

impl PositionStatus {
    /// A short machine-readable name.
    pub(crate) fn as_str(&self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed(_) => "failed",
            Self::KnownFailure => "known-failure",
            Self::Unsolved => "unsolved",
            Self::Error => "error",
            Self::Open => "open",
            Self::NeedsChess960 => "needs-chess960",
        }
    }

    /// The names of the rules that are broken.
    pub(crate) fn rules(&self) -> &[&'static str] {
        match self {
            Self::Failed(rules) => rules,
            _ => &[],
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunVerdict {
    /// For each engine, the rules that it breaks.
    pub(crate) complaints: Vec<Vec<Complaint>>,
    /// For each engine, the verdict on each position.
    pub(crate) standings: Vec<Vec<PositionStatus>>,
    pub(crate) exit: Exit,
}

/// Judges a run. `comparisons` has one per engine, if there is a baseline.
pub(crate) fn judge(
    plan: &RunPlan,
    trials: &[Trial],
    comparisons: &[Option<BaselineComparison<'_>>],
    policy: &FailPolicy,
) -> RunVerdict {
    let pairs = || trials.iter().zip(comparisons);
    let complaints =
        pairs().map(|(trial, comparison)| complaints(plan, trial, comparison.as_ref(), policy));
    let complaints: Vec<Vec<Complaint>> = complaints.collect();
    let standings = pairs().zip(&complaints);
    let standings = standings.map(|((trial, comparison), complaints)| {
        standings_of(plan, trial, comparison.as_ref(), complaints)
    });
    RunVerdict {
        standings: standings.collect(),
        exit: exit_code(plan, trials, comparisons, &complaints, policy),
        complaints,
    }
}

/// The verdicts on the positions, given the rules that the engine breaks.
fn standings_of(
    plan: &RunPlan,
    trial: &Trial,
    comparison: Option<&BaselineComparison<'_>>,
    complaints: &[Complaint],
) -> Vec<PositionStatus> {
    let searched: Vec<usize> = trial.searched().collect();
    let among = |changes: &[PositionChange<'_>]| {
        let mut is_among = vec![false; plan.cases.len()];
        for change in changes {
            is_among[searched[change.index]] = true;
        }
        is_among
    };
    let empty = BaselineComparison::default();
    let comparison = comparison.unwrap_or(&empty);
    let newly_failed = among(&comparison.newly_failed);
    let less_often: Vec<PositionChange<'_>> =
        comparison.less_often.iter().map(|one| one.change).collect();
    let less_often = among(&less_often);
    let known = among(&comparison.known_failures);
    let slower = among(&comparison.slower);
    let standing = |case: usize| {
        let is_unsolved = trial.state(case) == PositionState::Unsolved;
        let breaks = |rule: &str| match rule {
            "newly-failed" => newly_failed[case],
            "worse" => less_often[case],
            "unsolved" | MIN_SOLVED => is_unsolved,
            "slower" => slower[case],
            "illegal-pv" => trial.illegal_pv(case).is_some(),
            _ => false,
        };
        let rules = complaints.iter().map(|complaint| complaint.rule);
        let rules: Vec<&'static str> = rules.filter(|rule| breaks(rule)).collect();
        match trial.state(case) {
            _ if trial.fault(case).is_some() => PositionStatus::Error,
            PositionState::Open => PositionStatus::Open,
            PositionState::NeedsChess960 => PositionStatus::NeedsChess960,
            _ if !rules.is_empty() => PositionStatus::Failed(rules),
            PositionState::Solved => PositionStatus::Passed,
            PositionState::Unsolved if known[case] => PositionStatus::KnownFailure,
            PositionState::Unsolved => PositionStatus::Unsolved,
        }
    };
    (0..plan.cases.len()).map(standing).collect()
}

/// The exit code of a run, given the rules that each engine breaks.
pub(crate) fn exit_code(
    plan: &RunPlan,
    trials: &[Trial],
    comparisons: &[Option<BaselineComparison<'_>>],
    complaints: &[Vec<Complaint>],
    policy: &FailPolicy,
) -> Exit {
    // A baseline of entirely different positions is useless.
    let compares_nothing =
        |one: &Option<BaselineComparison<'_>>| one.as_ref().is_some_and(|one| one.common == 0);
    let any = |is_so: &dyn Fn(&Trial) -> bool| trials.iter().any(is_so);
    let asked = |trial: &Trial| trial.totals(&plan.cases, None).asked();
    let has_failed = |trial: &Trial| {
        !matches!(trial.handshake, Handshake::Ready { .. })
            || (0..plan.cases.len()).any(|case| trial.fault(case).is_some())
    };
    if any(&|trial| trial.interrupted) {
        Exit::Interrupted
    } else if any(&has_failed) {
        Exit::Failed
    } else if complaints.iter().any(|some| !some.is_empty()) {
        Exit::Differs
    } else if plan.has_faults() && !policy.allow_unreadable {
        Exit::BadInput
    } else if trials.is_empty()
        || any(&|trial| asked(trial) == 0)
        || comparisons.iter().any(compares_nothing)
    {
        Exit::Nothing
    } else {
        Exit::Agreed
    }
}

fn complaints(
    plan: &RunPlan,
    trial: &Trial,
    comparison: Option<&BaselineComparison<'_>>,
    policy: &FailPolicy,
) -> Vec<Complaint> {
    if !matches!(trial.handshake, Handshake::Ready { .. }) || trial.interrupted {
        return Vec::new();
    }
    let mut complaints: Vec<Complaint> = Vec::new();
    for fail_on in &policy.fail_on {
        let text = complaint(plan, trial, comparison, *fail_on);
        let rule = fail_on.as_str();
        complaints.extend(text.map(|text| Complaint { rule, text }));
    }
    let totals = trial.totals(&plan.cases, None);
    if let Some(least) = policy.min_solved
        && !least.is_met(totals.solved, totals.asked())
    {
        let (rule, solved, asked) = (MIN_SOLVED, totals.solved, totals.asked());
        let text = format!("{solved} of {asked} positions solved, at least {least} wanted");
        complaints.push(Complaint { rule, text });
    }
    complaints
}

/// Checks one of the conditions that make the run fail.
fn complaint(
    plan: &RunPlan,
    trial: &Trial,
    comparison: Option<&BaselineComparison<'_>>,
    fail_on: FailOn,
) -> Option<String> {
    let count = |count: usize, what: &str| {
        let plural = if count == 1 { "position" } else { "positions" };
        (count > 0).then(|| format!("{count} {plural} {what}"))
    };
    let cases = 0..plan.cases.len();
    match fail_on {
        FailOn::NewlyFailed => count(comparison?.newly_failed.len(), "newly failed"),
        FailOn::Slower => count(comparison?.slower.len(), "slower"),
        FailOn::Missing => count(comparison?.missing.len(), "of the baseline missing"),
        FailOn::Worse => {
            let comparison = comparison?;
            let (test, counts) = (comparison.solved, comparison.solved.counts);
            let all = test.is_worse(LEVEL).then(|| {
                format!(
                    "worse by more than chance: {} of {} searches solved, {} of {} then, p = {:.2e}",
                    counts.solved_now,
                    counts.searches_now,
                    counts.solved_then,
                    counts.searches_then,
                    test.p_value
                )
            });
            let what = "solved less often by more than chance";
            let one = count(comparison.less_often.len(), what);
            let both: Vec<String> = all.into_iter().chain(one).collect();
            (!both.is_empty()).then(|| both.join("; "))
        }
        FailOn::SlowerOverall => {
            let comparison = comparison?;
            let (test, ratio) = (comparison.nodes, comparison.nodes_ratio);
            comparison.is_slower_overall(LEVEL).then(|| {
                format!(
                    "slower by more than chance: more nodes in {}, fewer in {}, {ratio:.2} times on \
                     the average, p = {:.2e}",
                    test.worse, test.better, test.p_value
                )
            })
        }
        FailOn::Unsolved => {
            let unsolved = cases.filter(|&case| trial.state(case) == PositionState::Unsolved);
            count(unsolved.count(), "not solved")
        }
        FailOn::IllegalPv => {
            let illegal = cases.filter(|&case| trial.illegal_pv(case).is_some());
            count(illegal.count(), "with an illegal PV")
        }
        FailOn::Crash | FailOn::None => None,
    }
}
