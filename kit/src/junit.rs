//! `JUnit` XML for continuous integration: what the reports have in common.
//!
//! A failure is a difference that was found (exit code 1), an error anything that kept a test from
//! being judged (exit codes 2 and 3); a skipped test case was not run.
//!
//! [`to_text`] writes a report that fits in memory; [`Stream`] writes one test case after the other, in
//! the same format.

use std::borrow::Cow;
use std::io::{self, Write};

pub use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

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
    Ok(text.replace(NO_XML, "\u{fffd}"))
}

const NO_XML: [char; 2] = ['\u{fffe}', '\u{ffff}'];

/// A report that is written test case by test case, for more cases than fit in memory.
///
/// The elements that hold cases begin with their numbers, so that the cases are counted first
/// ([`TestSuite::add_test_case`] is not used, but [`count`]).
pub struct Stream<W>(Writer<W>);

/// Counts a test case in the head of its suite.
pub fn count(suite: &mut TestSuite, status: &TestCaseStatus) {
    suite.tests += 1;
    match status {
        TestCaseStatus::Success { .. } => {}
        TestCaseStatus::NonSuccess { kind, .. } => match kind {
            NonSuccessKind::Failure => suite.failures += 1,
            NonSuccessKind::Error => suite.errors += 1,
        },
        TestCaseStatus::Skipped { .. } => suite.skipped += 1,
    }
}

impl<W: Write> Stream<W> {
    /// Writes the head of a report with suites of these numbers of cases.
    ///
    /// # Errors
    ///
    /// As for the output.
    pub fn begin(out: W, report: &Report, suites: &[TestSuite]) -> io::Result<Self> {
        let mut stream = Self(Writer::new_with_indent(out, b' ', 4));
        let declaration = BytesDecl::new("1.0", Some("UTF-8"), None);
        stream.0.write_event(Event::Decl(declaration))?;
        let sum = |number: fn(&TestSuite) -> usize| suites.iter().map(number).sum::<usize>();
        let name = report.name.as_ref().map(|name| ("name", text(name)));
        let time = report.time.map(|time| ("time", seconds(time)));
        let numbers = [
            ("tests", sum(|suite| suite.tests)),
            ("skipped", sum(|suite| suite.skipped)),
            ("failures", sum(|suite| suite.failures)),
            ("errors", sum(|suite| suite.errors)),
        ];
        let numbers = numbers.map(|(name, number)| (name, number.to_string().into()));
        let head = element("testsuites", name.into_iter().chain(numbers).chain(time));
        stream.0.write_event(Event::Start(head))?;
        Ok(stream)
    }

    /// Writes a suite: its head, then these cases.
    ///
    /// # Errors
    ///
    /// As for the output.
    pub fn suite(
        &mut self,
        suite: &TestSuite,
        cases: impl IntoIterator<Item = TestCase>,
    ) -> io::Result<()> {
        let numbers = [
            ("tests", suite.tests),
            ("skipped", suite.skipped),
            ("errors", suite.errors),
            ("failures", suite.failures),
        ];
        let numbers = numbers.map(|(name, number)| (name, number.to_string().into()));
        let name = ("name", text(&suite.name));
        let head = element("testsuite", [name].into_iter().chain(numbers));
        if suite.tests == 0 {
            return self.0.write_event(Event::Empty(head));
        }
        self.0.write_event(Event::Start(head))?;
        for case in cases {
            self.case(&case)?;
        }
        self.end_of("testsuite")
    }

    fn case(&mut self, case: &TestCase) -> io::Result<()> {
        let name = ("name", text(&case.name));
        let class = case
            .classname
            .as_ref()
            .map(|name| ("classname", text(name)));
        let time = case.time.map(|time| ("time", seconds(time)));
        let head = element("testcase", [name].into_iter().chain(class).chain(time));
        let (tag, message, description) = match &case.status {
            TestCaseStatus::Success { .. } => return self.0.write_event(Event::Empty(head)),
            TestCaseStatus::NonSuccess {
                kind,
                message,
                description,
                ..
            } => {
                let tag = match kind {
                    NonSuccessKind::Failure => "failure",
                    NonSuccessKind::Error => "error",
                };
                (tag, message, description)
            }
            TestCaseStatus::Skipped {
                message,
                description,
                ..
            } => ("skipped", message, description),
        };
        self.0.write_event(Event::Start(head))?;
        let message = message.as_ref().map(|message| ("message", text(message)));
        let status = element(tag, message);
        match description {
            None => self.0.write_event(Event::Empty(status))?,
            Some(description) => {
                self.0.write_event(Event::Start(status))?;
                let description = text(description);
                let description = BytesText::new(&description);
                self.0.write_event(Event::Text(description))?;
                self.end_of(tag)?;
            }
        }
        self.end_of("testcase")
    }

    /// Writes the end of the report.
    ///
    /// # Errors
    ///
    /// As for the output.
    pub fn end(mut self) -> io::Result<()> {
        self.end_of("testsuites")?;
        self.0.write_indent()
    }

    fn end_of(&mut self, tag: &str) -> io::Result<()> {
        self.0.write_event(Event::End(BytesEnd::new(tag)))
    }
}

fn element<'a>(
    tag: &'static str,
    attributes: impl IntoIterator<Item = (&'static str, Cow<'a, str>)>,
) -> BytesStart<'static> {
    let mut element = BytesStart::new(tag);
    for (name, value) in attributes {
        element.push_attribute((name, &*value));
    }
    element
}

fn text(text: &str) -> Cow<'_, str> {
    if text.contains(NO_XML) {
        text.replace(NO_XML, "\u{fffd}").into()
    } else {
        text.into()
    }
}

fn seconds(time: std::time::Duration) -> Cow<'static, str> {
    format!("{:.3}", time.as_secs_f64()).into()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// The two ways of writing a report give the same bytes.
    #[test]
    fn a_stream_is_written_as_a_whole_report_is() {
        let mut failure = non_success(NonSuccessKind::Failure, "a < b & \"c\"\nd");
        failure.set_description("8/8\u{ffff} <& \u{1b}[31m\n  second line\t");
        let mut timed = TestCase::new("timed", TestCaseStatus::success());
        timed
            .set_classname("class")
            .set_time(Duration::from_millis(1_234));
        let cases = [
            timed,
            TestCase::new("a\nb", failure),
            TestCase::new("error", non_success(NonSuccessKind::Error, "no answer")),
            TestCase::new("open", TestCaseStatus::skipped()),
            TestCase::new("why", skipped("not \u{fffe} now")),
        ];
        let mut whole = Report::new("perft <check>");
        whole.set_time(Duration::from_secs(5));
        let head = whole.clone();
        let mut suites = Vec::new();
        for name in ["first", "empty"] {
            let mut suite = TestSuite::new(name);
            let mut counted = suite.clone();
            for case in cases.iter().filter(|_| name == "first") {
                suite.add_test_case(case.clone());
                count(&mut counted, &case.status);
            }
            whole.add_test_suite(suite);
            suites.push(counted);
        }
        let mut bytes = Vec::new();
        let mut stream = Stream::begin(&mut bytes, &head, &suites).expect("written");
        for suite in &suites {
            stream.suite(suite, cases.clone()).expect("written");
        }
        stream.end().expect("written");
        let bytes = String::from_utf8(bytes).expect("text");
        assert_eq!(bytes, to_text(&whole).expect("written"));
    }
}
