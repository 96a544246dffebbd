//! Makes the example of a fault as short as possible: first fewer moves, then fewer pieces.

use super::judge::Judge;
use super::outcome::ConsistencySymptom;
use super::question::ConsistencyQuestion;
use crate::count::subject::{Failure, Route};
use crate::engine_check::hunt::{parts_of, same_moves_from, without};

/// Maximum number of questions for one fault.
const MOST_QUESTIONS: u64 = 1500;
/// Maximum number of questions without an answer: each may cost the time limit.
const MOST_FAILURES: u32 = 2;

/// An example of a fault.
pub(super) struct Example {
    pub(super) question: ConsistencyQuestion,
    pub(super) symptom: ConsistencySymptom,
    /// Whether the fault showed again.
    pub(super) is_steady: bool,
}

/// Shrinks an example; what is found so far remains if shrinking is cancelled.
///
/// # Errors
///
/// When it was cancelled.
pub(super) fn shrink(judge: &mut Judge<'_>, example: &mut Example) -> Result<(), Failure> {
    let mut shrinker = ExampleShrinker {
        limit: judge.questions + MOST_QUESTIONS,
        judge,
        example,
        failures: 0,
    };
    let same = shrinker.example.question.clone();
    // A fault that does not show again cannot be shrunk.
    if !shrinker.take(Some(same))? {
        return Ok(());
    }
    shrinker.example.is_steady = true;
    let plies = |route: &Route| route.moves().len();
    let most = shrinker.example.question.routes().iter().map(plies).max();
    // The first length that shows the fault is the shortest.
    for length in 0..most.unwrap_or(0) {
        let question = &shrinker.example.question;
        let shorter = question.map(|route| Some(route.by_last_moves(length)));
        if shrinker.take(shorter)? {
            break;
        }
    }
    shrinker.remove_parts()
}

struct ExampleShrinker<'h, 'a> {
    judge: &'h mut Judge<'a>,
    example: &'h mut Example,
    limit: u64,
    failures: u32,
}

impl ExampleShrinker<'_, '_> {
    /// Replaces the example if the same fault shows in a question.
    fn take(&mut self, question: Option<ConsistencyQuestion>) -> Result<bool, Failure> {
        let is_over = self.judge.questions >= self.limit || self.failures >= MOST_FAILURES;
        let Some(question) = question.filter(|question| !is_over && is_sensible(question)) else {
            return Ok(false);
        };
        let judged = match self.judge.judge(&question) {
            Ok(judged) => judged,
            Err(Failure::Cancelled) => return Err(Failure::Cancelled),
            Err(_) => {
                self.failures += 1;
                return Ok(false);
            }
        };
        let old = &self.example.symptom;
        // Another cause would be another fault.
        let is_same = |new: &ConsistencySymptom| (new.kind, &new.cause) == (old.kind, &old.cause);
        let Some(symptom) = judged.symptoms.into_iter().find(is_same) else {
            return Ok(false);
        };
        self.example.question = question;
        self.example.symptom = symptom;
        Ok(true)
    }

    /// Removes ever smaller groups of parts of the first position, finally one by one until none can
    /// be removed.
    fn remove_parts(&mut self) -> Result<(), Failure> {
        let parts = |example: &Example| parts_of(example.question.routes()[0].root());
        let mut size = parts(self.example).len();
        // This is like delta debugging (Zeller and Hildebrandt 2002).
        while size > 0 {
            let mut removed = false;
            for group in parts(self.example).chunks(size) {
                let smaller = self.example.question.map(|route| {
                    let root = without(route.root(), group)?;
                    same_moves_from(&root, route)
                });
                removed |= self.take(smaller)?;
            }
            // Without one part, another may have become removable: single ones are tried again.
            if size > 1 || !removed {
                size /= 2;
            }
        }
        Ok(())
    }
}

/// Two orders of moves begin at one position and lead to one.
fn is_sensible(question: &ConsistencyQuestion) -> bool {
    match question {
        ConsistencyQuestion::Orders([one, other]) => {
            one.root() == other.root()
                && one.position() == other.position()
                && one.moves() != other.moves()
        }
        _ => true,
    }
}
