//! The order in which moves are tried: the sooner the best one, the more can be cut away.
//!
//! The move of the table; captures that lose nothing, by victim and history; killers and the
//! countermove; quiet moves by history; captures that lose material. Each group is valued only
//! when it is reached.

use arrayvec::ArrayVec;

use super::checks::Checks;
use super::features::Features;
use super::history::{Histories, PieceTo, Quiets};
use chess::rules::attacks::Sliders;
use chess::rules::cpu::{Chosen, SliderTask};
use chess::rules::{Color, MAX_MOVES, Move, PieceType, Position};

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

/// A move with what it promises.
#[derive(Clone, Copy, Debug)]
pub(super) struct Promise {
    pub(super) value: i32,
    pub(super) m: Move,
    /// The kind of piece that moves.
    pub(super) kind: PieceType,
}

const _: () = assert!(size_of::<Promise>() == 8);

impl Promise {
    /// The piece of the position and where it goes.
    #[inline(always)]
    pub(super) fn played(self, position: &Position) -> PieceTo {
        PieceTo::new(position.side_to_move(), self.kind, self.m.to())
    }
}

/// Moves with what they promise.
pub(super) type Promises = ArrayVec<Promise, MAX_MOVES>;

/// A move that is given out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pick {
    pub(super) m: Move,
    /// The kind of piece that moves.
    pub(super) kind: PieceType,
    /// Whether it wins material at once.
    pub(super) is_noisy: bool,
    /// The value by which it was chosen, where it is a quiet one chosen by value.
    pub(super) quiet_value: Option<i32>,
}

/// What the picker looks things up in.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a, S> {
    pub(super) position: &'a Position,
    pub(super) sliders: S,
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
    /// The move of the table, if it is one of the position.
    table: Option<Pick>,
    /// Captures and promotions to a queen.
    noisy: Promises,
    quiet: Promises,
    /// Captures that lose material, in the order in which they were found out.
    bad: Promises,
    checks: Checks,
    /// What has been given out of the group at hand.
    next: usize,
    skips_quiet: bool,
}

/// Whether a move wins material at once: a capture, or a pawn that becomes a queen.
#[inline(always)]
pub(super) fn is_noisy(position: &Position, m: Move) -> bool {
    m.promotion() == Some(PieceType::Queen) || position.is_capture(m)
}

/// The same where the kind of piece that moves is known.
#[inline(always)]
pub(super) fn is_loud_by(position: &Position, kind: PieceType, m: Move) -> bool {
    let takes = position.by_color(!position.side_to_move()).contains(m.to());
    // Nothing but an en passant capture brings a pawn to that square.
    let takes_in_passing = kind == PieceType::Pawn && position.ep_square() == Some(m.to());
    takes || takes_in_passing || m.promotion() == Some(PieceType::Queen)
}

/// What a noisy move takes; a promotion that takes nothing counts like one that takes a pawn.
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
            table: None,
            noisy: ArrayVec::new(),
            quiet: ArrayVec::new(),
            bad: ArrayVec::new(),
            checks: Checks::default(),
            next: 0,
            skips_quiet: false,
        }
    }

    /// Takes the legal moves of a position; before the first is asked for. (Not in [`Picker::new`]: a
    /// picker with moves is large, and would be copied.)
    #[inline(always)]
    pub(super) fn take<S: Chosen>(&mut self, position: &Position, sliders: S) {
        struct Take<'a>(&'a mut Picker, &'a Position);
        impl SliderTask for Take<'_> {
            type Output = ();
            #[inline(always)]
            fn run<S: Sliders>(self, sliders: S) {
                let Self(picker, position) = self;
                picker.checks = Checks::of(position, sliders);
                position.each_legal_move(sliders, |kind, m| picker.add(position, kind, m));
            }
        }
        sliders.enter(Take(self, position));
    }

    #[inline(always)]
    fn add(&mut self, position: &Position, kind: PieceType, m: Move) {
        let is_noisy = is_loud_by(position, kind, m);
        // A move of another position, or of a damaged entry, is none here: it is not met.
        if self.hints.table == Some(m) {
            self.table = Some(Pick {
                m,
                kind,
                is_noisy,
                quiet_value: None,
            });
            return;
        }
        let group = if is_noisy {
            &mut self.noisy
        } else {
            &mut self.quiet
        };
        group.push(Promise { value: 0, m, kind });
    }

    /// Whether there are no moves, before the first is asked for.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.table.is_none() && self.noisy.is_empty() && self.quiet.is_empty()
    }

    /// Quiet moves that have not been given out are left out from now on.
    #[inline(always)]
    pub(super) fn skip_quiet(&mut self) {
        self.skips_quiet = true;
    }

    /// The next move.
    #[inline(always)]
    pub(super) fn next<S: Chosen>(&mut self, sources: Sources<'_, S>) -> Option<Pick> {
        loop {
            let found = match self.stage {
                Stage::Table => self.table.take(),
                Stage::ValueLoud => {
                    self.value_noisy(sources);
                    None
                }
                Stage::GoodLoud => self.next_good_noisy(sources).map(Pick::noisy),
                Stage::Refutations => self.next_refutation().map(Pick::quiet),
                Stage::ValueQuiet => {
                    self.value_quiet(sources);
                    None
                }
                Stage::Quiet => self.next_quiet().map(Pick::by_value),
                Stage::BadLoud => {
                    self.next += 1;
                    return self.bad.get(self.next - 1).copied().map(Pick::noisy);
                }
            };
            if found.is_some() {
                return found;
            }
            self.stage = self.stage.following();
            self.next = 0;
        }
    }

    /// Whether a move that was given out gives check directly.
    #[inline(always)]
    pub(super) fn gives_check(&self, kind: PieceType, m: Move) -> bool {
        self.checks.contain(kind, m)
    }

    fn value_noisy<S: Chosen>(&mut self, sources: Sources<'_, S>) {
        for promise in &mut self.noisy {
            promise.value = noisy_value(sources, promise.kind, promise.m);
        }
    }

    #[inline(always)]
    fn next_good_noisy<S: Chosen>(&mut self, sources: Sources<'_, S>) -> Option<Promise> {
        loop {
            let promise = select(&mut self.noisy, self.next)?;
            self.next += 1;
            if !sources.features.exchange_order || sources.exchange_reaches(promise.m, 0) {
                return Some(promise);
            }
            self.bad.push(promise);
        }
    }

    #[inline(always)]
    fn next_refutation(&mut self) -> Option<Promise> {
        while self.next < self.hints.refutations.len() && !self.skips_quiet {
            let wanted = self.hints.refutations[self.next];
            self.next += 1;
            let place = self.quiet.iter().position(|quiet| wanted == Some(quiet.m));
            if let Some(place) = place {
                return Some(self.quiet.swap_remove(place));
            }
        }
        None
    }

    fn value_quiet<S: Chosen>(&mut self, sources: Sources<'_, S>) {
        if self.skips_quiet {
            return;
        }
        let quiets = sources.quiets(self.hints.earlier);
        let check = if sources.features.check_order {
            CHECK
        } else {
            0
        };
        for promise in &mut self.quiet {
            let is_check = self.checks.contain(promise.kind, promise.m);
            promise.value =
                quiets.value(promise.kind, promise.m) + if is_check { check } else { 0 };
        }
    }

    #[inline(always)]
    fn next_quiet(&mut self) -> Option<Promise> {
        if self.skips_quiet {
            return None;
        }
        self.next += 1;
        select(&mut self.quiet, self.next - 1)
    }
}

impl Pick {
    const fn noisy(promise: Promise) -> Self {
        Self {
            m: promise.m,
            kind: promise.kind,
            is_noisy: true,
            quiet_value: None,
        }
    }

    const fn quiet(promise: Promise) -> Self {
        Self {
            is_noisy: false,
            ..Self::noisy(promise)
        }
    }

    const fn by_value(promise: Promise) -> Self {
        Self {
            quiet_value: Some(promise.value),
            ..Self::quiet(promise)
        }
    }
}

impl<'a, S: Chosen> Sources<'a, S> {
    /// Whether a move wins at least so much by static exchange.
    #[inline(always)]
    fn exchange_reaches(&self, m: Move, threshold: i32) -> bool {
        self.position.see_at_least_by(m, threshold, self.sliders)
    }

    /// What has been good of quiet moves: for this side at all, and after the moves before.
    #[inline(always)]
    pub(super) fn quiets(&self, earlier: [Option<PieceTo>; 2]) -> Quiets<'a> {
        self.histories
            .quiets(self.position.side_to_move(), earlier, self.features)
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

/// The best of the moves from `next` on, the first of equals, which takes the place at `next`; the
/// others keep no order.
#[inline(always)]
pub(super) fn select(moves: &mut [Promise], next: usize) -> Option<Promise> {
    let rest = moves.get_mut(next..)?;
    let (mut best, mut most) = (0, rest.first()?.value);
    for (index, promise) in rest.iter().enumerate().skip(1) {
        // No branch: which one is the best is anybody's guess.
        best = if promise.value > most { index } else { best };
        most = most.max(promise.value);
    }
    rest.swap(0, best);
    rest.first().copied()
}

/// The most valuable victim first, then the least valuable attacker; then what has been good.
#[inline(always)]
pub(super) fn noisy_value<S: Copy>(sources: Sources<'_, S>, kind: PieceType, m: Move) -> i32 {
    let Sources {
        position,
        histories,
        features,
        ..
    } = sources;
    let taken = victim(position, m);
    let promotion = i32::from(m.promotion() == Some(PieceType::Queen)) * VICTIM_STEP * 4;
    let value = rank(taken) * VICTIM_STEP + promotion;
    if features.capture_history {
        let now = PieceTo::new(position.side_to_move(), kind, m.to());
        value + histories.capture(now, taken)
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

/// Whether the side has anything but pawns and king.
#[inline(always)]
pub(super) fn has_pieces(position: &Position, color: Color) -> bool {
    let simple = position.by_type(PieceType::Pawn) | position.by_type(PieceType::King);
    !(position.by_color(color) & !simple).is_empty()
}
