//! Counts with cozy-chess, in bulk, on request: reads lines `DEPTH FEN`, answers each with
//! `NODES NANOSECONDS`.

use std::io::{self, BufRead, Write};
use std::time::Instant;

use cozy_chess::Board;

fn perft(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for m in moves {
                let mut next = board.clone();
                next.play_unchecked(m);
                nodes += perft(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

fn main() -> io::Result<()> {
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (depth, fen) = line.split_once(' ').expect("a depth and a FEN");
        let board: Board = fen.parse().expect("a legal position");
        let depth: u32 = depth.parse().expect("a depth");
        let start = Instant::now();
        let nodes = perft(&board, depth);
        writeln!(out, "{nodes} {}", start.elapsed().as_nanos())?;
        out.flush()?;
    }
    Ok(())
}
