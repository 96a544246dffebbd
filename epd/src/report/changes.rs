//! Changes since a baseline, for people.

use std::fmt::Write as _;

use kit::output::grouped;

use crate::baseline::{Change, Comparison, PositionResult};

/// Maximum number of positions listed per kind; the rest are only counted.
const LISTED: usize = 20;

/// Describes one comparison.
pub(super) fn write(comparison: &Comparison<'_>, baseline: (&str, &str)) -> String {
    let mut text = String::new();
    write_to(&mut text, comparison, baseline).expect("a string can be written to");
    text
}

fn write_to(
    text: &mut String,
    comparison: &Comparison<'_>,
    (name, limits): (&str, &str),
) -> std::fmt::Result {
    writeln!(
        text,
        "against {name} ({limits}): of {} positions {} were solved then, {} are now",
        comparison.common, comparison.solved_then, comparison.solved_now
    )?;
    let moves = |change: &Change<'_>| failed(change);
    list(text, "NEWLY FAILED", &comparison.newly_failed, moves)?;
    list(text, "newly solved", &comparison.newly_solved, moves)?;
    list(text, "SLOWER", &comparison.slower, slower)?;
    list(text, "faster", &comparison.faster, slower)?;
    list(text, "MISSING", &comparison.missing, |one| question(one))?;
    list(text, "new", &comparison.new, |one| question(one))?;
    let (solved, nodes) = (comparison.solved, comparison.nodes);
    writeln!(
        text,
        "  {} newly failed, {} newly solved: p = {} (McNemar, exact); more nodes in {}, fewer in \
         {}: p = {} (sign test)",
        solved.worse,
        solved.better,
        p_value(solved.p_value),
        nodes.worse,
        nodes.better,
        p_value(nodes.p_value)
    )
}

fn list<T>(
    text: &mut String,
    what: &str,
    items: &[T],
    say: impl Fn(&T) -> String,
) -> std::fmt::Result {
    for item in items.iter().take(LISTED) {
        writeln!(text, "  {what} {}", say(item))?;
    }
    match items.len().saturating_sub(LISTED) {
        0 => Ok(()),
        more => writeln!(text, "  and {more} more {}", what.to_lowercase()),
    }
}

fn question(position: &PositionResult) -> String {
    format!("{} {}: {}", position.suite, position.name, position.asked)
}

/// The goal and the moves played in the baseline and now.
pub(super) fn failed(change: &Change<'_>) -> String {
    let played = |position: &PositionResult| {
        let fault = position.fault.clone();
        let name = position.best_move.clone().or(fault);
        name.unwrap_or_else(|| "nothing".to_owned())
    };
    let share = match change.now.searches {
        1 => String::new(),
        n => format!(" ({} of {n} searches)", change.now.solved_searches),
    };
    format!(
        "{}; {} then, {} now{share}",
        question(change.now),
        played(change.then),
        played(change.now)
    )
}

/// The nodes in the baseline and now.
pub(super) fn nodes(change: &Change<'_>) -> String {
    let count = |nodes: Option<u64>| nodes.map_or_else(|| "?".to_owned(), grouped);
    let (then, now) = (count(change.then.nodes), count(change.now.nodes));
    format!("{then} nodes then, {now} now")
}

/// The goal, and the nodes in the baseline and now.
pub(super) fn slower(change: &Change<'_>) -> String {
    format!("{}; {}", question(change.now), nodes(change))
}

/// A p-value rounded to its significant digits.
pub(super) fn p_value(p: f64) -> String {
    if p < 0.001 {
        format!("{p:.1e}")
    } else {
        format!("{p:.3}")
    }
}
