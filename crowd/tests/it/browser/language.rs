//! The pages and their scripts in another language.

use super::scene::Scene;
use super::server::LISTS;

/// What the scripts of a page write for "White".
const WHITE: &str = "(async () => (await import('/static/texts.js')).t('white'))()";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: scripts in another language"]
async fn scripts_speak_the_language_of_the_page() {
    let german = format!("{LISTS}&lang=de");
    let page = Scene::at(&german).await;
    page.ready().await;
    assert_eq!(
        page.text("#task-title").await,
        "Finde alle legalen Züge für Weiß"
    );
    page.until_says("facts", "Weiß: beide Seiten. Schwarz: beide Seiten.")
        .await;
    page.type_move("Nf7").await;
    let said = "Hinzugefügt: Springer von e5 nach f7, schlägt den Bauern; 1 Zug auf";
    page.until_says("say", said).await;
    page.type_move("Bc5").await;
    page.until_says("typed-error", "Weiß hat keinen Läufer, der nach c5 kommt")
        .await;
    page.finish().await;
    page.until_says("task-title", "Deine Liste ist angekommen: 1 Zug.")
        .await;

    page.goto(&page.server.url("/lists")).await;
    assert_eq!(page.text("h1").await, "Meine Listen", "it is remembered");
    page.goto(&page.server.url("/play")).await;
    assert_eq!(page.text("nav [aria-current]").await, "Spielen");
    assert_eq!(page.eval(WHITE).await, "Weiß");
    page.assert_no_faults().await;
}
