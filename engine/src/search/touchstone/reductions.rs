//! Late-move reductions (LMR).

use super::parameters::Parameters;
use crate::search::value::Depth;

/// Size of the table in depths and move numbers; larger ones are clamped.
const SIZE: usize = 64;

/// Fractions of a ply.
pub(super) const PLY: i32 = 1024;

/// By depth and move number, in fractions of a ply.
static TABLE: [[i32; SIZE]; SIZE] = table();

/// The binary logarithms of depths and move numbers.
const LOGARITHMS: [i32; SIZE] = {
    let mut logarithms = [0; SIZE];
    let mut number = 1;
    while number < SIZE {
        logarithms[number] = log2(number);
        number += 1;
    }
    logarithms
};

/// The reduction of a move, by the depth of the node and the move number from 1, in fractions of a
/// [`PLY`]: it grows with the logarithms of both (chessprogramming wiki, "Late Move Reductions").
#[inline(always)]
pub(super) fn reduction(parameters: &Parameters, depth: Depth, number: usize) -> i32 {
    let depth = usize::try_from(depth).unwrap_or(0).min(SIZE - 1);
    let number = number.min(SIZE - 1);
    // In a build for tuning, the parameters change at run time.
    if Parameters::OPTIONS.is_empty() {
        TABLE[depth][number]
    } else {
        computed(parameters, depth, number)
    }
}

const fn computed(parameters: &Parameters, depth: usize, number: usize) -> i32 {
    if depth == 0 || number == 0 {
        return 0;
    }
    let product = LOGARITHMS[depth] * LOGARITHMS[number] / PLY;
    parameters.lmr_base() + parameters.lmr_slope() * product / PLY
}

const fn table() -> [[i32; SIZE]; SIZE] {
    let mut table = [[0; SIZE]; SIZE];
    let mut depth = 1;
    while depth < SIZE {
        let mut number = 1;
        while number < SIZE {
            table[depth][number] = computed(&Parameters::DEFAULT, depth, number);
            number += 1;
        }
        depth += 1;
    }
    table
}

/// The binary logarithm in fractions of [`PLY`], by repeated squaring: identical on every machine.
#[expect(clippy::cast_possible_wrap, reason = "logarithms are small")]
const fn log2(number: usize) -> i32 {
    let whole = number.ilog2();
    let mut result = whole as i32 * PLY;
    // Between 1 and 2, in units of 2^-31.
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
        let reduction = |depth, number| super::reduction(&Parameters::DEFAULT, depth, number);
        let (base, slope) = (
            Parameters::DEFAULT.lmr_base(),
            Parameters::DEFAULT.lmr_slope(),
        );
        assert_eq!(reduction(1, 1), base);
        assert_eq!(reduction(2, 2), base + slope);
        for depth in 1..80 {
            for number in 1..80 {
                assert!(reduction(depth, number) <= reduction(depth + 1, number));
                assert!(reduction(depth, number) <= reduction(depth, number + 1));
            }
        }
        assert_eq!(reduction(-1, 5), 0);
    }
}
