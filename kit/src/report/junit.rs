//! `JUnit` XML for continuous integration.
//!
//! A failure is a difference that was found (exit code 1), an error anything that kept a case from
//! being judged (exit codes 2 and 3). The elements and attributes are those that Jenkins, GitLab and
//! GitHub's actions read. A server that reads the file fails exactly if the exit code is not 0.

use std::borrow::Cow;
use std::io::{self, Write};
use std::time::Duration;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use super::{Case, CaseSuite, Report, Status};
use crate::Exit;

/// Writes the report. The cases are counted first, since the elements that hold them begin with their
/// numbers.
pub(super) fn write(report: &dyn Report, out: &mut dyn Write) -> io::Result<()> {
    let mut counts: Vec<CaseCounts> = report
        .suites()
        .into_iter()
        .map(CaseCounts::in_suite)
        .collect();
    let sum = |counts: &[CaseCounts]| counts.iter().fold(CaseCounts::default(), CaseCounts::plus);
    let verdict = report.verdict();
    // Servers judge by the cases alone: a verdict that none of them explains becomes a case.
    let is_told = verdict.exit == Exit::Agreed || sum(&counts).is_red();
    let untold = (!is_told).then(|| {
        let case = Case::not_passed(Status::Error, "verdict", "", verdict.text);
        CaseSuite::new(report.command(), [case])
    });
    counts.extend(untold.is_some().then_some(CaseCounts {
        tests: 1,
        errors: 1,
        ..CaseCounts::default()
    }));
    let mut xml = Xml(Writer::new_with_indent(out, b' ', 4));
    let declaration = BytesDecl::new("1.0", Some("UTF-8"), None);
    xml.0.write_event(Event::Decl(declaration))?;
    let mut head = BytesStart::new("testsuites");
    attribute(&mut head, "name", report.command());
    sum(&counts).write(&mut head, [FAILURES, ERRORS]);
    time(&mut head, report.time());
    xml.0.write_event(Event::Start(head))?;
    for (suite, counts) in report.suites().into_iter().chain(untold).zip(counts) {
        xml.suite(suite, counts)?;
    }
    xml.end("testsuites")?;
    xml.0.write_indent()
}

/// Numbers of cases.
#[derive(Clone, Copy, Debug, Default)]
struct CaseCounts {
    tests: usize,
    skipped: usize,
    errors: usize,
    failures: usize,
}

impl CaseCounts {
    fn in_suite(suite: CaseSuite<'_>) -> Self {
        let mut counts = Self::default();
        for case in suite.cases {
            counts.tests += 1;
            match tag(case.status) {
                None => {}
                Some("failure") => counts.failures += 1,
                Some("error") => counts.errors += 1,
                Some(_) => counts.skipped += 1,
            }
        }
        counts
    }

    /// Whether a server fails.
    const fn is_red(self) -> bool {
        self.errors + self.failures > 0
    }

    /// The numbers as attributes; the last two in the order that readers are used to.
    fn write(self, element: &mut BytesStart<'_>, last: [Numbered; 2]) {
        attribute(element, "tests", &self.tests.to_string());
        attribute(element, "skipped", &self.skipped.to_string());
        for (name, number) in last {
            attribute(element, name, &number(&self).to_string());
        }
    }

    fn plus(mut self, other: &Self) -> Self {
        self.tests += other.tests;
        self.skipped += other.skipped;
        self.errors += other.errors;
        self.failures += other.failures;
        self
    }
}

/// The name of a number in the head of an element, and where it is found.
type Numbered = (&'static str, fn(&CaseCounts) -> usize);

const ERRORS: Numbered = ("errors", |counts| counts.errors);
const FAILURES: Numbered = ("failures", |counts| counts.failures);

/// The element of a case that did not pass.
const fn tag(status: Status) -> Option<&'static str> {
    match status {
        Status::Passed => None,
        Status::Failed => Some("failure"),
        Status::Error | Status::BadInput => Some("error"),
        Status::Skipped | Status::Open => Some("skipped"),
    }
}

struct Xml<W>(Writer<W>);

impl<W: Write> Xml<W> {
    fn suite(&mut self, suite: CaseSuite<'_>, counts: CaseCounts) -> io::Result<()> {
        let mut head = BytesStart::new("testsuite");
        attribute(&mut head, "name", &suite.name);
        counts.write(&mut head, [ERRORS, FAILURES]);
        time(&mut head, suite.time);
        if counts.tests == 0 {
            return self.0.write_event(Event::Empty(head));
        }
        self.0.write_event(Event::Start(head))?;
        for case in suite.cases {
            self.case(&suite.name, &case)?;
        }
        self.end("testsuite")
    }

    fn case(&mut self, suite: &str, case: &Case<'_>) -> io::Result<()> {
        let mut head = BytesStart::new("testcase");
        attribute(&mut head, "name", &case.name);
        attribute(
            &mut head,
            "classname",
            case.class.as_deref().unwrap_or(suite),
        );
        time(&mut head, case.time);
        let tag = tag(case.status);
        if tag.is_none() && case.output.is_empty() {
            return self.0.write_event(Event::Empty(head));
        }
        self.0.write_event(Event::Start(head))?;
        if let Some(tag) = tag {
            let mut head = BytesStart::new(tag);
            let message = case.message();
            if !message.is_empty() {
                attribute(&mut head, "message", &message);
            }
            // The schema of Jenkins knows a type for failures and errors only.
            if !case.rule.is_empty() && tag != "skipped" {
                attribute(&mut head, "type", &case.rule);
            }
            self.with_text(head, tag, &case.details)?;
        }
        if !case.output.is_empty() {
            let tag = "system-out";
            self.with_text(BytesStart::new(tag), tag, &case.output)?;
        }
        self.end("testcase")
    }

    /// An element, and the text in it.
    fn with_text(&mut self, head: BytesStart<'_>, tag: &str, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return self.0.write_event(Event::Empty(head));
        }
        self.0.write_event(Event::Start(head))?;
        let text = printable(text);
        self.0.write_event(Event::Text(BytesText::new(&text)))?;
        self.end(tag)
    }

    fn end(&mut self, tag: &str) -> io::Result<()> {
        self.0.write_event(Event::End(BytesEnd::new(tag)))
    }
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
    let without_colours = console::strip_ansi_codes(text);
    let character = |c: char| match c {
        '\t' | '\n' | '\r' => Some(c),
        '\0'..='\u{1f}' => None,
        _ if NO_XML.contains(&c) => Some('\u{fffd}'),
        _ => Some(c),
    };
    without_colours.chars().filter_map(character).collect()
}

const NO_XML: [char; 2] = ['\u{fffe}', '\u{ffff}'];
