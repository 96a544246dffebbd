//! python-chess as a judge of games in PGN, both ways.
//!
//! `scripts/test` installs it into `.venv` and switches on the feature `oracles`.

use chacha20::ChaCha8Rng;
use chess::notation::pgn::{self, PgnGame, PgnLine, PgnReader};
use chess::notation::{fen, san, uci_move};
use chess::rules::{Color, Position};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use testkit::games::{Kind, random_game};
use testkit::python::ask;
use testkit::{random_start, scale};

const SEED: u64 = 64;

/// Reads games, and describes each as [`describe_game`] does.
const READER: &str = r#"
import sys, chess.pgn
def words(node):
    yield node.move.uci()
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
def describe(game):
    assert not game.errors, game.errors
    comment = [repr_(game.comment)] if game.comment else []
    return " ".join([*comment, *line(game), game.headers["Result"]])
games = list(iter(lambda: chess.pgn.read_game(sys.stdin), None))
print(*map(describe, games), sep="\n")
"#;

/// Prints behind that, after form feeds, the tags of each game as they are written, in order of
/// name, and the games as python-chess writes games.
const WRITER: &str = r#"
def tags(game):
    return " ".join(sorted(f'[{name} "{value}"]' for name, value in game.headers.items()))
print("\f", *map(tags, games), sep="\n")
print("\f")
for game in games:
    print(game.accept(chess.pgn.StringExporter(columns=79)), end="\n\n")
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
    let games = scale(10, 100);
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
    let found = describe_all(&scribe.text);
    assert_eq!(found.len() as u64, games);
    let judged = ask(READER, scribe.text);
    assert_same(&found, judged.lines(), "moves");
}

/// The tags at the beginning of a game, in order of name.
fn describe_tags(written: &str) -> String {
    let tags = written.lines().take_while(|line| !line.is_empty());
    let mut tags: Vec<&str> = tags.collect();
    tags.sort_unstable();
    tags.join(" ")
}

fn read_all(text: &str) -> impl Iterator<Item = PgnGame> {
    let games = PgnReader::new(text.as_bytes()).keep_variations();
    games.map(|game| game.expect("the game is sound"))
}

fn describe_all(text: &str) -> Vec<String> {
    read_all(text).map(|game| describe_game(&game)).collect()
}

fn assert_same<'a>(ours: &[String], theirs: impl Iterator<Item = &'a str>, what: &str) {
    let theirs: Vec<&str> = theirs.collect();
    assert_eq!(ours.len(), theirs.len(), "{what}");
    for (game, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
        assert_eq!(ours, theirs, "{what}, game {game}");
    }
}

#[test]
fn python_chess_reads_what_is_written_and_writes_what_is_read() {
    let count = scale(20, 200);
    println!("seed {SEED}, {count} games");
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let games = (0..count).map(|index| {
        let kind = Kind {
            chess960: index % 2 == 1,
            plain: true,
        };
        random_game(&mut rng, kind)
    });
    let games: Vec<PgnGame> = games.collect();
    let write = |game: &PgnGame| pgn::write(game).expect("it can be written");
    let written: Vec<String> = games.iter().map(write).collect();

    let judged = ask(&format!("{READER}{WRITER}"), written.concat());
    let parts: Vec<&str> = judged.split("\u{c}\n").collect();
    let [moves, tags, theirs] = parts[..] else {
        panic!("{} parts", parts.len());
    };
    let expected: Vec<String> = games.iter().map(describe_game).collect();
    assert_same(&expected, moves.lines(), "moves");
    let expected_tags: Vec<String> = written.iter().map(|text| describe_tags(text)).collect();
    assert_same(&expected_tags, tags.lines(), "tags");

    let read = describe_all(theirs);
    let read = read.iter().map(String::as_str);
    assert_same(&expected, read, "as python-chess writes");
    let again: String = read_all(theirs).map(|game| write(&game)).collect();
    let read = describe_all(&again);
    let read = read.iter().map(String::as_str);
    assert_same(&expected, read, "written again");
}
