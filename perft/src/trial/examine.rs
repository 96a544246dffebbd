//! Tests one position, shallow counts first.

use std::num::NonZeroU32;

use chess::perft::Counter;

use super::case::Case;
use crate::hunt::{Counts, Question, Symptom, judge};
use crate::subject::{Failure, Subject};

/// The result for one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Examined {
    /// Every count is right, and every row.
    Right,
    /// Wrong at this depth.
    Wrong { depth: NonZeroU32, counts: Counts },
    /// No answer at this depth.
    Failed { depth: NonZeroU32, failure: Failure },
}

/// Asks for every count of a case, until one is wrong. Totals and the rows of divides are compared
/// with ours.
pub(crate) fn examine(case: &Case, subject: &mut dyn Subject, counter: Counter<'_>) -> Examined {
    for &(depth, _) in &case.counts {
        let question = Question {
            route: case.route.clone(),
            depth,
        };
        let reply = subject.perft(&question.route, depth);
        let Some(judged) = judge(&question, &reply, counter) else {
            continue;
        };
        return match judged.symptom {
            Symptom::Failed(failure) => Examined::Failed { depth, failure },
            _ => Examined::Wrong {
                depth,
                counts: judged.counts,
            },
        };
    }
    Examined::Right
}
