//! Which worker a token belongs to: all that are asked for at the same time in one statement, since
//! every call of a worker begins with it. Nothing is remembered: a token that is revoked ends at once.

use std::collections::HashMap;

use super::error::WorkError;
use super::state::WorkState;
use crate::model::{AccountId, WorkerId, WorkerIdentity};

pub(super) type IdentifyAnswer = Result<Option<WorkerIdentity>, WorkError>;

/// The hash of a token and whose it is.
type IdentityRow = (Vec<u8>, WorkerId, String, AccountId, Option<String>);

/// The workers that tokens with these hashes belong to.
pub(super) async fn identify(state: &WorkState, hashes: Vec<Vec<u8>>) -> Vec<IdentifyAnswer> {
    match identified(state, &hashes).await {
        Ok(found) => hashes
            .iter()
            .map(|hash| Ok(found.get(hash).cloned()))
            .collect(),
        Err(error) => error.for_all(hashes.len()),
    }
}

async fn identified(
    state: &WorkState,
    hashes: &[Vec<u8>],
) -> Result<HashMap<Vec<u8>, WorkerIdentity>, WorkError> {
    // By the index, whatever is known of the table.
    let sql = "select w.hash, w.id, w.name, w.owner, w.quarantine_reason
        from unnest($1) as asked(hash) cross join lateral
            (select * from lab.workers w where w.hash = asked.hash and w.revoked_at is null limit 1) w
        join lab.accounts a on a.id = w.owner and a.disabled_at is null";
    let rows: Vec<IdentityRow> = sqlx::query_as(sql)
        .bind(hashes)
        .fetch_all(&state.database.pool)
        .await?;
    let identities = rows
        .into_iter()
        .map(|(hash, id, name, owner, quarantined)| {
            let identity = WorkerIdentity {
                id,
                name,
                owner,
                quarantined,
            };
            (hash, identity)
        });
    Ok(identities.collect())
}
