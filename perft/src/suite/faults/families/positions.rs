//! What depends on the position alone: false ends of the game, leaves that are none, keys of tables.

use chess::rules::{Bitboard, Color, Piece, PieceType, Square};

use super::super::board::{Board, Right};
use super::{Effect, Family, Sides, at};

// In plies: 100 by FIDE 9.3 and 150 by 9.6.2. For 50, moves are taken for plies; the others are off
// by one.
const CLOCKS: [u32; 6] = [50, 99, 100, 101, 150, 151];
const CLOCK_NAMES: [&str; 6] = ["50", "99", "100", "101", "150", "151"];
/// What is left besides the kings.
// Perft goes on where mate is impossible (FIDE 5.2.2) or unlikely; a search may stop there.
#[rustfmt::skip]
const MATERIAL: [&str; 10] = [
    "nothing", "a-knight", "a-bishop", "two-knights", "a-knight-each", "bishops-each-same-color",
    "bishops-each-other-color", "a-bishop-and-a-knight", "a-bishop-and-a-knight-each", "bishops-of-one-color",
];
/// What a table's key lacks.
#[rustfmt::skip]
const KEYS: [&str; 25] = [
    "ep-square", "ep-a", "ep-b", "ep-c", "ep-d", "ep-e", "ep-f", "ep-g", "ep-h", "rights",
    "right-h1", "right-a1", "right-h8", "right-a8", "kings", "white-pawns", "white-knights",
    "white-bishops", "white-rooks", "white-queens", "black-pawns", "black-knights",
    "black-bishops", "black-rooks", "black-queens",
];

families! {
    Each Ends "ends/clock" [CLOCK_NAMES] "finds no moves once the halfmove clock is {}" => |scene, _, hits| {
        let clock = scene.board.halfmove_clock;
        for (index, _) in CLOCKS.iter().enumerate().filter(|&(_, &end)| clock >= end) {
            hits.at([index]);
        }
        None
    };
    Each Ends "ends/material" [MATERIAL] "finds no moves where only this is left besides the kings: {}" =>
        |scene, _, hits| hits.at([material(scene.board)?]);
    Each Ends "ends/repetition" [["four"]] "finds no moves where the position of {} plies ago is back" => |scene, path, hits| {
        // A position can be back after four plies at the earliest.
        let ago = &path[path.len().checked_sub(4)?];
        ago.repeats(scene.board).then(|| hits.at([0]))?
    };
    Each Counts "counts/ended" [["mate", "stalemate"]] "counts a {} as a leaf" =>
        |scene| at([usize::from(scene.checkers.is_empty())]);
    Shared Forgets "table-forgets" [KEYS] "keeps counts in a table whose key lacks: {}" => ();
}

fn material(board: &Board) -> Option<usize> {
    let of = |kind| Color::ALL.map(|color| board.pieces(color, kind));
    let [kings, knights, bishops] = [PieceType::King, PieceType::Knight, PieceType::Bishop].map(of);
    let minors = knights[0] | knights[1] | bishops[0] | bishops[1];
    if board.occupied() & !(kings[0] | kings[1]) != minors || minors.count() > 2 {
        return None;
    }
    let all = bishops[0] | bishops[1];
    let on_one_color = (all & Bitboard::DARK).is_empty() || (all & !Bitboard::DARK).is_empty();
    match (knights.map(Bitboard::count), bishops.map(Bitboard::count)) {
        ([0, 0], [0, 0]) => Some(0),
        ([1, 0] | [0, 1], [0, 0]) => Some(1),
        ([0, 0], [1, 0] | [0, 1]) => Some(2),
        ([2, 0] | [0, 2], [0, 0]) => Some(3),
        ([1, 1], [0, 0]) => Some(4),
        ([0, 0], [1, 1]) => Some(if on_one_color { 5 } else { 6 }),
        ([1, 0], [1, 0]) | ([0, 1], [0, 1]) => Some(7),
        ([1, 0], [0, 1]) | ([0, 1], [1, 0]) => Some(8),
        ([0, 0], _) if on_one_color => Some(9),
        _ => None,
    }
}

/// A key of a table of counts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in super::super) struct Key {
    squares: [Option<Piece>; Square::COUNT],
    side_to_move: Color,
    ep_square: Option<Square>,
    rights: [[Option<Right>; 2]; 2],
    depth: u32,
}

/// The key of a position to be counted to a depth, without what is left out; indices into [`KEYS`].
pub(in super::super) fn key(board: &Board, depth: u32, left_out: &[usize]) -> Key {
    let mut key = Key {
        squares: *board.squares(),
        side_to_move: board.side_to_move,
        ep_square: board.ep_square,
        rights: board.rights.0,
        depth,
    };
    for &what in left_out {
        match what {
            0 => key.ep_square = None,
            1..=8 => {
                key.ep_square
                    .take_if(|square| square.file().index() == what - 1);
            }
            9 => key.rights = Default::default(),
            10..=13 => key.rights[(what - 10) / 2][(what - 10) % 2] = None,
            _ => {
                // `KEYS` has the kings of both sides, then five kinds for each side.
                let number = |piece: &Piece| match piece.piece_type {
                    PieceType::King => 14,
                    kind => 15 + 5 * piece.color.index() + kind.index(),
                };
                for square in &mut key.squares {
                    square.take_if(|piece| number(piece) == what);
                }
            }
        }
    }
    key
}
