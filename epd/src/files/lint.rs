//! Checks of whole files, block by block: what `epd lint` finds and `epd normalise` writes.

use std::io;

use crate::stream::blocks::Block;
use crate::stream::sorter::{Sorted, Sorter, entry, number};
use crate::stream::spool::{FinishedSpool, Spool};
use crate::text::{
    FileKind, Finding, LintTally, PositionKey, Solutions, check_line_of, compare_solutions,
    is_bare, position_key, solutions,
};

/// What is found in a block of lines.
#[derive(Default)]
pub(crate) struct CheckedBlock {
    pub(crate) tally: LintTally,
    /// Number of FENs without operations.
    pub(crate) fens: usize,
    /// By line. Problems of the file rather than of a line may be there several times.
    pub(crate) findings: Vec<Finding>,
    pub(crate) records: Vec<CheckedRecord>,
    /// The standard form of the lines.
    pub(crate) text: Vec<u8>,
}

/// A record by which duplicates are found.
pub(crate) struct CheckedRecord {
    line: usize,
    key: PositionKey,
    /// As [`encode`] writes them; empty if there are none.
    solutions: Vec<u8>,
}

/// What is to be found out about a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The records, for duplicates.
    Lint,
    /// The standard form.
    Normalise,
}

/// Checks the lines of a block.
pub(crate) fn check_block(block: &Block, kind: FileKind, purpose: Purpose) -> CheckedBlock {
    let mut checked = CheckedBlock::default();
    for (line, bytes) in block.lines() {
        let mut line = check_line_of(kind, bytes, line);
        checked.tally.add(&line);
        checked.fens += usize::from(is_bare(&line));
        match (purpose, line.record()) {
            (Purpose::Normalise, _) => {
                checked.text.extend(line.standard_form());
                checked.text.push(b'\n');
            }
            (Purpose::Lint, Some(record)) => checked.records.push(CheckedRecord {
                line: line.number,
                key: position_key(record.position()),
                solutions: encode(&solutions(record)),
            }),
            (Purpose::Lint, None) => {}
        }
        checked.findings.append(&mut line.findings);
    }
    checked
}

/// Ends an operation, and a word of it: no record has control characters.
const OPERATION_END: u8 = 0x1e;
const WORD_END: u8 = 0x1f;

fn encode(solutions: &Solutions) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (opcode, operands) in solutions {
        for word in std::iter::once(opcode).chain(operands) {
            bytes.extend(word.as_bytes());
            bytes.push(WORD_END);
        }
        bytes.push(OPERATION_END);
    }
    bytes
}

fn decode(bytes: &[u8]) -> Solutions {
    let text = str::from_utf8(bytes).expect("encoded from text");
    let operations = text.split_terminator(char::from(OPERATION_END));
    let solution = |operation: &str| {
        let mut words = operation
            .split_terminator(char::from(WORD_END))
            .map(str::to_owned);
        (words.next().unwrap_or_default(), words.collect())
    };
    operations.map(solution).collect()
}

/// The place of a record that has no solutions.
const NONE: u64 = u64::MAX;
/// Key, line, and the place of the solutions.
type SolutionEntry = [u8; 40];
/// Line of a duplicate, line of the first record, the places of the solutions of both.
type DuplicateEntry = [u8; 32];

/// Finds records of the same position in a file of any size.
pub(crate) struct DuplicateFinder {
    keys: Sorter<{ size_of::<SolutionEntry>() }>,
    solutions: Spool,
}

impl DuplicateFinder {
    pub(crate) fn new() -> Self {
        Self::with(Sorter::new())
    }

    fn with(keys: Sorter<{ size_of::<SolutionEntry>() }>) -> Self {
        let solutions = Spool::new();
        Self { keys, solutions }
    }

    pub(crate) fn add(&mut self, record: &CheckedRecord) -> io::Result<()> {
        // Perft suites have no solutions: nothing is stored for their records.
        let place = match &record.solutions[..] {
            [] => NONE,
            solutions => self.solutions.push(&[solutions])?,
        };
        self.keys
            .push(entry(&record.key, &[record.line as u64, place]))
    }

    /// The findings, by line.
    pub(crate) fn finish(self) -> io::Result<DuplicateFindings> {
        let mut duplicates = Sorter::new();
        let mut first: Option<SolutionEntry> = None;
        for found in self.keys.sorted()? {
            let found = found?;
            match first {
                Some(first) if first[..24] == found[..24] => duplicates.push(entry(
                    &[],
                    &[
                        number(&found, 24),
                        number(&first, 24),
                        number(&found, 32),
                        number(&first, 32),
                    ],
                ))?,
                _ => first = Some(found),
            }
        }
        Ok(DuplicateFindings {
            duplicates: duplicates.sorted()?,
            solutions: self.solutions.finish()?,
        })
    }
}

/// A finding for each record whose position occurred before, by line.
pub(crate) struct DuplicateFindings {
    duplicates: Sorted<{ size_of::<DuplicateEntry>() }>,
    solutions: FinishedSpool,
}

impl DuplicateFindings {
    fn solutions(&self, place: u64) -> io::Result<Solutions> {
        match place {
            NONE => Ok(Solutions::new()),
            place => Ok(decode(&self.solutions.get(place)?)),
        }
    }
}

impl Iterator for DuplicateFindings {
    type Item = io::Result<Finding>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = match self.duplicates.next()? {
            Ok(found) => found,
            Err(error) => return Some(Err(error)),
        };
        let line = |at| usize::try_from(number(&found, at)).expect("it was a usize");
        let compared = || -> io::Result<Finding> {
            let here = self.solutions(number(&found, 16))?;
            let there = self.solutions(number(&found, 24))?;
            Ok(compare_solutions(line(8), &there, line(0), &here))
        };
        Some(compared())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::blocks::{Blocks, in_order};
    use crate::text::OncePerFile;

    /// All findings of a file, in order, and its tally, found block by block.
    fn streamed(text: &str, threads: usize, capacity: usize) -> (LintTally, Vec<Finding>) {
        let mut blocks = Blocks::new(text.as_bytes());
        let (mut tally, mut findings) = (LintTally::default(), Vec::new());
        let mut duplicates = DuplicateFinder::with(Sorter::with_capacity(capacity));
        let mut once = OncePerFile::default();
        let work = |block: &Block| check_block(block, FileKind::Epd, Purpose::Lint);
        let take = |mut block: CheckedBlock| -> io::Result<()> {
            tally.add_all(block.tally);
            once.retain_new(&mut block.findings);
            findings.append(&mut block.findings);
            block.records.iter().try_for_each(|one| duplicates.add(one))
        };
        in_order(threads, || blocks.next(), work, take).unwrap();
        let duplicates = duplicates.finish().unwrap();
        // Before the others of its line: the sort is stable.
        let mut all: Vec<Finding> = duplicates.map(Result::unwrap).collect();
        all.append(&mut findings);
        all.sort_by_key(|one| one.diagnostic.line);
        (tally, all)
    }

    /// What is found block by block, sorted on the disk, on several threads, is what the plain way finds
    /// in memory.
    #[test]
    fn blocks_are_checked_as_the_whole_file() {
        let suites = crate::suites::ALL.iter().chain(&crate::suites::TACTICS);
        let lines: Vec<&str> = suites.flat_map(|suite| suite.text.lines()).collect();
        let changed = |(index, line): (usize, &&str)| {
            // Faults, duplicates and conflicts.
            match index % 7 {
                0 => format!("{line}\r\n"),
                1 => format!("{line} xyz 1;\n{}\n", lines[index / 2]),
                2 => format!("{}\n", line.replace("bm ", "dm 7; bm ")),
                3 => format!("{line}\n{}\n", line.replacen("D1 2", "D1 3", 1)),
                4 => format!("{}\n\n", line.replace("; ", ";")),
                5 => format!("{}\n", line.replacen(" - ", " ", 1)),
                _ => format!("{line}\n"),
            }
        };
        let text: Vec<String> = lines.iter().enumerate().map(changed).collect();
        let text = text.concat();
        let plain = crate::text::lint("x", text.as_bytes());
        let kinds = |kind: &str| {
            let findings = plain.findings.iter();
            findings
                .filter(|one| one.diagnostic.problem.kind() == kind)
                .count()
        };
        assert!(kinds("duplicate") > 100 && kinds("conflict") > 10);
        assert!(text.len() > 3 * (64 << 10));
        for (threads, capacity) in [(1, 10_000), (1, 10), (3, 100)] {
            let (tally, findings) = streamed(&text, threads, capacity);
            assert_eq!(tally, plain.tally);
            assert_eq!(findings.len(), plain.findings.len());
            for (found, expected) in findings.iter().zip(&plain.findings) {
                assert_eq!(found, expected, "{threads} threads, {capacity} entries");
            }
        }
    }
}
