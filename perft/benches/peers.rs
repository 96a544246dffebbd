//! Our bulk count against crates.io's move generators: same positions, same rule (the last ply is
//! counted, not made), one thread, one build, in turn.
//!
//! `cargo bench -p touchstone-perft --bench peers [-- ROUNDS [KERNEL]]` prints, for each of the classic
//! positions, the median rate of every generator in millions of leaf nodes a second, and the
//! median of the round-by-round ratios of ours to each. Every count is compared with the
//! published one. `scripts/bench-peers` adds cozy-chess built for this CPU alone, as a process of
//! its own that times itself (`COZY_NATIVE` names it).
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark times and prints"
)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use chess::notation::fen;
use chess::perft::{Counter, Kernel};

const POSITIONS: [(&str, &str, u32, u64); 6] = [
    (
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        5,
        4_865_609,
    ),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        4,
        4_085_603,
    ),
    (
        "position 3",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        6,
        11_030_083,
    ),
    (
        "position 4",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        5,
        15_833_292,
    ),
    (
        "position 5",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        4,
        2_103_487,
    ),
    (
        "position 6",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        4,
        3_894_594,
    ),
];

/// A generator under test: from FEN and depth to leaf nodes and the time they took.
type Count = Box<dyn FnMut(&str, u32) -> (u64, Duration)>;

/// Times a count in this process; the position is set up before.
fn timed<P: 'static>(
    set_up: impl Fn(&str) -> P + 'static,
    count: impl Fn(&P, u32) -> u64 + 'static,
) -> Count {
    Box::new(move |text, depth| {
        let position = set_up(text);
        let start = Instant::now();
        let nodes = count(&position, depth);
        (nodes, start.elapsed())
    })
}

fn contenders(kernel: Kernel) -> Vec<(String, Count)> {
    let ours = timed(
        |text| fen::parse(text).expect("legal"),
        move |position, depth| {
            Counter::new()
                .kernel(kernel)
                .count(position, depth)
                .expect("fits")
        },
    );
    let cozy = timed(|text| text.parse().expect("legal"), cozy_perft);
    let shakmaty = timed(
        |text| {
            let setup: shakmaty::fen::Fen = text.parse().expect("a FEN");
            let mode = shakmaty::CastlingMode::Standard;
            setup.into_position::<shakmaty::Chess>(mode).expect("legal")
        },
        shakmaty::perft::<shakmaty::Chess>,
    );
    let mut all = vec![
        (format!("ours ({kernel})"), ours),
        ("cozy-chess".to_owned(), cozy),
        ("shakmaty".to_owned(), shakmaty),
    ];
    if let Ok(program) = std::env::var("COZY_NATIVE") {
        all.push(("cozy-chess, native".to_owned(), process(&program)));
    }
    all
}

/// A generator in a process of its own, asked by lines `DEPTH FEN`, which answers with
/// `NODES NANOSECONDS`.
#[expect(
    clippy::zombie_processes,
    reason = "it ends with the benchmark, at the end of its input"
)]
fn process(program: &str) -> Count {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut requests = child.stdin.take().expect("its input is piped");
    let mut answers = BufReader::new(child.stdout.take().expect("its output is piped")).lines();
    Box::new(move |text, depth| {
        writeln!(requests, "{depth} {text}").expect("the program reads");
        let answer = answers.next().expect("the program answers").expect("text");
        let (nodes, nanoseconds) = answer.split_once(' ').expect("two numbers");
        let time = Duration::from_nanos(nanoseconds.parse().expect("a number"));
        (nodes.parse().expect("a number"), time)
    })
}

fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for m in moves {
                let mut next = board.clone();
                next.play_unchecked(m);
                nodes += cozy_perft(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"));
    let rounds: usize = arguments
        .next()
        .map_or(7, |text| text.parse().expect("ROUNDS is a number"));
    let kernel = arguments
        .next()
        .map_or_else(Kernel::fastest, |text| text.parse().expect("KERNEL"));
    let mut contenders = contenders(kernel);
    println!("median of {rounds} rounds in turn; millions of leaf nodes a second (ours / theirs)");
    for (name, text, depth, expected) in POSITIONS {
        let mut rates = vec![Vec::new(); contenders.len()];
        for _ in 0..rounds {
            for ((contender, count), rates) in contenders.iter_mut().zip(&mut rates) {
                let (nodes, time) = count(text, depth);
                #[expect(clippy::cast_precision_loss, reason = "a rate to three digits")]
                rates.push(nodes as f64 / time.as_secs_f64() / 1e6);
                assert_eq!(nodes, expected, "{contender}, {name}");
            }
        }
        print!("{name:<10} d{depth}");
        for (index, (contender, _)) in contenders.iter().enumerate() {
            let mut ratios: Vec<f64> = rates[0]
                .iter()
                .zip(&rates[index])
                .map(|(ours, theirs)| ours / theirs)
                .collect();
            let (rate, ratio) = (median(&mut rates[index].clone()), median(&mut ratios));
            print!("   {contender} {rate:.0} ({ratio:.2})");
        }
        println!();
    }
}
