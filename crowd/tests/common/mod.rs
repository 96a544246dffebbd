//! What the tests share.

#![allow(dead_code, reason = "each test program uses some of it")]

pub(crate) mod cli;
pub(crate) mod postgres;
pub(crate) mod web;

use std::time::Duration;

use crowd::candidates::legal_texts;
use crowd::model::{ListEvent, Op, Purpose, Timestamp};
use crowd::service::{ContributorId, ImportPlan, List, ListResult, Service, Settings, Wanted};
use crowd::store::Store;
use crowd::trust::Caps;
use tempfile::TempDir;

/// A moment to begin with.
pub(crate) const NOON: Timestamp = Timestamp(1_800_000_000_000);

/// A database with what keeps it alive.
pub(crate) struct Base {
    pub(crate) url: String,
    _folder: Option<TempDir>,
    _own: Option<postgres::OwnDatabase>,
}

impl Base {
    /// A new file of `SQLite`.
    pub(crate) fn sqlite() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let file = folder.path().join("crowd.sqlite");
        Self {
            url: format!("sqlite://{}?mode=rwc", file.display()),
            _folder: Some(folder),
            _own: None,
        }
    }

    /// A new database of `PostgreSQL`, with the first campaign.
    pub(crate) async fn postgres() -> Self {
        let own = postgres::OwnDatabase::copy(async |url| {
            let service = open(&url, Settings::default()).await;
            let first = service.ensure_first_campaign(NOON).await;
            first.expect("the first campaign");
            let closed = service.store().clone().close().await;
            closed.expect("closed");
        });
        Self::on(own.await)
    }

    /// A new database of `PostgreSQL` without tables.
    pub(crate) async fn empty_postgres() -> Self {
        Self::on(postgres::OwnDatabase::empty().await)
    }

    fn on(own: postgres::OwnDatabase) -> Self {
        Self {
            url: own.url(),
            _folder: None,
            _own: Some(own),
        }
    }

    /// A service on it, with the first campaign.
    pub(crate) async fn service(&self, settings: Settings) -> Service {
        let service = open(&self.url, settings).await;
        let first = service.ensure_first_campaign(NOON).await;
        first.expect("the first campaign");
        service
    }
}

/// A service on the database at an address, as it is. Three lists that agree are enough. Tests take
/// no time to list moves, so that no list is too fast.
pub(crate) async fn open(url: &str, mut settings: Settings) -> Service {
    few_lists(&mut settings);
    settings.hand_per_move = Duration::ZERO;
    open_strict(url, settings).await
}

/// Makes three lists that agree enough, on one day and from one network. A share of positions is not
/// hidden gold: all are, or none.
pub(crate) fn few_lists(settings: &mut Settings) {
    settings.caps = Caps::default();
    settings.hidden_share = settings.hidden_share.floor();
    settings.wrong_share = 0.04;
    settings.error_bound = 0.05;
    settings.unsettled_lists = 12;
}

/// The same, with the settings as they are.
pub(crate) async fn open_strict(url: &str, settings: Settings) -> Service {
    let store = Store::open(url).await.expect("a database");
    Service::new(store, settings).await.expect("a service")
}

/// How positions are put into a campaign.
pub(crate) const fn plan(campaign: &str, gold: bool) -> ImportPlan<'_> {
    ImportPlan {
        campaign,
        title: None,
        gold,
    }
}

pub(crate) async fn person(service: &Service, name: Option<&str>) -> ContributorId {
    let name = name.map(|name| name.parse().expect("a name"));
    service.enter(name, NOON).await.expect("entered").0
}

/// The points of the list by which gold vouches for somebody.
pub(crate) const VOUCHED: i64 = 20;

/// Has gold vouch for a person: they list all moves of a position whose answer is known, at a person's pace.
pub(crate) async fn vouch(service: &Service, id: ContributorId) {
    let text = "7k/8/8/8/8/8/8/R3K3 w - - 0 1";
    let taken = service.import(text.as_bytes(), plan("known", true), NOON);
    taken.await.expect("imported, or known before");
    let task = assigned(service, id, Purpose::Campaign, "known").await;
    let position = chess::notation::fen::parse(text).expect("a FEN");
    let moves = (1..).zip(legal_texts(&position));
    let events = moves.map(|(seq, mv)| add(seq, mv.as_str(), seq * seq * 500));
    let later = NOON.after(Duration::from_mins(3));
    finish(service, id, &task, events.collect(), later).await;
}

/// Begins a list for a purpose of the crowd, of any campaign or of one.
pub(crate) async fn assigned<'a>(
    service: &Service,
    id: ContributorId,
    purpose: Purpose,
    campaign: impl Into<Option<&'a str>>,
) -> List {
    let wanted = Wanted::Crowd(purpose, campaign.into());
    let given = service.begin(id, wanted, NOON).await;
    given.expect("a position")
}

/// The addition of a move, as the event with this number.
pub(crate) fn add(seq: u32, mv: &str, at_ms: u32) -> ListEvent {
    ListEvent {
        seq,
        op: Op::Add,
        mv: mv.parse().expect("a move"),
        at_ms,
    }
}

/// Finishes a list of which these are all the events.
pub(crate) async fn finish(
    service: &Service,
    id: ContributorId,
    task: &List,
    events: Vec<ListEvent>,
    now: Timestamp,
) -> ListResult {
    let count = u32::try_from(events.len()).expect("few");
    let done = service.finish(id, &task.token, events, count, now).await;
    done.expect("finished")
}

pub(crate) async fn points(service: &Service, id: ContributorId) -> i64 {
    service.standing(id, NOON).await.expect("a standing").points
}
