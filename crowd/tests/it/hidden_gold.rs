//! Nothing that a person can reach depends on whether an open position is hidden gold: people in two worlds that differ
//! in nothing else do the same, and get the same answers.

use axum::http::Method;
use chess::notation::fen;
use crowd::candidates::legal_texts;
use crowd::model::Purpose;
use crowd::service::{Service, Settings};
use serde_json::{Value, json};

use crate::common::web::{JSON, Person, Server, generous, place, server_of};

use crate::common::{Base, NOON, add, assigned, finish, person, plan};

/// Castling both ways, one of them through an attacked square, en passant, a pinned knight.
const RICH: &str = "r3k2r/8/8/1b1pP3/1b6/8/3N4/R3K2R w KQkq d6 0 1";
const CAMPAIGN: &str = "rich";

fn legal() -> Vec<String> {
    let position = fen::parse(RICH).expect("a position");
    legal_texts(&position)
        .iter()
        .map(ToString::to_string)
        .collect()
}

/// What people are answered, with tokens, times and the server's own numbers taken out.
struct Log {
    server: Server,
    answers: Vec<String>,
    chance: Vec<(String, &'static str)>,
}

impl Log {
    /// A world in which the one position of a campaign is hidden gold, or is not.
    async fn begin(is_hidden: bool) -> Self {
        let share = if is_hidden { 1.0 } else { 0.0 };
        let settings = Settings {
            hidden_share: share,
            ..Settings::default()
        };
        let server = server_of(settings, generous()).await;
        assert!(
            server
                .app
                .service
                .settings()
                .hidden_share
                .total_cmp(&share)
                .is_eq(),
            "the worlds differ"
        );
        server.import(RICH, CAMPAIGN, false).await;
        server.upkeep().await;
        Self {
            server,
            answers: Vec::new(),
            chance: Vec::new(),
        }
    }

    async fn send(
        &mut self,
        person: &mut Person,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Value {
        let headers: &[(&str, &str)] = if body.is_some() { &[JSON] } else { &[] };
        let body = body.map(Value::to_string).unwrap_or_default();
        let answer = person.send(method.clone(), path, headers, body).await;
        for name in ["issued_at", "expires_at", "list"] {
            let found = &answer.json()[name];
            let text = found
                .as_str()
                .map_or_else(|| found.to_string(), str::to_owned);
            if !found.is_null() && !self.chance.iter().any(|(known, _)| *known == text) {
                self.chance.push((text, name));
            }
        }
        let mut headers: Vec<String> = answer.headers.iter().map(|h| format!("{h:?}")).collect();
        headers.retain(|h| {
            !["date", "x-request-id", "set-cookie"]
                .iter()
                .any(|name| h.contains(name))
        });
        headers.sort();
        let text = format!(
            "{method} {path}: {} {headers:?} {}",
            answer.status,
            answer.text()
        );
        self.answers.push(text);
        answer.json()
    }

    /// Everything that may be read about a position and a list.
    async fn look(&mut self, person: &mut Person, token: &str, id: i64) {
        let mut paths: Vec<String> = [
            "/",
            "/about",
            "/cases",
            "/leaderboard",
            "/account",
            "/lists",
            "/api/v1/me",
            "/account/export",
            "/api/v1/cases.epd",
            "/api/v1/cases.csv",
            "/api/v1/cases.json",
            "/api/v1/overlooked.csv",
        ]
        .map(str::to_owned)
        .to_vec();
        paths.push(format!("/?campaign={CAMPAIGN}"));
        for page in [
            "/results/TOKEN",
            "/api/v1/lists/TOKEN",
            "/api/v1/lists/TOKEN/result",
        ] {
            paths.push(page.replace("TOKEN", token));
        }
        paths.push(format!("/positions/{id}"));
        for path in paths {
            self.send(person, Method::GET, &path, None).await;
        }
    }

    /// A new person gets the position in a mode, lists these moves, and looks everywhere before and after the server
    /// does its work. Whether there was a position for them.
    async fn visit(&mut self, purpose: &str, moves: &[&str]) -> bool {
        let mut person = self.server.person(None).await;
        let wanted = json!({"purpose": purpose, "campaign": CAMPAIGN});
        let given = self
            .send(&mut person, Method::POST, "/api/v1/lists", Some(&wanted))
            .await;
        let Some(id) = given["position"]["id"].as_i64() else {
            return false;
        };
        let (at, token) = (place(&given), given["list"].as_str().expect("a token"));
        let asked = given["questions"].as_array();
        let asked: Option<Vec<&str>> =
            asked.map(|asked| asked.iter().filter_map(Value::as_str).collect());
        let sent = asked.map_or_else(|| typed("add", moves), |asked| typed("yes", &asked));
        let count = sent.len();
        let body = json!({"events": sent});
        self.send(
            &mut person,
            Method::POST,
            &format!("{at}/events"),
            Some(&body),
        )
        .await;
        self.look(&mut person, token, id).await;
        let end = json!({"events": [], "count": count});
        self.send(
            &mut person,
            Method::POST,
            &format!("{at}/finish"),
            Some(&end),
        )
        .await;
        self.look(&mut person, token, id).await;
        self.server.upkeep().await;
        self.look(&mut person, token, id).await;
        true
    }

    fn plain(&self) -> Vec<String> {
        let plain = |text: &String| {
            let known = |text: String, (what, name): &(String, &str)| text.replace(what, name);
            let text = self.chance.iter().fold(text.clone(), known);
            minutes_out(times_out(&text))
        };
        self.answers.iter().map(plain).collect()
    }
}

/// The text without the minute that it shows, since the two worlds may be on different sides of its end.
fn minutes_out(text: String) -> String {
    let Some(end) = text.find(" UTC<") else {
        return text;
    };
    let begin = end - "2026-11-26 13:25".len();
    minutes_out(format!(
        "{}MINUTE<{}",
        &text[..begin],
        &text[end + " UTC<".len()..]
    ))
}

/// What the numbers behind are by chance: how long something took, and what that adds to the length of an answer.
const BY_CHANCE: [&str; 3] = ["_ms\":", "_ms\\\":", "content-length\\\", \\\""];

/// The text with every whole number of 13 digits taken out, which are times, and those [`BY_CHANCE`].
pub(crate) fn times_out(text: &str) -> String {
    let mut out = String::new();
    let mut digits = String::new();
    for c in text.chars().chain(['\0']) {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        let is_time = (digits.len() == 13 && !out.ends_with('.'))
            || (!digits.is_empty() && BY_CHANCE.iter().any(|end| out.ends_with(end)));
        out.push_str(if is_time { "TIME" } else { &digits });
        digits.clear();
        out.push(c);
    }
    out
}

/// Moves as events. All of them are faster than hands, on any machine.
fn typed(op: &str, moves: &[&str]) -> Vec<Value> {
    let events = (1..).zip(moves);
    let event = |(seq, mv)| json!({"seq": seq, "op": op, "move": mv, "at_ms": seq * 40});
    events.map(event).collect()
}

/// Right, wrong and careless lists, for every purpose, until the position is open no more.
async fn world(is_hidden: bool) -> Vec<String> {
    let legal = legal();
    let all: Vec<&str> = legal.iter().map(String::as_str).collect();
    let mut world = Log::begin(is_hidden).await;
    let mut lie = all.clone();
    lie.retain(|mv| *mv != "e1c1" && *mv != "e5d6");
    lie.push("e1g1");
    let mut careless = all.clone();
    careless.truncate(3);
    for (purpose, moves) in [
        ("campaign", &lie),
        ("timed", &all),
        ("pair", &careless),
        ("pair", &all),
        ("review", &all),
    ] {
        world.visit(purpose, moves).await;
    }
    for _ in 0..12 {
        if !world.visit("campaign", &all).await {
            let last = world.answers.last().map_or("", String::as_str);
            assert!(last.contains("nothing-left"), "{last}");
            return world.plain();
        }
    }
    panic!("the position is still open");
}

#[tokio::test]
async fn hidden_gold_is_answered_as_an_open_position_in_every_mode_until_nobody_gets_it() {
    let (hidden, open) = (world(true).await, world(false).await);
    assert_eq!(hidden.len(), open.len());
    assert!(open.len() > 190, "{}", open.len());
    for (hidden, open) in hidden.iter().zip(&open) {
        assert_eq!(hidden, open);
    }
}

const LONE_PAWN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

/// A new person lists everything that is legal in one position, and nothing in another if they are careless.
async fn list(service: &Service, is_careless: bool) {
    let id = person(service, None).await;
    if is_careless {
        let task = assigned(service, id, Purpose::Campaign, CAMPAIGN).await;
        finish(service, id, &task, Vec::new(), NOON).await;
    }
    let task = assigned(service, id, Purpose::Campaign, "pawn").await;
    let legal = legal_texts(&fen::parse(LONE_PAWN).expect("a position"));
    let events = (1..)
        .zip(&legal)
        .map(|(seq, mv)| add(seq, mv.as_str(), seq * 1000));
    finish(service, id, &task, events.collect(), NOON).await;
    service.upkeep(NOON).await.expect("upkeep");
}

/// Three lists are enough. Of those who are careless where they do not know that the answer is known, none counts.
#[tokio::test]
async fn people_are_measured_by_hidden_gold() {
    for (hidden_share, expected) in [(0.0, &[0, 0, 1][..]), (1.0, &[0, 0, 0, 1])] {
        let base = Base::sqlite();
        let settings = Settings {
            hidden_share,
            ..Settings::default()
        };
        let service = base.service(settings).await;
        for (text, campaign) in [(RICH, CAMPAIGN), (LONE_PAWN, "pawn")] {
            let taken = service.import(text.as_bytes(), plan(campaign, false), NOON);
            taken.await.expect("an import");
        }
        let mut found = Vec::new();
        for number in 0..expected.len() {
            list(&service, number == 0).await;
            found.push(service.test_cases().await.expect("cases").len());
        }
        assert_eq!(found, expected, "{hidden_share} hidden");
    }
}
