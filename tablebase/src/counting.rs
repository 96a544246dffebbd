//! Numbers of squares and of sets of squares, from which positions are numbered. Computed at compile
//! time. Pure.

use crate::material::MOST_PIECES;

/// Capacity for the pieces of a table.
const MOST: usize = MOST_PIECES as usize;
/// Number of positions of two kings, symmetry removed, the second not beside the first.
pub(crate) const KING_PAIRS: u64 = 462;
/// Number of positions of three different pieces, symmetry removed.
pub(crate) const TRIPLES: u64 = 31_332;
/// Maximum number of pawns in the leading group.
const MOST_PAWNS: usize = MOST - 2;

/// `BINOMIAL[k][n]`: ways to choose `k` out of `n`.
pub(crate) static BINOMIAL: [[u64; 65]; MOST] = binomials();
/// The triangle a1-d1-d4: six squares below the diagonal, then the four on it.
pub(crate) static TRIANGLE: [u8; 64] = triangle();
/// The squares below the diagonal from a1 to h8, numbered from b1 on.
pub(crate) static BELOW_DIAGONAL: [u8; 64] = below_diagonal();
/// Two kings: the first by its number in the triangle, the second by its square.
pub(crate) static KINGS: [[u16; 64]; 10] = kings();
/// The order of pawns, the leading pawn having the highest number: from file a and h to d and e, from
/// the second rank to the seventh.
pub(crate) static PAWN_ORDER: [u8; 64] = pawn_order();
/// For each number of leading pawns: the contribution of the leading pawn's square, and the number of
/// positions of the group for each file of the leading pawn.
pub(crate) static LEADING_PAWN: [([u32; 64], [u32; 4]); MOST_PAWNS + 1] = leading_pawns();

const fn binomials() -> [[u64; 65]; MOST] {
    let mut table = [[0; 65]; MOST];
    let mut n = 0;
    while n < 65 {
        table[0][n] = 1;
        let mut k = 1;
        while k < MOST && n > 0 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
}

const fn triangle() -> [u8; 64] {
    let mut table = [0; 64];
    // Six squares of the triangle lie below the diagonal, so those on it are numbered from 6.
    let (mut below, mut diagonal, mut square) = (0, 6, 0);
    while square < 28 {
        let (file, rank) = (square % 8, square / 8);
        if file < 4 && rank < file {
            table[square] = below;
            below += 1;
        } else if file == rank {
            table[square] = diagonal;
            diagonal += 1;
        }
        square += 1;
    }
    table
}

const fn below_diagonal() -> [u8; 64] {
    let mut table = [0; 64];
    let (mut number, mut square) = (0, 0);
    while square < 64 {
        if square / 8 < square % 8 {
            table[square] = number;
            number += 1;
        }
        square += 1;
    }
    table
}

/// Number of the pairs with both kings on the diagonal comes last. The first king stands on the
/// triangle; if it is on the diagonal, the second is on it or below.
const fn kings() -> [[u16; 64]; 10] {
    let mut table = [[0; 64]; 10];
    let mut number = 0;
    let mut both_on_diagonal = 0;
    while both_on_diagonal < 2 {
        let mut index = 0;
        while index < 10 {
            let mut first = 0;
            while first < 28 {
                let (file, rank) = (first % 8, first / 8);
                let is_here = file < 4 && rank <= file && triangle()[first] as usize == index;
                let mut second = 0;
                while is_here && second < 64 {
                    let (to_file, to_rank) = (second % 8, second / 8);
                    let is_near = file.abs_diff(to_file) <= 1 && rank.abs_diff(to_rank) <= 1;
                    let on_diagonal = file == rank && to_file == to_rank;
                    let is_mirrored = file == rank && to_rank > to_file;
                    if !is_near && !is_mirrored && on_diagonal as usize == both_on_diagonal {
                        table[index][second] = number;
                        number += 1;
                    }
                    second += 1;
                }
                first += 1;
            }
            index += 1;
        }
        both_on_diagonal += 1;
    }
    assert!(number as u64 == KING_PAIRS);
    table
}

const fn pawn_order() -> [u8; 64] {
    let mut table = [0; 64];
    let (mut number, mut file) = (48, 0);
    while file < 4 {
        let mut rank = 1;
        while rank < 7 {
            table[rank * 8 + file] = number - 1;
            table[rank * 8 + 7 - file] = number - 2;
            number -= 2;
            rank += 1;
        }
        file += 1;
    }
    table
}

#[expect(clippy::cast_possible_truncation, reason = "below 1.8 million")]
const fn leading_pawns() -> [([u32; 64], [u32; 4]); MOST_PAWNS + 1] {
    let order = pawn_order();
    let binomials = binomials();
    let mut table = [([0; 64], [0; 4]); MOST_PAWNS + 1];
    let mut count = 1;
    while count <= MOST_PAWNS {
        let mut file = 0;
        while file < 4 {
            let (mut sum, mut rank) = (0, 1);
            while rank < 7 {
                let square = rank * 8 + file;
                table[count].0[square] = sum as u32;
                sum += binomials[count - 1][order[square] as usize];
                rank += 1;
            }
            table[count].1[file] = sum as u32;
            file += 1;
        }
        count += 1;
    }
    table
}
