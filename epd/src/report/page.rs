//! Self-contained HTML pages: key figures, charts, tables and boards. No script, and nothing from
//! elsewhere; light and dark, wide and narrow.

use std::fmt::Write as _;

use askama::Template;
use kit::chart::{STYLE, escape};

/// The page; see its template `templates/page.html`.
#[derive(Default, Template)]
#[template(path = "page.html")]
pub(crate) struct Page {
    pub(crate) title: String,
    pub(crate) subtitle: String,
    pub(crate) headline: String,
    /// `good`, `bad`, or nothing.
    pub(crate) tone: &'static str,
    pub(crate) tiles: Vec<Tile>,
    pub(crate) notes: Vec<String>,
    pub(crate) sections: Vec<Section>,
    pub(crate) style: &'static str,
    pub(crate) version: &'static str,
    /// Shapes that boards refer to, once for all of them.
    pub(crate) shapes: String,
}

impl Page {
    /// Writes the page.
    pub(crate) fn write(mut self) -> anyhow::Result<String> {
        self.style = STYLE;
        self.version = env!("CARGO_PKG_VERSION");
        Ok(self.render()? + "\n")
    }
}

/// A key figure at the top of the page.
pub(crate) struct Tile {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) small: String,
}

/// Figures, then tables, then boards below a heading.
#[derive(Default)]
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) figures: Vec<Figure>,
    pub(crate) tables: Vec<Table>,
    pub(crate) boards: Vec<BoardCard>,
    pub(crate) note: String,
}

pub(crate) struct Figure {
    pub(crate) title: String,
    pub(crate) caption: String,
    pub(crate) svg: String,
    pub(crate) keys: Vec<Key>,
}

/// The legend entry of a curve.
pub(crate) struct Key {
    class: &'static str,
    name: String,
}

impl Key {
    pub(crate) fn new(class: &'static str, name: impl Into<String>) -> Self {
        let name = name.into();
        Self { class, name }
    }
}

/// A table; the first cell of a row is its header.
pub(crate) struct Table {
    caption: String,
    head: Vec<Cell>,
    rows: Vec<Vec<Cell>>,
}

#[derive(Clone)]
pub(crate) struct Cell {
    text: String,
    is_text: bool,
}

impl Cell {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            text,
            is_text: true,
        }
    }

    pub(crate) fn number(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            text,
            is_text: false,
        }
    }
}

impl Table {
    /// Columns are aligned as the cells of the first row.
    pub(crate) fn new(
        caption: &str,
        head: &[impl AsRef<str>],
        rows: impl IntoIterator<Item = Vec<Cell>>,
    ) -> Self {
        let rows: Vec<Vec<Cell>> = rows.into_iter().collect();
        let head = head.iter().enumerate().map(|(column, name)| Cell {
            text: name.as_ref().to_owned(),
            is_text: rows
                .first()
                .and_then(|row| row.get(column))
                .is_none_or(|cell| cell.is_text),
        });
        Self {
            caption: caption.to_owned(),
            head: head.collect(),
            rows,
        }
    }

    /// The name of a column, shown beside the cell where a row is not shown as a row.
    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "templates pass references"
    )]
    fn label(&self, column: &usize) -> &str {
        self.head.get(*column).map_or("", |cell| cell.text.as_str())
    }
}

/// A board with what was wanted and what was played.
pub(crate) struct BoardCard {
    pub(crate) title: String,
    pub(crate) svg: String,
    /// Pairs of a name and a text.
    pub(crate) facts: Vec<(&'static str, String)>,
    pub(crate) href: String,
}

/// The chart is placed below the picture's title, in its own units.
const FRAME: &str = r#"viewBox="0 -30 400 286" width="800" height="572""#;

/// A chart as a file of its own, with its style and its legend.
pub(crate) fn alone(figure: &Figure) -> String {
    let (_, rest) = figure.svg.split_once('>').expect("a first tag");
    let caption = escape(&figure.caption);
    let mut keys = String::new();
    for (key, x) in figure.keys.iter().zip((60..).step_by(130)) {
        let name = escape(&key.name);
        write!(
            keys,
            r#"<path class="{}" d="M{x} 248h24"/><text class="note" x="{}" y="252">{name}</text>"#,
            key.class,
            x + 30
        )
        .expect("a string takes all");
    }
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" {FRAME} role="img" aria-label="{caption}"><style>
{STYLE}.back {{ fill: var(--card); }}
</style><rect class="back" y="-30" width="400" height="286"/><text class="note" x="200" y="-12" text-anchor="middle">{caption}</text>{keys}{rest}
"#
    )
}
