//! History heuristics: quiet history, capture history, continuation history and countermoves.
//!
//! All values stay within ±[`MAX`]: the closer a value is to its limit, the less it grows
//! (chessprogramming wiki, "History Heuristic", history gravity).

use super::features::Features;
use chess::rules::{Color, Move, PieceType, Position, Square};

/// Maximal absolute value of a history entry.
pub(super) const MAX: i32 = 16_384;

/// A piece and its target square, the index of capture and continuation history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    const COUNT: usize = Color::COUNT * PieceType::COUNT * Square::COUNT;

    /// The piece and target of a legal move.
    #[inline(always)]
    pub(super) fn of(position: &Position, m: Move) -> Self {
        let kind = position
            .piece_type_at(m.from())
            .expect("a legal move starts from a piece");
        Self::new(position.side_to_move(), kind, m.to())
    }

    /// A piece with this target.
    #[inline(always)]
    pub(super) fn new(color: Color, kind: PieceType, to: Square) -> Self {
        let piece = color.index() * PieceType::COUNT + kind.index();
        Self(u16::try_from(piece * Square::COUNT + to.index()).expect("fewer than 768"))
    }

    #[inline(always)]
    const fn index(self) -> usize {
        self.0 as usize
    }
}

const FROM_TO: usize = Square::COUNT * Square::COUNT;
/// One entry per piece and target.
type ByPieceTo = [i16; PieceTo::COUNT];

/// Used if there is no previous move, or the feature is disabled.
static NO_CONTINUATION: ByPieceTo = [0; PieceTo::COUNT];
static NO_QUIET_HISTORY: [i16; FROM_TO] = [0; FROM_TO];

/// The histories of one thread. They persist between searches and decay.
#[derive(Clone, Debug)]
pub(in crate::search) struct Histories {
    /// By side to move, origin and target.
    quiet: Box<[[i16; FROM_TO]]>,
    /// By piece, target and kind of the captured piece.
    captures: Box<[i16]>,
    /// By piece and target of the earlier move, then piece and target of the move.
    continuation: Box<[ByPieceTo]>,
    /// Countermoves, by piece and target of the previous move.
    counters: Box<[Option<Move>]>,
}

impl Histories {
    pub(in crate::search) fn new() -> Self {
        Self {
            quiet: vec![[0; FROM_TO]; Color::COUNT].into(),
            captures: vec![0; PieceTo::COUNT * PieceType::COUNT].into(),
            continuation: vec![[0; PieceTo::COUNT]; PieceTo::COUNT].into(),
            counters: vec![None; PieceTo::COUNT].into(),
        }
    }

    /// The quiet-move histories of a node, as far as enabled by the features: quiet history and
    /// continuation history.
    #[inline(always)]
    pub(super) fn quiets(
        &self,
        color: Color,
        earlier: [Option<PieceTo>; 2],
        features: Features,
    ) -> QuietHistory<'_> {
        let wanted = earlier.map(|before| before.filter(|_| features.continuation_history));
        QuietHistory {
            color,
            butterfly: if features.history {
                &self.quiet[color.index()]
            } else {
                &NO_QUIET_HISTORY
            },
            after: wanted.map(|before| {
                before.map_or(&NO_CONTINUATION, |before| {
                    &self.continuation[before.index()]
                })
            }),
        }
    }

    /// The capture history of a move.
    #[inline(always)]
    pub(super) fn capture(&self, now: PieceTo, victim: PieceType) -> i32 {
        self.captures[now.index() * PieceType::COUNT + victim.index()].into()
    }

    /// The countermove to a move.
    #[inline(always)]
    pub(super) fn countermove(&self, earlier: PieceTo) -> Option<Move> {
        self.counters[earlier.index()]
    }

    /// Updates the quiet history of a move; a negative bonus is a malus.
    pub(super) fn update_quiet(&mut self, color: Color, m: Move, bonus: i32) {
        add_bonus(&mut self.quiet[color.index()][from_to(m)], bonus);
    }

    /// Updates the continuation history of a move after an earlier one.
    pub(super) fn update_continuation(&mut self, earlier: PieceTo, now: PieceTo, bonus: i32) {
        let after = &mut self.continuation[earlier.index()];
        add_bonus(&mut after[now.index()], bonus);
    }

    /// Updates the capture history of a move.
    pub(super) fn update_capture(&mut self, now: PieceTo, victim: PieceType, bonus: i32) {
        let index = now.index() * PieceType::COUNT + victim.index();
        add_bonus(&mut self.captures[index], bonus);
    }

    pub(super) fn set_countermove(&mut self, earlier: PieceTo, refutation: Move) {
        self.counters[earlier.index()] = Some(refutation);
    }
}

/// The quiet-move histories of one node.
#[derive(Clone, Copy)]
pub(super) struct QuietHistory<'a> {
    color: Color,
    /// By origin and target.
    butterfly: &'a [i16; FROM_TO],
    /// Continuation histories of the moves one and two plies before.
    after: [&'a ByPieceTo; 2],
}

impl QuietHistory<'_> {
    /// The summed histories of a quiet move of a piece of this kind.
    #[inline(always)]
    pub(super) fn value(&self, kind: PieceType, m: Move) -> i32 {
        let now = PieceTo::new(self.color, kind, m.to()).index();
        let [one, two] = self.after.map(|known| i32::from(known[now]));
        i32::from(self.butterfly[from_to(m)]) + one + two
    }
}

#[inline(always)]
fn from_to(m: Move) -> usize {
    m.from().index() * Square::COUNT + m.to().index()
}

/// Adds a bonus with gravity: the closer the value is to its limit, the smaller the change.
#[inline(always)]
pub(super) fn add_bonus(value: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-MAX, MAX);
    let old = i32::from(*value);
    let new = old + bonus - old * bonus.abs() / MAX;
    *value = i16::try_from(new).expect("between the old value and the limit");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_within_their_limits() {
        let mut value = 0;
        for (bonus, least, most) in [(900, 15_000, MAX), (-70_000, -MAX, -MAX), (1, -MAX, 0)] {
            for _ in 0..100 {
                add_bonus(&mut value, bonus);
            }
            assert!((least..=most).contains(&i32::from(value)), "{value}");
        }
    }

    #[test]
    fn every_piece_and_target_has_an_entry() {
        let position = Position::startpos();
        let moves = position.legal_moves();
        let mut places: Vec<u16> = moves.iter().map(|&m| PieceTo::of(&position, m).0).collect();
        places.sort_unstable();
        places.dedup();
        // Twenty moves; a3, c3, f3 and h3 are each reached by a knight and a pawn, which count
        // separately.
        assert_eq!(places.len(), 20);
        assert!(
            places
                .iter()
                .all(|&place| usize::from(place) < PieceTo::COUNT)
        );
    }
}
