//! History heuristics: what moves achieved elsewhere in the tree orders, prunes and reduces them
//! here (chessprogramming wiki, "History Heuristic").
//!
//! Quiet moves have a butterfly history by origin and target (and whether these are attacked), a
//! pawn history by pawn structure, a low-ply history near the root, continuation histories by the
//! moves one, two and four plies before, and countermoves. Captures have a capture history.
//!
//! All values stay within ±[`MAX`]: the closer a value is to its limit, the less it grows (history
//! gravity).

use super::features::Features;
use chess::rules::{Bitboard, Color, Move, PieceType, Position, Square};

/// Maximal absolute value of a history entry.
pub(super) const MAX: i32 = 16_384;

/// A piece and its target square, the index of capture, pawn and continuation history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    pub(super) const COUNT: usize = Color::COUNT * PieceType::COUNT * Square::COUNT;

    /// The piece and target of a legal move.
    #[inline(always)]
    pub(super) fn from_position(position: &Position, m: Move) -> Self {
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

    /// The target square.
    #[inline(always)]
    pub(super) fn to(self) -> Square {
        Square::ALL[usize::from(self.0) % Square::COUNT]
    }

    #[inline(always)]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

const FROM_TO: usize = Square::COUNT * Square::COUNT;
/// One entry per origin and target.
type ByFromTo = [i16; FROM_TO];
/// One entry per piece and target.
type ByPieceTo = [i16; PieceTo::COUNT];

/// Used where a history has nothing to say, or its feature is disabled.
static NO_PIECE_TO: ByPieceTo = [0; PieceTo::COUNT];
static NO_FROM_TO: ByFromTo = [0; FROM_TO];

/// Number of pawn structures that the pawn history distinguishes; a power of two.
pub(super) const PAWNS: usize = 1 << 9;
/// Plies from the root with a history of their own.
const LOW_PLIES: usize = 4;

/// The histories of one thread. They persist between searches and decay.
#[derive(Clone, Debug)]
pub(in crate::search) struct Histories {
    /// By side to move, and whether origin and target are attacked.
    quiet: Box<[ByFromTo]>,
    /// By pawn structure.
    pawns: Box<[ByPieceTo]>,
    /// By ply.
    low_ply: Box<[ByFromTo]>,
    /// By piece, target and kind of the captured piece.
    captures: Box<[i16]>,
    /// By piece and target of the earlier move, then piece and target of the move.
    continuation: Box<[ByPieceTo]>,
    /// Countermoves, by piece and target of the previous move.
    counters: Box<[Option<Move>]>,
}

/// What the quiet histories of a node depend on.
#[derive(Clone, Copy, Debug)]
pub(super) struct QuietContext {
    pub(super) color: Color,
    /// The squares attacked by the opponent.
    pub(super) threats: Bitboard,
    /// The hash of the pawns, below [`PAWNS`].
    pub(super) pawns: usize,
    pub(super) ply: usize,
    /// The moves one, two and four plies before.
    pub(super) earlier: [Option<PieceTo>; 3],
}

impl QuietContext {
    #[inline(always)]
    const fn butterfly_index(&self, threat_index: usize) -> usize {
        4 * self.color.index() + threat_index
    }

    /// Which of the four butterfly histories a move has.
    #[inline(always)]
    fn threat_index(&self, m: Move) -> usize {
        usize::from(self.threats.contains(m.from())) * 2
            + usize::from(self.threats.contains(m.to()))
    }
}

impl Histories {
    pub(in crate::search) fn new() -> Self {
        Self {
            quiet: vec![[0; FROM_TO]; 4 * Color::COUNT].into(),
            pawns: vec![[0; PieceTo::COUNT]; PAWNS].into(),
            low_ply: vec![[0; FROM_TO]; LOW_PLIES].into(),
            captures: vec![0; PieceTo::COUNT * PieceType::COUNT].into(),
            continuation: vec![[0; PieceTo::COUNT]; PieceTo::COUNT].into(),
            counters: vec![None; PieceTo::COUNT].into(),
        }
    }

    /// Prepares for another root: what was near the last one is no longer near it.
    pub(super) fn begin_search(&mut self) {
        self.low_ply.as_flattened_mut().fill(0);
    }

    /// The histories of the quiet moves of a node, as far as enabled by the features.
    #[inline(always)]
    pub(super) fn quiets(&self, context: &QuietContext, features: Features) -> QuietHistory<'_> {
        let [one, two, four] = context.earlier;
        let after = |before: Option<PieceTo>, is_on: bool| {
            before
                .filter(|_| is_on)
                .map_or(&NO_PIECE_TO, |before| &self.continuation[before.index()])
        };
        QuietHistory {
            context: *context,
            butterfly: if features.history {
                let first = context.butterfly_index(0);
                std::array::from_fn(|index| &self.quiet[first + index])
            } else {
                [&NO_FROM_TO; 4]
            },
            pawns: if features.pawn_history {
                &self.pawns[context.pawns]
            } else {
                &NO_PIECE_TO
            },
            low_ply: match self.low_ply.get(context.ply) {
                Some(table) if features.low_ply_history => table,
                _ => &NO_FROM_TO,
            },
            after: [
                after(one, features.continuation_history),
                after(two, features.continuation_history),
                after(four, features.fourth_continuation),
            ],
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

    /// Updates all histories of a quiet move; a negative bonus is a malus.
    pub(super) fn update_quiet(
        &mut self,
        context: &QuietContext,
        kind: PieceType,
        m: Move,
        bonus: i32,
    ) {
        let now = PieceTo::new(context.color, kind, m.to());
        self.update_butterfly(context, now, m, bonus);
        if let Some(table) = self.low_ply.get_mut(context.ply) {
            add_bonus(&mut table[from_to(m)], bonus);
        }
        let [one, two, four] = context.earlier;
        // The move four plies before says less about this one.
        for (before, bonus) in [(one, bonus), (two, bonus), (four, bonus / 2)] {
            if let Some(before) = before {
                self.update_continuation(before, now, bonus);
            }
        }
    }

    /// Updates the butterfly and pawn history of a quiet move.
    pub(super) fn update_butterfly(
        &mut self,
        context: &QuietContext,
        now: PieceTo,
        m: Move,
        bonus: i32,
    ) {
        let table = &mut self.quiet[context.butterfly_index(context.threat_index(m))];
        add_bonus(&mut table[from_to(m)], bonus);
        add_bonus(&mut self.pawns[context.pawns][now.index()], bonus);
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
    context: QuietContext,
    butterfly: [&'a ByFromTo; 4],
    pawns: &'a ByPieceTo,
    low_ply: &'a ByFromTo,
    /// Continuation histories of the moves one, two and four plies before.
    after: [&'a ByPieceTo; 3],
}

impl QuietHistory<'_> {
    /// What orders the quiet moves: their histories, and near the root those of the low plies.
    #[inline(always)]
    pub(super) fn order(&self, kind: PieceType, m: Move) -> i32 {
        self.value(kind, m) + i32::from(self.low_ply[from_to(m)])
    }

    /// The summed histories of a quiet move of a piece of this kind.
    #[inline(always)]
    pub(super) fn value(&self, kind: PieceType, m: Move) -> i32 {
        let now = PieceTo::new(self.context.color, kind, m.to()).index();
        let butterfly = self.butterfly[self.context.threat_index(m)][from_to(m)];
        let [one, two, four] = self.after.map(|known| i32::from(known[now]));
        i32::from(butterfly) + i32::from(self.pawns[now]) + one + two + four / 2
    }
}

#[inline(always)]
fn from_to(m: Move) -> usize {
    m.from().index() * Square::COUNT + m.to().index()
}

/// Adds a bonus with gravity: the closer the value is to its limit, the smaller the change.
#[inline(always)]
pub(super) fn add_bonus(value: &mut i16, bonus: i32) {
    // Gravity keeps within the limit only with a bonus within it (chessprogramming wiki, "History
    // Heuristic").
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
        let mut places: Vec<u16> = moves
            .iter()
            .map(|&m| PieceTo::from_position(&position, m).0)
            .collect();
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
