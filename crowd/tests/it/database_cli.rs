//! Which database the program works on, and what it says where there is none.

use crate::common::cli::crowd;
use tempfile::TempDir;

#[test]
fn an_import_makes_the_file_and_an_export_finds_it() {
    let folder = TempDir::new().expect("a folder");
    let db = ["--db", "sqlite://new.sqlite"];
    let missing = crowd(folder.path(), &["export", db[0], db[1]], "");
    assert_eq!(
        missing,
        "exit 2\n--- stdout\n--- stderr\nerror: there is no database new.sqlite\n"
    );
    assert!(!folder.path().join("new.sqlite").exists());
    let text = "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n";
    let import = ["import", "-", "--campaign", "ends", db[0], db[1]];
    let imported = crowd(folder.path(), &import, text);
    assert!(imported.starts_with("exit 0\n"), "{imported}");
    let exported = crowd(folder.path(), &["export", db[0], db[1]], "");
    assert!(exported.starts_with("exit 4\n"), "{exported}");
}

#[test]
fn later_imports_use_the_card_of_the_campaign() {
    let folder = TempDir::new().expect("a folder");
    let shipped = crowd(folder.path(), &["import", "--shipped", "antichess"], "");
    assert!(shipped.starts_with("exit 0\n"), "{shipped}");
    // Two kings less than chess needs.
    let text = "8/8/8/8/8/6p1/7P/8 w - - 0 1 ;id mine ;lm h2g3\n";
    let import = ["import", "-", "--campaign", "antichess", "--gold"];
    assert_eq!(
        crowd(folder.path(), &import, text),
        "exit 0\n--- stdout\n1 position added to antichess, 0 there already\n--- stderr\n"
    );
    assert_eq!(
        crowd(folder.path(), &import, &text.replace("h2g3", "h2h9")),
        "exit 2\n--- stdout\n--- stderr\nstandard input:1:1: error: lm: h9 is not on this board, which has 8 \
         files and 8 ranks\n\
         error: 1 invalid line; nothing was imported\n"
    );
    let export = crowd(folder.path(), &["export", "--variant", "losers"], "");
    assert!(export.starts_with("exit 2\n"), "{export}");
    assert!(
        export.contains("no campaign has the variant 'losers'; there are: antichess"),
        "{export}"
    );
    let export = crowd(folder.path(), &["export", "--variant", "antichess"], "");
    assert!(export.starts_with("exit 4\n"), "{export}");
    assert!(
        export.ends_with("there is no such test case yet\n"),
        "{export}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_is_exported_and_deleted() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("people.sqlite");
    let url = format!("sqlite://{}?mode=rwc", file.display());
    let service = crate::common::open(&url, crowd::service::Settings::default()).await;
    let id = crate::common::person(&service, Some("Ada"))
        .await
        .0
        .to_string();
    service.store().clone().close().await.expect("closed");
    let people = |what| {
        let arguments = ["people", what, &id, "--db", "sqlite://people.sqlite"];
        crowd(folder.path(), &arguments, "")
    };
    let exported = people("export");
    assert!(exported.starts_with("exit 0\n"), "{exported}");
    assert!(exported.contains("\"name\": \"Ada\""), "{exported}");
    let deleted = people("delete");
    assert_eq!(
        deleted,
        "exit 0\n--- stdout\n--- stderr\nperson 1 is deleted\n"
    );
    let gone = "exit 4\n--- stdout\n--- stderr\nthere is no person 1\n";
    assert_eq!(people("delete"), gone);
    assert_eq!(people("export"), gone);
}

#[test]
fn what_cannot_be_opened_is_reported_once() {
    let folder = TempDir::new().expect("a folder");
    let db = "sqlite:///no/such/folder/x.sqlite";
    let import = ["import", "-", "--campaign", "ends", "--db", db];
    let printed = crowd(folder.path(), &import, "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n");
    assert!(printed.starts_with("exit 3\n"), "{printed}");
    assert!(printed.contains(&format!("cannot open {db}")), "{printed}");
    assert_eq!(printed.matches("(code: 14)").count(), 1, "{printed}");
}
