//! `perft explain`.

use crate::common::{command, run, session, snapshot};

#[test]
fn positions() {
    let commands = r#"
        explain startpos
        explain kiwipete
        explain edge.crowd-nine-queens-w
        explain "4r1k1/8/8/b7/8/2N5/8/4K3 w - - 0 1"
        explain mate-smothered-b
        explain stalemate-queen-w
        explain "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GBgb - 0 1"
    "#;
    snapshot!("explain_positions", session(commands));
}

/// The last command writes Chess960 castling in each of the ways that people do.
#[test]
fn moves() {
    let commands = r#"
        explain startpos e2e4 Nf3
        explain startpos g1f3 e2e5 f1b5 O-O
        explain 4k3/8/8/K2pP2r/8/8/8/8 w - d6 e5d6
        explain "4kr2/8/8/8/8/8/8/4K2R w K - 0 1 e1g1" e1h1
        explain "4k3/8/8/8/8/8/8/1K5R w H -" b1g1 b1h1 O-O
    "#;
    snapshot!("explain_moves", session(commands));
}

/// In the last command, what the king sees is drawn once.
#[test]
fn boards() {
    let commands = r#"
        explain startpos --boards
        explain "4r1k1/8/8/b7/8/2N5/8/4K3 w - -" --boards
        explain "k3r3/8/8/8/8/8/4K3/8 w - -" e2e1 --boards
        explain "k3r3/8/8/8/8/5n2/6P1/4K3 w - -" g2f3 --boards
        explain "4k3/8/8/K2pP2r/8/8/8/8 w - d6" e5d6 --boards
        explain kiwipete e1g1 e1c1 e4e5 e7e6 a6a5 --boards
    "#;
    snapshot!("explain_boards", session(commands));
}

#[test]
fn json() {
    let command = r#"explain "4r1k1/8/8/b7/8/2N5/8/4K3 w - -" c3e4 e1d1 --boards --format json"#;
    snapshot!("explain_json", session(command));
}

#[test]
fn invalid_requests_are_rejected() {
    let commands = r#"
        explain
        explain startpos ""
        explain nowhere e2e4
        explain 4k3/8/8/9/8/8/8/4K3 w - -
        explain "4k3/8/8/8/8/8/8/4K3 w - - 0 e1e2"
        explain startpos e2i4
        explain startpos e7e8k
        explain startpos Qd9
        explain startpos Nf6
        explain startpos e2-e5
        explain "4k3/8/8/8/8/8/4K3/R6R w - -" Rd1
        explain "4k3/8/8/8/8/8/8/3K4 w - -" O-O
    "#;
    snapshot!("explain_invalid", session(commands));
}

/// Output to a file or another program has no colour, and one width.
#[test]
fn the_environment_does_not_matter_off_a_terminal() {
    let arguments = ["explain", "kiwipete", "e1g1", "--boards"];
    let mut command = command(std::path::Path::new("."), &arguments);
    let output = command.env("COLUMNS", "30").env_remove("NO_COLOR").output();
    let text = crate::common::text(output.expect("the program starts").stdout);
    assert!(run(&arguments).contains(&text), "{text}");
    assert!(!text.contains('\x1b'), "{text}");
    let boards = text.split_once("\n\n").expect("boards come last").1;
    assert!(boards.lines().all(|line| line.len() <= 80), "{text}");
}
