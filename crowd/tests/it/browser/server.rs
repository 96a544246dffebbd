//! The server of a test, with a campaign of the test's own.

use crowd::model::{ListEvent, Purpose, Timestamp};
use crowd::service::Wanted;

use super::page::Page;
pub(crate) use crate::common::web::Server;
use crate::common::web::{generous, now, server_with};
use crate::common::{add, vouch};

/// Castling on both sides, promotions with and without taking, two rooks that get to d1.
pub(crate) const FEN: &str = "r3k2r/1Pppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPpP/R3K2R w KQkq - 0 1";

/// The name of the campaign that holds `FEN`.
pub(crate) const CAMPAIGN: &str = "browser";

/// The path of the page where lists of the campaign of the tests are made.
pub(crate) const LISTS: &str = "/?campaign=browser";

impl Server {
    /// With the campaign of the tests.
    pub(crate) async fn start() -> Self {
        let server = server_with(generous()).await;
        server.import(FEN, CAMPAIGN, false).await;
        server
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr)
    }

    /// Another person lists these moves within a minute, and finishes.
    pub(crate) async fn someone_lists(&self, moves: &[&str]) {
        let service = &self.app.service;
        let began = Timestamp(now().0 - 60_000);
        let (person, _) = service.enter(None, began).await.expect("a session");
        vouch(service, person).await;
        let wanted = Wanted::Crowd(Purpose::Campaign, Some(CAMPAIGN));
        let given = service.begin(person, wanted, began);
        let token = given.await.expect("a position").token;
        let added = |(seq, mv): (u32, &&str)| add(seq, mv, seq * seq * 300);
        let events: Vec<ListEvent> = (1..).zip(moves).map(added).collect();
        let count = u32::try_from(events.len()).expect("few");
        let finished = service.finish(person, &token, events, count, now());
        finished.await.expect("finished");
    }

    /// Four people agree about ten moves; two of them list one more.
    pub(crate) async fn dispute(&self) {
        let all = "e5f7 e5d3 e5g6 e5g4 e5c4 e5c6 e5d7 c3a4 c3b1 c3d1 a1a8";
        let all: Vec<&str> = all.split(' ').collect();
        for count in [11, 10, 11, 10] {
            self.someone_lists(&all[..count]).await;
        }
        self.upkeep().await;
    }
}

/// Begins a list of another purpose, as the button for it does, and shows it.
pub(crate) async fn begin(page: &Page, server: &Server, purpose: &str) {
    let begun = format!(
        "(async () => {{
            const post = (path, body) => fetch('/api/v1' + path, {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, body }});
            await post('/session', '{{}}');
            const list = await (await post('/lists', '{{\"purpose\":\"{purpose}\",\"campaign\":\"browser\"}}')).json();
            return list.list;
        }})()"
    );
    let token = page.eval(&begun).await;
    let token = token.as_str().expect("a list").to_owned();
    page.goto(&server.url(&format!("/results/{token}"))).await;
    page.ready().await;
}
