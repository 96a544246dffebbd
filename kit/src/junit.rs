//! `JUnit` XML for continuous integration: what the reports have in common.
//!
//! A failure is a difference that was found (exit code 1), an error anything that kept a test from
//! being judged (exit codes 2 and 3); a skipped test case was not run. The elements and attributes are
//! those that Jenkins, GitLab and GitHub's actions read.
//!
//! [`to_text`] writes a report that fits in memory; [`Stream`] writes one test case after the other.

use std::borrow::Cow;
use std::io::{self, Write};
use std::time::Duration;

use anyhow::Context as _;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

/// A report: test suites, and what they have in common.
#[derive(Clone, Debug)]
pub struct Report {
    name: String,
    time: Option<Duration>,
    suites: Vec<TestSuite>,
}

/// A test suite: its test cases, or the counts of cases that are written one by one.
#[derive(Clone, Debug)]
pub struct TestSuite {
    /// What it tests: an engine, a file.
    pub name: String,
    counts: Counts,
    time: Option<Duration>,
    cases: Vec<TestCase>,
}

/// Numbers of test cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    tests: usize,
    skipped: usize,
    errors: usize,
    failures: usize,
}

/// A test case and its status.
#[derive(Clone, Debug)]
pub struct TestCase {
    name: String,
    class: Option<String>,
    time: Option<Duration>,
    status: TestCaseStatus,
    system_out: Option<String>,
}

/// How a test case ended.
#[derive(Clone, Debug)]
pub struct TestCaseStatus {
    outcome: TestOutcome,
    message: Option<String>,
    rule: Option<String>,
    description: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TestOutcome {
    Success,
    Skipped,
    NonSuccess(NonSuccessKind),
}

/// How a test case has not succeeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NonSuccessKind {
    /// A difference was found.
    Failure,
    /// The case could not be judged.
    Error,
}

/// A failure or an error with its message.
pub fn non_success(kind: NonSuccessKind, message: impl Into<String>) -> TestCaseStatus {
    TestCaseStatus {
        message: Some(message.into()),
        ..TestCaseStatus::new(TestOutcome::NonSuccess(kind))
    }
}

/// A test case that was not run, with the reason.
pub fn skipped(why: impl Into<String>) -> TestCaseStatus {
    TestCaseStatus {
        message: Some(why.into()),
        ..TestCaseStatus::skipped()
    }
}

impl TestCaseStatus {
    fn new(outcome: TestOutcome) -> Self {
        Self {
            outcome,
            message: None,
            rule: None,
            description: None,
        }
    }

    /// The case passed.
    pub fn success() -> Self {
        Self::new(TestOutcome::Success)
    }

    /// The case was not run.
    pub fn skipped() -> Self {
        Self::new(TestOutcome::Skipped)
    }

    /// Sets the rule that is broken: the attribute `type`.
    pub fn set_type(&mut self, rule: impl Into<String>) {
        self.rule = Some(rule.into());
    }

    /// Sets the text inside of the element: details below the message.
    pub fn set_description(&mut self, description: impl Into<String>) {
        self.description = Some(description.into());
    }
}

impl TestCase {
    /// A test case that ended so.
    pub fn new(name: impl Into<String>, status: TestCaseStatus) -> Self {
        Self {
            name: name.into(),
            class: None,
            time: None,
            status,
            system_out: None,
        }
    }

    /// How it ended.
    pub const fn status(&self) -> &TestCaseStatus {
        &self.status
    }

    /// Sets what the case belongs to, by which dashboards group cases.
    pub fn set_classname(&mut self, class: impl Into<String>) {
        self.class = Some(class.into());
    }

    /// Sets the time that the case took.
    pub fn set_time(&mut self, time: Duration) {
        self.time = Some(time);
    }

    /// Sets the output that belongs to the case, such as a transcript.
    pub fn set_system_out(&mut self, text: impl Into<String>) {
        self.system_out = Some(text.into());
    }
}

impl TestSuite {
    /// A suite without test cases.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            counts: Counts::default(),
            time: None,
            cases: Vec::new(),
        }
    }

    /// Adds a test case.
    pub fn add_test_case(&mut self, case: TestCase) {
        self.count(&case.status);
        self.cases.push(case);
    }

    /// Counts a test case that is not kept, since [`Stream::suite`] writes it.
    pub fn count(&mut self, status: &TestCaseStatus) {
        self.counts.tests += 1;
        match status.outcome {
            TestOutcome::Success => {}
            TestOutcome::Skipped => self.counts.skipped += 1,
            TestOutcome::NonSuccess(NonSuccessKind::Failure) => self.counts.failures += 1,
            TestOutcome::NonSuccess(NonSuccessKind::Error) => self.counts.errors += 1,
        }
    }

    /// Whether no test case was added or counted.
    pub const fn is_empty(&self) -> bool {
        self.counts.tests == 0
    }

    /// Sets the time that the suite took.
    pub fn set_time(&mut self, time: Duration) {
        self.time = Some(time);
    }
}

impl Report {
    /// A report without suites.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            time: None,
            suites: Vec::new(),
        }
    }

    /// Sets the time of the whole run.
    pub fn set_time(&mut self, time: Duration) {
        self.time = Some(time);
    }

    /// Adds a suite.
    pub fn add_test_suite(&mut self, suite: TestSuite) {
        self.suites.push(suite);
    }
}

/// The report as XML.
///
/// # Errors
///
/// The XML cannot be written.
pub fn to_text(report: &Report) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let mut stream = Stream::begin(&mut bytes, report, &report.suites)?;
    for suite in &report.suites {
        stream.suite(suite, &suite.cases)?;
    }
    stream.end()?;
    String::from_utf8(bytes).context("a report is text")
}

/// A report that is written test case by test case, for more cases than fit in memory.
///
/// The elements that hold cases begin with their numbers, so that the cases are counted first, by
/// [`TestSuite::count`].
pub struct Stream<W>(Writer<W>);

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
        let sum = |number: fn(&Counts) -> usize| suites.iter().map(|one| number(&one.counts)).sum();
        let all = Counts {
            tests: sum(|counts| counts.tests),
            skipped: sum(|counts| counts.skipped),
            errors: sum(|counts| counts.errors),
            failures: sum(|counts| counts.failures),
        };
        let mut head = element("testsuites");
        attribute(&mut head, "name", &report.name);
        all.write(&mut head, [FAILURES, ERRORS]);
        time(&mut head, report.time);
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
        cases: impl IntoIterator<Item = impl std::borrow::Borrow<TestCase>>,
    ) -> io::Result<()> {
        let mut head = element("testsuite");
        attribute(&mut head, "name", &suite.name);
        suite.counts.write(&mut head, [ERRORS, FAILURES]);
        time(&mut head, suite.time);
        if suite.is_empty() {
            return self.0.write_event(Event::Empty(head));
        }
        self.0.write_event(Event::Start(head))?;
        for case in cases {
            self.case(case.borrow())?;
        }
        self.end_of("testsuite")
    }

    fn case(&mut self, case: &TestCase) -> io::Result<()> {
        let mut head = element("testcase");
        attribute(&mut head, "name", &case.name);
        if let Some(class) = &case.class {
            attribute(&mut head, "classname", class);
        }
        time(&mut head, case.time);
        let status = &case.status;
        let tag = match status.outcome {
            TestOutcome::Success => None,
            TestOutcome::Skipped => Some("skipped"),
            TestOutcome::NonSuccess(NonSuccessKind::Failure) => Some("failure"),
            TestOutcome::NonSuccess(NonSuccessKind::Error) => Some("error"),
        };
        if tag.is_none() && case.system_out.is_none() {
            return self.0.write_event(Event::Empty(head));
        }
        self.0.write_event(Event::Start(head))?;
        if let Some(tag) = tag {
            let mut head = element(tag);
            if let Some(message) = &status.message {
                attribute(&mut head, "message", message);
            }
            if let Some(rule) = &status.rule {
                attribute(&mut head, "type", rule);
            }
            match &status.description {
                Some(description) => self.with_text(head, tag, description)?,
                None => self.0.write_event(Event::Empty(head))?,
            }
        }
        if let Some(output) = &case.system_out {
            self.with_text(element("system-out"), "system-out", output)?;
        }
        self.end_of("testcase")
    }

    /// An element that holds a text.
    fn with_text(&mut self, head: BytesStart<'_>, tag: &str, text: &str) -> io::Result<()> {
        self.0.write_event(Event::Start(head))?;
        self.0
            .write_event(Event::Text(BytesText::new(&printable(text))))?;
        self.end_of(tag)
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

/// The name of a number in the head of an element, and where it is found.
type Numbered = (&'static str, fn(&Counts) -> usize);

const ERRORS: Numbered = ("errors", |counts| counts.errors);
const FAILURES: Numbered = ("failures", |counts| counts.failures);

impl Counts {
    /// The numbers as attributes; the last two in the order that `JUnit` readers are used to.
    fn write(self, element: &mut BytesStart<'_>, last: [Numbered; 2]) {
        attribute(element, "tests", &self.tests.to_string());
        attribute(element, "skipped", &self.skipped.to_string());
        for (name, number) in last {
            attribute(element, name, &number(&self).to_string());
        }
    }
}

fn element(tag: &'static str) -> BytesStart<'static> {
    BytesStart::new(tag)
}

fn attribute(element: &mut BytesStart<'_>, name: &str, value: &str) {
    element.push_attribute((name, &*printable(value)));
}

fn time(element: &mut BytesStart<'_>, time: Option<Duration>) {
    if let Some(time) = time {
        attribute(element, "time", &format!("{:.3}", time.as_secs_f64()));
    }
}

/// A text without what XML 1.0 cannot represent even escaped (section 2.2), and without the colours of
/// a terminal: engines print both.
fn printable(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| !(c.is_control() || NO_XML.contains(&c));
    if text.chars().all(is_plain) {
        return text.into();
    }
    let without_colours = anstream::adapter::strip_str(text).to_string();
    let character = |c: char| match c {
        '\t' | '\n' | '\r' => Some(c),
        '\0'..='\u{1f}' => None,
        _ if NO_XML.contains(&c) => Some('\u{fffd}'),
        _ => Some(c),
    };
    without_colours.chars().filter_map(character).collect()
}

const NO_XML: [char; 2] = ['\u{fffe}', '\u{ffff}'];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_case_is_written() {
        let mut failure = non_success(NonSuccessKind::Failure, "a < b & \"c\"\nd");
        failure.set_type("rule");
        failure.set_description("8/8\u{ffff} <& \u{1b}[31mred\u{1b}[0m\u{1}\n  second line\t");
        let mut timed = TestCase::new("timed", TestCaseStatus::success());
        timed.set_classname("class");
        timed.set_time(Duration::from_millis(1_234));
        let mut printed = TestCase::new("printed", TestCaseStatus::success());
        printed.set_system_out("> uci\n< uciok");
        let mut suite = TestSuite::new("perft <check>");
        for case in [
            timed,
            printed,
            TestCase::new("a\nb", failure),
            TestCase::new("error", non_success(NonSuccessKind::Error, "no answer")),
            TestCase::new("open", TestCaseStatus::skipped()),
            TestCase::new("why", skipped("not \u{fffe} now")),
        ] {
            suite.add_test_case(case);
        }
        suite.set_time(Duration::from_millis(5));
        let mut report = Report::new("all");
        report.set_time(Duration::from_secs(5));
        report.add_test_suite(suite);
        report.add_test_suite(TestSuite::new("empty"));
        let expected = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="all" tests="6" skipped="2" failures="1" errors="1" time="5.000">
    <testsuite name="perft &lt;check&gt;" tests="6" skipped="2" errors="1" failures="1" time="0.005">
        <testcase name="timed" classname="class" time="1.234"/>
        <testcase name="printed">
            <system-out>&gt; uci
&lt; uciok</system-out>
        </testcase>
        <testcase name="a
b">
            <failure message="a &lt; b &amp; &quot;c&quot;
d" type="rule">8/8� &lt;&amp; red
  second line	</failure>
        </testcase>
        <testcase name="error">
            <error message="no answer"/>
        </testcase>
        <testcase name="open">
            <skipped/>
        </testcase>
        <testcase name="why">
            <skipped message="not � now"/>
        </testcase>
    </testsuite>
    <testsuite name="empty" tests="0" skipped="0" errors="0" failures="0"/>
</testsuites>
"#;
        assert_eq!(to_text(&report).expect("written"), expected);
    }
}
