//! The clocks and search limits of both sides: the parameters of `go` and the deadlines. Pure.

use std::time::Duration;

use chess::rules::{ByColor, Color};
use uci::grammar::Go;

use crate::model::Limits;
use crate::time_control::{Clock, Flag};

/// The limits of one side.
#[derive(Clone, Debug, Default)]
struct Side {
    clock: Option<Clock>,
    movetime: Option<Duration>,
    margin: Duration,
    nodes: Option<u64>,
    depth: Option<u32>,
}

/// The clocks and search limits of both sides.
#[derive(Clone, Debug, Default)]
pub(super) struct Clocks(ByColor<Side>);

impl Side {
    fn new(limits: &Limits) -> Self {
        let margin = Duration::from_millis(limits.margin_ms);
        Self {
            clock: limits.clock.as_ref().map(|clock| Clock::new(clock, margin)),
            movetime: limits.movetime_ms.map(Duration::from_millis),
            margin,
            nodes: limits.nodes,
            depth: limits.depth,
        }
    }

    /// Maximum time for the next move; `None` without a clock.
    fn until_flag(&self) -> Option<Duration> {
        let clock = self.clock.as_ref().map(Clock::until_flag);
        let movetime = self.movetime.map(|time| time.saturating_add(self.margin));
        clock.into_iter().chain(movetime).min()
    }

    /// Time left and increment as in UCI, in milliseconds.
    fn times(&self, gone: Duration) -> (Option<i64>, Option<u64>) {
        let Some(remaining) = self.clock.as_ref().map(Clock::remaining) else {
            return (None, None);
        };
        let left = remaining.time_ms.saturating_sub(milliseconds(gone)).max(1);
        let left = i64::try_from(left).unwrap_or(i64::MAX);
        (Some(left), Some(remaining.increment_ms))
    }
}

impl Clocks {
    pub(super) fn new(white: &Limits, black: &Limits) -> Self {
        let mut sides = ByColor::default();
        sides[Color::White] = Side::new(white);
        sides[Color::Black] = Side::new(black);
        Self(sides)
    }

    /// The `go` command for one side; `gone` is the time that this move has already used.
    pub(super) fn go(&self, side: Color, gone: Duration) -> Go {
        let own = &self.0[side];
        let gone_of = |one| if one == side { gone } else { Duration::ZERO };
        let [(wtime_ms, winc_ms), (btime_ms, binc_ms)] =
            [Color::White, Color::Black].map(|one| self.0[one].times(gone_of(one)));
        let clock = own.clock.as_ref();
        let movetime = own.movetime.map(|time| time.saturating_sub(gone));
        Go {
            wtime_ms,
            btime_ms,
            winc_ms: winc_ms.filter(|&ms| ms > 0),
            binc_ms: binc_ms.filter(|&ms| ms > 0),
            movestogo: clock.and_then(|clock| clock.remaining().moves_to_go),
            depth: own.depth,
            nodes: own.nodes,
            movetime_ms: movetime.map(|time| milliseconds(time).max(1)),
            ..Go::default()
        }
    }

    /// Maximum time for the next move of a side; `None` without a clock.
    pub(super) fn until_flag(&self, side: Color) -> Option<Duration> {
        self.0[side].until_flag()
    }

    /// Deducts the time that a side's move took.
    pub(super) fn spend(&mut self, side: Color, elapsed: Duration) -> Result<(), Flag> {
        match &mut self.0[side].clock {
            Some(clock) => clock.spend(elapsed).map(|_| ()),
            None => Ok(()),
        }
    }

    /// The time left on the clock of a side.
    pub(super) fn left(&self, side: Color) -> Option<Duration> {
        self.0[side].clock.as_ref().map(Clock::left)
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    fn clocked(text: &str) -> Limits {
        Limits {
            clock: Some(text.parse().expect("a time control")),
            ..Limits::default()
        }
    }

    #[test]
    fn go_tells_both_clocks_and_the_limits_of_the_mover() {
        let both = Limits {
            nodes: Some(5000),
            depth: Some(9),
            movetime_ms: Some(300),
            ..clocked("40/60+0.6")
        };
        let mut clocks = Clocks::new(&both, &clocked("10"));
        let go = clocks.go(Color::White, Duration::ZERO);
        assert_eq!(
            go.to_string(),
            " wtime 60000 btime 10000 winc 600 movestogo 40 depth 9 nodes 5000 movetime 300"
        );
        clocks.spend(Color::White, ms(200)).expect("in time");
        assert_eq!(clocks.left(Color::White), Some(ms(60_400)));
        let go = clocks.go(Color::Black, ms(400));
        assert_eq!(go.to_string(), " wtime 60400 btime 9600 winc 600");
        let go = clocks.go(Color::White, ms(100));
        assert_eq!(
            go.to_string(),
            " wtime 60300 btime 10000 winc 600 movestogo 39 depth 9 nodes 5000 movetime 200"
        );
    }

    #[test]
    fn the_shorter_limit_holds_with_its_margin() {
        let limits = Limits {
            movetime_ms: Some(300),
            margin_ms: 20,
            ..clocked("0.5")
        };
        let mut clocks = Clocks::new(&limits, &Limits::default());
        assert_eq!(clocks.until_flag(Color::White), Some(ms(320)));
        assert_eq!(clocks.until_flag(Color::Black), None);
        clocks.spend(Color::White, ms(300)).expect("in time");
        assert_eq!(clocks.until_flag(Color::White), Some(ms(220)));
        assert!(clocks.spend(Color::White, ms(221)).is_err());
        assert!(clocks.spend(Color::Black, ms(99_999)).is_ok());
        assert_eq!(clocks.left(Color::Black), None);
        // However late it is, an engine never receives a time of zero.
        let go = clocks.go(Color::White, ms(9000));
        assert_eq!(go.to_string(), " wtime 1 movetime 1");
    }
}
