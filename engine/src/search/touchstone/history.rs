//! What has been good: moves that refuted, and how far the evaluation was wrong.
//!
//! All values stay within ±[`MAX`]: the closer a value is to its limit, the less it still grows
//! (chessprogramming wiki, "History Heuristic", history gravity).

use super::features::Features;
use chess::rules::{Color, Move, PieceType, Position, Square};

/// No value of a history is larger.
pub(super) const MAX: i32 = 16_384;

/// A piece and the square it goes to: what answers and plans are told apart by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    const COUNT: usize = Color::COUNT * PieceType::COUNT * Square::COUNT;

    /// The piece of a legal move and where it goes.
    #[inline(always)]
    pub(super) fn of(position: &Position, m: Move) -> Self {
        let kind = position
            .piece_type_at(m.from())
            .expect("a legal move starts from a piece");
        Self::new(position.side_to_move(), kind, m.to())
    }

    /// A piece and where it goes.
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

/// How many moves there are from square to square.
const WAYS: usize = Square::COUNT * Square::COUNT;
/// One number for each piece and target.
type ByPieceTo = [i16; PieceTo::COUNT];

/// In place of what was never asked for: nothing is known.
static UNKNOWN: ByPieceTo = [0; PieceTo::COUNT];
static UNKNOWN_WAYS: [i16; WAYS] = [0; WAYS];

/// What one thread has learnt about moves. It outlives the search, and fades.
#[derive(Clone, Debug)]
pub(in crate::search) struct Histories {
    /// By side, origin and target.
    quiet: Box<[[i16; WAYS]]>,
    /// By piece and target, and kind of victim.
    captures: Box<[i16]>,
    /// By piece and target of an earlier move, and piece and target.
    continuation: Box<[ByPieceTo]>,
    /// The refutation of a piece's move to a square.
    counters: Box<[Option<Move>]>,
}

impl Histories {
    /// Nothing learnt.
    pub(in crate::search) fn new() -> Self {
        Self {
            quiet: vec![[0; WAYS]; Color::COUNT].into(),
            captures: vec![0; PieceTo::COUNT * PieceType::COUNT].into(),
            continuation: vec![[0; PieceTo::COUNT]; PieceTo::COUNT].into(),
            counters: vec![None; PieceTo::COUNT].into(),
        }
    }

    /// How good quiet moves have been for a side, as far as these features want to know: at all, and
    /// after the moves before.
    #[inline(always)]
    pub(super) fn quiets(
        &self,
        color: Color,
        earlier: [Option<PieceTo>; 2],
        features: Features,
    ) -> Quiets<'_> {
        let wanted = earlier.map(|before| before.filter(|_| features.continuation_history));
        Quiets {
            color,
            at_all: if features.history {
                &self.quiet[color.index()]
            } else {
                &UNKNOWN_WAYS
            },
            after: wanted
                .map(|before| before.map_or(&UNKNOWN, |before| &self.continuation[before.index()])),
        }
    }

    /// How good a capture has been.
    #[inline(always)]
    pub(super) fn capture(&self, now: PieceTo, victim: PieceType) -> i32 {
        self.captures[now.index() * PieceType::COUNT + victim.index()].into()
    }

    /// The refutation of a move.
    #[inline(always)]
    pub(super) fn counter(&self, earlier: PieceTo) -> Option<Move> {
        self.counters[earlier.index()]
    }

    /// A quiet move was good, or bad where the bonus is negative.
    pub(super) fn learn_quiet(&mut self, color: Color, m: Move, bonus: i32) {
        learn(&mut self.quiet[color.index()][way(m)], bonus);
    }

    /// A move after an earlier one was good or bad.
    pub(super) fn learn_continuation(&mut self, earlier: PieceTo, now: PieceTo, bonus: i32) {
        let after = &mut self.continuation[earlier.index()];
        learn(&mut after[now.index()], bonus);
    }

    /// A capture was good or bad.
    pub(super) fn learn_capture(&mut self, now: PieceTo, victim: PieceType, bonus: i32) {
        let index = now.index() * PieceType::COUNT + victim.index();
        learn(&mut self.captures[index], bonus);
    }

    /// A move was refuted.
    pub(super) fn learn_counter(&mut self, earlier: PieceTo, refutation: Move) {
        self.counters[earlier.index()] = Some(refutation);
    }
}

/// What is known of the quiet moves of one node.
#[derive(Clone, Copy)]
pub(super) struct Quiets<'a> {
    color: Color,
    /// By origin and target.
    at_all: &'a [i16; WAYS],
    /// After the moves one and two plies before.
    after: [&'a ByPieceTo; 2],
}

impl Quiets<'_> {
    /// How good a move of a piece of this kind has been.
    #[inline(always)]
    pub(super) fn value(&self, kind: PieceType, m: Move) -> i32 {
        let now = PieceTo::new(self.color, kind, m.to()).index();
        let [one, two] = self.after.map(|known| i32::from(known[now]));
        i32::from(self.at_all[way(m)]) + one + two
    }
}

#[inline(always)]
fn way(m: Move) -> usize {
    m.from().index() * Square::COUNT + m.to().index()
}

/// Moves a value by a bonus, the less the closer it is to the limit.
#[inline(always)]
pub(super) fn learn(value: &mut i16, bonus: i32) {
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
                learn(&mut value, bonus);
            }
            assert!((least..=most).contains(&i32::from(value)), "{value}");
        }
    }

    #[test]
    fn every_piece_and_square_has_its_place() {
        let position = Position::startpos();
        let moves = position.legal_moves();
        let mut places: Vec<u16> = moves.iter().map(|&m| PieceTo::of(&position, m).0).collect();
        places.sort_unstable();
        places.dedup();
        // Twenty moves; a3, c3, f3 and h3 are reached by knight and pawn, which are different.
        assert_eq!(places.len(), 20);
        assert!(
            places
                .iter()
                .all(|&place| usize::from(place) < PieceTo::COUNT)
        );
    }
}
