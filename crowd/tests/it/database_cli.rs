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
