//! Short texts of command lines: clocks, limits, engines in words, rules, counts.

use epd::verdict::MinSolved;
use kit::values::time;
use selfplay::config::{DrawText, EngineDraft, ResignText, Words};
use selfplay::stats::{Pentanomial, Wdl};
use selfplay::time_control::{parse_clock, write_clock};
use selfplay::tune::parameter::{self, Parameter};

use super::corpus;
use crate::target::{Checked, Target, ensure, read_again, refused, same, text, text_again};

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "time-control",
        corpus: corpus!("time_control.txt"),
        words: &[
            "40/",
            "60",
            "+",
            "0.6",
            ":",
            "inf",
            "1:30",
            "2147483.647",
            ".5",
            "/",
        ],
        check: check_clock,
    },
    Target {
        name: "engine-words",
        corpus: corpus!("engine_words.txt"),
        words: &[
            "cmd=",
            "args=",
            "dir=",
            "name=",
            "env.",
            "option.",
            "Hash=",
            "tc=",
            "10+0.1",
            "st=",
            "nodes=",
            "depth=",
            "timemargin=",
            "ponder=on",
            "restart=auto",
            "startup=",
            "'",
            "\"",
            "\\",
            "=",
            "moves=",
            "score=",
            "two-sided=true",
            "from=",
        ],
        check: check_engine,
    },
    Target {
        name: "parameters",
        corpus: corpus!("parameters.txt"),
        words: &[
            "name=", "type=", "int", "float", "start=", "min=", "max=", "c=", "r=", ",", "#", "\n",
            "0.002", "1e300", "-1e-300",
        ],
        check: check_parameters,
    },
    Target {
        name: "counts",
        corpus: corpus!("counts.txt"),
        words: &[
            ",",
            "0",
            "1000000000000000",
            "95%",
            "%",
            "100%",
            "ms",
            "s",
            "m",
            "1.5",
        ],
        check: check_counts,
    },
];

fn check_clock(bytes: &[u8]) -> Result<Checked, String> {
    let text = text(bytes);
    if let Err(error) = parse_clock(&text) {
        let columns = text.chars().count() + 1;
        ensure((1..=columns).contains(&error.column), || {
            format!("column {} is not within the text", error.column)
        })?;
    }
    let read = |bytes: &[u8]| parse_clock(&crate::target::text(bytes));
    let clock = read_again(bytes, read, |clock| write_clock(clock.as_ref()))?;
    Ok(Checked::of(clock.is_some()))
}

fn check_engine(bytes: &[u8]) -> Result<Checked, String> {
    let text = text(bytes);
    for error in [
        text.parse::<ResignText>().err(),
        text.parse::<DrawText>().err(),
        text.parse::<Words>().err(),
    ] {
        error.map(|error| refused(&error)).transpose()?;
    }
    let in_words = text.parse::<EngineDraft>();
    match EngineDraft::from_argument(&text) {
        Ok(draft) => {
            let twice = draft.clone().over(draft.clone());
            same("laid over itself", &twice, &draft)?;
            Ok(Checked::Read)
        }
        Err(error) => {
            in_words.err().map(|error| refused(&error)).transpose()?;
            refused(&error)
        }
    }
}

fn check_parameters(bytes: &[u8]) -> Result<Checked, String> {
    let text = text(bytes);
    if let Ok(parameter) = text.parse::<Parameter>() {
        check_parameter(&parameter)?;
    }
    match parameter::read(&text) {
        Ok(list) => {
            list.iter().try_for_each(check_parameter)?;
            if let Err(error) = parameter::check_list(&list) {
                return refused(&error);
            }
            Ok(Checked::Read)
        }
        Err(error) => refused(&error),
    }
}

/// A parameter is written as a line and read again; its settings stay in its range.
fn check_parameter(parameter: &Parameter) -> Result<(), String> {
    let line = parameter.to_line(parameter.start);
    let is_a_comment = parameter.name.contains('#') || parameter.name.trim() != parameter.name;
    let again = Parameter::from_line(&line);
    ensure(is_a_comment || again.as_ref() == Ok(parameter), || {
        format!("{line:?} is read as {again:?}, expected {parameter:?}")
    })?;
    for value in [parameter.min, parameter.start, parameter.max] {
        let setting = parameter.nearest(value);
        let number: f64 = setting
            .parse()
            .map_err(|_| format!("{setting} is no number"))?;
        ensure((parameter.min..=parameter.max).contains(&number), || {
            format!("{setting} is not within the range of {parameter:?}")
        })?;
    }
    Ok(())
}

fn check_counts(bytes: &[u8]) -> Result<Checked, String> {
    let text = text(bytes);
    let pairs: Option<Pentanomial> = text_again(&text)?;
    let games: Option<Wdl> = text_again(&text)?;
    if let Some(pairs) = pairs {
        pairs.can_be_made_of(games.unwrap_or_default());
        same("reversed twice", &pairs.reversed().reversed(), &pairs)?;
    }
    let part: Option<MinSolved> = text.parse().ok();
    let time = time(&text).ok();
    let is_read = pairs.is_some() || games.is_some() || part.is_some() || time.is_some();
    Ok(Checked::of(is_read))
}
