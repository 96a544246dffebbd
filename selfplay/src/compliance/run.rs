//! Runs the list of checks.

use uci::{EngineError, Transcript};

use super::check::{Objection, Subject};
use super::definition::{Check, Level, Needs};
use super::dialogue::Dialogue;

#[derive(Clone, Debug)]
pub(crate) struct Checked {
    pub check: &'static Check,
    pub outcome: CheckOutcome,
}

#[derive(Clone, Debug)]
pub(crate) enum CheckOutcome {
    Passed,
    Failed {
        what: String,
        dialogue: Transcript,
    },
    /// Not run, or not applicable to this engine.
    Skipped {
        why: String,
    },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CheckTally {
    pub passed: usize,
    pub failed: usize,
    pub notes: usize,
    pub skipped: usize,
}

impl CheckTally {
    pub(crate) fn of(results: &[Checked]) -> Self {
        let mut tally = Self::default();
        for checked in results {
            *match (&checked.outcome, checked.check.level) {
                (CheckOutcome::Passed, _) => &mut tally.passed,
                (CheckOutcome::Failed { .. }, Level::Required) => &mut tally.failed,
                (CheckOutcome::Failed { .. }, Level::Recommended) => &mut tally.notes,
                (CheckOutcome::Skipped { .. }, _) => &mut tally.skipped,
            } += 1;
        }
        tally
    }
}

/// Why the list could not be completed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RunError {
    #[error(transparent)]
    NoEngine(EngineError),
    #[error("the engine has no option '{0}'")]
    NoOption(String),
    #[error("cancelled")]
    Cancelled,
}

/// Runs checks in order and passes each result to `observe`. If the engine does not answer `uci`,
/// or never answers a search, the checks that depend on it are skipped.
///
/// # Errors
///
/// When the engine cannot be started, lacks an option that is to be set, or the work is cancelled.
pub(crate) fn run(
    subject: &Subject,
    checks: &[&'static Check],
    mut observe: impl FnMut(&Checked),
) -> Result<Vec<Checked>, RunError> {
    let mut results: Vec<Checked> = Vec::new();
    for check in checks {
        let outcome = match lacking(check.needs, &results) {
            Some(name) => CheckOutcome::Skipped {
                why: format!("'{name}' has failed"),
            },
            None => run_one(subject, check)?,
        };
        let checked = Checked { check, outcome };
        observe(&checked);
        results.push(checked);
    }
    Ok(results)
}

/// The failed check that these needs depend on, if there is one.
fn lacking(needs: Needs, results: &[Checked]) -> Option<&'static str> {
    let gates: &[&str] = match needs {
        Needs::Nothing => &[],
        Needs::Uci => &["uci", "isready"],
        Needs::Search => &["uci", "isready", "search"],
    };
    let failed = |checked: &&Checked| matches!(checked.outcome, CheckOutcome::Failed { .. });
    let mut failed = results
        .iter()
        .filter(failed)
        .map(|failed| failed.check.name);
    failed.find(|name| gates.contains(name))
}

fn run_one(subject: &Subject, check: &Check) -> Result<CheckOutcome, RunError> {
    let mut dialogue = Dialogue::start(subject).map_err(RunError::NoEngine)?;
    let greeted = match check.needs {
        Needs::Search => dialogue.greet(),
        Needs::Nothing | Needs::Uci => Ok(()),
    };
    Ok(match greeted.and_then(|()| (check.run)(&mut dialogue)) {
        Ok(()) => CheckOutcome::Passed,
        Err(Objection::Fault(what)) => CheckOutcome::Failed {
            what: printable(&what),
            dialogue: dialogue.client.transcript(),
        },
        Err(Objection::NotApplicable(why)) => CheckOutcome::Skipped { why },
        Err(Objection::NoOption(name)) => return Err(RunError::NoOption(name)),
        Err(Objection::Cancelled) => return Err(RunError::Cancelled),
    })
}

/// A sentence that quotes an engine, without characters that move the cursor of a terminal.
fn printable(text: &str) -> String {
    let mut printable = String::new();
    for letter in text.chars() {
        if letter.is_control() {
            printable.extend(letter.escape_default());
        } else {
            printable.push(letter);
        }
    }
    printable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_printable() {
        assert_eq!(printable("a\x1b[31mé\0"), "a\\u{1b}[31mé\\u{0}");
    }
}
