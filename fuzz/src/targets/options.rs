//! Values of options: those that an engine is sent, and the words that ours takes. Dialogues about options with
//! `touchstone` itself are in `engine/tests/it/uci_fuzz`.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use engine::search::touchstone::Features;
use engine::search::{Profile, Strength};
use uci::Session;
use uci::grammar::Command;

use super::corpus;
use crate::target::{Checked, Target, ensure, refused, same, text};

pub(super) const TARGETS: &[Target] = &[Target {
    name: "option-values",
    corpus: corpus!("option_values.txt"),
    words: &[
        "option name",
        "setoption name",
        "value",
        "type",
        "spin",
        "check",
        "combo",
        "string",
        "button",
        "default",
        "min",
        "max",
        "var",
        "<empty>",
        "Hash",
        "true",
        "TRUE",
        "false",
        "null_move",
        "futility",
        "Touchstone",
        "\n",
    ],
    check,
}];

/// No clock is needed: nothing is waited for.
static NOW: LazyLock<Instant> = LazyLock::new(now);

#[expect(clippy::disallowed_methods, reason = "a session wants some time")]
fn now() -> Instant {
    Instant::now()
}

/// An input is what an engine declares and what is set then, a line each, in any order.
fn check(bytes: &[u8]) -> Result<Checked, String> {
    let text = text(bytes);
    let mut session = Session::new();
    let begun = session.handshake(*NOW, Duration::from_secs(1));
    begun.map_err(|error| error.to_string())?;
    let (declared, rest): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with("option"));
    for line in declared {
        session.line(line);
    }
    session.line("uciok");
    let mut checked = Checked::Refused;
    for line in rest {
        check_word(line)?;
        if let Ok(Command::SetOption { name, value }) = line.parse() {
            check_word(value.as_deref().unwrap_or_default())?;
            if is_set(&mut session, &name, value.as_deref())? {
                checked = Checked::Read;
            }
        }
    }
    Ok(checked)
}

/// What an option takes it takes again as it is sent, and the command for it is read as itself: but for names with
/// the word `value`, which UCI forbids.
fn is_set(session: &mut Session, name: &str, value: Option<&str>) -> Result<bool, String> {
    let command = match session.set_option(name, value) {
        Ok(command) => command,
        Err(error) => {
            refused(&error)?;
            return Ok(false);
        }
    };
    let Command::SetOption { name, value } = &command else {
        return Err(format!("{command} sets nothing"));
    };
    if name.split_whitespace().all(|word| word != "value") {
        same(
            "read again",
            &command.to_string().parse(),
            &Ok(command.clone()),
        )?;
    }
    let again = session.set_option(name, value.as_deref());
    let again = again.map_err(|error| error.to_string())?;
    same("set again", &again, &command)?;
    Ok(true)
}

/// Values of our own options.
fn check_word(text: &str) -> Result<(), String> {
    match text.parse::<Profile>() {
        Ok(profile) => same("profile", &profile.as_str().parse(), &Ok(profile))?,
        Err(error) => drop(refused(&error)?),
    }
    match Features::TOUCHSTONE.without(text) {
        Ok(features) => same("without twice", &features.without(text), &Ok(features))?,
        Err(error) => drop(refused(&error)?),
    }
    if let Ok(elo) = text.parse() {
        let is_within = Strength::ELO.contains(&elo);
        ensure(Strength::from_elo(elo).is_some() == is_within, || {
            format!("Elo {elo}")
        })?;
    }
    Ok(())
}
