//! The format and timing of the engine's output.

use std::time::Duration;

use uci::Line;
use uci::grammar::OptionKind;

use super::{Check, CheckFinding, Dialogue, recommended, required};
use crate::compliance::check::{Objection, demand, finding, no_faults, only_if};
use crate::compliance::dialogue::SearchedQuestion;
use crate::compliance::judge;
use crate::compliance::question::{PositionQuestion, middle_game};

pub(super) static OUTPUT: &[Check] = &[
    required(
        "info-grammar",
        "writes the values of info as UCI wants them: whole numbers, moves, cp or mate",
        "adjudication, clocks in PGN and every GUI read them",
        |dialogue| {
            let searched = look(dialogue)?;
            let values = searched
                .infos()
                .flat_map(|line| judge::judge(&line.text).values);
            no_faults(&first_few(values))
        },
    ),
    recommended(
        "info-words",
        "uses in info no other words than UCI's and wdl",
        "who reads strictly passes the line over; texts belong behind string",
        |dialogue| {
            let searched = look(dialogue)?;
            let words = searched
                .infos()
                .flat_map(|line| judge::judge(&line.text).unknown);
            let words = first_few(words.map(|word| format!("'{word}'")));
            demand(words.is_empty(), || {
                format!("UCI does not know {}", words.join(", "))
            })
        },
    ),
    recommended(
        "info-score",
        "gives an exact score before bestmove",
        "without one no game can be adjudicated, and the PGN has no evaluation",
        |dialogue| {
            let searched = look(dialogue)?;
            let mut infos = searched.infos();
            demand(infos.any(|line| judge::has_exact_score(&line.text)), || {
                "no info line with an exact score came before bestmove".to_owned()
            })
        },
    ),
    recommended(
        "info-flushed",
        "prints each info when it is known, not all with bestmove",
        "who watches wants to see it; a buffer that is not flushed can keep bestmove back as well",
        flushed,
    )
    .after(&["go-movetime"])
    .alone(),
    recommended(
        "quiet-after-bestmove",
        "prints nothing after bestmove until it is asked again",
        "what comes after belongs to no search, and is taken for the next one's",
        quiet_after_bestmove,
    )
    .after(&["go-infinite"]),
    recommended(
        "uci-lines-only",
        "prints after uci only lines that UCI knows",
        "most programs ignore other texts, which fill the logs of all; use info string for them",
        uci_lines_only,
    ),
    recommended(
        "stderr-quiet",
        "prints nothing on standard error",
        "some programs do not read it, and then an engine that fills the pipe hangs",
        stderr_quiet,
    ),
];

fn stderr_quiet(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    look(dialogue)?;
    // A line without an end of line is seen only when the engine exits.
    dialogue.say("quit")?;
    dialogue.wait_for_end(dialogue.patience().answer)?;
    dialogue.client.kill();
    let complaints = dialogue.stderr();
    demand(complaints.is_empty(), || {
        let (first, _) = complaints[0].split_at(complaints[0].floor_char_boundary(200));
        format!("standard error has '{first}'")
    })
}

/// A search that prints `info` lines.
fn look(dialogue: &mut Dialogue<'_>) -> Result<SearchedQuestion, Objection> {
    dialogue.search(&middle_game(), 5)
}

fn first_few(faults: impl Iterator<Item = String>) -> Vec<String> {
    let mut few: Vec<String> = Vec::new();
    for fault in faults {
        if few.len() < 3 && !few.contains(&fault) {
            few.push(fault);
        }
    }
    few
}

/// Detects lines that were printed early by their own time stamp, but arrived much later, together
/// with the best move.
fn flushed(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    let since = dialogue.begin(&middle_game(), "go movetime 700")?;
    let searched = dialogue.answer(&middle_game(), since)?;
    let is_held_back = |line: &&Line| {
        let written = judge::number(&line.text, "time").map(Duration::from_millis);
        let came = line.at.saturating_duration_since(since);
        written.is_some_and(|written| came > written + Duration::from_millis(300))
    };
    let held_back = searched.infos().filter(is_held_back).count();
    // One or two late lines may be the machine's fault.
    demand(held_back < 3, || {
        format!("{held_back} info lines came more than 300 ms after the time they give")
    })
}

fn quiet_after_bestmove(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    let question = middle_game();
    let since = dialogue.begin(&question, 4)?;
    dialogue.answer(&question, since)?;
    let mut late = dialogue.listen(Duration::from_millis(300))?;
    dialogue.begin(&question, "go infinite")?;
    dialogue.listen(Duration::from_millis(100))?;
    let since = dialogue.say("stop")?;
    dialogue.answer(&question, since)?;
    late.extend(dialogue.listen(Duration::from_millis(300))?);
    demand(late.is_empty(), || {
        format!("'{}' came after bestmove", late[0].text)
    })
}

const WORDS: [&str; 9] = [
    "id",
    "option",
    "uciok",
    "readyok",
    "bestmove",
    "info",
    "copyprotection",
    "registration",
    // An empty line is harmless.
    "",
];

fn uci_lines_only(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    let mut lines: Vec<String> = dialogue.introduction.clone();
    // Output before the answer to uci is a greeting for people, and is accepted.
    let first = lines.iter().position(|line| line.starts_with("id "));
    lines.drain(..first.unwrap_or(0));
    let searched = dialogue.search(&middle_game(), 5)?;
    lines.extend(searched.before.into_iter().map(|line| line.text));
    lines.extend(dialogue.ready()?.into_iter().map(|line| line.text));
    let word = |line: &str| {
        line.split_ascii_whitespace()
            .next()
            .unwrap_or("")
            .to_owned()
    };
    let stray: Vec<&String> = lines
        .iter()
        .filter(|line| !WORDS.contains(&&*word(line)))
        .collect();
    demand(stray.is_empty(), || {
        format!("{} such lines, the first is '{}'", stray.len(), stray[0])
    })
}

// Moves after the best move: principal variations and the ponder move.

pub(super) static PRINCIPAL: &[Check] = &[
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
        |dialogue| {
            for question in questions() {
                let searched = dialogue.search(&question, 6)?;
                for line in searched.infos() {
                    let moves = judge::values(&line.text, "pv");
                    finding(judge::legal_line(&question, &moves))?;
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

fn questions() -> [PositionQuestion; 3] {
    [
        PositionQuestion::startpos(),
        middle_game(),
        // Position 3 of <https://www.chessprogramming.org/Perft_Results>: pins and en passant.
        PositionQuestion::fen("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    ]
}

fn ponder_move_legal(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    let mut moves = 0;
    for question in questions() {
        let searched = dialogue.search(&question, 6)?;
        if let Some(ponder) = &searched.answer.ponder {
            moves += 1;
            finding(judge::legal_line(
                &question,
                &[&searched.answer.text, ponder],
            ))?;
        }
    }
    only_if(moves > 0, "it names none")
}

/// The last first-ranked PV line with an exact score (neither lowerbound nor upperbound).
fn last_variation(searched: &SearchedQuestion) -> Option<&Line> {
    let is_best = |line: &&Line| {
        let rank = judge::number(&line.text, "multipv").unwrap_or(1);
        rank == 1
            && judge::has_exact_score(&line.text)
            && !judge::values(&line.text, "pv").is_empty()
    };
    searched.infos().rfind(is_best)
}

fn pv_begins_with_best_move(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    let mut variations = 0;
    for question in questions() {
        let searched = dialogue.search(&question, 6)?;
        let Some(line) = last_variation(&searched) else {
            continue;
        };
        variations += 1;
        let first = judge::values(&line.text, "pv")[0];
        let best = &searched.answer.text;
        demand(first == best, || {
            format!("the last pv begins with {first}, but the best move is {best}")
        })?;
    }
    only_if(variations > 0, "it gives no pv")
}

fn three_lines(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    let option = dialogue.option("MultiPV").map(|option| option.kind);
    let has_three = matches!(option, Some(OptionKind::Spin { max, .. }) if max.unwrap_or(0) >= 3);
    only_if(has_three, "it has no option MultiPV that goes to 3")?;
    dialogue.set("MultiPV", "3")?;
    dialogue.ready()?;
    let searched = dialogue.search(&middle_game(), 4)?;
    let mut firsts = [const { String::new() }; 3];
    for line in searched.infos() {
        let rank = judge::number(&line.text, "multipv").and_then(|rank| usize::try_from(rank).ok());
        let first = judge::values(&line.text, "pv").first().copied();
        if let (Some(rank @ 1..=3), Some(first)) = (rank, first) {
            // Lines of a later depth replace those of an earlier one, in which two ranks may still
            // agree.
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

// Fixed limits: obeyed, and with the same result each time.

pub(super) static REPEATABLE: &[Check] = &[
    recommended(
        "nodes-kept",
        "searches about as many nodes as go nodes says",
        "a match at fixed nodes is fair only if both sides keep to them",
        nodes_kept,
    )
    .after(&["go-nodes"]),
    recommended(
        "depth-kept",
        "reports no deeper depth than go depth says",
        "a match at fixed depth is fair only if both sides keep to it",
        |dialogue| {
            let searched = dialogue.search(&middle_game(), "go depth 3")?;
            let depths = searched
                .infos()
                .filter_map(|line| judge::number(&line.text, "depth"));
            let deepest = depths.max().unwrap_or(0);
            demand(deepest <= 3, || {
                format!("go depth 3 was searched to depth {deepest}")
            })
        },
    )
    .after(&["go-depth"]),
    recommended(
        "deterministic",
        "finds the same after ucinewgame, with one thread and the same nodes",
        "a fault that cannot be reproduced cannot be fixed; no match needs it",
        deterministic,
    )
    .after(&["go-nodes", "threads"]),
];

const NODES: u64 = 20_000;
/// Allows for engines that check their node counter only every few thousand nodes.
const MOST_NODES: u64 = NODES + 5_000;

fn nodes_kept(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    let searched = dialogue.search(&middle_game(), format!("go nodes {NODES}"))?;
    let counts = searched
        .infos()
        .filter_map(|line| judge::number(&line.text, "nodes"));
    let most = counts.max();
    only_if(most.is_some(), "it reports no nodes")?;
    demand(most <= Some(MOST_NODES), || {
        format!(
            "{} nodes were searched for go nodes {NODES}",
            most.unwrap_or(0)
        )
    })
}

fn deterministic(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    if dialogue.option("Threads").is_some() {
        // Threads share a hash table, and how they are scheduled changes what each of them finds in
        // it.
        dialogue.set("Threads", "1")?;
    }
    let first = fresh_search(dialogue)?;
    for _ in 0..2 {
        let again = fresh_search(dialogue)?;
        let differs = first.iter().zip(&again).find(|(one, other)| one != other);
        demand(
            first.len() == again.len() && differs.is_none(),
            || match differs {
                Some((one, other)) => format!("first '{one}', then '{other}'"),
                None => format!("first {} lines, then {}", first.len(), again.len()),
            },
        )?;
    }
    Ok(())
}

/// The result of a search after `ucinewgame`: scores, PVs and the best move.
fn fresh_search(dialogue: &mut Dialogue<'_>) -> Result<Vec<String>, Objection> {
    dialogue.new_game()?;
    let searched = dialogue.search(&middle_game(), format!("go nodes {NODES}"))?;
    Ok(what_was_found(&searched))
}

fn what_was_found(searched: &SearchedQuestion) -> Vec<String> {
    let mut found: Vec<String> = searched
        .infos()
        .filter(|line| judge::has_exact_score(&line.text))
        .map(|line| {
            // Times, speeds and filling of the hash table differ in every search and are left out.
            let values = |key| judge::values(&line.text, key).join(" ");
            let score = values("cp") + &values("mate");
            format!(
                "depth {} score {score} pv {}",
                values("depth"),
                values("pv")
            )
        })
        .collect();
    found.push(format!("bestmove {}", searched.answer.text));
    found
}
