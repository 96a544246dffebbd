//! Ratings against closed forms, against a plain likelihood, and where they are undetermined.

use super::{Ratings, Table, rate};
use crate::model::GameResult;
use crate::stats::{bayes_elo, games::FinishedGame};

/// Games of White against Black: won, drawn and lost by White.
fn games(white: &str, black: &str, results: [usize; 3]) -> Vec<FinishedGame> {
    use GameResult::{BlackWins, Draw, WhiteWins};
    let all = [WhiteWins, Draw, BlackWins].into_iter().zip(results);
    all.flat_map(|(outcome, count)| {
        let record = FinishedGame {
            number: None,
            white: white.to_owned(),
            black: black.to_owned(),
            round: None,
            opening: None,
            outcome,
        };
        std::iter::repeat_n(record, count)
    })
    .collect()
}

fn rated(records: &[FinishedGame], prior: f64) -> (Table, Ratings) {
    let table = Table::from_records(records).with_prior(prior);
    let ratings = rate(&table);
    assert!(ratings.converged, "{ratings:?}");
    (table, ratings)
}

fn elo(ratings: &Ratings, index: usize) -> f64 {
    ratings.ratings[index].elo.expect("it is rated").value
}

#[test]
fn two_engines_without_draws_have_the_elo_of_their_score() {
    let records = [games("A", "B", [30, 0, 10]), games("B", "A", [10, 0, 30])].concat();
    let (_, ratings) = rated(&records, 0.0);
    let difference = elo(&ratings, 0) - elo(&ratings, 1);
    assert!(
        (difference - 400.0 * libm::log10(3.0)).abs() < 1e-6,
        "{difference}"
    );
    let white = ratings.white_advantage.expect("it is reported");
    assert!(white.value.abs() < 1e-6);
    // The difference has variance 1 / (n p q), and each rating half of that deviation.
    let error = 1.96 * 173.7178 / libm::sqrt(80.0 * 0.75 * 0.25) / 2.0;
    let found = ratings.ratings[0].elo.expect("it is rated").error();
    assert!(
        (found / error - 1.0).abs() < 1e-3,
        "{found}, expected {error}"
    );
}

#[test]
fn chances_are_those_of_the_games() {
    // With one pair of engines and both colours there are four free frequencies and three
    // parameters; the frequencies come from the model, so that the fit must recover the parameters.
    let chances = |elo| bayes_elo::chances(elo, 100.0);
    let counts = |elo: f64| {
        let chances = chances(elo);
        [chances.win, chances.draw, chances.loss].map(|part| part * 1e6)
    };
    let mut table =
        Table::from_records(&[games("A", "B", [1, 1, 1]), games("B", "A", [1, 1, 1])].concat());
    for (score, elo) in table.scores.values_mut().zip([40.0 + 25.0, -40.0 + 25.0]) {
        let [white_wins, draws, black_wins] = counts(elo);
        *score = crate::stats::rating::Score {
            white_wins,
            draws,
            black_wins,
        };
    }
    let ratings = rate(&table);
    let draw = ratings.draw_chance.expect("it is reported");
    assert!((draw - chances(0.0).draw).abs() < 1e-5, "{draw}");
    // The slope of the expected score is that of logistic Elo.
    let slope = bayes_elo::to_elo(0.01, 100.0) / 0.01;
    let difference = elo(&ratings, 0) - elo(&ratings, 1);
    assert!((difference - 40.0 * slope).abs() < 1e-3, "{difference}");
    let white = ratings.white_advantage.expect("it is reported").value;
    assert!((white - 25.0 * slope).abs() < 1e-3, "{white}");
}

#[test]
fn no_other_ratings_explain_more() {
    let records = [
        games("A", "B", [5, 3, 2]),
        games("B", "C", [4, 4, 1]),
        games("C", "A", [2, 5, 3]),
        games("B", "A", [1, 2, 3]),
    ]
    .concat();
    let (table, ratings) = rated(&records, 0.0);
    let c = 2.0 * libm::atanh(ratings.draw_chance.expect("it is reported"));
    let scale = 1.0 / (libm::cosh(c / 2.0) * libm::cosh(c / 2.0));
    let white = ratings.white_advantage.expect("it is reported").value / scale;
    let elos: Vec<f64> = (0..3).map(|index| elo(&ratings, index) / scale).collect();
    let draw_elo = c * 400.0 / std::f64::consts::LN_10;
    let explains = |elos: &[f64], white: f64, draw_elo: f64| -> f64 {
        let scores = table.scores.iter();
        scores
            .map(|(&(one, other), score)| {
                let chances = bayes_elo::chances(elos[one] - elos[other] + white, draw_elo);
                score.white_wins * libm::log(chances.win)
                    + score.draws * libm::log(chances.draw)
                    + score.black_wins * libm::log(chances.loss)
            })
            .sum()
    };
    let best = explains(&elos, white, draw_elo);
    for by in [-3.0, 3.0] {
        for index in 0..3 {
            let mut other = elos.clone();
            other[index] += by;
            assert!(
                explains(&other, white, draw_elo) < best,
                "engine {index} by {by}"
            );
        }
        assert!(
            explains(&elos, white + by, draw_elo) < best,
            "White by {by}"
        );
        assert!(
            explains(&elos, white, draw_elo + by) < best,
            "draws by {by}"
        );
    }
    let sum: f64 = (0..3).map(|index| elo(&ratings, index)).sum();
    assert!(sum.abs() < 1e-6, "the mean is 0");
}

#[test]
fn an_engine_that_won_all_is_a_group_by_itself() {
    let others = [games("B", "C", [5, 5, 3]), games("C", "B", [4, 5, 4])].concat();
    let all = [
        games("A", "B", [3, 0, 0]),
        games("C", "A", [0, 0, 4]),
        others.clone(),
    ]
    .concat();
    let (_, ratings) = rated(&all, 0.0);
    let groups: Vec<usize> = ratings.ratings.iter().map(|rating| rating.group).collect();
    assert_eq!(groups, [0, 1, 1]);
    assert_eq!(ratings.ratings[0].elo, None);
    assert_eq!(ratings.los(0, 1), None);
    // Its games contain no information about the others.
    let (_, alone) = rated(&others, 0.0);
    assert!((elo(&ratings, 1) - elo(&alone, 0)).abs() < 1e-9);
    // Virtual draws make its rating finite.
    let (_, ratings) = rated(&all, 2.0);
    assert!(ratings.ratings.iter().all(|rating| rating.group == 0));
    assert!(elo(&ratings, 0) > elo(&ratings, 1));
}

#[test]
fn engines_that_never_met_are_not_compared() {
    let records = [games("A", "B", [3, 3, 2]), games("C", "D", [3, 1, 4])].concat();
    for prior in [0.0, 2.0] {
        let (_, ratings) = rated(&records, prior);
        let groups: Vec<usize> = ratings.ratings.iter().map(|rating| rating.group).collect();
        assert_eq!(groups[0], groups[1]);
        assert_eq!(groups[2], groups[3]);
        assert_ne!(groups[0], groups[2]);
        assert!((elo(&ratings, 0) + elo(&ratings, 1)).abs() < 1e-9);
    }
}

#[test]
fn what_the_games_do_not_tell_has_a_wide_interval() {
    // Always White: is the engine strong, or is White's advantage large?
    let (_, ratings) = rated(&games("A", "B", [60, 20, 20]), 0.0);
    let white = ratings.white_advantage.expect("it is reported");
    assert!(white.error() > 300.0, "{white:?}");
    for results in [[0, 9, 0], [9, 0, 0]] {
        let records = [games("A", "B", results), games("B", "A", results)].concat();
        let (_, ratings) = rated(&records, 0.0);
        let found = ratings.ratings[0].elo.expect("it is rated");
        assert!(found.value.abs() < 1e-6, "{results:?}: {found:?}");
        assert!(found.error().is_finite());
    }
}

#[test]
fn a_single_win_rates_nobody() {
    let (_, ratings) = rated(&games("A", "B", [1, 0, 0]), 0.0);
    assert!(ratings.ratings.iter().all(|rating| rating.elo.is_none()));
    assert_eq!((ratings.white_advantage, ratings.draw_chance), (None, None));
}
