//! The human-readable report.

use std::fmt::Write as _;

use chess::notation::uci_move;
use chess::rules::{Bitboard, Move, Position, Square};

use super::Explained;
use super::boards::wrap;

/// Width of lists of moves.
const WIDTH: usize = 80;
/// Indent of lists of moves.
const INDENT: usize = 16;

/// A sentence per move, or the state of the position if there are none.
pub(super) fn write(explained: &Explained) -> String {
    let mut text = String::new();
    let written = if explained.moves.is_empty() {
        write_state(explained, &mut text)
    } else {
        let mut moves = explained.moves.iter();
        moves.try_for_each(|explanation| writeln!(text, "{explanation}"))
    };
    written.expect("a string can be written to");
    text
}

fn write_state(explained: &Explained, text: &mut String) -> std::fmt::Result {
    let (position, sight) = (&explained.position, &explained.sight);
    write!(text, "{}", side_to_move(position))?;
    if !sight.checkers.is_empty() {
        write!(text, ", in check from {}", names(position, sight.checkers))?;
    }
    writeln!(text)?;
    for pin in &sight.pins {
        let (piece, pinner) = (pin.piece.bitboard(), pin.pinner.bitboard());
        let (piece, pinner) = (names(position, piece), names(position, pinner));
        writeln!(text, "pinned: {piece} by {pinner}")?;
    }
    // FIDE 5.1.1 has checkmate, 5.2.1 stalemate.
    match position.legal_move_count() {
        0 if position.is_check() => writeln!(text, "no legal move: checkmate"),
        0 => writeln!(text, "no legal move: stalemate"),
        1 => writeln!(text, "1 legal move:"),
        count => writeln!(text, "{count} legal moves:"),
    }?;
    for (square, moves) in moves_by_piece(position) {
        let kind = position.piece_type_at(square).expect("a piece moves");
        let name = format!("{kind} {square}");
        for (index, line) in wrap(&moves.join(" "), WIDTH - INDENT).iter().enumerate() {
            let name = if index == 0 { &name } else { "" };
            writeln!(text, "  {name:<width$}{line}", width = INDENT - 2)?;
        }
    }
    Ok(())
}

/// `White to move`.
pub(super) fn side_to_move(position: &Position) -> String {
    format!("{} to move", position.side_to_move())
}

/// `the rook on h5 and the queen on a6`.
pub(super) fn names(position: &Position, squares: Bitboard) -> String {
    let name = |square| {
        let kind = position.piece_type_at(square);
        format!("the {} on {square}", kind.expect("a piece stands there"))
    };
    let names: Vec<String> = squares.into_iter().map(name).collect();
    names.join(" and ")
}

/// The pieces that can move, king first, then by strength and square; their moves in UCI notation,
/// in alphabetical order.
pub(super) fn moves_by_piece(position: &Position) -> Vec<(Square, Vec<String>)> {
    let mode = position.castling_mode();
    let moves = position.legal_moves();
    let ours = position.by_color(position.side_to_move());
    let mut pieces: Vec<Square> = ours.into_iter().collect();
    // Types are ordered from pawn to king, and the sort is stable: squares stay in order.
    pieces.sort_by_key(|&square| std::cmp::Reverse(position.piece_type_at(square)));
    let moves_of = |square: Square| {
        let own = moves.iter().filter(|m| m.from() == square);
        let mut names: Vec<String> = own
            .map(|&m: &Move| uci_move::write(m, position, mode))
            .collect();
        names.sort();
        (!names.is_empty()).then_some((square, names))
    };
    pieces.into_iter().filter_map(moves_of).collect()
}
