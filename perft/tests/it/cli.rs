//! `perft count` and `perft check`: standard output, standard error and exit code.

use std::fs;

use chess::perft::{Counter, Kernel};
use epd::suites;

use crate::common::{run, session, snapshot};

#[test]
fn usage() {
    let usage = r"
        .
        perfect
        count
        count 3 --quick
        count 3 --threads 0
        count 3 --breakdown --no-bulk
    ";
    snapshot!("usage", session(usage));
}

#[test]
fn count() {
    let commands = r#"
        count 4 --threads 1
        count kiwipete 3 --hash 1
        count position-3 4 --no-bulk
        count 4k3/8/8/8/8/8/8/4K2R w K - 0 1 2
        count startpos 0 --divide
        count "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1" 2 --divide
        count "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GB - 0 1" 1 --divide
        count kiwipete 3 --breakdown
        count startpos 2 --divide --format json
        count startpos 1 --divide --format csv
        count startpos 3 --breakdown --format csv
    "#;
    snapshot!("count", session(commands));
}

/// The word `count` may be left out; a position may be written as in UCI.
#[test]
fn what_people_type_first_counts() {
    let rows = [
        ("3", "count 3"),
        ("-q startpos 3", "count 3"),
        ("kiwipete 2", "count kiwipete 2"),
        (
            "'4k3/8/8/8/8/8/8/4K2R w K - 0 1' 2",
            "count '4k3/8/8/8/8/8/8/4K2R w K - 0 1' 2",
        ),
        (
            "count startpos moves e2e4 e7e5 2",
            "position startpos moves e2e4 e7e5 2",
        ),
        (
            "count '4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1' 2",
            "count 4k3/8/8/8/8/8/8/5RK1 b - - 1 1 2",
        ),
    ];
    let counted = |line: &str| {
        let text = session(line);
        let (_, counted) = text.split_once('\n').expect("a line for the command");
        let count = counted.split(" in ").next().unwrap_or_default().to_owned();
        assert!(count.starts_with("exit 0\n"), "{text}");
        count
    };
    for (typed, meant) in rows {
        assert_eq!(counted(typed), counted(meant), "{typed}");
    }
    let illegal = session("count startpos moves e2e5 2");
    assert!(
        illegal.contains("\nexit 2\n") && illegal.contains("e2e5"),
        "{illegal}"
    );
}

/// An error ends with the command that would have worked.
#[test]
fn a_line_that_was_nearly_right_is_completed() {
    let engine = testkit::programs::scripted_engine();
    let engine = engine.to_str().expect("UTF-8");
    let rows = [
        (vec![engine], "perft check --engine ENGINE"),
        // In `PATH`.
        (vec!["sh"], "perft check --engine sh"),
        (vec!["check", "sh", "-q"], "perft check -q --engine sh"),
        (vec!["check", engine], "perft check --engine ENGINE"),
        (
            vec!["check", "quick", engine],
            "perft check quick --engine ENGINE",
        ),
        (vec![engine, "quick"], "perft check quick --engine ENGINE"),
        (
            vec!["consistency", engine],
            "perft consistency --engine ENGINE",
        ),
        (
            vec!["consistency"],
            "perft consistency --engine ./my-engine",
        ),
        (vec!["bench", engine], "epd bench --engine ENGINE"),
        (vec!["count"], "perft count 5"),
        (vec!["count", "kiwipete"], "perft count kiwipete 5"),
        (
            vec!["divide", "kiwipete", "2"],
            "perft count kiwipete 2 --divide",
        ),
    ];
    for (typed, meant) in rows {
        let text = run(&typed).replace(engine, "ENGINE");
        assert!(text.starts_with("exit 2\n"), "{text}");
        let last = text.lines().last().unwrap_or_default();
        assert_eq!(last, format!("try: {meant}"), "{text}");
    }
}

#[test]
fn invalid_counts_are_rejected() {
    let commands = r#"
        count startpos deep
        count startpos -- -1
        count startpos 256
        count "" 3
        count "8/8/8/4k3/8/8/8/4K3 w - - 0 1" 99 --hash 16
        count nowhere 3
        count "r3k2r/8/8/9/8/8/8/R3K2R x KQkq - 0 1" 3
        count "4k3/8/8/8/8/8/8/4R2K w - - 0 1" 3
        count "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    "#;
    snapshot!("count_invalid", session(commands));
}

/// With `-q`, oddities of a FEN are read in silence; errors are still printed.
#[test]
fn quiet_prints_results_and_errors_only() {
    let odd = "r3k2r/8/8/8/8/8/8/R3K2R w kqKQ - 0 1";
    for arguments in [&["count", odd, "1"][..], &["explain", odd]] {
        let text = run(arguments);
        assert!(text.contains("\n--- stderr\nwarning: "), "{text}");
        let (expected, _) = text.split_once("warning: ").expect("a warning");
        let without_time = |text: &str| text.split(" in ").next().map(str::to_owned);
        let quiet = run(&[arguments, &["-q"]].concat());
        assert!(quiet.ends_with("--- stderr\n"), "{quiet}");
        assert_eq!(without_time(&quiet), without_time(expected));
    }
    let text = run(&["count", "-q", "nowhere", "1"]);
    assert!(text.contains("--- stderr\nerror: "), "{text}");
}

#[test]
fn unique_positions() {
    let commands = r"
        count 5 --unique
        count kiwipete 3 --unique
        count 0 --unique
        count 2 --unique --format json
        count 3 --unique --format csv
        count 5 --unique --hash 1 --threads 1
        count 3 --unique --hash 0
    ";
    snapshot!("unique", session(commands));
    for option in ["--divide", "--breakdown", "--no-bulk"] {
        let text = run(&["count", "3", "--unique", option]);
        assert!(text.starts_with("exit 2\n"), "{option}: {text}");
        assert!(text.contains("cannot be used with"), "{option}: {text}");
    }
}

#[test]
fn memory_does_not_change_unique_counts() {
    let rows = |memory| {
        let csv = ["--format", "csv", "--hash", memory];
        run(&[&["count", "4", "--unique"], &csv[..]].concat())
    };
    assert_eq!(rows("1"), rows("1024"));
}

#[test]
fn check() {
    let commands = r"
        check agrees.epd --threads 1
        check agrees.epd --threads 1 --depth 2 --tag opening
        check agrees.epd --threads 1 --max-nodes 25
        check agrees.epd differs.epd --threads 1
        check deep.epd --threads 1
        check dirty.epd --threads 1
        check broken.epd --threads 1
        check differs.epd --threads 1 --format json
        check differs.epd --threads 1 --format csv
        check differs.epd broken.epd --threads 1 --format github
    ";
    snapshot!("check", session(commands));
}

#[test]
fn invalid_checks_are_rejected() {
    let commands = r"
        check agrees.epd nowhere.epd
        check empty.epd --threads 1
        check agrees.epd --threads 1 --tag nothing
        check agrees.epd --format xml
        check agrees.epd --threads 1 -o /nowhere/report.json
    ";
    snapshot!("check_invalid", session(commands));
}

#[cfg(unix)]
#[test]
fn an_endless_suite_is_rejected() {
    let commands = "check /dev/zero\ngenerate --from /dev/zero";
    snapshot!("endless", session(commands));
}

#[test]
fn the_built_in_suites_agree() {
    let text = run(&["check", "--max-nodes", "200000"]);
    assert!(text.starts_with("exit 0\n"), "{text}");
    for suite in ["standard", "chess960", "edge", "thesis"] {
        assert!(text.contains(&format!("\n{suite} ")), "{text}");
    }
    assert!(
        text.contains("\nNO ENGINE WAS TESTED (--engine): all "),
        "{text}"
    );
}

/// The deepest counts of the largest trees are left to `perft check`.
#[test]
fn every_kernel_agrees_with_every_suite() {
    let most_nodes = testkit::scale(10_000, 3_000_000);
    for kernel in Kernel::ALL.into_iter().filter(|one| one.is_available()) {
        let counter = Counter::new().kernel(kernel);
        let mut counts = 0;
        for suite in suites::ALL {
            for entry in suite.parse().entries {
                for (depth, expected) in entry.record.perft_counts() {
                    if expected <= most_nodes {
                        let counted = counter.count(entry.record.position(), depth);
                        let place = format!("{kernel}, {}:{}", suite.name, entry.line);
                        assert_eq!(counted, Ok(expected), "{place}, depth {depth}");
                        counts += 1;
                    }
                }
            }
        }
        assert!(counts > 3000, "the suites were read");
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the report is read back")]
fn a_report_goes_to_a_file_whole() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("report.csv");
    fs::write(&path, "an older report").expect("written");
    let name = path.to_str().expect("UTF-8");
    let text = run(&["check", "differs.epd", "--format", "csv", "-o", name]);
    assert!(text.starts_with("exit 1\n--- stdout\nsuite "), "{text}");
    let report = fs::read_to_string(&path).expect("the report is there");
    assert_eq!(report.lines().count(), 5, "{report}");
    assert!(report.starts_with("suite,line,id,fen,depth,expected,counted,state,seconds\n"));
    let files = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(files, 1, "no temporary file is left over");
}

#[cfg(unix)]
#[test]
#[expect(clippy::disallowed_methods, reason = "files are made and read back")]
fn a_report_follows_links_and_never_replaces_its_suite() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name);
    let suite = "4k3/8/8/8/8/8/8/4K3 w - - D1 5;\n";
    fs::write(at("suite.epd"), suite).expect("written");
    fs::write(at("target.csv"), "old").expect("written");
    symlink(at("target.csv"), at("link.csv")).expect("linked");
    symlink(at("suite.epd"), at("suite-link.epd")).expect("linked");

    let run = |output: &str| {
        let [suite, output] = ["suite.epd", output].map(|name| at(name).display().to_string());
        run(&["check", &suite, "--format", "csv", "-o", &output])
    };
    assert!(run("link.csv").starts_with("exit 0"));
    assert!(at("link.csv").is_symlink());
    let report = fs::read_to_string(at("target.csv")).expect("readable");
    assert!(report.starts_with("suite,line"), "{report}");
    let mode = fs::metadata(at("target.csv")).expect("there").permissions();
    assert_ne!(
        mode.mode() & 0o044,
        0,
        "others may read it, as the mask allows"
    );

    for output in ["suite.epd", "suite-link.epd"] {
        let text = run(output);
        assert!(text.starts_with("exit 2"), "{text}");
        assert!(text.contains("would be replaced, which is read"), "{text}");
        assert_eq!(
            fs::read_to_string(at("suite.epd")).expect("readable"),
            suite
        );
    }
}

/// Every record and every row of a report takes a few dozen bytes, if any: with the memory of whole
/// records or whole reports, these runs would need twice what they are given. (A program that runs out
/// of memory may hang, hence the timeout.)
#[cfg(target_os = "linux")]
#[test]
#[expect(clippy::disallowed_methods, reason = "a suite is written")]
fn a_large_suite_takes_little_memory() {
    const KIBIBYTES: u32 = 24 << 10;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let record = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\n";
    fs::write(folder.path().join("large.epd"), record.repeat(50_000)).expect("written");
    let all_but_github = "human -o report.json -o report.csv -o report.xml";
    for formats in [all_but_github, "github"] {
        let formats = formats.split(' ');
        let check = ["check", "large.epd", "--threads", "1", "--format"];
        let program = crate::common::command(folder.path(), &[]);
        let mut limited = std::process::Command::new("sh");
        limited.args([
            "-c",
            &format!("ulimit -d {KIBIBYTES}; exec timeout 300 \"$0\" \"$@\""),
        ]);
        limited
            .arg(program.get_program())
            .args(check)
            .args(formats.clone());
        let output = limited.current_dir(folder.path()).output().expect("run");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{formats:?}: {errors}");
        assert!(!output.stdout.is_empty(), "{formats:?}");
        let files = formats.filter(|word| word.starts_with("report"));
        for file in files {
            let report = fs::metadata(folder.path().join(file)).expect("a report");
            assert!(report.len() > 1 << 20, "{file}");
        }
    }
}

/// An unfinished root move or ply ends at once; those before it are shown.
#[cfg(target_os = "linux")]
#[test]
#[expect(clippy::disallowed_methods, reason = "a suite is written")]
fn ctrl_c_ends_at_once_with_what_is_known() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let endless = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - D1 20; D12 1;\n";
    fs::write(folder.path().join("endless.epd"), endless).expect("written");
    let interrupted = |arguments: &[&str], folder: &std::path::Path| {
        let output = crate::common::interrupted(arguments, folder, || true);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(output.status.code(), Some(130), "{text}");
        assert!(text.contains("INTERRUPTED"), "{text}");
        text
    };
    interrupted(&["count", "12", "--divide"], folder.path());
    interrupted(&["check", "endless.epd"], folder.path());
    let unique = ["count", "12", "--unique", "--hash", "4096"];
    let text = interrupted(&unique, folder.path());
    assert!(text.starts_with("ply "), "{text}");
    assert!(text.contains("INTERRUPTED after "), "{text}");
    assert!(text.ends_with(" of 12 plies\n"), "{text}");
}
