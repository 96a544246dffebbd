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
use moves::{Board, Man};

/// The value of a legal setup in centipawns for the side to move.
pub(crate) fn evaluate(setup: &Setup) -> i32 {
    let board = Board::new(setup);
    let men = board.squares.iter().flatten().count();
    score(&board, setup, men < 10)
}

fn score(board: &Board, setup: &Setup, end_game: bool) -> i32 {
    let mut score = 0;
    for color in Color::ALL {
        let mut own = castling_score(board, color, end_game) + pawn_files_score(board, color);
        let mut bishops = 0;
        for at in 0..64 {
            match &board.squares[at] {
                Some(man) if man.color == color => {
                    own += man_score(board, at, man, end_game, &mut bishops);
                }
                _ => {}
            }
        }
        if setup.side_to_move == color {
            own += 10;
            if board.in_check(color) {
                own -= if end_game { 85 } else { 75 };
            }
        }
        score += if setup.side_to_move == color {
            own
        } else {
            -own
        };
    }
    score
}

fn man_score(board: &Board, at: usize, man: &Man, end_game: bool, bishops: &mut u32) -> i32 {
    let mut score = man.defended - man.attacked;
    if man.defended < man.attacked {
        score -= (man.attacked - man.defended) * 10;
    }
    score += i32::try_from(man.moves.len()).expect("a few moves");
    let index = match man.color {
        Color::White => at,
        Color::Black => at + 56 - at / 8 * 16,
    };
    score += match man.kind {
        PieceType::Pawn => 100 + tables::PAWN[index] + pawn_score(board, at, man),
        PieceType::Knight => 320 + tables::KNIGHT[index] - if end_game { 10 } else { 0 },
        PieceType::Bishop => {
            *bishops += 1;
            let pair = if *bishops >= 2 { 10 } else { 0 };
            325 + tables::BISHOP[index] + pair + if end_game { 10 } else { 0 }
        }
        PieceType::Rook => {
            let moved = board.rights(man.color) > 0 && !board.may_castle_with[at];
            500 - if moved { 10 } else { 0 }
        }
        PieceType::Queen => {
            let moved = at / 8 != home_row(man.color);
            975 - if moved && !end_game { 10 } else { 0 }
        }
        PieceType::King => {
            let table = if end_game {
                tables::KING_END_GAME
            } else {
                tables::KING
            };
            table[index] - if man.moves.len() < 2 { 5 } else { 0 }
        }
    };
    score
}

fn home_row(color: Color) -> usize {
    if color == Color::White { 7 } else { 0 }
}

/// A rook pawn, a pawn behind another one, a passed pawn.
fn pawn_score(board: &Board, at: usize, pawn: &Man) -> i32 {
    let (x, y) = (at % 8, at / 8);
    let mut score = 0;
    if x == 0 || x == 7 {
        score -= 15;
    }
    let stops = |enemy: &usize| {
        let ahead = if pawn.color == Color::White {
            enemy / 8 < y
        } else {
            enemy / 8 > y
        };
        ahead && (enemy % 8).abs_diff(x) <= 1
    };
    if board.pawns(!pawn.color).iter().any(stops) {
        return score;
    }
    score += 10;
    let steps_to_go = if pawn.color == Color::White { y } else { 7 - y };
    if pawn.attacked == 0 {
        let guarded = pawn.defended != 0;
        score += match steps_to_go {
            1 => 200 + if guarded { 50 } else { 0 },
            2 => 100 + if guarded { 25 } else { 0 },
            _ => 0,
        };
    }
    score
}

/// Doubled and isolated pawns, file by file.
fn pawn_files_score(board: &Board, color: Color) -> i32 {
    let mut count = [0; 8];
    for at in board.pawns(color) {
        count[at % 8] += 1;
    }
    let penalties = [12, 14, 16, 20, 20, 16, 14, 12];
    let mut score = 0;
    for x in 0..8 {
        if count[x] > 1 {
            score -= 16 * (count[x] - 1);
        }
        let left = if x > 0 { count[x - 1] } else { 0 };
        let right = if x < 7 { count[x + 1] } else { 0 };
        if count[x] > 0 && left == 0 && right == 0 {
            score -= penalties[x];
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
    let own_rook = |at: usize| {
        board.squares[at]
            .as_ref()
            .is_some_and(|man| man.color == color && man.kind == PieceType::Rook)
    };
    let towards_edge: Vec<usize> = match x {
        0..=2 => (0..x).collect(),
        6..=7 => (x + 1..8).collect(),
        _ => return -30,
    };
    let shut_in = towards_edge.iter().any(|x| own_rook(y * 8 + x));
    if y == home_row(color) && !shut_in {
        40
    } else {
        -30
    }
}
