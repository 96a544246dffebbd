//! `bench` and `go perft`: numbers that must not change by themselves.

use crate::program::driver::{Touchstone, count, talk};

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
    let mut lines = talk("setoption name Threads value 3\nposition startpos\ngo perft 2\n");
    assert_eq!(lines.split_off(20), ["", "Nodes searched: 400", ""]);
    assert!(lines.iter().all(|line| line.ends_with(": 20")), "{lines:?}");
}
