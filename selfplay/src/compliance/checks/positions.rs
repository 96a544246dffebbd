//! Games that are long, repeat positions, or are nearly over.

use std::time::Duration;

use super::limits::MATE_IN_ONE;
use super::{Check, Finding, Talk, recommended, required};
use crate::compliance::finding::demand;
use crate::compliance::judge::answer;
use crate::compliance::question::{Question, long_game, middle_game};

pub(super) static CHECKS: &[Check] = &[
    required(
        "long-game",
        "reads a game of 500 plies and goes on with it",
        "the line is more than 2500 characters long: lines and histories of fixed size overflow",
        |talk| {
            talk.greet()?;
            for plies in [299, 500] {
                talk.search(&long_game(plies), "go depth 2")?;
            }
            Ok(())
        },
    ),
    required(
        "positions-in-any-order",
        "takes any position after any other",
        "the next game begins anywhere, and takebacks go back",
        |talk| {
            talk.greet()?;
            let questions = [
                Question::startpos().after("e2e4 e7e5 g1f3"),
                Question::startpos().after("e2e4"),
                middle_game(),
                Question::fen("8/8/8/4k3/8/8/4P3/4K3 b - - 5 60").after("e5e4 e1f2"),
                Question::startpos(),
            ];
            for question in questions {
                talk.search(&question, "go depth 2")?;
            }
            Ok(())
        },
    ),
    required(
        "repetition",
        "answers where the position has been on the board before",
        "the game is not over at the second time",
        |talk| {
            talk.greet()?;
            let question = Question::startpos().after("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
            talk.search(&question, "go depth 4")?;
            Ok(())
        },
    ),
    required(
        "fifty-moves",
        "answers one ply before fifty moves without capture or pawn move",
        "the game is not over before",
        |talk| {
            talk.greet()?;
            let question = Question::fen("8/8/3k4/8/8/3K4/4R3/8 w - - 98 120");
            talk.search(&question, "go depth 4")?;
            talk.search(&question.after("d3d4"), "go depth 4")?;
            Ok(())
        },
    ),
    recommended(
        "drawn-history",
        "answers with a legal move also where a draw may be claimed",
        "the players need not claim it, and who analyses wants an answer",
        |talk| {
            talk.greet()?;
            let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(3);
            talk.search(&Question::startpos().after(&shuffle), "go depth 4")?;
            let question = Question::fen("8/8/3k4/8/8/3K4/4R3/8 w - - 110 120");
            talk.search(&question, "go depth 4")?;
            Ok(())
        },
    ),
    recommended(
        "bare-kings",
        "answers with a legal move also where neither side can mate",
        "not every contest ends such games by itself",
        |talk| {
            talk.greet()?;
            talk.search(
                &Question::fen("8/8/3k4/8/8/3K4/8/8 w - - 0 90"),
                "go depth 4",
            )?;
            Ok(())
        },
    ),
    recommended(
        "many-moves",
        "answers where 218 moves are legal",
        "no legal position is known with more; shorter move lists overflow",
        |talk| {
            talk.greet()?;
            talk.search(&Question::fen(MANY_MOVES), "go depth 1")?;
            Ok(())
        },
    ),
    recommended(
        "mate-in-one",
        "mates in one",
        "an engine that does not can hardly be sound",
        |talk| {
            talk.greet()?;
            let searched = talk.search(&Question::fen(MATE_IN_ONE), "go depth 3")?;
            let text = searched.answer.text;
            demand(text == "a1a8", || {
                format!("it plays {text}, and a1a8 mates")
            })
        },
    ),
    recommended(
        "mated",
        "answers with no move where it is mated, and lives",
        "no match asks it, but those who analyse do",
        |talk| answers_no_move(talk, MATED),
    ),
    recommended(
        "stalemated",
        "answers with no move where it is stalemated, and lives",
        "no match asks it, but those who analyse do",
        |talk| answers_no_move(talk, STALEMATED),
    ),
];

/// Nenad Petrović, 1964.
const MANY_MOVES: &str = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";

const MATED: &str = "3k4/3Q4/3K4/8/8/8/8/8 b - - 0 1";
const STALEMATED: &str = "k7/8/1Q6/8/8/8/8/7K b - - 0 1";

fn answers_no_move(talk: &mut Talk<'_>, fen: &str) -> Finding {
    talk.greet()?;
    talk.begin(&Question::fen(fen), "go depth 3")?;
    let patience = talk.patience().answer.min(Duration::from_secs(3));
    let heard = talk.hear("bestmove", patience)?;
    demand(answer::is_no_move(&heard.line.text), || {
        let line = heard.line.text;
        format!("expected bestmove (none) or 0000, not '{line}'")
    })?;
    talk.search(&Question::startpos(), "go depth 2")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_218_moves() {
        assert_eq!(Question::fen(MANY_MOVES).position().legal_move_count(), 218);
    }

    #[test]
    fn games_are_over() {
        for (fen, is_check) in [(MATED, true), (STALEMATED, false)] {
            let position = *Question::fen(fen).position();
            assert_eq!(position.legal_move_count(), 0);
            assert_eq!(position.is_check(), is_check);
        }
    }

    #[test]
    fn a_mate_in_one_is_one() {
        let position = *Question::fen(MATE_IN_ONE).after("a1a8").position();
        assert!(position.is_check() && position.legal_move_count() == 0);
    }
}
