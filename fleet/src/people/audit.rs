//! The audit log: who did what to whom, written in the transaction that does it.

use serde::Serialize;
use sqlx::PgExecutor;

use crate::model::AccountId;
use crate::store::{Database, LabDatabaseError};

/// Notes what somebody did. `account` is nothing for the program itself, and for operators who use it on
/// the database. `action` is a verb and what it is done to, such as `revoke worker`; `subject` its name.
/// No text may contain a token or a password.
///
/// # Errors
/// The database failed.
pub async fn audit(
    executor: impl PgExecutor<'_>,
    account: Option<AccountId>,
    action: &str,
    subject: &str,
    detail: &str,
) -> Result<(), LabDatabaseError> {
    // PostgreSQL stores every character but NUL. What was done is noted whatever somebody typed.
    let [subject, detail] = [subject, detail].map(|text| text.replace('\0', ""));
    let sql = "insert into lab.audit (account, action, subject, detail) values ($1, $2, $3, $4)";
    sqlx::query(sql)
        .bind(account)
        .bind(action)
        .bind(subject)
        .bind(detail)
        .execute(executor)
        .await?;
    Ok(())
}

/// Something that somebody did.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, utoipa::ToSchema)]
pub struct AuditRow {
    /// The number of the entry; later ones are larger.
    pub id: i64,
    /// When, RFC 3339.
    pub at: String,
    /// Who; nothing for the program itself, and for operators who use it on the database.
    pub account: Option<String>,
    /// What was done.
    pub action: String,
    /// To what: the name of an account, a worker, a repository or a job.
    pub subject: String,
    /// More about it.
    pub detail: String,
}

/// Entries before the given one, or the last ones, the newest first.
///
/// # Errors
/// The database failed.
pub async fn entries(
    database: &Database,
    before: Option<i64>,
    limit: u16,
) -> Result<Vec<AuditRow>, LabDatabaseError> {
    let sql =
        "select l.id, lab.rfc3339(l.at) as at, a.name as account, l.action, l.subject, l.detail
        from lab.audit l left join lab.accounts a on a.id = l.account
        where l.id < coalesce($1, 9223372036854775807) order by l.id desc limit $2";
    let rows = sqlx::query_as(sql).bind(before).bind(i32::from(limit));
    Ok(rows.fetch_all(&database.pool).await?)
}
