//! Invitations, resets, and the first account.

use axum::http::StatusCode;
use fleet::model::Role;
use fleet::people::cli;

use super::lab::{Lab, PASSWORD};

#[tokio::test(flavor = "multi_thread")]
async fn the_first_visitor_with_the_printed_link_is_the_administrator() {
    let lab = Lab::new().await;
    let (database, url) = (&lab.app.database, &lab.app.settings.public_url);
    // Two servers start at the same time on an empty database; both links are good.
    let (one, other) = tokio::join!(
        cli::first_link(database, url),
        cli::first_link(database, url)
    );
    let (one, other) = (one.expect("made"), other.expect("made"));
    let (one, other) = (one.expect("a link"), other.expect("a link"));
    let cookie = lab.redeem(&other, PASSWORD).await.cookie();
    assert_eq!(lab.who(&cookie).await, "admin");
    assert_eq!(lab.get("/people", &cookie).await.status, StatusCode::OK);
    // The other one is not good any more, and none is made.
    assert_eq!(lab.redeem(&one, PASSWORD).await.status, StatusCode::GONE);
    assert_eq!(cli::first_link(database, url).await.expect("asked"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_works_once_and_not_for_ever() {
    let lab = Lab::new().await;
    let (database, url) = (&lab.app.database, &lab.app.settings.public_url);
    let link = cli::add_account(database, url, "ada", Role::Author).await;
    let link = link.expect("an invitation");
    // Looking at it does not use it, nor does a password that is rejected.
    let page = lab.get("/link", "").await;
    assert!(page.text.contains("name=\"secret\""), "{}", page.text);
    let weak = lab.redeem(&link, "short").await;
    assert_eq!(weak.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        weak.text.contains("5 characters, expected 12 to 200"),
        "{}",
        weak.text
    );
    let differing = lab
        .form(
            "/link",
            "",
            "secret=x&password=correct+horse+1&again=correct+horse+2",
        )
        .await;
    assert!(differing.text.contains("the two passwords differ"));
    // Of two at the same time, one wins.
    let (one, other) = tokio::join!(lab.redeem(&link, PASSWORD), lab.redeem(&link, PASSWORD),);
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 410]);
    assert_eq!(lab.redeem(&link, PASSWORD).await.status, StatusCode::GONE);
    // It expires.
    let link = cli::reset_account(database, url, "ada")
        .await
        .expect("a link");
    lab.server
        .sql("update lab.links set expires_at = now()")
        .expect("SQL");
    assert_eq!(lab.redeem(&link, PASSWORD).await.status, StatusCode::GONE);
    let nonsense = lab
        .redeem("https://lab.example/link#nonsense", PASSWORD)
        .await;
    assert_eq!(nonsense.status, StatusCode::GONE);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reset_ends_what_was_before() {
    let lab = Lab::new().await;
    let ada = lab.person("ada", Role::Administrator).await;
    let bob = lab.person("bob", Role::Author).await;
    let page = lab.form("/people/bob/reset", &ada, "").await;
    assert_eq!(page.status, StatusCode::OK);
    let start = page.text.find("https://lab.example/link#").expect("a link");
    let link = page.text[start..].split('<').next().expect("its end");
    // The old password is good until the link is used.
    assert_eq!(lab.who(&bob).await, "bob");
    let new = "another long password";
    let cookie = lab.redeem(link.trim(), new).await.cookie();
    assert_eq!(lab.who(&cookie).await, "bob");
    assert_eq!(lab.who(&bob).await, "", "sessions of the old password end");
    assert_eq!(
        lab.sign_in("bob", PASSWORD).await.status,
        StatusCode::FORBIDDEN
    );
    assert_eq!(lab.sign_in("bob", new).await.status, StatusCode::SEE_OTHER);
    // Changing it oneself ends the other sessions, not this one.
    let other = lab.sign_in("bob", new).await.cookie();
    let body =
        "old=another+long+password&password=a+third+long+password&again=a+third+long+password";
    let page = lab.form("/account/password", &cookie, body).await;
    assert!(
        page.text.contains("The password is changed"),
        "{}",
        page.text
    );
    assert_eq!(lab.who(&cookie).await, "bob");
    assert_eq!(lab.who(&other).await, "");
    let log = lab.get("/audit", &ada).await.text;
    for action in [
        "reset password",
        "set password by a link",
        "change password",
        "accept invitation",
    ] {
        assert!(log.contains(action), "{action}: {log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn names_are_unique_and_of_one_form() {
    let lab = Lab::new().await;
    let ada = lab.person("ada", Role::Administrator).await;
    let page = lab.form("/people", &ada, "name=ada&role=author").await;
    assert_eq!(page.status, StatusCode::CONFLICT);
    assert!(
        page.text.contains("the name &#39;ada&#39; is taken"),
        "{}",
        page.text
    );
    let page = lab.form("/people", &ada, "name=%3Cb%3E&role=author").await;
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        page.text.contains("value=\"&#60;b&#62;\""),
        "the value is kept, escaped: {}",
        page.text
    );
    let page = lab.form("/people", &ada, "name=bob&role=king").await;
    assert!(page.status.is_client_error(), "{}", page.text);
}
