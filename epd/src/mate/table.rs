//! The transposition table of the mate search.

use chess::rules::{Color, PieceType, Position};

/// The number of slots, a power of two.
const SLOTS: usize = 1 << 15;

/// Known bounds of a position with the attacker to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct KnownBounds {
    /// There is no mate in at most this many moves.
    pub(super) no_mate_in: u8,
    /// The length of the shortest mate, if known.
    pub(super) mate_in: Option<u8>,
}

/// A fixed-size table with always-replace policy.
///
/// A slot holds the whole position, so that hash collisions cannot give wrong answers.
#[derive(Debug)]
pub(super) struct BoundsTable {
    slots: Vec<Option<(Position, KnownBounds)>>,
}

impl BoundsTable {
    pub(super) fn new() -> Self {
        let slots = vec![None; SLOTS];
        Self { slots }
    }

    /// The entry of a position; the default if it is not stored.
    pub(super) fn get(&self, position: &Position) -> KnownBounds {
        match &self.slots[slot(position)] {
            Some((stored, known)) if is_same(stored, position) => *known,
            _ => KnownBounds::default(),
        }
    }

    pub(super) fn set(&mut self, position: &Position, known: KnownBounds) {
        self.slots[slot(position)] = Some((*position, known));
    }
}

fn slot(position: &Position) -> usize {
    let low = position.key() & (SLOTS as u64 - 1);
    usize::try_from(low).expect("the number of slots fits")
}

/// Whether two positions are equal, clocks aside.
fn is_same(a: &Position, b: &Position) -> bool {
    a.key() == b.key()
        && a.side_to_move() == b.side_to_move()
        && a.castling_rooks() == b.castling_rooks()
        && a.ep_square() == b.ep_square()
        && a.by_color(Color::White) == b.by_color(Color::White)
        && a.by_color(Color::Black) == b.by_color(Color::Black)
        && PieceType::ALL
            .into_iter()
            .all(|kind| a.by_type(kind) == b.by_type(kind))
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;

    use super::*;

    #[test]
    fn only_the_same_position_is_found() {
        let position = |text| fen::parse(text).expect("legal");
        let stored = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        let (no_mate_in, mate_in) = (2, Some(3));
        let known = KnownBounds {
            no_mate_in,
            mate_in,
        };
        let mut table = BoundsTable::new();
        assert_eq!(table.get(&stored), KnownBounds::default());
        table.set(&stored, known);
        let rows = [
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", known),
            ("4k3/8/8/8/8/8/8/4K2R w K - 7 31", known),
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", KnownBounds::default()),
            ("4k3/8/8/8/8/8/8/4K2R b K - 0 1", KnownBounds::default()),
            ("4k3/8/8/8/8/8/8/4K2Q w - - 0 1", KnownBounds::default()),
        ];
        for (text, expected) in rows {
            assert_eq!(table.get(&position(text)), expected, "{text}");
        }
    }
}
