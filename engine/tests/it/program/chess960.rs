//! How castling is written and read.

use crate::program::driver::{talk, value};

const CASTLING: &str = "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
const SHUFFLED: &str = "fen 1r2k3/8/8/8/8/8/8/1R2K3 w Bb - 0 1";
const NEEDED: &str = "info string this position needs UCI_Chess960: castling is written as the \
                      king taking its rook";

fn best_move(lines: &[String]) -> &str {
    let last = lines.last().expect("a move");
    value(last, "bestmove").expect("a move")
}

#[test]
fn castling_is_written_as_the_option_says() {
    for (option, moves) in [("false", ["e1g1", "e1c1"]), ("true", ["e1h1", "e1a1"])] {
        for text in ["e1g1", "e1h1"] {
            let lines = talk(&format!(
                "setoption name UCI_Chess960 value {option}\nposition {CASTLING}\n\
                 go depth 1 searchmoves {text}\n"
            ));
            assert_eq!(best_move(&lines), moves[0], "{option} {text}: {lines:?}");
            let pv = format!(" pv {}", moves[0]);
            assert!(lines[0].contains(&pv), "{lines:?}");
        }
        let lines = talk(&format!(
            "position {CASTLING}\nsetoption name UCI_Chess960 value {option}\ngo perft 1\n"
        ));
        for m in moves {
            assert!(lines.contains(&format!("{m}: 1")), "{option}: {lines:?}");
        }
    }
}

/// A position that standard chess cannot have is taken, and said to be so.
#[test]
fn positions_of_chess960_need_no_option() {
    let said = talk(&format!("position {SHUFFLED}\n"));
    assert_eq!(said, [NEEDED]);
    let said = talk(&format!(
        "setoption name UCI_Chess960 value true\nposition {SHUFFLED}\n"
    ));
    assert!(said.is_empty(), "{said:?}");
    for text in ["e1b1", "e1c1"] {
        let lines = talk(&format!(
            "position {SHUFFLED}\ngo depth 1 searchmoves {text}\n"
        ));
        assert_eq!(best_move(&lines), "e1b1", "{text}: {lines:?}");
    }
}
