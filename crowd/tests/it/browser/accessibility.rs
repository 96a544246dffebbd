//! Every page, light and dark, wide and on a phone: axe-core finds nothing serious.

use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use super::driver::pretty;
use super::page::Page;
use super::scene::Scene;
use super::server::{CAMPAIGN, LISTS, Server};
use crate::common::web::{ADMIN, assign, finish, legal, server_with_strict_hands};

/// Pages that need nothing to have happened before.
const PAGES: [(&str, &str); 10] = [
    ("lists", "/lists"),
    ("account", "/account"),
    ("leaderboard", "/leaderboard"),
    ("cases", "/cases"),
    ("play", "/play"),
    ("about", "/about"),
    ("check", "/check"),
    ("api", "/api"),
    ("admin", "/admin"),
    ("missing", "/there-is-no-such-page"),
];

/// Width, height and whether it is a phone.
type Screen = (&'static str, u32, u32, bool);
const SCREENS: [Screen; 2] = [("wide", 1200, 900, false), ("phone", 390, 844, true)];

#[tokio::test(flavor = "multi_thread")]
async fn every_page() {
    let page = Scene::at("/").await;
    for (name, path) in PAGES {
        page.goto(&page.server.url(path)).await;
        look_at(&page, name).await;
    }
    page.goto(&page.server.url("/check")).await;
    page.eval("document.getElementById('fen').value = '4k3/8/8/b7/8/8/3N4/4K3 w - - 0 1'; document.getElementById('list').value = 'e1d1 e1e2 e1f1 d2f3'; document.querySelector('main form').requestSubmit()").await;
    page.until("document.getElementById('result')").await;
    look_at(&page, "checked").await;
    page.goto(&page.server.url("/about")).await;
    page.size(360, 740, true).await;
    page.eval("document.querySelector('.menu-button').click()")
        .await;
    page.until("document.querySelector('#menu:popover-open a[href=\"/play\"]').checkVisibility()")
        .await;
    assert_fine(&page, "menu").await;
    let height = page
        .eval("document.querySelector('header.site').offsetHeight")
        .await;
    assert!(height.as_f64().expect("a number") < 60.0, "{height}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: axe-core finds nothing in any state of a list"]
async fn every_state_of_a_list() {
    let server = Server::start().await;
    server
        .import("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", CAMPAIGN, true)
        .await;
    let page = Scene::of(server, LISTS).await;
    page.ready().await;
    page.eval("document.querySelector('.typing').open = true")
        .await;
    page.type_move("e2e4").await;
    page.type_move("e2d3").await;
    page.type_move("nonsense").await;
    look_at(&page, "list").await;
    page.type_move("e2e8").await;
    page.until_promotion().await;
    look_at(&page, "promotion").await;
    page.press_button("[data-promotion=q]").await;
    page.press_button("#finish").await;
    look_at(&page, "finish").await;
    page.press_button("#confirm button[value=yes]").await;
    page.until("document.querySelector('#result h2')").await;
    look_at(&page, "result-gold").await;
    page.goto(&page.server.url("/lists")).await;
    look_at(&page, "lists-some").await;
    page.goto(&page.server.url("/account")).await;
    page.eval("document.querySelector('form[action=\"/account/phrase\"]').submit()")
        .await;
    page.until("document.querySelector('.phrase')").await;
    look_at(&page, "account-phrase").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: axe-core finds nothing in what moderators see"]
async fn what_moderators_see() {
    let server = server_with_strict_hands().await;
    let pawn = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    server.import(pawn, CAMPAIGN, false).await;
    for _ in 0..6 {
        let moves = ["e1d1", "e1f1", "e1d2", "e1f2", "e2e3"];
        server.someone_lists(&moves).await;
    }
    server.upkeep().await;
    let mut ada = server.person(Some("Ada")).await;
    let given = assign(&mut ada, "campaign", "thesis").await;
    let moves = legal(&given);
    finish(&mut ada, &given, &[&moves[0], &moves[1], &moves[2]]).await;
    let page = Scene::of(server, "/admin").await;
    let token = json!(ADMIN);
    let log_in = format!("token.value = {token}; token.form.submit()");
    page.eval(&log_in).await;
    page.until("document.querySelector('.queue-item')").await;
    look_twice(&page, "admin-queue").await;
    page.eval("document.querySelector('.queue-item a').click()")
        .await;
    page.until("document.querySelector('.arrow-good')").await;
    look_twice(&page, "admin-item").await;
    page.eval("document.querySelector('details').open = true")
        .await;
    page.press_button("[value=crowd-is-right]").await;
    page.until("document.getElementById('confirm')").await;
    look_twice(&page, "admin-confirm").await;
    for name in ["held", "flags", "positions", "import", "log"] {
        let path = format!("/admin/{name}");
        page.goto(&page.server.url(&path)).await;
        look_twice(&page, &format!("admin-{name}")).await;
    }
}

/// In both colours, each on one of the screens; among the long tests, on both.
pub(crate) async fn look_at(page: &Page, name: &str) {
    look_twice(page, name).await;
    if testkit::number("TOUCHSTONE_LONG").is_some() {
        look(page, name, SCREENS[1], "light").await;
        look(page, name, SCREENS[0], "dark").await;
    }
    page.size(1200, 900, false).await;
    page.colours("light").await;
}

/// Light and wide, dark and on a phone.
async fn look_twice(page: &Page, name: &str) {
    look(page, name, SCREENS[0], "light").await;
    look(page, name, SCREENS[1], "dark").await;
}

async fn look(page: &Page, name: &str, screen: Screen, scheme: &str) {
    let (screen, width, height, phone) = screen;
    page.size(width, height, phone).await;
    page.colours(scheme).await;
    let name = format!("{name}-{screen}-{scheme}");
    assert_fine(page, &name).await;
    keep_picture(page, &name).await;
}

pub(crate) async fn assert_fine(page: &Page, name: &str) {
    page.until("document.readyState === 'complete'").await;
    // Half a megabyte, which a page keeps while its colours and its window change.
    if page.eval("'axe' in window").await != json!(true) {
        page.eval(&axe()).await;
    }
    let found = page.eval(
        "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
            .filter(({ impact }) => impact === 'serious' || impact === 'critical')
            .map(({ id, help, nodes }) => ({ id, help, where: nodes.map((node) => `${node.target}: ${node.failureSummary}`) })))",
    );
    let found: Value = found.await;
    assert_eq!(found, json!([]), "{name}: {}", pretty(&found));
    page.assert_no_faults().await;
}

#[expect(
    clippy::disallowed_methods,
    reason = "axe-core is a file that npm installed"
)]
fn axe() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("npm/node_modules/axe-core/axe.min.js");
    let script = std::fs::read_to_string(path);
    // As a statement whose value is nothing, which is what comes back.
    script.expect("axe-core is installed by `npm ci --prefix crowd/npm`") + ";undefined"
}

/// Into the folder that the environment names, if it does.
#[expect(
    clippy::disallowed_methods,
    reason = "pictures are written for people who ask for them"
)]
async fn keep_picture(page: &Page, name: &str) {
    let Some(folder) = std::env::var_os("CROWD_SCREENSHOTS").map(PathBuf::from) else {
        return;
    };
    std::fs::create_dir_all(&folder).expect("the folder is made");
    let picture = BASE64_STANDARD
        .decode(page.picture().await)
        .expect("base64");
    std::fs::write(folder.join(format!("{name}.png")), picture).expect("the picture is written");
}
