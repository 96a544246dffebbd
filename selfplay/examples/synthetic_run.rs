//! Writes the directory of a run that was never played, to look at reports of it and to measure them:
//! `synthetic_run DIR ROUNDS ENGINES SCORE [sprt]`.

#[path = "../tests/it/report/synthetic.rs"]
mod synthetic;

use std::path::Path;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, rounds, engines, score, rest @ ..] = arguments.as_slice() else {
        panic!("expected DIR ROUNDS ENGINES SCORE [sprt]");
    };
    let names = [
        "new", "base", "third", "fourth", "fifth", "sixth", "seventh", "eighth",
    ];
    let engines: usize = engines.parse().expect("a number of engines");
    let mut config = synthetic::config(
        &names[..engines],
        rounds.parse().expect("a number of rounds"),
    );
    if rest == ["sprt"] {
        config.sprt = Some(synthetic::SPRT);
    }
    let odds = synthetic::Odds::new(score.parse().expect("a score"), 0.5, 50);
    synthetic::write(
        Path::new(directory),
        &config,
        synthetic::games(&config, odds),
    );
}
