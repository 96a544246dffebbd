//! Games as the statistics need them: who, how it ended, what belongs together.

mod pairing;

use chess::notation::fen;
use chess::notation::pgn::{PgnGame, PgnResult};
use chess::rules::Position;

pub use pairing::{Match, MatchError, Pairing, pair};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// White won.
    WhiteWins,
    /// Nobody won.
    Draw,
    /// Black won.
    BlackWins,
}

impl Outcome {
    /// Half points of White.
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
    /// Who had the white pieces; `?` if nobody said.
    pub white: String,
    /// Who had the black pieces; `?` if nobody said.
    pub black: String,
    /// The tag Round; `None` where it is missing or says nothing (`?`, `-`).
    pub round: Option<String>,
    /// The tag `GameNumber`, which says the order in which games began.
    pub number: Option<u64>,
    /// The first position, where it is not that of every game.
    pub opening: Option<String>,
    /// How it ended.
    pub outcome: Outcome,
}

impl Record {
    /// Of a game in PGN: `None` if it is not finished. The result after the moves counts before
    /// that of the tag.
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
