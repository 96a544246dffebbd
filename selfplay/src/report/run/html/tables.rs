//! The tables of the page.

use std::fmt::Write as _;

use kit::page::{PageTable, TableCell};

use super::{address, games_cell, part_cell, score_cell, wdl_cell};
use crate::model::{EngineIndex, Pinning, Restart};
use crate::report::run::{CoupleSummary, FEWEST_OPENING_GAMES, RunReport, text};
use crate::report::{
    DASH, count, decimals, elo_interval, interval, percent, quarters, tournament, wdl,
};
use crate::stats::Estimate;

impl RunReport<'_> {
    pub(super) fn standings_table(&self) -> PageTable {
        let rows = self
            .summary
            .result
            .standings
            .table()
            .into_iter()
            .map(|row| {
                let engine = &self.summary.engines[row.engine.0];
                let (games, list) = (row.score, format!("#of={}", row.engine.0));
                vec![
                    TableCell::text(format!("{}. {}", row.rank, self.name(row.engine))),
                    TableCell::number(quarters(2 * row.half_points)),
                    games_cell(games.games(), &list),
                    games_cell(games.wins, &format!("{list}&result=won")),
                    games_cell(games.draws, &format!("{list}&result=drawn")),
                    games_cell(games.losses, &format!("{list}&result=lost")),
                    TableCell::number(if row.byes == 0 {
                        dash()
                    } else {
                        row.byes.to_string()
                    }),
                    score_cell(engine.games()),
                    TableCell::number(quarters(row.sonneborn_berger_quarters)),
                    TableCell::number(tournament::rating(self.summary.ratings.get(&row.engine))),
                ]
            });
        PageTable::new(
            format!(
                "Standings. SB is Sonneborn-Berger. {}",
                tournament::ABOUT_RATINGS
            ),
            vec![
                "Engine", "Points", "Games", "Won", "Drawn", "Lost", "Byes", "Score", "SB", "Elo",
            ],
            rows,
        )
    }

    /// Points of each engine against each other one.
    pub(super) fn cross_table(&self) -> PageTable {
        let all = &self.summary.result.standings;
        let engines: Vec<EngineIndex> = all.table().iter().map(|row| row.engine).collect();
        let head = engines.iter().map(|&engine| self.name(engine));
        let rows = engines.iter().map(|&one| {
            let cells = engines.iter().map(|&other| {
                let games = all.against(one, other);
                let cell = TableCell::number(tournament::points(games));
                match games.games() {
                    0 if one == other => TableCell::number("·"),
                    0 => cell,
                    _ => cell.to(format!("#of={}&vs={}", one.0, other.0)),
                }
            });
            std::iter::once(TableCell::text(self.name(one)))
                .chain(cells)
                .collect()
        });
        PageTable::new(
            "Cross table: points of the engine at the left, of all games against the one above.",
            std::iter::once("Engine").chain(head),
            rows,
        )
    }

    pub(super) fn worker_table(&self) -> PageTable {
        let rows = self
            .worker_rows()
            .into_iter()
            .map(|[name, games, pairs, faults]| {
                vec![
                    TableCell::text(name),
                    TableCell::number(games),
                    TableCell::number(pairs.replace(',', " ")),
                    TableCell::number(faults),
                ]
            });
        PageTable::new(
            text::CAPTION,
            vec!["Worker", "Games", "Pairs", "Lost by machine"],
            rows,
        )
    }

    pub(super) fn couples_table(&self) -> PageTable {
        let is_paired = self.config.pairing.is_paired();
        let rows = self.summary.couples.iter().map(|couple| {
            let [first, second] = self.names(couple);
            let strength = couple.strength.as_ref();
            let list = format!(
                "#of={}&vs={}",
                couple.couple.first.0, couple.couple.second.0
            );
            let pairs = couple.counted.pairs.0.into_iter().enumerate();
            let pairs = TableCell::from_pieces(pairs.map(|(points, pairs)| {
                let href = (pairs > 0).then(|| format!("{list}&pair={points}"));
                (pairs.to_string(), href)
            }));
            let mut row = vec![
                TableCell::text(format!("{first} – {second}")).to(list.clone()),
                wdl_cell(couple.counted.games, &list, "result"),
                score_cell(couple.counted.games),
            ];
            row.extend(is_paired.then_some(pairs));
            row.extend([
                TableCell::number(strength.map_or_else(dash, |one| elo_interval(&one.elo, 1))),
                TableCell::number(strength.map_or_else(dash, |one| nelo(&one.nelo))),
                TableCell::number(strength.map_or_else(dash, |one| percent(one.los))),
            ]);
            row
        });
        let caption = if is_paired {
            "Engines against each other, as the first sees it. Games are those of complete pairs; \
             pairs are counted by points, worst first."
        } else {
            "Engines against each other, as the first sees it."
        };
        let mut head = vec!["Engines", "Won, drawn, lost", "Score"];
        head.extend(is_paired.then_some("Pairs"));
        head.extend(["Elo", "nElo", "LOS"]);
        PageTable::new(caption, head, rows)
    }

    pub(super) fn strength_table(&self, couple: &CoupleSummary) -> PageTable {
        let mut rows = Vec::new();
        let mut row = |name: &str, value: String| {
            rows.push(vec![TableCell::text(name), TableCell::text(value)]);
        };
        if let Some(strength) = &couple.strength {
            let two = |number| decimals(number, 2);
            row("Elo", elo_interval(&strength.elo, 2));
            row("Normalised Elo", interval(&strength.nelo, two));
            if self.config.pairing.is_paired() {
                row("Even pairs", interval(&strength.draw_ratio, percent));
                if let Some(ratio) = &strength.pairs_ratio {
                    let four = |number| decimals(number, 4);
                    row("Pairs ratio: won for each lost", interval(ratio, four));
                }
            }
        }
        if self.config.pairing.is_paired() {
            row(
                "Even pairs of two draws, of a win each",
                format!(
                    "{}, {}",
                    couple.counted.drawn_twice,
                    couple.counted.won_by_turns()
                ),
            );
        }
        if let Some(test) = &self.summary.result.test {
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
        PageTable::new(
            "Strength of the first engine, with 95% intervals.",
            [""; 0],
            rows,
        )
    }

    pub(super) fn endings_table(&self) -> PageTable {
        let rows = self.endings().into_iter().map(|(one, games)| {
            let list = match one.strip_prefix("fault: ") {
                Some(kind) => format!("#fault={kind}"),
                None => format!("#end={one}"),
            };
            vec![
                TableCell::text(one),
                games_cell(games, &list),
                part_cell(games, self.summary.result.games),
            ]
        });
        PageTable::new("How games ended.", vec!["By", "Games", "Part"], rows)
    }

    pub(super) fn colors_table(&self) -> PageTable {
        let engines = self.config.engines.iter().zip(&self.summary.engines);
        let mut rows: Vec<Vec<TableCell>> = engines
            .enumerate()
            .map(|(index, (config, engine))| {
                let list = |color| format!("#of={index}&color={color}");
                vec![
                    TableCell::text(&config.name),
                    wdl_cell(engine.as_white, &list("White"), "result"),
                    score_cell(engine.as_white),
                    wdl_cell(engine.as_black, &list("Black"), "result"),
                    score_cell(engine.as_black),
                ]
            })
            .collect();
        let white = self.summary.white;
        rows.push(vec![
            TableCell::text("All"),
            wdl_cell(white, "#", "white"),
            score_cell(white),
            TableCell::number(wdl(white.reversed())),
            score_cell(white.reversed()),
        ]);
        let worth = self.summary.white_advantage.as_ref();
        let worth = worth.map(|elo| format!(" White is worth {} Elo.", elo_interval(elo, 1)));
        PageTable::new(
            format!("Colours.{}", worth.unwrap_or_default()),
            ["Engine", "With White", "Score", "With Black", "Score"],
            rows,
        )
    }

    pub(super) fn openings_table(&self) -> Option<PageTable> {
        let openings = &self.summary.openings;
        let mut caption = format!("Openings: {} played.", openings.played);
        if self.config.pairing.is_paired() {
            write!(
                caption,
                " White won both games of {}, Black of {}.",
                count(openings.white_twice, "pair"),
                openings.black_twice
            )
            .expect("a string takes all");
        }
        if !openings.one_sided.is_empty() {
            write!(
                caption,
                " Listed are those played {FEWEST_OPENING_GAMES} times or more."
            )
            .expect("a string takes all");
        }
        let rows = openings.one_sided.iter().map(|opening| {
            let games = opening.white;
            let list = format!("#opening={}", address(&opening.label));
            vec![
                TableCell::text(opening.label.clone()).to(list.clone()),
                wdl_cell(games, &list, "white"),
                score_cell(games),
            ]
        });
        let rows: Vec<_> = rows.collect();
        let head: &[&str] = match rows.len() {
            0 => &[],
            _ => &["Most one-sided", "White", "White's score"],
        };
        (!rows.is_empty() || openings.played > 1)
            .then(|| PageTable::new(caption, head.iter().copied(), rows))
    }

    pub(super) fn time_table(&self) -> PageTable {
        let engines = self.config.engines.iter().zip(&self.summary.engines);
        let rows = engines.enumerate().map(|(index, (config, engine))| {
            let time = &engine.time;
            let knps = time.nodes_per_second.map(|nps| nps / 1000.0);
            vec![
                TableCell::text(config.name.clone()),
                TableCell::number(time.moves),
                TableCell::number(text::maybe(time.mean_ms, 2)),
                TableCell::number(decimals(time.longest_ms, 1)),
                TableCell::number(text::maybe(time.mean_left_ms, 0)),
                TableCell::number(time.least_left_ms.map_or_else(dash, |ms| ms.to_string())),
                TableCell::number(self.overstep(EngineIndex(index))),
                TableCell::number(text::maybe(knps, 0)),
                TableCell::number(text::maybe(time.mean_nodes, 0)),
                TableCell::number(text::maybe(time.mean_depth, 1)),
            ]
        });
        PageTable::new(
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

    pub(super) fn fault_counts(&self) -> PageTable {
        let counts = &self.summary.result.faults;
        let rows = counts.iter().map(|(&(engine, kind), games)| {
            vec![
                TableCell::text(self.name(engine)),
                TableCell::text(kind.as_str()),
                games_cell(*games, &format!("#fault={}&by={}", kind.as_str(), engine.0)),
            ]
        });
        PageTable::new(
            "Faults by engine; each loses the game.",
            vec!["Engine", "Fault", "Games"],
            rows,
        )
    }

    pub(super) fn incident_counts(&self, links: &str) -> PageTable {
        let counts = &self.summary.result.incidents;
        let rows = counts.iter().map(|(&(engine, kind), times)| {
            let path = "failures/incidents.txt";
            let all = TableCell::text(path).to(address(links) + path);
            vec![
                TableCell::text(self.name(engine)),
                TableCell::text(kind.as_str()),
                TableCell::number(times),
                all,
            ]
        });
        PageTable::new(
            "Faults that cost no game.",
            vec!["Engine", "Fault", "Times", "All of them"],
            rows,
        )
    }

    pub(super) fn fault_list(&self, links: &str) -> PageTable {
        let listed = &self.summary.faults;
        let rows = listed.iter().map(|fault| {
            let path = fault.transcript.as_ref();
            let transcript = match path {
                Some(path) => TableCell::text("transcript").to(address(links) + &address(path)),
                None => TableCell::text(DASH),
            };
            let number = fault.game + 1;
            vec![
                TableCell::text(number.to_string()).to(format!("#game={number}")),
                TableCell::text(self.name(fault.engine)),
                TableCell::text(self.name(fault.opponent)),
                TableCell::text(fault.kind.as_str()),
                TableCell::text(fault.detail.clone()),
                transcript,
            ]
        });
        PageTable::new(
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

    pub(super) fn configuration(&self) -> Vec<PageTable> {
        let config = self.config;
        let mut rows = Vec::new();
        let mut row = |name: &str, value: String| {
            rows.push(vec![TableCell::text(name), TableCell::text(value)]);
        };
        row("Format", text::format_name(config.format).to_owned());
        for (name, value) in self.when() {
            row(name, value);
        }
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
            Pinning::Auto => ", each on a CPU of its own if so many were free",
            Pinning::Off => "",
            Pinning::On | Pinning::Cpus(_) => ", each on a CPU of its own",
        };
        row("Games at once", format!("{}{pinned}", config.concurrency));
        row("Seed", config.seed.to_string());
        row("Site", config.site.clone());
        let run = PageTable::new("The run.", [""; 0], rows);
        vec![run, self.engines_table()]
    }

    fn engines_table(&self) -> PageTable {
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
                    TableCell::text(self.name(EngineIndex(index))),
                    TableCell::text(text::ids(&self.summary.engines[index].ids)),
                    TableCell::text(text::command(engine)),
                    TableCell::text(options.collect::<Vec<_>>().join(", ")),
                    TableCell::text(limits),
                ]
            });
        PageTable::new(
            "The engines.",
            vec!["Engine", "Its own name", "Command", "Options", "Limits"],
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
