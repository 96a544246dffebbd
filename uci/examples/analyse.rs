//! `cargo run -p touchstone-uci --example analyse -- 'stockfish' 12`: the principal variations of the start position.
#![expect(clippy::print_stdout, reason = "the result")]

use std::time::Duration;

use uci::grammar::{Go, PositionCommand};
use uci::{Client, SessionEvent, Start};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let command = arguments
        .next()
        .ok_or("expected the command of an engine")?;
    let depth = arguments.next().map_or(Ok(10), |depth| depth.parse())?;
    let patience = Duration::from_mins(1);
    let mut engine = Client::start(&Start::new(command.parse()?))?;
    engine.handshake(patience)?;
    let go = Go {
        depth: Some(depth),
        ..Go::default()
    };
    let position = PositionCommand::default();
    let searched = engine.go(position, go, patience, |_, event| {
        if let SessionEvent::Info(info) = event {
            println!("info{info}");
        }
    })?;
    println!("bestmove {}", searched.best_move);
    Ok(())
}
