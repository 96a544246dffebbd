//! Formats statistics of counts, for people here, and as `touchstone/stats/1`.

mod json;

use std::fmt::Write as _;

use super::{decimals, interval, percent, spread};
use crate::games::Match;
use crate::stats::{
    AfterStop, Counts, Estimate, SprtDesign, SprtState, Summary, UnknownDrawsError, Verdict, elo,
};

pub use json::SCHEMA;

/// Counts and the statistics computed from them.
#[derive(Clone, Debug)]
pub struct StatsReport {
    counts: Counts,
    summary: Option<Summary>,
    verdict: Option<Verdict>,
    /// The overshoot-corrected bounds of the test, if it was played.
    bounds: Option<[f64; 2]>,
    found: Option<Match>,
    unfinished: u64,
}

impl StatsReport {
    /// Statistics of counts, with a test if one is given.
    ///
    /// # Errors
    ///
    /// When the model is `BayesElo` and the results of single games are unknown.
    pub fn new(counts: Counts, design: Option<SprtDesign>) -> Result<Self, UnknownDrawsError> {
        let verdict = design
            .map(|design| Verdict::of(&counts, design))
            .transpose()?;
        Ok(Self {
            counts,
            summary: Summary::of(&counts),
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
        if samples > 0 && cells.contains(&samples) {
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
            notes.push("Elo is told up to a score of 0.999, which is 1199.83".to_owned());
        }
        if self.after_stop().is_some_and(|after| after.clamped) {
            notes.push(
                "the estimate after the stop is rough: by the random walk that it rests on, the test would have stopped long before"
                    .to_owned(),
            );
        }
        if let Some(found) = self.found.as_ref().filter(|found| found.unpaired > 0) {
            notes.push(format!(
                "games left out for want of a partner: {}",
                found.unpaired
            ));
        }
        if self.unfinished > 0 {
            notes.push(format!(
                "games left out for want of a result: {}",
                self.unfinished
            ));
        }
        notes
    }

    fn after_stop(&self) -> Option<&AfterStop> {
        self.verdict.as_ref()?.after_stop.as_ref()
    }

    /// Formats the statistics for people.
    pub fn human(&self) -> String {
        let mut text = String::new();
        let mut line = |label: &str, value: String| {
            writeln!(text, "{label:<12} {value}").expect("a string takes all");
        };
        if let Some(found) = &self.found {
            line("match", format!("{} against {}", found.first, found.second));
        }
        match self.counts {
            Counts::Games(_) => {}
            Counts::Pairs { pairs, .. } => {
                let by = self
                    .found
                    .as_ref()
                    .map(|found| format!(", found by {}", found.pairing.name()));
                let by = by.unwrap_or_default();
                line("pairs", format!("{} [{}]{by}", pairs.pairs(), pairs));
            }
        }
        let wdl = self.counts.wdl().map(|wdl| {
            format!(
                ", {} won, {} drawn, {} lost",
                wdl.wins, wdl.draws, wdl.losses
            )
        });
        line(
            "games",
            format!("{}{}", self.counts.games(), wdl.unwrap_or_default()),
        );
        if let Some(summary) = &self.summary {
            self.strength(summary, &mut line);
        }
        if let Some((verdict, bounds)) = self.verdict.as_ref().zip(self.bounds()) {
            test(verdict, bounds, &mut line);
        }
        for note in self.notes() {
            line("note", note);
        }
        text
    }

    fn strength(&self, summary: &Summary, line: &mut impl FnMut(&str, String)) {
        line("score", percent(summary.score));
        line("Elo", plus_minus(&summary.elo));
        line("nElo", plus_minus(&summary.nelo));
        line("LOS", percent(summary.los));
        let DrawWords { draws, ratio } = self.draw_words();
        line(draws, interval(&summary.draw_ratio, percent));
        if let Some(odds) = &summary.pairs_ratio {
            line(ratio, interval(odds, |number| decimals(number, 4)));
        }
    }

    const fn draw_words(&self) -> DrawWords {
        match self.counts {
            Counts::Games(_) => DrawWords {
                draws: "draws",
                ratio: "won to lost",
            },
            Counts::Pairs { .. } => DrawWords {
                draws: "even pairs",
                ratio: "pairs ratio",
            },
        }
    }
}

struct DrawWords {
    draws: &'static str,
    ratio: &'static str,
}

fn plus_minus(estimate: &Estimate) -> String {
    if estimate.error().is_nan() {
        return interval(estimate, |number| decimals(number, 2));
    }
    let [value, error] = [estimate.value, estimate.error()].map(|number| decimals(number, 2));
    let [lower, upper] = [estimate.lower, estimate.upper].map(|number| decimals(number, 2));
    format!("{value} ± {error} [{lower}, {upper}]")
}

fn test(verdict: &Verdict, [low, high]: [f64; 2], line: &mut impl FnMut(&str, String)) {
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
    let state = match verdict.state {
        SprtState::Running => "not decided",
        SprtState::AcceptedH0 => "H0 accepted",
        SprtState::AcceptedH1 => "H1 accepted",
        SprtState::Invalid => "invalid",
    };
    line("LLR", format!("{llr} [{low}, {high}], {state}"));
    if let Some(after) = &verdict.after_stop {
        let elo = interval(&after.elo, |number| decimals(number, 2));
        let words = match verdict.state {
            SprtState::Running => "if stopped",
            _ => "after stop",
        };
        line(words, format!("Elo {elo}, LOS {}", percent(after.los)));
    }
}
