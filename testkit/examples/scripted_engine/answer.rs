//! An answer: rows, totals and whatever else the dialect prints around them.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::io;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use chess::notation::fen;
use chess::perft::breakdown;
use chess::rules::{Move, Position};
use perft::subject::Route;

use crate::bank::{Buffer, Castling, Dialect, Does, Order};
use crate::count::{self, Counted};
use crate::output::Output;
use crate::spell;
use crate::template::{fill, grouped};

/// A question about a position.
#[derive(Clone)]
pub(crate) struct Question {
    pub(crate) route: Route,
    pub(crate) depth: u32,
    /// The number of this question, from 1.
    pub(crate) number: u32,
    /// Whether rows are asked for.
    pub(crate) rows: bool,
    /// Whether `UCI_Chess960` is on.
    pub(crate) chess960: bool,
}

/// A row before it is printed.
struct Row {
    m: Move,
    text: String,
    nodes: u64,
}

/// Counts and prints.
pub(crate) fn give(
    dialect: &Dialect,
    does: &Does,
    question: &Question,
    output: &Output,
) -> io::Result<()> {
    let position = question.route.position();
    let count = |depth| count::count(does, &question.route, depth, question.number);
    let counted = count(question.depth);
    std::thread::sleep(Duration::from_millis(dialect.answer_ms));
    let moves = counted.rows.len();
    let print = |lines: &[String], depth, total| {
        let facts = Facts {
            dialect,
            position,
            depth,
            total,
            moves,
        };
        let mut lines = lines.iter();
        lines.try_for_each(|line| output.line(&facts.fill(line)))
    };
    let (depth, total) = (question.depth, counted.total);
    if moves == 0 && !dialect.ended.is_empty() {
        print(&dialect.ended, depth, total)?;
        return output.end_answer();
    }
    let rows = rows(dialect, question, counted);
    for (index, row) in rows.iter().enumerate() {
        if !dialect.progress.is_empty() {
            let text = fill_row(dialect, &dialect.progress, question, (index, moves), row);
            output.text(&text)?;
        }
    }
    for number in 0..dialect.log {
        output.line(&dialect.log_line.replace("{number}", &number.to_string()))?;
    }
    print(&dialect.head, depth, total)?;
    if question.rows && depth >= dialect.rows_from_depth && !dialect.row.is_empty() {
        print_rows(dialect, question, &rows, output)?;
    }
    if !dialect.each_depth.is_empty() {
        for earlier in 1..=depth {
            let total = if earlier == depth {
                total
            } else {
                count(earlier).total
            };
            print(&dialect.each_depth, earlier, total)?;
        }
    }
    print(&dialect.total, depth, total)?;
    print(&dialect.foot, depth, total)?;
    output.end_answer()?;
    if dialect.buffer == Buffer::Ready && *position == Position::startpos() {
        output.write()?;
    }
    Ok(())
}

/// The rows in the order of the dialect.
fn rows(dialect: &Dialect, question: &Question, counted: Counted) -> Vec<Row> {
    let mut spelling = dialect.writes.clone();
    if question.chess960 {
        spelling.castling = Castling::Rook;
    }
    let position = question.route.position();
    let rows = counted.rows.into_iter().map(|(m, nodes)| Row {
        m,
        text: spell::write(m, position, &spelling),
        nodes,
    });
    let mut rows: Vec<Row> = rows.collect();
    match dialect.order {
        Order::Generated => {}
        Order::Alphabetical => rows.sort_by(|a, b| a.text.cmp(&b.text)),
        Order::Nodes => rows.sort_by_key(|row| std::cmp::Reverse(row.nodes)),
        Order::Shuffled => rows.sort_by_key(|row| {
            let mut hasher = DefaultHasher::new();
            (&row.text, question.depth).hash(&mut hasher);
            hasher.finish()
        }),
    }
    rows
}

fn print_rows(
    dialect: &Dialect,
    question: &Question,
    rows: &[Row],
    output: &Output,
) -> io::Result<()> {
    let columns = dialect.columns.max(1);
    for (line, some) in rows.chunks(columns).enumerate() {
        if dialect.loses_short_line && some.len() < columns {
            break;
        }
        std::thread::sleep(Duration::from_millis(dialect.row_ms));
        let cells = some.iter().enumerate().map(|(column, row)| {
            let place = (line * columns + column, rows.len());
            fill_row(dialect, &dialect.row, question, place, row)
        });
        let cells: Vec<String> = cells.collect();
        output.line(&cells.join(&dialect.gap))?;
    }
    Ok(())
}

/// A row, or what is printed of it before; `place` is its index and the number of rows.
fn fill_row(
    dialect: &Dialect,
    template: &str,
    question: &Question,
    (index, rows): (usize, usize),
    row: &Row,
) -> String {
    let value = |key: &str| {
        Some(match key {
            "move" => row.text.clone(),
            "nodes" => grouped(row.nodes, &dialect.row_group),
            "index" => (index + 1).to_string(),
            "percent" => ((index + 1) * 100 / rows).to_string(),
            "rows" => rows.to_string(),
            "depth" => question.depth.to_string(),
            "replies" => count::replies(question.route.position(), row.m).to_string(),
            "code" => count::code(row.m).to_string(),
            _ => return None,
        })
    };
    fill(template, &value).unwrap_or_else(|key| panic!("a row has no {{{key}}}"))
}

/// What a line may say.
struct Facts<'a> {
    dialect: &'a Dialect,
    position: &'a Position,
    depth: u32,
    total: u64,
    moves: usize,
}

impl Facts<'_> {
    fn fill(&self, template: &str) -> String {
        fill(template, &|key| self.value(key))
            .unwrap_or_else(|key| panic!("an answer has no {{{key}}}"))
    }

    /// Times are computed from the count, so that every run prints the same.
    fn value(&self, key: &str) -> Option<String> {
        let ms = self.total / 700 + 1;
        let seconds = format!("{}.{:03}", ms / 1000, ms % 1000);
        Some(match key {
            "total" => grouped(self.total, &self.dialect.group),
            "raw" => self.total.to_string(),
            "hex" => format!("{:x}", self.total),
            "depth" => self.depth.to_string(),
            "moves" => self.moves.to_string(),
            "fen" => fen::write(self.position),
            "ms" => ms.to_string(),
            "seconds" => seconds,
            "comma_seconds" => seconds.replace('.', ","),
            "nps" => grouped(self.total * 1000 / ms, &self.dialect.group),
            "knps" => (self.total / ms).to_string(),
            "captures" | "ep" | "castles" | "promotions" | "checks" | "mates" => self.part(key),
            _ => return None,
        })
    }

    /// How many of the last moves are of a kind: of the right count, which bugs leave alone.
    fn part(&self, key: &str) -> String {
        let all = breakdown(self.position, self.depth, &AtomicBool::new(false));
        let all = all.expect("it is not cancelled");
        let part = match key {
            "captures" => all.captures,
            "ep" => all.en_passant,
            "castles" => all.castles,
            "promotions" => all.promotions,
            "checks" => all.checks,
            _ => all.mates,
        };
        grouped(part, &self.dialect.group)
    }
}
