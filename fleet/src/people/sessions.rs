//! Sessions of browsers: random cookies, of which the database has the hashes.

use serde::Serialize;
use sqlx::PgConnection;
use web::cookies::Cookie;
use web::secret::{self, NoRandom};

use crate::model::{Account, AccountId, Role};
use crate::store::{Database, LabDatabaseError};

/// The cookie of a session.
pub const COOKIE: Cookie = Cookie::lax("lab_session").bound_to_host("__Host-lab_session");

/// The longest life of a session, however much it is used: 90 days, in seconds.
pub const LONGEST_SECONDS: u32 = 90 * 24 * 3600;

/// The number of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, sqlx::Type, utoipa::ToSchema)]
#[sqlx(transparent)]
pub struct SessionId(pub i32);

/// A session, as its owner sees it.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, utoipa::ToSchema)]
pub struct SessionRow {
    /// Its number.
    pub id: SessionId,
    /// The browser, as it describes itself.
    pub browser: String,
    /// When it began, RFC 3339.
    pub created_at: String,
    /// When it was last used, to ten minutes.
    pub seen_at: String,
}

/// Characters of a browser's description that are kept.
const BROWSER_CHARACTERS: usize = 120;

/// Begins a session and returns its cookie's value. Sessions that have expired are removed.
///
/// # Errors
/// The database failed, or the system has no random numbers.
pub async fn begin(
    connection: &mut PgConnection,
    account: AccountId,
    browser: &str,
) -> Result<String, BeginError> {
    let token = secret::random()?;
    let browser: String = browser.chars().take(BROWSER_CHARACTERS).collect();
    let sql = "insert into lab.sessions (account, hash, expires_at, browser)
        values ($1, $2, now() + interval '14 days', $3)";
    sqlx::query(sql)
        .bind(account)
        .bind(secret::hash(&token))
        .bind(browser)
        .execute(&mut *connection)
        .await?;
    let sql = "delete from lab.sessions where id in
        (select id from lab.sessions where expires_at < now() order by expires_at limit 100)";
    sqlx::query(sql).execute(connection).await?;
    Ok(token)
}

/// Why no session began.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// The system has no random numbers.
    #[error("the system has no random numbers: {0}")]
    NoRandom(#[from] NoRandom),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

/// The session of a cookie, and whose it is, unless it has ended. Use prolongs it: to 14 days from now,
/// but never beyond [`LONGEST_SECONDS`].
///
/// # Errors
/// The database failed.
pub async fn find(
    database: &Database,
    cookie: &str,
) -> Result<Option<(SessionId, Account)>, LabDatabaseError> {
    // Other cookies cannot be one of ours, and need no query.
    if !secret::is_well_formed(cookie) {
        return Ok(None);
    }
    let sql = "select s.id, a.id, a.name, a.role, s.seen_at < now() - interval '10 minutes'
        from lab.sessions s join lab.accounts a on a.id = s.account
        where s.hash = $1 and s.expires_at > now() and a.disabled_at is null";
    let found: Option<(SessionId, AccountId, String, Role, bool)> = sqlx::query_as(sql)
        .bind(secret::hash(cookie))
        .fetch_optional(&database.pool)
        .await?;
    let Some((session, id, name, role, is_stale)) = found else {
        return Ok(None);
    };
    if is_stale {
        // Use is not noted with every request, as a page that is kept open would write all the time. The
        // 90 days are `LONGEST_SECONDS`.
        let sql = "update lab.sessions set seen_at = now(), expires_at =
            least(now() + interval '14 days', created_at + interval '90 days') where id = $1";
        sqlx::query(sql)
            .bind(session)
            .execute(&database.pool)
            .await?;
    }
    Ok(Some((session, Account { id, name, role })))
}

/// The sessions of an account, the last used first; at most 100.
///
/// # Errors
/// The database failed.
pub async fn list(
    database: &Database,
    account: AccountId,
) -> Result<Vec<SessionRow>, LabDatabaseError> {
    let sql = "select id, browser, lab.rfc3339(s.created_at) as created_at,
        lab.rfc3339(s.seen_at) as seen_at
        from lab.sessions s where account = $1 and expires_at > now()
        order by s.seen_at desc, id desc limit 100";
    let rows = sqlx::query_as(sql).bind(account);
    Ok(rows.fetch_all(&database.pool).await?)
}

/// Ends one session of an account; returns false if it has none of this number.
///
/// # Errors
/// The database failed.
pub async fn end(
    database: &Database,
    account: AccountId,
    session: SessionId,
) -> Result<bool, LabDatabaseError> {
    let ended = sqlx::query("delete from lab.sessions where account = $1 and id = $2")
        .bind(account)
        .bind(session)
        .execute(&database.pool)
        .await?;
    Ok(ended.rows_affected() > 0)
}

/// Ends the session of a cookie, of any account.
///
/// # Errors
/// The database failed.
pub async fn end_of(connection: &mut PgConnection, cookie: &str) -> Result<(), sqlx::Error> {
    sqlx::query("delete from lab.sessions where hash = $1")
        .bind(secret::hash(cookie))
        .execute(connection)
        .await?;
    Ok(())
}

/// Ends all sessions of an account, except one; returns how many.
///
/// # Errors
/// The database failed.
pub async fn end_all(
    connection: &mut PgConnection,
    account: AccountId,
    except: Option<SessionId>,
) -> Result<u64, sqlx::Error> {
    // Every number is distinct from null, so that without an exception all sessions end.
    let sql = "delete from lab.sessions where account = $1 and id is distinct from $2";
    let ended = sqlx::query(sql)
        .bind(account)
        .bind(except)
        .execute(connection)
        .await?;
    Ok(ended.rows_affected())
}
