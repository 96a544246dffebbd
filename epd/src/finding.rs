//! A problem and its fix.

use std::fmt;

use crate::diagnostic::{Diagnostic, Problem};
use crate::severity::Severity;

/// A replacement of text in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The text in the file.
    pub before: String,
    /// The text of the standard form; empty if the text is dropped.
    pub after: String,
}

/// A problem, its place, and its fix if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The problem and its place.
    pub diagnostic: Diagnostic,
    /// The fix; `None` if the meaning is in doubt.
    pub fix: Option<Fix>,
}

impl Finding {
    /// Its severity: a problem that can be repaired is never an error.
    pub fn severity(&self) -> Severity {
        let severity = self.diagnostic.severity();
        if self.fix.is_some() {
            severity.min(Severity::Warning)
        } else {
            severity
        }
    }

    /// Whether it was left unrepaired, and matters.
    pub fn is_left(&self) -> bool {
        self.fix.is_none() && self.severity() >= Severity::Warning
    }

    /// Converts it to a diagnostic for readers that continue with the repaired text.
    pub fn into_diagnostic(self) -> Diagnostic {
        let Diagnostic {
            line,
            column,
            problem,
        } = self.diagnostic;
        let problem = match self.fix {
            None => problem,
            Some(fix) => Problem::Repaired {
                problem: Box::new(problem),
                after: fix.after,
            },
        };
        Diagnostic {
            line,
            column,
            problem,
        }
    }

    /// Formats as `name:line:column: severity: message (fix: text)`.
    pub fn display(&self, name: &str) -> impl fmt::Display {
        fmt::from_fn(move |f| {
            let Diagnostic {
                line,
                column,
                problem,
            } = &self.diagnostic;
            write!(f, "{name}:{line}:{column}: {}: {problem}", self.severity())?;
            match &self.fix {
                None => Ok(()),
                Some(fix) if fix.after.trim().is_empty() && fix.before.trim().is_empty() => {
                    write!(f, " (fix: '{}')", fix.after)
                }
                Some(fix) if fix.after.is_empty() => write!(f, " (fix: leave out)"),
                Some(fix) => write!(f, " (fix: {})", fix.after),
            }
        })
    }
}
