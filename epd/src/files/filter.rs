//! Conditions on records, and number ranges of the command line.

use std::str::FromStr;

use chess::rules::{CastlingMode, Color, Position};
use regex::Regex;

use super::classify::{PhaseClass, phase};
use crate::text::{Record, is_standard_opcode};

/// Conditions, all of which a record must meet. Empty or absent ones always hold.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Conditions")]
pub(crate) struct RecordFilter {
    /// Has this opcode; may be given several times
    #[arg(long, value_name = "OPCODE")]
    has: Vec<String>,

    /// Has this tag; may be given several times
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,

    /// Id matches this regular expression
    ///
    /// Anywhere unless anchored with `^` and `$`
    #[arg(long, value_name = "REGEX")]
    id: Option<Regex>,

    /// Is white, endgame, check ...; all that are given
    ///
    /// The side to move (white, black), the phase of the game (opening, middlegame, endgame), whether
    /// the side to move is in check, whether the castling rights are possible only in Chess960; may be
    /// given several times.
    #[arg(long, value_enum, value_name = "WHAT")]
    is: Vec<Is>,

    /// Number of pieces: 32, 3..7, ..10, 20..
    ///
    /// Number of pieces, kings and pawns included: `32`, `3..7`, `..10`, `20..`
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pieces: Option<FilterRange>,

    /// Number of an opcode: acd=20.., ce=-50..50
    ///
    /// Number of an opcode lies in a range, such as acd=20.. or ce=-50..50; may be given several
    /// times.
    #[arg(long, value_name = "OPCODE=RANGE")]
    number: Vec<NumberRange>,
}

/// What a position can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Is {
    /// White is to move
    #[value(alias = "w")]
    White,
    /// Black is to move
    #[value(alias = "b")]
    Black,
    /// Most pieces, and most of them undeveloped
    Opening,
    /// Neither an opening nor an endgame
    Middlegame,
    /// Little material
    Endgame,
    /// The side to move is in check
    Check,
    /// Its castling rights are possible only in Chess960
    Chess960,
}

impl Is {
    fn is_true_of(self, position: &Position) -> bool {
        match self {
            Self::White => position.side_to_move() == Color::White,
            Self::Black => position.side_to_move() == Color::Black,
            Self::Opening => phase(position) == PhaseClass::Opening,
            Self::Middlegame => phase(position) == PhaseClass::Middlegame,
            Self::Endgame => phase(position) == PhaseClass::Endgame,
            Self::Check => position.is_check(),
            Self::Chess960 => position.castling_mode() == CastlingMode::Chess960,
        }
    }
}

impl RecordFilter {
    pub(crate) fn passes(&self, record: &Record) -> bool {
        let has = |opcode: &String| record.operation(opcode).is_some();
        let tagged = |tag: &String| record.tags().any(|found| found == tag);
        let id_passes = |pattern: &Regex| record.id().is_some_and(|id| pattern.is_match(id));
        let position = record.position();
        let pieces = i64::from(position.occupied().count());
        self.has.iter().all(has)
            && self.tag.iter().all(tagged)
            && self.id.as_ref().is_none_or(id_passes)
            && self.number.iter().all(|wanted| wanted.passes(record))
            && self.is.iter().all(|what| what.is_true_of(position))
            && self.pieces.is_none_or(|range| range.contains(pieces))
    }
}

/// `5` alone, `5..`, `..32`, or `5..32`, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FilterRange {
    least: i64,
    most: i64,
}

impl FilterRange {
    /// The smallest number, at least 0.
    pub(crate) fn first(self) -> usize {
        usize::try_from(self.least.max(0)).unwrap_or(usize::MAX)
    }

    /// The largest number.
    pub(crate) fn last(self) -> usize {
        usize::try_from(self.most).unwrap_or(usize::MAX)
    }

    pub(crate) const fn contains(self, number: i64) -> bool {
        self.least <= number && number <= self.most
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a range, expected one such as 5, 5.., ..32 or 5..32")]
pub(crate) struct ParseRangeError(String);

impl FromStr for FilterRange {
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
    range: FilterRange,
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
    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        filter: RecordFilter,
    }

    #[test]
    fn each_condition() {
        let records = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"start.1\"; tag a; acd 20;",
            "4k3/8/8/8/8/8/8/4K2R b K - id \"ending.1\"; tag a b; bm Kd7; ce -60;",
            "4k2R/8/8/8/8/8/8/4K3 b - - id \"check\"; acd deep;",
            "1r2k3/8/8/8/8/8/8/1R2K3 w B - id \"fischer\";",
        ];
        let records = records.map(|text| Record::parse_lenient(text).unwrap().record);
        for (options, expected) in [
            ("", "start.1 ending.1 check fischer"),
            ("--has acd", "start.1 check"),
            ("--tag a --tag b", "ending.1"),
            (r"--id ^\w+\.1$", "start.1 ending.1"),
            ("--is b", "ending.1 check"),
            ("--is opening", "start.1"),
            ("--pieces ..3", "ending.1 check"),
            ("--is check", "check"),
            ("--is chess960", "fischer"),
            ("--is endgame --is white", "fischer"),
            ("--number acd=10..", "start.1"),
            ("--number ce=-100..0", "ending.1"),
        ] {
            let words = std::iter::once("filter").chain(options.split_whitespace());
            let filter = Line::try_parse_from(words).unwrap().filter;
            let passing = records.iter().filter(|record| filter.passes(record));
            let ids: Vec<_> = passing.filter_map(Record::id).collect();
            assert_eq!(ids.join(" "), expected, "{options}");
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
            let range: FilterRange = text.parse().unwrap();
            assert!(inside.iter().all(|&one| range.contains(one)), "{text}");
            assert!(!outside.iter().any(|&one| range.contains(one)), "{text}");
        }
    }

    #[test]
    fn rejects_invalid_ranges() {
        for text in ["", "..", "a", "5-7", "7..5", "1...2"] {
            let error = text.parse::<FilterRange>().unwrap_err();
            let expected = "is not a range, expected one such as 5, 5.., ..32 or 5..32";
            assert_eq!(error.to_string(), format!("'{text}' {expected}"));
        }
        assert!("acd".parse::<NumberRange>().is_err());
        assert!("a d=5".parse::<NumberRange>().is_err());
        assert_eq!("dm=..3".parse::<NumberRange>().unwrap().opcode, "dm");
    }
}
