//! The handshake: `uci`, the declarations of the engine, `isready`, a first search.

use std::time::Duration;

use super::{Check, Finding, Needs, Talk, recommended, required};
use crate::compliance::finding::{demand, no_faults};
use crate::compliance::judge::options;
use crate::compliance::question::Question;
use crate::compliance::talk::is;

pub(super) static CHECKS: &[Check] = &[
    required(
        "uci",
        "answers uci with uciok in time",
        "every program that drives engines waits for it, and gives up without it",
        |talk| talk.introduce().map(|_| ()),
    )
    .before_search(Needs::Nothing),
    required(
        "id-name",
        "says id name after uci",
        "UCI demands it, and tables and PGN files need a name",
        |talk| says_id(talk, "name"),
    )
    .before_search(Needs::Uci),
    recommended(
        "id-author",
        "says id author after uci",
        "UCI demands it, though no match needs it",
        |talk| says_id(talk, "author"),
    )
    .before_search(Needs::Uci),
    required(
        "options-readable",
        "declares each option once, with a name and a type of UCI's",
        "an option that cannot be read cannot be set, and of two of one name nobody knows which",
        |talk| {
            let lines = talk.introduce()?;
            no_faults(&options::unreadable(lines))
        },
    )
    .before_search(Needs::Uci),
    required(
        "options-consistent",
        "gives defaults that lie between min and max, or among the values of a combo",
        "programs check what they set against the declaration, and refuse the engine's own default",
        consistent,
    )
    .before_search(Needs::Uci),
    recommended(
        "hash-and-threads",
        "has the options Hash and Threads, both of type spin",
        "fair matches give both sides the same memory and threads by these names",
        hash_and_threads,
    )
    .before_search(Needs::Uci),
    required(
        "isready",
        "answers each isready with one readyok",
        "it is how one knows that the engine has dealt with what was sent, and is alive",
        ready_each_time,
    )
    .before_search(Needs::Uci),
    required(
        "search",
        "answers go depth 1 from the first position with one legal bestmove",
        "it is what an engine is for",
        |talk| {
            talk.greet()?;
            talk.search(&Question::startpos(), "go depth 1")?;
            Ok(())
        },
    )
    .before_search(Needs::Uci),
];

fn says_id(talk: &mut Talk<'_>, key: &str) -> Finding {
    let lines = talk.introduce()?;
    let says = |line: &String| {
        let mut words = line.split_ascii_whitespace();
        words.next() == Some("id") && words.next() == Some(key) && words.next().is_some()
    };
    demand(lines.iter().any(says), || {
        format!("no 'id {key} …' came before uciok")
    })
}

fn consistent(talk: &mut Talk<'_>) -> Finding {
    let declared = options::declared(talk.introduce()?);
    let faults: Vec<String> = declared.iter().filter_map(options::inconsistent).collect();
    no_faults(&faults)
}

fn hash_and_threads(talk: &mut Talk<'_>) -> Finding {
    talk.introduce()?;
    let is_spin = |name: &&str| {
        let kind = talk.option(name).map(|option| option.kind);
        matches!(kind, Some(uci::grammar::OptionKind::Spin { .. }))
    };
    let missing: Vec<&str> = ["Hash", "Threads"]
        .into_iter()
        .filter(|name| !is_spin(name))
        .collect();
    demand(missing.is_empty(), || {
        format!("no option of type spin is called {}", missing.join(" or "))
    })
}

fn ready_each_time(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    talk.say_at_once(&["isready", "isready"])?;
    for _ in 0..2 {
        talk.hear("readyok", talk.patience().answer)?;
    }
    let more = talk.listen(Duration::from_millis(100))?;
    demand(!more.iter().any(|line| is(line, "readyok")), || {
        "more readyok came than isready was said".to_owned()
    })
}
