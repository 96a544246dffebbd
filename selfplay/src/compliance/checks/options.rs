//! `setoption`.

use uci::grammar::{EngineOption, OptionKind};

use super::{Check, Finding, Talk, recommended, required};
use crate::compliance::finding::{Objection, demand, only_if};
use crate::compliance::judge::info;
use crate::compliance::question::{Question, middle_game};
use crate::compliance::talk::set_option;

pub(super) static CHECKS: &[Check] = &[
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
        |talk| {
            talk.greet()?;
            only_if(
                talk.option("Clear Hash").is_some(),
                "it has no option Clear Hash",
            )?;
            for _ in 0..2 {
                talk.say(&set_option("Clear Hash", None))?;
                talk.search(&middle_game(), "go depth 3")?;
            }
            Ok(())
        },
    ),
    required(
        "threads",
        "takes 2 Threads and 1 again, and searches with both",
        "matches set it",
        |talk| {
            talk.greet()?;
            let (_, max) = range(talk, "Threads")?;
            only_if(max >= 2, "it has one thread only")?;
            for threads in ["2", "1", "2"] {
                talk.set("Threads", threads)?;
                talk.ready()?;
                talk.search(&middle_game(), "go nodes 5000")?;
            }
            Ok(())
        },
    ),
    required(
        "unknown-option",
        "passes over setoption with a name it has not declared",
        "one list of options is often given to all engines of a match",
        |talk| {
            talk.greet()?;
            talk.say("setoption name No Such Option value 1")?;
            talk.say("setoption name No Such Button")?;
            talk.ready_without_bestmove()?;
            talk.search(&Question::startpos(), "go depth 2")?;
            Ok(())
        },
    ),
    recommended(
        "default-values",
        "takes each option's own default",
        "people and programs send all options back as they are declared",
        default_values,
    ),
    recommended(
        "option-case",
        "reads names of options in any case",
        "UCI says so",
        option_case,
    ),
    recommended(
        "value-out-of-range",
        "lives on when Hash gets a value below its least, or one that is no number",
        "programs check values first, people do not",
        |talk| {
            talk.greet()?;
            let (min, _) = range(talk, "Hash")?;
            for value in [&(min - 1).to_string(), "x", ""] {
                talk.set("Hash", value)?;
                talk.ready_without_bestmove()?;
                talk.search(&middle_game(), "go depth 3")?;
            }
            Ok(())
        },
    ),
];

/// Minimum and maximum of a spin option.
fn range(talk: &Talk<'_>, name: &str) -> Result<(i64, i64), Objection> {
    match talk.option(name).map(|option| option.kind) {
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

fn hash_resize(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    let (min, max) = range(talk, "Hash")?;
    for size in [1, 64, 2, 33] {
        talk.set("Hash", &i64::clamp(size, min, max).to_string())?;
        talk.ready()?;
        talk.search(&middle_game(), "go depth 4")?;
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

fn default_values(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    let lines = talk.introduction().to_vec();
    for option in crate::compliance::judge::options::declared(&lines) {
        if let Some(line) = set_default(&option) {
            talk.say(&line)?;
        }
    }
    talk.ready_without_bestmove()?;
    talk.search(&Question::startpos(), "go depth 2")?;
    Ok(())
}

/// Uses `MultiPV`, the one option with a visible effect.
fn option_case(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    let max = range(talk, "MultiPV").map_or(1, |(_, max)| max);
    only_if(max >= 2, "it has no option MultiPV to tell by")?;
    talk.set("mULTIpv", "2")?;
    talk.ready()?;
    let searched = talk.search(&middle_game(), "go depth 3")?;
    let is_second = |text: &str| info::number(text, "multipv") == Some(2);
    demand(searched.infos().any(|line| is_second(&line.text)), || {
        "setoption name mULTIpv value 2 has brought no second line".to_owned()
    })
}
