//! The units of a count: the unique positions at a ply, in a stable order. The whole count is the
//! sum over the units: the count below each one times the number of move sequences that lead to it.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use chess::notation::fen;
use chess::perft::{Frontier, UniqueCounter, UniqueError};
use chess::rules::{Move, Position};

/// Memory for the positions of a ply while it is generated.
const MEMORY_MEBIBYTES: usize = 1024;
/// More units would cost more memory than they save time.
const MOST_UNITS: usize = 4_000_000;

/// Where the tree is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// At the first ply with this many positions that leaves at least `below` plies.
    Enough { units: usize, below: u32 },
    /// At this ply, or at the leaves if it is deeper.
    Ply(u32),
}

/// Why a count was not cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CutError {
    #[error(transparent)]
    Unique(#[from] UniqueError),
    #[error(
        "ply {ply} has {positions} positions, expected at most {MOST_UNITS}: cut the tree at an earlier ply"
    )]
    TooMany { ply: u32, positions: usize },
}

/// A count cut into units.
#[derive(Debug)]
pub(crate) struct Units {
    pub(crate) position: Position,
    /// Depth from the position to the leaves, in plies.
    pub(crate) depth: u32,
    /// The ply at which the tree is cut.
    pub(crate) ply: u32,
    /// Sorted by FEN, an order that no version of the program may change.
    pub(crate) list: Vec<CountUnit>,
}

/// A unique position, identified by its index in the list.
#[derive(Debug)]
pub(crate) struct CountUnit {
    pub(crate) position: Position,
    /// Number of move sequences that lead to it.
    sequences: u64,
}

/// The units below one root move.
#[derive(Debug)]
pub(crate) struct RootMoveUnits {
    pub(crate) root_move: Move,
    /// The index of each unit, and the number of move sequences from this move to it.
    units: Vec<(usize, u64)>,
}

impl RootMoveUnits {
    /// The leaf nodes below the root move, once all of its units are counted. Cannot overflow, as
    /// [`Units::sum`].
    pub(crate) fn sum(&self, counts: &[Option<u64>]) -> Option<u128> {
        let units = self.units.iter();
        units
            .map(|&(unit, sequences)| Some(u128::from(sequences) * u128::from(counts[unit]?)))
            .sum()
    }
}

impl Units {
    /// The positions at the cut, or at the ply where the last game has ended. Fails soon after
    /// `cancel` becomes true.
    pub(crate) fn new(
        position: &Position,
        depth: u32,
        cut: Cut,
        cancel: &AtomicBool,
    ) -> Result<Self, CutError> {
        let counter = UniqueCounter::new(MEMORY_MEBIBYTES).cancel(cancel);
        let mut frontier = Frontier::new(position);
        let is_cut = |frontier: &Frontier| match cut {
            Cut::Enough { units, below } => {
                frontier.len() >= units || frontier.ply() + below >= depth
            }
            Cut::Ply(ply) => frontier.ply() >= ply.min(depth),
        };
        while !frontier.is_empty() && !is_cut(&frontier) {
            frontier = counter.next(&frontier, |_, _| {})?.frontier?;
        }
        check_number(frontier.ply(), frontier.len())?;
        let unit = |(position, sequences)| CountUnit {
            position,
            sequences,
        };
        let mut list: Vec<_> = frontier.positions().map(unit).collect();
        // Journals and jobs name a unit by its index in this order.
        list.sort_by_cached_key(|unit| fen::write(&unit.position));
        Ok(Self {
            position: *position,
            depth,
            ply: frontier.ply(),
            list,
        })
    }

    /// The units below each root move, none if the tree is cut at the root. A transposed unit is
    /// below several moves. Fails soon after `cancel` becomes true.
    pub(crate) fn by_root_move(&self, cancel: &AtomicBool) -> Result<Vec<RootMoveUnits>, CutError> {
        let Some(below) = self.ply.checked_sub(1) else {
            return Ok(Vec::new());
        };
        let units = self.list.iter().map(|unit| &unit.position);
        let index: HashMap<&Position, usize> = units.zip(0..).collect();
        let counter = UniqueCounter::new(MEMORY_MEBIBYTES).cancel(cancel);
        let moves = self.position.legal_moves();
        let moves = moves.iter().map(|&root_move| {
            let mut frontier = Frontier::new(&self.position.play_unchecked(root_move));
            while !frontier.is_empty() && frontier.ply() < below {
                frontier = counter.next(&frontier, |_, _| {})?.frontier?;
            }
            let positions = frontier.positions();
            // Both are the positions of one ply, so that each is found.
            let units = positions.map(|(position, sequences)| (index[&position], sequences));
            Ok(RootMoveUnits {
                root_move,
                units: units.collect(),
            })
        });
        moves.collect()
    }

    /// Depth to count below each unit, in plies.
    pub(crate) fn depth_below(&self) -> u32 {
        self.depth - self.ply
    }

    /// Number of move sequences to all units.
    pub(crate) fn sequences(&self) -> u64 {
        // Cannot overflow: the frontier was built with a checked sum.
        self.list.iter().map(|unit| unit.sequences).sum()
    }

    /// The leaf nodes below the counted units, weighted by their move sequences. Cannot overflow:
    /// all sequences together are below 2^64, and so is each count.
    pub(crate) fn sum(&self, counts: &[Option<u64>]) -> u128 {
        let counted = self.list.iter().zip(counts);
        counted
            .filter_map(|(unit, count)| Some(u128::from(unit.sequences) * u128::from((*count)?)))
            .sum()
    }
}

fn check_number(ply: u32, positions: usize) -> Result<(), CutError> {
    if positions > MOST_UNITS {
        return Err(CutError::TooMany { ply, positions });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENOUGH: Cut = Cut::Enough {
        units: 2000,
        below: 1,
    };

    fn units(position: &Position, depth: u32, cut: Cut) -> Result<Units, CutError> {
        Units::new(position, depth, cut, &AtomicBool::new(false))
    }

    #[test]
    fn a_suitable_ply() {
        let deep = Cut::Enough {
            units: 10_000,
            below: 4,
        };
        let rows = [
            (ENOUGH, 0, 0, 1),
            (ENOUGH, 1, 0, 1),
            (ENOUGH, 2, 1, 20),
            (ENOUGH, 3, 2, 400),
            (ENOUGH, 4, 3, 5_362),
            (ENOUGH, 9, 3, 5_362),
            (deep, 3, 0, 1),
            (deep, 6, 2, 400),
            (deep, 9, 4, 72_078),
            (Cut::Ply(2), 9, 2, 400),
            (Cut::Ply(2), 2, 2, 400),
            (Cut::Ply(2), 1, 1, 20),
            (Cut::Ply(0), 9, 0, 1),
        ];
        let start = Position::startpos();
        for (cut, depth, ply, number) in rows {
            let units = units(&start, depth, cut).expect("it fits");
            assert_eq!(units.ply, ply, "{cut:?}, depth {depth}");
            assert_eq!(units.list.len(), number, "{cut:?}, depth {depth}");
        }
    }

    #[test]
    fn no_ply_has_enough_positions_where_the_game_has_ended() {
        let mated = fen::parse("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").expect("legal");
        for cut in [ENOUGH, Cut::Ply(7)] {
            let units = units(&mated, 1_000_000, cut).expect("it fits");
            assert_eq!((units.ply, units.list.len()), (1, 0));
            assert_eq!(units.sum(&[]), 0);
        }
    }

    #[test]
    fn sums_go_beyond_64_bits() {
        let units = units(&Position::startpos(), 4, ENOUGH).expect("it fits");
        let counts = vec![Some(u64::MAX); units.list.len()];
        assert_eq!(units.sequences(), 8_902);
        assert_eq!(units.sum(&counts), 8_902 * u128::from(u64::MAX));
        let several = units.list.iter().position(|unit| unit.sequences > 1);
        let mut counts = vec![None; units.list.len()];
        counts[several.expect("transpositions")] = Some(u64::MAX);
        assert!(units.sum(&counts) >= 2 * u128::from(u64::MAX));
    }

    #[test]
    fn the_units_of_all_root_moves_are_the_units_of_the_count() {
        let never = AtomicBool::new(false);
        // Transpositions, castling, en passant, mates. Cut at every ply down to the leaves.
        let rows = [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                4,
            ),
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                3,
            ),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 3 9", 4),
            ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", 2),
            ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 3),
        ];
        for (text, depth) in rows {
            let position = fen::parse(text).expect("legal");
            for ply in 1..=depth {
                let units = units(&position, depth, Cut::Ply(ply)).expect("it fits");
                let moves = units.by_root_move(&never).expect("it fits");
                let mut sequences = vec![0; units.list.len()];
                for (unit, number) in moves.iter().flat_map(|row| &row.units) {
                    sequences[*unit] += number;
                }
                let expected: Vec<_> = units.list.iter().map(|unit| unit.sequences).collect();
                assert_eq!(sequences, expected, "{text}, ply {ply}");

                let below = units.depth_below();
                let count = |unit: &CountUnit| chess::perft::count(&unit.position, below).ok();
                let counts: Vec<_> = units.list.iter().map(count).collect();
                let divide = chess::perft::Counter::new().divide(&position, depth);
                let divide = divide.expect("it fits").into_iter();
                let expected: Vec<_> = divide.map(|(m, nodes)| (m, Some(nodes.into()))).collect();
                let row = |row: &RootMoveUnits| (row.root_move, row.sum(&counts));
                let divide: Vec<_> = moves.iter().map(row).collect();
                assert_eq!(divide, expected, "{text}, ply {ply}");
            }
        }
    }

    #[test]
    fn a_root_move_is_finished_with_its_last_unit() {
        let never = AtomicBool::new(false);
        let units = units(&Position::startpos(), 4, Cut::Ply(3)).expect("it fits");
        let mut counts = vec![Some(u64::MAX); units.list.len()];
        let moves = units.by_root_move(&never).expect("it fits");
        assert!(moves.iter().all(|row| row.sum(&counts).is_some()));
        // Reached by two root moves.
        let transposed = "rnbqkbnr/1ppppppp/8/p7/8/N6P/PPPPPPP1/R1BQKBNR b KQkq - 0 1";
        let transposed = fen::parse(transposed).expect("legal");
        let missing = units
            .list
            .iter()
            .position(|unit| unit.position == transposed);
        counts[missing.expect("a unit")] = None;
        let open = moves.iter().filter(|row| row.sum(&counts).is_none());
        assert_eq!(open.count(), 2);
    }

    #[test]
    fn cutting_can_be_cancelled() {
        let cut = Units::new(&Position::startpos(), 9, ENOUGH, &AtomicBool::new(true));
        let cancelled = chess::perft::CountError::Cancelled;
        assert_eq!(cut.err(), Some(UniqueError::Count(cancelled).into()));
        let units = units(&Position::startpos(), 9, ENOUGH).expect("it fits");
        let moves = units.by_root_move(&AtomicBool::new(true));
        assert_eq!(moves.err(), Some(UniqueError::Count(cancelled).into()));
    }

    #[test]
    fn too_many_units_are_rejected() {
        assert_eq!(check_number(5, MOST_UNITS), Ok(()));
        let error = check_number(6, 9_417_681).expect_err("too many");
        assert_eq!(
            error.to_string(),
            "ply 6 has 9417681 positions, expected at most 4000000: cut the tree at an earlier ply"
        );
    }
}
