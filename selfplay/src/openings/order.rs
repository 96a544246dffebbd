//! Shuffled orders that need no memory.
//!
//! A permutation of `0..len` by a Feistel network with cycle walking: the network permutes the
//! numbers of an even number of bits, whatever its round function is; a result outside the range is
//! permuted again until it is inside, which yields a permutation of the range. Source: J. Black and
//! P. Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002.

use chacha20::ChaCha8Rng;
use chess::rules::{CHESS960_POSITIONS, Position};
use rand::{Rng as _, SeedableRng as _};

use super::start::OpeningStart;
use crate::model::Opening;

// Four rounds suffice if the round functions are random (Luby and Rackoff, SIAM J. Comput. 17,
// 1988).
const ROUNDS: usize = 8;

/// A shuffled order of `0..len`.
#[derive(Clone, Debug)]
pub(super) struct Permutation {
    len: u64,
    half_bits: u32,
    keys: [u64; ROUNDS],
}

impl Permutation {
    pub(super) fn new(len: u64, seed: u64) -> Self {
        let bits = u64::BITS - len.saturating_sub(1).leading_zeros();
        // ChaCha gives the same numbers on every machine and in every version of the library.
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        Self {
            len,
            // A Feistel network needs two halves of equal size.
            half_bits: bits.div_ceil(2).max(1),
            keys: std::array::from_fn(|_| rng.next_u64()),
        }
    }

    /// The number at a place of the order.
    ///
    /// # Panics
    ///
    /// If the place is not below the length.
    pub(super) fn at(&self, place: u64) -> u64 {
        assert!(place < self.len, "place {place} of {}", self.len);
        let mut number = self.permute(place);
        // Terminates, since the cycle returns to `place`, which is inside.
        while number >= self.len {
            number = self.permute(number);
        }
        number
    }

    fn permute(&self, number: u64) -> u64 {
        let mask = (1 << self.half_bits) - 1;
        let halves = (number >> self.half_bits, number & mask);
        let (left, right) = self.keys.iter().fold(halves, |(left, right), &key| {
            (right, left ^ (mix(right ^ key) & mask))
        });
        left << self.half_bits | right
    }
}

/// Mixes the bits of a number: the finaliser of `SplitMix64` (Steele, Lea, Flood, OOPSLA 2014).
fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

// Start positions of Chess960 as openings, and pairs of them.

/// How many start positions Chess960 has.
pub const POSITIONS: u64 = CHESS960_POSITIONS as u64;
/// How many there are with a back rank of its own for each side.
pub const DOUBLE_POSITIONS: u64 = POSITIONS * POSITIONS;

pub(super) fn opening(number: u64) -> Opening {
    start(number, number).into_opening(format!("Chess960 position {number}"), true)
}

/// The opening with a number below [`DOUBLE_POSITIONS`]: White's number times 960, and Black's.
pub(super) fn double_opening(number: u64) -> Opening {
    let (white, black) = (number / POSITIONS, number % POSITIONS);
    let label = format!("Chess960 positions {white} and {black}");
    start(white, black).into_opening(label, true)
}

fn start(white: u64, black: u64) -> OpeningStart {
    let number = |number| u16::try_from(number).expect("below 960");
    let position = Position::chess960_start(number(white), number(black));
    OpeningStart {
        label: None,
        position: position.expect("below 960"),
        moves: Vec::new(),
        needs_chess960: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_comes_once() {
        for len in (1..200).chain([960, 1023, 1024, 1025, 921_600]) {
            let order = Permutation::new(len, len * 3);
            let size = usize::try_from(len).expect("small");
            let mut seen = vec![false; size];
            for place in 0..len {
                let number = usize::try_from(order.at(place)).expect("small");
                assert!(
                    !std::mem::replace(&mut seen[number], true),
                    "{len}: {number} twice"
                );
            }
        }
    }

    #[test]
    fn orders_are_those_of_the_seed() {
        let order = |seed| {
            (0..50)
                .map(|place| Permutation::new(50, seed).at(place))
                .collect::<Vec<_>>()
        };
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        assert_ne!(order(1), (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn no_place_prefers_any_number() {
        // 6,000 seeds, 6 numbers: each is expected 1,000 times at each place, with a deviation of
        // 29.
        for place in 0..6 {
            let mut counts = [0_i32; 6];
            for seed in 0..6000 {
                let number = Permutation::new(6, seed).at(place);
                counts[usize::try_from(number).expect("small")] += 1;
            }
            assert!(
                counts.iter().all(|count| (count - 1000).abs() < 150),
                "{place}: {counts:?}"
            );
        }
    }

    #[test]
    fn both_sides_of_a_double_opening_can_castle() {
        let opening = double_opening(518 * POSITIONS);
        let expected = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(opening.fen, expected);
        assert_eq!(opening.label, "Chess960 positions 518 and 0");
        assert!(opening.chess960);
    }
}
