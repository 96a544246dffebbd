//! Scores in the comments of moves, as engines' tools and sites write them.

use crate::rules::Color;

/// A score from White's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentScore {
    /// In centipawns.
    Cp(i32),
    /// Mate in this many moves; positive if White mates.
    Mate(i32),
}

/// The position that a score in the comment of a move belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoredPosition {
    /// That before the move: the search that chose the move.
    BeforeMove,
    /// That after the move: an analysis.
    AfterMove,
}

impl CommentScore {
    /// The score in a comment after a move of `mover`, and the position that it belongs to; `None` if
    /// it has none.
    ///
    /// - `+0.31/12 0.451s`, `-M3/20`, `#5/9`: score and depth, the mover's view, before the move, as in
    ///   the games of cutechess-cli, fastchess and selfplay. A command such as `[%clk 0:00:09.870]` may
    ///   precede it.
    /// - `[%eval 0.31]`, `[%eval #-3]`, `[%eval 0.31,12]`: White's view, after the move, as in the games
    ///   of lichess.
    ///
    /// ```
    /// use chess::notation::pgn::{CommentScore, ScoredPosition};
    /// use chess::rules::Color;
    ///
    /// let found = CommentScore::read("+0.31/12 0.451s", Color::Black);
    /// assert_eq!(found, Some((CommentScore::Cp(-31), ScoredPosition::BeforeMove)));
    /// let found = CommentScore::read("[%eval 0.31] [%clk 0:01:00]", Color::Black);
    /// assert_eq!(found, Some((CommentScore::Cp(31), ScoredPosition::AfterMove)));
    /// ```
    pub fn read(comment: &str, mover: Color) -> Option<(Self, ScoredPosition)> {
        if let Some((_, rest)) = comment.split_once("[%eval") {
            let written = rest.trim_start().split([']', ',', ' ']).next()?;
            return Some((Self::parse(written)?, ScoredPosition::AfterMove));
        }
        let mut rest = comment.trim_start();
        while let Some(command) = rest.strip_prefix("[%") {
            rest = command.split_once(']')?.1.trim_start();
        }
        let (score, _depth) = rest.split_whitespace().next()?.split_once('/')?;
        // A lone number before a slash may be a date or a fraction.
        let is_signed = score.starts_with(['+', '-', '#', 'M']) || score == "0.00";
        let score = Self::parse(score).filter(|_| is_signed)?;
        let score = match mover {
            Color::White => score,
            Color::Black => score.negated(),
        };
        Some((score, ScoredPosition::BeforeMove))
    }

    const fn negated(self) -> Self {
        match self {
            Self::Cp(cp) => Self::Cp(-cp),
            Self::Mate(moves) => Self::Mate(-moves),
        }
    }

    /// Reads pawns with decimals, or a mate: `#3`, `#-3`, `M3`, `-M3`, `+M3`.
    fn parse(text: &str) -> Option<Self> {
        let (sign, rest) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text.strip_prefix('+').unwrap_or(text)),
        };
        if let Some(moves) = rest.strip_prefix(['#', 'M']) {
            let moves: i32 = moves.parse().ok()?;
            return Some(Self::Mate(sign * moves));
        }
        let (pawns, decimals) = rest.split_once('.').unwrap_or((rest, ""));
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        // With more digits, the centipawns might not fit 32 bits.
        if pawns.is_empty() || pawns.len() > 5 || !is_number(pawns) || !is_number(decimals) {
            return None;
        }
        let hundredths: String = decimals.chars().chain("00".chars()).take(2).collect();
        let number: i32 = format!("{pawns}{hundredths}").parse().ok()?;
        Some(Self::Cp(sign * number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_as_they_are_written() {
        use CommentScore::{Cp, Mate};
        for (comment, expected) in [
            (
                "[%clk 0:00:09.870] +0.31/12 0.451s 12345n 20sd",
                Some(Cp(31)),
            ),
            ("-12.05/3 0.000s", Some(Cp(-1205))),
            ("+0.00/1 0.000s 20n", Some(Cp(0))),
            ("0.00/1 0.000s", Some(Cp(0))),
            ("#5/9 0.001s", Some(Mate(5))),
            ("#-3/9 0.001s", Some(Mate(-3))),
            ("+M7/22 0.5s", Some(Mate(7))),
            ("-M8/22 0.5s", Some(Mate(-8))),
            ("[%eval 0.17]", Some(Cp(17))),
            ("[%clk 0:03:00] [%eval -2.5]", Some(Cp(-250))),
            ("[%eval #-4] [%clk 0:03:00]", Some(Mate(-4))),
            ("[%eval 1.02,24]", Some(Cp(102))),
            ("0.451s 12345n", None),
            ("[%clk 0:00:09.870", None),
            ("[%eval]", None),
            ("[%eval x]", None),
            ("book", None),
            ("1/2 agreed", None),
            ("a fine move, +1.00/3", None),
            ("+1234567890.00/3", None),
            ("", None),
        ] {
            let found = CommentScore::read(comment, Color::White);
            assert_eq!(found.map(|(score, _)| score), expected, "{comment}");
        }
        let black = |comment| CommentScore::read(comment, Color::Black).map(|(score, _)| score);
        assert_eq!(black("-M8/22"), Some(Mate(8)));
        assert_eq!(black("[%eval -0.10]"), Some(Cp(-10)));
    }
}
