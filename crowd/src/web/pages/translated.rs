//! Tests: the pages that claim to be translated, in a language of other letters.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::to_bytes;
use axum::http::Request;
use chess::notation::fen;
use tempfile::TempDir;
use tower::ServiceExt as _;
use web::limits::Peer;

use super::*;
use crate::candidates::legal_texts;
use crate::model::{ListEvent, MoveText, Op, Purpose};
use crate::play::{Opponent, OpponentSettings};
use crate::service::{ClassSource, ImportPlan, NewClass, Service, Settings, Wanted};
use crate::store::Store;
use crate::trust::Caps;
use crate::web::problem::{CONFLICT, NO_CLASS, NO_SESSION, UNKNOWN_LIST};
use crate::web::state::now;
use crate::web::{WebSettings, tokens};

/// Whatever is not taken from the files of languages, without the brand and what is marked as English.
fn english_words(page: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let start = page.find("<title>").expect("a title");
    let mut foreign = None;
    for piece in page[start..].split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag ends");
        let name = tag.split(' ').next().unwrap_or("");
        match foreign {
            Some(of) if name.strip_prefix('/') == Some(of) => foreign = None,
            // Texts for scripts are in the form of their file, without the other letters.
            None if name == "script" || tag.contains(" lang=\"") => foreign = Some(name),
            _ => {}
        }
        if foreign.is_some() {
            continue;
        }
        words.extend(words_of(text));
        for attribute in ["aria-label", "alt", "title", "placeholder"] {
            let opened = format!(" {attribute}=\"");
            let value = tag
                .split_once(&opened)
                .and_then(|(_, rest)| rest.split_once('"'));
            words.extend(value.into_iter().flat_map(|(value, _)| words_of(value)));
        }
    }
    words.retain(|word| !NAMES.contains(word));
    words
}

/// What is the same in every language.
const NAMES: [&str; 11] = [
    "Touchstone",
    "touchstone",
    "crowd",
    "UTC",
    "EPD",
    "CSV",
    "JSON",
    "PGN",
    "FEN",
    "Chess",
    "Elo",
];

/// The words without moves and FENs, which have digits, and rights to castle.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let is_notation = |word: &str| {
        word.contains(|c: char| c.is_ascii_digit()) || word.chars().all(|c| "KQkq".contains(c))
    };
    let written = text
        .split_whitespace()
        .filter(move |word| !is_notation(word));
    let words = written.flat_map(|word| word.split(|c: char| !c.is_ascii_alphabetic()));
    words.filter(|word| word.len() > 1)
}

#[test]
fn an_english_word_is_found_wherever_it_is() {
    let page = "<title>Title</title><p lang=\"en\">not <b>this</b> one</p><p title=\"nor a\">ｘ here<img alt=\"too\">";
    assert_eq!(english_words(page), ["Title", "here", "nor", "too"]);
}

pub(super) fn assert_translated(render: impl FnOnce() -> askama::Result<String>) {
    let asked = PageRequest {
        language: Language::pseudo(),
        address: "/?".to_owned(),
    };
    assert_page("a page", &asked.within(render).expect("a page"));
}

#[test]
fn pages_about_errors_are_translated_or_say_what_is_english() {
    let german = || PageRequest {
        language: Language::of_code("de").expect("it is there"),
        address: "/about?".to_owned(),
    };
    let page = |problem: &Problem| german().within(|| ErrorPage::new(problem).render());
    let texts = |problem: &Problem| german().within(|| ErrorPage::new(problem).texts.is_some());
    // Those that a visitor can meet; others are for programs and moderators.
    for kind in web::problem::COMMON
        .iter()
        .chain([&NO_SESSION, &UNKNOWN_LIST, &NO_CLASS])
    {
        let problem = Problem::new(kind, "for programs").retry_after(12);
        assert!(
            texts(&problem) || kind.status == 405 || kind.status == 415,
            "{kind:?}"
        );
        assert_translated(|| ErrorPage::new(&problem).render());
        let page = page(&problem).expect("a page");
        assert!(page.contains("in 12 Sekunden"), "{page}");
    }
    let problem = Problem::new(web::problem::NOT_FOUND, "no page has this address");
    let found = page(&problem).expect("a page");
    for part in [
        "<html lang=\"de\"",
        "<h1>Hier ist nichts</h1>",
        "href=\"/about?lang=en\" hreflang=\"en\" lang=\"en\">English</a>",
    ] {
        assert!(found.contains(part), "{part}: {found}");
    }
    let problem = Problem::new(CONFLICT, "item 7 is decided already");
    let found = page(&problem).expect("a page");
    assert!(
        found.contains("<p class=\"lead\" lang=\"en\">item 7"),
        "{found}"
    );
}

/// A position that people certify, with castling both ways and a pinned knight.
const LISTED: &str = "4r1k1/8/8/8/8/8/4N3/R3K2R w KQ - 0 1";

/// A site on which something has happened, so that pages have all their parts.
struct Site {
    app: App,
    pages: Router,
    /// The cookie of somebody who has listed moves.
    cookie: String,
    _folder: TempDir,
}

impl Site {
    async fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let url = format!("sqlite://{}/crowd.sqlite?mode=rwc", folder.path().display());
        let settings = Settings {
            caps: Caps::default(),
            wrong_share: 0.04,
            error_bound: 0.05,
            hand_per_move: Duration::ZERO,
            hidden_share: 0.0,
            ..Settings::default()
        };
        let store = Store::open(&url).await.expect("a database");
        let service = Service::new(store, settings).await.expect("a service");
        let opponent = Arc::new(Opponent::new(OpponentSettings::default()));
        let app = App::new(service, opponent, WebSettings::default());
        let pages = super::router(&app, &OpenApi::default()).with_state(app.clone());
        let mut site = Self {
            app,
            pages,
            cookie: String::new(),
            _folder: folder,
        };
        site.certify().await;
        site
    }

    /// Some lists that agree, of which one lacks a move and one has an illegal one.
    async fn certify(&mut self) {
        let service = &self.app.service;
        let plan = ImportPlan {
            campaign: "1",
            title: None,
            gold: false,
        };
        let imported = service.import(LISTED.as_bytes(), plan, now()).await;
        imported.expect("a position");
        let position = fen::parse(LISTED).expect("a position");
        for number in 0..10 {
            let (id, token) = service.enter(None, now()).await.expect("a person");
            let task = service
                .begin(id, Wanted::Crowd(Purpose::Campaign, Some("1")), now())
                .await;
            let task = task.expect("a position");
            let mut moves: Vec<MoveText> = legal_texts(&position).into_iter().collect();
            match number {
                8 => moves.retain(|mv| mv.as_str() != "e1c1"),
                9 => moves.push("e2c3".parse().expect("a move")),
                _ => moves.rotate_left(number),
            }
            let events = (1u32..).zip(moves).map(|(seq, mv)| ListEvent {
                seq,
                op: Op::Add,
                mv,
                at_ms: seq * (900 + seq * seq % 7 * 100),
            });
            let events: Vec<ListEvent> = events.collect();
            let count = u32::try_from(events.len()).expect("few");
            let done = service.finish(id, &task.token, events, count, now()).await;
            done.expect("finished");
            let cookie = tokens::session_cookie(&token, false);
            let text = cookie.to_str().expect("ASCII");
            text.split(';')
                .next()
                .unwrap_or("")
                .clone_into(&mut self.cookie);
        }
        service.upkeep(now()).await.expect("upkeep");
    }

    /// The addresses of a class with a list that has all kinds of errors: the teacher's two, and that of its students.
    async fn class(&self) -> [String; 3] {
        let service = &self.app.service;
        let new = NewClass {
            title: "1".parse().expect("a title"),
            source: ClassSource::Lines(LISTED.to_owned()),
            time_limit: Some(Duration::from_mins(1)),
            at_end: false,
        };
        let (code, teacher) = service.make_class(&new, now()).await.expect("a class");
        let name = "1".parse().expect("a name");
        let (id, _) = service.enter(None, now()).await.expect("a person");
        let joined = service.join_class(id, &code, &name, now()).await;
        joined.expect("joined");
        let wanted = Wanted::Class(&code, Some(1));
        let list = service.begin(id, wanted, now()).await.expect("a list");
        let events = (1u32..).zip(["e1g1", "e2c3"]).map(|(seq, mv)| ListEvent {
            seq,
            op: Op::Add,
            mv: mv.parse().expect("a move"),
            at_ms: seq * 1000,
        });
        let late = now().after(Duration::from_mins(5));
        let done = service.finish(id, &list.token, events.collect(), 2, late);
        done.await.expect("finished");
        [
            format!("/teach/{}", teacher.as_str()),
            format!("/teach/{}/remove", teacher.as_str()),
            format!("/class/{}", code.as_str()),
        ]
    }

    /// The page in the language of other letters.
    async fn get(&self, address: &str) -> String {
        let request = Request::get(address).header("cookie", &self.cookie);
        self.send(request.body(axum::body::Body::empty()).expect("a request"))
            .await
    }

    async fn post(&self, address: &str, form: &str) -> String {
        let kind = "application/x-www-form-urlencoded";
        let request = Request::post(address).header("content-type", kind);
        self.send(request.body(form.to_owned().into()).expect("a request"))
            .await
    }

    async fn send(&self, mut request: Request<axum::body::Body>) -> String {
        let here = SocketAddr::from(([127, 0, 0, 1], 1));
        request.extensions_mut().insert(Peer(here));
        let asked = PageRequest {
            language: Language::pseudo(),
            address: "/?".to_owned(),
        };
        let answer = asked.scope(self.pages.clone().oneshot(request)).await;
        let body = answer.expect("no handler fails").into_body();
        let bytes = to_bytes(body, 1 << 20).await.expect("a page");
        String::from_utf8(bytes.to_vec()).expect("UTF-8")
    }
}

#[tokio::test]
async fn every_page_is_translated() {
    let site = Site::new().await;
    let pages = [
        "/".to_owned(),
        "/class".to_owned(),
        "/class?code=x".to_owned(),
        "/class?code=B7K-2QX".to_owned(),
        "/class/new".to_owned(),
        "/quiz".to_owned(),
        "/check".to_owned(),
        "/leaderboard".to_owned(),
        "/leaderboard?period=week".to_owned(),
        "/cases".to_owned(),
        "/positions/1".to_owned(),
        "/about".to_owned(),
        "/lists".to_owned(),
        "/account".to_owned(),
        "/play".to_owned(),
    ];
    for address in pages {
        assert_page(&address, &site.get(&address).await);
    }
    let class = site.class().await;
    let code = class[2].trim_start_matches("/class/").to_owned();
    let shown = format!("{}-{}", &code[..3], &code[3..]);
    for address in class {
        // A code may happen to be all letters, which are no words.
        let page = site.get(&address).await;
        assert_page(
            &address,
            &page.replace(&code, "000000").replace(&shown, "000-000"),
        );
    }
    for (address, form) in [
        ("/check", "fen=x&list="),
        (
            "/check",
            "fen=4r1k1/8/8/8/8/8/4N3/R3K2R+w+KQ+-+0+1&list=e1g1+e1g1+e2c3+z9",
        ),
        (
            "/check",
            "fen=4k3/8/8/8/8/8/8/4K2R+w+K+-+0+1&list=e1g1:+1%0Ae1d1:+30",
        ),
        (
            "/class/new",
            "title=&source=own&theme=mixed&count=1&positions=x&limit=0&answers=each",
        ),
        (
            "/class/new",
            "title=1&source=own&theme=mixed&count=1&positions=x&limit=0&answers=each",
        ),
    ] {
        assert_page(form, &site.post(address, form).await);
    }
}

fn assert_page(name: &str, page: &str) {
    assert!(page.contains("<html lang=\"en-XA\""), "{name}: {page}");
    assert!(
        !page.contains("<main id=\"main\" tabindex=\"-1\" lang"),
        "{name}: {page}"
    );
    assert_eq!(english_words(page), Vec::<&str>::new(), "{name}: {page}");
}
