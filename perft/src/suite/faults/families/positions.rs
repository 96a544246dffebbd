//! What depends on the position alone: false ends of the game, leaves that are none, keys of tables.

use chess::rules::{Bitboard, Color, Piece, PieceType, Square};

use super::super::board::{Board, Right};
use super::super::features::CORNERS;
use super::{Effect, Family, Sides, at};

const CLOCKS: [u32; 6] = [50, 99, 100, 101, 150, 151];
const CLOCK_NAMES: [&str; 6] = ["50", "99", "100", "101", "150", "151"];
/// What is left besides the kings.
const MATERIAL: [&str; 10] = [
    "nothing",
    "a-knight",
    "a-bishop",
    "two-knights",
    "a-knight-each",
    "bishops-each-same-color",
    "bishops-each-other-color",
    "a-bishop-and-a-knight",
    "a-bishop-and-a-knight-each",
    "bishops-of-one-color",
];
/// What a table's key lacks.
const KEYS: [&str; 25] = [
    "ep-square",
    "ep-a",
    "ep-b",
    "ep-c",
    "ep-d",
    "ep-e",
    "ep-f",
    "ep-g",
    "ep-h",
    "rights",
    "right-h1",
    "right-a1",
    "right-h8",
    "right-a8",
    "kings",
    "white-pawns",
    "white-knights",
    "white-bishops",
    "white-rooks",
    "white-queens",
    "black-pawns",
    "black-knights",
    "black-bishops",
    "black-rooks",
    "black-queens",
];

pub(super) const FAMILIES: &[Family] = &[
    Family::new(
        "ends/clock",
        "finds no moves once the halfmove clock is {}",
        &[&CLOCK_NAMES],
        Sides::Each,
        Effect::Ends(|scene, _, out| {
            let clock = scene.board.halfmove_clock;
            let over = CLOCKS.iter().enumerate().filter(|&(_, &end)| clock >= end);
            out.extend(over.map(|(index, _)| at([index])));
        }),
    ),
    Family::new(
        "ends/material",
        "finds no moves where only this is left besides the kings: {}",
        &[&MATERIAL],
        Sides::Each,
        Effect::Ends(|scene, _, out| out.extend(material(scene.board).map(|left| at([left])))),
    ),
    Family::new(
        "ends/repetition",
        "finds no moves where the position of {} plies ago is back",
        &[&["four"]],
        Sides::Each,
        Effect::Ends(|scene, path, out| {
            let ago = path.len().checked_sub(4).map(|index| &path[index]);
            if ago.is_some_and(|ago| ago.repeats(scene.board)) {
                out.push(at([0]));
            }
        }),
    ),
    Family::new(
        "counts/ended",
        "counts a {} as a leaf",
        &[&["mate", "stalemate"]],
        Sides::Each,
        Effect::Counts(|scene, out| out.push(at([usize::from(scene.checkers.is_empty())]))),
    ),
    Family::new(
        "table-forgets",
        "keeps counts in a table whose key lacks: {}",
        &[&KEYS],
        Sides::Shared,
        Effect::Forgets,
    ),
];

fn material(board: &Board) -> Option<usize> {
    let kings = Color::ALL.map(|color| board.pieces(color, PieceType::King));
    let others = board.occupied() & !(kings[0] | kings[1]);
    let of = |kind| Color::ALL.map(|color| board.pieces(color, kind));
    let (knights, bishops) = (of(PieceType::Knight), of(PieceType::Bishop));
    let minors = knights[0] | knights[1] | bishops[0] | bishops[1];
    if others != minors || minors.count() > 2 {
        return None;
    }
    let number = |sets: [Bitboard; 2]| sets.map(Bitboard::count);
    let on_one_color =
        |set: Bitboard| (set & Bitboard::DARK).is_empty() || (set & !Bitboard::DARK).is_empty();
    match (number(knights), number(bishops)) {
        ([0, 0], [0, 0]) => Some(0),
        ([1, 0] | [0, 1], [0, 0]) => Some(1),
        ([0, 0], [1, 0] | [0, 1]) => Some(2),
        ([2, 0] | [0, 2], [0, 0]) => Some(3),
        ([1, 1], [0, 0]) => Some(4),
        ([0, 0], [1, 1]) if on_one_color(bishops[0] | bishops[1]) => Some(5),
        ([0, 0], [1, 1]) => Some(6),
        ([1, 0], [1, 0]) | ([0, 1], [0, 1]) => Some(7),
        ([1, 0], [0, 1]) | ([0, 1], [1, 0]) => Some(8),
        ([0, 0], _) if on_one_color(bishops[0] | bishops[1]) => Some(9),
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
            10..=13 => {
                let corner = what - 10;
                debug_assert!(corner < CORNERS.len());
                key.rights[corner / 2][corner % 2] = None;
            }
            _ => {
                let is_left_out = |piece: &mut Piece| {
                    let place = 15 + 5 * piece.color.index() + piece.piece_type.index();
                    if piece.piece_type == PieceType::King {
                        what == 14
                    } else {
                        what == place
                    }
                };
                for square in &mut key.squares {
                    square.take_if(is_left_out);
                }
            }
        }
    }
    key
}
