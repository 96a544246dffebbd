//! The server of a test: a database in a temporary folder, a campaign of the test's own, the real socket.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use crowd::model::{ListEvent, Mode, Op, Timestamp};
use crowd::play::{Opponent, OpponentSettings};
use crowd::service::{ImportPlan, Service, Settings};
use crowd::store::Store;
use crowd::web::{AdminToken, App, Limits, WebSettings, router, serve};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// The moderators' token.
pub(crate) const ADMIN: &str = "a token for the moderators of the tests";

/// Castling on both sides, promotions with and without taking, two rooks that get to d1.
pub(crate) const FEN: &str = "r3k2r/1Pppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPpP/R3K2R w KQkq - 0 1";

/// The name of the campaign that holds `FEN`.
pub(crate) const CAMPAIGN: &str = "browser";

pub(crate) struct Server {
    pub(crate) addr: SocketAddr,
    pub(crate) service: Service,
    running: Option<(oneshot::Sender<()>, JoinHandle<bool>)>,
    app: App,
    _folder: TempDir,
}

impl Server {
    /// With the campaign of the tests.
    pub(crate) async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let url = format!("sqlite://{}/crowd.sqlite?mode=rwc", folder.path().display());
        let store = Store::open(&url).await.expect("a database");
        let service = Service::new(store, Settings::default());
        let service = service.await.expect("a service");
        let first = service.ensure_first_campaign(now()).await;
        first.expect("the first campaign");
        let opponent = Arc::new(Opponent::new(OpponentSettings::default()));
        let app = App::new(service.clone(), opponent, generous());
        let mut server = Self {
            addr: SocketAddr::from(([127, 0, 0, 1], 0)),
            service,
            running: None,
            app,
            _folder: folder,
        };
        server.listen().await;
        server.import(FEN, false).await;
        server
    }

    /// Puts a position into the campaign of the tests.
    pub(crate) async fn import(&self, fen: &str, gold: bool) {
        let plan = ImportPlan {
            campaign: CAMPAIGN,
            title: None,
            gold,
            keep_good: false,
        };
        let done = self.service.import(fen.as_bytes(), plan, now()).await;
        assert_eq!(done.expect("a campaign").added, 1, "{fen}");
    }

    /// Listens, at the same port as before if there was one.
    pub(crate) async fn listen(&mut self) {
        let listener = TcpListener::bind(self.addr).await.expect("a port");
        self.addr = listener.local_addr().expect("an address");
        let (end, ended) = oneshot::channel();
        let app = self.app.clone();
        let served = tokio::spawn(async move {
            let router = router(&app);
            serve(listener, router, &app, async { ended.await.unwrap_or(()) }).await
        });
        self.running = Some((end, served));
    }

    /// Takes no more connections, as when the machine is off.
    pub(crate) async fn hang_up(&mut self) {
        if let Some((end, served)) = self.running.take() {
            let _ = end.send(());
            served.await.expect("the server does not panic");
        }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr)
    }

    /// The contribute page in a mode, for the campaign of the tests.
    pub(crate) fn contribute(&self, mode: &str) -> String {
        self.url(&format!("/contribute?mode={mode}&campaign={CAMPAIGN}"))
    }

    /// Another person lists these moves and finishes.
    async fn someone_lists(&self, moves: &[&str]) {
        let (person, _) = self.service.enter(None, now()).await.expect("a session");
        let given = self
            .service
            .assign(person, Mode::Calm, Some(CAMPAIGN), now());
        let token = given.await.expect("a position").token;
        let events: Vec<ListEvent> = (1..).zip(moves).map(|(seq, mv)| added(seq, mv)).collect();
        let count = u32::try_from(events.len()).expect("few");
        let finished = self.service.finish(person, &token, events, count, now());
        finished.await.expect("finished");
    }

    /// Four people agree about ten moves; two of them list one more.
    pub(crate) async fn dispute(&self) {
        let all = "e5f7 e5d3 e5g6 e5g4 e5c4 e5c6 e5d7 c3a4 c3b1 c3d1 a1a8";
        let all: Vec<&str> = all.split(' ').collect();
        for count in [11, 10, 11, 10] {
            self.someone_lists(&all[..count]).await;
        }
        self.service.upkeep(now()).await.expect("upkeep");
    }
}

fn added(seq: u32, mv: &str) -> ListEvent {
    ListEvent {
        seq,
        op: Op::Add,
        mv: mv.parse().expect("a move"),
        at_ms: seq * 1500,
    }
}

fn generous() -> WebSettings {
    WebSettings {
        admin: Some(AdminToken::new(ADMIN).expect("long enough")),
        limits: Limits {
            per_second: 10_000,
            burst: 100_000,
            new_sessions: 100_000,
            ..Limits::default()
        },
        ..WebSettings::default()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the test stands in for the edge that reads the clock"
)]
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let ms = since.expect("after 1970").as_millis();
    Timestamp(i64::try_from(ms).expect("not so late"))
}
