//! The program: importing a variant's campaign, exporting its suite, verifying an engine by it.

use crate::common::cli::crowd;

#[test]
fn shipped_campaigns_are_imported_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let import = |name: &str| crowd(folder.path(), &["import", "--shipped", name], "");
    assert_eq!(
        import("antichess"),
        "exit 0\n--- stdout\n76 positions added to antichess, 0 there already\n--- stderr\n"
    );
    let again = import("antichess");
    assert!(
        again.contains("0 positions added to antichess, 76 there already"),
        "{again}"
    );
    assert!(import("capahouse").starts_with("exit 0\n--- stdout\n16 positions added"));
    let unknown = import("shogi");
    assert!(unknown.starts_with("exit 2"), "{unknown}");
    assert!(unknown.contains("campaigns that come with the program are antichess, capahouse"));
    let none = crowd(folder.path(), &["export", "--variant", "antichess"], "");
    assert!(none.starts_with("exit 4"), "{none}");
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the program reads a file of the test"
)]
fn faults_of_cards_and_positions_have_a_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let card = folder.path().join("card.toml");
    std::fs::write(&card, super::crowd::CARD).expect("written");
    let import = |text: &str| {
        let arguments = ["import", "-", "--campaign", "small", "--card", "card.toml"];
        crowd(folder.path(), &arguments, text)
    };
    let wrong = import("3k/P3/K2X w\n");
    assert!(
        wrong.contains("standard input:1:9: error: 'X' is none of the card's pieces"),
        "{wrong}"
    );
    assert!(wrong.starts_with("exit 2"), "{wrong}");
    assert!(import("3k/P3/K3 w ;id one\n").starts_with("exit 0"));
    std::fs::write(&card, super::crowd::CARD.replace("files = 4", "files = 40")).expect("written");
    let wrong = import("3k/P3/K3 w\n");
    assert!(
        wrong.contains("card.toml: line 5: files: a number from 2 to 12"),
        "{wrong}"
    );
}

const SUITE: &str = "\
7k/8/8/8/8/8/P7/K7 w - - 0 1 ;D1 4 ;id corner ;lm a1b1 a1b2 a2a3 a2a4
4k3/8/8/8/8/8/8/4K2R b - - 0 1 ;D1 5 ;id black ;lm e8d7 e8d8 e8e7 e8f7 e8f8
";

fn verify(flags: &str, suite: &str, variant: &str, format: &str) -> String {
    let path = testkit::programs::scripted_engine().display().to_string();
    let engine = format!("'{path}' {flags}");
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = [
        "verify",
        "--engine",
        &engine,
        "--cases",
        "-",
        "--variant",
        variant,
        "--format",
        format,
    ];
    crowd(folder.path(), &arguments, suite).replace(&path, "scripted_engine")
}

#[test]
fn engines_are_verified_by_a_suite() {
    let agrees = verify("", SUITE, "chess", "human");
    assert!(
        agrees.contains("2 positions, 2 agreed, 0 differ, 0 without a list"),
        "{agrees}"
    );
    assert!(agrees.starts_with("exit 0"));
    let differs = verify(
        "--bug adds=a1a8",
        &SUITE.replace(" a2a4", " b1b2"),
        "chess",
        "human",
    );
    assert!(differs.starts_with("exit 1"), "{differs}");
    for line in [
        "  missing b1b2\n",
        "  superfluous a2a4\n",
        "  superfluous a1a8\n",
    ] {
        assert!(differs.contains(line), "{differs}");
    }
    let json = verify("", SUITE, "chess", "json");
    assert!(
        json.contains("\"schema\": \"touchstone/crowd-verify/1\""),
        "{json}"
    );
    let unknown = verify("", SUITE, "antichess", "human");
    assert!(unknown.starts_with("exit 3"), "{unknown}");
    assert!(
        unknown.contains("it has no option UCI_Variant"),
        "{unknown}"
    );
    let bad = verify("", "8/8 w ;D1 1\n", "chess", "human");
    assert!(
        bad.contains("standard input: line 1, column 1: the moves are missing: lm"),
        "{bad}"
    );
    let none = verify("", "# nothing\n", "chess", "human");
    assert!(none.starts_with("exit 4"), "{none}");
}
