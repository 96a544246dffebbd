//! HTML report: one self-contained page with totals, groups, curves, and boards of what failed.

use chess::notation::{fen, san};
use chess::rules::{CastlingMode, Color, Move, Position};
use kit::Exit;
use kit::chart::{Chart, ChartNames};
use kit::output::grouped;
use kit::page::{Figure, LegendKey, Page, PageSection, PageTable, TableCell, Tile, Tone};

use super::board::{BoardCard, MoveArrow, boards, diagram, page, shapes};
use super::words::{NotPassed, news};
use super::{SuiteRunReport, rows, scores, words};
use crate::run::goal::MovePoints;
use crate::run::ledger::{PositionState, Trial};
use crate::run::plan::RunCase;
use crate::run::score::SearchAnswer;
use crate::run::statistics::to_f64;

/// Maximum number of boards per engine; the other positions are only counted.
// A suite may have thousands of positions, and a page with a board for each would be slow to open.
const BOARDS: usize = 100;
/// Classes of the curves of the engines.
const LINES: [&str; 6] = ["line a", "line b", "line c", "line d", "line e", "line f"];
/// Moves of a PV that are shown.
const MOVES: usize = 12;

pub(super) fn write(report: &SuiteRunReport<'_>) -> String {
    let suites = report.plan.suites.iter().map(|suite| suite.name.as_str());
    let suites: Vec<&str> = suites.collect();
    let mut sections = vec![results(report)];
    sections.extend(curves(report));
    sections.extend(ratings(report));
    let engines = 0..report.trials.len();
    sections.extend(engines.filter_map(|engine| failures(report, engine)));
    let verdicts = report.trials.iter().enumerate();
    let verdicts = verdicts
        .map(|(engine, trial)| format!("{}: {}", trial.command, words::verdict(report, engine)));
    let verdicts: Vec<String> = verdicts.collect();
    let headline = if verdicts.is_empty() {
        "Nothing was run".to_owned()
    } else {
        verdicts.join(" | ")
    };
    let exit = report.verdict.exit;
    let tone = match exit {
        Exit::Agreed => Tone::Good,
        // Neither says anything for or against the engine.
        Exit::Interrupted | Exit::Nothing => Tone::Open,
        _ => Tone::Bad,
    };
    let mut notes: Vec<String> = words::not_run(report).into_iter().collect();
    notes.extend(
        report
            .trials
            .iter()
            .enumerate()
            .filter_map(|(engine, trial)| {
                let (baseline, limits) = report.baseline?;
                let comparison = report.comparisons[engine].as_ref()?;
                Some(format!(
                    "{} against {baseline} ({limits}): {} newly failed, {} newly solved",
                    trial.command,
                    comparison.newly_failed.len(),
                    comparison.newly_solved.len()
                ))
            }),
    );
    let page = Page {
        title: format!("epd run: {}", suites.join(", ")),
        about: vec![format!(
            "{} positions, {}, exit code {}",
            report.plan.cases.len(),
            report.limits,
            exit as u8
        )],
        headline,
        tone,
        tiles: scores::ready(report)
            .map(|trial| tile(report, trial))
            .collect(),
        notes,
        sections,
        shapes: shapes(),
        ..page()
    };
    page.html()
}

fn tile(report: &SuiteRunReport<'_>, trial: &Trial) -> Tile {
    let totals = trial.totals(&report.plan.cases, None);
    let points = match totals.most_points {
        0 => String::new(),
        most => format!(", {} of {most} points", totals.points),
    };
    Tile {
        name: trial.command.clone(),
        value: format!("{} of {}", totals.solved, totals.asked()),
        small: format!("solved{points}"),
    }
}

/// The table by suite, and by group.
fn results(report: &SuiteRunReport<'_>) -> PageSection {
    let mut rows = rows(report);
    // The head is the first row.
    let head = rows.remove(0);
    let mut tables = vec![table("by suite", head, rows)];
    if let Some(by) = &report.scores.by {
        let (head, rows) = scores::group_table(report, by);
        tables.push(table("by group", head, rows));
    }
    let engines = report.trials.iter().zip(1..).map(|(trial, number)| {
        let name = words::engine_name(&trial.handshake);
        vec![
            TableCell::text(format!("{number}. {}", trial.command)),
            TableCell::text(name),
        ]
    });
    tables.insert(0, PageTable::new("engines", ["engine", "name"], engines));
    PageSection {
        title: "Results".to_owned(),
        tables,
        ..PageSection::default()
    }
}

/// A table of text cells whose first column has names, the others numbers.
fn table(caption: &str, head: Vec<String>, rows: Vec<Vec<String>>) -> PageTable {
    let rows = rows.into_iter().map(|row| {
        let cells = row.into_iter().enumerate();
        let cell = |(column, text)| match column {
            0 => TableCell::text(text),
            _ => TableCell::number(text),
        };
        cells.map(cell).collect()
    });
    PageTable::new(caption, head, rows)
}

fn ratings(report: &SuiteRunReport<'_>) -> Option<PageSection> {
    report.scores.rating.as_ref()?;
    let rated = scores::ready(report).filter_map(|trial| {
        let rating = scores::rating(report, trial)?;
        Some((trial, rating))
    });
    let rated: Vec<_> = rated.collect();
    let rows = rated.iter().map(|(trial, rating)| {
        let warnings = match &rating.warnings[..] {
            [] => "none".to_owned(),
            warnings => warnings.join("; "),
        };
        vec![
            TableCell::text(trial.command.clone()),
            TableCell::number(scores::estimate(rating)),
            TableCell::text(scores::formula(rating)),
            TableCell::text(warnings),
        ]
    });
    let table = PageTable::new(
        "estimated from the score in the suite",
        ["engine", "rating", "formula", "warnings"],
        rows,
    );
    let note = rated.first().map(|(_, rating)| {
        format!(
            "From {}; here: {}. The interval covers {}.",
            rating.rests_on, report.limits, rating.covers
        )
    });
    Some(PageSection {
        title: "Rating".to_owned(),
        tables: vec![table],
        note: note.unwrap_or_default(),
        ..PageSection::default()
    })
}

/// What the solutions of an engine took, each sorted. After the value at index `i`, `i + 1`
/// positions are solved.
#[derive(Clone, Debug, Default)]
struct Curve {
    /// By our clock.
    seconds: Vec<f64>,
    /// As reported by the engine; solutions without a node count are left out.
    nodes: Vec<u64>,
}

impl Curve {
    /// The curve of an engine; of several searches of a position the median solution counts.
    fn from_trial(trial: &Trial) -> Self {
        let solved = trial
            .searched()
            .filter(|&case| trial.state(case) == PositionState::Solved);
        let mut curve = Self::default();
        for moment in solved.filter_map(|case| trial.median_solution(case)) {
            curve.seconds.push(moment.time.as_secs_f64());
            curve.nodes.extend(moment.nodes);
        }
        curve.seconds.sort_by(f64::total_cmp);
        curve.nodes.sort_unstable();
        curve
    }
}

/// Positions solved over time and over nodes; `None` if nothing was solved.
fn curves(report: &SuiteRunReport<'_>) -> Option<PageSection> {
    let trials: Vec<&Trial> = scores::ready(report).collect();
    let curves: Vec<Curve> = trials
        .iter()
        .map(|trial| Curve::from_trial(trial))
        .collect();
    let milliseconds = |curve: &Curve| curve.seconds.iter().map(|one| one * 1000.0).collect();
    let nodes = |curve: &Curve| curve.nodes.iter().map(|&nodes| to_f64(nodes)).collect();
    let by_time: Vec<Vec<f64>> = curves.iter().map(milliseconds).collect();
    let by_nodes: Vec<Vec<f64>> = curves.iter().map(nodes).collect();
    let time = |decade: u32| match 10_u64.pow(decade) {
        ms @ ..1000 => format!("{ms} ms"),
        ms => format!("{} s", grouped(ms / 1000)),
    };
    let names: Vec<&str> = trials.iter().map(|trial| trial.command.as_str()).collect();
    let figures = [
        curve(
            "Solved within a time",
            "time to the solution",
            &by_time,
            &names,
            time,
        ),
        curve(
            "Solved within nodes",
            "nodes to the solution",
            &by_nodes,
            &names,
            |decade| short(10_u64.pow(decade)),
        ),
    ];
    let figures: Vec<Figure> = figures.into_iter().flatten().collect();
    (!figures.is_empty()).then(|| PageSection {
        title: "Time to solution".to_owned(),
        figures,
        ..PageSection::default()
    })
}

/// Formats as `10k` or `1M`.
fn short(number: u64) -> String {
    match number {
        ..1_000 => number.to_string(),
        1_000..1_000_000 => format!("{}k", number / 1_000),
        _ => format!("{}M", grouped(number / 1_000_000)),
    }
}

/// A step curve per engine over a logarithmic axis of whole decades; values are sorted.
fn curve(
    title: &str,
    axis: &str,
    values: &[Vec<f64>],
    engines: &[&str],
    name: impl Fn(u32) -> String,
) -> Option<Figure> {
    let all = || values.iter().flatten().copied();
    // The logarithm of 0 is infinite: solutions within 1 ms or 1 node stand at the start of the
    // axis.
    let decade = |value: f64| value.max(1.0).log10();
    let last = all().map(decade).reduce(f64::max)?;
    let first = all().map(decade).reduce(f64::min)?.floor();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "decades are small and not negative"
    )]
    // If all values are in one decade, the axis has two marks all the same.
    let decades = first as u32..=(last.ceil().max(first + 1.0)) as u32;
    let columns: Vec<String> = decades.map(name).collect();
    let most = values.iter().map(Vec::len).max()?;
    let names = ChartNames {
        title,
        axes: [axis, "positions solved"],
        least: [1.0, 1.0],
    };
    let end = to_f64(columns.len() as u64);
    // The margin of 5% keeps the highest curve off the upper edge.
    let mut chart = Chart::with_names(&names, &columns, [0.0, to_f64(most as u64) * 1.05]);
    // The name of a decade stands in the middle of its column.
    let place = |value: f64| decade(value) - first + 0.5;
    let mut keys = Vec::new();
    for ((solved, engine), class) in values.iter().zip(engines).zip(LINES.into_iter().cycle()) {
        let mut points = vec![(0.0, 0.0)];
        for (index, &value) in solved.iter().enumerate() {
            let (before, after) = (to_f64(index as u64), to_f64(index as u64 + 1));
            // Two points at the same place draw the step.
            points.extend([(place(value), before), (place(value), after)]);
        }
        // Nothing is solved after the last step, so the curve runs level to the right edge.
        points.push((end, to_f64(solved.len() as u64)));
        chart.line(class, points);
        keys.push(LegendKey::new(class, *engine));
    }
    let caption = "stable solutions; logarithmic axis, earlier ones at its start";
    let mut figure = Figure::new(title, caption, chart);
    figure.keys = keys;
    Some(figure)
}

/// Boards of the positions that an engine did not solve; `None` if there are none.
fn failures(report: &SuiteRunReport<'_>, engine: usize) -> Option<PageSection> {
    let mut news = news(report, engine);
    // Those that make the exit code nonzero come first.
    news.sort_by_key(|one| !one.is_failure());
    let shown = news.iter().take(BOARDS);
    let cards: Vec<BoardCard> = shown.map(|one| card(report, engine, one)).collect();
    let left_out = news.len() - cards.len();
    let note = match left_out {
        0 => String::new(),
        more => format!("{more} more are not shown."),
    };
    let command = &report.trials[engine].command;
    (!cards.is_empty()).then(|| PageSection {
        title: format!("Not solved by {command}: {}", news.len()),
        own: boards(&cards),
        note,
        ..PageSection::default()
    })
}

fn card(report: &SuiteRunReport<'_>, engine: usize, news: &NotPassed) -> BoardCard {
    let trial = &report.trials[engine];
    let case = &report.plan.cases[news.case];
    let position = case.record.position();
    let answer = trial.typical(news.case);
    let wanted = wanted(case);
    let wanted_arrows = wanted.iter().map(|&m| MoveArrow { class: "wanted", m });
    let played = answer.map(|answer| MoveArrow {
        class: "played",
        m: answer.best_move,
    });
    // A move that was played and wanted failed for another reason, such as its mate.
    let played = played.filter(|arrow| !wanted.contains(&arrow.m));
    let arrows: Vec<MoveArrow> = wanted_arrows.chain(played).collect();
    let mut facts = vec![
        ("verdict", news.rule.clone()),
        ("wanted", case.asked.clone()),
    ];
    match trial.fault(news.case) {
        Some((fault, _)) => facts.push(("failure", fault.to_string())),
        None => facts.extend(
            answer
                .map(|answer| facts_of(answer, position))
                .unwrap_or_default(),
        ),
    }
    let to_move = match position.side_to_move() {
        Color::White => "White",
        Color::Black => "Black",
    };
    let title = report.place(case);
    let described = format!("{title}, {to_move} to move");
    BoardCard {
        svg: diagram(position, &described, &arrows),
        title: described,
        facts,
        href: lichess(position),
    }
}

/// The moves that solve a position, as far as the record names them.
fn wanted(case: &RunCase) -> Vec<Move> {
    let goal = &case.goal;
    // With am alone, no move is wanted: all others solve the position.
    if !goal.best.is_empty() || !goal.avoid.is_empty() {
        return goal.best.clone();
    }
    let most = goal.points.as_ref().map_or(0, MovePoints::most);
    let listed = goal
        .points
        .as_ref()
        .map_or(&[][..], MovePoints::list)
        .iter();
    // In a suite with points (such as STS), the moves with the most of them are those to find.
    let best = listed.filter(|&&(_, points)| points == most);
    best.map(|&(m, _)| m).collect()
}

fn facts_of(answer: &SearchAnswer, position: &Position) -> Vec<(&'static str, String)> {
    let mut facts = vec![("played", san::write(answer.best_move, position))];
    facts.extend(answer.points.map(|points| ("points", points.to_string())));
    facts.extend(answer.score.map(|score| ("score", score.to_string())));
    let depth = answer.end.depth.map(|depth| format!("depth {depth}"));
    let nodes = answer.end.nodes;
    let nodes = nodes.map(|nodes| format!("{} nodes", grouped(nodes)));
    let search: Vec<String> = depth.into_iter().chain(nodes).collect();
    if !search.is_empty() {
        facts.push(("search", search.join(", ")));
    }
    if let Some(Err(fault)) = &answer.mate {
        facts.push(("mate", fault.to_string()));
    }
    let pv = words::variation(&answer.pv, position);
    let more = if pv.len() > MOVES { " …" } else { "" };
    facts.push(("PV", pv[..pv.len().min(MOVES)].join(" ") + more));
    facts
}

/// The address of the analysis board of lichess.org.
pub(crate) fn lichess(position: &Position) -> String {
    let variant = match position.castling_mode() {
        CastlingMode::Standard => "standard",
        CastlingMode::Chess960 => "chess960",
    };
    let color = match position.side_to_move() {
        Color::White => "white",
        Color::Black => "black",
    };
    // Lichess reads underscores in the path of its analysis board as blanks.
    let fen = fen::write(position).replace(' ', "_");
    format!("https://lichess.org/analysis/{variant}/{fen}?color={color}")
}
