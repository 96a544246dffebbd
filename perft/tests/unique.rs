//! `perft count --unique` as its users see it.

mod common;

use common::{check, run};

#[test]
fn unique_positions() {
    check!("unique", ["count", "5", "--unique"]);
    check!("unique_kiwipete", ["count", "kiwipete", "3", "--unique"]);
    check!("unique_depth_0", ["count", "0", "--unique"]);
    check!(
        "unique_json",
        ["count", "2", "--unique", "--format", "json"]
    );
    check!("unique_csv", ["count", "3", "--unique", "--format", "csv"]);
}

#[test]
fn memory_does_not_change_the_counts() {
    let rows = |memory| {
        let arguments = [
            "count", "4", "--unique", "--format", "csv", "--memory", memory,
        ];
        run(&arguments)
    };
    assert_eq!(rows("1"), rows("1024"));
}

#[test]
fn too_little_memory_is_said_after_what_is_known() {
    check!(
        "unique_memory",
        ["count", "5", "--unique", "--memory", "1", "--threads", "1"]
    );
}

#[test]
fn unique_refuses() {
    check!("memory_without_unique", ["count", "3", "--memory", "10"]);
    check!("no_memory", ["count", "3", "--unique", "--memory", "0"]);
    for option in ["--divide", "--breakdown", "--no-bulk", "--hash=1"] {
        let text = run(&["count", "3", "--unique", option]);
        assert!(text.starts_with("exit 2\n"), "{option}: {text}");
        assert!(text.contains("cannot be used with"), "{option}: {text}");
    }
}

/// An unfinished ply ends at once; those before it are shown.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_with_the_plies_that_are_finished() {
    let arguments = ["count", "12", "--unique", "--memory", "4096"];
    let output = common::interrupted(&arguments, std::path::Path::new("."), || true);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.starts_with("ply "), "{text}");
    assert!(text.contains("INTERRUPTED after "), "{text}");
    assert!(text.ends_with(" of 12 plies\n"), "{text}");
}
