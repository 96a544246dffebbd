//! Installs the queue and the schema on a server. Can be repeated at any time.

use pgmq::install::install_sql_from_embedded;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions, PgSslMode};
use tokio_postgres::config::Host;
use tokio_postgres::types::Type;

use crate::BrokerError;
use crate::connect::target;
use crate::postgres::{Fault, Postgres, Roots, SCHEMA, Target, Tls};

/// The result of an installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// The server and the database.
    pub server: String,
    /// The version of PGMQ on the server.
    pub queue: String,
    /// The version of the schema on the server.
    pub schema: i32,
    /// Whether the role for workers was newly created; `None` if none was requested.
    pub new_role: Option<bool>,
}

/// Installs the queue PGMQ and the schema `touchstone` if they are missing or older, and grants the
/// rights of a worker to a role if one is named; a missing role is created without a password.
///
/// # Errors
/// Those of [`connect`](crate::connect()); the user of the URL lacks the rights; the role has more
/// rights than a worker.
pub fn install(url: &str, worker_role: Option<&str>) -> Result<Installed, BrokerError> {
    let target = target(url)?;
    let server = Postgres::unchecked(target.clone());
    install_at(&target, &server).map_err(|error| target.named(error))?;
    let new_role = worker_role.map(|role| server.admit(role)).transpose()?;
    Ok(Installed {
        server: target.shown(),
        queue: server.queue_version()?,
        schema: SCHEMA,
        new_role,
    })
}

fn install_at(target: &Target, server: &Postgres) -> Result<(), BrokerError> {
    if !server.has_queue_as_extension()? {
        install_queue(target)?;
    }
    server.install_schema()
}

/// Uses the library of PGMQ, which contains its SQL but needs a client of its own.
fn install_queue(target: &Target) -> Result<(), BrokerError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| BrokerError::Unreachable(error.into()))?;
    runtime.block_on(async {
        let options = PgPoolOptions::new().max_connections(1);
        let pool = options.connect_with(client_options(target)).await;
        let pool = pool.map_err(|error| BrokerError::Unreachable(error.into()))?;
        let installed = install_sql_from_embedded(&pool).await;
        pool.close().await;
        installed
            .map_err(|error| BrokerError::Failed(format!("the queue was not installed: {error}")))
    })
}

fn client_options(target: &Target) -> PgConnectOptions {
    let config = &target.config;
    let mut options = PgConnectOptions::new_without_pgpass();
    options = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => options.host(name),
        #[cfg(unix)]
        Some(Host::Unix(path)) => options.socket(path),
        None => options,
    };
    if let Some(port) = config.get_ports().first() {
        options = options.port(*port);
    }
    if let Some(user) = config.get_user() {
        options = options.username(user);
    }
    if let Some(password) = config.get_password() {
        options = options.password(&String::from_utf8_lossy(password));
    }
    if let Some(database) = config.get_dbname() {
        options = options.database(database);
    }
    match &target.tls {
        Tls::Disable => options.ssl_mode(PgSslMode::Disable),
        Tls::Prefer => options.ssl_mode(PgSslMode::Prefer),
        Tls::Require => options.ssl_mode(PgSslMode::Require),
        Tls::VerifyFull(Roots::System) => options.ssl_mode(PgSslMode::VerifyFull),
        Tls::VerifyFull(Roots::File(path)) => {
            options.ssl_mode(PgSslMode::VerifyFull).ssl_root_cert(path)
        }
    }
}

impl Postgres {
    fn has_queue_as_extension(&self) -> Result<bool, BrokerError> {
        let sql = "select from pg_extension where extname = 'pgmq'";
        let found = self.rows(sql, &[]);
        Ok(!found.map_err(Fault::into_plain)?.is_empty())
    }

    fn queue_version(&self) -> Result<String, BrokerError> {
        let sql = if self.has_queue_as_extension()? {
            "select extversion from pg_extension where extname = 'pgmq'"
        } else {
            "select version from pgmq.__pgmq_migrations order by run_at desc, name desc limit 1"
        };
        let found = self.rows(sql, &[]).map_err(Fault::into_plain)?;
        Ok(found
            .first()
            .map_or_else(|| "unknown".into(), |row| row.get(0)))
    }

    fn admit(&self, role: &str) -> Result<bool, BrokerError> {
        let found = self.rows("select touchstone.admit($1)", &[(&role, Type::TEXT)]);
        Ok(found.map_err(|fault| fault.of_role(role))?[0].get(0))
    }
}
