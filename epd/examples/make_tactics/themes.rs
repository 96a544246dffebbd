//! The words of `tag` for a move, and whether it is trivial.

use chess::rules::{Bitboard, Color, Move, PieceType, Position, Square, attacks};

/// What a piece is worth, in pawns; a king more than all.
pub(crate) fn worth(kind: PieceType) -> u32 {
    match kind {
        PieceType::Pawn => 1,
        PieceType::Knight | PieceType::Bishop => 3,
        PieceType::Rook => 5,
        PieceType::Queen => 9,
        PieceType::King => 100,
    }
}

/// What one side's pieces are worth together, without the king.
pub(crate) fn material(position: &Position, color: Color) -> u32 {
    let pieces = PieceType::ALL
        .into_iter()
        .filter(|&kind| kind != PieceType::King);
    pieces
        .map(|kind| worth(kind) * position.pieces(color, kind).count())
        .sum()
}

/// What a move takes.
fn captured(position: &Position, m: Move) -> Option<PieceType> {
    if position.is_en_passant(m) {
        return Some(PieceType::Pawn);
    }
    let target = position.piece_type_at(m.to());
    target.filter(|_| position.is_capture(m))
}

fn moved(position: &Position, m: Move) -> PieceType {
    let kind = position.piece_type_at(m.from());
    kind.expect("a legal move starts from a piece")
}

/// The legal replies that take the piece that has just moved.
fn takers(position: &Position, m: Move) -> Vec<PieceType> {
    let next = position.play_unchecked(m);
    let replies = next.legal_moves().into_iter();
    replies
        .filter(|reply| reply.to() == m.to() && next.is_capture(*reply))
        .map(|reply| moved(&next, reply))
        .collect()
}

/// Whether a capture needs no thought: it takes back, takes what is worth more than the capturer,
/// or takes a piece, not a pawn, that nobody defends.
pub(crate) fn is_trivial(position: &Position, m: Move, captured_on: Option<Square>) -> bool {
    let Some(taken) = captured(position, m) else {
        return false;
    };
    captured_on == Some(m.to())
        || worth(taken) > worth(moved(position, m))
        || worth(taken) > 1 && takers(position, m).is_empty()
}

/// The words for a move: what it is (`quiet` where nothing else fits), and `ending` where few
/// pieces are left.
pub(crate) fn themes(position: &Position, m: Move) -> Vec<&'static str> {
    let next = position.play_unchecked(m);
    let mut words = Vec::new();
    let rows = [
        (position.is_capture(m), "capture"),
        (next.is_check(), "check"),
        (next.checkers().has_several(), "double-check"),
        (is_discovered(&next, m), "discovered-check"),
        (is_fork(position, m), "fork"),
        (position.is_castling(m), "castling"),
        (m.promotion().is_some(), "promotion"),
        (is_sacrifice(position, m), "sacrifice"),
    ];
    words.extend(rows.into_iter().filter(|row| row.0).map(|row| row.1));
    if words.is_empty() {
        words.push("quiet");
    }
    let pieces = position.occupied() & !position.by_type(PieceType::Pawn);
    words.extend((pieces.count() <= 6).then_some("ending"));
    words
}

/// A check by a piece that did not move.
fn is_discovered(next: &Position, m: Move) -> bool {
    let checkers = next.checkers();
    !checkers.is_empty() && !checkers.contains(m.to()) && next.piece_at(m.to()).is_some()
}

/// The piece attacks two or more that are worth more than itself, the king among them.
fn is_fork(position: &Position, m: Move) -> bool {
    let us = position.side_to_move();
    let next = position.play_unchecked(m);
    let kind = m.promotion().unwrap_or_else(|| moved(position, m));
    let targets = attacked(kind, us, m.to(), next.occupied()) & next.by_color(!us);
    let more = |&square: &Square| {
        let target = next.piece_type_at(square);
        target.is_some_and(|target| worth(target) > worth(kind))
    };
    kind != PieceType::King && targets.into_iter().filter(more).count() >= 2
}

fn attacked(kind: PieceType, color: Color, from: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceType::Pawn => attacks::pawn(color, from),
        PieceType::Knight => attacks::knight(from),
        PieceType::Bishop => attacks::bishop(from, occupied),
        PieceType::Rook => attacks::rook(from, occupied),
        PieceType::Queen => attacks::bishop(from, occupied) | attacks::rook(from, occupied),
        PieceType::King => attacks::king(from),
    }
}

/// The piece can be taken by one of less worth, and is worth two pawns more than what it took.
fn is_sacrifice(position: &Position, m: Move) -> bool {
    let offered = worth(moved(position, m));
    let gained = captured(position, m).map_or(0, worth);
    let by_less = |kind: &PieceType| *kind == PieceType::King || worth(*kind) < offered;
    !position.is_castling(m) && offered >= gained + 2 && takers(position, m).iter().any(by_less)
}
