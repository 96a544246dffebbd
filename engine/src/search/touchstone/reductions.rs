//! How much less deeply late moves are searched at first.

/// Depths and move numbers that are told apart; larger ones count as the largest.
const SIZE: usize = 64;

/// So many parts are a ply.
pub(super) const PLY: i32 = 1024;

/// What every late move is reduced by, in parts of a ply.
const BASE: i32 = 880;
/// What the product of the binary logarithms of depth and number counts, in parts of a ply.
const SLOPE: i32 = 268;

/// By depth and number of the move, in parts of a ply.
static TABLE: [[i32; SIZE]; SIZE] = table();

/// The reduction of a move of a node, by the depth of the node and the number of the move from 1, in
/// parts of a [`PLY`]: it grows with the logarithms of both (chessprogramming wiki, "Late Move
/// Reductions").
#[inline(always)]
pub(super) fn reduction(depth: i32, number: usize) -> i32 {
    let depth = usize::try_from(depth).unwrap_or(0);
    TABLE[depth.min(SIZE - 1)][number.min(SIZE - 1)]
}

const fn table() -> [[i32; SIZE]; SIZE] {
    let mut table = [[0; SIZE]; SIZE];
    let mut depth = 1;
    while depth < SIZE {
        let mut number = 1;
        while number < SIZE {
            let product = log2(depth) * log2(number) / PLY;
            table[depth][number] = BASE + SLOPE * product / PLY;
            number += 1;
        }
        depth += 1;
    }
    table
}

/// The binary logarithm in parts of [`PLY`], by squaring: the same on every machine.
#[expect(clippy::cast_possible_wrap, reason = "logarithms are small")]
const fn log2(number: usize) -> i32 {
    let whole = number.ilog2();
    let mut result = whole as i32 * PLY;
    // Between 1 and 2, in parts of 2^31.
    let mut rest = (number as u64) << (31 - whole);
    let mut part = PLY / 2;
    while part > 0 {
        rest = (rest * rest) >> 31;
        if rest >> 32 != 0 {
            result += part;
            rest >>= 1;
        }
        part /= 2;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right_to_a_thousandth() {
        for number in 1..SIZE {
            let exact = f64::from(u32::try_from(number).expect("small")).log2() * f64::from(PLY);
            assert!((f64::from(log2(number)) - exact).abs() <= 1.0, "{number}");
        }
    }

    #[test]
    fn reductions_grow_with_depth_and_number() {
        assert_eq!(reduction(1, 1), BASE);
        for depth in 1..80 {
            for number in 1..80 {
                assert!(reduction(depth, number) <= reduction(depth + 1, number));
                assert!(reduction(depth, number) <= reduction(depth, number + 1));
            }
        }
        assert_eq!(reduction(-1, 5), 0);
    }
}
