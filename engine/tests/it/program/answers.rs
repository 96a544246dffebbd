//! What is said to each command; what is wrong with a line is said, and nothing else happens.

use uci::grammar::Message;

use crate::program::driver::{Touchstone, count, declared, dialogue, talk};

#[test]
fn the_handshake() {
    let lines = talk("uci\nisready\n");
    assert!(lines[0].starts_with("id name Touchstone "), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    assert_eq!(lines[lines.len() - 2..], ["uciok", "readyok"]);
    for line in &lines[2..lines.len() - 2] {
        assert!(matches!(Message::parse(line), Message::Option(_)), "{line}");
        assert_eq!(Message::parse(line).to_string(), *line);
    }
    let names: Vec<String> = declared().into_iter().map(|option| option.name).collect();
    let unknown = format!(
        "unknown option 'Contempt', expected one of: {}",
        names.join(", ")
    );
    // A build for tuning has so many options that the line is cut off.
    let said = talk("setoption name Contempt value 3\n").concat();
    let listed = said.strip_prefix("info string ").expect("it is rejected");
    assert!(unknown.starts_with(listed.trim_end_matches('…')), "{said}");
}

#[test]
fn some_commands_print_nothing() {
    dialogue(
        "stop |
         ucinewgame |
         setoption name Ponder value true |
         setoption name Clear Hash |
         setoption name Threads value 1 |
         setoption name Threads value 2 |
         setoption name SyzygyPath value <empty> |
         position startpos moves e2e4 |
         debug on |
         position startpos moves e2e4 | info string position rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
         setoption name HASH value 2 | info string option Hash is set
         debug off |
         position startpos moves e2e4 |
         register later | info string this engine needs no registration",
    );
    for quiet in ["", "\n\n \t\r\n", "quit\nuci\n"] {
        assert!(talk(quiet).is_empty(), "{quiet:?}");
    }
    assert_eq!(talk("isready\r\nisready"), ["readyok", "readyok"]);
}

#[test]
fn arguments() {
    let run = |arguments: &[&str]| Touchstone::with(arguments).end();
    assert_eq!(run(&["--version"]).code, Some(0));
    let help = run(&["help"]);
    assert!(help.lines[0].starts_with("UCI: uci, isready"), "{help:?}");
    for wrong in [&["--versoin"][..], &["xboard"], &["go", "dpeth", "3"]] {
        assert_eq!(run(wrong).code, Some(2), "{wrong:?}");
    }
    let go = run(&["go", "depth", "2"]);
    assert_eq!(go.code, Some(0));
    assert!(go.lines.last().expect("lines").starts_with("bestmove "));
}

/// Each search is answered, one that is rejected by `bestmove (none)`.
#[test]
fn lines_with_a_fault_are_rejected() {
    dialogue(
        "xboard | info string column 1: unexpected 'xboard', expected a command such as uci, isready, position or go
         \u{1b}[2J | info string column 1: unexpected '\\u{1b}[2J', expected a command such as uci, isready, position or go
         setoption name Profile value Best | info string option Profile: invalid value 'Best', expected Touchstone or ChessBin
         go perft 256 | info string go perft: depth 256 is larger than 255, the largest that is counted
         go dpeth 3 | info string column 4: unexpected 'dpeth', expected a limit such as depth, movetime or wtime | bestmove (none)
         go searchmoves e2e5 depth 1 | info string go: searchmoves: e2e5 is illegal: a white pawn does not move from e2 to e5; it goes one square ahead, two from its first rank, and captures diagonally | bestmove (none)
         go btime 1000 | info string go: White is to move, but wtime is not given | bestmove (none)",
    );
    let mut program = Touchstone::start();
    program.write(b"isready\xff\nposition \x80\ngo depth \xc3\n");
    let not_text = |column, byte| format!("column {column}: the byte {byte} is not UTF-8 text");
    let expected = [
        format!("info string {}", not_text(8, "0xff")),
        format!("info string position rejected: {}", not_text(10, "0x80")),
        format!("info string {}", not_text(10, "0xc3")),
        "bestmove (none)".to_owned(),
    ];
    assert_eq!(program.said(), expected);
    program.dialogue("go | info string go: no position: * | bestmove (none)");
}

/// A legal move is played at once.
#[test]
fn limits_of_zero_or_less_are_answered_with_a_move() {
    let answer = "info depth * | ... | bestmove a2a3*";
    dialogue(&format!(
        "go searchmoves a2a3 movetime -1 | info string movetime -1 is replaced by 0 | {answer}
         go searchmoves a2a3 movetime 0 | {answer}
         go searchmoves a2a3 depth -3 | info string depth -3 is replaced by 1 | {answer}
         go searchmoves a2a3 depth 0 | info string go: depth 0 is replaced by 1 | {answer}
         go searchmoves a2a3 nodes -1 | info string nodes -1 is replaced by 1 | {answer}
         go searchmoves a2a3 nodes 0 | info string go: nodes 0 is replaced by 1 | {answer}
         go searchmoves a2a3 mate -2 | info string mate -2 is replaced by 1 | {answer}
         go searchmoves a2a3 wtime -5 btime -5 | {answer}
         go searchmoves a2a3 wtime 0 btime 0 | {answer}
         go searchmoves a2a3 wtime -5 winc -5 | info string winc -5 is replaced by 0 | {answer}
         go searchmoves a2a3 wtime 9 movestogo -1 | info string movestogo -1 is replaced by 0 | \
                                                    info string go: movestogo 0 is ignored | {answer}
         go searchmoves a2a3 ponder movetime -1
         ponderhit | info string movetime -1 is replaced by 0 | {answer}"
    ));
}

/// A FEN as other programs write it, and how it is read.
#[test]
fn fens_that_can_only_mean_one_thing_are_read_with_a_remark() {
    let (checked, kings) = (
        "q6k/8/8/3pP3/8/8/8/7K w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    );
    let rook = "has no rook on that side of a king on its first rank";
    dialogue(&format!(
        "debug on
         position fen q6k/8/8/3pP3/8/8/8/7K w - d6 0 1 | \
         info string en passant square, offset 26: the side to move was already in check before the pawn passed over \
         d6; read as {checked} | info string position {checked}
         position fen 4k3/8/8/8/8/8/8/4K3 w KQ c6 0 0 | \
         info string castling, offset 22: castling right 'K' {rook}; read as {kings} | \
         info string castling, offset 23: castling right 'Q' {rook}; read as {kings} | \
         info string fullmove number, offset 30: '0' is not a number from 1 to 4294967295; read as {kings} | \
         info string en passant square, offset 25: no pawn can have just passed over c6; read as {kings} | \
         info string position {kings}"
    ));
}

#[test]
#[rustfmt::skip]
fn rejected_positions_leave_none() {
    let longest = "x".repeat(1 << 20);
    for (words, why) in [
        ("here", "column 10: unexpected 'here', expected startpos or fen"),
        ("fen 4k3/8/8/8/8/8/8/8 w - - 0 1", "column 14: placement, offset 0: White has no king"),
        (
            "startpos moves e2e4 e7e5 e4e5 d7d5",
            "move 3 of 4: e4e5 is illegal: the pawn on e4 does not capture straight ahead, and the pawn on e5 stands there",
        ),
        (&longest, "the line has 1048585 bytes, at most 1048576 are read"),
    ] {
        dialogue(&format!(
            "position {words} | info string position rejected: {why}
             d | info string no position: the last one was invalid
             eval | info string no position: the last one was invalid
             flip | info string no position: the last one was invalid
             go perft 1 | info string go perft: no position: the last one was invalid
             go depth 1 | info string go: no position: the last one was invalid | bestmove (none)
             position startpos |
             go depth 1 searchmoves a2a3 | info depth 1 * | bestmove a2a3"
        ));
    }
}

/// Castling is read in both forms, and written as the option says or the position needs.
#[test]
fn castling_is_written_in_the_form_of_the_game() {
    for (option, short, long) in [("false", "e1g1", "e1c1"), ("true", "e1h1", "e1a1")] {
        dialogue(&format!(
            "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 |
             setoption name UCI_Chess960 value {option} |
             go depth 1 searchmoves e1g1 | info depth 1 * pv {short}* | bestmove {short}*
             go depth 1 searchmoves e1h1 | info depth 1 * pv {short}* | bestmove {short}*
             go perft 1 | ... | {long}: 1 | ... | {short}: 1 | ..."
        ));
    }
    let needs_it = "position fen 1r2k3/8/8/8/8/8/8/1R2K3 w Bb - 0 1";
    dialogue(&format!(
        "{needs_it} | info string this position needs UCI_Chess960: castling is written as the king taking its rook
         go depth 1 searchmoves e1b1 | ... | bestmove e1b1*
         go depth 1 searchmoves e1c1 | ... | bestmove e1b1*
         setoption name UCI_Chess960 value true |
         {needs_it} |"
    ));
}

#[test]
fn searches_report_scores_and_lines() {
    dialogue(
        "position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1
         go depth 3 | ... | info depth 3 * score mate 1 * | bestmove a1a8
         position fen 7k/8/5K2/6Q1/8/8/8/8 b - - 0 1
         go depth 8 | ... | info depth 8 * score mate -1 * | bestmove *
         position fen R3k3/8/4K3/8/8/8/8/8 b - - 0 1
         go depth 5 | info depth 0 score mate 0 | bestmove (none)
         position fen 4k3/4P3/4K3/8/8/8/8/8 b - - 0 1
         go depth 5 | info depth 0 score cp 0 | bestmove (none)
         position startpos
         setoption name MultiPV value 3
         go depth 1 | info * multipv 1 * | info * multipv 2 * | info * multipv 3 * | bestmove *
         setoption name uci_showwdl value true
         setoption name MultiPV value 1
         go depth 1 | info depth 1 * wdl * pv * | bestmove *",
    );
}

/// Loyd's "Excelsior" (1861), whose pawn mates from b7 in five moves: only a search for mate finds it
/// within so many nodes.
#[test]
fn a_tree_full_of_checkmates_is_searched_for_mate() {
    let excelsior =
        "position fen n1rb4/1p3p1p/1p6/1R5K/8/p3p1PN/1PP1R3/N6k w - - 0 1\ngo nodes 400000\n";
    let mates = |lines: &[String]| lines.iter().any(|line| line.contains(" score mate 5 "));
    let without = format!("setoption name Without value mate_search\n{excelsior}");
    assert!(mates(&talk(excelsior)) && !mates(&talk(&without)));
}

#[test]
fn the_board_and_its_evaluation_are_printed() {
    dialogue(
        "position fen 6k1/5q1p/8/8/8/8/7P/R6K w - - 0 1 moves a1a2 g8h8 a2a1 h8g8 a1a2 g8h8 a2a1 h8g8
         d | ... | Outcome: none, a draw by threefold repetition can be claimed
         position startpos moves e2e4
         flip | info string flipped to rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1
         d | ... | Fen: rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1 | ...
         flip | info string flipped to rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
         eval | Touchstone, by network, in centipawns | ... | network * | ...
         setoption name Profile value ChessBin
         eval | ChessBin, in centipawns | ... | material * | ...",
    );
}

#[test]
fn a_bench_has_one_signature() {
    let signature = |script: &str| {
        let lines = talk(&format!("{script}bench 2\n"));
        assert_eq!(count(&lines, "Nodes searched  : "), 1, "{lines:?}");
        let mut lines = lines.into_iter();
        let line = lines.find(|line| line.starts_with("Nodes searched"));
        line.expect("it is there")
    };
    let by_argument = Touchstone::with(&["bench", "2"]).end();
    assert_eq!(by_argument.code, Some(0));
    let usual = signature("");
    assert!(by_argument.lines.contains(&usual), "{by_argument:?}");
    // Neither options nor what was searched before matter.
    let others = "setoption name Hash value 1\nsetoption name MultiPV value 3\nsetoption name UCI_Chess960 \
                  value true\nsetoption name UCI_LimitStrength value true\nposition startpos moves e2e4\n";
    assert_eq!(signature(others), usual);
    // The profile does.
    assert_ne!(signature("setoption name Profile value ChessBin\n"), usual);
}
