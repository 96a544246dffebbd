//! Wire types: requests and answers of `/api/v1/play`, apart from the types of the rules.

use chess::rules::Color;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A game as the browser keeps it.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct GameRequest {
    /// The FEN of the first position; without it, the standard start position.
    #[serde(default)]
    pub fen: Option<String>,
    /// Whether castling is written as in Chess960: the king takes its rook.
    #[serde(default)]
    pub chess960: bool,
    /// The moves played, in UCI notation, at most 1000.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl From<Color> for Side {
    fn from(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct LegalMove {
    /// In UCI notation.
    #[serde(rename = "move")]
    #[schema(example = "g1f3")]
    pub text: String,
    /// In SAN.
    #[schema(example = "Nf3")]
    pub san: String,
    /// The other notation of castling, unless another legal move has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub also: Option<CastlingAlias>,
}

/// Castling in the other of its two notations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(transparent)]
pub struct CastlingAlias(pub String);

/// The result of a game by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Outcome {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: &'static str,
    /// `checkmate`, `stalemate`, `insufficient-material`, `fivefold-repetition` or `seventy-five-moves`.
    pub reason: &'static str,
}

/// Which sides have only their king, and so cannot win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct LoneKings {
    /// White has.
    pub white: bool,
    /// Black has.
    pub black: bool,
}

/// Everything that the page shows of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct StateAnswer {
    /// The current position.
    pub fen: String,
    /// Whether the game is one of Chess960.
    pub chess960: bool,
    /// The side to move.
    pub side_to_move: Side,
    /// The legal moves; none if the game is over.
    pub legal: Vec<LegalMove>,
    /// The moves played, in UCI notation as the server writes it.
    pub moves: Vec<String>,
    /// The moves played, in SAN.
    pub san: Vec<String>,
    /// The position at every ply, beginning with the first: one more than moves.
    pub fens: Vec<String>,
    /// Whether the side to move is in check.
    pub check: bool,
    /// The square of its king if it is in check.
    pub check_square: Option<String>,
    /// The result, if the game has ended without a claim.
    pub outcome: Option<Outcome>,
    /// The draw that the side to move may claim: `threefold-repetition` or `fifty-moves`.
    pub claimable: Option<&'static str>,
    /// Which sides cannot win when the other's flag falls.
    pub lone_kings: LoneKings,
    /// Faults of the FEN that were tolerated, as text.
    pub remarks: Vec<String>,
}

/// The clocks, in milliseconds.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
pub struct Times {
    /// White's time.
    pub white_ms: i64,
    /// Black's time.
    pub black_ms: i64,
    /// White's increment per move.
    #[serde(default)]
    pub winc: u64,
    /// Black's increment per move.
    #[serde(default)]
    pub binc: u64,
}

/// A game in which the opponent is to move.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct MoveRequest {
    /// The game.
    #[serde(flatten)]
    pub game: GameRequest,
    /// Playing strength, from 1 to 10; either this or `elo`.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 10)]
    pub level: Option<u8>,
    /// Playing strength, in Elo from 500 to 2600.
    #[serde(default)]
    #[schema(minimum = 500, maximum = 2600)]
    pub elo: Option<u32>,
    /// The clocks, if the game has any.
    #[serde(default)]
    pub clock: Option<Times>,
    /// Random seed for the choice of a book move: the same seed gives the same game.
    #[serde(default)]
    pub seed: u32,
}

/// The evaluation of a position, from White's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// In centipawns.
    Cp(i32),
    /// Mate in this many moves; negative if Black mates.
    Mate(i32),
}

/// The opponent's move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct MoveAnswer {
    /// In UCI notation.
    #[serde(rename = "move")]
    pub text: String,
    /// In SAN.
    pub san: String,
    /// Its evaluation; none for a book move.
    pub score: Option<Score>,
    /// Search depth, in plies.
    pub depth: u32,
    /// Whether it is a book move.
    pub book: bool,
}

/// The evaluation of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct EvalAnswer {
    /// From White's view.
    pub score: Score,
    /// Search depth, in plies.
    pub depth: u32,
}

/// A tag of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PgnTag {
    /// Its name.
    #[schema(example = "White")]
    pub name: String,
    /// Its value.
    pub value: String,
}

/// A game to be written as PGN.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct PgnRequest {
    /// The game.
    #[serde(flatten)]
    pub game: GameRequest,
    /// Its tags, at most 40.
    #[serde(default)]
    pub tags: Vec<PgnTag>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`; by default determined by the rules.
    #[serde(default)]
    pub result: Option<String>,
}

/// A game as PGN.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PgnAnswer {
    /// PGN in export format.
    pub pgn: String,
}

/// A PGN text.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct PgnReadRequest {
    /// The text, at most 1 MiB.
    pub pgn: String,
}

/// A game of a PGN text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PgnRead {
    /// Its tags, in their order.
    pub tags: Vec<PgnTag>,
    /// The FEN of the first position; none for the standard start position.
    pub fen: Option<String>,
    /// Whether it is a game of Chess960.
    pub chess960: bool,
    /// Its moves, in UCI notation.
    pub moves: Vec<String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
}

/// The games of a PGN text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct PgnReadAnswer {
    /// Those that could be read.
    pub games: Vec<PgnRead>,
    /// The faults of the others, with line and column.
    pub faults: Vec<String>,
    /// Whether the text has more games than were read.
    pub more: bool,
}

/// A start position of Chess960.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct StartAnswer {
    /// Its number, from 0 to 959.
    pub number: u16,
    /// The position.
    pub fen: String,
}
