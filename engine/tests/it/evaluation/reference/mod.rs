//! The reference implementations of `engine::eval`: the same on a board of 64 squares.
//!
//! That of `ChessBin` follows the loops of the articles "Chess Piece Valid Moves" and "Chess Board Evaluation":
//! every piece keeps its list of moves and what attacks and defends it, and is then scored by
//! itself; `x` runs from the a-file to the h-file, `y` from the eighth rank to the first. With the
//! evaluation under test it shares nothing but the types of a setup. That a king may castle it
//! learns from the other generator of moves, the mailbox.

mod moves;
mod tables;

use chess::rules::{Color, PieceType, Setup};
use moves::Board;

/// The value of a legal setup in centipawns for the side to move.
pub(crate) fn evaluate(setup: &Setup) -> i32 {
    let board = Board::new(setup);
    let end_game = board.men.iter().flatten().count() < 10;
    let sides = Color::ALL.map(|color| {
        let mut score = castling_score(&board, color, end_game) + pawn_files_score(&board, color);
        let mut bishops = 0;
        for at in 0..64 {
            if let Some((owner, kind)) = board.men[at]
                && owner == color
            {
                score += man_score(&board, at, color, kind, end_game);
                bishops += i32::from(kind == PieceType::Bishop);
            }
        }
        score += 10 * (bishops - 1).max(0);
        if setup.side_to_move == color {
            score += 10;
            if board.in_check(color) {
                score -= if end_game { 85 } else { 75 };
            }
            score
        } else {
            -score
        }
    });
    sides[0] + sides[1]
}

fn man_score(board: &Board, at: usize, color: Color, kind: PieceType, end_game: bool) -> i32 {
    let (defended, attacked) = (board.defended[at], board.attacked[at]);
    let score = defended - attacked - (attacked - defended).max(0) * 10 + board.moves[at];
    let index = match color {
        Color::White => at,
        Color::Black => at + 56 - at / 8 * 16,
    };
    score
        + match kind {
            PieceType::Pawn => 100 + tables::PAWN[index] + pawn_score(board, at, color),
            PieceType::Knight => 320 + tables::KNIGHT[index] - if end_game { 10 } else { 0 },
            PieceType::Bishop => 325 + tables::BISHOP[index] + if end_game { 10 } else { 0 },
            PieceType::Rook => {
                let moved = board.rights(color) > 0 && !board.may_castle_with[at];
                500 - if moved { 10 } else { 0 }
            }
            PieceType::Queen => {
                let moved = at / 8 != home_row(color);
                975 - if moved && !end_game { 10 } else { 0 }
            }
            PieceType::King => {
                let shut_in = if board.moves[at] < 2 { 5 } else { 0 };
                let tables = [tables::KING, tables::KING_END_GAME];
                tables[usize::from(end_game)][index] - shut_in
            }
        }
}

fn home_row(color: Color) -> usize {
    if color == Color::White { 7 } else { 0 }
}

/// A rook pawn, a pawn behind another one, a passed pawn.
fn pawn_score(board: &Board, at: usize, color: Color) -> i32 {
    let (x, y) = (at % 8, at / 8);
    let mut score = if x == 0 || x == 7 { -15 } else { 0 };
    let stops = |enemy: &usize| {
        let ahead = match color {
            Color::White => enemy / 8 < y,
            Color::Black => enemy / 8 > y,
        };
        ahead && (enemy % 8).abs_diff(x) <= 1
    };
    if board.find(!color, PieceType::Pawn).iter().any(stops) {
        return score;
    }
    score += 10;
    if board.attacked[at] == 0 {
        let guarded = board.defended[at] != 0;
        score += match y.abs_diff(home_row(!color)) {
            1 => 200 + if guarded { 50 } else { 0 },
            2 => 100 + if guarded { 25 } else { 0 },
            _ => 0,
        };
    }
    score
}

/// Doubled and isolated pawns, file by file.
fn pawn_files_score(board: &Board, color: Color) -> i32 {
    // A file without pawns on either side of the board.
    let mut count = [0; 10];
    for at in board.find(color, PieceType::Pawn) {
        count[at % 8 + 1] += 1;
    }
    let penalties = [12, 14, 16, 20, 20, 16, 14, 12];
    let mut score = 0;
    for (files, penalty) in count.windows(3).zip(penalties) {
        score -= 16 * (files[1] - 1).max(0);
        if files[1] > 0 && files[0] == 0 && files[2] == 0 {
            score -= penalty;
        }
    }
    score
}

/// Castled: +40 in the middle game. May no longer, and has not: -30 in the middle game.
fn castling_score(board: &Board, color: Color, end_game: bool) -> i32 {
    if end_game || board.rights(color) > 0 {
        return 0;
    }
    let king = board.king(color);
    let (x, y) = (king % 8, king / 8);
    let mut towards_edge = match x {
        0..=2 => 0..x,
        6..=7 => x + 1..8,
        _ => return -30,
    };
    let is_shut_in = towards_edge.any(|x| board.men[y * 8 + x] == Some((color, PieceType::Rook)));
    if y == home_row(color) && !is_shut_in {
        40
    } else {
        -30
    }
}
