//! Formats plans for people, and as `touchstone/plan/1`.

use serde::Serialize;

use super::{decimals, percent, table};
use crate::stats::number::twelve_digits;
use crate::stats::{Plan, SprtDesign};

pub const SCHEMA: &str = "touchstone/plan/1";

/// The design of a test, and what it is expected to do or did when simulated.
#[derive(Serialize)]
struct PlanDocument<'a, T> {
    schema: &'static str,
    model: &'a str,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    #[serde(flatten)]
    of_design: &'a T,
}

#[derive(Serialize)]
struct PlansObject<'a> {
    lower_bound: Option<f64>,
    upper_bound: Option<f64>,
    plans: &'a [Plan],
}

pub fn json(design: &SprtDesign, plans: &[Plan]) -> String {
    let plans = PlansObject {
        lower_bound: twelve_digits(design.lower_bound()),
        upper_bound: twelve_digits(design.upper_bound()),
        plans,
    };
    document(design, &plans)
}

/// Formats the document of a design, with further fields, as one JSON object.
pub(super) fn document(design: &SprtDesign, of_design: &impl Serialize) -> String {
    let hypotheses = design.hypotheses();
    let json = PlanDocument {
        schema: SCHEMA,
        model: hypotheses.model.name(),
        elo0: hypotheses.elo0,
        elo1: hypotheses.elo1,
        alpha: design.alpha(),
        beta: design.beta(),
        of_design,
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
    table(&head, 1.., rows)
}
