//! Functions are not cut smaller than a reader wants them.
//!
//! A reader jumps to a private function with one caller and back. It earns its place by a name that is a concept of the
//! field; a crate in which every third function is one has been cut too small.

use std::collections::BTreeMap;

use regex::Regex;

use crate::{files, text, workspace};

/// The largest share of private functions with one caller, over all crates.
const MOST: f64 = 0.26;

/// How many functions of some sources are private, and how many of them are named in exactly one other place: names are
/// compared, not resolved. Functions of traits and tests do not count.
fn counted(sources: &[String]) -> (usize, usize) {
    let word = Regex::new(r"\w+").expect("a pattern");
    let function = Regex::new(r"^\s*(pub )?(?:pub\(\w+\) )?(?:const |async |unsafe )*fn (\w+)");
    let function = function.expect("a pattern");
    let (mut private, mut definitions) = (Vec::new(), BTreeMap::new());
    let mut occurrences: BTreeMap<&str, usize> = BTreeMap::new();
    for source in sources {
        let code = source
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or_default();
        let mut is_of_trait = false;
        for line in code
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
        {
            for name in word.find_iter(line) {
                *occurrences.entry(name.as_str()).or_default() += 1;
            }
            if line.starts_with("impl") || line == "}" {
                is_of_trait = line.contains(" for ");
            }
            if let Some(found) = function.captures(line).filter(|_| !is_of_trait) {
                let name = found.get(2).expect("a name").as_str();
                *definitions.entry(name).or_insert(0) += 1;
                private.extend(found.get(1).is_none().then_some(name));
            }
        }
    }
    // The definition and one use.
    let has_one_caller = |name: &&&str| definitions[**name] == 1 && occurrences[**name] == 2;
    (private.len(), private.iter().filter(has_one_caller).count())
}

#[test]
#[expect(clippy::cast_precision_loss, reason = "counts of functions are small")]
fn few_functions_have_one_caller() {
    let (mut all, mut with_one, mut shares) = (0, 0, Vec::new());
    for package in workspace().workspace_packages() {
        let folder = package.manifest_path.parent().expect("a folder");
        let mut sources = files(folder.join("src").as_std_path(), "rs");
        sources.retain(|path| !path.components().any(|part| part.as_os_str() == "tests"));
        sources.retain(|path| !path.ends_with("tests.rs"));
        let sources: Vec<String> = sources.iter().map(|path| text(path)).collect();
        let (private, found) = counted(&sources);
        shares.push(format!("{} {found} of {private}", package.name));
        (all, with_one) = (all + private, with_one + found);
    }
    assert!(all > 1000, "{all} functions were found");
    let share = with_one as f64 / all as f64;
    assert!(
        share <= MOST,
        "{:.1} % in all, {}; cargo clippy -- -W clippy::single_call_fn lists them",
        100.0 * share,
        shares.join(", ")
    );
}

#[test]
fn callers_are_counted_over_the_crate_without_its_tests() {
    let lib = "mod a;\nfn twice() {}\n// once\nfn once() { twice() }\n\
               pub fn shown() { once(); twice(); }\n\
               #[cfg(test)]\nmod tests {\n    fn helper() { super::once() }\n}\n";
    let below = "struct A;\nimpl A {\n    fn method(&self) {}\n    fn same(&self) { self.method() }\n}\n\
                 impl Drop for A {\n    fn drop(&mut self) { self.same() }\n}\npub(crate) fn same() {}\n";
    let sources = [lib, below].map(str::to_owned);
    // Of twice, once, method and both called same: once and method.
    assert_eq!(counted(&sources), (5, 2));
}
