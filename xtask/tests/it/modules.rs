//! Who uses whom, in a crate made for it.
#![expect(clippy::disallowed_methods, reason = "a crate is written")]

use std::fs;
use std::path::Path;

use xtask::{Modules, Uses};

/// A crate of these files in a folder.
fn write(folder: &Path, files: &[(&str, &str)]) -> Uses {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
    Uses::of(&Modules::read(&folder.join("lib.rs")))
}

/// Each arrow as `from -> to`, without the endings.
fn arrows(files: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let uses = write(folder.path(), files);
    let name = |path: &Path| {
        let path = path
            .strip_prefix(folder.path())
            .expect("a file of the crate");
        path.with_extension("").display().to_string()
    };
    let arrows = uses.iter().flat_map(|(file, used)| {
        let from = name(file);
        used.map(move |used| format!("{from} -> {}", name(used)))
    });
    arrows.collect()
}

#[test]
fn names_are_followed_to_where_they_are_declared() {
    let handed_on = [
        ("lib.rs", "mod a; mod b; pub use a::{A as Shown, inner::*};"),
        (
            "a/mod.rs",
            "pub struct A; pub mod inner { pub struct Inner; }",
        ),
        (
            "b.rs",
            "use crate::Shown; fn f(_: Shown, _: crate::Inner, _: std::vec::Vec<u8>) {}",
        ),
    ];
    assert_eq!(arrows(&handed_on), ["b -> a/mod"]);
    let by_module = [
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "pub const N: u8 = 1; pub enum E { V }"),
        (
            "b.rs",
            "use super::a::{self, E::V}; fn f() -> u8 { let _ = V; a::N }",
        ),
    ];
    assert_eq!(arrows(&by_module), ["b -> a"]);
    let in_a_macro = [
        ("lib.rs", "mod a; fn f() { println!(\"{}\", a::N); }"),
        ("a.rs", "pub const N: u8 = 1;"),
    ];
    assert_eq!(arrows(&in_a_macro), ["lib -> a"]);
}

#[test]
fn tests_reexports_and_what_is_around_are_no_use() {
    let files = [
        ("lib.rs", "mod a; mod b; pub(crate) use b::B;"),
        (
            "a.rs",
            "pub struct A; #[cfg(test)] mod tests { use crate::B; }",
        ),
        ("b.rs", "pub struct B(crate::a::A, crate::Shared);"),
    ];
    assert_eq!(arrows(&files), ["b -> a"]);
}

#[test]
fn circles_are_found_whole_and_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = [
        ("lib.rs", "mod a; mod b; mod c; mod d;"),
        ("a.rs", "pub fn f() { crate::b::f() }"),
        ("b.rs", "pub fn f() { crate::c::f() }"),
        ("c.rs", "pub fn f() { crate::a::f(); crate::d::f() }"),
        ("d.rs", "pub fn f() {}"),
    ];
    let circles = write(folder.path(), &files).circles();
    let [circle] = &circles[..] else {
        panic!("{circles:?}");
    };
    let text = circle
        .to_string()
        .replace(&format!("{}/", folder.path().display()), "");
    let expected =
        "a.rs -> b.rs: crate::b::f\nb.rs -> c.rs: crate::c::f\nc.rs -> a.rs: crate::a::f\n";
    assert_eq!(text, expected);
}
