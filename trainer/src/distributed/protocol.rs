//! Jobs, units and results of games of self-play. Pure.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::atomic::AtomicBool;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD as BASE64, URL_SAFE_NO_PAD};
use queue::{Chunk, Job, Second, Unit};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::evaluator::Evaluator;
use crate::files::TrainerError;
use crate::game::{NODES, PlayPlan, play};
use crate::packed::{self, BYTES};

/// The kind of such jobs, with the version of the format.
pub const KIND: &str = "training-games/1";

/// A unit takes about so many nodes for each ply of a game: some 20 seconds on one core.
const NODES_PER_PLY: u64 = 200_000;
/// Games per unit at most: their positions are some megabytes.
const MOST_GAMES: u64 = 500;
/// Two engines that play this many games of a seed alike, with so many nodes for a move, are taken to
/// be the same.
const SAMPLE: RangeInclusive<u64> = 1..=4;
const SAMPLE_NODES: u64 = 400;

/// The payload of a job, shared by all workers. A unit's payload is [`UnitBody`], its result the
/// records of all their positions in base64.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobBody {
    /// Nodes of a search.
    pub nodes: u64,
    /// The file of the network in base64.
    pub network: String,
    /// The version of this program, and the SHA-256 in base64url of some games that it plays: an
    /// engine of another version plays other games.
    pub engine: String,
}

/// The games of a unit. As text: the seed, and the numbers of the first and the last game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnitBody {
    pub(crate) seed: u64,
    pub(super) games: RangeInclusive<u64>,
}

/// Why a job cannot be done here.
#[derive(Debug, thiserror::Error)]
pub(super) enum JobBodyError {
    #[error("the job is no description of games: {0}")]
    Json(#[from] serde_json::Error),
    #[error("{0} nodes, expected {NODES:?}")]
    Nodes(u64),
    #[error("the network is not base64: {0}")]
    Base64(#[from] base64::DecodeError),
    #[error("the network is invalid: {0}")]
    Network(#[from] engine::eval::network::ReadNetworkError),
}

impl JobBody {
    #[cfg(any(test, feature = "fleet"))]
    pub(crate) fn new(plan: PlayPlan, evaluator: &Evaluator) -> Result<Self, TrainerError> {
        let engine = engine(evaluator, &AtomicBool::new(false))?;
        Ok(Self {
            nodes: plan.nodes,
            network: BASE64.encode(evaluator.network().weights().to_bytes()),
            engine: engine.expect("nothing stops it"),
        })
    }

    /// Parses the payload, and builds the evaluator that it describes.
    pub(super) fn read(text: &str) -> Result<(Self, Evaluator), JobBodyError> {
        let body: Self = serde_json::from_str(text)?;
        let evaluator = body.evaluator()?;
        Ok((body, evaluator))
    }

    /// Checks the numbers, and builds the evaluator.
    fn evaluator(&self) -> Result<Evaluator, JobBodyError> {
        if !NODES.contains(&self.nodes) {
            return Err(JobBodyError::Nodes(self.nodes));
        }
        Ok(Evaluator::of_file(&BASE64.decode(&self.network)?)?)
    }

    /// The units of `games` games of each of the seeds.
    pub(crate) fn units(&self, seeds: &[u64], games: u64) -> Vec<UnitBody> {
        let step = usize::try_from(self.games_per_unit()).unwrap_or(usize::MAX);
        let units = seeds.iter().flat_map(|&seed| {
            (1..=games).step_by(step).map(move |first| UnitBody {
                seed,
                games: first..=games.min(first + step as u64 - 1),
            })
        });
        units.collect()
    }

    /// The job of this name with these units, and its chunks, one unit each.
    pub(super) fn job(&self, id: &str, seeds: &[u64], games: u64) -> (Job, Vec<Chunk>) {
        let units = self.units(seeds, games);
        let chunks: Vec<_> = units
            .iter()
            .zip(0..)
            .map(|(unit, key)| Chunk {
                units: vec![Unit {
                    key,
                    body: unit.to_string(),
                }],
            })
            .collect();
        let job = Job {
            id: id.to_owned(),
            kind: KIND.to_owned(),
            body: serde_json::to_string(self).expect("numbers and strings can be written"),
            units: chunks.len() as u64,
            // The same games on every machine: any difference is a fault of one of the two workers.
            second: Second::Compare,
            // The lab decides how many units are done twice.
            again_every: None,
        };
        (job, chunks)
    }

    /// Number of games of a unit, at most.
    pub(super) fn games_per_unit(&self) -> u64 {
        (NODES_PER_PLY / self.nodes).clamp(1, MOST_GAMES)
    }
}

/// The version of this program, and a digest of some games that it plays with an evaluator; `None`
/// soon after `stop` is set.
pub(super) fn engine(
    evaluator: &Evaluator,
    stop: &AtomicBool,
) -> Result<Option<String>, TrainerError> {
    let plan = PlayPlan {
        seed: 1,
        nodes: SAMPLE_NODES,
    };
    let mut records = Vec::new();
    for number in SAMPLE {
        let Some(game) = play(plan, evaluator, number, stop)? else {
            return Ok(None);
        };
        records.extend(game);
    }
    // The version alone is not enough: development builds between two releases have the same one.
    let (version, digest) = (env!("CARGO_PKG_VERSION"), sha256(&records));
    Ok(Some(format!("{version} {digest}")))
}

impl fmt::Display for UnitBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, games } = self;
        write!(f, "{seed} {} {}", games.start(), games.end())
    }
}

impl UnitBody {
    /// `None` if the text is none, or has more than [`MOST_GAMES`].
    pub(super) fn parse(text: &str) -> Option<Self> {
        let numbers: Option<Vec<u64>> = text.split(' ').map(|word| word.parse().ok()).collect();
        let [seed, first, last] = numbers?.try_into().ok()?;
        let is_sound = (1..=last).contains(&first) && last - first < MOST_GAMES;
        is_sound.then_some(Self {
            seed,
            games: first..=last,
        })
    }

    /// Number of games.
    pub(super) fn count(&self) -> u64 {
        self.games.end() - self.games.start() + 1
    }
}

pub(super) fn encode(records: &[u8]) -> String {
    BASE64.encode(records)
}

/// The records of a result of the unit with this payload.
///
/// # Errors
/// They cannot be those of its games: why.
pub(crate) fn decode(unit: &str, result: &str) -> Result<Vec<u8>, String> {
    let most = UnitBody::parse(unit);
    let most = most.ok_or_else(|| format!("'{unit}' is not a unit of games"))?;
    let most = most.count();
    let bytes = BASE64.decode(result).map_err(|error| error.to_string())?;
    let (records, rest) = bytes.as_chunks::<BYTES>();
    if !rest.is_empty() {
        return Err(format!("{} bytes after the last record", rest.len()));
    }
    let mut found = 0;
    for (record, number) in records.iter().zip(1..) {
        let (_, is_first) =
            packed::unpack(record).map_err(|error| format!("record {number}: {error}"))?;
        found += u64::from(is_first);
        if found == 0 {
            return Err("no game begins at the first record".to_owned());
        }
    }
    // Fewer are possible, since a game without a quiet position has no record.
    if found > most {
        return Err(format!("{found} games, expected at most {most}"));
    }
    Ok(bytes)
}

/// The largest number of units: their results fill a lab's disk.
const MOST_UNITS: u64 = 1_000_000;

/// The job of this name that plays so many games of each of the seeds, with its chunks.
///
/// # Errors
/// A value is out of its range, or the network is none: why.
pub fn job(
    id: &str,
    seeds: &[u64],
    games: u64,
    body: &JobBody,
) -> Result<(Job, Vec<Chunk>), String> {
    body.evaluator().map_err(|error| error.to_string())?;
    let of_seed = games.div_ceil(body.games_per_unit());
    let units = of_seed.saturating_mul(seeds.len() as u64);
    if !(1..=MOST_UNITS).contains(&units) {
        return Err(format!(
            "{} seeds of {games} games are {units} units, expected 1 to {MOST_UNITS}",
            seeds.len()
        ));
    }
    Ok(body.job(id, seeds, games))
}

/// Checks that a result of the unit with this payload is possible at all. The result of a unit is
/// the same on every machine.
///
/// # Errors
/// It is impossible: why.
pub fn check(unit: &str, result: &str) -> Result<(), String> {
    decode(unit, result).map(drop)
}

fn sha256(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(bytes))
}
