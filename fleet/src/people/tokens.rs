//! Random tokens of machines and people's programs, of which only hashes are stored.

use web::secret::{self, NoRandom};

use crate::model::{Account, AccountId, Role};
use crate::store::{Database, LabDatabaseError};

/// How workers' tokens begin.
pub const WORKER_PREFIX: &str = "tsw_";
/// How the tokens of people's programs begin.
pub const ACCOUNT_PREFIX: &str = "tsa_";

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
pub fn new_token(kind: TokenKind) -> Result<String, NoRandom> {
    let prefix = match kind {
        TokenKind::Worker => WORKER_PREFIX,
        TokenKind::Account => ACCOUNT_PREFIX,
    };
    Ok(format!("{prefix}{}", secret::random()?))
}

/// The hash of a token, under which it is found.
pub fn hash(token: &str) -> Vec<u8> {
    secret::hash(token).to_vec()
}

/// The account that a token belongs to, unless the token is revoked or the account disabled.
///
/// # Errors
/// The database failed.
pub async fn account_of(
    database: &Database,
    token: &str,
) -> Result<Option<Account>, LabDatabaseError> {
    let sql = "select t.id, a.id, a.name, a.role,
            t.used_at is null or t.used_at < now() - interval '10 minutes'
        from lab.account_tokens t join lab.accounts a on a.id = t.account
        where t.hash = $1 and t.revoked_at is null and a.disabled_at is null";
    let found: Option<(i32, AccountId, String, Role, bool)> = sqlx::query_as(sql)
        .bind(hash(token))
        .fetch_optional(&database.pool)
        .await?;
    let Some((token, id, name, role, is_stale)) = found else {
        return Ok(None);
    };
    if is_stale {
        // Use is noted at most every ten minutes: CI that polls would write all the time.
        let sql = "update lab.account_tokens set used_at = now() where id = $1";
        sqlx::query(sql).bind(token).execute(&database.pool).await?;
    }
    Ok(Some(Account { id, name, role }))
}
