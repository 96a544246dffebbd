//! Signing in and out, cookies, other sites.

use axum::http::{Method, StatusCode};
use fleet::app::ServerSettings;
use fleet::model::Role;

use super::lab::{FORM, Lab, PASSWORD};

#[tokio::test(flavor = "multi_thread")]
async fn a_session_begins_is_used_and_ends() {
    let lab = Lab::new().await;
    lab.person("ada", Role::Author).await;
    let answer = lab.sign_in("ada", PASSWORD).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    let set = answer.header("set-cookie");
    assert!(
        set.ends_with("; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax"),
        "{set}"
    );
    let cookie = answer.cookie();
    assert_eq!(lab.who(&cookie).await, "ada");
    // Two browsers; one signs out.
    let other = lab.sign_in("ada", PASSWORD).await.cookie();
    let answer = lab.form("/sign-out", &cookie, "").await;
    assert!(
        answer
            .header("set-cookie")
            .contains("lab_session=; Path=/; Max-Age=0")
    );
    assert_eq!(
        lab.who(&cookie).await,
        "",
        "the server forgot it, whatever the browser does"
    );
    assert_eq!(lab.who(&other).await, "ada");
    let third = lab.sign_in("ada", PASSWORD).await.cookie();
    lab.form("/account/sessions/end", &third, "").await;
    assert_eq!(lab.who(&other).await + &lab.who(&third).await, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_ends_by_itself_unless_it_is_used() {
    let lab = Lab::new().await;
    let cookie = lab.person("ada", Role::Author).await;
    let sql = |sql: &str| lab.server.sql(sql).expect("SQL");
    let days_left =
        || sql("select round(extract(epoch from expires_at - now()) / 86400) from lab.sessions");
    assert_eq!(days_left().trim(), "14");
    sql(
        "update lab.sessions set seen_at = now() - interval '5 days', expires_at = now() + interval '9 days'",
    );
    assert_eq!(lab.who(&cookie).await, "ada");
    assert_eq!(days_left().trim(), "14", "use prolongs it");
    sql(
        "update lab.sessions set seen_at = now() - interval '5 days', created_at = now() - interval '88 days'",
    );
    assert_eq!(lab.who(&cookie).await, "ada");
    assert_eq!(days_left().trim(), "2", "but not for ever");
    sql("update lab.sessions set expires_at = now()");
    assert_eq!(lab.who(&cookie).await, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn cookies_cannot_be_forged_or_planted() {
    let lab = Lab::new().await;
    let cookie = lab.person("ada", Role::Author).await;
    let (name, value) = cookie.split_once('=').expect("a cookie");
    let changed = format!("{name}={}", value.chars().rev().collect::<String>());
    let hash = lab
        .server
        .sql("select encode(hash, 'hex') from lab.sessions")
        .expect("SQL");
    let long = format!("{name}={}", "a".repeat(10_000));
    for forged in [
        changed.as_str(),
        &format!("{name}="),
        &format!("{name}=' or true --"),
        &format!("{name}={}", hash.trim()),
        &long,
    ] {
        assert_eq!(lab.who(forged).await, "", "{forged:.60}");
    }
    // A planted cookie of somebody's own session does not become the victim's, and ends.
    let eve = lab.person("eve", Role::Author).await;
    let body = format!("name=ada&password={}", PASSWORD.replace(' ', "+"));
    let answer = lab.form("/sign-in", &eve, &body).await;
    assert_ne!(answer.cookie(), eve);
    assert_eq!(lab.who(&answer.cookie()).await, "ada");
    assert_eq!(lab.who(&eve).await, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn over_https_cookies_are_bound_to_the_host() {
    let settings = ServerSettings {
        https: true,
        ..ServerSettings::default()
    };
    let lab = Lab::with(settings).await;
    let cookie = lab.person("ada", Role::Author).await;
    assert!(cookie.starts_with("__Host-lab_session="), "{cookie}");
    assert_eq!(lab.who(&cookie).await, "ada");
    let planted = cookie.replace("__Host-", "");
    assert_eq!(lab.who(&planted).await, "");
    let answer = lab.sign_in("ada", PASSWORD).await;
    assert!(answer.header("set-cookie").ends_with("; Secure"));
    assert_eq!(
        answer.header("strict-transport-security"),
        "max-age=31536000"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn other_sites_cannot_send_forms() {
    let lab = Lab::new().await;
    let cookie = lab.person("ada", Role::Administrator).await;
    for from in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", "https://evil.example"),
    ] {
        let headers = [("cookie", cookie.as_str()), from, FORM];
        for (path, body) in [
            ("/people", "name=eve&role=administrator"),
            ("/sign-out", ""),
            ("/account/machines", "name=box"),
            ("/sign-in", "name=eve&password=x"),
        ] {
            let answer = lab.send(Method::POST, path, &headers, body).await;
            assert_eq!(answer.status, 403, "{path} {from:?}: {}", answer.text);
            assert_eq!(answer.json()["code"], "cross-site");
        }
    }
    assert_eq!(lab.who(&cookie).await, "ada");
    let headers = [
        ("cookie", cookie.as_str()),
        ("sec-fetch-site", "same-origin"),
        FORM,
    ];
    let answer = lab
        .send(Method::POST, "/account/machines", &headers, "name=box")
        .await;
    assert_eq!(answer.status, 200);
    assert!(
        answer.text.contains("tsw_") && answer.text.contains("fleet worker https://lab.example")
    );
}

/// A name that does not exist waits for its turn to be checked too, so that its answer takes as long.
#[tokio::test(flavor = "multi_thread")]
async fn wrong_names_are_checked_like_wrong_passwords() {
    let lab = Lab::new().await;
    lab.person("ada", Role::Author).await;
    let lab = lab.without_turns();
    let [ada, nobody] = ["ada", "nobody"].map(|name| lab.sign_in(name, "wrong"));
    let (ada, nobody) = tokio::join!(ada, nobody);
    for answer in [ada, nobody] {
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_are_limited_and_names_stay_unknown() {
    let lab = Lab::new().await;
    lab.person("ada", Role::Author).await;
    let guess = async |peer: &str, name: &str, password: &str| {
        let body = format!("name={name}&password={password}");
        lab.send_from(peer, Method::POST, "/sign-in", &[FORM], &body)
            .await
    };
    let mut texts = Vec::new();
    for name in ["ada", "nobody"] {
        let answer = guess("198.51.100.1:1", name, "wrong").await;
        assert_eq!(answer.status, 403);
        texts.push(answer.text.replace(name, "NAME"));
    }
    assert_eq!(texts[0], texts[1]);
    // Five from one address, and more only as time passes; then none, even with the right password.
    let mut wrong = 1;
    while guess("198.51.100.1:1", "ada", "wrong").await.status != 429 {
        wrong += 1;
        assert!(wrong < 100, "nobody is kept out");
    }
    assert!(wrong >= 5, "{wrong} guesses");
    let later = "update lab.attempts set until = until + interval '1 hour' where key = 'both 198.51.100.1 ada'";
    lab.server.sql(later).expect("SQL");
    let right = PASSWORD.replace(' ', "+");
    let answer = guess("198.51.100.1:2", "ada", &right).await;
    assert_eq!(answer.status, 429, "{}", answer.text);
    assert_eq!(answer.header("retry-after"), "");
    // Nor by guesses for a name that looks like hers and her address.
    for _ in 0..6 {
        for name in [
            "ada+address+203.0.113.7",
            "both+203.0.113.7+ada",
            "203.0.113.7+ada",
        ] {
            guess("198.51.100.2:1", name, "wrong").await;
        }
    }
    // The owner is elsewhere, and is not kept out.
    let answer = guess("203.0.113.7:1", "ada", &right).await;
    assert_eq!(answer.status, 303, "{}", answer.text);
    // With many names an address comes to its own limit.
    let mut statuses = Vec::new();
    for number in 0..31 {
        // Only counted: the name alone is rejected before any password is checked.
        let key =
            format!("insert into lab.attempts values ('name n{number}', now() + interval '1 day')");
        lab.server.sql(&key).expect("SQL");
        let answer = guess("198.51.100.9:1", &format!("n{number}"), "wrong").await;
        statuses.push(answer.status.as_u16());
    }
    assert_eq!(statuses, vec![429; 31]);
    let sql = "select until > now() + interval '4 minutes' from lab.attempts where key = 'address 198.51.100.9'";
    assert_eq!(lab.server.sql(sql).expect("SQL").trim(), "t");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_done_is_noted_whatever_somebody_typed() {
    let lab = Lab::new().await;
    let noted = fleet::people::audit(&lab.app.database.pool, None, "note test", "a\0b", "c\0d");
    noted.await.expect("a NUL is no reason to fail");
    let sql = "select subject || ' ' || detail from lab.audit where action = 'note test'";
    assert_eq!(lab.server.sql(sql).expect("SQL").trim(), "ab cd");
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_at_the_password_of_one_account_keep_nobody_else_from_changing_theirs() {
    let lab = Lab::new().await;
    let [ada, bob] = [
        lab.person("ada", Role::Author).await,
        lab.person("bob", Role::Author).await,
    ];
    let change = async |cookie: &str, old: &str| {
        let new = "a+longer+password+than+before";
        let body = format!("old={old}&password={new}&again={new}");
        lab.form("/account/password", cookie, &body).await.status
    };
    let mut wrong = 0;
    while change(&ada, "wrong").await != 429 {
        wrong += 1;
        assert!(wrong < 100, "guesses have no end");
    }
    // The limit of those whose address is not known is reached, too.
    let full = "insert into lab.attempts values ('address unknown', now() + interval '1 day')
        on conflict (key) do update set until = excluded.until";
    lab.server.sql(full).expect("SQL");
    assert_eq!(change(&bob, &PASSWORD.replace(' ', "+")).await, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_response_has_the_headers_of_a_careful_site() {
    let lab = Lab::new().await;
    let cookie = lab.person("ada", Role::Author).await;
    for path in [
        "/sign-in",
        "/account",
        "/nowhere",
        "/api/1/me",
        "/api/1/accounts",
    ] {
        let answer = lab.get(path, &cookie).await;
        let policy = answer.header("content-security-policy");
        assert!(
            policy.contains("script-src 'self'") && policy.contains("frame-ancestors 'none'"),
            "{path}"
        );
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
        assert_eq!(answer.header("referrer-policy"), "same-origin", "{path}");
    }
    // No page has scripts or styles of its own, which the policy would block.
    for path in ["/sign-in", "/account", "/account/machines"] {
        let text = lab.get(path, &cookie).await.text;
        assert!(
            !text.contains("<script>") && !text.contains("style=") && !text.contains("onclick"),
            "{path}"
        );
    }
}
