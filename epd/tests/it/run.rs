//! `epd run`: standard output, standard error, files and exit code.

use std::path::{Path, PathBuf};

use crate::common::{
    self, ends, holds, path_in, place, read, run_in, scripted_engine, words, write,
};
#[cfg(unix)]
use crate::common::{run_words, shell_engine};
use crate::rows::rows;

const NODES: &str = "--nodes 100000 -j 1";

/// Times without a unit that the other filters know.
pub(crate) const TIMES: [(&str, &str); 5] = [
    (r"no bestmove in \d+\.\d s", "no bestmove in [time]"),
    (r"it moved \d+ to \d+ ms late", "it moved [time] late"),
    (r"--margin \d+ms", "--margin [time]"),
    (r" +\d+\.\d{3} (<|>|!|&lt;|&gt;) ", " [time] $1 "),
    (r"\b\d+\.\d\d\b", "[time]"),
];

macro_rules! check {
    ($name:expr, $text:expr) => {
        crate::common::check!($name, $text, crate::run::TIMES)
    };
}
pub(crate) use check;

/// Compares runs of suites on the scripted engine with their snapshots; a row has the name, then the suite, the
/// script and more arguments.
fn check_all(table: &str) {
    for [name, line] in rows(table) {
        let mut parts = line.splitn(3, ' ');
        let mut next = || parts.next().unwrap_or_default();
        check!(name, run(next(), next(), next()));
    }
}

/// The folder of the test suites.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suites")
}

/// The command line of the scripted engine.
pub(crate) fn engine(script: &str) -> String {
    let script = folder().join(script);
    format!("'{}' '{}'", scripted_engine(), script.display())
}

/// Runs suites on engines, which may have blanks in their command lines.
pub(crate) fn run_on(
    folder: impl AsRef<Path>,
    suites: &str,
    engines: &[&str],
    more: &str,
) -> String {
    run_in(folder, &arguments(suites, engines, more))
}

fn arguments<'a>(suites: &'a str, engines: &[&'a str], more: &'a str) -> Vec<&'a str> {
    let mut arguments = vec!["run"];
    arguments.extend(words(suites));
    arguments.extend(engines.iter().flat_map(|engine| ["--engine", engine]));
    arguments.extend(words(more));
    arguments
}

/// Runs a suite on the scripted engine, with limits.
pub(crate) fn run(suite: &str, script: &str, more: &str) -> String {
    let more = format!("{NODES} {more}");
    run_on(folder(), suite, &[&engine(script)], &more)
}

/// An error ends with the command that would have worked, and names what was meant.
#[test]
fn a_line_that_was_nearly_right_is_completed() {
    let engine = scripted_engine();
    // `sh` is a program in `PATH`.
    let table = "
run tactics ENGINE | try: epd run tactics --engine ENGINE
run ENGINE mate-in-2 --movetime 1s | try: epd run mate-in-2 --movetime 1s --engine ENGINE
run ENGINE --movetime 1s | try: epd run tactics --movetime 1s --engine ENGINE
mates ENGINE | try: epd mates mate-in-3 --engine ENGINE
ENGINE | try: epd bench --engine ENGINE
ENGINE tactics | try: epd run tactics --engine ENGINE
run tactics sh | try: epd run tactics --engine sh
run tatics --engine ENGINE | , mate-in-4, tactics: did you mean tactics?
suites quik | , mate-in-4, tactics: did you mean quick?
lint ENGINE | error: ENGINE is a program, expected a file of text; engines are named by --engine";
    for [typed, expected] in rows(table) {
        let ended = common::run_words(folder(), &typed.replace("ENGINE", &engine));
        let ended = ended.replace(&engine, "ENGINE");
        assert!(ended.trim_end().ends_with(expected), "{typed}: {ended}");
    }
}

#[test]
fn usage() {
    check!("nothing", common::run_words(folder(), "run"));
    check_all(
        "
no_such_suite | nowhere.epd right.txt
no_such_built_in | mate-in-9 right.txt
bad_time | all.epd right.txt --movetime 1x
baseline_needed | all.epd right.txt --fail-on unsolved,slower
suite_replaced | all.epd right.txt --save ./all.epd
no_such_option | all.epd right.txt --option Contempt=3",
    );
    let none = run_on(folder(), "all.epd", &["./nowhere"], "");
    check!("no_such_engine", none);
    let two = run_on(folder(), "all.epd", &["a", "b"], "-o x.epd");
    check!("records_of_two", two);
}

/// What a record says is not changed without a word.
#[cfg(unix)]
#[test]
fn repairs_are_warned_of() {
    let place = place();
    let joined = "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8# D1 14;\n";
    let castling = "6k1/5ppp/8/8/8/8/8/R3K3 w KQkq - bm Ra8#; dm 1;\n";
    write(&place, "a.epd", &format!("{joined}{castling}"));
    write(&place, "b.epd", &castling.repeat(5));
    shell_engine(
        &place,
        "mates",
        "go*) echo 'info depth 1 nodes 20 score mate 1 pv a1a8'; echo 'bestmove a1a8' ;;",
    );
    let first = "a.epd:1:39: warning: opcode 'D1' begins inside another operation; read as '; D1'";
    let second = "a.epd:2:27: warning: castling: ";
    for command in [
        "run a.epd --engine ./mates --depth 1",
        "mates a.epd --engine ./mates --depth 1",
    ] {
        ends(&run_words(&place, command), 0, &[first, second]);
    }
    let more = "\nb.epd: and 5 warnings more; `epd lint` lists all";
    for command in ["filter b.epd --has bm", "stats b.epd", "dedupe b.epd"] {
        let text = run_words(&place, command);
        ends(&text, 0, &["b.epd:1:27: warning: castling: ", more]);
    }
}

/// One answer behind after an illegal move, until it is started anew.
#[cfg(unix)]
#[test]
fn an_engine_that_moves_illegally_is_started_anew() {
    let place = place();
    let cases = r#"
    go*)
      case "$fen" in
        *8/R3K3*) move=a1a8 ;;
        *8/1R2K3*) move=b1b8 ;;
        *) move=e2e4 ;;
      esac
      answer=$move
      if [ -n "$late" ]; then answer=$before; fi
      if [ $move = a1a8 ] && [ ! -e marker ]; then : > marker; late=1; answer=h1h8; fi
      before=$move
      echo "info depth 1 nodes 20 score cp 0 pv $answer"
      echo "bestmove $answer" ;;"#;
    shell_engine(&place, "late", cases);
    let record = |row: &str, m: &str| format!("6k1/5ppp/8/8/8/8/8/{row} w - - bm {m};\n");
    let suite = record("R3K3", "Ra8#") + &record("1R2K3", "Rb8#").repeat(2);
    write(&place, "late.epd", &suite);
    let text = run_words(&place, "run late.epd --engine ./late --depth 1 -j 1");
    let failed = "./late: ENGINE FAILED in 1 of 3 positions; 2 solved";
    ends(&text, 3, &["bestmove h1h8 is not a legal move", failed]);
}

#[test]
fn reports() {
    check_all(
        "
format_human | all.epd right.txt --format human
format_csv | all.epd right.txt --format csv
format_json | all.epd right.txt --format json
broken | broken.epd right.txt
broken_allowed | broken.epd right.txt --skip-bad
broken_github | broken.epd right.txt --format github
no_goal | nogoal.epd right.txt
no_goal_junit | nogoal.epd right.txt --format junit
no_goal_json | nogoal.epd right.txt --format json
chess960 | chess960.epd fischer.txt
chess960_unknown | chess960.epd right.txt
repeat | limits.epd flaky.txt --repeat 3
repeat_csv | limits.epd flaky.txt --repeat 3 --format csv
# The forms of well-known public suites, in records of our own.
public | public.epd public.txt
public_json | public.epd public.txt --format json",
    );
    let text = run("public.epd", "public.txt", "--skip-bad");
    assert!(!text.contains("NOT RUN"), "{text}");
    let engines = [&*engine("right.txt"), &engine("worse.txt")];
    let two = run_on(folder(), "all.epd limits.epd", &engines, NODES);
    check!("two", two);
}

#[test]
fn faults() {
    // Two of its positions take all of their time, so the reports after the first are made of a journal.
    let place = place();
    let journal = path_in(&place, "journal.jsonl");
    for [name, format] in rows("faults | human\nfaults_junit | junit\nfaults_csv | csv") {
        let more = format!("--timeout 1s --margin 20s --resume {journal} --format {format}");
        check!(name, run("faults.epd", "faults.txt", &more));
    }
    let suite = read(folder(), "faults.epd");
    let record = suite.lines().find(|line| line.contains("illegal pv"));
    write(&place, "one.epd", record.expect("it is there"));
    let more = format!("{NODES} --fail-on illegal-pv");
    let one = run_on(&place, "one.epd", &[&engine("faults.txt")], &more);
    check!("illegal_pv", one);
}

#[test]
fn misbehaviours() {
    let run = |margin: &str, flag: &str| {
        let path = scripted_engine();
        let engine = format!("'{path}' --first-move --breach blind {flag}");
        let more = format!("-j 2 --movetime 100ms --margin {margin}");
        run_on(folder(), "limits.epd", &[&engine], &more)
    };
    for (name, margin, flag) in [
        ("late_within_margin", "5m", "--late=150"),
        ("later_than_margin", "2s", "--late=3000"),
        ("garbage", "5m", "--garbage"),
    ] {
        // On a busy machine they may come before `stop` is sent.
        let infos = |line: &&str| !line.contains(" < info depth ");
        let text = run(margin, flag);
        let lines: Vec<&str> = text.lines().filter(infos).collect();
        check!(name, lines.join("\n"));
    }
    // Whether it has read anything before it ended is a matter of luck.
    let text = run("5m", "--crash-at-start=1");
    let ended = "the engine ended with exit code 1 before uciok";
    ends(&text, 3, &[ended, "NOT RUN: the engine does not start"]);
}

#[test]
fn limits() {
    let limits = |more: &str| {
        let more = format!("--format json {more}");
        let text = run_on(folder(), "limits.epd", &[&engine("right.txt")], &more);
        let lines = text.lines().map(str::trim);
        let lines = lines.filter(|line| line.starts_with("\"limits\""));
        lines.collect::<Vec<_>>().join("\n")
    };
    check!("limits_default", limits(""));
    let several = limits("--depth 9 --nodes 5 --movetime 1.5s --mate 3");
    check!("limits_several", several);
}

/// Before the first position, and each other command that searches does so too.
#[test]
fn an_engine_that_ignores_a_limit_is_not_run() {
    let path = scripted_engine();
    let place = place();
    let games = read(folder().join("../data"), "games.pgn");
    write(&place, "games.pgn", &games);
    let fault = "it does not obey `go nodes 1500` (tried: `go nodes 1000`): no bestmove in ";
    let remedy = "it moves when `stop` is sent: choose a limit that it keeps (--movetime 100ms, --depth 8)\n";
    let run = |command: &str, flags: &str| {
        let engine = format!("'{path}' --first-move {flags}");
        let mut arguments = words(command);
        arguments.extend(["--engine", &engine, "--nodes", "1500"]);
        run_in(&place, &arguments)
    };
    for (command, says) in [
        ("run tactics", "NOT RUN: a limit is not obeyed; "),
        ("mates mate-in-1", "NOT RUN: a limit is not obeyed; "),
        ("eval label games.pgn --skip 0 --every 1", "error: "),
    ] {
        ends(&run(command, "--ignore-limits"), 3, &[fault, remedy, says]);
    }
    // There is nothing to compare with a baseline.
    run("run tactics --save base.json", "");
    let text = run("run tactics --baseline base.json", "--ignore-limits");
    ends(&text, 3, &[]);
    assert!(
        !text.contains("base.json") && !text.contains("MISSING"),
        "{text}"
    );
    let engine = format!("'{path}' --first-move --breach wasteful");
    let text = run_on(folder(), "limits.epd", &[&engine], "--depth 2");
    let says = "it does not obey `go depth 2`: it moved at depth 6 and 40000 nodes: choose a limit that it keeps \
                (--movetime 100ms, --nodes 10000)";
    ends(&text, 3, &[says]);
}

#[test]
fn options_and_limits_are_sent() {
    let more = "-j 1 --timeout 1s --margin 1s --depth 3 --mate 2";
    let text = run_on(folder(), "faults.epd", &[&engine("faults.txt")], more);
    holds(&text, &["> go depth 3 mate 2"]);
    let run = |options: &[&str]| {
        let engine = engine("right.txt");
        let fixed = arguments("all.epd", &[&engine], "--nodes 9");
        run_in(folder(), &[&fixed[..], options].concat())
    };
    ends(&run(&["--option", "Hash=65"]), 3, &["65"]);
    let options = ["--option", "Hash=64", "--option", "Clear Hash"];
    ends(&run(&options), 0, &[]);
}

#[test]
fn baselines() {
    let place = place();
    let base = path_in(&place, "base.json");
    let save = format!("--save {base}");
    check!("save", run("all.epd", "right.txt", &save));
    check!("saved", read(&place, "base.json"));
    let other = "{\"schema\": \"touchstone/perft-check/1\"}";
    write(&place, "other.json", other);
    let table = "
same | all.epd right.txt --baseline BASE
changed | all.epd worse.txt --baseline BASE
changed_json | all.epd worse.txt --baseline BASE --format json --fail-on slower
changed_junit | all.epd worse.txt --baseline BASE --format junit --fail-on slower
changed_not_asked_for | all.epd worse.txt --baseline BASE --fail-on none
missing | limits.epd right.txt --baseline BASE --fail-on missing,worse,slower-overall
other_limits | all.epd right.txt --baseline BASE --depth 3
no_baseline | all.epd right.txt --baseline OTHER";
    let other = path_in(&place, "other.json");
    check_all(&table.replace("BASE", &base).replace("OTHER", &other));
}

/// With a limit of time a baseline holds several searches of each position, and a run is judged by how
/// often they solve it.
#[test]
fn searches_that_chance_decides_are_counted() {
    let place = place();
    let base = path_in(&place, "base.json");
    let run = |script: &str, more: &str| run("all.epd", script, &format!("--movetime 1s {more}"));
    let saved = run("right.txt", &format!("--save {base}"));
    let note = "note: searches do not come out the same each time (limited by time): each position is searched 5 \
                times, and comparisons will count\n";
    ends(&saved, 0, &[note]);
    let baseline = format!("--baseline {base}");
    ends(&run("right.txt", &baseline), 0, &[]);
    let worse = [
        "(limited by time): 25 of 30 solved then, 15 of 30 now: p = 3.1e-5 (stratified permutation test)",
        "LESS OFTEN all.epd avoid: am f3; solved in 5 of 5 searches then, in 0 of 5 now: p = 0.008 (Fisher, Holm)",
        "FAIL: worse by more than chance: 15 of 30 searches solved, 25 of 30 then, p = 3.15e-5; 2 positions solved \
         less often by more than chance",
    ];
    ends(&run("worse.txt", &baseline), 1, &worse);
    let single = format!("{baseline} --fail-on newly-failed --repeat 1");
    let says = "newly-failed alarms by chance; 'worse' does not\n";
    ends(&run("right.txt", &single), 0, &[says]);
}

/// An engine that keeps something from one search to the next is found out when it is asked twice.
#[cfg(unix)]
#[test]
fn a_baseline_asks_some_positions_twice() {
    let place = place();
    let suite = "4k3/8/8/8/8/8/8/4K3 w - - bm Kd1;\n4k3/8/8/8/8/8/p7/4K3 w - - bm Kd1;\n";
    write(&place, "two.epd", suite);
    let other = "\"asked again, it searches otherwise: 2 of 2 positions\"";
    for (nodes, repeats, why) in [("$count", 5, other), ("7", 1, "null")] {
        let cases = format!(
            r#"go*) count=$((count + 1)); echo "info depth 2 nodes {nodes} pv e1d1"; echo bestmove e1d1 ;;"#
        );
        common::shell_engine(&place, "engine", &cases);
        let more = "--nodes 100 --save base.json";
        ends(&run_on(&place, "two.epd", &["./engine"], more), 0, &[]);
        let repeat = format!("\"repeat\": {repeats},");
        let why = format!("\"not_repeatable\": {why},");
        holds(&read(&place, "base.json"), &[&repeat, &why]);
    }
}

/// A file that was cut to nothing, or that another program wrote in UTF-16, is named.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a file that is no text is written"
)]
fn files_without_records_are_named() {
    let place = place();
    write(&place, "empty.epd", "");
    let utf_16 = "\u{feff}4k3/8/8/8/8/8/8/4K3 w - - bm Kd1;\r\n".encode_utf16();
    let utf_16: Vec<u8> = utf_16.flat_map(u16::to_le_bytes).collect();
    std::fs::write(place.path().join("utf-16.epd"), utf_16).expect("written");
    let empty = "error: empty.epd is empty: a file of 0 bytes\n";
    let utf_16 = "error: utf-16.epd is in UTF-16, as PowerShell's > writes it";
    for (suites, says) in [("mate-in-1 empty.epd", empty), ("utf-16.epd", utf_16)] {
        let text = run_on(&place, suites, &[&engine("right.txt")], NODES);
        ends(&text, 2, &[says]);
    }
}

/// An engine that plays mates and prints no `score mate`: a move that mates is proved on the board, and of
/// longer mates it is said that the moves were right.
#[cfg(unix)]
#[test]
fn mates_that_are_played_and_not_announced() {
    let place = place();
    let cases = r#"*R3K3*) best=a1a8 ;;
    *4K2R*) best=e1f2 ;;
    go*) echo "info depth 1 score cp 10000003 pv $best"; echo "bestmove $best" ;;"#;
    common::shell_engine(&place, "silent", cases);
    let suite = "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; dm 1;\n6k1/5ppp/8/8/8/8/8/4K2R w - - bm Kf2; dm 2;\n";
    write(&place, "mates.epd", suite);
    let text = run_on(&place, "mates.epd", &["./silent"], NODES);
    let says = "OK: 1 of 2 positions solved, best move right in 2 of 2 searched, no `score mate` printed; in ";
    holds(&text, &[says]);
}

/// A result that is worse does not become what is compared with, and what is left out is not passed over.
#[test]
fn a_baseline_is_replaced_on_purpose_only() {
    let place = place();
    let base = path_in(&place, "base.json");
    run("all.epd", "right.txt", &format!("--save {base}"));
    let before = read(&place, "base.json");
    let run = |suite: &str, script: &str, more: &str| {
        run(suite, script, &format!("--baseline {base} {more}"))
    };
    let saved = run("all.epd", "worse.txt", &format!("--save {base}"));
    let says = "would be replaced, which is read; --update-baseline replaces the baseline";
    ends(&saved, 2, &[says]);
    assert_eq!(read(&place, "base.json"), before);
    let half = run("limits.epd", "right.txt", "");
    ends(&half, 1, &["FAIL: 4 positions of the baseline missing"]);
    let threads = run("all.epd", "right.txt", "--option Threads=2");
    let says = "was made with Threads=1, this run is with Threads=2";
    ends(&threads, 2, &[says]);
    let renewed = run("all.epd", "worse.txt", "--update-baseline");
    ends(&renewed, 1, &[]);
    ends(&run("all.epd", "worse.txt", ""), 0, &[]);
}

/// What a CI server shows agrees with the exit code, whatever is demanded.
#[test]
fn reports_are_red_exactly_where_the_exit_code_is_not_0() {
    let place = place();
    let save = |script: &str| {
        let file = path_in(&place, script);
        run("all.epd", script, &format!("--save {file}"));
        format!("--baseline {file}")
    };
    let (right, worse) = (save("right.txt"), save("worse.txt"));
    let slower = format!("{right} --fail-on slower");
    let none = format!("{right} --fail-on none");
    // The demands, the exit code, the failed positions, and the labels of positions.
    for (script, demands, code, failures, labels) in [
        ("right.txt", "", 0, 0, "unsolved"),
        ("right.txt", &right, 0, 0, "known"),
        ("worse.txt", &worse, 0, 0, "known"),
        ("worse.txt", &right, 1, 2, "FAILED known"),
        ("worse.txt", &slower, 1, 1, "FAILED known unsolved"),
        ("worse.txt", &none, 0, 0, "known unsolved"),
        ("right.txt", "--fail-on unsolved", 1, 1, "FAILED"),
        ("right.txt", "--min-solved 5", 0, 0, "unsolved"),
        ("right.txt", "--min-solved 6", 1, 1, "FAILED"),
    ] {
        // Besides the positions one failure for each demand, and here there is one demand.
        let all = failures + usize::from(code == 1);
        for (format, mark, count) in [
            ("human", "\n  FAILED ", failures),
            ("junit", "<failure ", all),
            ("json", r#""verdict": "failed""#, failures),
            ("csv", ",failed,", failures),
        ] {
            let text = run("all.epd", script, &format!("{demands} --format {format}"));
            ends(&text, code, &[]);
            assert_eq!(text.matches(mark).count(), count, "{demands:?} {format}");
            if format != "human" {
                continue;
            }
            for label in ["FAILED", "known", "unsolved"] {
                let is_there = text.contains(&format!("\n  {label} "));
                let is_expected = labels.split(' ').any(|one| one == label);
                assert_eq!(is_there, is_expected, "{demands:?} {label}: {text}");
            }
            let verdict = if code == 0 { "': OK: " } else { "': FAIL: " };
            holds(&text, &[verdict]);
        }
    }
}

#[test]
fn the_least_that_must_be_solved() {
    check_all(
        "
too_few | all.epd right.txt --min-solved 100%
bad_least | all.epd right.txt --min-solved 101%
unsolved | all.epd right.txt --fail-on unsolved",
    );
}

#[test]
fn records_and_files_are_written() {
    let place = place();
    let path = |name: &str| path_in(&place, name);
    let (records, report, summary) = (path("found.epd"), path("report.xml"), path("summary.md"));
    let more = format!("-o {records} -o {report} --format github -o {summary}");
    run("all.epd", "right.txt", &more);
    check!("written_records", read(&place, "found.epd"));
    check!("written_summary", read(&place, "summary.md"));
    check!("written_report", read(&place, "report.xml"));
    // Records that are not run are written as they are.
    let more = format!("-o {}", path("broken.epd"));
    run("broken.epd", "right.txt", &more);
    check!("written_not_run", read(&place, "broken.epd"));
    let linted = common::run_words(&place, "lint --strict found.epd");
    holds(&linted, &[" 0 repairable, 0 in doubt"]);
    assert!(!linted.contains("note"), "{linted}");
    // The written records can be run, and are the same when written again.
    run(&records, "right.txt", &format!("-o {}", path("again.epd")));
    assert_eq!(read(&place, "found.epd"), read(&place, "again.epd"));
    // The clocks of six fields become operations, and all is in the order of the standard form.
    let board = "6k1/5ppp/8/8/8/8/8/R3K3 w - -";
    let six = format!("{board} 3 20 id \"x\"; bm Ra8#;\n");
    write(&place, "six.epd", &six);
    let more = format!("{NODES} -o found.epd");
    run_on(&place, "six.epd", &[&engine("right.txt")], &more);
    let found =
        "acd 4; acn 5000; acs 0; bm Ra8#; ce 32766; fmvn 20; hmvc 3; id \"x\"; pm Ra8#; pv Ra8#;";
    assert_eq!(read(&place, "found.epd"), format!("{board} {found}\n"));
}

/// Stockfish, whose solutions nobody doubts.
#[cfg(feature = "oracles")]
mod oracles {
    use super::{ends, folder, path_in, place, read, run_on};

    fn stockfish(more: &str) -> String {
        let more = format!("--nodes 20000 {more}");
        run_on(folder(), "tactics.epd", &["stockfish"], &more)
    }

    #[test]
    fn stockfish_solves_all() {
        let text = stockfish("--fail-on unsolved,illegal-pv");
        ends(&text, 0, &["OK: 8 of 8 positions solved", "20 of 20"]);
    }

    /// With node limits nothing depends on the clock or the number of processes.
    #[test]
    fn a_baseline_of_nodes_is_met_to_the_node() {
        let place = place();
        let (one, two) = (path_in(&place, "one.json"), path_in(&place, "two.json"));
        stockfish(&format!("-j 1 --save {one}"));
        let rules = "--fail-on newly-failed,slower,missing";
        let more = format!("-j 2 --save {two} --baseline {one} {rules}");
        ends(&stockfish(&more), 0, &[]);
        let without_times = |name: &str| {
            let text = read(&place, name);
            let lines = text.lines().filter(|line| !line.contains("\"ms\""));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(without_times("one.json"), without_times("two.json"));
    }
}
