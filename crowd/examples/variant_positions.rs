//! Writes positions of a variant from random games of an engine that knows it, for a campaign: one per line, of either
//! side, from all parts of the game; with `answers`, the moves too, for gold.
//!
//! `cargo run -p touchstone-crowd --example variant_positions -- fairy-stockfish antichess 60 1 [answers]`

#![expect(
    clippy::disallowed_methods,
    reason = "a program for the command line, which waits for an engine"
)]

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::Duration;

use chacha20::ChaCha8Rng;
use crowd::model::MoveText;
use crowd::variant::SuiteLine;
use rand::{RngExt, SeedableRng};
use uci::{Client, EngineSpec, Received, Start};

/// The longest game, in plies.
const PLIES: usize = 120;
const PATIENCE: Duration = Duration::from_secs(10);
/// As many games without a new position end the search.
const GAMES: usize = 2000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [engine, variant, count, seed, rest @ ..] = arguments.as_slice() else {
        return Err("engine, variant, number of positions and seed are expected".into());
    };
    let (count, seed): (usize, u64) = (count.parse()?, seed.parse()?);
    let mut client = Client::start(&Start::new(EngineSpec::from_argument(engine)?.command))?;
    client.handshake(PATIENCE)?;
    client.set_option("UCI_Variant", Some(variant))?;
    client.synchronise(PATIENCE)?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut known = BTreeSet::new();
    let mut out = io::stdout().lock();
    for _ in 0..GAMES {
        if known.len() == count {
            break;
        }
        // The ply is drawn beforehand, so that late positions are as frequent as early ones.
        let wanted = rng.random_range(1..PLIES);
        let mut game = String::from("position startpos moves");
        for ply in 0..=wanted {
            let (fen, moves) = look(&mut client, &game)?;
            if moves.is_empty() {
                break;
            }
            if ply == wanted && known.insert(fen.clone()) {
                let name = format!("{variant}.{seed}.{}", known.len());
                if rest.is_empty() {
                    writeln!(out, "{fen} ;id {name}")?;
                } else {
                    let moves: Vec<&MoveText> = moves.iter().collect();
                    writeln!(out, "{}", SuiteLine::written(&fen, &name, &moves))?;
                }
            }
            let mv = &moves[rng.random_range(0..moves.len())];
            write!(game, " {mv}")?;
        }
    }
    Ok(())
}

/// The position after the moves of a game, as the engine writes it, and its moves.
fn look(client: &mut Client, game: &str) -> Result<(String, Vec<MoveText>), Box<dyn Error>> {
    client.send_lines(&[game, "d", "go perft 1"])?;
    let deadline = std::time::Instant::now() + PATIENCE;
    let (mut fen, mut moves) = (None, Vec::new());
    loop {
        let Received::Line(line) = client.next_line(deadline)? else {
            return Err("the engine does not answer".into());
        };
        let (name, value) = line.text.split_once(':').unwrap_or_default();
        match name {
            "Fen" => fen = Some(value.trim().to_owned()),
            "Nodes searched" => return Ok((fen.ok_or("the engine writes no FEN")?, moves)),
            _ => moves.extend(name.parse::<MoveText>()),
        }
    }
}
