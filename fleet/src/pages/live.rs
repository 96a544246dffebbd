//! What changed, as server-sent events: one task for each server asks the database about once a
//! second while somebody watches, and all viewers of that server get its answers.
//!
//! Event numbers are times of the database in milliseconds, so a viewer may come back to any server
//! with its `Last-Event-ID`, and gets what it missed. Nothing depends on a session of the database,
//! so a pooler in transaction mode may stand between.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::{self, Stream, StreamExt as _};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore, broadcast};
use tokio::time::sleep;
use web::extract::Query;
use web::problem::{BUSY, Problem};
use web::serve::ServerStopping;

use super::queries::{self, Moved};
use super::reading;
use crate::app::LabState;
use crate::store::Database;

/// Polling interval of the database.
const PERIOD: Duration = Duration::from_secs(1);
/// Viewers of one server at a time; more are asked to come later.
const VIEWERS: usize = 1000;
/// Changes that a slow viewer may lag behind; it is then asked to load its page again.
const BACKLOG: usize = 256;
/// The longest that a stream lasts, so that viewers spread over new servers.
const LIFETIME: Duration = Duration::from_mins(30);
/// Pause between comments on a quiet stream, which keep proxies from closing it.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Time after which a browser opens a stream again that has ended (`retry` of server-sent events).
const COME_BACK: Duration = Duration::from_secs(3);
/// When a viewer for whom there is no room may come back.
const RETRY_SECONDS: u64 = 30;
/// A transaction becomes visible later than the times that it wrote, but no later than this.
const OVERLAP_MS: i64 = 10_000;

/// A test moved.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Change {
    /// The test.
    test: String,
    /// Its state.
    state: String,
    /// The number of its last point.
    point: i64,
    /// The time, which is the number of the event.
    #[serde(skip)]
    at_ms: i64,
}

/// The viewers of a server.
#[derive(Clone, Debug)]
pub(crate) struct Live(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    changes: broadcast::Sender<Change>,
    viewers: Arc<Semaphore>,
    /// Whether the task that asks the database is running.
    is_polling: Mutex<bool>,
}

impl Live {
    /// Viewers of a server that nobody watches yet.
    pub(crate) fn new() -> Self {
        Self::with_room(VIEWERS)
    }

    fn with_room(viewers: usize) -> Self {
        Self(Arc::new(Shared {
            changes: broadcast::channel(BACKLOG).0,
            viewers: Arc::new(Semaphore::new(viewers)),
            is_polling: Mutex::new(false),
        }))
    }

    /// The changes from now on; starts to poll if nobody watched.
    async fn watch(&self, database: &Database) -> sqlx::Result<broadcast::Receiver<Change>> {
        let mut is_polling = self.0.is_polling.lock().await;
        let receiver = self.0.changes.subscribe();
        if !*is_polling {
            // The first viewer waits for this, so that no change is missed.
            let known = KnownState::now(database).await?;
            *is_polling = true;
            tokio::spawn(poll(Arc::clone(&self.0), database.clone(), known));
        }
        Ok(receiver)
    }
}

/// What the last look at the database found.
struct KnownState {
    at_ms: i64,
    jobs: HashMap<i32, Moved>,
}

impl KnownState {
    async fn now(database: &Database) -> sqlx::Result<Self> {
        let now = queries::now(&database.pool).await?;
        let (at_ms, jobs) = queries::moved(&database.pool, now - OVERLAP_MS).await?;
        let jobs = jobs.into_iter().map(|job| (job.number, job)).collect();
        Ok(Self { at_ms, jobs })
    }

    /// Looks again, and returns what changed.
    async fn update(&mut self, database: &Database) -> sqlx::Result<Vec<Change>> {
        let (at_ms, jobs) = queries::moved(&database.pool, self.at_ms - OVERLAP_MS).await?;
        let is_new = |job: &&Moved| self.jobs.get(&job.number) != Some(*job);
        let changes = jobs.iter().filter(is_new).map(|job| job.change(at_ms));
        let changes = changes.collect();
        let jobs = jobs.into_iter().map(|job| (job.number, job)).collect();
        *self = Self { at_ms, jobs };
        Ok(changes)
    }
}

/// Asks the database until nobody watches.
async fn poll(shared: Arc<Shared>, database: Database, mut known: KnownState) {
    loop {
        sleep(PERIOD).await;
        {
            // Under the lock, a viewer that comes now is either counted here, or starts the next task.
            let mut is_polling = shared.is_polling.lock().await;
            if shared.changes.receiver_count() == 0 {
                *is_polling = false;
                return;
            }
        }
        match known.update(&database).await {
            Ok(changes) => {
                for change in changes {
                    // It fails only without a receiver, when there is nobody to inform.
                    let _ = shared.changes.send(change);
                }
            }
            // What was known stays, so that the next look finds what this one has missed.
            Err(error) => tracing::warn!("changes cannot be read: {error}"),
        }
    }
}

impl Moved {
    fn change(&self, at_ms: i64) -> Change {
        Change {
            test: self.id.clone(),
            state: self.state.clone(),
            point: self.point,
            at_ms,
        }
    }
}

/// What a viewer wants to see.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct LiveRequest {
    /// Only this test.
    test: Option<String>,
    /// Changes after this time of the database, in milliseconds since 1970.
    after: Option<i64>,
}

/// Stream changes of tests as server-sent events.
///
/// Each event `test` has `test`, `state` and the number of its last `point`; `reload` means that some
/// were left out. The header `Last-Event-ID` comes before `after`.
#[utoipa::path(get, path = "/api/1/events", tag = "tests",
    params(
        ("test" = Option<String>, Query, description = "Only of this test"),
        ("after" = Option<i64>, Query, description = "Also those after this time, in milliseconds since 1970"),
    ),
    responses(
        (status = 200, description = "Events without end", content_type = "text/event-stream", body = String),
        (status = 503, description = "`busy`: this server has too many viewers"),
    ))]
pub(crate) async fn events(
    State(app): State<LabState>,
    Extension(live): Extension<Live>,
    ending: Option<Extension<ServerStopping>>,
    Query(wanted): Query<LiveRequest>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let permit = Arc::clone(&live.0.viewers).try_acquire_owned();
    let permit = permit.map_err(|_| {
        Problem::new(BUSY, "this server has too many viewers").retry_after(RETRY_SECONDS)
    })?;
    // A browser that comes back sends the header, and the address with the old `after`.
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let last = last.and_then(|id| id.parse().ok()).or(wanted.after);
    // The stream is subscribed first, so that no change falls between it and what was missed.
    let receiver = live.watch(&app.database).await.map_err(reading)?;
    let missed = match last {
        Some(last) => queries::moved(&app.database.pool, last.saturating_sub(OVERLAP_MS)).await,
        None => Ok((0, Vec::new())),
    };
    let (now, missed) = missed.map_err(reading)?;
    let last = last.unwrap_or(0).saturating_sub(OVERLAP_MS);
    let missed: Vec<Change> = missed
        .iter()
        .filter(|job| job.changed_ms > last && wanted.wants(&job.id))
        .map(|job| job.change(now))
        .collect();
    let ending = ending.map(|Extension(ending)| ending);
    let stream = stream_of(missed, receiver, wanted, permit, ending);
    let keep_alive = KeepAlive::new().interval(HEARTBEAT);
    Ok(Sse::new(stream).keep_alive(keep_alive).into_response())
}

impl LiveRequest {
    fn wants(&self, test: &str) -> bool {
        self.test.as_deref().is_none_or(|wanted| wanted == test)
    }
}

fn stream_of(
    missed: Vec<Change>,
    receiver: broadcast::Receiver<Change>,
    wanted: LiveRequest,
    permit: OwnedSemaphorePermit,
    ending: Option<ServerStopping>,
) -> impl Stream<Item = Result<Event, Infallible>> {
    let hello = Event::default()
        .retry(COME_BACK)
        .comment("changes of tests");
    let before = stream::iter([hello]).chain(stream::iter(missed).map(|change| event(&change)));
    // The permit lives as long as the stream, which a browser ends by closing the connection.
    let state = (receiver, wanted, permit);
    let after = stream::unfold(state, move |(mut receiver, wanted, permit)| async move {
        loop {
            let event = match receiver.recv().await {
                Ok(change) if wanted.wants(&change.test) => event(&change),
                Ok(_) => continue,
                Err(RecvError::Lagged(_)) => Event::default().event("reload").data("{}"),
                Err(RecvError::Closed) => return None,
            };
            return Some((event, (receiver, wanted, permit)));
        }
    });
    before.chain(after).map(Ok).take_until(over(ending))
}

/// Waits until a stream must end: after its lifetime, or when the server is stopped.
async fn over(ending: Option<ServerStopping>) {
    let lifetime = sleep(LIFETIME);
    match ending {
        Some(ending) => tokio::select! {
            () = lifetime => (),
            () = ending.wait() => (),
        },
        None => lifetime.await,
    }
}

fn event(change: &Change) -> Event {
    let data = serde_json::to_string(change).expect("texts and a number");
    Event::default()
        .id(change.at_ms.to_string())
        .event("test")
        .data(data)
}
