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

#[path = "cozy-native/src/cozy.rs"]
mod cozy;

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use chess::notation::fen;
use chess::perft::{Counter, Kernel};
use epd::suites;

/// Names, ids in the suite `standard`, and depths.
const POSITIONS: [(&str, &str, u32); 6] = [
    ("start", "standard.startpos", 5),
    ("kiwipete", "standard.kiwipete", 4),
    ("position 3", "standard.position-3", 6),
    ("position 4", "standard.position-4", 5),
    ("position 5", "standard.position-5", 4),
    ("position 6", "standard.position-6", 4),
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
    let cozy = timed(|text| text.parse().expect("legal"), cozy::perft);
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
    let suite = suites::find("standard").expect("it is built in").parse();
    for (name, id, depth) in POSITIONS {
        let mut records = suite.entries.iter().map(|entry| &entry.record);
        let record = records.find(|record| record.id() == Some(id));
        let record = record.expect("the suite has the classics");
        let (text, counts) = (fen::write(record.position()), record.perft_counts());
        let published = counts.into_iter().find(|&(counted, _)| counted == depth);
        let (_, expected) = published.expect("a published count");
        let mut rates = vec![Vec::new(); contenders.len()];
        for _ in 0..rounds {
            for ((contender, count), rates) in contenders.iter_mut().zip(&mut rates) {
                let (nodes, time) = count(&text, depth);
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
