//! The keys of `-engine` and `-each`, and the engines that cutechess keeps in `engines.json`.

use serde::Deserialize;

use super::Program;
use super::group::{GroupValue, OptionGroup};
use super::plan::{ForeignEngine, ForeignMachine, quoted};
use super::state::{ExtraKeys, ForeignState};

/// Keys of fastchess.
pub(super) const FASTCHESS: &[&str] = &[
    "cmd",
    "name",
    "args",
    "tc",
    "timemargin",
    "st",
    "nodes",
    "restart",
    "plies",
    "depth",
    "proto",
    "dir",
    "option.NAME",
];
/// Keys of cutechess-cli.
pub(super) const CUTECHESS: &[&str] = &[
    "conf",
    "name",
    "cmd",
    "dir",
    "arg",
    "initstr",
    "stderr",
    "restart",
    "trust",
    "proto",
    "tc",
    "st",
    "timemargin",
    "book",
    "bookdepth",
    "whitepov",
    "depth",
    "nodes",
    "ponder",
    "tscale",
    "debug",
    "option.NAME",
];

pub(super) fn engine(state: &mut ForeignState, group: &OptionGroup<'_>) -> Result<(), String> {
    let mut engine = (ForeignEngine::default(), ExtraKeys::default());
    read(state, &group.filled()?, &mut engine)?;
    state.plan.engines.push(engine.0);
    state.extras.push(engine.1);
    Ok(())
}

pub(super) fn each(state: &mut ForeignState, group: &OptionGroup<'_>) -> Result<(), String> {
    state.key_values(&group.filled()?)?;
    state.each.extend_from_slice(group.words);
    Ok(())
}

/// Sets the keys of `-each` in every engine, after those of the engine itself, which they override.
pub(super) fn finish(state: &mut ForeignState) -> Result<(), String> {
    let each = shared(state)?;
    let words = std::mem::take(&mut state.each);
    let group = OptionGroup {
        option: "-each",
        words: &words,
    };
    for index in 0..state.plan.engines.len() {
        let mut both = (
            std::mem::take(&mut state.plan.engines[index]),
            std::mem::take(&mut state.extras[index]),
        );
        read(state, &group, &mut both)?;
        let (mut engine, extra) = both;
        set_margin(&mut engine);
        let clock = engine.get("tc").filter(|&clock| clock != "inf");
        if clock.is_some() && engine.get("movetime").is_some() {
            return Err("tc and st together: expected one of them".to_owned());
        }
        if let Some(path) = engine.program_in_directory() {
            // Cutechess-cli looks for paths only, and for what is there.
            let is_path = |cmd: &str| cmd.contains(std::path::is_separator);
            if state.is_fastchess()
                || engine.get("cmd").is_some_and(is_path)
                || (state.machine.is_file)(&path)
            {
                engine.set("cmd", path.to_string_lossy());
            }
        }
        state.plan.engines[index] = engine;
        state.extras[index] = extra;
    }
    state.plan.share(&each);
    Ok(())
}

/// What `-each` sets.
pub(super) fn shared(state: &mut ForeignState) -> Result<ForeignEngine, String> {
    let words = state.each.clone();
    let group = OptionGroup {
        option: "-each",
        words: &words,
    };
    let mut each = (ForeignEngine::default(), ExtraKeys::default());
    read(state, &group, &mut each)?;
    set_margin(&mut each.0);
    Ok(each.0)
}

/// In both programs, a time per move may not be exceeded without `timemargin`; here it may.
fn set_margin(engine: &mut ForeignEngine) {
    let has_clock = engine.get("tc").is_some_and(|clock| clock != "inf");
    if engine.get("movetime").is_some() && !has_clock && engine.get("margin").is_none() {
        engine.set("margin", "0ms");
    }
}

fn read(
    state: &mut ForeignState,
    group: &OptionGroup<'_>,
    (engine, extra): &mut (ForeignEngine, ExtraKeys),
) -> Result<(), String> {
    let known = match state.program {
        Program::Fastchess => FASTCHESS,
        Program::Cutechess => CUTECHESS,
    };
    let mut seen = std::collections::BTreeSet::new();
    for (key, value) in state.key_values(group)? {
        let name = key.strip_prefix("option.");
        if name.map_or(!known.contains(&key), str::is_empty) {
            return Err(value.unknown_key(known));
        }
        let plan = &mut state.plan;
        match key {
            "cmd" | "name" | "dir" | "args" => engine.set(key, value.text),
            "conf" => (*engine, *extra) = configured(&state.machine, value)?,
            // One argument each.
            "arg" => {
                let before = engine.get("args").map(|args| format!("{args} "));
                let args = before.unwrap_or_default() + &quoted(value.text);
                engine.set("args", args);
            }
            "initstr" => {
                for line in value.text.split("\\n") {
                    engine.add("startup", line);
                }
            }
            "stderr" => plan.note(
                "stderr has no counterpart: what an engine prints on standard error is in the \
                 transcripts of games with faults (DIR/failures)",
            ),
            "restart" => {
                let modes: &[&'static str] = match state.program {
                    Program::Fastchess => &["on", "off"],
                    Program::Cutechess => &["auto", "on", "off"],
                };
                let is_on = value.choice(modes)? == "on";
                engine.set("restart", if is_on { "on" } else { "auto" });
            }
            "trust" => {
                return Err(value.unsupported(
                    "results that an engine claims are never accepted; leave it out",
                ));
            }
            "proto" => {
                let protocols: &[&'static str] = match state.program {
                    Program::Fastchess => &["uci"],
                    Program::Cutechess => &["uci", "xboard"],
                };
                match value.choice(protocols)? {
                    "xboard" => engine.set("proto", "xboard"),
                    _ => engine.remove("proto"),
                }
            }
            "tc" => {
                if state.program == Program::Fastchess {
                    engine.remove("movetime");
                    if engine.get("margin").is_some() {
                        plan.note(
                            "fastchess forgets a timemargin that stands before tc; here it holds",
                        );
                    }
                }
                engine.set("tc", value.clock()?);
            }
            "st" => engine.set("movetime", value.seconds()?),
            "timemargin" => engine.set("margin", value.milliseconds()?),
            "book" => extra.book = Some(value.text.to_owned()),
            "bookdepth" => extra.book_depth = Some(value.count(1)?),
            "whitepov" => {
                extra.is_white_pov = true;
                plan.note(
                    "whitepov has no counterpart: scores in the PGN keep the sign that the engine \
                     reports",
                );
            }
            "plies" | "depth" => engine.set("depth", value.count(1)?.to_string()),
            "nodes" => engine.set("nodes", value.count(1)?.to_string()),
            "ponder" => engine.set("ponder", "on"),
            "tscale" => {
                value.real()?;
                plan.note(
                    "tscale has no counterpart: `timeouts.startup`, `timeouts.new-game` and \
                     `timeouts.ready` in the file of --config set how long an engine may take",
                );
            }
            "debug" => {
                plan.note("debug has no counterpart: `debug on` is not sent; -v prints all lines");
            }
            option => {
                if !seen.insert(option.to_ascii_lowercase()) {
                    // What follows the first `=` is the value, also if the name goes on behind it.
                    plan.note(format!(
                        "{option}= is given twice for one engine: the last value counts"
                    ));
                }
                engine.set(option, value.text);
            }
        }
    }
    Ok(())
}

/// The engine of cutechess' file with this name.
fn configured(
    machine: &ForeignMachine,
    name: GroupValue<'_>,
) -> Result<(ForeignEngine, ExtraKeys), String> {
    let known = configurations(machine)?;
    let Some(one) = known.iter().find(|one| one.name == name.text) else {
        let names: Vec<&str> = known.iter().map(|one| &*one.name).collect();
        let expected = format!("an engine of engines.json: {}", names.join(", "));
        return Err(name.error(&expected));
    };
    let extra = ExtraKeys {
        is_white_pov: one.whitepov,
        ..ExtraKeys::default()
    };
    Ok((one.engine(&name)?, extra))
}

/// An engine of cutechess' file.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Configuration {
    pub(super) name: String,
    command: String,
    working_directory: String,
    protocol: String,
    init_strings: Vec<String>,
    pub(super) whitepov: bool,
    ponder: bool,
    restart: String,
    validate_claims: Option<bool>,
    options: Vec<serde_json::Value>,
}

/// All engines of cutechess' file.
pub(super) fn configurations(machine: &ForeignMachine) -> Result<Vec<Configuration>, String> {
    let Some(text) = &machine.engines else {
        return Err(
            "there is no engines.json, expected it in the current directory or in cutechess' \
             folder of settings"
                .to_owned(),
        );
    };
    serde_json::from_str(text).map_err(|error| format!("engines.json: {error}"))
}

impl Configuration {
    pub(super) fn engine(&self, value: &GroupValue<'_>) -> Result<ForeignEngine, String> {
        if self.validate_claims == Some(false) {
            return Err(value.unsupported(
                "it has validateClaims off, and results that an engine claims are never accepted",
            ));
        }
        let mut engine = ForeignEngine::default();
        engine.set("cmd", &*self.command);
        engine.set("name", &*self.name);
        if !self.working_directory.is_empty() {
            engine.set("dir", &*self.working_directory);
        }
        if self.protocol == "xboard" {
            engine.set("proto", "xboard");
        }
        for line in &self.init_strings {
            engine.add("startup", &**line);
        }
        if self.ponder {
            engine.set("ponder", "on");
        }
        if self.restart == "on" {
            engine.set("restart", "on");
        }
        for option in &self.options {
            let text = |key: &str| match option.get(key) {
                Some(serde_json::Value::String(text)) => Some(text.clone()),
                Some(serde_json::Value::Null) | None => None,
                Some(other) => Some(other.to_string()),
            };
            let (Some(name), Some(set)) = (text("name"), text("value")) else {
                continue;
            };
            if text("default").as_ref() != Some(&set) {
                engine.set(&format!("option.{name}"), set);
            }
        }
        Ok(engine)
    }
}
