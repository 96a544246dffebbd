//! Sliding attacks by PEXT look-up: the occupied squares of the lines are packed into a table
//! index.

use std::sync::LazyLock;

use super::{Sliders, Subtraction};
use crate::rules::bmi2::Bmi2;
use crate::rules::{Bitboard, File, Rank, Square};

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
        let following = subset.wrapping_sub(mask) & mask;
        next = (following != 0).then_some(following);
        Some(subset)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
