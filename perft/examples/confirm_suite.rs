//! Confirms the counts of perft suites with generators that share no code.
//!
//! Every depth of every line is counted by the bitboard generator and by Stockfish, and, as long
//! as the count stays within `--mailbox-nodes`, by the mailbox generator. A line reads
//!
//! ```text
//! <placement> <side> <castling> <ep> id "suite.slug"; tag word word; D1 20; D2 400;
//! ```
//!
//! with one blank between things and the depths from 1 upwards without a gap. A line without
//! depths is a position still to be counted, accepted with `--write` only.
//!
//! Exit codes: 0 all agree, 1 a count differs, 2 bad usage or input, 3 Stockfish or a file failed,
//! 4 no position to check.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the report of a program")]
#![expect(clippy::disallowed_methods, reason = "an edge: files, a child process and its deadline")]

use std::collections::HashSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use engine::notation::fen;
use engine::rules::{Bitboard, Color, Position, Square, mailbox};

/// How long Stockfish may take for one answer.
const PATIENCE: Duration = Duration::from_secs(300);

/// No line needs more plies, even where the tree never grows.
const MAX_DEPTH: u32 = 12;

/// Confirms perft suites with the bitboard generator, the mailbox generator and Stockfish.
#[derive(Parser)]
struct Args {
    /// Rewrite the files, with counts on the lines that have none
    #[arg(long)]
    write: bool,
    /// The most nodes at the last depth of a line that is filled in
    #[arg(long, value_name = "N", default_value_t = 5_000_000)]
    max_nodes: u64,
    /// The largest count that the mailbox generator confirms
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    mailbox_nodes: u64,
    /// The Stockfish to ask
    #[arg(long, value_name = "PATH", default_value = "stockfish")]
    stockfish: PathBuf,
    /// The suites, for example epd/suites/edge.epd
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

enum Line {
    /// A comment or an empty line, kept as it is.
    Remark(String),
    Record(Record),
}

struct Record {
    /// File and line, for messages.
    place: String,
    /// The four fields of the position.
    fields: String,
    id: String,
    tags: String,
    /// The counts of depth 1, 2, ...
    counts: Vec<u64>,
    position: Position,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let suites = match read_suites(&args) {
        Ok(suites) => suites,
        Err(error) => {
            eprintln!("error: {error:#}");
            return ExitCode::from(2);
        }
    };
    if suites.iter().flatten().all(|line| matches!(line, Line::Remark(_))) {
        eprintln!("error: there is no position to check");
        return ExitCode::from(4);
    }
    match confirm_suites(&args, suites) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(3)
        }
    }
}

fn read_suites(args: &Args) -> Result<Vec<Vec<Line>>> {
    let mut ids = HashSet::new();
    let mut suites = Vec::new();
    for path in &args.files {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let mut lines = Vec::new();
        for (index, text) in text.lines().enumerate() {
            let place = format!("{}:{}", path.display(), index + 1);
            let line = read_line(text, &place).with_context(|| place.clone())?;
            if let Line::Record(record) = &line {
                ensure!(ids.insert(record.id.clone()), "{place}: id {} is taken", record.id);
                ensure!(args.write || !record.counts.is_empty(), "{place}: no counts");
            }
            lines.push(line);
        }
        suites.push(lines);
    }
    Ok(suites)
}

fn read_line(text: &str, place: &str) -> Result<Line> {
    if text.is_empty() || text.starts_with('#') {
        return Ok(Line::Remark(text.to_owned()));
    }
    let (fields, rest) = text.split_once(" id \"").context("no id")?;
    let (id, rest) = rest.split_once("\"; tag ").context("no tag after the id")?;
    let (tags, rest) = rest.split_once(';').context("the tag has no end")?;
    let mut counts = Vec::new();
    for (index, operation) in rest.split_terminator(';').enumerate() {
        let name = format!(" D{} ", index + 1);
        let count = operation.strip_prefix(&name).with_context(|| format!("expected{name}"))?;
        counts.push(count.parse().with_context(|| format!("{count:?} is not a count"))?);
    }
    let record = Record {
        place: place.to_owned(),
        fields: fields.to_owned(),
        id: id.to_owned(),
        tags: tags.to_owned(),
        counts,
        position: fen::parse(fields)?,
    };
    ensure!(record.text() == text, "expected {:?}", record.text());
    Ok(Line::Record(record))
}

impl Record {
    fn text(&self) -> String {
        let mut text = format!("{} id \"{}\"; tag {};", self.fields, self.id, self.tags);
        for (index, count) in self.counts.iter().enumerate() {
            text += &format!(" D{} {count};", index + 1);
        }
        text
    }

    /// Prints each count that differs from the line's and returns how many do.
    fn confirm(&self, stockfish: &mut Stockfish, mailbox_nodes: u64) -> Result<u32> {
        let setup = self.position.to_setup();
        let mut differences = 0;
        for (depth, &expected) in (1..).zip(&self.counts) {
            let mut compare = |who: &str, counted: u64| {
                if counted != expected {
                    let (place, id) = (&self.place, &self.id);
                    println!("{place}: {id}: D{depth} is {expected}, {who} counts {counted}");
                    differences += 1;
                }
            };
            compare("bitboard", count(&self.position, depth));
            if expected <= mailbox_nodes {
                compare("mailbox", mailbox::perft(&setup, depth));
            }
            compare("stockfish", stockfish.perft(self, depth).with_context(|| self.place.clone())?);
        }
        Ok(differences)
    }
}

/// Counts with the bitboard generator; the moves of the last ply are counted, not made.
fn count(position: &Position, depth: u32) -> u64 {
    if depth == 1 {
        return position.legal_move_count().into();
    }
    let moves = position.legal_moves().into_iter();
    moves.map(|m| count(&position.play_unchecked(m), depth - 1)).sum()
}

/// The counts to the last depth within `max_nodes`, of at least one depth, or two without a move.
fn fill_in(position: &Position, max_nodes: u64) -> Vec<u64> {
    let mut counts = vec![count(position, 1)];
    for depth in 2..=MAX_DEPTH {
        let nodes = count(position, depth);
        if nodes > max_nodes {
            break;
        }
        counts.push(nodes);
        if nodes == 0 {
            break;
        }
    }
    counts
}

/// Confirms, reports and, where asked to, writes; returns the number of differences.
fn confirm_suites(args: &Args, suites: Vec<Vec<Line>>) -> Result<u32> {
    let mut stockfish = Stockfish::start(&args.stockfish)?;
    let mut all = 0;
    for (path, mut lines) in args.files.iter().zip(suites) {
        let (mut positions, mut nodes, mut differences) = (0, 0, 0);
        for line in &mut lines {
            let Line::Record(record) = line else { continue };
            if record.counts.is_empty() {
                record.counts = fill_in(&record.position, args.max_nodes);
            }
            differences += record.confirm(&mut stockfish, args.mailbox_nodes)?;
            positions += 1;
            nodes += record.counts.last().copied().unwrap_or(0);
        }
        let path_shown = path.display();
        println!(
            "{path_shown}: {positions} positions, {nodes} nodes at their last depths, \
             {differences} differences"
        );
        if args.write && differences == 0 {
            replace(path, &lines).with_context(|| path_shown.to_string())?;
        }
        all += differences;
    }
    let limit = args.mailbox_nodes;
    println!("by: bitboard, mailbox to {limit} nodes a count, {}", stockfish.name);
    Ok(all)
}

/// Replaces a file whole, by way of a temporary neighbour.
fn replace(path: &Path, lines: &[Line]) -> Result<()> {
    let mut text = String::new();
    for line in lines {
        match line {
            Line::Remark(remark) => text += remark,
            Line::Record(record) => text += &record.text(),
        }
        text.push('\n');
    }
    let neighbour = path.with_extension("epd.new");
    fs::write(&neighbour, text)?;
    fs::rename(&neighbour, path)?;
    Ok(())
}

/// A running Stockfish, killed when dropped. Every wait ends at the answer, at the end of its
/// output, or at the deadline.
struct Stockfish {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    name: String,
}

impl Stockfish {
    fn start(path: &Path) -> Result<Self> {
        let mut command = Command::new(path);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", path.display()))?;
        let input = child.stdin.take().expect("standard input is piped");
        let output = child.stdout.take().expect("standard output is piped");
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut stockfish = Self { child, input, lines, name: String::new() };
        writeln!(stockfish.input, "uci")?;
        stockfish.name = stockfish.rest_of_line("id name ")?;
        stockfish.rest_of_line("uciok")?;
        Ok(stockfish)
    }

    /// Counts a position; `depth` is at least 1, for depth 0 would start a search without end.
    fn perft(&mut self, record: &Record, depth: u32) -> Result<u64> {
        let chess960 = castles_as_in_chess960(&record.position);
        writeln!(self.input, "setoption name UCI_Chess960 value {chess960}")?;
        writeln!(self.input, "position fen {} 0 1", record.fields)?;
        writeln!(self.input, "go perft {depth}")?;
        let nodes = self.rest_of_line("Nodes searched: ")?;
        nodes.parse().with_context(|| format!("{nodes:?} is not a count"))
    }

    /// Waits for the line that begins with `prefix` and returns what follows.
    fn rest_of_line(&mut self, prefix: &str) -> Result<String> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    if let Some(rest) = line.strip_prefix(prefix) {
                        return Ok(rest.trim().to_owned());
                    }
                }
                Err(RecvTimeoutError::Disconnected) => bail!("stockfish ended before {prefix:?}"),
                Err(RecvTimeoutError::Timeout) => {}
            }
            ensure!(!left.is_zero(), "stockfish: no {prefix:?} in {} s", PATIENCE.as_secs());
        }
    }
}

impl Drop for Stockfish {
    fn drop(&mut self) {
        // A child that has already ended cannot be killed, only reaped.
        let _already_ended = self.child.kill();
        let _nothing_to_do = self.child.wait();
    }
}

/// Whether some castling right is not one of standard chess.
fn castles_as_in_chess960(position: &Position) -> bool {
    [(Color::White, Square::E1), (Color::Black, Square::E8)].into_iter().any(|(color, home)| {
        let rooks = position.castling_rooks() & position.by_color(color);
        let corners_only = (rooks & !Bitboard::CORNERS).is_empty();
        !rooks.is_empty() && (position.king(color) != home || !corners_only)
    })
}
