//! python-chess as a judge of games in PGN, both ways.
//!
//! `scripts/test` installs it into `.venv` and switches on the feature `oracles`.

use chess::notation::pgn::{self, PgnGame, PgnLine, PgnReader};
use chess::notation::{fen, san, uci_move};
use chess::rules::{Color, Position};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use testkit::games::{Kind, random_game};
use testkit::python::ask;
use testkit::{random_start, wanted_positions};

const SEED: u64 = 64;

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

/// Reads games, writes each as python-chess writes games.
const PGN_SCRIBE: &str = r#"
import sys, chess.pgn
while (game := chess.pgn.read_game(sys.stdin)) is not None:
    print(game.accept(chess.pgn.StringExporter(columns=79)), end="\n\n")
"#;

/// Reads games, prints the tags of each as they are written, in order of name.
const TAG_JUDGE: &str = r#"
import sys, chess.pgn
while (game := chess.pgn.read_game(sys.stdin)) is not None:
    print(*sorted(f'[{name} "{value}"]' for name, value in game.headers.items()))
"#;

/// The tags at the beginning of a game, in order of name.
fn describe_tags(written: &str) -> String {
    let mut tags: Vec<&str> = written
        .lines()
        .take_while(|line| !line.is_empty())
        .collect();
    tags.sort_unstable();
    tags.join(" ")
}

fn describe_all(text: &str) -> Vec<String> {
    let games = PgnReader::new(text.as_bytes()).keep_variations();
    games
        .map(|game| describe_game(&game.expect("the game is sound")))
        .collect()
}

fn assert_same(found: &[String], expected: &[String], who: &str) {
    assert_eq!(found.len(), expected.len(), "{who}");
    for (game, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found, expected, "{who}, game {game}");
    }
}

#[test]
fn python_chess_reads_what_is_written_and_writes_what_is_read() {
    let count = wanted_positions(6_000) / 30;
    println!("seed {SEED}, {count} games");
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut games = Vec::new();
    for index in 0..count {
        let kind = Kind {
            chess960: index % 2 == 1,
            plain: true,
        };
        games.push(random_game(&mut rng, kind));
    }
    let write = |game: &PgnGame| pgn::write(game).expect("it can be written");
    let written: Vec<String> = games.iter().map(write).collect();
    let lines = |text: String| text.lines().map(str::to_owned).collect::<Vec<_>>();

    let expected: Vec<String> = games.iter().map(describe_game).collect();
    assert_same(&lines(ask(PGN_JUDGE, written.concat())), &expected, "moves");
    let tags: Vec<String> = written.iter().map(|text| describe_tags(text)).collect();
    assert_same(&lines(ask(TAG_JUDGE, written.concat())), &tags, "tags");

    let theirs = ask(PGN_SCRIBE, written.concat());
    assert_same(&describe_all(&theirs), &expected, "as python-chess writes");
    let again: String = PgnReader::new(theirs.as_bytes())
        .keep_variations()
        .map(|game| write(&game.expect("the game is sound")))
        .collect();
    assert_same(&describe_all(&again), &expected, "written again");
}
