//! The units: the unique positions at a ply, in an order that never changes.

use engine::notation::fen;
use engine::perft::{CountError, Frontier, UniqueCounter, UniqueError};
use engine::rules::Position;

use super::journal::{Header, SCHEMA};

/// A ply with as many positions keeps every core busy, and little is lost when a run is killed.
const ENOUGH_UNITS: usize = 2000;
/// Far more than the ply after one of fewer than [`ENOUGH_UNITS`] positions can need.
const MEMORY_MEBIBYTES: usize = 1024;

/// What a count is cut into.
#[derive(Debug)]
pub(crate) struct Units {
    /// What the journal begins with.
    pub(crate) header: Header,
    /// In the alphabetical order of their FEN, which no version of the program will change.
    pub(crate) list: Vec<Unit>,
}

/// A unique position, of which a journal knows the number in the list.
#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) position: Position,
    /// How many sequences of moves lead to it.
    sequences: u64,
}

impl Units {
    /// The positions at the first ply that has enough of them, or at the last but one.
    pub(crate) fn new(position: &Position, depth: u32) -> Result<Self, UniqueError> {
        let counter = UniqueCounter::new(MEMORY_MEBIBYTES);
        let mut frontier = Frontier::new(position);
        while (1..ENOUGH_UNITS).contains(&frontier.len()) && frontier.ply() + 1 < depth {
            frontier = counter.next(&frontier, |_, _| {})?.frontier?;
        }
        let mut named: Vec<_> = frontier
            .positions()
            .map(|(position, sequences)| {
                let unit = Unit {
                    position,
                    sequences,
                };
                (fen::write(&position), unit)
            })
            .collect();
        named.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(Self {
            header: Header {
                schema: SCHEMA.to_owned(),
                fen: fen::write(position),
                depth,
                ply: frontier.ply(),
                units: named.len(),
            },
            list: named.into_iter().map(|(_, unit)| unit).collect(),
        })
    }

    /// How many plies are to be counted below each unit.
    pub(crate) fn depth_below(&self) -> u32 {
        self.header.depth - self.header.ply
    }

    /// The leaf nodes below the units that are counted, each as often as moves lead to it.
    pub(crate) fn sum(&self, counts: &[Option<u64>]) -> Result<u64, CountError> {
        let counted = self.list.iter().zip(counts);
        counted
            .filter_map(|(unit, count)| Some((unit.sequences, (*count)?)))
            .try_fold(0_u64, |sum, (sequences, count)| {
                sum.checked_add(sequences.checked_mul(count)?)
            })
            .ok_or(CountError::Overflow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suitable_ply() {
        let start = Position::startpos();
        let rows = [
            (0, 0, 1),
            (1, 0, 1),
            (2, 1, 20),
            (3, 2, 400),
            (4, 3, 5_362),
            (9, 3, 5_362),
        ];
        for (depth, ply, units) in rows {
            let cut = Units::new(&start, depth).expect("it fits");
            let header = cut.header;
            assert_eq!((header.ply, header.units), (ply, units), "depth {depth}");
            assert_eq!(cut.list.len(), units);
        }
    }

    #[test]
    fn no_ply_has_enough_positions_where_the_game_has_ended() {
        let mated = fen::parse("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").expect("legal");
        let units = Units::new(&mated, 1_000_000).expect("it fits");
        assert_eq!((units.header.ply, units.header.units), (1, 0));
        assert_eq!(units.sum(&[]), Ok(0));
    }

    #[test]
    fn sums_are_checked() {
        let units = Units::new(&Position::startpos(), 4).expect("it fits");
        let several = units.list.iter().position(|unit| unit.sequences > 1);
        let mut counts = vec![None; units.list.len()];
        counts[several.expect("transpositions")] = Some(u64::MAX / 2 + 1);
        assert_eq!(units.sum(&counts), Err(CountError::Overflow));
    }
}
