//! Plots of a history: mates found, and best mates, over versions.

use kit::chart::{Chart, ChartNames};
use kit::page::{Figure, LegendKey, Page, PageSection, PageTable, TableCell};

use super::history::{HistoryEntry, Series};
use crate::report::board::page as empty_page;
use crate::run::statistics::to_f64;

/// Maximum number of versions whose names fit below the chart; more are numbered.
const NAMED: usize = 4;

/// The plot of a series as a file of its own.
pub(crate) fn svg(series: &Series) -> String {
    figure(series).alone()
}

/// A page with the plot and the table of each series, newest first.
pub(crate) fn page(series: &[Series]) -> String {
    let results: usize = series.iter().map(|one| one.entries.len()).sum();
    let sections = series.iter().rev().map(|one| PageSection {
        title: one.title(),
        figures: vec![figure(one)],
        tables: vec![table(one)],
        ..PageSection::default()
    });
    let newest = series.last().and_then(|one| one.entries.last());
    let newest = newest.map(|entry| format!("newest: {}, {}", entry.label(), entry.date));
    let page = Page {
        title: "Mates over versions".to_owned(),
        about: newest.into_iter().collect(),
        headline: format!("{results} results"),
        sections: sections.collect(),
        ..empty_page()
    };
    page.html()
}

fn figure(series: &Series) -> Figure {
    let entries = &series.entries;
    let counts = entries.iter().flat_map(|entry| [entry.found, entry.best]);
    let most = counts.clone().max().unwrap_or(0);
    let least = counts.min().unwrap_or(0);
    // The difference between versions is small: the axis does not begin at 0, and has a margin.
    let margin = to_f64((most - least) as u64).max(1.0) * 0.1;
    let range = [
        (to_f64(least as u64) - margin).max(0.0),
        to_f64(most as u64) + margin,
    ];
    let names = ChartNames {
        title: &series.title(),
        axes: [
            if entries.len() > NAMED {
                "number of the result"
            } else {
                "version"
            },
            "mates",
        ],
        // Versions and mates are whole numbers, so marks closer than 1 would repeat their names.
        least: [1.0, 1.0],
    };
    let is_named = entries.len() <= NAMED;
    let mut chart = if is_named {
        let labels: Vec<String> = entries
            .iter()
            .map(|entry| entry.label().to_owned())
            .collect();
        Chart::with_names(&names, &labels, range)
    } else {
        Chart::new(&names, [1.0, to_f64(entries.len() as u64)], range)
    };
    // A named version stands in the middle of its column; numbered ones are counted from 1.
    let place = |index: usize| to_f64(index as u64) + if is_named { 0.5 } else { 1.0 };
    let mut draw = |line: &str, dot: &str, count: fn(&HistoryEntry) -> usize| {
        let points = entries.iter().enumerate();
        let points = points.map(|(index, entry)| (place(index), to_f64(count(entry) as u64)));
        chart.line(line, points.clone());
        for (x, y) in points {
            chart.dot(dot, x, y);
        }
    };
    draw("line a", "dot a", |entry| entry.found);
    draw("line b", "dot b", |entry| entry.best);
    let mut figure = Figure::new("Mates found and best mates", series.title(), chart);
    figure.keys = vec![
        LegendKey::new("line a", "mates found"),
        LegendKey::new("line b", "best mates"),
    ];
    figure
}

fn table(series: &Series) -> PageTable {
    let rows = series.entries.iter().zip(1..).map(|(entry, number)| {
        let counts = [
            entry.found,
            entry.best,
            entry.better,
            entry.wrong_sign,
            entry.bad_pvs,
        ];
        let mut row = vec![
            TableCell::text(format!("{number}. {}", entry.label())),
            TableCell::text(entry.date.clone()),
        ];
        row.extend(counts.map(|count| TableCell::number(count.to_string())));
        row.push(TableCell::number(kit::output::grouped(entry.nodes)));
        row
    });
    let head = [
        "version",
        "date",
        "found",
        "best",
        "better",
        "wrong sign",
        "bad PVs",
        "nodes",
    ];
    PageTable::new(series.title(), head, rows)
}
