//! Who is there, and can do a job. It is asked when a decision waits for others, when a third worker is to
//! confirm what two agree on, and when a worker cannot do a job.

use queue::wire::Abilities;
use sqlx::types::Json;
use sqlx::{FromRow, PgExecutor};

use super::error::WorkError;
use crate::model::{AccountId, JobNumber, Needs, WorkerId};
use crate::policy::schedule::can;

/// A worker, as it concerns a job.
#[derive(Clone, Debug)]
pub(super) struct JobWorker {
    pub(super) id: WorkerId,
    pub(super) name: String,
    pub(super) owner: AccountId,
    /// Whether it has said that it cannot do the job.
    pub(super) is_unable: bool,
    /// Whether it is there, trusted, has all that the job needs, and has not said that it cannot do it.
    pub(super) is_able: bool,
    /// Whether it has delivered results of the job.
    pub(super) took_part: bool,
}

#[derive(FromRow)]
struct JobWorkerRow {
    id: WorkerId,
    name: String,
    owner: AccountId,
    abilities: Json<Abilities>,
    needs: Json<Needs>,
    is_there: bool,
    is_unable: bool,
    took_part: bool,
}

/// The workers that are there, seen in the last ten minutes and trusted, and those that could not do a job; with
/// `with_part`, also trusted ones that took part in it before. Ordered by name.
pub(super) async fn workers_of(
    executor: impl PgExecutor<'_>,
    job: JobNumber,
    with_part: bool,
) -> Result<Vec<JobWorker>, WorkError> {
    let rows: Vec<JobWorkerRow> = sqlx::query_as(
        "select * from (select w.id, w.name, w.owner, w.abilities, j.needs,
                t.is_trusted and coalesce(w.seen_at > clock_timestamp() - interval '10 minutes', false) as is_there,
                exists (select from lab.inabilities i where i.job = $1 and i.worker = w.id) as is_unable,
                $2 and t.is_trusted and exists (select from lab.answers a where a.worker = w.id and a.job = $1) as took_part
            from lab.jobs j cross join lab.workers w
            cross join lateral (select w.quarantined_at is null and w.revoked_at is null as is_trusted) t
            where j.number = $1) k
        where is_there or is_unable or took_part order by name collate \"C\"",
    )
    .bind(job)
    .bind(with_part)
    .fetch_all(executor)
    .await?;
    let worker = |row: JobWorkerRow| JobWorker {
        id: row.id,
        name: row.name,
        owner: row.owner,
        is_unable: row.is_unable,
        is_able: row.is_there && !row.is_unable && can(&row.abilities, &row.needs),
        took_part: row.took_part,
    };
    Ok(rows.into_iter().map(worker).collect())
}
