//! What people own that has tokens: programs (account tokens) and workers. Tokens are shown once.

use serde::Serialize;
use sqlx::PgConnection;

use super::audit::audit;
use super::error::PeopleError;
use super::rights::Right;
use super::tokens::{TokenKind, hash, new_token};
use crate::model::{Account, AccountId};
use crate::store::Database;

/// An account token, without what it is.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, utoipa::ToSchema)]
pub struct TokenRow {
    /// Its number.
    pub id: i32,
    /// What it is for.
    pub name: String,
    /// When it was made, RFC 3339.
    pub created_at: String,
    /// When it was last used, to ten minutes.
    pub used_at: Option<String>,
}

/// A worker, as its owner sees it.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, utoipa::ToSchema)]
pub struct MachineRow {
    /// Its name.
    pub name: String,
    /// The name of its owner.
    pub owner: String,
    /// When its token was made, RFC 3339.
    pub created_at: String,
    /// When it last asked for work, RFC 3339.
    pub seen_at: Option<String>,
    /// Why it is quarantined, if it is.
    pub quarantine_reason: Option<String>,
    /// Whether its token is revoked.
    pub is_revoked: bool,
}

/// Tokens that an account may have at once, and workers.
const MOST_TOKENS: u32 = 50;
const MOST_WORKERS: u32 = 1000;

/// The longest name of a token, and of a worker, in characters.
const NAME_CHARACTERS: usize = 64;

fn check_label(name: &str) -> Result<(), PeopleError> {
    let is_good = !name.trim().is_empty()
        && name.chars().count() <= NAME_CHARACTERS
        && !name.chars().any(char::is_control);
    if is_good {
        return Ok(());
    }
    Err(PeopleError::BadValue {
        field: "name",
        reason: format!("expected 1 to {NAME_CHARACTERS} characters"),
    })
}

/// Names of workers are parts of addresses and of reports.
fn check_worker_name(name: &str) -> Result<(), PeopleError> {
    let is_good = (1..=NAME_CHARACTERS).contains(&name.len())
        && name
            .bytes()
            .next()
            .is_some_and(|b| b.is_ascii_alphanumeric())
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
    if is_good {
        return Ok(());
    }
    Err(PeopleError::BadValue {
        field: "name",
        reason: format!(
            "expected 1 to {NAME_CHARACTERS} letters, digits, '-', '_' and '.', beginning with a letter or a digit"
        ),
    })
}

/// Locks an account, so that its limits hold when two requests come at once.
async fn lock(connection: &mut PgConnection, account: AccountId) -> Result<(), PeopleError> {
    sqlx::query("select from lab.accounts where id = $1 for update")
        .bind(account)
        .execute(connection)
        .await?;
    Ok(())
}

/// Makes a token for a program of this account. It may do what the account may do, except changing
/// passwords and making tokens.
///
/// # Errors
/// The name is not valid, the account has too many tokens, or the database failed.
pub async fn add_token(
    database: &Database,
    account: &Account,
    name: &str,
) -> Result<String, PeopleError> {
    check_label(name)?;
    let token = new_token(TokenKind::Account)?;
    let mut transaction = database.pool.begin().await?;
    lock(&mut transaction, account.id).await?;
    let sql = "select count(*) from lab.account_tokens where account = $1 and revoked_at is null";
    let count: i64 = sqlx::query_scalar(sql)
        .bind(account.id)
        .fetch_one(&mut *transaction)
        .await?;
    if count >= i64::from(MOST_TOKENS) {
        let (what, most) = ("tokens", MOST_TOKENS);
        return Err(PeopleError::TooMany { what, most });
    }
    let sql = "insert into lab.account_tokens (account, name, hash) values ($1, $2, $3)";
    sqlx::query(sql)
        .bind(account.id)
        .bind(name)
        .bind(hash(&token))
        .execute(&mut *transaction)
        .await?;
    audit(&mut *transaction, Some(account.id), "add token", name, "").await?;
    transaction.commit().await?;
    Ok(token)
}

/// The tokens of an account that are not revoked.
///
/// # Errors
/// The database failed.
pub async fn tokens(database: &Database, account: AccountId) -> Result<Vec<TokenRow>, PeopleError> {
    let sql = "select id, name, lab.rfc3339(created_at) as created_at,
            lab.rfc3339(used_at) as used_at
        from lab.account_tokens where account = $1 and revoked_at is null order by id";
    let rows = sqlx::query_as(sql).bind(account);
    Ok(rows.fetch_all(&database.pool).await?)
}

/// Revokes a token of this account.
///
/// # Errors
/// The account has no such token, or the database failed.
pub async fn revoke_token(
    database: &Database,
    account: &Account,
    id: i32,
) -> Result<(), PeopleError> {
    let mut transaction = database.pool.begin().await?;
    let sql = "update lab.account_tokens set revoked_at = now()
        where id = $1 and account = $2 and revoked_at is null returning name";
    let name: Option<String> = sqlx::query_scalar(sql)
        .bind(id)
        .bind(account.id)
        .fetch_optional(&mut *transaction)
        .await?;
    let name = name.ok_or(PeopleError::NoToken(id))?;
    audit(
        &mut *transaction,
        Some(account.id),
        "revoke token",
        &name,
        "",
    )
    .await?;
    Ok(transaction.commit().await?)
}

/// Adds a worker of this account and returns its token.
///
/// # Errors
/// The name is not valid or taken, the account has too many workers, or the database failed.
pub async fn add_worker(
    database: &Database,
    owner: &Account,
    name: &str,
) -> Result<String, PeopleError> {
    check_worker_name(name)?;
    let token = new_token(TokenKind::Worker)?;
    let mut transaction = database.pool.begin().await?;
    lock(&mut transaction, owner.id).await?;
    let sql = "select count(*) from lab.workers where owner = $1 and revoked_at is null";
    let count: i64 = sqlx::query_scalar(sql)
        .bind(owner.id)
        .fetch_one(&mut *transaction)
        .await?;
    if count >= i64::from(MOST_WORKERS) {
        let (what, most) = ("workers", MOST_WORKERS);
        return Err(PeopleError::TooMany { what, most });
    }
    // A revoked worker keeps its name, under which results and the audit log list it.
    let sql = "insert into lab.workers (owner, name, hash) values ($1, $2, $3)
        on conflict (name) do nothing";
    let added = sqlx::query(sql)
        .bind(owner.id)
        .bind(name)
        .bind(hash(&token))
        .execute(&mut *transaction)
        .await?;
    if added.rows_affected() == 0 {
        return Err(PeopleError::NameTaken(name.to_owned()));
    }
    audit(&mut *transaction, Some(owner.id), "add worker", name, "").await?;
    transaction.commit().await?;
    Ok(token)
}

/// Gives a worker another token; the old one is not valid any more. Only its owner may.
///
/// # Errors
/// The owner has no such worker, or it is revoked; or the database failed.
pub async fn renew_worker(
    database: &Database,
    owner: &Account,
    name: &str,
) -> Result<String, PeopleError> {
    let token = new_token(TokenKind::Worker)?;
    let mut transaction = database.pool.begin().await?;
    let sql = "update lab.workers set hash = $3
        where name = $1 and owner = $2 and revoked_at is null";
    let renewed = sqlx::query(sql)
        .bind(name)
        .bind(owner.id)
        .bind(hash(&token))
        .execute(&mut *transaction)
        .await?;
    if renewed.rows_affected() == 0 {
        return Err(PeopleError::NoWorker(name.to_owned()));
    }
    audit(&mut *transaction, Some(owner.id), "renew worker", name, "").await?;
    transaction.commit().await?;
    Ok(token)
}

/// Revokes the token of a worker: one's own, or any with [`Right::ManageWorkers`]. Without an account, for
/// operators who use the program on the database.
///
/// # Errors
/// There is no such worker, it is revoked already, or it is another's; or the database failed.
pub async fn revoke_worker(
    database: &Database,
    by: Option<&Account>,
    name: &str,
) -> Result<(), PeopleError> {
    let mut transaction = database.pool.begin().await?;
    let sql = "select owner from lab.workers where name = $1 and revoked_at is null for update";
    let owner: Option<AccountId> = sqlx::query_scalar(sql)
        .bind(name)
        .fetch_optional(&mut *transaction)
        .await?;
    let owner = owner.ok_or_else(|| PeopleError::NoWorker(name.to_owned()))?;
    if let Some(by) = by {
        let permitted = by.require_for(owner, Right::ManageWorkers);
        permitted.map_err(|problem| PeopleError::Forbidden(problem.detail().to_owned()))?;
    }
    sqlx::query("update lab.workers set revoked_at = now() where name = $1")
        .bind(name)
        .execute(&mut *transaction)
        .await?;
    let by = by.map(|account| account.id);
    audit(&mut *transaction, by, "revoke worker", name, "").await?;
    Ok(transaction.commit().await?)
}

/// Workers by name: those of one owner or all; at most 1,000 after the given one.
///
/// # Errors
/// The database failed.
pub async fn workers(
    database: &Database,
    owner: Option<AccountId>,
    after: &str,
) -> Result<Vec<MachineRow>, PeopleError> {
    let sql = "select w.name, a.name as owner, lab.rfc3339(w.created_at) as created_at,
            lab.rfc3339(w.seen_at) as seen_at, w.quarantine_reason,
            w.revoked_at is not null as is_revoked
        from lab.workers w join lab.accounts a on a.id = w.owner
        where ($1::integer is null or w.owner = $1) and w.name > $2 order by w.name limit 1000";
    let rows = sqlx::query_as(sql).bind(owner).bind(after);
    Ok(rows.fetch_all(&database.pool).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_workers_fit_into_addresses() {
        for name in ["box", "Box-1.lan", "9_x"] {
            assert!(check_worker_name(name).is_ok(), "{name}");
        }
        for name in ["", "-x", "a b", "a/b", "ä", &"a".repeat(65)] {
            assert!(check_worker_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn names_of_tokens_are_free_but_short() {
        assert!(check_label("CI of the engine, branch main").is_ok());
        for name in ["", "  ", "a\nb", &"a".repeat(65)] {
            assert!(check_label(name).is_err(), "{name}");
        }
    }
}
