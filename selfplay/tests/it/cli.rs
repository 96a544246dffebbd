//! The program as its users see it: standard output, standard error and exit code.

use std::path::Path;

/// Exit code, standard output and standard error of a run in the folder of test data.
fn selfplay(arguments: &[&str]) -> String {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    crate::common::selfplay(&data, arguments).to_text()
}

/// Compares with stored snapshots, each behind its name; the arguments are separated by blanks.
macro_rules! check {
    ($($name:literal: $arguments:literal;)+) => { $(
        let arguments: Vec<&str> = $arguments.split_whitespace().collect();
        insta::assert_snapshot!($name, selfplay(&arguments));
    )+ };
}

#[test]
fn usage() {
    check! {
        "no_command": "";
        "stats_nothing": "stats";
        "stats_four_counts": "stats 1,2,3,4";
        "stats_no_count": "stats 1,x,3";
        "stats_one_bound": "stats 1,2,3 --elo0 0";
        "stats_bounds_swapped": "stats 1,2,3 --elo0 5 --elo1 0";
        "stats_bad_alpha": "stats 1,2,3 --elo0 0 --elo1 5 --alpha 0";
        "plan_no_bounds": "plan";
        "plan_bad_draw_ratio": "plan --elo0 0 --elo1 5 --draw-ratio 1";
        "plan_too_many_draws": "plan --elo0 0 --elo1 5 --draw-ratio 0.99";
        "plan_bayesian": "plan --elo0 0 --elo1 5 --model bayesian";
        "simulate_no_tests": "plan --elo0 0 --elo1 5 --simulate 0";
        "rate_nothing": "rate";
        "rate_bad_prior": "rate tournament.pgn --prior=-1";
    }
}

#[test]
fn stats() {
    check! {
        "stats_pairs": "stats 1187,7410,13475,7378,1164";
        "stats_pairs_sprt": "stats 1187,7410,13475,7378,1164 --elo0 -3 --elo1 1";
        "stats_pairs_json": "stats 39,2226,31451,2412,40 --elo0 0.764 --elo1 3.439 \
            --model normalized --format json";
        "stats_games_sprt": "stats 716,2163,591 --elo0 0 --elo1 5 --alpha 0.1";
        "stats_games_bayesian_json": "stats 716,2163,591 --elo0 0 --elo1 6 --model bayesian \
            --format json";
        "stats_pairs_bayesian": "stats 1,2,3,2,1 5,8,5 --elo0 0 --elo1 6 \
            --model bayesian";
    }
}

#[test]
fn stats_where_formulas_have_no_answer() {
    check! {
        "stats_all_won": "stats 10,0,0 --elo0 0 --elo1 5 --format json";
        "stats_all_lost": "stats 9,0,0,0,0 --elo0 0 --elo1 5";
        "stats_all_even": "stats 0,0,9,0,0 --elo0 0 --elo1 5";
        "stats_no_games": "stats 0,0,0 --elo0 0 --elo1 5 --format json";
        "stats_unknown_draws": "stats 1,2,3,2,1 --elo0 0 --elo1 6 --model bayesian";
        "stats_impossible_pairs": "stats 1,2,3,2,1 5,7,6";
    }
}

#[test]
fn stats_of_games() {
    check! {
        "pgn_rounds": "stats rounds.pgn --elo0 0 --elo1 5";
        "pgn_rounds_json": "stats rounds.pgn --player base --format json";
        "pgn_openings": "stats openings.pgn";
        "pgn_broken": "stats broken.pgn";
        "pgn_skip_bad": "stats broken.pgn --skip-bad";
        "pgn_many": "stats tournament.pgn";
        "pgn_unfinished": "stats unfinished.pgn";
        "pgn_no_player": "stats rounds.pgn --player other";
        "pgn_missing": "stats missing.pgn";
    }
}

#[test]
fn plan() {
    check! {
        "plan": "plan --elo0 0 --elo1 5";
        "plan_json": "plan --elo0 -1.75 --elo1 0.25 --model normalized --like 17,1344,4100,1485,21 \
            --elo=-1.75,0 --format json";
    }
}

#[test]
fn simulate() {
    check! {
        "simulate": "plan --elo0 0 --elo1 50 --simulate 200";
        "simulate_json": "plan --elo0 0 --elo1 50 --simulate 100 --elo 25 --format json";
    }
}

#[test]
fn rate() {
    check! {
        "rate": "rate tournament.pgn";
        "rate_csv": "rate tournament.pgn --format csv";
        "rate_json": "rate tournament.pgn rounds.pgn --format json";
        "rate_groups": "rate groups.pgn";
        "rate_prior": "rate groups.pgn --prior 2";
        "rate_unfinished": "rate unfinished.pgn";
        "rate_broken": "rate broken.pgn";
    }
}
