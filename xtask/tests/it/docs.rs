//! What the pages say of themselves and of the programs: links lead somewhere, tables are whole.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use kit::Exit;
use regex::Regex;

use crate::{files, root, structures, text};

/// Every page: those at the root, and docs.
fn pages() -> BTreeMap<PathBuf, String> {
    let root = root();
    let top = fs::read_dir(&root).expect("the repository");
    let top = top.map(|entry| entry.expect("an entry").path());
    let top = top.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    top.chain(files(&root.join("docs"), "md"))
        .map(|path| (path.clone(), prose(&text(&path))))
        .collect()
}

/// A page without its blocks of code.
pub(crate) fn prose(page: &str) -> String {
    let mut is_code = false;
    let lines = page.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// What the headings of a page are called in addresses, as GitHub makes it.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for line in page.lines().filter(|line| line.starts_with('#')) {
        let heading = line.trim_start_matches('#').trim();
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let anchor: String = heading.to_lowercase().chars().filter(kept).collect();
        let anchor = anchor.replace(' ', "-");
        let mut unlike_others = anchor.clone();
        let mut number = 0;
        while !anchors.insert(unlike_others) {
            number += 1;
            unlike_others = format!("{anchor}-{number}");
        }
    }
    anchors
}

/// The links of a page to others of ours: path and anchor, either may be empty.
fn links(page: &str) -> Vec<(String, String)> {
    let link = Regex::new(r"\]\(([^)\s]+)\)").expect("a pattern");
    let addresses = link.captures_iter(page).map(|found| found[1].to_owned());
    let ours = addresses.filter(|address| !address.contains("://"));
    ours.map(|address| {
        // A badge: on the site, the runs of a workflow are beside the branch.
        let badge = address.strip_prefix("../../actions/workflows/");
        if let Some(workflow) = badge {
            let workflow = workflow.trim_end_matches("/badge.svg");
            return (format!(".github/workflows/{workflow}"), String::new());
        }
        match address.split_once('#') {
            Some((path, anchor)) => (path.to_owned(), anchor.to_owned()),
            None => (address, String::new()),
        }
    })
    .collect()
}

#[test]
fn links_lead_somewhere() {
    let pages = pages();
    let mut dead = Vec::new();
    let mut followed = 0;
    for (path, page) in &pages {
        for (to, anchor) in links(page) {
            followed += 1;
            let folder = path.parent().expect("a page lies in a folder");
            let target = if to.is_empty() {
                path.clone()
            } else {
                folder.join(&to)
            };
            let Ok(target) = target.canonicalize() else {
                dead.push(format!("{}: {to} is not there", path.display()));
                continue;
            };
            let heads = || pages.get(&target).map(|page| anchors(page));
            if !anchor.is_empty() && !heads().is_some_and(|heads| heads.contains(&anchor)) {
                dead.push(format!("{}: {to} has no #{anchor}", path.display()));
            }
        }
    }
    assert!(followed > 100, "{followed} links were found");
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

#[test]
fn every_page_is_reached_from_the_readme() {
    let pages = pages();
    let mut reached = BTreeSet::new();
    let mut open = vec![root().join("README.md")];
    while let Some(path) = open.pop() {
        let folder = path.parent().expect("a page lies in a folder").to_owned();
        if let Some(page) = pages.get(&path).filter(|_| reached.insert(path.clone())) {
            let targets = links(page).into_iter();
            open.extend(targets.filter_map(|(to, _)| folder.join(to).canonicalize().ok()));
        }
    }
    let lost: Vec<_> = pages
        .keys()
        .filter(|page| !reached.contains(*page))
        .collect();
    assert!(lost.is_empty(), "{lost:?}");
}

#[test]
fn anchors_are_those_of_github() {
    let page = "# `perft`\n## `perft check [FILES…]`\n### `--resume FILE`\n## A, b & c\n# Twice\n# Twice\n";
    let expected = [
        "--resume-file",
        "a-b--c",
        "perft",
        "perft-check-files",
        "twice",
        "twice-1",
    ];
    assert_eq!(anchors(page).into_iter().collect::<Vec<_>>(), expected);
}

/// The names of schemas in a text.
fn schemas(text: &str) -> BTreeSet<String> {
    let schema = Regex::new(r"touchstone/[a-z-]+/[0-9]+").expect("a pattern");
    let found = schema.find_iter(text);
    found.map(|found| found.as_str().to_owned()).collect()
}

#[test]
fn formats_has_every_schema() {
    let root = root();
    let mut written = BTreeSet::new();
    for member in [
        "crowd", "engine", "epd", "fleet", "kit", "perft", "selfplay", "uci",
    ] {
        for path in files(&root.join(member).join("src"), "rs") {
            if path.file_name().is_some_and(|name| name == "tests.rs") {
                continue;
            }
            let source = text(&path);
            let code = source.split("#[cfg(test)]\nmod tests {").next();
            written.extend(schemas(code.unwrap_or_default()));
        }
    }
    assert!(written.len() > 20, "{written:?}");
    assert_eq!(schemas(&text(&root.join("docs/formats.md"))), written);
}

#[test]
fn exit_codes_are_those_of_the_programs() {
    let page = text(&root().join("docs/exit-codes.md"));
    let first_cell = |line: &str| line.strip_prefix("| ")?.split(' ').next()?.parse().ok();
    let codes: Vec<u8> = page.lines().filter_map(first_cell).collect();
    let expected = [
        Exit::Agreed,
        Exit::Differs,
        Exit::BadInput,
        Exit::Failed,
        Exit::Nothing,
        Exit::Interrupted,
    ];
    assert_eq!(codes, expected.map(|exit| exit as u8));
}

#[test]
fn drawings_are_those_of_the_code() {
    let page = text(&root().join("docs/ARCHITECTURE.md"));
    assert!(page.contains("<!-- modules of "));
    let made = xtask::with_drawings(&page, &root(), structures());
    assert!(
        made == page,
        "cargo run -p touchstone-xtask makes them anew"
    );
}

#[test]
fn every_page_is_in_the_book() {
    let folder = root().join("docs");
    let contents = links(&text(&folder.join("SUMMARY.md")));
    let listed: BTreeSet<PathBuf> = contents.iter().map(|(path, _)| folder.join(path)).collect();
    assert_eq!(listed.len(), contents.len(), "a page is listed twice");
    let mut pages: BTreeSet<PathBuf> = files(&folder, "md").into_iter().collect();
    pages.remove(&folder.join("SUMMARY.md"));
    assert_eq!(listed, pages);
}
