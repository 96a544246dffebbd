//! A run as one self-contained HTML page, with style, charts, games and a script inline.

mod figures;
mod games;
mod stages;
mod tables;

use std::fmt::Write as _;

use askama::Template;
use base64::Engine as _;
use kit::page::{Page, PageSection, Script, TableCell, Tile};
use sha2::{Digest as _, Sha256};

use super::RunReport;
use super::text;
use crate::model::{EngineIndex, TournamentFormat};
use crate::play::ledger::UtcTime;
use crate::report::{count, decimals, elo_number, percent};
use crate::stats::{Estimate, Wdl};
pub use games::{MOST_PAGE_FAULTS, MOST_PAGE_GAMES, PageGames};

/// Lists of games and the board.
const SCRIPT: &str = include_str!("../../../../templates/run.js");

/// The style of lists of games, the board and brackets.
const STYLE: &str = include_str!("../../../../templates/run.css");

/// The games of the page; see its template `templates/games.html`.
#[derive(Template)]
#[template(path = "games.html")]
struct GamesHtml {
    /// What is said if not all games are in the page.
    choice: Option<String>,
}

/// A number of games, with a link to them unless there are none.
fn games_cell(games: u64, list: &str) -> TableCell {
    let cell = TableCell::number(games);
    if games == 0 { cell } else { cell.to(list) }
}

/// `+12 =30 -8`, each with a link to the games. `name` is the query for their result.
fn wdl_cell(games: Wdl, list: &str, name: &str) -> TableCell {
    let results = [
        ('+', games.wins, "won"),
        ('=', games.draws, "drawn"),
        ('-', games.losses, "lost"),
    ];
    TableCell::from_pieces(results.map(|(sign, games, result)| {
        let href = (games > 0).then(|| format!("{list}&{name}={result}"));
        (format!("{sign}{games}"), href)
    }))
}

/// A fraction as a bar beside its percentage.
fn part_cell(some: u64, all: u64) -> TableCell {
    let share = part(some, all);
    TableCell::number(percent(share)).with_bar([("part", share)])
}

/// Games won, drawn and lost as a bar beside the score.
fn score_cell(games: Wdl) -> TableCell {
    let results = [
        ("won", games.wins),
        ("even", games.draws),
        ("lost", games.losses),
    ];
    TableCell::number(text::score(games))
        .with_bar(results.map(|(class, some)| (class, part(some, games.games()))))
}

/// The interval alone, without the number.
fn range(estimate: &Estimate, text: impl Fn(f64) -> String) -> String {
    if estimate.error().is_nan() {
        return "no interval from so few or equal results".to_owned();
    }
    format!("{} to {}", text(estimate.lower), text(estimate.upper))
}

/// A fraction from 0 to 1; 0 if `all` is 0.
#[expect(clippy::cast_precision_loss, reason = "counts are below 2^53")]
fn part(some: u64, all: u64) -> f64 {
    some as f64 / all.max(1) as f64
}

impl RunReport<'_> {
    /// Formats the page with these games. `links` is the path from the page to the run directory, for
    /// instance `../run/`; it is empty if the page is in that directory.
    pub fn html(&self, links: &str, games: &PageGames) -> String {
        let headline = self.headline();
        let engines = self.config.engines.iter();
        let engines: Vec<&str> = engines.map(|one| one.name.as_str()).collect();
        let is_all = games.len() as u64 == games.total();
        let hash = base64::prelude::BASE64_STANDARD.encode(Sha256::digest(SCRIPT));
        let copies = self.copies();
        let games_html = GamesHtml {
            choice: (!is_all).then(|| {
                format!(
                    "{} of {} are in this page: the first {MOST_PAGE_FAULTS} that ended by a fault, and the \
                     last others. All are in games.pgn.",
                    games.len(),
                    count(games.total(), "game")
                )
            }),
        };
        let when = self.when().into_iter().map(|(_, value)| value);
        let when = when.collect::<Vec<_>>().join(" · ");
        let about = [
            format!("{}: {}", self.config.event, self.subtitle()),
            when,
            self.progress(),
            self.state_line(),
        ];
        let page = Page {
            title: self.title(),
            about: about.into_iter().filter(|line| !line.is_empty()).collect(),
            headline: headline.text,
            tone: headline.tone,
            tiles: self.tiles(),
            sections: self.sections(links),
            // Copies have a line of their own.
            notes: { self.notes().into_iter() }
                .filter(|note| Some(note) != copies.as_ref())
                .collect(),
            warning: copies,
            style: STYLE,
            own: games_html
                .render()
                .expect("writing to a string does not fail"),
            script: Some(Script {
                text: SCRIPT,
                sha256: hash,
                data: games.data(&engines),
            }),
            footer: format!(
                "Written by selfplay {} from the ledger of the run. Intervals are of 95%.",
                env!("CARGO_PKG_VERSION")
            ),
            ..Page::default()
        };
        page.html()
    }

    /// `new against base, SPRT [0, 5] Elo`; `Swiss tournament of 6 engines`.
    fn title(&self) -> String {
        let config = self.config;
        if config.format != TournamentFormat::Match {
            let engines = count(config.engines.len() as u64, "engine");
            let format = text::format_name(config.format);
            let first = format[..1].to_uppercase();
            return format!("{first}{} of {engines}", &format[1..]);
        }
        let [first, second] = [0, 1].map(|index| self.name(EngineIndex(index)));
        let test = config.sprt.as_ref().map(|sprt| {
            let unit = text::unit(sprt.model);
            format!(", SPRT [{}, {}] {unit}", sprt.elo0, sprt.elo1)
        });
        format!("{first} against {second}{}", test.unwrap_or_default())
    }

    /// Date, duration and machine, as far as they are known.
    fn when(&self) -> Vec<(&'static str, String)> {
        let pace = &self.summary.pace;
        let mut when = Vec::new();
        if let Some([from, to]) = pace.span_ms {
            let [from, to] = [from, to].map(UtcTime::of_milliseconds);
            let day = |time: &UtcTime| time.date().replace('.', "-");
            let time = |time: &UtcTime| time.time()[..5].to_owned();
            let end = if day(&from) == day(&to) {
                time(&to)
            } else {
                format!("{} {}", day(&to), time(&to))
            };
            let date = format!("{} {} to {end} UTC", day(&from), time(&from));
            when.push(("Date", date));
            when.push(("Duration", text::duration(pace.busy_ms)));
        }
        if let Some(host) = self.place.and_then(|place| place.host) {
            when.push(("Machine", host.to_string()));
        }
        when
    }

    fn tiles(&self) -> Vec<Tile> {
        let mut tiles = Vec::new();
        let mut tile = |name: &str, value, small| {
            let name = name.to_owned();
            tiles.push(Tile { name, value, small });
        };
        if let Some(couple) = self.summary.only_couple() {
            if let Some(strength) = &couple.strength {
                let (elo, nelo) = (&strength.elo, &strength.nelo);
                let one_place = |number| decimals(number, 1);
                let elo_place = |number| elo_number(number, 1);
                if elo.value.is_finite() {
                    tile("Elo", elo_place(elo.value), range(elo, elo_place));
                }
                if nelo.value.is_finite() {
                    tile("nElo", one_place(nelo.value), range(nelo, one_place));
                }
                if strength.los.is_finite() {
                    let los = "likelihood of superiority".to_owned();
                    tile("LOS", percent(strength.los), los);
                }
            }
            let games = couple.counted.games;
            tile("Score", text::score(games), crate::report::wdl(games));
        }
        if let Some(test) = &self.summary.result.test {
            let bounds = format!("bounds {}", text::bounds(test));
            tile("LLR", decimals(test.llr, 2), bounds);
        }
        let summary = self.summary;
        tile("Games", summary.result.games.to_string(), self.scheduled());
        if summary.result.games > 0 {
            let small = if summary.result.distinct == summary.result.games {
                "no copies"
            } else {
                "the others are copies"
            };
            let distinct = summary.result.distinct.to_string();
            tile("Distinct games", distinct, small.to_owned());
        }
        let faults = summary.result.games_lost_by_faults();
        let small = match faults {
            0 => "every game ended by the rules",
            _ => "games lost by them",
        };
        tile("Faults", faults.to_string(), small.to_owned());
        tiles
    }

    fn scheduled(&self) -> String {
        let rate = self.summary.pace.games_per_minute;
        let rate = rate.map(|rate| format!("{} a minute", decimals(rate, 1)));
        let all = self.summary.result.scheduled;
        let of = match all.filter(|&all| all != self.summary.result.games) {
            _ if self.config.is_unlimited() => Some("no limit".to_owned()),
            all => all.map(|all| format!("of {all}")),
        };
        let parts: Vec<String> = [of, rate].into_iter().flatten().collect();
        parts.join(", ")
    }

    fn sections(&self, links: &str) -> Vec<PageSection> {
        let mut sections = Vec::new();
        let section = |title: &str, tables| PageSection {
            title: title.to_owned(),
            tables,
            ..PageSection::default()
        };
        if self.summary.result.games > 0 {
            sections.push(self.strength_section());
            sections.extend(self.stages_section());
            sections.push(self.games_section());
            sections.push(PageSection {
                figures: figures::time(self).into_iter().collect(),
                ..section("Time", vec![self.time_table()])
            });
        }
        let mut faults = Vec::new();
        if self.summary.result.games_lost_by_faults() > 0 {
            faults.extend([self.fault_counts(), self.fault_list(links)]);
        }
        if !self.summary.result.incidents.is_empty() {
            faults.push(self.incident_counts(links));
        }
        if !faults.is_empty() {
            sections.push(section("Faults", faults));
        }
        if !self.summary.workers.is_empty() {
            sections.push(section("Machines", vec![self.worker_table()]));
        }
        sections.push(section("Configuration", self.configuration()));
        sections
    }

    fn strength_section(&self) -> PageSection {
        let summary = self.summary;
        let mut figures = Vec::new();
        if let Some(couple) = summary.only_couple() {
            let test = summary.result.test.as_ref();
            figures.extend(test.and_then(|test| figures::llr(&summary.course, test)));
            figures.extend(figures::elo(&summary.course));
            figures.extend(figures::pentanomial(couple));
        }
        let mut tables = vec![self.couples_table()];
        if let Some(couple) = summary.only_couple() {
            tables.push(self.strength_table(couple));
        } else {
            tables.splice(0..0, [self.standings_table(), self.cross_table()]);
        }
        PageSection {
            title: "Strength".to_owned(),
            figures,
            tables,
            ..PageSection::default()
        }
    }

    fn games_section(&self) -> PageSection {
        let mut tables = vec![self.endings_table(), self.colors_table()];
        tables.extend(self.openings_table());
        let lengths = self.summary.lengths.iter();
        PageSection {
            title: "Results".to_owned(),
            figures: lengths.map(figures::lengths).collect(),
            tables,
            ..PageSection::default()
        }
    }
}

/// Percent-encodes a path for use in a URL.
fn address(path: &str) -> String {
    let mut address = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => {
                address.push(char::from(byte));
            }
            _ => write!(address, "%{byte:02X}").expect("a string takes all"),
        }
    }
    address
}

impl RunReport<'_> {
    /// One picture as SVG: the LLR of a test between its bounds; without a test, Elo with its
    /// interval; before that is known, the pairs by points, or the lengths of the games. `None` for more
    /// than two engines, or without a game.
    pub fn svg(&self) -> Option<String> {
        let summary = self.summary;
        let couple = summary.only_couple()?;
        let llr = summary.result.test.as_ref();
        let llr = llr.and_then(|test| figures::llr(&summary.course, test));
        llr.or_else(|| figures::elo(&summary.course))
            .or_else(|| figures::pentanomial(couple))
            .or_else(|| summary.lengths.as_ref().map(figures::lengths))
            .map(|figure| figure.alone())
    }
}
