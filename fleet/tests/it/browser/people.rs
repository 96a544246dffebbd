//! People's pages as people use them: invitations, passwords, sessions, tokens, machines, the audit log. What
//! only appears on the way is looked at as every other page is.

use super::every_page::look_at;
use super::lab::Scene;

/// The token or link that a page shows once.
const SECRET: &str = "(document.querySelector('main pre code')?.textContent.match(/ts[aw]_\\S+|\\/link#\\S+/) ?? [''])[0]";
const PASSWORD: &str = "correct horse battery";
const NEXT_PASSWORD: &str = "battery staple correct";

#[tokio::test(flavor = "multi_thread")]
async fn people_come_by_links_and_manage_what_is_theirs() {
    let page = Scene::at("/tests").await;
    let mut found = Vec::new();
    page.sign_in("root").await;
    let invitation = link_made(&page, "form[action='/people']", &[("name", "newcomer")]).await;
    found.extend(look_at(&page, "secret-person").await);

    // The secret goes from the address into the form, and what differs is named.
    sign_out(&page).await;
    page.go(&invitation).await;
    page.until("document.getElementById('secret').value.length > 20 && !location.hash")
        .await;
    page.until("document.activeElement.id === 'password'").await;
    set_password(&page, PASSWORD, "something else").await;
    page.until("document.querySelector('[role=alert]')?.textContent.includes('differ')")
        .await;
    found.extend(look_at(&page, "link-errors").await);
    set_password(&page, PASSWORD, PASSWORD).await;
    page.until("location.pathname === '/account' && document.querySelector('h1').textContent === 'newcomer'")
        .await;
    page.go(&invitation).await;
    page.until("document.getElementById('secret').value.length > 20")
        .await;
    set_password(&page, PASSWORD, PASSWORD).await;
    page.until("document.querySelector('[role=alert]')?.textContent.includes('used')")
        .await;

    found.extend(tokens_and_machines(&page).await);

    // An old password that is wrong changes nothing; a right one ends other sessions.
    page.go("/account").await;
    change_password(&page, "wrong wrong wrong", NEXT_PASSWORD).await;
    page.until("document.querySelector('[role=alert]')").await;
    found.extend(look_at(&page, "account-errors").await);
    change_password(&page, PASSWORD, NEXT_PASSWORD).await;
    page.until("document.querySelector('[role=status]')").await;
    found.extend(look_at(&page, "account-changed").await);

    sign_out(&page).await;
    page.go("/sign-in?next=/perft").await;
    sign_in(&page, "newcomer", PASSWORD).await;
    page.until("document.querySelector('[role=alert]')").await;
    found.extend(look_at(&page, "sign-in-errors").await);
    sign_in(&page, "newcomer", NEXT_PASSWORD).await;
    page.until("location.pathname === '/perft'").await;
    page.assert_no_faults().await;
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: administrators manage people in the browser"]
async fn administrators_manage_people() {
    let page = Scene::at("/tests").await;
    let mut found = Vec::new();
    page.sign_in("root").await;
    page.go("/people").await;
    fill(&page, "name", "Not A Name").await;
    submit(&page, "form[action='/people']").await;
    page.until("document.getElementById('name-error')").await;
    found.extend(look_at(&page, "people-errors").await);
    // A reset ends all sessions, and its link sets a password.
    let reset = link_made(&page, "form[action='/people/ada/reset']", &[]).await;
    page.go("/people").await;
    page.eval("document.getElementById('role-grace').value = 'author'")
        .await;
    submit(&page, "form[action='/people/grace/role']").await;
    page.until("document.getElementById('role-grace')?.value === 'author' && location.pathname === '/people'")
        .await;
    submit(&page, "form[action='/people/grace/disable']").await;
    page.until("document.querySelector(\"form[action='/people/grace/enable']\")")
        .await;
    found.extend(look_at(&page, "people-disabled").await);
    page.go("/audit").await;
    let actions = page.eval("[...document.querySelectorAll('tbody tr')].map((row) => row.cells[2].textContent + ' ' + row.cells[3].textContent).join(', ')");
    assert_eq!(
        actions.await,
        "disable account grace, change role grace, invite again ada"
    );
    found.extend(look_at(&page, "audit-entries").await);
    sign_out(&page).await;
    page.go(&reset).await;
    page.until("document.getElementById('secret').value.length > 20")
        .await;
    set_password(&page, NEXT_PASSWORD, NEXT_PASSWORD).await;
    page.until(
        "location.pathname === '/account' && document.querySelector('h1').textContent === 'ada'",
    )
    .await;
    page.go("/audit").await;
    page.until("document.querySelector('h1')").await;
    found.extend(look_at(&page, "forbidden").await);
    let text = page.text("main").await;
    assert!(text.contains("403"), "{text}");
    page.assert_no_faults().await;
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Makes a token and a machine, uses the token, and revokes both.
async fn tokens_and_machines(page: &Scene) -> Vec<String> {
    let mut found = Vec::new();
    page.go("/account").await;
    fill(
        page,
        "token-name",
        "CI of <b>an engine with a rather long name</b>",
    )
    .await;
    submit(page, "form[action='/account/tokens']").await;
    page.until(&format!("{SECRET}.startsWith('tsa_')")).await;
    found.extend(look_at(page, "secret-program").await);
    let token = page.eval(SECRET).await;
    let token = token.as_str().expect("a token").to_owned();
    let asked = format!(
        "fetch('/api/1/tests', {{ credentials: 'omit', headers: {{ authorization: 'Bearer {token}' }} }}).then(({{ status }}) => status)"
    );
    assert_eq!(page.eval(&asked).await, 200);
    page.go("/account").await;
    found.extend(look_at(page, "account-tokens").await);
    submit(page, "form[action$='/revoke']").await;
    page.until("!document.querySelector(\"form[action$='/revoke']\")")
        .await;
    assert_eq!(page.eval(&asked).await, 401);

    page.go("/account/machines").await;
    fill(page, "name", "box 1").await;
    submit(page, "form[action='/account/machines']").await;
    page.until("document.getElementById('name-error')").await;
    found.extend(look_at(page, "machine-errors").await);
    fill(page, "name", "box-1").await;
    submit(page, "form[action='/account/machines']").await;
    page.until(&format!("{SECRET}.startsWith('tsw_')")).await;
    found.extend(look_at(page, "secret-worker").await);
    page.go("/account/machines").await;
    submit(page, "form[action='/account/machines/box-1/revoke']").await;
    page.until("document.querySelector('tbody .badge')?.textContent === 'revoked'")
        .await;
    found
}

/// Fills a form of the page of people, and returns the path of the link that is shown.
async fn link_made(page: &Scene, form: &str, fields: &[(&str, &str)]) -> String {
    page.go("/people").await;
    for (id, value) in fields {
        fill(page, id, value).await;
    }
    submit(page, form).await;
    page.until("document.querySelector('main pre code')").await;
    let link = page.eval(SECRET).await;
    let link = link.as_str().expect("a link").to_owned();
    assert!(link.starts_with("/link#"), "{link}");
    link
}

async fn set_password(page: &Scene, password: &str, again: &str) {
    fill(page, "password", password).await;
    fill(page, "again", again).await;
    submit(page, "form[action='/link']").await;
}

async fn change_password(page: &Scene, old: &str, new: &str) {
    fill(page, "old", old).await;
    fill(page, "password", new).await;
    fill(page, "again", new).await;
    submit(page, "form[action='/account/password']").await;
}

async fn sign_in(page: &Scene, name: &str, password: &str) {
    fill(page, "name", name).await;
    fill(page, "password", password).await;
    submit(page, "form[action='/sign-in']").await;
}

async fn sign_out(page: &Scene) {
    page.go("/account").await;
    submit(page, "form[action='/sign-out']").await;
    page.until("document.querySelector('header.site a[href=\"/sign-in\"]')")
        .await;
}

async fn fill(page: &Scene, id: &str, value: &str) {
    page.eval(&format!(
        "document.getElementById({id:?}).value = {value:?}"
    ))
    .await;
}

/// Sends a form, and waits until its page is gone: what is asked next is asked of the answer.
async fn submit(page: &Scene, form: &str) {
    page.eval("window.isOld = true").await;
    page.click(&format!("{form} button[type=submit]")).await;
    page.until("!window.isOld && document.readyState === 'complete'")
        .await;
}
