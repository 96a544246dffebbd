//! A run as one self-contained HTML page, with style and charts inline and without scripts.

mod figures;
mod tables;

use std::fmt::Write as _;

use askama::Template;
use kit::chart::{Chart, escape};

use super::RunReport;
use super::text::{self, Tone};
use crate::report::{DASH, decimals, elo_number, percent, wdl};
use crate::stats::{Estimate, Wdl};

/// The page; see its template `templates/run.html`.
#[derive(Template)]
#[template(path = "run.html")]
struct Page<'a> {
    event: &'a str,
    subtitle: String,
    progress: String,
    state: String,
    copies: Option<String>,
    version: &'static str,
    headline: String,
    tone: &'static str,
    tiles: Vec<Tile>,
    sections: Vec<Section>,
    notes: Vec<String>,
}

/// A key figure at the top of the page.
struct Tile {
    name: &'static str,
    value: String,
    small: String,
}

/// Figures, then tables, below a heading.
struct Section {
    title: &'static str,
    figures: Vec<Figure>,
    tables: Vec<TableOf>,
}

struct Figure {
    title: &'static str,
    caption: String,
    svg: String,
    keys: Vec<Key>,
}

/// The legend entry of a curve.
struct Key {
    class: &'static str,
    name: String,
}

/// A table; the first cell of a row is its header.
struct TableOf {
    caption: String,
    head: Vec<&'static str>,
    rows: Vec<Vec<Cell>>,
}

/// A cell, optionally with a link or a bar.
#[derive(Default)]
struct Cell {
    text: String,
    href: Option<String>,
    bars: Vec<Bar>,
    is_text: bool,
}

struct Bar {
    class: &'static str,
    percent: String,
}

impl Figure {
    fn new(title: &'static str, caption: &str, chart: Chart) -> Self {
        Self {
            title,
            caption: caption.to_owned(),
            svg: chart.finish(),
            keys: Vec::new(),
        }
    }
}

impl TableOf {
    fn new(
        caption: impl Into<String>,
        head: Vec<&'static str>,
        rows: impl Iterator<Item = Vec<Cell>>,
    ) -> Self {
        let (caption, rows) = (caption.into(), rows.collect());
        Self {
            caption,
            head,
            rows,
        }
    }

    fn has_head(&self) -> bool {
        self.head.iter().any(|name| !name.is_empty())
    }

    /// Column names, and whether each column holds text.
    fn columns(&self) -> Vec<(&'static str, bool)> {
        let first = self.rows.first().map_or(&[][..], Vec::as_slice);
        let is_text = |column: usize| first.get(column).is_some_and(|cell| cell.is_text);
        let names = self.head.iter().enumerate();
        names
            .map(|(column, &name)| (name, is_text(column)))
            .collect()
    }
}

impl Cell {
    /// A number, or another entry of a column of numbers.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "numbers are copied, texts made for it"
    )]
    fn number(text: impl ToString) -> Self {
        Self {
            text: text.to_string(),
            ..Self::default()
        }
    }

    fn words(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            is_text: true,
            ..Self::default()
        }
    }

    /// A fraction as a bar beside its percentage.
    fn part(some: u64, all: u64) -> Self {
        Self {
            text: percent(part(some, all)),
            bars: vec![Bar::new("part", part(some, all))],
            ..Self::default()
        }
    }

    /// Games won, drawn and lost as a bar beside the score.
    fn score(games: Wdl) -> Self {
        let bar = |class, some| Bar::new(class, part(some, games.games()));
        let won = bar("won", games.wins);
        Self {
            text: text::score(games),
            bars: vec![won, bar("even", games.draws), bar("lost", games.losses)],
            ..Self::default()
        }
    }
}

impl Bar {
    fn new(class: &'static str, part: f64) -> Self {
        let percent = decimals(100.0 * part, 2);
        Self { class, percent }
    }
}

/// The interval alone, without the number.
fn range(estimate: &Estimate, text: impl Fn(f64) -> String) -> String {
    if estimate.error().is_nan() {
        return format!("interval {DASH}");
    }
    format!("{} to {}", text(estimate.lower), text(estimate.upper))
}

/// A fraction from 0 to 1; 0 if `all` is 0.
#[expect(clippy::cast_precision_loss, reason = "counts are below 2^53")]
fn part(some: u64, all: u64) -> f64 {
    some as f64 / all.max(1) as f64
}

impl RunReport<'_> {
    /// Formats the page. `links` is the path from the page to the run directory, for instance
    /// `../run/`; it is empty if the page is in that directory.
    pub fn html(&self, links: &str) -> String {
        let headline = self.headline();
        let page = Page {
            event: &self.config.event,
            subtitle: self.subtitle(),
            progress: self.progress(),
            state: self.state_line(),
            copies: self.copies(),
            version: env!("CARGO_PKG_VERSION"),
            headline: headline.text,
            tone: match headline.tone {
                Tone::Good => "good",
                Tone::Bad => "bad",
                Tone::Open => "open",
            },
            tiles: self.tiles(),
            sections: self.sections(links),
            notes: self.notes(),
        };
        page.render().expect("writing to a string does not fail")
    }

    fn tiles(&self) -> Vec<Tile> {
        let mut tiles = Vec::new();
        let mut tile = |name, value, small| tiles.push(Tile { name, value, small });
        if let Some(couple) = self.summary.only_couple() {
            if let Some(strength) = &couple.strength {
                let (elo, nelo) = (&strength.elo, &strength.nelo);
                let one_place = |number| decimals(number, 1);
                let elo_place = |number| elo_number(number, 1);
                tile("Elo", elo_place(elo.value), range(elo, elo_place));
                tile("nElo", one_place(nelo.value), range(nelo, one_place));
                let los = "likelihood of superiority".to_owned();
                tile("LOS", percent(strength.los), los);
            }
            let games = couple.counted.games;
            tile("Score", text::score(games), wdl(games));
        }
        if let Some(test) = &self.summary.test {
            let bounds = format!("bounds {}", text::bounds(test));
            tile("LLR", decimals(test.llr, 2), bounds);
        }
        let summary = self.summary;
        tile("Games", summary.games.to_string(), self.scheduled());
        if summary.games > 0 {
            let small = if summary.distinct == summary.games {
                "no copies"
            } else {
                "the others are copies"
            };
            let distinct = summary.distinct.to_string();
            tile("Distinct games", distinct, small.to_owned());
        }
        let faults = summary.faults.total();
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
        let all = self.summary.scheduled;
        let of = match all.filter(|&all| all != self.summary.games) {
            _ if self.config.is_unlimited() => Some("no limit".to_owned()),
            all => all.map(|all| format!("of {all}")),
        };
        let parts: Vec<String> = [of, rate].into_iter().flatten().collect();
        parts.join(", ")
    }

    fn sections(&self, links: &str) -> Vec<Section> {
        let mut sections = Vec::new();
        let section = |title, tables| Section {
            title,
            figures: Vec::new(),
            tables,
        };
        if self.summary.games > 0 {
            sections.push(self.strength_section());
            sections.push(self.games_section());
            sections.push(Section {
                figures: figures::time(self).into_iter().collect(),
                ..section("Time", vec![self.time_table()])
            });
        }
        let mut faults = Vec::new();
        if self.summary.faults.total() > 0 {
            faults.extend([self.fault_counts(), self.fault_list(links)]);
        }
        if !self.summary.faults.incidents.is_empty() {
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

    fn strength_section(&self) -> Section {
        let summary = self.summary;
        let mut figures = Vec::new();
        if let Some(couple) = summary.only_couple() {
            let test = summary.test.as_ref();
            figures.extend(test.and_then(|test| figures::llr(&summary.course, test)));
            figures.extend(figures::elo(&summary.course));
            figures.extend(figures::pentanomial(couple));
        }
        let mut tables = vec![self.couples_table()];
        match summary.only_couple() {
            Some(couple) => tables.push(self.strength_table(couple)),
            None => tables.insert(0, self.standings_table()),
        }
        Section {
            title: "Strength",
            figures,
            tables,
        }
    }

    fn games_section(&self) -> Section {
        let mut tables = vec![self.endings_table(), self.colors_table()];
        tables.extend(self.openings_table());
        let lengths = self.summary.lengths.iter();
        Section {
            title: "Games",
            figures: lengths.map(figures::lengths).collect(),
            tables,
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

// A chart of a run as a standalone file, with the style included.

/// Colours and lines of all charts, as on the page.
const STYLE: &str = include_str!("../../../../templates/chart.css");
/// The chart is placed below the picture's title, in its own units.
const FRAME: &str = r#"viewBox="0 -30 400 266" width="800" height="532""#;

impl RunReport<'_> {
    /// One picture as SVG: the LLR of a test between its bounds; without a test, Elo with its
    /// interval. `None` for more than two engines, or before intervals are known.
    pub fn svg(&self) -> Option<String> {
        let summary = self.summary;
        summary.only_couple()?;
        let llr = summary.test.as_ref();
        let llr = llr.and_then(|test| figures::llr(&summary.course, test));
        llr.or_else(|| figures::elo(&summary.course))
            .map(|figure| alone(&figure))
    }
}

fn alone(figure: &Figure) -> String {
    let (_, rest) = figure.svg.split_once('>').expect("a first tag");
    let caption = escape(&figure.caption);
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" {FRAME} role="img" aria-label="{caption}"><style>
{STYLE}.back {{ fill: var(--card); }}
</style><rect class="back" y="-30" width="400" height="266"/><text class="note" x="200" y="-12" text-anchor="middle">{caption}</text>{rest}
"#
    )
}
