//! The model of `BayesElo`: a difference in strength, and a readiness to draw.
//!
//! Source: R. Coulom, `BayesElo` (2005 to 2010); it is the model of P. V. Rao and L. L. Kupper,
//! "Ties in paired-comparison experiments", Journal of the American Statistical Association 62
//! (1967). `draw_elo` is how much weaker the opponent must be for a chance of 1/2 to win.

use super::counts::{Counts, Wdl};
use super::distribution::Distribution;
use super::elo;

/// Chances of one game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// To win.
    pub win: f64,
    /// To draw.
    pub draw: f64,
    /// To lose.
    pub loss: f64,
}

/// The chances of an engine that is better by `elo`, in the units of this model.
pub fn chances(elo: f64, draw_elo: f64) -> Chances {
    let win = elo::to_score(elo - draw_elo);
    let loss = elo::to_score(-elo - draw_elo);
    let draw = 1.0 - win - loss;
    Chances { win, draw, loss }
}

/// The readiness to draw that explains these games best; results that were never seen count as
/// [`super::EMPTY_CELL`].
pub fn draw_elo(games: Wdl) -> f64 {
    let [loss, _, _, _, win] = Distribution::of(&Counts::Games(games)).probabilities;
    200.0 * libm::log10((1.0 - loss) / loss * ((1.0 - win) / win))
}

/// Logistic Elo of a difference in the units of this model.
pub fn to_elo(elo: f64, draw_elo: f64) -> f64 {
    let Chances { win, draw, .. } = chances(elo, draw_elo);
    elo::from_score(win + 0.5 * draw)
}

/// The log-likelihood ratio of `elo1` against `elo0` in this model itself, as `cutechess` and early
/// fishtest took it: the readiness to draw is that of the games, the same under both.
pub fn llr(games: Wdl, elo0: f64, elo1: f64) -> f64 {
    if games.games() == 0 {
        return 0.0;
    }
    let draw_elo = draw_elo(games);
    let (p0, p1) = (chances(elo0, draw_elo), chances(elo1, draw_elo));
    let distribution = Distribution::of(&Counts::Games(games));
    let [loss, _, draw, _, win] = distribution.probabilities;
    distribution.samples
        * (win * libm::log(p1.win / p0.win)
            + draw * libm::log(p1.draw / p0.draw)
            + loss * libm::log(p1.loss / p0.loss))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_give_back_their_chances() {
        let games = Wdl {
            wins: 300,
            draws: 500,
            losses: 200,
        };
        let draw_elo = draw_elo(games);
        let elo = 200.0 * libm::log10(0.3 / 0.2 * (0.8 / 0.7));
        let found = chances(elo, draw_elo);
        assert!((found.win - 0.3).abs() < 1e-14);
        assert!((found.draw - 0.5).abs() < 1e-14);
        assert!((found.loss - 0.2).abs() < 1e-14);
    }
}
