//! `cargo run -p touchstone-chess --example explain -- 'FEN' MOVE...`: why each move is legal or not.
#![expect(clippy::print_stdout, reason = "the result")]

use chess::notation::san;
use chess::rules::{Move, Position, explain};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let fen = arguments.next().ok_or("expected a FEN and moves")?;
    let position: Position = fen.parse()?;
    for text in arguments {
        let (from, to) = text
            .split_at_checked(2)
            .ok_or("expected moves such as e5d6")?;
        let asked = Move::new(from.parse()?, to.parse()?);
        println!("{}", explain::explain(&position, asked));
    }
    let legal: Vec<String> = position
        .legal_moves()
        .iter()
        .map(|&m| san::write(m, &position))
        .collect();
    println!("legal moves: {}", legal.join(" "));
    Ok(())
}
