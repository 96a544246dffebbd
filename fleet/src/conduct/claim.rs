//! Which server conducts which test: a claim that expires unless it is renewed, so that another
//! server takes over from one that died. Every write of a conductor holds only while its claim does.

use selfplay::lab::spec::TestSpec;
use selfplay::lab::summary::{Outcome, Point, TestSummary};
use sqlx::types::Json;
use sqlx::{FromRow, PgConnection};

use super::error::{ConductError, Retry};
use crate::model::{AccountId, JobNumber, JobStage};
use crate::policy::confirm::DecisionPatience;
use crate::store::Database;

type Result<T> = std::result::Result<T, ConductError>;

/// How long a claim lasts without being renewed, in seconds.
// The tests of a server that was killed rest for so long; a living one renews at each look.
pub(super) const LASTS_SECONDS: f64 = 30.0;

/// A test that this server conducts.
#[derive(Clone, Debug, FromRow)]
pub(super) struct Claimed {
    pub(super) number: JobNumber,
    pub(super) id: String,
    /// The kind of the test, then that of its job.
    pub(super) kind: String,
    pub(super) owner: AccountId,
    pub(super) state: JobStage,
    pub(super) reason: Option<String>,
    pub(super) title: String,
    pub(super) spec: Json<TestSpec>,
    /// Nothing before it is prepared.
    pub(super) body: Option<String>,
    pub(super) summary: Option<Json<TestSummary>>,
}

/// A server as a conductor: its random name.
#[derive(Clone, Debug)]
pub(super) struct Conductor {
    pub(super) database: Database,
    pub(super) name: String,
    pub(super) patience: DecisionPatience,
}

impl Conductor {
    /// Claims tests that nobody conducts, at most so many.
    pub(super) async fn claim(&self, most: usize) -> Result<Vec<Claimed>> {
        // The time is the database's everywhere: the clocks of servers may differ by hours. Servers that
        // claim at the same moment get different tests (`skip locked`). The conditions are those of the index
        // `jobs_to_conduct`.
        let sql = "update lab.jobs set conductor = $1,
                conducted_until = clock_timestamp() + $2 * interval '1 second'
            where number in (
                select j.number from lab.jobs j
                where j.spec is not null and j.concluded_at is null
                    and j.state in ('waiting', 'running', 'done', 'stopped')
                    and (j.conducted_until is null or j.conducted_until < clock_timestamp())
                    and (j.try_at is null or j.try_at < clock_timestamp())
                    and (j.state <> 'waiting' or j.follows is null
                        or exists (select from lab.jobs f where f.number = j.follows and f.passed))
                order by j.number limit $3 for update skip locked)
            returning number, id, kind, owner, state, reason, title, spec, body, summary";
        let claimed = sqlx::query_as(sql)
            .bind(&self.name)
            .bind(LASTS_SECONDS)
            .bind(i64::try_from(most).unwrap_or(i64::MAX));
        Ok(claimed.fetch_all(&self.database.pool).await?)
    }

    /// Renews the claim of a test, and returns its state.
    pub(super) async fn renew(&self, number: JobNumber) -> Result<(JobStage, Option<String>)> {
        let sql =
            // A claim that has expired is not renewed: another server may take it at any moment.
            "update lab.jobs set conducted_until = clock_timestamp() + $3 * interval '1 second'
            where number = $1 and conductor = $2 and conducted_until > clock_timestamp()
            returning state, reason";
        let renewed = sqlx::query_as(sql)
            .bind(number)
            .bind(&self.name)
            .bind(LASTS_SECONDS);
        let renewed = renewed.fetch_optional(&self.database.pool).await?;
        renewed.ok_or(ConductError::TakenOver)
    }

    /// Gives up the claim, so that others need not wait for its end.
    pub(super) async fn release(&self, number: JobNumber) -> Result<()> {
        let sql = "update lab.jobs set conducted_until = null, conductor = null
            where number = $1 and conductor = $2";
        let released = sqlx::query(sql).bind(number).bind(&self.name);
        released.execute(&self.database.pool).await?;
        Ok(())
    }

    /// Notes that the preparation failed, and when it is tried again; after the last attempt, the test is stopped, and what
    /// follows it with it.
    pub(super) async fn failed(&self, claimed: &Claimed, reason: &str, retry: Retry) -> Result<()> {
        // The pause begins with 4 s and doubles up to 256 s.
        let sql = "update lab.jobs set reason = $3, tries = tries + 1, conductor = null, conducted_until = null,
                try_at = clock_timestamp() + 2 ^ least(tries + 2, 8) * interval '1 second'
            where number = $1 and conductor = $2 and tries < $4";
        let noted = sqlx::query(sql)
            .bind(claimed.number)
            .bind(&self.name)
            .bind(reason)
            .bind(retry.most());
        if noted.execute(&self.database.pool).await?.rows_affected() > 0 {
            return Ok(());
        }
        // `passed` is what tells it from a test that a person stopped: `selfplay wait` exits with 2, and not with 3.
        let sql = "update lab.jobs set reason = $3, state = 'stopped', finished_at = clock_timestamp(), passed = false,
                conductor = null, conducted_until = null
            where number = $1 and conductor = $2";
        let stopped = sqlx::query(sql)
            .bind(claimed.number)
            .bind(&self.name)
            .bind(reason);
        stopped.execute(&self.database.pool).await?;
        Ok(())
    }

    /// Stores the test with commits in place of revisions; the test that follows it gets the same commits.
    pub(super) async fn store_spec(&self, number: JobNumber, spec: &TestSpec) -> Result<()> {
        let sql =
            "update lab.jobs set spec = $3, reason = null where number = $1 and conductor = $2";
        let stored = sqlx::query(sql)
            .bind(number)
            .bind(&self.name)
            .bind(Json(spec));
        let mut transaction = self.database.pool.begin().await?;
        only_one(stored.execute(&mut *transaction).await?.rows_affected())?;
        // It begins hours later, when its branches may have moved: LTC would confirm other commits than STC has passed.
        let sql = "update lab.jobs set spec = jsonb_set(spec, '{engines}', $2)
            where follows = $1 and state in ('pending', 'waiting')";
        let followed = sqlx::query(sql).bind(number).bind(Json(&spec.engines));
        followed.execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// Stores what is known, with a point of the graph, in one transaction.
    pub(super) async fn store(&self, number: JobNumber, news: &News<'_>) -> Result<()> {
        let mut transaction = self.database.pool.begin().await?;
        let sql = "update lab.jobs set summary = $3, summary_cursor = $4 where number = $1 and conductor = $2";
        let stored = sqlx::query(sql)
            .bind(number)
            .bind(&self.name)
            .bind(Json(news.summary))
            .bind(i64::try_from(news.cursor).unwrap_or(i64::MAX));
        only_one(stored.execute(&mut *transaction).await?.rows_affected())?;
        if let Some(point) = &news.point {
            add_point(&mut transaction, number, point).await?;
        }
        Ok(transaction.commit().await?)
    }

    /// Stores what is known, and leaves the decision to people.
    pub(super) async fn flag(
        &self,
        number: JobNumber,
        news: &News<'_>,
        reason: &str,
    ) -> Result<()> {
        self.store(number, news).await?;
        let sql = "update lab.jobs set state = 'flagged', reason = $3, finished_at = null, conducted_until = null
            where number = $1 and conductor = $2 and state in ('running', 'done') and concluded_at is null";
        let flagged = sqlx::query(sql).bind(number).bind(&self.name).bind(reason);
        flagged.execute(&self.database.pool).await?;
        Ok(())
    }

    /// Stores the final result: the test is done, or stays as people left it. What follows a test
    /// that has not passed is stopped.
    pub(super) async fn conclude(&self, claimed: &Claimed, news: &News<'_>) -> Result<()> {
        let passed = match news.summary.outcome {
            Some(Outcome::Passed | Outcome::Complete) => Some(true),
            Some(_) => Some(false),
            None => None,
        };
        let mut transaction = self.database.pool.begin().await?;
        // A test that could not be prepared has no outcome, and keeps its `passed`. From `settled_at` on, no
        // checks of it are leased.
        let sql = "update lab.jobs set summary = $3, summary_cursor = $4, passed = coalesce($5, passed),
                state = case when state in ('waiting', 'running', 'done') then 'done' else state end,
                finished_at = coalesce(finished_at, clock_timestamp()), concluded_at = clock_timestamp(),
                settled_at = coalesce(settled_at, clock_timestamp()), conducted_until = null
            where number = $1 and conductor = $2 and concluded_at is null";
        let stored = sqlx::query(sql)
            .bind(claimed.number)
            .bind(&self.name)
            .bind(Json(news.summary))
            .bind(i64::try_from(news.cursor).unwrap_or(i64::MAX))
            .bind(passed);
        only_one(stored.execute(&mut *transaction).await?.rows_affected())?;
        if let Some(point) = &news.point {
            add_point(&mut transaction, claimed.number, point).await?;
        }
        // Otherwise it would wait for ever, as only a test that has passed lets it begin.
        if passed != Some(true) {
            let sql = "update lab.jobs set state = 'stopped', finished_at = clock_timestamp(), reason = $2
                where follows = $1 and state in ('pending', 'waiting')";
            let reason = format!("{} did not pass", claimed.id);
            let stopped = sqlx::query(sql).bind(claimed.number).bind(reason);
            stopped.execute(&mut *transaction).await?;
        }
        Ok(transaction.commit().await?)
    }
}

/// What became known of a test.
pub(super) struct News<'a> {
    pub(super) summary: &'a TestSummary,
    /// The number of the last result in it.
    pub(super) cursor: u64,
    pub(super) point: Option<Point>,
}

/// Adds a point, in place of those that are not before it: after results were taken back, the graph is drawn anew.
async fn add_point(connection: &mut PgConnection, number: JobNumber, point: &Point) -> Result<()> {
    let sql = "with next as (select coalesce(max(number), 0) + 1 as number from lab.points where job = $1),
            gone as (delete from lab.points where job = $1 and (value ->> 'done')::bigint >= ($2 ->> 'done')::bigint)
        insert into lab.points (job, number, value) select $1, number, $2 from next";
    let added = sqlx::query(sql).bind(number).bind(Json(point));
    added.execute(connection).await?;
    Ok(())
}

fn only_one(rows: u64) -> Result<()> {
    if rows == 1 {
        Ok(())
    } else {
        Err(ConductError::TakenOver)
    }
}
