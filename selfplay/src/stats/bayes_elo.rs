//! The `BayesElo` model: a difference in strength, and a draw parameter.
//!
//! Source: R. Coulom, `BayesElo` (2005 to 2010); it is the model of P. V. Rao and L. L. Kupper,
//! "Ties in paired-comparison experiments", Journal of the American Statistical Association 62
//! (1967). `draw_elo` is how much weaker the opponent must be for a winning probability of 1/2.

use super::counts::{Counts, Distribution, Wdl};
use super::elo;

/// Probabilities of the results of one game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// The probability of a win.
    pub win: f64,
    /// The probability of a draw.
    pub draw: f64,
    /// The probability of a loss.
    pub loss: f64,
}

/// The probabilities for an engine that is better by `elo`, in units of this model.
pub fn chances(elo: f64, draw_elo: f64) -> Chances {
    let win = elo::to_score(elo - draw_elo);
    let loss = elo::to_score(-elo - draw_elo);
    let draw = 1.0 - win - loss;
    Chances { win, draw, loss }
}

/// The maximum-likelihood `draw_elo` of these games; results that never occurred count as
/// [`crate::stats::EMPTY_CELL`].
pub fn draw_elo(games: Wdl) -> f64 {
    let [loss, _, _, _, win] = Distribution::from_counts(&Counts::Games(games)).probabilities;
    // From `win = 1/(1 + 10^((draw_elo - elo)/400))` and the same for a loss: fishtest,
    // `proba_to_bayeselo`.
    200.0 * libm::log10((1.0 - loss) / loss * ((1.0 - win) / win))
}

/// Converts a difference in units of this model to logistic Elo.
pub fn to_elo(elo: f64, draw_elo: f64) -> f64 {
    let Chances { win, draw, .. } = chances(elo, draw_elo);
    elo::from_score(win + 0.5 * draw)
}

/// The log-likelihood ratio of `elo1` against `elo0` in this model itself, as in `cutechess` and
/// early fishtest: `draw_elo` is estimated from the games and is the same under both.
pub fn llr(games: Wdl, elo0: f64, elo1: f64) -> f64 {
    if games.games() == 0 {
        return 0.0;
    }
    let draw_elo = draw_elo(games);
    let (p0, p1) = (chances(elo0, draw_elo), chances(elo1, draw_elo));
    let distribution = Distribution::from_counts(&Counts::Games(games));
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
