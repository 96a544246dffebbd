//! Parsing evaluations in an engine's output.

use chess::rules::Color;
use regex::Regex;

use super::score::{Evaluation, Score};

/// Unit of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Unit {
    /// Hundredths of a pawn
    Cp,
    /// Pawns
    Pawns,
}

/// Point of view of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum View {
    /// White's view
    White,
    /// The side to move's view
    Side,
}

/// How to parse an evaluation from a line: a regular expression with one group, the number.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    regex: Regex,
    unit: Unit,
    view: View,
}

impl Pattern {
    /// A user-defined pattern.
    ///
    /// # Errors
    ///
    /// When it does not have exactly one group.
    pub(crate) fn new(regex: Regex, unit: Unit, view: View) -> Result<Self, String> {
        match regex.captures_len() - 1 {
            1 => Ok(Self { regex, unit, view }),
            groups => Err(format!(
                "the pattern '{regex}' has {groups} groups (…), expected one, around the number"
            )),
        }
    }

    /// The output of `eval` in Stockfish and its derivatives:
    /// `Final evaluation       +0.31 (white side) [with scaled NNUE, ...]`,
    /// `Final evaluation: none (in check)`, and before 2021 `Total evaluation: 0.31 (white side)`.
    pub(crate) fn stockfish() -> Self {
        let regex = r"(?i)^\s*(?:final|total)\s+evaluation\s*:?\s*([-+]?[0-9]+(?:\.[0-9]+)?|none)\s+\((?:white side|in check)\)";
        Self {
            regex: Regex::new(regex).expect("the pattern is well formed"),
            unit: Unit::Pawns,
            view: View::White,
        }
    }

    /// Parses the evaluation of a position with `side` to move. `none` in place of the number means
    /// that there is none.
    pub(crate) fn read(&self, line: &str, side: Color) -> Option<Evaluation> {
        let number = self.regex.captures(line)?.get(1)?.as_str();
        let score = if number.eq_ignore_ascii_case("none") {
            Score::None
        } else {
            let score = Score::Cp(centipawns(number, self.unit)?);
            match self.view {
                View::White => score,
                View::Side => score.as_seen_by_white(side),
            }
        };
        let raw = line.trim().to_owned();
        Some(Evaluation { score, raw })
    }
}

/// Parses a number, rounded to whole centipawns.
fn centipawns(text: &str, unit: Unit) -> Option<i32> {
    let number: f64 = text.trim().parse().ok()?;
    let number = match unit {
        Unit::Cp => number,
        Unit::Pawns => number * 100.0,
    };
    let rounded = number.round();
    #[expect(clippy::cast_possible_truncation, reason = "the range is tested")]
    (rounded.abs() <= 1e9).then_some(rounded as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stockfish_of_all_ages() {
        let read = |line| {
            Pattern::stockfish()
                .read(line, Color::Black)
                .map(|one| one.score)
        };
        for (line, expected) in [
            (
                "Final evaluation       +0.31 (white side)",
                Some(Score::Cp(31)),
            ),
            (
                "Final evaluation       -0.35 (white side) [with scaled NNUE, hybrid, ...]",
                Some(Score::Cp(-35)),
            ),
            ("Final evaluation: none (in check)", Some(Score::None)),
            ("Total evaluation: -0.08 (white side)", Some(Score::Cp(-8))),
            (
                "Total Evaluation: 12.30 (white side)",
                Some(Score::Cp(1230)),
            ),
            ("Classical evaluation   -0.13 (white side)", None),
            (
                "       Total |  ----  ---- |  ----  ---- | -0.21 -0.36",
                None,
            ),
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
    }

    #[test]
    fn patterns_of_the_user() {
        let read = |regex: &str, unit, view, line, side| {
            let pattern = Pattern::new(Regex::new(regex).unwrap(), unit, view).unwrap();
            pattern.read(line, side).map(|one| one.score)
        };
        let line = "Eval: -25";
        let regex = "Eval: ([-+0-9.]+)";
        for (unit, view, side, expected) in [
            (Unit::Cp, View::White, Color::Black, -25),
            (Unit::Cp, View::Side, Color::White, -25),
            (Unit::Cp, View::Side, Color::Black, 25),
            (Unit::Pawns, View::White, Color::White, -2500),
        ] {
            assert_eq!(
                read(regex, unit, view, line, side),
                Some(Score::Cp(expected))
            );
        }
        assert_eq!(
            read(regex, Unit::Cp, View::White, "Eval: ..", Color::White),
            None
        );
        let huge = "Eval: 99999999999999";
        assert_eq!(read(regex, Unit::Cp, View::White, huge, Color::White), None);
    }

    #[test]
    fn a_pattern_has_one_group() {
        for (regex, groups) in [("Eval: .*", 0), ("(Eval): (.*)", 2)] {
            let error =
                Pattern::new(Regex::new(regex).unwrap(), Unit::Cp, View::White).unwrap_err();
            assert_eq!(
                error,
                format!(
                    "the pattern '{regex}' has {groups} groups (…), expected one, around the number"
                )
            );
        }
    }
}
