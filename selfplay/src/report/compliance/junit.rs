//! Report for continuous integration: `JUnit` XML, one test case for each check. A note is a
//! skipped test case with a message.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{ComplianceReport, explanation, shortened};
use crate::compliance::{Checked, Level, Outcome};

/// Formats the report as XML.
///
/// # Errors
///
/// When the XML cannot be written.
pub fn junit(report: &ComplianceReport<'_>) -> anyhow::Result<String> {
    let mut suite = TestSuite::new(report.engine);
    for checked in report.results {
        let mut case = TestCase::new(checked.check.name, status(checked));
        case.set_classname(report.engine);
        suite.add_test_case(case);
    }
    let mut xml = Report::new("selfplay compliance");
    xml.add_test_suite(suite);
    // The only characters of an engine's output that XML cannot represent even escaped.
    let text = xml.to_string()?;
    Ok(text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}"))
}

fn status(checked: &Checked) -> TestCaseStatus {
    match &checked.outcome {
        Outcome::Passed => TestCaseStatus::success(),
        Outcome::Skipped { why } => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(why.as_str());
            status
        }
        Outcome::Failed { what, dialogue } => {
            let mut status = match checked.check.level {
                Level::Required => TestCaseStatus::non_success(NonSuccessKind::Failure),
                Level::Recommended => TestCaseStatus::skipped(),
            };
            status.set_message(what.as_str());
            let explanation = explanation(checked.check);
            let dialogue = shortened(dialogue).join("\n");
            status.set_description(format!("{explanation}\n{dialogue}"));
            status
        }
    }
}
