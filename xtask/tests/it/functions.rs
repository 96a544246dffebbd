//! Functions are not cut smaller than a reader wants them.

use xtask::{Functions, Modules};

use crate::modules::written;
use crate::structures;

/// The largest share of private functions with one caller, over all crates.
const MOST: f64 = 0.28;

#[test]
fn few_functions_have_one_caller() {
    let mut all = Functions::default();
    let mut shares = Vec::new();
    for (name, structure) in structures() {
        let functions = &structure.functions;
        shares.push(format!("{name} {:.0} %", 100.0 * functions.share()));
        all.count += functions.count;
        all.with_one_caller
            .extend_from_slice(&functions.with_one_caller);
    }
    assert!(all.count > 1000, "{} functions were found", all.count);
    assert!(
        all.share() <= MOST,
        "{:.1} % in all, {}; cargo run -p touchstone-xtask -- functions lists them",
        100.0 * all.share(),
        shares.join(", ")
    );
}

#[test]
fn callers_are_counted_over_the_crate_without_its_tests() {
    let folder = written(&[
        (
            "lib.rs",
            "mod a; fn twice() {} fn once() { twice() } fn macro_only() {}
             pub fn shown() { once(); twice(); println!(\"once {}\", macro_only()); }
             #[cfg(test)] mod tests { fn helper() { super::once() } }",
        ),
        (
            "a.rs",
            "struct A; impl A { fn method(&self) {} fn same(&self) { self.method() } }
             impl Drop for A { fn drop(&mut self) { self.same() } } pub(crate) fn same() {}",
        ),
    ]);
    let functions = Functions::from_modules(&[Modules::read(&folder.path().join("lib.rs"))]);
    assert_eq!(functions.count, 6);
    assert_eq!(
        functions.with_one_caller,
        ["::once", "::macro_only", "a::method"]
    );
    assert!((functions.share() - 0.5).abs() < 1e-9);
}
