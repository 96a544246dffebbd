//! Imports positions from EPD suites and from texts with one FEN per line.

use std::collections::BTreeSet;

use chess::notation::fen::{self, CastlingText, EnPassantMode, FenStyle};
use chess::rules::{CastlingMode, Position};
use epd::Record;

use super::core::on_a_thread;
use super::import_problem::check_name;
use super::{ImportError, ImportProblem, ImportReport, Service, ServiceError};
use crate::candidates::legal_texts;
use crate::model::{MoveText, Timestamp};
use crate::store::NewPosition;

#[derive(Clone, Copy, Debug)]
pub struct ImportPlan<'a> {
    /// The campaign; created if missing.
    pub campaign: &'a str,
    pub title: Option<&'a str>,
    /// Whether the positions are gold: their answers are then the generator's.
    pub gold: bool,
}

/// Name of the first campaign, the suite that comes with the program, and those of its positions
/// that are gold.
const FIRST: &str = "thesis";
const FIRST_TITLE: &str = "The 26 positions of the thesis";
const FIRST_GOLD: [&str; 3] = ["thesis.b7", "thesis.b12", "thesis.b14"];

struct ImportLine {
    number: usize,
    name: Option<String>,
    position: Position,
    d1: Option<u64>,
}

impl Service {
    /// Imports the campaign `thesis` if there is no campaign at all.
    pub async fn ensure_first_campaign(&self, now: Timestamp) -> Result<(), ServiceError> {
        if !self.store().campaigns().await?.is_empty() {
            return Ok(());
        }
        let suite = epd::suites::find(FIRST).map(|suite| suite.parse());
        let entries = suite.map(|suite| suite.entries).unwrap_or_default();
        let lines = entries
            .into_iter()
            .map(|e| ImportLine::new(e.line, &e.record));
        let new = lines.map(|line| {
            let name = line.name.clone().unwrap_or_default();
            let is_gold = FIRST_GOLD.contains(&name.as_str());
            line.into_new(FIRST, is_gold)
        });
        let new: Vec<NewPosition> = new.collect();
        let added = self.store();
        added
            .add_positions(FIRST, Some(FIRST_TITLE), &new, now.0)
            .await?;
        self.positions_changed().await?;
        Ok(())
    }

    /// Imports the positions of a text: EPD, or one FEN per line. Positions already present in any campaign are
    /// reported and skipped. If a line is bad nothing is imported.
    pub async fn import(
        &self,
        text: &[u8],
        plan: ImportPlan<'_>,
        now: Timestamp,
    ) -> Result<ImportReport, ImportError> {
        check_name(plan.campaign)?;
        let (text, campaign) = (text.to_vec(), plan.campaign.to_owned());
        let work = move || {
            let (lines, problems) = read(&text, plan.gold);
            let numbers: Vec<usize> = lines.iter().map(|line| line.number).collect();
            let new = lines
                .into_iter()
                .map(|line| line.into_new(&campaign, plan.gold));
            (numbers, new.collect::<Vec<NewPosition>>(), problems)
        };
        let (numbers, new, problems) = on_a_thread(work).await?;
        let mut report = ImportReport {
            problems,
            ..ImportReport::default()
        };
        // To import the good lines alone would hide mistakes in a suite.
        if !report.problems.is_empty() {
            return Err(ImportError::BadLines(report));
        }
        if new.is_empty() {
            return Err(ImportError::Empty);
        }
        let added = self.store();
        let added = added
            .add_positions(plan.campaign, plan.title, &new, now.0)
            .await?;
        report.count(&numbers, &added);
        self.positions_changed().await?;
        Ok(report)
    }
}

impl ImportReport {
    fn count(&mut self, lines: &[usize], added: &[bool]) {
        for (&line, &is_new) in lines.iter().zip(added) {
            if is_new {
                self.added += 1;
            } else {
                self.duplicates += 1;
                self.problems.push(ImportProblem::duplicate(line));
            }
        }
        self.problems
            .sort_by_key(|problem| (problem.line, problem.column));
    }
}

/// The faults of a text to be imported; empty if all of it could be.
pub fn import_problems(text: &[u8], gold: bool) -> Vec<ImportProblem> {
    read(text, gold).1
}

/// The positions of a text, each with the number of its line, and the faults of the other lines.
pub(super) fn positions_of(text: &str) -> (Vec<(usize, Position)>, Vec<ImportProblem>) {
    let (lines, problems) = read(text.as_bytes(), false);
    let positions = lines.into_iter().map(|line| (line.number, line.position));
    (positions.collect(), problems)
}

/// Parses every line; blank ones and comments, which begin with `#`, are skipped.
fn read(text: &[u8], gold: bool) -> (Vec<ImportLine>, Vec<ImportProblem>) {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let (mut lines, mut problems) = (Vec::new(), Vec::new());
    for (number, bytes) in (1..).zip(text.split(|&byte| byte == b'\n')) {
        let content = bytes.trim_ascii();
        if matches!(content.first(), None | Some(b'#')) {
            continue;
        }
        let blanks = bytes.len() - bytes.trim_ascii_start().len();
        let read = read_line(number, content).and_then(|line| line.checked(gold));
        match read {
            Ok(line) => lines.push(line),
            Err(problem) => problems.push(ImportProblem {
                column: problem.column + blanks,
                ..problem
            }),
        }
    }
    (lines, problems)
}

fn read_line(number: usize, bytes: &[u8]) -> Result<ImportLine, ImportProblem> {
    let problem = |column: usize, reason: String| ImportProblem {
        line: number,
        column,
        reason,
    };
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        problem(valid.chars().count() + 1, "not UTF-8".to_owned())
    })?;
    // The thesis writes its FENs in round brackets.
    let inner = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    let (text, shift) = inner.map_or((text, 0), |inner| (inner, 1));
    if has_counters(text) {
        let position = fen::parse(text).map_err(|error| {
            let fault = error.faults.first();
            let column = fault.map_or(1, |fault| column_of(text, fault.offset)) + shift;
            let reason = fault.map_or_else(|| error.to_string(), ToString::to_string);
            problem(column, reason)
        })?;
        return Ok(ImportLine {
            number,
            name: None,
            position,
            d1: None,
        });
    }
    let read = Record::parse_lenient(text).map_err(|error| {
        let first = error.diagnostics.iter();
        let first = first.max_by_key(|d| (d.severity(), std::cmp::Reverse(d.column)));
        let column = first.map_or(1, |d| d.column) + shift;
        problem(
            column,
            first.map_or_else(String::new, |d| d.problem.to_string()),
        )
    })?;
    Ok(ImportLine::new(number, &read.record))
}

/// Whether a line is a six-field FEN rather than an EPD record.
fn has_counters(text: &str) -> bool {
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let is_number = |field: &&str| field.bytes().all(|byte| byte.is_ascii_digit());
    fields.len() == 6 && fields[4..].iter().all(is_number)
}

fn column_of(text: &str, offset: usize) -> usize {
    text.char_indices()
        .take_while(|(at, _)| *at < offset)
        .count()
        + 1
}

impl ImportLine {
    fn new(number: usize, record: &Record) -> Self {
        let counts = record.perft_counts();
        Self {
            number,
            name: record.id().map(|id| id.chars().take(80).collect()),
            position: *record.position(),
            d1: counts
                .iter()
                .find(|(depth, _)| *depth == 1)
                .map(|(_, n)| *n),
        }
    }

    /// A gold position with a count must have as many legal moves.
    fn checked(self, gold: bool) -> Result<Self, ImportProblem> {
        let legal = legal_texts(&self.position).len() as u64;
        match self.d1 {
            Some(d1) if gold && d1 != legal => Err(ImportProblem {
                line: self.number,
                column: 1,
                reason: format!("D1 says {d1} legal moves, the generator finds {legal}"),
            }),
            _ => Ok(self),
        }
    }

    fn into_new(self, campaign: &str, gold: bool) -> NewPosition {
        let number = self.number;
        let answer = |legal: BTreeSet<MoveText>| legal.iter().map(MoveText::to_string).collect();
        NewPosition {
            name: self.name.unwrap_or_else(|| format!("{campaign}.{number}")),
            fen: fen::write(&self.position),
            chess960: self.position.castling_mode() == CastlingMode::Chess960,
            same_as: same_as(&self.position),
            gold,
            // Other answers stay out of the database: the generators have those of hidden gold.
            answer: gold.then(|| answer(legal_texts(&self.position))),
        }
    }
}

/// A key that is equal for equal positions.
pub(super) fn same_as(position: &Position) -> String {
    let style = FenStyle {
        // A square of en passant without a legal capture makes no other position.
        ep: EnPassantMode::Legal,
        // Shredder-FEN names the files of the rooks, so rights of Chess960 are never ambiguous.
        castling: CastlingText::Shredder,
    };
    fen::write_epd(position, style)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_records_and_fens_and_reports_what_it_cannot() {
        let text = b"# two good, two bad\n\
            4k3/8/8/8/8/8/8/4K2R w K - 0 1\n\
            4k3/8/8/8/8/8/8/4K2R w K - id \"a\"; D1 15;\n\
            4k3/8/8/8/8/8/8/4K2X w K -\n\
            \n\
            4k3/8/8/8/8/8/8/8 w - - 0 1\n\
            (4k3/8/8/8/8/8/8/4K2R w K -)\n";
        let (lines, problems) = read(text, false);
        let numbers: Vec<usize> = lines.iter().map(|line| line.number).collect();
        assert_eq!(numbers, [2, 3, 7]);
        assert_eq!(same_as(&lines[0].position), same_as(&lines[1].position));
        let places: Vec<_> = problems.iter().map(|p| (p.line, p.column)).collect();
        assert_eq!(places, [(4, 17), (6, 1)], "{problems:?}");
    }

    #[test]
    fn columns_are_characters_of_the_whole_line() {
        let rows: [(&[u8], usize); 5] = [
            (b"4k3/8/8/8/8/8/8/4K2X w K -", 17),
            (b" \t4k3/8/8/8/8/8/8/4K2X w K -", 19),
            (b"  (4k3/8/8/8/8/8/8/4K2X w K -)", 20),
            (b" 4k3/8/8/8/8/8/8/4K3 w - - D1 4;", 2),
            (b" \xc3\xa9\xff", 3),
        ];
        for (text, column) in rows {
            let (_, problems) = read(text, true);
            let places: Vec<_> = problems.iter().map(|p| (p.line, p.column)).collect();
            assert_eq!(places, [(1, column)], "{problems:?}");
        }
    }

    #[test]
    fn gold_must_have_as_many_moves_as_it_says() {
        let (lines, problems) = read(b"4k3/8/8/8/8/8/8/4K2R w K - D1 14;", true);
        assert!(lines.is_empty());
        assert_eq!(
            problems[0].reason,
            "D1 says 14 legal moves, the generator finds 15"
        );
    }
}
