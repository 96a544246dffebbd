//! `selfplay tune --resume`: whatever happens to a run, the values are those of a run in one go.

use super::bed::Bed;
#[cfg(unix)]
use crate::common::interrupt;
use crate::common::wait;

const PAIRS: &str = "--pairs 30";

/// The same games, with an engine that sleeps so that there is time to kill.
fn slow() -> Bed {
    Bed::with("--sleep=2")
}

#[test]
fn killed_again_and_again_it_ends_the_same() {
    let whole = Bed::new();
    let report = whole.begin(PAIRS);
    let bed = slow();
    let mut child = bed.folder.spawn(&bed.usual(PAIRS));
    let mut lines = 0;
    for concurrency in [1, 2, 4] {
        bed.wait_for_lines(lines + 3);
        child.kill().expect("it runs");
        wait(child);
        let journal = bed.journal();
        assert!(whole.journal().starts_with(&journal), "{journal}");
        lines = journal.lines().count();
        assert!(lines < 30, "it was too fast to be killed");
        let resume = format!("tune --resume run --concurrency {concurrency}");
        child = bed.folder.spawn(&resume);
    }
    assert_eq!(wait(child).exits(0).stdout, report);
    assert_eq!(bed.journal(), whole.journal());
    // There is nothing left to play: the same is printed again.
    assert_eq!(bed.resume(""), report);
    assert_eq!(bed.journal(), whole.journal());
}

#[cfg(unix)]
#[test]
fn an_interrupted_tuning_prints_how_to_resume() {
    let whole = Bed::new();
    whole.begin(PAIRS);
    let bed = slow();
    let child = bed.folder.spawn(&bed.usual(PAIRS));
    bed.wait_for_lines(2);
    interrupt(&child);
    let ended = wait(child).exits(130);
    let expected = "interrupted; resume with: selfplay tune --resume ";
    assert!(ended.stderr.starts_with(expected), "{ended:?}");
    assert!(ended.stdout.contains(" of 30 iterations, "), "{ended:?}");
    bed.resume("--concurrency 2");
    assert_eq!(bed.journal(), whole.journal());
}

#[test]
fn a_torn_line_is_played_again() {
    let bed = Bed::new();
    let report = bed.begin("--pairs 12");
    let journal = bed.journal();
    let length = journal.len();
    for end in [0, 1, length / 3, length / 2, length - 1] {
        bed.write("run/tune.jsonl", &journal[..end]);
        let lines = journal[..end].matches('\n').count();
        let shown = bed.show("csv");
        assert_eq!(shown.lines().count(), 2 + lines, "{end} bytes");
        assert_eq!(bed.journal(), journal[..end], "who looks leaves it alone");
        assert_eq!(bed.resume("--concurrency 2"), report, "{end} bytes");
        assert_eq!(bed.journal(), journal, "{end} bytes");
    }
}

#[test]
fn two_runs_do_not_share_a_directory() {
    let bed = slow();
    let mut child = bed.folder.spawn(&bed.usual(PAIRS));
    bed.wait_for_lines(1);
    let other = bed.run("tune --resume run").exits(3);
    other.reports("another run is writing to run");
    // But one can look.
    assert!(bed.show("human").contains(" of 30 iterations"));
    child.kill().expect("it runs");
    wait(child);
    let other = bed.run(&bed.usual(PAIRS)).exits(2);
    other.reports("run already has a tuning: resume it with --resume");
}
