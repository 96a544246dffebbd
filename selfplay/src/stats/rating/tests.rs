//! Ratings against closed forms, against the points scored, and where they are undetermined.

use super::{Ratings, Table, rate};
use crate::model::GameResult;
use crate::stats::games::FinishedGame;

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
fn two_engines_have_the_elo_of_their_score() {
    for wdl in [
        [30, 0, 10],
        [50, 50, 0],
        [40, 55, 5],
        [400, 550, 50],
        [10, 180, 10],
    ] {
        let [wins, draws, losses] = wdl;
        let records = [games("A", "B", wdl), games("B", "A", [losses, draws, wins])].concat();
        let (_, ratings) = rated(&records, 0.0);
        let [wins, draws, losses] = wdl.map(|games| f64::from(u32::try_from(games).expect("few")));
        let games = wins + draws + losses;
        let score = (wins + draws / 2.0) / games;
        let difference = elo(&ratings, 0) - elo(&ratings, 1);
        let expected = 400.0 * libm::log10(score / (1.0 - score));
        assert!(
            (difference - expected).abs() < 1e-6,
            "{wdl:?}: {difference}"
        );
        let white = ratings.white_advantage.expect("it is reported");
        assert!(white.value.abs() < 1e-6);
        // The deviation of the mean of 2 n games divided by the slope, and of each rating, half.
        let variance = (wins + draws / 4.0) / games - score * score;
        let error =
            1.96 * 173.7178 * libm::sqrt(variance / (2.0 * games)) / (score * (1.0 - score)) / 2.0;
        let found = ratings.ratings[0].elo.expect("it is rated").error();
        assert!(
            (found / error - 1.0).abs() < 1e-3,
            "{wdl:?}: {found}, expected {error}"
        );
    }
}

#[test]
fn every_engine_expects_the_points_that_it_has() {
    let records = [
        games("A", "B", [5, 3, 2]),
        games("B", "C", [4, 4, 1]),
        games("C", "A", [2, 5, 3]),
        games("B", "A", [1, 2, 3]),
    ]
    .concat();
    let (table, ratings) = rated(&records, 0.0);
    let logistic = |elo: f64| 1.0 / (1.0 + libm::pow(10.0, -elo / 400.0));
    let white = ratings.white_advantage.expect("it is reported").value;
    let mut missing = [0.0; 3];
    let mut missing_of_white = 0.0;
    for (&(one, other), score) in &table.scores {
        let games = score.white_wins + score.draws + score.black_wins;
        let points = score.white_wins + score.draws / 2.0;
        let difference = elo(&ratings, one) - elo(&ratings, other);
        missing[one] += games * logistic(difference) - points;
        missing[other] -= games * logistic(difference) - points;
        missing_of_white += games * logistic(difference + white) - points;
    }
    for points in missing.into_iter().chain([missing_of_white]) {
        assert!(points.abs() < 1e-6, "{missing:?}, {missing_of_white}");
    }
    let sum: f64 = (0..3).map(|index| elo(&ratings, index)).sum();
    assert!(sum.abs() < 1e-6, "the mean is 0");
}

#[test]
fn draws_are_fewer_where_engines_are_unequal() {
    // Equal engines draw 60 of 100; at a score of 0.75, `d` of `d^2 = 9 w l`, where `w = 0.75 - d/2`
    // and `l = 0.25 - d/2`, is the answer.
    let probability = super::draw_probability(0.75, 0.6);
    let [win, loss] = [0.75, 0.25].map(|score| score - probability / 2.0);
    assert!((probability * probability - 9.0 * win * loss).abs() < 1e-12);
    for (score, equal, expected) in [
        (0.5, 0.6, 0.6),
        (0.75, 0.0, 0.0),
        (0.75, 1.0, 0.5),
        (1.0, 0.0, 0.0),
    ] {
        let found = super::draw_probability(score, equal);
        assert!(
            (found - expected).abs() < 1e-12,
            "{score}, {equal}: {found}"
        );
    }
    let records = [games("A", "B", [10, 30, 10]), games("B", "A", [5, 40, 5])].concat();
    let (_, ratings) = rated(&records, 0.0);
    let chance = ratings.draw_chance.expect("it is reported");
    assert!((chance - 0.7).abs() < 1e-9, "{chance}");
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
fn what_the_games_do_not_determine_is_not_reported() {
    // All games drawn, and all games won by White.
    for (results, white) in [([0, 9, 0], Some(0.0)), ([9, 0, 0], None)] {
        let records = [games("A", "B", results), games("B", "A", results)].concat();
        let (_, ratings) = rated(&records, 0.0);
        let found = ratings.ratings[0].elo.expect("it is rated");
        assert!(found.value.abs() < 1e-6, "{results:?}: {found:?}");
        assert!(found.error().is_finite());
        assert_eq!(ratings.white_advantage.map(|elo| elo.value), white);
    }
}

#[test]
fn a_single_win_rates_nobody() {
    let (_, ratings) = rated(&games("A", "B", [1, 0, 0]), 0.0);
    assert!(ratings.ratings.iter().all(|rating| rating.elo.is_none()));
    assert_eq!((ratings.white_advantage, ratings.draw_chance), (None, None));
}
