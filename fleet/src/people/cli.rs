//! What operators do on the database, without a browser: for `fleet account …` and `fleet token …`.
//! All of it is in the audit log, without an account.

use super::accounts::{self, AccountRow};
use super::audit::audit;
use super::error::PeopleError;
use super::link_address;
use super::machines::{self, MachineRow};
use super::tokens::{TokenKind, hash, new_token};
use crate::model::Role;
use crate::store::Database;

/// Makes an account and returns the address by which its owner sets the password.
///
/// # Errors
/// The name is not valid or taken, or the database failed.
pub async fn add_account(
    database: &Database,
    public_url: &str,
    name: &str,
    role: Role,
) -> Result<String, PeopleError> {
    let secret = accounts::invite(database, None, name, role).await?;
    Ok(link_address(public_url, &secret))
}

/// Returns an address by which the owner of an account sets another password.
///
/// # Errors
/// There is no such account, it is disabled, or the database failed.
pub async fn reset_account(
    database: &Database,
    public_url: &str,
    name: &str,
) -> Result<String, PeopleError> {
    let secret = accounts::reset(database, None, name).await?;
    Ok(link_address(public_url, &secret))
}

/// Changes the role of an account.
///
/// # Errors
/// There is no such account, it is the only administrator, or the database failed.
pub async fn set_role(database: &Database, name: &str, role: Role) -> Result<(), PeopleError> {
    accounts::set_role(database, None, name, role).await
}

/// Disables an account, its sessions, its tokens and its workers.
///
/// # Errors
/// There is no such account, it is the only administrator, or the database failed.
pub async fn disable_account(database: &Database, name: &str) -> Result<(), PeopleError> {
    accounts::disable(database, None, name).await
}

/// Enables a disabled account.
///
/// # Errors
/// There is no such account, or the database failed.
pub async fn enable_account(database: &Database, name: &str) -> Result<(), PeopleError> {
    accounts::enable(database, None, name).await
}

/// All accounts, by name.
///
/// # Errors
/// The database failed.
pub async fn accounts(database: &Database) -> Result<Vec<AccountRow>, PeopleError> {
    let mut all: Vec<AccountRow> = Vec::new();
    loop {
        let after = all.last().map_or("", |row| row.name.as_str()).to_owned();
        let page = accounts::list(database, &after).await?;
        if page.is_empty() {
            return Ok(all);
        }
        all.extend(page);
    }
}

/// Makes a token for a program of an account, such as CI.
///
/// # Errors
/// There is no such account, it has too many tokens, or the database failed.
pub async fn add_token(
    database: &Database,
    account: &str,
    name: &str,
) -> Result<String, PeopleError> {
    let account = accounts::find(database, account).await?;
    machines::add_token(database, &account, name).await
}

/// Adds a worker of an account and returns its token.
///
/// # Errors
/// There is no such account, the name is not valid or taken, or the database failed.
pub async fn add_worker(
    database: &Database,
    owner: &str,
    name: &str,
) -> Result<String, PeopleError> {
    let owner = accounts::find(database, owner).await?;
    machines::add_worker(database, &owner, name).await
}

/// Gives a worker another token, which is returned.
///
/// # Errors
/// There is no such worker, it is revoked, or the database failed.
pub async fn renew_worker(database: &Database, name: &str) -> Result<String, PeopleError> {
    let token = new_token(TokenKind::Worker)?;
    let mut transaction = database.pool.begin().await?;
    let sql = "update lab.workers set hash = $2 where name = $1 and revoked_at is null";
    let renewed = sqlx::query(sql)
        .bind(name)
        .bind(hash(&token))
        .execute(&mut *transaction)
        .await?;
    if renewed.rows_affected() == 0 {
        return Err(PeopleError::NoWorker(name.to_owned()));
    }
    audit(&mut *transaction, None, "renew worker", name, "").await?;
    transaction.commit().await?;
    Ok(token)
}

/// Revokes the token of a worker.
///
/// # Errors
/// There is no such worker, it is revoked already, or the database failed.
pub async fn revoke_worker(database: &Database, name: &str) -> Result<(), PeopleError> {
    machines::revoke_worker(database, None, name).await
}

/// All workers, by name.
///
/// # Errors
/// The database failed.
pub async fn workers(database: &Database) -> Result<Vec<MachineRow>, PeopleError> {
    let mut all: Vec<MachineRow> = Vec::new();
    loop {
        let after = all.last().map_or("", |row| row.name.as_str()).to_owned();
        let page = machines::workers(database, None, &after).await?;
        if page.is_empty() {
            return Ok(all);
        }
        all.extend(page);
    }
}

/// While nobody has set a password yet, returns an address that makes its visitor the first administrator.
/// Print it when a server starts.
///
/// # Errors
/// The database failed.
pub async fn first_link(
    database: &Database,
    public_url: &str,
) -> Result<Option<String>, PeopleError> {
    let secret = accounts::bootstrap(database).await?;
    Ok(secret.map(|secret| link_address(public_url, &secret)))
}
