//! Fixed limits: obeyed, and with the same result each time.

use super::{Check, Finding, Talk, recommended};
use crate::compliance::finding::{Objection, demand, only_if};
use crate::compliance::judge::info;
use crate::compliance::question::middle_game;
use crate::compliance::talk::Searched;

pub(super) static CHECKS: &[Check] = &[
    recommended(
        "nodes-kept",
        "searches about as many nodes as go nodes says",
        "a match at fixed nodes is fair only if both sides keep to them",
        nodes_kept,
    ),
    recommended(
        "depth-kept",
        "reports no deeper depth than go depth says",
        "a match at fixed depth is fair only if both sides keep to it",
        |talk| {
            talk.greet()?;
            let searched = talk.search(&middle_game(), "go depth 4")?;
            let depths = searched
                .infos()
                .filter_map(|line| info::number(&line.text, "depth"));
            let deepest = depths.max().unwrap_or(0);
            demand(deepest <= 4, || {
                format!("go depth 4 was searched to depth {deepest}")
            })
        },
    ),
    recommended(
        "deterministic",
        "finds the same after ucinewgame, with one thread and the same nodes",
        "a fault that does not come again cannot be fixed; no match needs it",
        deterministic,
    ),
];

const NODES: u64 = 20_000;
/// Allows for engines that check their node counter only every few thousand nodes.
const MOST_NODES: u64 = NODES + 5_000;

fn nodes_kept(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    let searched = talk.search(&middle_game(), &format!("go nodes {NODES}"))?;
    let counts = searched
        .infos()
        .filter_map(|line| info::number(&line.text, "nodes"));
    let most = counts.max();
    only_if(most.is_some(), "it reports no nodes")?;
    demand(most <= Some(MOST_NODES), || {
        format!(
            "{} nodes were searched for go nodes {NODES}",
            most.unwrap_or(0)
        )
    })
}

fn deterministic(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    if talk.option("Threads").is_some() {
        talk.set("Threads", "1")?;
    }
    let first = fresh_search(talk)?;
    for _ in 0..2 {
        let again = fresh_search(talk)?;
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
fn fresh_search(talk: &mut Talk<'_>) -> Result<Vec<String>, Objection> {
    talk.new_game()?;
    let searched = talk.search(&middle_game(), &format!("go nodes {NODES}"))?;
    Ok(what_was_found(&searched))
}

fn what_was_found(searched: &Searched) -> Vec<String> {
    let mut found: Vec<String> = searched
        .infos()
        .filter(|line| info::has_exact_score(&line.text))
        .map(|line| {
            let values = |key| info::values(&line.text, key).join(" ");
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
