//! Results of positions (WDL), and the ranking of root moves by them.

use std::ops::Neg;

use chess::rules::Move;

/// The halfmove clock by which a safe win must reach a capture, a pawn move or mate: one ply less
/// than the rule allows, because tables round distances to moves.
const SAFE_PLIES: u32 = 99;

/// The result of a root move, for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootRank {
    wdl: TablebaseWdl,
    dtz: Option<i32>,
    is_certain: bool,
}

impl RootRank {
    /// Ranks by DTZ, in plies from before the move, with the halfmove clock before the move.
    pub(super) fn by_distance(dtz: i32, clock: u32) -> Self {
        // The fifty-move rule allows 100 plies (FIDE 9.3).
        let end = clock.saturating_add(dtz.unsigned_abs());
        let wdl = match dtz.signum() {
            0 => TablebaseWdl::Draw,
            1 if end <= 100 => TablebaseWdl::Win,
            1 => TablebaseWdl::CursedWin,
            _ if end <= 100 => TablebaseWdl::Loss,
            _ => TablebaseWdl::BlessedLoss,
        };
        Self {
            wdl,
            dtz: Some(dtz),
            is_certain: end <= SAFE_PLIES,
        }
    }

    pub(super) const fn by_result(wdl: TablebaseWdl, is_certain: bool) -> Self {
        Self {
            wdl,
            dtz: None,
            is_certain,
        }
    }

    /// The result of the game if both sides follow the tables; a win beyond the fifty-move rule is
    /// a cursed win. Without DTZ, it assumes a halfmove clock of 0.
    pub const fn wdl(self) -> TablebaseWdl {
        self.wdl
    }

    /// Plies from before the move to the next capture, pawn move or mate: positive if the side to
    /// move wins, negative if it loses, 0 for a draw. May be off by one ply, because tables round.
    /// `None` if only WDL is known.
    pub const fn dtz(self) -> Option<i32> {
        self.dtz
    }

    /// A sort key for moves, higher is better: first by result, then the shorter win and the longer
    /// loss.
    pub fn order(self, fifty_moves: bool) -> i32 {
        let result = if fifty_moves {
            self.wdl
        } else {
            self.wdl.under_rule(false)
        };
        // Distances are always smaller than the step between results.
        result as i32 * 10_000 - self.dtz.unwrap_or(0)
    }
}

/// The moves of a ranking that preserve the result, in its order.
///
/// All safe wins are kept, for the search to choose from, unless a position `has_repeated` since
/// the last capture or pawn move: then the search has made no progress, and only the shortest are
/// kept. Of unsafe and cursed wins, the shortest are kept; of draws and losses, all.
pub fn best_moves(ranks: &[(Move, RootRank)], fifty_moves: bool, has_repeated: bool) -> Vec<Move> {
    let keep = |is_kept: &dyn Fn(RootRank) -> bool| {
        let kept = ranks.iter().filter(|(_, rank)| is_kept(*rank));
        kept.map(|&(m, _)| m).collect::<Vec<_>>()
    };
    let Some(best) = ranks.iter().map(|(_, rank)| rank.order(fifty_moves)).max() else {
        return Vec::new();
    };
    let is_best = |rank: RootRank| rank.order(fifty_moves) == best;
    let result = ranks.iter().find(|(_, rank)| is_best(*rank));
    let result = result.map_or(TablebaseWdl::Draw, |(_, rank)| rank.wdl());
    let in_class = |rank: RootRank| {
        if fifty_moves {
            rank.wdl() == result
        } else {
            rank.wdl().under_rule(false) == result.under_rule(false)
        }
    };
    if result <= TablebaseWdl::Draw {
        return keep(&in_class);
    }
    // Under the fifty-move rule a win must hold even if the distance is off by one ply.
    let is_certain = |rank: RootRank| rank.wdl == TablebaseWdl::Win && rank.is_certain;
    let is_safe = |rank: RootRank| in_class(rank) && (!fifty_moves || is_certain(rank));
    let safe = keep(&is_safe);
    if has_repeated || safe.is_empty() {
        return keep(&is_best);
    }
    safe
}

/// The result of a position under best play, for the side to move; worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TablebaseWdl {
    /// A loss.
    Loss,
    /// A loss that the fifty-move rule turns into a draw.
    BlessedLoss,
    /// A draw.
    Draw,
    /// A win that the fifty-move rule turns into a draw.
    CursedWin,
    /// A win.
    Win,
}

impl TablebaseWdl {
    /// Every value, worst first.
    pub const ALL: [Self; 5] = [
        Self::Loss,
        Self::BlessedLoss,
        Self::Draw,
        Self::CursedWin,
        Self::Win,
    ];

    /// The result as loss, draw or win: with the fifty-move rule, cursed wins and blessed losses
    /// are draws; without it, they are wins and losses.
    #[inline(always)]
    pub const fn under_rule(self, fifty_moves: bool) -> Self {
        match self {
            Self::CursedWin | Self::BlessedLoss if fifty_moves => Self::Draw,
            Self::CursedWin => Self::Win,
            Self::BlessedLoss => Self::Loss,
            other => other,
        }
    }

    /// Whether it is a win or a loss that the fifty-move rule could still turn into a draw if the
    /// halfmove clock is not 0.
    #[inline(always)]
    pub const fn depends_on_clock(self) -> bool {
        matches!(self, Self::Win | Self::Loss)
    }
}

/// The result for the other side.
impl Neg for TablebaseWdl {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }
}

#[cfg(test)]
mod tests {
    use chess::rules::Square;

    use super::*;

    /// Ranks moves from a1 to a1, b1, ... and returns the targets kept.
    fn kept(ranks: &[RootRank], fifty_moves: bool, has_repeated: bool) -> Vec<usize> {
        let to = |index: usize| Move::new(Square::A1, Square::ALL[index]);
        let ranks: Vec<_> = ranks.iter().enumerate().map(|(i, &r)| (to(i), r)).collect();
        let moves = best_moves(&ranks, fifty_moves, has_repeated);
        moves.into_iter().map(|m| m.to().index()).collect()
    }

    fn at(wdl: TablebaseWdl, plies: i32, clock: u32) -> RootRank {
        let dtz = if wdl < TablebaseWdl::Draw {
            -plies
        } else {
            plies
        };
        let rank = RootRank::by_distance(dtz, clock);
        assert_eq!(rank.wdl(), wdl, "{dtz} plies, {clock} on the clock");
        rank
    }

    #[test]
    fn better_results_and_nearer_wins_come_first() {
        let ranks = [
            at(TablebaseWdl::Win, 1, 0),
            at(TablebaseWdl::Win, 30, 0),
            at(TablebaseWdl::CursedWin, 101, 0),
            at(TablebaseWdl::CursedWin, 140, 0),
            at(TablebaseWdl::Draw, 0, 0),
            at(TablebaseWdl::BlessedLoss, 140, 0),
            at(TablebaseWdl::BlessedLoss, 101, 0),
            at(TablebaseWdl::Loss, 40, 0),
            at(TablebaseWdl::Loss, 2, 0),
        ];
        for fifty_moves in [true, false] {
            let order = ranks.map(|rank| rank.order(fifty_moves));
            assert!(order.is_sorted_by(|a, b| a > b), "{order:?}");
        }
        assert_eq!(ranks[8].dtz(), Some(-2));
    }

    #[test]
    fn safe_wins_are_all_kept_until_a_position_repeats() {
        let ranks = [
            at(TablebaseWdl::Win, 9, 20),
            at(TablebaseWdl::Win, 79, 20),
            at(TablebaseWdl::Win, 80, 20),
            at(TablebaseWdl::Draw, 0, 20),
        ];
        assert_eq!(kept(&ranks, true, false), [0, 1]);
        assert_eq!(kept(&ranks, true, true), [0]);
        assert_eq!(kept(&ranks, false, false), [0, 1, 2]);
    }

    #[test]
    fn unsafe_wins_take_the_shortest_way() {
        let ranks = [
            at(TablebaseWdl::Win, 80, 20),
            at(TablebaseWdl::CursedWin, 90, 20),
        ];
        assert_eq!(kept(&ranks, true, false), [0]);
        let cursed = [
            at(TablebaseWdl::CursedWin, 120, 0),
            at(TablebaseWdl::CursedWin, 110, 0),
        ];
        assert_eq!(kept(&cursed, true, false), [1]);
        assert_eq!(kept(&cursed, false, false), [0, 1]);
        let unknown = [RootRank::by_result(TablebaseWdl::Win, false); 2];
        assert_eq!(kept(&unknown, true, false), [0, 1]);
        let known = [unknown[0], RootRank::by_result(TablebaseWdl::Win, true)];
        assert_eq!(kept(&known, true, false), [1]);
    }

    #[test]
    fn draws_and_losses_are_left_to_the_search() {
        let drawn = [
            at(TablebaseWdl::Draw, 0, 0),
            at(TablebaseWdl::Loss, 4, 0),
            at(TablebaseWdl::Draw, 0, 0),
        ];
        assert_eq!(kept(&drawn, true, false), [0, 2]);
        let blessed = [
            at(TablebaseWdl::Loss, 4, 0),
            at(TablebaseWdl::BlessedLoss, 110, 0),
        ];
        assert_eq!(kept(&blessed, true, false), [1]);
        assert_eq!(kept(&blessed, false, false), [0, 1]);
        assert_eq!(kept(&[], true, false), []);
    }

    #[test]
    fn the_other_side_sees_the_mirror_image() {
        for (value, mirror) in TablebaseWdl::ALL
            .into_iter()
            .zip(TablebaseWdl::ALL.into_iter().rev())
        {
            assert_eq!(-value, mirror);
        }
        assert!(TablebaseWdl::ALL.is_sorted());
    }

    #[test]
    fn the_rule_makes_draws() {
        use TablebaseWdl::{Draw, Loss, Win};
        assert_eq!(
            TablebaseWdl::ALL.map(|value| value.under_rule(true)),
            [Loss, Draw, Draw, Draw, Win]
        );
        assert_eq!(
            TablebaseWdl::ALL.map(|value| value.under_rule(false)),
            [Loss, Loss, Draw, Win, Win]
        );
    }
}
