//! The stability of a search, which determines its share of the time.

use chess::rules::Move;

/// Statistics of the iterations so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Trend {
    best: Option<Move>,
    /// Iterations since the best move changed.
    steady: u32,
    value: i32,
    /// The drop of the score, smoothed, in centipawns.
    fall: i32,
}

/// Steadiness is capped at this number of iterations.
const MOST_STEADY: u32 = 8;

impl Trend {
    pub(super) fn add(&mut self, best: Move, value: i32) {
        self.steady = if self.best == Some(best) {
            (self.steady + 1).min(MOST_STEADY)
        } else {
            0
        };
        let fall = if self.best.is_some() {
            self.value - value
        } else {
            0
        };
        // Mate scores would drown all others.
        self.fall = i32::midpoint(self.fall, fall.clamp(-100, 100));
        self.best = Some(best);
        self.value = value;
    }

    /// How much of the usual time the move deserves, in percent, if `share` percent of the nodes
    /// went to the best move: more if the best move changes, if the score falls, and if other moves
    /// take many nodes to refute.
    pub(super) fn percent(&self, share: u64) -> u32 {
        // In percent: 150 after a change of the best move, 78 after eight iterations without one.
        let steadiness = 150 - 9 * self.steady;
        // A percent for each centipawn: a falling score is a reason to look for another move.
        let falling = 100 + self.fall.clamp(-25, 60).unsigned_abs() * u32::from(self.fall > 0)
            - self.fall.clamp(-25, 0).unsigned_abs();
        let doubt = 180 - u32::try_from(share.min(100)).expect("at most a hundred");
        steadiness * falling / 100 * doubt / 100
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::rules::Square;

    #[test]
    fn stable_searches_take_less_time() {
        let moves = [Square::E4, Square::D4].map(|to| Move::new(Square::E2, to));
        let mut steady = Trend::default();
        let mut torn = Trend::default();
        let mut falling = Trend::default();
        for index in 0..12 {
            steady.add(moves[0], 30);
            torn.add(moves[index % 2], 30);
            falling.add(moves[0], 300 - 40 * i32::try_from(index).expect("small"));
        }
        assert_eq!(steady.percent(90), 70);
        assert!(torn.percent(90) > 120 && torn.percent(20) > 200);
        assert!(falling.percent(90) > 90);
    }
}
