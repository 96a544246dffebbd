//! python-chess as a judge of rules and notation, on positions of random games.
//!
//! `scripts/test` installs it into `.venv` and switches on the feature `oracles`.

use chacha20::ChaCha8Rng;
use chess::notation::{fen, san, uci_move};
use chess::rules::{CastlingMode, Outcome, Position};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use testkit::python::ask;
use testkit::{random_start, scale};

const SEED: u64 = 64;

/// Reads FENs, prints for each: the FEN as python-chess writes it, check, insufficient material,
/// and every legal move as UCI and SAN.
const JUDGE: &str = r#"
import sys, chess
for line in sys.stdin:
    board = chess.Board(line.strip(), chess960=True)
    assert board.is_valid(), line
    moves = sorted(f"{m.uci()}={board.san(m)}" for m in board.legal_moves)
    print(board.shredder_fen(en_passant="legal"), int(board.is_check()),
          int(board.is_insufficient_material()), *moves, sep="|")
"#;

fn describe(position: &Position) -> String {
    let style = fen::FenStyle {
        ep: fen::EnPassantMode::Legal,
        castling: fen::CastlingText::Shredder,
    };
    let name = |m| {
        let uci = uci_move::write(m, position, CastlingMode::Chess960);
        format!("{uci}={}", san::write(m, position))
    };
    let mut moves: Vec<String> = position.legal_moves().into_iter().map(name).collect();
    moves.sort();
    let flags = [position.is_check(), position.is_insufficient_material()].map(u8::from);
    let mut fields = vec![fen::write_with(position, style)];
    fields.extend(flags.map(|flag| flag.to_string()));
    fields.extend(moves);
    fields.join("|")
}

#[test]
fn python_chess_agrees() {
    let count = scale(600, 6_000);
    println!("seed {SEED}, {count} positions");
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut positions = Vec::new();
    while (positions.len() as u64) < count {
        let mut position = random_start(&mut rng, positions.len() % 2 == 1);
        for _ in 0..rng.random_range(1..300) {
            positions.push(position);
            let Some(&m) = position.legal_moves().choose(&mut rng) else {
                break;
            };
            position = position.play_unchecked(m);
            if position.outcome() == Some(Outcome::InsufficientMaterial) {
                positions.push(position);
                break;
            }
        }
    }
    let fens = positions.iter().map(|position| format!("{position}\n"));
    let judged = ask(JUDGE, fens.collect());
    assert_eq!(judged.lines().count(), positions.len());
    for (position, judged) in positions.iter().zip(judged.lines()) {
        assert_eq!(describe(position), judged);
    }
}
