//! What the machines of a lab did in the last day and in each month, and the task that keeps count of it.

use std::time::Duration;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use tokio::time::sleep;
use web::extract::Query;
use web::problem::Problem;

use super::format::grouped;
use super::graph::{self, HOURS};
use super::queries::{self, Contribution, SumBy};
use super::{PageFrame, page, reading};
use crate::app::LabState;
use crate::people::SignedIn;
use crate::store::{Database, LabDatabaseError, bounded};

/// Interval between two looks at what workers did.
const PERIOD: Duration = Duration::from_mins(1);
/// The value that stands for all months.
const ALL: &str = "all";

/// Notes once a minute what workers did since the last time, until it is dropped. Any number of
/// servers may run it: what one has noted, the others find.
pub async fn keep(database: Database) {
    loop {
        if let Err(error) = bounded(note(&database)).await {
            tracing::warn!("throughput cannot be noted: {error}");
        }
        sleep(PERIOD).await;
    }
}

/// Notes what workers did since the last time, unless another server is at it.
///
/// # Errors
/// The database failed.
pub async fn note(database: &Database) -> Result<(), LabDatabaseError> {
    let mut transaction = database.pool.begin().await?;
    // In ASCII, the number is `TOWN`; the queue locks the two before it.
    let is_free: bool = sqlx::query_scalar("select pg_try_advisory_xact_lock(1414485838)")
        .fetch_one(&mut *transaction)
        .await?;
    if !is_free {
        return Ok(());
    }
    // Discarded results are taken back from the present hour, which may be below zero then. A unit of a match
    // is a pair: two games. Months begin in UTC, whatever the time zone of the database.
    sqlx::query(
        "with moved as (
            select s.job, s.worker, s.units, s.units - coalesce(p.units, 0) more,
                j.kind like 'selfplay-%' is_of_games
            from (select number, kind from lab.jobs where state = 'running'
                union select number, kind from lab.jobs
                    where finished_at > now() - interval '1 hour') j
            join lab.shares s on s.job = j.number
            left join lab.samples p on p.job = s.job and p.worker = s.worker
            where s.units <> coalesce(p.units, 0)
        ), noted as (
            insert into lab.samples (job, worker, units) select job, worker, units from moved
            on conflict (job, worker) do update set units = excluded.units
        ),
        busy as (
            select r.worker, r.core_ms, r.core_ms - coalesce(n.core_ms, 0) more
            from lab.records r left join lab.noted n using (worker)
            where r.core_ms <> coalesce(n.core_ms, 0)
        ), busy_noted as (
            insert into lab.noted (worker, core_ms) select worker, core_ms from busy
            on conflict (worker) do update set core_ms = excluded.core_ms
        ), news as (
            select worker, sum(units)::bigint units, sum(games)::bigint games, sum(core_ms)::bigint core_ms
            from (
                select worker, more units, case when is_of_games then 2 * more else 0 end games, 0 core_ms from moved
                union all select worker, 0, 0, more from busy) done
            group by worker
        ), by_month as (
            insert into lab.months as m (month, worker, units, games, core_ms)
            select date_trunc('month', now() at time zone 'UTC')::date, worker, units, games, core_ms from news
            on conflict (month, worker) do update set units = m.units + excluded.units,
                games = m.games + excluded.games, core_ms = m.core_ms + excluded.core_ms
        )
        insert into lab.hours as h (at, worker, units, games, core_ms)
        select date_trunc('hour', now()), worker, units, games, core_ms from news
        on conflict (at, worker) do update set units = h.units + excluded.units,
            games = h.games + excluded.games, core_ms = h.core_ms + excluded.core_ms",
    )
    .execute(&mut *transaction)
    .await?;
    // A test whose results are discarded long after its end is looked at again. Results in an archive stay as they are.
    for old in [
        "delete from lab.samples p using lab.jobs j
            where j.number = p.job and j.archived_at < now() - interval '2 hours'",
        "delete from lab.hours where at < now() - interval '60 days'",
    ] {
        sqlx::query(old).execute(&mut *transaction).await?;
    }
    transaction.commit().await?;
    Ok(())
}

struct ContributionRow {
    name: String,
    owner: String,
    cpu_hours: String,
    units: String,
    games: String,
}

impl ContributionRow {
    fn all(found: Vec<Contribution>) -> Vec<Self> {
        let row = |one: Contribution| Self {
            cpu_hours: cpu_hours(one.core_ms),
            name: one.name,
            owner: one.owner,
            units: grouped(one.units),
            games: grouped(one.games),
        };
        found.into_iter().map(row).collect()
    }
}

/// Hours with a tenth where they are few.
#[expect(clippy::cast_precision_loss, reason = "a tenth of an hour is shown")]
fn cpu_hours(core_ms: i64) -> String {
    let hours = core_ms as f64 / 3.6e6;
    if hours < 100.0 {
        format!("{hours:.1}")
    } else {
        grouped(format!("{hours:.0}"))
    }
}

#[derive(Template)]
#[template(path = "throughput.html")]
struct ThroughputPage {
    frame: PageFrame,
    /// Graphs of units and games.
    units: String,
    games: String,
    totals: [String; 2],
    last_day: Vec<ContributionRow>,
    /// Months that can be shown, and which of them is.
    months: Vec<String>,
    month: String,
    people: Vec<ContributionRow>,
    workers: Vec<ContributionRow>,
}

/// Which month is shown.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ThroughputFilter {
    /// Such as `2026-11`, or `all`; the last one if there is no such.
    month: String,
}

/// Shows units and games per hour, and who did them, in the last day and by month.
pub(crate) async fn show(
    State(app): State<LabState>,
    who: Option<SignedIn>,
    Query(wanted): Query<ThroughputFilter>,
) -> Result<Response, Problem> {
    let pool = &app.database.pool;
    let hours = queries::hours(pool, HOURS.into()).await.map_err(reading)?;
    let last_day = queries::busiest(pool, HOURS.into()).await;
    let months = queries::months(pool).await.map_err(reading)?;
    let month = match &*wanted.month {
        ALL => None,
        named => months
            .iter()
            .find(|month| *month == named)
            .or(months.first()),
    };
    let in_month = async |by| {
        let found = queries::busiest_in(pool, month.map(String::as_str), by).await;
        found.map(ContributionRow::all).map_err(reading)
    };
    let total = |numbers: Vec<i64>| grouped(numbers.iter().sum::<i64>().max(0));
    Ok(page(&ThroughputPage {
        frame: PageFrame::new("Throughput", "", who.map(|who| who.0)),
        units: graph::hours("Units per hour", &hours, |hour| hour.units),
        games: graph::hours("Games per hour", &hours, |hour| hour.games),
        totals: [
            total(hours.iter().map(|hour| hour.units).collect()),
            total(hours.iter().map(|hour| hour.games).collect()),
        ],
        last_day: ContributionRow::all(last_day.map_err(reading)?),
        people: in_month(SumBy::Person).await?,
        workers: in_month(SumBy::Worker).await?,
        month: month.cloned().unwrap_or_else(|| ALL.to_owned()),
        months,
    }))
}
