//! Searches: limits, lines, scores.

use chess::notation::fen;
use chess::rules::{CastlingMode, Position};
use uci::grammar::{Info, Message, Reply, ScoreValue};

use crate::program::driver::{Touchstone, count, talk, value};

const MATE_IN_1: &str = "position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";

/// The lines with a score. A search of some seconds, on a busy machine, also reports which move it searches.
fn infos(lines: &[String]) -> Vec<Info> {
    let infos = lines.iter().filter_map(|line| match Message::parse(line) {
        Message::Info(info) if info.score.is_some() => Some(*info),
        _ => None,
    });
    infos.collect()
}

/// Every way to bound a search ends it, with one legal move.
#[test]
fn every_limit_ends_a_search() {
    let rows = [
        "depth 3",
        "depth 0",
        "nodes 1",
        "nodes 0",
        "nodes 5000",
        "movetime 50",
        "movetime 0",
        "mate 1",
        "wtime 1000 btime 1000",
        "wtime 1000 btime 1000 winc 10 binc 10 movestogo 3",
        "wtime 0 btime 0",
        "wtime -50 btime 100",
        "wtime 500 btime 500 movestogo 0",
        "depth 2 nodes 100000 movetime 10000 wtime 60000",
        "searchmoves e2e4 d2d4 depth 2",
        "depth 4294967295 nodes 2000",
    ];
    for words in rows {
        let mut program = Touchstone::start();
        program.say("position startpos");
        let best = program.best_move(&format!("go {words}"));
        let Message::BestMove(best) = Message::parse(&best) else {
            panic!("{words}: {best}");
        };
        let Reply::Move(m) = best.reply else {
            panic!("{words}: {best:?}");
        };
        let start = Position::startpos();
        let m = m.to_move(&start, CastlingMode::Standard).expect(words);
        if let Some(answer) = best.ponder {
            let next = start.play(m).expect("legal");
            assert!(
                answer.to_move(&next, CastlingMode::Standard).is_some(),
                "{words}"
            );
        }
        let rest = program.quit();
        assert_eq!(
            (count(&rest.lines, "bestmove"), rest.code),
            (0, Some(0)),
            "{words}"
        );
    }
}

#[test]
fn info_lines_have_the_expected_fields() {
    let lines = talk("position startpos\ngo depth 3\n");
    let reported = infos(&lines);
    assert_eq!(reported.len() + 1, lines.len(), "{lines:?}");
    for (index, info) in reported.iter().enumerate() {
        let depth = u32::try_from(index + 1).expect("small");
        assert_eq!(info.depth, Some(depth), "{info:?}");
        assert!(info.seldepth >= info.depth, "{info:?}");
        assert_eq!(info.multipv, Some(1), "{info:?}");
        assert!(matches!(
            info.score.expect("a score").value,
            ScoreValue::Cp(_)
        ));
        assert!(info.nodes > Some(0) && info.nps > Some(0), "{info:?}");
        assert!(info.time_ms.is_some(), "{info:?}");
        assert!(info.hashfull <= Some(1000), "{info:?}");
        assert!(info.wdl.is_none() && !info.pv.is_empty(), "{info:?}");
    }
    let best = lines.last().expect("a move");
    let pv = &reported.last().expect("a line").pv;
    assert_eq!(value(best, "bestmove"), Some(pv[0].to_string().as_str()));
    assert_eq!(value(best, "ponder"), Some(pv[1].to_string().as_str()));
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
    let reported = infos(&lines);
    for depth in 1..=2 {
        let of_depth: Vec<&Info> = reported
            .iter()
            .filter(|it| it.depth == Some(depth))
            .collect();
        let ranks: Vec<Option<u32>> = of_depth.iter().map(|it| it.multipv).collect();
        assert_eq!(ranks, [1, 2, 3, 4].map(Some), "{lines:?}");
        let firsts = of_depth.iter().map(|it| it.pv[0].to_string());
        assert_eq!(firsts.collect::<std::collections::BTreeSet<_>>().len(), 4);
    }
    // No more lines than moves.
    let lines = talk(
        "setoption name MultiPV value 256\nposition fen 7k/8/5K2/6Q1/8/8/8/8 b - - 0 1\ngo depth 1\n",
    );
    assert_eq!(count(&lines, "info depth"), 1, "{lines:?}");
}

#[test]
fn only_searchmoves_are_searched() {
    let moves = ["a2a3", "h2h4"];
    let lines = talk("position startpos\ngo depth 3 searchmoves a2a3 h2h4\n");
    for info in infos(&lines) {
        assert!(moves.contains(&info.pv[0].to_string().as_str()), "{info:?}");
    }
    assert!(moves.contains(&value(lines.last().expect("a move"), "bestmove").expect("a move")));
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

/// What `d` shows is what was set, for each form of `position`.
#[test]
fn the_board_is_drawn() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    for (words, expected) in [
        (format!("fen {kiwipete}"), kiwipete),
        (
            "startpos moves e2e4 c7c5 g1f3".to_owned(),
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
        ),
    ] {
        let lines = talk(&format!("position {words}\nd\n"));
        let fen = format!("Fen: {expected}");
        assert!(lines.contains(&fen), "{lines:?}");
        let position = fen::parse(expected).expect("legal");
        let key = format!("Key: {:016X}", position.key());
        assert!(lines.contains(&key), "{lines:?}");
        let moves = format!("Legal moves: {} ", position.legal_move_count());
        assert_eq!(count(&lines, &moves), 1, "{lines:?}");
    }
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

#[test]
fn a_weaker_player_is_a_player() {
    let script = "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 800\n\
                  position startpos\ngo nodes 2000\n";
    let lines = talk(script);
    let best = value(lines.last().expect("a move"), "bestmove").expect("a move");
    let start = Position::startpos();
    let m: chess::notation::uci_move::UciMove = best.parse().expect("a move");
    assert!(
        m.to_move(&start, CastlingMode::Standard).is_some(),
        "{best}"
    );
}

/// A level ends a bare `go` at its depth; profile `Touchstone` has no levels.
#[test]
fn a_level_is_a_depth() {
    let position = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for (profile, level, words, depth) in [
        ("ChessBin", "Medium", "", 6),
        ("ChessBin", "Hard", "", 7),
        ("ChessBin", "Hard", "depth 3", 3),
        ("ChessBin", "None", "depth 8", 8),
        ("Touchstone", "Medium", "depth 8", 8),
    ] {
        let lines = talk(&format!(
            "setoption name Level value {level}\nsetoption name Profile value {profile}\n\
             {position}\ngo {words}\n"
        ));
        let last = infos(&lines).pop().expect("a line");
        assert_eq!(last.depth, Some(depth), "{profile} {level} {words}");
        assert_eq!(count(&lines, "bestmove "), 1, "{profile} {level} {words}");
    }
}
