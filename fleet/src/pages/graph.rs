//! Graphs, which the server draws: a page that is loaded again has them new.

use kit::chart::{Chart, ChartNames};
use selfplay::lab::summary::{Point, TunedParameter};

use super::queries::Hour;

/// Points of a picture at most: more do not fit its width.
const MOST: usize = 300;

/// At most [`MOST`] points, evenly chosen, and the last one, with what is drawn of them.
fn thinned<T>(points: &[Point], value: impl Fn(&Point) -> Option<T>) -> Vec<(f64, T)> {
    let step = points.len().div_ceil(MOST).max(1);
    let last = points.len().saturating_sub(1);
    let chosen = points.iter().enumerate();
    let chosen = chosen.filter(|(index, _)| index % step == 0 || *index == last);
    chosen
        .filter_map(|(_, point)| Some((to_f64(point.games), value(point)?)))
        .collect()
}

/// Axes from the first game to the last point, and over these values.
fn axes(title: &str, unit: &str, last: f64, values: impl Iterator<Item = f64>) -> Chart {
    let (least, most) = values.fold(
        (f64::INFINITY, f64::NEG_INFINITY),
        |(least, most), value| (least.min(value), most.max(value)),
    );
    let names = ChartNames {
        title,
        axes: ["games", unit],
        least: [1.0, 0.0],
    };
    let edge = (most - least) * 0.04;
    Chart::new(&names, [0.0, last], [least - edge, most + edge])
}

/// The log-likelihood ratio against games, with its bounds; empty without points.
pub(crate) fn llr(points: &[Point], lower: f64, upper: f64) -> String {
    let points = thinned(points, |point| point.llr);
    let Some(&(last, llr)) = points.last() else {
        return String::new();
    };
    let values = points.iter().map(|point| point.1).chain([lower, upper]);
    let mut chart = axes("Log-likelihood ratio against games", "LLR", last, values);
    chart.rule("bound bad", lower, &format!("H0 at {lower:.2}"));
    chart.rule("bound good", upper, &format!("H1 at {upper:.2}"));
    chart.line("line a", points);
    chart.dot("dot a", last, llr);
    chart.finish()
}

/// Elo with its interval against games; empty without points.
pub(crate) fn elo(points: &[Point]) -> String {
    let points = thinned(points, |point| point.elo);
    let Some(&(last, known)) = points.last() else {
        return String::new();
    };
    // The first intervals are so wide that nothing else could be seen.
    let width = (known.upper - known.lower).max(1e-3);
    let shown = |value: f64| value.clamp(known.value - 2.0 * width, known.value + 2.0 * width);
    let ends = points
        .iter()
        .flat_map(|(_, elo)| [shown(elo.lower), shown(elo.upper)]);
    let mut chart = axes("Elo against games", "Elo", last, ends.chain([0.0]));
    let band: Vec<(f64, [f64; 2])> = { points.iter() }
        .map(|&(games, elo)| (games, [elo.lower, elo.upper]))
        .collect();
    chart.band("band a", &band);
    chart.line(
        "line a",
        points.iter().map(|&(games, elo)| (games, elo.value)),
    );
    chart.dot("dot a", last, known.value);
    chart.finish()
}

/// The value of a parameter of a tuning against games; empty without points.
pub(crate) fn tuned(points: &[Point], index: usize, parameter: &TunedParameter) -> String {
    let points = thinned(points, |point| point.values.get(index).copied());
    let Some(&(last, value)) = points.last() else {
        return String::new();
    };
    let values = points.iter().map(|point| point.1);
    let title = format!("{} against games", parameter.name);
    let mut chart = axes(
        &title,
        &parameter.name,
        last,
        values.chain([parameter.start]),
    );
    chart.rule("bound", parameter.start, "start");
    chart.line("line a", points);
    chart.dot("dot a", last, value);
    chart.finish()
}

/// A number for each of the last hours as bars, the present hour at the right.
pub(crate) fn hours(title: &str, hours: &[Hour], value: impl Fn(&Hour) -> i64) -> String {
    // Without any work the axis would have no length.
    let most = hours.iter().map(&value).max().unwrap_or(0).max(1);
    let names = ChartNames {
        title,
        axes: ["hours from now", "per hour"],
        least: [1.0, 1.0],
    };
    let span = f64::from(HOURS);
    let mut chart = Chart::new(&names, [-span, 0.0], [0.0, to_f64(most.unsigned_abs())]);
    for hour in hours {
        let end = -to_f64(hour.ago.unsigned_abs().into());
        let amount = value(hour);
        let text = match hour.ago {
            0 => format!("{amount} in this hour"),
            ago => format!("{amount} in the hour {ago} h ago"),
        };
        chart.bar(
            "bar length",
            [end - 1.0, end],
            to_f64(amount.unsigned_abs()),
            &text,
            "",
        );
    }
    chart.finish()
}

/// How many hours a graph of throughput shows.
pub(crate) const HOURS: u16 = 24;

#[expect(
    clippy::cast_precision_loss,
    reason = "a pixel is far coarser than the loss"
)]
const fn to_f64(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use selfplay::lab::summary::Interval;

    use super::*;

    fn points(count: u64) -> Vec<Point> {
        let point = |done: u64| Point {
            done,
            games: 2 * done,
            llr: Some(0.01 * to_f64(done)),
            elo: Some(Interval {
                value: 3.0,
                lower: -300.0 / to_f64(done),
                upper: 300.0 / to_f64(done),
            }),
            values: vec![to_f64(done)],
        };
        (1..=count).map(point).collect()
    }

    #[test]
    fn the_ratio_is_drawn_with_its_bounds() {
        let svg = llr(&points(100), -2.94, 2.94);
        assert_eq!(svg.matches(r#"class="bound"#).count(), 2, "{svg}");
        assert!(svg.contains(r#"class="line a""#), "{svg}");
        assert!(svg.contains(">H0 at -2.94<"), "{svg}");
        assert_eq!(llr(&[], -2.94, 2.94), "");
    }

    #[test]
    fn elo_and_values_are_lines() {
        assert!(elo(&points(100)).contains(r#"class="band a""#));
        let parameter = TunedParameter {
            name: "Margin".to_owned(),
            ..TunedParameter::default()
        };
        let svg = tuned(&points(100), 0, &parameter);
        assert!(
            svg.contains(">start<") && svg.contains("Margin against games"),
            "{svg}"
        );
        assert_eq!(
            tuned(&points(100), 1, &parameter),
            "",
            "there is no such value"
        );
    }

    #[test]
    fn long_tests_have_pictures_of_one_size() {
        let found = thinned(&points(10_000), |point| point.llr);
        assert!(found.len() <= MOST + 1, "{}", found.len());
        assert_eq!(found.last().map(|point| point.0), Some(20_000.0));
    }

    #[test]
    fn hours_are_bars() {
        let given = [0, 5].map(|ago| Hour {
            ago,
            units: 3,
            games: 6,
        });
        let svg = hours("Games", &given, |hour| hour.games);
        assert_eq!(svg.matches("<rect").count(), 2, "{svg}");
    }
}
