//! Requests and answers of `/api/v1/play`, apart from the types of the rules, and what a page shows of a game.

use chess::notation::uci_move::UciMove;
use chess::notation::{fen, san};
use chess::rules::{self, CastlingMode, ClaimableDraw, Color, Move, PieceType, Position};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::game::{GameError, Played, other};
use crate::model::Side;

/// A game as the browser keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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

impl GameRequest {
    pub fn read(&self) -> Result<Played, GameError> {
        Played::read(self.fen.as_deref(), self.chess960, &self.moves)
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
    pub also: Option<String>,
    /// The position that it leads to, so that a page can show the move before the next answer.
    pub fen: String,
}

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
    /// Playing strength, in Elo from 320 to 2800.
    #[serde(default)]
    #[schema(minimum = 320, maximum = 2800)]
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
    /// The game after this move.
    pub state: StateAnswer,
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

/// A game of a PGN text, or to be written as PGN.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TaggedGame {
    /// The game.
    #[serde(flatten)]
    pub game: GameRequest,
    /// Its tags, at most 40.
    #[serde(default)]
    pub tags: Vec<PgnTag>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`; if absent, it is determined by the rules.
    #[serde(default)]
    pub result: Option<String>,
}

/// PGN, of at most 1 MiB.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PgnText {
    /// The text.
    pub pgn: String,
}

/// The games of a PGN text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct PgnReadAnswer {
    /// Those that could be read.
    pub games: Vec<TaggedGame>,
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

/// Everything that the page shows of a game.
pub fn view(played: &Played) -> StateAnswer {
    let position = played.position();
    let outcome = played.game.outcome().map(outcome);
    let check = position.is_check();
    let (mut moves, mut sans) = (Vec::new(), Vec::new());
    let mut at = *played.game.start();
    let mut fens = vec![fen::write(&at)];
    for m in played.game.moves() {
        moves.push(played.write_move(m, &at));
        sans.push(san::write(m, &at));
        at = at.play_unchecked(m);
        fens.push(fen::write(&at));
    }
    StateAnswer {
        fen: fen::write(position),
        chess960: played.mode == CastlingMode::Chess960,
        side_to_move: position.side_to_move().into(),
        legal: match outcome {
            None => legal(position, played.mode),
            Some(_) => Vec::new(),
        },
        moves,
        san: sans,
        fens,
        check,
        check_square: check.then(|| position.king(position.side_to_move()).to_string()),
        outcome,
        // FIDE 9.2 and 9.3: threefold repetition and fifty moves end a game only if they are
        // claimed.
        claimable: played.game.claimable_draw().map(claim),
        lone_kings: LoneKings {
            // FIDE 6.9 asks whether any series of moves could mate; a lone king is the plain case.
            white: is_lone_king(position, Color::White),
            black: is_lone_king(position, Color::Black),
        },
        remarks: played.remarks.clone(),
    }
}

fn legal(position: &Position, mode: CastlingMode) -> Vec<LegalMove> {
    let moves = position.legal_moves();
    let one = |m: Move| LegalMove {
        text: UciMove::from_move(m, position, mode).to_string(),
        san: san::write(m, position),
        also: alias(m, position, mode),
        fen: fen::write(&position.play_unchecked(m)),
    };
    moves.into_iter().map(one).collect()
}

/// The other notation of castling, unless that is also a king step.
fn alias(m: Move, position: &Position, mode: CastlingMode) -> Option<String> {
    if !position.is_castling(m) {
        return None;
    }
    let text = UciMove::from_move(m, position, other(mode));
    // The other form may be a step of the king in Chess960, or lead to where the king stands.
    (text.to_move(position, mode).is_none_or(|meant| meant == m) && text.from != text.to)
        .then(|| text.to_string())
}

fn is_lone_king(position: &Position, color: Color) -> bool {
    position.by_color(color) == position.pieces(color, PieceType::King)
}

fn outcome(outcome: rules::Outcome) -> Outcome {
    Outcome {
        result: match outcome.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        },
        reason: match outcome {
            rules::Outcome::Checkmate { .. } => "checkmate",
            rules::Outcome::Stalemate => "stalemate",
            rules::Outcome::InsufficientMaterial => "insufficient-material",
            // FIDE 9.6: these two end a game without a claim.
            rules::Outcome::FivefoldRepetition => "fivefold-repetition",
            rules::Outcome::SeventyFiveMoves => "seventy-five-moves",
        },
    }
}

fn claim(draw: ClaimableDraw) -> &'static str {
    match draw {
        ClaimableDraw::ThreefoldRepetition => "threefold-repetition",
        ClaimableDraw::FiftyMoves => "fifty-moves",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(fen: Option<&str>, chess960: bool, moves: &str) -> StateAnswer {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        view(&Played::read(fen, chess960, &moves).expect("a game"))
    }

    fn reason(answer: &StateAnswer) -> Option<(&str, &str)> {
        answer
            .outcome
            .map(|outcome| (outcome.result, outcome.reason))
    }

    #[test]
    fn draws_by_rule_and_by_claim() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8 ";
        let twice = state(None, false, &shuffle.repeat(2));
        assert_eq!(
            (reason(&twice), twice.claimable),
            (None, Some("threefold-repetition"))
        );
        let often = state(None, false, &shuffle.repeat(4));
        assert_eq!(reason(&often), Some(("1/2-1/2", "fivefold-repetition")));
        assert!(often.legal.is_empty() && often.claimable.is_none());
        let rows = [
            (
                "k7/8/1Q6/8/8/8/8/K7 b - - 0 1",
                Some(("1/2-1/2", "stalemate")),
            ),
            (
                "k7/8/8/8/8/8/8/KN6 b - - 0 1",
                Some(("1/2-1/2", "insufficient-material")),
            ),
            (
                "k7/8/8/8/8/8/8/KR6 b - - 150 90",
                Some(("1/2-1/2", "seventy-five-moves")),
            ),
            ("k7/8/8/8/8/8/8/KR6 b - - 100 90", None),
        ];
        for (fen, expected) in rows {
            assert_eq!(reason(&state(Some(fen), false, "")), expected, "{fen}");
        }
        let fifty = state(Some(rows[3].0), false, "");
        assert_eq!(fifty.claimable, Some("fifty-moves"));
        assert_eq!(
            fifty.lone_kings,
            LoneKings {
                white: false,
                black: true
            }
        );
    }

    #[test]
    fn castling_has_another_name_where_that_name_is_free() {
        let also = |answer: &StateAnswer, text: &str| {
            let one = answer.legal.iter().find(|one| one.text == text);
            one.expect(text).also.clone()
        };
        let standard = state(Some("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"), false, "");
        assert_eq!(also(&standard, "e1g1").as_deref(), Some("e1h1"));
        assert_eq!(also(&standard, "e1c1").as_deref(), Some("e1a1"));
        assert_eq!(also(&standard, "e1e2"), None);
        let free = state(Some("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"), true, "");
        assert_eq!(also(&free, "e1h1").as_deref(), Some("e1g1"));
        // From f1 the king may step to g1: only the rook's square is unambiguous as castling.
        let near = state(Some("4k3/8/8/8/8/8/8/5K1R w K - 0 1"), true, "");
        assert!(near.chess960);
        assert_eq!(also(&near, "f1h1"), None);
        // A king on g1 that castles to g1 has no other notation.
        let there = state(Some("4k3/8/8/8/8/8/8/6KR w K - 0 1"), true, "");
        assert_eq!(also(&there, "g1h1"), None);
    }
}
