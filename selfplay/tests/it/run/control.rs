//! What a user asks of a run while it is played.

use std::fs;

use crate::common::{Bed, assert_nobody_in, wait, wait_until};

#[test]
fn a_run_is_changed_while_it_is_played() {
    let bed = Bed::new();
    let run = "match './engine --sleep=20' ./engine --nodes 1 --max-moves 10 --rounds 10000 \
               --concurrency 3 --force --out out";
    let child = bed.spawn(run);
    let recorded = || fs::read_to_string(bed.path("out/ledger.jsonl")).unwrap_or_default();
    wait_until(|| recorded().lines().count() > 1);
    let standing = bed.run("control out standing").exits(0).stdout;
    assert!(
        standing.contains("\nstate        running\ngames        "),
        "{standing}"
    );
    bed.run("control out concurrency 5").exits(0);
    wait_until(|| bed.processes().len() >= 10);
    bed.run("control out concurrency 1").exits(0);
    let ended = bed.run("control out concurrency 2000").exits(2);
    ended.reports("expected finish, standing, or concurrency and 1 to 1024");
    let ended = bed.run("control out concurrency -5000").exits(2);
    ended.reports("error: concurrency -5000: leaves none of the ");
    bed.run("control out finish").exits(0);
    let ended = wait(child).exits(130);
    for line in ["5 games at once\n", "1 game at once\n", " then stopping\n"] {
        ended.reports(line);
    }
    // Every game that began is recorded.
    let games = bed.read("out").records;
    let mut numbers: Vec<u64> = games.iter().map(|record| record.plan.game).collect();
    numbers.sort_unstable();
    assert!(
        numbers.iter().copied().eq(0..games.len() as u64),
        "{numbers:?}"
    );
    assert!(!bed.path("out/control").exists());
    bed.run("control out finish")
        .exits(2)
        .reports("the run is not running");
    assert_nobody_in(bed.folder.path());
}

#[test]
fn what_the_machine_has_no_cpus_for_changes_nothing() {
    let bed = Bed::new();
    let child =
        bed.spawn("match './engine --sleep=20' ./engine --nodes 1 --rounds 10000 --out out");
    let recorded = || fs::read_to_string(bed.path("out/ledger.jsonl")).unwrap_or_default();
    wait_until(|| recorded().lines().count() > 1);
    bed.run("control out concurrency 1024").exits(0);
    bed.run("control out finish").exits(0);
    let ended = wait(child).exits(130);
    ended.reports("note: the number of games at once stays as it is: ");
    ended.reports("\nfinishing 1 game, then stopping\n");
}

#[test]
fn warnings_are_errors_of_a_strict_run() {
    let bed = Bed::new();
    let run = "match ./engine ./engine --nodes 1 --rounds 1 --openings none --max-moves 2";
    let ended = bed.run(&format!("{run} --each-game --out one")).exits(0);
    ended.reports("game 1: new - base 1/2-1/2, max-moves, 4 plies\n");
    let ended = bed.run(&format!("{run} --strict --out two")).exits(3);
    ended.reports("error: there were warnings, and --strict allows none");
    let varied =
        run.replace("--openings none", "")
            .replacen("./engine ", "'./engine --seed=1' ", 1);
    bed.run(&format!("{varied} --strict --out three")).exits(0);
}
