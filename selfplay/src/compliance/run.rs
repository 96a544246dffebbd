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

use super::check::{CheckedEngine, CommonCause, Objection};
use super::definition::{Check, CheckLevel, CheckTurn, Prerequisites};
use super::dialogue::{Dialogue, ShortSearch, now};

#[derive(Clone, Debug)]
pub(crate) struct FinishedCheck {
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
        common: Option<CommonCause>,
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
    pub(crate) fn from_results(results: &[FinishedCheck]) -> Self {
        let mut tally = Self::default();
        for checked in results {
            *match (&checked.outcome, checked.check.level) {
                (CheckOutcome::Passed, _) => &mut tally.passed,
                (CheckOutcome::Failed { .. }, CheckLevel::Required) => &mut tally.failed,
                (CheckOutcome::Failed { .. }, CheckLevel::Recommended) => &mut tally.notes,
                (CheckOutcome::Skipped { .. }, _) => &mut tally.skipped,
                (CheckOutcome::NotRun, _) => &mut tally.not_run,
            } += 1;
        }
        tally
    }
}

/// Why the list could not be completed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ComplianceError {
    #[error(transparent)]
    NoEngine(EngineError),
    #[error("the engine has no option '{0}'")]
    NoOption(String),
}

/// What happens to a check.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CheckStep {
    Begun,
    Done,
    /// It has failed beside others, and will be repeated alone.
    Postponed,
}

/// Runs checks, up to `at_once` at a time, and calls `observe` for each step. The results are in the
/// order of the list. A check is skipped if one that it needs has failed, whatever its own outcome
/// would be: one fault has one name. If the work is cancelled, the rest is not run.
///
/// # Errors
///
/// When the engine cannot be started, or lacks an option that is to be set.
pub(crate) fn run(
    subject: &CheckedEngine,
    checks: &[&'static Check],
    at_once: usize,
    observe: &mut dyn FnMut(&'static Check, CheckStep),
) -> Result<Vec<FinishedCheck>, ComplianceError> {
    let mut list = CheckList {
        subject,
        results: vec![None; checks.len()],
        checks,
        short: None,
        observe,
    };
    let of = |turn| {
        let is_of = move |index: &usize| checks[*index].turn == turn;
        (0..checks.len()).filter(is_of)
    };
    for index in of(CheckTurn::First) {
        list.run_alone(index)?;
    }
    let mut alone: Vec<usize> = of(CheckTurn::Alone).collect();
    let together: Vec<usize> = of(CheckTurn::Together).collect();
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
    let results = checks.iter().zip(&list.results);
    let results = results.map(|(&check, result)| {
        let result = result.clone();
        let (outcome, took) = result.unwrap_or((CheckOutcome::NotRun, Duration::ZERO));
        FinishedCheck {
            check,
            // Checks side by side may end before one that they need has failed.
            outcome: list.skipped(check).unwrap_or(outcome),
            took,
        }
    });
    Ok(results.collect())
}

/// The checks, with the results so far.
struct CheckList<'a> {
    subject: &'a CheckedEngine,
    checks: &'a [&'static Check],
    results: Vec<Option<(CheckOutcome, Duration)>>,
    /// How the engine is asked for short searches, once a check needs one.
    short: Option<ShortSearch>,
    observe: &'a mut dyn FnMut(&'static Check, CheckStep),
}

/// An outcome, and how long it took; `None` if the work was cancelled.
type Ran = Result<Option<(CheckOutcome, Duration)>, ComplianceError>;

impl CheckList<'_> {
    fn run_alone(&mut self, index: usize) -> Result<(), ComplianceError> {
        let check = self.checks[index];
        (self.observe)(check, CheckStep::Begun);
        let known = self.known(check);
        self.results[index] = if let Some(outcome) = known {
            Some((outcome, Duration::ZERO))
        } else {
            let short = self.short(check.needs == Prerequisites::Search);
            run_one(self.subject, short, check)?
        };
        (self.observe)(check, CheckStep::Done);
        Ok(())
    }

    /// Runs checks side by side; returns those that have failed, and must be repeated alone.
    fn run_together(&mut self, mut indices: Vec<usize>, at_once: usize) -> Vec<usize> {
        indices.retain(|&index| {
            let known = self.known(self.checks[index]);
            let is_known = known.is_some();
            if let Some(outcome) = known {
                self.results[index] = Some((outcome, Duration::ZERO));
                (self.observe)(self.checks[index], CheckStep::Done);
            }
            !is_known
        });
        let searches = |&index: &usize| self.checks[index].needs == Prerequisites::Search;
        let short = self.short(indices.iter().any(searches));
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
                        let ran = run_one(subject, short, checks[index]);
                        let _ = sender.send((index, Some(ran)));
                    }
                });
            }
            // The loop below ends when all senders are gone, and this one is never used.
            drop(sender);
            for (index, ran) in events {
                let check = checks[index];
                let step = match ran {
                    None => CheckStep::Begun,
                    // Without memory or processes for many engines, an engine may not even start.
                    Some(Err(_) | Ok(Some((CheckOutcome::Failed { .. }, _)))) => {
                        failed.push(index);
                        CheckStep::Postponed
                    }
                    Some(Ok(result)) => {
                        self.results[index] = result;
                        CheckStep::Done
                    }
                };
                (self.observe)(check, step);
            }
        });
        failed
    }

    /// How the engine is asked for short searches; sought when the first check needs it.
    fn short(&mut self, is_needed: bool) -> ShortSearch {
        let find = || ShortSearch::find(self.subject);
        match self.short {
            None if is_needed => *self.short.insert(find()),
            known => known.unwrap_or_default(),
        }
    }

    /// The outcome of a check that need not be run: a check that it needs has failed, or one that it
    /// follows from has passed.
    fn known(&self, check: &Check) -> Option<CheckOutcome> {
        let follows = || {
            let (_, outcome) = self.find(check.follows_from?)?;
            matches!(outcome, Some(CheckOutcome::Passed)).then_some(CheckOutcome::Passed)
        };
        self.skipped(check).or_else(follows)
    }

    fn skipped(&self, check: &Check) -> Option<CheckOutcome> {
        let why = format!("{} has failed", self.cause(check)?);
        Some(CheckOutcome::Skipped { why })
    }

    /// The failed check that makes this one senseless, or has failed of the same cause; of a chain of
    /// them the first.
    fn cause(&self, check: &Check) -> Option<&'static str> {
        check.needed().chain(self.like(check)).find_map(|name| {
            let (needed, outcome) = self.find(name)?;
            let has_failed = matches!(outcome, Some(CheckOutcome::Failed { .. }));
            self.cause(needed).or(has_failed.then_some(name))
        })
    }

    /// The check that names the cause of this one's failure: the one that is about it, if it has failed
    /// of that, too, otherwise the first that has.
    fn like(&self, check: &Check) -> Option<&'static str> {
        let cause = self.common(check)?;
        let is_like = |one: &&Check| self.common(one) == Some(cause);
        let about = self.find(cause.check()).map(|(about, _)| about);
        let mut others = self.checks.iter().copied();
        let named = about
            .filter(is_like)
            // A check that lacks what it needs is skipped, and names no cause.
            .or_else(|| others.find(|one| is_like(one) && !self.lacks(one)))?;
        // What that check needs is not skipped for it.
        let is_other = named.name != check.name && !named.needed().any(|name| name == check.name);
        is_other.then_some(named.name)
    }

    /// The common cause of which a check has failed.
    fn common(&self, check: &Check) -> Option<CommonCause> {
        match self.find(check.name)?.1? {
            CheckOutcome::Failed { common, .. } => *common,
            _ => None,
        }
    }

    /// Whether a check that this one needs has failed.
    fn lacks(&self, check: &Check) -> bool {
        let mut needed = check.needed().filter_map(|name| self.find(name));
        needed.any(|(needed, outcome)| {
            matches!(outcome, Some(CheckOutcome::Failed { .. })) || self.lacks(needed)
        })
    }

    /// A check of the list, and its outcome so far.
    fn find(&self, name: &str) -> Option<(&'static Check, Option<&CheckOutcome>)> {
        let index = self.checks.iter().position(|check| check.name == name)?;
        let result = self.results[index].as_ref();
        Some((self.checks[index], result.map(|(outcome, _)| outcome)))
    }
}

fn run_one(subject: &CheckedEngine, short: ShortSearch, check: &Check) -> Ran {
    if subject.start.cancel.is_set() {
        return Ok(None);
    }
    let begun = now();
    let mut dialogue = match Dialogue::start(subject, short) {
        Ok(dialogue) => dialogue,
        Err(EngineError::Cancelled) => return Ok(None),
        Err(error) => return Err(ComplianceError::NoEngine(error)),
    };
    let greeted = match check.needs {
        Prerequisites::Search => dialogue.begin_games(),
        // These checks send `uci` themselves: it is what they test.
        Prerequisites::Nothing | Prerequisites::Uci => Ok(()),
    };
    let found = greeted.and_then(|()| (check.run)(&mut dialogue));
    let failed = |what: &str, common| CheckOutcome::Failed {
        what: printable(what),
        dialogue: dialogue.client.transcript(),
        common,
    };
    let outcome = match found {
        Ok(()) => CheckOutcome::Passed,
        // What an engine does that is killed is no fault of its own.
        Err(_) if subject.start.cancel.is_set() => return Ok(None),
        Err(Objection::Cancelled) => return Ok(None),
        Err(Objection::Fault(what) | Objection::Unanswered(what)) => failed(&what, None),
        Err(Objection::Symptom(cause, what)) => failed(&what, Some(cause)),
        Err(Objection::NotApplicable(why)) => CheckOutcome::Skipped { why },
        Err(Objection::NoOption(name)) => return Err(ComplianceError::NoOption(name)),
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
