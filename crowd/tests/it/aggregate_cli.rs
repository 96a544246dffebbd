//! `crowd aggregate` as its users see it.
#![expect(clippy::disallowed_methods, reason = "files are made and looked at")]

use std::path::Path;

use crate::common::cli::crowd;
use tempfile::TempDir;

const LABELS: &str = "task,worker,label\n\
    one,ann,yes\none,bob,yes\none,cid,no\n\
    two,ann,no\ntwo,bob,no\ntwo,cid,yes\n\
    three,ann,yes\nthree,cid,no\n";
const GOLD: &str = "label,task\nyes,one\nno,nowhere\n";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (name, text) in [("labels.csv", LABELS), ("gold.csv", GOLD)] {
        std::fs::write(folder.path().join(name), text).expect("it can be written");
    }
    folder
}

fn run(folder: &Path, arguments: &[&str], input: &str) -> String {
    let mut all = vec!["aggregate"];
    all.extend(arguments);
    crowd(folder, &all, input)
}

#[test]
fn methods() {
    let folder = folder();
    let run = |arguments: &[&str]| run(folder.path(), arguments, "");
    insta::assert_snapshot!(
        "aggregate_majority",
        run(&["labels.csv", "--method", "majority"])
    );
    insta::assert_snapshot!(
        "aggregate_one_coin",
        run(&["labels.csv", "--method", "one-coin"])
    );
    insta::assert_snapshot!("aggregate_default", run(&["labels.csv"]));
    insta::assert_snapshot!("aggregate_gold", run(&["labels.csv", "--gold", "gold.csv"]));
}

#[test]
fn bad_input() {
    let folder = folder();
    let folder = folder.path();
    let fed = |input: &str| run(folder, &["-"], input);
    insta::assert_snapshot!(
        "aggregate_conflict",
        fed("task,worker,label\na,b,c\na,b,d\n")
    );
    insta::assert_snapshot!("aggregate_no_column", fed("task,worker\na,b\n"));
    insta::assert_snapshot!("aggregate_nothing", fed("task,worker,label\n"));
    insta::assert_snapshot!("aggregate_no_file", run(folder, &["nonesuch.csv"], ""));
    insta::assert_snapshot!(
        "aggregate_two_stdin",
        run(folder, &["-", "--gold", "-"], "")
    );
}

#[cfg(unix)]
#[test]
fn labels_without_end_are_refused() {
    let folder = folder();
    insta::assert_snapshot!("aggregate_endless", run(folder.path(), &["/dev/zero"], ""));
}
