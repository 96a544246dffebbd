//! Reads lines that are in the standard form already, which most lines of a clean file are, without the
//! work of finding out what else they might mean.
//!
//! A line that is anything but plain is left to [`super::repair()`]. Where this reads a line, that one
//! reads the same record and finds nothing; a test compares the two.

use chess::notation::{fen, san};
use chess::rules::Position;

use super::operation::{Operand, Operation, is_standard_opcode};
use super::record::Record;
use super::value::{Demand, demand};

/// Reads a line in the standard form; `None` if it is not, or if that is not obvious.
pub(super) fn read(line: &[u8]) -> Option<Record> {
    // A backslash may escape a quote.
    let is_plain = |&byte: &u8| matches!(byte, b' '..=b'~') && byte != b'\\';
    if !line.iter().all(is_plain) {
        return None;
    }
    let text = std::str::from_utf8(line).ok()?;
    let (fields, rest) = split_fields(text)?;
    let position = fen::parse(fields).ok()?;
    let operations = operations(rest, &position)?;
    Some(Record::from_parts(text.to_owned(), position, operations))
}

/// Reads a line of a book: a FEN of four or six fields, as it is to be written.
#[cfg(feature = "cli")]
pub(super) fn read_fen(line: &[u8]) -> Option<Record> {
    if !line.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        return None;
    }
    let text = std::str::from_utf8(line).ok()?;
    let mut clocks = text.split(' ').skip(4);
    let are_usual = match (clocks.next(), clocks.next(), clocks.next()) {
        (None, ..) => true,
        // Nine digits always fit in 32 bits.
        (Some(halfmove), Some(fullmove), None) => is_number(halfmove, 9) && is_number(fullmove, 9),
        _ => false,
    };
    let position = fen::parse(text).ok().filter(|_| are_usual)?;
    Some(Record::from_parts(text.to_owned(), position, Vec::new()))
}

/// The four fields, and the text after the blank that follows them.
fn split_fields(text: &str) -> Option<(&str, &str)> {
    let mut blanks = memchr::memchr_iter(b' ', text.as_bytes());
    let end = blanks.nth(3);
    let Some(end) = end else {
        return (text.split(' ').count() == 4).then_some((text, ""));
    };
    // A line that ends in a blank is not in the standard form.
    let rest = &text[end + 1..];
    rest.starts_with(|c: char| c.is_ascii_alphabetic())
        .then_some((&text[..end], rest))
}

fn operations(mut rest: &str, position: &Position) -> Option<Vec<Operation>> {
    let mut operations: Vec<Operation> = Vec::with_capacity(4);
    let mut before = "";
    while !rest.is_empty() {
        let length = rest.find([' ', ';'])?;
        let opcode = &rest[..length];
        // Both may hold the same move, which is to be noted.
        let is_doubtful = opcode == "bm" && operations.iter().any(|one| one.opcode() == "am");
        // The standard form has the opcodes in ASCII order, each once.
        if opcode <= before || is_doubtful {
            return None;
        }
        let (operands, next) = operands(opcode, rest[length..].strip_prefix(' ')?, position)?;
        operations.push(Operation::new_unchecked(opcode, operands));
        before = opcode;
        rest = match next.strip_prefix(' ') {
            Some(next) if !next.is_empty() => next,
            None if next.is_empty() => next,
            _ => return None,
        };
    }
    Some(operations)
}

/// Reads the operands up to their semicolon, and returns the text after it.
fn operands<'a>(
    opcode: &str,
    rest: &'a str,
    position: &Position,
) -> Option<(Vec<Operand>, &'a str)> {
    let demand = demand(opcode);
    if demand == Demand::Text {
        let (text, next) = rest.strip_prefix('"')?.split_once('"')?;
        let next = next.strip_prefix(';')?;
        // Blanks inside the quotes are reported by the slow way.
        let is_usual = !text.is_empty() && text.trim().len() == text.len();
        return is_usual.then(|| (vec![Operand::Text(text.to_owned())], next));
    }
    let (words, next) = rest.split_once(';')?;
    let is_word = |word: &str| !word.is_empty() && !word.contains('"');
    let fits = |word: &str| {
        is_word(word)
            && match demand {
                Demand::Moves | Demand::OneMove => san::parse(word, position).is_ok(),
                Demand::Integer => is_number(word.strip_prefix('-').unwrap_or(word), 9),
                Demand::Unsigned => is_number(word, 9),
                Demand::Texts => true,
                // Eighteen digits always fit in 64 bits. The other unknown opcodes need the
                // repairer's guess.
                Demand::Unknown => is_number(word, 18) && is_count(opcode),
                _ => false,
            }
    };
    // The other opcodes read here take one operand, so a second one is a fault to be reported.
    let is_alone = !matches!(demand, Demand::Moves | Demand::Texts);
    // They change the position.
    if matches!(opcode, "fmvn" | "hmvc") || is_alone && words.contains(' ') || words == "-0" {
        return None;
    }
    let words: Vec<&str> = words.split(' ').collect();
    let is_new = |(index, word): (usize, &&str)| fits(word) && !words[..index].contains(word);
    let mut all = words.iter().enumerate();
    let word = |word: &&str| Operand::Word((*word).to_owned());
    all.all(is_new)
        .then(|| (words.iter().map(word).collect(), next))
}

/// Whether these are up to `most` digits without a leading zero.
fn is_number(text: &str, most: usize) -> bool {
    let has_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    has_digits && text.len() <= most && (text == "0" || !text.starts_with('0'))
}

/// Whether this is `D1`, `D2` and so on, without leading zeros.
fn is_count(opcode: &str) -> bool {
    let depth = opcode.strip_prefix('D');
    is_standard_opcode(opcode) && depth.is_some_and(|depth| depth != "0" && is_number(depth, 3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::{ALL, TACTICS};
    use crate::text::repair::read_slowly;

    /// What is read here, the slow way reads alike, and finds nothing; returns whether it was read here.
    fn check(line: &str) -> bool {
        let Some(record) = read(line.as_bytes()) else {
            return false;
        };
        let (slow, findings) = read_slowly(line.as_bytes(), 1);
        assert_eq!(findings, [], "{line}");
        assert_eq!(slow.into_record(), Some(record), "{line}");
        true
    }

    #[test]
    fn clean_suites_are_read_and_nothing_else() {
        let suites = ALL.iter().chain(&TACTICS);
        let lines = suites.flat_map(|suite| suite.text.lines());
        let records = lines.filter(|line| !line.starts_with('#') && !line.is_empty());
        let (mut all, mut fast) = (0, 0);
        for line in records {
            check(line);
            let standard = read_slowly(line.as_bytes(), 1).0.into_record();
            all += 1;
            fast += usize::from(check(standard.expect("it is clean").text()));
        }
        // `hmvc` and `fmvn` are left to the slow way.
        assert!(fast * 10 > all * 9, "{fast} of {all}");
    }

    #[test]
    fn mutated_lines_are_read_alike() {
        let line = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - D1 48; acd 12; \
                    bm O-O Nxd7; c0 \"a; b\"; ce -15; dm 3; id \"one 1\"; tag pin ep-1;";
        assert!(check(line));
        let more = ['"', ';', ' ', '0', '-', 'b', 'D', '\\', '#', '+', '\t', 'é'];
        let mut read = 0;
        for (at, _) in line.char_indices() {
            for c in more {
                let (before, after) = line.split_at(at);
                read += usize::from(check(&format!("{before}{c}{after}")));
                read += usize::from(check(&format!("{before}{c}{}", &after[1..])));
            }
            read += usize::from(check(&format!("{}{}", &line[..at], &line[at + 1..])));
            read += usize::from(check(&line[..at]));
        }
        assert!(read > 100, "{read}");
    }

    #[test]
    fn doubtful_lines_are_left_to_the_slow_way() {
        for operations in [
            "bm Nf3",
            "bm Nf3; ",
            "bm  Nf3;",
            "bm Nf3;id \"x\";",
            "id \"x\"; bm Nf3;",
            "bm Nf3; bm e4;",
            "am Nf3; bm Nf3;",
            "bm g1f3;",
            "bm Nf3 Nf3;",
            "bm ;",
            "bm;",
            "id x;",
            "id \"\";",
            "hmvc 3;",
            "ce -0;",
            "acd 007;",
            "D0 2;",
            "D01 20;",
            "xyz 1;",
            "pv e4 e5;",
            "resign;",
            "0 1",
        ] {
            let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
            let found = read(format!("{start} {operations}").as_bytes());
            assert_eq!(found, None, "{operations}");
        }
    }
}
