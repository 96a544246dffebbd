//! Self-contained HTML pages: a headline, key figures, and sections of charts and tables; light and dark, wide and
//! narrow, on paper. Nothing is loaded from elsewhere. The charts also as SVG files of their own.

use std::fmt::Write as _;

use askama::Template;

use crate::chart::{Chart, STYLE, escape};

/// A page. What only one program shows is HTML that it writes itself: `shapes`, `own` and the sections' `own`.
#[derive(Default, Template)]
#[template(path = "page.html")]
pub struct Page {
    /// In the head, and above the headline.
    pub title: String,
    /// Lines below the title.
    pub about: Vec<String>,
    /// The result in one sentence.
    pub headline: String,
    /// How the headline is coloured.
    pub tone: Tone,
    /// A reason to doubt the headline, shown as large.
    pub warning: Option<String>,
    /// The results in a few numbers.
    pub tiles: Vec<Tile>,
    /// What readers have to know, in small print.
    pub notes: Vec<String>,
    /// The body.
    pub sections: Vec<PageSection>,
    /// The style of the program's own HTML, as CSS.
    pub style: &'static str,
    /// HTML before the header, such as shapes that pictures refer to.
    pub shapes: String,
    /// HTML behind the sections.
    pub own: String,
    /// For lists and boards that can be operated; pages are complete without it.
    pub script: Option<Script>,
    /// The last line.
    pub footer: String,
}

/// Whether a headline is good news.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Good news: green.
    Good,
    /// Bad news: red.
    Bad,
    /// Neither, or not decided yet.
    #[default]
    Open,
}

/// A script, the only one that the page's content security policy lets run.
pub struct Script {
    /// The source, which runs when the page has been read.
    pub text: &'static str,
    /// SHA-256 of the text, in base64.
    pub sha256: String,
    /// JSON for the script, in the element `data`; without `<`.
    pub data: String,
}

/// A key figure at the top of the page.
pub struct Tile {
    /// What was measured.
    pub name: String,
    /// The number, shown large.
    pub value: String,
    /// Its interval or unit, shown small below it.
    pub small: String,
}

/// Charts, then tables, then the program's own HTML and a note, below a heading.
#[derive(Default)]
pub struct PageSection {
    /// The heading.
    pub title: String,
    /// Charts, side by side where there is room.
    pub figures: Vec<Figure>,
    /// Tables below them.
    pub tables: Vec<PageTable>,
    /// HTML of the program's own.
    pub own: String,
    /// The last line; none if empty.
    pub note: String,
}

/// A chart with its name, what it shows, and a legend.
pub struct Figure {
    title: String,
    caption: String,
    svg: String,
    /// The legend.
    pub keys: Vec<LegendKey>,
}

/// The legend entry of a curve or of a band.
pub struct LegendKey {
    /// Its classes in the chart.
    class: &'static str,
    name: String,
}

/// A table; the first cell of a row is its header.
pub struct PageTable {
    caption: String,
    head: Vec<String>,
    rows: Vec<Vec<TableCell>>,
}

/// A cell: one or more texts, optionally with links, and a bar.
#[derive(Clone, Default)]
pub struct TableCell {
    pieces: Vec<CellPiece>,
    bars: Vec<CellBar>,
    is_text: bool,
}

#[derive(Clone)]
struct CellPiece {
    text: String,
    href: Option<String>,
}

#[derive(Clone)]
struct CellBar {
    class: &'static str,
    percent: String,
}

impl Page {
    /// The page as HTML.
    #[must_use]
    pub fn html(&self) -> String {
        self.render().expect("writing to a string does not fail") + "\n"
    }
}

impl Tone {
    const fn class(self) -> &'static str {
        match self {
            Self::Good => " good",
            Self::Bad => " bad",
            Self::Open => "",
        }
    }
}

impl Figure {
    /// Without a legend.
    #[must_use]
    pub fn new(title: impl Into<String>, caption: impl Into<String>, chart: Chart) -> Self {
        Self {
            title: title.into(),
            caption: caption.into(),
            svg: chart.finish(),
            keys: Vec::new(),
        }
    }

    /// The chart as a file of its own, with its style, its caption above it and its legend below.
    #[must_use]
    pub fn alone(&self) -> String {
        // The chart alone has another size, so its first tag is replaced.
        let (_, rest) = self.svg.split_once('>').expect("a first tag");
        let caption = escape(&self.caption);
        let mut keys = String::new();
        for (key, x) in self.keys.iter().zip((60..).step_by(130)) {
            let name = escape(&key.name);
            write!(
                keys,
                r#"<path class="{}" d="M{x} 248h24"/><text class="note" x="{}" y="252">{name}</text>"#,
                key.class,
                x + 30
            )
            .expect("a string takes all");
        }
        // The caption takes 30 units above the chart's 236, a legend 20 below.
        let height = if keys.is_empty() { 266 } else { 286 };
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -30 400 {height}" width="800" height="{}" role="img" aria-label="{caption}"><style>
{STYLE}.back {{ fill: var(--card); }}
</style><rect class="back" y="-30" width="400" height="{height}"/><text class="note" x="200" y="-12" text-anchor="middle">{caption}</text>{keys}{rest}
"#,
            2 * height
        )
    }
}

/// All charts as one SVG picture below a title, in up to three columns. `style` is CSS of the program's own.
#[must_use]
pub fn picture(title: &str, figures: &[Figure], style: &str) -> String {
    /// Size of a chart in its own units.
    const CHART: [usize; 2] = [400, 236];
    /// Space for the title, and for name and caption above each chart.
    const HEAD: usize = 52;
    /// Space beside a chart, which captions may take.
    const GAP: usize = 40;
    let columns = match figures.len() {
        ..=1 => 1,
        2..=8 => 2,
        _ => 3,
    };
    let [width, height] = [CHART[0] + GAP, CHART[1] + HEAD];
    let all = [
        width * columns,
        HEAD + height * figures.len().div_ceil(columns),
    ];
    let title = escape(title);
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" aria-label="{title}"><style>
{STYLE}.back {{ fill: var(--card); }} svg .name {{ fill: var(--ink); font-weight: 600; }}{style}
</style><rect class="back" width="100%" height="100%"/><text class="note" x="12" y="28">{title}</text>"#,
        all[0], all[1]
    );
    for (index, figure) in figures.iter().enumerate() {
        let left = width * (index % columns);
        let top = HEAD + height * (index / columns);
        let (name, caption) = (escape(&figure.title), escape(&figure.caption));
        // The place in the picture is added to the chart's own tag.
        let chart = figure.svg.strip_prefix("<svg ").expect("an element");
        write!(
            svg,
            r#"<text class="name" x="{0}" y="{1}">{name}</text><text x="{0}" y="{2}">{caption}</text><svg x="{left}" y="{3}" width="{4}" height="{5}" {chart}"#,
            left + 12,
            top + 16,
            top + 34,
            top + HEAD - 8,
            CHART[0],
            CHART[1],
        )
        .expect("a string takes all");
    }
    svg + "</svg>\n"
}

impl LegendKey {
    /// `class` is that of the curve in the chart.
    pub fn new(class: &'static str, name: impl Into<String>) -> Self {
        let name = name.into();
        Self { class, name }
    }

    /// Its sample: an area for a band, else a line.
    fn path(&self) -> &'static str {
        match self.class {
            "band" => "M0 0H32V8H0Z",
            _ => "M0 4H32",
        }
    }
}

impl PageTable {
    /// Columns are aligned as the cells of the first row; without names there is no head.
    pub fn new(
        caption: impl Into<String>,
        head: impl IntoIterator<Item = impl Into<String>>,
        rows: impl IntoIterator<Item = Vec<TableCell>>,
    ) -> Self {
        Self {
            caption: caption.into(),
            head: head.into_iter().map(Into::into).collect(),
            rows: rows.into_iter().collect(),
        }
    }

    fn has_head(&self) -> bool {
        self.head.iter().any(|name| !name.is_empty())
    }

    /// Column names, and whether each column holds text.
    fn columns(&self) -> Vec<(&str, bool)> {
        let first = self.rows.first().map_or(&[][..], Vec::as_slice);
        let is_text = |column: usize| first.get(column).is_some_and(|cell| cell.is_text);
        let names = self.head.iter().enumerate();
        names
            .map(|(column, name)| (name.as_str(), is_text(column)))
            .collect()
    }

    /// The name of a column, shown beside the cell where a row is not shown as a row.
    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "templates pass references"
    )]
    fn label(&self, column: &usize) -> &str {
        self.head.get(*column).map_or("", String::as_str)
    }
}

impl TableCell {
    /// A number, or another entry of a column of numbers.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "numbers are copied, texts made for it"
    )]
    pub fn number(text: impl ToString) -> Self {
        Self::from_pieces([(text.to_string(), None)])
    }

    /// A text, aligned to the left.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            is_text: true,
            ..Self::from_pieces([(text.into(), None)])
        }
    }

    /// Texts, each with the address it links to, in a column of numbers.
    pub fn from_pieces(pieces: impl IntoIterator<Item = (String, Option<String>)>) -> Self {
        let pieces = pieces.into_iter();
        Self {
            pieces: pieces
                .map(|(text, href)| CellPiece { text, href })
                .collect(),
            ..Self::default()
        }
    }

    /// Links a cell of one text.
    #[must_use]
    pub fn to(mut self, href: impl Into<String>) -> Self {
        if let [piece] = self.pieces.as_mut_slice() {
            piece.href = Some(href.into());
        }
        self
    }

    /// Puts a bar before the text, of parts with a class and a share of the width from 0 to 1.
    #[must_use]
    pub fn with_bar(mut self, parts: impl IntoIterator<Item = (&'static str, f64)>) -> Self {
        let parts = parts.into_iter();
        self.bars = parts
            .map(|(class, share)| CellBar {
                class,
                percent: format!("{:.2}", 100.0 * share),
            })
            .collect();
        self
    }
}
