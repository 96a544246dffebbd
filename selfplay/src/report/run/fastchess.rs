//! Results in the text format of fastchess, for scripts: a block for two engines, one table for
//! more.
//!
//! Names, order, digits and numbers are those of fastchess for the same games; [`fastchess`] says
//! how its formulas differ from ours. NaN has no sign here: in fastchess, that depends on the
//! processor.
//!
//! [`fastchess`]: crate::stats::FastchessStrength

use std::fmt::Write as _;

use super::{CoupleSummary, RunReport, TestResult, text};
use crate::model::time_control::write_clock;
use crate::model::{EngineConfig, EngineIndex};
use crate::play::schedule::Couple;
use crate::stats::number::to_f64;
use crate::stats::{
    Counts, FastchessStrength, Pentanomial, SprtState, Wdl, fastchess_counts, fastchess_llr,
};

const RULE: &str = "--------------------------------------------------\n";

impl RunReport<'_> {
    /// Formats results as fastchess prints them.
    pub fn fastchess(&self) -> String {
        let text = match self.config.engines.len() {
            0..=2 => {
                let couples = self.summary.couples.iter();
                couples.map(|couple| self.fastchess_block(couple)).collect()
            }
            _ if self.summary.result.games == 0 => String::new(),
            _ => self.fastchess_table(),
        };
        text::printable(&text)
    }

    /// A line for each engine against all others, the strongest first; engines without a complete
    /// pair are last.
    fn fastchess_table(&self) -> String {
        let engines = (0..self.config.engines.len()).map(EngineIndex);
        let mut rows: Vec<(EngineIndex, Counts, FastchessStrength)> = engines
            .map(|engine| {
                let counts = self.against_all(engine);
                (engine, counts, FastchessStrength::from_counts(&counts))
            })
            .collect();
        rows.sort_by(|(_, _, one), (_, _, other)| {
            let by_elo = || other.elo.total_cmp(&one.elo);
            let is_unknown = |one: &FastchessStrength| one.elo.is_nan();
            is_unknown(one).cmp(&is_unknown(other)).then_with(by_elo)
        });
        let names = self.config.engines.iter();
        let width = names.map(|one| one.name.chars().count()).max();
        let width = width.unwrap_or(0).max(25);
        let mut text = format!("{RULE}{:<4} {:<width$}", "Rank", "Name");
        for name in ["Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw"] {
            write!(text, " {name:>10}").expect("a string takes all");
        }
        let is_paired = self.config.pairing.is_paired();
        if is_paired {
            write!(text, " {:>20}", "Ptnml(0-2)").expect("a string takes all");
        }
        text.push('\n');
        for (rank, (engine, counts, strength)) in (1..).zip(&rows) {
            write!(text, "{rank:>4} {:<width$}", self.name(*engine)).expect("a string takes all");
            let cells = counts.cells_in_use();
            let points: u64 = (0..)
                .zip(&cells)
                .map(|(points, count)| points * count)
                .sum();
            let most = cells.len() as u64 - 1;
            let all = to_f64(most * counts.samples());
            let [score, draws] =
                [points, most * cells[cells.len() / 2]].map(|part| 100.0 * to_f64(part) / all);
            let columns = [
                number(strength.elo, 2),
                number(strength.elo_error, 2),
                number(strength.nelo, 2),
                number(strength.nelo_error, 2),
                counts.games().to_string(),
                number(score, 1) + "%",
                number(draws, 1) + "%",
            ];
            for column in columns {
                write!(text, " {column:>10}").expect("a string takes all");
            }
            if is_paired {
                write!(text, " {:>20}", format!("{cells:?}")).expect("a string takes all");
            }
            text.push('\n');
        }
        text + RULE
    }

    /// The pairs of an engine against all others, or else its games, from its view.
    fn against_all(&self, engine: EngineIndex) -> Counts {
        let mut sum = [0; 5];
        let mut games = Wdl::default();
        for couple in &self.summary.couples {
            let counted = &couple.counted;
            let (pairs, own) = match couple.couple {
                Couple { first, .. } if first == engine => (counted.pairs, counted.games),
                Couple { second, .. } if second == engine => {
                    (counted.pairs.reversed(), counted.games.reversed())
                }
                Couple { .. } => continue,
            };
            for (sum, pairs) in sum.iter_mut().zip(pairs.0) {
                *sum += pairs;
            }
            games.wins += own.wins;
            games.draws += own.draws;
            games.losses += own.losses;
        }
        if self.config.pairing.is_paired() {
            Counts::of_pairs(Pentanomial(sum))
        } else {
            Counts::Games(games)
        }
    }

    /// Pairs and single games: fastchess counts the latter if the bounds are in `BayesElo`.
    fn fastchess_block(&self, couple: &CoupleSummary) -> String {
        let test = self.summary.result.test.as_ref();
        let test = test.filter(|_| self.config.engines.len() == 2);
        let counted = &couple.counted;
        let games = counted.games;
        let model = test.map(|test| test.design.hypotheses().model);
        let counts = fastchess_counts(&counted.counts(), model).expect("the games are known");
        let by_games = !self.config.pairing.is_paired() || matches!(counts, Counts::Games(_));
        let mut text = RULE.to_owned();
        let mut line = |line: String| writeln!(text, "{line}").expect("a string takes all");
        let [first, second] = self.names(couple);
        let conditions = self.conditions(couple);
        line(format!("Results of {first} vs {second} ({conditions}):"));
        if games.games() > 0 {
            let strength = FastchessStrength::from_counts(&counts);
            let plus_minus =
                |[value, error]: [f64; 2]| format!("{} +/- {}", number(value, 2), number(error, 2));
            let elo = plus_minus([strength.elo, strength.elo_error]);
            let nelo = plus_minus([strength.nelo, strength.nelo_error]);
            line(format!("Elo: {elo}, nElo: {nelo}"));
            let [ll, ld, even, wd, ww] = counted.pairs.0;
            let pairs = if by_games {
                String::new()
            } else {
                let ratio = to_f64(ww + wd) / to_f64(ld + ll);
                format!(", PairsRatio: {}", number(ratio, 2))
            };
            let draws = if by_games { games.draws } else { even };
            line(format!(
                "LOS: {} %, DrawRatio: {} %{pairs}",
                number(100.0 * strength.los, 2),
                number(100.0 * to_f64(draws) / to_f64(counts.samples()), 2)
            ));
        }
        line(results(games));
        if !by_games {
            let [won, drawn] = [counted.won_by_turns(), counted.drawn_twice].map(to_f64);
            line(format!(
                "Ptnml(0-2): {:?}, WL/DD Ratio: {}",
                counted.pairs.0,
                number(won / drawn, 2)
            ));
        }
        let Some(test) = test else {
            return text + RULE;
        };
        let llr = fastchess_llr(&counted.counts(), test.design.hypotheses());
        text += &sprt(test, llr.expect("the games are known"));
        text
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
        let openings = &self.config.openings;
        parts.extend(openings.order().map(|_| openings.name()));
        parts.join(", ")
    }
}

fn time(engine: &EngineConfig) -> String {
    let limits = &engine.limits;
    if let Some(clock) = &limits.clock {
        let clock = write_clock(Some(clock));
        // Fastchess gives increments in two significant digits.
        let parts = clock.rsplit_once('+');
        let rounded = parts.and_then(|(base, increment)| {
            let increment = format!("{:.1e}", increment.parse::<f64>().ok()?);
            Some(format!("{base}+{}", increment.parse::<f64>().ok()?))
        });
        return rounded.unwrap_or(clock);
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
    let points = to_f64(games.half_points()) / 2.0;
    format!(
        "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {points:.1} ({} %)",
        games.games(),
        games.wins,
        games.losses,
        games.draws,
        number(100.0 * games.score(), 2)
    )
}

/// As the formatting library of fastchess: zero may be negative.
fn number(number: f64, places: usize) -> String {
    if number.is_nan() {
        "nan".to_owned()
    } else if number.is_infinite() {
        "inf".to_owned()
    } else {
        format!("{number:.places$}")
    }
}

/// The line of the test, the end of the block, and the decision.
fn sprt(test: &TestResult, llr: f64) -> String {
    let design = &test.design;
    let [low, high] = [design.lower_bound(), design.upper_bound()];
    // Negative on the way to H0.
    let part = if llr < 0.0 { -llr / low } else { llr / high };
    let elos = design.hypotheses();
    let elos = format!("[{:.2}, {:.2}]", elos.elo0, elos.elo1);
    let (llr, part) = (number(llr, 2), number(100.0 * part, 1));
    let line = format!("LLR: {llr} ({part}%) ({low:.2}, {high:.2}) {elos}\n{RULE}");
    match test.state {
        SprtState::Running => line,
        SprtState::Invalid => format!("{line}SPRT ({elos}) invalid\n"),
        SprtState::AcceptedH0 => format!("{line}SPRT ({elos}) completed - H0 was accepted\n"),
        SprtState::AcceptedH1 => format!("{line}SPRT ({elos}) completed - H1 was accepted\n"),
    }
}
