//! What a condition can say: the names of kinds of moves, of checks, pins, directions and so on.

use chess::rules::{PieceType, Square};

/// Indices into [`MOVES`]: pieces in the order of `PieceType`, promotions in that of
/// `PieceType::PROMOTIONS`.
pub(super) const DOUBLE_PUSH: usize = 6;
/// The index rises by 5 for each moving piece, and by 1 for each captured one.
pub(super) const CAPTURE: usize = 7;
pub(super) const EN_PASSANT: usize = 37;
/// The index rises by 5 for each promotion, and by that of the captured piece, which is no pawn.
pub(super) const PROMOTION: usize = 38;
/// Queenside has the next index.
pub(super) const CASTLING: usize = 58;

/// The kinds of moves.
#[rustfmt::skip]
pub(super) const MOVES: [&str; 60] = [
    "pawn", "knight", "bishop", "rook", "queen", "king", "double-push",
    "pawn-x-pawn", "pawn-x-knight", "pawn-x-bishop", "pawn-x-rook", "pawn-x-queen",
    "knight-x-pawn", "knight-x-knight", "knight-x-bishop", "knight-x-rook", "knight-x-queen",
    "bishop-x-pawn", "bishop-x-knight", "bishop-x-bishop", "bishop-x-rook", "bishop-x-queen",
    "rook-x-pawn", "rook-x-knight", "rook-x-bishop", "rook-x-rook", "rook-x-queen",
    "queen-x-pawn", "queen-x-knight", "queen-x-bishop", "queen-x-rook", "queen-x-queen",
    "king-x-pawn", "king-x-knight", "king-x-bishop", "king-x-rook", "king-x-queen",
    "en-passant",
    "promotion-q", "promotion-q-x-knight", "promotion-q-x-bishop", "promotion-q-x-rook", "promotion-q-x-queen",
    "promotion-r", "promotion-r-x-knight", "promotion-r-x-bishop", "promotion-r-x-rook", "promotion-r-x-queen",
    "promotion-b", "promotion-b-x-knight", "promotion-b-x-bishop", "promotion-b-x-rook", "promotion-b-x-queen",
    "promotion-n", "promotion-n-x-knight", "promotion-n-x-bishop", "promotion-n-x-rook", "promotion-n-x-queen",
    "castling-kingside", "castling-queenside",
];

/// The check that a position is in, or that a move gives.
pub(super) mod check {
    pub(in super::super) const NONE: usize = 0;
    pub(in super::super) const PAWN: usize = 1;
    pub(in super::super) const KNIGHT: usize = 2;
    /// From a distance it is the next index, as for the three that follow.
    pub(in super::super) const BISHOP: usize = 3;
    pub(in super::super) const ROOK: usize = 5;
    pub(in super::super) const QUEEN_DIAGONAL: usize = 7;
    pub(in super::super) const QUEEN_STRAIGHT: usize = 9;
    pub(in super::super) const DOUBLE_PAWN: usize = 11;
    pub(in super::super) const DOUBLE_KNIGHT: usize = 12;
    pub(in super::super) const DOUBLE_SLIDERS: usize = 13;
}

#[rustfmt::skip]
pub(super) const CHECKS: [&str; 14] = [
    "quiet", "pawn", "knight", "bishop-near", "bishop-far", "rook-near", "rook-far",
    "queen-diagonal-near", "queen-diagonal-far", "queen-straight-near", "queen-straight-far",
    "double-pawn", "double-knight", "double-sliders",
];

/// How a move stands to a pin of its piece: none; along it, by axis; off it, by axis.
#[rustfmt::skip]
pub(super) const PINS: [&str; 9] = [
    "free", "along-file", "along-rank", "along-diagonal", "along-antidiagonal",
    "off-file", "off-rank", "off-diagonal", "off-antidiagonal",
];

pub(super) const PIECES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
pub(super) const SLIDERS: [&str; 3] = ["bishop", "rook", "queen"];
pub(super) const PROMOTIONS: [&str; 4] = ["q", "r", "b", "n"];
pub(super) const FILES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
pub(super) const SIDES: [&str; 2] = ["kingside", "queenside"];
pub(super) const CORNERS: [&str; 4] = ["h1", "a1", "h8", "a8"];
pub(super) const RANKS: [&str; 8] = ["1", "2", "3", "4", "5", "6", "7", "8"];
pub(super) const DISTANCES: [&str; 8] = ["0", "1", "2", "3", "4", "5", "6", "7"];
pub(super) const AXES: [&str; 4] = ["file", "rank", "diagonal", "antidiagonal"];
pub(super) const WEST_EAST: [&str; 2] = ["west", "east"];
pub(super) const TAKES: [&str; 2] = ["quiet", "capture"];
pub(super) const OWNERS: [&str; 2] = ["own", "their"];
/// Whether castling asks for king and rook, or for the right alone.
pub(super) const ASKS: [&str; 2] = ["asked", "unasked"];
/// What a piece takes: nothing, or a piece.
pub(super) const VICTIMS: [&str; 6] = ["nothing", "pawn", "knight", "bishop", "rook", "queen"];
pub(super) const NUMBERS: [&str; 16] = [
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15",
];

/// The directions, as seen from White.
pub(super) const DIRECTIONS: [&str; 8] = ["n", "e", "s", "w", "ne", "se", "sw", "nw"];
pub(super) const STEPS: [(i32, i32); 8] = [
    (0, 1),
    (1, 0),
    (0, -1),
    (-1, 0),
    (1, 1),
    (1, -1),
    (-1, -1),
    (-1, 1),
];
/// The knight's jumps, in files and ranks.
pub(super) const JUMPS: [(i32, i32); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];
/// Directions of lines, then jumps.
#[rustfmt::skip]
pub(super) const ASIDE: [&str; 16] = [
    "n", "e", "s", "w", "ne", "se", "sw", "nw",
    "1n2", "2n1", "2s1", "1s2", "-1s2", "-2s1", "-2n1", "-1n2",
];
pub(super) const JUMP_NAMES: [&str; 8] =
    ["1n2", "2n1", "2s1", "1s2", "-1s2", "-2s1", "-2n1", "-1n2"];

#[rustfmt::skip]
pub(super) const SQUARES: [&str; 64] = [
    "a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2",
    "a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3", "a4", "b4", "c4", "d4", "e4", "f4", "g4", "h4",
    "a5", "b5", "c5", "d5", "e5", "f5", "g5", "h5", "a6", "b6", "c6", "d6", "e6", "f6", "g6", "h6",
    "a7", "b7", "c7", "d7", "e7", "f7", "g7", "h7", "a8", "b8", "c8", "d8", "e8", "f8", "g8", "h8",
];

/// A step across the left or right edge, as on a board without edges.
pub(super) fn across(from: Square, files: i32, ranks: i32) -> Option<Square> {
    let stays = from.offset(files, 0).is_some();
    // Squares are numbered along the ranks: over the edge, the index goes on in the next rank.
    let index = usize::try_from(from as i32 + 8 * ranks + files).ok()?;
    Square::try_from_index(index).filter(|_| !stays)
}

/// A step across the lower or upper edge, as in a list whose index wraps around.
pub(super) fn beyond_board(from: Square, files: i32, ranks: i32) -> Option<Square> {
    let index = from as i32 + 8 * ranks + files;
    let wrapped = usize::try_from(index.rem_euclid(64)).ok()?;
    Square::try_from_index(wrapped).filter(|_| !(0..64).contains(&index))
}

/// The difference in files and ranks between two squares.
pub(super) fn distance(from: Square, to: Square) -> (i32, i32) {
    let (from, to) = (from as i32, to as i32);
    // Squares are numbered from a1 along the ranks: 8 rank + file.
    ((to & 7) - (from & 7), (to >> 3) - (from >> 3))
}

/// The steps of a king between two squares.
pub(super) fn steps(from: Square, to: Square) -> usize {
    let (files, ranks) = distance(from, to);
    files.abs().max(ranks.abs()).unsigned_abs() as usize
}

/// The direction from one square to another on a line with it; index into [`DIRECTIONS`].
pub(super) fn direction(from: Square, to: Square) -> Option<usize> {
    let (files, ranks) = distance(from, to);
    let is_on_a_line = files == 0 || ranks == 0 || files.abs() == ranks.abs();
    let step = (files.signum(), ranks.signum());
    STEPS.iter().position(|&one| is_on_a_line && one == step)
}

/// The jump from one square to another; index into [`JUMPS`].
pub(super) fn jump(from: Square, to: Square) -> Option<usize> {
    let step = distance(from, to);
    JUMPS.iter().position(|&one| one == step)
}

/// The axis of a direction: file, rank, diagonal like a1-h8, diagonal like h1-a8.
pub(super) fn axis(direction: usize) -> usize {
    match STEPS[direction] {
        (0, _) => 0,
        (_, 0) => 1,
        (files, ranks) if files == ranks => 2,
        _ => 3,
    }
}

/// Whether a direction is along a file or a rank.
pub(super) fn is_straight(direction: usize) -> bool {
    // The four straight directions come first.
    direction < 4
}

/// Whether a kind of piece slides in a direction.
pub(super) fn slides(kind: PieceType, direction: usize) -> bool {
    match kind {
        PieceType::Queen => true,
        PieceType::Rook => is_straight(direction),
        PieceType::Bishop => !is_straight(direction),
        _ => false,
    }
}

/// Index into [`SLIDERS`].
pub(super) fn slider(kind: PieceType) -> Option<usize> {
    // Bishop, rook and queen follow one another in `PieceType`.
    kind.index()
        .checked_sub(PieceType::Bishop.index())
        .filter(|&index| index < 3)
}
