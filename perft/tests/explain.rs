//! `perft explain` as its users see it.

mod common;

use common::{check, run};

#[test]
fn a_position() {
    check!("explain_startpos", ["explain", "startpos"]);
    check!("explain_kiwipete", ["explain", "kiwipete"]);
    check!(
        "explain_many_moves",
        ["explain", "edge.crowd-nine-queens-w"]
    );
    check!(
        "explain_check_and_pin",
        ["explain", "4r1k1/8/8/b7/8/2N5/8/4K3 w - - 0 1"]
    );
    check!("explain_checkmate", ["explain", "mate-smothered-b"]);
    check!("explain_stalemate", ["explain", "stalemate-queen-w"]);
    check!(
        "explain_chess960",
        ["explain", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GBgb - 0 1"]
    );
}

#[test]
fn moves() {
    check!("explain_legal", ["explain", "startpos", "e2e4", "Nf3"]);
    check!(
        "explain_illegal",
        ["explain", "startpos", "g1f3", "e2e5", "f1b5", "O-O"]
    );
    check!(
        "explain_four_fields",
        ["explain", "4k3/8/8/K2pP2r/8/8/8/8", "w", "-", "d6", "e5d6"]
    );
    check!(
        "explain_six_fields",
        ["explain", "4kr2/8/8/8/8/8/8/4K2R w K - 0 1 e1g1", "e1h1"]
    );
    // Castling of Chess960 in each of the ways that people write it.
    check!(
        "explain_castling_chess960",
        [
            "explain",
            "4k3/8/8/8/8/8/8/1K5R w H -",
            "b1g1",
            "b1h1",
            "O-O"
        ]
    );
}

#[test]
fn boards() {
    check!("explain_boards", ["explain", "startpos", "--boards"]);
    check!(
        "explain_boards_check_and_pin",
        ["explain", "4r1k1/8/8/b7/8/2N5/8/4K3 w - -", "--boards"]
    );
    check!(
        "explain_boards_through_king",
        ["explain", "k3r3/8/8/8/8/8/4K3/8 w - -", "e2e1", "--boards"]
    );
    check!(
        "explain_boards_double_check",
        [
            "explain",
            "k3r3/8/8/8/8/5n2/6P1/4K3 w - -",
            "g2f3",
            "--boards"
        ]
    );
    check!(
        "explain_boards_en_passant",
        [
            "explain",
            "4k3/8/8/K2pP2r/8/8/8/8 w - d6",
            "e5d6",
            "--boards"
        ]
    );
    // What the king sees is drawn once.
    check!(
        "explain_boards_castling",
        [
            "explain", "kiwipete", "e1g1", "e1c1", "e4e5", "e7e6", "a6a5", "--boards"
        ]
    );
}

#[test]
fn json() {
    check!(
        "explain_json",
        [
            "explain",
            "4r1k1/8/8/b7/8/2N5/8/4K3 w - -",
            "c3e4",
            "e1d1",
            "--boards",
            "--format",
            "json"
        ]
    );
}

#[test]
fn refuses() {
    check!("explain_nothing", ["explain"]);
    check!("explain_empty", ["explain", "startpos", ""]);
    check!("explain_unknown_name", ["explain", "nowhere", "e2e4"]);
    check!(
        "explain_bad_fen",
        ["explain", "4k3/8/8/9/8/8/8/4K3", "w", "-", "-"]
    );
    check!(
        "explain_five_fields",
        ["explain", "4k3/8/8/8/8/8/8/4K3 w - - 0 e1e2"]
    );
    check!("explain_bad_square", ["explain", "startpos", "e2i4"]);
    check!("explain_bad_promotion", ["explain", "startpos", "e7e8k"]);
    check!("explain_bad_san", ["explain", "startpos", "Qd9"]);
    check!("explain_illegal_san", ["explain", "startpos", "Nf6"]);
    check!("explain_illegal_long_san", ["explain", "startpos", "e2-e5"]);
    check!(
        "explain_ambiguous_san",
        ["explain", "4k3/8/8/8/8/8/4K3/R6R w - -", "Rd1"]
    );
    check!(
        "explain_castling_without_king",
        ["explain", "4k3/8/8/8/8/8/8/3K4 w - -", "O-O"]
    );
}

/// Output that goes to a file or another program has no colour, and one width.
#[test]
fn the_environment_does_not_matter_off_a_terminal() {
    let arguments = ["explain", "kiwipete", "e1g1", "--boards"];
    let mut command = common::command(std::path::Path::new("."), &arguments);
    let output = command.env("COLUMNS", "30").env_remove("NO_COLOR").output();
    let output = output.expect("the program starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(run(&arguments).contains(&text), "{text}");
    assert!(!text.contains('\x1b'), "{text}");
    let boards = text.split_once("\n\n").expect("boards come last").1;
    assert!(boards.lines().all(|line| line.len() <= 80), "{text}");
}
