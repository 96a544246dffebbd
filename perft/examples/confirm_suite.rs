//! Confirms the counts of perft suites with generators that share no code.
//!
//! Every depth of every line is counted by the bitboard generator and by Stockfish, and, as long
//! as the count stays within `--mailbox-nodes`, by the mailbox generator. A line reads
//!
//! ```text
//! <placement> <side> <castling> <ep> D1 20; D2 400; id "suite.slug"; tag word word;
//! ```
//!
//! as `Record::of_suite` writes it, with the depths from 1 upwards without a gap. A line without depths
//! is a position still to be counted, accepted with `--write` only.
//!
//! Exits with 0 when all agree, 1 when a count differs, 2 on bad usage or input, 3 when Stockfish or
//! the disk fails, 4 without a position to check.

#![expect(
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a program with a report"
)]

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use chess::rules::{Position, mailbox};
use chess::{notation::fen, perft};
use clap::Parser;
use epd::Record;
use kit::output;
use uci::{Client, CommandLine, Received, Start};

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
    let mut stockfish = start(&args.stockfish).context(OutsideFault)?;
    let oracle = stockfish.id().name.clone();
    let oracle = oracle.unwrap_or_else(|| "an engine without a name".to_owned());
    let (mut ids, mut all_differences) = (HashSet::new(), 0);
    for path in &args.files {
        let name = path.display();
        let text = kit::read::text(path, kit::read::DATA).with_context(|| name.to_string())?;
        let (before, mut nodes, mut differences) = (ids.len(), 0, 0);
        let mut rewritten = String::new();
        for (number, line) in (1..).zip(text.lines()) {
            if line.is_empty() || line.starts_with('#') {
                rewritten += line;
            } else {
                let place = format!("{name}:{number}");
                let record = read(line, args).with_context(|| place.clone())?;
                let id = record.id().unwrap_or_default().to_owned();
                ensure!(ids.insert(id), "{place}: the id is taken");
                differences += confirm(&record, &place, &mut stockfish, args.mailbox_nodes)?;
                nodes += record.perft_counts().last().map_or(0, |&(_, count)| count);
                rewritten += record.text();
            }
            rewritten.push('\n');
        }
        let positions = ids.len() - before;
        println!("{name}: {positions} positions, {nodes} nodes, {differences} differences");
        if args.write && differences == 0 {
            output::to_file(path, rewritten).context(OutsideFault)?;
        }
        all_differences += differences;
    }
    let limit = args.mailbox_nodes;
    println!("by bitboard, mailbox (counts up to {limit}) and {oracle}");
    Ok((ids.len(), all_differences))
}

/// Reads a line; where it has no counts, they are filled in if that is wanted.
fn read(line: &str, args: &Args) -> Result<Record> {
    let mut record: Record = line.parse()?;
    let counts = record.perft_counts().into_iter();
    let mut counts: Vec<u64> = counts.map(|(_, count)| count).collect();
    let is_new = counts.is_empty();
    if is_new {
        ensure!(args.write, "no counts; --write fills them in");
        counts = counts_within(record.position(), args.max_nodes)?;
    }
    let tags: Vec<&str> = record.tags().collect();
    ensure!(record.id().is_some() && !tags.is_empty(), "no id or no tag");
    let expected = Record::of_suite(*record.position(), record.id(), &tags, &counts)?;
    if is_new {
        record.set_operations(expected.operations().to_vec())?;
    }
    ensure!(
        record.operations() == expected.operations(),
        "expected {expected}"
    );
    Ok(record)
}

/// Prints each count that differs from the line's and returns how many do.
fn confirm(
    record: &Record,
    place: &str,
    stockfish: &mut Client,
    mailbox_nodes: u64,
) -> Result<usize> {
    let mut differences = 0;
    for (depth, expected) in record.perft_counts() {
        let mut counts = vec![("bitboard", perft::count(record.position(), depth)?)];
        if expected <= mailbox_nodes {
            let setup = record.position().to_setup();
            counts.push(("mailbox", mailbox::perft(&setup, depth)));
        }
        let answer = ask(stockfish, record.position(), depth);
        let answer = answer.with_context(|| place.to_owned());
        counts.push(("stockfish", answer.context(OutsideFault)?));
        for (who, nodes) in counts.into_iter().filter(|&(_, nodes)| nodes != expected) {
            let id = record.id().unwrap_or_default();
            println!("{place}: {id}: D{depth} is {expected}, {who} counts {nodes}");
            differences += 1;
        }
    }
    Ok(differences)
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

/// Starts Stockfish with Chess960 on, since standard chess is one arrangement of it.
fn start(path: &Path) -> Result<Client> {
    let mut stockfish = Client::start(&Start::new(CommandLine::new(path)))?;
    stockfish.handshake(PATIENCE)?;
    stockfish.set_option("UCI_Chess960", Some("true"))?;
    Ok(stockfish)
}

/// Counts a position; `depth` is at least 1, for depth 0 would start a search without end.
fn ask(stockfish: &mut Client, position: &Position, depth: u32) -> Result<u64> {
    stockfish.send_line(&format!("position fen {}", fen::write(position)))?;
    let deadline = stockfish.send_line(&format!("go perft {depth}"))? + PATIENCE;
    loop {
        match stockfish.next_line(deadline)? {
            Received::Line(line) => {
                if let Some(nodes) = line.text.strip_prefix("Nodes searched: ") {
                    return nodes.trim().parse().context("its answer is not a count");
                }
            }
            Received::TimedOut => bail!("no count in {} s", PATIENCE.as_secs()),
            Received::Eof | Received::Cancelled => bail!("it ended before its count"),
        }
    }
}
