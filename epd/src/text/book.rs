//! Opening books of FEN lines: files without operations, whose lines keep their clocks.

use super::diagnostic::RecordProblem;
use super::fast;
use super::lint::{CheckedLine, check_line};
use super::record::Record;
use super::repair::RepairLine;
use super::scan::{join, scan};

/// What the lines of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// Records: the clocks of a FEN become operations.
    Epd,
    /// FENs, of four or six fields, which stay as they are.
    Book,
}

/// How much of a file shows what it is, in bytes.
const BEGIN: usize = 64 << 10;

/// Recognises a file by its first 64 KiB: a book is a file whose lines are FENs without operations.
pub(crate) fn recognise(begin: &[u8]) -> FileKind {
    let begin = match begin.get(..BEGIN) {
        // The last line may be cut off.
        Some(begin) => &begin[..memchr::memrchr(b'\n', begin).unwrap_or(BEGIN)],
        None => begin,
    };
    let content =
        |line: &'_ [u8]| -> bool { !matches!(line.trim_ascii_start().first(), None | Some(b'#')) };
    let mut records = begin
        .split(|&byte| byte == b'\n')
        .filter(|line| content(line));
    let Some(first) = records.next() else {
        return FileKind::Epd;
    };
    if is_fen(first) && records.all(is_fen) {
        FileKind::Book
    } else {
        FileKind::Epd
    }
}

/// Whether a line has the words of a FEN only.
fn is_fen(line: &[u8]) -> bool {
    // The byte order mark of UTF-8, which editors of Windows put before the first line.
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    // A semicolon, a carriage return or a NUL at the end of a FEN makes no record of it.
    let end = line.iter().rposition(|byte| !b" \t\r\0;".contains(byte));
    let line = &line[..end.map_or(0, |end| end + 1)];
    let mut words = line
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let slashes = words
        .next()
        .unwrap_or_default()
        .iter()
        .filter(|&&byte| byte == b'/');
    // Seven slashes separate eight ranks; whether the ranks are right is for the parser to say.
    let is_board = slashes.count() == 7;
    let is_side = words.next().is_some_and(|word| matches!(word, b"w" | b"b"));
    let others = [words.next(), words.next()];
    let is_clock = |word: &[u8]| word.iter().all(u8::is_ascii_digit);
    let clocks: Vec<&[u8]> = words.take(3).collect();
    is_board
        && is_side
        && others
            .iter()
            // Castling rights have up to four letters, and an en passant square has two.
            .all(|word| word.is_some_and(|word| word.len() <= 4))
        && clocks.len() <= 2
        && clocks.iter().all(|word| is_clock(word))
}

/// Reads a line of a file of this kind. A line of a book that has operations is read as a record.
pub(crate) fn check_line_of(kind: FileKind, bytes: &[u8], number: usize) -> CheckedLine<'_> {
    if kind == FileKind::Epd {
        return check_line(bytes, number);
    }
    if let Some(record) = fast::read_fen(bytes) {
        return CheckedLine {
            number,
            bytes,
            line: RepairLine::Record(Some(record)),
            findings: Vec::new(),
        };
    }
    let mut line = check_line(bytes, number);
    if let RepairLine::Record(Some(record)) = &line.line {
        let is_clock = |opcode: &str| matches!(opcode, "hmvc" | "fmvn");
        let mut operations = record.operations().iter();
        let are_clocks = operations.all(|operation| is_clock(operation.opcode()));
        let notes = line.findings.len();
        line.findings.retain(|one| {
            !(are_clocks && matches!(one.diagnostic.problem, RecordProblem::Clocks { .. }))
        });
        if line.findings.len() < notes {
            // `check_line` makes operations of the clocks, as EPD wants it; a book keeps them as
            // fields.
            line.line = RepairLine::Record(Some(with_clock_fields(record)));
        }
    }
    line
}

/// The record as a FEN of six fields.
fn with_clock_fields(record: &Record) -> Record {
    let position = *record.position();
    let fields = join(&scan(record.text()).fields);
    let (halfmove, fullmove) = (position.halfmove_clock(), position.fullmove_number());
    Record::from_parts(
        format!("{fields} {halfmove} {fullmove}"),
        position,
        Vec::new(),
    )
}

/// Whether a line is a FEN without operations.
pub(crate) fn is_bare(line: &CheckedLine<'_>) -> bool {
    line.record()
        .is_some_and(|record| record.operations().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::diagnostic::Finding;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    #[test]
    fn books_are_recognised() {
        let fens = format!("# Openings.\n\n{START} 0 1\r\n{START}\n{START} 3 12;\n  {START} \n");
        assert_eq!(recognise(fens.as_bytes()), FileKind::Book);
        let long = fens.repeat(1000);
        let long = format!("{long}{START} id \"x\";\n");
        assert_eq!(recognise(long.as_bytes()), FileKind::Book);
        for text in [
            String::new(),
            "# only a comment\n".to_owned(),
            format!("{fens}{START} id \"x\";\n"),
            format!("{START} ;D1 20\n"),
            format!("{START} 0 1 2\n"),
            "not a fen\n".to_owned(),
            "a b c d\n".to_owned(),
        ] {
            assert_eq!(recognise(text.as_bytes()), FileKind::Epd, "{text}");
        }
    }

    /// The standard form of a line of a book, and the kinds of its findings.
    fn read(line: &str) -> (String, String) {
        let line = check_line_of(FileKind::Book, line.as_bytes(), 1);
        let text = String::from_utf8(line.standard_form().to_vec()).unwrap();
        let kind = |one: &Finding| one.diagnostic.problem.kind();
        let kinds: Vec<&str> = line.findings.iter().map(kind).collect();
        (text, kinds.join(" "))
    }

    #[test]
    fn lines_stay_as_they_are() {
        for line in [START, &format!("{START} 0 1"), &format!("{START} 7 40")] {
            for (more, kinds) in [("", ""), (" ", "white-space"), ("\r", "carriage-return")] {
                let found = read(&format!("{line}{more}"));
                assert_eq!(found, (line.to_owned(), kinds.to_owned()));
            }
            assert_eq!(read(&format!("{line};")).0, line);
        }
        let padded = format!("{START} 00 01");
        assert_eq!(read(&padded).0, format!("{START} 0 1"));
        // A record is a record.
        let record = format!("{START} bm e4; hmvc 3;");
        assert_eq!(read(&record), (record.clone(), String::new()));
        let illegal = "4k3/8/8/8/8/8/8/8 w - - 0 1".to_owned();
        let kinds = "illegal-position".to_owned();
        assert_eq!(read(&illegal), (illegal.clone(), kinds));
    }

    /// The fast way reads FENs as the slow one does.
    #[test]
    fn fast_and_slow_agree() {
        let line = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 12";
        let mut read = 0;
        for (at, _) in line.char_indices() {
            for c in [' ', '0', '1', '2', '5', '-', 'b', '/', ';', '\t'] {
                let changed = format!("{}{c}{}", &line[..at], &line[at..]);
                let Some(record) = fast::read_fen(changed.as_bytes()) else {
                    continue;
                };
                read += 1;
                let (slow, findings) = crate::text::repair::read_slowly(changed.as_bytes(), 1);
                let kinds = findings.iter().map(|one| one.diagnostic.problem.kind());
                let kinds: Vec<_> = kinds.collect();
                assert_eq!(kinds, ["clocks"], "{changed}");
                let slow = slow.into_record().unwrap();
                assert_eq!(slow.position(), record.position(), "{changed}");
                assert_eq!(with_clock_fields(&slow), record);
            }
        }
        assert!(read > 5, "{read}");
    }
}
