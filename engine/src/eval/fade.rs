//! What is left of an advantage that may not win: the more pieces have gone, the more the end game
//! counts, and of that a share in 64ths is left.
//!
//! The ideas are those of the chessprogramming wiki's pages on draws by material, on the wrong
//! bishop and on bishops of opposite colours.

use super::{EvalTrace, Phased, Taper, TraceRow};
use chess::rules::{Bitboard, ByColor, Color, File, PieceType, Position, Rank, Square};

/// All of it is left.
pub(super) const ALL: u8 = 64;
const DRAW: u8 = 0;
/// A small material advantage without pawns.
const NO_PAWNS: u8 = 8;
/// Pure opposite-coloured bishops; and the increment per passed pawn.
const OPPOSITE_BISHOPS: (u8, u8) = (20, 5);
/// Opposite-coloured bishops with other pieces.
const OPPOSITE_BISHOPS_AND_OTHERS: u8 = 48;
/// Against pieces, at most a minor piece ahead: with one pawn, and for each further one.
const FEW_PAWNS: (u8, u8) = (40, 8);

/// A score for the side to move, faded.
#[inline(always)]
pub(super) fn faded(position: &Position, value: i32) -> i32 {
    let scale = scale(position, ahead(position, value));
    taper(position).blend_scaled(Phased::both(value), scale)
}

/// The trace of a network's score before it is [faded]. The network does not attribute it to the sides,
/// so all of it is shown for the side that is ahead.
pub(super) fn trace(position: &Position, value: i32) -> EvalTrace {
    let strong = ahead(position, value);
    let mut sides = ByColor([Phased::both(0); 2]);
    sides[strong] = Phased::both(value.abs());
    let name = "network";
    let rows = vec![TraceRow { name, sides }];
    let mover = position.side_to_move();
    EvalTrace::new("Touchstone, by network", rows, taper(position), mover)
        .scaled(scale(position, strong))
}

/// The share of a score that is left, from 0 to 1, if `strong` is ahead.
pub(super) fn share(position: &Position, strong: Color) -> f32 {
    // Both are small enough to be exact.
    let parts = f32::from(middle_game_parts(position));
    let whole = f32::from(u8::try_from(Taper::WHOLE).expect("it is 24"));
    (parts + (whole - parts) * f32::from(scale(position, strong)) / f32::from(ALL)) / whole
}

/// The side that is ahead by a score for the side to move; White by none.
#[inline(always)]
fn ahead(position: &Position, value: i32) -> Color {
    let mover = position.side_to_move();
    match value.signum() {
        0 => Color::White,
        1 => mover,
        _ => !mover,
    }
}

/// The phase: knights and bishops weigh 1, rooks 2, queens 4; the pieces of the start position give
/// the full middle game.
#[inline(always)]
fn taper(position: &Position) -> Taper {
    Taper::middle_game(u32::from(middle_game_parts(position)))
}

#[inline(always)]
fn middle_game_parts(position: &Position) -> u8 {
    let count = |kind| position.by_type(kind).count();
    let parts = count(PieceType::Knight)
        + count(PieceType::Bishop)
        + 2 * count(PieceType::Rook)
        + 4 * count(PieceType::Queen);
    u8::try_from(parts.min(Taper::WHOLE)).expect("at most the whole")
}

/// The end-game scale, in 64ths, if `strong` is ahead.
#[inline(always)]
pub(super) fn scale(position: &Position, strong: Color) -> u8 {
    let own_pawns = position.pieces(strong, PieceType::Pawn);
    if own_pawns.has_several() && bishops_of_both(position).is_none() && !on_rook_file(own_pawns) {
        // The common case first, because it is cheap to detect.
        return few_pawns(position, strong);
    }
    if own_pawns.is_empty() {
        return without_pawns(position, strong);
    }
    if is_wrong_corner(position, strong) {
        return DRAW;
    }
    opposite_bishops(position, strong).min(few_pawns(position, strong))
}

/// Material weight of a side's pieces: a minor 3, a rook 5, a queen 9.
#[inline(always)]
fn weight(position: &Position, color: Color) -> u32 {
    let count = |kind| position.pieces(color, kind).count();
    3 * (count(PieceType::Knight) + count(PieceType::Bishop))
        + 5 * count(PieceType::Rook)
        + 9 * count(PieceType::Queen)
}

/// A lone minor or two knights cannot win, and a slight material advantage is not enough.
fn without_pawns(position: &Position, strong: Color) -> u8 {
    let (own, enemy) = (weight(position, strong), weight(position, !strong));
    let knights = position.pieces(strong, PieceType::Knight);
    if own <= 3 || own == 6 && knights.count() == 2 {
        DRAW
    } else if own <= enemy + 3 {
        NO_PAWNS
    } else {
        ALL
    }
}

/// The opponent can sacrifice a piece for the last pawns.
#[inline(always)]
fn few_pawns(position: &Position, strong: Color) -> u8 {
    let pawns = position.pieces(strong, PieceType::Pawn).count();
    if pawns > 3 {
        return ALL;
    }
    let (own, enemy) = (weight(position, strong), weight(position, !strong));
    // Nothing can be sacrificed, or enough is left after the sacrifice.
    if enemy == 0 || own > enemy + 3 {
        return ALL;
    }
    let (one, more) = FEW_PAWNS;
    match pawns {
        0 | 1 => one,
        2 => one + more,
        _ => one + 2 * more,
    }
}

/// The bishops, if each side has exactly one and they are on squares of different colours.
#[inline(always)]
fn bishops_of_both(position: &Position) -> Option<Bitboard> {
    let bishops = position.by_type(PieceType::Bishop);
    let one = |color| !(bishops & position.by_color(color)).has_several();
    (bishops.count() == 2 && is_mixed(bishops) && one(Color::White) && one(Color::Black))
        .then_some(bishops)
}

fn passed(position: &Position, color: Color) -> Bitboard {
    let enemies = position.pieces(!color, PieceType::Pawn);
    let way = span(enemies, !color);
    position.pieces(color, PieceType::Pawn) & !(way | way.east() | way.west())
}

fn opposite_bishops(position: &Position, strong: Color) -> u8 {
    if bishops_of_both(position).is_none() {
        return ALL;
    }
    if weight(position, strong) > 3 || weight(position, !strong) > 3 {
        return OPPOSITE_BISHOPS_AND_OTHERS;
    }
    let (none, each) = OPPOSITE_BISHOPS;
    passed(position, strong)
        .into_iter()
        .fold(none, |scale, _| scale + each)
}

#[inline(always)]
fn on_rook_file(pawns: Bitboard) -> bool {
    [File::A, File::H]
        .into_iter()
        .any(|file| !pawns.intersects(!file.bitboard()))
}

/// Whether all pawns are on one rook file, the enemy king holds the promotion corner, and the
/// attacker has nothing but bishops of the wrong colour.
fn is_wrong_corner(position: &Position, strong: Color) -> bool {
    let pawns = position.pieces(strong, PieceType::Pawn);
    let Some(pawn) = pawns.first().filter(|_| on_rook_file(pawns)) else {
        return false;
    };
    let bishops = position.pieces(strong, PieceType::Bishop);
    let others = position.by_color(strong) & !(pawns | bishops);
    let corner = Square::new(pawn.file(), Rank::R8.relative_to(strong));
    // Only a bishop that attacks the corner can drive the king out of it.
    let helpful = if Bitboard::DARK.contains(corner) {
        bishops & Bitboard::DARK
    } else {
        bishops & !Bitboard::DARK
    };
    !others.has_several() && helpful.is_empty() && distance(position.king(!strong), corner) <= 1
}

/// Whether the set contains squares of both colours.
pub(super) fn is_mixed(set: Bitboard) -> bool {
    set.intersects(Bitboard::DARK) && set.intersects(!Bitboard::DARK)
}

/// The squares ahead of a set on the same files, up to the edge (front spans).
pub(super) const fn span(set: Bitboard, color: Color) -> Bitboard {
    let set = set.forward(color).0;
    match color {
        Color::White => {
            let set = set | set << 8;
            let set = set | set << 16;
            Bitboard(set | set << 32)
        }
        Color::Black => {
            let set = set | set >> 8;
            let set = set | set >> 16;
            Bitboard(set | set >> 32)
        }
    }
}

/// The king-move distance between two squares.
pub(super) fn distance(a: Square, b: Square) -> usize {
    let files = a.file().index().abs_diff(b.file().index());
    files.max(a.rank().index().abs_diff(b.rank().index()))
}
