//! Standings, ratings and cross table of many engines, as text.

use std::collections::BTreeMap;

use super::{DASH, elo_interval, quarters, standings, table};
use crate::model::EngineIndex;
use crate::play::schedule::{Standings, StandingsRow};
use crate::stats::rating::{self, Rating};
use crate::stats::{Estimate, Wdl};

pub(super) const ABOUT_RATINGS: &str =
    "Elo is above the mean of all; a dash: all games won or lost, or an error above 400.";

/// Maximum width of a cross table with names above its columns; a wider one has ranks there.
const WIDTH: usize = 100;

/// Ratings of the engines that have played, and the advantage of White.
pub(super) fn ratings(standings: &Standings) -> (BTreeMap<EngineIndex, Rating>, Option<Estimate>) {
    let mut table = rating::Table::default();
    let mut places = BTreeMap::new();
    for &(white, black) in standings.games().keys() {
        for engine in [white, black] {
            places.entry(engine).or_insert(0);
        }
    }
    for (place, (engine, index)) in places.iter_mut().enumerate() {
        *index = place;
        table.names.push(engine.0.to_string());
        table.counts.push(Wdl::default());
    }
    for ((white, black), &games) in standings.games() {
        table.add_games(places[white], places[black], games);
    }
    if places.is_empty() {
        return (BTreeMap::new(), None);
    }
    let ratings = rating::rate(&table);
    let by_engine = places.into_keys().zip(ratings.ratings).collect();
    (by_engine, ratings.white_advantage)
}

/// A rating among many engines; a dash if its error is too large to be useful.
pub(super) fn rating(rating: Option<&Rating>) -> String {
    /// Maximum half-width of the interval, in Elo.
    const MOST_ERROR: f64 = 400.0;
    let elo = rating.and_then(|rating| rating.elo);
    let elo = elo.filter(|elo| elo.error() <= MOST_ERROR);
    elo.map_or_else(|| DASH.to_owned(), |elo| elo_interval(&elo, 1))
}

/// Points of all games, as `2.5/4`; a dash without games.
pub(super) fn points(games: Wdl) -> String {
    if games.games() == 0 {
        return DASH.to_owned();
    }
    format!("{}/{}", quarters(2 * games.half_points()), games.games())
}

/// The standings with Elo, and below them the cross table.
pub(super) fn text<'a>(
    all: &Standings,
    ratings: &BTreeMap<EngineIndex, Rating>,
    name: impl Fn(EngineIndex) -> &'a str,
) -> String {
    let rows = all.table();
    standings_text(&rows, ratings, &name) + ABOUT_RATINGS + "\n\n" + &cross_text(all, &rows, &name)
}

fn standings_text<'a>(
    rows: &[StandingsRow],
    ratings: &BTreeMap<EngineIndex, Rating>,
    name: impl Fn(EngineIndex) -> &'a str,
) -> String {
    let head = [
        "engine", "rank", "points", "games", "won", "drawn", "lost", "byes", "SB", "Elo",
    ];
    let rows = rows.iter().map(|row| {
        [
            name(row.engine).to_owned(),
            row.rank.to_string(),
            quarters(2 * row.half_points).to_string(),
            row.score.games().to_string(),
            row.score.wins.to_string(),
            row.score.draws.to_string(),
            row.score.losses.to_string(),
            row.byes.to_string(),
            quarters(row.sonneborn_berger_quarters).to_string(),
            rating(ratings.get(&row.engine)),
        ]
    });
    standings(head, rows)
}

/// Points of each engine against each other one, in the order of the standings.
fn cross_text<'a>(
    all: &Standings,
    rows: &[StandingsRow],
    name: impl Fn(EngineIndex) -> &'a str,
) -> String {
    let engines: Vec<EngineIndex> = rows.iter().map(|row| row.engine).collect();
    let cells = engines.iter().zip(1..).map(|(&one, place)| {
        let against = engines.iter().map(|&other| {
            if one == other {
                String::new()
            } else {
                points(all.against(one, other))
            }
        });
        let first = format!("{place}. {}", name(one));
        std::iter::once(first).chain(against).collect()
    });
    let cells: Vec<Vec<String>> = cells.collect();
    let names = engines.iter().map(|&engine| name(engine).to_owned());
    let names = std::iter::once("points against".to_owned()).chain(names);
    let named = table(&names.collect::<Vec<_>>(), 1.., cells.clone());
    if named.lines().all(|line| line.chars().count() <= WIDTH) {
        return named;
    }
    let places = (1..=engines.len()).map(|place| place.to_string());
    let places = std::iter::once("points against".to_owned()).chain(places);
    table(&places.collect::<Vec<_>>(), 1.., cells)
}
