//! Staged move ordering: the earlier the best move, the more cutoffs.
//!
//! The stages: TT move; good captures by victim and history; killers and the countermove; quiet
//! moves by history; losing captures. Each stage is scored only when it is reached.

use arrayvec::ArrayVec;

use super::checks::Checks;
use super::features::Features;
use super::history::{Histories, PieceTo, Quiets};
use chess::rules::attacks::Sliders;
use chess::rules::cpu::{Chosen, SliderTask};
use chess::rules::{Color, MAX_MOVES, Move, PieceType, Position};

/// Hints for move ordering.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hints {
    /// The TT move.
    pub(super) table: Option<Move>,
    /// The two killers and the countermove.
    pub(super) refutations: [Option<Move>; 3],
    /// The moves one and two plies before.
    pub(super) earlier: [Option<PieceTo>; 2],
}

/// A move with its ordering score.
#[derive(Clone, Copy, Debug)]
pub(super) struct Promise {
    pub(super) value: i32,
    pub(super) m: Move,
    /// The kind of the moving piece.
    pub(super) kind: PieceType,
}

const _: () = assert!(size_of::<Promise>() == 8);

impl Promise {
    /// The moving piece and its target.
    #[inline(always)]
    pub(super) fn played(self, position: &Position) -> PieceTo {
        PieceTo::new(position.side_to_move(), self.kind, self.m.to())
    }
}

/// Moves with their ordering scores.
pub(super) type Promises = ArrayVec<Promise, MAX_MOVES>;

/// A move returned by the picker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pick {
    pub(super) m: Move,
    /// The kind of the moving piece.
    pub(super) kind: PieceType,
    /// Whether it is a capture or a queen promotion.
    pub(super) is_noisy: bool,
    /// The ordering score of a quiet move, if it was picked by score.
    pub(super) quiet_value: Option<i32>,
}

/// The data used for scoring moves.
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

/// Yields each move of a position once, in the order of the stages.
pub(super) struct Picker {
    stage: Stage,
    hints: Hints,
    /// The TT move, if it is legal in the position.
    table: Option<Pick>,
    /// Captures and queen promotions.
    noisy: Promises,
    quiet: Promises,
    /// Losing captures, in the order in which they were found.
    bad: Promises,
    checks: Checks,
    /// Number of moves of the current stage already yielded.
    next: usize,
    skips_quiet: bool,
}

/// Whether a move is noisy: a capture or a queen promotion.
#[inline(always)]
pub(super) fn is_noisy(position: &Position, m: Move) -> bool {
    m.promotion() == Some(PieceType::Queen) || position.is_capture(m)
}

/// The same if the kind of the moving piece is known.
#[inline(always)]
pub(super) fn is_loud_by(position: &Position, kind: PieceType, m: Move) -> bool {
    let takes = position.by_color(!position.side_to_move()).contains(m.to());
    // A pawn can reach the en passant square only by capturing.
    let takes_in_passing = kind == PieceType::Pawn && position.ep_square() == Some(m.to());
    takes || takes_in_passing || m.promotion() == Some(PieceType::Queen)
}

/// The kind of piece that a noisy move captures; a pawn for en passant and plain promotions.
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

    /// Adds the legal moves of a position. (This is not part of [`Picker::new`], because a filled
    /// picker is large and would be copied.)
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
        // A TT move of another position or of a corrupted entry is not legal here and never
        // matches.
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

    /// Whether there are no legal moves; valid before the first call to [`Picker::next`].
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.table.is_none() && self.noisy.is_empty() && self.quiet.is_empty()
    }

    /// Skips the remaining quiet moves.
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

    /// Whether a move from the picker gives direct check.
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
    /// Whether a move wins at least `threshold` centipawns by static exchange (SEE).
    #[inline(always)]
    fn exchange_reaches(&self, m: Move, threshold: i32) -> bool {
        self.position.see_at_least_by(m, threshold, self.sliders)
    }

    /// The histories of quiet moves, given the moves one and two plies before.
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

/// Selection sort step: swaps the best move from `next` on, the first of equals, to the place
/// `next`.
#[inline(always)]
pub(super) fn select(moves: &mut [Promise], next: usize) -> Option<Promise> {
    let rest = moves.get_mut(next..)?;
    let (mut best, mut most) = (0, rest.first()?.value);
    for (index, promise) in rest.iter().enumerate().skip(1) {
        // Branch-free, because the comparison is unpredictable.
        best = if promise.value > most { index } else { best };
        most = most.max(promise.value);
    }
    rest.swap(0, best);
    rest.first().copied()
}

/// MVV plus capture history; MVV-LVA if capture history is disabled.
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

/// Score step between kinds of victims; capture history can outweigh two steps.
const VICTIM_STEP: i32 = 8_192;

/// Bonus of a quiet check: half of the maximal history.
const CHECK: i32 = 8_192;

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "there are six kinds"
)]
const fn rank(kind: PieceType) -> i32 {
    kind.index() as i32
}

/// Whether the side has pieces other than pawns and king.
#[inline(always)]
pub(super) fn has_pieces(position: &Position, color: Color) -> bool {
    let simple = position.by_type(PieceType::Pawn) | position.by_type(PieceType::King);
    !(position.by_color(color) & !simple).is_empty()
}
