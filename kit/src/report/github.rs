//! Annotations of GitHub Actions: one for each case that is worth it.

use std::io::{self, Write};

use super::{Case, Report};
use crate::Exit;
use crate::github::{Annotation, AnnotationLevel};

/// Lines of details in an annotation, which GitHub shows folded below its title.
const DETAILS: usize = 24;

pub(super) fn write(report: &dyn Report, out: &mut dyn Write) -> io::Result<()> {
    let mut has_error = false;
    for suite in report.suites() {
        for case in suite.cases {
            if let Some(level) = case.level {
                has_error |= level == AnnotationLevel::Error;
                annotate(out, report.command(), &suite.name, &case, level)?;
            }
        }
    }
    let verdict = report.verdict();
    // A job that fails without an annotation would show no reason.
    if verdict.exit == Exit::Agreed || has_error {
        return Ok(());
    }
    let annotation = Annotation {
        level: AnnotationLevel::Error,
        title: report.command(),
        place: None,
        message: &verdict.text,
    };
    writeln!(out, "{annotation}")
}

fn annotate(
    out: &mut dyn Write,
    command: &str,
    suite: &str,
    case: &Case<'_>,
    level: AnnotationLevel,
) -> io::Result<()> {
    let name = &case.name;
    let (title, mut message) = match &*case.rule {
        "" => (
            format!("{command}: {name}"),
            format!("{suite}: {}", case.text),
        ),
        rule => {
            let message = format!("{suite}: {name}: {}", case.text);
            (format!("{command}: {rule}"), message)
        }
    };
    for line in case.details.lines().take(DETAILS) {
        message.push('\n');
        message.push_str(line);
    }
    let annotation = Annotation {
        level,
        title: &title,
        place: case.place.as_ref(),
        message: &message,
    };
    writeln!(out, "{annotation}")
}
