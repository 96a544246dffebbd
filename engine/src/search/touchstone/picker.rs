//! The order in which moves are tried: the sooner the best one, the more can be cut away.
//!
//! The move of the table; captures that lose nothing, by victim and history; killers and the
//! countermove; quiet moves by history; captures that lose material. Each group is valued only
//! when it is reached.

use arrayvec::ArrayVec;

use super::checks::Checks;
use super::features::Features;
use super::history::{Histories, PieceTo};
use crate::rules::{Color, MAX_MOVES, Move, PieceType, Position};

/// What is known about which move may be best.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hints {
    /// The move of the table.
    pub(super) table: Option<Move>,
    /// Quiet moves that refuted a sibling, and the one that refuted the move before.
    pub(super) refutations: [Option<Move>; 3],
    /// The moves one and two plies before.
    pub(super) earlier: [Option<PieceTo>; 2],
}

/// What the picker looks things up in.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    pub(super) position: &'a Position,
    pub(super) histories: &'a Histories,
    pub(super) features: Features,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Table,
    ValueLoud,
    GoodLoud,
    Refutations,
    ValueQuiet,
    Quiet,
    BadLoud,
}

/// Gives out the moves of a position, once each, the most promising first.
pub(super) struct Picker {
    stage: Stage,
    hints: Hints,
    /// Captures and promotions to a queen.
    loud: ArrayVec<(i32, Move), MAX_MOVES>,
    quiet: ArrayVec<(i32, Move), MAX_MOVES>,
    /// Captures that lose material, in the order in which they were found out.
    bad: ArrayVec<Move, MAX_MOVES>,
    checks: Checks,
    /// What has been given out of the group at hand.
    next: usize,
    skips_quiet: bool,
}

/// Whether a move wins material at once: a capture, or a pawn that becomes a queen.
#[inline(always)]
pub(super) fn is_loud(position: &Position, m: Move) -> bool {
    m.promotion() == Some(PieceType::Queen) || position.is_capture(m)
}

/// What a loud move takes; a promotion that takes nothing counts like one that takes a pawn.
#[inline(always)]
pub(super) fn victim(position: &Position, m: Move) -> PieceType {
    position.piece_type_at(m.to()).unwrap_or(PieceType::Pawn)
}

impl Picker {
    /// A picker without moves.
    #[inline(always)]
    pub(super) fn new(hints: Hints) -> Self {
        Self {
            stage: Stage::Table,
            hints,
            loud: ArrayVec::new(),
            quiet: ArrayVec::new(),
            bad: ArrayVec::new(),
            checks: Checks::default(),
            next: 0,
            skips_quiet: false,
        }
    }

    /// Takes the moves, which are legal; before the first is asked for. (Not in [`Picker::new`]: a
    /// picker with moves is large, and would be copied.)
    #[inline(always)]
    pub(super) fn take(&mut self, moves: &[Move], position: &Position) {
        // A move of another position, or of a damaged entry, is none here.
        let table = self.hints.table.take();
        self.checks = Checks::of(position);
        for &m in moves {
            if table == Some(m) {
                self.hints.table = table;
            } else if is_loud(position, m) {
                self.loud.push((0, m));
            } else {
                self.quiet.push((0, m));
            }
        }
    }

    /// Quiet moves that have not been given out are left out from now on.
    #[inline(always)]
    pub(super) fn skip_quiet(&mut self) {
        self.skips_quiet = true;
    }

    /// The next move.
    #[inline(always)]
    pub(super) fn next(&mut self, sources: Sources<'_>) -> Option<Move> {
        loop {
            let found = match self.stage {
                Stage::Table => self.hints.table,
                Stage::ValueLoud => {
                    self.value_loud(sources);
                    None
                }
                Stage::GoodLoud => {
                    let found = self.next_good_loud(sources);
                    if found.is_some() {
                        return found;
                    }
                    None
                }
                Stage::Refutations => {
                    let found = self.next_refutation();
                    if found.is_some() {
                        return found;
                    }
                    None
                }
                Stage::ValueQuiet => {
                    self.value_quiet(sources);
                    None
                }
                Stage::Quiet => {
                    let found = self.next_quiet();
                    if found.is_some() {
                        return found;
                    }
                    None
                }
                Stage::BadLoud => {
                    self.next += 1;
                    return self.bad.get(self.next - 1).copied();
                }
            };
            self.stage = self.stage.following();
            self.next = 0;
            if found.is_some() {
                return found;
            }
        }
    }

    /// Whether a move gives check directly.
    #[inline(always)]
    pub(super) fn gives_check(&self, position: &Position, m: Move) -> bool {
        self.checks.contain(position, m)
    }

    /// The value by which the last move was chosen, where it is a quiet one chosen by value.
    #[inline(always)]
    pub(super) fn quiet_value(&self) -> Option<i32> {
        if self.stage != Stage::Quiet {
            return None;
        }
        self.quiet.get(self.next - 1).map(|&(value, _)| value)
    }

    fn value_loud(&mut self, sources: Sources<'_>) {
        for (value, m) in &mut self.loud {
            *value = loud_value(sources, *m);
        }
    }

    #[inline(always)]
    fn next_good_loud(&mut self, sources: Sources<'_>) -> Option<Move> {
        loop {
            let m = select(&mut self.loud, self.next)?;
            self.next += 1;
            if !sources.features.exchange_order || sources.position.see_at_least(m, 0) {
                return Some(m);
            }
            self.bad.push(m);
        }
    }

    #[inline(always)]
    fn next_refutation(&mut self) -> Option<Move> {
        while self.next < self.hints.refutations.len() && !self.skips_quiet {
            let wanted = self.hints.refutations[self.next];
            self.next += 1;
            let place = self.quiet.iter().position(|&(_, m)| wanted == Some(m));
            if let Some(place) = place {
                return Some(self.quiet.swap_remove(place).1);
            }
        }
        None
    }

    fn value_quiet(&mut self, sources: Sources<'_>) {
        if self.skips_quiet {
            return;
        }
        let Self { hints, checks, .. } = self;
        let (earlier, features) = (hints.earlier, sources.features);
        for (value, m) in &mut self.quiet {
            *value = quiet_value(sources, earlier, *m);
            if features.check_order && checks.contain(sources.position, *m) {
                *value += CHECK;
            }
        }
    }

    #[inline(always)]
    fn next_quiet(&mut self) -> Option<Move> {
        if self.skips_quiet {
            return None;
        }
        self.next += 1;
        select(&mut self.quiet, self.next - 1)
    }
}

impl Stage {
    const fn following(self) -> Self {
        match self {
            Self::Table => Self::ValueLoud,
            Self::ValueLoud => Self::GoodLoud,
            Self::GoodLoud => Self::Refutations,
            Self::Refutations => Self::ValueQuiet,
            Self::ValueQuiet => Self::Quiet,
            Self::Quiet | Self::BadLoud => Self::BadLoud,
        }
    }
}

/// The best of the moves from `next` on, which takes the place at `next`; the others keep no order.
#[inline(always)]
pub(super) fn select(moves: &mut [(i32, Move)], next: usize) -> Option<Move> {
    let rest = moves.get_mut(next..)?;
    let mut best = 0;
    for index in 1..rest.len() {
        if rest[index].0 > rest[best].0 {
            best = index;
        }
    }
    let &(_, m) = rest.get(best)?;
    rest.swap(0, best);
    Some(m)
}

/// The most valuable victim first, then the least valuable attacker; then what has been good.
#[inline(always)]
pub(super) fn loud_value(sources: Sources<'_>, m: Move) -> i32 {
    let Sources {
        position,
        histories,
        features,
    } = sources;
    let kind = position
        .piece_type_at(m.from())
        .expect("a legal move starts from a piece");
    let taken = victim(position, m);
    let promotion = i32::from(m.promotion() == Some(PieceType::Queen)) * VICTIM_STEP * 4;
    let value = rank(taken) * VICTIM_STEP + promotion;
    if features.capture_history {
        value + histories.capture(PieceTo::of(position, m), taken)
    } else {
        value - rank(kind)
    }
}

/// What the next larger kind of victim counts more; a capture's history can make up for two.
const VICTIM_STEP: i32 = 8_192;

/// What a quiet check counts more: half of a history.
const CHECK: i32 = 8_192;

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "there are six kinds"
)]
const fn rank(kind: PieceType) -> i32 {
    kind.index() as i32
}

/// What has been good: for this side at all, and after the moves before.
#[inline(always)]
pub(super) fn quiet_value(sources: Sources<'_>, earlier: [Option<PieceTo>; 2], m: Move) -> i32 {
    let Sources {
        position,
        histories,
        features,
    } = sources;
    let mut value = 0;
    if features.history {
        value += histories.quiet(position.side_to_move(), m);
    }
    if features.continuation_history {
        let now = PieceTo::of(position, m);
        for before in earlier.into_iter().flatten() {
            value += histories.continuation(before, now);
        }
    }
    value
}

/// Whether the side has anything but pawns and king.
#[inline(always)]
pub(super) fn has_pieces(position: &Position, color: Color) -> bool {
    let simple = position.by_type(PieceType::Pawn) | position.by_type(PieceType::King);
    !(position.by_color(color) & !simple).is_empty()
}
