//! Pondering, for engines with the option `Ponder`.

use std::time::Duration;

use super::limits::{MATE_IN_ONE, ONE_MOVE, waits};
use super::{Check, Finding, Talk, recommended, required};
use crate::compliance::finding::{demand, only_if};
use crate::compliance::question::{Question, middle_game};
use crate::compliance::talk::no_bestmove;

const GO_PONDER: &str = "go ponder wtime 400 btime 400";

pub(super) static CHECKS: &[Check] = &[
    required(
        "ponderhit",
        "ponders until ponderhit, then answers within its clock",
        "before ponderhit its move cannot be played, and after it its clock runs",
        ponderhit,
    ),
    required(
        "ponder-stop",
        "ponders until stop, then answers at once",
        "another move was played: the next search waits for the answer, on its clock",
        |talk| {
            greet_ponderer(talk)?;
            waits(talk, &middle_game(), GO_PONDER)?;
            talk.search(&Question::startpos(), "go depth 2")?;
            Ok(())
        },
    ),
    required(
        "ponder-race",
        "answers a ponderhit or a stop that comes together with go ponder",
        "an opponent that moves at once makes them come so",
        ponder_race,
    ),
    recommended(
        "ponder-forced",
        "waits while it ponders even where there is one legal move, or a mate in one",
        "UCI says so; who sends ponderhit must otherwise know that the answer was there before",
        |talk| {
            greet_ponderer(talk)?;
            for fen in [ONE_MOVE, MATE_IN_ONE] {
                waits(talk, &Question::fen(fen), GO_PONDER)?;
            }
            Ok(())
        },
    ),
];

fn greet_ponderer(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    only_if(talk.option("Ponder").is_some(), "it has no option Ponder")?;
    talk.set("Ponder", "true")?;
    talk.ready()?;
    Ok(())
}

/// The fastest of three tries counts.
fn ponderhit(talk: &mut Talk<'_>) -> Finding {
    greet_ponderer(talk)?;
    let question = middle_game();
    let mut quickest = Duration::MAX;
    for _ in 0..3 {
        talk.begin(&question, GO_PONDER)?;
        no_bestmove(&talk.listen(Duration::from_millis(600))?)?;
        let since = talk.say("ponderhit")?;
        let searched = talk.answer(&question, since)?;
        talk.ready_without_bestmove()?;
        quickest = quickest.min(searched.took);
    }
    let most = Duration::from_millis(400) + talk.patience().margin;
    demand(quickest <= most, || {
        let took = quickest.as_millis();
        format!("bestmove came {took} ms after ponderhit with 400 ms on the clock, three times")
    })
}

fn ponder_race(talk: &mut Talk<'_>) -> Finding {
    greet_ponderer(talk)?;
    let question = middle_game();
    for end in ["ponderhit", "stop", "ponderhit", "stop"] {
        talk.say(question.line())?;
        let since = talk.say_at_once(&[GO_PONDER, end])?;
        talk.answer(&question, since)?;
        talk.ready_without_bestmove()?;
    }
    Ok(())
}
