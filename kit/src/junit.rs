//! `JUnit` XML for continuous integration: what the reports have in common.
//!
//! A failure is a difference that was found (exit code 1), an error anything that kept a test from
//! being judged (exit codes 2 and 3); a skipped test case was not run.

pub use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// A failure or an error with its message.
pub fn non_success(kind: NonSuccessKind, message: impl Into<String>) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(message.into());
    status
}

/// A test case that was not run, with the reason.
pub fn skipped(why: impl Into<String>) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(why.into());
    status
}

/// The report as XML, without the two characters that XML cannot represent even escaped.
///
/// # Errors
///
/// The XML cannot be written.
pub fn to_text(report: &Report) -> anyhow::Result<String> {
    let text = report.to_string()?;
    Ok(text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}"))
}
