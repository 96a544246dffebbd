//! What is wrong with a line is said, and nothing else happens.

use crate::program::driver::{Touchstone, count, talk};

const NO_MOVE: &str = "bestmove (none)";
const NO_POSITION: &str = "info string no position: the last one was invalid";

/// Each row: a line, and what must be said of it.
#[test]
fn malformed_lines() {
    let commands = "expected a command such as uci, isready, position or go";
    #[rustfmt::skip]
    let rows = [
        ("xboard", format!("column 1: unexpected 'xboard', {commands}")),
        ("uci now", "column 5: unexpected 'now', expected the end of the line".into()),
        ("debug maybe", "column 7: unexpected 'maybe', expected on or off".into()),
        ("register", "column 9: the line ends, expected later or name".into()),
        ("setoption name Profile value Best", "option Profile: invalid value 'Best', expected Touchstone or ChessBin".into()),
        ("go perft 256", "go perft: depth 256 is larger than 255, the largest that is counted".into()),
        ("ponderhit", "ponderhit: nothing is being pondered on".into()),
        ("\u{1b}[2J", format!("column 1: unexpected '\\u{{1b}}[2J', {commands}")),
    ];
    for (line, expected) in rows {
        let expected = format!("info string {expected}");
        assert_eq!(talk(&format!("{line}\n")), [expected], "{line:?}");
    }
    let unknown = talk("setoption name Contempt value 3\n");
    let expected = "info string unknown option 'Contempt', expected one of: Hash, Clear Hash, ";
    assert!(unknown[0].starts_with(expected), "{unknown:?}");
}

/// Each row: the end of a line that begins with `go`, and what must be said of it. A move is owed,
/// and whoever waits for it gets `(none)`.
#[test]
fn malformed_searches_are_answered() {
    #[rustfmt::skip]
    let rows = [
        ("dpeth 3", "column 4: unexpected 'dpeth', expected a limit such as depth, movetime or wtime"),
        ("depth x", "column 10: 'x' is not a depth, expected a number from 0 to 4294967295"),
        ("depth 1 depth 1", "column 12: 'depth' is given twice"),
        ("searchmoves e2e5 depth 1", "go: searchmoves: e2e5 is illegal: a white pawn does not move from e2 to e5"),
        ("btime 1000", "go: White is to move, but wtime is not given"),
    ];
    for (words, expected) in rows {
        let expected = [format!("info string {expected}"), NO_MOVE.to_owned()];
        assert_eq!(talk(&format!("go {words}\n")), expected, "{words}");
    }
}

/// Each row: the end of a line that begins with `go`, and the remarks. A legal move is played at once.
#[test]
fn limits_of_zero_or_less_are_answered_with_a_move() {
    #[rustfmt::skip]
    let rows: [(&str, &[&str]); 13] = [
        ("movetime -1", &["movetime -1 is replaced by 0"]),
        ("movetime 0", &[]),
        ("depth -3", &["depth -3 is replaced by 1"]),
        ("depth 0", &["go: depth 0 is replaced by 1"]),
        ("nodes -1", &["nodes -1 is replaced by 1"]),
        ("nodes 0", &["go: nodes 0 is replaced by 1"]),
        ("mate -2", &["mate -2 is replaced by 1"]),
        ("wtime -5 btime -5", &[]),
        ("wtime 0 btime 0", &[]),
        ("wtime -5 winc -5", &["winc -5 is replaced by 0"]),
        ("wtime 9 movestogo -1", &["movestogo -1 is replaced by 0", "go: movestogo 0 is ignored"]),
        ("wtime -99999999999999999999", &["wtime -99999999999999999999 is replaced by 0"]),
        ("ponder movetime -1\nponderhit", &["movetime -1 is replaced by 0"]),
    ];
    for (words, remarks) in rows {
        let lines = talk(&format!("go {words}\n"));
        let strings: Vec<&str> = lines
            .iter()
            .filter_map(|line| line.strip_prefix("info string "))
            .collect();
        assert_eq!(strings, remarks, "{words}");
        let last = lines.last().expect("an answer");
        assert!(
            last.starts_with("bestmove ") && last != NO_MOVE,
            "{words}: {last}"
        );
        assert_eq!(count(&lines, "bestmove"), 1, "{words}");
    }
}

/// Each row: a FEN as other programs write it, how it is read, and the remarks.
#[test]
fn fens_that_can_only_mean_one_thing_are_read_with_a_remark() {
    #[rustfmt::skip]
    let rows: [(&str, &str, &[&str]); 2] = [
        (
            "q6k/8/8/3pP3/8/8/8/7K w - d6 0 1", "q6k/8/8/3pP3/8/8/8/7K w - - 0 1",
            &["en passant square, offset 26: the side to move was already in check before the pawn passed over d6"],
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w KQ c6 0 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            &[
                "castling, offset 22: castling right 'K' has no rook on that side of a king on its first rank",
                "castling, offset 23: castling right 'Q' has no rook on that side of a king on its first rank",
                "fullmove number, offset 30: '0' is not a number from 1 to 4294967295",
                "en passant square, offset 25: no pawn can have just passed over c6",
            ],
        ),
    ];
    for (text, read, remarks) in rows {
        let lines = talk(&format!("position fen {text}\nd\n"));
        let expected: Vec<String> = remarks
            .iter()
            .map(|remark| format!("info string {remark}; read as {read}"))
            .collect();
        assert_eq!(lines[..remarks.len()], expected, "{text}");
        assert_eq!(count(&lines, "info string"), remarks.len(), "{text}");
        assert_eq!(
            count(&lines, &format!("Fen: {read}")),
            1,
            "{text}: {lines:?}"
        );
    }
}

/// Each row: the end of a line that begins with `position`, and why it is rejected.
#[test]
fn rejected_positions_leave_none() {
    let kings = "fen 4k3/8/8/8/8/8/8/";
    #[rustfmt::skip]
    let rows = [
        (String::new(), "column 10: the line ends, expected startpos or fen"),
        ("here".into(), "column 10: unexpected 'here', expected startpos or fen"),
        ("startpos e2e4".into(), "column 19: unexpected 'e2e4', expected moves or the end of the line"),
        (format!("{kings}4K3 x - - 0 1"), "column 34: side to move, offset 20: 'x' is not a side, expected w or b"),
        (format!("{kings}8 w - - 0 1"), "column 14: placement, offset 0: White has no king"),
        (
            "startpos moves e2e4 e7e9".into(),
            "column 30: 'e7e9' is not a UCI move: 'e9' is not a square, expected a file a-h and a \
             rank 1-8 such as e4",
        ),
        (
            "startpos moves e2e4 e7e5 e4e5 d7d5".into(),
            "move 3 of 4: e4e5 is illegal: the pawn on e4 does not capture straight ahead, and the \
             pawn on e5 stands there",
        ),
    ];
    for (words, expected) in rows {
        let script = format!("position {words}\nd\neval\nflip\ngo perft 1\ngo depth 1\n");
        let expected = [
            format!("info string position rejected: {expected}"),
            NO_POSITION.to_owned(),
            NO_POSITION.to_owned(),
            NO_POSITION.to_owned(),
            "info string go perft: no position: the last one was invalid".to_owned(),
            "info string go: no position: the last one was invalid".to_owned(),
            NO_MOVE.to_owned(),
        ];
        assert_eq!(talk(&script), expected, "{words}");
    }
}

#[test]
fn a_valid_position_replaces_an_invalid_one() {
    let lines = talk("position fen x\nposition startpos\ngo depth 1\n");
    assert_eq!(count(&lines, "info string"), 1);
    assert!(lines.last().expect("a move").starts_with("bestmove "));
    assert_ne!(lines.last().expect("a move"), NO_MOVE);
}

#[test]
fn lines_that_are_not_utf8_are_rejected() {
    let mut program = Touchstone::start();
    program.write(b"isready\xff\n");
    let expected = "info string column 8: the byte 0xff is not UTF-8 text";
    assert_eq!(program.said(), [expected]);
    program.write(b"go depth \xc3\n");
    let expected = "info string column 10: the byte 0xc3 is not UTF-8 text";
    assert_eq!(program.said(), [expected, NO_MOVE]);
    program.write(b"position startpos \x80\ngo depth 1\n");
    let said = program.until("bestmove");
    assert_eq!(said.last().expect("an answer"), NO_MOVE);
    assert_eq!(program.quit().code, Some(0));
}

/// 40 MB without a line end: rejected, and the next line is read again.
#[test]
fn endless_lines() {
    let mut program = Touchstone::start();
    program.write(b"position startpos moves ");
    let block = vec![b' '; 1 << 20];
    for _ in 0..40 {
        program.write(&block);
    }
    program.say("");
    let length = 24 + 40 * block.len();
    let expected = format!(
        "info string position rejected: the line has {length} bytes, at most 1048576 are read"
    );
    assert_eq!(program.said(), [expected]);
    assert_eq!(program.best_move("go depth 1"), NO_MOVE);
    assert_eq!(program.quit().code, Some(0));
}
