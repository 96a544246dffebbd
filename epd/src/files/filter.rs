//! Conditions on records.

use chess::rules::{CastlingMode, Color};
use regex::Regex;

use crate::files::range::{NumberRange, Range};
use crate::files::{Phase, phase};
use crate::record::Record;

/// Conditions, all of which a record must meet. Empty or absent ones always hold.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    /// Opcodes it must have, all of them.
    pub(crate) has: Vec<String>,
    /// Opcodes it must not have.
    pub(crate) without: Vec<String>,
    /// Tags it must have, all of them.
    pub(crate) tags: Vec<String>,
    /// Tags it must not have.
    pub(crate) without_tags: Vec<String>,
    /// What its `id` must match.
    pub(crate) id: Option<Regex>,
    /// The side to move.
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
    /// Whether a record meets every condition.
    pub(crate) fn passes(&self, record: &Record) -> bool {
        self.operations_pass(record) && self.position_passes(record)
    }

    fn operations_pass(&self, record: &Record) -> bool {
        let has = |opcode: &String| record.operation(opcode).is_some();
        let tagged = |tag: &String| record.tags().any(|found| found == tag);
        let id_passes = |pattern: &Regex| record.id().is_some_and(|id| pattern.is_match(id));
        self.has.iter().all(has)
            && !self.without.iter().any(has)
            && self.tags.iter().all(tagged)
            && !self.without_tags.iter().any(tagged)
            && self.id.as_ref().is_none_or(id_passes)
            && self
                .numbers
                .iter()
                .all(|wanted| number_passes(record, wanted))
    }

    fn position_passes(&self, record: &Record) -> bool {
        let position = record.position();
        let is_chess960 = || position.castling_mode() == CastlingMode::Chess960;
        let pieces = i64::from(position.occupied().count());
        self.side.is_none_or(|side| position.side_to_move() == side)
            && (self.phases.is_empty() || self.phases.contains(&phase(position)))
            && self.pieces.is_none_or(|range| range.contains(pieces))
            && self
                .check
                .is_none_or(|wanted| position.is_check() == wanted)
            && self.chess960.is_none_or(|wanted| is_chess960() == wanted)
    }
}

/// Whether the record has the opcode, and its first operand is a number in the range.
fn number_passes(record: &Record, wanted: &NumberRange) -> bool {
    let operands = record.operation(&wanted.opcode);
    let first = operands.and_then(|operation| operation.operands().first());
    let number = first.and_then(|operand| operand.as_str().parse().ok());
    number.is_some_and(|number| wanted.range.contains(number))
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
        check(&any(), &all);
        check(
            &Filter {
                has: words(&["acd"]),
                ..any()
            },
            &["start.1", "check"],
        );
        check(
            &Filter {
                without: words(&["acd", "bm"]),
                ..any()
            },
            &["fischer"],
        );
        check(
            &Filter {
                tags: words(&["a", "b"]),
                ..any()
            },
            &["ending.1"],
        );
        check(
            &Filter {
                without_tags: words(&["b"]),
                ..any()
            },
            &["start.1", "check", "fischer"],
        );
        let id = Some(Regex::new(r"^\w+\.1$").unwrap());
        check(&Filter { id, ..any() }, &["start.1", "ending.1"]);
        check(
            &Filter {
                side: Some(Color::Black),
                ..any()
            },
            &["ending.1", "check"],
        );
        check(
            &Filter {
                phases: vec![Phase::Opening],
                ..any()
            },
            &["start.1"],
        );
        check(
            &Filter {
                pieces: Some("..3".parse().unwrap()),
                ..any()
            },
            &["ending.1", "check"],
        );
        check(
            &Filter {
                check: Some(true),
                ..any()
            },
            &["check"],
        );
        check(
            &Filter {
                chess960: Some(true),
                ..any()
            },
            &["fischer"],
        );
        let numbers = vec!["acd=10..".parse().unwrap()];
        check(&Filter { numbers, ..any() }, &["start.1"]);
        let numbers = vec!["ce=-100..0".parse().unwrap()];
        check(&Filter { numbers, ..any() }, &["ending.1"]);
    }
}
