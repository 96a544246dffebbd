//! On which CPUs engines run.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::common::Bed;

/// An engine that notes which CPUs it may use.
const NOTING: &str = "#!/bin/sh
grep Cpus_allowed_list /proc/self/status | cut -f 2 > cpus
exec ./engine --seed=3
";

/// The CPUs of a list as Linux writes it.
fn cpus(list: &str) -> Vec<usize> {
    let set = uci::cpus::parse_list(list.trim()).expect("a list");
    set.into_iter().collect()
}

#[test]
fn engines_run_where_they_should() {
    let bed = Bed::new();
    fs::write(bed.path("noting"), NOTING).expect("new");
    fs::set_permissions(bed.path("noting"), fs::Permissions::from_mode(0o755)).expect("ours");
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let allowed = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let allowed = cpus(allowed.expect("Linux has it"));
    let last = allowed.last().expect("there is one");
    fs::write(bed.path("off.toml"), "pin = false\n").expect("new");
    let rows = [
        ("--pin off".to_owned(), allowed.clone()),
        (format!("--pin {last}"), vec![*last]),
        // The command line overrides the file.
        (format!("--config off.toml --pin {last}"), vec![*last]),
        ("--config off.toml".to_owned(), allowed.clone()),
    ];
    for (number, (option, expected)) in rows.into_iter().enumerate() {
        bed.run(&format!(
            "match ./noting ./engine --nodes 1 --rounds 1 --max-moves 3 {option} --out {number}"
        ))
        .exits(0);
        let found = cpus(&fs::read_to_string(bed.path("cpus")).expect("it ran"));
        assert_eq!(found, expected, "{option}");
    }
    // By default on one or on all, as busy as the machine is.
    let run = "match ./noting ./engine --nodes 1 --rounds 1 --max-moves 3 --out by-default";
    bed.run(run).exits(0);
    let found = cpus(&fs::read_to_string(bed.path("cpus")).expect("it ran"));
    assert!(found == allowed || found.len() == 1, "{found:?}");
}

/// As [`NOTING`], with another default of its option.
const MANY_THREADS: &str = "#!/bin/sh
grep Cpus_allowed_list /proc/self/status | cut -f 2 >> cpus
./engine --seed=3 | while read -r line; do
    case $line in
        'option name Threads'*) echo option name Threads type spin default 64 min 1 max 64 ;;
        *) echo \"$line\" ;;
    esac
done
";

/// It is not confined to one CPU, however idle the machine is.
#[test]
fn an_engine_of_many_threads_may_use_all_cpus() {
    let bed = Bed::new();
    fs::write(bed.path("many"), MANY_THREADS).expect("new");
    fs::set_permissions(bed.path("many"), fs::Permissions::from_mode(0o755)).expect("ours");
    bed.run("match ./many ./engine --nodes 1 --rounds 1 --max-moves 3 --out out")
        .exits(0);
    let found = fs::read_to_string(bed.path("cpus")).expect("it ran");
    let last = found.lines().next_back().expect("it was started");
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let allowed = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    assert_eq!(cpus(last), cpus(allowed.expect("Linux has it")), "{found}");
}

#[test]
fn cpus_that_there_are_not_are_errors() {
    let bed = Bed::new();
    for (option, expected) in rows![
        "--pin 16000" => "error: games cannot be pinned to CPU 16000: expected some of ";
        "--pin 0,x" => "or CPUs such as 0,2,4-6, instead of '0,x'";
    ] {
        let ended = bed.run(&format!(
            "match ./engine ./engine --nodes 1 --rounds 1 {option} --out out"
        ));
        ended.exits(2).reports(expected);
        assert!(!bed.path("out").exists());
    }
}
