//! `stop`, and other commands during a search.

use std::time::Duration;

use super::{Check, Finding, Talk, recommended, required};
use crate::compliance::finding::{demand, finding};
use crate::compliance::judge::answer;
use crate::compliance::question::{Question, middle_game};
use crate::compliance::talk::{is, no_bestmove};

pub(super) static CHECKS: &[Check] = &[
    required(
        "stop",
        "answers stop with bestmove at once",
        "what comes later is taken from the engine's clock after a ponder miss",
        stops_soon,
    ),
    required(
        "immediate-stop",
        "answers a stop that comes together with go",
        "an engine that clears its stop flag only when its search begins never hears it, and \
         searches for ever",
        immediate_stop,
    ),
    required(
        "isready-in-search",
        "answers isready during a search, and searches on",
        "UCI demands it: it is how one knows a thinking engine from a dead one",
        ready_in_search,
    ),
    required(
        "one-bestmove",
        "says bestmove once for each search, also after a stop that comes late",
        "a second bestmove is taken for the answer to the next position",
        one_bestmove,
    ),
    required(
        "back-to-back",
        "searches 30 times, each as soon as the last bestmove has come",
        "so fast games are played; an engine that says bestmove before it can take the next \
         command loses some of them",
        back_to_back,
    ),
    recommended(
        "go-in-search",
        "answers stop even if another go has come during the search",
        "UCI says to pass over what comes at the wrong time; an engine that waits for the end of a \
         search without end never reads stop",
        go_in_search,
    ),
];

/// The fastest of three tries counts: an engine that is always late is late in all of them.
fn stops_soon(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    let question = middle_game();
    let mut quickest = Duration::MAX;
    for _ in 0..3 {
        talk.begin(&question, "go infinite")?;
        no_bestmove(&talk.listen(Duration::from_millis(150))?)?;
        let since = talk.say("stop")?;
        let searched = talk.answer(&question, since)?;
        talk.ready_without_bestmove()?;
        quickest = quickest.min(searched.took);
    }
    demand(quickest <= talk.patience().margin, || {
        let took = quickest.as_millis();
        format!("bestmove came {took} ms after stop, in the best of three tries")
    })
}

fn immediate_stop(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    let question = middle_game();
    for _ in 0..10 {
        talk.say(question.line())?;
        let since = talk.say_at_once(&["go infinite", "stop"])?;
        talk.answer(&question, since)?;
        talk.ready_without_bestmove()?;
    }
    Ok(())
}

fn ready_in_search(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    let question = middle_game();
    talk.begin(&question, "go infinite")?;
    for _ in 0..3 {
        talk.ready_without_bestmove()?;
    }
    no_bestmove(&talk.listen(Duration::from_millis(100))?)?;
    let since = talk.say("stop")?;
    talk.answer(&question, since)?;
    talk.ready_without_bestmove()
}

fn one_bestmove(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    let question = middle_game();
    let since = talk.begin(&question, "go depth 2")?;
    talk.answer(&question, since)?;
    talk.say("stop")?;
    no_bestmove(&talk.listen(Duration::from_millis(300))?)?;
    talk.begin(&question, "go infinite")?;
    no_bestmove(&talk.listen(Duration::from_millis(100))?)?;
    let since = talk.say_at_once(&["stop", "stop"])?;
    talk.answer(&question, since)?;
    no_bestmove(&talk.listen(Duration::from_millis(300))?)?;
    talk.ready_without_bestmove()
}

fn back_to_back(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    let questions = [
        Question::startpos(),
        Question::startpos().after("e2e4"),
        middle_game(),
    ];
    for question in questions.iter().cycle().take(30) {
        let since = talk.begin(question, "go depth 1")?;
        talk.answer(question, since)?;
    }
    talk.ready_without_bestmove()
}

fn go_in_search(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    let question = middle_game();
    talk.begin(&question, "go infinite")?;
    talk.say("go depth 2")?;
    talk.say("stop")?;
    // An engine may obey the second go, and then it answers twice.
    let heard = talk.hear("bestmove", talk.patience().answer)?;
    finding(answer::read(&question, &heard.line.text))?;
    let late = talk.listen(Duration::from_millis(300))?;
    for line in late.iter().filter(|line| is(line, "bestmove")) {
        finding(answer::read(&question, &line.text))?;
    }
    talk.ready()?;
    Ok(())
}
