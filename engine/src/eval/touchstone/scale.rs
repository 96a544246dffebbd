//! End games: scaling of advantages that do not win, and mop-up evaluation, which drives a lone
//! king to the edge and the kings together.
//!
//! The ideas are those of the chessprogramming wiki's pages on draws by material, on the wrong
//! bishop, on bishops of opposite colours and on mop-up evaluation.

use chess::rules::{Bitboard, Color, File, PieceType, Position, Rank, Square};

use super::layout::Term;
use super::sink::Sink;
use super::view::{View, ahead, aside, distance, from_edge};

pub(super) const WHOLE: u8 = 64;
const DRAW: u8 = 0;
/// A small material advantage without pawns.
const NO_PAWNS: u8 = 8;
/// Pure opposite-coloured bishops; and the increment per passed pawn.
const OPPOSITE_BISHOPS: (u8, u8) = (20, 5);
/// Opposite-coloured bishops with other pieces.
const OPPOSITE_BISHOPS_AND_OTHERS: u8 = 48;
/// Against pieces, at most a minor piece ahead: with one pawn, and for each further one.
const FEW_PAWNS: (u8, u8) = (40, 8);

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
        WHOLE
    }
}

/// The opponent can sacrifice a piece for the last pawns.
#[inline(always)]
fn few_pawns(position: &Position, strong: Color) -> u8 {
    let pawns = position.pieces(strong, PieceType::Pawn).count();
    if pawns > 3 {
        return WHOLE;
    }
    let (own, enemy) = (weight(position, strong), weight(position, !strong));
    if enemy == 0 || own > enemy + 3 {
        return WHOLE;
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
    let way = ahead(enemies, !color);
    position.pieces(color, PieceType::Pawn) & !(way | aside(way))
}

fn opposite_bishops(position: &Position, strong: Color) -> u8 {
    if bishops_of_both(position).is_none() {
        return WHOLE;
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
    let helpful = if Bitboard::DARK.contains(corner) {
        bishops & Bitboard::DARK
    } else {
        bishops & !Bitboard::DARK
    };
    !others.has_several() && helpful.is_empty() && distance(position.king(!strong), corner) <= 1
}

/// Adds the mop-up terms of one side against a lone king.
#[inline(always)]
pub(super) fn mop_up(view: &View, color: Color, sink: &mut impl Sink) {
    let alone = !view.position.by_color(!color).has_several();
    if !alone || !can_mate(view, color) {
        return;
    }
    let (king, lone) = (view.sides[color].king, view.sides[!color].king);
    let (file, rank) = (lone.file().index(), lone.rank().index());
    let edge = from_edge(file).min(from_edge(rank));
    sink.add(Term::DriveToEdge, edge, color, 1);
    sink.add(Term::DriveKings, distance(king, lone), color, 1);
    let bishops = view.pieces(color, PieceType::Bishop);
    let heavy = view.pieces(color, PieceType::Rook) | view.pieces(color, PieceType::Queen);
    if heavy.is_empty() && !is_mixed(bishops) {
        let dark = bishops.intersects(Bitboard::DARK);
        let corners = Bitboard::CORNERS
            & if dark {
                Bitboard::DARK
            } else {
                !Bitboard::DARK
            };
        let nearest = corners
            .into_iter()
            .map(|corner| distance(lone, corner))
            .min();
        sink.add(Term::DriveToCorner, nearest.unwrap_or(0), color, 1);
    }
}

/// Whether the pieces without pawns can force mate: a rook or queen, bishops of both colours, or
/// bishop and knight.
fn can_mate(view: &View, color: Color) -> bool {
    let pieces = |kind| view.pieces(color, kind);
    let heavy = pieces(PieceType::Rook) | pieces(PieceType::Queen);
    let bishops = pieces(PieceType::Bishop);
    let bishop_and_knight = !bishops.is_empty() && !pieces(PieceType::Knight).is_empty();
    !heavy.is_empty() || is_mixed(bishops) || bishop_and_knight
}

/// Whether the set contains squares of both colours.
pub(super) fn is_mixed(set: Bitboard) -> bool {
    set.intersects(Bitboard::DARK) && set.intersects(!Bitboard::DARK)
}
