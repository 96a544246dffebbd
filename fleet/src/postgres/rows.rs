//! Converts rows to values and values to parameters; adds a job with all its chunks, in one transaction, sent in
//! batches.

use std::num::NonZeroU64;
use std::time::Duration;

use tokio_postgres::Row;
use tokio_postgres::types::Type;

use super::fault::Fault;
use super::session::{Parameter, Session};
use crate::model::Units;
use crate::{
    Alarm, BrokerError, Chunk, Completed, Job, JobState, Lease, Progress, Put, Recorded, Second,
    Standing, Unit, UnitResult, Worker, WorkerState,
};

pub(super) const PROGRESS: &str = "select p.done, j.units, p.compared, p.to_compare, p.alarms, \
    j.stopped from touchstone.jobs j, touchstone.progress(j) p where j.id = $1";

pub(super) const JOBS: &str = "select j.id, j.kind, j.body, j.units, j.compares, j.again_every, \
    p.done, j.units, p.compared, p.to_compare, p.alarms, j.stopped, m.leased \
    from touchstone.jobs j, touchstone.progress(j) p, touchstone.messages(j) m order by j.number";

#[cfg(feature = "cli")]
pub(super) const WAITING: &str =
    "select j.id, m.waiting from touchstone.jobs j, touchstone.messages(j) m";

pub(super) const ALARMS: &str = "select unit, first_worker, first_value, second_worker, \
    second_value from touchstone.alarms_of($1)";

pub(super) const WORKERS: &str = "select w.name, w.about, coalesce(r.units, 0), \
    (greatest(extract(epoch from clock_timestamp() - w.heard), 0) * 1000)::bigint, w.set_aside \
    from touchstone.workers w left join \
    (select worker, count(*) as units from touchstone.results group by worker) r \
    on r.worker = w.name order by w.name collate \"C\"";

/// Converts to the 64-bit integer of the server.
pub(super) fn number(value: u64) -> Result<i64, BrokerError> {
    i64::try_from(value)
        .map_err(|_| BrokerError::Failed(format!("{value} is beyond what it can keep, 2^63 - 1")))
}

/// Converts to the 32-bit integer of the server.
pub(super) fn small(value: u32) -> Result<i32, BrokerError> {
    i32::try_from(value)
        .map_err(|_| BrokerError::Failed(format!("{value} is beyond what it can keep, 2^31 - 1")))
}

/// The key of a result; one that the server cannot represent is never part of a lease.
pub(super) fn key(lease: &Lease, result: &UnitResult) -> Result<i64, BrokerError> {
    text(&result.value)?;
    i64::try_from(result.key).map_err(|_| BrokerError::NotLeased {
        id: lease.job.id.clone(),
        chunk: lease.chunk,
        key: result.key,
    })
}

/// Rejects text that the server cannot store, before anything is changed.
pub(super) fn text(text: &str) -> Result<(), BrokerError> {
    if text.contains('\0') {
        return Err(BrokerError::Failed(
            "a text holds the character U+0000".into(),
        ));
    }
    Ok(())
}

/// Limited to what the queue can represent: about 24 days.
pub(super) fn milliseconds(visibility: Duration) -> i64 {
    i64::from(i32::try_from(visibility.as_millis()).unwrap_or(i32::MAX))
}

/// A number that is never negative on the server.
pub(super) fn whole(row: &Row, column: usize) -> u64 {
    u64::try_from(row.get::<_, i64>(column)).unwrap_or_default()
}

fn job(row: &Row) -> Job {
    let again: Option<i64> = row.get(5);
    Job {
        id: row.get(0),
        kind: row.get(1),
        body: row.get(2),
        units: whole(row, 3),
        second: if row.get(4) {
            Second::Compare
        } else {
            Second::Ignore
        },
        again_every: again
            .and_then(|every| u64::try_from(every).ok())
            .and_then(NonZeroU64::new),
    }
}

pub(super) fn lease(row: &Row, worker: &str) -> Result<Lease, BrokerError> {
    let job = job(row);
    let (chunk, first, count) = (whole(row, 6), whole(row, 7), whole(row, 8));
    let attempt = u32::try_from(row.get::<_, i32>(9)).unwrap_or_default();
    let bodies: Vec<String> = serde_json::from_str(row.get(10))
        .map_err(|error| BrokerError::Failed(format!("chunk {chunk} of '{}': {error}", job.id)))?;
    // A missing list stands for empty bodies.
    let mut bodies = bodies.into_iter();
    let unit = |key| Unit {
        key,
        body: bodies.next().unwrap_or_default(),
    };
    Ok(Lease {
        token: format!("{}/{chunk}/{attempt}", job.id),
        worker: worker.to_owned(),
        units: (first..first + count).map(unit).collect(),
        job,
        chunk,
        attempt,
    })
}

pub(super) fn standing(row: &Row) -> Standing {
    match row.get::<_, Option<String>>(1) {
        Some(reason) => Standing::Stopped(reason),
        None if row.get(0) => Standing::Held,
        None => Standing::Lost,
    }
}

/// Rows of alarms, followed by one without a unit.
pub(super) fn completed(rows: &[Row], lease: &Lease) -> Completed {
    let Some((last, alarms)) = rows.split_last() else {
        return Completed::default();
    };
    Completed {
        taken: whole(last, 0),
        second: whole(last, 1),
        alarms: alarms
            .iter()
            .map(|row| alarm(row, 2, &lease.job.id))
            .collect(),
    }
}

/// An alarm from five columns.
pub(super) fn alarm(row: &Row, from: usize, job: &str) -> Alarm {
    Alarm {
        job: job.to_owned(),
        unit: whole(row, from),
        first_worker: row.get(from + 1),
        first_value: row.get(from + 2),
        second_worker: row.get(from + 3),
        second_value: row.get(from + 4),
    }
}

pub(super) fn recorded(row: &Row) -> Recorded {
    Recorded {
        number: whole(row, 0),
        key: whole(row, 1),
        worker: row.get(2),
        value: row.get(3),
    }
}

/// The progress from six columns, starting at `from`.
pub(super) fn progress(row: &Row, from: usize) -> Progress {
    Progress {
        done: whole(row, from),
        units: whole(row, from + 1),
        compared: whole(row, from + 2),
        to_compare: whole(row, from + 3),
        alarms: whole(row, from + 4),
        stopped: row.get(from + 5),
    }
}

pub(super) fn job_state(row: &Row) -> JobState {
    JobState {
        job: job(row),
        progress: progress(row, 6),
        leased: whole(row, 12),
    }
}

pub(super) fn worker_state(row: &Row) -> WorkerState {
    WorkerState {
        worker: Worker {
            name: row.get(0),
            about: row.get(1),
        },
        units: whole(row, 2),
        silent_ms: whole(row, 3),
        quarantined: row.get(4),
    }
}

/// Deadline for statements that only control the transaction.
const DEADLINE: Duration = Duration::from_mins(1);

/// A batch is sent once it has this many chunks or bytes.
const CHUNKS: usize = 1_000;
const BYTES: usize = 1 << 20;

/// Chunks that are sent together.
#[derive(Default)]
struct Batch {
    chunks: Vec<i64>,
    firsts: Vec<i64>,
    units: Vec<i64>,
    bodies: Vec<String>,
    bytes: usize,
}

pub(super) fn put(
    session: &Session,
    job: &Job,
    chunks: &mut dyn Iterator<Item = Chunk>,
) -> Result<Put, BrokerError> {
    let of_job = |fault: Fault| fault.of_job(&job.id);
    session.batch("begin", DEADLINE).map_err(of_job)?;
    let Some(opened) = open(session, job)? else {
        session.batch("rollback", DEADLINE).map_err(of_job)?;
        return Ok(Put::Known);
    };
    let mut units = Units::of(job);
    let mut batch = Batch::default();
    for (chunk, index) in chunks.zip(0_u64..) {
        let keys = units.follow(&chunk)?;
        batch.add(index, keys.start, &chunk)?;
        if batch.chunks.len() >= CHUNKS || batch.bytes >= BYTES {
            std::mem::take(&mut batch)
                .send(session, opened)
                .map_err(of_job)?;
        }
    }
    units.end()?;
    if !batch.chunks.is_empty() {
        batch.send(session, opened).map_err(of_job)?;
    }
    let close = session.rows("select touchstone.close_job($1)", &[(&opened, Type::INT4)]);
    close.map_err(of_job)?;
    session.batch("commit", DEADLINE).map_err(of_job)?;
    Ok(Put::New)
}

/// The id that the server gives the job; `None` if the job exists.
fn open(session: &Session, job: &Job) -> Result<Option<i32>, BrokerError> {
    text(&job.id)?;
    text(&job.kind)?;
    text(&job.body)?;
    let every = job.again_every.map(|every| number(every.get()));
    let parameters: [Parameter<'_>; 6] = [
        (&job.id, Type::TEXT),
        (&job.kind, Type::TEXT),
        (&job.body, Type::TEXT),
        (&number(job.units)?, Type::INT8),
        (&(job.second == Second::Compare), Type::BOOL),
        (&every.transpose()?, Type::INT8),
    ];
    let sql = "select touchstone.open_job($1, $2, $3, $4, $5, $6)";
    let opened = session.rows(sql, &parameters);
    Ok(opened.map_err(|fault| fault.of_job(&job.id))?[0].get(0))
}

impl Batch {
    fn add(&mut self, index: u64, first: u64, chunk: &Chunk) -> Result<(), BrokerError> {
        let mut bodies: Vec<&str> = chunk.units.iter().map(|unit| &*unit.body).collect();
        if bodies.iter().all(|body| body.is_empty()) {
            bodies.clear();
        }
        // JSON in the format of this program, which the server does not parse.
        let bodies = serde_json::to_string(&bodies).expect("texts are JSON");
        self.bytes += bodies.len();
        self.chunks.push(number(index)?);
        self.firsts.push(number(first)?);
        self.units.push(number(chunk.units.len() as u64)?);
        self.bodies.push(bodies);
        Ok(())
    }

    fn send(self, session: &Session, job: i32) -> Result<(), Fault> {
        let parameters: [Parameter<'_>; 5] = [
            (&job, Type::INT4),
            (&self.chunks, Type::INT8_ARRAY),
            (&self.firsts, Type::INT8_ARRAY),
            (&self.units, Type::INT8_ARRAY),
            (&self.bodies, Type::TEXT_ARRAY),
        ];
        let sql = "select touchstone.add_chunks($1, $2, $3, $4, $5)";
        session.rows(sql, &parameters).map(drop)
    }
}
