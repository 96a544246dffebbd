//! The program as its users see it: standard output, standard error and exit code.

mod common;

use std::process::Command;

use assert_cmd::cargo::CommandCargoExt as _;
use common::{check, run};

#[test]
fn usage() {
    check!("no_command", [""; 0]);
    check!("unknown_command", ["perfect"]);
    check!("count_nothing", ["count"]);
    check!("unknown_option", ["count", "3", "--quick"]);
    check!("bad_threads", ["count", "3", "--threads", "0"]);
    check!("bad_kernel", ["count", "3", "--kernel", "quantum"]);
    check!(
        "breakdown_without_bulk",
        ["count", "3", "--breakdown", "--no-bulk"]
    );
}

#[test]
fn count() {
    check!("count_startpos", ["count", "4", "--threads", "1"]);
    check!("count_by_name", ["count", "kiwipete", "3", "--hash", "1"]);
    check!(
        "count_without_bulk",
        ["count", "position-3", "4", "--no-bulk"]
    );
    check!(
        "count_unquoted_fen",
        [
            "count",
            "4k3/8/8/8/8/8/8/4K2R",
            "w",
            "K",
            "-",
            "0",
            "1",
            "2"
        ]
    );
    check!("count_depth_0", ["count", "startpos", "0", "--divide"]);
    check!(
        "divide",
        [
            "count",
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "2",
            "--divide"
        ]
    );
    check!(
        "divide_chess960",
        [
            "count",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GB - 0 1",
            "1",
            "--divide"
        ]
    );
    check!("breakdown", ["count", "kiwipete", "3", "--breakdown"]);
    check!(
        "count_json",
        ["count", "startpos", "2", "--divide", "--format", "json"]
    );
    check!(
        "count_csv",
        ["count", "startpos", "1", "--divide", "--format", "csv"]
    );
    check!(
        "breakdown_csv",
        ["count", "startpos", "3", "--breakdown", "--format", "csv"]
    );
}

#[test]
fn count_refuses() {
    check!("not_a_depth", ["count", "startpos", "deep"]);
    check!("negative_depth", ["count", "startpos", "--", "-1"]);
    check!("too_deep", ["count", "startpos", "256"]);
    check!("empty_position", ["count", "", "3"]);
    check!(
        "beyond_64_bits",
        [
            "count",
            "8/8/8/4k3/8/8/8/4K3 w - - 0 1",
            "99",
            "--hash",
            "16"
        ]
    );
    check!("unknown_name", ["count", "nowhere", "3"]);
    check!(
        "bad_fen",
        ["count", "r3k2r/8/8/9/8/8/8/R3K2R x KQkq - 0 1", "3"]
    );
    check!(
        "illegal_position",
        ["count", "4k3/8/8/8/8/8/8/4R2K w - - 0 1", "3"]
    );
    check!(
        "fen_without_depth",
        ["count", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]
    );
}

#[test]
fn check_suites() {
    check!("check_agrees", ["check", "agrees.epd", "--threads", "1"]);
    check!(
        "check_filters",
        [
            "check",
            "agrees.epd",
            "--threads",
            "1",
            "--depth",
            "2",
            "--tag",
            "opening"
        ]
    );
    check!(
        "check_max_nodes",
        ["check", "agrees.epd", "--threads", "1", "--max-nodes", "25"]
    );
    check!(
        "check_differs",
        ["check", "agrees.epd", "differs.epd", "--threads", "1"]
    );
    check!("check_too_deep", ["check", "deep.epd", "--threads", "1"]);
    check!("check_dirty", ["check", "dirty.epd", "--threads", "1"]);
    check!("check_broken", ["check", "broken.epd", "--threads", "1"]);
    check!(
        "check_differs_json",
        ["check", "differs.epd", "--threads", "1", "--format", "json"]
    );
    check!(
        "check_differs_csv",
        ["check", "differs.epd", "--threads", "1", "--format", "csv"]
    );
    check!(
        "check_differs_junit",
        [
            "check",
            "differs.epd",
            "broken.epd",
            "--threads",
            "1",
            "--format",
            "junit"
        ]
    );
    check!(
        "check_differs_github",
        [
            "check",
            "differs.epd",
            "broken.epd",
            "--threads",
            "1",
            "--format",
            "github"
        ]
    );
}

#[test]
fn check_refuses() {
    check!("check_missing_file", ["check", "agrees.epd", "nowhere.epd"]);
    check!("check_empty", ["check", "empty.epd", "--threads", "1"]);
    check!(
        "check_no_such_tag",
        ["check", "agrees.epd", "--threads", "1", "--tag", "nothing"]
    );
    check!(
        "check_bad_format",
        ["check", "agrees.epd", "--format", "xml"]
    );
    check!(
        "check_unwritable",
        [
            "check",
            "agrees.epd",
            "--threads",
            "1",
            "-o",
            "/nowhere/report.json"
        ]
    );
}

#[test]
fn the_built_in_suites_agree() {
    let text = run(&["check", "--max-nodes", "200000"]);
    assert!(text.starts_with("exit 0\n"), "{text}");
    for suite in ["standard", "chess960", "edge", "thesis"] {
        assert!(text.contains(&format!("\n{suite} ")), "{text}");
    }
    assert!(text.contains("\nOK: all "), "{text}");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the report is read back")]
fn a_report_goes_to_a_file_whole() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("report.csv");
    std::fs::write(&path, "an older report").expect("written");
    let name = path.to_str().expect("UTF-8");
    let text = run(&["check", "differs.epd", "--format", "csv", "-o", name]);
    assert!(text.starts_with("exit 1\n--- stdout\nsuite "), "{text}");
    let report = std::fs::read_to_string(&path).expect("the report is there");
    assert_eq!(report.lines().count(), 5, "{report}");
    assert!(report.starts_with("suite,line,id,fen,depth,expected,counted,state,seconds\n"));
    assert_eq!(
        std::fs::read_dir(folder.path()).expect("a folder").count(),
        1,
        "nothing is left over"
    );
}

#[cfg(unix)]
#[test]
#[expect(clippy::disallowed_methods, reason = "files are made and read back")]
fn a_report_follows_links_and_never_replaces_its_suite() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name);
    let text = |name: &str| at(name).to_str().expect("UTF-8").to_owned();
    let suite = "4k3/8/8/8/8/8/8/4K3 w - - D1 5;\n";
    std::fs::write(at("suite.epd"), suite).expect("written");
    std::fs::write(at("target.csv"), "old").expect("written");
    symlink(at("target.csv"), at("link.csv")).expect("linked");
    symlink(at("suite.epd"), at("suite-link.epd")).expect("linked");

    let run = |output: &str| {
        run(&[
            "check",
            &text("suite.epd"),
            "--format",
            "csv",
            "-o",
            &text(output),
        ])
    };
    assert!(run("link.csv").starts_with("exit 0"));
    assert!(at("link.csv").is_symlink());
    let report = std::fs::read_to_string(at("target.csv")).expect("readable");
    assert!(report.starts_with("suite,line"), "{report}");
    let mode = std::fs::metadata(at("target.csv"))
        .expect("there")
        .permissions()
        .mode();
    assert_ne!(mode & 0o044, 0, "others may read it, as the mask lets them");

    for output in ["suite.epd", "suite-link.epd"] {
        let refused = run(output);
        assert!(refused.starts_with("exit 2"), "{refused}");
        assert!(
            refused.contains("the report would replace the suite"),
            "{refused}"
        );
        assert_eq!(
            std::fs::read_to_string(at("suite.epd")).expect("readable"),
            suite
        );
    }
}

/// Waits, with a deadline, until the process listens for the signal, then sends it.
#[cfg(target_os = "linux")]
#[test]
#[expect(clippy::disallowed_methods, reason = "another process is watched")]
fn ctrl_c_ends_at_once_with_what_is_known() {
    use std::time::{Duration, Instant};
    for arguments in [
        vec!["count", "12", "--divide"],
        vec!["check", "endless.epd"],
    ] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let endless = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - D1 20; D12 1;\n";
        std::fs::write(folder.path().join("endless.epd"), endless).expect("written");
        let child = Command::cargo_bin("perft")
            .expect("the program is built")
            .current_dir(folder.path())
            .args(&arguments)
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("the program starts");
        let deadline = Instant::now() + Duration::from_secs(30);
        let listens = |status: &str| {
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            let caught = u64::from_str_radix(caught.unwrap_or("0").trim(), 16);
            caught.is_ok_and(|mask| mask & 0b10 != 0)
        };
        let status = format!("/proc/{}/status", child.id());
        while !listens(&std::fs::read_to_string(&status).expect("the process runs")) {
            assert!(
                Instant::now() < deadline,
                "the program never listens for the signal"
            );
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let sent = Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status();
        assert!(sent.expect("kill starts").success());
        let output = child.wait_with_output().expect("the program ends");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(output.status.code(), Some(130), "{text}");
        assert!(text.contains("INTERRUPTED"), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn a_suite_without_end_is_refused() {
    check!("check_endless", ["check", "/dev/zero"]);
    check!("check_endless_source", ["generate", "--from", "/dev/zero"]);
}
