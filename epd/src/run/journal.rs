//! The journal of a resumable run as text: a header, then one line per finished search. Pure.
//!
//! A search is written as soon as it is finished; after a kill, the same run makes the missing ones.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::ledger::SearchOutcome;
use super::plan::Plan;
use super::wire::{CaseResult, ReadResultError};

/// The schema name of journals.
pub(crate) const SCHEMA: &str = "touchstone/epd-resume/1";

/// The first line: what is run. Names of suites and the number of processes may differ between
/// runs; everything here may not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    /// [`SCHEMA`].
    pub(crate) schema: String,
    pub(crate) suites: Vec<SuiteText>,
    pub(crate) engines: Vec<EngineText>,
    /// The limits of the command line.
    pub(crate) limits: String,
    /// Number of searches of each position.
    pub(crate) repeat: usize,
    /// The other options that decide how is searched, each in words.
    pub(crate) rules: Vec<String>,
}

/// A suite by its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SuiteText {
    /// For people: it may have been renamed.
    name: String,
    positions: usize,
    /// Of its positions, goals and limits.
    sha256: String,
}

/// An engine as the command line has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EngineText {
    pub(crate) command: String,
    /// Working directory and environment, where they are given.
    pub(crate) surroundings: Vec<String>,
    /// The UCI options that are set, as `NAME=VALUE`.
    pub(crate) options: Vec<String>,
    /// The SHA-256 of the program; `None` if its file was not found.
    pub(crate) program: Option<String>,
}

/// A line after the first.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
enum Line {
    /// An engine was started; it reports this name.
    Started(Started),
    /// A search was finished.
    Result(ResultLine),
}

/// What an engine reports of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Started {
    /// Number of the engine, from 0.
    pub(crate) engine: usize,
    pub(crate) name: Option<String>,
    pub(crate) chess960: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ResultLine {
    /// Number of the engine, from 0.
    engine: usize,
    /// Number of the position in the run, from 0.
    position: usize,
    /// Number of the search of this position, from 0.
    search: usize,
    /// Milliseconds since the engine was started, earlier runs included.
    elapsed_ms: u64,
    outcome: CaseResult,
}

/// The finished searches of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EngineJournal {
    pub(crate) started: Option<Started>,
    /// The time of earlier runs, in milliseconds.
    pub(crate) elapsed_ms: u64,
    /// By position and search.
    pub(crate) outcomes: Vec<Vec<Option<SearchOutcome>>>,
}

impl EngineJournal {
    fn empty(cases: usize, repeat: usize) -> Self {
        Self {
            outcomes: vec![vec![None; repeat]; cases],
            ..Self::default()
        }
    }

    /// Number of finished searches.
    pub(crate) fn finished(&self) -> usize {
        self.outcomes.iter().flatten().flatten().count()
    }
}

/// The contents of a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Journal {
    pub(crate) engines: Vec<EngineJournal>,
    /// Length of the complete lines in bytes. The rest was torn when the run ended.
    pub(crate) whole: usize,
}

/// Why a journal cannot be resumed; lines count from 1.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum JournalError {
    #[error("line 1: '{text}' is not the header of a journal, expected {SCHEMA}")]
    NoHeader { text: String },
    #[error("line 1: {field} '{found}', expected '{expected}'")]
    Differs {
        field: String,
        found: String,
        expected: String,
    },
    #[error("line {line}: '{text}' is not a finished search: {reason}")]
    Broken {
        line: usize,
        text: String,
        reason: String,
    },
    #[error("line {line}: {what} {number} does not exist, expected one below {count}")]
    OutOfRange {
        line: usize,
        what: &'static str,
        number: usize,
        count: usize,
    },
    #[error("line {line}: {source}")]
    Result {
        line: usize,
        source: ReadResultError,
    },
}

impl SuiteText {
    /// The suites of a plan.
    pub(crate) fn of_plan(plan: &Plan) -> Vec<Self> {
        let suite = |index: usize, name: &str| {
            let cases = plan.cases.iter().filter(|case| case.suite == index);
            let (mut sum, mut positions) = (Sha256::new(), 0);
            for case in cases {
                // A record is one line, so lines cannot be confused.
                sum.update(format!(
                    "{}\n{}\n{}\n",
                    case.record, case.asked, case.limits
                ));
                positions += 1;
            }
            Self {
                name: name.to_owned(),
                positions,
                sha256: hex(&sum.finalize()),
            }
        };
        let suites = plan.suites.iter().enumerate();
        suites.map(|(index, one)| suite(index, &one.name)).collect()
    }

    /// Without the name, which may differ.
    fn describe(&self) -> String {
        let Self {
            positions, sha256, ..
        } = self;
        format!(
            "{positions} positions with SHA-256 {}",
            &sha256[..sha256.len().min(16)]
        )
    }
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let digit = |digit| char::from_digit(u32::from(digit), 16).expect("it is below 16");
    digits.map(digit).collect()
}

impl Header {
    /// The header as the journal's first line.
    pub(crate) fn to_line(&self) -> String {
        to_line(self)
    }

    /// The fields that must agree, with their names for messages.
    fn fields(&self) -> Vec<(String, String)> {
        let list = |words: &[String]| match words {
            [] => "none".to_owned(),
            words => words.join(", "),
        };
        let mut fields = vec![
            ("schema".to_owned(), self.schema.clone()),
            ("number of suites".to_owned(), self.suites.len().to_string()),
            (
                "number of engines".to_owned(),
                self.engines.len().to_string(),
            ),
            ("limits".to_owned(), self.limits.clone()),
            ("repeat".to_owned(), self.repeat.to_string()),
            ("rules".to_owned(), list(&self.rules)),
        ];
        for (number, suite) in (1..).zip(&self.suites) {
            fields.push((format!("suite {number}"), suite.describe()));
        }
        for (number, engine) in (1..).zip(&self.engines) {
            let program = engine
                .program
                .as_deref()
                .map(|sum| &sum[..sum.len().min(16)]);
            let program = program.map_or("not found".to_owned(), |sum| format!("SHA-256 {sum}"));
            for (name, value) in [
                ("command", engine.command.clone()),
                ("surroundings", list(&engine.surroundings)),
                ("options", list(&engine.options)),
                ("program", program),
            ] {
                fields.push((format!("{name} of engine {number}"), value));
            }
        }
        fields
    }

    /// The first field in which another header differs.
    fn compare(&self, found: &Self) -> Result<(), JournalError> {
        let mut pairs = found.fields().into_iter().zip(self.fields());
        match pairs.find(|(found, ours)| found != ours) {
            None => Ok(()),
            Some(((field, found), (_, expected))) => Err(JournalError::Differs {
                field,
                found,
                expected,
            }),
        }
    }
}

impl Journal {
    /// Parses the journal that belongs to `header` and `plan`; an empty one is valid.
    ///
    /// # Errors
    ///
    /// When a complete line is malformed, or the header is of another run.
    pub(crate) fn parse(bytes: &[u8], header: &Header, plan: &Plan) -> Result<Self, JournalError> {
        let whole = bytes.iter().rposition(|&byte| byte == b'\n');
        let empty = EngineJournal::empty(plan.cases.len(), header.repeat);
        let mut journal = Self {
            engines: vec![empty; header.engines.len()],
            whole: whole.map_or(0, |newline| newline + 1),
        };
        let mut lines = bytes[..journal.whole].split_inclusive(|&byte| byte == b'\n');
        let Some(first) = lines.next() else {
            // Only a torn copy of our own header is overwritten.
            let ours = header.to_line().as_bytes().starts_with(bytes);
            return ours.then_some(journal).ok_or_else(|| no_header(bytes));
        };
        let found: Header = serde_json::from_slice(first).map_err(|_| no_header(first))?;
        header.compare(&found)?;
        for (line, text) in (2..).zip(lines) {
            journal.read(line, text, plan)?;
        }
        Ok(journal)
    }

    fn read(&mut self, line: usize, bytes: &[u8], plan: &Plan) -> Result<(), JournalError> {
        let read = serde_json::from_slice(bytes).map_err(|error| JournalError::Broken {
            line,
            text: shown(bytes),
            reason: error.to_string(),
        })?;
        let count = self.engines.len();
        let out_of_range = |what, number, count| JournalError::OutOfRange {
            line,
            what,
            number,
            count,
        };
        let (Line::Started(Started { engine, .. }) | Line::Result(ResultLine { engine, .. })) =
            &read;
        let Some(journal) = self.engines.get_mut(*engine) else {
            return Err(out_of_range("engine", *engine, count));
        };
        let result = match read {
            Line::Started(started) => {
                journal.started = Some(started);
                return Ok(());
            }
            Line::Result(result) => result,
        };
        let (position, search) = (result.position, result.search);
        let Some(case) = plan.cases.get(position) else {
            return Err(out_of_range("position", position, plan.cases.len()));
        };
        let searches = &mut journal.outcomes[position];
        let count = searches.len();
        let place = searches.get_mut(search);
        let place = place.ok_or_else(|| out_of_range("search", search, count))?;
        let outcome = result.outcome.judge(case);
        *place = Some(outcome.map_err(|source| JournalError::Result { line, source })?);
        journal.elapsed_ms = journal.elapsed_ms.max(result.elapsed_ms);
        Ok(())
    }
}

/// A finished search as a line of the journal. `elapsed_ms` is the time since the engine was
/// started, earlier runs included.
pub(crate) fn result_line(
    engine: usize,
    (position, search): (usize, usize),
    elapsed_ms: u64,
    outcome: CaseResult,
) -> String {
    to_line(&Line::Result(ResultLine {
        engine,
        position,
        search,
        elapsed_ms,
        outcome,
    }))
}

/// What a started engine reports, as a line of the journal.
pub(crate) fn started_line(started: Started) -> String {
    to_line(&Line::Started(started))
}

fn to_line(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value);
    text.expect("numbers and strings can be written") + "\n"
}

fn no_header(bytes: &[u8]) -> JournalError {
    JournalError::NoHeader { text: shown(bytes) }
}

/// The beginning of a line, for an error message.
fn shown(bytes: &[u8]) -> String {
    const MOST: usize = 60;
    let text = String::from_utf8_lossy(bytes);
    let printable = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut chars = text.trim_end().chars().map(printable);
    let mut shown: String = chars.by_ref().take(MOST).collect();
    if chars.next().is_some() {
        shown.push_str("...");
    }
    shown
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use chess::rules::CastlingMode;
    use uci::grammar::Message;

    use super::*;
    use crate::run::ledger::Fault;
    use crate::run::plan::{LimitRule, Limits};
    use crate::run::score::{Recorder, Search, assess};
    use crate::text::Suite;

    const SUITE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; dm 1;\n\
                         4k3/8/8/3q4/8/2N5/8/4K3 w - - bm Nxd5;\n";

    fn plan() -> Plan {
        let given = Limits {
            depth: Some(7),
            ..Limits::default()
        };
        let from_record = false;
        let suite = Suite::parse("suite", SUITE.as_bytes());
        Plan::new(vec![suite], LimitRule { given, from_record })
    }

    fn header() -> Header {
        Header {
            schema: SCHEMA.to_owned(),
            suites: SuiteText::of_plan(&plan()),
            engines: vec![EngineText {
                command: "./engine".to_owned(),
                surroundings: Vec::new(),
                options: vec!["Hash=16".to_owned()],
                program: Some("0123456789abcdef0123".to_owned()),
            }],
            limits: "depth 7".to_owned(),
            repeat: 2,
            rules: vec!["margin 1 s".to_owned()],
        }
    }

    /// A search of the first position, with a time that does not fit milliseconds.
    fn search() -> Search {
        let mut recorder = Recorder::default();
        for (ns, line) in (1_234_567..).zip([
            "info depth 1 score cp 500 upperbound nodes 20 pv a1a8",
            "info depth 2 nodes 90 pv e1d2 g7g6",
            "info depth 3 seldepth 4 score mate 1 nodes 400 nps 5 pv a1a8",
            "info nodes 401",
        ]) {
            let Message::Info(info) = Message::parse(line) else {
                panic!("{line}");
            };
            recorder.info(Duration::from_nanos(ns), &info);
        }
        let Message::BestMove(best_move) = Message::parse("bestmove a1a8 ponder g7g6") else {
            panic!("it is one");
        };
        recorder.finish(Duration::from_nanos(9_876_543), best_move.reply)
    }

    fn outcomes() -> [(SearchOutcome, Vec<Search>); 5] {
        let plan = plan();
        let (case, search) = (&plan.cases[0], search());
        let mode = CastlingMode::Standard;
        let answer = assess(&search, &case.goal, case.record.position(), mode).expect("legal");
        let failed = |fault| {
            let transcript = "> go\n< \"?\u{fffd}\n".to_owned();
            (SearchOutcome::Failed { fault, transcript }, Vec::new())
        };
        let (how, what) = ("so".to_owned(), "that".to_owned());
        [
            (SearchOutcome::Answered(Box::new(answer)), vec![search]),
            failed(Fault::Crashed { how }),
            failed(Fault::Hung { what: what.clone() }),
            failed(Fault::Illegal { what }),
            failed(Fault::Overdue {
                after: Duration::from_nanos(1_000_000_001),
            }),
        ]
    }

    fn line(outcome: &SearchOutcome, search: &[Search], place: (usize, usize)) -> String {
        let result = CaseResult::new(outcome, search).expect("it was asked");
        result_line(0, place, 42, result)
    }

    fn parse(lines: &str) -> Result<Journal, JournalError> {
        let text = header().to_line() + lines;
        Journal::parse(text.as_bytes(), &header(), &plan())
    }

    #[test]
    fn results_are_judged_as_when_they_came() {
        for (outcome, search) in outcomes() {
            let journal = parse(&line(&outcome, &search, (0, 1))).expect("good");
            let engine = &journal.engines[0];
            assert_eq!(engine.outcomes[0][1], Some(outcome));
            assert_eq!((engine.finished(), engine.elapsed_ms), (1, 42));
        }
        assert_eq!(CaseResult::new(&SearchOutcome::NeedsChess960, &[]), None);
    }

    #[test]
    fn every_complete_line_counts() {
        let started = Started {
            engine: 0,
            name: Some("Engine 1".to_owned()),
            chess960: true,
        };
        let [(answered, search), (crashed, _), ..] = outcomes();
        let lines = started_line(started.clone())
            + &line(&answered, &search, (0, 0))
            + &line(&crashed, &[], (1, 1));
        let text = header().to_line() + &lines;
        for end in 0..=text.len() {
            let journal = Journal::parse(&text.as_bytes()[..end], &header(), &plan());
            let journal = journal.expect("good");
            let before = &text.as_bytes()[..end];
            let lines = before.split(|&byte| byte == b'\n').count() - 1;
            let whole: usize = text.split_inclusive('\n').take(lines).map(str::len).sum();
            assert_eq!(journal.whole, whole);
            let engine = &journal.engines[0];
            assert_eq!(engine.started, (lines > 1).then_some(started.clone()));
            assert_eq!(engine.finished(), lines.saturating_sub(2), "{end} bytes");
        }
    }

    #[test]
    fn errors_report_what_and_where() {
        let started = |engine| {
            let name = None;
            started_line(Started {
                engine,
                name,
                chess960: false,
            })
        };
        let result = |place| line(&outcomes()[1].0, &[], place);
        let searched = |best_move: &str, info: &str| {
            let result = line(&outcomes()[0].0, &[search()], (0, 0));
            let result = result.replace("\"a1a8\"", &format!("\"{best_move}\""));
            result.replace("nodes 90 pv e1d2 g7g6", info)
        };
        let rows = [
            (
                "{\"result\":{\"engine\":0,\n".to_owned(),
                "'{\"result\":{\"engine\":0,' is not a finished search: EOF while parsing a value at \
                 line 2 column 0",
            ),
            (started(1), "engine 1 does not exist, expected one below 1"),
            (
                result((2, 0)),
                "position 2 does not exist, expected one below 2",
            ),
            (
                result((1, 2)),
                "search 2 does not exist, expected one below 2",
            ),
            (
                searched("a1b2", "nodes 90 pv e1d2"),
                "bestmove a1b2 is not a legal move in 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
            ),
            (
                result_line(0, (1, 1), 42, CaseResult::Searched(Vec::new())),
                "0 searches of the position, expected 1",
            ),
        ];
        for (lines, expected) in rows {
            let error = parse(&lines).expect_err("a fault").to_string();
            assert_eq!(error, format!("line 2: {expected}"));
        }
    }

    #[test]
    fn another_run_is_rejected_by_its_first_difference() {
        let change = |change: fn(&mut Header)| {
            let mut other = header();
            change(&mut other);
            let error = Journal::parse(other.to_line().as_bytes(), &header(), &plan());
            error
                .map(|journal| journal.whole)
                .map_err(|error| error.to_string())
        };
        let rows = [
            (
                change(|h| h.schema.push('0')),
                "schema 'touchstone/epd-resume/10', expected 'touchstone/epd-resume/1'",
            ),
            (
                change(|h| h.suites.clear()),
                "number of suites '0', expected '1'",
            ),
            (
                change(|h| h.limits = "depth 8".to_owned()),
                "limits 'depth 8', expected 'depth 7'",
            ),
            (change(|h| h.repeat = 1), "repeat '1', expected '2'"),
            (
                change(|h| h.rules.clear()),
                "rules 'none', expected 'margin 1 s'",
            ),
            (
                change(|h| h.suites[0].sha256 = "f".repeat(64)),
                "suite 1 '2 positions with SHA-256 ffffffffffffffff', expected '2 positions with \
                 SHA-256 33a972bafa3f3f74'",
            ),
            (
                change(|h| h.engines[0].options.push("Threads=2".to_owned())),
                "options of engine 1 'Hash=16, Threads=2', expected 'Hash=16'",
            ),
            (
                change(|h| h.engines[0].program = None),
                "program of engine 1 'not found', expected 'SHA-256 0123456789abcdef'",
            ),
        ];
        for (found, expected) in rows {
            assert_eq!(found, Err(format!("line 1: {expected}")));
        }
        // The name of a suite may differ.
        assert!(change(|h| h.suites[0].name.push('2')).is_ok());
    }

    #[test]
    fn another_file_is_rejected() {
        for (bytes, shown) in [
            (&b"my notes"[..], "my notes"),
            (b"my notes\nfor today\n", "my notes"),
            (b"\xff\x00\n", "\u{fffd}\u{fffd}"),
        ] {
            let error = Journal::parse(bytes, &header(), &plan()).expect_err("no journal");
            let expected = "' is not the header of a journal, expected touchstone/epd-resume/1";
            assert_eq!(error.to_string(), format!("line 1: '{shown}{expected}"));
        }
    }
}
