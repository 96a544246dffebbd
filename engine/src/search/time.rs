//! How much of the clock one move may take.
//!
//! The clock is never spent to its end. A reserve is kept for the times when the machine is busy
//! and we are not given the processor; only what lies above it is shared out over the moves to
//! come. Of the increment only what is left after the overhead of a move is counted: with 10 ms a
//! move and an overhead of 10 ms, the increment pays for delays and the reserve stays whole.

use std::time::Duration;

use super::Limits;

/// The clock of the side to move, as the interface tells it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerClock {
    /// Time left; negative once it has been overstepped.
    pub remaining_ms: i64,
    /// What every move adds.
    pub increment_ms: u64,
    /// Moves to the next time control; none when the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// What a search may take of our time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// No iteration begins after this.
    pub(super) soft: Duration,
    /// The search ends here, whatever it is doing.
    pub(super) hard: Duration,
    /// Whether time not used is still ours on later moves.
    pub(super) saves: bool,
}

/// Kept on the clock, where there is as much: several delays of a busy machine.
const RESERVE: Duration = Duration::from_millis(200);

/// Moves the rest of a game is taken for, at any time.
const HORIZON: u32 = 40;

/// A search has this much even where there is no time: enough for a move.
const MINIMUM: Duration = Duration::from_millis(1);

impl Budget {
    /// The budget of a search, if its limits speak of time at all.
    pub(super) fn new(limits: &Limits) -> Option<Self> {
        let of_clock = limits
            .clock
            .map(|clock| Self::of_clock(clock, limits.overhead));
        let of_move = limits.movetime.map(|time| {
            let all = time.saturating_sub(limits.overhead).max(MINIMUM);
            Self {
                soft: all,
                hard: all,
                saves: false,
            }
        });
        match (of_clock, of_move) {
            (Some(clock), Some(one)) => Some(Self {
                soft: clock.soft.min(one.soft),
                hard: clock.hard.min(one.hard),
                saves: true,
            }),
            (clock, one) => clock.or(one),
        }
    }

    fn of_clock(clock: PlayerClock, overhead: Duration) -> Self {
        let remaining = Duration::from_millis(clock.remaining_ms.max(0).unsigned_abs());
        let left = remaining.saturating_sub(overhead);
        let spendable = left.saturating_sub(RESERVE.min(left / 2));
        let moves = clock.moves_to_go.unwrap_or(HORIZON).clamp(1, HORIZON);
        let gain = Duration::from_millis(clock.increment_ms).saturating_sub(overhead);
        let share = (spendable / moves + gain).min(spendable);
        // An iteration takes several times as long as the one before: begun at half of the share,
        // it often ends beyond it, and may take more where it must.
        let hard = (share * 5 / 2).min(spendable * 4 / 5).max(MINIMUM);
        Self {
            soft: (share / 2).min(hard),
            hard,
            saves: true,
        }
    }
}
