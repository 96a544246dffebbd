//! A move generator that knows the rules of some stages only, as one that is being written does: the library's slow one,
//! without what comes later.

use chess::rules::{Bitboard, Color, Move, Piece, PieceType, Setup, Square, mailbox};
use perft::subject::Route;

/// The moves at the end of a route and the leaf nodes below each, with the rules of the stages up to this one. Moves of
/// the route are made rightly.
pub(crate) fn divide(stage: u32, route: &Route, depth: u32) -> Vec<(Move, u64)> {
    let mut board = route.root().to_setup();
    for &m in route.moves() {
        board = mailbox::play(&board, m);
    }
    let moves = moves(stage, &board).into_iter();
    moves
        .map(|m| (m, leaves(stage, &play(stage, &board, m), depth - 1)))
        .collect()
}

fn leaves(stage: u32, board: &Setup, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = moves(stage, board).into_iter();
    moves
        .map(|m| leaves(stage, &play(stage, board, m), depth - 1))
        .sum()
}

fn moves(stage: u32, board: &Setup) -> Vec<Move> {
    let us = board.side_to_move;
    let king = Piece::new(us, PieceType::King);
    // With a pawn in place of the king, whatever the other pieces do is legal.
    let mut without_king = board.clone();
    for square in board.squares_of(king) {
        without_king.board[square.index()] = Some(Piece::new(us, PieceType::Pawn));
    }
    let is_kings = |m: &Move| board.piece_at(m.from()) == Some(king);
    let mut moves = mailbox::legal_moves(&without_king);
    moves.retain(|m| !is_kings(m) && (stage < 5 || is_safe(stage, board, *m)));
    moves.extend(mailbox::legal_moves(board).into_iter().filter(is_kings));
    moves.retain(|&m| stage_of(board, m) <= stage);
    moves
}

/// The stage that a move belongs to.
fn stage_of(board: &Setup, m: Move) -> u32 {
    let piece = board.piece_at(m.from()).expect("a piece moves");
    let is_pawn = piece.piece_type == PieceType::Pawn;
    match board.piece_at(m.to()) {
        _ if m.promotion().is_some() => 9,
        // Castling is king takes rook.
        Some(target) if target.color == piece.color => 10,
        Some(_) => 5,
        None if is_pawn && m.from().file() != m.to().file() => 8,
        None => match piece.piece_type {
            PieceType::King => 1,
            PieceType::Knight => 2,
            PieceType::Bishop | PieceType::Rook | PieceType::Queen => 3,
            PieceType::Pawn => 4,
        },
    }
}

/// Whether a move leaves the king safe, as far as the stage knows.
fn is_safe(stage: u32, board: &Setup, m: Move) -> bool {
    let us = board.side_to_move;
    let mut after = mailbox::play(board, m);
    if stage < 6 {
        // What a pin is comes later: the piece still stands before its king.
        after.board[m.from().index()] = board.piece_at(m.from());
    }
    if stage >= 7 {
        return !mailbox::in_check(&after, us);
    }
    // What double check is comes later: only the first checker is seen.
    let (before, left) = (checkers(board, us), checkers(&after, us));
    let is_answered = before.first().is_none_or(|first| !left.contains(first));
    is_answered && (left & !before).is_empty()
}

/// The pieces that attack the king of a side.
fn checkers(board: &Setup, side: Color) -> Bitboard {
    let is_enemy = |square: Square| {
        board
            .piece_at(square)
            .is_some_and(|piece| piece.color != side)
    };
    let gives_check = |&checker: &Square| {
        // Everyone else only stands in the way.
        let mut alone = board.clone();
        for square in Square::ALL
            .into_iter()
            .filter(|&one| one != checker && is_enemy(one))
        {
            alone.board[square.index()] = Some(Piece::new(side, PieceType::Pawn));
        }
        mailbox::in_check(&alone, side)
    };
    let enemies = Square::ALL.into_iter().filter(|&square| is_enemy(square));
    if !mailbox::in_check(board, side) {
        return Bitboard::EMPTY;
    }
    enemies.filter(gives_check).collect()
}

fn play(stage: u32, board: &Setup, m: Move) -> Setup {
    let mut next = mailbox::play(board, m);
    if stage < 11 && m.promotion().is_some() && board.castling_rooks.contains(m.to()) {
        // That a promotion takes the right of the rook that it captures is thought of last.
        next.castling_rooks |= Bitboard::from(m.to());
    }
    next
}
