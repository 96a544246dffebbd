//! The report of `epd lint`, and the totals of `epd normalise`.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;

use kit::output::{counted, grouped};
use kit::report::{
    AnnotationLevel, AnnotationPlace, Case, CaseSuite, Report, Rows, Section, Status, Verdict,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::stream::spool::{FinishedSpool, Spool};
use crate::text::{Finding, Fix, LintTally, Severity};

/// A problem as it waits in a spool.
#[derive(Serialize, Deserialize)]
struct LintProblem {
    line: usize,
    column: usize,
    severity: Severity,
    kind: String,
    message: String,
    fix: Option<Fix>,
}

/// A problem, and whether it is the first of its kind: what a text of the spools encodes.
type StoredProblem = (bool, LintProblem);

/// What is known of a file in the end.
struct LintedFile {
    name: String,
    tally: LintTally,
    /// Number of FENs, if it is a book.
    fens: Option<usize>,
    /// Where its problems are in the spools: those of its lines, and its duplicates.
    places: [Range<u64>; 2],
}

/// Collects what is found, file by file. The problems wait in temporary files, since the totals come
/// first in JSON, and since the duplicates of a file are known only after its last line.
pub(crate) struct LintFindings {
    problems: Spool,
    duplicates: Spool,
    /// Where the problems of the file that is read begin.
    begins: [u64; 2],
    /// Number of problems by severity, worst first, and kind.
    counts: BTreeMap<(Reverse<Severity>, &'static str), usize>,
    files: Vec<LintedFile>,
}

impl LintFindings {
    pub(crate) fn new() -> Self {
        Self {
            problems: Spool::new(),
            duplicates: Spool::new(),
            begins: [0; 2],
            counts: BTreeMap::new(),
            files: Vec::new(),
        }
    }

    /// Adds a problem of a line; they come by line.
    pub(crate) fn add(&mut self, finding: &Finding) -> anyhow::Result<()> {
        let stored = self.count(finding)?;
        self.problems.push(&[&stored])?;
        Ok(())
    }

    /// Adds a duplicate; they come by line, too.
    pub(crate) fn add_duplicate(&mut self, finding: &Finding) -> anyhow::Result<()> {
        let stored = self.count(finding)?;
        self.duplicates.push(&[&stored])?;
        Ok(())
    }

    /// Counts a problem and encodes it.
    fn count(&mut self, finding: &Finding) -> serde_json::Result<Vec<u8>> {
        let (severity, diagnostic) = (finding.severity(), &finding.diagnostic);
        let kind = diagnostic.problem.kind();
        let count = self.counts.entry((Reverse(severity), kind)).or_default();
        // Only the first problem of a kind is listed, and that is known here, before it goes to the
        // disk.
        *count += 1;
        let problem = LintProblem {
            line: diagnostic.line,
            column: diagnostic.column,
            severity,
            kind: kind.to_owned(),
            message: diagnostic.problem.to_string(),
            fix: finding.fix.clone(),
        };
        serde_json::to_vec::<StoredProblem>(&(*count == 1, problem))
    }

    /// Ends a file; `fens` is the number of FENs of a book.
    pub(crate) fn end_file(&mut self, name: &str, tally: LintTally, fens: Option<usize>) {
        // Both spools are shared by all files, and the places tell them apart.
        let ends = [self.problems.length(), self.duplicates.length()];
        let [lines, duplicates] = std::mem::replace(&mut self.begins, ends);
        self.files.push(LintedFile {
            name: name.to_owned(),
            tally,
            fens,
            places: [lines..ends[0], duplicates..ends[1]],
        });
    }

    /// The report. Problems below the severity `least` are no faults, and only the first of each kind is
    /// listed for people; with `is_quiet`, they read the totals only.
    pub(crate) fn finish(self, least: Severity, is_quiet: bool) -> io::Result<LintReport> {
        Ok(LintReport {
            problems: self.problems.finish()?,
            duplicates: self.duplicates.finish()?,
            counts: self.counts,
            files: self.files,
            least,
            is_quiet,
            fault: RefCell::new(None),
        })
    }
}

pub(crate) struct LintReport {
    problems: FinishedSpool,
    duplicates: FinishedSpool,
    counts: BTreeMap<(Reverse<Severity>, &'static str), usize>,
    files: Vec<LintedFile>,
    least: Severity,
    is_quiet: bool,
    /// What kept the problems from being read back.
    fault: RefCell<Option<anyhow::Error>>,
}

impl Report for LintReport {
    fn command(&self) -> &'static str {
        "epd lint"
    }

    /// A case for each problem, and one for a file without any.
    fn suites(&self) -> Vec<CaseSuite<'_>> {
        let suites = self.files.iter().map(|file| {
            // An empty file has nothing that could have passed.
            let is_clean = file.places.iter().all(Range::is_empty) && file.tally.records() > 0;
            let clean = is_clean.then(|| Case::passed("records"));
            let cases = self
                .problems(file)
                .map(|stored| self.case(&file.name, stored));
            CaseSuite::new(&*file.name, clean.into_iter().chain(cases))
        });
        suites.collect()
    }

    fn sections(&self) -> Vec<Section<'_>> {
        let mut sections = Vec::new();
        if !self.is_quiet {
            let lines = self.files.iter().flat_map(|file| {
                self.problems(file).filter_map(|(is_first, one)| {
                    let alike = match self.stands_for(is_first, &one)? {
                        0 => String::new(),
                        more => format!(" (and {more} more of this kind)"),
                    };
                    let (name, fix) = (&file.name, Fix::in_brackets(one.fix.as_ref()));
                    let (line, column, severity) = (one.line, one.column, one.severity);
                    let message = one.message;
                    Some(format!(
                        "{name}:{line}:{column}: {severity}: {message}{fix}{alike}\n"
                    ))
                })
            });
            sections.push(Section::Cases(Box::new(lines)));
        }
        let books = self.files.iter().filter_map(|file| {
            let fens = file.fens?;
            let ending = if fens == 1 { "" } else { "s" };
            let count = grouped(fens as u64);
            Some(format!("{}: book: {count} FEN{ending}\n", file.name))
        });
        sections.push(Section::text(books.collect::<String>()));
        sections
    }

    /// The state of the records, and the numbers of problems.
    fn verdict(&self) -> Verdict {
        let total = self.total();
        let mut lines = vec![states(total)];
        for severity in [Severity::Error, Severity::Warning, Severity::Note] {
            let sum = self.sum(severity);
            if sum > 0 {
                let counts = self.counts.iter();
                let kinds: Vec<String> = counts
                    .filter(|((found, _), _)| found.0 == severity)
                    .map(|((_, kind), count)| format!("{kind} {count}"))
                    .collect();
                let sum = counted(sum, &severity.to_string());
                lines.push(format!("{sum}: {}", kinds.join(", ")));
            }
        }
        let problems = self.counts.keys().map(|(found, _)| self.status(found.0));
        // Without records, the exit code has to say that nothing was checked.
        let records = (total.records() > 0).then_some(Status::Passed);
        Verdict {
            exit: Status::exit(problems.chain(records)),
            text: lines.join("\n"),
        }
    }

    fn rows(&self) -> Rows<'_> {
        let rows = self.files.iter().flat_map(|file| {
            self.problems(file).map(|(_, one)| {
                let fix = one.fix.unwrap_or_default();
                vec![
                    file.name.clone(),
                    one.line.to_string(),
                    one.column.to_string(),
                    one.severity.to_string(),
                    one.kind,
                    one.message,
                    fix.before,
                    fix.after,
                ]
            })
        });
        Rows::new("file,line,column,severity,kind,message,before,after", rows)
    }

    fn facts(&self) -> Value {
        let mut kinds = BTreeMap::<&str, usize>::new();
        for ((_, kind), count) in &self.counts {
            *kinds.entry(kind).or_default() += count;
        }
        let files = self.files.iter().map(|file| {
            json!({
                "name": file.name,
                "records": file.tally.records(),
                "states": file.tally,
                "fens": file.fens,
            })
        });
        let total = self.total();
        json!({
            "records": total.records(),
            "states": total,
            "errors": self.sum(Severity::Error),
            "warnings": self.sum(Severity::Warning),
            "notes": self.sum(Severity::Note),
            "kinds": kinds,
            "files": files.collect::<Vec<_>>(),
        })
    }
}

impl LintReport {
    /// The error that kept problems from being read back while the report was written, if there was one.
    pub(crate) fn fault(&self) -> anyhow::Result<()> {
        self.fault.take().map_or(Ok(()), Err)
    }

    /// The problems of a file by line, read back from the spools; a duplicate comes before the others of
    /// its line.
    fn problems(&self, file: &LintedFile) -> impl Iterator<Item = StoredProblem> {
        let [lines, duplicates] = file.places.clone();
        let mut lines = self.read(&self.problems, lines).peekable();
        let mut duplicates = self.read(&self.duplicates, duplicates).peekable();
        std::iter::from_fn(move || {
            // At the end of the lines, all duplicates that are left come out.
            let line = lines.peek().map_or(usize::MAX, |(_, one)| one.line);
            let duplicate = duplicates.next_if(|(_, one)| one.line <= line);
            duplicate.or_else(|| lines.next())
        })
    }

    /// The problems in a part of a spool. After a fault of the disk there are no more, and
    /// [`LintReport::fault`] has it.
    fn read<'a>(
        &'a self,
        spool: &'a FinishedSpool,
        places: Range<u64>,
    ) -> impl Iterator<Item = StoredProblem> + 'a {
        let mut texts = spool.texts_in(places);
        std::iter::from_fn(move || {
            let mut next = || -> anyhow::Result<Option<StoredProblem>> {
                let stored = texts.next()?;
                Ok(stored
                    .map(|(_, text)| serde_json::from_slice(text))
                    .transpose()?)
            };
            next().unwrap_or_else(|error| {
                // An iterator of a report cannot return an error: it is looked up once the report
                // is written.
                self.fault.replace(Some(error));
                None
            })
        })
    }

    /// How many problems a listed one stands for besides itself; none if it is not listed. Notes that are
    /// no faults are listed once for each kind.
    fn stands_for(&self, is_first: bool, problem: &LintProblem) -> Option<usize> {
        if problem.severity >= self.least {
            return Some(0);
        }
        let count = self.counts[&(Reverse(problem.severity), &*problem.kind)];
        is_first.then_some(count - 1)
    }

    fn status(&self, severity: Severity) -> Status {
        if severity >= self.least {
            Status::Failed
        } else {
            Status::Skipped
        }
    }

    fn case<'a>(&self, file: &'a str, (is_first, problem): StoredProblem) -> Case<'a> {
        let level = match problem.severity {
            Severity::Error => AnnotationLevel::Error,
            Severity::Warning => AnnotationLevel::Warning,
            Severity::Note => AnnotationLevel::Notice,
        };
        let is_listed = self.stands_for(is_first, &problem).is_some();
        let name = format!("line {}", problem.line);
        let facts = json!({"severity": problem.severity, "fix": problem.fix});
        let text = problem.message + &Fix::in_brackets(problem.fix.as_ref());
        let case = Case::not_passed(self.status(problem.severity), name, problem.kind, text);
        let place = AnnotationPlace {
            file: file.into(),
            line: problem.line,
            // `Case::at` knows no column.
            column: Some(problem.column),
        };
        Case {
            place: Some(place),
            facts,
            ..case.annotated(is_listed.then_some(level))
        }
    }

    fn sum(&self, severity: Severity) -> usize {
        let counts = self.counts.iter();
        let counts = counts.filter(|((found, _), _)| found.0 == severity);
        counts.map(|(_, count)| count).sum()
    }

    /// The state of the records of all files.
    fn total(&self) -> LintTally {
        let mut total = LintTally::default();
        for file in &self.files {
            total.add_all(file.tally);
        }
        total
    }
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
