//! The answer to `d`: a text drawing of the board and its state.

use std::fmt;

use chess::notation::{fen, uci_move};
use chess::rules::{ClaimableDraw, File, Move, Outcome, Piece, Rank, Square};

use crate::board::SessionBoard;
use crate::request::MoveSet;

/// A drawing of the board by `Display`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardDrawing<'a>(pub(crate) &'a SessionBoard);

impl fmt::Display for BoardDrawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.0;
        let position = board.position();
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{}", rank.to_char())?;
            for file in File::ALL {
                let piece = position.piece_at(Square::new(file, rank));
                write!(f, " {}", piece.map_or('.', Piece::to_char))?;
            }
            writeln!(f)?;
        }
        let files: String = File::ALL
            .map(|file| format!(" {}", file.to_char()))
            .concat();
        writeln!(f, " {files}\n")?;
        writeln!(f, "Fen: {}", fen::write(position))?;
        writeln!(f, "Key: {:016X}", position.key())?;
        writeln!(f, "To move: {}", position.side_to_move())?;
        writeln!(f, "Checkers:{}", words(position.checkers()))?;
        let moves = listed(board, MoveSet::Legal);
        writeln!(f, "Legal moves: {}{}", moves.len(), words(moves))?;
        write!(f, "Outcome: {}", outcome(board))
    }
}

/// The answer to `list` by `Display`: `moves: e2e4 …`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveLine<'a>(pub(crate) &'a SessionBoard, pub(crate) MoveSet);

impl fmt::Display for MoveLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "moves:{}", words(listed(self.0, self.1)))
    }
}

/// Moves in alphabetical order.
fn listed(board: &SessionBoard, set: MoveSet) -> Vec<String> {
    let position = board.position();
    let is_wanted = |m: &&Move| match set {
        MoveSet::Legal => true,
        MoveSet::Captures => position.is_capture(**m),
        MoveSet::Evasions => position.is_check(),
        MoveSet::Checks => position.play_unchecked(**m).is_check(),
    };
    let moves = position.legal_moves();
    let moves = moves.iter().filter(is_wanted);
    let mut written: Vec<String> = moves
        .map(|&m| uci_move::write(m, position, board.mode()))
        .collect();
    written.sort_unstable();
    written
}

/// Joins the items, each preceded by a space.
fn words(things: impl IntoIterator<Item = impl fmt::Display>) -> String {
    let mut text = String::new();
    for thing in things {
        text.push(' ');
        text.push_str(&thing.to_string());
    }
    text
}

fn outcome(board: &SessionBoard) -> String {
    let text = match (board.game().outcome(), board.game().claimable_draw()) {
        (Some(Outcome::Checkmate { winner }), _) => {
            return format!("checkmate, {winner} wins");
        }
        (Some(Outcome::Stalemate), _) => "draw by stalemate",
        (Some(Outcome::InsufficientMaterial), _) => "draw by insufficient material",
        (Some(Outcome::FivefoldRepetition), _) => "draw by fivefold repetition",
        (Some(Outcome::SeventyFiveMoves), _) => "draw by the seventy-five-move rule",
        (None, Some(ClaimableDraw::ThreefoldRepetition)) => {
            "none, a draw by threefold repetition can be claimed"
        }
        (None, Some(ClaimableDraw::FiftyMoves)) => {
            "none, a draw by the fifty-move rule can be claimed"
        }
        (None, None) => "none",
    };
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use chess::rules::CastlingMode;

    use super::*;

    fn drawn(text: &str) -> String {
        let position = fen::parse(text).expect("test positions are legal");
        BoardDrawing(&SessionBoard::new(position, CastlingMode::Standard)).to_string()
    }

    #[test]
    fn the_board_is_drawn() {
        let position = fen::parse("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1").expect("legal");
        let empty = ". . . . . . . .";
        let expected = format!(
            "8 . . . . k . . .\n7 {empty}\n6 {empty}\n5 {empty}\n4 {empty}\n3 {empty}\n2 . . . . r . . .\n\
             1 R . . . K . . R\n  a b c d e f g h\n\nFen: 4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1\nKey: {:016X}\n\
             To move: White\nCheckers: e2\nLegal moves: 3 e1d1 e1e2 e1f1\nOutcome: none",
            position.key()
        );
        assert_eq!(
            drawn("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1").trim_end(),
            expected
        );
    }

    #[test]
    fn moves_are_listed() {
        let position = "r3k2r/8/8/8/8/8/6P1/R3K2R w KQkq - 0 1";
        let check = "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1";
        for (text, set, expected) in [
            (position, MoveSet::Captures, "moves: a1a8 h1h8"),
            (position, MoveSet::Checks, "moves: a1a8 h1h8"),
            (position, MoveSet::Evasions, "moves:"),
            (check, MoveSet::Evasions, "moves: e1d1 e1e2 e1f1"),
            (check, MoveSet::Captures, "moves: e1e2"),
            (check, MoveSet::Legal, "moves: e1d1 e1e2 e1f1"),
        ] {
            let position = fen::parse(text).expect("test positions are legal");
            let board = SessionBoard::new(position, CastlingMode::Standard);
            assert_eq!(MoveLine(&board, set).to_string(), expected, "{text}");
        }
    }

    #[test]
    fn outcomes_are_named() {
        #[rustfmt::skip]
        let rows = [
            ("R3k3/8/4K3/8/8/8/8/8 b - - 0 1", "checkmate, White wins"),
            ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", "draw by stalemate"),
            ("4k3/8/4K3/8/8/8/8/8 b - - 0 1", "draw by insufficient material"),
            ("4k3/8/4K3/8/8/8/8/R7 w - - 150 90", "draw by the seventy-five-move rule"),
            ("4k3/8/4K3/8/8/8/8/R7 w - - 100 90", "none, a draw by the fifty-move rule can be claimed"),
        ];
        for (fen, expected) in rows {
            let drawing = drawn(fen);
            let last = drawing.lines().last();
            assert_eq!(last, Some(format!("Outcome: {expected}").as_str()), "{fen}");
        }
    }
}
