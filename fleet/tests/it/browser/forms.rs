//! Forms: what is wrong is said beside the fields, and what was typed stays.

use super::lab::Scene;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: errors are beside their fields"]
async fn errors_are_beside_their_fields() {
    let page = Scene::at("/tests").await;
    page.sign_in("ada").await;
    page.go("/submit?repository=touchstone").await;
    fill(&page, "new", "my branch").await;
    fill(&page, "base", "main").await;
    fill(&page, "elo0", "two").await;
    fill(&page, "title", "Null move <b>").await;
    page.click("main button[type=submit]").await;
    page.until("document.getElementById('faults')").await;
    page.until_says("new-error", "expected a branch").await;
    page.until_says("elo0-error", "'two', expected a number of Elo")
        .await;
    let kept = page.eval("document.getElementById('title').value").await;
    assert_eq!(kept, "Null move <b>");
    let invalid = page.eval("document.getElementById('new').getAttribute('aria-invalid')");
    assert_eq!(invalid.await, "true");
    let found = super::every_page::look_at(&page, "submit-errors").await;
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_is_submitted_approved_and_stopped() {
    let page = Scene::at("/tests").await;
    page.sign_in("ada").await;
    page.go("/submit?repository=touchstone").await;
    fill(&page, "new", "idea").await;
    fill(&page, "base", "main").await;
    page.click("main button[type=submit]").await;
    page.until("location.pathname.startsWith('/tests/test-')")
        .await;
    page.until_says("state", "needs approval").await;
    let buttons = page.eval(
        "[...document.querySelectorAll('#actions button')].map((one) => one.textContent).join()",
    );
    assert_eq!(
        buttons.await,
        "Stop",
        "authors stop their own tests, and approve none"
    );
    let path = page.eval("location.pathname").await;
    let path = path.as_str().expect("a path").to_owned();
    let send =
        format!("fetch('{path}/approve', {{ method: 'POST' }}).then(({{ status }}) => status)");
    let sent = page.eval(&send);
    assert_eq!(sent.await, 403, "authors approve nothing");
    page.sign_in("grace").await;
    page.go(&path).await;
    page.click("#actions .primary").await;
    page.until_says("state", "waiting").await;
    page.click("#actions .danger").await;
    page.until_says("reason", "stopped by grace").await;
    page.go("/submit?again=stc-7").await;
    let kept = page.eval("document.getElementById('then_tc').value").await;
    assert_eq!(kept, "60+0.6", "a test is submitted again as it was");
    page.assert_no_faults().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: repositories and machines are managed in the browser"]
async fn repositories_and_machines_are_managed() {
    let page = Scene::at("/tests").await;
    page.sign_in("grace").await;
    page.go("/repositories").await;
    page.click("form[action='/repositories/other/approve'] button")
        .await;
    page.until("!document.querySelector('form[action$=approve]')")
        .await;
    fill(&page, "name", "new one").await;
    fill(&page, "url", "ext::sh").await;
    fill(&page, "presets", "{").await;
    page.click("form[action='/repositories'] button").await;
    page.until_says("presets-error", "expected JSON").await;
    fill(&page, "presets", "").await;
    page.click("form[action='/repositories'] button").await;
    page.until_says("name-error", "letters, digits").await;
    page.until_says("url-error", "https://").await;
    fill(&page, "name", "new").await;
    fill(&page, "url", "https://example.org/new.git").await;
    page.click("form[action='/repositories'] button").await;
    page.until("document.querySelectorAll('main .card').length === 3")
        .await;

    page.go("/machines").await;
    page.click("form[action='/machines/liar/release'] button")
        .await;
    page.until("!document.querySelector('form[action$=release]')")
        .await;
    page.click("form[action='/machines/basement/revoke'] button")
        .await;
    page.until("!document.querySelector('form[action=\"/machines/basement/revoke\"]')")
        .await;
    page.click("td details summary").await;
    page.until("document.querySelector('td details[open] input')")
        .await;
    page.eval("document.querySelector('td details[open] input').value = 'wrong counts'")
        .await;
    page.click("td details[open] button").await;
    page.until_says("machines", "wrong counts").await;
    let noted = sqlx::query_scalar("select string_agg(action, ', ' order by id) from lab.audit");
    let noted: String = noted
        .fetch_one(&page.lab.database.pool)
        .await
        .expect("noted");
    assert_eq!(
        noted,
        "approve repository, register repository, end quarantine of worker, revoke worker, quarantine worker"
    );
    page.assert_no_faults().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_work_without_scripts() {
    let page = Scene::at("/tests").await;
    let off = serde_json::json!({ "value": true });
    page.cdp("Emulation.setScriptExecutionDisabled", off).await;
    page.go("/tests/stc-7").await;
    page.until("document.querySelector('figure svg path.line') && !document.querySelector('figure[data-drawn]')")
        .await;
    page.go("/tests/stc-7/games/0/1").await;
    page.click("[data-step=on]").await;
    page.until("location.search === '?ply=1'").await;
    assert_eq!(page.text("#at-move").await, "1. e4");
}

async fn fill(page: &Scene, id: &str, value: &str) {
    page.eval(&format!(
        "document.getElementById({id:?}).value = {value:?}"
    ))
    .await;
}
