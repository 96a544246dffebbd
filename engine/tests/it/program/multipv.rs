//! Several lines: all are reported after every limit and after `stop`, each with a different first move.
//!
//! The program is asked hundreds of times, with limits and stops drawn from a seed, and every line is
//! judged by the rules of chess and by its neighbours.

use std::thread::sleep;
use std::time::Duration;

use chacha20::ChaCha8Rng;
use chess::notation::fen;
use chess::notation::uci_move::UciMove;
use chess::rules::{CastlingMode, Position};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use uci::grammar::{Command, Go, Message};

use crate::program::driver::Touchstone;
use crate::talk::Fault;
use crate::uci_fuzz::search::Search;

/// Openings, middle games and end games; one move, two moves, 218 moves; mates for either side.
const POSITIONS: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r2q1rk1/pp2ppbp/2np1np1/8/3NP1b1/2N1BP2/PPPQ2PP/2KR1B1R b - - 0 9",
    "r1bq1rk1/pp3ppp/2n1pn2/2bp4/2P5/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 8",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/1p1k4/p1p5/P1P1K3/1P6/8/8 w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "7k/8/8/8/8/8/r7/K6r w - - 0 1",
    "7k/8/5K2/6Q1/8/8/8/8 b - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
    "7k/8/6K1/8/8/8/8/R7 w - - 90 90",
    "6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1",
];

/// How a search begins, and what is said to it, each after a while.
struct Script {
    go: String,
    then: Vec<(Duration, &'static str)>,
}

impl Script {
    fn draw(rng: &mut ChaCha8Rng) -> Self {
        let few_ms = |rng: &mut ChaCha8Rng| Duration::from_millis(rng.random_range(0..60));
        let clock = format!("wtime {0} btime {0}", rng.random_range(1..2_000));
        let (go, then) = match rng.random_range(0..9) {
            0 => (format!("nodes {}", rng.random_range(1..300)), vec![]),
            1 | 2 => (format!("nodes {}", rng.random_range(300..60_000)), vec![]),
            3 => (format!("movetime {}", rng.random_range(1..80)), vec![]),
            4 => (clock, vec![]),
            5 => (format!("depth {}", rng.random_range(1..6)), vec![]),
            6 => ("infinite".to_owned(), vec![(few_ms(rng), "stop")]),
            7 => (
                format!("ponder {clock}"),
                vec![(few_ms(rng), "ponderhit"), (few_ms(rng), "stop")],
            ),
            _ => (format!("ponder {clock}"), vec![(few_ms(rng), "stop")]),
        };
        Self {
            go: format!("go {go}"),
            then,
        }
    }
}

/// The first fault in the lines of a search, of which `bestmove` is the last.
fn judge(mut search: Search, lines: &[String]) -> Result<(), Fault> {
    let (best, infos) = lines.split_last().ok_or("nothing is said")?;
    for line in infos {
        let Message::Info(info) = Message::parse(line) else {
            return Err(format!("no info: {line}"));
        };
        search.hear(&info)?;
    }
    let Message::BestMove(best) = Message::parse(best) else {
        return Err(format!("no best move: {best}"));
    };
    if !infos.iter().any(|line| line.contains(" pv ")) {
        return Err("a best move without a line".to_owned());
    }
    search.stopped = true;
    search.end(&best)
}

fn some_moves(position: &Position, rng: &mut ChaCha8Rng) -> Vec<UciMove> {
    let moves = position.legal_moves().into_iter();
    let moves: Vec<UciMove> = moves
        .map(|m| UciMove::from_move(m, position, CastlingMode::Standard))
        .collect();
    if rng.random_range(0..4) > 0 {
        return Vec::new();
    }
    let count = rng.random_range(1..=moves.len().min(6));
    moves.sample(rng, count).copied().collect()
}

/// Every line of many searches, one after the other with one table.
fn judge_searches(profile: &str, threads: u32, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut program = Touchstone::start();
    program.say(&format!("setoption name Profile value {profile}"));
    program.say(&format!("setoption name Threads value {threads}"));
    for number in 0..testkit::scale(30, 200) {
        let text = POSITIONS.choose(&mut rng).expect("there are some");
        let position = fen::parse(text).expect("legal");
        let multipv = *[1, 2, 3, 4, 4, 4, 7, 256].choose(&mut rng).expect("some");
        let searchmoves = some_moves(&position, &mut rng);
        let script = Script::draw(&mut rng);
        let mut go = script.go;
        if !searchmoves.is_empty() {
            go.push_str(" searchmoves");
            go.extend(searchmoves.iter().map(|m| format!(" {m}")));
        }
        program.say(&format!("setoption name MultiPV value {multipv}"));
        program.say(&format!("position fen {text}"));
        if rng.random_range(0..8) == 0 {
            program.say("ucinewgame");
        }
        program.say(&go);
        for (pause, word) in script.then {
            sleep(pause);
            program.say(word);
        }
        let lines = program.until("bestmove ");
        let Ok(Command::Go(limits)) = go.parse() else {
            panic!("{go}");
        };
        let search = Search::new(&limits, position, CastlingMode::Standard, multipv);
        judge(search.expect("legal moves"), &lines).unwrap_or_else(|fault| {
            panic!(
                "{profile}, search {number}, MultiPV {multipv}, {text}, {go}: {fault}\n{lines:#?}"
            )
        });
    }
    assert_eq!(program.quit().code, Some(0));
}

#[test]
fn touchstone_reports_as_many_different_lines_as_are_wanted() {
    judge_searches("Touchstone", 1, 1);
}

#[test]
fn several_threads_report_as_many_different_lines_as_are_wanted() {
    judge_searches("Touchstone", 3, 2);
}

#[test]
fn chessbin_reports_as_many_different_lines_as_are_wanted() {
    judge_searches("ChessBin", 1, 3);
}

/// The judge itself must see what is wrong.
#[test]
fn faulty_lines_are_found_out() {
    let judged = |lines: &[String]| {
        let (start, mode) = (Position::startpos(), CastlingMode::Standard);
        let search = Search::new(&Go::default(), start, mode, 2);
        judge(search.expect("nothing illegal"), lines)
    };
    let line = |multipv: u32, depth: u32, score: &str, pv: &str| {
        format!("info depth {depth} multipv {multipv} score {score} nodes 9 time 1 pv {pv}")
    };
    let good = line(1, 3, "cp 20", "e2e4 e7e5");
    let best = "bestmove e2e4 ponder e7e5".to_owned();
    let fault = |second: &str| judged(&[good.clone(), second.to_owned(), best.clone()]);
    assert_eq!(fault(&line(2, 2, "cp 20 upperbound", "d2d4")), Ok(()));
    #[rustfmt::skip]
    let rows = [
        (line(1, 3, "cp 10", "e2e4"), "1 lines to depth 3, expected 2"),
        (line(2, 3, "cp 10", "e2e4"), "two lines begin with the same move"),
        (line(2, 3, "cp 30", "d2d4"), "a better score than that of the line before"),
        (line(2, 3, "mate 3", "d2d4"), "a better score than that of the line before"),
        (line(2, 4, "cp 10", "d2d4"), "a line is deeper than the one before"),
        (line(2, 3, "cp 10 lowerbound", "d2d4"), "a line that is not the first is better than its score"),
        (line(3, 3, "cp 10", "d2d4"), "multipv out of order"),
    ];
    for (second, expected) in rows {
        assert_eq!(fault(&second), Err(expected.to_owned()), "{second}");
    }
    let illegal = fault(&line(2, 3, "cp 10", "d2d4 e2e4")).expect_err("illegal");
    assert!(illegal.starts_with("e2e4 is not legal in "), "{illegal}");
    let second = line(2, 3, "cp 10", "d2d4");
    for (other, what) in [("d2d4", "best move"), ("e2e4 ponder d7d5", "answer")] {
        let lines = [good.clone(), second.clone(), format!("bestmove {other}")];
        let expected = format!("the {what} is not that of the first line");
        assert_eq!(judged(&lines), Err(expected));
    }
}
