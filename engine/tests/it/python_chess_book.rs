//! python-chess as a judge of Polyglot keys and of the books that we write.
//!
//! `scripts/test` installs it into `.venv` and switches on the feature `oracles`.

use chacha20::ChaCha8Rng;
use chess::notation::{fen, uci_move};
use chess::rules::{CastlingMode, Color, Game, Position};
use engine::book::{self, Book, BookBuilder};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use testkit::python::ask;
use testkit::scale;

use crate::search_agrees::games::random_game;
use crate::search_agrees::reference::line_of;

const SEED: u64 = 65;

const KEY_JUDGE: &str = r#"
import sys, chess, chess.polyglot
for line in sys.stdin:
    print(f"{chess.polyglot.zobrist_hash(chess.Board(line.strip(), chess960=True)):016x}")
"#;

/// Reads a book in hexadecimal digits, then FENs, and prints the moves for each.
const BOOK_JUDGE: &str = r#"
import sys, chess, chess.polyglot, tempfile
with tempfile.NamedTemporaryFile() as file:
    file.write(bytes.fromhex(sys.stdin.readline()))
    file.flush()
    with chess.polyglot.open_reader(file.name) as book:
        for line in sys.stdin:
            board = chess.Board(line.strip(), chess960=True)
            print(*(f"{one.move.uci()}:{one.weight}:{one.learn}" for one in book.find_all(board)))
"#;

/// Random games, every other one of Chess960.
fn random_games(rng: &mut ChaCha8Rng, count: u64) -> Vec<Game> {
    (0..count)
        .map(|number| random_game(rng, number % 2))
        .collect()
}

fn lines(positions: &[Position]) -> String {
    let texts: Vec<String> = positions.iter().map(fen::write).collect();
    texts.join("\n")
}

fn describe(book: &Book, position: &Position) -> String {
    let name = |one: &book::BookMove| {
        let m = uci_move::write(one.m, position, CastlingMode::Chess960);
        format!("{m}:{}:{}", one.weight, one.learn)
    };
    let moves: Vec<String> = book.moves(position).iter().map(name).collect();
    moves.join(" ")
}

#[test]
fn python_chess_has_the_same_keys() {
    let count = scale(10, 100);
    println!("seed {SEED}, {count} games");
    let games = random_games(&mut ChaCha8Rng::seed_from_u64(SEED), count);
    let all: Vec<Position> = games.iter().flat_map(line_of).collect();
    let judged = ask(KEY_JUDGE, lines(&all));
    assert_eq!(judged.lines().count(), all.len());
    for (position, judged) in all.iter().zip(judged.lines()) {
        let found = format!("{:016x}", book::key(position));
        assert_eq!(found, judged, "{}", fen::write(position));
    }
}

#[test]
fn python_chess_reads_our_books() {
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut builder = BookBuilder::new(40, 1);
    let mut all = Vec::new();
    for game in random_games(&mut rng, 100) {
        let winner = [Some(Color::White), Some(Color::Black), None];
        builder.add(&game, *winner.choose(&mut rng).expect("there are three"));
        all.extend(line_of(&game));
    }
    let book = builder.build();
    let hex = book.as_bytes().iter().map(|byte| format!("{byte:02x}"));
    let hex = hex.collect::<Vec<String>>().concat();
    let judged = ask(BOOK_JUDGE, format!("{hex}\n{}", lines(&all)));
    assert_eq!(judged.lines().count(), all.len());
    for (position, judged) in all.iter().zip(judged.lines()) {
        assert_eq!(
            describe(&book, position),
            judged,
            "{}",
            fen::write(position)
        );
    }
    assert!(judged.lines().filter(|line| !line.is_empty()).count() > 1_000);
}
