//! Random tokens of machines and people's programs, of which only hashes are stored.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rand::TryRng as _;
use rand::rngs::SysRng;
use sha2::{Digest as _, Sha256};

use crate::model::{Account, WorkerIdentity};
use crate::store::{Database, StoreError};

/// Whose token it is, which its first letters show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A worker's: `tsw_`.
    Worker,
    /// A person's, for programs: `tsa_`.
    Account,
}

/// A new token: 256 random bits. It is shown once; the database has its hash.
///
/// # Errors
/// The system has no random numbers.
pub fn new_token(kind: TokenKind) -> Result<String, rand::rngs::SysError> {
    let mut bytes = [0; 32];
    SysRng.try_fill_bytes(&mut bytes)?;
    let prefix = match kind {
        TokenKind::Worker => "tsw_",
        TokenKind::Account => "tsa_",
    };
    Ok(format!("{prefix}{}", BASE64_URL_SAFE_NO_PAD.encode(bytes)))
}

/// The hash of a token, under which it is found.
pub fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}

/// The worker that a token belongs to, unless it is revoked.
///
/// # Errors
/// The database failed.
pub async fn worker_of(
    database: &Database,
    token: &str,
) -> Result<Option<WorkerIdentity>, StoreError> {
    let sql = "select id, name, owner, quarantine_reason from lab.workers
        where hash = $1 and revoked_at is null";
    let found: Option<(i32, String, i32, Option<String>)> = sqlx::query_as(sql)
        .bind(hash(token))
        .fetch_optional(&database.pool)
        .await?;
    Ok(found.map(|(id, name, owner, quarantined)| WorkerIdentity {
        id: crate::model::WorkerId(id),
        name,
        owner: crate::model::AccountId(owner),
        quarantined,
    }))
}

/// The account that a token belongs to, unless the token is revoked or the account disabled.
///
/// # Errors
/// The database failed.
pub async fn account_of(database: &Database, token: &str) -> Result<Option<Account>, StoreError> {
    let sql = "select a.id, a.name, a.role from lab.account_tokens t join lab.accounts a on a.id = t.account
        where t.hash = $1 and t.revoked_at is null and a.disabled_at is null";
    let found: Option<(i32, String, crate::model::Role)> = sqlx::query_as(sql)
        .bind(hash(token))
        .fetch_optional(&database.pool)
        .await?;
    Ok(found.map(|(id, name, role)| Account {
        id: crate::model::AccountId(id),
        name,
        role,
    }))
}
