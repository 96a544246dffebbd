//! The format and timing of the engine's output.

use std::time::Duration;

use uci::Line;

use super::{Check, Finding, Talk, recommended, required};
use crate::compliance::finding::{Objection, demand, no_faults};
use crate::compliance::judge::info;
use crate::compliance::question::middle_game;
use crate::compliance::talk::Searched;

pub(super) static CHECKS: &[Check] = &[
    required(
        "info-grammar",
        "writes the values of info as UCI wants them: whole numbers, moves, cp or mate",
        "adjudication, clocks in PGN and every GUI read them",
        |talk| {
            let searched = look(talk)?;
            let values = searched
                .infos()
                .flat_map(|line| info::judge(&line.text).values);
            no_faults(&first_few(values))
        },
    ),
    recommended(
        "info-words",
        "uses in info no other words than UCI's and wdl",
        "who reads strictly passes the line over; texts belong behind string",
        |talk| {
            let searched = look(talk)?;
            let words = searched
                .infos()
                .flat_map(|line| info::judge(&line.text).unknown);
            let words = first_few(words.map(|word| format!("'{word}'")));
            demand(words.is_empty(), || {
                format!("UCI does not know {}", words.join(", "))
            })
        },
    ),
    recommended(
        "info-score",
        "gives a score, that is no bound, before bestmove",
        "without one no game can be adjudicated, and the PGN has no evaluation",
        |talk| {
            let searched = look(talk)?;
            let mut infos = searched.infos();
            demand(infos.any(|line| info::has_exact_score(&line.text)), || {
                "no info line with a score that is no bound came before bestmove".to_owned()
            })
        },
    ),
    recommended(
        "info-flushed",
        "prints each info when it is known, not all with bestmove",
        "who watches wants to see it; a buffer that is not flushed can keep bestmove back as well",
        flushed,
    ),
    recommended(
        "quiet-after-bestmove",
        "prints nothing after bestmove until it is asked again",
        "what comes after belongs to no search, and is taken for the next one's",
        quiet_after_bestmove,
    ),
    recommended(
        "uci-lines-only",
        "prints after uci only lines that UCI knows",
        "other texts are passed over by most, and fill the logs of all; info string is for them",
        uci_lines_only,
    ),
    recommended(
        "stderr-quiet",
        "prints nothing on standard error",
        "some programs do not read it, and then an engine that fills the pipe hangs",
        stderr_quiet,
    ),
];

fn stderr_quiet(talk: &mut Talk<'_>) -> Finding {
    look(talk)?;
    // A line without an end of line is seen only when the engine exits.
    talk.say("quit")?;
    talk.wait_for_end(talk.patience().answer)?;
    talk.kill();
    let complaints = talk.stderr();
    demand(complaints.is_empty(), || {
        let (first, _) = complaints[0].split_at(complaints[0].floor_char_boundary(200));
        format!("standard error has '{first}'")
    })
}

/// A search that prints `info` lines.
fn look(talk: &mut Talk<'_>) -> Result<Searched, Objection> {
    talk.greet()?;
    talk.search(&middle_game(), "go depth 5")
}

/// The first three distinct faults.
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
fn flushed(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    let since = talk.begin(&middle_game(), "go movetime 700")?;
    let searched = talk.answer(&middle_game(), since)?;
    let is_held_back = |line: &&Line| {
        let written = info::number(&line.text, "time").map(Duration::from_millis);
        let came = line.at.saturating_duration_since(since);
        written.is_some_and(|written| came > written + Duration::from_millis(300))
    };
    let held_back = searched.infos().filter(is_held_back).count();
    demand(held_back < 3, || {
        format!("{held_back} info lines came more than 300 ms after the time they give")
    })
}

fn quiet_after_bestmove(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    let question = middle_game();
    let since = talk.begin(&question, "go depth 4")?;
    talk.answer(&question, since)?;
    let mut late = talk.listen(Duration::from_millis(300))?;
    talk.begin(&question, "go infinite")?;
    talk.listen(Duration::from_millis(100))?;
    let since = talk.say("stop")?;
    talk.answer(&question, since)?;
    late.extend(talk.listen(Duration::from_millis(300))?);
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

fn uci_lines_only(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    let mut lines: Vec<String> = talk.introduction().to_vec();
    // Output before the answer to uci is a greeting for people, and is accepted.
    let first = lines.iter().position(|line| line.starts_with("id "));
    lines.drain(..first.unwrap_or(0));
    let searched = talk.search(&middle_game(), "go depth 5")?;
    lines.extend(searched.before.into_iter().map(|line| line.text));
    lines.extend(talk.ready()?.into_iter().map(|line| line.text));
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
