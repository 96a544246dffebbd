//! Formats plans for people, and as `touchstone/plan/1`.

use serde::Serialize;

use super::{decimals, percent, table};
use crate::stats::number::twelve_digits;
use crate::stats::{Plan, SprtDesign};

pub const SCHEMA: &str = "touchstone/plan/1";

#[derive(Serialize)]
struct Json<'a> {
    schema: &'static str,
    model: &'a str,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    lower_bound: Option<f64>,
    upper_bound: Option<f64>,
    plans: Vec<JsonPlan>,
}

#[derive(Serialize)]
struct JsonPlan {
    elo: Option<f64>,
    logistic_elo: Option<f64>,
    pass: Option<f64>,
    games: Option<f64>,
    games_if_pass: Option<f64>,
    games_if_fail: Option<f64>,
    games_median: Option<f64>,
    games_95: Option<f64>,
}

pub fn json(design: &SprtDesign, plans: &[Plan]) -> String {
    let json = Json {
        schema: SCHEMA,
        model: design.hypotheses().model.name(),
        elo0: design.hypotheses().elo0,
        elo1: design.hypotheses().elo1,
        alpha: design.alpha(),
        beta: design.beta(),
        lower_bound: twelve_digits(design.lower_bound()),
        upper_bound: twelve_digits(design.upper_bound()),
        plans: plans
            .iter()
            .map(|plan| JsonPlan {
                elo: twelve_digits(plan.elo),
                logistic_elo: twelve_digits(plan.logistic_elo),
                pass: twelve_digits(plan.pass),
                games: twelve_digits(plan.games),
                games_if_pass: twelve_digits(plan.games_if_pass),
                games_if_fail: twelve_digits(plan.games_if_fail),
                games_median: twelve_digits(plan.median),
                games_95: twelve_digits(plan.most),
            })
            .collect(),
    };
    serde_json::to_string_pretty(&json).expect("numbers and texts") + "\n"
}

/// Formats plans as a table for people.
pub fn human(plans: &[Plan]) -> String {
    let head = [
        "elo", "logistic", "pass", "games", "if pass", "if fail", "median", "95%",
    ];
    let rows = plans.iter().map(|plan| {
        let lengths = [
            plan.games,
            plan.games_if_pass,
            plan.games_if_fail,
            plan.median,
            plan.most,
        ];
        let words = [
            decimals(plan.elo, 2),
            decimals(plan.logistic_elo, 2),
            percent(plan.pass),
        ];
        words
            .into_iter()
            .chain(lengths.map(|games| decimals(games, 0)))
            .collect()
    });
    table(&head, rows)
}
