//! The files that fastchess writes: games, final positions, the log.

use super::group::{Group, some_pairs};
use super::plan::{Plan, key_values};

/// What the PGN can have besides the moves, by both names.
const PGN_KEYS: [&str; 9] = [
    "nodes", "seldepth", "nps", "hashfull", "tbhits", "pv", "timeleft", "latency", "min",
];

pub(super) fn pgn(plan: &mut Plan, group: &Group<'_>) -> Result<(), String> {
    let words = group.words;
    // Older versions took the name alone.
    let older = words.first().filter(|word| !word.contains('='));
    let rest = Group {
        words: &words[usize::from(older.is_some())..],
        ..*group
    };
    let mut file = older.map(|word| &**word);
    let mut append = true;
    let mut pairs = Vec::new();
    for (key, value) in rest.pairs()? {
        match key {
            "file" => file = Some(value.text),
            "append" => append = value.boolean()?,
            "notation" => pairs.push((key, value.choice(&["san", "lan", "uci"])?)),
            "match_line" => plan.note(
                "-pgnout match_line has no counterpart: lines of an engine are printed by -v, and \
                 those of games with faults are in DIR/failures",
            ),
            _ if PGN_KEYS.contains(&key) => {
                pairs.push((key, if value.boolean()? { "on" } else { "off" }));
            }
            _ => {
                let mut known = vec!["notation", "file", "append", "match_line"];
                known.extend(PGN_KEYS);
                return Err(value.unknown_key(&known));
            }
        }
    }
    match file {
        Some(file) => {
            pairs.push(("file", file));
            if append {
                pairs.push(("append", "on"));
            }
        }
        None => plan.note("-pgnout without file=: the games are in games.pgn of the run directory"),
    }
    if !pairs.is_empty() {
        plan.option("--pgn", key_values(pairs));
    }
    Ok(())
}

pub(super) fn epd(plan: &mut Plan, group: &Group<'_>) -> Result<(), String> {
    let mut file = None;
    for (key, value) in group.pairs()? {
        match key {
            "file" => file = Some(value.text),
            "append" => {
                value.boolean()?;
            }
            _ => return Err(value.unknown_key(&["file", "append"])),
        }
    }
    if file.is_none() {
        plan.note("-epdout without file=: the positions are written to fastchess.epd");
    }
    let file = file.unwrap_or("fastchess.epd");
    plan.option("--epd-output", file);
    Ok(())
}

pub(super) fn log(plan: &mut Plan, group: &Group<'_>) -> Result<(), String> {
    for (key, value) in some_pairs(group)? {
        match key {
            "file" => {}
            "level" => {
                value.choice(&["trace", "info", "warn", "err", "fatal"])?;
            }
            "append" | "compress" | "realtime" | "engine" => {
                value.boolean()?;
            }
            _ => {
                let known = ["file", "level", "append", "compress", "realtime", "engine"];
                return Err(value.unknown_key(&known));
            }
        }
    }
    plan.note(
        "-log has no counterpart: -v prints every line of the engines on standard error, and \
         transcripts of games with faults are in DIR/failures",
    );
    Ok(())
}
