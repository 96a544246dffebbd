//! Limits of attempts to sign in. They are in the database, so that they hold for all servers together.

use std::net::IpAddr;

use sqlx::PgPool;

use super::error::PeopleError;

/// A number of attempts at once, then one per period.
#[derive(Clone, Copy, Debug)]
struct Limit {
    burst: i32,
    period_seconds: i32,
}

/// Attempts of one network, whatever the names.
const OF_ADDRESS: Limit = Limit {
    burst: 30,
    period_seconds: 10,
};
/// Attempts of one network with one name: what a person needs who mistypes.
const OF_BOTH: Limit = Limit {
    burst: 5,
    period_seconds: 30,
};
/// Attempts with one name from everywhere. The limit is wide, so that nobody can keep somebody else out with little
/// effort; guesses stay slow.
const OF_NAME: Limit = Limit {
    burst: 100,
    period_seconds: 30,
};

/// Counts an attempt to sign in.
///
/// # Errors
/// There were too many, or the database failed.
pub(super) async fn count(
    pool: &PgPool,
    name: &str,
    address: Option<IpAddr>,
) -> Result<(), PeopleError> {
    let address = address.map_or_else(|| String::from("unknown"), |address| address.to_string());
    // The network comes first: what it may not try any more is not counted against the name.
    one(pool, &format!("address {address}"), OF_ADDRESS).await?;
    one(pool, &key_of_both(name, &address), OF_BOTH).await?;
    one(pool, &format!("name {name}"), OF_NAME).await?;
    // Each attempt tidies up, so that no server needs a task for it; the limit bounds the time.
    let sql = "delete from lab.attempts where key in
        (select key from lab.attempts where until < now() order by until limit 100)";
    sqlx::query(sql).execute(pool).await?;
    Ok(())
}

/// Counts an attempt to change the password of an account. Only those who are signed in get here: an account has a limit
/// of its own, whatever others try.
///
/// # Errors
/// There were too many, or the database failed.
pub(super) async fn count_change(pool: &PgPool, name: &str) -> Result<(), PeopleError> {
    one(pool, &key_of_change(name), OF_BOTH).await
}

/// Forgets the attempts to change a password when it is changed.
pub(super) async fn forget_change(pool: &PgPool, name: &str) -> Result<(), PeopleError> {
    forget_key(pool, &key_of_change(name)).await
}

fn key_of_change(name: &str) -> String {
    format!("change {name}")
}

/// Forgets the attempts of somebody who succeeded.
pub(super) async fn forget(
    pool: &PgPool,
    name: &str,
    address: Option<IpAddr>,
) -> Result<(), PeopleError> {
    let address = address.map_or_else(|| String::from("unknown"), |address| address.to_string());
    forget_key(pool, &key_of_both(name, &address)).await
}

async fn forget_key(pool: &PgPool, key: &str) -> Result<(), PeopleError> {
    sqlx::query("delete from lab.attempts where key = $1")
        .bind(key)
        .execute(pool)
        .await?;
    Ok(())
}

/// The key of a network with a name. It begins with a word of its own, as anybody may try any text as a name.
fn key_of_both(name: &str, address: &str) -> String {
    format!("both {address} {name}")
}

/// The generic cell rate algorithm, in one statement: it needs no lock and no clock but the database's.
async fn one(pool: &PgPool, key: &str, limit: Limit) -> Result<(), PeopleError> {
    let sql =
        // `until` is the theoretical arrival time of the algorithm (ITU-T I.371).
        "insert into lab.attempts as a (key, until) values ($1, now() + make_interval(secs => $2))
        on conflict (key) do update
            set until = greatest(a.until, now()) + make_interval(secs => $2)
            where greatest(a.until, now()) <= now() + make_interval(secs => $2 * ($3 - 1))";
    let counted = sqlx::query(sql)
        .bind(key)
        .bind(f64::from(limit.period_seconds))
        .bind(limit.burst)
        .execute(pool)
        .await?;
    if counted.rows_affected() == 0 {
        let seconds = limit.period_seconds.unsigned_abs();
        return Err(PeopleError::TooManyAttempts { seconds });
    }
    Ok(())
}
