//! Runs the list of checks.

use uci::{EngineError, Transcript};

use super::check::{Check, Level, Needs, Objection, Subject};
use super::dialogue::Talk;

/// A check with its outcome.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The check that was run or skipped.
    pub check: &'static Check,
    /// Outcome of the check.
    pub outcome: Outcome,
}

/// The outcome of a check.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The engine is right.
    Passed,
    /// The engine is at fault.
    Failed {
        /// The fault, in a sentence.
        what: String,
        /// The dialogue with the engine.
        dialogue: Transcript,
    },
    /// Not run, or not applicable to this engine.
    Skipped {
        /// The reason.
        why: String,
    },
}

/// Number of checks with each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Checks that passed.
    pub passed: usize,
    /// Required checks that failed.
    pub failed: usize,
    /// Recommended checks that failed.
    pub notes: usize,
    /// Checks that were skipped.
    pub skipped: usize,
}

impl Tally {
    /// Counts the outcomes of these results.
    pub fn of(results: &[Checked]) -> Self {
        let mut tally = Self::default();
        for checked in results {
            *match (&checked.outcome, checked.check.level) {
                (Outcome::Passed, _) => &mut tally.passed,
                (Outcome::Failed { .. }, Level::Required) => &mut tally.failed,
                (Outcome::Failed { .. }, Level::Recommended) => &mut tally.notes,
                (Outcome::Skipped { .. }, _) => &mut tally.skipped,
            } += 1;
        }
        tally
    }
}

/// Why the list could not be completed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The engine cannot be started.
    #[error(transparent)]
    NoEngine(EngineError),
    /// The user made an impossible request.
    #[error("{0}")]
    Misuse(String),
    /// The work was cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// Runs checks in order and passes each result to `observe`. If the engine does not answer `uci`,
/// or never answers a search, the checks that depend on it are skipped.
///
/// # Errors
///
/// When the engine cannot be started, lacks an option that is to be set, or the work is cancelled.
pub fn run(
    subject: &Subject,
    checks: &[&'static Check],
    mut observe: impl FnMut(&Checked),
) -> Result<Vec<Checked>, RunError> {
    let mut results: Vec<Checked> = Vec::new();
    for check in checks {
        let outcome = match lacking(check.needs, &results) {
            Some(name) => Outcome::Skipped {
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
    let failed = |checked: &&Checked| matches!(checked.outcome, Outcome::Failed { .. });
    let mut failed = results
        .iter()
        .filter(failed)
        .map(|failed| failed.check.name);
    failed.find(|name| gates.contains(name))
}

fn run_one(subject: &Subject, check: &Check) -> Result<Outcome, RunError> {
    let mut talk = Talk::start(subject).map_err(RunError::NoEngine)?;
    Ok(match (check.run)(&mut talk) {
        Ok(()) => Outcome::Passed,
        Err(Objection::Fault(what)) => Outcome::Failed {
            what: printable(&what),
            dialogue: talk.transcript(),
        },
        Err(Objection::NotApplicable(why)) => Outcome::Skipped { why },
        Err(Objection::Misuse(what)) => return Err(RunError::Misuse(what)),
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
