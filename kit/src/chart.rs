//! Small charts as SVG, coloured by the style sheet of the surrounding page: text has the classes
//! `tick`, `axis` and `note`, lines of the grid `grid` and `zero`, everything else the class that
//! its caller gives it.

use std::fmt::{self, Write as _};

/// Style of the charts, and the colours of the page around them as custom properties: `--page`, `--card`,
/// `--ink`, `--muted` and so on, in light and dark.
pub const STYLE: &str = include_str!("chart.css");

/// Width of the chart in its own units; the page scales it to the width of a column.
const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 236.0;
/// Space for the numbers and names of the axes.
const LEFT: f64 = 52.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 40.0;

/// A chart with two axes, drawn layer by layer.
pub struct Chart {
    svg: String,
    x: Scale,
    y: Scale,
}

/// Title of a chart and names of its axes.
pub struct ChartNames<'a> {
    /// What the chart shows, for screen readers.
    pub title: &'a str,
    /// Names and units of the horizontal and the vertical axis.
    pub axes: [&'a str; 2],
    /// Minimum tick distance of each axis: 1 for integers.
    pub least: [f64; 2],
}

struct Scale {
    values: [f64; 2],
    places: [f64; 2],
}

impl Scale {
    fn at(&self, value: f64) -> f64 {
        let [from, to] = self.values;
        let part = ((value - from) / (to - from)).clamp(0.0, 1.0);
        self.places[0] + part * (self.places[1] - self.places[0])
    }

    fn shows(&self, value: f64) -> bool {
        (self.values[0]..=self.values[1]).contains(&value)
    }
}

impl Chart {
    /// Axes for these ranges; an empty range is widened.
    pub fn new(names: &ChartNames<'_>, x: [f64; 2], y: [f64; 2]) -> Self {
        let mut chart = Self::frame(names, x, y);
        for value in ticks(x, names.least[0]) {
            chart.tick(value, &number(value));
        }
        chart
    }

    /// Axes with column names instead of numbers on the horizontal one.
    pub fn with_names(names: &ChartNames<'_>, columns: &[String], y: [f64; 2]) -> Self {
        let count = to_f64(columns.len());
        let mut chart = Self::frame(names, [0.0, count], y);
        for (index, column) in columns.iter().enumerate() {
            chart.tick(to_f64(index) + 0.5, &escape(column));
        }
        chart
    }

    /// A label below the horizontal axis.
    fn tick(&mut self, value: f64, label: &str) {
        let (place, below) = (self.x.at(value), HEIGHT - BOTTOM + 16.0);
        self.put(format_args!(
            r#"<text class="tick" x="{place:.1}" y="{below}" text-anchor="middle">{label}</text>"#
        ));
    }

    fn put(&mut self, element: fmt::Arguments<'_>) {
        self.svg.write_fmt(element).expect("a string takes all");
    }

    fn frame(names: &ChartNames<'_>, x: [f64; 2], y: [f64; 2]) -> Self {
        let places = [LEFT, WIDTH - RIGHT];
        let x = Scale {
            values: widened(x),
            places,
        };
        let y = Scale {
            values: widened(y),
            // SVG counts from the top down.
            places: [HEIGHT - BOTTOM, TOP],
        };
        let title = escape(names.title);
        let svg = format!(
            r#"<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}"><title>{title}</title>"#
        );
        let [from, to] = places;
        let mut chart = Self { svg, x, y };
        for value in ticks(chart.y.values, names.least[1]) {
            let place = chart.y.at(value);
            let class = if value == 0.0 { "zero" } else { "grid" };
            let label = number(value);
            chart.put(format_args!(
                r#"<path class="{class}" d="M{from} {place:.1}H{to}"/><text class="tick" x="{}" y="{:.1}" text-anchor="end">{label}</text>"#,
                from - 6.0,
                place + 4.0
            ));
        }
        let (middle, below) = (f64::midpoint(from, to), HEIGHT - 6.0);
        let half = f64::midpoint(TOP, HEIGHT - BOTTOM);
        let [x_name, y_name] = names.axes.map(escape);
        chart.put(format_args!(
            r#"<text class="axis" x="{middle:.1}" y="{below}" text-anchor="middle">{x_name}</text><text class="axis" transform="translate(12 {half:.1}) rotate(-90)" text-anchor="middle">{y_name}</text>"#
        ));
        chart
    }

    /// A horizontal line with a label above it.
    pub fn rule(&mut self, class: &str, value: f64, label: &str) {
        let place = self.y.at(value);
        let [from, to] = self.x.places;
        // Above the line, or below it if there is no space.
        let baseline = if place < TOP + 14.0 {
            place + 14.0
        } else {
            place - 5.0
        };
        let label = escape(label);
        self.put(format_args!(
            r#"<path class="{class}" d="M{from} {place:.1}H{to}"/><text class="note" x="{:.1}" y="{baseline:.1}">{label}</text>"#,
            from + 6.0
        ));
    }

    /// A line through points; points beyond the axes are clamped to them.
    pub fn line(&mut self, class: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        let path = self.path(points);
        self.put(format_args!(r#"<path class="{class}" d="{path}"/>"#));
    }

    /// The area between two curves over the same x values.
    pub fn band(&mut self, class: &str, points: &[(f64, [f64; 2])]) {
        let lower = points.iter().map(|&(x, [lower, _])| (x, lower));
        let upper = points.iter().rev().map(|&(x, [_, upper])| (x, upper));
        let path = self.path(lower.chain(upper));
        self.put(format_args!(r#"<path class="{class}" d="{path}Z"/>"#));
    }

    /// A point, clamped to the axes.
    pub fn dot(&mut self, class: &str, x: f64, y: f64) {
        let (x, y) = (self.x.at(x), self.y.at(y));
        self.put(format_args!(
            r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="4"/>"#
        ));
    }

    /// A bar from zero over the range `from..to`, with a tooltip and a label above it.
    pub fn bar(&mut self, class: &str, [from, to]: [f64; 2], value: f64, says: &str, label: &str) {
        let gap = (self.x.at(to) - self.x.at(from)) * 0.08;
        let (left, right) = (self.x.at(from) + gap, self.x.at(to) - gap);
        let (top, bottom) = (self.y.at(value), self.y.at(0.0));
        let (says, label) = (escape(says), escape(label));
        self.put(format_args!(
            r#"<rect class="{class}" x="{left:.1}" y="{top:.1}" width="{:.1}" height="{:.1}"><title>{says}</title></rect>"#,
            right - left,
            bottom - top
        ));
        if !label.is_empty() {
            let (middle, above) = (f64::midpoint(left, right), top - 5.0);
            self.put(format_args!(
                r#"<text class="note" x="{middle:.1}" y="{above:.1}" text-anchor="middle">{label}</text>"#
            ));
        }
    }

    /// The chart as an SVG element.
    pub fn finish(self) -> String {
        self.svg + "</svg>"
    }

    fn path(&self, points: impl IntoIterator<Item = (f64, f64)>) -> String {
        let mut path = String::new();
        for (index, (x, y)) in points.into_iter().enumerate() {
            let command = if index == 0 { 'M' } else { 'L' };
            let (x, y) = (self.x.at(x), self.y.at(y));
            write!(path, "{command}{x:.1} {y:.1}").expect("a string takes all");
        }
        path
    }

    /// Whether a value lies within the vertical axis.
    pub fn shows(&self, value: f64) -> bool {
        self.y.shows(value)
    }
}

/// Escapes text for HTML and XML, between tags and within quotes.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for one in text.chars() {
        match one {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            _ => escaped.push(one),
        }
    }
    escaped
}

fn widened([from, to]: [f64; 2]) -> [f64; 2] {
    if to - from > 1e-9 {
        [from, to]
    } else {
        // A range without width would be divided by.
        [from - 1.0, to + 1.0]
    }
}

/// About four to eight round numbers within a range.
fn ticks(range: [f64; 2], least: f64) -> Vec<f64> {
    let [from, to] = widened(range);
    let rough = (to - from) / 7.0;
    let ten = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * ten)
        .find(|step| *step >= rough);
    let step = step.unwrap_or(10.0 * ten).max(least);
    let first = (from / step).ceil();
    // Adding 0 makes 0 of -0, which would be printed as such.
    let at = |index: u32| (first + f64::from(index)) * step + 0.0;
    (0..12)
        .map(at)
        // Rounding may put the last tick beyond the end.
        .take_while(|value| *value <= to + step * 1e-6)
        .collect()
}

fn number(value: f64) -> String {
    if value.abs() >= 10_000.0 {
        return format!("{}k", round(value / 1000.0));
    }
    round(value)
}

/// At most three decimals, without trailing zeros.
fn round(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

#[expect(clippy::cast_precision_loss, reason = "a page has few bars")]
const fn to_f64(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        let rows: [([f64; 2], &[f64]); 4] = [
            ([-3.0, 3.0], &[-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0]),
            ([0.0, 1.0], &[0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
            (
                [0.0, 50_000.0],
                &[0.0, 10_000.0, 20_000.0, 30_000.0, 40_000.0, 50_000.0],
            ),
            ([5.0, 5.0], &[4.0, 4.5, 5.0, 5.5, 6.0]),
        ];
        for (range, expected) in rows {
            let found = ticks(range, 0.0);
            assert_eq!(found.len(), expected.len(), "{range:?}: {found:?}");
            for (one, other) in found.iter().zip(expected) {
                assert!((one - other).abs() < 1e-9, "{range:?}: {found:?}");
            }
        }
        assert_eq!(ticks([64.0, 65.0], 1.0), [64.0, 65.0], "no part of a ply");
        assert_eq!(
            [0.2, 20_000.0, -0.000_01, 12_500.0].map(number),
            ["0.2", "20k", "0", "12.5k"]
        );
    }

    #[test]
    fn names_cannot_leave_the_picture() {
        let names = ChartNames {
            title: "<script>\"",
            axes: ["</text>", "&"],
            least: [0.0; 2],
        };
        let chart = Chart::new(&names, [0.0, 1.0], [0.0, 1.0]).finish();
        assert!(
            chart.contains("<title>&lt;script&gt;&quot;</title>"),
            "{chart}"
        );
        assert!(chart.contains("&lt;/text&gt;</text>"), "{chart}");
    }
}
