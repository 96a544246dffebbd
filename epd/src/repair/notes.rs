//! Collects the findings on a line.

use std::cmp::Reverse;

use crate::diagnostic::{Diagnostic, Problem};
use crate::finding::{Finding, Fix};
use crate::scan::characters;

/// Problems with their byte offsets, repaired or not.
#[derive(Default)]
pub(super) struct Notes {
    noted: Vec<(usize, Problem, Option<Fix>)>,
    /// Whether a doubt prevents the line from being rewritten.
    in_doubt: bool,
}

impl Notes {
    /// Notes a repaired problem.
    pub(super) fn fix(&mut self, offset: usize, problem: Problem, before: &str, after: &str) {
        let fix = Fix {
            before: before.to_owned(),
            after: after.to_owned(),
        };
        self.noted.push((offset, problem, Some(fix)));
    }

    /// Notes an unrepaired problem; the rest of the line is readable.
    pub(super) fn leave(&mut self, offset: usize, problem: Problem) {
        self.noted.push((offset, problem, None));
    }

    /// Notes a problem that makes the line be kept as it is.
    pub(super) fn fault(&mut self, offset: usize, problem: Problem) {
        self.in_doubt = true;
        self.leave(offset, problem);
    }

    /// Notes several such problems.
    pub(super) fn faults(&mut self, faults: impl IntoIterator<Item = (usize, Problem)>) {
        for (offset, problem) in faults {
            self.fault(offset, problem);
        }
    }

    /// Whether the line is to be kept as it is.
    pub(super) fn is_in_doubt(&self) -> bool {
        self.in_doubt
    }

    /// Whether there is a note at this offset.
    pub(super) fn has_at(&self, offset: usize) -> bool {
        self.noted.iter().any(|&(noted, ..)| noted == offset)
    }

    /// Whether any problem was left unrepaired.
    pub(super) fn has_faults(&self) -> bool {
        self.noted.iter().any(|(_, _, fix)| fix.is_none())
    }

    /// Appends the notes of a successful attempt.
    pub(super) fn append(&mut self, other: Self) {
        self.noted.extend(other.noted);
        self.in_doubt |= other.in_doubt;
    }

    /// All findings, by column; in one column, the worst first. For a line that is kept as it is,
    /// only the doubts are certain.
    pub(super) fn into_findings(mut self, text: &str, line: usize) -> Vec<Finding> {
        if self.in_doubt {
            self.noted.retain(|(_, _, fix)| fix.is_none());
        }
        self.noted
            .sort_by_key(|(offset, problem, _)| (*offset, Reverse(problem.severity())));
        // Columns are counted incrementally: from the beginning each time, a line of 1 MB takes
        // hours.
        let (mut reached, mut column) = (0, 1);
        let noted = self.noted.into_iter();
        noted
            .map(|(offset, problem, fix)| {
                let within = offset.min(text.len());
                column += characters(&text.as_bytes()[reached..within]);
                reached = within;
                let diagnostic = Diagnostic {
                    line,
                    // Text after the end was stripped byte by byte.
                    column: column + offset - within,
                    problem,
                };
                Finding { diagnostic, fix }
            })
            .collect()
    }
}
