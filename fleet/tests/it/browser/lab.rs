//! A lab with people, machines, tests and games, and a browser that looks at it.

use std::net::SocketAddr;
use std::ops::Deref;

use fleet::app::{LabState, ServerSettings};
use fleet::model::AccountId;
use fleet::people::sessions;
use fleet::store::Database;
use fleet::store::work::Work;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use web::serve::{ConnectionLimits, Connections};

use super::driver::Driver;
use super::page::Page;
use crate::common::{OwnDatabase, own_database};

/// People, machines, tests and games.
const SEED: &str = include_str!("seed.sql");

/// A server with its database.
pub(crate) struct Lab {
    pub(crate) addr: SocketAddr,
    pub(crate) database: Database,
    _end: oneshot::Sender<()>,
    _own: OwnDatabase,
}

impl Lab {
    pub(crate) async fn start() -> Self {
        let own = own_database().await;
        let database = Database::open(&own.url(), 5).await;
        let database = database.expect("the schema is made");
        let seeded = sqlx::raw_sql(SEED).execute(&database.pool).await;
        seeded.expect("the seed fits the schema");
        let work = Work::open(database.clone()).await.expect("the queue");
        let app = LabState::new(database.clone(), work, ServerSettings::default());
        let router = fleet::serve::router(&app);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let addr = listener.local_addr().expect("its number");
        let (end, ended) = oneshot::channel::<()>();
        let connections = Connections::new(ConnectionLimits::default(), false);
        tokio::spawn(async move {
            let over = async {
                // It ends when the test does.
                let _ = ended.await;
            };
            connections.serve(listener, None, router, over).await
        });
        Self {
            addr,
            database,
            _end: end,
            _own: own,
        }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr)
    }

    pub(crate) async fn sql(&self, sql: &'static str) {
        let done = sqlx::raw_sql(sql).execute(&self.database.pool).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    /// The cookie of a new session.
    pub(crate) async fn session(&self, name: &str) -> String {
        let mut connection = self.database.pool.acquire().await.expect("a connection");
        let account = sqlx::query_scalar("select id from lab.accounts where name = $1")
            .bind(name)
            .fetch_one(&mut *connection)
            .await
            .expect("the account is seeded");
        let begun = sessions::begin(&mut connection, AccountId(account), "test").await;
        begun.expect("a session")
    }
}

/// A page of a lab, with what keeps it alive.
pub(crate) struct Scene {
    pub(crate) lab: Lab,
    page: Page,
    _driver: Driver,
}

impl Deref for Scene {
    type Target = Page;

    fn deref(&self) -> &Page {
        &self.page
    }
}

impl Scene {
    pub(crate) async fn at(path: &str) -> Self {
        let lab = Lab::start().await;
        let driver = Driver::start();
        let page = Page::open(&driver, "person", &lab.url(path)).await;
        Self {
            lab,
            page,
            _driver: driver,
        }
    }

    pub(crate) async fn go(&self, path: &str) {
        self.goto(&self.lab.url(path)).await;
    }

    /// Signs in without the form.
    pub(crate) async fn sign_in(&self, name: &str) {
        let value = self.lab.session(name).await;
        let cookie = json!({ "name": "lab_session", "value": value, "url": self.lab.url("/") });
        self.cdp("Network.setCookie", cookie).await;
    }

    /// The text of the element that has the focus.
    pub(crate) async fn focused(&self) -> String {
        let text = self
            .eval("document.activeElement?.textContent.trim()")
            .await;
        text.as_str().unwrap_or_default().to_owned()
    }
}
