//! Charts of a tuning, one for each parameter: as a self-contained HTML page, with style inline and
//! without scripts, and as one picture.

use kit::chart::{Chart, ChartNames, escape};
use kit::page::{Figure, LegendKey, Page, PageSection, PageTable, TableCell, picture};

use super::{TuneReport, places, signed};
use crate::report::decimals;
use crate::stats::to_f64;
use crate::tune::parameter::{Parameter, ParameterKind};

/// Maximum number of points of a curve: more cannot be seen.
const MOST_POINTS: usize = 400;

/// The style of the line of a parameter's start, and of the commands.
const START_STYLE: &str = " .bound.start { stroke: var(--even); }";
const STYLE: &str = ".bound.start { stroke: var(--even); } pre { margin: 0; font-size: .9rem; overflow-x: auto; }\n";

impl TuneReport<'_> {
    /// The page: the course of each value, their table, and the commands that set them.
    pub fn html(&self) -> String {
        let gains = &self.config.gains;
        let rule = format!(
            "{} games in each iteration, lag {}; A {} of the iterations, alpha {}, gamma {}",
            self.config.games_per_iteration,
            self.config.lag,
            gains.a_ratio,
            gains.alpha,
            gains.gamma
        );
        let rows = self.rows().map(|row| {
            let [name, numbers @ ..] = row;
            let numbers = numbers.into_iter().map(TableCell::number);
            std::iter::once(TableCell::text(name))
                .chain(numbers)
                .collect()
        });
        let section = |title: &str| PageSection {
            title: title.to_owned(),
            ..PageSection::default()
        };
        let page = Page {
            title: format!("Tuning of {}", self.config.engine.name),
            about: vec![rule],
            headline: self.progress(),
            sections: vec![
                PageSection {
                    figures: self.figures(),
                    ..section("Course")
                },
                PageSection {
                    tables: vec![PageTable::new("Values", super::HEAD, rows)],
                    ..section("Values")
                },
                PageSection {
                    own: format!("<pre tabindex=\"0\">{}</pre>", escape(&self.uci())),
                    ..section("Commands")
                },
            ],
            style: STYLE,
            footer: format!(
                "Written by selfplay {} from the journal of the tuning. Tuned values are a proposal: test them \
                 against the old ones.",
                env!("CARGO_PKG_VERSION")
            ),
            ..Page::default()
        };
        page.html()
    }

    /// All charts as one SVG picture.
    pub fn svg(&self) -> String {
        let title = format!("{}: {}", self.config.engine.name, self.progress());
        picture(&title, &self.figures(), START_STYLE)
    }

    fn figures(&self) -> Vec<Figure> {
        let parameters = self.parameters().enumerate();
        let figure = |(index, (parameter, value)): (usize, (&Parameter, f64))| {
            let chart = self.chart(index, parameter);
            let mut figure = Figure::new(&parameter.name, self.caption(parameter, value), chart);
            if index == 0 {
                figure.keys = vec![
                    LegendKey::new("line a", "value"),
                    LegendKey::new("band", "values tried, c to either side"),
                    LegendKey::new("bound start", "start"),
                ];
            }
            figure
        };
        parameters.map(figure).collect()
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
    fn chart(&self, index: usize, parameter: &Parameter) -> Chart {
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
        chart
    }
}
