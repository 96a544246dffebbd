//! Wording and number formats shared by several formats.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kit::page::Tone;

use super::{CoupleSummary, RunReport, TestResult};
use crate::model::time_control::write_clock;
use crate::model::{
    Adjudication, BookOrder, EngineConfig, EngineId, EngineIndex, FaultKind, Limits, OpeningSource,
    Termination, TournamentFormat,
};
use crate::play::schedule::{champion, stages};
use crate::report::{
    DASH, FEWEST_GAMES, after_stop, count, decimals, elo_interval, is_known, percent, quarters,
    rate as three_figures, stats::fastchess_differences, test_state,
};
use crate::stats::{
    EloModel, FastchessStrength, SprtState, Wdl, duplicates, fastchess_counts, fastchess_llr,
    spread,
};

/// The result of a run in a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Headline {
    pub(super) text: String,
    pub(super) tone: Tone,
}

impl Headline {
    const fn new(tone: Tone, text: String) -> Self {
        Self { text, tone }
    }
}

impl RunReport<'_> {
    pub(super) fn headline(&self) -> Headline {
        let summary = self.summary;
        if summary.result.games == 0 {
            return Headline::new(Tone::Open, "No games yet".to_owned());
        }
        if summary.result.is_void() {
            let games = count(summary.result.games, "game");
            let text = format!("Nothing was compared: an engine failed in all {games}");
            return Headline::new(Tone::Bad, text);
        }
        match (summary.only_couple(), &summary.result.test) {
            (Some(couple), Some(test)) => self.tested(couple, test),
            (Some(couple), None) => self.scored(couple),
            (None, _) => self.leading(),
        }
    }

    fn tested(&self, couple: &CoupleSummary, test: &TestResult) -> Headline {
        let [first, second] = self.names(couple);
        let pairs = count(test.pairs, "pair");
        let (llr, bounds) = (decimals(test.llr, 2), bounds(test));
        let elos = test.design.hypotheses();
        let unit = unit(elos.model);
        let (elo0, elo1) = (elos.elo0, elos.elo1);
        let (tone, text) = match test.state {
            SprtState::AcceptedH1 if elo0 >= 0.0 => (
                Tone::Good,
                format!("H1 accepted after {pairs}: {first} is stronger than {second} (LLR {llr})"),
            ),
            SprtState::AcceptedH1 => (
                Tone::Good,
                format!(
                    "H1 accepted after {pairs}: {first} is above {elo0} {unit} against {second} (LLR {llr})"
                ),
            ),
            SprtState::AcceptedH0 => (
                Tone::Bad,
                format!(
                    "H0 accepted after {pairs}: no gain of {elo1} {unit} shown by {first} against {second} (LLR {llr})"
                ),
            ),
            SprtState::Invalid => (
                Tone::Bad,
                format!("The test is invalid after {pairs} of {first} against {second}"),
            ),
            SprtState::Running => (
                Tone::Open,
                format!(
                    "Not decided after {pairs} of {first} against {second}: LLR {llr} within {bounds}"
                ),
            ),
        };
        Headline::new(tone, text)
    }

    fn scored(&self, couple: &CoupleSummary) -> Headline {
        let [first, second] = self.names(couple);
        let Some(strength) = &couple.strength else {
            let text = format!("No complete pair yet of {first} against {second}");
            return Headline::new(Tone::Open, text);
        };
        let elo = &strength.elo;
        let tone = if elo.lower > 0.0 {
            Tone::Good
        } else if elo.upper < 0.0 {
            Tone::Bad
        } else {
            Tone::Open
        };
        let (score, elo) = (percent(strength.score), elo_interval(elo, 1));
        let mut text = format!("{first} scores {score} against {second}");
        if is_known(&elo) {
            write!(text, ": Elo {elo}").expect("a string takes all");
        }
        Headline::new(tone, text)
    }

    fn leading(&self) -> Headline {
        if self.config.format == TournamentFormat::Knockout {
            return Headline::new(Tone::Open, self.in_the_knockout());
        }
        let table = self.summary.result.standings.table();
        let leaders = table.iter().filter(|row| row.rank == 1);
        let names: Vec<&str> = leaders.map(|row| self.name(row.engine)).collect();
        let points = quarters(table.first().map_or(0, |row| 2 * row.half_points)).to_string();
        let verb = match (self.summary.result.is_complete, names.len()) {
            (true, 1) => "wins",
            (true, _) => "share the first place",
            (false, 1) => "leads",
            (false, _) => "lead",
        };
        let unit = if points == "1" { "point" } else { "points" };
        let text = format!("{} {verb} with {points} {unit}", names.join(", "));
        Headline::new(Tone::Open, text)
    }

    /// The winner of a knockout, or who may still win it: points decide nothing.
    fn in_the_knockout(&self) -> String {
        let (engines, all) = (self.config.engines.len(), &self.summary.result.standings);
        let is_over = self.summary.result.is_complete;
        if let Some(winner) = champion(engines, all, is_over) {
            return format!("{} wins the knockout", self.name(winner));
        }
        let stages = stages(engines, all, is_over);
        let seats = stages.iter().next_back().into_iter().flatten();
        let left = seats.flat_map(|meeting| meeting.seats).flatten();
        let left: Vec<&str> = left.map(|engine| self.name(engine)).collect();
        format!("Still in the knockout: {}", left.join(", "))
    }

    pub(super) fn names(&self, couple: &CoupleSummary) -> [&str; 2] {
        [couple.couple.first, couple.couple.second].map(|engine| self.name(engine))
    }

    /// Format, engines, time, openings: the conditions of the run.
    pub(super) fn subtitle(&self) -> String {
        let config = self.config;
        let format = format_name(config.format);
        let mut limits: Vec<String> = config
            .engines
            .iter()
            .map(|one| limits(&one.limits))
            .collect();
        limits.dedup();
        let limits = if limits.len() > 3 {
            "different limits".to_owned()
        } else {
            limits.join(" against ")
        };
        format!("{format}, {limits}, {}", config.openings.name())
    }

    /// `640 of 2000 games, 53.2 a minute`.
    pub(super) fn progress(&self) -> String {
        let summary = self.summary;
        let mut text = match summary.result.scheduled {
            _ if self.config.is_unlimited() => {
                format!("{}, no limit", count(summary.result.games, "game"))
            }
            Some(all) if all != summary.result.games => {
                format!("{} of {}", summary.result.games, count(all, "game"))
            }
            _ => count(summary.result.games, "game"),
        };
        let couples = summary.couples.iter();
        let incomplete: u64 = couples.map(CoupleSummary::in_incomplete_pairs).sum();
        if incomplete > 0 {
            write!(text, ", {incomplete} in incomplete pairs").expect("a string takes all");
        }
        if let Some(rate) = summary.pace.games_per_minute {
            write!(text, ", {} a minute", three_figures(rate)).expect("a string takes all");
        }
        text
    }

    /// Whether the run is running, and how to resume it.
    pub(super) fn state_line(&self) -> String {
        let Some(place) = self.place else {
            return if self.summary.result.is_complete {
                "done"
            } else {
                "not complete"
            }
            .to_owned();
        };
        match (self.summary.result.is_complete, place.is_running) {
            (_, true) => "running".to_owned(),
            (true, false) => "done".to_owned(),
            (false, false) => {
                let directory = uci::quote_word(place.directory);
                format!("interrupted; resume with: selfplay resume {directory}")
            }
        }
    }

    /// `about 12 minutes left`, if the number of games is known.
    pub(super) fn time_left(&self) -> Option<String> {
        let summary = self.summary;
        if summary.result.test.is_some() || summary.result.games < FEWEST_GAMES {
            return None;
        }
        let games = summary
            .result
            .scheduled?
            .checked_sub(summary.result.games)
            .filter(|&games| games > 0)?;
        let each_ms = summary.pace.busy_ms.checked_div(summary.result.games)?;
        let seconds = games.saturating_mul(each_ms).div_ceil(1000);
        let left = match seconds {
            0..60 => count(seconds, "second"),
            60..5400 => count(seconds.div_ceil(60), "minute"),
            _ => count(seconds.div_ceil(3600), "hour"),
        };
        Some(format!("about {left} left"))
    }

    /// Remarks that the numbers do not show.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self.copies().into_iter().collect();
        let couples = self.summary.couples.iter();
        let beyond: u64 = couples.map(CoupleSummary::beyond_the_test).sum();
        if beyond > 0 {
            notes.push(format!(
                "{} not counted for strength, being after a pair that is not complete or after the \
                 stop of the test",
                count(beyond, "game")
            ));
        }
        let lacks_spread = |couple: &CoupleSummary| {
            couple.strength.is_some() && !spread::is_known(&couple.counted.counts())
        };
        if self.summary.couples.iter().any(lacks_spread) {
            let are_pairs = self.config.pairing.is_paired();
            notes.push(spread::unknown(if are_pairs { "pairs" } else { "games" }));
        }
        notes.extend(self.as_in_fastchess());
        let quarantined = self.summary.result.quarantined.iter();
        notes.extend(
            quarantined.map(|one| format!("quarantined: {}", crate::report::quarantine(one))),
        );
        let faults = &self.summary.faults;
        if self.summary.result.games_lost_by_faults() > faults.len() as u64 {
            notes.push(format!(
                "of the faults the first {} are listed",
                faults.len()
            ));
        }
        notes
    }

    /// Strength of two engines as fastchess computes it, where that is not what is printed here.
    fn as_in_fastchess(&self) -> Option<String> {
        let couple = self.summary.only_couple()?;
        let (ours, counts) = (couple.strength.as_ref()?, couple.counted.counts());
        let llr = self.summary.result.test.as_ref().and_then(|test| {
            let theirs = fastchess_llr(&counts, test.design.hypotheses())?;
            Some([test.llr, theirs])
        });
        let theirs = fastchess_differences(ours, &self.fastchess_strength(couple)?, llr)?;
        Some(format!("fastchess computes {theirs}"))
    }

    /// Strength of the first of two engines as fastchess computes it.
    pub(super) fn fastchess_strength(&self, couple: &CoupleSummary) -> Option<FastchessStrength> {
        let test = self.summary.result.test.as_ref();
        let model = test.map(|test| test.design.hypotheses().model);
        let counts = fastchess_counts(&couple.counted.counts(), model)?;
        (counts.games() > 0).then(|| FastchessStrength::from_counts(&counts))
    }

    pub(super) fn copies(&self) -> Option<String> {
        match &self.summary.result.test {
            // A test evaluates pairs, so the two games of a pair may be identical.
            Some(test) => test.invalid.as_ref().map(|why| format!("invalid: {why}")),
            None => duplicates::warning(self.summary.result.distinct, self.summary.result.games),
        }
    }

    /// How games ended, with faults by kind: names and numbers of games.
    pub(super) fn endings(&self) -> Vec<(String, u64)> {
        let mut endings = Vec::new();
        for (&one, &games) in &self.summary.result.terminations {
            if one != Termination::Fault {
                endings.push((one.as_str().to_owned(), games));
            }
        }
        for kind in FaultKind::ALL {
            let counts = self.summary.result.faults.iter();
            let games = counts.filter(|((_, one), _)| *one == kind);
            let games: u64 = games.map(|(_, games)| games).sum();
            if games > 0 {
                endings.push((format!("fault: {}", kind.as_str()), games));
            }
        }
        endings
    }

    /// Excess of an engine over its clock within the time margin; a dash if it has lost on time.
    pub(super) fn overstep(&self, engine: EngineIndex) -> String {
        let forfeits = (engine, FaultKind::TimeForfeit);
        match self
            .summary
            .result
            .faults
            .get(&forfeits)
            .copied()
            .unwrap_or(0)
        {
            0 => maybe(self.summary.engines[engine.0].time.overstep_ms, 1),
            lost => format!("{DASH} (lost on time: {lost})"),
        }
    }
}

/// What an engine has said of itself: `X 1.0 by A. Author`; several, if it was changed.
pub(super) fn ids(ids: &[EngineId]) -> String {
    let texts = ids.iter().map(|id| match (&id.name, &id.author) {
        (Some(name), Some(author)) => format!("{name} by {author}"),
        (Some(one), None) => one.clone(),
        (None, Some(author)) => format!("by {author}"),
        (None, None) => DASH.to_owned(),
    });
    match texts.collect::<Vec<_>>() {
        texts if texts.is_empty() => DASH.to_owned(),
        texts => texts.join(", then "),
    }
}

/// Faults or incidents of one engine: `crash 2, time-forfeit 1`.
pub(super) fn by_name(
    faults: &BTreeMap<(EngineIndex, FaultKind), u64>,
    engine: EngineIndex,
) -> String {
    let own = faults.iter().filter(|((one, _), _)| *one == engine);
    let words = own.map(|((_, kind), count)| format!("{} {count}", kind.as_str()));
    words.collect::<Vec<_>>().join(", ")
}

pub(super) const fn unit(model: EloModel) -> &'static str {
    match model {
        EloModel::Logistic => "Elo",
        EloModel::Normalized => "nElo",
        EloModel::Bayesian => "BayesElo",
    }
}

/// Replaces characters that move the cursor or change colours: names and details of faults are
/// untrusted.
pub(super) fn printable(text: &str) -> String {
    let is_hidden = |one: char| one.is_control() && one != '\n';
    text.replace(is_hidden, "\u{fffd}")
}

/// Points scored of the points possible; a dash without games.
pub(super) fn score(games: Wdl) -> String {
    if games.games() == 0 {
        return DASH.to_owned();
    }
    percent(games.score())
}

pub(super) fn maybe(number: Option<f64>, places: usize) -> String {
    number.map_or_else(|| DASH.to_owned(), |number| decimals(number, places))
}

/// Bounds at which a test stops: `[-2.94, 2.94]`.
pub(super) fn bounds(test: &TestResult) -> String {
    let [low, high] = test.bounds.map(|bound| decimals(bound, 2));
    format!("[{low}, {high}]")
}

/// State of a test and its estimate of the strength: names and values.
pub(super) fn test_lines(test: &TestResult) -> Vec<(&'static str, String)> {
    let (llr, bounds) = (decimals(test.llr, 3), bounds(test));
    let (state, pairs) = (test_state(test.state), count(test.pairs, "pair"));
    let mut lines = vec![("LLR", format!("{llr} {bounds}, {state} after {pairs}"))];
    if let Some(after) = &test.after_stop {
        let elo = elo_interval(&after.elo, 2);
        let los = percent(after.los);
        lines.push((after_stop(test.state), format!("Elo {elo}, LOS {los}")));
    }
    lines
}

/// `2 h 5 min`, `23 min`, `41 s`.
pub(super) fn duration(ms: u64) -> String {
    let seconds = ms / 1000;
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds / 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

pub(super) const fn format_name(format: TournamentFormat) -> &'static str {
    match format {
        TournamentFormat::Match => "match",
        TournamentFormat::RoundRobin => "round robin",
        TournamentFormat::Gauntlet => "gauntlet",
        TournamentFormat::Swiss => "Swiss tournament",
        TournamentFormat::Knockout => "knockout",
    }
}

pub(super) fn limits(limits: &Limits) -> String {
    let clock = limits.clock.as_ref().map(|clock| write_clock(Some(clock)));
    let parts = [
        clock,
        limits.movetime_ms.map(|ms| format!("{ms} ms a move")),
        limits.nodes.map(|nodes| format!("{nodes} nodes")),
        limits.depth.map(|depth| format!("depth {depth}")),
        limits.send_stop.then(|| "stopped by us".to_owned()),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        return write_clock(None);
    }
    parts.join(", ")
}

/// Source, order and start: all that determines which openings are played.
pub(super) fn openings_in_full(source: &OpeningSource) -> String {
    let mut text = source.name();
    if let Some((order, start)) = source.order() {
        text += match order {
            BookOrder::Sequential => ", in order",
            BookOrder::Random => ", shuffled",
        };
        if start > 0 {
            write!(text, ", the first {start} skipped").expect("a string takes all");
        }
    }
    if let OpeningSource::Book {
        plies, chess960, ..
    } = source
    {
        if let Some(plies) = plies {
            write!(text, ", {plies} plies").expect("a string takes all");
        }
        if *chess960 {
            text += ", Chess960";
        }
    }
    text
}

/// Adjudication rules; empty if there are none.
pub(super) fn adjudication(rules: &Adjudication) -> Vec<String> {
    let resign = rules.resign.map(|rule| {
        let sides = if rule.two_sided {
            "both scores"
        } else {
            "the score"
        };
        format!(
            "lost once {sides} say {} cp for {} moves",
            rule.score_cp, rule.moves
        )
    });
    let draw = rules.draw.map(|rule| {
        format!(
            "drawn from move {} once both scores are within {} cp for {} moves",
            rule.from_move, rule.score_cp, rule.moves
        )
    });
    let length = rules
        .max_moves
        .map(|moves| format!("drawn after {moves} moves"));
    let tables = rules
        .tablebase
        .as_ref()
        .map(|_| "by endgame tables".to_owned());
    [resign, draw, length, tables]
        .into_iter()
        .flatten()
        .collect()
}

/// The program and its arguments; values of the environment may be secret and are left out.
pub(super) fn command(engine: &EngineConfig) -> String {
    let program = engine.command.program.display().to_string();
    let words = std::iter::once(&program).chain(&engine.command.arguments);
    let words: Vec<String> = words
        .map(|word| {
            if word.contains(' ') {
                format!("'{word}'")
            } else {
                word.clone()
            }
        })
        .collect();
    words.join(" ")
}

// Table of the workers of a run on a fleet.

pub(super) const HEAD: [&str; 4] = ["worker", "games", "LL,LD,DD,WD,WW", "lost by machine"];
pub(super) const CAPTION: &str = "Who played, as the first engine sees it: pairs by points, worst first; games lost by faults that a machine can cause.";

impl RunReport<'_> {
    /// Rows of the table; empty if one machine played all games.
    pub(super) fn worker_rows(&self) -> Vec<[String; 4]> {
        let rows = self.summary.workers.iter();
        rows.map(|(name, stats)| {
            let [games, faults] = [stats.games, stats.faults].map(|count| count.to_string());
            [name.clone(), games, stats.pairs.to_string(), faults]
        })
        .collect()
    }
}
