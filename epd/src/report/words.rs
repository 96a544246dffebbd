//! Phrases shared by several formats, and the changes since a baseline.

use chess::notation::san;
use chess::rules::{Move, Position};
use kit::output::grouped;
use uci::grammar::{Score, ScoreValue};

use super::SuiteRunReport;
use crate::run::baseline::{BaselineComparison, LessOften, PositionChange, PositionResult};
use crate::run::ledger::{Handshake, PositionState, Trial};
use crate::run::plan::RunCase;
use crate::run::score::SearchAnswer;
use crate::run::verdict::PositionStatus;

/// The name of an engine, or why it could not be run.
pub(super) fn engine_name(handshake: &Handshake) -> String {
    match handshake {
        Handshake::Ready { name, .. } => name.clone().unwrap_or_else(|| "no name".to_owned()),
        Handshake::Refused { reason, .. } | Handshake::Failed { reason, .. } => reason.clone(),
    }
}

/// A position that did not pass, as in every report: its verdict and the reason.
pub(super) struct NotPassed {
    /// Index of the position in the plan.
    pub(super) case: usize,
    /// A label for people, of fixed width.
    pub(super) sign: &'static str,
    /// The rules that are broken, the kind of the fault, or another verdict.
    pub(super) rule: String,
    pub(super) what: String,
}

impl NotPassed {
    /// Whether it makes the exit code nonzero.
    pub(super) fn is_failure(&self) -> bool {
        matches!(self.sign, "FAILED  " | "ERROR   ")
    }
}

/// The positions of an engine that did not pass, in order.
pub(super) fn news(report: &SuiteRunReport<'_>, engine: usize) -> Vec<NotPassed> {
    let standings = report.verdict.standings[engine].iter().enumerate();
    let is_news =
        |(case, standing): (usize, &PositionStatus)| one_news(report, engine, case, standing);
    standings.filter_map(is_news).collect()
}

/// One item of [`news`]; `None` for a position that passed or was not searched.
pub(super) fn one_news(
    report: &SuiteRunReport<'_>,
    engine: usize,
    case: usize,
    standing: &PositionStatus,
) -> Option<NotPassed> {
    let trial = &report.trials[engine];
    let (sign, rule) = match standing {
        PositionStatus::Passed | PositionStatus::Open | PositionStatus::NeedsChess960 => {
            return None;
        }
        PositionStatus::Failed(rules) => ("FAILED  ", rules.join(", ")),
        PositionStatus::KnownFailure => ("known   ", "known failure".to_owned()),
        PositionStatus::Unsolved => ("unsolved", "unsolved".to_owned()),
        PositionStatus::Error => {
            let kind = trial.fault(case).map_or("error", |(fault, _)| fault.kind());
            ("ERROR   ", kind.to_owned())
        }
    };
    let what = what(report, engine, case, standing);
    Some(NotPassed {
        case,
        sign,
        rule,
        what,
    })
}

pub(super) fn what(
    report: &SuiteRunReport<'_>,
    engine: usize,
    index: usize,
    standing: &PositionStatus,
) -> String {
    let (trial, case) = (&report.trials[engine], &report.plan.cases[index]);
    let mut parts = Vec::new();
    // In several searches, one may fail although more than half solve the position.
    if trial.state(index) != PositionState::Solved || *standing == PositionStatus::Error {
        parts.push(unsolved(trial, index, case));
    } else {
        parts.push(case.asked.clone());
    }
    if standing.rules().contains(&"slower")
        && let Some(comparison) = &report.comparisons[engine]
    {
        // The comparison counts only the positions that were searched.
        let place = trial.searched().position(|searched| searched == index);
        let mut slower = comparison.slower.iter();
        let change = slower.find(|change| Some(change.index) == place);
        parts.extend(change.map(nodes));
    }
    if standing.rules().contains(&"illegal-pv") {
        parts.extend(trial.illegal_pv(index).map(ToString::to_string));
    }
    parts.join("; ")
}

/// Formats as `  FAILED   wac.epd:3 WAC.003: bm Rg6; played Rg2 [newly-failed]`.
pub(super) fn line(report: &SuiteRunReport<'_>, news: &NotPassed) -> String {
    let place = report.place(&report.plan.cases[news.case]);
    let NotPassed {
        sign, rule, what, ..
    } = news;
    let rule = if sign.starts_with("FAILED") {
        format!(" [{rule}]")
    } else {
        String::new()
    };
    format!("  {sign} {place}: {what}{rule}")
}

/// The goal and the result of an unsolved case.
fn unsolved(trial: &Trial, index: usize, case: &RunCase) -> String {
    let (solved, of) = trial.solved_of(index);
    let share = if of > 1 {
        format!(", solved {solved} of {of}")
    } else {
        String::new()
    };
    let what = match (trial.fault(index), trial.typical(index)) {
        (Some((fault, _)), _) => fault.to_string(),
        (None, Some(answer)) if !answer.steps.is_empty() => missed(answer, case),
        (None, Some(answer)) => played(answer, case.record.position()),
        (None, None) => "no answer".to_owned(),
    };
    format!("{}; {what}{share}", case.asked)
}

/// The first move of a puzzle that was not found: `found 1 of 2 moves; move 2, Rd8#: played Rd2 (…)`.
fn missed(answer: &SearchAnswer, case: &RunCase) -> String {
    let (found, of) = (answer.moves_found(), answer.steps.len());
    let text = format!("found {found} of {of} moves");
    let mut steps = (1..).zip(case.steps().zip(&answer.steps));
    let Some((number, ((position, goal), step))) = steps.find(|(_, (_, step))| !step.solved) else {
        return text;
    };
    let (wanted, played) = (goal.describe(position), played(step, position));
    format!("{text}; move {number}, {wanted}: {played}")
}

/// Formats as `played Rg2 (cp 31, depth 9, 10,004 nodes)`.
fn played(answer: &SearchAnswer, position: &Position) -> String {
    let mut details = Vec::new();
    details.extend(answer.points.map(|points| match points {
        1 => "1 point".to_owned(),
        _ => format!("{points} points"),
    }));
    details.extend(answer.score.map(|score| score.to_string()));
    details.extend(answer.end.depth.map(|depth| format!("depth {depth}")));
    let nodes = answer.end.nodes;
    details.extend(nodes.map(|nodes| format!("{} nodes", grouped(nodes))));
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
pub(super) fn verdict(report: &SuiteRunReport<'_>, index: usize) -> String {
    let trial = &report.trials[index];
    let totals = trial.totals(&report.plan.cases, None);
    let (solved, asked) = (totals.solved, totals.asked());
    let complaints = report.verdict.complaints[index].iter();
    let complaints: Vec<&str> = complaints.map(|complaint| &*complaint.text).collect();
    let complaints = complaints.join("; ");
    let summary = match &trial.handshake {
        Handshake::Refused { why, .. } => why.describe().to_owned(),
        Handshake::Failed { .. } => "NOT RUN: the engine does not start".to_owned(),
        Handshake::Ready { .. } if trial.interrupted => {
            let open = totals.open;
            format!("INTERRUPTED: {solved} of {asked} positions solved, {open} open")
        }
        Handshake::Ready { .. } if totals.failed > 0 => {
            let (failed, and) = (totals.failed, if complaints.is_empty() { "" } else { "; " });
            format!(
                "ENGINE FAILED in {failed} of {asked} positions; {solved} solved{and}{complaints}"
            )
        }
        Handshake::Ready { .. } if !complaints.is_empty() => format!("FAIL: {complaints}"),
        Handshake::Ready { .. } if asked == 0 => "NOTHING: no position was run".to_owned(),
        Handshake::Ready { .. }
            if report.comparisons[index]
                .as_ref()
                .is_some_and(|one| one.common == 0) =>
        {
            format!("NOTHING COMPARED: {solved} of {asked} positions solved")
        }
        Handshake::Ready { .. } => format!("OK: {solved} of {asked} positions solved"),
    };
    let standings = report.verdict.standings[index].iter();
    let known = standings.filter(|standing| **standing == PositionStatus::KnownFailure);
    let known = match known.count() {
        0 => String::new(),
        1 => ", 1 known failure".to_owned(),
        n => format!(", {n} known failures"),
    };
    let not_asked = match totals.needs_chess960 {
        0 => String::new(),
        n => format!(", {n} not asked: the engine has no UCI_Chess960"),
    };
    let seconds = trial.time.as_secs_f64();
    let unannounced = unannounced(trial, &report.plan.cases).unwrap_or_default();
    format!("{summary}{known}{not_asked}{unannounced}; in {seconds:.2} s")
}

/// An engine that plays the moves of mates, but says so nowhere, solves none of them: that it does not print
/// `score mate` is what is to be known of it.
fn unannounced(trial: &Trial, cases: &[RunCase]) -> Option<String> {
    let is_mate = |score: Score| matches!(score.value, ScoreValue::Mate(_));
    let (mut searched, mut right, mut solved) = (0, 0, 0);
    for (index, case) in cases.iter().enumerate() {
        // Without named moves, nothing but the score can show that the mate was seen.
        let is_asked = case.goal.mate.is_some() && case.goal.names_moves();
        let Some(answer) = trial.typical(index).filter(|_| is_asked) else {
            continue;
        };
        // One mate score shows that the engine can print them, and then the others are its own
        // failures.
        if answer.score.is_some_and(is_mate) {
            return None;
        }
        searched += 1;
        right += usize::from(case.goal.is_met_by(answer.best_move));
        solved += usize::from(trial.state(index) == PositionState::Solved);
    }
    (right > solved).then(|| {
        format!(", best move right in {right} of {searched} searched, no `score mate` printed")
    })
}

/// A notice on records that should be run, but are not.
pub(super) fn not_run(report: &SuiteRunReport<'_>) -> Option<String> {
    let suites = report.plan.suites.iter();
    let count: usize = suites.map(|suite| suite.faults().len()).sum();
    let plural = if count == 1 { "fault" } else { "faults" };
    let whose = "so that records are not run";
    match (count, report.policy.allow_unreadable) {
        (0, _) => None,
        (_, true) => Some(format!("{count} {plural} in suites, {whose}, as allowed")),
        (_, false) => Some(format!(
            "BAD INPUT: {count} {plural} in suites, {whose}; --skip-bad lets it pass"
        )),
    }
}

/// Maximum number of positions listed per kind; the rest are only counted.
const LISTED: usize = 20;

/// Describes the changes since a baseline, which has a name and limits.
pub(super) fn changes(comparison: &BaselineComparison<'_>, (name, limits): (&str, &str)) -> String {
    let BaselineComparison {
        common,
        solved_then,
        solved_now,
        ..
    } = comparison;
    let mut text = format!(
        "against {name} ({limits}): of {common} positions {solved_then} were solved then, \
         {solved_now} are now\n"
    );
    let list = |what: &str, lines: Vec<String>| {
        let shown = lines
            .iter()
            .take(LISTED)
            .map(|line| format!("  {what} {line}\n"));
        let shown: String = shown.collect();
        match lines.len().saturating_sub(LISTED) {
            0 => shown,
            more => format!("{shown}  and {more} more {}\n", what.to_lowercase()),
        }
    };
    let questions =
        |positions: &[&PositionResult]| positions.iter().copied().map(question).collect();
    text += &list(
        "NEWLY FAILED",
        comparison.newly_failed.iter().map(failed).collect(),
    );
    text += &list(
        "newly solved",
        comparison.newly_solved.iter().map(failed).collect(),
    );
    text += &list("SLOWER", comparison.slower.iter().map(slower).collect());
    text += &list("faster", comparison.faster.iter().map(slower).collect());
    text += &list(
        "LESS OFTEN",
        comparison.less_often.iter().map(less_often).collect(),
    );
    text += &list("MISSING", questions(&comparison.missing));
    text += &list("new", questions(&comparison.new));
    for line in tests(comparison) {
        text += "  ";
        text += &line;
        text.push('\n');
    }
    text
}

/// What the tests say, a line each.
fn tests(comparison: &BaselineComparison<'_>) -> Vec<String> {
    let (solved, nodes) = (comparison.solved, comparison.nodes);
    let (counts, p) = (solved.counts, p_value(solved.p_value));
    let mut lines = vec![match comparison.not_repeatable {
        Some(reason) => format!(
            "searches do not come out the same each time ({reason}): {} of {} solved then, {} of {} now: p = {p} \
             (stratified permutation test)",
            counts.solved_then, counts.searches_then, counts.solved_now, counts.searches_now,
        ),
        None => format!(
            "{} newly failed, {} newly solved: p = {p} (McNemar, exact)",
            comparison.newly_failed.len(),
            comparison.newly_solved.len(),
        ),
    }];
    lines.push(format!(
        "more nodes in {}, fewer in {}: p = {} (sign test)",
        nodes.worse,
        nodes.better,
        p_value(nodes.p_value)
    ));
    let made_by = comparison.made_by.and_then(|engine| {
        let name = engine.name.as_deref().unwrap_or(&engine.command);
        Some(format!(
            "the baseline is of {name}, bench {}",
            engine.bench?
        ))
    });
    lines.extend(made_by);
    lines.extend(comparison.speed.map(|(then, now)| {
        let (then, now) = (grouped(then), grouped(now));
        format!("the machine or the speed changed: {then} nodes a second then, {now} now")
    }));
    lines
}

fn less_often(one: &LessOften<'_>) -> String {
    let (then, now) = (one.change.then, one.change.now);
    format!(
        "{}; solved in {} of {} searches then, in {} of {} now: p = {} (Fisher, Holm)",
        question(now),
        then.solved_searches,
        then.searches,
        now.solved_searches,
        now.searches,
        p_value(one.p_value)
    )
}

fn question(position: &PositionResult) -> String {
    format!("{} {}: {}", position.suite, position.name, position.asked)
}

/// The goal and the moves played in the baseline and now.
pub(super) fn failed(change: &PositionChange<'_>) -> String {
    // The moves, or, if they are the same, what the engine says of them.
    let is_same = change.then.best_move == change.now.best_move && change.now.fault.is_none();
    let played = |position: &PositionResult| {
        let score = position.score.as_deref().map(in_pawns).filter(|_| is_same);
        let fault = position.fault.clone();
        let name = score.or_else(|| position.best_move.clone()).or(fault);
        name.unwrap_or_else(|| "nothing".to_owned())
    };
    let share = match change.now.searches {
        1 => String::new(),
        n => format!(" ({} of {n} searches)", change.now.solved_searches),
    };
    let (then, now) = (played(change.then), played(change.now));
    format!("{}; {then} then, {now} now{share}", question(change.now))
}

/// A score as people write it: `mate in 3`, `mated in 2`, `+16.88`.
fn in_pawns(score: &str) -> String {
    let number = |text: &str| text.split(' ').next()?.parse::<i64>().ok();
    if let Some(moves) = score.strip_prefix("mate ").and_then(number) {
        let (whose, moves) = (if moves > 0 { "mate" } else { "mated" }, moves.abs());
        return format!("{whose} in {moves}");
    }
    match score.strip_prefix("cp ").and_then(number) {
        Some(score) => {
            let (sign, size) = (if score < 0 { '-' } else { '+' }, score.unsigned_abs());
            format!("{sign}{}.{:02}", size / 100, size % 100)
        }
        None => score.to_owned(),
    }
}

/// The nodes in the baseline and now.
fn nodes(change: &PositionChange<'_>) -> String {
    let count = |nodes: Option<u64>| nodes.map_or_else(|| "?".to_owned(), grouped);
    let (then, now) = (count(change.then.nodes), count(change.now.nodes));
    format!("{then} nodes then, {now} now")
}

/// The goal, and the nodes in the baseline and now.
pub(super) fn slower(change: &PositionChange<'_>) -> String {
    format!("{}; {}", question(change.now), nodes(change))
}

/// A p-value rounded to its significant digits.
pub(super) fn p_value(p: f64) -> String {
    if p < 0.001 {
        // Three decimals would round a small p to 0, which no p-value is.
        format!("{p:.1e}")
    } else {
        format!("{p:.3}")
    }
}

pub(crate) fn percent(part: usize, of: usize) -> String {
    if of == 0 {
        return "-".to_owned();
    }
    #[expect(clippy::cast_precision_loss, reason = "a percentage is rounded anyway")]
    let percent = part as f64 * 100.0 / of as f64;
    format!("{percent:.1}%")
}
