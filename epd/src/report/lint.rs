//! Reports of `epd lint`, and the totals of `epd normalise`.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use kit::github::{Annotation, AnnotationLevel, AnnotationPlace};
use kit::output::{counted, grouped};
use kit::report::{Format, Formats};
use serde::Serialize;

use crate::stream::spool::Spool;
use crate::text::{Finding, Fix, LintTally, Severity};

/// The formats of `epd lint`, which have a line, a row or an annotation for each problem.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LintFormats;

impl Formats for LintFormats {
    const ALL: &'static [Format] = &[Format::Human, Format::Json, Format::Csv, Format::Github];
}

/// Which problems the human-readable formats list; JSON and CSV always list all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ListedProblems {
    /// List every note, instead of the first of each kind.
    pub(crate) all_notes: bool,
    /// Maximum number of problems; 0 prints the totals only.
    pub(crate) most: usize,
}

/// A problem as it is listed.
pub(crate) struct ListedProblem {
    /// For a note that may stand for others of its kind: the index of their number.
    note: Option<u32>,
    text: String,
}

/// In place of the index of a note.
const NO_NOTE: u32 = u32::MAX;

impl ListedProblem {
    /// The parts of its encoding, for [`LintReport::list`].
    pub(crate) fn parts(&self) -> [Vec<u8>; 2] {
        let note = self.note.unwrap_or(NO_NOTE);
        [note.to_le_bytes().to_vec(), self.text.clone().into_bytes()]
    }
}

/// What is known of a file in the end.
struct FileTotals {
    name: String,
    tally: LintTally,
    /// Number of FENs, if it is a book.
    fens: Option<usize>,
    /// Number of problems listed.
    listed: usize,
}

/// The report of `epd lint`, collected problem by problem. The problems wait in a temporary file, since
/// the totals come first in JSON, and a note ends with the number of those alike.
pub(crate) struct LintReport {
    format: Format,
    listing: ListedProblems,
    /// Number of problems by severity, worst first, and kind.
    counts: BTreeMap<(Reverse<Severity>, &'static str), usize>,
    /// For each kind of note, the index of the number of further ones.
    notes: BTreeMap<&'static str, u32>,
    alike: Vec<usize>,
    listed: Spool,
    /// Number of problems to list, with those beyond the limit.
    count: usize,
    files: Vec<FileTotals>,
}

impl LintReport {
    pub(crate) fn new(format: Format, listing: ListedProblems) -> Self {
        Self {
            format,
            listing,
            counts: BTreeMap::new(),
            notes: BTreeMap::new(),
            alike: Vec::new(),
            listed: Spool::new(),
            count: 0,
            files: Vec::new(),
        }
    }

    /// Whether the format lists every problem, whatever the options are.
    fn is_complete(&self) -> bool {
        matches!(self.format, Format::Csv | Format::Json)
    }

    /// Counts a problem of a file; if it is to be listed, returns it as text, which is to be handed to
    /// [`LintReport::list`] when it is its turn. Notes are to be added in the order of the lines.
    pub(crate) fn add(
        &mut self,
        name: &str,
        finding: &Finding,
    ) -> anyhow::Result<Option<ListedProblem>> {
        let severity = finding.severity();
        let kind = finding.diagnostic.problem.kind();
        *self.counts.entry((Reverse(severity), kind)).or_default() += 1;
        if !self.is_complete() && self.listing.most == 0 {
            return Ok(None);
        }
        let mut note = None;
        if !self.is_complete() && !self.listing.all_notes && severity == Severity::Note {
            if let Some(&first) = self.notes.get(kind) {
                self.alike[first as usize] += 1;
                return Ok(None);
            }
            let index = u32::try_from(self.alike.len()).expect("there are few kinds");
            self.notes.insert(kind, index);
            self.alike.push(0);
            note = Some(index);
        }
        let text = match self.format {
            Format::Github => annotation(name, finding),
            Format::Csv => row(name, finding)?,
            Format::Json => indented(&serde_json::to_string_pretty(&problem(finding))?),
            _ => finding.display(name).to_string(),
        };
        Ok(Some(ListedProblem { note, text }))
    }

    /// Lists the next problem, given as the encoding of [`ListedProblem`].
    pub(crate) fn list(&mut self, encoded: &[&[u8]]) -> io::Result<()> {
        self.count += 1;
        if self.is_complete() || self.count <= self.listing.most {
            self.listed.push(encoded)?;
        }
        Ok(())
    }

    /// Ends a file; `fens` is the number of FENs of a book.
    pub(crate) fn end_file(&mut self, name: &str, tally: LintTally, fens: Option<usize>) {
        let before: usize = self.files.iter().map(|file| file.listed).sum();
        self.files.push(FileTotals {
            name: name.to_owned(),
            tally,
            fens,
            listed: self.count - before,
        });
    }

    /// Whether there is a problem of at least this severity.
    pub(crate) fn has(&self, severity: Severity) -> bool {
        let mut found = self.counts.keys();
        found.any(|(Reverse(found), _)| *found >= severity)
    }

    /// The state of the records of all files.
    pub(crate) fn total(&self) -> LintTally {
        let mut total = LintTally::default();
        for file in &self.files {
            total.add_all(file.tally);
        }
        total
    }

    /// Writes the report.
    pub(crate) fn write(mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        let spool = std::mem::replace(&mut self.listed, Spool::new()).finish()?;
        let mut texts = spool.texts();
        let mut next = || -> io::Result<Option<String>> {
            let Some((_, bytes)) = texts.next()? else {
                return Ok(None);
            };
            let (note, text) = bytes.split_at(4);
            let note = u32::from_le_bytes(note.try_into().expect("four bytes"));
            let mut text = String::from_utf8_lossy(text).into_owned();
            if note != NO_NOTE {
                text += &more_alike(self.alike[note as usize]);
            }
            Ok(Some(text))
        };
        match self.format {
            Format::Json => return self.write_json(out, next),
            Format::Csv => {
                writeln!(out, "{HEAD}")?;
                while let Some(row) = next()? {
                    out.write_all(row.as_bytes())?;
                }
                return Ok(());
            }
            _ => {}
        }
        while let Some(text) = next()? {
            writeln!(out, "{text}")?;
        }
        let more = match self.listing.most {
            0 => 0,
            most => self.count.saturating_sub(most),
        };
        if more > 0 {
            let more = counted(more, "more problem");
            writeln!(out, "and {more}, see --max-diagnostics")?;
        }
        for FileTotals { name, fens, .. } in &self.files {
            if let Some(fens) = fens {
                let ending = if *fens == 1 { "" } else { "s" };
                writeln!(out, "{name}: book: {} FEN{ending}", grouped(*fens as u64))?;
            }
        }
        writeln!(out, "{}", states(self.total()))?;
        for severity in [Severity::Error, Severity::Warning, Severity::Note] {
            let of_it = || {
                self.counts
                    .iter()
                    .filter(|((found, _), _)| found.0 == severity)
            };
            let sum: usize = of_it().map(|(_, count)| count).sum();
            if sum > 0 {
                let kinds: Vec<String> = of_it()
                    .map(|((_, kind), count)| format!("{kind} {count}"))
                    .collect();
                let sum = counted(sum, &severity.to_string());
                writeln!(out, "{sum}: {}", kinds.join(", "))?;
            }
        }
        Ok(())
    }

    fn write_json(
        &self,
        out: &mut dyn Write,
        mut next: impl FnMut() -> io::Result<Option<String>>,
    ) -> anyhow::Result<()> {
        const EMPTY: &str = "\"problems\": []";
        let text = serde_json::to_string_pretty(&self.json())? + "\n";
        // The quotes of a name that contains this text are escaped, so that it occurs once per file.
        let mut parts = text.split(EMPTY);
        out.write_all(parts.next().unwrap_or_default().as_bytes())?;
        for (file, part) in self.files.iter().zip(parts) {
            out.write_all(b"\"problems\": [")?;
            for index in 0..file.listed {
                let problem = next()?.expect("every listed problem is in the spool");
                let separator = if index == 0 { "" } else { "," };
                write!(out, "{separator}\n{INDENT}{problem}")?;
            }
            if file.listed > 0 {
                write!(out, "\n      ")?;
            }
            write!(out, "]{part}")?;
        }
        Ok(())
    }

    /// The report without the problems.
    fn json(&self) -> LintObject<'_> {
        let sum = |severity: Severity| {
            let of_it = self
                .counts
                .iter()
                .filter(|((found, _), _)| found.0 == severity);
            of_it.map(|(_, count)| count).sum()
        };
        let mut kinds = BTreeMap::new();
        for ((_, kind), count) in &self.counts {
            *kinds.entry(*kind).or_default() += count;
        }
        let tally = self.total();
        LintObject {
            schema: "touchstone/epd-lint/1",
            records: tally.records(),
            tally,
            errors: sum(Severity::Error),
            warnings: sum(Severity::Warning),
            notes: sum(Severity::Note),
            kinds,
            files: self.files.iter().map(FileReport::from_file).collect(),
        }
    }
}

/// The indentation of a problem in JSON.
const INDENT: &str = "        ";

/// A JSON object, indented as it stands in the report; its strings have no line feeds.
fn indented(json: &str) -> String {
    json.replace('\n', &format!("\n{INDENT}"))
}

/// Suffix of a note that stands for others of its kind.
fn more_alike(count: usize) -> String {
    match count {
        0 => String::new(),
        n => format!(" (and {n} more of this kind)"),
    }
}

/// The message is last, so that [`more_alike`] can be appended.
fn annotation(name: &str, finding: &Finding) -> String {
    let diagnostic = &finding.diagnostic;
    let fix = finding.fix.as_ref();
    let fix = fix.map_or_else(String::new, |fix| format!(" (fix: {})", fix.after));
    let annotation = Annotation {
        level: match finding.severity() {
            Severity::Error => AnnotationLevel::Error,
            Severity::Warning => AnnotationLevel::Warning,
            Severity::Note => AnnotationLevel::Notice,
        },
        title: diagnostic.problem.kind(),
        place: Some(&AnnotationPlace {
            file: name.into(),
            line: diagnostic.line,
            column: Some(diagnostic.column),
        }),
        message: &format!("{}{fix}", diagnostic.problem),
    };
    annotation.to_string()
}

/// Describes the state of all records: the last line of `epd normalise`.
pub(crate) fn states(tally: LintTally) -> String {
    format!(
        "{}: {} in standard form, {} repairable, {} in doubt",
        counted(tally.records(), "record"),
        tally.standard,
        tally.repairable,
        tally.in_doubt
    )
}

const HEAD: &str = "file,line,column,severity,kind,message,before,after";

/// A row of the table, with its line end.
fn row(name: &str, finding: &Finding) -> anyhow::Result<String> {
    let diagnostic = &finding.diagnostic;
    let fix = finding.fix.as_ref();
    let (before, after) = fix.map_or(("", ""), |fix| (&fix.before, &fix.after));
    let cells = [
        name,
        &diagnostic.line.to_string(),
        &diagnostic.column.to_string(),
        &finding.severity().to_string(),
        diagnostic.problem.kind(),
        &diagnostic.problem.to_string(),
        before,
        after,
    ];
    let mut writer = csv::WriterBuilder::new();
    let mut writer = writer.buffer_capacity(256).from_writer(Vec::new());
    writer.write_record(cells)?;
    Ok(String::from_utf8(writer.into_inner()?)?)
}

#[derive(Serialize)]
struct LintObject<'a> {
    schema: &'static str,
    records: usize,
    #[serde(flatten)]
    tally: LintTally,
    errors: usize,
    warnings: usize,
    notes: usize,
    kinds: BTreeMap<&'static str, usize>,
    files: Vec<FileReport<'a>>,
}

#[derive(Serialize)]
struct FileReport<'a> {
    name: &'a str,
    records: usize,
    #[serde(flatten)]
    tally: LintTally,
    /// Number of FENs, of a book only.
    #[serde(skip_serializing_if = "Option::is_none")]
    fens: Option<usize>,
    /// Written one by one in place of the empty array.
    problems: [(); 0],
}

#[derive(Serialize)]
struct ProblemReport<'a> {
    line: usize,
    column: usize,
    severity: String,
    kind: &'static str,
    message: String,
    fix: Option<&'a Fix>,
}

impl<'a> FileReport<'a> {
    fn from_file(file: &'a FileTotals) -> Self {
        Self {
            name: &file.name,
            records: file.tally.records(),
            tally: file.tally,
            fens: file.fens,
            problems: [],
        }
    }
}

fn problem(finding: &Finding) -> ProblemReport<'_> {
    ProblemReport {
        line: finding.diagnostic.line,
        column: finding.diagnostic.column,
        severity: finding.severity().to_string(),
        kind: finding.diagnostic.problem.kind(),
        message: finding.diagnostic.problem.to_string(),
        fix: finding.fix.as_ref(),
    }
}
