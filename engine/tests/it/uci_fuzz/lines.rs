//! Commands at random: most of them sound, with positions of every kind.

use std::fmt::Write as _;

use chacha20::ChaCha8Rng;
use chess::notation::fen;
use chess::notation::uci_move::UciMove;
use chess::rules::Position;
use rand::RngExt;
use rand::seq::IndexedRandom;
use uci::grammar::{EngineOption, OptionKind};

use super::board::Board;
use testkit::positions::{thrown_position, wander};
use testkit::random_start;

/// Mates, stalemates, dead positions, nine queens a side, the 218 moves of Petrović (1964), clocks at
/// their ends, castling of every kind, en passant that is pinned, pawns about to promote.
const REMARKABLE: [&str; 14] = [
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "R3k3/8/4K3/8/8/8/8/8 b - - 150 90",
    "4k3/4P3/4K3/8/8/8/8/8 b - - 0 1",
    "k7/8/1Q6/8/8/8/8/K7 b - - 149 1",
    "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
    "8/8/4k3/8/8/3KB3/8/8 w - - 99 300",
    "qqqqkqqq/qq6/8/8/8/8/QQ6/QQQQKQQQ w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "6k1/8/8/8/8/8/4R3/4K3 w - - 149 100",
    "4k3/8/8/8/8/8/4R3/4K3 b - - 4000 4294967295",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 98 60",
    "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1",
    "8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1",
    "8/PPPPPPPP/k7/8/8/7K/pppppppp/8 w - - 0 1",
];

/// What is no position, or not written as one; some can be read all the same.
const WRONG: [&str; 13] = [
    "q6k/8/8/3pP3/8/8/8/7K w - d6 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w kqKQ - 0 0",
    "4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K2R b K e3 0 1",
    "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/P3K3 w - - 0 1",
    "KKKKKKKK/8/8/8/8/8/8/4k3 w - - 0 1",
    "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 99999999999",
    "startpos",
];

const TEXT: &str = "a string takes any text";

/// A command that the engine can obey, most of the time.
pub(super) fn random_line(board: &Board, options: &[EngineOption], rng: &mut ChaCha8Rng) -> String {
    match rng.random_range(0..100) {
        0..20 => random_position(board, rng),
        20..50 => random_go(board, rng),
        50..60 => "stop".to_owned(),
        60..66 => "ponderhit".to_owned(),
        66..78 => random_option(options, rng),
        78..86 => "isready".to_owned(),
        86..90 => "ucinewgame".to_owned(),
        _ => random_word(rng).to_owned(),
    }
}

fn random_word(rng: &mut ChaCha8Rng) -> &'static str {
    pick(
        &[
            "uci",
            "debug on",
            "debug off",
            "debug off",
            "register later",
            "register name a b code 12",
            "d",
            "eval",
            "flip",
            "help",
            "bench 1",
            "",
        ],
        rng,
    )
}

fn random_position(board: &Board, rng: &mut ChaCha8Rng) -> String {
    if rng.random_range(0..12) == 0 {
        return format!("position fen {}", pick(&WRONG, rng));
    }
    let (name, mut position) = random_first(rng);
    let mode = board.with(position).mode();
    let mut line = format!("position {name}");
    let plies = pick(&[0, 0, 1, 4, 60, 200], rng);
    if plies > 0 {
        line.push_str(" moves");
    }
    for _ in 0..plies {
        let Some(&m) = position.legal_moves().choose(rng) else {
            break;
        };
        write!(line, " {}", UciMove::from_move(m, &position, mode)).expect(TEXT);
        position = position.play_unchecked(m);
    }
    if plies > 0 && rng.random_range(0..20) == 0 {
        line.push_str(pick(&[" a1a1", " e2e4", " e1g1", " e7e8k", " 0000"], rng));
    }
    line
}

/// Where a game begins, as `position` has it.
fn random_first(rng: &mut ChaCha8Rng) -> (String, Position) {
    let start = match rng.random_range(0..6) {
        0 => return ("startpos".to_owned(), Position::startpos()),
        1 => random_start(rng, false),
        2 => random_start(rng, true),
        3 => thrown_position(rng),
        _ => fen::parse(pick(&REMARKABLE, rng)).expect("they are legal"),
    };
    let plies = pick(&[0, 0, 10, 100], rng);
    let start = wander(start, plies, rng);
    (format!("fen {}", fen::write(&start)), start)
}

fn random_go(board: &Board, rng: &mut ChaCha8Rng) -> String {
    let mut line = "go".to_owned();
    for _ in 0..pick(&[0, 1, 1, 1, 2, 4], rng) {
        line.push(' ');
        line += &random_limit(board, rng);
    }
    line
}

fn random_limit(board: &Board, rng: &mut ChaCha8Rng) -> String {
    let white = pick(&[-50, 0, 1, 10, 100, 1_000, 60_000], rng);
    let black = pick(&[-50, 0, 1, 10, 100, 1_000, 60_000], rng);
    let increment = pick(&[0, 1, 10, 100], rng);
    match rng.random_range(0..12) {
        0 => format!("depth {}", rng.random_range(-1..6)),
        1 | 2 => format!("nodes {}", pick(&[-1, 0, 1, 2, 50, 1_000, 10_000], rng)),
        3 => format!("movetime {}", pick(&[-1, 0, 1, 5, 20, 50], rng)),
        4 => format!("wtime {white} btime {black}"),
        5 => format!("wtime {white} btime {black} winc {increment} binc {increment}"),
        6 => format!(
            "wtime {white} btime {black} movestogo {}",
            rng.random_range(0..41)
        ),
        7 => "infinite".to_owned(),
        8 => format!("ponder wtime {white} btime {black}"),
        9 => random_searchmoves(board, rng),
        10 => format!("mate {}", rng.random_range(0..4)),
        _ => format!("perft {}", rng.random_range(0..4)),
    }
}

fn random_searchmoves(board: &Board, rng: &mut ChaCha8Rng) -> String {
    let mut line = "searchmoves".to_owned();
    if let Some(position) = &board.position {
        let moves = position.legal_moves();
        let count = rng.random_range(0..4);
        for &m in moves.sample(rng, count) {
            write!(line, " {}", UciMove::from_move(m, position, board.mode())).expect(TEXT);
        }
    }
    if rng.random_range(0..8) == 0 {
        line.push_str(" a1h8");
    }
    line
}

fn random_option(options: &[EngineOption], rng: &mut ChaCha8Rng) -> String {
    let option = options.choose(rng).expect("there are options");
    let number = match option.name.as_str() {
        "Hash" | "Threads" => rng.random_range(0..=4),
        _ => rng.random_range(-1..=10),
    };
    let value = match &option.kind {
        OptionKind::Button => return format!("setoption name {}", option.name),
        OptionKind::Check { .. } => pick(&["true", "false", "True", "yes"], rng).to_owned(),
        OptionKind::Spin { min, max, .. } => match (min, max, rng.random_range(0..4)) {
            (Some(min), _, 0) => min.to_string(),
            (_, Some(max), 1) => max.to_string(),
            _ => number.to_string(),
        },
        OptionKind::Combo { vars, .. } => vars.choose(rng).cloned().unwrap_or_default(),
        OptionKind::String { .. } => pick(&["", "<empty>", "/no/such/file", "/"], rng).to_owned(),
    };
    format!("setoption name {} value {value}", option.name)
}

fn pick<T: Copy>(these: &[T], rng: &mut ChaCha8Rng) -> T {
    *these.choose(rng).expect("there are some")
}
