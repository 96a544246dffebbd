//! Who uses whom, in a crate made for it.
#![expect(clippy::disallowed_methods, reason = "a crate is written")]

use std::fs;

use xtask::{Modules, Uses, drawing};

/// A folder with these files.
pub(crate) fn written(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
    folder
}

/// What the modules of a crate of these files use of each other.
fn uses(files: &[(&str, &str)]) -> Uses {
    Uses::from_modules(&Modules::read(&written(files).path().join("lib.rs")))
}

/// The arrows between the modules of the root.
fn arrows(files: &[(&str, &str)]) -> Vec<String> {
    let drawing = drawing(&uses(files).below(&[]));
    let lines = drawing.lines().skip(1);
    lines.map(|line| line.trim().to_owned()).collect()
}

#[test]
fn names_are_followed_to_where_they_are_declared() {
    let handed_on = rows![
        "lib.rs" => "mod a; mod b; pub use a::{A as Shown, inner::*};";
        "a/mod.rs" => "pub struct A; pub mod inner { pub struct Inner; }";
        "b.rs" => "use crate::Shown; fn f(_: Shown, _: crate::Inner, _: std::vec::Vec<u8>) {}";
    ];
    assert_eq!(arrows(&handed_on), ["b --> a"]);
    let by_module = [
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "pub const N: u8 = 1; pub enum E { V }"),
        (
            "b.rs",
            "use super::a::{self, E::V}; fn f() -> u8 { let _ = V; a::N }",
        ),
    ];
    assert_eq!(arrows(&by_module), ["b --> a"]);
    let in_a_macro = [
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "fn f() { println!(\"{}\", super::b::N); }"),
        ("b.rs", "pub const N: u8 = 1;"),
    ];
    assert_eq!(arrows(&in_a_macro), ["a --> b"]);
}

#[test]
fn tests_reexports_and_what_is_around_are_no_use() {
    let files = rows![
        "lib.rs" => "mod a; mod b; pub(crate) use b::B; struct Shared;";
        "a.rs" => "pub struct A; #[cfg(test)] mod tests { use crate::B; }";
        "b.rs" => "pub struct B(crate::a::A, crate::Shared);";
    ];
    assert_eq!(arrows(&files), ["b --> a"]);
}

#[test]
fn a_drawing_leaves_out_what_follows() {
    let files = [
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "fn f() { crate::b::f(); crate::c::f() }"),
        ("b.rs", "pub fn f() { crate::c::f() }"),
        ("c.rs", "pub fn f() {}"),
    ];
    assert_eq!(arrows(&files), ["a --> b", "b --> c"]);
}

#[test]
fn circles_are_found_on_every_level() {
    let files = [
        ("lib.rs", "mod a; mod b; mod d;"),
        ("a/mod.rs", "pub mod x; pub mod y;"),
        ("a/x.rs", "pub fn f() { super::y::f() }"),
        ("a/y.rs", "pub fn f() { super::x::f(); crate::d::f() }"),
        ("b.rs", "pub fn f() { crate::a::x::f() }"),
        ("d.rs", "pub fn f() {}"),
    ];
    let expected = [
        "a: x -> y (a::x: super::y::f)",
        "a: y -> x (a::y: super::x::f)",
    ];
    assert_eq!(uses(&files).circles(), expected);
    // Of files there is no circle here, but of folders.
    let folders = [
        ("lib.rs", "mod a; mod b;"),
        ("a/mod.rs", "pub mod x; pub mod y;"),
        ("a/x.rs", "pub fn f() { crate::b::f() }"),
        ("a/y.rs", "pub fn f() {}"),
        ("b.rs", "pub fn f() { crate::a::y::f() }"),
    ];
    assert_eq!(uses(&folders).circles().len(), 2);
}
