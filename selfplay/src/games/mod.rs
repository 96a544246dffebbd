//! Games as the statistics need them: players, results, and pairs.

mod pairing;

use chess::notation::fen;
use chess::notation::pgn::{PgnGame, PgnResult};
use chess::rules::Position;

pub use pairing::{Match, MatchError, Pairing, pair};

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// White won.
    WhiteWins,
    /// Drawn.
    Draw,
    /// Black won.
    BlackWins,
}

impl Outcome {
    /// The points of White, doubled.
    pub const fn white_half_points(self) -> usize {
        match self {
            Self::WhiteWins => 2,
            Self::Draw => 1,
            Self::BlackWins => 0,
        }
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The player of the white pieces; `?` if unknown.
    pub white: String,
    /// The player of the black pieces; `?` if unknown.
    pub black: String,
    /// The PGN tag `Round`; `None` if it is missing or unknown (`?`, `-`).
    pub round: Option<String>,
    /// The tag `GameNumber`, which gives the order in which games began.
    pub number: Option<u64>,
    /// The starting position, unless it is the usual one.
    pub opening: Option<String>,
    /// The result.
    pub outcome: Outcome,
}

impl Record {
    /// The record of a PGN game; `None` if it is not finished. The result after the moves takes
    /// precedence over that of the tag.
    pub fn of(game: &PgnGame) -> Option<Self> {
        let tag = |name| game.tag(name).unwrap_or("?").trim().to_owned();
        let outcome = match (game.result, tag("Result").as_str()) {
            (Some(PgnResult::WhiteWins), _) | (None, "1-0") => Outcome::WhiteWins,
            (Some(PgnResult::BlackWins), _) | (None, "0-1") => Outcome::BlackWins,
            (Some(PgnResult::Draw), _) | (None, "1/2-1/2") => Outcome::Draw,
            _ => return None,
        };
        let round = Some(tag("Round")).filter(|round| !matches!(round.as_str(), "" | "?" | "-"));
        let is_special = game.start != Position::startpos();
        Some(Self {
            white: tag("White"),
            black: tag("Black"),
            round,
            number: tag("GameNumber").parse().ok(),
            opening: is_special.then(|| fen::write(&game.start)),
            outcome,
        })
    }
}
