//! The numbering of positions within a table: which symmetry is used, and how the squares of the
//! pieces become one index. Pure.
//!
//! A table lists its pieces in an order of its own and divides them into groups. The leading group
//! is normalised by symmetry:
//!
//! - with pawns, it is all pawns of one side. The *leading pawn*, the nearest to an edge file, is
//!   mirrored to the files a to d; there is one part of the table for each of these files;
//! - without pawns, it is three pieces of which the material has one each, or, if there are none,
//!   the two kings. The first is brought to the triangle a1-d1-d4 by mirroring and turning the board.
//!
//! Every other group is a set of equal pieces, numbered as a combination of the squares that earlier
//! groups leave free. The index is the sum of the groups' numbers, each times a factor of its own.

use std::ops::Range;

use chess::rules::{Bitboard, Color, Piece, PieceType, Position};

use crate::counting::{
    BELOW_DIAGONAL, BINOMIAL, KING_PAIRS, KINGS, LEADING_PAWN, PAWN_ORDER, TRIANGLE, TRIPLES,
};
use crate::material::{MOST_PIECES, Material};

/// Capacity for the pieces of a table.
const MOST: usize = MOST_PIECES as usize;
/// How a position is seen by a table: with colours exchanged and the board turned upside down, or as
/// it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TableView {
    is_exchanged: bool,
}

impl TableView {
    pub(crate) const fn new(is_exchanged: bool) -> Self {
        Self { is_exchanged }
    }

    /// The pieces that are `piece` in this view.
    #[inline(always)]
    fn pieces(self, position: &Position, piece: Piece) -> Bitboard {
        let color = if self.is_exchanged {
            !piece.color
        } else {
            piece.color
        };
        position.pieces(color, piece.piece_type)
    }

    /// Applied to a square by exclusive or.
    #[inline(always)]
    const fn turn(self) -> u8 {
        if self.is_exchanged { 0b11_1000 } else { 0 }
    }
}

/// The file of the leading pawn, from 0 for a and h to 3 for d and e, of the pawns `lead`.
#[inline(always)]
pub(crate) fn leading_file(position: &Position, view: TableView, lead: Color) -> usize {
    let pawns = view.pieces(position, Piece::new(lead, PieceType::Pawn));
    let files = pawns.into_iter().map(|pawn| pawn as usize % 8);
    files.map(|file| file.min(7 - file)).min().unwrap_or(0)
}

/// What the leading group consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leading {
    Pawns,
    Triple,
    Kings,
}

#[derive(Clone, Debug)]
struct EncodingGroup {
    /// Its pieces among those of the table.
    places: Range<usize>,
    factor: u64,
    /// The lowest square that its pieces can have.
    lowest: u8,
}

/// The numbering of one part of a table.
#[derive(Clone, Debug)]
pub(crate) struct Encoding {
    /// The pieces in the table's order, equal ones together.
    pieces: Vec<(Piece, usize)>,
    leading: Leading,
    /// The leading group first, then those in the order of the pieces.
    groups: Vec<EncodingGroup>,
    size: u64,
}

impl Encoding {
    /// The numbering of a part of the table of `material`, from the pieces in the order of the file,
    /// the places of the leading group and of the other side's pawns among the factors, and the file
    /// of the leading pawn. `None` if these do not belong together.
    pub(crate) fn new(
        material: Material,
        pieces: &[Piece],
        order: [u8; 2],
        file: usize,
    ) -> Option<Self> {
        let mut runs: Vec<(Piece, usize)> = Vec::new();
        for &piece in pieces {
            match runs.last_mut() {
                Some((last, count)) if *last == piece => *count += 1,
                _ => runs.push((piece, 1)),
            }
        }
        if Material::from_pieces(&runs) != Some(material) {
            return None;
        }
        let (leading, runs_of_leading) = leading_of(&runs)?;
        let has_second_pawns = leading == Leading::Pawns && runs.get(1).is_some_and(is_pawns);
        let lead: usize = runs[..runs_of_leading].iter().map(|(_, count)| count).sum();
        let mut groups = vec![EncodingGroup {
            places: 0..lead,
            factor: 0,
            lowest: 0,
        }];
        for (piece, count) in &runs[runs_of_leading..] {
            let start = groups.last().map_or(0, |group| group.places.end);
            groups.push(EncodingGroup {
                places: start..start + count,
                factor: 0,
                // No pawn stands on the first rank.
                lowest: if piece.piece_type == PieceType::Pawn {
                    8
                } else {
                    0
                },
            });
        }
        let size = set_factors(&mut groups, leading, has_second_pawns, order, file)?;
        Some(Self {
            pieces: runs,
            leading,
            groups,
            size,
        })
    }

    /// Number of indices.
    pub(crate) const fn size(&self) -> u64 {
        self.size
    }

    /// The side of the leading pawns.
    pub(crate) fn leading_color(&self) -> Color {
        self.pieces
            .first()
            .map_or(Color::White, |(piece, _)| piece.color)
    }

    /// The index of a position of this material, with the leading pawn on the file of this part.
    #[inline(always)]
    pub(crate) fn index(&self, position: &Position, view: TableView) -> u64 {
        let mut squares = [0; MOST];
        let mut places = squares.iter_mut();
        for &(piece, count) in &self.pieces {
            let set = view.pieces(position, piece);
            for (square, place) in set.into_iter().take(count).zip(places.by_ref()) {
                *place = square as u8 ^ view.turn();
            }
        }
        let Some((first, others)) = self.groups.split_first() else {
            return 0;
        };
        let pieces = self.groups.last().map_or(0, |group| group.places.end);
        let squares = &mut squares[..pieces];
        let lead = first.places.end;
        let mut index = first.factor
            * match self.leading {
                Leading::Pawns => {
                    sort_pawns(squares, lead);
                    pawns(&squares[..lead])
                }
                Leading::Triple => {
                    normalise(squares, 3);
                    triple(squares[0], squares[1], squares[2])
                }
                Leading::Kings => {
                    normalise(squares, 2);
                    let first = TRIANGLE[usize::from(squares[0])];
                    KINGS[usize::from(first)][usize::from(squares[1])].into()
                }
            };
        let mut taken = squares[..lead]
            .iter()
            .fold(0, |set, &square| set | 1u64 << square);
        for group in others {
            let squares = &mut squares[group.places.clone()];
            squares.sort_unstable();
            let mut number = 0;
            let mut own = 0;
            for (&square, ways) in squares.iter().zip(&BINOMIAL[1..]) {
                let below = (taken & ((1u64 << square) - 1)).count_ones() as usize;
                number += ways[usize::from(square - group.lowest) - below];
                own |= 1u64 << square;
            }
            taken |= own;
            index += number * group.factor;
        }
        index
    }
}

fn is_pawns((piece, _): &(Piece, usize)) -> bool {
    piece.piece_type == PieceType::Pawn
}

/// The kind of leading group, and how many runs of equal pieces it consists of.
fn leading_of(runs: &[(Piece, usize)]) -> Option<(Leading, usize)> {
    if runs.iter().any(is_pawns) {
        let pawns = runs.iter().take_while(|run| is_pawns(run)).count();
        // All pawns come first.
        return (pawns == runs.iter().filter(|run| is_pawns(run)).count())
            .then_some((Leading::Pawns, 1));
    }
    let is_king = |(piece, _): &(Piece, usize)| piece.piece_type == PieceType::King;
    if runs.iter().any(|run| run.1 == 1 && !is_king(run)) {
        let singles = runs.iter().take(3).filter(|run| run.1 == 1).count();
        (singles == 3).then_some((Leading::Triple, 3))
    } else {
        let kings = runs.iter().take(2).filter(|run| is_king(run)).count();
        (kings == 2).then_some((Leading::Kings, 2))
    }
}

/// Computes the factors of the groups: the groups are numbered like digits, the least significant
/// first, in the order of the pieces, except that the leading group and the other side's pawns have
/// the places that `order` gives them. Returns the product of all.
fn set_factors(
    groups: &mut [EncodingGroup],
    leading: Leading,
    has_second_pawns: bool,
    order: [u8; 2],
    file: usize,
) -> Option<u64> {
    let lead = groups.first()?.places.len();
    let choose = |of: usize, group: &EncodingGroup| BINOMIAL[group.places.len()][of];
    let first_other = 1 + usize::from(has_second_pawns);
    let mut free = 64
        - groups[..first_other]
            .iter()
            .map(|group| group.places.len())
            .sum::<usize>();
    let mut next = first_other;
    let mut product = 1;
    for place in 0..groups.len() {
        let (index, size) = if place == usize::from(order[0]) {
            let size = match leading {
                Leading::Pawns => LEADING_PAWN.get(lead)?.1[file].into(),
                Leading::Triple => TRIPLES,
                Leading::Kings => KING_PAIRS,
            };
            (0, size)
        } else if has_second_pawns && place == usize::from(order[1]) {
            // The other side's pawns have 48 squares, less those that the leading pawns take.
            (1, choose(48 - lead, &groups[1]))
        } else {
            let group = groups.get(next)?;
            let size = choose(free, group);
            free -= group.places.len();
            next += 1;
            (next - 1, size)
        };
        groups[index].factor = product;
        product *= size;
    }
    // One of the first places was none, so that a group was left out.
    (next == groups.len()).then_some(product)
}

/// Mirrors and turns the board so that the first piece comes to the triangle a1-d1-d4, and of the
/// `lead` first pieces the first that is not on the diagonal comes below it.
#[inline(always)]
fn normalise(squares: &mut [u8], lead: usize) {
    let first = squares[0];
    let mirror = if first & 7 > 3 { 0b111 } else { 0 };
    let turn = if first >> 3 > 3 { 0b11_1000 } else { 0 };
    for square in squares.iter_mut() {
        *square ^= mirror | turn;
    }
    let mut leaders = squares[..lead]
        .iter()
        .map(|&square| (square >> 3, square & 7));
    let is_above = leaders.find(|(rank, file)| rank != file);
    if is_above.is_some_and(|(rank, file)| rank > file) {
        for square in squares.iter_mut() {
            *square = *square >> 3 | (*square & 7) << 3;
        }
    }
}

/// Mirrors the board so that the leading pawn is on the files a to d, and brings it to the front, the
/// other leading pawns behind it in ascending order.
#[inline(always)]
fn sort_pawns(squares: &mut [u8], lead: usize) {
    let order = |square: &u8| PAWN_ORDER[usize::from(*square)];
    let pawns = &mut squares[..lead];
    pawns.sort_unstable_by_key(|square| std::cmp::Reverse(order(square)));
    if pawns[0] & 7 > 3 {
        for square in squares.iter_mut() {
            *square ^= 0b111;
        }
    }
    squares[1..lead].sort_unstable_by_key(order);
}

/// The number of leading pawns, in the order of [`sort_pawns`].
#[inline(always)]
fn pawns(squares: &[u8]) -> u64 {
    let leading = LEADING_PAWN[squares.len()].0[usize::from(squares[0])];
    let others = squares[1..].iter().zip(&BINOMIAL[1..]);
    let others = others.map(|(&square, ways)| ways[usize::from(PAWN_ORDER[usize::from(square)])]);
    u64::from(leading) + others.sum::<u64>()
}

/// The number of three different pieces, normalised. They are counted by how many of them, from the
/// first on, are on the diagonal.
#[inline(always)]
fn triple(first: u8, second: u8, third: u8) -> u64 {
    let on_diagonal = |square: u8| square >> 3 == square & 7;
    let below = |square: u8| u64::from(BELOW_DIAGONAL[usize::from(square)]);
    let rank = |square: u8| u64::from(square >> 3);
    // Squares that earlier pieces have taken are skipped.
    let skip_second = u64::from(second > first);
    let skip_third = u64::from(third > first) + u64::from(third > second);
    if !on_diagonal(first) {
        // Each of the six squares below the diagonal leaves 63 x 62 ways to place the others.
        let first = u64::from(TRIANGLE[usize::from(first)]);
        (first * 63 + u64::from(second) - skip_second) * 62 + u64::from(third) - skip_third
    } else if !on_diagonal(second) {
        (6 * 63 + rank(first) * 28 + below(second)) * 62 + u64::from(third) - skip_third
    } else if !on_diagonal(third) {
        6 * 63 * 62
            + 4 * 28 * 62
            + (rank(first) * 7 + rank(second) - skip_second) * 28
            + below(third)
    } else {
        6 * 63 * 62
            + 4 * 28 * 62
            + 4 * 7 * 28
            + (rank(first) * 7 + rank(second) - skip_second) * 6
            + rank(third)
            - skip_third
    }
}
