//! The posting side: posts the games of a file, waits for them and writes the file.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::time::Duration;

use kit::Interrupt;
use queue::cli::{RetryArgs, connect, explain, explain_follow};
use queue::{Broker, Chunk, FollowError, Following, Job, Progress, Recorded};

use super::protocol::{JobBody, UnitBody, decode};
use crate::evaluator::Evaluator;
use crate::game::Games;
use crate::packed::BYTES;
use crate::{Say, files};

/// How often to query the broker for progress.
const POLL: Duration = Duration::from_millis(500);
/// Results per call to the broker: each has a megabyte or more, and a call ends after 40 s.
const PAGE: u32 = 4;
/// How long to wait for a second result of a unit while none comes.
const WAIT_FOR_SECOND: Duration = Duration::from_mins(1);

/// Games on many machines.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "On many machines")]
pub(crate) struct FleetArgs {
    /// Let the workers of this lab play
    ///
    /// See `fleet worker`. The same command resumes the same job, even if all processes were
    /// killed. The token is read from `FLEET_TOKEN`. Example: `--fleet https://lab.example`
    #[arg(hide_short_help = true, long = "fleet", value_name = "URL")]
    url: Option<String>,

    #[command(flatten)]
    retry: RetryArgs,
}

impl FleetArgs {
    /// The lab that is to play, if one is.
    pub(crate) fn connect<'a>(&self, say: Say<'a>) -> anyhow::Result<Option<Lab<'a>>> {
        let Some(url) = &self.url else {
            return Ok(None);
        };
        let (broker, retry) = (connect(url, "trainer")?, self.retry);
        Ok(Some(Lab { broker, retry, say }))
    }
}

/// A lab whose workers play.
pub(crate) struct Lab<'a> {
    broker: Box<dyn Broker>,
    retry: RetryArgs,
    say: Say<'a>,
}

/// A job of a lab.
pub(crate) struct Posted {
    pub(super) job: Job,
    pub(super) chunks: Vec<Chunk>,
}

/// Why the games of a job cannot be had.
#[derive(Debug, thiserror::Error)]
pub(super) enum GamesError {
    #[error(transparent)]
    Follow(#[from] FollowError),
    #[error(
        "job {job}, unit {unit}: workers {first} and {second} played different games, and there is no \
         third one to decide; once there is, the same command waits for it"
    )]
    Differ {
        job: String,
        unit: u64,
        first: String,
        second: String,
    },
}

impl Lab<'_> {
    /// Posts a job with the games of files, one for each of these seeds, unless it is there already.
    pub(crate) fn post(&self, games: &Games, seeds: &[u64]) -> anyhow::Result<Posted> {
        let evaluator = Evaluator::new(games.network.as_deref())?;
        let (job, chunks) = JobBody::new(games.plan, &evaluator)?.job(seeds, games.count);
        let put = || self.broker.put(&job, &mut chunks.iter().cloned());
        let interrupt = Interrupt::default();
        let retry = self.retry.policy(&interrupt, self.say);
        retry.ask(put).map_err(explain)?;
        (self.say)(&format!("job {}", job.id));
        Ok(Posted { job, chunks })
    }

    /// Waits for the games of a job and writes the files of these seeds.
    pub(crate) fn write(&self, posted: &Posted, outputs: &[(u64, String)]) -> anyhow::Result<()> {
        // Ctrl-C ends the program at once: nothing is lost, for the job is with the lab.
        let interrupt = Interrupt::default();
        let following = Following {
            broker: &*self.broker,
            job: &posted.job.id,
            poll: POLL,
            page: PAGE,
            retry: self.retry.policy(&interrupt, self.say),
        };
        let played = posted.wait(&following, WAIT_FOR_SECOND);
        let played = played.map_err(|error| match error {
            GamesError::Follow(error) => explain_follow(error),
            error @ GamesError::Differ { .. } => error.into(),
        })?;
        for (seed, out) in outputs {
            let mut positions = 0;
            files::write(out, |file| {
                for records in posted.of_seed(*seed, &played.records) {
                    file.write_all(records).map_err(files::at(out))?;
                    positions += records.len() / BYTES;
                }
                Ok(())
            })?;
            (self.say)(&format!("{positions} positions in {out}"));
        }
        let Progress {
            compared,
            to_compare,
            ..
        } = played.progress;
        if compared < to_compare {
            (self.say)(&format!(
                "note: {compared} of {to_compare} units that should be played twice were"
            ));
        }
        Ok(())
    }
}

/// The games of a job.
pub(super) struct Played {
    /// The records of each unit.
    pub(super) records: BTreeMap<u64, Vec<u8>>,
    progress: Progress,
}

impl Posted {
    /// The records of all games, once they have been played. Waits no longer than `most` for second
    /// results while none come.
    pub(super) fn wait(
        &self,
        following: &Following<'_>,
        most: Duration,
    ) -> Result<Played, GamesError> {
        loop {
            let verified = following.verify(most)?;
            if let Some(alarm) = verified.undecided.into_iter().next() {
                return Err(GamesError::Differ {
                    job: self.job.id.clone(),
                    unit: alarm.unit,
                    first: alarm.first_worker,
                    second: alarm.second_worker,
                });
            }
            let (mut records, progress) = (BTreeMap::new(), verified.progress);
            following.results(|recorded| {
                records.insert(recorded.key, self.records(recorded)?);
                Ok(())
            })?;
            // A result may have been replaced meanwhile, and the worker that brought it quarantined.
            let now = following.progress().map_err(FollowError::from)?;
            if records.len() as u64 == progress.units && now == progress {
                return Ok(Played { records, progress });
            }
        }
    }

    /// The records of a result, or why it is impossible.
    fn records(&self, recorded: &Recorded) -> Result<Vec<u8>, String> {
        let key = usize::try_from(recorded.key).ok();
        let chunk = key.and_then(|key| self.chunks.get(key));
        let chunk = chunk.ok_or("there is no such unit")?;
        decode(&chunk.units[0].body, &recorded.value)
    }

    /// The records of the games of a seed, in their order.
    pub(super) fn of_seed<'a>(
        &self,
        seed: u64,
        records: &'a BTreeMap<u64, Vec<u8>>,
    ) -> impl Iterator<Item = &'a Vec<u8>> {
        let units = self.chunks.iter().flat_map(|chunk| &chunk.units);
        units
            .filter(move |unit| UnitBody::parse(&unit.body).is_some_and(|unit| unit.seed == seed))
            .map(|unit| &records[&unit.key])
    }
}
