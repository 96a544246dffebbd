//! Games of self-play as a test of a lab: submitted, waited for, written to files. An edge.

use std::io::Write as _;

use kit::{BadInput, Interrupt};
use queue::lab::{LabTest, TestClient};
use serde::Deserialize;
use serde_json::json;

use crate::distributed::{JobBody, decode};
use crate::evaluator::Evaluator;
use crate::game::Games;
use crate::packed::BYTES;
use crate::{Say, files};

/// A lab whose workers play.
pub(crate) struct TrainingLab<'a> {
    client: TestClient<'a>,
    say: Say<'a>,
}

/// What a lab knows of such a test: a part of `touchstone/lab-summary/1`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct KnownGames {
    units: u64,
    outcome: Option<String>,
    headline: String,
    warnings: Vec<String>,
}

/// Games of files, one for each seed, that a lab is to play.
pub(crate) struct LabGames {
    body: JobBody,
    seeds: Vec<u64>,
    games: u64,
}

impl LabGames {
    pub(crate) fn new(games: &Games, seeds: &[u64]) -> anyhow::Result<Self> {
        let evaluator = Evaluator::new(games.network.as_deref())?;
        Ok(Self {
            body: JobBody::new(games.plan, &evaluator)?,
            seeds: seeds.to_vec(),
            games: games.count,
        })
    }
}

impl<'a> TrainingLab<'a> {
    pub(crate) fn connect(
        url: &str,
        interrupt: &'a Interrupt,
        say: Say<'a>,
    ) -> anyhow::Result<Self> {
        let client = TestClient::connect(url, interrupt, false)?;
        Ok(Self { client, say })
    }

    /// Submits a test with these games; `None` if nobody is to wait for it.
    pub(crate) fn submit(&self, games: &LabGames, no_wait: bool) -> anyhow::Result<Option<String>> {
        let body = &games.body;
        let spec = json!({
            "kind": "training-games",
            "training": {
                "seeds": games.seeds,
                "games": games.games,
                "nodes": body.nodes,
                "network": body.network,
                "engine": body.engine,
            },
        });
        let submitted = self.client.submit(&spec, no_wait)?;
        Ok(submitted.map(|test| test.id))
    }

    /// Waits for a test with these games and writes the files of these seeds.
    pub(crate) fn write(
        &self,
        test: &str,
        games: &LabGames,
        outputs: &[(u64, String)],
    ) -> anyhow::Result<()> {
        let mut last = String::new();
        let mut show = |known: &KnownGames| {
            if known.headline != last {
                (self.say)(&known.headline);
                last.clone_from(&known.headline);
            }
        };
        let ended: Option<LabTest<KnownGames>> = self.client.wait(test, &mut show)?;
        let ended = ended.ok_or_else(interrupted)?;
        match ended.summary.outcome.as_deref() {
            Some("complete") => {}
            Some(_) => anyhow::bail!("{test}: {}", ended.summary.headline),
            // A test that cannot be prepared is wrong; nobody stopped it.
            None if ended.summary.units == 0 && ended.passed == Some(false) => {
                return Err(BadInput(ended.state()).into());
            }
            None => anyhow::bail!(ended.state()),
        }
        for warning in &ended.summary.warnings {
            (self.say)(&format!("note: {warning}"));
        }
        let units = games.body.units(&games.seeds, games.games);
        let results = self.client.results(test, units.len())?;
        let results = results.ok_or_else(interrupted)?;
        let mut records = Vec::new();
        for (unit, recorded) in units.iter().zip(&results) {
            let decoded = decode(&unit.to_string(), &recorded.value);
            let decoded = decoded.map_err(|reason| {
                let (key, worker) = (recorded.key, &recorded.worker);
                anyhow::anyhow!("{test}, unit {key}: worker {worker} returned a result that cannot be right: {reason}")
            });
            records.push(decoded?);
        }
        for (seed, out) in outputs {
            let mut positions = 0;
            files::write(out, |file| {
                let of_seed = units.iter().zip(&records);
                for (_, records) in of_seed.filter(|(unit, _)| unit.seed == *seed) {
                    file.write_all(records).map_err(files::at(out))?;
                    positions += records.len() / BYTES;
                }
                Ok(())
            })?;
            (self.say)(&format!("{positions} positions in {out}"));
        }
        Ok(())
    }
}

fn interrupted() -> anyhow::Error {
    queue::AskError::Interrupted.into()
}
