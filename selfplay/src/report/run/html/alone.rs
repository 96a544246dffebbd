//! One picture of a run as a file of its own, with the style that the page has otherwise.

use super::{Figure, escape, figures};
use crate::report::run::RunReport;

/// The colours and lines of all charts, as on the page.
const STYLE: &str = include_str!("../../../../templates/chart.css");
/// Below the picture's head lies the chart, in the chart's own units.
const FRAME: &str = r#"viewBox="0 -30 400 266" width="800" height="532""#;

impl RunReport<'_> {
    /// One picture as SVG: the LLR of a test between its bounds; without a test, Elo with its
    /// interval. There is none of more than two engines, nor before intervals can be told.
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
