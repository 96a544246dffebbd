//! What pages read from the database. Every statement reads a bounded number of rows, by an index.

use queue::wire::Abilities;
use selfplay::lab::summary::{Point, TestSummary};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sqlx::types::Json;
use sqlx::{AssertSqlSafe, FromRow, PgPool};

use crate::model::{AccountId, JobNumber};

type Result<T> = std::result::Result<T, sqlx::Error>;

/// Tests on one page of a list.
pub(crate) const TESTS: i64 = 50;
/// Tests of a state among which a filter without an index looks.
const LOOKED_AT: i64 = 20_000;
/// Months that the page of throughput has.
const MONTHS: i64 = 240;
/// Machines on one page.
pub(crate) const MACHINES: i64 = 200;
/// Repositories on a page; a lab has few.
const REPOSITORIES: i64 = 500;
/// Unfinished tests whose changes are looked for.
const MOVING: i64 = 500;
/// Points of one answer.
pub(crate) const POINTS: i64 = 1000;
/// Perft counts on a page.
const COUNTS: i64 = 500;

/// What a list of tests contains.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Filter {
    /// Tests in one of these states.
    pub(crate) states: Vec<String>,
    /// Of this author.
    pub(crate) author: Option<String>,
    /// Of this repository.
    pub(crate) repository: Option<String>,
    /// Of this kind, such as `sprt`.
    pub(crate) kind: Option<String>,
    /// With this time control.
    pub(crate) tc: Option<String>,
    /// With these bounds, in Elo.
    pub(crate) bounds: Option<[f64; 2]>,
    /// With this text in the title, the name or the note.
    pub(crate) text: Option<String>,
    /// Submitted before this one.
    pub(crate) before: Option<i32>,
}

/// A job, with what lists and its page show.
#[derive(Clone, Debug, FromRow)]
pub(crate) struct JobSummary {
    pub(crate) number: JobNumber,
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) title: String,
    pub(crate) state: String,
    pub(crate) reason: Option<String>,
    pub(crate) owner: AccountId,
    pub(crate) author: String,
    pub(crate) repository: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) priority: i32,
    pub(crate) weight: f32,
    pub(crate) spec: Option<Json<Value>>,
    pub(crate) summary: Option<Json<Value>>,
    pub(crate) note: String,
    pub(crate) follows: Option<JobNumber>,
    pub(crate) approved_by: Option<String>,
    pub(crate) created_ms: i64,
    pub(crate) started_ms: Option<i64>,
    pub(crate) finished_ms: Option<i64>,
}

/// The columns of [`JobSummary`], of `j` (jobs), `a` (its owner), `r` (its repository), `b` (who approved it).
const JOB: &str =
    "j.number, j.id, j.kind, j.title, j.state, j.reason, j.owner, a.name author, r.name repository,
    r.url, j.priority, j.weight, j.spec, j.summary, j.note, j.follows, b.name approved_by,
    (extract(epoch from j.created_at) * 1000)::bigint created_ms,
    (extract(epoch from j.started_at) * 1000)::bigint started_ms,
    (extract(epoch from j.finished_at) * 1000)::bigint finished_ms";

const OF_JOB: &str = "join lab.accounts a on a.id = j.owner
    left join lab.repositories r on r.id = j.repository
    left join lab.accounts b on b.id = j.approved_by";

/// A document in a column; nothing if it is of another version.
fn document<T: DeserializeOwned>(column: Option<&Json<Value>>) -> Option<T> {
    let Json(value) = column?;
    let document = T::deserialize(value);
    document
        .inspect_err(|error| tracing::warn!("a document cannot be read: {error}"))
        .ok()
}

impl JobSummary {
    /// What is known about the test.
    pub(crate) fn summary(&self) -> TestSummary {
        document(self.summary.as_ref()).unwrap_or_default()
    }

    /// What was submitted.
    pub(crate) fn spec(&self) -> Option<selfplay::lab::spec::TestSpec> {
        document(self.spec.as_ref())
    }
}

/// A page of tests, the newest first, and one more if there are more.
pub(crate) async fn tests(pool: &PgPool, filter: &Filter) -> Result<Vec<JobSummary>> {
    let author = filter.author.is_some();
    let repository = filter.repository.is_some();
    // Each state alone is a range of an index; their first rows are merged. The conditions are left out and not
    // joined by `or`, which no index serves. A parameter needs a type even where it is not used.
    let mine = if author {
        "and owner = (select id from lab.accounts where name = $4)"
    } else {
        "and ($4::text is null)"
    };
    let of = if repository {
        "and repository = (select id from lab.repositories where name = $5)"
    } else {
        "and ($5::text is null)"
    };
    // What has no index is looked for among the newest tests. Bounds are compared as numbers, as `0` is `0.0`;
    // `strpos` takes `%` and `_` as they are.
    let sql = format!(
        "select {JOB} from (
            select found.number from unnest($1::text[]) states (state) cross join lateral (
                select number from (
                    select number, spec, title, id, note from lab.jobs
                    where state = states.state and number < $2 {mine} {of}
                    order by number desc limit $10) newest
                where ($6::text is null or spec ->> 'kind' = $6)
                    and ($7::text is null or spec #>> '{{limits,tc}}' = $7)
                    and ($8::float8[] is null or (spec #>> '{{bounds,elo0}}')::float8 = $8[1]
                        and (spec #>> '{{bounds,elo1}}')::float8 = $8[2])
                    and ($9::text is null or strpos(lower(title || ' ' || id || ' ' || note), lower($9)) > 0)
                order by number desc limit $3) found
            order by number desc limit $3) page
        join lab.jobs j using (number) {OF_JOB} order by j.number desc"
    );
    sqlx::query_as(AssertSqlSafe(sql))
        .bind(&filter.states)
        .bind(filter.before.unwrap_or(i32::MAX))
        // One more than is shown tells whether there is another page.
        .bind(TESTS + 1)
        .bind(&filter.author)
        .bind(&filter.repository)
        .bind(&filter.kind)
        .bind(&filter.tc)
        .bind(filter.bounds.map(|bounds| bounds.to_vec()))
        .bind(&filter.text)
        .bind(LOOKED_AT)
        .fetch_all(pool)
        .await
}

/// Number of workers that have results of these tests and were seen in the last two minutes.
pub(crate) async fn at_work(pool: &PgPool, jobs: &[i32]) -> Result<Vec<AtWork>> {
    sqlx::query_as(
        "select s.job, count(*) workers from lab.shares s join lab.workers w on w.id = s.worker
        where s.job = any ($1) and s.units > 0 and w.seen_at > now() - interval '2 minutes' group by s.job",
    )
    .bind(jobs)
    .fetch_all(pool)
    .await
}

/// Workers of a test.
#[derive(Clone, Copy, Debug, FromRow)]
pub(crate) struct AtWork {
    pub(crate) job: i32,
    pub(crate) workers: i64,
}

/// A job by its name.
pub(crate) async fn test(pool: &PgPool, id: &str) -> Result<Option<JobSummary>> {
    let sql = format!("select {JOB} from lab.jobs j {OF_JOB} where j.id = $1");
    sqlx::query_as(AssertSqlSafe(sql))
        .bind(id)
        .fetch_optional(pool)
        .await
}

/// The test that a test follows, and those that follow it: names and titles.
pub(crate) async fn related(
    pool: &PgPool,
    job: &JobSummary,
) -> Result<Vec<(String, String, bool)>> {
    sqlx::query_as(
        "select id, title, true from lab.jobs where number = $1
        union all
        (select id, title, false from lab.jobs where follows = $2 order by number limit 10)",
    )
    .bind(job.follows)
    .bind(job.number)
    .fetch_all(pool)
    .await
}

/// A step of a graph.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct NumberedPoint {
    /// Increases with time.
    pub(crate) number: i64,
    /// What was known then.
    #[serde(flatten)]
    pub(crate) point: Point,
}

/// The next points of a job's graph, at most `limit`.
pub(crate) async fn points(
    pool: &PgPool,
    id: &str,
    after: i64,
    limit: i64,
) -> Result<Vec<NumberedPoint>> {
    let rows: Vec<(i64, Json<Value>)> = sqlx::query_as(
        "select p.number, p.value from lab.points p
        where p.job = (select number from lab.jobs where id = $1) and p.number > $2
        order by p.number limit $3",
    )
    .bind(id)
    .bind(after)
    .bind(limit)
    .fetch_all(pool)
    .await?;
    let points = rows.into_iter().filter_map(|(number, value)| {
        let point = document(Some(&value))?;
        Some(NumberedPoint { number, point })
    });
    Ok(points.collect())
}

/// The state of a test that is compared to find out whether it has changed.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub(crate) struct Moved {
    pub(crate) number: i32,
    pub(crate) id: String,
    pub(crate) state: String,
    pub(crate) point: i64,
    pub(crate) cursor: i64,
    /// When it last changed, in milliseconds since 1970.
    pub(crate) changed_ms: i64,
}

/// The time of the database in milliseconds since 1970.
pub(crate) async fn now(pool: &PgPool) -> Result<i64> {
    sqlx::query_scalar("select (extract(epoch from clock_timestamp()) * 1000)::bigint")
        .fetch_one(pool)
        .await
}

/// The time of the database in milliseconds since 1970, all unfinished tests, and those that
/// finished after a time.
pub(crate) async fn moved(pool: &PgPool, after_ms: i64) -> Result<(i64, Vec<Moved>)> {
    let now = now(pool).await?;
    // Unfinished tests are few; of the finished ones, only those of the last seconds are looked for.
    let jobs = sqlx::query_as(
        "select j.number, j.id, j.state, coalesce(p.number, 0) point, j.summary_cursor cursor,
            (extract(epoch from greatest(j.created_at, j.approved_at, j.started_at, j.finished_at,
                p.at)) * 1000)::bigint changed_ms
        from (
            (select found.number from unnest(array['pending', 'waiting', 'running', 'flagged']) states (state)
            cross join lateral (select number from lab.jobs where state = states.state
                order by number desc limit $2) found)
            union
            (select number from lab.jobs where finished_at > to_timestamp($1::float8 / 1000)
            order by finished_at desc limit $2)) found
        join lab.jobs j using (number)
        left join lateral (select number, at from lab.points where job = j.number
            order by number desc limit 1) p on true",
    )
    .bind(after_ms)
    .bind(MOVING)
    .fetch_all(pool)
    .await?;
    Ok((now, jobs))
}

/// A machine.
#[derive(Clone, Debug, FromRow)]
pub(crate) struct MachineSummary {
    pub(crate) name: String,
    pub(crate) owner: AccountId,
    pub(crate) owner_name: String,
    pub(crate) abilities: Json<Value>,
    /// Milliseconds since its last call.
    pub(crate) silent_ms: Option<i64>,
    pub(crate) is_revoked: bool,
    pub(crate) quarantine_reason: Option<String>,
    /// Units whose kept results are its, of kinds that compare.
    pub(crate) units: i64,
    /// Chunks of such kinds that it delivered, and those that another worker confirmed.
    pub(crate) chunks: i64,
    pub(crate) confirmed: i64,
    /// Running jobs that have results of it, the newest first: names and titles.
    pub(crate) tests: Json<Vec<(String, String)>>,
}

impl MachineSummary {
    /// What it is able to do; nothing if it never registered.
    pub(crate) fn abilities(&self) -> Abilities {
        document(Some(&self.abilities)).unwrap_or_default()
    }
}

/// A page of machines by name, after one, and one more if there are more.
pub(crate) async fn machines(pool: &PgPool, after: &str) -> Result<Vec<MachineSummary>> {
    sqlx::query_as(
        "select w.name, w.owner, a.name owner_name, w.abilities,
            (extract(epoch from now() - w.seen_at) * 1000)::bigint silent_ms,
            w.revoked_at is not null is_revoked,
            case when w.quarantined_at is not null then coalesce(w.quarantine_reason, '') end
                quarantine_reason,
            coalesce(r.units, 0) units, coalesce(r.chunks, 0) chunks,
            coalesce(r.confirmed, 0) confirmed, t.tests
        from (select * from lab.workers where name > $1 order by name limit $2) w
        join lab.accounts a on a.id = w.owner
        left join lab.records r on r.worker = w.id
        cross join lateral (
            select coalesce(jsonb_agg(jsonb_build_array(j.id, j.title)), '[]') tests from (
                select j.id, j.title
                from (select job from lab.shares where worker = w.id order by job desc limit 20) s
                join lab.jobs j on j.number = s.job and j.state = 'running'
                order by j.number desc limit 3) j) t
        order by w.name",
    )
    .bind(after)
    .bind(MACHINES + 1)
    .fetch_all(pool)
    .await
}

/// What a worker of a test runs on.
#[derive(Clone, Debug, FromRow)]
pub(crate) struct WorkerMachine {
    pub(crate) name: String,
    pub(crate) processor: Option<String>,
    pub(crate) abilities: Json<Abilities>,
}

/// The machines that have results of a job.
pub(crate) async fn machines_of(pool: &PgPool, job: JobNumber) -> Result<Vec<WorkerMachine>> {
    // `about` is any text that a worker sends: read as JSON, one that is not would fail the whole page.
    sqlx::query_as(
        "select w.name, substring(w.about from '\"cpu\" *: *\"([^\"]{1,100})\"') processor, w.abilities
        from lab.shares s join lab.workers w on w.id = s.worker where s.job = $1 order by w.name limit $2",
    )
    .bind(job)
    .bind(MACHINES)
    .fetch_all(pool)
    .await
}

/// A repository.
#[derive(Clone, Debug, FromRow)]
pub(crate) struct RepositoryRow {
    pub(crate) name: String,
    pub(crate) url: String,
    pub(crate) recipe: Json<Value>,
    pub(crate) presets: Json<Value>,
    pub(crate) added_by: String,
    pub(crate) approved_by: Option<String>,
}

/// All repositories, by name.
pub(crate) async fn repositories(pool: &PgPool) -> Result<Vec<RepositoryRow>> {
    sqlx::query_as(
        "select r.name, r.url, r.recipe, r.presets, a.name added_by, b.name approved_by
        from lab.repositories r join lab.accounts a on a.id = r.added_by
        left join lab.accounts b on b.id = r.approved_by order by r.name limit $1",
    )
    .bind(REPOSITORIES)
    .fetch_all(pool)
    .await
}

/// The newest finished perft counts.
pub(crate) async fn counts(pool: &PgPool) -> Result<Vec<JobSummary>> {
    let sql = format!(
        "select {JOB} from lab.jobs j {OF_JOB}
        where j.kind like 'perft%' and j.state = 'done' order by j.number desc limit $1"
    );
    sqlx::query_as(AssertSqlSafe(sql))
        .bind(COUNTS)
        .fetch_all(pool)
        .await
}

/// What was done in an hour.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub(crate) struct Hour {
    /// How many hours ago: 0 for the present one.
    pub(crate) ago: i32,
    pub(crate) units: i64,
    pub(crate) games: i64,
}

/// A pair of games as a worker delivered it.
#[derive(Clone, Debug, FromRow)]
pub(crate) struct Pair {
    /// Increases with time.
    pub(crate) number: i64,
    pub(crate) key: i64,
    pub(crate) worker: String,
    pub(crate) value: String,
}

/// Pairs on one page of a list.
pub(crate) const PAIRS: i64 = 20;

/// The newest pairs of a job that came before one.
pub(crate) async fn pairs(pool: &PgPool, job: JobNumber, before: Option<i64>) -> Result<Vec<Pair>> {
    sqlx::query_as(
        "select r.number, r.key, w.name worker, r.value from lab.results r
        join lab.workers w on w.id = r.worker
        where r.job = $1 and r.number < $2 order by r.number desc limit $3",
    )
    .bind(job)
    .bind(before.unwrap_or(i64::MAX))
    .bind(PAIRS)
    .fetch_all(pool)
    .await
}

/// A pair of a job.
pub(crate) async fn pair(pool: &PgPool, job: JobNumber, key: i64) -> Result<Option<Pair>> {
    sqlx::query_as(
        "select r.number, r.key, w.name worker, r.value from lab.results r
        join lab.workers w on w.id = r.worker where r.job = $1 and r.key = $2",
    )
    .bind(job)
    .bind(key)
    .fetch_optional(pool)
    .await
}

/// What workers did in each of the last hours; the present one is 0 hours ago.
pub(crate) async fn hours(pool: &PgPool, hours: i32) -> Result<Vec<Hour>> {
    sqlx::query_as(
        // An hour in which more was discarded than done is below zero.
        "select n ago, greatest(sum(h.units), 0)::bigint units,
            greatest(sum(h.games), 0)::bigint games
        from generate_series(0, $1 - 1) n
        left join lab.hours h on h.at = date_trunc('hour', now()) - n * interval '1 hour'
        group by n order by n desc",
    )
    .bind(hours)
    .fetch_all(pool)
    .await
}

/// What a worker, or all of a person, did in some time.
#[derive(Clone, Debug, FromRow)]
pub(crate) struct Contribution {
    pub(crate) name: String,
    pub(crate) owner: String,
    pub(crate) units: i64,
    pub(crate) games: i64,
    /// The time of leases times their cores, in milliseconds.
    pub(crate) core_ms: i64,
}

/// Whose contributions are summed up.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SumBy {
    Worker,
    Person,
}

/// The workers that did most in the last hours.
pub(crate) async fn busiest(pool: &PgPool, hours: i32) -> Result<Vec<Contribution>> {
    let since = "t.at > date_trunc('hour', now()) - $1 * interval '1 hour'";
    let sql = contributions("lab.hours", since, SumBy::Worker);
    sqlx::query_as(AssertSqlSafe(sql))
        .bind(hours)
        .bind(MACHINES)
        .fetch_all(pool)
        .await
}

/// Those who did most in a month, such as `2026-11`, or ever.
pub(crate) async fn busiest_in(
    pool: &PgPool,
    month: Option<&str>,
    by: SumBy,
) -> Result<Vec<Contribution>> {
    let in_month = "$1::text is null or to_char(t.month, 'YYYY-MM') = $1";
    sqlx::query_as(AssertSqlSafe(contributions("lab.months", in_month, by)))
        .bind(month)
        .bind(MACHINES)
        .fetch_all(pool)
        .await
}

fn contributions(table: &str, condition: &str, by: SumBy) -> String {
    let name = match by {
        SumBy::Worker => "w.name",
        SumBy::Person => "a.name",
    };
    format!(
        "select {name} name, a.name owner, greatest(sum(t.units), 0)::bigint units,
            greatest(sum(t.games), 0)::bigint games, sum(t.core_ms)::bigint core_ms
        from {table} t join lab.workers w on w.id = t.worker join lab.accounts a on a.id = w.owner
        where {condition} group by 1, 2 order by 5 desc, 3 desc, 1 limit $2"
    )
}

/// The last months in which workers did something, such as `2026-11`, the newest first.
pub(crate) async fn months(pool: &PgPool) -> Result<Vec<String>> {
    sqlx::query_scalar(
        "select to_char(month, 'YYYY-MM') from lab.months group by month order by month desc limit $1",
    )
    .bind(MONTHS)
    .fetch_all(pool)
    .await
}
