//! The list of checks, one file for each topic.

mod limits;
mod output;
mod positions;
mod protocol;

use super::check::{CheckFinding, only_if};
use super::definition::{Check, CheckGroup, CheckLevel, CheckTurn, Prerequisites};
use super::dialogue::{Dialogue, GoRequest};
use super::question::PositionQuestion;

// In the order of the report: what the others rest on comes first.
pub(crate) static GROUPS: [CheckGroup; 14] = [
    group("handshake", protocol::INTRODUCTION),
    group("commands", protocol::COMMANDS),
    group("limits", limits::LIMITS),
    group("stopping", limits::STOPPING),
    group("pondering", limits::PONDERING),
    group("output", output::OUTPUT),
    group("pv", output::PRINCIPAL),
    group("moves", positions::SPECIAL_MOVES),
    group("positions", positions::POSITIONS),
    group("chess960", positions::CHESS960),
    group("options", protocol::OPTIONS),
    group("repeatable", output::REPEATABLE),
    group("clock", limits::CLOCK),
    group("shutdown", positions::ENDINGS),
];

const fn group(name: &'static str, checks: &'static [Check]) -> CheckGroup {
    CheckGroup { name, checks }
}

/// A check of something that UCI and a match require.
const fn required(
    name: &'static str,
    asks: &'static str,
    why: &'static str,
    run: fn(&mut Dialogue<'_>) -> CheckFinding,
) -> Check {
    Check {
        name,
        level: CheckLevel::Required,
        asks,
        why,
        // Most checks search; an engine that answers no search at all would fail each of them.
        needs: Prerequisites::Search,
        after: &[],
        turn: CheckTurn::Together,
        follows_from: None,
        run,
    }
}

const fn recommended(
    name: &'static str,
    asks: &'static str,
    why: &'static str,
    run: fn(&mut Dialogue<'_>) -> CheckFinding,
) -> Check {
    Check {
        level: CheckLevel::Recommended,
        ..required(name, asks, why, run)
    }
}

/// Searches one position after the other; each must be answered with one legal move.
fn answers(
    dialogue: &mut Dialogue<'_>,
    go: impl Into<GoRequest>,
    questions: impl IntoIterator<Item = PositionQuestion>,
) -> CheckFinding {
    let go = go.into();
    for question in questions {
        dialogue.search(&question, go.clone())?;
    }
    Ok(())
}

/// Switches on an option that the check is about; the check does not apply to engines without it.
fn switch_on(dialogue: &mut Dialogue<'_>, option: &str) -> CheckFinding {
    let has_option = dialogue.option(option).is_some();
    only_if(has_option, &format!("it has no option {option}"))?;
    dialogue.set(option, "true")?;
    // `isready` waits until the option is set (UCI): a search at once might come too early.
    dialogue.ready()?;
    Ok(())
}

impl Check {
    /// The name of its group.
    pub(crate) fn group(&self) -> &'static str {
        let has_it = |group: &&CheckGroup| group.checks.iter().any(|one| one.name == self.name);
        let group = GROUPS.iter().find(has_it);
        group.expect("every check is in a group").name
    }

    /// Runs the check even if no search has been answered, and without a handshake before it.
    const fn before_search(self, needs: Prerequisites) -> Self {
        Self { needs, ..self }
    }

    /// Skips the check if one of these has failed.
    const fn after(self, names: &'static [&'static str]) -> Self {
        Self {
            after: names,
            ..self
        }
    }

    /// Runs the check before all others.
    const fn first(self) -> Self {
        let turn = CheckTurn::First;
        Self { turn, ..self }
    }

    /// Runs the check while no other is running.
    const fn alone(self) -> Self {
        let turn = CheckTurn::Alone;
        Self { turn, ..self }
    }

    /// Runs the check only if a stricter one has failed, or is not run.
    const fn unless_passed(self, other: &'static str) -> Self {
        let follows_from = Some(other);
        Self {
            follows_from,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_sentences_are_whole() {
        // A name on the command line means a check or a group.
        let mut names: Vec<&str> = GROUPS.iter().map(|group| group.name).collect();
        for check in GROUPS.iter().flat_map(|group| group.checks) {
            assert!(!names.contains(&check.name), "{}", check.name);
            names.push(check.name);
            let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(check.name.chars().all(is_name), "{}", check.name);
            for text in [check.asks, check.why] {
                assert!(!text.ends_with('.') && text.len() > 10, "{text}");
            }
        }
    }

    #[test]
    fn needs_end_at_uci() {
        let checks: Vec<&Check> = GROUPS.iter().flat_map(|group| group.checks).collect();
        let find = |name| checks.iter().find(|check| check.name == name);
        for check in &checks {
            let mut open: Vec<&str> = check.needed().collect();
            let mut steps = 0;
            while let Some(name) = open.pop() {
                assert!(name != check.name, "{name} needs itself");
                open.extend(find(name).expect("it is a check").needed());
                steps += 1;
                assert!(steps < 10_000, "{}", check.name);
            }
        }
    }
}
