//! How far an engine has come in the suite `stages`.

use std::fmt;

use serde::Serialize;

use crate::engine_check::stages::{RuleStage, StageProgress};

/// The progress as part of a verdict: `stages 1 to 5 are right; stage 6, pins, is next`.
pub(super) struct ProgressWords<'a>(pub(super) StageProgress<'a>);

impl fmt::Display for ProgressWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StageProgress { right, next } = &self.0;
        match (&**right, next) {
            ([], _) => {}
            ([one], _) => write!(f, "stage {} is right; ", one.number)?,
            ([first, .., last], _) => {
                write!(f, "stages {} to {} are right; ", first.number, last.number)?;
            }
        }
        match next {
            Some(RuleStage { number, name }) => {
                write!(f, "stage {number}, {}, is next", name.replace('-', " "))
            }
            None => write!(f, "perft check quick is next"),
        }
    }
}

/// The progress in JSON.
#[derive(Serialize)]
pub(super) struct ProgressReport<'a> {
    /// The numbers of the stages that are right.
    right: Vec<u32>,
    /// The name of the next one, as its tag.
    next: Option<NextStage<'a>>,
}

#[derive(Serialize)]
struct NextStage<'a> {
    number: u32,
    name: &'a str,
}

impl<'a> From<StageProgress<'a>> for ProgressReport<'a> {
    fn from(progress: StageProgress<'a>) -> Self {
        let right = progress.right.iter().map(|stage| stage.number);
        let next = progress.next;
        Self {
            right: right.collect(),
            next: next.map(|RuleStage { number, name }| NextStage { number, name }),
        }
    }
}
