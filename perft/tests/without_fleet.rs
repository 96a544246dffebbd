//! The program as it is built without the feature `fleet`.

#![cfg(not(feature = "fleet"))]

mod common;

use common::run;

#[test]
fn says_how_to_build_it_with_the_feature() {
    let url = "postgres://perft@127.0.0.1/fleet";
    for arguments in [&["count", "4", "--fleet", url][..], &["worker", url]] {
        let message =
            "this perft was built without it: cargo install --path perft --features fleet";
        let expected = format!("exit 2\n--- stdout\n--- stderr\nerror: {message}\n");
        assert_eq!(run(arguments), expected);
    }
}
