//! Parsing evaluations in an engine's output.

use std::fmt;

use chess::rules::Color;
use regex::Regex;
use uci::grammar::{Score as UciScore, ScoreValue};

/// Unit of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScoreUnit {
    /// Hundredths of a pawn.
    Cp,
    Pawns,
}

/// Point of view of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScoreView {
    White,
    Side,
}

/// How to parse an evaluation from a line: a regular expression with one group, the number.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    regex: Regex,
    unit: ScoreUnit,
    view: ScoreView,
}

impl Pattern {
    /// A user-defined pattern, which must have exactly one group. Its name tells unit and view.
    pub(crate) fn new(regex: Regex) -> Result<Self, String> {
        let name = regex.capture_names().flatten().next().unwrap_or("cp");
        let (unit, view) = match name {
            "cp" => (ScoreUnit::Cp, ScoreView::White),
            "pawns" => (ScoreUnit::Pawns, ScoreView::White),
            "side" => (ScoreUnit::Cp, ScoreView::Side),
            "side_pawns" => (ScoreUnit::Pawns, ScoreView::Side),
            name => {
                let expected = "expected cp, pawns, side or side_pawns";
                return Err(format!(
                    "the pattern '{regex}' has a group '{name}', {expected}"
                ));
            }
        };
        match regex.captures_len() - 1 {
            1 => Ok(Self { regex, unit, view }),
            groups => Err(format!(
                "the pattern '{regex}' has {groups} groups (…), expected one, around the number"
            )),
        }
    }

    /// The output of `eval` in Stockfish and its derivatives:
    /// `Final evaluation       +0.31 (white side) [with scaled NNUE, ...]`,
    /// `Final evaluation: none (in check)`, and before 2021 `Total evaluation: 0.31 (white side)`; and that
    /// of touchstone, `Value for White: +0.31 pawns`.
    pub(crate) fn stockfish() -> Self {
        let regex = r"(?ix)^\s* (?: (?:final|total)\s+evaluation\s*:? | value\ for\ white: ) \s*
            ([-+]?[0-9]+(?:\.[0-9]+)?|none) \s+ (?: \((?:white\ side|in\ check)\) | pawns )";
        Self {
            regex: Regex::new(regex).expect("the pattern is well formed"),
            unit: ScoreUnit::Pawns,
            view: ScoreView::White,
        }
    }

    /// Parses the evaluation of a position with `side` to move. `none` in place of the number means
    /// that there is none.
    pub(crate) fn read(&self, line: &str, side: Color) -> Option<ParsedEvaluation> {
        let number = self.regex.captures(line)?.get(1)?.as_str();
        let score = if number.eq_ignore_ascii_case("none") {
            WhiteScore::None
        } else {
            let score = WhiteScore::Cp(centipawns(number, self.unit)?);
            match self.view {
                ScoreView::White => score,
                ScoreView::Side => score.as_seen_by_white(side),
            }
        };
        let raw = line.trim().to_owned();
        Some(ParsedEvaluation { score, raw })
    }
}

/// Parses a number, rounded to whole centipawns.
fn centipawns(text: &str, unit: ScoreUnit) -> Option<i32> {
    let number: f64 = text.trim().parse().ok()?;
    let number = match unit {
        ScoreUnit::Cp => number,
        ScoreUnit::Pawns => number * 100.0,
    };
    let rounded = number.round();
    #[expect(clippy::cast_possible_truncation, reason = "the range is tested")]
    (rounded.abs() <= 1e9).then_some(rounded as i32)
}

/// The score that stands for any mate, in centipawns.
// It fits the 16 bits of a stored row (`score::rows`).
pub(crate) const MATE_CP: i32 = 30_000;

/// A score from White's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WhiteScore {
    Cp(i32),
    /// Mate in this many moves, positive if White gives it; 0 is checkmate on the board.
    Mate(i32),
    /// The engine reports no evaluation, as Stockfish does in check.
    None,
}

impl WhiteScore {
    /// Converts a score from the view of `side` to White's.
    pub(crate) const fn as_seen_by_white(self, side: Color) -> Self {
        match side {
            Color::White => self,
            Color::Black => self.negated(),
        }
    }

    /// The score from the other side's view.
    pub(crate) const fn negated(self) -> Self {
        match self {
            Self::Cp(value) => Self::Cp(value.saturating_neg()),
            Self::Mate(moves) => Self::Mate(moves.saturating_neg()),
            Self::None => Self::None,
        }
    }

    /// White's centipawns within [`MATE_CP`], which stands for a mate; `side` is to move, and is the one
    /// that is mated by a mate in 0. `None` for none.
    pub(crate) fn limited_cp(self, side: Color) -> Option<i32> {
        let moves = match self {
            Self::Cp(cp) => return Some(cp.clamp(-MATE_CP, MATE_CP)),
            Self::None => return None,
            Self::Mate(0) if side == Color::White => -1,
            Self::Mate(0) => 1,
            Self::Mate(moves) => moves,
        };
        Some(MATE_CP * moves.signum())
    }

    /// `None` for a mate or none.
    pub(crate) const fn cp(self) -> Option<i32> {
        match self {
            Self::Cp(value) => Some(value),
            Self::Mate(_) | Self::None => None,
        }
    }
}

impl fmt::Display for WhiteScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cp(value) => write!(f, "{value:+} cp"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
            Self::None => f.write_str("none"),
        }
    }
}

/// A score and the text it was parsed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ParsedEvaluation {
    pub(crate) score: WhiteScore,
    pub(crate) raw: String,
}

impl ParsedEvaluation {
    /// The score that a search of a position with `side` to move reported.
    pub(crate) fn of_search(score: UciScore, side: Color) -> Self {
        let seen = match score.value {
            ScoreValue::Cp(cp) => WhiteScore::Cp(cp),
            ScoreValue::Mate(moves) => WhiteScore::Mate(moves),
        };
        Self {
            score: seen.as_seen_by_white(side),
            raw: score.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stockfish_of_all_ages() {
        let table = "
+31 cp | Final evaluation       +0.31 (white side)
-35 cp | Final evaluation       -0.35 (white side) [with scaled NNUE, ...]
none | Final evaluation: none (in check)
-8 cp | Total evaluation: -0.08 (white side)
+1230 cp | Total Evaluation: 12.30 (white side)
+45 cp | Value for White: +0.45 pawns
nothing | Value for the side to move, Black: -0.45 pawns
nothing | Classical evaluation   -0.13 (white side)";
        let columns = "       Total |  ----  ---- |  ----  ---- | -0.21 -0.36";
        let mut table = crate::rows::rows(table);
        table.push(["nothing", columns]);
        for [expected, line] in table {
            let found = Pattern::stockfish().read(line, Color::Black);
            let found = found.map_or("nothing".to_owned(), |one| one.score.to_string());
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn patterns_of_the_user() {
        let read = |regex: &str, line, side| {
            let pattern = Pattern::new(Regex::new(regex).unwrap()).unwrap();
            pattern.read(line, side).map(|one| one.score)
        };
        let line = "Eval: -25";
        for (group, side, expected) in [
            ("", Color::Black, -25),
            ("?<cp>", Color::Black, -25),
            ("?<side>", Color::White, -25),
            ("?<side>", Color::Black, 25),
            ("?<pawns>", Color::Black, -2500),
            ("?<side_pawns>", Color::Black, 2500),
        ] {
            let expected = Some(WhiteScore::Cp(expected));
            let regex = format!("Eval: ({group}[-+0-9.]+)");
            assert_eq!(read(&regex, line, side), expected, "{regex}");
        }
        for line in ["Eval: ..", "Eval: 99999999999999"] {
            assert_eq!(read("Eval: ([-+0-9.]+)", line, Color::White), None);
        }
    }

    #[test]
    fn mates_have_a_number_and_their_side() {
        for (score, side, expected) in [
            (WhiteScore::Cp(-31), Color::White, Some(-31)),
            (WhiteScore::Cp(99_999), Color::White, Some(MATE_CP)),
            (WhiteScore::Mate(-3), Color::White, Some(-MATE_CP)),
            (WhiteScore::Mate(0), Color::White, Some(-MATE_CP)),
            (WhiteScore::Mate(0), Color::Black, Some(MATE_CP)),
            (WhiteScore::None, Color::Black, None),
        ] {
            assert_eq!(score.limited_cp(side), expected, "{score}");
        }
    }

    #[test]
    fn a_pattern_has_one_group() {
        for (regex, groups) in [("Eval: .*", 0), ("(Eval): (.*)", 2)] {
            let regex = Regex::new(regex).unwrap();
            let error = Pattern::new(regex.clone()).unwrap_err();
            let expected = format!("has {groups} groups (…), expected one, around the number");
            assert_eq!(error, format!("the pattern '{regex}' {expected}"));
        }
        let error = Pattern::new(Regex::new("(?<score>.*)").unwrap()).unwrap_err();
        let expected = "expected cp, pawns, side or side_pawns";
        assert!(error.ends_with(expected), "{error}");
    }
}
