//! `perft count --fleet URL`.

use std::num::NonZeroU64;
use std::time::{Duration, Instant};

use chess::notation::fen;
use fleet::{Alarm, Broker, Job, Put};
use kit::output::{self, grouped};
use kit::{BadInput, Exit, Interrupt, Progress};

use super::args::CountArgs;
use super::broker::{self, say};
use super::cut;
use crate::count::{Counted, Ended, Format, Shared};
use crate::run;
use crate::shared::{
    self, AskError, Doubt, Follow, FollowError, Followed, Patience, Plan, ResultError,
};
use crate::units::Units;

/// How often to query the broker for progress.
const POLL: Duration = Duration::from_millis(500);
/// How long to wait for a second count that no worker has started.
const WAIT_FOR_SECOND: Duration = Duration::from_secs(10);

/// A job that has been posted to its broker.
struct Posted<'a> {
    broker: &'a dyn Broker,
    job: &'a Job,
    units: &'a Units,
    put: Put,
}

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
pub(super) fn fleet(args: &CountArgs, url: &str, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let start = Instant::now();
    let (position, depth) = args.position_and_depth()?;
    let broker = broker::connect(url)?;
    let pool = run::pool(args.effort.threads())?;
    let cut = args.cut.cut().unwrap_or(shared::CUT);
    let units = cut::units(&pool, &position, depth, cut, interrupt)?;
    let plan = Plan {
        units: &units,
        again_every: NonZeroU64::new(args.fleet.again_every),
        chunk: args.fleet.chunk.map(|chunk| chunk as usize),
    };
    let job = plan.job();
    let patience = args.fleet.patience.patience(interrupt);
    let put = match patience.ask(|| broker.put(&job, &mut plan.chunks())) {
        Err(AskError::Interrupted) => return Ok(Exit::Interrupted),
        put => put.map_err(broker::explain)?,
    };
    if args.fleet.no_wait {
        output::to_stdout(format!("{}\n", job.id))?;
        return Ok(Exit::Agreed);
    }
    let posted = Posted {
        broker: &*broker,
        job: &job,
        units: &units,
        put,
    };
    let followed = posted.follow(patience, args.format)?;
    let counted = Counted {
        time: start.elapsed(),
        ..posted.counted(&followed)
    };
    posted.explain(&followed);
    output::to_stdout(&counted.write(args.format)?)?;
    Ok(counted.ended.exit())
}

impl Posted<'_> {
    fn follow(&self, patience: Patience<'_>, format: Format) -> anyhow::Result<Followed> {
        let progress = Progress::new(0, "units", format == Format::Human);
        let follow = Follow {
            broker: self.broker,
            job: &self.job.id,
            units: self.units,
            poll: POLL,
            wait_for_second: WAIT_FOR_SECOND,
            patience,
            progress: &progress,
        };
        let followed = follow.run();
        progress.finish();
        followed.map_err(|error| match error {
            FollowError::Result(ResultError::Overflow { .. }) => BadInput(error.to_string()).into(),
            error => error.into(),
        })
    }

    fn counted(&self, followed: &Followed) -> Counted {
        let tally = &followed.tally;
        Counted {
            position: self.units.position,
            depth: self.units.depth,
            nodes: self.units.sum(&tally.counts),
            divide: None,
            breakdown: None,
            resumed: match self.put {
                Put::New => 0,
                Put::Known => followed.resumed,
            },
            shared: Some(Shared {
                job: self.job.id.clone(),
                ply: self.units.ply,
                done: tally.done() as u64,
                units: self.job.units,
                compared: followed.compared,
                workers: tally.workers.clone(),
            }),
            ended: followed.ended,
            time: Duration::ZERO,
        }
    }

    /// Prints on standard error what the sum alone does not show.
    fn explain(&self, followed: &Followed) {
        let job = &self.job.id;
        match followed.ended {
            Ended::Complete if followed.compared < followed.to_compare => say(&format!(
                "note: {} of {} units that two workers were to count were compared",
                grouped(followed.compared),
                grouped(followed.to_compare)
            )),
            Ended::Complete => {}
            Ended::Interrupted => say(&format!(
                "job {job} stays at the broker; the same command goes on from there"
            )),
            Ended::Stopped => {
                let reason = followed.reason.as_deref().unwrap_or("no reason is known");
                say(&format!("error: job {job} was stopped: {reason}"));
            }
            Ended::Different => {
                for doubt in &followed.doubts {
                    say(&self.doubt(doubt));
                }
            }
        }
    }

    fn doubt(&self, doubt: &Doubt) -> String {
        match doubt {
            Doubt::Open(alarm) => format!(
                "ALARM: {}; when it is known who is wrong, `fleet set-aside` that worker and `fleet \
                 forget` its results, then the same command goes on",
                self.difference(alarm)
            ),
            Doubt::Kept(alarm, worker) => format!(
                "ALARM: {}; {worker} was set aside, now `fleet forget` its results",
                self.difference(alarm)
            ),
        }
    }

    fn difference(&self, alarm: &Alarm) -> String {
        let unit = usize::try_from(alarm.unit).ok();
        let unit = unit.and_then(|unit| self.units.list.get(unit));
        let fen = unit.map_or_else(String::new, |unit| fen::write(&unit.position));
        format!(
            "unit {} ({fen}, {} plies): {} counted {}, {} counted {}",
            alarm.unit,
            self.units.depth_below(),
            alarm.first_worker,
            alarm.first_value,
            alarm.second_worker,
            alarm.second_value
        )
    }
}
