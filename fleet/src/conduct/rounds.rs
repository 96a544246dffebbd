//! Adds units to a test that runs: those of the next round. Only the server that conducts a test adds
//! some, while its claim lasts.

use queue::{Chunk, Unit};
use selfplay::fleet::protocol::{Message as _, UnitBody};
use sqlx::PgConnection;

use super::claim::Conductor;
use super::error::ConductError;
use crate::model::{JobNumber, JobStage};
use crate::store::work::add_chunks;

type Result<T> = std::result::Result<T, ConductError>;

/// Number of chunks that are read at once.
const PAGE: i64 = 1_000;

/// Units in chunks, with keys from `first`.
pub(super) fn chunks(units: &[UnitBody], first: u64, per_chunk: usize) -> Vec<Chunk> {
    let units: Vec<Unit> = (first..)
        .zip(units)
        .map(|(key, unit)| Unit {
            key,
            body: unit.to_text(),
        })
        .collect();
    let chunks = units.chunks(per_chunk);
    chunks
        .map(|units| Chunk {
            units: units.to_vec(),
        })
        .collect()
}

/// Adds chunks to a test. `total` is the number of its units as far as it is known: one that was done
/// with fewer runs again.
pub(super) async fn extend(
    conductor: &Conductor,
    number: JobNumber,
    chunks: &[Chunk],
    total: u64,
) -> Result<()> {
    let mut transaction = conductor.database.pool.begin().await?;
    let sql = "select state from lab.jobs
        where number = $1 and conductor = $2 and conducted_until > clock_timestamp() for update";
    let state: Option<JobStage> = sqlx::query_scalar(sql)
        .bind(number)
        .bind(&conductor.name)
        .fetch_optional(&mut *transaction)
        .await?;
    let state = state.ok_or(ConductError::TakenOver)?;
    if !matches!(state, JobStage::Running | JobStage::Done) {
        return Ok(());
    }
    if let Some(first) = chunks.first() {
        // Queues are dropped ten minutes after a test has ended; one that is counted again may have lost them.
        sqlx::query("select lab.open_queue($1)")
            .bind(number)
            .execute(&mut *transaction)
            .await?;
        let (next_chunk, next_key) = end(&mut transaction, number).await?;
        if first.units.first().map(|unit| unit.key) != Some(next_key) {
            // Another server has added units since the plan was made.
            return Err(ConductError::TakenOver);
        }
        add_chunks(&mut transaction, number, next_chunk, chunks).await?;
    }
    let sql = "update lab.jobs j set units = $2,
            state = case when $2 > c.done then 'running' else j.state end,
            finished_at = case when $2 > c.done then null else j.finished_at end
        from (select coalesce(sum(done), 0)::bigint as done from lab.counters where job = $1) c
        where j.number = $1";
    sqlx::query(sql)
        .bind(number)
        .bind(wide(total))
        .execute(&mut *transaction)
        .await?;
    Ok(transaction.commit().await?)
}

/// The numbers of the next chunk and the next unit.
async fn end(connection: &mut PgConnection, number: JobNumber) -> Result<(u64, u64)> {
    // With `job` in the order, the key's index is the cheapest plan even without statistics.
    let sql = "select chunk + 1, first + units from lab.chunks
        where job = $1 order by job desc, chunk desc limit 1";
    let end: Option<(i64, i64)> = sqlx::query_as(sql)
        .bind(number)
        .fetch_optional(connection)
        .await?;
    let (chunk, key) = end.unwrap_or_default();
    Ok((chunk.cast_unsigned(), key.cast_unsigned()))
}

/// Number of units that a test has.
pub(super) async fn count(conductor: &Conductor, number: JobNumber) -> Result<u64> {
    let mut connection = conductor.database.pool.acquire().await?;
    Ok(end(&mut connection, number).await?.1)
}

/// All units that a test has, in the order of their keys.
pub(super) async fn read(conductor: &Conductor, number: JobNumber) -> Result<Vec<UnitBody>> {
    let mut units = Vec::new();
    let mut after = -1_i64;
    loop {
        let sql = "select chunk, bodies from lab.chunks where job = $1 and chunk > $2
            order by job, chunk limit $3";
        let page: Vec<(i64, Option<String>)> = sqlx::query_as(sql)
            .bind(number)
            .bind(after)
            .bind(PAGE)
            .fetch_all(&conductor.database.pool)
            .await?;
        let Some((last, _)) = page.last() else {
            return Ok(units);
        };
        after = *last;
        for (chunk, bodies) in page {
            let texts: Vec<String> = serde_json::from_str(&bodies.unwrap_or_default())
                .map_err(|error| ConductError::prepare(format!("chunk {chunk}: {error}")))?;
            for text in texts {
                units.push(UnitBody::from_text(&text).map_err(ConductError::prepare)?);
            }
        }
    }
}

/// Ends a decided test: chunks that nobody has begun are not leased any more, checks are.
pub(super) async fn close(conductor: &Conductor, number: JobNumber) -> Result<()> {
    let sql =
        // Checks are leased until the job is settled.
        "update lab.jobs set state = 'done', finished_at = clock_timestamp(), settled_at = null
        where number = $1 and conductor = $2 and state = 'running'";
    sqlx::query(sql)
        .bind(number)
        .bind(&conductor.name)
        .execute(&conductor.database.pool)
        .await?;
    Ok(())
}

fn wide(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
