//! Adds a job with all its chunks, in one transaction, sent in batches.

use std::time::Duration;

use tokio_postgres::types::Type;

use super::fault::Fault;
use super::rows::{number, text};
use super::session::{Parameter, Session};
use crate::units::Units;
use crate::{BrokerError, Chunk, Job, Put, Second};

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
