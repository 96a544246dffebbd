//! What is known of the replies in every lane: their number, or what limits them.

use super::attacks::off;
use super::limits::Limits;
use super::node::{After, Node};
use crate::perft::kernel::analysis::Analysis;
use crate::perft::kernel::board::Board;
use crate::perft::kernel::lanes::Lanes;
use crate::perft::kernel::listing::Bytes;
use crate::perft::kernel::threats::Threats;
use crate::rules::attacks;
use crate::rules::{Bitboard, CastlingSide, Color, File, Rank, Square};

/// Limits on the replies to eight steps, seen from below (board not turned).
#[derive(Default)]
pub(super) struct Analyses {
    king_steps: [u64; 8],
    checkers: [u64; 8],
    pinned: [u64; 8],
    answers: [u64; 8],
}

impl Analyses {
    /// The analysis of the turned board after a step.
    #[inline(always)]
    pub(super) fn of(&self, lane: usize, board: &Board) -> Analysis {
        let turned = |part: &[u64; 8]| Bitboard(part[lane].swap_bytes());
        Analysis {
            threats: Threats {
                king: Square::from_low_bits(board.us.king.0.trailing_zeros()),
                occupied: board.us.all() | board.them.all(),
                checkers: turned(&self.checkers),
                pinned: turned(&self.pinned),
                answers: turned(&self.answers),
            },
            king_steps: turned(&self.king_steps),
        }
    }
}

impl<V: Lanes> Node<V> {
    /// The number of replies to each of the steps from `start` on; undefined beyond the last step.
    #[inline(always)]
    pub(super) fn count_replies<const PROMOTE: bool>(&self, steps: &Bytes, start: usize) -> V {
        let after = self.play::<PROMOTE>(steps, start);
        let limits = self.limits::<PROMOTE>(&after);
        let (danger, reached) = self.slide::<PROMOTE>(&after, &limits);
        let danger = danger | limits.behind | self.leaper_attacks::<PROMOTE>(&after);
        let king_steps = V::splat(attacks::king(self.king).0) & !after.own & !danger;
        let [step, double_step, west, east] = Self::pawn_moves(&after, &limits);
        let mut tally = V::tally(reached);
        tally = tally.add(V::tally([king_steps, step, double_step, west, east]));
        if self.board.them.pawns.intersects(Rank::R2.bitboard()) {
            let last = V::splat(Rank::R1.bitboard().0);
            let promoting = V::tally([step & last, west & last, east & last]);
            tally = tally.add(promoting).add(promoting).add(promoting);
        }
        for knight in self.board.them.knights {
            let there = after.them.knights & limits.free & V::splat(knight.bitboard().0);
            let targets = V::splat(attacks::knight(knight).0) & limits.targets;
            tally = tally.add(V::tally([V::when(there, targets)]));
        }
        for rook in self.board.castling & self.board.them.straight {
            tally = tally.add(self.castling(rook, &after, danger | limits.checkers));
        }
        V::total(tally)
    }

    /// Limits on the replies to each of the steps from `start` on.
    #[inline(always)]
    pub(super) fn analyse<const PROMOTE: bool>(&self, steps: &Bytes, start: usize) -> Analyses {
        let after = self.play::<PROMOTE>(steps, start);
        let limits = self.limits::<PROMOTE>(&after);
        let (danger, _) = self.slide::<PROMOTE>(&after, &limits);
        let danger = danger | limits.behind | self.leaper_attacks::<PROMOTE>(&after);
        let king_steps = V::splat(attacks::king(self.king).0) & !after.own & !danger;
        Analyses {
            king_steps: king_steps.to_array(),
            checkers: limits.checkers.to_array(),
            pinned: (!limits.free).to_array(),
            answers: limits.targets.to_array(),
        }
    }

    /// Single steps, double steps, captures towards the a-file and towards the h-file.
    #[inline(always)]
    fn pawn_moves(after: &After<V>, limits: &Limits<V>) -> [V; 4] {
        let pawns = after.them.pawns;
        let pushers = pawns & (limits.free | limits.on_file);
        let step = pushers.shr(8) & after.empty;
        let sixth = V::splat(Rank::R6.bitboard().0);
        let double_step = (step & sixth).shr(8) & after.empty;
        // Down towards the a-file is along the diagonal a1-h8, down towards the h-file along a8-h1.
        let west = pawns & (limits.free | limits.on_diagonal) & off(File::A.bitboard());
        let east = pawns & (limits.free | limits.on_anti_diagonal) & off(File::H.bitboard());
        let takes = after.enemies & limits.targets;
        [
            step & limits.targets,
            double_step & limits.targets,
            west.shr(9) & takes,
            east.shr(7) & takes,
        ]
    }

    /// 1 in the lanes where `them` may castle with this rook on the edge.
    #[inline(always)]
    fn castling(&self, rook: Square, after: &After<V>, forbidden: V) -> V {
        let side = CastlingSide::of(self.king, rook);
        let (king_target, rook_target) = (
            side.king_target(Color::Black),
            side.rook_target(Color::Black),
        );
        let king_path = attacks::between(self.king, king_target) | king_target.bitboard();
        let rook_path = attacks::between(rook, rook_target) | rook_target.bitboard();
        let own = self.king.bitboard() | rook.bitboard();
        let in_the_way = !after.empty & V::splat(((king_path | rook_path) & !own).0);
        let watched = forbidden & V::splat((king_path | self.king.bitboard()).0);
        let taken = V::splat(rook.bitboard().0) & !after.them.straight;
        V::unless(in_the_way | watched | taken, V::splat(1))
    }
}
