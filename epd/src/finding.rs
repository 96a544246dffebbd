//! A problem together with what would stand there instead.

use std::fmt;

use crate::diagnostic::{Diagnostic, Problem};
use crate::severity::Severity;

/// A change of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The text that stands there.
    pub before: String,
    /// The text of the standard form; empty where the text is left out.
    pub after: String,
}

/// A problem, where it is, and where there is one, its repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The problem and its place.
    pub diagnostic: Diagnostic,
    /// What repairing puts there; `None` where what is meant is in doubt.
    pub fix: Option<Fix>,
}

impl Finding {
    /// How bad it is: what can be repaired is never an error.
    pub fn severity(&self) -> Severity {
        let severity = self.diagnostic.severity();
        if self.fix.is_some() {
            severity.min(Severity::Warning)
        } else {
            severity
        }
    }

    /// Whether it was left as it is, and matters.
    pub fn is_left(&self) -> bool {
        self.fix.is_none() && self.severity() >= Severity::Warning
    }

    /// The diagnostic for readers that go on with what was repaired.
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

    /// Writes `name:line:column: severity: message (fix: text)`.
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
