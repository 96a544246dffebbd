//! Connects to the broker at a URL.

use crate::postgres::{Postgres, Target};
use crate::{Broker, BrokerError};

/// Connects to the broker on a `PostgreSQL` server:
/// `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=MODE&sslrootcert=FILE`.
///
/// Without a password in the URL, the environment variable `PGPASSWORD` is used. Modes are
/// `disable`; `prefer`, which encrypts if the server supports it (the default); `require`, which
/// always encrypts; and `verify-full`, where the server must also prove that it is HOST, to the
/// certificates in FILE or, with `sslrootcert=system`, to those that the system trusts.
///
/// The broker blocks on a runtime of its own, so it must not be used from asynchronous code.
///
/// # Errors
/// The URL is invalid ([`BrokerError::BadUrl`]); the server cannot be reached, rejects the
/// connection or fails verification; `fleet up` has not been run for it.
pub fn connect(url: &str) -> Result<Box<dyn Broker>, BrokerError> {
    Ok(Box::new(Postgres::connect(target(url)?)?))
}

/// Parses the URL of a server, with the password from the environment if necessary.
pub(crate) fn target(url: &str) -> Result<Target, BrokerError> {
    #[expect(clippy::disallowed_methods, reason = "the edge reads the environment")]
    let password = std::env::var("PGPASSWORD").ok();
    Target::parse(url, password.as_deref())
}
