//! Configurations of runs: TOML as people write it, JSON as a run directory keeps it.

use std::path::Path;
use std::time::Duration;

use selfplay::config::{self, Contest, resolve};
use selfplay::ledger::Stored;
use selfplay::model::{RunConfig, TimeControl};
use selfplay::schedule::Schedule;
use selfplay::time_control::Clock;

use super::{corpus, json_words};
use crate::target::{Checked, Target, refused, same, text, within};

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "selfplay-toml",
        corpus: corpus!("selfplay_toml.txt"),
        words: &[
            "rounds",
            "system",
            "concurrency",
            "pin",
            "seed",
            "event",
            "site",
            "each",
            "[[engine]]",
            "cmd",
            "args",
            "name",
            "tc",
            "st",
            "nodes",
            "depth",
            "option",
            "env",
            "startup",
            "[openings]",
            "file",
            "format",
            "order",
            "start",
            "plies",
            "variant",
            "[adjudication]",
            "resign",
            "draw",
            "max-moves",
            "[sprt]",
            "elo0",
            "elo1",
            "alpha",
            "beta",
            "model",
            "[build]",
            "=",
            "'",
            "\"\"\"",
            "[",
            "]",
            "{",
            "}",
            "true",
            "\n",
            "swiss",
            "knockout",
            "gauntlet",
            "round-robin",
            "match",
            "1979-05-27",
        ],
        check: check_toml,
    },
    Target {
        name: "run-config",
        corpus: corpus!("run_config.txt"),
        words: json_words![
            "schema",
            "touchstone/run/1",
            "touchstone/tune/1",
            "format",
            "rounds",
            "swiss",
            "knockout",
            "gauntlet",
            "match",
            "engines",
            "openings",
            "sprt",
            "concurrency",
            "seed"
        ],
        check: check_stored,
    },
];

fn check_toml(bytes: &[u8]) -> Result<Checked, String> {
    let text = text(bytes);
    let draft = match config::parse(&text, "f") {
        Ok(draft) => draft,
        Err(error) => {
            within(text.as_bytes(), error.line, error.column)?;
            return refused(&error);
        }
    };
    let mut checked = Checked::Refused;
    for contest in [Contest::Match, Contest::Sprt, Contest::Tournament] {
        match resolve(draft.clone(), contest) {
            Ok(config) => {
                checked = Checked::Read;
                check_config(&config)?;
            }
            Err(error) => drop(refused(&error)?),
        }
    }
    Ok(checked)
}

fn check_stored(bytes: &[u8]) -> Result<Checked, String> {
    match Stored::from_json(&text(bytes), Path::new("config.json")) {
        Ok(stored) => {
            read_again(&stored)?;
            check_config(&stored.config)?;
            Ok(Checked::Read)
        }
        Err(error) => refused(&error),
    }
}

/// What a run would do first: make its schedule, ask for some games, keep the configuration.
fn check_config(config: &RunConfig) -> Result<(), String> {
    read_again(&Stored {
        config: config.clone(),
        book: None,
        programs: std::collections::BTreeMap::default(),
        revisions: std::collections::BTreeMap::default(),
        fleet: None,
        version: "0".to_owned(),
    })?;
    for engine in &config.engines {
        if let Some(control) = &engine.limits.clock {
            check_clock(control, Duration::from_millis(engine.limits.margin_ms));
        }
    }
    match Schedule::new(config) {
        Ok(mut schedule) => {
            schedule.total();
            for _ in 0..8 {
                schedule.next();
            }
            Ok(())
        }
        Err(error) => refused(&error).map(drop),
    }
}

/// A game of some moves, each as long as the clock lets it be.
fn check_clock(control: &TimeControl, margin: Duration) {
    let mut clock = Clock::new(control, margin);
    for _ in 0..100 {
        clock.remaining();
        let time = clock.until_flag() / 2;
        if clock.spend(time).is_err() {
            break;
        }
    }
}

fn read_again(stored: &Stored) -> Result<(), String> {
    let Ok(written) = stored.to_json() else {
        return Ok(());
    };
    let again = Stored::from_json(&written, Path::new("config.json"));
    same(
        "read again",
        &again.map_err(|error| error.to_string()),
        &Ok(stored.clone()),
    )
}
