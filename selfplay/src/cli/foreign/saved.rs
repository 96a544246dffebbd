//! The file in which fastchess saves a run, as a line of its options. Pure.

use serde_json::Value;

/// What a file says.
#[derive(Debug)]
pub(super) struct Saved {
    /// The options that it stands for.
    pub(super) words: Vec<String>,
    /// Number of games that it counts.
    pub(super) games: u64,
}

/// Options, each after the value that must be neither `false` nor empty, if there is one. A value stands
/// for its path in the file; a number may select one of some words.
#[rustfmt::skip]
const OPTIONS: [(&str, &str); 26] = [
    ("/resign/enabled",
        "-resign movecount={/resign/move_count} score={/resign/score} twosided={/resign/twosided}"),
    ("/draw/enabled",
        "-draw movenumber={/draw/move_number} movecount={/draw/move_count} score={/draw/score}"),
    ("/maxmoves/enabled", "-maxmoves {/maxmoves/move_count}"),
    ("/tb_adjudication/enabled", "-tb {/tb_adjudication/syzygy_dirs}"),
    ("/tb_adjudication/enabled", "-tbpieces {/tb_adjudication/max_pieces}"),
    ("/tb_adjudication/ignore_50_move_rule", "-tbignore50"),
    ("/opening/file",
        "-openings file={/opening/file} format={/opening/format|epd|pgn|} order={/opening/order|random|sequential} \
         plies={/opening/plies} start={/opening/start}"),
    ("/pgn/file",
        "-pgnout file={/pgn/file} notation={/pgn/notation|san|lan|uci} append={/pgn/append_file} \
         nodes={/pgn/track_nodes} seldepth={/pgn/track_seldepth} nps={/pgn/track_nps} \
         hashfull={/pgn/track_hashfull} tbhits={/pgn/track_tbhits} timeleft={/pgn/track_timeleft} \
         latency={/pgn/track_latency} pv={/pgn/track_pv} min={/pgn/min}"),
    ("/pgn/event_name", "-event {/pgn/event_name}"),
    ("/pgn/site", "-site {/pgn/site}"),
    ("/epd/file", "-epdout file={/epd/file} append={/epd/append_file}"),
    ("", "-games {/games}"),
    ("", "-rounds {/rounds}"),
    ("/sprt/enabled",
        "-sprt elo0={/sprt/elo0} elo1={/sprt/elo1} alpha={/sprt/alpha} beta={/sprt/beta} model={/sprt/model}"),
    ("", "-tournament {/type|roundrobin|gauntlet}"),
    ("", "-seeds {/gauntlet_seeds}"),
    ("", "-variant {/variant|standard|fischerandom}"),
    ("", "-concurrency {/concurrency}"),
    ("/force_concurrency", "-force-concurrency"),
    ("", "-wait {/wait}"),
    ("/recover", "-recover"),
    ("/noswap", "-noswap"),
    ("/reverse", "-reverse"),
    ("/affinity", "-use-affinity"),
    ("/check_mate_pvs", "-check-mate-pvs"),
    ("", "-srand {/seed}"),
];

/// Keys of an engine whose values are texts or numbers; 0 is none.
const ENGINE: [&str; 7] = [
    "name={/name}",
    "cmd={/cmd}",
    "dir={/dir}",
    "args={/args}",
    "nodes={/limit/nodes}",
    "depth={/limit/plies}",
    "restart={/restart}",
];

/// Reads the text of a file.
///
/// # Errors
///
/// If it is not JSON, or lacks a value that fastchess saves.
pub(super) fn read(text: &str) -> Result<Saved, String> {
    let file: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut words = Vec::new();
    for (condition, option) in OPTIONS {
        let is_given = condition.is_empty() || {
            let value = at(&file, condition)?;
            *value != Value::Bool(false) && value.as_str() != Some("")
        };
        if is_given {
            for word in option.split_whitespace() {
                let word = filled(&file, word)?;
                words.extend((!word.ends_with('=')).then_some(word));
            }
        }
    }
    for engine in list(&file, "/engines")? {
        words.push("-engine".to_owned());
        for word in ENGINE {
            let word = filled(engine, word)?;
            match word.split_once('=') {
                Some((_, "" | "0" | "false")) => {}
                Some(("restart", _)) => words.push("restart=on".to_owned()),
                _ => words.push(word),
            }
        }
        let tc = |key: &str| {
            let path = format!("/limit/tc/{key}");
            let value = at(engine, &path)?.as_u64();
            value.ok_or_else(|| format!("{path}: expected a whole number"))
        };
        let [time, increment, fixed] = [tc("time")?, tc("increment")?, tc("fixed_time")?];
        let seconds = |ms: u64| format!("{}.{:03}", ms / 1000, ms % 1000);
        if fixed > 0 {
            words.push(format!("st={}", seconds(fixed)));
        } else if time + increment > 0 {
            let moves = Some(tc("moves")?).filter(|&moves| moves > 0);
            let moves = moves.map_or_else(String::new, |moves| format!("{moves}/"));
            words.push(format!(
                "tc={moves}{}+{}",
                seconds(time),
                seconds(increment)
            ));
        }
        words.push(format!("timemargin={}", tc("timemargin")?));
        for option in list(engine, "/options")? {
            words.push(filled(option, "option.{/0}={/1}")?);
        }
    }
    let results = at(&file, "/stats")?.as_object();
    let results = results.into_iter().flat_map(|results| results.values());
    let counts = results.flat_map(|of_two| ["wins", "losses", "draws"].map(|key| &of_two[key]));
    Ok(Saved {
        words,
        games: counts.filter_map(Value::as_u64).sum(),
    })
}

fn at<'v>(value: &'v Value, path: &str) -> Result<&'v Value, String> {
    let found = value.pointer(path);
    found.ok_or_else(|| format!("{path} is missing, expected a file that fastchess has saved"))
}

fn list<'v>(value: &'v Value, path: &str) -> Result<&'v [Value], String> {
    let found = at(value, path)?.as_array().map(Vec::as_slice);
    found.ok_or_else(|| format!("{path}: expected a list"))
}

/// A word with the values that it has in braces.
fn filled(file: &Value, word: &str) -> Result<String, String> {
    let mut text = String::new();
    let mut rest = word;
    while let Some((before, after)) = rest.split_once('{') {
        let (place, behind) = after.split_once('}').unwrap_or((after, ""));
        let (path, choices) = place.split_once('|').unwrap_or((place, ""));
        let value = at(file, path)?;
        let choice = value.as_u64().and_then(|index| usize::try_from(index).ok());
        let choice = choice.filter(|_| place.contains('|'));
        text += before;
        match (choice, value) {
            (Some(index), _) => {
                let chosen = choices.split('|').nth(index);
                text += chosen.ok_or_else(|| format!("{path}: {index} is unknown"))?;
            }
            (None, Value::String(value)) => text += value,
            (None, value) => text += &value.to_string(),
        }
        rest = behind;
    }
    Ok(text + rest)
}
