//! Staged move ordering: the earlier the best move, the more cutoffs.
//!
//! The stages: TT move; good captures by victim and history; killers and the countermove; quiet
//! moves by history; losing captures. Each stage is scored only when it is reached.

use arrayvec::ArrayVec;
use chess::rules::attacks::{self, Sliders};
use chess::rules::cpu::{CpuSliders, Multiversioned};
use chess::rules::{Bitboard, ByPieceType, Color, MAX_MOVES, Move, PieceType, Position};

use super::features::Switches;
use super::history::{Histories, PieceTo, QuietContext, QuietHistory};
use super::parameters::Parameters;

/// The moves to be tried before others.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hints {
    pub(super) tt_move: Option<Move>,
    /// The two killers and the countermove.
    pub(super) killers_and_counter: [Option<Move>; 3],
}

/// A move with its ordering score.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove {
    pub(super) value: i32,
    pub(super) m: Move,
    /// The kind of the moving piece.
    pub(super) kind: PieceType,
}

const _: () = assert!(size_of::<ScoredMove>() == 8);

impl ScoredMove {
    /// The moving piece and its target.
    #[inline(always)]
    pub(super) fn played(self, position: &Position) -> PieceTo {
        PieceTo::new(position.side_to_move(), self.kind, self.m.to())
    }
}

/// Moves with their ordering scores.
pub(super) type ScoredMoves = ArrayVec<ScoredMove, MAX_MOVES>;

/// A move returned by the picker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pick {
    pub(super) m: Move,
    /// The kind of the moving piece.
    pub(super) kind: PieceType,
    /// Whether it is a capture or a queen promotion.
    pub(super) is_noisy: bool,
    /// Whether it loses material by SEE, if that is known.
    pub(super) loses: Option<bool>,
}

/// The data used for scoring moves.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a, S, F> {
    pub(super) position: &'a Position,
    pub(super) sliders: S,
    pub(super) histories: &'a Histories,
    pub(super) parameters: &'a Parameters,
    pub(super) switches: F,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PickerStage {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Killers,
    ScoreQuiet,
    Quiet,
    BadNoisy,
}

/// Yields each legal move of a position once, in the order of the stages. Moves are generated when
/// their stage is reached: many nodes are cut off before.
pub(super) struct MovePicker {
    stage: PickerStage,
    hints: Hints,
    /// Captures and queen promotions.
    noisy: ScoredMoves,
    quiet: ScoredMoves,
    /// Losing captures, in the order in which they were found.
    bad: ScoredMoves,
    /// Known once another move than the TT move is asked for.
    checks: CheckSquares,
    /// Number of moves of the current stage already yielded.
    next: usize,
    skips_quiet: bool,
}

/// Whether a move is noisy: a capture or a queen promotion. Underpromotions are quiet.
#[inline(always)]
pub(super) fn is_noisy(position: &Position, m: Move) -> bool {
    match m.promotion() {
        Some(promotion) => promotion == PieceType::Queen,
        None => position.is_capture(m),
    }
}

/// The same if the kind of the moving piece is known.
#[inline(always)]
pub(super) fn is_noisy_by(position: &Position, kind: PieceType, m: Move) -> bool {
    if let Some(promotion) = m.promotion() {
        return promotion == PieceType::Queen;
    }
    // A pawn can reach the en passant square only by capturing.
    let takes_in_passing = kind == PieceType::Pawn && position.ep_square() == Some(m.to());
    takes_in_passing || position.by_color(!position.side_to_move()).contains(m.to())
}

/// The kind of piece that a noisy move captures; a pawn for en passant and plain promotions.
#[inline(always)]
pub(super) fn victim(position: &Position, m: Move) -> PieceType {
    position.piece_type_at(m.to()).unwrap_or(PieceType::Pawn)
}

impl MovePicker {
    #[inline(always)]
    pub(super) fn new(hints: Hints) -> Self {
        Self {
            stage: PickerStage::TtMove,
            hints,
            noisy: ArrayVec::new(),
            quiet: ArrayVec::new(),
            bad: ArrayVec::new(),
            checks: CheckSquares::default(),
            next: 0,
            skips_quiet: false,
        }
    }

    /// Skips the remaining quiet moves.
    #[inline(always)]
    pub(super) fn skip_quiet(&mut self) {
        self.skips_quiet = true;
    }

    #[inline(always)]
    pub(super) fn next<S: CpuSliders, F: Switches>(
        &mut self,
        sources: Sources<'_, S, F>,
        context: &QuietContext,
    ) -> Option<Pick> {
        let features = sources.switches.features();
        loop {
            match self.stage {
                PickerStage::TtMove => {
                    self.stage = PickerStage::GenerateNoisy;
                    // A TT move of another position or of a corrupted entry may be illegal here.
                    self.hints.tt_move = (self.hints.tt_move)
                        .filter(|&m| sources.position.is_legal_by(m, sources.sliders));
                    if let Some(m) = self.hints.tt_move {
                        return Some(Pick::new(sources.position, m));
                    }
                }
                PickerStage::GenerateNoisy => {
                    self.checks = CheckSquares::new(sources.position, sources.sliders);
                    sources.score_captures(&mut self.noisy);
                    let tt_move = self.hints.tt_move;
                    self.noisy.retain(|noisy| tt_move != Some(noisy.m));
                    self.begin(PickerStage::GoodNoisy);
                }
                PickerStage::GoodNoisy => {
                    while let Some(scored) = select(&mut self.noisy, self.next) {
                        self.next += 1;
                        if !features.exchange_order {
                            return Some(Pick::noisy(scored, None));
                        }
                        if (sources.position).see_at_least_by(scored.m, 0, sources.sliders) {
                            return Some(Pick::noisy(scored, Some(false)));
                        }
                        self.bad.push(scored);
                    }
                    self.begin(PickerStage::GenerateQuiet);
                }
                PickerStage::GenerateQuiet => {
                    sources.generate_quiets(self);
                    self.begin(PickerStage::Killers);
                }
                PickerStage::Killers => {
                    while self.next < self.hints.killers_and_counter.len() && !self.skips_quiet {
                        let wanted = self.hints.killers_and_counter[self.next];
                        self.next += 1;
                        // A killer is from another position: it counts only if it is legal here.
                        let place = self.quiet.iter().position(|quiet| wanted == Some(quiet.m));
                        if let Some(place) = place {
                            // The quiet moves are not scored yet, so their order does not matter.
                            return Some(Pick::quiet(self.quiet.swap_remove(place)));
                        }
                    }
                    self.begin(PickerStage::ScoreQuiet);
                }
                PickerStage::ScoreQuiet => {
                    if !self.skips_quiet {
                        self.score_quiet(sources, context);
                    }
                    self.begin(PickerStage::Quiet);
                }
                PickerStage::Quiet => {
                    if !self.skips_quiet
                        && let Some(scored) = select(&mut self.quiet, self.next)
                    {
                        self.next += 1;
                        return Some(Pick::quiet(scored));
                    }
                    self.begin(PickerStage::BadNoisy);
                }
                PickerStage::BadNoisy => {
                    let scored = self.bad.get(self.next).copied();
                    self.next += 1;
                    return scored.map(|scored| Pick::noisy(scored, Some(true)));
                }
            }
        }
    }

    #[inline(always)]
    const fn begin(&mut self, stage: PickerStage) {
        self.stage = stage;
        self.next = 0;
    }

    /// Whether a move from the picker gives direct check; not known of the TT move.
    #[inline(always)]
    pub(super) fn gives_check(&self, kind: PieceType, m: Move) -> bool {
        self.checks.contain(kind, m)
    }

    fn score_quiet<S: CpuSliders, F: Switches>(
        &mut self,
        sources: Sources<'_, S, F>,
        context: &QuietContext,
    ) {
        let quiets = sources.quiets(context);
        let check = if sources.switches.features().check_order {
            sources.parameters.check_bonus()
        } else {
            0
        };
        for scored in &mut self.quiet {
            let is_check = self.checks.contain(scored.kind, scored.m);
            scored.value = quiets.order(scored.kind, scored.m) + if is_check { check } else { 0 };
        }
    }
}

impl Pick {
    /// A legal move about which nothing is known.
    #[inline(always)]
    fn new(position: &Position, m: Move) -> Self {
        let kind = position
            .piece_type_at(m.from())
            .expect("a legal move starts from a piece");
        Self {
            m,
            kind,
            is_noisy: is_noisy_by(position, kind, m),
            loses: None,
        }
    }

    const fn noisy(scored: ScoredMove, loses: Option<bool>) -> Self {
        Self {
            m: scored.m,
            kind: scored.kind,
            is_noisy: true,
            loses,
        }
    }

    const fn quiet(scored: ScoredMove) -> Self {
        Self {
            m: scored.m,
            kind: scored.kind,
            is_noisy: false,
            loses: None,
        }
    }
}

impl<'a, S: CpuSliders, F: Switches> Sources<'a, S, F> {
    /// The histories of quiet moves.
    #[inline(always)]
    pub(super) fn quiets(&self, context: &QuietContext) -> QuietHistory<'a> {
        self.histories.quiets(context, self.switches.features())
    }

    /// Generates and scores captures and queen promotions.
    #[inline(always)]
    pub(super) fn score_captures(self, moves: &mut ScoredMoves) {
        struct Captures<'a, S, F>(Sources<'a, S, F>, &'a mut ScoredMoves);
        impl<C: CpuSliders, F: Switches> Multiversioned for Captures<'_, C, F> {
            type Output = ();
            #[inline(always)]
            fn run<S: Sliders>(self, sliders: S) {
                let Self(sources, moves) = self;
                sources.position.each_legal_capture(sliders, |kind, m| {
                    let value = sources.noisy_score(kind, m);
                    moves.push(ScoredMove { value, m, kind });
                });
            }
        }
        self.sliders.enter(Captures(self, moves));
    }

    /// Generates the quiet moves without the TT move.
    #[inline(always)]
    fn generate_quiets(self, picker: &mut MovePicker) {
        struct Quiets<'a>(&'a Position, &'a mut MovePicker);
        impl Multiversioned for Quiets<'_> {
            type Output = ();
            #[inline(always)]
            fn run<S: Sliders>(self, sliders: S) {
                let Self(position, picker) = self;
                position.each_legal_move(sliders, |kind, m| {
                    if !is_noisy_by(position, kind, m) && picker.hints.tt_move != Some(m) {
                        picker.quiet.push(ScoredMove { value: 0, m, kind });
                    }
                });
            }
        }
        self.sliders.enter(Quiets(self.position, picker));
    }

    /// MVV plus capture history; MVV-LVA if capture history is disabled.
    #[inline(always)]
    pub(super) fn noisy_score(self, kind: PieceType, m: Move) -> i32 {
        let taken = victim(self.position, m);
        // A promotion ranks like the capture of a queen.
        let promotion = i32::from(m.promotion() == Some(PieceType::Queen)) * VICTIM_STEP * 4;
        let value = rank(taken) * VICTIM_STEP + promotion;
        if self.switches.features().capture_history {
            let now = PieceTo::new(self.position.side_to_move(), kind, m.to());
            value + self.histories.capture(now, taken)
        } else {
            value - rank(kind)
        }
    }
}

/// The immediate material gain of a capture or promotion, in centipawns.
pub(super) fn gain(position: &Position, m: Move) -> i32 {
    let value = |kind| match kind {
        PieceType::Pawn => 100,
        PieceType::Knight | PieceType::Bishop => 330,
        PieceType::Rook => 520,
        PieceType::Queen | PieceType::King => 1000,
    };
    let taken = value(victim(position, m));
    // Among noisy moves, all promotions are to a queen, which the pawn is lost for.
    taken + if m.promotion().is_some() { 900 } else { 0 }
}

/// Selection sort step: swaps the best move from `next` on, the first of equals, to the place
/// `next`.
#[inline(always)]
pub(super) fn select(moves: &mut [ScoredMove], next: usize) -> Option<ScoredMove> {
    let rest = moves.get_mut(next..)?;
    let (mut best, mut most) = (0, rest.first()?.value);
    for (index, scored) in rest.iter().enumerate().skip(1) {
        // Branch-free, because the comparison is unpredictable.
        best = if scored.value > most { index } else { best };
        most = most.max(scored.value);
    }
    rest.swap(0, best);
    rest.first().copied()
}

/// Score step between kinds of victims; capture history can outweigh two steps.
const VICTIM_STEP: i32 = 8_192;

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

/// The squares from which a piece of the side to move would give a direct check on the current
/// board, by kind. Discovered checks, and checks by castling rooks and promoted pawns, are not
/// included.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CheckSquares(ByPieceType<Bitboard>);

impl CheckSquares {
    /// Computes the check squares of a position.
    #[inline(always)]
    pub(super) fn new<S: Sliders>(position: &Position, sliders: S) -> Self {
        let opponent = !position.side_to_move();
        let king = position.king(opponent);
        let diagonal = sliders.bishop(king, position.occupied());
        let straight = sliders.rook(king, position.occupied());
        let mut squares = ByPieceType::default();
        // A pawn of theirs on the king's square attacks just the squares from which ours attack it.
        squares[PieceType::Pawn] = attacks::pawn(opponent, king);
        squares[PieceType::Knight] = attacks::knight(king);
        squares[PieceType::Bishop] = diagonal;
        squares[PieceType::Rook] = straight;
        squares[PieceType::Queen] = diagonal | straight;
        Self(squares)
    }

    /// Whether a legal move of a piece of this kind gives a direct check.
    #[inline(always)]
    pub(super) fn contain(&self, kind: PieceType, m: Move) -> bool {
        self.0[kind].contains(m.to())
    }
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;

    use super::*;

    /// All reported checks are checks; all checks are reported but the documented exceptions.
    #[test]
    fn direct_checks_are_seen() {
        for (text, seen, all) in [
            ("4k3/8/8/3N4/8/8/3P4/R3K2Q w - - 0 1", 6, 6),
            // The rook is uncovered, a pawn promotes, and castling gives no direct check.
            ("4k3/1P6/8/8/4N3/8/8/4R1K1 w - - 0 1", 2, 10),
            ("k7/8/1p6/8/2P5/8/8/K6B b - - 0 1", 0, 0),
        ] {
            let position = fen::parse(text).expect("legal");
            let checks = CheckSquares::new(&position, attacks::Subtraction);
            let moves = position.legal_moves();
            let is_check = |m: &&Move| position.play_unchecked(**m).is_check();
            let kind = |m: Move| position.piece_type_at(m.from()).expect("a piece");
            let is_seen = |m: &&Move| checks.contain(kind(**m), **m);
            assert!(moves.iter().filter(is_seen).all(|m| is_check(&m)), "{text}");
            let counts = (
                moves.iter().filter(is_seen).count(),
                moves.iter().filter(is_check).count(),
            );
            assert_eq!(counts, (seen, all), "{text}");
        }
    }
}
