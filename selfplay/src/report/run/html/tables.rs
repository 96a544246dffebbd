//! The tables of the page.

use std::fmt::Write as _;

use super::{Cell, TableOf, address};
use crate::model::{EngineIndex, Pinning, Restart};
use crate::report::run::{CoupleSummary, FEWEST_OPENING_GAMES, RunReport, text};
use crate::report::{DASH, count, decimals, elo_interval, interval, percent, quarters, wdl};
use crate::stats::{Estimate, Wdl};

impl RunReport<'_> {
    pub(super) fn standings_table(&self) -> TableOf {
        let rows = self.summary.standings.iter().map(|row| {
            let engine = &self.summary.engines[row.engine.0];
            let games = row.score;
            vec![
                Cell::words(format!("{}. {}", row.rank, self.name(row.engine))),
                Cell::number(quarters(2 * row.half_points)),
                Cell::number(games.games()),
                Cell::number(games.wins),
                Cell::number(games.draws),
                Cell::number(games.losses),
                Cell::number(row.byes),
                Cell::score(engine.games()),
                Cell::number(quarters(row.sonneborn_berger_quarters)),
                Cell::number(text::rating(engine.rating.as_ref())),
            ]
        });
        TableOf::new(
            format!("Standings. SB is Sonneborn-Berger. {}", text::ABOUT_RATINGS),
            vec![
                "Engine", "Points", "Games", "Won", "Drawn", "Lost", "Byes", "Score", "SB", "Elo",
            ],
            rows,
        )
    }

    pub(super) fn worker_table(&self) -> TableOf {
        let rows = self
            .worker_rows()
            .into_iter()
            .map(|[name, games, pairs, faults]| {
                vec![
                    Cell::words(name),
                    Cell::number(games),
                    Cell::number(pairs.replace(',', " ")),
                    Cell::number(faults),
                ]
            });
        TableOf::new(
            text::CAPTION,
            vec!["Worker", "Games", "Pairs", "Lost by machine"],
            rows,
        )
    }

    pub(super) fn couples_table(&self) -> TableOf {
        let rows = self.summary.couples.iter().map(|couple| {
            let [first, second] = self.names(couple);
            let strength = couple.strength.as_ref();
            vec![
                Cell::words(format!("{first} – {second}")),
                Cell::number(wdl(couple.counted.games)),
                Cell::score(couple.counted.games),
                Cell::number(couple.counted.pairs.to_string().replace(',', " ")),
                Cell::number(strength.map_or_else(dash, |one| elo_interval(&one.elo, 1))),
                Cell::number(strength.map_or_else(dash, |one| nelo(&one.nelo))),
                Cell::number(strength.map_or_else(dash, |one| percent(one.los))),
            ]
        });
        TableOf::new(
            "Engines against each other, as the first sees it. Games are those of complete \
                      pairs; pairs are counted by points, worst first.",
            vec![
                "Engines",
                "Won, drawn, lost",
                "Score",
                "Pairs",
                "Elo",
                "nElo",
                "LOS",
            ],
            rows,
        )
    }

    pub(super) fn strength_table(&self, couple: &CoupleSummary) -> TableOf {
        let mut rows = Vec::new();
        let mut row =
            |name: &str, value: String| rows.push(vec![Cell::words(name), Cell::words(value)]);
        if let Some(strength) = &couple.strength {
            let two = |number| decimals(number, 2);
            row("Elo", elo_interval(&strength.elo, 2));
            row("Normalised Elo", interval(&strength.nelo, two));
            row("Even pairs", interval(&strength.draw_ratio, percent));
            if let Some(ratio) = &strength.pairs_ratio {
                let four = |number| decimals(number, 4);
                row("Pairs ratio: won for each lost", interval(ratio, four));
            }
        }
        row("Even pairs of two draws, of a win each", {
            format!(
                "{}, {}",
                couple.counted.drawn_twice,
                couple.counted.won_by_turns()
            )
        });
        if let Some(test) = &self.summary.test {
            let (design, elos) = (&test.design, test.design.hypotheses());
            let model = elos.model.name();
            row(
                "Test",
                format!(
                    "elo0 {}, elo1 {} ({model}), alpha {}, beta {}",
                    elos.elo0,
                    elos.elo1,
                    design.alpha(),
                    design.beta()
                ),
            );
            for (label, value) in text::test_lines(test) {
                row(label, value);
            }
        }
        TableOf {
            caption: "Strength of the first engine, with 95% intervals.".to_owned(),
            head: vec!["", ""],
            rows,
        }
    }

    pub(super) fn endings_table(&self) -> TableOf {
        let rows = self.endings().into_iter().map(|(one, games)| {
            vec![
                Cell::words(one),
                Cell::number(games),
                Cell::part(games, self.summary.games),
            ]
        });
        TableOf::new("How games ended.", vec!["By", "Games", "Part"], rows)
    }

    pub(super) fn colors_table(&self) -> TableOf {
        let colors = |name: &str, [white, black]: [Wdl; 2]| {
            vec![
                Cell::words(name),
                Cell::number(wdl(white)),
                Cell::score(white),
                Cell::number(wdl(black)),
                Cell::score(black),
            ]
        };
        let engines = self.config.engines.iter().zip(&self.summary.engines);
        let mut rows: Vec<Vec<Cell>> = engines
            .map(|(config, engine)| colors(&config.name, [engine.as_white, engine.as_black]))
            .collect();
        let white = self.summary.white;
        rows.push(colors("All", [white, white.reversed()]));
        let worth = self.summary.white_advantage.as_ref();
        let worth = worth.map(|elo| format!(" White is worth {} Elo.", elo_interval(elo, 1)));
        TableOf {
            caption: format!("Colours.{}", worth.unwrap_or_default()),
            head: vec!["Engine", "With White", "Score", "With Black", "Score"],
            rows,
        }
    }

    pub(super) fn openings_table(&self) -> Option<TableOf> {
        let openings = &self.summary.openings;
        let mut caption = format!(
            "Openings: {} played. White won both games of {}, Black of {}.",
            openings.played,
            count(openings.white_twice, "pair"),
            openings.black_twice
        );
        if !openings.one_sided.is_empty() {
            write!(
                caption,
                " Listed are those played {FEWEST_OPENING_GAMES} times or more."
            )
            .expect("a string takes all");
        }
        let rows = openings.one_sided.iter().map(|opening| {
            let games = opening.white;
            vec![
                Cell::words(opening.label.clone()),
                Cell::number(wdl(games)),
                Cell::score(games),
            ]
        });
        let rows: Vec<_> = rows.collect();
        (!rows.is_empty() || openings.played > 1).then(|| TableOf {
            caption,
            head: if rows.is_empty() {
                Vec::new()
            } else {
                vec!["Most one-sided", "White", "White's score"]
            },
            rows,
        })
    }

    pub(super) fn time_table(&self) -> TableOf {
        let engines = self.config.engines.iter().zip(&self.summary.engines);
        let rows = engines.enumerate().map(|(index, (config, engine))| {
            let time = &engine.time;
            let knps = time.nodes_per_second.map(|nps| nps / 1000.0);
            vec![
                Cell::words(config.name.clone()),
                Cell::number(time.moves),
                Cell::number(text::maybe(time.mean_ms, 2)),
                Cell::number(decimals(time.longest_ms, 1)),
                Cell::number(text::maybe(time.mean_left_ms, 0)),
                Cell::number(time.least_left_ms.map_or_else(dash, |ms| ms.to_string())),
                Cell::number(self.overstep(EngineIndex(index))),
                Cell::number(text::maybe(knps, 0)),
                Cell::number(text::maybe(time.mean_nodes, 0)),
                Cell::number(text::maybe(time.mean_depth, 1)),
            ]
        });
        TableOf::new(
            "Time in milliseconds. What is left is at the end of a game; a clock can be \
                      overstepped by the margin at most.",
            vec![
                "Engine",
                "Moves",
                "Mean",
                "Longest",
                "Mean left",
                "Least left",
                "Overstep",
                "knps",
                "Nodes",
                "Depth",
            ],
            rows,
        )
    }

    pub(super) fn fault_counts(&self) -> TableOf {
        let counts = &self.summary.faults.counts;
        let rows = counts.iter().map(|(&(engine, kind), games)| {
            vec![
                Cell::words(self.name(engine)),
                Cell::words(kind.as_str()),
                Cell::number(games),
            ]
        });
        TableOf::new(
            "Faults by engine; each loses the game.",
            vec!["Engine", "Fault", "Games"],
            rows,
        )
    }

    pub(super) fn incident_counts(&self, links: &str) -> TableOf {
        let counts = &self.summary.faults.incidents;
        let rows = counts.iter().map(|(&(engine, kind), times)| {
            let path = "failures/incidents.txt";
            let all = Cell {
                text: path.to_owned(),
                href: Some(address(links) + path),
                is_text: true,
                ..Cell::default()
            };
            vec![
                Cell::words(self.name(engine)),
                Cell::words(kind.as_str()),
                Cell::number(times),
                all,
            ]
        });
        TableOf::new(
            "Faults that cost no game.",
            vec!["Engine", "Fault", "Times", "All of them"],
            rows,
        )
    }

    pub(super) fn fault_list(&self, links: &str) -> TableOf {
        let listed = &self.summary.faults.listed;
        let rows = listed.iter().map(|fault| {
            let path = fault.transcript.as_ref();
            let transcript = Cell {
                text: path.map_or_else(dash, |_| "transcript".to_owned()),
                href: path.map(|path| address(links) + &address(path)),
                is_text: true,
                ..Cell::default()
            };
            vec![
                Cell::words((fault.game + 1).to_string()),
                Cell::words(self.name(fault.engine)),
                Cell::words(self.name(fault.opponent)),
                Cell::words(fault.kind.as_str()),
                Cell::words(fault.detail.clone()),
                transcript,
            ]
        });
        TableOf::new(
            "Games that ended by a fault.",
            vec![
                "Game",
                "Engine",
                "Against",
                "Fault",
                "What happened",
                "Transcript",
            ],
            rows,
        )
    }

    pub(super) fn configuration(&self) -> Vec<TableOf> {
        let config = self.config;
        let mut rows = Vec::new();
        let mut row =
            |name: &str, value: String| rows.push(vec![Cell::words(name), Cell::words(value)]);
        row("Format", text::format_name(config.format).to_owned());
        let rounds = if config.is_unlimited() {
            "no limit: until the test is decided".to_owned()
        } else {
            config.rounds.to_string()
        };
        row("Rounds", rounds);
        row("Openings", text::openings_in_full(&config.openings));
        let rules = text::adjudication(&config.adjudication);
        let by_rules = || "by the rules alone".to_owned();
        row(
            "Games end",
            if rules.is_empty() {
                by_rules()
            } else {
                rules.join("; ")
            },
        );
        let pinned = match config.pinning {
            Pinning::Off => "",
            Pinning::On => ", each on a CPU of its own",
        };
        row("Games at once", format!("{}{pinned}", config.concurrency));
        row("Seed", config.seed.to_string());
        row("Site", config.site.clone());
        let head = vec!["", ""];
        let caption = "The run.".to_owned();
        let run = TableOf {
            caption,
            head,
            rows,
        };
        vec![run, self.engines_table()]
    }

    fn engines_table(&self) -> TableOf {
        let rows = self
            .config
            .engines
            .iter()
            .enumerate()
            .map(|(index, engine)| {
                let options = engine
                    .options
                    .iter()
                    .map(|(name, value)| format!("{name}={value}"));
                let mut limits = text::limits(&engine.limits);
                if engine.limits.margin_ms > 0 {
                    write!(limits, ", margin {} ms", engine.limits.margin_ms)
                        .expect("a string takes all");
                }
                if engine.ponder {
                    limits += ", ponders";
                }
                if engine.restart == Restart::On {
                    limits += ", started anew for each game";
                }
                vec![
                    Cell::words(self.name(EngineIndex(index))),
                    Cell::words(text::command(engine)),
                    Cell::words(options.collect::<Vec<_>>().join(", ")),
                    Cell::words(limits),
                ]
            });
        TableOf::new(
            "The engines.",
            vec!["Engine", "Command", "Options", "Limits"],
            rows,
        )
    }
}

fn nelo(estimate: &Estimate) -> String {
    interval(estimate, |number| decimals(number, 1))
}

fn dash() -> String {
    DASH.to_owned()
}
