//! `cargo run --release -p touchstone-chess --example divide -- 'FEN' DEPTH`: perft below each legal move.
#![expect(clippy::print_stdout, reason = "the result")]

use chess::notation::uci_move;
use chess::perft::Counter;
use chess::rules::{CastlingMode, Position};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let position: Position = match arguments.next() {
        Some(fen) => fen.parse()?,
        None => Position::default(),
    };
    let depth = arguments.next().map_or(Ok(4), |depth| depth.parse())?;
    let mut total = 0;
    for (m, nodes) in Counter::new().divide(&position, depth)? {
        println!(
            "{}: {nodes}",
            uci_move::write(m, &position, CastlingMode::Standard)
        );
        total += nodes;
    }
    println!("\nNodes searched: {total}");
    Ok(())
}
