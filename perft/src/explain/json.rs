//! The JSON report.

use chess::notation::fen;
use chess::rules::explain::{Explanation, line_of_sight};
use chess::rules::{Bitboard, Color};
use serde::Serialize;

use super::Explained;
use super::human::moves_by_piece;

#[derive(Serialize)]
pub(super) struct ExplainReport {
    schema: &'static str,
    fen: String,
    side_to_move: &'static str,
    checkers: Vec<String>,
    /// `null` if the king is not in check.
    answers: Option<Vec<String>>,
    pins: Vec<PinReport>,
    danger: Vec<String>,
    danger_through_king: Vec<String>,
    legal_moves: u32,
    pieces: Vec<PieceReport>,
    /// The moves given on the command line.
    moves: Vec<MoveReport>,
}

#[derive(Serialize)]
struct PinReport {
    piece: String,
    pinner: String,
    ray: Vec<String>,
}

/// A piece of the side to move.
#[derive(Serialize)]
struct PieceReport {
    square: String,
    piece: char,
    sees: Vec<String>,
    moves: Vec<String>,
}

#[derive(Serialize)]
struct MoveReport {
    #[serde(rename = "move")]
    asked: String,
    legal: bool,
    rule: &'static str,
    sentence: String,
    squares: Vec<String>,
}

impl ExplainReport {
    pub(super) fn new(explained: &Explained) -> Self {
        let (position, sight) = (&explained.position, &explained.sight);
        let pins = sight.pins.iter().map(|pin| PinReport {
            piece: pin.piece.to_string(),
            pinner: pin.pinner.to_string(),
            ray: squares(pin.ray),
        });
        Self {
            schema: "touchstone/perft-explain/1",
            fen: fen::write(position),
            side_to_move: match position.side_to_move() {
                Color::White => "white",
                Color::Black => "black",
            },
            checkers: squares(sight.checkers),
            answers: sight.answers.map(squares),
            pins: pins.collect(),
            danger: squares(sight.danger),
            danger_through_king: squares(sight.danger_through_king),
            legal_moves: position.legal_move_count(),
            pieces: pieces(explained),
            moves: explained.moves.iter().map(MoveReport::new).collect(),
        }
    }
}

/// Every piece of the side to move, lowest square first.
fn pieces(explained: &Explained) -> Vec<PieceReport> {
    let position = &explained.position;
    let by_piece = moves_by_piece(position);
    let report = |square| {
        let piece = position.piece_at(square).expect("a piece stands there");
        let moves = by_piece.iter().find(|&&(from, _)| from == square);
        PieceReport {
            square: square.to_string(),
            piece: piece.to_char(),
            sees: squares(line_of_sight(position, square)),
            // A piece that cannot move is not in that list.
            moves: moves.map(|(_, moves)| moves.clone()).unwrap_or_default(),
        }
    };
    let ours = position.by_color(position.side_to_move());
    ours.into_iter().map(report).collect()
}

impl MoveReport {
    fn new(explanation: &Explanation) -> Self {
        Self {
            asked: explanation.asked().to_string(),
            legal: explanation.is_legal(),
            rule: explanation.rule().as_str(),
            sentence: explanation.to_string(),
            squares: squares(explanation.squares()),
        }
    }
}

fn squares(set: Bitboard) -> Vec<String> {
    set.into_iter().map(|square| square.to_string()).collect()
}
