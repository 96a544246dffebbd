//! What the machines of a lab did in the last day, and the task that keeps count of it.

use std::time::Duration;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use tokio::time::sleep;
use web::problem::Problem;

use super::format::grouped;
use super::graph::{self, HOURS};
use super::{PageFrame, page, queries, reading};
use crate::app::LabState;
use crate::people::SignedIn;
use crate::store::{Database, LabDatabaseError, bounded};

/// Between two looks at what workers did.
const PERIOD: Duration = Duration::from_mins(1);

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
    let is_free: bool = sqlx::query_scalar("select pg_try_advisory_xact_lock(1414485838)")
        .fetch_one(&mut *transaction)
        .await?;
    if !is_free {
        return Ok(());
    }
    // Discarded results are taken back from the present hour.
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
        )
        insert into lab.hours as h (at, worker, units, games)
        select date_trunc('hour', now()), worker, sum(more),
            coalesce(sum(more * 2) filter (where is_of_games), 0)
        from moved group by worker
        on conflict (at, worker) do update set units = h.units + excluded.units,
            games = h.games + excluded.games",
    )
    .execute(&mut *transaction)
    .await?;
    for old in [
        "delete from lab.samples p using lab.jobs j
            where j.number = p.job and j.finished_at < now() - interval '2 hours'",
        "delete from lab.hours where at < now() - interval '60 days'",
    ] {
        sqlx::query(old).execute(&mut *transaction).await?;
    }
    transaction.commit().await?;
    Ok(())
}

struct ThroughputRow {
    name: String,
    units: String,
    games: String,
}

#[derive(Template)]
#[template(path = "throughput.html")]
struct ThroughputPage {
    frame: PageFrame,
    /// Graphs of units and games.
    units: String,
    games: String,
    totals: [String; 2],
    rows: Vec<ThroughputRow>,
}

/// Shows units and games per hour, and who did them.
pub(crate) async fn show(
    State(app): State<LabState>,
    who: Option<SignedIn>,
) -> Result<Response, Problem> {
    let pool = &app.database.pool;
    let hours = queries::hours(pool, HOURS.into()).await.map_err(reading)?;
    let rows = queries::busiest(pool, HOURS.into())
        .await
        .map_err(reading)?;
    let total = |numbers: Vec<i64>| grouped(numbers.iter().sum::<i64>().max(0));
    Ok(page(&ThroughputPage {
        frame: PageFrame::new("Throughput", "", who.map(|who| who.0)),
        units: graph::hours("Units per hour", &hours, |hour| hour.units),
        games: graph::hours("Games per hour", &hours, |hour| hour.games),
        totals: [
            total(hours.iter().map(|hour| hour.units).collect()),
            total(hours.iter().map(|hour| hour.games).collect()),
        ],
        rows: { rows.into_iter() }
            .map(|row| ThroughputRow {
                name: row.name,
                units: grouped(row.units.max(0)),
                games: grouped(row.games.max(0)),
            })
            .collect(),
    }))
}
