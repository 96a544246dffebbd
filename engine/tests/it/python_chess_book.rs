//! python-chess as a judge of Polyglot keys and of the books that we write.
//!
//! `scripts/test` installs it into `.venv` and switches on the feature `oracles`.

use std::fmt::Write as _;

use chacha20::ChaCha8Rng;
use chess::notation::{fen, uci_move};
use chess::rules::{CastlingMode, Color, Game, Position};
use engine::book::{self, Book, BookBuilder};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use testkit::python::ask;
use testkit::{random_start, scale};

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

fn random_games(rng: &mut ChaCha8Rng, count: u64) -> Vec<Game> {
    let play = |index| {
        let mut game = Game::new(random_start(rng, index % 2 == 1));
        for _ in 0..rng.random_range(1..200) {
            match game.position().legal_moves().choose(rng) {
                Some(&m) => game.play(m).expect("it is legal"),
                None => break,
            }
        }
        game
    };
    (0..count).map(play).collect()
}

fn positions(game: &Game) -> Vec<Position> {
    let mut positions = vec![*game.start()];
    for m in game.moves() {
        let last = positions.last().expect("there is one");
        positions.push(last.play_unchecked(m));
    }
    positions
}

fn lines(positions: &[Position]) -> String {
    positions.iter().fold(String::new(), |mut text, position| {
        writeln!(text, "{}", fen::write(position)).expect("a string can be written to");
        text
    })
}

fn describe(book: &Book, position: &Position) -> String {
    let name = |one: &book::BookMove| {
        let m = uci_move::write(one.m, position, CastlingMode::Chess960);
        format!("{m}:{}:{}", one.weight, one.learn)
    };
    let moves: Vec<String> = book.moves(position).iter().map(name).collect();
    moves.join(" ")
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string can be written to");
        text
    })
}

#[test]
fn python_chess_has_the_same_keys() {
    let count = scale(10, 100);
    println!("seed {SEED}, {count} games");
    let games = random_games(&mut ChaCha8Rng::seed_from_u64(SEED), count);
    let all: Vec<Position> = games.iter().flat_map(positions).collect();
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
        all.extend(positions(&game));
    }
    let book = builder.build();
    let input = format!("{}\n{}", to_hex(book.as_bytes()), lines(&all));
    let judged = ask(BOOK_JUDGE, input);
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
