//! Engines that keep a run waiting are named, whatever answer they owe.

use std::fs::{self, File};

use crate::common::{Bed, assert_nobody_in, interrupt, wait, wait_until};

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
        "", "'./engine --no-uciok'" =>
            "waiting for uciok of 'new'; if it speaks XBoard's protocol, it needs proto=xboard";
        NOT_READY, "cmd=./stalling" => "waiting for readyok of 'stalling', ";
        NOT_STARTED, "'cmd=./stalling restart=on'" => "waiting for uciok of 'stalling'";
    ];
    for (script, engine, expected) in rows {
        let bed = Bed::new();
        bed.script("stalling", script);
        let run = format!("match {engine} ./engine --nodes 1 --rounds 9 --max-moves 3 --out out");
        let mut command = bed.command(&run);
        command.stderr(File::create(bed.path("errors")).expect("new"));
        let child = command.spawn().expect("it starts");
        let errors = || fs::read_to_string(bed.path("errors")).expect("UTF-8");
        wait_until(|| errors().lines().any(|line| line.starts_with(expected)));
        interrupt(&child);
        wait(child).exits(130);
        assert_nobody_in(bed.folder.path());
    }
}
