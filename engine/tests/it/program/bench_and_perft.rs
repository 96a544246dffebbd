//! `bench` and `go perft`: numbers that must not change by themselves.

use crate::program::driver::{Touchstone, count, talk, value};

#[test]
fn a_bench_has_one_signature() {
    let by_argument = Touchstone::with(&["bench", "2"]).end();
    assert_eq!(by_argument.code, Some(0));
    let lines = by_argument.lines;
    let nodes = lines
        .iter()
        .find_map(|line| line.strip_prefix("Nodes searched  : "))
        .expect("a signature");
    assert!(nodes.parse::<u64>().expect("a number") > 40);
    let last = lines.last().expect("lines");
    assert!(
        last.starts_with(&format!("{nodes} nodes ")) && last.ends_with(" nps"),
        "{last}"
    );

    // Neither options nor what was searched before matter.
    let by_input = talk(
        "setoption name Hash value 1\nsetoption name MultiPV value 3\nsetoption name UCI_Chess960 \
         value true\nsetoption name UCI_LimitStrength value true\nposition startpos moves e2e4\n\
         bench 2\n",
    );
    assert_eq!(
        count(&by_input, &format!("Nodes searched  : {nodes}")),
        1,
        "{by_input:?}"
    );

    // The profile does.
    let by_other = talk("setoption name Profile value ChessBin\nbench 2\n");
    assert_eq!(count(&by_other, "Nodes searched  : "), 1, "{by_other:?}");
    assert_eq!(
        count(&by_other, &format!("Nodes searched  : {nodes}")),
        0,
        "{by_other:?}"
    );
}

#[test]
fn perft_is_printed_as_stockfish_prints_it() {
    let mut lines = talk("position startpos\ngo perft 2\n");
    assert_eq!(lines.split_off(20), ["", "Nodes searched: 400", ""]);
    assert!(lines.iter().all(|line| line.ends_with(": 20")), "{lines:?}");
    assert_eq!(talk("go perft 0\n"), ["", "Nodes searched: 1", ""]);
}

#[test]
fn perft_counts_the_same_on_all_threads() {
    let kiwipete =
        "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\n";
    for threads in [1, 3] {
        let lines = talk(&format!(
            "setoption name Threads value {threads}\n{kiwipete}go perft 4\n"
        ));
        assert_eq!(count(&lines, "Nodes searched: 4085603"), 1, "{lines:?}");
        let sum: u64 = lines
            .iter()
            .filter(|line| line.len() > 5 && line.as_bytes()[4] == b':')
            .map(|line| value(line, &line[..5]).expect("a count"))
            .map(|count| count.parse::<u64>().expect("a number"))
            .sum();
        assert_eq!(sum, 4_085_603);
    }
}
