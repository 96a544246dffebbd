//! Pawns: on the edge, doubled, isolated, passed.

use super::{Actions, Sink, Term};
use crate::eval::Phased;
use chess::rules::{Bitboard, Color, File, PieceType, Position, Rank};

/// A pawn on a rook file attacks one way only.
const ROOK_PAWN: Phased = Phased::both(-15);
/// For each pawn of a file beyond the first.
const DOUBLED: Phased = Phased::both(-16);
/// For each file whose neighbours hold no pawn of its side, a to h.
const ISOLATED: [i32; File::COUNT] = [-12, -14, -16, -20, -20, -16, -14, -12];
const PASSED: i32 = 10;
/// A passed pawn that is not attacked: its relative rank, its bonus, and the additional bonus if it
/// is defended.
const UNATTACKED: [(Rank, i32, i32); 2] = [(Rank::R6, 100, 25), (Rank::R7, 200, 50)];

/// Adds the terms of one side's pawns.
#[inline(always)]
pub(super) fn value(position: &Position, color: Color, actions: &Actions, sink: &mut impl Sink) {
    let pawns = position.pieces(color, PieceType::Pawn);
    let edges = File::A.bitboard() | File::H.bitboard();
    let files = files(pawns);
    let doubled = pawns.count() - files.count();
    sink.add(
        Term::RookPawns,
        color,
        ROOK_PAWN.times((pawns & edges).count()),
    );
    sink.add(Term::DoubledPawns, color, DOUBLED.times(doubled));
    for file in files & !(files.east() | files.west()) {
        let penalty = ISOLATED[file.file().index()];
        sink.add(Term::IsolatedPawns, color, Phased::both(penalty));
    }
    value_passed(position, color, actions, sink);
}

/// The files that hold a square of the set, as squares of the first rank.
#[inline(always)]
fn files(set: Bitboard) -> Bitboard {
    let set = set.0 | set.0 >> 32;
    let set = set | set >> 16;
    Bitboard(set | set >> 8) & Rank::R1.bitboard()
}

#[inline(always)]
fn value_passed(position: &Position, color: Color, actions: &Actions, sink: &mut impl Sink) {
    let pawns = position.pieces(color, PieceType::Pawn);
    let enemies = position.pieces(!color, PieceType::Pawn);
    let mut value = 0;
    for square in pawns & !fields(enemies, !color) {
        value += PASSED;
        for (rank, unattacked, defended) in UNATTACKED {
            let there = square.rank() == rank.relative_to(color);
            if there && actions.on(square, !color) == 0 {
                value += unattacked;
                if actions.on(square, color) != 0 {
                    value += defended;
                }
            }
        }
    }
    sink.add(Term::PassedPawns, color, Phased::both(value));
}

/// The squares ahead of pawns of `color`, on their files and the adjacent ones: enemy pawns there
/// are not passed.
#[inline(always)]
fn fields(pawns: Bitboard, color: Color) -> Bitboard {
    let mut fields = pawns.forward(color);
    fields |= fields.east() | fields.west();
    // A pawn on its second rank has six ranks ahead, the first of which is already included.
    for _ in 0..5 {
        fields |= fields.forward(color);
    }
    fields
}
