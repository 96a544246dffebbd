//! The games that `selfplay report` writes one by one: chosen by number, fault or loser.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Component, Path};

use crate::model::{EngineIndex, Fault, GameRecord, RunConfig};
use crate::play::ledger::pgn_game;

#[derive(Debug, clap::Args)]
pub(super) struct ChosenArgs {
    /// Only these games, by number: 17, or 3,20-25
    ///
    /// With --format csv, pgn or transcript.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = numbers)]
    game: Vec<RangeInclusive<u64>>,

    /// Only games that ended by a fault, or those of E
    ///
    /// With the name of an engine: only those that it lost.
    #[arg(long, value_name = "E", num_args = 0..=1, require_equals = true)]
    #[expect(clippy::option_option, reason = "an option with an optional value")]
    faults: Option<Option<String>>,
}

fn numbers(text: &str) -> Result<RangeInclusive<u64>, String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.trim().parse(), to.trim().parse()) {
        (Ok(from), Ok(to)) if 1 <= from && from <= to => Ok(from..=to),
        _ => Err("expected a game number from 1, such as 17, or a range, such as 20-25".to_owned()),
    }
}

/// What is written of each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GameDetail {
    Pgn,
    Transcript,
}

/// The choice, with the games found so far.
pub(super) struct ChosenGames<'a> {
    args: &'a ChosenArgs,
    config: &'a RunConfig,
    lost_by: Option<EngineIndex>,
    /// Number of games seen, chosen or not, and the highest number of any.
    seen: u64,
    last: u64,
    /// Texts by number; empty for a game of the list that is not chosen.
    found: BTreeMap<u64, String>,
    /// Number of chosen games.
    pub(super) chosen: u64,
}

impl ChosenArgs {
    pub(super) fn is_all(&self) -> bool {
        self.game.is_empty() && self.faults.is_none()
    }

    /// Checks the name of the engine.
    pub(super) fn of<'a>(&'a self, config: &'a RunConfig) -> anyhow::Result<ChosenGames<'a>> {
        let index = |name: &String| {
            let engines = config.engines.iter();
            let names: Vec<&str> = engines.map(|one| one.name.as_str()).collect();
            let found = names.iter().position(|one| one == name);
            let names = names.join(", ");
            found
                .map(EngineIndex)
                .ok_or_else(|| super::bad(format!("no engine '{name}' in this run of {names}")))
        };
        Ok(ChosenGames {
            args: self,
            config,
            lost_by: self.faults.iter().flatten().next().map(index).transpose()?,
            seen: 0,
            last: 0,
            found: BTreeMap::new(),
            chosen: 0,
        })
    }
}

impl ChosenGames<'_> {
    /// Returns true if the game is one of them.
    pub(super) fn has(&mut self, record: &GameRecord) -> bool {
        let number = record.plan.game + 1;
        self.seen += 1;
        self.last = self.last.max(number);
        let lists = &self.args.game;
        let is_listed = lists.is_empty() || lists.iter().any(|range| range.contains(&number));
        let lost = |engine| record.half_points(engine) == Some(0);
        let is_chosen = is_listed
            && (self.args.faults.is_none() || record.fault.is_some())
            && self.lost_by.is_none_or(lost);
        if !lists.is_empty() && is_listed {
            self.found.insert(number, String::new());
        }
        self.chosen += u64::from(is_chosen);
        is_chosen
    }

    /// Adds the text of a chosen game. `directory` is that of the run.
    pub(super) fn add(
        &mut self,
        record: &GameRecord,
        text: GameDetail,
        directory: &Path,
    ) -> anyhow::Result<()> {
        let number = record.plan.game + 1;
        let text = match text {
            GameDetail::Pgn => pgn_game(self.config, record)
                .map_err(|error| super::bad(format!("game {number}: {error}")))?,
            GameDetail::Transcript => {
                let text = transcripts(record, directory)?;
                if text.is_empty() && !self.args.game.is_empty() {
                    let ending = record.termination.as_str();
                    return Err(super::bad(format!(
                        "game {number} has no transcript: it ended by {ending}, and only faults leave one"
                    )));
                }
                text
            }
        };
        self.found.insert(number, text);
        Ok(())
    }

    /// An error if a number in the list is not that of a recorded game.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        let listed = self.args.game.iter().cloned().flatten();
        // A range may be long, but all before the first missing number are recorded.
        let missing = { listed }.find(|number| !self.found.contains_key(number));
        missing.map_or(Ok(()), |number| {
            let games = crate::report::count(self.seen, "game");
            Err(super::bad(format!(
                "no game {number} in the ledger: it has {games}, from 1 to {}",
                self.last
            )))
        })
    }

    /// The texts of the chosen games, in the order of their numbers.
    pub(super) fn into_text(self) -> String {
        self.found.into_values().collect()
    }
}

/// The transcripts of a game's faults and incidents, one below another.
fn transcripts(record: &GameRecord, directory: &Path) -> anyhow::Result<String> {
    let faults = record.fault.iter().chain(&record.incidents);
    let mut paths: Vec<&str> = faults
        .filter_map(|one: &Fault| one.transcript.as_deref())
        .collect();
    paths.dedup();
    let mut text = String::new();
    for path in paths {
        // A ledger may come from another machine.
        let path = Path::new(path);
        let is_inside = path
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        if !is_inside {
            let path = path.display();
            return Err(super::bad(format!(
                "the transcript {path} is not in the run directory"
            )));
        }
        let path = directory.join(path);
        let bytes = kit::read::file(&path, kit::read::DATA)
            .map_err(|error| super::bad(format!("cannot read {}: {error}", path.display())))?;
        // An engine may print anything.
        text += &String::from_utf8_lossy(&bytes);
    }
    Ok(text)
}
