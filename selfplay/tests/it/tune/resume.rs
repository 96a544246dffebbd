//! `selfplay resume`: whatever happens to a run, the values are those of a run in one go.

use super::bed::Bed;
use crate::common::wait;

const PAIRS: &str = "--pairs 30";

/// The same games, with an engine that hangs, so that there is time to kill.
fn held() -> Bed {
    Bed::with("--hang --at=100")
}

/// It is interrupted at first, as Ctrl-C does, then killed.
#[test]
fn stopped_again_and_again_it_ends_the_same() {
    let whole = Bed::new();
    let report = whole.begin(PAIRS);
    let bed = held();
    let mut child = bed.folder.spawn(&bed.usual(PAIRS));
    let mut lines = 0;
    for concurrency in [1, 2, 4] {
        bed.wait_for_hang();
        if cfg!(unix) && concurrency == 1 {
            #[cfg(unix)]
            crate::common::interrupt(&child);
            let ended = wait(child).exits(130);
            let expected = "interrupted; resume with: selfplay resume ";
            assert!(ended.stderr.starts_with(expected), "{ended:?}");
            assert!(ended.stdout.contains(" of 30 iterations, "), "{ended:?}");
        } else {
            child.kill().expect("it runs");
            wait(child);
        }
        let journal = bed.journal();
        assert!(whole.journal().starts_with(&journal), "{journal}");
        assert!(journal.lines().count() > lines, "{journal}");
        lines = journal.lines().count();
        if concurrency < 4 {
            bed.remove("once");
        }
        let resume = format!("resume run --concurrency {concurrency}");
        child = bed.folder.spawn(&resume);
    }
    assert_eq!(wait(child).exits(0).stdout, report);
    assert_eq!(bed.journal(), whole.journal());
    // There is nothing left to play: the same is printed again.
    assert_eq!(bed.resume(""), report);
    assert_eq!(bed.resume("--format json"), bed.show("json"));
    assert_eq!(bed.journal(), whole.journal());
}

#[test]
fn two_runs_do_not_share_a_directory() {
    let bed = held();
    let mut child = bed.folder.spawn(&bed.usual(PAIRS));
    bed.wait_for_hang();
    let other = bed.run("resume run").exits(3);
    other.reports("another run is writing to run");
    // But one can look.
    assert!(bed.show("human").contains(" of 30 iterations"));
    child.kill().expect("it runs");
    wait(child);
    let other = bed.run(&bed.usual(PAIRS)).exits(2);
    other.reports("run already has a tuning: resume it with `selfplay resume`");
    // Its iterations are kept even if its configuration is not there, or not yet.
    let iterations = bed.journal();
    assert!(!iterations.is_empty());
    bed.remove("run/config.json");
    let other = bed.run(&bed.usual(PAIRS)).exits(2);
    other.reports("run already has a tuning: resume it with `selfplay resume`");
    assert_eq!(bed.journal(), iterations);
}

/// Whatever is missing or left over after a crash between two files.
#[test]
fn a_tuning_that_was_killed_between_its_files_begins_anew() {
    let whole = Bed::new();
    let report = whole.begin("--pairs 6");
    let bed = Bed::new();
    // The journal is there before the configuration, and what it holds is of no use without it.
    bed.write("run/tune.jsonl", "{\"iteration\":0,");
    let ended = bed.run("resume run").exits(2);
    ended.reports("run is not a run directory: config.json is missing");
    assert_eq!(bed.begin("--pairs 6"), report);
    assert_eq!(bed.journal(), whole.journal());
    // A journal that is gone is one without iterations.
    bed.remove("run/tune.jsonl");
    assert_eq!(bed.resume("-j 2"), report);
    assert_eq!(bed.journal(), whole.journal());
}
