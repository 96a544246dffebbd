//! Gathers the moves of a node, so that lanes can count the replies to several pieces' moves at once.

use super::moves::Moves;
use super::{Forecast, PIECES};
use crate::perft::kernel::lanes::Lanes;
use crate::perft::kernel::listing::Lister;
use crate::perft::kernel::step::{Sink, StepKind};
use crate::rules::attacks::Sliders;
use crate::rules::{Bitboard, Square};

/// Gathers the moves of a node.
pub(in crate::perft::kernel) struct Gatherer<'a, V, S> {
    forecast: &'a Forecast<'a, S>,
    moves: &'a mut Moves,
    others: Lister<'a, V>,
    /// How many places of each array of `moves` are in use.
    pieces: usize,
    pawns: usize,
    specials: usize,
    /// Replies in addition to what is found in lanes.
    more: u64,
}

impl<'a, V: Lanes, S: Sliders> Gatherer<'a, V, S> {
    #[inline(always)]
    pub(in crate::perft::kernel) fn new(
        forecast: &'a Forecast<'a, S>,
        moves: &'a mut Moves,
        others: Lister<'a, V>,
    ) -> Self {
        Self {
            forecast,
            moves,
            others,
            pieces: 0,
            pawns: 0,
            specials: 0,
            more: 0,
        }
    }

    /// Counts the replies to moves that are forecast, up to a multiple of 2^64: partly as the
    /// result, partly in `sum`. Lists the other moves.
    #[inline(always)]
    pub(in crate::perft::kernel) fn count(self, sum: &mut V) -> u64 {
        let Self {
            forecast,
            moves,
            mut others,
            pieces,
            pawns,
            specials,
            mut more,
        } = self;
        moves.pieces.end(pieces);
        moves.pawns.end(pawns);
        for &place in &moves.special[..specials] {
            let (from, piece) = moves.pieces.from[place];
            let barred = &mut moves.pieces.barred[place];
            let targets = Bitboard(moves.pieces.targets[place]);
            more = more.wrapping_add(forecast.special(from, piece, targets, barred));
        }
        for start in (0..pieces).step_by(V::WIDTH) {
            let unknown = forecast.count_pieces(&moves.pieces, start, sum);
            let mut lanes = unknown.nonzero();
            let unknown = unknown.to_array();
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                let (from, piece) = moves.pieces.from[start + lane];
                others.steps(PIECES[usize::from(piece)], Bitboard(unknown[lane]), from);
                lanes &= lanes - 1;
            }
        }
        for start in (0..pawns).step_by(V::WIDTH) {
            forecast.count_pawns(&moves.pawns, start, sum);
        }
        more
    }

    /// Adds known moves that leave each square of a set once.
    #[inline(always)]
    fn add(&mut self, targets: Bitboard, left: Bitboard) {
        self.moves.pawns.targets[self.pawns] = targets.0;
        self.moves.pawns.left[self.pawns] = left.0;
        self.pawns += 1;
    }
}

impl<V: Lanes, S: Sliders> Sink for Gatherer<'_, V, S> {
    #[inline(always)]
    fn piece(&mut self, kind: StepKind, from: Square, targets: Bitboard) {
        let piece = match kind {
            StepKind::Knight => 1,
            StepKind::Bishop => 2,
            StepKind::Rook => 3,
            StepKind::Queen => 4,
            StepKind::King => 5,
            StepKind::Castle => {
                for rook in targets {
                    match self.forecast.castling(from, rook) {
                        None => self.others.piece(kind, from, rook.bitboard()),
                        Some((left, targets)) => {
                            self.add(targets, left);
                            // Two pieces, one move.
                            self.more = self.more.wrapping_sub(self.forecast.replies());
                        }
                    }
                }
                return;
            }
            _ => return self.others.piece(kind, from, targets),
        };
        let place = self.pieces;
        let pieces = &mut self.moves.pieces;
        pieces.targets[place] = targets.0;
        pieces.left[place] = from.bitboard().0;
        pieces.barred[place] = self
            .forecast
            .set(&self.forecast.all.to_by[usize::from(piece)])
            .0;
        pieces.from[place] = (from, piece);
        self.moves.special[self.specials] = place;
        self.pieces += 1;
        let is_special = self.forecast.set(&self.forecast.all.special).contains(from);
        self.specials += usize::from(is_special);
    }

    #[inline(always)]
    fn pawns(&mut self, kind: StepKind, targets: Bitboard, back: u8) {
        if targets.is_empty() {
            return;
        }
        if kind == StepKind::DoubleStep {
            self.others.passing(targets, back);
        }
        let unknown = targets & self.forecast.unknown_of_pawns(back, 0);
        let known = targets ^ unknown;
        self.add(known, Bitboard(known.0 >> back));
        if !unknown.is_empty() {
            self.others.pawns(StepKind::Pawn, unknown, back);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, back: u8) {
        for piece in [1, 2, 3, 4] {
            let unknown = targets & self.forecast.unknown_of_pawns(back, piece);
            let known = targets ^ unknown;
            self.add(known, Bitboard(known.0 >> back));
            self.others
                .promotion(unknown, back, PIECES[usize::from(piece)]);
        }
    }
}
