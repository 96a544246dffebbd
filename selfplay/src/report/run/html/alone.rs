//! A chart of a run as a standalone file, with the style included.

use super::{Figure, escape, figures};
use crate::report::run::RunReport;

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
    let (_, rest) = figure
        .svg
        .split_once('>')
        .expect("a picture has a first tag");
    let caption = escape(&figure.caption);
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" {FRAME} role="img" aria-label="{caption}"><style>
{STYLE}.back {{ fill: var(--card); }}
</style><rect class="back" y="-30" width="400" height="266"/><text class="note" x="200" y="-12" text-anchor="middle">{caption}</text>{rest}
"#
    )
}
