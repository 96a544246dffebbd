//! The evaluation against a lone king, on whose positions no network is trained: material, pawns on
//! their way, and mop-up evaluation, which drives the king to the edge and the kings together.
//!
//! The ideas are those of the chessprogramming wiki's pages "Mop-up Evaluation" and "KBNK Endgame".

use super::{EvalTrace, LIMIT, Phase, Phased, Taper, TraceRow, fade};
use chess::rules::{Bitboard, ByColor, Color, PieceType, Position, Rank, Square};

/// The value of each kind, pawn to queen, in centipawns.
const MATERIAL: [(PieceType, i32); 5] = [
    (PieceType::Pawn, 100),
    (PieceType::Knight, 320),
    (PieceType::Bishop, 335),
    (PieceType::Rook, 575),
    (PieceType::Queen, 1025),
];
/// By the rank of a pawn, seen from its side: it is worth what it may become.
const ADVANCE: [i32; 8] = [0, 0, 20, 50, 100, 180, 280, 0];
/// For each step that a pawn's king is nearer to the square before it than the lone king.
const ESCORT: i32 = 15;
/// For a pawn that the lone king cannot catch ("rule of the square").
const UNSTOPPABLE: i32 = 300;
/// By the lone king's distance from the edge.
const EDGE: [i32; 4] = [120, 80, 35, 0];
/// By the distance of the kings.
const KINGS: [i32; 8] = [0, 60, 60, 45, 30, 18, 8, 0];
/// Against bishops, for each diagonal that the lone king is away from the long one between the corners of
/// the other colour: seven in a corner in which bishop and knight can mate. With less weight they lose
/// the king on its way there (24 of 24 games won at 10,000 nodes a move, 18 with half of it).
const CORNER: i32 = 120;

/// The names of the terms, in the order of [`terms`].
const NAMES: [&str; 5] = [
    "material",
    "pawns on their way",
    "lone king near the edge",
    "lone king near the other",
    "lone king near the corner",
];

/// The side against which the other has only its king; none if both have more, White if neither has.
#[inline(always)]
pub(super) fn strong_side(position: &Position) -> Option<Color> {
    let is_alone = |color: &Color| !position.by_color(*color).has_several();
    [Color::Black, Color::White]
        .into_iter()
        .find(is_alone)
        .map(|lone| !lone)
}

/// The score in centipawns for the side to move of a position with a lone king.
pub(super) fn evaluate(position: &Position, strong: Color) -> i32 {
    let sum: i32 = terms(position, strong).into_iter().sum();
    let value =
        (sum * i32::from(fade::scale(position, strong)) / i32::from(fade::ALL)).min(LIMIT - 1);
    if position.side_to_move() == strong {
        value
    } else {
        -value
    }
}

/// The same, broken down.
pub(super) fn trace(position: &Position, strong: Color) -> EvalTrace {
    let rows = NAMES
        .into_iter()
        .zip(terms(position, strong))
        .map(|(name, value)| {
            let mut sides = ByColor([Phased::both(0); 2]);
            sides[strong] = Phased::both(value);
            TraceRow { name, sides }
        });
    let taper = Taper::only(Phase::EndGame);
    EvalTrace::new(
        "Touchstone, against a lone king",
        rows.collect(),
        taper,
        position.side_to_move(),
    )
    .scaled(fade::scale(position, strong))
}

/// The terms of the side that has more than its king.
fn terms(position: &Position, strong: Color) -> [i32; 5] {
    let (king, lone) = (position.king(strong), position.king(!strong));
    let count = |kind| i32::try_from(position.pieces(strong, kind).count()).expect("at most 63");
    let material = MATERIAL
        .into_iter()
        .map(|(kind, value)| count(kind) * value)
        .sum();
    let pawns = position.pieces(strong, PieceType::Pawn).into_iter();
    let way = pawns.map(|pawn| {
        let ahead = pawn.bitboard().forward(strong).first().unwrap_or(pawn);
        let nearer = steps(lone, ahead) - steps(king, ahead);
        let free = if is_unstoppable(position, strong, pawn) {
            UNSTOPPABLE
        } else {
            0
        };
        ADVANCE[pawn.rank().relative_to(strong).index()] + ESCORT * nearer + free
    });
    let [edge, kings, corner] = mop_up(position, strong);
    [material, way.sum(), edge, kings, corner]
}

/// Whether the lone king comes too late for a pawn whose way is free.
fn is_unstoppable(position: &Position, strong: Color, pawn: Square) -> bool {
    let way = fade::span(pawn.bitboard(), strong);
    let Some(goal) = (way & Rank::R8.relative_to(strong).bitboard()).first() else {
        return false;
    };
    // Two steps at once from the second rank, and one for the side to move.
    let is_home = pawn.rank() == Rank::R2.relative_to(strong);
    let left = steps(pawn, goal) - i32::from(is_home);
    let late = i32::from(position.side_to_move() != strong);
    !way.intersects(position.occupied()) && steps(position.king(!strong), goal) - late > left
}

/// Where the pieces can force mate, how near it is.
fn mop_up(position: &Position, strong: Color) -> [i32; 3] {
    let (king, lone) = (position.king(strong), position.king(!strong));
    let pieces = |kind| position.pieces(strong, kind);
    let bishops = pieces(PieceType::Bishop);
    let near = KINGS[fade::distance(king, lone)];
    let (file, rank) = (lone.file().index(), lone.rank().index());
    if !(pieces(PieceType::Rook) | pieces(PieceType::Queen)).is_empty() {
        let from_edge = |index: usize| index.min(7 - index);
        return [EDGE[from_edge(file).min(from_edge(rank))], near, 0];
    }
    let is_bishop_and_knight = !bishops.is_empty() && !pieces(PieceType::Knight).is_empty();
    // Bishops of one colour cannot mate, and two knights cannot force it.
    if !is_bishop_and_knight && !fade::is_mixed(bishops) {
        return [0; 3];
    }
    // The dark corners, a1 and h8, lie seven diagonals away from the one through the light ones.
    let dark = bishops
        .intersects(Bitboard::DARK)
        .then(|| 7_usize.abs_diff(file + rank));
    let light = bishops
        .intersects(!Bitboard::DARK)
        .then(|| file.abs_diff(rank));
    // With bishops of both colours, any corner will do.
    let diagonals = i32::try_from(dark.max(light).unwrap_or(0)).expect("at most 7");
    [0, near, CORNER * diagonals]
}

/// The king-move distance.
fn steps(from: Square, to: Square) -> i32 {
    i32::try_from(fade::distance(from, to)).expect("at most 7")
}
