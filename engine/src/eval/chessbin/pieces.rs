//! The terms of the articles: piece values, placement, single kinds, pawns, the king.

use chess::rules::{Bitboard, CastlingSide, Color, File, PieceType, Position, Rank, attacks};

use super::{ActionValues, ChessBin, Term, TermSink, tables};
use crate::eval::Phased;

/// Knights have difficulty mating, so they are worth less when few pieces are left.
const KNIGHT: Phased = Phased::new(0, -10);
/// Bishops are worth more in the end game.
const BISHOP: Phased = Phased::new(0, 10);
/// For each bishop beyond the first.
const BISHOP_PAIR: Phased = Phased::both(10);
/// For a rook that can no longer castle while the other one can.
const ROOK_MOVED: Phased = Phased::both(-10);
/// For a queen that has left the first rank.
const QUEEN_MOVED: Phased = Phased::new(-10, 0);
/// Penalty for each point by which attacks exceed defences.
const HANGING: i32 = -10;

/// Adds all terms of one side that do not belong to pawns or king alone.
#[inline(always)]
pub(super) fn value(
    position: &Position,
    color: Color,
    actions: &ActionValues,
    sink: &mut impl TermSink,
) {
    for kind in PieceType::ALL {
        let pieces = position.pieces(color, kind);
        if kind != PieceType::King {
            let material = ChessBin::piece_value(kind) * pieces.count().cast_signed();
            sink.add(Term::Material, color, Phased::both(material));
        }
        for square in pieces {
            sink.add(Term::Tables, color, tables::value(kind, color, square));
        }
    }
    value_kinds(position, color, sink);
    value_actions(position, color, actions, sink);
}

/// The terms of the articles for single kinds of pieces.
#[inline(always)]
fn value_kinds(position: &Position, color: Color, sink: &mut impl TermSink) {
    let pieces = |kind| position.pieces(color, kind);
    let count = |kind| pieces(kind).count();
    let bishops = count(PieceType::Bishop);
    let castling_rooks = position.castling_rooks() & position.by_color(color);
    let moved_rooks = if castling_rooks.is_empty() {
        0
    } else {
        (pieces(PieceType::Rook) & !castling_rooks).count()
    };
    let first_rank = Rank::R1.relative_to(color).bitboard();
    let moved_queens = (pieces(PieceType::Queen) & !first_rank).count();
    for (term, value, count) in [
        (Term::Knights, KNIGHT, count(PieceType::Knight)),
        (Term::Bishops, BISHOP, bishops),
        (Term::BishopPair, BISHOP_PAIR, bishops.saturating_sub(1)),
        (Term::Rooks, ROOK_MOVED, moved_rooks),
        (Term::Queens, QUEEN_MOVED, moved_queens),
    ] {
        sink.add(term, color, value.times(count));
    }
}

/// Bonuses for defended pieces, penalties for attacked ones, and additional penalties for hanging
/// ones, whose attackers outweigh their defenders.
#[inline(always)]
fn value_actions(
    position: &Position,
    color: Color,
    actions: &ActionValues,
    sink: &mut impl TermSink,
) {
    let (mut defended_sum, mut attacked_sum, mut excess_sum) = (0, 0, 0);
    for square in position.by_color(color) {
        let (defended, attacked) = (actions.on(square, color), actions.on(square, !color));
        defended_sum += defended;
        attacked_sum += attacked;
        excess_sum += (attacked - defended).max(0);
    }
    sink.add(Term::Defended, color, Phased::both(defended_sum));
    sink.add(Term::Attacked, color, Phased::both(-attacked_sum));
    sink.add(Term::Hanging, color, Phased::both(HANGING * excess_sum));
}

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
pub(super) fn value_pawns(
    position: &Position,
    color: Color,
    actions: &ActionValues,
    sink: &mut impl TermSink,
) {
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
fn value_passed(
    position: &Position,
    color: Color,
    actions: &ActionValues,
    sink: &mut impl TermSink,
) {
    let pawns = position.pieces(color, PieceType::Pawn);
    let enemies = position.pieces(!color, PieceType::Pawn);
    let mut value_pawns = 0;
    for square in pawns & !fields(enemies, !color) {
        value_pawns += PASSED;
        for (rank, unattacked, defended) in UNATTACKED {
            let there = square.rank() == rank.relative_to(color);
            if there && actions.on(square, !color) == 0 {
                value_pawns += unattacked;
                if actions.on(square, color) != 0 {
                    value_pawns += defended;
                }
            }
        }
    }
    sink.add(Term::PassedPawns, color, Phased::both(value_pawns));
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

/// A king that has lost its castling rights without castling.
const MOVED: Phased = Phased::new(-30, 0);
/// A king that has castled. The articles say that this counts less in the end game; there it would
/// depend on the king's square alone and would tie the king to its corner.
const CASTLED: Phased = Phased::new(40, 0);

/// Adds the terms for castling rights and for having castled.
#[inline(always)]
pub(super) fn value_king(position: &Position, color: Color, sink: &mut impl TermSink) {
    if position
        .castling_rooks()
        .intersects(position.by_color(color))
    {
        return;
    }
    if stands_as_castled(position, color) {
        sink.add(Term::Castled, color, CASTLED);
    } else {
        sink.add(Term::KingMoved, color, MOVED);
    }
}

/// Whether a king without castling rights stands where castling leads: on its first rank, on one of
/// the files g and h, or a to c, with no rook of its own trapped between it and the edge.
#[inline(always)]
fn stands_as_castled(position: &Position, color: Color) -> bool {
    let king = position.king(color);
    let side = match king.file() {
        File::A | File::B | File::C => CastlingSide::Queen,
        File::D | File::E | File::F => return false,
        File::G | File::H => CastlingSide::King,
    };
    let corner = side.standard_rook(color);
    let beyond = attacks::between(king, corner) | corner.bitboard();
    king.rank() == Rank::R1.relative_to(color)
        && !beyond.intersects(position.pieces(color, PieceType::Rook))
}
