//! `perft count --fleet URL`: posts a count to a lab, and follows it.

use std::num::NonZeroU64;
use std::time::{Duration, Instant};

use chess::notation::fen;
use kit::output::{self, grouped, remark, to_stderr};
use kit::report::Format;
use kit::{BadInput, Exit};
use queue::cli::{connect, explain};
use queue::{Alarm, AskError, Broker, Put};

use super::CommandContext;
use super::count::{CountArgs, explain_cut};
use super::effort::Effort;
use super::fleet_args::FleetArgs;
use crate::count::distributed::follow::{Follow, FollowError, Followed};
use crate::count::distributed::job::{self, JobKind, JobPlan};
use crate::count::distributed::recount::{Recount, Recounted};
use crate::count::distributed::results::{JobResults, ResultError};
use crate::count::result::{CompletionStatus, CountMode, CountResult, Provenance, Unseen};
use crate::count::run::CountContext;
use crate::count::units::Units;
use crate::report::count::write_count;

/// How often to query the broker for progress.
const POLL: Duration = Duration::from_millis(500);
/// How long to wait for a second count that no worker has started.
const WAIT_FOR_SECOND: Duration = Duration::from_mins(1);

/// Has a position counted by the lab at `url`, and prints the result.
#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
pub(super) fn count(args: &CountArgs, url: &str, session: &CommandContext) -> anyhow::Result<Exit> {
    let start = Instant::now();
    let plan = args.plan(session)?;
    // A broker that cannot be reached is reported before anything is counted.
    let broker = connect(url, "perft")?;
    let cancel = session.interrupt.flag();
    let pool = session.threads.pool()?;
    let cut = plan.cut.unwrap_or(job::CUT);
    let units = pool.install(|| plan.units(cut, cancel));
    let units = units.map_err(explain_cut)?;
    let root_moves = if plan.mode == CountMode::Divide {
        let rows = pool.install(|| units.by_root_move(cancel));
        rows.map_err(explain_cut)?
    } else {
        Vec::new()
    };
    let mut result = CountResult::new(plan.position, plan.depth, plan.mode);
    let count = FleetCount {
        args: &args.fleet,
        effort: &args.effort,
        broker: &*broker,
        units: &units,
        context: CountContext {
            pool: &pool,
            interrupt: &session.interrupt,
            progress: &session.progress(0, "units", args.format == Format::Human),
        },
        session,
    };
    let job = match count.run(&mut result)? {
        Ok(job) => job,
        Err(exit) => return Ok(exit),
    };
    if result.status != CompletionStatus::Different {
        let counts = &job.followed.results.counts;
        let finished = root_moves.iter();
        result.set_divide(finished.filter_map(|row| Some((row.root_move, row.sum(counts)?))));
    }
    result.time = start.elapsed();
    output::stdout_with(|out| write_count(&result, args.format, out))?;
    if let Some(from) = &result.provenance {
        job.print_notes(from, &units, session);
    }
    if result.status == CompletionStatus::Unverified && args.fleet.unverified_ok {
        return Ok(Exit::Agreed);
    }
    Ok(result.status.exit())
}

/// A count by a lab.
pub(super) struct FleetCount<'a> {
    pub(super) args: &'a FleetArgs,
    pub(super) effort: &'a Effort,
    pub(super) broker: &'a dyn Broker,
    pub(super) units: &'a Units,
    pub(super) context: CountContext<'a>,
    pub(super) session: &'a CommandContext,
}

/// A job that was waited for.
pub(super) struct CountedJob {
    pub(super) followed: Followed,
    /// What this program counted again, if no second worker did.
    recounted: Option<Recounted>,
}

impl FleetCount<'_> {
    /// Posts the units as a job and follows it, or returns the exit code if nobody waits for it.
    pub(super) fn run(&self, result: &mut CountResult) -> anyhow::Result<Result<CountedJob, Exit>> {
        let Self {
            units,
            context,
            session,
            ..
        } = *self;
        let kind = match result.mode {
            CountMode::Breakdown => JobKind::Breakdown,
            _ => JobKind::Count,
        };
        let job_plan = JobPlan {
            kind,
            units,
            again_every: NonZeroU64::new(self.args.again_every),
            chunk: self.args.chunk.map(|chunk| chunk as usize),
        };
        let job = job_plan.job();
        let reported: &(dyn Fn(&str) + Sync) = if session.quiet { &|_| {} } else { &to_stderr };
        let retry = self.args.retry.policy(&session.interrupt, reported);
        let put = match retry.ask(|| self.broker.put(&job, &mut job_plan.chunks())) {
            Err(AskError::Interrupted) => return Ok(Err(Exit::Interrupted)),
            put => put.map_err(explain)?,
        };
        if self.args.no_wait {
            output::to_stdout(format!("{}\n", job.id))?;
            return Ok(Err(Exit::Agreed));
        }
        let follow = Follow {
            broker: self.broker,
            job: &job.id,
            kind,
            units,
            poll: POLL,
            wait_for_second: WAIT_FOR_SECOND,
            retry,
            progress: context.progress,
        };
        let followed = follow.run();
        context.progress.finish();
        let followed = followed.map_err(|error| match error {
            FollowError::Result(ResultError::Overflow { .. }) => BadInput(error.to_string()).into(),
            error => anyhow::Error::from(error),
        })?;
        result.nodes = units.sum(&followed.results.counts);
        result.status = followed.status;
        let mut recounted = None;
        if followed.status == CompletionStatus::Unverified && !self.args.recount.is_zero() {
            recounted = Some(self.recount(&job.id, kind, &followed.results, result)?);
        }
        let is_whole = matches!(
            result.status,
            CompletionStatus::Complete | CompletionStatus::Unverified
        );
        if kind == JobKind::Breakdown && is_whole {
            result.breakdown = Some(followed.results.breakdown(units));
        }
        if put == Put::Known {
            result.resumed = followed.resumed;
        }
        let again = recounted.as_ref().map_or(0, |found| found.units as u64);
        let unseen = recounted
            .as_ref()
            .map_or(Unseen::CERTAIN, |found| found.unseen);
        let workers = followed.results.workers.iter();
        // Both may have counted the same ones.
        let twice = followed.compared.max(again);
        #[expect(clippy::cast_precision_loss, reason = "numbers of units")]
        let verified = if job.units == 0 {
            1.0
        } else {
            twice as f64 / job.units as f64
        };
        result.provenance = Some(Provenance {
            job: job.id,
            status: result.status,
            ply: units.ply,
            done: followed.results.done() as u64,
            units: job.units,
            compared: followed.compared,
            to_compare: followed.to_compare,
            recounted: again,
            verified,
            unseen: unseen.or_better(followed.unseen),
            workers: workers
                .map(|(name, units)| (name.clone(), units.len() as u64))
                .collect(),
        });
        Ok(Ok(CountedJob {
            followed,
            recounted,
        }))
    }

    /// Counts some units again here, which decides the status of the result.
    fn recount(
        &self,
        job: &str,
        kind: JobKind,
        results: &JobResults,
        result: &mut CountResult,
    ) -> anyhow::Result<Recounted> {
        let table = self.effort.table_of_count(result.depth, result.mode)?;
        let counter = Effort::counter(table.as_ref())?;
        let recount = Recount {
            job,
            kind,
            units: self.units,
            results,
            most: self.args.recount,
        };
        let found = recount.run(counter, self.context)?;
        if !found.differences.is_empty() {
            result.status = CompletionStatus::Different;
        } else if found.is_enough {
            result.status = CompletionStatus::Complete;
        } else if self.context.interrupt.has_come() {
            result.status = CompletionStatus::Interrupted;
        }
        Ok(found)
    }
}

impl CountedJob {
    /// Prints what the sum of a distributed count alone does not show.
    pub(super) fn print_notes(&self, from: &Provenance, units: &Units, session: &CommandContext) {
        let job = &from.job;
        let difference = |alarm: &Alarm| {
            let unit = usize::try_from(alarm.unit).ok();
            let unit = unit.and_then(|unit| units.list.get(unit));
            let fen = unit.map_or_else(String::new, |unit| fen::write(&unit.position));
            format!(
                "unit {} ({fen}, {} plies): {} counted {}, {} counted {}",
                alarm.unit,
                units.depth_below(),
                alarm.first_worker,
                alarm.first_value,
                alarm.second_worker,
                alarm.second_value
            )
        };
        match from.status {
            CompletionStatus::Complete | CompletionStatus::Incomplete => {}
            CompletionStatus::Interrupted => remark(
                session.quiet,
                &format!("job {job} stays at the broker; the same command resumes it"),
            ),
            CompletionStatus::Stopped => {
                let reason = self.followed.reason.as_deref();
                let reason = reason.unwrap_or("no reason is known");
                to_stderr(&format!("error: job {job} was stopped: {reason}"));
            }
            CompletionStatus::Unverified => to_stderr(&format!(
                "note: too few units were counted a second time. The same command verifies them \
                 once a second worker is there, or with more time here, such as --recount 1h; \
                 --unverified-ok accepts the sum ({} of {} units compared, {} counted again here)",
                grouped(from.compared),
                grouped(from.to_compare),
                grouped(from.recounted)
            )),
            CompletionStatus::Different => {
                for alarm in &self.followed.undecided {
                    to_stderr(&format!(
                        "ALARM: {}; a third worker decides: the same command waits for it",
                        difference(alarm)
                    ));
                }
                let found = self.recounted.iter().flat_map(|found| &found.differences);
                for alarm in found {
                    let worker = &alarm.first_worker;
                    to_stderr(&format!(
                        "ALARM: {}; to have the counts of {worker} done again: \
                         fleet quarantine URL {worker} REASON",
                        difference(alarm)
                    ));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use chess::rules::Position;
    use clap::Parser as _;
    use kit::{Interrupt, Progress};
    use queue::{Broker as _, InProcess, Unit, UnitResult, Worker};

    use super::*;
    use crate::count::units::Cut;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        count: CountArgs,
    }

    /// What `perft count 3 --fleet` makes of a job that one worker has counted, which adds `lie` to
    /// each unit.
    fn counted(lie: u64, options: &[&str]) -> (CountResult, Option<Recounted>) {
        let words = [&["perft", "3", "--fleet", "http://x"], options].concat();
        let args = Line::parse_from(words).count;
        let never = Interrupt::default();
        let start = Position::startpos();
        let units = Units::new(&start, 3, Cut::Ply(1), never.flag()).expect("it fits");
        let plan = JobPlan {
            kind: JobKind::Count,
            units: &units,
            again_every: NonZeroU64::new(50),
            chunk: None,
        };
        let job = plan.job();
        let broker = InProcess::new();
        broker.put(&job, &mut plan.chunks()).expect("a sound job");
        let worker = Worker {
            name: "alone".to_owned(),
            about: String::new(),
        };
        broker.register(&worker).expect("it is welcome");
        let lease = || broker.lease("alone", &[&job.kind], Duration::from_mins(1));
        while let Some(lease) = lease().expect("an answer") {
            let result = |unit: &Unit| {
                let position = fen::parse(&unit.body).expect("a position");
                let nodes = chess::perft::count(&position, 2).expect("it fits");
                UnitResult {
                    key: unit.key,
                    value: (nodes + lie).to_string(),
                }
            };
            let results: Vec<_> = lease.units.iter().map(result).collect();
            broker.complete(&lease, &results).expect("taken");
        }
        let session = CommandContext {
            interrupt: never,
            quiet: true,
            verbose: false,
            threads: super::super::effort::Threads::default(),
        };
        let count = FleetCount {
            args: &args.fleet,
            effort: &args.effort,
            broker: &broker,
            units: &units,
            context: CountContext {
                pool: &crate::count::run::pool(Some(1)).expect("a thread"),
                interrupt: &session.interrupt,
                progress: &Progress::new(0, "units", false),
            },
            session: &session,
        };
        let mut result = CountResult::new(start, 3, CountMode::Nodes);
        let job = count.run(&mut result).expect("an answer");
        (result, job.ok().and_then(|job| job.recounted))
    }

    fn written(result: &CountResult, format: Format) -> String {
        let mut text = Vec::new();
        write_count(result, format, &mut text).expect("it can be written");
        String::from_utf8(text).expect("text")
    }

    fn json(result: &CountResult) -> serde_json::Value {
        serde_json::from_str(&written(result, Format::Json)).expect("JSON")
    }

    #[test]
    fn a_lone_worker_is_checked_here() {
        let (result, _) = counted(0, &[]);
        assert_eq!((result.status.exit(), result.nodes), (Exit::Agreed, 8_902));
        let shared = &json(&result)["shared"];
        assert_eq!(shared["status"], "complete");
        assert_eq!(
            (&shared["compared"], &shared["recounted"]),
            (&0.into(), &20.into())
        );
        assert_eq!(shared["verified"], 1.0);
        assert_eq!(shared["unseen_1_percent"], 0.0);
        let picked = "\n20 picked at random, counted again here and compared\n";
        assert!(written(&result, Format::Human).contains(picked));
    }

    #[test]
    fn a_lone_liar_is_found_here() {
        let (result, recounted) = counted(1, &[]);
        assert_eq!(result.status.exit(), Exit::Differs);
        assert_eq!(json(&result)["shared"]["status"], "different");
        let found = recounted.expect("it was counted again").differences;
        assert_eq!(found.len(), 20);
        assert!(found.iter().all(|one| one.first_worker == "alone"));
    }

    #[test]
    fn what_nobody_checked_is_not_success() {
        for lie in [0, 1] {
            let (result, _) = counted(lie, &["--recount", "0s"]);
            assert_eq!(result.status.exit(), Exit::Differs);
            let json = json(&result);
            assert_eq!(json["shared"]["status"], "unverified");
            assert_eq!(json["shared"]["unseen_10_percent"], 1.0);
            assert!(written(&result, Format::Human).contains("\nUNVERIFIED after "));
        }
    }
}
