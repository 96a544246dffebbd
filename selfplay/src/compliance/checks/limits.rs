//! `go` with each kind of limit.

use std::time::Duration;

use super::{Check, Finding, Talk, recommended, required};
use crate::compliance::finding::demand;
use crate::compliance::question::{Question, middle_game};
use crate::compliance::talk::no_bestmove;

const SINGLE_ANSWER: &str =
    "a match with this limit stands still without an answer, and falls out of step with two";

pub(super) static CHECKS: &[Check] = &[
    required(
        "go-depth",
        "answers go depth with one legal bestmove",
        SINGLE_ANSWER,
        |talk| answers(talk, "go depth 3"),
    ),
    required(
        "go-nodes",
        "answers go nodes with one legal bestmove",
        SINGLE_ANSWER,
        |talk| answers(talk, "go nodes 1000"),
    ),
    recommended(
        "go-one-node",
        "answers go nodes 1 with one legal bestmove",
        "a match at one node a move tries the evaluation alone; no other match needs it",
        |talk| answers(talk, "go nodes 1"),
    ),
    required(
        "go-movetime",
        "answers go movetime with one legal bestmove",
        SINGLE_ANSWER,
        |talk| answers(talk, "go movetime 50"),
    ),
    required(
        "go-clock",
        "answers go with two clocks with one legal bestmove",
        SINGLE_ANSWER,
        |talk| answers(talk, "go wtime 1000 btime 1000"),
    ),
    required(
        "go-increment",
        "answers go with clocks and increments with one legal bestmove",
        SINGLE_ANSWER,
        |talk| answers(talk, "go wtime 1000 btime 800 winc 10 binc 20"),
    ),
    required(
        "go-movestogo",
        "answers go with clocks and movestogo with one legal bestmove",
        SINGLE_ANSWER,
        |talk| answers(talk, "go wtime 1000 btime 1000 movestogo 20"),
    ),
    required(
        "go-infinite",
        "searches after go infinite until stop, and no shorter",
        "UCI says so; a bestmove before stop is out of step with whoever watches",
        |talk| {
            talk.greet()?;
            waits(talk, &middle_game(), "go infinite")
        },
    ),
    recommended(
        "infinite-forced",
        "waits for stop after go infinite even where there is one legal move, or a mate in one",
        "UCI says so, but many engines answer as soon as there is no more to think about",
        |talk| {
            talk.greet()?;
            for fen in [ONE_MOVE, MATE_IN_ONE] {
                waits(talk, &Question::fen(fen), "go infinite")?;
            }
            Ok(())
        },
    ),
    recommended(
        "go-searchmoves",
        "chooses among the moves of searchmoves",
        "no match needs it, but those who analyse with the engine do",
        |talk| {
            talk.greet()?;
            let go = "go depth 3 searchmoves a2a3 h2h3";
            let searched = talk.search(&Question::startpos(), go)?;
            let text = searched.answer.text;
            demand(matches!(&*text, "a2a3" | "h2h3"), || {
                format!("{text} is none of a2a3 and h2h3")
            })
        },
    ),
    recommended(
        "go-mate",
        "answers go mate 1 where there is a mate in one",
        "no match needs it, but solvers of problems do",
        |talk| {
            talk.greet()?;
            talk.search(&Question::fen(MATE_IN_ONE), "go mate 1")?;
            Ok(())
        },
    ),
];

/// White has one legal move, a1b1.
pub(super) const ONE_MOVE: &str = "7k/8/8/8/8/1p6/r7/K7 w - - 0 1";
/// White mates with a1a8.
pub(super) const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";

/// Searches a position with White to move, then one with Black to move.
fn answers(talk: &mut Talk<'_>, go: &str) -> Finding {
    talk.greet()?;
    talk.search(&Question::startpos(), go)?;
    talk.search(&Question::startpos().after("e2e4 c7c5 g1f3"), go)?;
    Ok(())
}

/// The search must not answer before `stop`, and must answer after it.
pub(super) fn waits(talk: &mut Talk<'_>, question: &Question, go: &str) -> Finding {
    talk.begin(question, go)?;
    let early = talk.listen(Duration::from_millis(400))?;
    no_bestmove(&early)?;
    let since = talk.say("stop")?;
    talk.answer(question, since)?;
    talk.ready_without_bestmove()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_move_is_one() {
        let question = Question::fen(ONE_MOVE).after("a1b1");
        let before = *question.game().start();
        assert_eq!(before.legal_move_count(), 1);
    }
}
