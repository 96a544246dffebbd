//! Verdict and exit code of a run of mate suites.

use super::tally::{MateTally, claims, wanted};
use crate::run::claims::MateIssueKind;
use crate::run::ledger::{Handshake, PositionState, Trial};
use crate::run::plan::RunPlan;
use crate::run::verdict::{
    Complaint, FailPolicy, MinSolved, PositionStatus, RunVerdict, exit_code,
};

/// A condition that makes the exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum MateFailOn {
    /// A mate is announced for the side that gets mated [default]
    WrongSign,
    /// A PV is illegal, of another length than announced, lets the mated side claim a draw, or
    /// does not end in mate
    BadPv,
    /// A mate is announced that is shorter than the known one
    Better,
    /// An announced mate is contradicted by the tables of --syzygy [default]
    Tables,
    /// A mate is not found
    Missed,
    /// A found mate is longer than the known one, or not found
    NotBest,
    /// Nothing but crashes
    None,
}

impl MateFailOn {
    fn as_str(self) -> &'static str {
        match self {
            Self::WrongSign => "wrong-sign",
            Self::BadPv => "bad-pv",
            Self::Better => "better",
            Self::Tables => "tables",
            Self::Missed => "missed",
            Self::NotBest => "not-best",
            Self::None => "none",
        }
    }

    fn issue(self) -> Option<MateIssueKind> {
        match self {
            Self::WrongSign => Some(MateIssueKind::WrongSign),
            Self::BadPv => Some(MateIssueKind::BadPv),
            Self::Better => Some(MateIssueKind::Better),
            Self::Tables => Some(MateIssueKind::Tables),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct MatePolicy {
    pub(crate) fail_on: Vec<MateFailOn>,
    pub(crate) min_found: Option<MinSolved>,
    pub(crate) allow_unreadable: bool,
}

const MIN_FOUND: &str = "min-found";

/// Judges the results of all engines.
pub(crate) fn judge(
    plan: &RunPlan,
    trials: &[Trial],
    tallies: &[MateTally],
    policy: &MatePolicy,
) -> RunVerdict {
    let complaints = trials.iter().zip(tallies);
    let complaints =
        complaints.map(|(trial, tally)| complaints_of(trial, tally, policy).into_iter().collect());
    let complaints: Vec<Vec<Complaint>> = complaints.collect();
    let standings = trials.iter().zip(&complaints);
    let standings = standings.map(|(trial, complaints)| {
        let cases = 0..plan.cases.len();
        cases
            .map(|case| standing(plan, trial, case, complaints))
            .collect()
    });
    let unreadable = FailPolicy {
        allow_unreadable: policy.allow_unreadable,
        ..FailPolicy::default()
    };
    RunVerdict {
        standings: standings.collect(),
        // The empty list stands for comparisons: mate suites have no baseline.
        exit: exit_code(plan, trials, &[], &complaints, &unreadable),
        complaints,
    }
}

fn complaints_of(trial: &Trial, tally: &MateTally, policy: &MatePolicy) -> Vec<Complaint> {
    // Positions that were not reached would count as missed; the exit code has its own reason then.
    if !matches!(trial.handshake, Handshake::Ready { .. }) || trial.interrupted {
        return Vec::new();
    }
    let positions = tally.positions;
    let mut complaints = Vec::new();
    for &fail_on in &policy.fail_on {
        let rule = fail_on.as_str();
        let count = match fail_on {
            MateFailOn::None => 0,
            MateFailOn::Missed => positions - tally.found,
            MateFailOn::NotBest => positions - tally.best,
            _ => fail_on
                .issue()
                .map_or(0, |kind| tally.count(kind).positions),
        };
        let what = match fail_on {
            MateFailOn::WrongSign => "with a mate for the wrong side",
            MateFailOn::BadPv => "with a bad PV",
            MateFailOn::Better => "with a shorter mate than the known one",
            MateFailOn::Tables => "with a mate that the tables contradict",
            MateFailOn::NotBest => "without the shortest mate",
            MateFailOn::Missed | MateFailOn::None => "without a mate",
        };
        if count > 0 {
            let text = format!("{count} of {positions} positions {what}");
            complaints.push(Complaint { rule, text });
        }
    }
    if let Some(least) = policy.min_found
        && !least.is_met(tally.found, positions)
    {
        let found = tally.found;
        let text = format!("{found} of {positions} mates found, at least {least} wanted");
        let rule = MIN_FOUND;
        complaints.push(Complaint { rule, text });
    }
    complaints
}

fn standing(
    plan: &RunPlan,
    trial: &Trial,
    case: usize,
    complaints: &[Complaint],
) -> PositionStatus {
    let claims = claims(trial, case);
    let found = claims.and_then(|claims| claims.found.as_ref());
    let is_best = found.is_some_and(|found| found.moves <= wanted(&plan.cases[case]));
    let breaks = |rule: &str| match rule {
        // The demand is one on the whole engine; each mate that was not found has a part in it.
        "missed" | MIN_FOUND => found.is_none(),
        "not-best" => !is_best,
        _ => claims.is_some_and(|claims| claims.issues.iter().any(|one| one.kind.as_str() == rule)),
    };
    let rules = complaints.iter().map(|complaint| complaint.rule);
    let rules: Vec<&'static str> = rules.filter(|rule| breaks(rule)).collect();
    match trial.state(case) {
        // A search that failed is an error even if what it announced before would have passed.
        _ if trial.fault(case).is_some() => PositionStatus::Error,
        PositionState::Open => PositionStatus::Open,
        PositionState::NeedsChess960 => PositionStatus::NeedsChess960,
        _ if !rules.is_empty() => PositionStatus::Failed(rules),
        // Unless best mates are asked for, longer ones are unsolved, which fails nothing.
        _ if is_best => PositionStatus::Passed,
        _ => PositionStatus::Unsolved,
    }
}
