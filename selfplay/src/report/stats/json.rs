//! Formats statistics as `touchstone/stats/1`.

use serde::Serialize;

use super::StatsReport;
use crate::digits::twelve_digits;
use crate::stats::{Counts, Estimate, Summary, Verdict, Wdl};

/// The schema of the JSON.
pub const SCHEMA: &str = "touchstone/stats/1";

#[derive(Serialize)]
struct Json<'a> {
    schema: &'static str,
    pentanomial: Option<[u64; 5]>,
    wdl: Option<JsonWdl>,
    games: u64,
    pairs: Option<u64>,
    score: Option<f64>,
    elo: Option<f64>,
    elo_error: Option<f64>,
    elo_lower: Option<f64>,
    elo_upper: Option<f64>,
    nelo: Option<f64>,
    nelo_error: Option<f64>,
    nelo_lower: Option<f64>,
    nelo_upper: Option<f64>,
    los: Option<f64>,
    draw_ratio: Option<f64>,
    draw_ratio_lower: Option<f64>,
    draw_ratio_upper: Option<f64>,
    pairs_ratio: Option<f64>,
    pairs_ratio_lower: Option<f64>,
    pairs_ratio_upper: Option<f64>,
    model: Option<&'static str>,
    elo0: Option<f64>,
    elo1: Option<f64>,
    alpha: Option<f64>,
    beta: Option<f64>,
    llr: Option<f64>,
    llr_bayeselo: Option<f64>,
    lower_bound: Option<f64>,
    upper_bound: Option<f64>,
    verdict: Option<&'static str>,
    post_stop: Option<JsonAfterStop>,
    pgn: Option<JsonPgn<'a>>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct JsonWdl {
    wins: u64,
    draws: u64,
    losses: u64,
}

#[derive(Serialize)]
struct JsonAfterStop {
    elo: Option<f64>,
    elo_lower: Option<f64>,
    elo_upper: Option<f64>,
    los: Option<f64>,
    clamped: bool,
}

#[derive(Serialize)]
struct JsonPgn<'a> {
    first: &'a str,
    second: &'a str,
    pairing: &'static str,
    unpaired: u64,
    unfinished: u64,
}

impl StatsReport {
    /// Formats the statistics as one JSON object.
    pub fn json(&self) -> String {
        let summary = self.summary.as_ref();
        let of = |number: fn(&Summary) -> f64| summary.and_then(|s| twelve_digits(number(s)));
        let odds = summary.and_then(|summary| summary.pairs_ratio);
        let odd = |number: fn(&Estimate) -> f64| odds.and_then(|odds| twelve_digits(number(&odds)));
        let verdict = self.verdict.as_ref();
        let bounds = self.bounds();
        let test = |number: fn(&Verdict) -> f64| verdict.and_then(|v| twelve_digits(number(v)));
        let json = Json {
            schema: SCHEMA,
            pentanomial: match self.counts {
                Counts::Games(_) => None,
                Counts::Pairs { pairs, .. } => Some(pairs.0),
            },
            wdl: self.counts.wdl().map(
                |Wdl {
                     wins,
                     draws,
                     losses,
                 }| JsonWdl {
                    wins,
                    draws,
                    losses,
                },
            ),
            games: self.counts.games(),
            pairs: (self.counts.games_per_sample() == 2).then(|| self.counts.samples()),
            score: of(|s| s.score),
            elo: of(|s| s.elo.value),
            elo_error: of(|s| s.elo.error()),
            elo_lower: of(|s| s.elo.lower),
            elo_upper: of(|s| s.elo.upper),
            nelo: of(|s| s.nelo.value),
            nelo_error: of(|s| s.nelo.error()),
            nelo_lower: of(|s| s.nelo.lower),
            nelo_upper: of(|s| s.nelo.upper),
            los: of(|s| s.los),
            draw_ratio: of(|s| s.draw_ratio.value),
            draw_ratio_lower: of(|s| s.draw_ratio.lower),
            draw_ratio_upper: of(|s| s.draw_ratio.upper),
            pairs_ratio: odd(|o| o.value),
            pairs_ratio_lower: odd(|o| o.lower),
            pairs_ratio_upper: odd(|o| o.upper),
            model: verdict.map(|v| v.design.hypotheses().model.name()),
            elo0: test(|v| v.design.hypotheses().elo0),
            elo1: test(|v| v.design.hypotheses().elo1),
            alpha: test(|v| v.design.alpha()),
            beta: test(|v| v.design.beta()),
            llr: test(|v| v.llr),
            llr_bayeselo: verdict.and_then(|v| v.llr_bayeselo).and_then(twelve_digits),
            lower_bound: bounds.and_then(|[lower, _]| twelve_digits(lower)),
            upper_bound: bounds.and_then(|[_, upper]| twelve_digits(upper)),
            verdict: verdict.map(|v| v.state.name()),
            post_stop: self.after_stop().map(|after| JsonAfterStop {
                elo: twelve_digits(after.elo.value),
                elo_lower: twelve_digits(after.elo.lower),
                elo_upper: twelve_digits(after.elo.upper),
                los: twelve_digits(after.los),
                clamped: after.clamped,
            }),
            pgn: self.found.as_ref().map(|found| JsonPgn {
                first: &found.first,
                second: &found.second,
                pairing: found.pairing.name(),
                unpaired: found.unpaired,
                unfinished: self.unfinished,
            }),
            notes: self.notes(),
        };
        serde_json::to_string_pretty(&json).expect("numbers and texts") + "\n"
    }
}
