//! Conditions on records, and number ranges of the command line.

use std::str::FromStr;

use chess::rules::{CastlingMode, Color};
use regex::Regex;

use super::classify::{Phase, phase};
use crate::text::{Record, is_standard_opcode};

/// Conditions, all of which a record must meet. Empty or absent ones always hold.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    /// Opcodes it must have, all of them.
    pub(crate) has: Vec<String>,
    pub(crate) without: Vec<String>,
    /// Tags it must have, all of them.
    pub(crate) tags: Vec<String>,
    pub(crate) without_tags: Vec<String>,
    pub(crate) id: Option<Regex>,
    pub(crate) side: Option<Color>,
    /// Phases, any of which it may be in.
    pub(crate) phases: Vec<Phase>,
    /// Number of pieces, kings and pawns included.
    pub(crate) pieces: Option<Range>,
    /// Whether the side to move is in check.
    pub(crate) check: Option<bool>,
    /// Whether its castling rights are possible only in Chess960.
    pub(crate) chess960: Option<bool>,
    /// Ranges for the numbers of its operations.
    pub(crate) numbers: Vec<NumberRange>,
}

impl Filter {
    pub(crate) fn passes(&self, record: &Record) -> bool {
        let has = |opcode: &String| record.operation(opcode).is_some();
        let tagged = |tag: &String| record.tags().any(|found| found == tag);
        let id_passes = |pattern: &Regex| record.id().is_some_and(|id| pattern.is_match(id));
        let position = record.position();
        let is_chess960 = || position.castling_mode() == CastlingMode::Chess960;
        let pieces = i64::from(position.occupied().count());
        self.has.iter().all(has)
            && !self.without.iter().any(has)
            && self.tags.iter().all(tagged)
            && !self.without_tags.iter().any(tagged)
            && self.id.as_ref().is_none_or(id_passes)
            && self.numbers.iter().all(|wanted| wanted.passes(record))
            && self.side.is_none_or(|side| position.side_to_move() == side)
            && (self.phases.is_empty() || self.phases.contains(&phase(position)))
            && self.pieces.is_none_or(|range| range.contains(pieces))
            && self
                .check
                .is_none_or(|wanted| position.is_check() == wanted)
            && self.chess960.is_none_or(|wanted| is_chess960() == wanted)
    }
}

/// `5` alone, `5..`, `..32`, or `5..32`, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    least: i64,
    most: i64,
}

impl Range {
    pub(crate) const fn contains(self, number: i64) -> bool {
        self.least <= number && number <= self.most
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a range, expected one such as 5, 5.., ..32 or 5..32")]
pub(crate) struct ParseRangeError(String);

impl FromStr for Range {
    type Err = ParseRangeError;

    fn from_str(text: &str) -> Result<Self, ParseRangeError> {
        let fail = || ParseRangeError(text.to_owned());
        let number = |text: &str| text.parse::<i64>().map_err(|_| fail());
        let (least, most) = match text.split_once("..") {
            None => (number(text)?, number(text)?),
            Some(("", "")) => return Err(fail()),
            Some((least, "")) => (number(least)?, i64::MAX),
            Some(("", most)) => (i64::MIN, number(most)?),
            Some((least, most)) => (number(least)?, number(most)?),
        };
        if least > most {
            return Err(fail());
        }
        Ok(Self { least, most })
    }
}

/// A condition on the number of an opcode: `acd=20..`, `dm=..3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NumberRange {
    opcode: String,
    range: Range,
}

impl NumberRange {
    /// Whether the record has the opcode, and its first operand is a number in the range.
    fn passes(&self, record: &Record) -> bool {
        let operation = record.operation(&self.opcode);
        let first = operation.and_then(|operation| operation.operands().first());
        let number = first.and_then(|operand| operand.as_str().parse().ok());
        number.is_some_and(|number| self.range.contains(number))
    }
}

impl FromStr for NumberRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('=');
        let (opcode, range) = parts.ok_or("expected OPCODE=RANGE, such as acd=20..")?;
        if !is_standard_opcode(opcode) {
            return Err(format!("'{opcode}' is not an opcode"));
        }
        let range = range.parse();
        let range = range.map_err(|error: ParseRangeError| error.to_string())?;
        let opcode = opcode.to_owned();
        Ok(Self { opcode, range })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    fn check(filter: &Filter, expected: &[&str]) {
        let records = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"start.1\"; tag a; acd 20;",
            "4k3/8/8/8/8/8/8/4K2R b K - id \"ending.1\"; tag a b; bm Kd7; ce -60;",
            "4k2R/8/8/8/8/8/8/4K3 b - - id \"check\"; acd deep;",
            "1r2k3/8/8/8/8/8/8/1R2K3 w B - id \"fischer\";",
        ];
        let records = records.map(|text| Record::parse_lenient(text).unwrap().record);
        let passing = records.iter().filter(|record| filter.passes(record));
        let ids: Vec<_> = passing.filter_map(Record::id).collect();
        assert_eq!(ids, expected, "{filter:?}");
    }

    #[test]
    fn each_condition() {
        let all = ["start.1", "ending.1", "check", "fischer"];
        let any = Filter::default;
        let pieces = || Some("..3".parse().unwrap());
        let id = || Some(Regex::new(r"^\w+\.1$").unwrap());
        let number = |text: &str| vec![text.parse().unwrap()];
        for (filter, expected) in [
            (any(), &all[..]),
            (
                Filter {
                    has: words(&["acd"]),
                    ..any()
                },
                &["start.1", "check"],
            ),
            (
                Filter {
                    without: words(&["acd", "bm"]),
                    ..any()
                },
                &["fischer"],
            ),
            (
                Filter {
                    tags: words(&["a", "b"]),
                    ..any()
                },
                &["ending.1"],
            ),
            (
                Filter {
                    without_tags: words(&["b"]),
                    ..any()
                },
                &["start.1", "check", "fischer"],
            ),
            (Filter { id: id(), ..any() }, &["start.1", "ending.1"]),
            (
                Filter {
                    side: Some(Color::Black),
                    ..any()
                },
                &["ending.1", "check"],
            ),
            (
                Filter {
                    phases: vec![Phase::Opening],
                    ..any()
                },
                &["start.1"],
            ),
            (
                Filter {
                    pieces: pieces(),
                    ..any()
                },
                &["ending.1", "check"],
            ),
            (
                Filter {
                    check: Some(true),
                    ..any()
                },
                &["check"],
            ),
            (
                Filter {
                    chess960: Some(true),
                    ..any()
                },
                &["fischer"],
            ),
            (
                Filter {
                    numbers: number("acd=10.."),
                    ..any()
                },
                &["start.1"],
            ),
            (
                Filter {
                    numbers: number("ce=-100..0"),
                    ..any()
                },
                &["ending.1"],
            ),
        ] {
            check(&filter, expected);
        }
    }

    #[test]
    fn reads_ranges() {
        for (text, inside, outside) in [
            ("5", vec![5], vec![4, 6]),
            ("5..", vec![5, 900], vec![4]),
            ("..3", vec![-7, 3], vec![4]),
            ("-50..50", vec![-50, 0, 50], vec![-51, 51]),
        ] {
            let range: Range = text.parse().unwrap();
            assert!(inside.iter().all(|&one| range.contains(one)), "{text}");
            assert!(!outside.iter().any(|&one| range.contains(one)), "{text}");
        }
    }

    #[test]
    fn rejects_invalid_ranges() {
        for text in ["", "..", "a", "5-7", "7..5", "1...2"] {
            let error = text.parse::<Range>().unwrap_err();
            let expected = "is not a range, expected one such as 5, 5.., ..32 or 5..32";
            assert_eq!(error.to_string(), format!("'{text}' {expected}"));
        }
        assert!("acd".parse::<NumberRange>().is_err());
        assert!("a d=5".parse::<NumberRange>().is_err());
        assert_eq!("dm=..3".parse::<NumberRange>().unwrap().opcode, "dm");
    }
}
