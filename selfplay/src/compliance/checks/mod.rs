//! The list of checks, one file for each topic.

mod limits;
mod output;
mod positions;
mod protocol;

use super::check::{Finding, only_if};
use super::definition::{Check, Level, Needs};
use super::dialogue::Dialogue;
use super::question::Question;

pub(crate) static CHECKS: [&[Check]; 14] = [
    protocol::INTRODUCTION,
    protocol::COMMANDS,
    limits::LIMITS,
    limits::STOPPING,
    limits::PONDERING,
    output::OUTPUT,
    output::PRINCIPAL,
    positions::SPECIAL_MOVES,
    positions::POSITIONS,
    positions::CHESS960,
    protocol::OPTIONS,
    output::REPEATABLE,
    limits::CLOCK,
    positions::ENDINGS,
];

/// A check of something that UCI and a match require.
const fn required(
    name: &'static str,
    asks: &'static str,
    why: &'static str,
    run: fn(&mut Dialogue<'_>) -> Finding,
) -> Check {
    Check {
        name,
        level: Level::Required,
        asks,
        why,
        needs: Needs::Search,
        run,
    }
}

const fn recommended(
    name: &'static str,
    asks: &'static str,
    why: &'static str,
    run: fn(&mut Dialogue<'_>) -> Finding,
) -> Check {
    Check {
        level: Level::Recommended,
        ..required(name, asks, why, run)
    }
}

/// Searches one position after the other; each must be answered with one legal move.
fn answers(
    dialogue: &mut Dialogue<'_>,
    go: &str,
    questions: impl IntoIterator<Item = Question>,
) -> Finding {
    for question in questions {
        dialogue.search(&question, go)?;
    }
    Ok(())
}

/// Switches on an option that the check is about; the check does not apply to engines without it.
fn switch_on(dialogue: &mut Dialogue<'_>, option: &str) -> Finding {
    let has_option = dialogue.option(option).is_some();
    only_if(has_option, &format!("it has no option {option}"))?;
    dialogue.set(option, "true")?;
    dialogue.ready()?;
    Ok(())
}

impl Check {
    /// Runs the check even if no search has been answered, and without a handshake before it.
    const fn before_search(self, needs: Needs) -> Self {
        Self { needs, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_sentences_are_whole() {
        let mut names: Vec<&str> = Vec::new();
        for check in CHECKS.into_iter().flatten() {
            assert!(!names.contains(&check.name), "{}", check.name);
            names.push(check.name);
            let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(check.name.chars().all(is_name), "{}", check.name);
            for text in [check.asks, check.why] {
                assert!(!text.ends_with('.') && text.len() > 10, "{text}");
            }
        }
    }
}
