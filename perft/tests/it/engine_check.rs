//! `perft check --engine` as its users see it, with engines of every dialect and every fault.
//!
//! The engine is `examples/scripted_engine`. The deadlines are generous: no test depends on speed.
#![expect(clippy::disallowed_methods, reason = "files are written and read")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use serde_json::Value;
use testkit::processes::{assert_gone, exists};
use testkit::programs::portable;

use crate::common::{
    self, SUITES, assert_says, each, engine, path, rows, run_in, snapshot, spawn, stdout_of,
    without_folder,
};
#[cfg(target_os = "linux")]
use crate::common::{interrupted, wait_until};

/// What the program says of the suite `trial.epd` and an engine, whose path is left out.
fn tried(flags: &str, arguments: &[&str]) -> String {
    let engine = engine(flags);
    let mut all = vec!["check", "trial.epd", "--engine", &engine];
    all.extend(arguments);
    run(&all)
}

/// As [`tried`], on a position in place of a suite.
fn tried_on(fen: &str, flags: &str, arguments: &[&str]) -> String {
    let engine = engine(flags);
    let mut all = vec!["check", "--fen", fen, "--engine", &engine];
    all.extend(arguments);
    run(&all)
}

fn run(arguments: &[&str]) -> String {
    without_folder(&common::run(arguments))
}

/// Each row has the flags of an engine, our arguments, the exit code and what the report says.
fn each_tried(table: &str) {
    each(&rows(table), |row| {
        let [flags, arguments, exit, says @ ..] = row.as_slice() else {
            panic!("{row:?}");
        };
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let exit = exit.parse().expect("an exit code");
        assert_says(flags, &tried(flags, &arguments), exit, says);
    });
}

const ALL_RIGHT: &str = "OK: all 9 positions are counted correctly";

/// Consoles are waited for until it is clear that they know no UCI. One position is Chess960.
#[test]
fn dialects() {
    each_tried(
        r#"| | 0 | Faulty Engine; go-perft, with divide, Chess960
        --with 'ask=["perft {depth}"]' | | 0 | Faulty Engine; perft, with divide, Chess960
        --dialect perft-fen --with protocol='"uci"' --with chess960=true | | 0 | Faulty Engine; perft-fen, with divide, FEN only, Chess960
        --dialect ethereal --with chess960=true | | 0 | Faulty Engine; perft, totals only, Chess960
        --with asynchronous=true | | 0 | Faulty Engine; go-perft, with divide, Chess960
        --dialect perft-fen-totals --with protocol='"uci"' --with chess960=true --with asynchronous=true | | 0 | Faulty Engine; perft-fen, totals only, FEN only, Chess960
        --no-option UCI_Chess960 | | 0 | Faulty Engine; go-perft, with divide | OK: all 8 positions are counted correctly, 1 not asked: the engine has no UCI_Chess960
        --dialect program -- | | 0 | no name; script, with divide | OK: all 8 positions are
        --dialect program --with row='""' -- | | 0 | no name; script, totals only | OK: all 8 positions are
        --dialect program --with total=[] -- | | 0 | no name; script, with divide | OK: all 8 positions are
        --dialect silent-console | | 0 | no name; perft, with divide | OK: all 8 positions are
        --dialect perft-fen-totals | | 0 | no name; perft-fen, totals only, FEN only | OK: all 8 positions are
        --dialect silent-console --with total=[] --with row_ms=20 | | 0 | no name; perft, with divide | OK: all 8 positions are"#,
    );
}

/// Each wording of rows without a total, and each of totals without rows; the bank has both together.
#[test]
fn wordings() {
    let rows = r#"row="{move}: {nodes}"
        row="{move} {nodes}"
        row="{move} - {nodes}"
        row="{move} -> {nodes}"
        row="{index}. {move} {nodes}"
        row="{move} {replies} {nodes}"
        row_group=","
        writes={promotion="{P}"}
        row="{move} {nodes}" --with writes={text="{san}",castling="letters"}
        row="{move} = {nodes}" --with writes={text="{letter}{from}{dash}{to}{promo}",promotion="={P}",castling="letters"}
        row="info string {move}: {nodes}""#;
    let totals = r#"total=["","Nodes searched: {total}"]
        total=["Total: {total}"]
        total=["{total}"]
        total=["perft({depth}) = {total}"]
        total=["{total} nodes, {ms}ms"]
        total=["Nodes: {total} in 0.005 s"] --with group=","
        total=[] --with each_depth=["perft({depth}) = {total}"]
        total=["info depth {depth} nodes {total} time {ms}"]"#;
    let with = |wording: &str| {
        let wording = wording.trim().split(" --with ");
        let flags = wording.map(|one| format!(" --with '{one}'"));
        flags.collect::<String>()
    };
    let rows = rows.lines().map(with);
    let totals = totals
        .lines()
        .map(|total| with(total) + " --with 'row=\"\"'");
    let rows = rows.flat_map(|row| [row.clone() + " --with total=[]", row]);
    let wordings: Vec<String> = rows.chain(totals).collect();
    each(&wordings, |flags| {
        let is_total = flags.contains("row=\"\"");
        let divides = if is_total {
            "totals only"
        } else {
            "with divide"
        };
        assert_says(flags, &tried(flags, &[]), 0, &[divides, ALL_RIGHT]);
    });
}

/// What an engine may do and still count correctly.
#[test]
fn manners() {
    let flags = r#"--dialect castling-by-rook --with chess960=true
        --dialect long-algebraic --with chess960=true
        --dialect chatty --with chess960=true
        --dialect chatty --with chess960=true --with row='""'
        --dialect chatty --with chess960=true --with total=[]
        --garbage
        --with log=LINES
        --with row_ms=3
        --ignore-quit
        --dialect total-first --with chess960=true
        --dialect total-first --with chess960=true --with asynchronous=true --with row_ms=10
        --with asynchronous=true --with total=[]
        --with asynchronous=true --with total=[] --with row_ms=10"#;
    let flags = flags.replace("LINES", &testkit::scale(1_000, 20_000).to_string());
    each(&rows(&flags), |row| {
        assert_says(row[0], &tried(row[0], &[]), 0, &[ALL_RIGHT]);
    });
}

#[test]
fn faults() {
    each_tried(
        r#"--bug breaks-down=en-passant:panic | | 3 | crash: the engine ended with exit code 101: as asked | FAILED: 1 of 9 positions have no answer, 1 kind of fault
        --dialect program --bug breaks-down=en-passant:abort --with total=[] -- | | 3 | crash: the engine was killed by signal 6 (SIGABRT)
        --bug breaks-down=en-passant:abort | | 3 | crash: the engine was killed by signal 6 (SIGABRT)
        --bug breaks-down=en-passant:0 | | 3 | crash: the engine ended with exit code 0
        --dialect program --bug breaks-down=en-passant:7 -- | | 3 | crash: the engine ended with exit code 7
        --bug breaks-down=castling:hang | --timeout 5 | 3 | no-answer: gave no answer within 5.0 s | FAILED: 3 of 9 positions have no answer
        --bug breaks-down=later:hang | --timeout 1 --no-hunt | 3 | no answer, nor readyok after stop, within 3 s, asked
        --bug total-one-more | | 1 | wrong-total: every row is right, the total is not | WRONG: 9 of 9 positions are counted wrongly
        --bug total-one-more --dialect nodes-per-second-last --with chess960=true | | 1 | WRONG: 9 of 9 positions are counted wrongly
        --bug ep-row-twice | | 1 | duplicate-move: the list of moves is wrong
        --bug flickers | --concurrency 1 | 1 | flaky: the same question got 
        --bug counts/ended/stalemate | | 1 | counts-a-mated-position: stalemate | WRONG: 2 of 9 positions
        --bug counts/ended/stalemate --with row='""' | | 1 | WRONG: 2 of 9 positions
        --bug omits/check/castling-* --with asynchronous=true --with total=[] | | 1 | missing-move: the list of moves is wrong | missing: e1g1 is legal"#,
    );
}

/// Of many wrong positions some are traced. The report says so, and annotations end with the rest.
#[test]
fn what_is_not_traced_is_one_line() {
    let engine = engine("--bug lists/attack/*/pin*");
    let check = |format| run(&["check", "quick", "--engine", &engine, "--format", format]);
    let text = check("human");
    assert_says(
        "",
        &text,
        1,
        &[
            " of them were traced): ",
            " are counted wrongly, 60 were traced",
        ],
    );
    let places = text.lines().filter_map(|line| line.strip_prefix("FAULT "));
    for places in places.filter_map(|line| Some(line.split_once("): ")?.1)) {
        for name in places
            .split(" and ")
            .next()
            .into_iter()
            .flat_map(|all| all.split(", "))
        {
            assert!(name.len() <= 60, "{name}");
        }
    }
    let annotations = check("github");
    let errors = annotations
        .lines()
        .filter(|line| line.starts_with("::error "));
    let untraced = errors
        .clone()
        .filter(|line| line.contains("more positions not traced"));
    assert_eq!(untraced.count(), 1);
    assert!(errors.count() <= 10, "{annotations}");
}

/// A crash is not traced to the end, as each question may cost a start.
#[test]
fn a_crash_costs_few_questions() {
    let engine = engine("--bug breaks-down=en-passant:abort");
    let text = run(&["check", "quick", "--engine", &engine]);
    let questions = text.lines().filter_map(|line| {
        let (number, _) = line.trim().split_once(" question")?;
        number.parse::<u32>().ok()
    });
    let questions: Vec<u32> = questions.collect();
    assert!(
        !questions.is_empty() && questions.iter().all(|&number| number <= 60),
        "{text}"
    );
}

#[test]
fn no_perft_and_no_engine() {
    each_tried(
        r#"--dialect no-perft | | 4 | Faulty Engine; replies, no perft, replies only | what to do next: | REPLIES ONLY: the replies in all 8 positions are legal
        --dialect no-perft --with search='"endless"' | | 4 | REPLIES ONLY
        --dialect no-perft --with search='"endless"' --breach busy | | 4 | REPLIES ONLY
        --dialect no-perft --breach deaf-to-depth | | 3 | go perft N: it searched | and in vain: divide, | what to do next: | def perft(board, depth, root=True): | NOT UNDERSTOOD: no way to ask
        --with row='""' --with total=[] | | 4 | REPLIES ONLY
        --with log=9223372036854775807 | | 3 | go perft N: it did not stop printing | NOT UNDERSTOOD: no way to ask
        --with ends_after_answer=true | | 3 | go perft N: the engine ended with exit code 0 | NOT UNDERSTOOD: no way to ask
        --bug breaks-down=anywhere:abort | | 3 | go perft N: the engine was killed by signal 6 (SIGABRT) | NOT UNDERSTOOD: no way to ask
        --crash-on-uci panic | | 3 | the engine ended with exit code 101 before uciok: as asked | NO ENGINE: it could not be asked
        --crash-on-uci abort | | 3 | the engine was killed by signal 6 (SIGABRT) before uciok | NO ENGINE: it could not be asked
        | --dialect script | 3 | NOT UNDERSTOOD
        | --dialect perft | 3 | < Unknown command: 'perft"#,
    );
    let text = tried("", &["--dialect", "perft"]);
    assert!(!text.contains("go perft N:"), "{text}");
    let text = tried("--dialect no-perft --breach deaf-to-depth", &["-v"]);
    assert!(
        text.contains("\n  divide N: it does not know the command"),
        "{text}"
    );
}

/// The ways beside UCI are asked in processes of their own, which some engines do not allow and others
/// do not end.
#[test]
#[cfg(target_os = "linux")]
fn the_other_ways_may_fail_in_their_own_processes() {
    let folder = tempfile::tempdir().expect("a folder");
    let lock = folder.path().join("lock");
    let lists = engine("--dialect no-perft --lists 256");
    let alone = format!("flock --nonblock '{}' {lists}", lock.display());
    let floods = folder.path().join("floods");
    let script = format!(
        "read word\n[ \"$word\" = uci ] || exec yes 'e2e4: 1'\n(echo uci; cat) | {lists}\n"
    );
    fs::write(&floods, script).expect("the folder is ours");
    let floods = format!("sh '{}'", floods.display());
    each(&[alone, floods], |engine| {
        let says = "OK by lists: the moves of all 8 positions are right";
        let text = run(&["check", "trial.epd", "--jobs", "1", "--engine", engine]);
        assert_says(engine, &text, 0, &[says]);
    });
}

/// Engines without perft, by the moves that their searches show.
#[test]
fn lists() {
    let castling = "--bug omits/check/castling-*";
    let kept = "--bug right-kept/rook-moved/*";
    let by_moves = "r3k3/8/8/8/8/8/8/4K2R w K - 0 1 moves h1h2 a8a7 h2h1 a7a8";
    each_tried(&format!(
        "--dialect no-perft --lists 256 | | 0 | multipv, no perft, moves by MultiPV | OK by lists: the moves of all 8 positions are right; counts not asked
        --dialect no-perft --lists 256 {castling} | | 1 | missing-move | WRONG: 2 of 8 positions have wrong moves
        --dialect no-perft --lists 256 --with chess960=true | | 0 | Chess960 | OK by lists: the moves of all 9 positions
        --dialect no-perft --lists 1 | | 0 | searchmoves, no perft, moves by searchmoves | OK by lists: the moves of all 8 positions
        --dialect no-perft --lists 1 {castling} | | 1 | missing-move | WRONG: 2 of 8 positions have wrong moves
        --dialect no-perft --lists 10 | --dialect multipv | 0 | note: not every known position is listed: its MultiPV is too small | OK by lists: the moves of all 2 positions are right; counts not asked, 1 not asked: the engine has no UCI_Chess960, 6 not asked: the search lists no moves there
        --dialect no-perft --lists 1 --breach no-searchmoves | | 4 | replies, no perft, replies only | REPLIES ONLY
        --lists 256 | --dialect multipv | 0 | OK by lists: the moves of all 9 positions
        --lists 256 --bug breaks-down=anywhere:abort | | 3 | NOT UNDERSTOOD"
    ));
    let flags = format!("--dialect no-perft --lists 256 {kept}");
    let text = tried_on(by_moves, &flags, &["--depth", "1"]);
    assert_says(&flags, &text, 1, &["state-after-moves", "go depth 1"]);
}

/// A position that the engine refuses is not counted wrongly, whichever way it shows.
#[test]
fn refused_positions() {
    let suite = "4k3/8/8/8/8/8/4P3/R3K3 w - - 120 90 D1 16; D2 73;\n\
                 4k3/8/8/8/8/8/4P3/R3K3 w - - 99 90 D1 16; D2 73;\n";
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("clocks.epd");
    fs::write(&path, suite).expect("written");
    let path = path.to_str().expect("UTF-8");
    let reason = "1 not accepted: halfmove clock of 120 and more";
    for (flags, arguments, exit, says) in [
        ("--refuse keep", "", 0, reason),
        ("--refuse zero", "", 0, reason),
        ("--refuse say", "", 0, reason),
        (
            "--refuse keep",
            "--fail-on not-accepted",
            1,
            "NOT ACCEPTED: 1 positions",
        ),
        ("--refuse keep", "--format csv", 0, "not-accepted"),
        (
            "--refuse keep --dialect no-perft --lists 256",
            "",
            0,
            reason,
        ),
        ("--bug total-one-more", "", 1, "WRONG: 2 of 2 positions"),
    ] {
        let engine = engine(flags);
        let mut all = vec!["check", path, "--engine", &engine];
        all.extend(arguments.split_whitespace());
        assert_says(flags, &run(&all), exit, &[says]);
    }
    // Of random positions, too.
    let engine = engine("--refuse keep");
    let random = "--random 400 --max-nodes 2000 --fail-on not-accepted";
    let mut all = vec!["check", "--engine", &engine];
    all.extend(random.split_whitespace());
    assert_says(
        random,
        &run(&all),
        1,
        &["NOT ACCEPTED: 398 positions", ", 2 not accepted; "],
    );
}

/// Where a position comes from is said when it fails.
#[test]
fn sources() {
    let suite = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - D1 26; source \"an engine, its issue 7\";\n";
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("sources.epd");
    fs::write(&path, suite).expect("written");
    let path = path.to_str().expect("UTF-8");
    let engine = engine("--bug omits/check/castling-*");
    for (arguments, says) in [
        ("", "\n  this broke before: an engine, its issue 7\n"),
        (
            "--no-hunt",
            "(-2); this broke before: an engine, its issue 7\n",
        ),
        ("--format json", "\"source\": \"an engine, its issue 7\""),
    ] {
        let mut all = vec!["check", path, "--engine", &engine];
        all.extend(arguments.split_whitespace());
        assert_says(arguments, &run(&all), 1, &[says]);
    }
}

#[test]
fn texts() {
    let missing = "--bug omits/check/castling-* --dialect perft-fen --with protocol='\"uci\"'";
    let texts = [
        tried("", &[]),
        tried("--dialect no-perft", &[]),
        tried("--bug breaks-down=en-passant:7", &[]),
        tried(
            // In one write, so that nothing of the transcript is chance.
            "--bug breaks-down=en-passant:7 --with buffer='\"answer\"'",
            &["--no-hunt", "--concurrency", "1"],
        ),
        tried(missing, &["--dialect", "perft-fen"]),
        tried("--bug omits/check/en-passant/* --with row='\"\"'", &[]),
    ];
    snapshot!("engine_texts", texts.join("\n"));
}

#[test]
fn several_engines() {
    let (right, wrong) = (engine(""), engine("--bug omits/check/castling-*"));
    let none = engine("--bug breaks-down=anywhere:abort");
    let two = |second: &str| {
        let engines = ["--engine", &right, "--engine", second];
        run(&[&["check", "trial.epd", "--no-hunt"], &engines[..]].concat())
    };
    snapshot!("engine_two", two(&wrong));
    assert_says("", &two(&none), 3, &[ALL_RIGHT, "NOT UNDERSTOOD"]);
    assert_says("", &two(&right), 0, &[ALL_RIGHT]);
}

/// Nothing but times depends on how many processes are asked side by side.
#[test]
fn jobs() {
    let flags = "--bug omits/check/castling-*";
    let times = regex::Regex::new(r"in \d+\.\d+ s").expect("well formed");
    let text = |jobs| {
        let text = tried(flags, &["--concurrency", jobs]);
        times.replace_all(&text, "").into_owned()
    };
    assert_eq!(text("1"), text("5"));
}

#[test]
fn positions_of_the_command_line() {
    let castled = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8";
    snapshot!("engine_fen", tried_on(castled, "", &["--depth", "2"]));
    let text = tried_on("startpos", "", &["--depth", "1"]);
    assert_says("", &text, 0, &["OK: the position is counted correctly"]);
    let text = tried_on("startpos", "", &["--depth", "0"]);
    assert_says("", &text, 4, &["NOTHING", "nothing to ask: 1 records"]);
    let text = tried_on("startpos moves e2e4", "--dialect perft-fen", &[]);
    let fen = "ask by --fen 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1'";
    assert_says("", &text, 4, &["NOTHING: no position could be asked", fen]);
    let text = tried("", &["--fen", "kiwipete", "--depth", "2"]);
    assert_says("", &text, 0, &["OK: all 10 positions", "command-line"]);
    let known = "4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1d1";
    for fen in ["", "nonesuch", "8/8/8/8/8/8/8/8 w - - 0 1", &known[..34]] {
        assert_says(fen, &tried_on(fen, "", &[]), 2, &["error: "]);
    }
    let illegal = known.replace("e1d1", "e1e3");
    let says = ["error: e1e3 is not a legal move in 4k3/8/8/8/8/8/8/4K2R w K - 0 1"];
    assert_says("", &tried_on(&illegal, "", &[]), 2, &says);
}

#[test]
fn records_without_counts() {
    let engine = engine("");
    let with = |arguments: &[&str]| {
        let mut all = vec!["check", "uncounted.epd", "--engine", &engine];
        all.extend(arguments);
        run(&all)
    };
    assert_says("", &with(&[]), 4, &["records without counts need --depth"]);
    let says = ["OK: the position is counted correctly; 594 nodes"];
    assert_says("", &with(&["--depth", "2"]), 0, &says);
}

/// What is wrong with a suite is no fault of an engine, and is not passed over.
#[test]
fn suites_that_are_wrong() {
    let engine = engine("");
    let on = |suite| run(&["check", suite, "--engine", &engine]);
    let texts = [on("broken.epd"), on("differs.epd")];
    snapshot!("engine_invalid_suites", texts.join("\n"));
    assert_says("", &on("empty.epd"), 4, &["NOTHING"]);
    assert_says("", &on("nonesuch.epd"), 2, &["error: "]);
}

#[test]
fn usage() {
    let engine = engine("");
    let with = |arguments: &[&str]| {
        let mut all = vec!["check", "trial.epd", "--engine", &engine];
        all.extend(arguments);
        run(&all)
    };
    let table = "--option Hash=16 | 0 | OK: all 9 positions are counted correctly
        --option Nonesuch=1 | 3 | the engine has no option 'Nonesuch'
        --option Nonesuch=1 | 3 | NO ENGINE: it could not be asked
        --option Hash=much | 3 | option 'Hash' cannot be \"much\", expected a number from 1 to 1024
        --option Hash | 3 | option 'Hash' cannot be \"\", expected a number from 1 to 1024
        --dialect french | 2 | possible values: go-perft
        --jobs 0 | 2 | 0 is not in 1..=1024
        -j 0 | 2 | 0 is not in 1..=1024
        --timeout 0 | 2 | expected a time from 1ms
        --timeout NaN | 2 | expected a time from 1ms
        --fail-fast | 2 | cannot be used with";
    for row in rows(table) {
        let arguments: Vec<&str> = row[0].split_whitespace().collect();
        let exit = row[1].parse().expect("an exit code");
        assert_says(row[0], &with(&arguments), exit, &[row[2]]);
    }
    let words = format!("cmd={} name=New option.Hash=16", path());
    for (engine, exit, says) in [
        ("", 2, "error: --engine: engine '': there is no command"),
        ("./engine 'x", 2, "a quotation mark is not closed"),
        ("./nonesuch", 3, "cannot start ./nonesuch"),
        (&words, 0, ALL_RIGHT),
    ] {
        let text = run(&["check", "trial.epd", "--engine", engine]);
        assert_says(engine, &text, exit, &[says]);
    }
    let text = run(&["check", "trial.epd", "--dialect", "perft"]);
    assert_says("--dialect alone", &text, 2, &["--engine"]);
}

#[test]
fn json() {
    let flags = "--bug omits/check/castling-*";
    let text = tried(flags, &["--format", "json"]);
    let object: Value = serde_json::from_str(stdout_of(&text)).expect("JSON");
    assert_eq!(object["schema"], "touchstone/perft-check/1");
    let engine = &object["engines"][0];
    assert_eq!(engine["name"], "Faulty Engine");
    assert_eq!(engine["dialect"], "go-perft");
    assert_eq!(engine["verdict"], "wrong");
    let counts = ["right", "wrong", "failed", "needs_chess960", "open"];
    let counts = counts.map(|key| engine[key].as_u64().expect("a number"));
    assert_eq!(counts.iter().sum::<u64>(), 9);
    assert_eq!(counts[2..], [0, 0, 0]);
    let fault = &engine["faults"][0];
    assert_eq!(fault["kind"], "missing-move");
    assert_eq!(fault["depth"], 1);
    let positions = engine["positions"].as_array().expect("an array");
    assert_eq!(positions.len(), 9);
    assert_eq!(positions[1]["state"], "wrong");
    assert_eq!(positions[1]["right"], 26);
    assert_eq!(positions[1]["counted"], 24);
    let text = tried("", &["--dialect", "divide", "--format", "json"]);
    let object: Value = serde_json::from_str(stdout_of(&text)).expect("JSON");
    let reason = object["engines"][0]["reason"].as_str().expect("a text");
    assert!(
        reason.starts_with("divide N: it does not know the command\n"),
        "{reason}"
    );
    let text = tried(
        "--bug breaks-down=en-passant:7",
        &["--format", "json", "--no-hunt"],
    );
    let object: Value = serde_json::from_str(stdout_of(&text)).expect("JSON");
    let position = &object["engines"][0]["positions"][2];
    let failure = "crashed: the engine ended with exit code 7";
    assert_eq!(position["failure"], failure);
    let transcript = position["transcript"].as_str().expect("a text");
    assert!(transcript.contains("> go perft 1"), "{transcript}");
}

#[test]
fn other_formats() {
    let flags = "--bug omits/check/castling-*";
    let mut texts = vec![
        tried(flags, &["--format", "csv"]),
        tried("--dialect no-perft", &["--format", "junit"]),
    ];
    let folder = tempfile::tempdir().expect("a temporary folder");
    let summary = folder.path().join("summary.md");
    let name = summary.to_str().expect("UTF-8");
    let junit = folder.path().join("report.xml");
    let junit_name = junit.to_str().expect("UTF-8");
    let arguments = ["--format", "github", "-o", name, "-o", junit_name];
    texts.push(tried(flags, &arguments));
    let junit = fs::read_to_string(&junit).expect("the second report is written");
    assert!(junit.contains("<failure message=\"missing-move"), "{junit}");
    let markdown = fs::read_to_string(&summary).expect("the summary is written");
    texts.push(without_folder(&portable(markdown)));
    snapshot!("engine_formats", texts.join("\n"));
    let report = folder.path().join("report.json");
    let name = report.to_str().expect("UTF-8");
    let text = tried("", &["--format", "json", "-o", name]);
    assert_says("-o", &text, 0, &[ALL_RIGHT]);
    let json = fs::read_to_string(&report).expect("the report is written");
    serde_json::from_str::<Value>(&json).expect("JSON");
}

/// The line that is printed really shows the fault again.
#[test]
fn again() {
    let table = "--bug omits/check/castling-* | trial.epd | 1 | missing-move
        --bug omits/check/castling-* --dialect perft-fen-totals --with protocol='\"uci\"' | trial.epd --dialect perft-fen --option Hash=2 | 1 | missing-move
        --bug breaks-down=en-passant:abort | trial.epd | 3 | crash
        --bug breaks-down=castling:hang | trial.epd --timeout 5 | 3 | no-answer
        --bug repeats/move/castling-* | --depth 1 --fen '1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1' | 1 | duplicate-move
        --bug right-kept/rook-moved/* | --depth 1 --fen 'r3k3/8/8/8/8/8/8/4K2R w K - 0 1 moves h1h2 a8a7 h2h1 a7a8' | 1 | state-after-moves";
    for row in rows(table) {
        let (engine, words) = (engine(row[0]), shlex::split(row[1]).expect("words"));
        let mut arguments = vec!["check", "--engine", &engine];
        arguments.extend(words.iter().map(String::as_str));
        let text = run(&arguments);
        let again = |line: &str| line.trim().strip_prefix("again: perft ").map(str::to_owned);
        let line = text.lines().find_map(again);
        let line = line.unwrap_or_else(|| panic!("no line to see it again in {text}"));
        let words = shlex::split(&line.replace("scripted_engine", &path())).expect("words");
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let exit = row[2].parse().expect("an exit code");
        let shown = format!("\n  {}: ", row[3]);
        assert_says(&line, &run_in(Path::new(SUITES), &words), exit, &[&shown]);
    }
}

/// The processes with a word in their command line.
#[cfg(target_os = "linux")]
fn processes_with(word: &str) -> usize {
    let processes = fs::read_dir("/proc").expect("Linux").flatten();
    let command_lines =
        processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    command_lines
        .filter(|line| {
            line.split(|&byte| byte == 0)
                .any(|own| own == word.as_bytes())
        })
        .count()
}

#[cfg(target_os = "linux")]
#[test]
fn interrupted_in_the_middle() {
    // A word that an engine does not care about, and that no other process has.
    let mark = format!("--seed={}", std::process::id());
    // Behind more moves than any question has by which it is found out how to ask an engine: that waits for no answer.
    let engine = engine(&format!("--bug breaks-down=19:hang --ignore-quit {mark}"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let position = format!("startpos moves{}", " g1f3 g8f6 f3g1 f6g8".repeat(5));
    let positions = ["--fen", &*position].repeat(6);
    let limits = ["--depth", "1", "--concurrency", "3", "--timeout", "5m"];
    let arguments = [&["check", "--engine", &engine], &positions[..], &limits].concat();
    let output = interrupted(&arguments, folder.path(), || processes_with(&mark) == 3);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("\nINTERRUPTED: "), "{text}");
    wait_until("the engines are gone", || processes_with(&mark) == 0);
}

/// As by `kill -9`: nothing can be cleaned up, and an engine that hangs does not notice the end of its
/// input.
#[test]
fn engines_die_with_the_program() {
    let engine = engine("--leave-child-at-start --bug breaks-down=castling:hang --ignore-quit");
    let arguments = ["check", "quick", "--engine", &engine, "-v"];
    let mut program = spawn(&arguments, Path::new(SUITES));
    let stderr = BufReader::new(program.stderr.take().expect("it is piped"));
    let ids = stderr.lines().map_while(Result::ok).find_map(|line| {
        let (_, ids) = line.split_once("info string child ")?;
        let (child, engine) = ids.split_once(" of ")?;
        Some([child, engine].map(|id| id.parse().expect("a process id")))
    });
    let ids: [u32; 2] = ids.expect("the engine and its child");
    assert!(ids.into_iter().all(exists));
    program.kill().expect("it runs");
    program.wait().expect("it is ours");
    for id in ids {
        assert_gone(id);
    }
}

#[test]
fn a_suite_of_which_nothing_can_be_read() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let suite = folder.path().join("bare.epd");
    std::fs::write(&suite, "4k3/8/8/8/8/8/8/8 w - - D1 5;\n").expect("written");
    let suite = suite.to_str().expect("UTF-8");
    let text = run(&["check", suite, "--engine", &engine("")]);
    let says = "error: nothing to ask: no record could be read\n";
    assert_says("", &text, 2, &["BROKEN SUITE", says]);
}

#[cfg(target_os = "linux")]
/// Our own counts can be cancelled as well; then no engine has been asked.
#[test]
fn interrupted_while_we_count() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let engine = engine("");
    let position = ["--fen", "startpos", "--depth", "12"];
    let arguments = [&["check", "--engine", &engine], &position[..]].concat();
    let output = interrupted(&arguments, folder.path(), || true);
    assert_eq!(output.status.code(), Some(130));
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    let expected = "which we count before an engine is asked: counting was cancelled";
    assert!(said.contains(expected), "{said}");
}

/// `perft check quick --engine`: flags of the engine, the verdict, and the only suite with positions
/// that fail, or `*` before one of several. Engines are also given positions by moves, which finds more
/// than faults: ends after a repetition, more than 256 plies, castling read off the text.
#[test]
fn quick_judges_engines() {
    let table = "| right | *
        --bug ends-at-repetition=2 | wrong | *by-moves
        --bug ends-at-repetition=3 | wrong | *by-moves
        --bug ends-at-repetition=4 | wrong | *by-moves
        --bug ends-at-repetition=5 | wrong | *by-moves
        --bug castles-by-text | wrong | by-moves
        --bug breaks-down=256:abort | failed | by-moves
        --bug ends/clock/100 | wrong | *
        --bug ends/clock/151 | wrong | *";
    for row in testkit::some(rows(table), 5) {
        let flags = row[0];
        let engine = engine(flags);
        let text = run(&["check", "quick", "--engine", &engine, "--format", "json"]);
        let report: Value = serde_json::from_str(stdout_of(&text)).expect("JSON");
        let engine = &report["engines"][0];
        assert_eq!(engine["verdict"], row[1], "{flags}");
        let positions = engine["positions"].as_array().expect("positions");
        let failed = positions.iter().filter(|one| one["state"] != "right");
        let mut suites: Vec<&str> = failed.filter_map(|one| one["suite"].as_str()).collect();
        suites.dedup();
        match row[2].strip_prefix('*') {
            Some("") => assert_eq!(suites.is_empty(), row[1] == "right", "{flags}: {suites:?}"),
            Some(suite) => assert!(suites.contains(&suite), "{flags}: {suites:?}"),
            None => assert_eq!(suites, [row[2]], "{flags}"),
        }
    }
}

/// Where only starting the program takes minutes, each position is asked once, and that is said.
#[test]
#[ignore = "long: a program that starts slowly"]
fn slow_starts() {
    let slow = format!("{} --", engine("--dialect program --with answer_ms=100"));
    let shallow = run(&["check", "edge", "--engine", &slow]);
    let says = [
        "--depth 8 asks all, about ",
        "OK by the shallowest counts: those of all ",
    ];
    assert_says("edge", &shallow, 0, &says);
    let deep = run(&["check", "trial.epd", "--depth", "3", "--engine", &slow]);
    assert_says("trial", &deep, 0, &["OK: all "]);
}
