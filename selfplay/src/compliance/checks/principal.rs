//! Moves after the best move: principal variations and the ponder move.

use uci::Line;
use uci::grammar::OptionKind;

use super::{Check, Finding, Talk, recommended, required};
use crate::compliance::finding::{demand, finding, only_if};
use crate::compliance::judge::{answer, info};
use crate::compliance::question::{Question, middle_game};
use crate::compliance::talk::Searched;

pub(super) static CHECKS: &[Check] = &[
    required(
        "ponder-move-legal",
        "names a legal move to ponder on, if it names one",
        "the next position sent has this move in it, and must be one",
        ponder_move_legal,
    ),
    recommended(
        "pv-legal",
        "gives principal variations of legal moves",
        "an illegal move betrays a fault in hash table or search, and spoils what people look at",
        |talk| {
            talk.greet()?;
            for question in questions() {
                let searched = talk.search(&question, "go depth 6")?;
                for line in searched.infos() {
                    let moves = info::values(&line.text, "pv");
                    finding(answer::legal_line(&question, &moves))?;
                }
            }
            Ok(())
        },
    ),
    recommended(
        "pv-first-move",
        "begins its last principal variation with the move it plays",
        "the score of the game's record is that of another move otherwise",
        pv_begins_with_best_move,
    ),
    recommended(
        "multipv",
        "gives MultiPV 3 as three lines, numbered from 1, that begin with different moves",
        "no match needs it, but those who analyse with the engine do",
        three_lines,
    ),
];

fn questions() -> [Question; 3] {
    [
        Question::startpos(),
        middle_game(),
        Question::fen("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    ]
}

fn ponder_move_legal(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    let mut moves = 0;
    for question in questions() {
        let searched = talk.search(&question, "go depth 6")?;
        if let Some(ponder) = &searched.answer.ponder {
            moves += 1;
            finding(answer::legal_line(
                &question,
                &[&searched.answer.text, ponder],
            ))?;
        }
    }
    only_if(moves > 0, "it names none")
}

/// The last first-ranked PV line with an exact score (neither lowerbound nor upperbound).
fn last_variation(searched: &Searched) -> Option<&Line> {
    let is_best = |line: &&Line| {
        let rank = info::number(&line.text, "multipv").unwrap_or(1);
        rank == 1 && info::has_exact_score(&line.text) && !info::values(&line.text, "pv").is_empty()
    };
    searched.infos().rfind(is_best)
}

fn pv_begins_with_best_move(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    let mut variations = 0;
    for question in questions() {
        let searched = talk.search(&question, "go depth 6")?;
        let Some(line) = last_variation(&searched) else {
            continue;
        };
        variations += 1;
        let first = info::values(&line.text, "pv")[0];
        let best = &searched.answer.text;
        demand(first == best, || {
            format!("the last pv begins with {first}, but the best move is {best}")
        })?;
    }
    only_if(variations > 0, "it gives no pv")
}

fn three_lines(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    let option = talk.option("MultiPV").map(|option| option.kind);
    let has_three = matches!(option, Some(OptionKind::Spin { max, .. }) if max.unwrap_or(0) >= 3);
    only_if(has_three, "it has no option MultiPV that goes to 3")?;
    talk.set("MultiPV", "3")?;
    talk.ready()?;
    let searched = talk.search(&middle_game(), "go depth 4")?;
    let mut firsts = [const { String::new() }; 3];
    for line in searched.infos() {
        let rank = info::number(&line.text, "multipv").and_then(|rank| usize::try_from(rank).ok());
        let first = info::values(&line.text, "pv").first().copied();
        if let (Some(rank @ 1..=3), Some(first)) = (rank, first) {
            first.clone_into(&mut firsts[rank - 1]);
        }
    }
    let [one, two, three] = &firsts;
    let differ = one != two && two != three && one != three;
    demand(
        differ && firsts.iter().all(|first| !first.is_empty()),
        || {
            format!(
                "the last lines of rank 1, 2 and 3 begin with '{}'",
                firsts.join("', '")
            )
        },
    )
}
