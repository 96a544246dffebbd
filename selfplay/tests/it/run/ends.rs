//! How runs end: exit codes, what is reported, what is recorded, who is left.

use std::fs;

use rustix::process::Signal;
use selfplay::model::GameRecord;

use crate::common::{Bed, assert_nobody_in};
#[cfg(unix)]
use crate::common::{interrupt, send, wait, wait_until};

/// Two engines that move by chance, the same each time.
const TWO: &str = "'./engine --seed=3' './engine --seed=7' --nodes 1 --variant chess960";

/// Engines of a run, the first of which wins every game: the other one resigns by its score.
const BETTER: &str =
    "'./engine --seed=3 --score=1000' './engine --score=-1000' --resign 'moves=1 score=500'";

#[test]
fn a_match_is_played_and_recorded() {
    let bed = Bed::new();
    // The second one is better, by chance.
    let run = "match './engine --seed=8' './engine --seed=9' --nodes 1 --variant chess960 --max-moves 100 --rounds 4";
    let ended = bed.run(&format!("{run} --out out --format json")).exits(0);
    let report = ended.json();
    assert_eq!(report["schema"], "touchstone/selfplay-report/1");
    let expected = (&8.into(), &true.into());
    assert_eq!((&report["games"], &report["is_complete"]), expected);
    let run = bed.read("out");
    assert_eq!((run.records.len(), run.torn), (8, 0));
    let pairing = &report["pairings"][0];
    let pairs = pairing["pentanomial"].as_array().expect("pairs").iter();
    assert_eq!(pairs.filter_map(serde_json::Value::as_u64).sum::<u64>(), 4);
    assert_nobody_in(bed.folder.path());
    // The statistics of the PGN are those of the ledger.
    let of_pgn = bed.run("stats out/games.pgn --player new --format json");
    let of_pgn = of_pgn.json();
    assert_eq!(of_pgn["pentanomial"], pairing["pentanomial"]);
    assert_eq!(of_pgn["elo"], pairing["elo"]["value"]);
    assert_eq!(of_pgn["wdl"]["losses"], pairing["games"]["losses"]);
    assert_eq!(pairing["games"]["losses"], 2);
    // Any game can be had again, in the order of the numbers.
    let pgn = |list: &str| {
        let report = format!("report out --format pgn --game {list} -o some.pgn");
        bed.run(&report).exits(0);
        fs::read_to_string(bed.path("some.pgn")).expect("text")
    };
    let games = pgn("7-8,1-6");
    let numbers = games
        .lines()
        .filter(|line| line.starts_with("[GameNumber "));
    let expected = (1..=8).map(|number| format!("[GameNumber \"{number}\"]"));
    assert!(numbers.eq(expected), "{games}");
    assert!(games.ends_with(&pgn("8")), "{games}");
    // There are too few pairs to know their spread.
    assert!(pairing["los"].is_null());
    // A complete run has nothing left to play, and prints the same.
    let again = bed.run("resume out --format json");
    let complete = "8 games are recorded in out; the run is complete\n";
    again.reports(complete);
    assert_eq!(
        (again.code, again.stdout),
        (0, ended.stdout),
        "{}",
        again.stderr
    );
}

#[test]
fn games_that_are_not_in_pairs_are_counted_as_games() {
    let bed = Bed::new();
    fs::write(bed.path("reverse.toml"), "reverse = true\n").expect("new");
    fs::write(bed.path("same.toml"), "no-swap = true\nwait = \"1ms\"\n").expect("new");
    // Options, games, and who has White.
    let rows = rows![
        BETTER, "--games 1 --rounds 6 --config reverse.toml" => [1, 0, 1, 0, 1, 0];
        "./engine './engine --seed=7'", "--config same.toml --rounds 3 --max-moves 20" => [0; 6];
    ];
    for (number, (engines, options, white)) in rows.into_iter().enumerate() {
        let run = format!(
            "match {engines} --nodes 1 --variant chess960 {options} --out {number} --format json"
        );
        let report = bed.run(&run).exits(0).json();
        assert_eq!(report["games"], 6, "{options}");
        assert!(report["in_incomplete_pairs"].is_null(), "{report}");
        let pairing = &report["pairings"][0];
        assert!(pairing["pentanomial"].is_null(), "{pairing}");
        // There is none where all games are won.
        let has_elo = pairing["elo"]["value"].is_number();
        assert_eq!(has_elo, engines != BETTER, "{pairing}");
        let results = ["wins", "draws", "losses"];
        let of_wdl = |wdl: &serde_json::Value| results.map(|key| wdl[key].as_u64());
        let wdl = of_wdl(&pairing["games"]);
        assert_eq!(wdl.iter().flatten().sum::<u64>(), 6, "{report}");
        let mut records = bed.read(&number.to_string()).records;
        records.sort_by_key(|record| record.plan.game);
        let found: Vec<usize> = records.iter().map(|one| one.plan.white.0).collect();
        assert_eq!(found, white, "{options}");
        for format in ["human", "markdown", "fastchess", "html"] {
            bed.run(&format!("report {number} --format {format} -o report"))
                .exits(0);
            let text = fs::read_to_string(bed.path("report")).expect("text");
            // A page has words that its script may show.
            let words = match format {
                "html" => [">Pairs<", "Even pairs", "Pairs ratio", "both games of"],
                _ => ["pair", "Ptnml", "ptnml", "Pair"],
            };
            assert!(!words.iter().any(|word| text.contains(word)), "{text}");
        }
        let stats = format!("stats {number}/games.pgn --player new --format json");
        let of_pgn = bed.run(&stats).exits(0).json();
        assert_eq!(of_wdl(&of_pgn["wdl"]), wdl, "{options}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_pause_between_games() {
    let bed = Bed::new();
    fs::write(bed.path("wait.toml"), "wait = \"1000s\"\n").expect("new");
    let child = bed.spawn(&format!(
        "match {TWO} --rounds 2 --config wait.toml --out out"
    ));
    wait_until(|| bed.path("out/ledger.jsonl").exists() && bed.read("out").records.len() == 1);
    interrupt(&child);
    // Fails after minutes, of 1000 seconds.
    wait(child).exits(130);
    assert_nobody_in(bed.folder.path());
}

#[test]
fn a_reversed_test_counts_pairs_for_the_same_engine() {
    let bed = Bed::new();
    let test = "--elo0 0 --elo1 400 --variant chess960 --nodes 1 --format json";
    fs::write(bed.path("reverse.toml"), "reverse = true\n").expect("new");
    for (name, reverse) in [("plain", ""), ("reversed", "--config reverse.toml")] {
        let ended = bed.run(&format!("sprt {BETTER} {test} {reverse} --out {name}"));
        let report = ended.exits(0).json();
        assert_eq!(report["sprt"]["verdict"], "H1", "{reverse}");
        assert_eq!(report["pairings"][0]["games"]["losses"], 0, "{reverse}");
    }
}

#[test]
fn timeouts_of_a_run_are_kept_in_its_configuration() {
    let bed = Bed::new();
    let few = "--nodes 1 --rounds 10 --config";
    fs::write(bed.path("a.toml"), "timeouts.startup = \"50ms\"\n").expect("new");
    let text = "[timeouts]\nnew-game = \"50ms\"\nready = 2\n";
    fs::write(bed.path("b.toml"), text).expect("new");
    let startup = format!("match './engine --no-uciok' ./engine {few} a.toml --out one");
    bed.run(&startup).exits(3).reports("no uciok within 0.05 s");
    // Whatever its limits are: it would lose every game.
    for limit in ["", "--tc 1+1"] {
        let line = format!("match './engine --no-readyok' ./engine {limit} {few} b.toml --out two");
        let ended = bed.run(&line.replace("1+1 --nodes 1", "1+1")).exits(3);
        ended.reports("error: engine 'new': no-readyok: no readyok within 0.05 s");
        assert!(!bed.path("two").exists(), "{limit}");
    }
    fs::write(bed.path("b.toml"), text.replace("50ms", "50s")).expect("ours");
    bed.run(&format!(
        "match ./engine './engine --seed=7' --max-moves 1 {few} b.toml --out two"
    ))
    .exits(0);
    let timeouts = bed.read("two").stored.config.timeouts;
    let found = (timeouts.startup_ms, timeouts.new_game_ms, timeouts.ready_ms);
    assert_eq!(found, (None, Some(50_000), Some(2000)));
}

#[test]
fn wrong_variations_of_mates_are_incidents() {
    let bed = Bed::new();
    let run = "match './engine --seed=3 --mate=2' './engine --seed=7' --nodes 1 --rounds 2";
    fs::write(bed.path("check.toml"), "check-mate-pvs = true\n").expect("new");
    for (name, option, expected) in [("off", "", 0), ("on", "--config check.toml", 4)] {
        let ended = bed.run(&format!("{run} {option} --out {name}")).exits(0);
        let is_shown = ended
            .stdout
            .contains(&format!("new: bad-mate-pv {expected} (no game lost"));
        assert_eq!(is_shown, expected > 0, "{}", ended.stdout);
        // One for each game, however many moves it had.
        let records = bed.read(name).records;
        let incidents: Vec<_> = records.iter().flat_map(|one| &one.incidents).collect();
        assert_eq!(incidents.len(), expected);
        assert!(
            incidents
                .iter()
                .all(|one| one.engine.0 == 0 && one.detail.contains("mate 2"))
        );
        // Kept for the check only.
        assert!(
            records
                .iter()
                .all(|one| one.moves.iter().all(|one| one.pv.is_none()))
        );
    }
}

#[test]
fn a_test_stops_at_the_same_pair_however_many_games_are_played_at_once() {
    let bed = Bed::new();
    let test = "--elo0 0 --elo1 300 --alpha 0.2 --beta 0.2 --max-moves 100 --rounds 500 --format json --force";
    let mut all = Vec::new();
    for (name, concurrency) in [("one", 1), ("four", 4)] {
        let ended = bed.run(&format!(
            "sprt {TWO} {test} --concurrency {concurrency} --out {name}"
        ));
        let report = ended.json();
        assert_eq!(report["is_complete"], true);
        assert_eq!(report["sprt"]["verdict"], "H0");
        assert_eq!(ended.code, 1);
        let pentanomial = report["pairings"][0]["pentanomial"].clone();
        all.push((report["sprt"].clone(), pentanomial));
        // What it came to is what it comes to again.
        let again = bed.run(&format!("resume {name} --format json --force"));
        assert_eq!((again.code, again.stdout), (1, ended.stdout));
    }
    assert_eq!(all[0], all[1]);
}

/// Games that all end by faults compare nothing, whichever engine made them: neither a match nor a test
/// succeeds, and every output gives the reason.
#[test]
fn games_that_only_faults_end_compare_nothing() {
    let bed = Bed::new();
    let ended = bed
        .run(
            "sprt './engine --seed=3' './engine --illegal-move --at=3' --nodes 1 \
         --variant chess960 --elo0 0 --elo1 400 --out out --format json",
        )
        .exits(3);
    ended.reports("error: an engine failed in all ");
    ended.reports("(base: illegal-move ");
    let json = ended.json();
    assert_eq!(json["sprt"]["verdict"], "invalid");
    assert_eq!(json["failed"], true);
    let report = bed.run("report out");
    assert!(report.stdout.contains("Nothing was compared"), "{report:?}");
    let played = bed
        .run("match './engine --crash --at=3' ./engine --nodes 1 --rounds 2 --out match")
        .exits(3);
    assert!(played.stdout.contains("FAILED "), "{played:?}");
    played.reports("error: an engine failed in all ");
    played.reports("(new: crash ");
    let games = &json["games"];
    let fault = serde_json::json!([{"engine": "base", "kind": "illegal-move", "games": games}]);
    assert_eq!(json["faults"]["counts"], fault);
    for record in bed.read("out").records {
        let name = record.fault.expect("a fault").transcript.expect("kept");
        let text = fs::read_to_string(bed.path("out").join(name)).expect("there");
        assert!(
            text.contains("== base") && text.contains("bestmove a1a1"),
            "{text}"
        );
    }
}

#[test]
fn tournaments_of_every_system_are_played() {
    let bed = Bed::new();
    let engines =
        [0, 1, 2, 3, 4].map(|seed| format!(" 'cmd=./engine args=--seed={seed} name=e{seed}'"));
    let engines = engines.concat();
    let rows = [("round-robin", 20), ("gauntlet", 8), ("swiss", 12)];
    for (system, games) in rows {
        bed.run(&format!(
            "tournament --system {system}{engines} --nodes 1 --variant chess960 --max-moves 5 --out {system}"
        ))
        .exits(0);
        assert_eq!(bed.read(system).records.len(), games, "{system}");
    }
    bed.run(&format!(
        "tournament --system knockout{engines} --nodes 1 --variant chess960 --max-moves 5 --out knockout"
    ))
    .exits(0);
    assert!(bed.read("knockout").records.len() >= 8);
    let plain = "tournament './engine --seed=1' './engine --seed=2' --nodes 1 --variant chess960 --max-moves 5 --out plain";
    bed.run(plain).exits(0);
    let config = bed.read("plain").stored.config;
    let names = config.engines.iter().map(|engine| &*engine.name);
    assert_eq!(names.collect::<Vec<_>>(), ["new", "base"]);
}

#[cfg(unix)]
#[test]
fn signals_end_a_run_in_good_order() {
    for signal in [Signal::INT, Signal::TERM] {
        let bed = Bed::new();
        // Each move takes its time: the run is never over by itself.
        let arguments = "match './engine --sleep=5' './engine --sleep=5 --ignore-quit' \
                         --nodes 1 --rounds 10000 --max-moves 20 --out out --force --concurrency 2";
        let child = bed.spawn(arguments);
        let ledger = bed.path("out/ledger.jsonl");
        wait_until(|| ledger.metadata().is_ok_and(|data| data.len() > 0));
        send(signal, &child);
        let ended = wait(child).exits(130);
        ended.reports("resume with: selfplay resume out");
        assert_nobody_in(bed.folder.path());
        let run = bed.read("out");
        assert_eq!(run.torn, 0);
        assert!(!run.records.is_empty());
    }
}

#[cfg(unix)]
#[test]
fn a_disk_that_is_full_ends_the_run_and_loses_nothing() {
    let bed = Bed::new();
    let arguments = format!("match {TWO} --max-moves 40 --rounds 8 --out");
    bed.run(&format!("{arguments} whole")).exits(0);
    // Files may not grow beyond 100 blocks of 512 bytes, which the first game fits in; the signal for
    // that is ignored.
    let limit = "trap '' XFSZ; ulimit -f 100";
    let ended = bed.run_after(limit, &format!("{arguments} full")).exits(3);
    ended.reports("error: cannot write full/ledger.jsonl: File too large");
    assert_nobody_in(bed.folder.path());
    let before = bed.read("full");
    assert!(
        before.torn > 0 && before.records.len() < 16,
        "{:?}",
        before.torn
    );
    let ended = bed.run("resume full").exits(0);
    ended.reports("the last line of the ledger was incomplete");
    let after = bed.read("full");
    assert_eq!(after.records[..before.records.len()], before.records);
    assert_eq!(games(&after.records), games(&bed.read("whole").records));
}

/// Games without what depends on the time, in the order of the schedule.
pub(crate) fn games(records: &[GameRecord]) -> Vec<GameRecord> {
    let mut games = records.to_vec();
    for game in &mut games {
        (game.started_ms, game.duration_ms) = (0, 0);
        game.moves.iter_mut().for_each(|one| one.elapsed_us = 0);
    }
    games.sort_by_key(|game| game.plan.game);
    games
}

#[test]
fn a_run_tolerates_max_faults() {
    let bed = Bed::new();
    for (faults, expected) in [
        (0, "error: a game was lost by a fault, "),
        (2, "error: 3 games were "),
    ] {
        let run = "match './engine --crash --at=3' ./engine --nodes 1 --rounds 1000";
        let ended = bed
            .run(&format!("{run} --max-faults {faults} --out {faults}"))
            .exits(3);
        ended.reports(expected);
        ended.reports("the last by engine 'new', crash: ");
        ended.reports("; resume with: selfplay resume ");
        let games = bed.read(&faults.to_string()).records.len();
        assert_eq!(games, faults + 1);
    }
}

/// Its trial was obeyed; then the second engine stops thinking at its third move, in any worker. It
/// is named where standard error is a pipe, and again while it is awaited.
#[cfg(unix)]
#[test]
fn an_engine_that_stalls_in_a_game_is_named_again_and_again() {
    use std::io::{BufRead as _, BufReader};

    let bed = Bed::new();
    let mut child = bed.spawn(
        "match './engine --seed=3' './engine --hang --at=3' --nodes 1 --rounds 9 --concurrency 2 --force --out out",
    );
    let lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let waits = lines.filter_map(|line| {
        let line = line.expect("UTF-8");
        let rest = line.strip_prefix("waiting for base, move 3, ")?.to_owned();
        rest.split_once(" s, ")?.0.parse::<u64>().ok()
    });
    let seconds: Vec<u64> = waits.take(2).collect();
    assert!(seconds[0] < seconds[1], "{seconds:?}");
    interrupt(&child);
    wait(child).exits(130);
    assert_nobody_in(bed.folder.path());
}

#[test]
fn an_engine_that_only_fails_ends_the_run() {
    let bed = Bed::new();
    let ended = bed
        .run("match './engine --crash --at=3' ./engine --nodes 1 --rounds 1000 --out out")
        .exits(3);
    let expected = "engine 'new' has lost 20 games in a row by its own fault, the last by crash: ";
    ended.reports(expected);
    let see = "; see failures/game-000020.txt in the run directory";
    ended.reports(see);
    assert_eq!(bed.read("out").records.len(), 20);
    assert_nobody_in(bed.folder.path());
    let ended = bed
        .run("match ./engine './engine --crash-at-start' --nodes 1 --rounds 9 --out none")
        .exits(3);
    ended.reports("error: engine 'base': crash: ");
    assert!(!bed.path("none").exists());
}

#[test]
fn an_engine_that_ignores_its_limits_is_rejected_before_the_first_game() {
    let bed = Bed::new();
    let script = "id name Book\non startpos moves\ninfo depth 30 nodes 5000000\n!await-stop\n\
                  bestmove a1a3\non startpos\nbestmove e2e4\n";
    fs::write(bed.path("book.txt"), script).expect("ours");
    let script = "id name Early\non startpos moves\ninfo depth 1 nodes 20\nbestmove a1a3\n";
    fs::write(bed.path("early.txt"), script).expect("ours");
    let others = "'./engine --seed=7' --rounds 1 --out out";
    // Those with a book play from it where there is a move in it, or search the moves of a word that they do not
    // know; who does not print how far it has come cannot be stopped in time.
    let rows: Vec<&str> = include_str!("../../data/ignored-limits.txt")
        .lines()
        .skip(1)
        .collect();
    for row in rows.chunks(2) {
        let (flag, limit) = row[0].split_once("; ").expect("flags and limits");
        let line = format!("match './engine {flag}' {others} {limit} --quiet");
        let ended = bed.run(&line).exits(3);
        let error = ended.stderr.lines().last().expect("an error");
        let expected: Vec<&str> = row[1].trim_start().split("...").collect();
        let begin = format!("error: engine 'new' does not obey {}", expected[0]);
        assert!(error.starts_with(&begin), "{error}");
        assert!(error.ends_with(expected[expected.len() - 1]), "{error}");
        assert!(expected.iter().all(|part| error.contains(part)), "{error}");
        assert!(!bed.path("out").exists(), "{limit}");
    }
    assert_nobody_in(bed.folder.path());
}

#[test]
fn what_has_been_proved_of_an_engine_is_not_tried_again() {
    let bed = Bed::new();
    let proofs = bed.path(".cache/touchstone/proved-engines");
    let tried = |more: &str, out: &str| {
        let line = format!(
            "match ./engine './engine --seed=7' {more} --rounds 1 --max-moves 1 --out {out} -v"
        );
        let ended = bed.run(&line).exits(0);
        let count = |command: &str| ended.stderr.matches(&format!("> {command}\n")).count();
        (count("go nodes 1000"), count("go movetime 100"))
    };
    assert_eq!(tried("--nodes 1500", "one"), (2, 0));
    assert_eq!(tried("--nodes 1500", "two"), (0, 0));
    // By other options it may be another engine.
    assert_eq!(tried("--nodes 1500 --option Hash=2", "three"), (2, 0));
    // A time is measured each time.
    let both = "--nodes 1500 --movetime 150ms --margin 10s";
    assert_eq!(tried(both, "four"), (0, 2));
    let kept = fs::read_to_string(&proofs).expect("text");
    assert_eq!(kept.lines().count(), 4);
    // A damaged file proves nothing, and is written anew.
    for damaged in [
        kept.replace(|c: char| c.is_ascii_digit(), "x").as_bytes(),
        &[0xff, 0],
    ] {
        fs::write(&proofs, damaged).expect("ours");
        fs::remove_dir_all(bed.path("one")).expect("ours");
        assert_eq!(tried("--nodes 1500", "one"), (2, 0));
        fs::remove_dir_all(bed.path("two")).expect("ours");
        assert_eq!(tried("--nodes 1500", "two"), (0, 0));
    }
    // Of one that has been rejected nothing is proved.
    for _ in 0..2 {
        let line =
            "match './engine --first-move --breach wasteful' ./engine --nodes 1500 --out bad";
        bed.run(line)
            .exits(3)
            .reports("does not obey `go nodes 1500` (tried: `go nodes 1000`): ");
    }
}

/// The other protocol is tried once there is no answer in the configured one.
#[test]
fn an_engine_with_the_wrong_protocol_is_told_the_right_one() {
    let bed = Bed::new();
    fs::write(bed.path("soon.toml"), "[timeouts]\nstartup = 1\n").expect("ours");
    let rows = rows![
        "./engine --xboard" => "it speaks XBoard's protocol, not UCI: give it proto=xboard, as in 'cmd=PROGRAM proto=xboard'\n";
        "cmd=./engine name=new proto=xboard" => "it speaks UCI, not XBoard's protocol: leave out proto=xboard\n";
    ];
    for (engine, expected) in rows {
        let line =
            format!("match '{engine}' ./engine --depth 1 --rounds 1 --out out --config soon.toml");
        let ended = bed.run(&line).exits(3);
        ended.reports(&format!("error: engine 'new': {expected}"));
        assert!(!bed.path("out").exists());
    }
    assert_nobody_in(bed.folder.path());
}

#[test]
fn openings_that_are_in_the_book_twice_are_counted() {
    let bed = Bed::new();
    let lines = [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 3 7",
    ];
    fs::write(bed.path("book.epd"), lines.join("\n")).expect("ours");
    let line =
        "match ./engine ./engine --nodes 1 --rounds 3 --max-moves 2 --openings book.epd --out out";
    let ended = bed.run(line).exits(0);
    ended.reports("note: 1 of the 3 openings leads to the position of an earlier one: ");
}

#[test]
fn an_engine_that_ignores_its_limits_is_stopped_if_that_is_wanted() {
    let bed = Bed::new();
    bed.run(
        "match 'cmd=./engine args=--ignore-limits name=deaf send-stop=on' ./engine --nodes 1500 \
         --rounds 1 --max-moves 5 --out out --format json",
    )
    .exits(0);
    let run = bed.read("out");
    assert!(run.stored.config.engines[0].limits.send_stop);
    for record in run.records {
        assert_eq!(record.fault, None);
        assert_eq!(record.moves.len(), 10);
    }
}

#[test]
fn a_move_that_takes_too_long_loses_by_the_move_timeout() {
    let bed = Bed::new();
    bed.run(
        "match './engine --hang --at=3' ./engine --nodes 1 --rounds 1 --each move-timeout=1 --out out --format json",
    ).exits(3);
    for record in bed.read("out").records {
        let fault = record.fault.expect("it hangs");
        let expected = "no bestmove within the 1 s of the move timeout";
        assert_eq!(fault.detail, expected);
    }
}

#[test]
fn a_test_whose_pairs_are_copies_is_invalid_whatever_the_ratio() {
    let bed = Bed::new();
    // From one position both engines play the same two games for ever.
    let run = format!("{BETTER} --nodes 1 --openings none --elo0 0 --elo1 400 --format json");
    let ended = bed.run(&format!("sprt {run} --out out")).exits(4);
    assert!(
        ended
            .stderr
            .ends_with("error: the test is invalid: it proves nothing\n"),
        "{ended:?}"
    );
    let report = ended.json();
    let test = &report["sprt"];
    assert_eq!(test["verdict"], "invalid");
    assert!(test["post_stop_elo"].is_null());
    let why = test["invalid"].as_str().expect("a reason");
    assert!(why.contains(" pairs repeat earlier ones"), "{why}");
    // Resumed, reported, at another concurrency: it is the same.
    let again = bed.run("resume out --format json");
    assert_eq!((again.code, &again.stdout), (4, &ended.stdout));
    let four = bed.run(&format!(
        "sprt {run} --rounds 500 --concurrency 4 --force --out four"
    ));
    assert_eq!(four.code, 4, "{four:?}");
    let four = four.json();
    assert_eq!(&four["sprt"], test);
    for (format, expected, unexpected) in [
        ("human", "invalid", "accepted"),
        ("markdown", "❌ **The test is invalid", "accepted"),
        ("fastchess", "invalid", "accepted"),
        ("html", "The test is invalid", "is stronger"),
    ] {
        bed.run(&format!("report out --format {format} -o report"))
            .exits(0);
        let text = fs::read_to_string(bed.path("report")).expect("text");
        assert!(text.contains(expected), "{text}");
        assert!(!text.contains(unexpected), "{text}");
    }
    // With too few pairs to end early it ends with the last.
    let ended = bed.run(
        "sprt './engine --seed=3' './engine --seed=7' --nodes 1 --openings none --elo0 0 --elo1 5 --rounds 3 \
         --out few --format json",
    ).exits(4);
    assert_eq!(ended.json()["sprt"]["verdict"], "invalid");
}

#[test]
fn games_lost_on_time_are_explained() {
    let bed = Bed::new();
    let run = |engine: &str, out: &str| {
        bed.run(&format!(
            "match '{engine}' './engine --seed=7' --tc 0.1 --max-moves 3 --rounds 1 --max-faults 9 --margin 0 --out {out}"
        ))
    };
    let ended = run("./engine --sleep=400", "late");
    let expected = "\ntime margin  on a busy machine, ";
    assert!(ended.stdout.contains(expected), "{ended:?}");
    for record in bed.read("late").records {
        let fault = record.fault.expect("it is late");
        let transcript = fault.transcript.expect("is kept");
        let text = fs::read_to_string(bed.path("late").join(transcript)).expect("text");
        let end = format!(
            "\n== the game was lost by new\ntime-forfeit: {}\n",
            fault.detail
        );
        assert!(text.ends_with(&end), "{text}");
    }
    let ended = run("./engine --crash --at=2", "crashed");
    assert!(ended.stdout.contains("new: crash 2"), "{ended:?}");
    assert!(!ended.stdout.contains("time margin"), "{ended:?}");
}
