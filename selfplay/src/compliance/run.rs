//! Runs the list of checks, many at a time.
//!
//! Most checks wait, and do not disturb each other. No sound engine may fail because of its
//! neighbours, however: what takes time is measured alone, and a failure beside other checks
//! proves nothing, so that the check is repeated alone.

use std::collections::VecDeque;
use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use uci::{EngineError, Transcript};

use super::check::{Objection, Subject};
use super::definition::{Check, Level, Needs, Turn};
use super::dialogue::{Dialogue, now};

#[derive(Clone, Debug)]
pub(crate) struct Checked {
    pub check: &'static Check,
    pub outcome: CheckOutcome,
    pub took: Duration,
}

#[derive(Clone, Debug)]
pub(crate) enum CheckOutcome {
    Passed,
    Failed {
        what: String,
        dialogue: Transcript,
    },
    /// Not applicable to this engine, or senseless after what has failed.
    Skipped {
        why: String,
    },
    /// The user ended the run before.
    NotRun,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CheckTally {
    pub passed: usize,
    pub failed: usize,
    pub notes: usize,
    pub skipped: usize,
    pub not_run: usize,
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
                (CheckOutcome::NotRun, _) => &mut tally.not_run,
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
}

/// What happens to a check.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Begun,
    Done,
    /// It has failed beside others, and will be repeated alone.
    Postponed,
}

/// Runs checks, up to `at_once` at a time, and calls `observe` for each step. The results are in the
/// order of the list. If the engine does not answer `uci`, or never answers a search, the checks
/// that depend on it are skipped. If the work is cancelled, the rest is not run.
///
/// # Errors
///
/// When the engine cannot be started, or lacks an option that is to be set.
pub(crate) fn run(
    subject: &Subject,
    checks: &[&'static Check],
    at_once: usize,
    observe: &mut dyn FnMut(&'static Check, Step),
) -> Result<Vec<Checked>, RunError> {
    let mut list = List {
        subject,
        results: vec![None; checks.len()],
        checks,
        observe,
    };
    let of = |turn| {
        let is_of = move |index: &usize| checks[*index].turn == turn;
        (0..checks.len()).filter(is_of)
    };
    for index in of(Turn::First) {
        list.run_alone(index)?;
    }
    let mut alone: Vec<usize> = of(Turn::Alone).collect();
    let together: Vec<usize> = of(Turn::Together).collect();
    if at_once.min(together.len()) > 1 {
        alone.extend(list.run_together(together, at_once));
    } else {
        alone.extend(together);
    }
    // A check that follows from another comes after it.
    alone.sort_by_key(|&index| (checks[index].follows_from.is_some(), index));
    for index in alone {
        list.run_alone(index)?;
    }
    let results = checks.iter().zip(list.results);
    let results = results.map(|(&check, result)| {
        let (outcome, took) = result.unwrap_or((CheckOutcome::NotRun, Duration::ZERO));
        Checked {
            check,
            outcome,
            took,
        }
    });
    Ok(results.collect())
}

/// The checks, with the results so far.
struct List<'a> {
    subject: &'a Subject,
    checks: &'a [&'static Check],
    results: Vec<Option<(CheckOutcome, Duration)>>,
    observe: &'a mut dyn FnMut(&'static Check, Step),
}

/// An outcome, and how long it took; `None` if the work was cancelled.
type Ran = Result<Option<(CheckOutcome, Duration)>, RunError>;

impl List<'_> {
    fn run_alone(&mut self, index: usize) -> Result<(), RunError> {
        let check = self.checks[index];
        (self.observe)(check, Step::Begun);
        let known = self.known(check);
        self.results[index] = match known {
            Some(outcome) => Some((outcome, Duration::ZERO)),
            None => run_one(self.subject, check)?,
        };
        (self.observe)(check, Step::Done);
        Ok(())
    }

    /// Runs checks side by side; returns those that have failed, and must be repeated alone.
    fn run_together(&mut self, mut indices: Vec<usize>, at_once: usize) -> Vec<usize> {
        indices.retain(|&index| {
            let known = self.known(self.checks[index]);
            let is_known = known.is_some();
            if let Some(outcome) = known {
                self.results[index] = Some((outcome, Duration::ZERO));
                (self.observe)(self.checks[index], Step::Done);
            }
            !is_known
        });
        let workers = at_once.min(indices.len());
        let queue = Mutex::new(VecDeque::from(indices));
        let next = || {
            let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
            queue.pop_front()
        };
        let (subject, checks) = (self.subject, self.checks);
        let mut failed = Vec::new();
        thread::scope(|scope| {
            let (sender, events) = mpsc::channel();
            for _ in 0..workers {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    while let Some(index) = next() {
                        // The receiver waits for all senders.
                        let _ = sender.send((index, None));
                        let ran = run_one(subject, checks[index]);
                        let _ = sender.send((index, Some(ran)));
                    }
                });
            }
            drop(sender);
            for (index, ran) in events {
                let check = checks[index];
                let step = match ran {
                    None => Step::Begun,
                    // Without memory or processes for many engines, an engine may not even start.
                    Some(Err(_) | Ok(Some((CheckOutcome::Failed { .. }, _)))) => {
                        failed.push(index);
                        Step::Postponed
                    }
                    Some(Ok(result)) => {
                        self.results[index] = result;
                        Step::Done
                    }
                };
                (self.observe)(check, step);
            }
        });
        failed
    }

    /// The outcome of a check that need not be run: a check that it needs has failed, or one that it
    /// follows from has passed.
    fn known(&self, check: &Check) -> Option<CheckOutcome> {
        let gates: &[&'static str] = match check.needs {
            Needs::Nothing => &[],
            Needs::Uci => &["uci", "isready"],
            Needs::Search => &["uci", "isready", "search"],
        };
        let mut is_before = true;
        for (other, result) in self.checks.iter().zip(&self.results) {
            is_before &= other.name != check.name;
            match result {
                Some((CheckOutcome::Failed { .. }, _))
                    if is_before && gates.contains(&other.name) =>
                {
                    let why = format!("'{}' has failed", other.name);
                    return Some(CheckOutcome::Skipped { why });
                }
                Some((CheckOutcome::Passed, _)) if check.follows_from == Some(other.name) => {
                    return Some(CheckOutcome::Passed);
                }
                _ => {}
            }
        }
        None
    }
}

fn run_one(subject: &Subject, check: &Check) -> Ran {
    if subject.cancel.is_set() {
        return Ok(None);
    }
    let begun = now();
    let mut dialogue = match Dialogue::start(subject) {
        Ok(dialogue) => dialogue,
        Err(EngineError::Cancelled) => return Ok(None),
        Err(error) => return Err(RunError::NoEngine(error)),
    };
    let greeted = match check.needs {
        Needs::Search => dialogue.greet(),
        Needs::Nothing | Needs::Uci => Ok(()),
    };
    let outcome = match greeted.and_then(|()| (check.run)(&mut dialogue)) {
        Ok(()) => CheckOutcome::Passed,
        // What an engine does that is killed is no fault of its own.
        Err(_) if subject.cancel.is_set() => return Ok(None),
        Err(Objection::Cancelled) => return Ok(None),
        Err(Objection::Fault(what)) => CheckOutcome::Failed {
            what: printable(&what),
            dialogue: dialogue.client.transcript(),
        },
        Err(Objection::NotApplicable(why)) => CheckOutcome::Skipped { why },
        Err(Objection::NoOption(name)) => return Err(RunError::NoOption(name)),
    };
    Ok(Some((outcome, now().saturating_duration_since(begun))))
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
