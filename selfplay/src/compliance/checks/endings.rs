//! How the engine exits, and what it leaves behind.

use std::time::Duration;

use uci::Exit;

use super::{Check, Finding, Needs, Talk, recommended, required};
use crate::compliance::finding::{Objection, demand, only_if};
use crate::compliance::process_group;
use crate::compliance::question::{Question, middle_game};
use crate::compliance::talk::now;

/// Time that an engine may take to exit.
const GRACE: Duration = Duration::from_secs(2);

pub(super) static CHECKS: &[Check] = &[
    required(
        "quit",
        "ends within 2 s of quit",
        "engines that stay take CPU and memory from the games that follow",
        |talk| {
            talk.greet()?;
            talk.search(&Question::startpos(), "go depth 1")?;
            talk.say("quit")?;
            ends(talk).map(|_| ())
        },
    ),
    required(
        "quit-in-search",
        "ends within 2 s of quit during a search",
        "a match that is broken off ends so",
        |talk| {
            talk.greet()?;
            talk.begin(&middle_game(), "go infinite")?;
            talk.listen(Duration::from_millis(100))?;
            talk.say("quit")?;
            ends(talk).map(|_| ())
        },
    ),
    recommended(
        "quit-before-uci",
        "ends within 2 s of quit as its first command",
        "a program that only looks whether the engine is there ends so",
        |talk| {
            talk.say("quit")?;
            ends(talk).map(|_| ())
        },
    )
    .before_search(Needs::Nothing),
    recommended(
        "exit-code",
        "ends with exit code 0 after quit",
        "another code, or a signal, is a crash at the end",
        |talk| {
            talk.greet()?;
            talk.search(&middle_game(), "go depth 4")?;
            talk.say("quit")?;
            let exit = ends(talk)?;
            demand(exit.is_success(), || format!("the engine {exit}"))
        },
    ),
    recommended(
        "end-of-input",
        "ends within 2 s of the end of its input",
        "so nothing remains when the program that runs it is killed",
        |talk| {
            talk.greet()?;
            talk.close_stdin();
            ends(talk).map(|_| ())
        },
    ),
    recommended(
        "end-of-input-in-search",
        "ends within 2 s of the end of its input during a search",
        "otherwise it searches on for ever when the program that runs it is killed",
        |talk| {
            talk.greet()?;
            talk.begin(&middle_game(), "go infinite")?;
            talk.listen(Duration::from_millis(100))?;
            talk.close_stdin();
            ends(talk).map(|_| ())
        },
    ),
    required(
        "no-children",
        "leaves no process behind after quit",
        "children that live on take CPU from the games that follow",
        no_children,
    ),
];

fn ends(talk: &mut Talk<'_>) -> Result<Exit, Objection> {
    let exit = talk.wait_for_end(GRACE)?;
    let lives = || Objection::Fault(format!("it lives on after {} s", GRACE.as_secs_f64()));
    exit.ok_or_else(lives)
}

/// Looks while the engine has exited but has not been reaped, so that its group id cannot have been
/// reused.
fn no_children(talk: &mut Talk<'_>) -> Finding {
    let group = talk.process_id();
    let can_tell = process_group::living(group).is_some();
    only_if(
        can_tell,
        "this system does not say which processes there are",
    )?;
    talk.greet()?;
    talk.search(&middle_game(), "go depth 4")?;
    talk.say("quit")?;
    let deadline = now() + GRACE;
    while now() < deadline {
        if process_group::living(group).is_none_or(|living| living.is_empty()) {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let living = process_group::living(group).unwrap_or_default();
    demand(living.contains(&group), || {
        format!("{} of its children live on 2 s after quit", living.len())
    })?;
    Err(Objection::NotApplicable("it does not quit".to_owned()))
}
