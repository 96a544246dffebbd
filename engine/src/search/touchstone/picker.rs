//! Staged move ordering: the earlier the best move, the more cutoffs.
//!
//! The stages: TT move; good captures by victim and history; killers and the countermove; quiet
//! moves by history; losing captures. Each stage is scored only when it is reached.

use arrayvec::ArrayVec;
use chess::rules::attacks::{self, Sliders};
use chess::rules::cpu::{CpuSliders, Multiversioned};
use chess::rules::{Bitboard, ByPieceType, Color, MAX_MOVES, Move, PieceType, Position};

use super::features::Features;
use super::history::{Histories, PieceTo, QuietHistory};

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hints {
    pub(super) tt_move: Option<Move>,
    /// The two killers and the countermove.
    pub(super) killers_and_counter: [Option<Move>; 3],
    /// The moves one and two plies before.
    pub(super) earlier: [Option<PieceTo>; 2],
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
    /// The ordering score of a quiet move, if it was picked by score.
    pub(super) quiet_score: Option<i32>,
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
    TtMove,
    ScoreNoisy,
    GoodNoisy,
    Killers,
    ScoreQuiet,
    Quiet,
    BadNoisy,
}

/// Yields each move of a position once, in the order of the stages.
pub(super) struct Picker {
    stage: Stage,
    hints: Hints,
    /// The TT move, if it is legal in the position.
    tt_move: Option<Pick>,
    /// Captures and queen promotions.
    noisy: ScoredMoves,
    quiet: ScoredMoves,
    /// Losing captures, in the order in which they were found.
    bad: ScoredMoves,
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
pub(super) fn is_noisy_by(position: &Position, kind: PieceType, m: Move) -> bool {
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
    #[inline(always)]
    pub(super) fn new(hints: Hints) -> Self {
        Self {
            stage: Stage::TtMove,
            hints,
            tt_move: None,
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
    pub(super) fn take<S: CpuSliders>(&mut self, position: &Position, sliders: S) {
        struct Take<'a>(&'a mut Picker, &'a Position);
        impl Multiversioned for Take<'_> {
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
        let is_noisy = is_noisy_by(position, kind, m);
        // A TT move of another position or of a corrupted entry is not legal here and never
        // matches.
        if self.hints.tt_move == Some(m) {
            self.tt_move = Some(Pick {
                m,
                kind,
                is_noisy,
                quiet_score: None,
            });
            return;
        }
        let group = if is_noisy {
            &mut self.noisy
        } else {
            &mut self.quiet
        };
        group.push(ScoredMove { value: 0, m, kind });
    }

    /// Whether there are no legal moves; valid before the first call to [`Picker::next`].
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.tt_move.is_none() && self.noisy.is_empty() && self.quiet.is_empty()
    }

    /// Skips the remaining quiet moves.
    #[inline(always)]
    pub(super) fn skip_quiet(&mut self) {
        self.skips_quiet = true;
    }

    #[inline(always)]
    pub(super) fn next<S: CpuSliders>(&mut self, sources: Sources<'_, S>) -> Option<Pick> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::ScoreNoisy;
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::ScoreNoisy => {
                    for scored in &mut self.noisy {
                        scored.value = noisy_score(sources, scored.kind, scored.m);
                    }
                    self.begin(Stage::GoodNoisy);
                }
                Stage::GoodNoisy => {
                    while let Some(scored) = select(&mut self.noisy, self.next) {
                        self.next += 1;
                        let is_good = !sources.features.exchange_order
                            || (sources.position).see_at_least_by(scored.m, 0, sources.sliders);
                        if is_good {
                            return Some(Pick::noisy(scored));
                        }
                        self.bad.push(scored);
                    }
                    self.begin(Stage::Killers);
                }
                Stage::Killers => {
                    while self.next < self.hints.killers_and_counter.len() && !self.skips_quiet {
                        let wanted = self.hints.killers_and_counter[self.next];
                        self.next += 1;
                        let place = self.quiet.iter().position(|quiet| wanted == Some(quiet.m));
                        if let Some(place) = place {
                            return Some(Pick::quiet(self.quiet.swap_remove(place), false));
                        }
                    }
                    self.begin(Stage::ScoreQuiet);
                }
                Stage::ScoreQuiet => {
                    if !self.skips_quiet {
                        self.score_quiet(sources);
                    }
                    self.begin(Stage::Quiet);
                }
                Stage::Quiet => {
                    if !self.skips_quiet
                        && let Some(scored) = select(&mut self.quiet, self.next)
                    {
                        self.next += 1;
                        return Some(Pick::quiet(scored, true));
                    }
                    self.begin(Stage::BadNoisy);
                }
                Stage::BadNoisy => {
                    self.next += 1;
                    return self.bad.get(self.next - 1).copied().map(Pick::noisy);
                }
            }
        }
    }

    #[inline(always)]
    const fn begin(&mut self, stage: Stage) {
        self.stage = stage;
        self.next = 0;
    }

    /// Whether a move from the picker gives direct check.
    #[inline(always)]
    pub(super) fn gives_check(&self, kind: PieceType, m: Move) -> bool {
        self.checks.contain(kind, m)
    }

    fn score_quiet<S: CpuSliders>(&mut self, sources: Sources<'_, S>) {
        let quiets = sources.quiets(self.hints.earlier);
        let check = if sources.features.check_order {
            CHECK
        } else {
            0
        };
        for scored in &mut self.quiet {
            let is_check = self.checks.contain(scored.kind, scored.m);
            scored.value = quiets.value(scored.kind, scored.m) + if is_check { check } else { 0 };
        }
    }
}

impl Pick {
    const fn noisy(scored: ScoredMove) -> Self {
        Self {
            m: scored.m,
            kind: scored.kind,
            is_noisy: true,
            quiet_score: None,
        }
    }

    const fn quiet(scored: ScoredMove, is_by_score: bool) -> Self {
        Self {
            is_noisy: false,
            quiet_score: if is_by_score {
                Some(scored.value)
            } else {
                None
            },
            ..Self::noisy(scored)
        }
    }
}

impl<'a, S: CpuSliders> Sources<'a, S> {
    /// The histories of quiet moves, given the moves one and two plies before.
    #[inline(always)]
    pub(super) fn quiets(&self, earlier: [Option<PieceTo>; 2]) -> QuietHistory<'a> {
        self.histories
            .quiets(self.position.side_to_move(), earlier, self.features)
    }
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

/// MVV plus capture history; MVV-LVA if capture history is disabled.
#[inline(always)]
pub(super) fn noisy_score<S: Copy>(sources: Sources<'_, S>, kind: PieceType, m: Move) -> i32 {
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

/// The squares from which a piece of the side to move would give a direct check on the current
/// board, by kind. Discovered checks, and checks by castling rooks and promoted pawns, are not
/// included.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Checks(ByPieceType<Bitboard>);

impl Checks {
    /// Computes the check squares of a position.
    #[inline(always)]
    pub(super) fn of<S: Sliders>(position: &Position, sliders: S) -> Self {
        let opponent = !position.side_to_move();
        let king = position.king(opponent);
        let diagonal = sliders.bishop(king, position.occupied());
        let straight = sliders.rook(king, position.occupied());
        let mut squares = ByPieceType::default();
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
            let checks = Checks::of(&position, attacks::Subtraction);
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
