//! Results in the text format of fastchess, for scripts: a block for two engines, one table for
//! more.
//!
//! The same names in the same order with the same number of digits. The numbers are our own: of the
//! pairs that count, with Elo at most 1199.83 if all games are won.

use std::fmt::Write as _;

use super::{CoupleSummary, RunReport, TestSummary, text};
use crate::model::time_control::write_clock;
use crate::model::{EngineConfig, EngineIndex};
use crate::play::schedule::Couple;
use crate::report::{decimals, spread};
use crate::stats::number::to_f64;
use crate::stats::{Counts, Estimate, Pentanomial, SprtState, Summary, Wdl};

const RULE: &str = "--------------------------------------------------\n";

impl RunReport<'_> {
    /// Formats results as fastchess prints them.
    pub fn fastchess(&self) -> String {
        let text = match self.config.engines.len() {
            0..=2 => {
                let couples = self.summary.couples.iter();
                couples.map(|couple| self.fastchess_block(couple)).collect()
            }
            _ if self.summary.games == 0 => String::new(),
            _ => self.fastchess_table(),
        };
        text::printable(&text)
    }

    /// A line for each engine against all others, the strongest first; engines without a complete
    /// pair are last.
    fn fastchess_table(&self) -> String {
        let engines = (0..self.config.engines.len()).map(EngineIndex);
        let mut rows: Vec<(EngineIndex, Counts, Option<Summary>)> = engines
            .map(|engine| {
                let counts = self.against_all(engine);
                (engine, counts, spread::strength(&counts))
            })
            .collect();
        let elo = |strength: &Option<Summary>| {
            strength
                .as_ref()
                .map_or(f64::NEG_INFINITY, |one| one.elo.value)
        };
        rows.sort_by(|(_, _, one), (_, _, other)| elo(other).total_cmp(&elo(one)));
        let names = self.config.engines.iter();
        let width = names.map(|one| one.name.chars().count()).max();
        let width = width.unwrap_or(0).max(25);
        let mut text = format!("{RULE}{:<4} {:<width$}", "Rank", "Name");
        for name in ["Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw"] {
            write!(text, " {name:>10}").expect("a string takes all");
        }
        writeln!(text, " {:>20}", "Ptnml(0-2)").expect("a string takes all");
        for (rank, (engine, counts, strength)) in (1..).zip(&rows) {
            write!(text, "{rank:>4} {:<width$}", self.name(*engine)).expect("a string takes all");
            let of = |value: fn(&Summary) -> f64| strength.as_ref().map_or(f64::NAN, value);
            let cells = [
                number(of(|one| one.elo.value)),
                number(of(|one| one.elo.error())),
                number(of(|one| one.nelo.value)),
                number(of(|one| one.nelo.error())),
                counts.games().to_string(),
                format!("{:.1}%", 100.0 * of(|one| one.score)),
                format!("{:.1}%", 100.0 * of(|one| one.draw_ratio.value)),
            ];
            for cell in cells {
                write!(text, " {cell:>10}").expect("a string takes all");
            }
            let pairs = format!("{:?}", counts.cells_in_use());
            writeln!(text, " {pairs:>20}").expect("a string takes all");
        }
        text + RULE
    }

    /// The pairs of an engine against all others, from its view.
    fn against_all(&self, engine: EngineIndex) -> Counts {
        let mut sum = [0; 5];
        for couple in &self.summary.couples {
            let pairs = couple.counted.pairs;
            let own = match couple.couple {
                Couple { first, .. } if first == engine => pairs,
                Couple { second, .. } if second == engine => pairs.reversed(),
                Couple { .. } => continue,
            };
            for (sum, pairs) in sum.iter_mut().zip(own.0) {
                *sum += pairs;
            }
        }
        Counts::of_pairs(Pentanomial(sum))
    }

    fn fastchess_block(&self, couple: &CoupleSummary) -> String {
        let mut text = RULE.to_owned();
        let mut line = |line: String| writeln!(text, "{line}").expect("a string takes all");
        let [first, second] = self.names(couple);
        line(format!(
            "Results of {first} vs {second} ({}):",
            self.conditions(couple)
        ));
        if let Some(strength) = &couple.strength {
            let plus_minus =
                |one: &Estimate| format!("{} +/- {}", number(one.value), number(one.error()));
            line(format!(
                "Elo: {}, nElo: {}",
                plus_minus(&strength.elo),
                plus_minus(&strength.nelo)
            ));
            let pairs_ratio = strength.pairs_ratio.map_or(f64::NAN, |ratio| ratio.value);
            line(format!(
                "LOS: {} %, DrawRatio: {} %, PairsRatio: {}",
                number(100.0 * strength.los),
                number(100.0 * strength.draw_ratio.value),
                number(pairs_ratio)
            ));
        }
        let counted = &couple.counted;
        line(results(counted.games));
        let [won, drawn] = [counted.won_by_turns(), counted.drawn_twice].map(to_f64);
        line(format!(
            "Ptnml(0-2): {:?}, WL/DD Ratio: {}",
            counted.pairs.0,
            number(won / drawn)
        ));
        if let (Some(test), 2) = (&self.summary.test, self.config.engines.len()) {
            sprt(test, &mut line);
        }
        text + RULE
    }

    /// `10+0.1, 1t, 16MB, book.epd`; if the engines differ, the conditions of both.
    fn conditions(&self, couple: &CoupleSummary) -> String {
        let both = |of: fn(&EngineConfig) -> String| {
            let one = |engine: EngineIndex| of(&self.config.engines[engine.0]);
            let (first, second) = (one(couple.couple.first), one(couple.couple.second));
            if first == second {
                first
            } else {
                format!("{first} - {second}")
            }
        };
        let threads = both(|engine| option(engine, "Threads", "t"));
        let hash = both(|engine| option(engine, "Hash", "MB"));
        let mut parts = vec![both(time), threads, hash];
        parts.extend(text::book(&self.config.openings));
        parts.join(", ")
    }
}

fn time(engine: &EngineConfig) -> String {
    let limits = &engine.limits;
    if let Some(clock) = &limits.clock {
        return write_clock(Some(clock));
    }
    let movetime = limits
        .movetime_ms
        .map(|ms| format!("{}/move", to_f64(ms) / 1000.0));
    let depth = limits.depth.map(|depth| format!("{depth} plies"));
    let nodes = limits.nodes.map(|nodes| format!("{nodes} nodes"));
    movetime.or(depth).or(nodes).unwrap_or_default()
}

fn option(engine: &EngineConfig, name: &str, unit: &str) -> String {
    let mut options = engine.options.iter().rev();
    let set = options.find(|(option, _)| option.eq_ignore_ascii_case(name));
    set.map_or_else(|| "NULL".to_owned(), |(_, value)| format!("{value}{unit}"))
}

fn results(games: Wdl) -> String {
    let all = games.games();
    let points = to_f64(2 * games.wins + games.draws) / 2.0;
    let part = if all == 0 { 0.0 } else { 100.0 * games.score() };
    format!(
        "Games: {all}, Wins: {}, Losses: {}, Draws: {}, Points: {points:.1} ({part:.2} %)",
        games.wins, games.losses, games.draws
    )
}

fn number(number: f64) -> String {
    if number.is_nan() {
        "nan".to_owned()
    } else {
        decimals(number, 2)
    }
}

fn sprt(test: &TestSummary, line: &mut impl FnMut(String)) {
    let design = &test.design;
    let [low, high] = [design.lower_bound(), design.upper_bound()];
    let part = test.llr / if test.llr < 0.0 { low } else { high };
    let elos = design.hypotheses();
    let elos = format!("[{:.2}, {:.2}]", elos.elo0, elos.elo1);
    let llr = decimals(test.llr, 2);
    line(format!(
        "LLR: {llr} ({:.1}%) ({low:.2}, {high:.2}) {elos}",
        100.0 * part
    ));
    let accepted = match test.state {
        SprtState::Running => return,
        SprtState::Invalid => return line(format!("SPRT ({elos}) invalid")),
        SprtState::AcceptedH0 => "H0",
        SprtState::AcceptedH1 => "H1",
    };
    line(format!("SPRT ({elos}) completed - {accepted} was accepted"));
}
