//! Heartbeats: leases are renewed, all that come at the same time in one statement.

use queue::Standing;
use sqlx::FromRow;

use super::error::WorkError;
use super::lease::visible_ms;
use super::state::WorkState;
use super::token::Leased;
use crate::model::JobStage;

/// A worker still works on a lease, which is its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beat {
    pub(super) lease: Leased,
    pub(super) visibility_ms: u64,
}

#[derive(FromRow)]
struct HeartbeatRow {
    place: i32,
    /// Nothing, if the job is gone.
    state: Option<JobStage>,
    reason: Option<String>,
    held: bool,
}

impl HeartbeatRow {
    fn standing(self) -> Standing {
        match self.state {
            // Of one that is done, there are checks, and chunks that another worker did first.
            Some(JobStage::Running | JobStage::Done) if self.held => Standing::Held,
            None | Some(JobStage::Running | JobStage::Done) => Standing::Lost,
            Some(
                JobStage::Stopped
                | JobStage::Flagged
                | JobStage::Rejected
                | JobStage::Pending
                | JobStage::Waiting,
            ) => Standing::Stopped(self.reason.unwrap_or_default()),
        }
    }
}

/// Renews leases; returns how each stands.
pub(super) async fn renew(state: &WorkState, beats: Vec<Beat>) -> Vec<Result<Standing, WorkError>> {
    match renewed(state, &beats).await {
        Ok(standings) => standings.into_iter().map(Ok).collect(),
        Err(error) => error.for_all(beats.len()),
    }
}

async fn renewed(state: &WorkState, beats: &[Beat]) -> Result<Vec<Standing>, WorkError> {
    let seen = beats
        .iter()
        .map(|beat| (beat.lease.worker, beat.visibility_ms));
    state.note_seen(state.seen(seen)).await?;
    let leases = || beats.iter().map(|beat| beat.lease);
    let visible = beats.iter().map(|beat| visible_ms(beat.visibility_ms));
    let rows: Vec<HeartbeatRow> =
        sqlx::query_as("select place, state, reason, held from lab.beat($1, $2, $3, $4, $5)")
            .bind(leases().map(|lease| lease.job).collect::<Vec<_>>())
            .bind(leases().map(|lease| lease.chunk).collect::<Vec<_>>())
            .bind(leases().map(|lease| lease.number).collect::<Vec<_>>())
            .bind(leases().map(|lease| lease.worker.0).collect::<Vec<_>>())
            .bind(visible.collect::<Vec<_>>())
            .fetch_all(&state.database.pool)
            .await?;
    let mut standings = vec![Standing::Lost; beats.len()];
    for row in rows {
        let place = usize::try_from(row.place - 1).unwrap_or(usize::MAX);
        if let Some(standing) = standings.get_mut(place) {
            *standing = row.standing();
        }
    }
    Ok(standings)
}
