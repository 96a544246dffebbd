//! Lines of fastchess and cutechess-cli, and hints for those who type their options.

#![expect(
    clippy::disallowed_methods,
    reason = "tests write files for the program"
)]

use selfplay::model::GameRecord;

use crate::common::{Bed, assert_nobody_in};

/// With a book of three openings.
fn bed() -> Bed {
    let bed = Bed::new();
    let book = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;\n\
                rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;\n\
                rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;\n";
    std::fs::write(bed.path("book.epd"), book).expect("new");
    bed
}

/// White's engine and the label of the opening, in the order of the schedule.
fn played(records: &[GameRecord]) -> Vec<(u64, usize, String)> {
    let mut played: Vec<_> = records
        .iter()
        .map(|record| {
            let plan = &record.plan;
            (plan.game, plan.white.0, record.opening.label.clone())
        })
        .collect();
    played.sort();
    played
}

#[test]
fn a_line_of_fastchess_is_run_as_if_ours_had_been_typed() {
    let bed = bed();
    let line = "-engine cmd=./engine name=A -engine cmd=./engine name=B -each nodes=1 proto=uci -recover \
                -rounds 2 -openings file=book.epd start=2 -resign movecount=2 score=900";
    let printed = bed
        .run(&format!("fastchess --print {line}"))
        .exits(0)
        .stdout;
    let ours = "match 'cmd=./engine name=A' 'cmd=./engine name=B' --each 'nodes=1' --rounds 2 \
                --openings book.epd --order sequential --resign 'moves=2 score=900'";
    let settings = "--config - <<'END'\nopenings.start = 1\nEND";
    assert_eq!(printed, format!("selfplay {ours} {settings}\n"));
    let folders = || {
        std::fs::read_dir(bed.folder.path())
            .expect("a folder")
            .count()
    };
    let before = folders();
    bed.run(&format!("fastchess --print {line}")).exits(0);
    assert_eq!(folders(), before, "nothing is run");

    let ran = bed.run(&format!("fastchess {line}")).exits(0);
    ran.reports(&format!("equivalent: selfplay {ours} {settings}\n"));
    let named = bed.run(&format!("fastchess --print -o out {line}"));
    let expected = format!("selfplay {ours} --output out {settings}\n");
    assert_eq!(named.stdout, expected);
    let mut runs = std::fs::read_dir(bed.folder.path()).expect("a folder");
    let name = runs.find_map(|entry| {
        let name = entry.ok()?.file_name().into_string().ok()?;
        name.starts_with("selfplay-").then_some(name)
    });
    let foreign = bed.read(&name.expect("a run directory"));
    std::fs::write(bed.path("start.toml"), "openings.start = 1\n").expect("new");
    bed.run(&format!("{ours} --config start.toml -o typed"))
        .exits(0);
    let typed = bed.read("typed");
    assert_eq!(foreign.stored.config, typed.stored.config);
    let expected = [(0, 0, 2), (1, 1, 2), (2, 0, 3), (3, 1, 3)];
    let expected = expected.map(|(game, white, line)| (game, white, format!("book.epd:{line}")));
    assert_eq!(played(&foreign.records), expected);
    assert_eq!(played(&typed.records), expected);
    assert_nobody_in(bed.folder.path());
}

#[test]
fn a_test_of_cutechess_is_a_test() {
    let bed = bed();
    let line = "-engine cmd=./engine -engine cmd=./engine -each proto=uci tc=inf nodes=1 -games 2 -rounds 2 -repeat \
                -openings file=book.epd format=epd -sprt elo0=0 elo1=400 alpha=0.3 beta=0.3";
    let ran = bed.run(&format!("-q cutechess {line}")).exits(1);
    assert_eq!(ran.stderr.matches("equivalent").count(), 0, "{ran:?}");
    let expected = "elo0 0, elo1 400 (logistic)";
    assert!(ran.stdout.contains(expected), "{ran:?}");
}

#[test]
fn other_programs_are_answered_with_what_to_write() {
    let bed = bed();
    let lines = include_str!("../data/foreign-words.txt").lines();
    let answers = lines.map(|line| {
        let ended = bed.run(line).exits(2);
        assert_eq!(ended.stdout, "", "{line}");
        format!("{line}\n{}", ended.stderr)
    });
    insta::assert_snapshot!("hints", answers.collect::<String>());
    for line in ["match --concurrency=auto", "sprt -j max"] {
        bed.run(line)
            .exits(2)
            .reports("is no number of games at once, expected 1 or more, such as ");
    }
    // All CPUs but so many.
    bed.run("match --concurrency -1000000")
        .exits(2)
        .reports("leaves none of the ");
    // What is right is left alone, and so are the mistakes of others.
    bed.run("match --help").exits(0);
    bed.run("-q --color never match -h").exits(0);
    bed.run("-v match -help").exits(0);
    bed.run("-help").exits(0);
    bed.run("match -- -engine")
        .exits(2)
        .reports("there is one engine, expected two");
    bed.run("match --bogus 1")
        .exits(2)
        .reports("unexpected argument '--bogus'");
    bed.run("stats -rounds 5")
        .exits(2)
        .reports("unexpected argument");
    bed.run("fastchess").exits(2).reports("required arguments");
    let version = bed.run("--version").exits(0).stdout;
    assert_eq!(bed.run("fastchess -version").exits(0).stdout, version);
    let help = bed.run("cutechess -help").exits(0).stdout;
    let expected = "Run a command line of cutechess-cli\n";
    assert!(help.starts_with(expected), "{help}");
}

#[test]
fn configured_engines_of_cutechess_are_found() {
    let bed = bed();
    let engines = r#"[{"name": "One", "command": "./engine", "protocol": "uci"}]"#;
    std::fs::write(bed.path("engines.json"), engines).expect("new");
    let line = "cutechess --print -engine conf=One -engine conf=One name=Two -each tc=inf nodes=1 -recover \
                -repeat -games 2 -openings file=book.epd";
    let printed = bed.run(line).exits(0);
    assert_eq!(
        printed.stdout,
        "selfplay match 'cmd=./engine name=One' 'cmd=./engine name=Two' --each 'tc=inf nodes=1' \
         --rounds 1 --openings book.epd --order sequential\n"
    );
    bed.run("cutechess -engines")
        .exits(2)
        .reports("the engines in engines.json are: One");
    std::fs::write(bed.path("engines.json"), "[{").expect("new");
    bed.run(line).exits(2).reports("error: engines.json: ");
}
