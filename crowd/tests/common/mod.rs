//! What the tests share.

#![allow(dead_code, reason = "each test program uses some of it")]

pub(crate) mod cli;
pub(crate) mod postgres;
pub(crate) mod web;

use crowd::service::{Service, Settings};
use crowd::store::Store;
use tempfile::TempDir;

/// A moment to begin with.
pub(crate) const NOON: crowd::model::Timestamp = crowd::model::Timestamp(1_800_000_000_000);

/// A database with what keeps it alive.
pub(crate) struct Base {
    pub(crate) url: String,
    _folder: Option<TempDir>,
    _server: Option<postgres::Server>,
}

impl Base {
    /// A new file of `SQLite`.
    pub(crate) fn sqlite() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let file = folder.path().join("crowd.sqlite");
        Self {
            url: format!("sqlite://{}?mode=rwc", file.display()),
            _folder: Some(folder),
            _server: None,
        }
    }

    /// A new server of `PostgreSQL`.
    pub(crate) fn postgres() -> Self {
        let server = postgres::Server::start(false);
        Self {
            url: server.url(),
            _folder: None,
            _server: Some(server),
        }
    }

    /// A service on it, with the first campaign.
    pub(crate) async fn service(&self, settings: Settings) -> Service {
        let store = Store::open(&self.url).await.expect("a database");
        let service = Service::new(store, settings).await.expect("a service");
        let first = service.ensure_first_campaign(NOON).await;
        first.expect("the first campaign");
        service
    }
}
