//! Engines that keep a run waiting are named, whatever answer they owe.

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

use crate::common::{Bed, assert_nobody_in, interrupt, wait};

/// An engine that gets no `isready` before its second game.
const NOT_READY: &str = r#"
games=0
while read -r line; do
    if [ "$line" = ucinewgame ]; then games=$((games + 1)); fi
    if [ "$games" -le 2 ] || [ "$line" != isready ]; then echo "$line"; fi
done | ./engine --seed=3
"#;

/// An engine that gets no `uci` when it is started again.
const NOT_STARTED: &str = r#"
if [ -e started ]; then
    while read -r line; do if [ "$line" != uci ]; then echo "$line"; fi; done
else
    touch started
    cat
fi | ./engine --seed=3
"#;

#[test]
fn a_stall_between_games_is_named() {
    let rows = rows![
        NOT_READY, "cmd=./stalling" => "waiting for readyok of 'stalling', ";
        NOT_STARTED, "'cmd=./stalling restart=on'" => "waiting for uciok of 'stalling'";
    ];
    for (script, engine, expected) in rows {
        let bed = Bed::new();
        std::fs::write(bed.path("stalling"), format!("#!/bin/sh{script}")).expect("new");
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(bed.path("stalling"), mode).expect("it is ours");
        let mut child = bed.spawn(&format!(
            "match --new {engine} --base ./engine --nodes 1 --rounds 9 --max-moves 3 --out out"
        ));
        let begun = Instant::now();
        let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        assert!(
            lines.any(|line| line.expect("UTF-8").starts_with(expected)),
            "{expected}"
        );
        // A few games on a busy machine, and at most ten seconds.
        assert!(begun.elapsed() < Duration::from_secs(20), "{expected}");
        interrupt(&child);
        wait(child).exits(130);
        assert_nobody_in(bed.folder.path());
    }
}
