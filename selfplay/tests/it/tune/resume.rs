//! `selfplay tune --resume`: whatever happens to a run, the values are those of a run in one go.

use std::io::Read as _;

use super::bed::Bed;

const PAIRS: [&str; 2] = ["--pairs", "30"];

/// The same games, with an engine that sleeps so that there is time to kill.
fn slow() -> Bed {
    Bed::with(&["--sleep=2"])
}

#[test]
fn killed_again_and_again_it_ends_the_same() {
    let whole = Bed::new();
    let report = whole.begin(&PAIRS);
    let bed = slow();
    let mut child = bed.spawn(&bed.arguments(&PAIRS));
    let mut lines = 0;
    for concurrency in ["1", "2", "4"] {
        bed.wait_for_lines(lines + 3);
        child.kill().expect("it runs");
        child.wait().expect("it is dead");
        let journal = bed.journal();
        assert!(whole.journal().starts_with(&journal), "{journal}");
        lines = journal.lines().count();
        assert!(lines < 30, "it was too fast to be killed");
        child = bed.spawn(&["--resume", "run", "--concurrency", concurrency]);
    }
    let mut text = String::new();
    let mut stdout = child.stdout.take().expect("piped");
    stdout.read_to_string(&mut text).expect("UTF-8");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert_eq!(bed.journal(), whole.journal());
    assert_eq!(text, report);
    // There is nothing left to play: the same is said again.
    assert_eq!(bed.resume(&[]), report);
    assert_eq!(bed.journal(), whole.journal());
}

#[test]
fn an_interrupted_tuning_prints_how_to_resume() {
    let whole = Bed::new();
    whole.begin(&PAIRS);
    let bed = slow();
    let child = bed.spawn(&bed.arguments(&PAIRS));
    bed.wait_for_lines(2);
    let id = i32::try_from(child.id()).expect("small");
    let id = rustix::process::Pid::from_raw(id).expect("a process");
    rustix::process::kill_process(id, rustix::process::Signal::INT).expect("it runs");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(
        stderr.starts_with("interrupted; resume with: selfplay tune --resume "),
        "{stderr}"
    );
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(stdout.contains(" of 30 iterations, "), "{stdout}");
    bed.resume(&["--concurrency", "2"]);
    assert_eq!(bed.journal(), whole.journal());
}

#[test]
fn a_torn_line_is_played_again() {
    let bed = Bed::new();
    let report = bed.begin(&["--pairs", "12"]);
    let journal = bed.journal();
    for end in [
        0,
        1,
        journal.len() / 3,
        journal.len() / 2,
        journal.len() - 1,
    ] {
        bed.write("run/tune.jsonl", &journal[..end]);
        let lines = journal[..end].matches('\n').count();
        let shown = bed.show("csv");
        assert_eq!(shown.lines().count(), 2 + lines, "{end} bytes");
        assert_eq!(bed.journal(), journal[..end], "who looks leaves it alone");
        assert_eq!(bed.resume(&["--concurrency", "2"]), report, "{end} bytes");
        assert_eq!(bed.journal(), journal, "{end} bytes");
    }
}

#[test]
fn two_runs_do_not_share_a_directory() {
    let bed = slow();
    let mut child = bed.spawn(&bed.arguments(&PAIRS));
    bed.wait_for_lines(1);
    let other = bed.run(&["--resume", "run"]);
    assert_eq!(other.code, 3, "{other:?}");
    assert!(
        other.stderr.contains("another run is writing to run"),
        "{other:?}"
    );
    // But one can look.
    assert!(bed.show("human").contains(" of 30 iterations"));
    child.kill().expect("it runs");
    child.wait().expect("it is dead");
    let other = bed.run(&bed.arguments(&PAIRS));
    assert_eq!(other.code, 2, "{other:?}");
    assert!(
        other
            .stderr
            .contains("run already has a tuning: resume it with --resume"),
        "{other:?}"
    );
}
