//! GitHub Actions: an annotation per problem, and the totals.

use std::fmt::Write as _;

use kit::github::{Annotation, Level, Place};

use super::{Listed, Listing, human};
use crate::lint::Lint;
use crate::severity::Severity;

pub(super) fn write(lints: &[Lint], listing: Listing) -> String {
    let mut text = String::new();
    let (listed, left_out) = listing.choose(lints);
    for Listed {
        name,
        finding,
        alike,
    } in listed
    {
        let level = match finding.severity() {
            Severity::Error => Level::Error,
            Severity::Warning => Level::Warning,
            Severity::Note => Level::Notice,
        };
        let diagnostic = &finding.diagnostic;
        let mut message = diagnostic.problem.to_string();
        if let Some(fix) = &finding.fix {
            write!(message, " (fix: {})", fix.after).expect("a string can be written to");
        }
        message += &human::more_alike(alike);
        let annotation = Annotation {
            level,
            title: diagnostic.problem.kind(),
            place: Some(Place {
                file: name,
                line: diagnostic.line,
                column: Some(diagnostic.column),
            }),
            message: &message,
        };
        writeln!(text, "{annotation}").expect("a string can be written to");
    }
    text + &human::left_out(left_out) + &human::summary(lints)
}
