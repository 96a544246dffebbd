//! What goes over the wire: requests and answers of `/api/v1/play`, apart from the types of the rules.

use chess::rules::Color;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A game as the browser keeps it.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct GameRequest {
    /// The first position; none is the start position of standard chess.
    #[serde(default)]
    pub fen: Option<String>,
    /// Whether castling is written as in Chess960: the king takes its rook.
    #[serde(default)]
    pub chess960: bool,
    /// The moves played, in UCI's form, at most 1000.
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
    /// In UCI's form.
    #[serde(rename = "move")]
    #[schema(example = "g1f3")]
    pub text: String,
    /// In SAN.
    #[schema(example = "Nf3")]
    pub san: String,
    /// Castling in its other form, where no other legal move is written so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub also: Option<CastlingAlias>,
}

/// Castling in the other of its two forms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(transparent)]
pub struct CastlingAlias(pub String);

/// How a game has ended by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Outcome {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: &'static str,
    /// `checkmate`, `stalemate`, `insufficient-material`, `fivefold-repetition` or `seventy-five-moves`.
    pub reason: &'static str,
}

/// Which sides have nothing but their king, and so cannot win.
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
    /// The position on the board.
    pub fen: String,
    /// Whether the game is one of Chess960.
    pub chess960: bool,
    /// Who moves.
    pub side_to_move: Side,
    /// The legal moves; none once the game has ended.
    pub legal: Vec<LegalMove>,
    /// The moves played, in UCI's form as the server writes it.
    pub moves: Vec<String>,
    /// The moves played, in SAN.
    pub san: Vec<String>,
    /// The position of every ply, from the first on: one more than moves.
    pub fens: Vec<String>,
    /// Whether the side to move is in check.
    pub check: bool,
    /// Where its king then stands.
    pub check_square: Option<String>,
    /// How the game has ended without anyone's claim.
    pub outcome: Option<Outcome>,
    /// The draw that the side to move may claim: `threefold-repetition` or `fifty-moves`.
    pub claimable: Option<&'static str>,
    /// Which sides cannot win when the other's flag falls.
    pub lone_kings: LoneKings,
    /// What was passed over in the FEN, in words.
    pub remarks: Vec<String>,
}

/// The clocks, in milliseconds.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
pub struct Times {
    /// White's time.
    pub white_ms: i64,
    /// Black's time.
    pub black_ms: i64,
    /// What a move gives White.
    #[serde(default)]
    pub winc: u64,
    /// What a move gives Black.
    #[serde(default)]
    pub binc: u64,
}

/// A game in which the opponent is to move.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct MoveRequest {
    /// The game.
    #[serde(flatten)]
    pub game: GameRequest,
    /// How strong to play, from 1 to 10; either this or `elo`.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 10)]
    pub level: Option<u8>,
    /// How strong to play, in Elo from 500 to 2600.
    #[serde(default)]
    #[schema(minimum = 500, maximum = 2600)]
    pub elo: Option<u32>,
    /// The clocks, if the game has any.
    #[serde(default)]
    pub clock: Option<Times>,
    /// Which of the book's moves is played: the same number, the same game.
    #[serde(default)]
    pub seed: u32,
}

/// What a position is worth, seen from White.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// In centipawns.
    Cp(i32),
    /// Mate in so many moves; by Black where it is negative.
    Mate(i32),
}

/// The opponent's move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct MoveAnswer {
    /// In UCI's form.
    #[serde(rename = "move")]
    pub text: String,
    /// In SAN.
    pub san: String,
    /// What the opponent makes of it; none for a move of the book.
    pub score: Option<Score>,
    /// How deep it looked, in plies.
    pub depth: u32,
    /// Whether the move is one of the opening book.
    pub book: bool,
}

/// What a position is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct EvalAnswer {
    /// Seen from White.
    pub score: Score,
    /// How deep the search looked, in plies.
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
    /// `1-0`, `0-1`, `1/2-1/2` or `*`; without it what the rules say.
    #[serde(default)]
    pub result: Option<String>,
}

/// A game as PGN.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PgnAnswer {
    /// In the export format.
    pub pgn: String,
}

/// A text with games in it.
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
    /// The first position; none is the start position of standard chess.
    pub fen: Option<String>,
    /// Whether it is a game of Chess960.
    pub chess960: bool,
    /// Its moves, in UCI's form.
    pub moves: Vec<String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
}

/// The games of a PGN text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct PgnReadAnswer {
    /// Those that could be read.
    pub games: Vec<PgnRead>,
    /// What is wrong with the others, with line and column.
    pub faults: Vec<String>,
    /// Whether there were more than are read.
    pub more: bool,
}

/// A first position of Chess960.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct StartAnswer {
    /// Its number, from 0 to 959.
    pub number: u16,
    /// The position.
    pub fen: String,
}
