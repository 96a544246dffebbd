//! What the program reads from files: books, networks, endgame tables. What cannot be read changes
//! nothing.
#![expect(clippy::disallowed_methods, reason = "books and networks are files")]

use std::path::Path;

use chess::notation::{fen, uci_move};
use chess::rules::{CastlingMode, Color, Game, Position};
use engine::book::BookBuilder;
use engine::eval::network::{HIDDEN, KingBuckets, Weights};

use crate::program::driver::{Touchstone, dialogue};

/// The path of a file with this content, in the folder for tests.
fn written(name: &str, content: &[u8]) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("a folder for tests");
    path.to_str().expect("a path in UTF-8").to_owned()
}

/// A book of the first moves of games that each side wins once.
fn book(name: &str, start: &Position, first_moves: &[&str]) -> String {
    let mut builder = BookBuilder::new(1, 1);
    for text in first_moves {
        let m = uci_move::parse(text, start, CastlingMode::Standard).expect("legal");
        let mut game = Game::new(*start);
        game.play(m).expect("legal");
        for winner in Color::ALL {
            builder.add(&game, Some(winner));
        }
    }
    written(name, builder.build().as_bytes())
}

/// A network that gives every position so many centipawns for the side to move.
fn constant(centipawns: i32) -> Vec<u8> {
    let mut weights = Weights::zero(HIDDEN, KingBuckets::ONE);
    weights.scale = 1;
    weights.output_bias.fill(centipawns * 255 * 64);
    weights.to_bytes()
}

#[test]
fn the_book_is_used_where_it_may_be() {
    let path = book("used.bin", &Position::startpos(), &["b2b3"]);
    let from_book = "info string book b2b3, weight * of *, seed 7 | bestmove b2b3";
    let no_book = concat!(env!("CARGO_MANIFEST_DIR"), "/src/lib.rs");
    let mut program = Touchstone::with(&["--seed", "7"]);
    program.dialogue(&format!(
        "setoption name Book value {path} |
         go depth 1 | info depth 1 * | bestmove *
         setoption name OwnBook value true | info string book seed 7
         go wtime 1000 btime 1000 | {from_book}
         go depth 1 searchmoves a2a3 | info depth 1 * | bestmove a2a3
         go infinite | ...
         stop | ... | bestmove *
         setoption name Book value {no_book} | info string option Book: {no_book} is not a valid Polyglot book: *
         go depth 1 | {from_book}
         position startpos moves a2a3
         go depth 1 | info depth 1 * | bestmove *"
    ));
}

#[test]
fn choices_repeat_with_the_seed() {
    let path = book(
        "choices.bin",
        &Position::startpos(),
        &["e2e4", "e2e4", "e2e4", "b2b3"],
    );
    let choices = |seed| -> Vec<String> {
        let mut program = Touchstone::with(&["--seed", seed]);
        program.say(&format!("setoption name Book value {path}"));
        program.say("setoption name OwnBook value true");
        (0..60).flat_map(|_| program.search("go")).collect()
    };
    let first = choices("7");
    assert_eq!(first, choices("7"));
    assert_ne!(first, choices("8"));
}

#[test]
fn castling_of_the_book_is_written_in_the_form_of_the_game() {
    let text = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let position = fen::parse(text).expect("legal");
    let path = book("castling.bin", &position, &["e1g1"]);
    for (option, expected) in [("false", "e1g1"), ("true", "e1h1")] {
        dialogue(&format!(
            "setoption name Book value {path}
             setoption name OwnBook value true | info string book seed *
             setoption name UCI_Chess960 value {option}
             position fen {text}
             go depth 1 | info string book {expected}, * | bestmove {expected}"
        ));
    }
}

/// A network gives the value for the side to move: after one ply that is the opponent. Match runners write an empty value in
/// any of these ways.
#[test]
fn evaluations_are_those_of_the_network_that_is_chosen() {
    let path = written("constant.net", &constant(123));
    let cut = written("cut.net", &constant(123)[..1000]);
    let none = "info string option EvalFile: no file is named, and the engine has no evaluation without a network; the \
                one that comes with it is <built-in>";
    let evaluation = |program: &mut Touchstone| {
        program.say("eval");
        let (terms, line) = (program.said(), program.search("go depth 1").swap_remove(0));
        let score = line.split(" nodes ").next().map(str::to_owned);
        (terms, score)
    };
    let mut program = Touchstone::start();
    let built_in = evaluation(&mut program);
    program.dialogue(&format!(
        "setoption name EvalFile value {path} |
         go depth 1 | info depth 1 * score cp -123 * | bestmove *
         setoption name EvalFile value {cut} | info string option EvalFile: {cut} is not a valid network: 1000 bytes, *
         setoption name EvalFile | {none}
         setoption name EvalFile value | {none}
         setoption name EvalFile value  | {none}
         setoption name EvalFile value \t | {none}
         setoption name EvalFile value  <EMPTY>  | {none}
         eval | ... | Value for White: +1.23 pawns | ...
         setoption name EvalFile value <built-in> |"
    ));
    assert_eq!(evaluation(&mut program), built_in);
}

#[test]
fn missing_tables_do_not_prevent_a_search() {
    dialogue(
        "setoption name SyzygyPath value /nowhere/tables | info string option SyzygyPath: cannot read the folder of \
         endgame tables /nowhere/tables: *
         go depth 1 | info depth 1 * | bestmove *",
    );
}

/// The tables that `scripts/test` puts into `.venv`.
#[test]
#[cfg(feature = "oracles")]
fn moves_that_keep_the_win_are_searched_at_full_strength() {
    let open = concat!(
        "setoption name SyzygyPath value ",
        env!("CARGO_MANIFEST_DIR"),
        "/../.venv/syzygy | info string endgame tables: 35, of up to 4 pieces"
    );
    // King and rook against king, the rook attacked: by python-chess 12 moves win, 4 lose the rook.
    let won = "position fen 8/8/8/8/8/2k5/1R6/K7 w - - 0 1";
    dialogue(&format!(
        "{open}
         {open}
         {won}
         go depth 1 | info string endgame tables: win, 12 of 16 moves searched | info depth 1 * | bestmove *
         setoption name SyzygyPath value <empty>
         go depth 1 | info depth 1 * | bestmove *"
    ));
    for setting in [
        "setoption name Profile value ChessBin",
        "setoption name UCI_LimitStrength value true",
        "setoption name MultiPV value 2",
        "setoption name SyzygyProbeLimit value 2",
    ] {
        dialogue(&format!(
            "{open}\n{setting}\n{won}\ngo depth 1 | info depth 1 * | ... | bestmove *"
        ));
    }
}
