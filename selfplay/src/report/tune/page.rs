//! Charts of a tuning, one for each parameter: as a self-contained HTML page, with style inline and
//! without scripts, and as one picture.

use std::fmt::Write as _;

use askama::Template;
use kit::chart::{Chart, ChartNames, STYLE, escape};

use super::{TuneReport, places, signed};
use crate::report::decimals;
use crate::stats::to_f64;
use crate::tune::parameter::{Parameter, ParameterKind};

/// The page; see its template `templates/tune.html`.
#[derive(Template)]
#[template(path = "tune.html")]
struct Page<'a> {
    engine: &'a str,
    progress: String,
    rule: String,
    figures: Vec<Figure>,
    rows: Vec<[String; 7]>,
    head: [&'static str; 7],
    commands: String,
    version: &'static str,
}

/// The course of one value.
struct Figure {
    name: String,
    caption: String,
    svg: String,
}

/// Maximum number of points of a curve: more cannot be seen.
const MOST_POINTS: usize = 400;

/// Size of a chart in its own units, and the space of its name and caption in a picture.
const CHART: [u32; 2] = [400, 236];
const HEAD: u32 = 52;
/// Space beside a chart, which captions may take.
const GAP: u32 = 40;

impl TuneReport<'_> {
    /// Formats the page.
    pub fn html(&self) -> String {
        let gains = &self.config.gains;
        let page = Page {
            engine: &self.config.engine.name,
            progress: self.progress(),
            rule: format!(
                "{} games in each iteration, lag {}; A {} of the iterations, alpha {}, gamma {}",
                self.config.games_per_iteration,
                self.config.lag,
                gains.a_ratio,
                gains.alpha,
                gains.gamma
            ),
            figures: self.figures().collect(),
            rows: self.rows().collect(),
            head: super::HEAD,
            commands: self.uci(),
            version: env!("CARGO_PKG_VERSION"),
        };
        page.render().expect("a string takes all")
    }

    /// All charts as one SVG picture.
    pub fn svg(&self) -> String {
        let count = self.config.parameters.len();
        let columns = match count {
            1 => 1,
            2..=8 => 2,
            _ => 3,
        };
        let [width, height] = [CHART[0] + GAP, CHART[1] + HEAD];
        let size = |value: usize| u32::try_from(value).expect("parameters are few");
        let all = [
            width * size(columns),
            HEAD + height * size(count.div_ceil(columns)),
        ];
        let title = escape(&format!("{}: {}", self.config.engine.name, self.progress()));
        let mut svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" aria-label="{title}"><style>
{STYLE}.back {{ fill: var(--card); }} .bound.start {{ stroke: var(--even); }} svg .name {{ fill: var(--ink); font-weight: 600; }}
</style><rect class="back" width="100%" height="100%"/><text class="note" x="12" y="28">{title}</text>"#,
            all[0], all[1]
        );
        for (index, figure) in self.figures().enumerate() {
            let left = width * size(index % columns);
            let top = HEAD + height * size(index / columns);
            let (name, caption) = (escape(&figure.name), escape(&figure.caption));
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

    fn figures(&self) -> impl Iterator<Item = Figure> {
        self.parameters()
            .enumerate()
            .map(|(index, (parameter, value))| Figure {
                name: parameter.name.clone(),
                caption: self.caption(parameter, value),
                svg: self.chart(index, parameter),
            })
    }

    fn caption(&self, parameter: &Parameter, value: f64) -> String {
        let places = places(parameter.max - parameter.min);
        let number = |number| decimals(number, places);
        let next = (self.records.len() as u64).min(self.config.gains.iterations - 1);
        format!(
            "{}, start {} ({}), range {} to {}, c {}",
            number(value),
            number(parameter.start),
            signed(&number(value - parameter.start)),
            parameter.min,
            parameter.max,
            number(self.config.gains.perturbation(parameter, next)),
        )
    }

    /// The value after each iteration in the whole range of the parameter, and around it the values
    /// that were tried.
    fn chart(&self, index: usize, parameter: &Parameter) -> String {
        let gains = &self.config.gains;
        let course = self.records.iter().map(|record| record.values[index]);
        let all: Vec<f64> = std::iter::once(parameter.start).chain(course).collect();
        let last = all.len() - 1;
        let step = all.len().div_ceil(MOST_POINTS);
        let shown = (0..last).step_by(step).chain([last]);
        let points: Vec<(f64, f64)> = shown.map(|at| (to_f64(at as u64), all[at])).collect();
        let title = format!("{} by iteration", parameter.name);
        let names = ChartNames {
            title: &title,
            axes: ["iteration", ""],
            least: [
                1.0,
                match parameter.kind {
                    ParameterKind::Int => 1.0,
                    ParameterKind::Float => 0.0,
                },
            ],
        };
        let mut chart = Chart::new(
            &names,
            [0.0, to_f64(gains.iterations)],
            [parameter.min, parameter.max],
        );
        let shown = (0..last).step_by(step).chain([last]);
        let band = shown.zip(&points).map(|(at, &(x, value))| {
            let iteration = (at as u64).min(gains.iterations - 1);
            let c = gains.perturbation(parameter, iteration);
            (x, [value - c, value + c])
        });
        chart.band("band", &band.collect::<Vec<_>>());
        chart.rule("bound start", parameter.start, "");
        chart.line("line a", points.iter().copied());
        let (x, value) = *points.last().expect("the start is one");
        chart.dot("dot a", x, value);
        chart.finish()
    }
}
