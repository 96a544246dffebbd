//! Phrases shared by several formats.

use chess::notation::san;
use chess::rules::{Move, Position};
use kit::output::grouped;

use super::{RunReport, changes};
use crate::score::{Answer, Moment};
use crate::trial::case::Case;
use crate::trial::ledger::{Meeting, State, Trial};
use crate::verdict::Standing;

/// The name of an engine, or why it could not be run.
pub(super) fn portrait(meeting: &Meeting) -> String {
    match meeting {
        Meeting::Ready { name, .. } => name.clone().unwrap_or_else(|| "no name".to_owned()),
        Meeting::Refused { reason } | Meeting::Failed { reason, .. } => reason.clone(),
    }
}

/// A position that did not pass, as in every report: its verdict and the reason.
pub(super) struct News {
    /// Index of the position in the plan.
    pub(super) case: usize,
    /// A label for people, of fixed width.
    pub(super) sign: &'static str,
    /// The demands that are not met, the kind of the fault, or another verdict.
    pub(super) rule: String,
    /// The goal and the result.
    pub(super) what: String,
}

impl News {
    /// Whether it makes the exit code nonzero.
    pub(super) fn is_failure(&self) -> bool {
        matches!(self.sign, "FAILED  " | "ERROR   ")
    }
}

/// The positions of an engine that did not pass, in order.
pub(super) fn news(report: &RunReport<'_>, engine: usize) -> Vec<News> {
    let standings = report.verdict.standings[engine].iter().enumerate();
    let is_news = |(case, standing): (usize, &Standing)| one_news(report, engine, case, standing);
    standings.filter_map(is_news).collect()
}

/// One item of [`news`]; `None` for a position that passed or was not searched.
pub(super) fn one_news(
    report: &RunReport<'_>,
    engine: usize,
    case: usize,
    standing: &Standing,
) -> Option<News> {
    let trial = &report.trials[engine];
    let (sign, rule) = match standing {
        Standing::Passed | Standing::Open | Standing::NeedsChess960 => return None,
        Standing::Failed(rules) => ("FAILED  ", rules.join(", ")),
        Standing::KnownFailure => ("known   ", "known failure".to_owned()),
        Standing::Unsolved => ("unsolved", "unsolved".to_owned()),
        Standing::Error => {
            let kind = trial.fault(case).map_or("error", |(fault, _)| fault.kind());
            ("ERROR   ", kind.to_owned())
        }
    };
    Some(News {
        case,
        sign,
        rule,
        what: what(report, engine, case, standing),
    })
}

fn what(report: &RunReport<'_>, engine: usize, index: usize, standing: &Standing) -> String {
    let (trial, case) = (&report.trials[engine], &report.plan.cases[index]);
    let mut parts = Vec::new();
    if trial.state(index) != State::Solved || *standing == Standing::Error {
        parts.push(unsolved(trial, index, case));
    } else {
        parts.push(case.asked.clone());
    }
    if standing.rules().contains(&"slower")
        && let Some(comparison) = &report.comparisons[engine]
    {
        let place = trial.searched().position(|searched| searched == index);
        let mut slower = comparison.slower.iter();
        let change = slower.find(|change| Some(change.index) == place);
        parts.extend(change.map(changes::nodes));
    }
    if standing.rules().contains(&"illegal-pv") {
        parts.extend(trial.illegal_pv(index).map(ToString::to_string));
    }
    parts.join("; ")
}

/// Formats as `  FAILED   wac.epd:3 WAC.003: bm Rg6; played Rg2 [newly-failed]`.
pub(super) fn line(report: &RunReport<'_>, news: &News) -> String {
    let place = report.place(&report.plan.cases[news.case]);
    let News {
        sign, rule, what, ..
    } = news;
    if sign.starts_with("FAILED") {
        format!("  {sign} {place}: {what} [{rule}]")
    } else {
        format!("  {sign} {place}: {what}")
    }
}

/// The goal and the result of an unsolved case.
fn unsolved(trial: &Trial, index: usize, case: &Case) -> String {
    let (solved, of) = trial.solved_of(index);
    let share = if of > 1 {
        format!(", solved {solved} of {of}")
    } else {
        String::new()
    };
    let what = match (trial.fault(index), trial.typical(index)) {
        (Some((fault, _)), _) => fault.to_string(),
        (None, Some(answer)) => played(answer, case),
        (None, None) => "no answer".to_owned(),
    };
    format!("{}; {what}{share}", case.asked)
}

/// Formats as `played Rg2 (cp 31, depth 9, 10,004 nodes)`.
pub(super) fn played(answer: &Answer, case: &Case) -> String {
    let position = case.record.position();
    let mut details = Vec::new();
    details.extend(answer.points.map(|points| match points {
        1 => "1 point".to_owned(),
        _ => format!("{points} points"),
    }));
    details.extend(answer.score.map(|score| score.to_string()));
    details.extend(moment(answer.end));
    if let Some(Err(fault)) = &answer.mate {
        details.push(fault.to_string());
    }
    let name = san::write(answer.best_move, position);
    if details.is_empty() {
        format!("played {name}")
    } else {
        format!("played {name} ({})", details.join(", "))
    }
}

/// `depth 9` and `10,004 nodes`, as far as reported.
fn moment(moment: Moment) -> impl Iterator<Item = String> {
    let depth = moment.depth.map(|depth| format!("depth {depth}"));
    let nodes = moment
        .nodes
        .map(|nodes| format!("{} nodes", grouped(nodes)));
    depth.into_iter().chain(nodes)
}

/// A PV in SAN.
pub(super) fn variation(moves: &[Move], position: &Position) -> Vec<String> {
    let mut position = *position;
    let name = |&m: &Move| {
        let name = san::write(m, &position);
        position = position.play_unchecked(m);
        name
    };
    moves.iter().map(name).collect()
}

/// The verdict on an engine, in one line.
pub(super) fn verdict(report: &RunReport<'_>, index: usize) -> String {
    let trial = &report.trials[index];
    let totals = trial.totals(&report.plan.cases, None);
    let (solved, asked) = (totals.solved, totals.asked());
    let complaints = report.verdict.complaints[index].iter();
    let complaints: Vec<&str> = complaints.map(|complaint| &*complaint.text).collect();
    let complaints = complaints.join("; ");
    let says = match &trial.meeting {
        Meeting::Refused { .. } => "NOT RUN: an option cannot be set".to_owned(),
        Meeting::Failed { .. } => "NOT RUN: the engine does not start".to_owned(),
        Meeting::Ready { .. } if trial.interrupted => {
            format!(
                "INTERRUPTED: {solved} of {asked} positions solved, {} open",
                totals.open
            )
        }
        Meeting::Ready { .. } if totals.failed > 0 => {
            let and = if complaints.is_empty() { "" } else { "; " };
            format!(
                "ENGINE FAILED in {} of {asked} positions; {solved} solved{and}{complaints}",
                totals.failed
            )
        }
        Meeting::Ready { .. } if !complaints.is_empty() => format!("FAIL: {complaints}"),
        Meeting::Ready { .. } if asked == 0 => "NOTHING: no position was run".to_owned(),
        Meeting::Ready { .. } => format!("OK: {solved} of {asked} positions solved"),
    };
    let standings = report.verdict.standings[index].iter();
    let known = standings.filter(|standing| **standing == Standing::KnownFailure);
    let known = match known.count() {
        0 => String::new(),
        1 => ", 1 known failure".to_owned(),
        n => format!(", {n} known failures"),
    };
    let not_asked = match totals.needs_chess960 {
        0 => String::new(),
        n => format!(", {n} not asked: the engine has no UCI_Chess960"),
    };
    format!(
        "{says}{known}{not_asked}; in {:.2} s",
        trial.time.as_secs_f64()
    )
}

/// A notice on records that should be run, but are not.
pub(super) fn not_run(report: &RunReport<'_>) -> Option<String> {
    let suites = report.plan.suites.iter();
    let count: usize = suites.map(|suite| suite.faults().len()).sum();
    let plural = if count == 1 { "fault" } else { "faults" };
    let whose = "so that records are not run";
    match (count, report.demands.allow_unreadable) {
        (0, _) => None,
        (_, true) => Some(format!("{count} {plural} in suites, {whose}, as allowed")),
        (_, false) => Some(format!(
            "BAD INPUT: {count} {plural} in suites, {whose}; --allow-unreadable lets it pass"
        )),
    }
}
