//! The oracle: an independent move generator on a mailbox board of 64 squares.
//!
//! It follows `ChessBin`'s articles "Chess Piece Moves" and "Chess Piece Valid Moves": every piece
//! has an array of squares for each direction, walked until something is in the way. The resulting
//! pseudo-legal moves are made on the board and tested for check. Errors in the articles are fixed:
//! castling rights after a rook has moved or was captured, promotion to any piece, Chess960.
//!
//! It is slow and obvious on purpose, and shares only the types with the bitboard generator: no
//! table, mask or helper. If the two disagree, one of them is wrong.

use std::sync::LazyLock;

use super::{Bitboard, CastlingSide, Color, File, Move, Piece, PieceType, Rank, Setup, Square};

/// Every legal move of a legal setup, in no particular order.
pub fn legal_moves(board: &Setup) -> Vec<Move> {
    let mut moves = pseudo_legal_moves(board);
    moves.retain(|&m| !in_check(&play(board, m), board.side_to_move));
    moves.extend(castling_moves(board));
    moves
}

/// Makes a legal move.
///
/// # Panics
///
/// If there is no piece on the origin.
#[must_use]
pub fn play(board: &Setup, m: Move) -> Setup {
    let us = board.side_to_move;
    let piece = board
        .piece_at(m.from())
        .expect("a legal move starts from a piece");
    let target = board.piece_at(m.to());
    let mut next = board.clone();
    next.side_to_move = !us;
    next.ep_square = None;
    next.halfmove_clock = next.halfmove_clock.saturating_add(1);
    if us == Color::Black {
        next.fullmove_number = next.fullmove_number.saturating_add(1);
    }
    next.board[m.from().index()] = None;
    // Castling is king takes own rook (docs/adr/0002).
    if target == Some(Piece::new(us, PieceType::Rook)) {
        let side = CastlingSide::new(m.from(), m.to());
        next.board[m.to().index()] = None;
        next.board[side.king_target(us).index()] = Some(piece);
        next.board[side.rook_target(us).index()] = target;
    } else {
        let arriving = Piece::new(us, m.promotion().unwrap_or(piece.piece_type));
        next.board[m.to().index()] = Some(arriving);
    }
    if piece.piece_type == PieceType::Pawn {
        // En passant (FIDE 3.7.3.1): only so does a pawn reach an empty square of another file.
        if target.is_none() && m.from().file() != m.to().file() {
            let victim = Square::new(m.to().file(), m.from().rank());
            next.board[victim.index()] = None;
        }
        if m.from().rank() == Rank::R2.relative_to(us) && m.to().rank() == Rank::R4.relative_to(us)
        {
            // As in FEN, after every double step, whether or not a pawn can capture.
            next.ep_square = m.from().offset(0, us.forward());
        }
    }
    // FIDE 9.3: pawn moves and captures. The own rook that castling takes is none.
    if piece.piece_type == PieceType::Pawn || target.is_some_and(|taken| taken.color != us) {
        next.halfmove_clock = 0;
    }
    next.castling_rooks = remaining_rights(board, m, piece);
    next
}

/// Whether the king of `color` is attacked.
pub fn in_check(board: &Setup, color: Color) -> bool {
    let king = Some(Piece::new(color, PieceType::King));
    Square::ALL
        .into_iter()
        .any(|square| board.piece_at(square) == king && is_attacked(board, square, !color))
}

/// Counts leaf nodes by making every move. Depth 0 is 1.
pub fn perft(board: &Setup, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    legal_moves(board)
        .into_iter()
        .map(|m| perft(&play(board, m), depth - 1))
        .sum()
}

fn remaining_rights(board: &Setup, m: Move, piece: Piece) -> Bitboard {
    let lost = |rook: Square| {
        let kings_own =
            piece.piece_type == PieceType::King && rook.rank() == Rank::R1.relative_to(piece.color);
        // A rook that is captured takes its right with it.
        rook == m.from() || rook == m.to() || kings_own
    };
    board
        .castling_rooks
        .into_iter()
        .filter(|&rook| !lost(rook))
        .collect()
}

fn is_attacked(board: &Setup, target: Square, by: Color) -> bool {
    Square::ALL
        .into_iter()
        .any(|from| match board.piece_at(from) {
            Some(piece) if piece.color == by => attacks(board, from, piece, target),
            _ => false,
        })
}

fn attacks(board: &Setup, from: Square, piece: Piece, target: Square) -> bool {
    for direction in ARRAYS.attacks(piece, from) {
        for &square in direction {
            if square == target {
                return true;
            }
            if board.piece_at(square).is_some() {
                break;
            }
        }
    }
    false
}

fn pseudo_legal_moves(board: &Setup) -> Vec<Move> {
    let mut moves = Vec::new();
    for from in Square::ALL {
        match board.piece_at(from) {
            Some(piece) if piece.color == board.side_to_move => {
                if piece.piece_type == PieceType::Pawn {
                    add_pawn_moves(board, from, piece, &mut moves);
                } else {
                    add_piece_moves(board, from, piece, &mut moves);
                }
            }
            _ => {}
        }
    }
    moves
}

fn add_piece_moves(board: &Setup, from: Square, piece: Piece, moves: &mut Vec<Move>) {
    for direction in ARRAYS.attacks(piece, from) {
        for &to in direction {
            match board.piece_at(to) {
                None => moves.push(Move::new(from, to)),
                Some(other) => {
                    if other.color != piece.color {
                        moves.push(Move::new(from, to));
                    }
                    break;
                }
            }
        }
    }
}

fn add_pawn_moves(board: &Setup, from: Square, pawn: Piece, moves: &mut Vec<Move>) {
    for &to in &ARRAYS.pawn_steps[pawn.color.index()][from.index()] {
        if board.piece_at(to).is_some() {
            break;
        }
        add_pawn_move(from, to, pawn.color, moves);
    }
    for direction in ARRAYS.attacks(pawn, from) {
        for &to in direction {
            let takes = board
                .piece_at(to)
                .is_some_and(|other| other.color != pawn.color);
            if takes || board.ep_square == Some(to) {
                add_pawn_move(from, to, pawn.color, moves);
            }
        }
    }
}

fn add_pawn_move(from: Square, to: Square, color: Color, moves: &mut Vec<Move>) {
    if to.rank() == Rank::R8.relative_to(color) {
        for kind in [
            PieceType::Knight,
            PieceType::Bishop,
            PieceType::Rook,
            PieceType::Queen,
        ] {
            moves.push(Move::new_promotion(from, to, kind));
        }
    } else {
        moves.push(Move::new(from, to));
    }
}

fn castling_moves(board: &Setup) -> Vec<Move> {
    let us = board.side_to_move;
    // The king may not castle out of check (FIDE 3.8.2).
    if in_check(board, us) {
        return Vec::new();
    }
    let mut moves = Vec::new();
    for king in Square::ALL {
        if board.piece_at(king) != Some(Piece::new(us, PieceType::King)) {
            continue;
        }
        for rook in board.castling_rooks {
            if rook.rank() == Rank::R1.relative_to(us) && may_castle(board, king, rook) {
                moves.push(Move::new(king, rook));
            }
        }
    }
    moves
}

/// Checks the squares of the first rank one by one.
fn may_castle(board: &Setup, king: Square, rook: Square) -> bool {
    let us = board.side_to_move;
    let side = CastlingSide::new(king, rook);
    let (king_target, rook_target) = (side.king_target(us), side.rook_target(us));
    let passed_by_king = files_from_to(king.file(), king_target.file());
    let passed_by_rook = files_from_to(rook.file(), rook_target.file());

    // King and rook may stand in each other's way, and in Chess960 often do.
    let mut without_both = board.clone();
    without_both.board[king.index()] = None;
    without_both.board[rook.index()] = None;
    for &file in passed_by_king.iter().chain(&passed_by_rook) {
        if without_both
            .piece_at(Square::new(file, king.rank()))
            .is_some()
        {
            return false;
        }
    }
    // The king does not hide its own path from sliders.
    let mut without_king = board.clone();
    without_king.board[king.index()] = None;
    for &file in &passed_by_king {
        if is_attacked(&without_king, Square::new(file, king.rank()), !us) {
            return false;
        }
    }
    // In Chess960, the rook may have stood between an attacker and the king's target.
    !in_check(&play(board, Move::new(king, rook)), us)
}

fn files_from_to(from: File, to: File) -> Vec<File> {
    let (low, high) = (from.min(to), from.max(to));
    File::ALL
        .into_iter()
        .filter(|&file| low <= file && file <= high)
        .collect()
}

/// For each direction, the target squares in order, nearest first.
type Directions = Vec<Vec<Square>>;

/// The moves of each piece from each square of an empty board.
struct MoveArrays {
    pieces: [[Directions; Square::COUNT]; PieceType::COUNT],
    pawn_captures: [[Directions; Square::COUNT]; Color::COUNT],
    pawn_steps: [[Vec<Square>; Square::COUNT]; Color::COUNT],
}

static ARRAYS: LazyLock<MoveArrays> = LazyLock::new(MoveArrays::new);

impl MoveArrays {
    fn new() -> Self {
        Self {
            pieces: PieceType::ALL.map(|kind| Square::ALL.map(|from| directions(kind, from))),
            pawn_captures: Color::ALL.map(|color| {
                let capture = |from, files| walk(from, files, color.forward(), 1);
                Square::ALL.map(|from| vec![capture(from, -1), capture(from, 1)])
            }),
            pawn_steps: Color::ALL.map(|color| {
                Square::ALL.map(|from| {
                    let is_at_home = from.rank() == Rank::R2.relative_to(color);
                    let length = if is_at_home { 2 } else { 1 };
                    walk(from, 0, color.forward(), length)
                })
            }),
        }
    }

    fn attacks(&self, piece: Piece, from: Square) -> &Directions {
        match piece.piece_type {
            PieceType::Pawn => &self.pawn_captures[piece.color.index()][from.index()],
            kind => &self.pieces[kind.index()][from.index()],
        }
    }
}

fn directions(kind: PieceType, from: Square) -> Directions {
    const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
    const JUMPS: [(i32, i32); 8] = [
        (1, 2),
        (2, 1),
        (2, -1),
        (1, -2),
        (-1, -2),
        (-2, -1),
        (-2, 1),
        (-1, 2),
    ];
    let (steps, length) = match kind {
        PieceType::Pawn => (Vec::new(), 0),
        PieceType::Knight => (JUMPS.to_vec(), 1),
        PieceType::Bishop => (DIAGONAL.to_vec(), 7),
        PieceType::Rook => (STRAIGHT.to_vec(), 7),
        PieceType::Queen => ([STRAIGHT, DIAGONAL].concat(), 7),
        PieceType::King => ([STRAIGHT, DIAGONAL].concat(), 1),
    };
    steps
        .into_iter()
        .map(|(files, ranks)| walk(from, files, ranks, length))
        .collect()
}

fn walk(from: Square, files: i32, ranks: i32, length: i32) -> Vec<Square> {
    (1..=length)
        .map_while(|step| from.offset(files * step, ranks * step))
        .collect()
}
