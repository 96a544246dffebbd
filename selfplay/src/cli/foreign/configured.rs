//! The engines that cutechess keeps in `engines.json`.

use serde::Deserialize;

use super::group::Value;
use super::plan::{Engine, Machine};

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
pub(super) fn configurations(machine: &Machine) -> Result<Vec<Configuration>, String> {
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
    pub(super) fn engine(&self, value: &Value<'_>) -> Result<Engine, String> {
        if self.validate_claims == Some(false) {
            return Err(value.unsupported(
                "it has validateClaims off, and results that an engine claims are never accepted",
            ));
        }
        let mut engine = Engine::default();
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
