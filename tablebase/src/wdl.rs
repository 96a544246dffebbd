//! Win, draw or loss, with the fifty-move rule.

use std::ops::Neg;

/// The result of a position under best play, for the side to move; worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
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

impl Wdl {
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
impl Neg for Wdl {
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
    use super::*;

    #[test]
    fn the_other_side_sees_the_mirror_image() {
        for (value, mirror) in Wdl::ALL.into_iter().zip(Wdl::ALL.into_iter().rev()) {
            assert_eq!(-value, mirror);
        }
        assert!(Wdl::ALL.is_sorted());
    }

    #[test]
    fn the_rule_makes_draws() {
        use Wdl::{Draw, Loss, Win};
        assert_eq!(
            Wdl::ALL.map(|value| value.under_rule(true)),
            [Loss, Draw, Draw, Draw, Win]
        );
        assert_eq!(
            Wdl::ALL.map(|value| value.under_rule(false)),
            [Loss, Loss, Draw, Win, Win]
        );
    }
}
