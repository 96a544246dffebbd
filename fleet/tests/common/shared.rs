//! One server for the tests of a program that run at the same time, with a database for each: a cluster
//! takes seconds to make, a copy of a database a part of one.

use std::sync::{Arc, Weak};

use fleet::store::Database;
use tokio::sync::Mutex;

use super::{Server, psql, quick_server};

/// The server, while any test needs it, and the number of databases that were made.
static SHARED: Mutex<(Weak<Server>, u32)> = Mutex::const_new((Weak::new(), 0));
/// The database that is copied: it has the schema, and nobody is connected to it.
const ORIGINAL: &str = "original";

/// A database of a test's own, with the schema. The server is not the test's own: it must not be stopped.
pub(crate) struct OwnDatabase {
    server: Arc<Server>,
    name: String,
}

impl OwnDatabase {
    pub(crate) async fn new() -> Self {
        let (known, number) = &mut *SHARED.lock().await;
        let server = if let Some(server) = known.upgrade() {
            server
        } else {
            let server = quick_server();
            let made = server.sql(&format!("create database {ORIGINAL}"));
            made.expect("a database");
            let url = server.url_of("owner:secret", ORIGINAL, "");
            let database = Database::open(&url, 2).await.expect("the schema is made");
            database.pool.close().await;
            let server = Arc::new(server);
            *known = Arc::downgrade(&server);
            server
        };
        *number += 1;
        let name = format!("test_{number}");
        let copied = server.sql(&format!("create database {name} template {ORIGINAL}"));
        copied.expect("a copy");
        Self { server, name }
    }

    /// Where it is, for its owner.
    pub(crate) fn url(&self) -> String {
        self.server.url_of("owner:secret", &self.name, "")
    }

    /// Runs SQL as the owner, by `psql`.
    pub(crate) fn sql(&self, sql: &str) -> Result<String, String> {
        psql(&self.url(), sql)
    }
}
