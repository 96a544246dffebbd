//! Accounts: invited, signed in, given roles, disabled. Every change is in the audit log.

use std::net::IpAddr;

use serde::Serialize;
use sqlx::{PgConnection, Postgres, Transaction};
use web::secret;

use super::attempts;
use super::audit::audit;
use super::error::PeopleError;
use super::passwords::{Passwords, check_strength};
use super::sessions::{self, SessionId};
use crate::model::{Account, AccountId, Role};
use crate::store::Database;

/// An account, as administrators see it.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, utoipa::ToSchema)]
pub struct AccountRow {
    /// Its name.
    pub name: String,
    /// `author`, `maintainer` or `administrator`.
    pub role: String,
    /// Whether its owner has not set a password yet.
    pub is_invited: bool,
    /// Whether it is disabled.
    pub is_disabled: bool,
    /// When it was made, RFC 3339.
    pub created_at: String,
    /// When somebody last used a session of it, RFC 3339.
    pub seen_at: Option<String>,
}

/// The longest and the shortest name of an account.
const NAME_LENGTHS: std::ops::RangeInclusive<usize> = 2..=32;

/// Rejects names that look alike or do not fit into addresses.
///
/// # Errors
/// It is not made of 2 to 32 lower-case letters, digits, `-`, `_` and `.`, beginning with a letter or a digit.
pub fn check_name(name: &str) -> Result<(), PeopleError> {
    let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let is_good = NAME_LENGTHS.contains(&name.len())
        && name.bytes().next().is_some_and(is_plain)
        && name.bytes().all(|b| is_plain(b) || b"-_.".contains(&b));
    if is_good {
        return Ok(());
    }
    Err(PeopleError::BadValue {
        field: "name",
        reason: String::from(
            "expected 2 to 32 lower-case letters, digits, '-', '_' and '.', beginning with a letter or a digit",
        ),
    })
}

/// Hours that an invitation is good for, and a reset.
const INVITATION_HOURS: i32 = 7 * 24;
const RESET_HOURS: i32 = 24;

/// Makes an account and returns the secret of its invitation, which is shown once. `by` is nothing for
/// operators who use the program on the database, as in all functions here.
///
/// # Errors
/// The name is not valid or taken, or the database failed.
pub async fn invite(
    database: &Database,
    by: Option<AccountId>,
    name: &str,
    role: Role,
) -> Result<String, PeopleError> {
    check_name(name)?;
    let mut transaction = database.pool.begin().await?;
    let sql = "insert into lab.accounts (name, role) values ($1, $2)
        on conflict (name) do nothing returning id";
    let id: Option<AccountId> = sqlx::query_scalar(sql)
        .bind(name)
        .bind(role)
        .fetch_optional(&mut *transaction)
        .await?;
    let id = id.ok_or_else(|| PeopleError::NameTaken(name.to_owned()))?;
    let link = add_link(&mut transaction, by, id, INVITATION_HOURS).await?;
    audit(&mut *transaction, by, "invite", name, role.name()).await?;
    transaction.commit().await?;
    Ok(link)
}

/// Makes a link that sets another password, and returns its secret. The old password stays good until the
/// link is used; to end it at once, disable the account.
///
/// # Errors
/// There is no such account, it is disabled, or the database failed.
pub async fn reset(
    database: &Database,
    by: Option<AccountId>,
    name: &str,
) -> Result<String, PeopleError> {
    let mut transaction = database.pool.begin().await?;
    let found: Option<(AccountId, bool)> = sqlx::query_as(
        "select id, password is null from lab.accounts where name = $1 and disabled_at is null",
    )
    .bind(name)
    .fetch_optional(&mut *transaction)
    .await?;
    let (id, is_invited) = found.ok_or_else(|| PeopleError::NoAccount(name.to_owned()))?;
    let (hours, action) = if is_invited {
        (INVITATION_HOURS, "invite again")
    } else {
        (RESET_HOURS, "reset password")
    };
    let link = add_link(&mut transaction, by, id, hours).await?;
    audit(&mut *transaction, by, action, name, "").await?;
    transaction.commit().await?;
    Ok(link)
}

async fn add_link(
    connection: &mut PgConnection,
    by: Option<AccountId>,
    account: AccountId,
    hours: i32,
) -> Result<String, PeopleError> {
    let link = secret::random()?;
    let sql = "insert into lab.links (account, hash, made_by, expires_at)
        values ($1, $2, $3, now() + make_interval(hours => $4))";
    sqlx::query(sql)
        .bind(account)
        // A reader of the database, or of a dump of it, cannot use the link.
        .bind(secret::hash(&link))
        .bind(by)
        .bind(hours)
        .execute(connection)
        .await?;
    Ok(link)
}

/// The key of the advisory lock of the first account.
// In ASCII, it is `lab_peop`; the queue and the throughput lock other numbers.
const FIRST_ACCOUNT_LOCK: i64 = 0x6c61_625f_7065_6f70;

/// The name of the first account.
const FIRST_NAME: &str = "admin";

/// While nobody has set a password yet, makes the account `admin`, an administrator, and returns the secret of
/// a link that sets its password. Each server makes one when it starts; the first that is used ends all.
///
/// # Errors
/// The database failed.
pub async fn bootstrap(database: &Database) -> Result<Option<String>, PeopleError> {
    let mut transaction = database.pool.begin().await?;
    // Two servers that start at the same time must not both make the account.
    sqlx::query("select pg_advisory_xact_lock($1)")
        .bind(FIRST_ACCOUNT_LOCK)
        .execute(&mut *transaction)
        .await?;
    let sql = "select exists (select from lab.accounts where password is not null)";
    let has_people: bool = sqlx::query_scalar(sql).fetch_one(&mut *transaction).await?;
    if has_people {
        return Ok(None);
    }
    // An earlier start may have made the account, and nobody used its link.
    let sql = "insert into lab.accounts (name, role) values ($1, 'administrator')
        on conflict (name) do update set disabled_at = null, role = 'administrator' returning id";
    let id: AccountId = sqlx::query_scalar(sql)
        .bind(FIRST_NAME)
        .fetch_one(&mut *transaction)
        .await?;
    let link = add_link(&mut transaction, None, id, INVITATION_HOURS).await?;
    audit(
        &mut *transaction,
        None,
        "invite",
        FIRST_NAME,
        "the first account",
    )
    .await?;
    transaction.commit().await?;
    Ok(Some(link))
}

/// Whom a link is for.
struct LinkOf {
    name: String,
    /// Whether it has no password yet.
    is_invitation: bool,
}

/// Whom a link is for, if it can still be used.
async fn link_of(database: &Database, link: &str) -> Result<LinkOf, PeopleError> {
    let sql = "select a.name, a.password is null from lab.links l
        join lab.accounts a on a.id = l.account
        where l.hash = $1 and l.used_at is null and l.expires_at > now() and a.disabled_at is null";
    let found: Option<(String, bool)> = sqlx::query_as(sql)
        .bind(secret::hash(link))
        .fetch_optional(&database.pool)
        .await?;
    let (name, is_invitation) = found.ok_or(PeopleError::LinkUsed)?;
    Ok(LinkOf {
        name,
        is_invitation,
    })
}

/// Sets the password of the account that a link is for, ends all its sessions and links, and begins a
/// session, whose cookie is returned.
///
/// # Errors
/// The link is used or has expired, the password is too weak, or the database failed.
pub async fn redeem(
    database: &Database,
    passwords: &Passwords,
    link: &str,
    password: &str,
    browser: &str,
) -> Result<String, PeopleError> {
    let of = link_of(database, link).await?;
    // A password that is rejected leaves the link as it is; a link that is unknown costs no hash.
    check_strength(&of.name, password)?;
    let hash = passwords.hash(password).await?;
    let mut transaction = database.pool.begin().await?;
    // The link is checked again, as two may use it at the same time: the first one gets it.
    let sql = "update lab.links set used_at = now()
        where hash = $1 and used_at is null and expires_at > now() returning account";
    let account: Option<AccountId> = sqlx::query_scalar(sql)
        .bind(secret::hash(link))
        .fetch_optional(&mut *transaction)
        .await?;
    let account = account.ok_or(PeopleError::LinkUsed)?;
    let sql = "update lab.accounts set password = $2 where id = $1 and disabled_at is null";
    let changed = sqlx::query(sql)
        .bind(account)
        .bind(hash)
        .execute(&mut *transaction)
        .await?;
    if changed.rows_affected() == 0 {
        return Err(PeopleError::LinkUsed);
    }
    end_links(&mut transaction, account).await?;
    sessions::end_all(&mut transaction, account, None).await?;
    let cookie = sessions::begin(&mut transaction, account, browser).await?;
    let action = if of.is_invitation {
        "accept invitation"
    } else {
        "set password by a link"
    };
    audit(&mut *transaction, Some(account), action, &of.name, "").await?;
    transaction.commit().await?;
    Ok(cookie)
}

async fn end_links(connection: &mut PgConnection, account: AccountId) -> Result<(), sqlx::Error> {
    let sql = "update lab.links set used_at = now() where account = $1 and used_at is null";
    sqlx::query(sql).bind(account).execute(connection).await?;
    Ok(())
}

/// Somebody who wants to sign in.
#[derive(Clone, Copy, Debug)]
pub struct Visitor<'a> {
    /// The network that the request comes from, as far as known.
    pub address: Option<IpAddr>,
    /// How the browser describes itself.
    pub browser: &'a str,
    /// The cookie that it has: that session ends, so that nobody can plant one and wait for it to be
    /// signed in.
    pub old_cookie: Option<&'a str>,
}

/// Begins a session, whose cookie is returned. Names that do not exist take as long as wrong passwords.
///
/// # Errors
/// The name or the password is wrong, there were too many attempts, or the database failed.
pub async fn sign_in(
    database: &Database,
    passwords: &Passwords,
    name: &str,
    password: &str,
    visitor: Visitor<'_>,
) -> Result<String, PeopleError> {
    // One character more than a name may have stays wrong, and no text fills the table of attempts.
    let name: String = name.trim().chars().take(*NAME_LENGTHS.end() + 1).collect();
    // The attempt counts before the password is checked: many at once would otherwise all be checked.
    attempts::count(&database.pool, &name, visitor.address).await?;
    let sql = "select id, password from lab.accounts where name = $1 and disabled_at is null";
    let found: Option<(AccountId, Option<String>)> = sqlx::query_as(sql)
        .bind(&name)
        .fetch_optional(&database.pool)
        .await?;
    let hash = found.as_ref().and_then(|(_, hash)| hash.as_deref());
    let is_right = passwords.check(password, hash).await?;
    let Some((account, _)) = found.filter(|_| is_right) else {
        return Err(PeopleError::WrongPassword);
    };
    let mut transaction = database.pool.begin().await?;
    if let Some(cookie) = visitor.old_cookie {
        sessions::end_of(&mut transaction, cookie).await?;
    }
    let cookie = sessions::begin(&mut transaction, account, visitor.browser).await?;
    let address = visitor.address.map(|address| address.to_string());
    let address = address.unwrap_or_default();
    audit(&mut *transaction, Some(account), "sign in", &name, &address).await?;
    transaction.commit().await?;
    attempts::forget(&database.pool, &name, visitor.address).await?;
    Ok(cookie)
}

/// Changes one's own password, and ends one's other sessions.
///
/// # Errors
/// The old password is wrong, the new one too weak, or the database failed.
pub async fn change_password(
    database: &Database,
    passwords: &Passwords,
    (account, session): (&Account, SessionId),
    old: &str,
    new: &str,
) -> Result<(), PeopleError> {
    check_strength(&account.name, new)?;
    // Somebody who found a browser signed in must not guess the password there.
    attempts::count_change(&database.pool, &account.name).await?;
    let sql = "select password from lab.accounts where id = $1";
    let hash: Option<String> = sqlx::query_scalar(sql)
        .bind(account.id)
        .fetch_one(&database.pool)
        .await?;
    if !passwords.check(old, hash.as_deref()).await? {
        return Err(PeopleError::WrongPassword);
    }
    let hash = passwords.hash(new).await?;
    let mut transaction = database.pool.begin().await?;
    sqlx::query("update lab.accounts set password = $2 where id = $1")
        .bind(account.id)
        .bind(hash)
        .execute(&mut *transaction)
        .await?;
    // A link to reset the old password must not undo the change.
    end_links(&mut transaction, account.id).await?;
    sessions::end_all(&mut transaction, account.id, Some(session)).await?;
    let name = &account.name;
    audit(
        &mut *transaction,
        Some(account.id),
        "change password",
        name,
        "",
    )
    .await?;
    transaction.commit().await?;
    attempts::forget_change(&database.pool, &account.name).await?;
    Ok(())
}

/// Ends all sessions of an account, and notes it.
///
/// # Errors
/// The database failed.
pub async fn sign_out_everywhere(
    database: &Database,
    account: &Account,
) -> Result<u64, PeopleError> {
    let mut transaction = database.pool.begin().await?;
    let ended = sessions::end_all(&mut transaction, account.id, None).await?;
    let name = &account.name;
    audit(
        &mut *transaction,
        Some(account.id),
        "sign out everywhere",
        name,
        "",
    )
    .await?;
    transaction.commit().await?;
    Ok(ended)
}

/// Changes what an account may do.
///
/// # Errors
/// There is no such account, it is the only administrator, or the database failed.
pub async fn set_role(
    database: &Database,
    by: Option<AccountId>,
    name: &str,
    role: Role,
) -> Result<(), PeopleError> {
    let mut transaction = database.pool.begin().await?;
    let account = find_to_change(&mut transaction, name, role < Role::Administrator).await?;
    sqlx::query("update lab.accounts set role = $2 where id = $1")
        .bind(account)
        .bind(role)
        .execute(&mut *transaction)
        .await?;
    audit(&mut *transaction, by, "change role", name, role.name()).await?;
    Ok(transaction.commit().await?)
}

/// Disables an account: its sessions and links end, its tokens and the tokens of its workers are not valid
/// until it is enabled again.
///
/// # Errors
/// There is no such account, it is the only administrator, or the database failed.
pub async fn disable(
    database: &Database,
    by: Option<AccountId>,
    name: &str,
) -> Result<(), PeopleError> {
    let mut transaction = database.pool.begin().await?;
    let account = find_to_change(&mut transaction, name, true).await?;
    let sql = "update lab.accounts set disabled_at = coalesce(disabled_at, now()) where id = $1";
    sqlx::query(sql)
        .bind(account)
        .execute(&mut *transaction)
        .await?;
    sessions::end_all(&mut transaction, account, None).await?;
    end_links(&mut transaction, account).await?;
    audit(&mut *transaction, by, "disable account", name, "").await?;
    Ok(transaction.commit().await?)
}

/// Enables a disabled account.
///
/// # Errors
/// There is no such account, or the database failed.
pub async fn enable(
    database: &Database,
    by: Option<AccountId>,
    name: &str,
) -> Result<(), PeopleError> {
    let mut transaction = database.pool.begin().await?;
    let account = find_to_change(&mut transaction, name, false).await?;
    sqlx::query("update lab.accounts set disabled_at = null where id = $1")
        .bind(account)
        .execute(&mut *transaction)
        .await?;
    audit(&mut *transaction, by, "enable account", name, "").await?;
    Ok(transaction.commit().await?)
}

/// The account, locked; an error if the lab would be without an administrator who can sign in.
async fn find_to_change(
    transaction: &mut Transaction<'_, Postgres>,
    name: &str,
    is_lost: bool,
) -> Result<AccountId, PeopleError> {
    // All are locked, so that two administrators cannot remove each other at the same time, and in one order,
    // so that neither waits for the other. One who was only invited cannot sign in, and does not count.
    let sql = "select id from lab.accounts where role = 'administrator' and disabled_at is null
        and password is not null order by id for update";
    let administrators: Vec<AccountId> = sqlx::query_scalar(sql)
        .fetch_all(&mut **transaction)
        .await?;
    let sql = "select id from lab.accounts where name = $1 for update";
    let account: Option<AccountId> = sqlx::query_scalar(sql)
        .bind(name)
        .fetch_optional(&mut **transaction)
        .await?;
    let account = account.ok_or_else(|| PeopleError::NoAccount(name.to_owned()))?;
    if is_lost && administrators == [account] {
        return Err(PeopleError::LastAdministrator(name.to_owned()));
    }
    Ok(account)
}

/// All accounts by name; at most 1,000 after the given one.
///
/// # Errors
/// The database failed.
pub async fn list(database: &Database, after: &str) -> Result<Vec<AccountRow>, PeopleError> {
    let sql = "select a.name, a.role, a.password is null as is_invited,
            a.disabled_at is not null as is_disabled, lab.rfc3339(a.created_at) as created_at,
            (select lab.rfc3339(max(s.seen_at)) from lab.sessions s where s.account = a.id) as seen_at
        from lab.accounts a where a.name > $1 order by a.name limit 1000";
    let rows = sqlx::query_as(sql).bind(after);
    Ok(rows.fetch_all(&database.pool).await?)
}

/// The account of a name, for operators who use the program on the database.
///
/// # Errors
/// There is no such account, or the database failed.
pub async fn find(database: &Database, name: &str) -> Result<Account, PeopleError> {
    let sql = "select id, role from lab.accounts where name = $1";
    let found: Option<(AccountId, Role)> = sqlx::query_as(sql)
        .bind(name)
        .fetch_optional(&database.pool)
        .await?;
    let (id, role) = found.ok_or_else(|| PeopleError::NoAccount(name.to_owned()))?;
    let name = name.to_owned();
    Ok(Account { id, name, role })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_into_addresses_and_do_not_look_alike() {
        for name in ["ada", "a1", "bob.smith", "x-y_z", &"a".repeat(32)] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        let long = "a".repeat(33);
        for name in ["", "a", "Ada", ".ada", "a b", "аda", "a/b", &long] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }
}
