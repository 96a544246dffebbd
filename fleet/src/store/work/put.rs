//! Adds jobs with their chunks, in one transaction each.

use queue::{Chunk, Job, Put, Second, Units};
use sqlx::types::Json;
use sqlx::{FromRow, PgConnection, Postgres, Transaction};

use super::error::WorkError;
use crate::model::{AccountId, JobNumber, JobStage, Needs};
use crate::store::{Database, LabDatabaseError};

/// Number of chunks that are written at once.
const AT_ONCE: usize = 1_000;

/// What is said of a job besides what its workers need.
#[derive(Clone, Debug)]
pub struct PutOptions {
    /// A title, for people.
    pub title: String,
    /// What a worker must have.
    pub needs: Needs,
    /// Each step counts sixteen times.
    pub priority: i32,
    /// Its share among running jobs of the same priority; more than 0.
    pub weight: f32,
    /// Where it begins: usually running, or pending approval.
    pub state: JobStage,
}

impl Default for PutOptions {
    fn default() -> Self {
        Self {
            title: String::new(),
            needs: Needs::default(),
            priority: 0,
            weight: 1.0,
            state: JobStage::Running,
        }
    }
}

/// A job that is being added.
pub struct PutJob {
    job: Job,
    /// Nothing, if the job is there already.
    open: Option<Open>,
    on_end: Box<dyn FnOnce() + Send>,
}

struct Open {
    transaction: Transaction<'static, Postgres>,
    number: JobNumber,
    next_key: u64,
    next_chunk: u64,
}

#[derive(FromRow)]
struct KnownJob {
    kind: String,
    body: Option<String>,
    units: i64,
    compares: bool,
    again_every: Option<i64>,
}

/// Begins to add a job.
pub(super) async fn begin(
    database: &Database,
    owner: AccountId,
    job: &Job,
    options: &PutOptions,
    on_end: Box<dyn FnOnce() + Send>,
) -> Result<PutJob, WorkError> {
    let mut transaction = database.pool.begin().await?;
    let again_every = job.again_every.map(|every| wide(every.get()));
    let number: Option<JobNumber> = sqlx::query_scalar(
        "insert into lab.jobs (id, kind, title, body, units, compares, again_every, owner, state,
            priority, weight, needs, started_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
            case when $9 = 'running' then clock_timestamp() end)
        -- A test that was submitted without chunks gets them now.
        on conflict (id) do update set kind = excluded.kind, body = excluded.body,
            units = excluded.units, compares = excluded.compares, again_every = excluded.again_every,
            state = excluded.state, needs = excluded.needs, reason = null, started_at = excluded.started_at
            where lab.jobs.body is null and lab.jobs.state = 'waiting'
        returning number",
    )
    .bind(&job.id)
    .bind(&job.kind)
    .bind(&options.title)
    .bind(&job.body)
    .bind(wide(job.units))
    .bind(job.second == Second::Compare)
    .bind(again_every)
    .bind(owner)
    .bind(options.state)
    .bind(options.priority)
    .bind(options.weight)
    .bind(Json(&options.needs))
    .fetch_optional(&mut *transaction)
    .await?;
    let job = job.clone();
    let Some(number) = number else {
        let sql = "select kind, body, units, compares, again_every from lab.jobs where id = $1";
        let known: Option<KnownJob> = sqlx::query_as(sql)
            .bind(&job.id)
            .fetch_optional(&mut *transaction)
            .await?;
        let known = known.ok_or_else(|| WorkError::NoJob(job.id.clone()))?;
        let open = None;
        same(&known, &job)?;
        return Ok(PutJob { job, open, on_end });
    };
    sqlx::query("select lab.open_queue($1)")
        .bind(number)
        .execute(&mut *transaction)
        .await?;
    let open = Some(Open {
        transaction,
        number,
        next_key: 0,
        next_chunk: 0,
    });
    Ok(PutJob { job, open, on_end })
}

/// Compares a job with that of the same name; the error names the first field that differs.
fn same(known: &KnownJob, job: &Job) -> Result<(), WorkError> {
    let every = job.again_every.map(|every| wide(every.get()));
    let compares = job.second == Second::Compare;
    let fields = [
        ("kind", known.kind == job.kind),
        ("body", known.body.as_deref() == Some(&job.body)),
        ("number of units", known.units == wide(job.units)),
        ("treatment of second results", known.compares == compares),
        ("share done twice", known.again_every == every),
    ];
    match fields.iter().find(|(_, same)| !same) {
        None => Ok(()),
        Some(&(field, _)) => Err(WorkError::OtherJob {
            id: job.id.clone(),
            field,
        }),
    }
}

fn wide(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Adds chunks to a job whose queue is there: the next ones, from this number.
///
/// # Errors
/// The database failed.
pub(crate) async fn add_chunks(
    connection: &mut PgConnection,
    job: JobNumber,
    next_chunk: u64,
    chunks: &[Chunk],
) -> Result<(), LabDatabaseError> {
    let mut columns = (vec![], vec![], vec![], vec![]);
    for (chunk, nth) in chunks.iter().zip(next_chunk..) {
        let texts: Vec<&str> = chunk.units.iter().map(|unit| &*unit.body).collect();
        let all_empty = texts.iter().all(|text| text.is_empty());
        columns.0.push(wide(nth));
        columns
            .1
            .push(wide(chunk.units.first().map_or(0, |unit| unit.key)));
        columns
            .2
            .push(i32::try_from(texts.len()).unwrap_or(i32::MAX));
        columns
            .3
            .push((!all_empty).then(|| serde_json::json!(texts).to_string()));
    }
    sqlx::query(
        "with added as (insert into lab.chunks (job, chunk, first, units, bodies)
                select $1::integer, c, f, u, b
                    from unnest($2::bigint[], $3::bigint[], $4::integer[], $5::text[]) g (c, f, u, b)),
            counted as (insert into lab.counters as c (job, slot, open_chunks)
                values ($1::integer, 0, cardinality($2::bigint[])) on conflict (job, slot)
                do update set open_chunks = c.open_chunks + excluded.open_chunks)
        select count(*) from pgmq.send_batch('lab_' || $1::integer,
            array(select jsonb_build_object('chunk', c) from unnest($2::bigint[]) c))",
    )
    .bind(job)
    .bind(columns.0)
    .bind(columns.1)
    .bind(columns.2)
    .bind(columns.3)
    .execute(connection)
    .await?;
    Ok(())
}

fn units_error(error: queue::BrokerError) -> WorkError {
    match error {
        queue::BrokerError::Units {
            id,
            chunk,
            found,
            expected,
        } => WorkError::Units {
            id,
            chunk,
            found,
            expected,
        },
        error => sqlx::Error::Protocol(error.to_string()).into(),
    }
}

impl PutJob {
    /// The number of the job; `None` if it was there already.
    pub fn number(&self) -> Option<JobNumber> {
        self.open.as_ref().map(|open| open.number)
    }

    /// Adds the next chunks. If the job was there already, they are ignored.
    ///
    /// # Errors
    /// A unit is missing, comes twice or out of order; the database failed. The job is then not
    /// added.
    pub async fn add(&mut self, chunks: Vec<Chunk>) -> Result<(), WorkError> {
        let Some(open) = &mut self.open else {
            return Ok(());
        };
        for part in chunks.chunks(AT_ONCE) {
            let mut units = Units::resumed(&self.job, open.next_key, open.next_chunk);
            for chunk in part {
                open.next_key = units.follow(chunk).map_err(units_error)?.end;
            }
            add_chunks(&mut open.transaction, open.number, open.next_chunk, part).await?;
            open.next_chunk += part.len() as u64;
        }
        Ok(())
    }

    /// Adds the job. Without this call, nothing of it stays.
    ///
    /// # Errors
    /// Units are missing; the database failed.
    pub async fn finish(self) -> Result<Put, WorkError> {
        let Some(open) = self.open else {
            return Ok(Put::Known);
        };
        let units = Units::resumed(&self.job, open.next_key, open.next_chunk);
        units.end().map_err(units_error)?;
        let mut transaction = open.transaction;
        sqlx::query("select lab.close_jobs(array[$1])")
            .bind(open.number)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        (self.on_end)();
        Ok(Put::New)
    }
}
