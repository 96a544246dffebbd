//! Counts with cozy-chess, in bulk, on request: reads lines `DEPTH FEN`, answers each with
//! `NODES NANOSECONDS`.

mod cozy;

use std::io::{self, BufRead, Write};
use std::time::Instant;

use cozy_chess::Board;

fn main() -> io::Result<()> {
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (depth, fen) = line.split_once(' ').expect("a depth and a FEN");
        let board: Board = fen.parse().expect("a legal position");
        let depth: u32 = depth.parse().expect("a depth");
        let start = Instant::now();
        let nodes = cozy::perft(&board, depth);
        writeln!(out, "{nodes} {}", start.elapsed().as_nanos())?;
        out.flush()?;
    }
    Ok(())
}
