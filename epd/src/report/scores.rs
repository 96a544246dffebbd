//! Scores beyond solved and unsolved: tables by group, and ratings.

use std::fmt::{self, Write as _};

use kit::table;
use serde::Serialize;

use super::SuiteRunReport;
use crate::run::groups::{CaseGroup, GroupBy, GroupScore, groups};
use crate::run::ledger::{Handshake, Trial};
use crate::run::rating::{Rating, Regression};

/// What is asked for beside the usual report.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScoreRequest {
    pub(crate) by: Option<GroupBy>,
    pub(crate) rating: Option<Regression>,
}

/// The scores of an engine, as in the JSON report; groups and rating only if they were asked for.
#[derive(Serialize)]
pub(super) struct ScoreReport {
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<Vec<GroupScore>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<Rating>,
}

pub(super) fn of_engine(report: &SuiteRunReport<'_>, trial: &Trial) -> ScoreReport {
    let cases = &report.plan.cases;
    let scores = report.scores.by.as_ref().map(|by| {
        let groups = groups(by, cases);
        groups
            .iter()
            .map(|group| group.score(trial, cases))
            .collect()
    });
    ScoreReport {
        groups: scores,
        rating: rating(report, trial),
    }
}

pub(super) fn rating(report: &SuiteRunReport<'_>, trial: &Trial) -> Option<Rating> {
    let regression = report.scores.rating.as_ref()?;
    regression.rate(trial, &report.plan.cases, report.repeat)
}

/// The tables and sentences of the human-readable report.
pub(super) fn write(report: &SuiteRunReport<'_>, text: &mut String) -> fmt::Result {
    if ready(report).next().is_none() {
        return Ok(());
    }
    if let Some(by) = &report.scores.by {
        let (head, rows) = group_table(report, by);
        text.push_str(&table::text(&head, 1.., rows));
    }
    if report.scores.rating.is_some() {
        for trial in ready(report) {
            write_rating(report, trial, text)?;
        }
    }
    Ok(())
}

fn write_rating(report: &SuiteRunReport<'_>, trial: &Trial, text: &mut String) -> fmt::Result {
    let name = &trial.command;
    let Some(rating) = rating(report, trial) else {
        return writeln!(text, "{name}: no rating, too little was searched");
    };
    writeln!(text, "{name}: rating {}", estimate(&rating))?;
    writeln!(text, "  {}", formula(&rating))?;
    writeln!(text, "  from {}; here: {}", rating.rests_on, report.limits)?;
    writeln!(text, "  the interval covers {}", rating.covers)?;
    for warning in &rating.warnings {
        writeln!(text, "  WARNING {warning}")?;
    }
    Ok(())
}

/// Formats as `2500 ± 40 (95%)`.
pub(super) fn estimate(rating: &Rating) -> String {
    format!("{:.0} ± {:.0} (95%)", rating.elo, rating.error)
}

pub(super) fn formula(rating: &Rating) -> String {
    let sign = if rating.intercept < 0.0 { '-' } else { '+' };
    format!(
        "Elo = {} x score% {sign} {}, score {:.2}%",
        decimals(rating.slope),
        decimals(rating.intercept.abs()),
        rating.score_percent
    )
}

/// At most three decimals, without trailing zeros.
fn decimals(number: f64) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

pub(super) fn ready<'a>(report: &'a SuiteRunReport<'_>) -> impl Iterator<Item = &'a Trial> {
    let is_ready = |trial: &&Trial| matches!(trial.handshake, Handshake::Ready { .. });
    report.trials.iter().filter(is_ready)
}

/// The number of an engine behind the name of a column, if there are several.
fn numbered(report: &SuiteRunReport<'_>, title: &str, engine: usize) -> String {
    match report.trials.len() {
        1 => title.to_owned(),
        _ => format!("{title} {}", engine + 1),
    }
}

/// Indices of the engines that ran.
fn engines(report: &SuiteRunReport<'_>) -> Vec<usize> {
    let trials = report.trials.iter().enumerate();
    let is_ready =
        |(_, trial): &(usize, &Trial)| matches!(trial.handshake, Handshake::Ready { .. });
    trials.filter(is_ready).map(|(index, _)| index).collect()
}

/// A row per group and one for all positions, columns per engine.
pub(super) fn group_table(
    report: &SuiteRunReport<'_>,
    by: &GroupBy,
) -> (Vec<String>, Vec<Vec<String>>) {
    let cases = &report.plan.cases;
    let has_points = cases.iter().any(|case| case.goal.points.is_some());
    let mut head = vec!["group".to_owned(), "positions".to_owned()];
    for engine in engines(report) {
        let points = has_points.then_some("points");
        let titles = ["solved"].into_iter().chain(points).chain(["score"]);
        head.extend(titles.map(|title| numbered(report, title, engine)));
    }
    let all = CaseGroup {
        name: "all".to_owned(),
        cases: (0..cases.len()).collect(),
    };
    let groups = groups(by, cases).into_iter().chain([all]);
    let rows = groups.map(|group| {
        let mut row = vec![group.name.clone(), group.cases.len().to_string()];
        for engine in engines(report) {
            let score = group.score(&report.trials[engine], cases);
            row.push(score.solved.to_string());
            row.extend(has_points.then(|| match score.most_points {
                0 => "-".to_owned(),
                most => format!("{} of {most}", score.points),
            }));
            let percent = score.percent;
            row.push(percent.map_or_else(|| "-".to_owned(), |percent| format!("{percent:.1}%")));
        }
        row
    });
    (head, rows.collect())
}
