//! Invalid configurations are rejected with a reason.

use super::*;
use crate::config::parse;

fn resolved(text: &str, contest: Contest) -> std::result::Result<RunConfig, String> {
    let draft = parse(text, "f").expect("well formed");
    resolve(draft, contest).map_err(|error| error.to_string())
}

/// Two engines with limits, preceded by `text`.
fn with_engines(text: &str) -> String {
    format!("{text}\n[each]\nnodes = 1\n[[engine]]\ncmd = './a'\n[[engine]]\ncmd = './b'\n")
}

#[test]
fn what_is_missing_is_filled_in() {
    let config = resolved(&with_engines("rounds = 3"), Contest::Match).expect("a match");
    assert_eq!((config.rounds, config.concurrency, config.seed), (3, 1, 1));
    assert_eq!(config.openings, OpeningSource::Startpos);
    assert_eq!(config.adjudication, Adjudication::default());
    let names: Vec<_> = config.engines.iter().map(|one| &*one.name).collect();
    assert_eq!(names, ["a", "b"]);
    let text = with_engines("sprt = { elo0 = 0, elo1 = 5 }");
    let sprt = resolved(&text, Contest::Sprt)
        .expect("a test")
        .sprt
        .expect("a test");
    assert_eq!(
        (sprt.alpha, sprt.beta, sprt.model),
        (0.05, 0.05, SprtModel::Logistic)
    );
}

#[test]
fn names_are_made_unique_unless_they_were_given() {
    let text = "rounds = 1\neach.nodes = 1\n\
                engine = [{ cmd = 'x/a' }, { cmd = 'y/a' }, { cmd = 'z', name = 'a-2' }, { cmd = 'rev:v1' }]";
    let config = resolved(text, Contest::Tournament).expect("a tournament");
    let names: Vec<_> = config.engines.iter().map(|one| &*one.name).collect();
    assert_eq!(names, ["a", "a-3", "a-2", "v1"]);
}

#[test]
fn what_makes_no_run_says_why() {
    use Contest::{Match, Sprt, Tournament};
    let e = with_engines;
    let rows = [
        (e(""), Match, "the number of pairs is missing: expected --rounds N, or `rounds` in the file"),
        (e("rounds = 0"), Match, "0 rounds, expected 1 to 50000000"),
        (e("rounds = 1\nconcurrency = 0"), Match, "concurrency is 0, expected 1 to 1024"),
        ("rounds = 1".into(), Match, "no engines, expected --engine for each, --new and --base, or `engine` in the file"),
        (e("rounds = 1\nsystem = 'swiss'"), Match, "a system is for tournaments: expected `selfplay tournament`, or no system"),
        (e("system = 'match'"), Tournament, "the system is a match, expected round-robin, gauntlet, swiss or knockout"),
        (e(""), Sprt, "sprt: elo0 or elo1 is missing, expected the bounds of the test"),
        (
            e("sprt = { elo0 = 5, elo1 = 0 }"), Sprt,
            "sprt: elo0 is 5 and elo1 is 0, expected elo1 to be larger by 0.001 or more",
        ),
        (
            e("sprt = { elo0 = 0, elo1 = 5, alpha = 0.6, beta = 0.4 }"), Sprt,
            "sprt: alpha is 0.6 and beta is 0.4, expected both above 0 and their sum below 1",
        ),
        (e("rounds = 1\nsprt.elo0 = 1"), Match, "a test (sprt) is given: expected `selfplay sprt`, or no test"),
        (
            "rounds = 1\nengine = [{ cmd = 'a' }, { cmd = 'b', nodes = 1 }]".into(), Match,
            "engine 'a': no limit, expected one or more of tc, st, nodes and depth",
        ),
        (
            "rounds = 1\nengine = [{ cmd = 'a', tc = 'inf' }, { cmd = 'b', nodes = 1 }]".into(), Match,
            "engine 'a': tc=inf alone is no limit, expected st, nodes or depth with it",
        ),
        ("rounds = 1\nengine = [{ cmd = 'a' }]".into(), Match, "there is one engine, expected two"),
        ("engine = [{ cmd = 'a' }]".into(), Tournament, "there is one engine, expected two or more"),
        (
            "rounds = 1\nengine = [{ cmd = 'a' }, { cmd = 'b' }, { cmd = 'c' }]".into(), Match,
            "there are 3 engines, expected two, or `selfplay tournament`",
        ),
        (
            "rounds = 1\nengine = [{ cmd = 'a', nodes = 0 }, { cmd = 'b', nodes = 1 }]".into(), Match,
            "engine 'a': nodes is 0, expected more",
        ),
        (
            "rounds = 1\neach.nodes = 1\nengine = [{ cmd = 'a', name = 'x' }, { cmd = 'b', name = 'x' }]".into(), Match,
            "engines 1 and 2 are both named 'x', expected a name of its own for each",
        ),
        (
            "rounds = 1\neach.nodes = 1\nengine = [{ name = 'x' }, { cmd = 'b' }]".into(), Match,
            "engine 'x': cmd is missing, expected the program to start",
        ),
        (
            "rounds = 1\neach.nodes = 1\nengine = [{ cmd = 'rev:', name = 'x' }, { cmd = 'b' }]".into(), Match,
            "engine 'x': expected a revision after 'rev:', such as rev:HEAD",
        ),
        (e("rounds = 1\nopenings.start = 1"), Match, "openings: a start without a book, expected a file"),
        (
            e("rounds = 1\nopenings.file = 'b.txt'"), Match,
            "openings: b.txt may be anything, expected a name that ends in .epd, .fen or .pgn (and .gz), or the book's format",
        ),
        (
            e("rounds = 1\nopenings = { file = 'b.epd.gz', plies = 8 }"), Match,
            "openings: plies of positions, expected a book of games (PGN)",
        ),
        (
            e("rounds = 1\nadjudication.resign = { moves = 0, score = 1 }"), Match,
            "adjudication: moves of resign is 0, expected more",
        ),
        (
            e("rounds = 1\nadjudication.tablebase-pieces = 5"), Match,
            "adjudication: rules for endgame tables, expected their folders",
        ),
        (e("rounds = 1\nevent = \"a\\nb\""), Match, "event is \"a\\nb\", expected no control characters"),
    ];
    for (text, contest, expected) in rows {
        let found = resolved(&text, contest).expect_err(expected);
        assert_eq!(found, expected);
    }
}
