//! Going through the list.

use uci::{EngineError, Transcript};

use super::check::{Check, Level, Needs};
use super::finding::Objection;
use super::subject::Subject;
use super::talk::Talk;

/// What came of a check.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The check.
    pub check: &'static Check,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a check.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Nothing to object to.
    Passed,
    /// The engine has done wrong.
    Failed {
        /// What it has done.
        what: String,
        /// What was said.
        dialogue: Transcript,
    },
    /// Not tried, or not about this engine.
    Skipped {
        /// Why.
        why: String,
    },
}

/// How many checks came out how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Passed.
    pub passed: usize,
    /// Required, and failed.
    pub failed: usize,
    /// Recommended, and failed.
    pub notes: usize,
    /// Skipped.
    pub skipped: usize,
}

impl Tally {
    /// Counts.
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

/// Why the list could not be gone through.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The engine cannot be started.
    #[error(transparent)]
    NoEngine(EngineError),
    /// The user has asked for what cannot be.
    #[error("{0}")]
    Misuse(String),
    /// The work was cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// Goes through checks in their order; each that is done is shown to `observe`. Where the engine
/// does not answer `uci`, or does not search at all, what needs it is skipped.
///
/// # Errors
///
/// When the engine cannot be started, has not an option that is to be set, or the work is called
/// off.
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

/// A check that has failed without which another makes no sense.
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

/// A sentence that quotes an engine, without what would move a terminal's cursor.
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
