//! The handshake: `uci`, the declarations of the engine, `isready`, a first search.

use std::time::Duration;

use uci::grammar::{EngineOption, OptionKind};

use super::limits::ONE_MOVE;
use super::{Check, CheckFinding, Dialogue, Prerequisites, answers, recommended, required};
use crate::compliance::check::{Objection, demand, no_faults, only_if};
use crate::compliance::dialogue::{is, no_bestmove, set_option};
use crate::compliance::judge;
use crate::compliance::question::{PositionQuestion, middle_game};

pub(super) static INTRODUCTION: &[Check] = &[
    required(
        "uci",
        "answers uci with uciok in time",
        "every program that drives engines waits for it, and gives up without it",
        |dialogue| match dialogue.introduce() {
            Ok(_) => Ok(()),
            Err(Objection::Unanswered(what)) => Err(dialogue.unanswered_greeting(what)),
            Err(objection) => Err(objection),
        },
    )
    .before_search(Prerequisites::Nothing)
    .first(),
    required(
        "id-name",
        "says id name after uci",
        "UCI demands it, and tables and PGN files need a name",
        |dialogue| says_id(dialogue, "name"),
    )
    .before_search(Prerequisites::Uci),
    recommended(
        "id-author",
        "says id author after uci",
        "UCI demands it, though no match needs it",
        |dialogue| says_id(dialogue, "author"),
    )
    .before_search(Prerequisites::Uci),
    required(
        "options-readable",
        "declares each option once, with a name and a type of UCI's",
        "an option that cannot be read cannot be set, and of two of one name nobody knows which",
        |dialogue| {
            let lines = dialogue.introduce()?;
            no_faults(&judge::unreadable(lines))
        },
    )
    .before_search(Prerequisites::Uci),
    required(
        "options-consistent",
        "gives defaults that lie between min and max, or among the values of a combo",
        "programs check what they set against the declaration, and reject the engine's own default",
        consistent,
    )
    .before_search(Prerequisites::Uci),
    recommended(
        "hash-and-threads",
        "has the options Hash and Threads, both of type spin",
        "fair matches give both sides the same memory and threads by these names",
        hash_and_threads,
    )
    .before_search(Prerequisites::Uci),
    required(
        "isready",
        "answers each isready with one readyok",
        "it is how one knows that the engine has dealt with what was sent, and is alive",
        ready_each_time,
    )
    .before_search(Prerequisites::Uci)
    .first(),
    required(
        "search",
        "answers a search outside opening books, by depth, time or clock, with one legal bestmove",
        "it is what an engine is for",
        |dialogue| dialogue.first_search(dialogue.patience().answer),
    )
    .first(),
    recommended(
        "no-new-game",
        "searches also where no ucinewgame has come before",
        "UCI leaves it to the program whether to send it; matches do, tools and people may not",
        |dialogue| {
            dialogue.greet()?;
            dialogue.first_search(dialogue.patience().answer)
        },
    )
    .before_search(Prerequisites::Uci)
    .after(&["isready", "search"]),
];

fn says_id(dialogue: &mut Dialogue<'_>, key: &str) -> CheckFinding {
    let lines = dialogue.introduce()?;
    let says = |line: &String| {
        let mut words = line.split_ascii_whitespace();
        words.next() == Some("id") && words.next() == Some(key) && words.next().is_some()
    };
    demand(lines.iter().any(says), || {
        format!("no 'id {key} …' came before uciok")
    })
}

fn consistent(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    let declared = judge::declared(dialogue.introduce()?);
    let faults: Vec<String> = declared.iter().filter_map(judge::inconsistent).collect();
    no_faults(&faults)
}

fn hash_and_threads(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    dialogue.introduce()?;
    let is_spin = |name: &&str| {
        let kind = dialogue.option(name).map(|option| option.kind);
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

fn ready_each_time(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    dialogue.greet()?;
    dialogue.ready()?;
    dialogue.ready()?;
    let more = dialogue.listen(Duration::from_millis(100))?;
    demand(!more.iter().any(|line| is(line, "readyok")), || {
        "more readyok came than isready was said".to_owned()
    })
}

// `setoption`.

pub(super) static OPTIONS: &[Check] = &[
    required(
        "hash-resize",
        "takes several sizes of Hash, before and between searches",
        "every match sets it; a table that is in use while it is resized is a crash",
        hash_resize,
    ),
    required(
        "clear-hash",
        "lets buttons such as Clear Hash be pressed between searches",
        "start-up commands press them",
        |dialogue| {
            only_if(
                dialogue.option("Clear Hash").is_some(),
                "it has no option Clear Hash",
            )?;
            for _ in 0..2 {
                dialogue.say(&set_option("Clear Hash", None))?;
                dialogue.search(&middle_game(), 3)?;
            }
            Ok(())
        },
    ),
    required(
        "threads",
        "takes 2 Threads and 1 again, and searches with both",
        "matches set it",
        |dialogue| {
            let (_, max) = range(dialogue, "Threads")?;
            only_if(max >= 2, "it has one thread only")?;
            for threads in ["2", "1", "2"] {
                dialogue.set("Threads", threads)?;
                dialogue.ready()?;
                dialogue.search(&middle_game(), 4)?;
            }
            Ok(())
        },
    ),
    required(
        "unknown-option",
        "passes over setoption with a name it has not declared",
        "one list of options is often given to all engines of a match",
        |dialogue| {
            dialogue.say("setoption name No Such Option value 1")?;
            dialogue.say("setoption name No Such Button")?;
            dialogue.ready_without_bestmove()?;
            answers(dialogue, 2, [PositionQuestion::outside_books()])
        },
    ),
    recommended(
        "default-values",
        "takes each option's own default",
        "people and programs send all options back as they are declared",
        default_values,
    )
    .after(&[
        "options-consistent",
        "hash-resize",
        "threads",
        "chess960-positions",
    ]),
    recommended(
        "option-case",
        "reads names of options in any case",
        "UCI says so",
        option_case,
    )
    .after(&["multipv"]),
    recommended(
        "value-out-of-range",
        "survives a value of Hash below its minimum, or one that is not a number",
        "programs check values first, people do not",
        |dialogue| {
            let (min, _) = range(dialogue, "Hash")?;
            for value in [&(min - 1).to_string(), "x", ""] {
                dialogue.set("Hash", value)?;
                dialogue.ready_without_bestmove()?;
                dialogue.search(&middle_game(), 3)?;
            }
            Ok(())
        },
    )
    .after(&["hash-resize"]),
];

/// Minimum and maximum of a spin option.
fn range(dialogue: &Dialogue<'_>, name: &str) -> Result<(i128, i128), Objection> {
    match dialogue.option(name).map(|option| option.kind) {
        Some(OptionKind::Spin {
            min: Some(min),
            max: Some(max),
            ..
        }) => Ok((min, max)),
        _ => Err(Objection::NotApplicable(format!(
            "it has no option {name} of type spin"
        ))),
    }
}

fn hash_resize(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    let (min, max) = range(dialogue, "Hash")?;
    // The table grows and shrinks, and 33 is no power of two.
    for size in [1, 64, 2, 33] {
        dialogue.set("Hash", &i128::clamp(size, min, max).to_string())?;
        dialogue.ready()?;
        dialogue.search(&middle_game(), 4)?;
    }
    Ok(())
}

/// The command that sets an option to its own default; `None` for a button or without a default.
fn set_default(option: &EngineOption) -> Option<String> {
    let value = match &option.kind {
        OptionKind::Check { default } => default.as_ref().map(ToString::to_string),
        OptionKind::Spin { default, .. } => default.as_ref().map(ToString::to_string),
        OptionKind::Combo { default, .. } => default.clone(),
        // There are two spellings of the empty string, and engines often accept only one.
        OptionKind::String { default } => default.clone().filter(|text| !text.is_empty()),
        OptionKind::Button => None,
    };
    Some(set_option(&option.name, Some(&value?)))
}

fn default_values(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    let lines = dialogue.introduction.clone();
    for option in crate::compliance::judge::declared(&lines) {
        if let Some(line) = set_default(&option) {
            dialogue.say(&line)?;
        }
    }
    dialogue.ready_without_bestmove()?;
    answers(dialogue, 2, [PositionQuestion::outside_books()])
}

/// Uses `MultiPV`, the one option with a visible effect.
fn option_case(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    let max = range(dialogue, "MultiPV").map_or(1, |(_, max)| max);
    only_if(max >= 2, "it has no option MultiPV to tell by")?;
    dialogue.set("mULTIpv", "2")?;
    dialogue.ready()?;
    let searched = dialogue.search(&middle_game(), 3)?;
    let is_second = |text: &str| judge::number(text, "multipv") == Some(2);
    demand(searched.infos().any(|line| is_second(&line.text)), || {
        "setoption name mULTIpv value 2 has brought no second line".to_owned()
    })
}

// Commands outside a search, including invalid ones.

pub(super) static COMMANDS: &[Check] = &[
    required(
        "ucinewgame",
        "takes ucinewgame before the first game, between games and twice in a row",
        "it comes before every game; an engine that clears its tables twice must not fail",
        |dialogue| {
            for _ in 0..2 {
                dialogue.new_game()?;
                dialogue.search(&PositionQuestion::outside_books(), 2)?;
            }
            dialogue.new_game()?;
            dialogue.new_game()
        },
    ),
    required(
        "one-write",
        "obeys several lines that come in one write",
        "programs save time by sending position and go at once; an engine that waits for the file \
         descriptor, and not for what it has read already, hangs",
        one_write,
    )
    .first(),
    recommended(
        "split-line",
        "reads a line that comes in two parts",
        "pipes cut where they like, and a long position line may come in pieces",
        split_line,
    ),
    required(
        "unknown-command",
        "passes over what it does not know, and lives",
        "UCI says so; new commands must not break old engines",
        // `joho debug on` is UCI's own example: the engine skips the unknown word and obeys the
        // rest.
        |dialogue| lives_after(dialogue, &["xyzzy", "joho debug on", "wibble 1 2 3"]),
    ),
    recommended(
        "similar-command",
        "tells commands from words that only begin like them",
        "a new command must not be taken for an old one",
        |dialogue| {
            lives_after(
                dialogue,
                &["goodness", "isreadyy", "stopwatch", "quitclaim"],
            )
        },
    )
    .after(&["unknown-command"]),
    recommended(
        "white-space",
        "reads words with any white space around them",
        "UCI allows it",
        white_space,
    ),
    recommended(
        "empty-line",
        "passes over empty lines",
        "some programs, and all people, send them",
        |dialogue| lives_after(dialogue, &["", "", " "]),
    ),
    recommended(
        "crlf",
        "reads lines that end as in Windows, with CR LF",
        "UCI allows it, and a CR that stays in the word makes 'readyok' never come",
        carriage_returns,
    )
    .after(&["white-space"]),
    recommended(
        "debug",
        "takes debug on, debug off and register later",
        "UCI has them, if only to be ignored",
        |dialogue| lives_after(dialogue, &["debug on", "debug off", "register later"]),
    ),
    required(
        "idle-stop",
        "says nothing to a stop without a search",
        "a bestmove that nobody asked for is taken for the next move, and loses the game",
        |dialogue| {
            dialogue.say("stop")?;
            dialogue.ready_without_bestmove()?;
            dialogue.search(&PositionQuestion::outside_books(), 2)?;
            dialogue.say_at_once(&["stop", "stop"])?;
            dialogue.ready_without_bestmove()
        },
    ),
    recommended(
        "idle-ponderhit",
        "says nothing to a ponderhit without a search",
        "it comes when a search ends at the moment the opponent moves",
        |dialogue| {
            dialogue.say("ponderhit")?;
            dialogue.ready_without_bestmove()
        },
    ),
    required(
        "last-position-counts",
        "searches the last of several positions",
        "a position that was only announced must leave nothing behind",
        |dialogue| {
            dialogue.say(&middle_game().line)?;
            dialogue.say(&PositionQuestion::startpos().line)?;
            answers(dialogue, 2, [PositionQuestion::fen(ONE_MOVE)])
        },
    )
    .first(),
];

fn lives_after(dialogue: &mut Dialogue<'_>, lines: &[&str]) -> CheckFinding {
    for line in lines {
        dialogue.say(line)?;
        dialogue.ready_without_bestmove()?;
        // A search started by a misread command may take a while to answer.
        no_bestmove(&dialogue.listen(Duration::from_millis(60))?)?;
    }
    answers(dialogue, 2, [PositionQuestion::outside_books()])
}

fn one_write(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    let question = PositionQuestion::outside_books();
    let go = dialogue.short(2);
    let since = dialogue.say_at_once(&["ucinewgame", "isready", &question.line, &go])?;
    dialogue.hear("readyok", dialogue.patience().answer)?;
    dialogue.answer(&question, since)?;
    dialogue.ready_without_bestmove()
}

fn split_line(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    dialogue.say_as_it_is("isre")?;
    // The pause keeps the system from joining the two writes into one read.
    let early = dialogue.listen(Duration::from_millis(50))?;
    demand(early.iter().all(|line| line.text != "readyok"), || {
        "readyok came before the line had ended".to_owned()
    })?;
    dialogue.say_as_it_is("ady\n")?;
    dialogue.hear("readyok", dialogue.patience().answer)?;
    Ok(())
}

fn white_space(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    let question = PositionQuestion::outside_books();
    // UCI: "arbitrary white space between tokens is allowed".
    dialogue.say(" \t isready \t ")?;
    dialogue.hear("readyok", dialogue.patience().answer)?;
    dialogue.say(&format!("  {}  ", question.line.replace(' ', " \t ")))?;
    let go = format!("\t{} ", dialogue.short(2).replace(' ', " \t "));
    let since = dialogue.say(&go)?;
    dialogue.answer(&question, since)?;
    dialogue.ready_without_bestmove()
}

fn carriage_returns(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    let question = PositionQuestion::outside_books();
    // UCI leaves the end of a line to the platform: `\n` or `\r\n`.
    dialogue.say_as_it_is("isready\r\n")?;
    let heard = dialogue.hear("readyok", dialogue.patience().answer)?;
    no_bestmove(&heard.before)?;
    dialogue.say_as_it_is(&format!("{}\r\n", question.line))?;
    let go = dialogue.short(2) + "\r\n";
    let since = dialogue.say_as_it_is(&go)?;
    dialogue.answer(&question, since)?;
    dialogue.ready_without_bestmove()
}
