//! Formats statistics of counts, for people here, and as `touchstone/stats/1`.

use std::fmt::Write as _;

use serde::Serialize;

use super::{after_stop, decimals, interval, is_known, percent, test_state};
use crate::stats::games::Match;
use crate::stats::number::twelve_digits;
use crate::stats::spread;
use crate::stats::{
    AfterStop, Counts, Estimate, FastchessStrength, SprtDesign, SprtState, SprtVerdict, Summary,
    UnknownDrawsError, Wdl, elo, fastchess_counts, fastchess_llr,
};

/// Counts and the statistics computed from them.
#[derive(Clone, Debug)]
pub struct StatsReport {
    counts: Counts,
    summary: Option<Summary>,
    verdict: Option<SprtVerdict>,
    /// The overshoot-corrected bounds of the test, if it was played.
    bounds: Option<[f64; 2]>,
    found: Option<Match>,
    unfinished: u64,
}

impl StatsReport {
    /// Statistics of counts, with a test if one is given.
    pub fn new(counts: Counts, design: Option<SprtDesign>) -> Result<Self, UnknownDrawsError> {
        let verdict = design
            .map(|design| SprtVerdict::new(&counts, design))
            .transpose()?;
        Ok(Self {
            counts,
            summary: Summary::from_counts(&counts),
            verdict,
            bounds: None,
            found: None,
            unfinished: 0,
        })
    }

    /// Treats the counts as those of played games, not an example: leaves out values that need a
    /// spread of results if there is none.
    pub fn as_played(mut self) -> Self {
        self.summary = spread::strength(&self.counts);
        if let Some(verdict) = &mut self.verdict {
            verdict.after_stop = spread::after_stop(&self.counts, verdict.after_stop);
        }
        self
    }

    /// Sets the state of the test as it was played, and its bounds.
    pub fn as_tested(mut self, state: SprtState, bounds: [f64; 2]) -> Self {
        if let Some(verdict) = &mut self.verdict {
            verdict.state = state;
            if state == SprtState::Invalid {
                verdict.after_stop = None;
            }
            self.bounds = Some(bounds);
        }
        self
    }

    /// The bounds of the test as played, or Wald's.
    fn bounds(&self) -> Option<[f64; 2]> {
        let design = &self.verdict.as_ref()?.design;
        Some(
            self.bounds
                .unwrap_or([design.lower_bound(), design.upper_bound()]),
        )
    }

    /// Sets the games from which the counts were made.
    pub fn with_games(mut self, found: Option<Match>, unfinished: u64) -> Self {
        self.found = found;
        self.unfinished = unfinished;
        self
    }

    /// Remarks that the numbers do not show.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let cells = self.counts.cells_in_use();
        let samples = self.counts.samples();
        let what = if self.counts.games_per_sample() == 2 {
            "pairs"
        } else {
            "games"
        };
        if self
            .summary
            .as_ref()
            .is_some_and(|known| known.los.is_nan())
        {
            notes.push(spread::unknown(what));
        } else if samples > 0 && cells.contains(&samples) {
            notes.push(format!(
                "all {what} ended alike, so that their spread is not known: the intervals mean little"
            ));
        } else if samples > 0 && cells.contains(&0) {
            notes.push(format!(
                "a kind of result was not seen; it counts as 0.001 {what} for Elo, LOS and LLR"
            ));
        }
        let is_extreme = |summary: &Summary| summary.elo.value.abs() >= elo::MAX_ELO - 1e-6;
        if self.summary.as_ref().is_some_and(is_extreme) {
            notes.push("Elo is reported up to a score of 0.999, which is 1199.83".to_owned());
        }
        let rough = self.verdict.as_ref().zip(self.bounds());
        if let Some((verdict, [low, high])) = rough
            && verdict
                .after_stop
                .as_ref()
                .is_some_and(|after| after.clamped)
        {
            let is_beyond = verdict.llr < 1.1 * low || verdict.llr > 1.1 * high;
            let why = if is_beyond {
                "the games go on after the stop of the test"
            } else {
                "its normal approximation does not fit these counts"
            };
            notes.push(format!("the estimate after the stop is rough: {why}"));
        }
        if let Some(found) = self.found.as_ref().filter(|found| found.unpaired > 0) {
            notes.push(format!("unpaired games left out: {}", found.unpaired));
        }
        if self.unfinished > 0 {
            notes.push(format!("unfinished games left out: {}", self.unfinished));
        }
        notes
    }

    /// The strength that fastchess computes.
    fn fastchess_strength(&self) -> Option<FastchessStrength> {
        let test = self.verdict.as_ref();
        let model = test.map(|test| test.design.hypotheses().model);
        let counts = fastchess_counts(&self.counts, model)?;
        Some(FastchessStrength::from_counts(&counts))
    }

    /// The LLR that fastchess computes; NaN without a test.
    fn fastchess_llr(&self) -> f64 {
        let llr = self
            .verdict
            .as_ref()
            .and_then(|test| fastchess_llr(&self.counts, test.design.hypotheses()));
        llr.unwrap_or(f64::NAN)
    }

    fn after_stop(&self) -> Option<&AfterStop> {
        self.verdict.as_ref()?.after_stop.as_ref()
    }

    pub fn human(&self) -> String {
        let mut text = String::new();
        let mut line = |label: &str, value: String| {
            writeln!(text, "{label:<12} {value}").expect("a string takes all");
        };
        if let Some(found) = &self.found {
            line("match", format!("{} against {}", found.first, found.second));
        }
        if let Counts::Pairs { pairs, .. } = self.counts {
            let found = self.found.as_ref();
            let by = found.map(|found| format!(", found by {}", found.pairing.name()));
            let by = by.unwrap_or_default();
            line("pairs", format!("{} [{}]{by}", pairs.pairs(), pairs));
        }
        let mut games = self.counts.games().to_string();
        if let Some(wdl) = self.counts.wdl() {
            let (wins, draws, losses) = (wdl.wins, wdl.draws, wdl.losses);
            write!(games, ", {wins} won, {draws} drawn, {losses} lost")
                .expect("a string takes all");
        }
        line("games", games);
        if let Some(summary) = &self.summary {
            let [draws, ratio] = match self.counts {
                Counts::Games(_) => ["draws", "won to lost"],
                Counts::Pairs { .. } => ["draw ratio", "pair ratio"],
            };
            let odds = |number| decimals(number, 4);
            let odds = summary.pairs_ratio.as_ref().map(|one| interval(one, odds));
            let rows = [
                ("score", percent(summary.score)),
                ("Elo", plus_minus(&summary.elo)),
                ("nElo", plus_minus(&summary.nelo)),
                ("LOS", percent(summary.los)),
                (draws, interval(&summary.draw_ratio, percent)),
                (ratio, odds.unwrap_or_default()),
            ];
            for (label, value) in rows.into_iter().filter(|(_, value)| is_known(value)) {
                line(label, value);
            }
        }
        if let Some((verdict, bounds)) = self.verdict.as_ref().zip(self.bounds()) {
            test(verdict, bounds, &mut line);
        }
        if let Some(theirs) = self.summary.as_ref().and_then(|ours| {
            let llr = self
                .verdict
                .as_ref()
                .map(|test| [test.llr, self.fastchess_llr()]);
            fastchess_differences(ours, &self.fastchess_strength()?, llr)
        }) {
            line("fastchess", theirs);
        }
        for note in self.notes() {
            line("note", note);
        }
        text
    }
}

fn plus_minus(estimate: &Estimate) -> String {
    if estimate.error().is_nan() {
        return interval(estimate, |number| decimals(number, 2));
    }
    let [value, error] = [estimate.value, estimate.error()].map(|number| decimals(number, 2));
    let [lower, upper] = [estimate.lower, estimate.upper].map(|number| decimals(number, 2));
    format!("{value} ± {error} [{lower}, {upper}]")
}

fn test(verdict: &SprtVerdict, [low, high]: [f64; 2], line: &mut impl FnMut(&str, String)) {
    let design = &verdict.design;
    let hypotheses = design.hypotheses();
    line(
        "SPRT",
        format!(
            "elo0 {}, elo1 {} ({}), alpha {}, beta {}",
            hypotheses.elo0,
            hypotheses.elo1,
            hypotheses.model.name(),
            design.alpha(),
            design.beta(),
        ),
    );
    let [llr, low, high] = [verdict.llr, low, high].map(|x| decimals(x, 3));
    let state = test_state(verdict.state);
    line("LLR", format!("{llr} [{low}, {high}], {state}"));
    if let Some(after) = &verdict.after_stop {
        let elo = interval(&after.elo, |number| decimals(number, 2));
        let los = percent(after.los);
        line(after_stop(verdict.state), format!("Elo {elo}, LOS {los}"));
    }
}

// Formats statistics as `touchstone/stats/1`.

pub const SCHEMA: &str = "touchstone/stats/1";

#[derive(Serialize)]
struct StatsJson<'a> {
    schema: &'static str,
    pentanomial: Option<[u64; 5]>,
    wdl: Option<Wdl>,
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
    /// What fastchess computes from the same counts.
    fastchess: Option<JsonFastchess>,
    pgn: Option<JsonPgn<'a>>,
    notes: Vec<String>,
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
struct JsonFastchess {
    #[serde(flatten)]
    strength: FastchessStrength,
    llr: Option<f64>,
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
        let test = |number: fn(&SprtVerdict) -> f64| verdict.and_then(|v| twelve_digits(number(v)));
        let json = StatsJson {
            schema: SCHEMA,
            pentanomial: match self.counts {
                Counts::Games(_) => None,
                Counts::Pairs { pairs, .. } => Some(pairs.0),
            },
            wdl: self.counts.wdl(),
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
            fastchess: summary
                .and_then(|_| self.fastchess_strength())
                .map(|strength| JsonFastchess {
                    strength,
                    llr: twelve_digits(self.fastchess_llr()),
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

/// `nElo 46.99 ± 39.32, LLR 0.19`: the numbers that differ as printed; `None` if none does. `llr` is
/// ours and that of fastchess.
pub(super) fn fastchess_differences(
    ours: &Summary,
    theirs: &FastchessStrength,
    llr: Option<[f64; 2]>,
) -> Option<String> {
    let two = |number: f64| decimals(number, 2);
    let pair = |value: f64, error: f64| format!("{} ± {}", two(value), two(error));
    let lines = [
        (
            "Elo",
            pair(ours.elo.value, ours.elo.error()),
            pair(theirs.elo, theirs.elo_error),
        ),
        (
            "nElo",
            pair(ours.nelo.value, ours.nelo.error()),
            pair(theirs.nelo, theirs.nelo_error),
        ),
        ("LOS", percent(ours.los), percent(theirs.los)),
    ];
    let llr = llr.map(|[ours, theirs]| ("LLR", decimals(ours, 3), decimals(theirs, 3)));
    let differ = lines.into_iter().chain(llr);
    let differ = differ.filter(|(_, ours, theirs)| ours != theirs);
    let texts: Vec<String> = differ
        .map(|(name, _, theirs)| format!("{name} {theirs}"))
        .collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}
