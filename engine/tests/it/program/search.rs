//! Searches: limits, lines, scores.

use uci::grammar::{Info, Message, ScoreValue};

use crate::program::driver::{talk, value};

const MATE_IN_1: &str = "position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";

/// The lines with a score. A search of some seconds, on a busy machine, also reports which move it searches.
fn infos(lines: &[String]) -> Vec<Info> {
    let infos = lines.iter().filter_map(|line| match Message::parse(line) {
        Message::Info(info) if info.score.is_some() => Some(*info),
        _ => None,
    });
    infos.collect()
}

#[test]
fn chances_are_reported_when_asked_for() {
    let lines = talk("setoption name uci_showwdl value true\nposition startpos\ngo depth 2\n");
    for info in infos(&lines) {
        let wdl = info.wdl.expect("chances");
        assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000);
    }
}

#[test]
fn mates_are_reported_in_moves() {
    let lines = talk(&format!("{MATE_IN_1}\ngo depth 3\n"));
    assert_eq!(
        value(lines.last().expect("a move"), "bestmove"),
        Some("a1a8")
    );
    let score = infos(&lines).pop().expect("a line").score.expect("a score");
    assert_eq!(score.value, ScoreValue::Mate(1));
    let mated = "position fen 7k/8/5K2/6Q1/8/8/8/8 b - - 0 1\ngo depth 8\n";
    let score = infos(&talk(mated))
        .pop()
        .expect("a line")
        .score
        .expect("a score");
    assert_eq!(score.value, ScoreValue::Mate(-1));
}

/// Loyd's "Excelsior" (1861), whose pawn mates from b7 in five moves: only a search for mate finds it
/// within so many nodes.
#[test]
fn a_tree_full_of_checkmates_is_searched_for_mate() {
    let excelsior = "position fen n1rb4/1p3p1p/1p6/1R5K/8/p3p1PN/1PP1R3/N6k w - - 0 1";
    let score = |without: &str| {
        let lines = talk(&format!(
            "setoption name Without value {without}\n{excelsior}\ngo nodes 400000\n"
        ));
        let last = infos(&lines).pop().expect("a line");
        last.score.expect("a score").value
    };
    assert_eq!(score(""), ScoreValue::Mate(5));
    assert!(matches!(score("mate_search"), ScoreValue::Cp(_)));
}

#[test]
fn without_a_move_there_is_none() {
    for (fen, score) in [
        ("R3k3/8/4K3/8/8/8/8/8 b - - 0 1", "mate 0"),
        ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", "cp 0"),
    ] {
        let lines = talk(&format!("position fen {fen}\ngo depth 5\n"));
        let expected = [
            format!("info depth 0 score {score}"),
            "bestmove (none)".to_owned(),
        ];
        assert_eq!(lines, expected);
    }
}

#[test]
fn several_lines_are_reported() {
    let lines = talk("setoption name MultiPV value 4\nposition startpos\ngo depth 2\n");
    let ranks = infos(&lines).into_iter().map(|info| info.multipv);
    let expected = [1, 2, 3, 4, 1, 2, 3, 4].map(Some);
    assert_eq!(ranks.collect::<Vec<_>>(), expected, "{lines:?}");
}

#[test]
fn repetitions_are_known_from_the_moves() {
    let shuffle = "a1a2 g8h8 a2a1 h8g8 a1a2 g8h8 a2a1 h8g8";
    let start = "position fen 6k1/5q1p/8/8/8/8/7P/R6K w - - 0 1 moves";
    let script = format!("{start} {shuffle}\nd\n");
    let drawn = talk(&script);
    let expected = "Outcome: none, a draw by threefold repetition can be claimed";
    assert_eq!(drawn.last().map(String::as_str), Some(expected));
}

#[test]
fn the_colours_are_exchanged() {
    let lines = talk("position startpos moves e2e4\nflip\nd\nflip\nd\n");
    let flipped = "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1";
    assert_eq!(lines[0], format!("info string flipped to {flipped}"));
    assert!(lines.contains(&format!("Fen: {flipped}")), "{lines:?}");
    let back = "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert!(lines.contains(&back.to_owned()), "{lines:?}");
}

#[test]
fn the_evaluation_is_taken_apart() {
    #[rustfmt::skip]
    let rows = [
        ("", "Touchstone, by network", "network "),
        ("setoption name Profile value ChessBin\n", "ChessBin", "material "),
    ];
    for (option, name, row) in rows {
        let lines = talk(&format!("{option}position startpos\neval\n"));
        assert_eq!(lines[0], format!("{name}, in centipawns"));
        assert!(lines.iter().any(|line| line.starts_with(row)), "{lines:?}");
    }
}
