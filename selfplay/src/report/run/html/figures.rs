//! The charts of the page.

use kit::chart::{Chart, ChartNames};
use kit::page::{Figure, LegendKey};

use crate::report::run::{CoupleSummary, CoursePoint, Lengths, RunReport, TestResult};
use crate::report::{count, decimals, percent, test_state};
use crate::stats::number::to_f64;

/// Maximum number of curves in a chart: more cannot be told apart.
const MOST_LINES: usize = 6;
/// Points of a pair, by the cells of a pentanomial.
const PAIR_NAMES: [&str; 5] = ["0", "½", "1", "1½", "2"];

/// Chart of the LLR between its bounds.
pub(super) fn llr(course: &[CoursePoint], test: &TestResult) -> Option<Figure> {
    let points: Vec<(f64, f64)> = course
        .iter()
        .filter_map(|point| Some((to_f64(point.pairs), point.llr?)))
        .collect();
    let (&last, wald) = (
        points.last()?,
        [test.design.lower_bound(), test.design.upper_bound()],
    );
    let reach = |sign: f64| points.iter().map(|(_, llr)| sign * llr).fold(0.0, f64::max);
    let y = [
        -(reach(-1.0).max(-wald[0]) * 1.12),
        reach(1.0).max(wald[1]) * 1.12,
    ];
    let title = format!(
        "LLR {} after {}, bounds {} and {}: {}",
        decimals(test.llr, 2),
        count(test.pairs, "pair"),
        decimals(test.bounds[0], 2),
        decimals(test.bounds[1], 2),
        test_state(test.state)
    );
    let names = ChartNames {
        title: &title,
        axes: ["pairs, in the order of the schedule", "LLR"],
        least: [1.0, 0.0],
    };
    let mut chart = Chart::new(&names, [0.0, last.0], y);
    chart.rule("bound good", test.bounds[1], "H1 accepted");
    chart.rule("bound bad", test.bounds[0], "H0 accepted");
    chart.line("line a", std::iter::once((0.0, 0.0)).chain(points));
    chart.dot("dot a", last.0, last.1);
    Some(Figure::new("Log-likelihood ratio", title.as_str(), chart))
}

/// Chart of Elo with its interval. The first pairs carry no information, and do not extend the
/// axis.
pub(super) fn elo(course: &[CoursePoint]) -> Option<Figure> {
    let course: Vec<&CoursePoint> = course
        .iter()
        .filter(|point| point.elo.error().is_finite())
        .collect();
    let last = course.last()?;
    let late = course.iter().filter(|point| point.pairs * 5 >= last.pairs);
    let [low, high] = late.fold(
        [last.elo.lower.min(0.0), last.elo.upper.max(0.0)],
        |[low, high], point| [low.min(point.elo.lower), high.max(point.elo.upper)],
    );
    let margin = (high - low) * 0.05;
    let title = format!(
        "Elo {} after {}, 95% interval {} to {}",
        decimals(last.elo.value, 1),
        count(last.pairs, "pair"),
        decimals(last.elo.lower, 1),
        decimals(last.elo.upper, 1)
    );
    let names = ChartNames {
        title: &title,
        axes: ["pairs, in the order of the schedule", "Elo"],
        least: [1.0, 0.0],
    };
    let mut chart = Chart::new(
        &names,
        [0.0, to_f64(last.pairs)],
        [low - margin, high + margin],
    );
    let band: Vec<_> = course
        .iter()
        .map(|point| (to_f64(point.pairs), [point.elo.lower, point.elo.upper]))
        .collect();
    chart.band("band", &band);
    // Before the curve enters the picture it would run along its edge.
    let from = course
        .iter()
        .position(|point| chart.shows(point.elo.value))
        .unwrap_or(0);
    chart.line(
        "line a",
        course[from..]
            .iter()
            .map(|point| (to_f64(point.pairs), point.elo.value)),
    );
    chart.dot("dot a", to_f64(last.pairs), last.elo.value);
    Some(Figure::new("Elo", title.as_str(), chart))
}

pub(super) fn pentanomial(couple: &CoupleSummary) -> Option<Figure> {
    let pairs = couple.counted.pairs;
    if pairs.pairs() == 0 {
        return None;
    }
    let total = to_f64(pairs.pairs());
    let most = pairs.0.iter().copied().max().map_or(1.0, to_f64);
    let title = format!("Pairs by points of the first engine, 0 to 2: {pairs}");
    let names = ChartNames {
        title: &title,
        axes: ["points of a pair", "pairs"],
        least: [1.0; 2],
    };
    let columns = PAIR_NAMES.map(str::to_owned);
    let mut chart = Chart::with_names(&names, &columns, [0.0, most * 1.12]);
    let classes = ["bar lost", "bar lost", "bar even", "bar won", "bar won"];
    for (index, (class, count)) in classes.into_iter().zip(pairs.0).enumerate() {
        let from = f64::from(u8::try_from(index).expect("below five"));
        let says = format!(
            "{} points: {count} pairs, {}",
            PAIR_NAMES[index],
            percent(to_f64(count) / total)
        );
        chart.bar(
            class,
            [from, from + 1.0],
            to_f64(count),
            &says,
            &count.to_string(),
        );
    }
    Some(Figure::new("Pairs by points", title.as_str(), chart))
}

pub(super) fn lengths(lengths: &Lengths) -> Figure {
    let from = lengths.classes.first().map_or(0, |(plies, _)| plies.start);
    let to = lengths.classes.last().map_or(1, |(plies, _)| plies.end);
    let most = lengths
        .classes
        .iter()
        .map(|(_, games)| *games)
        .max()
        .map_or(1.0, to_f64);
    let title = format!(
        "Games by plies: {} to {}, {} on average, median {}",
        lengths.shortest,
        lengths.longest,
        decimals(lengths.mean, 1),
        lengths.median
    );
    let names = ChartNames {
        title: &title,
        axes: ["plies, those of the book not counted", "games"],
        least: [1.0; 2],
    };
    let mut chart = Chart::new(
        &names,
        [from, to].map(|plies| to_f64(plies as u64)),
        [0.0, most * 1.08],
    );
    for (plies, games) in &lengths.classes {
        let says = format!(
            "{} to {} plies: {}",
            plies.start,
            plies.end - 1,
            count(*games, "game")
        );
        let range = [plies.start, plies.end].map(|plies| to_f64(plies as u64));
        chart.bar("bar length", range, to_f64(*games), &says, "");
    }
    Figure::new("Length of games", title.as_str(), chart)
}

/// Chart of the mean time of each move of a game.
pub(super) fn time(report: &RunReport<'_>) -> Option<Figure> {
    let engines = &report.summary.engines;
    let times: Vec<&[f64]> = engines
        .iter()
        .map(|one| one.time.by_move_ms.as_slice())
        .collect();
    let moves = times.iter().map(|one| one.len()).max()?;
    if moves < 2 || engines.len() > MOST_LINES {
        return None;
    }
    let most = times.iter().copied().flatten().copied().fold(0.0, f64::max);
    let title = "Mean time of each move of a game, in milliseconds";
    let names = ChartNames {
        title,
        axes: ["move of an engine, from the end of the book", "ms"],
        least: [1.0, 0.0],
    };
    let mut chart = Chart::new(&names, [1.0, to_f64(moves as u64)], [0.0, most * 1.05]);
    let mut keys = Vec::new();
    for (index, times) in times.iter().enumerate() {
        let class = LINES[index];
        chart.line(class, (1..).map(f64::from).zip(times.iter().copied()));
        let name = report.config.engines[index].name.clone();
        keys.push(LegendKey::new(class, name));
    }
    let mut figure = Figure::new("Time by move", title, chart);
    figure.keys = keys;
    Some(figure)
}

/// Each with its own dash pattern, so that nothing depends on colour alone.
const LINES: [&str; MOST_LINES] = ["line a", "line b", "line c", "line d", "line e", "line f"];
