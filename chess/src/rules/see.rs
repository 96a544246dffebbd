//! Static exchange evaluation (SEE): the material won or lost by a move if both sides keep
//! capturing on its target square with their least valuable piece for as long as it pays.
//!
//! This is the threshold form of the swap algorithm (chessprogramming wiki, "Static Exchange
//! Evaluation" and "SEE - The Swap Algorithm"): it only decides whether the outcome reaches a
//! bound, and stops as soon as that is certain. X-ray attackers behind a capturing piece join in. A
//! pinned piece captures only along the line of the pin. A king captures only unprotected pieces.
//! Pawns that recapture on the last rank count as pawns.

use super::attacks::{self, Sliders};
use super::{Bitboard, ByPieceType, Color, Move, PieceType, Position, Square};
use crate::rules::cpu::{self, CpuSliders, Multiversioned};

/// Piece values in an exchange, in centipawns.
const VALUES: ByPieceType<i32> = ByPieceType([100, 320, 330, 500, 950, 20_000]);

impl Position {
    /// Whether a legal move wins at least `threshold` centipawns by static exchange, with a pawn
    /// worth 100, a knight 320, a bishop 330, a rook 500 and a queen 950; `threshold` must be
    /// between -20,000 and 20,000.
    ///
    /// The value of a move is what it captures, plus the gain of a promotion, minus the opponent's
    /// best result from recapturing. Castling is worth 0.
    pub fn see_at_least(&self, m: Move, threshold: i32) -> bool {
        cpu::with_sliders(Exchange(self, m, threshold))
    }

    /// [`Position::see_at_least`], for callers that have already chosen their sliders.
    #[inline(always)]
    pub fn see_at_least_by<S: CpuSliders>(&self, m: Move, threshold: i32, sliders: S) -> bool {
        sliders.enter(Exchange(self, m, threshold))
    }

    #[inline(always)]
    fn see_at_least_with<S: Sliders>(&self, m: Move, threshold: i32, sliders: S) -> bool {
        if self.is_castling(m) {
            return threshold <= 0;
        }
        let (from, to) = (m.from(), m.to());
        let mover = self
            .piece_type_at(from)
            .expect("a legal move starts from a piece");
        let mut occupied = self.occupied() & !from.bitboard() | to.bitboard();
        let mut gain = self.piece_type_at(to).map_or(0, |taken| VALUES[taken]);
        if self.is_en_passant(m) {
            gain = VALUES[PieceType::Pawn];
            occupied &= !Self::ep_victim(to).bitboard();
        }
        let standing = m.promotion().unwrap_or(mover);
        gain += VALUES[standing] - VALUES[mover];
        // First the surplus if the exchange ends here; then, if the piece is lost for nothing.
        let over = gain - threshold;
        let at_worst = over - VALUES[standing];
        if over < 0 || at_worst >= 0 {
            return over >= 0;
        }
        Swap {
            position: self,
            sliders,
            to,
            occupied,
        }
        .settle(at_worst)
    }
}

/// The arguments of a call: does the move win at least the threshold?
struct Exchange<'a>(&'a Position, Move, i32);

impl Multiversioned for Exchange<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> bool {
        let Self(position, m, threshold) = self;
        position.see_at_least_with(m, threshold, sliders)
    }
}

/// The state of an exchange on one square.
struct Swap<'a, S> {
    position: &'a Position,
    sliders: S,
    to: Square,
    /// The occupied squares, without the pieces that have already captured.
    occupied: Bitboard,
}

impl<S: Sliders> Swap<'_, S> {
    /// Whether the side that has moved reaches its bound, given its surplus, a negative number, if
    /// the piece on the square is lost for nothing.
    #[inline(always)]
    fn settle(mut self, mut balance: i32) -> bool {
        let position = self.position;
        let us = position.side_to_move();
        let mut side = us;
        let mut attackers = position.attackers_to(self.to, self.occupied, self.sliders);
        // The side to capture is below its bound, and fails if it cannot continue.
        loop {
            side = !side;
            attackers &= self.occupied;
            let able = attackers & position.by_color(side);
            let Some((kind, from)) = self.least(able, side) else {
                return side != us;
            };
            self.occupied ^= from.bitboard();
            attackers |= self.uncovered(kind);
            if kind == PieceType::King {
                let guards = attackers & self.occupied & position.by_color(!side);
                return guards.is_empty() == (side == us);
            }
            balance = -balance - 1 - VALUES[kind];
            if balance >= 0 {
                return side == us;
            }
        }
    }

    /// The least valuable of these pieces that is not held by a pin, lowest square first.
    #[inline(always)]
    fn least(&self, able: Bitboard, side: Color) -> Option<(PieceType, Square)> {
        if able.is_empty() {
            return None;
        }
        let able = able & !self.held(side);
        PieceType::ALL.into_iter().find_map(|kind| {
            let from = (able & self.position.by_type(kind)).first()?;
            Some((kind, from))
        })
    }

    /// The pieces of `side` that a pin prevents from capturing on the square.
    #[inline(always)]
    fn held(&self, side: Color) -> Bitboard {
        let position = self.position;
        let king = position.king(side);
        let theirs = position.by_color(!side) & self.occupied;
        let ours = position.by_color(side);
        let [.., bishops, rooks, queens, _] = position.by_type.0;
        let snipers = theirs
            & (self.sliders.rook(king, theirs) & (rooks | queens)
                | self.sliders.bishop(king, theirs) & (bishops | queens));
        let mut held = Bitboard::EMPTY;
        for sniper in snipers {
            let shield = attacks::between(king, sniper) & self.occupied;
            if !shield.has_several() && !attacks::line(king, sniper).contains(self.to) {
                held |= shield & ours;
            }
        }
        held
    }

    /// The sliders that attack the square after a piece of this kind has left its own.
    #[inline(always)]
    fn uncovered(&self, kind: PieceType) -> Bitboard {
        let [.., bishops, rooks, queens, _] = self.position.by_type.0;
        let mut found = Bitboard::EMPTY;
        if !matches!(kind, PieceType::Knight | PieceType::Rook) {
            found |= self.sliders.bishop(self.to, self.occupied) & (bishops | queens);
        }
        if matches!(kind, PieceType::Rook | PieceType::Queen | PieceType::King) {
            found |= self.sliders.rook(self.to, self.occupied) & (rooks | queens);
        }
        found
    }
}
