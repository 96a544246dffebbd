//! Sliding attacks: by subtraction on any CPU, and by PEXT look-up, where the occupied squares of
//! the lines are packed into a table index.

use std::sync::LazyLock;

use crate::rules::bmi2::Bmi2;
use crate::rules::{Bitboard, File, Rank, Square};

/// An implementation of the attacks of sliding pieces.
///
/// The generators take it as a type parameter, so that the choice is made once and not on each
/// look-up.
pub trait Sliders: Copy {
    /// The squares a rook attacks, up to and including the first occupied one on each line.
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;
    /// The squares a bishop attacks, up to and including the first occupied one on each line.
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;
}

/// The thesis's `o ^ (o - 2s)` (section 3.4), computed for both directions of a line.
///
/// With `o` the occupied squares of a line and `s` the slider, the subtraction borrows through the
/// empty squares above the slider up to the first piece. Reversing the line gives the other
/// direction: a byte swap suffices if each rank holds at most one square of the line.
#[derive(Clone, Copy, Debug)]
pub struct Subtraction;

impl Sliders for Subtraction {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let masks = &MASKS[square.index()];
        Bitboard(
            both_ways(square, occupied.0 & masks.file, u64::swap_bytes) & masks.file
                | both_ways(square, occupied.0 & masks.rank, u64::reverse_bits) & masks.rank,
        )
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let masks = &MASKS[square.index()];
        Bitboard(
            both_ways(square, occupied.0 & masks.diagonal, u64::swap_bytes) & masks.diagonal
                | both_ways(square, occupied.0 & masks.anti_diagonal, u64::swap_bytes)
                    & masks.anti_diagonal,
        )
    }
}

#[inline(always)]
fn both_ways(square: Square, line: u64, turn: impl Fn(u64) -> u64) -> u64 {
    let slider = square.bitboard().0;
    let up = line.wrapping_sub(slider << 1);
    let down = turn(turn(line).wrapping_sub(turn(slider) << 1));
    up ^ down
}

/// The four lines through a square, without the square itself.
#[derive(Clone, Copy)]
struct Masks {
    file: u64,
    rank: u64,
    diagonal: u64,
    anti_diagonal: u64,
}

static MASKS: [Masks; Square::COUNT] = masks();

const fn masks() -> [Masks; Square::COUNT] {
    let mut table = [Masks {
        file: 0,
        rank: 0,
        diagonal: 0,
        anti_diagonal: 0,
    }; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::ALL[index];
        let file = File::bitboard(square.file()).0;
        let rank = Rank::bitboard(square.rank()).0;
        let own = square.bitboard().0;
        table[index] = Masks {
            file: file & !own,
            rank: rank & !own,
            diagonal: diagonal(square, 1),
            anti_diagonal: diagonal(square, -1),
        };
        index += 1;
    }
    table
}

const fn diagonal(square: Square, slope: i32) -> u64 {
    let mut set = 0;
    let mut step = 1;
    while step < 8 {
        if let Some(target) = square.offset(step, step * slope) {
            set |= target.bitboard().0;
        }
        if let Some(target) = square.offset(-step, -step * slope) {
            set |= target.bitboard().0;
        }
        step += 1;
    }
    set
}

/// Attacks by table look-up; a value exists only if the CPU has a fast PEXT (see [`Pext::detect`]).
#[derive(Clone, Copy, Debug)]
pub struct Pext {
    tables: &'static Tables,
    cpu: Bmi2,
}

#[derive(Clone, Copy, Debug)]
struct Lines {
    /// The relevant occupancy: the lines without their last squares.
    mask: u64,
    offset: usize,
}

/// 107,648 attack sets: 102,400 for rooks, 5,248 for bishops.
const ENTRIES: usize = 102_400 + 5_248;

#[derive(Debug)]
struct Tables {
    rook: [Lines; Square::COUNT],
    bishop: [Lines; Square::COUNT],
    attacks: Box<[u64]>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);
static DETECTED: LazyLock<Option<Pext>> = LazyLock::new(|| {
    Some(Pext {
        cpu: Bmi2::detect()?,
        tables: &TABLES,
    })
});

impl Pext {
    /// Returns the look-up if this CPU has BMI2 in hardware. AMD CPUs before Zen 3 run PEXT in
    /// microcode, slower than subtraction, so they are excluded.
    #[inline(always)]
    pub fn detect() -> Option<Self> {
        *DETECTED
    }

    /// The bits of `value` selected by `mask`, packed to the low end.
    #[inline(always)]
    pub(crate) fn pack(self, value: u64, mask: u64) -> u64 {
        self.cpu.pext(value, mask)
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "an index of at most 12 bits"
    )]
    #[inline(always)]
    fn look_up(self, lines: Lines, occupied: Bitboard) -> Bitboard {
        let index = self.cpu.pext(occupied.0, lines.mask);
        Bitboard(self.tables.attacks[lines.offset + index as usize])
    }
}

impl Sliders for Pext {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(self.tables.rook[square.index()], occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(self.tables.bishop[square.index()], occupied)
    }
}

impl Tables {
    fn new() -> Self {
        let mut attacks = Vec::with_capacity(ENTRIES);
        let none = Lines { mask: 0, offset: 0 };
        let (mut rook, mut bishop) = ([none; Square::COUNT], [none; Square::COUNT]);
        for square in Square::ALL {
            let mask = rook_mask(square);
            rook[square.index()] = Lines {
                mask,
                offset: attacks.len(),
            };
            attacks.extend(subsets(mask).map(|set| Subtraction.rook(square, Bitboard(set)).0));
        }
        for square in Square::ALL {
            // What stands at the end of a line hides nothing.
            let mask = Subtraction.bishop(square, Bitboard::EMPTY).0 & !EDGE;
            bishop[square.index()] = Lines {
                mask,
                offset: attacks.len(),
            };
            attacks.extend(subsets(mask).map(|set| Subtraction.bishop(square, Bitboard(set)).0));
        }
        debug_assert_eq!(attacks.len(), ENTRIES);
        Self {
            rook,
            bishop,
            attacks: attacks.into_boxed_slice(),
        }
    }
}

const EDGE: u64 =
    Rank::R1.bitboard().0 | Rank::R8.bitboard().0 | File::A.bitboard().0 | File::H.bitboard().0;

fn rook_mask(square: Square) -> u64 {
    // Unlike a bishop's, a line of a rook may lie on the edge.
    let ranks = Rank::R1.bitboard().0 | Rank::R8.bitboard().0;
    let files = File::A.bitboard().0 | File::H.bitboard().0;
    (square.file().bitboard().0 & !ranks | square.rank().bitboard().0 & !files)
        & !square.bitboard().0
}

/// Every subset of `mask`, in PEXT index order.
fn subsets(mask: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(0_u64);
    std::iter::from_fn(move || {
        let subset = next?;
        // The carry ripples through the bits of the mask only (chessprogramming wiki, "Traversing
        // Subsets of a Set").
        let following = subset.wrapping_sub(mask) & mask;
        next = (following != 0).then_some(following);
        Some(subset)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(square: Square, occupied: Bitboard, steps: [(i32, i32); 4]) -> Bitboard {
        let mut attacks = Bitboard::EMPTY;
        for (files, ranks) in steps {
            let mut at = square;
            while let Some(next) = at.offset(files, ranks) {
                attacks |= next.bitboard();
                if occupied.contains(next) {
                    break;
                }
                at = next;
            }
        }
        attacks
    }

    #[test]
    fn agrees_with_walking_the_rays() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..2000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let occupied = Bitboard(state & state.rotate_left(23));
            for square in Square::ALL {
                let straight = walk(square, occupied, [(1, 0), (-1, 0), (0, 1), (0, -1)]);
                let diagonal = walk(square, occupied, [(1, 1), (-1, 1), (1, -1), (-1, -1)]);
                assert_eq!(Subtraction.rook(square, occupied), straight);
                assert_eq!(Subtraction.bishop(square, occupied), diagonal);
            }
        }
    }

    #[test]
    fn tables_have_the_published_size() {
        assert_eq!(Tables::new().attacks.len(), ENTRIES);
    }

    // On a CPU without a fast PEXT there is nothing to compare with.
    #[test]
    fn agrees_with_subtraction_on_every_index() {
        let Some(pext) = Pext::detect() else { return };
        for square in Square::ALL {
            for set in subsets(rook_mask(square)) {
                let occupied = Bitboard(set);
                assert_eq!(
                    pext.rook(square, occupied),
                    Subtraction.rook(square, occupied)
                );
            }
            for set in subsets(Subtraction.bishop(square, Bitboard::EMPTY).0) {
                let occupied = Bitboard(set);
                assert_eq!(
                    pext.bishop(square, occupied),
                    Subtraction.bishop(square, occupied)
                );
            }
        }
    }
}
