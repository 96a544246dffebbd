//! Confirms the counts of perft suites with generators that share no code.
//!
//! Every depth of every line is counted by the bitboard generator and by Stockfish, and, as long
//! as the count stays within `--mailbox-nodes`, by the mailbox generator. A line reads
//!
//! ```text
//! <placement> <side> <castling> <ep> id "suite.slug"; tag word word; D1 20; D2 400;
//! ```
//!
//! with one blank between things and the depths from 1 upwards without a gap. Clocks stand before the
//! id, as `hmvc 99; fmvn 100;`. A line without
//! depths is a position still to be counted, accepted with `--write` only.
//!
//! Exits with 0 when all agree, 1 when a count differs, 2 on bad usage or input, 3 when Stockfish or
//! the disk fails, 4 without a position to check.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a program with files, a child process and a report"
)]

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use std::{fs, iter, thread};

use anyhow::{Context, Result, bail, ensure};
use chess::rules::{Position, mailbox};
use chess::{notation::fen, perft};
use clap::Parser;
use kit::read;

/// How long Stockfish may take for one answer.
const PATIENCE: Duration = Duration::from_mins(5);

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

/// Marks an error as no fault of the input.
#[derive(Debug, thiserror::Error)]
#[error("Stockfish or the disk failed")]
struct OutsideFault;

fn main() -> ExitCode {
    match confirm_files(&Args::parse()) {
        Ok((0, _)) => ExitCode::from(4),
        Ok((_, differences)) => ExitCode::from(u8::from(differences > 0)),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(if error.is::<OutsideFault>() { 3 } else { 2 })
        }
    }
}

/// Confirms file after file; returns the numbers of positions and of differences.
fn confirm_files(args: &Args) -> Result<(usize, usize)> {
    let mut stockfish = Stockfish::start(&args.stockfish).context(OutsideFault)?;
    // Throughout, since standard chess is one arrangement of Chess960.
    let greeting = "setoption name UCI_Chess960 value true\nuci";
    let oracle = stockfish.ask(greeting, "id name ").context(OutsideFault)?;
    let (mut ids, mut all_differences) = (HashSet::new(), 0);
    for path in &args.files {
        let name = path.display();
        let text = read::text(path, read::DATA).with_context(|| name.to_string())?;
        let (before, mut nodes, mut differences) = (ids.len(), 0, 0);
        let mut rewritten = String::new();
        for (number, line) in (1..).zip(text.lines()) {
            if line.is_empty() || line.starts_with('#') {
                rewritten += line;
            } else {
                let place = format!("{name}:{number}");
                let record = Record::read(line, args).with_context(|| place.clone())?;
                ensure!(ids.insert(record.id.to_owned()), "{place}: the id is taken");
                differences += record.confirm(&place, &mut stockfish, args.mailbox_nodes)?;
                nodes += record.counts.last().unwrap_or(&0);
                rewritten += &record.text();
            }
            rewritten.push('\n');
        }
        let positions = ids.len() - before;
        println!("{name}: {positions} positions, {nodes} nodes, {differences} differences");
        if args.write && differences == 0 {
            // Whole or not at all: by way of a temporary neighbour.
            let neighbour = path.with_extension("epd.new");
            fs::write(&neighbour, rewritten).context(OutsideFault)?;
            fs::rename(neighbour, path).context(OutsideFault)?;
        }
        all_differences += differences;
    }
    let limit = args.mailbox_nodes;
    println!("by bitboard, mailbox (counts up to {limit}) and {oracle}");
    Ok((ids.len(), all_differences))
}

/// A line of a suite.
struct Record<'a> {
    /// The six fields of the position.
    fen: String,
    id: &'a str,
    /// All that comes before the counts.
    head: &'a str,
    /// The counts of depth 1, 2, ...
    counts: Vec<u64>,
    position: Position,
}

impl<'a> Record<'a> {
    fn read(line: &'a str, args: &Args) -> Result<Self> {
        let (fields, rest) = line.split_once(" id \"").context("no id")?;
        let fen = match fields.split_once(" hmvc ") {
            None => format!("{fields} 0 1"),
            Some((fields, clocks)) => {
                let clocks = clocks.strip_suffix(';').context("the clocks have no end")?;
                let clocks = clocks.split_once("; fmvn ").context("no fmvn after hmvc")?;
                format!("{fields} {} {}", clocks.0, clocks.1)
            }
        };
        let (id, rest) = rest.split_once("\"; tag ").context("no tag")?;
        let (_tags, rest) = rest.split_once(';').context("the tag has no end")?;
        let head = &line[..line.len() - rest.len()];
        let mut counts = Vec::new();
        for (depth, text) in (1..).zip(rest.split_terminator(';')) {
            let count = text.strip_prefix(&format!(" D{depth} "));
            let count = count.and_then(|digits| digits.parse().ok());
            counts.push(count.with_context(|| format!("expected D{depth}, found {text:?}"))?);
        }
        let position = fen::parse(&fen)?;
        if counts.is_empty() {
            ensure!(args.write, "no counts; --write fills them in");
            counts = counts_within(&position, args.max_nodes)?;
        }
        ensure!(line.ends_with(';'), "the last operation has no end");
        Ok(Self {
            fen,
            id,
            head,
            counts,
            position,
        })
    }

    fn text(&self) -> String {
        let counts = (1..).zip(&self.counts);
        let counts = counts.map(|(depth, count)| format!(" D{depth} {count};"));
        iter::once(self.head.to_owned()).chain(counts).collect()
    }

    /// Prints each count that differs from the line's and returns how many do.
    fn confirm(&self, place: &str, stockfish: &mut Stockfish, mailbox_nodes: u64) -> Result<usize> {
        let mut differences = 0;
        for (depth, &expected) in (1..).zip(&self.counts) {
            let mut counts = vec![("bitboard", perft::count(&self.position, depth)?)];
            if expected <= mailbox_nodes {
                counts.push(("mailbox", mailbox::perft(&self.position.to_setup(), depth)));
            }
            let answer = stockfish.perft(&self.fen, depth);
            let answer = answer.with_context(|| place.to_owned());
            counts.push(("stockfish", answer.context(OutsideFault)?));
            for (who, nodes) in counts.into_iter().filter(|&(_, nodes)| nodes != expected) {
                let id = self.id;
                println!("{place}: {id}: D{depth} is {expected}, {who} counts {nodes}");
                differences += 1;
            }
        }
        Ok(differences)
    }
}

/// The counts of depth 1 and on, at most 12, to the last within `max_nodes`; two without a move.
fn counts_within(position: &Position, max_nodes: u64) -> Result<Vec<u64>> {
    let mut counts = vec![perft::count(position, 1)?];
    let last_depth = if counts == [0] { 2 } else { 12 };
    for depth in 2..=last_depth {
        match perft::count(position, depth)? {
            nodes if nodes > max_nodes => break,
            nodes => counts.push(nodes),
        }
    }
    Ok(counts)
}

/// A running Stockfish, killed when dropped. Every wait ends at the answer, at the end of its
/// output, or at the deadline.
struct Stockfish {
    child: Child,
    input: ChildStdin,
    output: Receiver<String>,
}

impl Stockfish {
    fn start(path: &Path) -> Result<Self> {
        let mut command = Command::new(path);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().context("cannot be started")?;
        let input = child.stdin.take().expect("standard input is piped");
        let stdout = child.stdout.take().expect("standard output is piped");
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
            lines.try_for_each(|line| sender.send(line))
        });
        Ok(Self {
            child,
            input,
            output,
        })
    }

    /// Counts a position; `depth` is at least 1, for depth 0 would start a search without end.
    fn perft(&mut self, fen: &str, depth: u32) -> Result<u64> {
        let command = format!("position fen {fen}\ngo perft {depth}");
        let nodes = self.ask(&command, "Nodes searched: ")?;
        nodes.trim().parse().context("its answer is not a count")
    }

    /// Sends a command, waits for the line that begins with `prefix` and returns the rest of it.
    fn ask(&mut self, command: &str, prefix: &str) -> Result<String> {
        writeln!(self.input, "{command}")?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            ensure!(!left.is_zero(), "no {prefix:?} in {} s", PATIENCE.as_secs());
            match self.output.recv_timeout(left) {
                Ok(line) if line.starts_with(prefix) => return Ok(line[prefix.len()..].to_owned()),
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => bail!("it ended before {prefix:?}"),
            }
        }
    }
}

impl Drop for Stockfish {
    fn drop(&mut self) {
        let _already_ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}
