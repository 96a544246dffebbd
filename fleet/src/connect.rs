//! From a URL to a broker.

use crate::postgres::{Postgres, Target};
use crate::{Broker, BrokerError};

/// Connects to the broker on a `PostgreSQL` server:
/// `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=MODE&sslrootcert=FILE`.
///
/// Without a password in the URL, that of the environment variable `PGPASSWORD` is taken. Modes are
/// `disable`; `prefer`, which is encrypted if the server can (the default); `require`, which is
/// encrypted; and `verify-full`, where the server must also prove that it is HOST, to the
/// certificates in FILE or, with `sslrootcert=system`, to those that the system trusts.
///
/// The broker waits for answers on a runtime of its own: it is not to be used from asynchronous code.
///
/// # Errors
/// The URL is bad ([`BrokerError::BadUrl`]); the server cannot be reached, refuses, is not who it is
/// to be; nobody ran `fleet up` for it.
pub fn connect(url: &str) -> Result<Box<dyn Broker>, BrokerError> {
    Ok(Box::new(Postgres::connect(target(url)?)?))
}

/// The server of a URL, with the password of the environment if need be.
pub(crate) fn target(url: &str) -> Result<Target, BrokerError> {
    #[expect(clippy::disallowed_methods, reason = "the edge reads the environment")]
    let password = std::env::var("PGPASSWORD").ok();
    Target::parse(url, password.as_deref())
}
