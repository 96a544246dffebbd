//! Tunings: the configuration and the journal of a directory.

use std::sync::LazyLock;

use selfplay::tune::config::{StoredConfig, TuneConfig};
use selfplay::tune::journal::{IterationRecord, Replay};

use super::{corpus, json_words};
use crate::corpus::entries;
use crate::target::{Checked, Target, read_again, refused, same};

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "tune-config",
        corpus: corpus!("tune_config.txt"),
        words: json_words![
            "schema", "touchstone/tune/1", "config", "parameters", "gains", "iterations", "alpha",
            "lag", "int", "float";
            "1e308", "-1e308"
        ],
        check: check_config,
    },
    Target {
        name: "tune-journal",
        corpus: corpus!("tune_journal.txt"),
        words: &[
            "{\"iteration\":",
            "\"plus\":",
            "\"minus\":",
            "\"wins\":",
            "\"draws\":",
            "\"losses\":",
            "\"faults\":",
            "\"values\":",
            "}\n",
            "\n",
            "[",
            "]",
            "null",
        ],
        check: check_journal,
    },
];

/// The first entry of the corpus, whose journal is the corpus of journals.
static CONFIG: LazyLock<TuneConfig> = LazyLock::new(|| {
    let first = entries(corpus!("tune_config.txt")).swap_remove(0);
    let stored: StoredConfig = serde_json::from_slice(&first).expect("a sound configuration");
    stored.config
});

fn check_config(bytes: &[u8]) -> Result<Checked, String> {
    let read = |bytes: &[u8]| serde_json::from_slice::<StoredConfig>(bytes);
    let write = |stored: &StoredConfig| serde_json::to_vec(stored).expect("text and numbers");
    let Some(stored) = read_again(bytes, read, write)? else {
        return Ok(Checked::Refused);
    };
    if let Err(error) = stored.check() {
        return refused(&error);
    }
    let state = stored.config.begin();
    state.trial(1);
    state.values();
    stored.config.games();
    stored.config.most_at_once();
    Ok(Checked::Read)
}

fn check_journal(bytes: &[u8]) -> Result<Checked, String> {
    match Replay::of(bytes, &CONFIG) {
        Ok(replay) => {
            let written: String = replay
                .records
                .iter()
                .map(IterationRecord::to_line)
                .collect();
            let again = Replay::of(written.as_bytes(), &CONFIG);
            let again = again.map_err(|error| error.to_string())?;
            // The values of a line may be read off by one in the last place; they are only compared.
            same("records", &again.records.len(), &replay.records.len())?;
            same("values", &again.spsa.values(), &replay.spsa.values())?;
            Ok(Checked::Read)
        }
        Err(error) => refused(&error),
    }
}
