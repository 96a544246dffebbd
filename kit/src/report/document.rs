//! JSON: one document for all commands whose result is a list of cases.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{Case, Report, Verdict};

/// A list whose items are made while it is written: there may be millions.
pub struct Lazily<F>(
    /// Makes the items.
    pub F,
);

impl<F, I> Serialize for Lazily<F>
where
    F: Fn() -> I,
    I: IntoIterator<Item: Serialize>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

#[derive(Serialize)]
struct CasesDocument<'a, C: Serialize> {
    schema: &'static str,
    command: &'a str,
    verdict: String,
    exit_code: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    /// Number of cases by status.
    counts: BTreeMap<&'static str, usize>,
    #[serde(skip_serializing_if = "Value::is_null")]
    facts: Value,
    /// A list of [`CaseOfSuite`].
    cases: C,
}

#[derive(Serialize)]
struct CaseOfSuite<'a> {
    suite: Cow<'a, str>,
    #[serde(flatten)]
    case: Case<'a>,
}

pub(super) fn write<R: Report + ?Sized>(report: &R, out: &mut dyn Write) -> anyhow::Result<()> {
    let cases = || {
        report.suites().into_iter().flat_map(|suite| {
            let name = suite.name;
            suite.cases.map(move |case| CaseOfSuite {
                suite: name.clone(),
                case,
            })
        })
    };
    // The counts precede the cases, which are made a second time when they are written.
    let mut counts = BTreeMap::new();
    for one in cases() {
        *counts.entry(one.case.status.as_str()).or_default() += 1;
    }
    let Verdict { exit, text } = report.verdict();
    let document = CasesDocument {
        schema: "touchstone/cases/1",
        command: report.command(),
        verdict: text,
        exit_code: exit as u8,
        seconds: report.time().map(|time| time.as_secs_f64()),
        counts,
        facts: report.facts(),
        cases: Lazily(cases),
    };
    super::json(&document, out)
}
