//! Reports of runs that were never played: every format, the ends of what can happen, names that try
//! to be markup.

use std::collections::BTreeMap;

use super::synthetic::{self, Odds};
use selfplay::model::{EloModel, EngineIndex, GameRecord, GameResult, RunConfig, SprtConfig};
use selfplay::report::run::{Collector, GameTable, PageGames, RunReport, RunSummary};
use selfplay::stats::{Counts, FastchessStrength, Pentanomial, SprtState, Wdl};

const ODDS: Odds = Odds {
    score: 0.55,
    draws: 0.5,
    faults: 12,
};

fn summary(config: &RunConfig, games: impl IntoIterator<Item = GameRecord>) -> RunSummary {
    let mut collector = Collector::new(config).expect("a run");
    for game in games {
        collector.record(&game).expect("a game of the run");
    }
    collector.summary()
}

/// All formats of a run, one below another; of the page the part behind the style.
fn all_formats(config: &RunConfig, games: &[GameRecord]) -> String {
    let summary = summary(config, games.iter().cloned());
    let report = RunReport::new(config, &summary);
    let mut table = GameTable::new(config, Vec::new()).expect("a table");
    for game in games.iter().take(8) {
        table.write(game).expect("written");
    }
    let table = String::from_utf8(table.finish().expect("written")).expect("UTF-8");
    let page = page(&report, games, "../run 1/");
    let (_, page) = page.split_once("</style>").expect("a style");
    let (page, _) = page.split_once("<script").expect("a script");
    [
        ("line", report.line() + "\n"),
        ("human", report.human()),
        ("fastchess", report.fastchess()),
        ("markdown", report.markdown()),
        ("csv", table),
        ("json", report.json()),
        ("html", page.to_owned()),
    ]
    .map(|(name, text)| format!("=== {name}\n{text}"))
    .concat()
}

/// The page of a run with its games.
fn page(report: &RunReport<'_>, games: &[GameRecord], links: &str) -> String {
    let mut page = PageGames::new(links);
    for game in games {
        page.record(game);
    }
    report.html(links, &page)
}

fn played(config: &RunConfig, odds: Odds) -> Vec<GameRecord> {
    synthetic::games(config, odds).collect()
}

#[test]
fn a_match_with_faults() {
    let config = synthetic::config(&["new", "base"], 30);
    insta::assert_snapshot!(all_formats(&config, &played(&config, ODDS)));
}

#[test]
fn a_test_that_stops() {
    let mut config = synthetic::config(&["new", "base"], 400);
    config.sprt = Some(synthetic::SPRT);
    let odds = Odds::new(0.7, 0.4, 0);
    let games = played(&config, odds);
    let summary = summary(&config, games);
    let test = summary.result.test.as_ref().expect("a test");
    let couple = summary.only_couple().expect("two engines");
    assert_eq!(test.state, SprtState::AcceptedH1);
    assert!(test.llr >= test.bounds[1], "{test:?}");
    // The pairs after the stop do not count.
    let last = summary.course.last().expect("it was played");
    let expected = (test.pairs, test.pairs);
    assert_eq!((couple.counted.pairs.pairs(), last.pairs), expected);
    assert_eq!(couple.all.pairs.pairs(), 400);
    let report = RunReport::new(&config, &summary);
    insta::assert_snapshot!([report.human(), report.fastchess(), report.markdown()].join("\n"));
}

/// Fastchess gives the share of the way to H0 a minus, and counts single games if the bounds are in
/// `BayesElo`.
#[test]
fn fastchess_reports_a_running_test() {
    let odds = Odds::new(0.4, 0.4, 0);
    for (model, has_pairs) in [(EloModel::Logistic, true), (EloModel::Bayesian, false)] {
        let mut config = synthetic::config(&["new", "base"], 10);
        config.sprt = Some(SprtConfig {
            model,
            ..synthetic::SPRT
        });
        let summary = summary(&config, played(&config, odds));
        let text = RunReport::new(&config, &summary).fastchess();
        let lines: Vec<&str> = text.lines().collect();
        let [.., llr, rule] = lines[..] else {
            panic!("{text}");
        };
        assert!(llr.starts_with("LLR: -0.") && llr.contains(" (-"), "{text}");
        assert!(llr.ends_with("%) (-2.94, 2.94) [0.00, 5.00]"), "{text}");
        assert!(rule.starts_with("-----"), "{text}");
        assert_eq!(text.contains("PairsRatio: "), has_pairs, "{text}");
        assert_eq!(text.contains("Ptnml(0-2): "), has_pairs, "{text}");
    }
}

#[test]
fn fastchess_counts_the_games_of_the_test() {
    let mut config = synthetic::config(&["new", "base"], 400);
    config.sprt = Some(SprtConfig {
        model: EloModel::Bayesian,
        ..synthetic::SPRT
    });
    let summary = summary(&config, played(&config, Odds::new(0.7, 0.4, 0)));
    let couple = summary.only_couple().expect("two engines");
    let games = couple.counted.games;
    assert!(games.games() < couple.games.games(), "{games:?}");
    let report = RunReport::new(&config, &summary);
    let text = report.fastchess();
    assert!(
        text.contains(&format!("\nGames: {}, ", games.games())),
        "{text}"
    );
    let strength = FastchessStrength::from_counts(&Counts::Games(games));
    let json = report.json();
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let found = json["pairings"][0]["fastchess"]["elo_error"].as_f64();
    let found = found.expect("a number");
    assert!((found - strength.elo_error).abs() < 1e-9, "{found}");
    let note = format!("± {:.2}", strength.elo_error);
    assert!(report.human().contains(&note), "{note}: {}", report.human());
}

#[test]
fn three_engines() {
    let config = synthetic::config(&["new", "base", "third"], 4);
    insta::assert_snapshot!(all_formats(&config, &played(&config, ODDS)));
}

#[test]
fn nothing_was_played() {
    let mut config = synthetic::config(&["new", "base"], 10);
    config.sprt = Some(synthetic::SPRT);
    insta::assert_snapshot!(all_formats(&config, &[]));
    let config = synthetic::config(&["new", "base", "third"], 10);
    let summary = summary(&config, []);
    let report = RunReport::new(&config, &summary);
    insta::assert_snapshot!(
        "nothing_was_played_by_three",
        report.human() + &report.markdown()
    );
}

#[test]
fn a_test_until_it_is_decided_has_no_total() {
    let mut config = synthetic::config(&["new", "base"], RunConfig::UNTIL_DECIDED);
    config.sprt = Some(synthetic::SPRT);
    let games = synthetic::games(&config, ODDS).take(6);
    let summary = summary(&config, games);
    assert_eq!(summary.result.scheduled, None);
    let line = RunReport::new(&config, &summary).line();
    assert!(line.starts_with("6 games, "), "{line}");
}

#[test]
fn one_game() {
    let config = synthetic::config(&["new", "base"], 10);
    let games = &played(&config, ODDS)[..1];
    insta::assert_snapshot!(all_formats(&config, games));
}

#[test]
fn all_games_are_won() {
    let config = synthetic::config(&["new", "base"], 5);
    let odds = Odds::new(1.0, 0.0, 0);
    insta::assert_snapshot!(all_formats(&config, &played(&config, odds)));
}

#[test]
fn names_are_no_markup() {
    let names = ["<script>alert(1)</script>", "a|b\"'&*_@all"];
    let mut config = synthetic::config(&names, 6);
    config.event = "<img src=x onerror=alert(2)>".to_owned();
    let mut games = played(&config, Odds { faults: 2, ..ODDS });
    for game in &mut games {
        game.opening.label = "<b>opening</b>".to_owned();
        if let Some(fault) = &mut game.fault {
            fault.detail = "</td><script>alert(3)</script>".to_owned();
            fault.transcript = Some("failures/\"><script>.txt".to_owned());
        }
    }
    let summary = summary(&config, games.clone());
    assert!(summary.result.games_lost_by_faults() > 0);
    let report = RunReport::new(&config, &summary);
    let page = page(&report, &games, "javascript:");
    assert_eq!(page.matches("<script").count(), 2, "the games, and ours");
    for mark in [
        "<script>alert",
        "<img",
        "<b>",
        "onerror=alert(2)>",
        "javascript:",
    ] {
        assert!(!page.contains(mark), "{mark} in {page}");
    }
    assert!(page.contains("&#60;script&#62;") || page.contains("&lt;script&gt;"));
    assert!(page.contains("href=\"javascript%3Afailures/%22%3E%3Cscript%3E.txt\""));
    let markdown = report.markdown();
    assert!(
        !markdown.contains("<script") && !markdown.contains("@all"),
        "{markdown}"
    );
    assert!(markdown.contains("a\\|b"), "{markdown}");
}

#[test]
fn a_picture_stands_alone() {
    let mut config = synthetic::config(&["new", "base"], 40);
    let games = played(&config, ODDS);
    let elo = summary(&config, games.clone());
    let elo = RunReport::new(&config, &elo).svg().expect("a picture");
    config.sprt = Some(synthetic::SPRT);
    let llr = summary(&config, games);
    let llr = RunReport::new(&config, &llr).svg().expect("a picture");
    for (picture, is_of) in [(&elo, ">Elo "), (&llr, ">LLR ")] {
        assert!(picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox="));
        assert!(picture.ends_with("</svg>\n"));
        assert!(picture.contains("--card: #fff;") && picture.contains(is_of));
        assert_eq!(picture.matches("<svg").count(), 1, "one picture in one");
        for mark in ["<script", "url(", "@import", "href", "{{", "}}"] {
            assert!(!picture.contains(mark), "{mark}");
        }
    }
    assert!(llr.contains("H1 accepted") && !elo.contains("H1 accepted"));
}

#[test]
fn a_page_is_one_file() {
    let mut config = synthetic::config(&["new", "base"], 40);
    config.sprt = Some(synthetic::SPRT);
    let games = played(&config, ODDS);
    let summary = summary(&config, games.clone());
    let page = page(&RunReport::new(&config, &summary), &games, "");
    // The name of a namespace is no address.
    let names = page.replace("http://www.w3.org/2000/svg", "");
    for mark in [
        "http://", "https://", "url(", "@import", "src=", "fetch(", "import(",
    ] {
        assert!(!names.contains(mark), "{mark}");
    }
    let count = |text: &str| page.matches(text).count();
    // LLR, Elo, pairs, lengths, time.
    assert_eq!(count("<svg viewBox=\"0 0 400"), 5);
    // The board and its two curves have no title without a game; bars of charts have titles of their own.
    let titles = count("</title><") - count("</title></rect>");
    assert_eq!(count("role=\"img\""), titles + 3);
    assert_eq!(count("<table role=\"table\">") - 1, count("<caption>"));
}

/// The counts of the first of two engines, game by game.
fn recounted(games: &[GameRecord]) -> (Wdl, Pentanomial) {
    let half_points = |game: &GameRecord| game.half_points(EngineIndex(0)).expect("it played");
    let (mut wdl, mut pairs) = (Wdl::default(), Pentanomial::default());
    let mut first = BTreeMap::new();
    for game in games {
        let points = half_points(game);
        *[&mut wdl.losses, &mut wdl.draws, &mut wdl.wins][usize::from(points)] += 1;
        if let Some(other) = first.insert(game.plan.game / 2, points) {
            pairs.0[usize::from(points + other)] += 1;
        }
    }
    (wdl, pairs)
}

#[test]
fn counts_are_those_of_the_games() {
    let config = synthetic::config(&["new", "base"], 40);
    let games = played(&config, ODDS);
    for length in 0..games.len() {
        let games = &games[..length];
        let summary = summary(&config, games.iter().cloned());
        let (wdl, pairs) = recounted(games);
        assert_eq!(summary.result.games, length as u64);
        assert_eq!(summary.white.games(), length as u64);
        let ends = summary.result.terminations.values();
        assert_eq!(ends.sum::<u64>(), length as u64);
        assert_eq!(summary.result.distinct, length as u64, "no game is a copy");
        let faults = games.iter().filter(|game| game.fault.is_some()).count();
        assert_eq!(summary.result.games_lost_by_faults(), faults as u64);
        let moves: u64 = summary.engines.iter().map(|engine| engine.time.moves).sum();
        let recorded = games.iter().map(|game| game.moves.len() as u64);
        assert_eq!(moves, recorded.sum::<u64>());
        let Some(couple) = summary.only_couple() else {
            assert_eq!(length, 0);
            continue;
        };
        let found = (couple.games, couple.counted.pairs);
        assert_eq!(found, (wdl, pairs), "after {length} games");
        assert!(couple.counted.pairs.can_be_made_of(couple.counted.games));
        assert!(couple.all.pairs.can_be_made_of(couple.all.games));
        assert_eq!(couple.games, summary.engines[0].games());
        assert_eq!(couple.games, summary.engines[1].games().reversed());
        assert_eq!(couple.as_white, summary.engines[0].as_white);
        assert_eq!(couple.as_black(), summary.engines[0].as_black);
    }
}

#[test]
fn moves_are_counted_per_engine() {
    let config = synthetic::config(&["new", "base"], 1);
    let mut game = played(&config, ODDS).swap_remove(0);
    game.plan = game.plan.pairing.games()[0];
    game.result = GameResult::Draw;
    game.fault = None;
    game.moves.truncate(3);
    for (index, one) in game.moves.iter_mut().enumerate() {
        one.elapsed_us = [1_000, 10_005_000, 3_000][index];
    }
    let moves = |game: GameRecord| {
        let engines = summary(&config, [game]).engines.into_iter();
        engines
            .map(|engine| engine.time.moves)
            .collect::<Vec<u64>>()
    };
    assert_eq!(moves(game.clone()), [2, 1], "White begins");
    let mut black_begins = game.clone();
    black_begins.opening.moves = vec!["e2e4".to_owned()];
    let found = moves(black_begins);
    assert_eq!(found, [1, 2], "the book has made White's first move");
    let mut black_begins = game.clone();
    black_begins.opening.fen = "4k3/8/8/8/8/8/8/4K3 b - - 0 1".to_owned();
    assert_eq!(moves(black_begins), [1, 2], "Black is to move");
    let overstep = summary(&config, [game]).engines[1].time.overstep_ms;
    assert_eq!(overstep, Some(5.0), "10 seconds, and 20 ms of margin");
}

#[test]
fn a_game_counts_once() {
    let config = synthetic::config(&["new", "base"], 2);
    let games = played(&config, ODDS);
    let mut collector = Collector::new(&config).expect("a run");
    collector.record(&games[0]).expect("a game of the run");
    let error = collector.record(&games[0]).expect_err("it is there");
    assert!(error.to_string().contains("recorded"), "{error}");
    assert_eq!(collector.summary().result.games, 1);
}

#[test]
fn names_do_not_move_the_cursor() {
    let config = synthetic::config(&["\u{1b}[2Jnew", "ba\rse"], 2);
    let summary = summary(&config, played(&config, ODDS));
    let report = RunReport::new(&config, &summary);
    let texts = [
        report.human(),
        report.live(),
        report.line(),
        report.fastchess(),
    ];
    for text in texts {
        assert!(!text.contains(['\u{1b}', '\r']), "{text:?}");
        assert!(text.contains("\u{fffd}[2Jnew"), "{text:?}");
    }
}
