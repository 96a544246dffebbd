//! Forms: what is wrong is said beside the fields, and what was typed stays.

use crate::lab::Scene;

#[tokio::test(flavor = "multi_thread")]
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
    crate::every_page::look_at(&page, "submit-errors").await;
}

async fn fill(page: &Scene, id: &str, value: &str) {
    page.eval(&format!(
        "document.getElementById({id:?}).value = {value:?}"
    ))
    .await;
}
