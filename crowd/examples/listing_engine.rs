//! A UCI engine that lists moves by `go perft N` and misbehaves on demand: for testing `crowd verify`.
//!
//! Each flag is one misbehaviour; `--help` lists them.

use std::io::{self, BufRead as _, Write as _};
use std::time::Duration;

use chess::notation::{fen, uci_move};
use chess::rules::{Color, Position};
use clap::Parser;

/// An engine that lists moves and misbehaves on demand.
#[derive(Debug, Parser)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
struct Flags {
    /// Leave this move out
    #[arg(long, value_name = "MOVE")]
    leave_out: Option<String>,
    /// List this move, or whatever it is, where the first listed move is a1b1
    #[arg(long, value_name = "TEXT")]
    add: Option<String>,
    /// List the last move twice
    #[arg(long)]
    twice: bool,
    /// Print no total
    #[arg(long)]
    no_total: bool,
    /// Answer `isready` before `go perft N`, but not in the start position
    #[arg(long)]
    ready_first: bool,
    /// Search instead
    #[arg(long)]
    search: bool,
    /// Say that the command is not known
    #[arg(long)]
    no_perft: bool,
    /// End over positions where Black has a bare king and is to move
    #[arg(long)]
    crash: bool,
    /// Say nothing over positions where Black has a bare king and is to move
    #[arg(long)]
    hang: bool,
    /// Have no option `UCI_Chess960`
    #[arg(long)]
    no_chess960: bool,
    /// Print lines without end in place of an answer
    #[arg(long)]
    flood: bool,
}

fn main() -> io::Result<()> {
    let flags = Flags::parse();
    let mut position = fen::parse(START).expect("the start position is legal");
    let mut late = Vec::new();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let mut answer = Vec::new();
        match line.split_whitespace().next() {
            Some("uci") => answer = introduction(&flags),
            Some("isready") => {
                answer.push("readyok".to_owned());
                answer.append(&mut late);
            }
            Some("position") => position = read(&line),
            Some("go") => {
                let depth = line.split_whitespace().nth(2).map(str::parse);
                let depth = depth.and_then(Result::ok).unwrap_or(1);
                let counted = count(&flags, &position, depth);
                if flags.ready_first && fen::write(&position) != START {
                    late = counted;
                } else {
                    answer = counted;
                }
            }
            Some("quit") => return Ok(()),
            _ => {}
        }
        // At once, so that nobody waits in the middle of an answer.
        answer.push(String::new());
        io::stdout().write_all(answer.join("\n").as_bytes())?;
        io::stdout().flush()?;
    }
    Ok(())
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn introduction(flags: &Flags) -> Vec<String> {
    let mut lines = vec!["id name Listing Engine".to_owned()];
    if !flags.no_chess960 {
        lines.push("option name UCI_Chess960 type check default false".to_owned());
    }
    lines.push("uciok".to_owned());
    lines
}

fn read(line: &str) -> Position {
    let text = line.strip_prefix("position fen ").unwrap_or(START);
    let (text, moves) = text.split_once(" moves ").unwrap_or((text, ""));
    let root = fen::parse(text).expect("those who test send legal positions");
    moves.split_whitespace().fold(root, |position, text| {
        let m = uci_move::parse(text, &position, position.castling_mode());
        position.play_unchecked(m.expect("those who test send legal moves"))
    })
}

fn count(flags: &Flags, position: &Position, depth: u32) -> Vec<String> {
    // Of the positions by which an engine is got to know, none is so.
    let is_bare = position.by_color(Color::Black).count() == 1
        && position.side_to_move() == Color::Black
        && position.by_color(Color::White).count() == 2;
    if flags.crash && is_bare {
        std::process::abort();
    }
    if flags.hang && is_bare {
        std::thread::sleep(Duration::from_hours(1));
    }
    if flags.no_perft {
        return vec!["Unknown command: 'go perft 1'".to_owned()];
    }
    if flags.search {
        return vec!["info depth 1 score cp 20 pv e2e4".to_owned()];
    }
    if flags.flood {
        return vec!["hello".to_owned(); 20_000];
    }
    rows(flags, position, depth)
}

fn rows(flags: &Flags, position: &Position, depth: u32) -> Vec<String> {
    let write = |m| uci_move::write(m, position, position.castling_mode());
    let divide = chess::perft::Counter::new().divide(position, depth);
    let divide = divide.expect("those who test ask for small counts");
    let mut moves: Vec<(String, u64)> = divide.into_iter().map(|(m, n)| (write(m), n)).collect();
    moves.sort();
    if flags.twice {
        moves.extend(moves.last().cloned());
    }
    let is_there = moves.first().is_some_and(|(first, _)| first == "a1b1");
    moves.extend(flags.add.clone().filter(|_| is_there).map(|text| (text, 1)));
    moves.retain(|(text, _)| Some(text) != flags.leave_out.as_ref());
    let total: u64 = moves.iter().map(|(_, nodes)| nodes).sum();
    let mut lines: Vec<String> = moves
        .iter()
        .map(|(text, nodes)| format!("{text}: {nodes}"))
        .collect();
    if !flags.no_total {
        lines.push(format!("\nNodes searched: {total}\n"));
    }
    lines
}
