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
    let (mut file, mut is_added) = (None, true);
    for (key, value) in group.pairs()? {
        match key {
            "file" => file = Some(value.text),
            "append" => is_added = value.boolean()?,
            _ => return Err(value.unknown_key(&["file", "append"])),
        }
    }
    if file.is_none() {
        plan.note("-epdout without file=: the positions are written to fastchess.epd");
    }
    let file = file.unwrap_or("fastchess.epd");
    plan.option("--epd-output", file);
    if is_added {
        plan.switch("--epd-append");
    }
    Ok(())
}

/// Fastchess logs the dialogue with engines only with `engine=true`, and adds to the file by default.
pub(super) fn log(plan: &mut Plan, group: &Group<'_>) -> Result<(), String> {
    let (mut file, mut is_added, mut has_engines) = (None, true, false);
    for (key, value) in some_pairs(group)? {
        match key {
            "file" => file = Some(value.text),
            "level" => {
                value.choice(&["trace", "info", "warn", "err", "fatal"])?;
            }
            "append" => is_added = value.boolean()?,
            "engine" => has_engines = value.boolean()?,
            "compress" => {
                if value.boolean()? {
                    plan.note("-log compress has no counterpart: the log is plain text");
                }
            }
            "realtime" => {
                value.boolean()?;
            }
            _ => {
                let known = ["file", "level", "append", "compress", "realtime", "engine"];
                return Err(value.unknown_key(&known));
            }
        }
    }
    match file {
        Some(file) if has_engines => {
            plan.option("--log", file);
            if !is_added {
                plan.note("-log append=false: --log always appends to the file");
            }
        }
        _ => plan.note(
            "-log without file= and engine=true has no counterpart: messages go to standard error; --log \
             FILE holds the dialogue with engines",
        ),
    }
    Ok(())
}
