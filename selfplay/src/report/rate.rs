//! Formats ratings as a table for people, as CSV, and as `touchstone/rate/1`.

use std::fmt::Write as _;

use serde::Serialize;

use super::{csv_text, decimals, percent, table};
use crate::stats::number::twelve_digits;
use crate::stats::rating::{Ratings, Table};

pub const SCHEMA: &str = "touchstone/rate/1";

#[derive(Debug)]
pub struct RateReport<'a> {
    table: &'a Table,
    ratings: &'a Ratings,
    /// Groups from the top, within them the strongest engine first.
    order: Vec<usize>,
    unfinished: u64,
}

#[derive(Serialize)]
struct RateRow<'a> {
    rank: usize,
    group: usize,
    name: &'a str,
    elo: Option<f64>,
    elo_error: Option<f64>,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: Option<f64>,
    /// Likelihood of superiority over the next engine.
    los: Option<f64>,
}

#[derive(Serialize)]
struct RateJson<'a> {
    schema: &'static str,
    games: u64,
    unfinished: u64,
    white_advantage: Option<f64>,
    white_advantage_error: Option<f64>,
    draw_chance: Option<f64>,
    groups: usize,
    converged: bool,
    players: Vec<RateRow<'a>>,
}

impl<'a> RateReport<'a> {
    /// Ratings of a table's engines; `unfinished` games were left out.
    pub fn new(table: &'a Table, ratings: &'a Ratings, unfinished: u64) -> Self {
        let mut order: Vec<usize> = (0..table.names.len()).collect();
        order.sort_by(|&one, &other| {
            let [a, b] = [one, other].map(|index| &ratings.ratings[index]);
            let value = |index: usize| ratings.ratings[index].elo.map_or(0.0, |elo| elo.value);
            a.group
                .cmp(&b.group)
                .then(value(other).total_cmp(&value(one)))
        });
        Self {
            table,
            ratings,
            order,
            unfinished,
        }
    }

    fn rows(&self) -> Vec<RateRow<'a>> {
        let row = |(rank, &index): (usize, &usize)| {
            let wdl = self.table.counts[index];
            let rating = &self.ratings.ratings[index];
            let next = self.order.get(rank + 1);
            RateRow {
                rank: rank + 1,
                group: rating.group + 1,
                name: &self.table.names[index],
                elo: rating.elo.and_then(|elo| twelve_digits(elo.value)),
                elo_error: rating.elo.and_then(|elo| twelve_digits(elo.error())),
                games: wdl.games(),
                wins: wdl.wins,
                draws: wdl.draws,
                losses: wdl.losses,
                score: twelve_digits(wdl.score()),
                los: next
                    .and_then(|&next| self.ratings.los(index, next))
                    .and_then(twelve_digits),
            }
        };
        self.order.iter().enumerate().map(row).collect()
    }

    fn games(&self) -> u64 {
        self.table.counts.iter().map(|wdl| wdl.games()).sum::<u64>() / 2
    }

    fn groups(&self) -> usize {
        let groups = self.ratings.ratings.iter().map(|rating| rating.group + 1);
        groups.max().unwrap_or(0)
    }

    /// Formats the ratings as one JSON object.
    pub fn json(&self) -> String {
        let white = self.ratings.white_advantage;
        let json = RateJson {
            schema: SCHEMA,
            games: self.games(),
            unfinished: self.unfinished,
            white_advantage: white.and_then(|elo| twelve_digits(elo.value)),
            white_advantage_error: white.and_then(|elo| twelve_digits(elo.error())),
            draw_chance: self.ratings.draw_chance.and_then(twelve_digits),
            groups: self.groups(),
            converged: self.ratings.converged,
            players: self.rows(),
        };
        serde_json::to_string_pretty(&json).expect("numbers and texts") + "\n"
    }

    /// Formats the ratings as CSV, one line for each engine.
    pub fn csv(&self) -> Result<String, csv::Error> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in self.rows() {
            writer.serialize(row)?;
        }
        csv_text(writer)
    }

    /// Formats the ratings as a table for people.
    pub fn human(&self) -> String {
        let groups = self.groups();
        let head = [
            "engine", "group", "Elo", "±", "games", "won", "drawn", "lost", "score", "LOS",
        ];
        let or_dash = |number: Option<f64>, text: &dyn Fn(f64) -> String| {
            number.map_or_else(|| "-".to_owned(), text)
        };
        let rows = self.rows().into_iter().map(|row| {
            vec![
                row.name.to_owned(),
                row.group.to_string(),
                or_dash(row.elo, &|elo| decimals(elo, 1)),
                or_dash(row.elo_error, &|elo| decimals(elo, 1)),
                row.games.to_string(),
                row.wins.to_string(),
                row.draws.to_string(),
                row.losses.to_string(),
                or_dash(row.score, &percent),
                or_dash(row.los, &percent),
            ]
        });
        let mut text = table(&head, 1.., rows);
        let mut line = |words: String| writeln!(text, "{words}").expect("a string takes all");
        if let Some(white) = &self.ratings.white_advantage {
            let [value, error] = [white.value, white.error()].map(|elo| decimals(elo, 1));
            line(format!("White is worth {value} ± {error} Elo"));
        }
        if let Some(chance) = self.ratings.draw_chance {
            let chance = percent(chance);
            line(format!("equal engines draw {chance} of their games"));
        }
        if groups > 1 {
            line(format!(
                "the engines are {groups} groups; nothing can be said of differences between \
                 engines of different groups (see --help)"
            ));
        }
        let unfinished = self.unfinished;
        if unfinished > 0 {
            line(format!("unfinished games left out: {unfinished}"));
        }
        text
    }
}
