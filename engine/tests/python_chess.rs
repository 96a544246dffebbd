//! python-chess as a judge of rules and notation, on positions of random games, and of the games
//! themselves in PGN.
//!
//! `scripts/test` installs it into `.venv` and switches on the feature `oracles`.

mod common;

use std::io::Write as _;
use std::process::{Command, Stdio};

use common::{random_start, wanted_positions};
use engine::notation::pgn::{PgnGame, PgnLine, PgnReader};
use engine::notation::{fen, san, uci_move};
use engine::rules::{CastlingMode, Color, Outcome, Position};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

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

/// What a Python program answers to an input.
#[expect(clippy::disallowed_methods, reason = "the judge is another program")]
fn ask(program: &str, input: String) -> String {
    let python = concat!(env!("CARGO_MANIFEST_DIR"), "/../.venv/bin/python");
    let mut judge = Command::new(python)
        .args(["-c", program])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("scripts/test installs python-chess into .venv");
    let mut stdin = judge.stdin.take().expect("its input is piped");
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = judge
        .wait_with_output()
        .expect("python ends at the end of its input");
    writer
        .join()
        .expect("the writer does not panic")
        .expect("python reads all its input");
    assert!(output.status.success(), "python-chess failed");
    String::from_utf8(output.stdout).expect("python writes UTF-8")
}

#[test]
fn python_chess_agrees() {
    let count = wanted_positions(6_000);
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
    let fens: String = positions
        .iter()
        .map(|position| fen::write(position) + "\n")
        .collect();
    let judged = ask(JUDGE, fens);
    assert_eq!(judged.lines().count(), positions.len());
    for (position, judged) in positions.iter().zip(judged.lines()) {
        assert_eq!(describe(position), judged);
    }
}

/// Reads games, prints each as [`describe_game`] does.
const PGN_JUDGE: &str = r#"
import sys, chess.pgn
def words(node):
    yield node.move.uci() if node.board().chess960 else node.uci()
    yield from (f"${nag}" for nag in sorted(node.nags))
    if node.comment:
        yield repr_(node.comment)
def repr_(text):
    return '"' + " ".join(text.split()) + '"'
def line(node):
    while node.variations:
        first, *others = node.variations
        yield from words(first)
        for other in others:
            yield "("
            if other.starting_comment:
                yield repr_(other.starting_comment)
            yield from words(other)
            yield from line(other)
            yield ")"
        node = first
while (game := chess.pgn.read_game(sys.stdin)) is not None:
    assert not game.errors, game.errors
    comment = [repr_(game.comment)] if game.comment else []
    print(*comment, *line(game), game.headers["Result"])
"#;

/// A comment to the end of the line, which python-chess drops.
const LINE_COMMENT: &str = "to the end of the line";

fn describe_comments(comments: &[String]) -> Option<String> {
    let kept = comments.iter().filter(|one| *one != LINE_COMMENT);
    let words: Vec<&str> = kept.flat_map(|one| one.split_whitespace()).collect();
    (!words.is_empty()).then(|| format!("\"{}\"", words.join(" ")))
}

fn describe_line(line: &PgnLine, game: &PgnGame, before: &Position, words: &mut Vec<String>) {
    let mut position = *before;
    words.extend(describe_comments(&line.comments));
    for one in &line.moves {
        words.push(uci_move::write(one.played, &position, game.mode));
        let mut nags = one.nags.clone();
        nags.sort_unstable();
        nags.dedup();
        words.extend(nags.iter().map(|nag| format!("${nag}")));
        words.extend(describe_comments(&one.comments));
        for variation in &one.variations {
            words.push("(".to_owned());
            describe_line(variation, game, &position, words);
            words.push(")".to_owned());
        }
        position = position.play_unchecked(one.played);
    }
}

fn describe_game(game: &PgnGame) -> String {
    let mut words = Vec::new();
    describe_line(&game.mainline, game, &game.start, &mut words);
    words.extend(game.result.map(|result| result.to_string()));
    words.join(" ")
}

/// Writes games at random, in as many ways as PGN has.
struct Scribe {
    rng: ChaCha8Rng,
    text: String,
}

impl Scribe {
    fn one_in(&mut self, n: u32) -> bool {
        self.rng.random_range(0..n) == 0
    }

    fn pick(&mut self, texts: &[&'static str]) -> &'static str {
        texts.choose(&mut self.rng).expect("there is a text")
    }

    fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn write(&mut self, word: &str) {
        self.put(word);
        // An empty line would end the game for python-chess.
        let space = self.pick(&[" ", " ", " ", "  ", "\t", "\n"]);
        self.put(space);
    }

    fn comment(&mut self) {
        let comment = self.pick(&[
            "{a}",
            "{ b c }",
            "{two\nlines}",
            "{(no variation 1. e4)}",
            "{[%clk 0:01:00] ; \\}",
            "{1-0 * $5 !?}",
            "{d'été}",
        ]);
        self.write(comment);
        if self.one_in(4) {
            self.put(&format!(" ;{LINE_COMMENT}\n"));
        }
    }

    fn number(&mut self, position: &Position) {
        let number = position.fullmove_number();
        let dots = match position.side_to_move() {
            Color::White => self.pick(&[". ", ".", " "]),
            Color::Black => self.pick(&["... ", "...", ". ... "]),
        };
        if position.side_to_move() == Color::White || self.one_in(3) {
            self.put(&format!("{number}{dots}"));
        }
    }

    fn line(&mut self, start: Position, plies: usize, depth: u32) {
        let mut position = start;
        if self.one_in(5) {
            self.comment();
        }
        for ply in 0..plies {
            let Some(&m) = position.legal_moves().choose(&mut self.rng) else {
                return;
            };
            self.number(&position);
            let mut text = san::write(m, &position);
            if self.one_in(4) {
                text = text.trim_end_matches(['+', '#']).replace('O', "0");
            }
            text += self.pick(&["", "", "", "", "!", "?!", "??"]);
            self.write(&text);
            if self.one_in(6) {
                let nag = format!("${}", self.rng.random_range(0..256));
                self.write(&nag);
            }
            if self.one_in(5) {
                self.comment();
            }
            // python-chess makes a variation of a variation's first move one of the move before.
            let may_vary = depth == 0 || (depth < 4 && ply > 0);
            while may_vary && self.one_in(8) {
                self.put("(");
                let plies = self.rng.random_range(1..6);
                self.line(position, plies, depth + 1);
                self.write(")");
            }
            position = position.play_unchecked(m);
        }
    }

    fn game(&mut self, start: &Position, chess960: bool) {
        self.write("\n[Event \"Random\"]\n[Site \"\\\"here\\\"\"]");
        if chess960 {
            let fen = fen::write(start);
            self.put(&format!(
                "\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]"
            ));
        }
        let result = self.pick(&["1-0", "0-1", "1/2-1/2", "*"]);
        self.put(&format!("\n[Result \"{result}\"]\n\n"));
        let plies = self.rng.random_range(0..120);
        self.line(*start, plies, 0);
        self.put(&format!("{result}\n\n"));
    }
}

#[test]
fn python_chess_reads_the_same_games() {
    let games = wanted_positions(6_000) / 60;
    println!("seed {SEED}, {games} games");
    let mut scribe = Scribe {
        rng: ChaCha8Rng::seed_from_u64(SEED),
        text: String::new(),
    };
    for game in 0..games {
        let chess960 = game % 2 == 1;
        let start = random_start(&mut scribe.rng, chess960);
        scribe.game(&start, chess960);
    }
    let reader = PgnReader::new(scribe.text.as_bytes()).keep_variations();
    let found: Vec<String> = reader
        .map(|game| describe_game(&game.expect("the game is sound")))
        .collect();
    assert_eq!(found.len() as u64, games);
    let judged = ask(PGN_JUDGE, scribe.text);
    assert_eq!(judged.lines().count(), found.len());
    for (game, (found, judged)) in found.iter().zip(judged.lines()).enumerate() {
        assert_eq!(found, judged, "game {game}");
    }
}
