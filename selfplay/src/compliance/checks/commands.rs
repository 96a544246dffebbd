//! Commands outside a search, including invalid ones.

use std::time::Duration;

use super::limits::ONE_MOVE;
use super::{Check, Finding, Talk, recommended, required};
use crate::compliance::finding::{demand, finding};
use crate::compliance::judge::answer;
use crate::compliance::question::{Question, middle_game};
use crate::compliance::talk::{is, no_bestmove};

pub(super) static CHECKS: &[Check] = &[
    required(
        "ucinewgame",
        "takes ucinewgame before the first game, between games and twice in a row",
        "it comes before every game; an engine that clears its tables twice must not fail",
        |talk| {
            talk.greet()?;
            for _ in 0..2 {
                talk.new_game()?;
                talk.search(&Question::startpos(), "go depth 2")?;
            }
            talk.new_game()?;
            talk.new_game()
        },
    ),
    required(
        "one-write",
        "obeys several lines that come in one write",
        "programs save time by sending position and go at once; an engine that waits for the file \
         descriptor, and not for what it has read already, hangs",
        one_write,
    ),
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
        |talk| lives_after(talk, &["xyzzy", "joho debug on", "wibble 1 2 3"]),
    ),
    recommended(
        "similar-command",
        "tells commands from words that only begin like them",
        "a new command must not be taken for an old one",
        |talk| lives_after(talk, &["goodness", "isreadyy", "stopwatch", "quitclaim"]),
    ),
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
        |talk| lives_after(talk, &["", "", " "]),
    ),
    recommended(
        "crlf",
        "reads lines that end as in Windows, with CR LF",
        "UCI allows it, and a CR that stays in the word makes 'readyok' never come",
        carriage_returns,
    ),
    recommended(
        "debug",
        "takes debug on, debug off and register later",
        "UCI has them, if only to be passed over",
        |talk| lives_after(talk, &["debug on", "debug off", "register later"]),
    ),
    required(
        "idle-stop",
        "says nothing to a stop without a search",
        "a bestmove that nobody asked for is taken for the next move, and loses the game",
        |talk| {
            talk.greet()?;
            talk.say("stop")?;
            talk.ready_without_bestmove()?;
            talk.search(&Question::startpos(), "go depth 2")?;
            talk.say_at_once(&["stop", "stop"])?;
            talk.ready_without_bestmove()
        },
    ),
    recommended(
        "idle-ponderhit",
        "says nothing to a ponderhit without a search",
        "it comes when a search ends at the moment the opponent moves",
        |talk| {
            talk.greet()?;
            talk.say("ponderhit")?;
            talk.ready_without_bestmove()
        },
    ),
    required(
        "last-position-counts",
        "searches the last of several positions",
        "a position that was only announced must leave nothing behind",
        |talk| {
            talk.greet()?;
            talk.say(middle_game().line())?;
            talk.say(Question::startpos().after("e2e4 c7c5 g1f3").line())?;
            talk.search(&Question::fen(ONE_MOVE), "go depth 2")?;
            Ok(())
        },
    ),
];

fn lives_after(talk: &mut Talk<'_>, lines: &[&str]) -> Finding {
    talk.greet()?;
    for line in lines {
        talk.say(line)?;
        talk.ready_without_bestmove()?;
        // A search started by a misread command may take a while to answer.
        no_bestmove(&talk.listen(Duration::from_millis(60))?)?;
    }
    talk.search(&Question::startpos(), "go depth 2")?;
    Ok(())
}

fn one_write(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    let question = Question::startpos().after("e2e4 c7c5");
    let lines = [
        "ucinewgame",
        "isready",
        question.line(),
        "go depth 2",
        "isready",
    ];
    talk.say_at_once(&lines)?;
    talk.hear("readyok", talk.patience().answer)?;
    // The second readyok may come during the search or after it.
    let heard = talk.hear("readyok", talk.patience().answer)?;
    let early = heard.before.into_iter().find(|line| is(line, "bestmove"));
    let bestmove = if let Some(line) = early {
        line
    } else {
        talk.hear("bestmove", talk.patience().answer)?.line
    };
    finding(answer::read(&question, &bestmove.text))?;
    talk.ready_without_bestmove()
}

fn split_line(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    talk.say_as_it_is("isre")?;
    let early = talk.listen(Duration::from_millis(50))?;
    demand(early.iter().all(|line| line.text != "readyok"), || {
        "readyok came before the line had ended".to_owned()
    })?;
    talk.say_as_it_is("ady\n")?;
    talk.hear("readyok", talk.patience().answer)?;
    Ok(())
}

fn white_space(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    let question = Question::startpos().after("e2e4");
    talk.say(" \t isready \t ")?;
    talk.hear("readyok", talk.patience().answer)?;
    talk.say("  position \t startpos   moves \t e2e4 ")?;
    let since = talk.say("\tgo   depth \t 2 ")?;
    talk.answer(&question, since)?;
    talk.ready_without_bestmove()
}

fn carriage_returns(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    let question = Question::startpos().after("e2e4");
    talk.say_as_it_is("isready\r\n")?;
    let heard = talk.hear("readyok", talk.patience().answer)?;
    no_bestmove(&heard.before)?;
    let line = question.line();
    talk.say_as_it_is(&format!("{line}\r\n"))?;
    let since = talk.say_as_it_is("go depth 2\r\n")?;
    talk.answer(&question, since)?;
    talk.ready_without_bestmove()
}
