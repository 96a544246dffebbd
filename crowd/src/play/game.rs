//! Reads and checks the game in a request.

use chess::notation::fen::{self, ParseFenError};
use chess::notation::uci_move::{ParseUciMoveError, UciMove};
use chess::rules::explain::{Explanation, explain};
use chess::rules::{CastlingMode, Game, Move, Position};

/// Maximum length of a game, in plies. It bounds the cost of one request.
pub const MAX_PLIES: usize = 1_000;
/// Maximum length of a FEN, in bytes: well above that of any valid one.
pub const MAX_FEN_BYTES: usize = 200;
/// A move has at most five characters; of a longer text this many are shown in messages.
const SHOWN_OF_MOVE: usize = 12;

/// A valid game: every move was legal when it was played.
#[derive(Clone, Debug)]
pub struct Played {
    pub game: Game,
    pub mode: CastlingMode,
    /// Faults of the FEN that were tolerated, as text.
    pub remarks: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    #[error("the FEN has {found} bytes, at most {MAX_FEN_BYTES} are read")]
    LongFen { found: usize },
    #[error("the FEN cannot be read: {0}")]
    Fen(#[from] ParseFenError),
    #[error("the game has {found} moves of one side, at most {MAX_PLIES} are read")]
    TooManyMoves { found: usize },
    #[error("move {ply}: {source}")]
    NotAMove {
        /// Its ply, from 1.
        ply: usize,
        source: ParseUciMoveError,
    },
    #[error("move {ply}: {explanation}")]
    Illegal {
        /// Its ply, from 1.
        ply: usize,
        explanation: Explanation,
    },
}

impl GameError {
    pub fn faults(&self) -> Vec<String> {
        match self {
            Self::Fen(error) => error.faults.iter().map(ToString::to_string).collect(),
            _ => vec![self.to_string()],
        }
    }
}

impl Played {
    /// Reads a game: the start position, or that of a FEN as read by [`fen::parse_lenient`], and
    /// the moves in UCI notation. Castling is accepted in either form. A FEN that needs Chess960
    /// makes it a Chess960 game.
    /// The error has every fault of the FEN, or the first fault of the moves.
    pub fn read(fen: Option<&str>, chess960: bool, moves: &[String]) -> Result<Self, GameError> {
        if moves.len() > MAX_PLIES {
            return Err(GameError::TooManyMoves { found: moves.len() });
        }
        let (start, remarks) = read_start(fen)?;
        let mode = if chess960 {
            CastlingMode::Chess960
        } else {
            start.castling_mode()
        };
        let mut played = Self {
            game: Game::new(start),
            mode,
            remarks,
        };
        for (index, text) in moves.iter().enumerate() {
            let m = played.read_move(text, index + 1)?;
            played
                .game
                .play(m)
                .expect("the move has been read as legal");
        }
        Ok(played)
    }

    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// A legal move of `position` in the notation of this game.
    pub fn write_move(&self, m: Move, position: &Position) -> String {
        UciMove::from_move(m, position, self.mode).to_string()
    }

    fn read_move(&self, text: &str, ply: usize) -> Result<Move, GameError> {
        let shown: String = text.chars().take(SHOWN_OF_MOVE).collect();
        // No move is longer than what is shown, so a longer text fails here, too.
        let read: UciMove = shown
            .parse()
            .map_err(|source| GameError::NotAMove { ply, source })?;
        let position = self.position();
        let as_written = match read.promotion {
            Some(kind) => Move::new_promotion(read.from, read.to, kind),
            None => Move::new(read.from, read.to),
        };
        // The game's own form of castling comes first: the other may be an ordinary step of the
        // king.
        read.to_move(position, self.mode)
            .or_else(|| read.to_move(position, other(self.mode)))
            .ok_or_else(|| GameError::Illegal {
                ply,
                explanation: explain(position, as_written),
            })
    }
}

fn read_start(text: Option<&str>) -> Result<(Position, Vec<String>), GameError> {
    let Some(text) = text else {
        return Ok((Position::startpos(), Vec::new()));
    };
    if text.len() > MAX_FEN_BYTES {
        return Err(GameError::LongFen { found: text.len() });
    }
    let read = fen::parse_lenient(text)?;
    let remarks = read.tolerated.iter().map(ToString::to_string).collect();
    Ok((read.position, remarks))
}

pub(super) const fn other(mode: CastlingMode) -> CastlingMode {
    match mode {
        CastlingMode::Standard => CastlingMode::Chess960,
        CastlingMode::Chess960 => CastlingMode::Standard,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fen: Option<&str>, moves: &str) -> Result<Played, String> {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        Played::read(fen, false, &moves).map_err(|error| error.to_string())
    }

    #[test]
    fn a_bad_move_is_reported_with_its_number_and_the_rule() {
        let fen = Some("4k3/3p4/8/K3P2r/8/8/8/8 b - - 0 1");
        let error = read(fen, "d7d5 e5d6").expect_err("pinned on the rank");
        assert_eq!(
            error,
            "move 2: e5d6 is illegal: capturing en passant takes both pawns off the fifth rank \
             and the rook on h5 attacks the king on a5"
        );
        let error = read(None, "e2e4 e7e5 zz").expect_err("no move");
        assert!(
            error.starts_with("move 3: 'zz' has 2 characters"),
            "{error}"
        );
        let error = read(None, &"x".repeat(9_999)).expect_err("no move");
        assert!(error.len() < 200, "{error}");
    }

    #[test]
    fn what_a_fen_lacks_is_remarked_on() {
        let played = read(Some("4k3/8/8/8/8/8/8/4K2R w KQ"), "e1g1").expect("read leniently");
        assert!(!played.remarks.is_empty());
        assert_eq!(played.game.moves().len(), 1);
    }

    #[test]
    fn castling_is_read_in_both_forms() {
        let fen = Some("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        let one = read(fen, "e1g1 e8a8").expect("both");
        let two = read(fen, "e1h1 e8c8").expect("both");
        assert_eq!(one.game, two.game);
    }

    #[test]
    fn the_greatest_counters_do_no_harm() {
        let fen = Some("4k3/8/8/8/8/8/8/4K2R w K - 4294967295 4294967295");
        assert!(read(fen, "e1g1 e8e7 g1h1").is_ok());
    }

    #[test]
    fn the_length_is_bounded() {
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
        let moves: Vec<String> = shuffle
            .iter()
            .cycle()
            .take(1_001)
            .map(ToString::to_string)
            .collect();
        assert!(Played::read(None, false, &moves[..1_000]).is_ok());
        assert_eq!(
            Played::read(None, false, &moves).expect_err("too long"),
            GameError::TooManyMoves { found: 1_001 }
        );
    }
}
