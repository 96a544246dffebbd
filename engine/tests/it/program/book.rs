//! The book: used where it may be, chosen from by a seed, kept when another cannot be read.

use std::path::PathBuf;

use chess::notation::uci_move;
use chess::rules::{CastlingMode, Color, Game, Position};
use engine::book::BookBuilder;

use crate::program::driver::{Touchstone, count, talk};

const OWN_BOOK: &str = "setoption name OwnBook value true";

/// A book in a file: of four games three begin with one move, one with another.
#[expect(clippy::disallowed_methods, reason = "the book is a file")]
fn write_book(name: &str) -> PathBuf {
    let mut builder = BookBuilder::new(4, 1);
    for moves in [
        ["e2e4", "e7e5"],
        ["e2e4", "c7c5"],
        ["e2e4", "e7e5"],
        ["b2b3", "e7e5"],
    ] {
        let mut game = Game::new(Position::startpos());
        for text in moves {
            let m = uci_move::parse(text, game.position(), CastlingMode::Standard);
            game.play(m.expect("legal")).expect("legal");
        }
        for winner in Color::ALL {
            builder.add(&game, Some(winner));
        }
    }
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, builder.build().as_bytes()).expect("a folder for tests");
    path
}

/// A program that plays from a book of its own.
fn with_book(name: &str, arguments: &[&str]) -> Touchstone {
    let mut program = Touchstone::with(arguments);
    program.say(&format!(
        "setoption name Book value {}",
        write_book(name).display()
    ));
    program.say(OWN_BOOK);
    let said = program.said();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("info string book seed "), "{said:?}");
    program
}

/// What the book says to the start position, if it is asked.
fn book_says(program: &mut Touchstone, go: &str) -> Option<String> {
    program.say("position startpos");
    program.say(go);
    let lines = program.until("bestmove ");
    if count(&lines, "info string book ") == 0 {
        return None;
    }
    assert_eq!(lines.len(), 2, "no search: {lines:?}");
    let m = lines[1].strip_prefix("bestmove ").expect("a move");
    assert!(
        lines[0].starts_with(&format!("info string book {m}, ")),
        "{lines:?}"
    );
    Some(lines[0].clone())
}

#[test]
fn the_book_is_used_where_it_may_be() {
    let mut program = Touchstone::start();
    assert_eq!(
        book_says(&mut program, "go depth 1"),
        None,
        "off unless set"
    );
    let mut program = with_book("used.bin", &[]);
    for go in [
        "go wtime 1000 btime 1000",
        "go depth 1",
        "go movetime 5",
        "go",
    ] {
        assert!(book_says(&mut program, go).is_some(), "{go}");
    }
    for go in ["go depth 1 searchmoves a2a3 a2a4", "go mate 1"] {
        assert_eq!(book_says(&mut program, go), None, "{go}");
    }
    for go in ["go infinite", "go ponder wtime 1000 btime 1000"] {
        program.say(go);
        assert_eq!(count(&program.said(), "info string book"), 0, "{go}");
        program.best_move("stop");
    }
}

#[test]
fn a_position_that_the_book_has_not_is_searched() {
    let mut program = with_book("searched.bin", &[]);
    program.say("position startpos moves a2a3");
    program.say("go depth 1");
    assert_eq!(count(&program.until("bestmove "), "info depth 1 "), 1);
}

#[test]
fn choices_repeat_with_the_seed() {
    let choices = |seed: &str| -> Vec<String> {
        let mut program = with_book(&format!("choices{seed}.bin"), &["--seed", seed]);
        let choice = |_| book_says(&mut program, "go depth 1").expect("a move of the book");
        (0..60).map(choice).collect()
    };
    let first = choices("7");
    assert_eq!(first, choices("7"));
    assert_ne!(first, choices("8"));
}

#[test]
fn castling_of_the_book_is_written_in_the_form_of_the_game() {
    let text = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let position = chess::notation::fen::parse(text).expect("legal");
    let castling = uci_move::parse("e1g1", &position, CastlingMode::Standard).expect("legal");
    let mut game = Game::new(position);
    game.play(castling).expect("legal");
    let mut builder = BookBuilder::new(1, 1);
    builder.add(&game, Some(Color::White));
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("castling.bin");
    #[expect(clippy::disallowed_methods, reason = "the book is a file")]
    std::fs::write(&path, builder.build().as_bytes()).expect("a folder for tests");
    for (option, expected) in [("false", "bestmove e1g1"), ("true", "bestmove e1h1")] {
        let lines = talk(&format!(
            "setoption name Book value {}\n{OWN_BOOK}\nsetoption name UCI_Chess960 value {option}\n\
             position fen {text}\ngo depth 1\n",
            path.display()
        ));
        assert_eq!(lines.last().map(String::as_str), Some(expected));
    }
}

#[test]
fn a_bad_book_leaves_the_old_one() {
    let mut program = with_book("kept.bin", &[]);
    let no_book = concat!(env!("CARGO_MANIFEST_DIR"), "/src/lib.rs");
    program.say(&format!("setoption name Book value {no_book}"));
    let said = program.said();
    let expected = format!("info string option Book: {no_book} is not a valid Polyglot book: ");
    assert_eq!((said.len(), count(&said, &expected)), (1, 1), "{said:?}");
    assert!(book_says(&mut program, "go depth 1").is_some());
}
