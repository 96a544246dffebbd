//! What a command found, and the formats it is written in, each written once.
//!
//! A command that checks something is a [`Report`]: suites of [`Case`]s that passed, failed or were
//! skipped, [`Section`]s of text and tables around them, and a [`Verdict`]. It writes no format
//! itself, except the columns of its own CSV, and a JSON document of its own where cases are not what
//! programs want of it. What the exit code says, the formats say too: [`write()`] adds an error to
//! `JUnit` and to the annotations of GitHub where a run does not end with 0 and no case tells why.

mod cases;
mod csv;
mod document;
mod format;
mod github;
mod junit;
mod markdown;

use std::borrow::Cow;
use std::io::Write;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

pub use self::cases::{Case, CaseSuite, Status};
pub use self::csv::Rows;
pub use self::document::Lazily;
pub use self::format::Format;
#[cfg(feature = "cli")]
pub use self::format::{CaseFormats, Formats, TableFormats, TextFormats};
pub use crate::github::{AnnotationLevel, AnnotationPlace};
use crate::{Exit, output, table};

/// What a command found.
pub trait Report {
    /// The program and the command: `epd run`.
    fn command(&self) -> &str;

    /// Wall-clock time of the run, if it was measured.
    fn time(&self) -> Option<Duration> {
        None
    }

    /// What was checked. The cases are made while they are read, since there may be millions, and may be
    /// read twice.
    fn suites(&self) -> Vec<CaseSuite<'_>>;

    /// What people read before the verdict.
    fn sections(&self) -> Vec<Section<'_>> {
        Vec::new()
    }

    /// How the run ended.
    fn verdict(&self) -> Verdict;

    /// The columns of CSV: a row for each case, unless a command has more to say.
    fn rows(&self) -> Rows<'_> {
        csv::of_cases(self.suites())
    }

    /// What programs read of the run besides its cases: the field `facts` of `touchstone/cases/1`.
    fn facts(&self) -> Value {
        Value::Null
    }

    /// Writes the JSON document: `touchstone/cases/1`, or another one with [`json`].
    ///
    /// # Errors
    ///
    /// As for the output.
    fn write_json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        document::write(self, out)
    }

    /// Writes a format that only this command has, such as a page.
    ///
    /// # Errors
    ///
    /// When there is no such format, and as for the output.
    fn write_other(&self, format: Format, _out: &mut dyn Write) -> anyhow::Result<()> {
        anyhow::bail!("{} has no format {format:?}", self.command())
    }
}

/// How a run ended: its exit code, and the lines that tell it to people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The exit code.
    pub exit: Exit,
    /// One line for each thing that is judged, such as an engine; without a line feed at the end.
    pub text: String,
}

/// A piece of a report for people.
pub enum Section<'a> {
    /// Whole lines, each with its line feed.
    Text(Cow<'a, str>),
    /// The same about single cases, which Markdown lists by itself. Since there may be millions, the texts
    /// are made while they are written.
    Cases(Box<dyn Iterator<Item = String> + 'a>),
    /// A table with a head; the first column is a name, the others are numbers.
    Table(Vec<String>, Vec<Vec<String>>),
}

impl<'a> Section<'a> {
    /// Whole lines.
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(text.into())
    }

    /// Whole lines about single cases.
    pub fn cases(text: String) -> Self {
        Self::Cases(Box::new(std::iter::once(text)))
    }

    /// A table.
    pub fn table(
        head: impl IntoIterator<Item: Into<String>>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Self {
        let head = head.into_iter().map(Into::into).collect();
        Self::Table(head, rows.into_iter().collect())
    }
}

/// Writes a report.
///
/// # Errors
///
/// As for the output, and when the command has no such format.
pub fn write(report: &dyn Report, format: Format, out: &mut dyn Write) -> anyhow::Result<()> {
    match format {
        Format::Human => write_human(report, out),
        Format::Json => report.write_json(out),
        Format::Csv => report.rows().write(out),
        Format::Junit => Ok(junit::write(report, out)?),
        Format::Github => {
            github::write(report, out)?;
            write_human(report, out)
        }
        Format::Markdown => Ok(markdown::write(report, out)?),
        Format::Html | Format::Svg | Format::Epd => report.write_other(format, out),
    }
}

/// Writes a report to standard output, and returns the exit code of its verdict.
///
/// # Errors
///
/// As for [`write()`].
pub fn print(report: &dyn Report, format: Format) -> anyhow::Result<Exit> {
    output::stdout_with(|out| write(report, format, out))?;
    Ok(report.verdict().exit)
}

/// Writes an object as a JSON document, with line feeds and a blank indentation of two.
///
/// # Errors
///
/// As for the output.
pub fn json(object: &impl Serialize, out: &mut dyn Write) -> anyhow::Result<()> {
    serde_json::to_writer_pretty(&mut *out, object)?;
    Ok(writeln!(out)?)
}

/// Text for people: the sections, then the verdict.
fn write_human(report: &dyn Report, out: &mut dyn Write) -> anyhow::Result<()> {
    for section in report.sections() {
        match section {
            Section::Text(text) => out.write_all(text.as_bytes())?,
            Section::Cases(mut texts) => {
                texts.try_for_each(|text| out.write_all(text.as_bytes()))?;
            }
            Section::Table(head, rows) => {
                out.write_all(table::text(&head, 1.., rows).as_bytes())?;
            }
        }
    }
    match &*report.verdict().text {
        "" => Ok(()),
        text => Ok(writeln!(out, "{text}")?),
    }
}

#[cfg(test)]
mod tests;
