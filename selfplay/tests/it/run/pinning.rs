//! On which CPUs engines run.

use std::fs;

use crate::common::Bed;

/// An engine that notes which CPUs it may use.
const NOTING: &str = "grep Cpus_allowed_list /proc/self/status | cut -f 2 >> cpus
exec ./engine --seed=3
";

/// The same, with another default of its option.
const MANY_THREADS: &str = "grep Cpus_allowed_list /proc/self/status | cut -f 2 >> cpus
./engine --seed=3 | sed -u 's/^option name Threads.*/option name Threads type spin default 64 min 1 max 64/'
";

/// The CPUs of a list as Linux writes it.
fn cpus(list: &str) -> Vec<usize> {
    let set = uci::cpus::parse_list(list.trim()).expect("a list");
    set.into_iter().collect()
}

/// Those of this process.
fn allowed() -> Vec<usize> {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let list = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    cpus(list.expect("Linux has it"))
}

#[test]
fn engines_run_where_they_should() {
    let bed = Bed::new();
    bed.script("noting", NOTING);
    bed.script("many", MANY_THREADS);
    let last = *allowed().last().expect("there is one");
    fs::write(bed.path("off.toml"), "pin = false\n").expect("new");
    let found = |engine: &str, option: &str| {
        let few = "./engine --nodes 1 --rounds 1 --max-moves 3";
        bed.run(&format!("match ./{engine} {few} {option} --out out"))
            .exits(0);
        fs::remove_dir_all(bed.path("out")).expect("ours");
        let noted = fs::read_to_string(bed.path("cpus")).expect("it ran");
        cpus(noted.lines().next_back().expect("it was started"))
    };
    assert_eq!(found("noting", "--pin off"), allowed());
    assert_eq!(found("noting", &format!("--pin {last}")), [last]);
    // The command line overrides the file.
    assert_eq!(
        found("noting", &format!("--config off.toml --pin {last}")),
        [last]
    );
    assert_eq!(found("noting", "--config off.toml"), allowed());
    // By default on one or on all, as busy as the machine is.
    let default = found("noting", "");
    assert!(default == allowed() || default.len() == 1, "{default:?}");
    // One of many threads is not confined to one CPU, however idle the machine is.
    assert_eq!(found("many", ""), allowed());
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
