//! How large the house is: lines and tokens of each crate, and how often one idea is written down.
//!
//! `xtask/sizes.toml` holds the maxima; a test compares them with the sources, and
//! `cargo run -p touchstone-xtask -- sizes` lowers them to what is there.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::{AddAssign, RangeInclusive};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, ensure};
use proc_macro2::{TokenStream, TokenTree};
use serde::Deserialize;
use syn::Item;
use syn::spanned::Spanned as _;

use crate::modules::{attributes, is_for_tests};

/// The maxima, below the root of the repository.
pub const MAXIMA: &str = "xtask/sizes.toml";

/// What the file of maxima begins with.
const HEAD: &str = "\
# How large each crate may be, and how often one idea may be written down; a test compares. Numbers only fall:
# `cargo run -p touchstone-xtask -- sizes` lowers them. What has to grow says why, below [[raised]].
#
# production: lines of src that are neither empty nor comments nor #[cfg(test)]; tests: those of everything else (tests,
# examples, benchmarks, testkit). tokens: those of production, without documentation. comments: lines of comments and
# documentation in production.
";

/// A named number: `chess.production`, `house.schemas`.
type Numbers = BTreeMap<String, u64>;

/// Measures every crate of the workspace and the house as a whole.
///
/// # Errors
///
/// When a source cannot be read or does not parse.
pub fn sizes(root: &Path) -> anyhow::Result<Numbers> {
    let mut numbers = Numbers::new();
    let mut house = House::default();
    for folder in crates(root)? {
        let name = file_name(&folder);
        let size = of_crate(&name, &folder, &mut house)?;
        for (what, number) in [
            ("production", size.production),
            ("tokens", size.tokens),
            ("comments", size.comments),
            ("tests", size.tests),
        ] {
            numbers.insert(format!("{name}.{what}"), number);
        }
    }
    let repeated = house.types.values().filter(|&&count| count > 1).count();
    for (what, number) in [
        ("words-of-docs", words(&root.join("docs"))?),
        ("schemas", house.schemas.len() as u64),
        ("format-enums", house.formats),
        ("starts-of-engines", house.starts),
        ("types-named-twice", repeated as u64),
        ("functions-named-of", house.functions_of),
    ] {
        numbers.insert(format!("house.{what}"), number);
    }
    Ok(numbers)
}

/// The numbers as a table for people: a line for each crate, then the counts of the house.
#[must_use]
pub fn table(numbers: &Numbers) -> String {
    let mut text = format!("{:<12}", "crate");
    let columns = ["production", "tokens", "comments", "tests"];
    for column in columns {
        let _ = write!(text, "{column:>12}");
    }
    let (mut rows, mut sums) = (BTreeSet::new(), [0; 4]);
    rows.extend(
        numbers
            .keys()
            .filter_map(|key| key.split_once('.'))
            .map(|(name, _)| name),
    );
    for name in rows.into_iter().filter(|&name| name != "house") {
        let _ = write!(text, "\n{name:<12}");
        for (column, sum) in columns.iter().zip(&mut sums) {
            let number = numbers
                .get(&format!("{name}.{column}"))
                .copied()
                .unwrap_or(0);
            *sum += number;
            let _ = write!(text, "{number:>12}");
        }
    }
    let _ = write!(text, "\n{:<12}", "sum");
    for sum in sums {
        let _ = write!(text, "{sum:>12}");
    }
    text.push('\n');
    for (key, number) in numbers.iter().filter(|(key, _)| key.starts_with("house.")) {
        let _ = writeln!(text, "{:<24}{number:>12}", &key["house.".len()..]);
    }
    text
}

/// The file of maxima.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Maxima {
    /// By crate, or `house`, and by what is counted.
    most: BTreeMap<String, Numbers>,
    /// What has been allowed besides.
    #[serde(default)]
    raised: Vec<Raise>,
}

/// One number that had to grow.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raise {
    /// Such as `chess.production`.
    what: String,
    by: u64,
    why: String,
}

impl Maxima {
    /// Reads the text of the file.
    ///
    /// # Errors
    ///
    /// When it is not TOML of this form, or a raise says nothing.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let maxima: Self = toml::from_str(text)?;
        for Raise { what, why, .. } in &maxima.raised {
            ensure!(
                // Fewer words are no reason that a reader could judge.
                why.split_whitespace().count() > 3,
                "{what} was raised: say why in a sentence"
            );
        }
        Ok(maxima)
    }

    /// What a number may be; 0 for one that is not listed.
    fn most(&self, key: &str) -> u64 {
        let (name, what) = key.split_once('.').unwrap_or((key, ""));
        let listed = self.most.get(name).and_then(|numbers| numbers.get(what));
        let raises = self.raised.iter().filter(|raise| raise.what == key);
        listed.copied().unwrap_or(0) + raises.map(|raise| raise.by).sum::<u64>()
    }

    /// The numbers that are too large, and raises of what is not counted, each in a line. Comments may grow.
    #[must_use]
    pub fn exceeded(&self, numbers: &Numbers) -> Vec<String> {
        let counted = numbers
            .iter()
            .filter(|(key, _)| !key.ends_with(".comments"));
        let too_large = counted.filter(|(key, number)| **number > self.most(key));
        let too_large =
            too_large.map(|(key, number)| format!("{key}: {number}, at most {}", self.most(key)));
        let raised = self.raised.iter().map(|raise| &raise.what);
        let unknown = raised.filter(|what| !numbers.contains_key(*what));
        let unknown = unknown.map(|what| format!("{what} was raised, and is not counted"));
        too_large.chain(unknown).collect()
    }

    /// The text of the file in which each number is as small as it is now, 0 for one that was not listed; a
    /// raise stays where it is needed.
    #[must_use]
    pub fn lowered(&self, numbers: &Numbers) -> String {
        let mut text = HEAD.to_owned();
        let mut last = "";
        for (key, &number) in numbers {
            let (name, what) = key.split_once('.').unwrap_or((key, ""));
            if name != last {
                let _ = write!(text, "\n[most.{name}]\n");
                last = name;
            }
            let listed = self.most.get(name).and_then(|numbers| numbers.get(what));
            let most = match what {
                // Comments have no maximum; the file shows how many there are.
                "comments" => number,
                _ => number.min(listed.copied().unwrap_or(0)),
            };
            let _ = writeln!(text, "{what} = {most}");
        }
        for Raise { what, by, why } in &self.raised {
            let name = what
                .split_once('.')
                .and_then(|(name, what)| self.most.get(name)?.get(what));
            let is_needed = numbers.get(what) > name;
            if is_needed {
                let why = why.replace('"', "'");
                let _ = write!(
                    text,
                    "\n[[raised]]\nwhat = \"{what}\"\nby = {by}\nwhy = \"{why}\"\n"
                );
            }
        }
        text
    }
}

/// What is counted over all crates, in production code.
#[derive(Default)]
struct House {
    /// How often each name of a type is declared.
    types: BTreeMap<String, u64>,
    /// The schemas that documents name, `touchstone/NAME/VERSION`.
    schemas: BTreeSet<String>,
    /// Enums of output formats.
    formats: u64,
    /// Places outside `uci` that start an engine.
    starts: u64,
    functions_of: u64,
}

/// Lines and tokens of a crate or a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Size {
    production: u64,
    tokens: u64,
    comments: u64,
    tests: u64,
}

impl AddAssign for Size {
    fn add_assign(&mut self, other: Self) {
        self.production += other.production;
        self.tokens += other.tokens;
        self.comments += other.comments;
        self.tests += other.tests;
    }
}

/// The folders with a manifest and sources, right below the root.
fn crates(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(root)? {
        let folder = entry?.path();
        if folder.join("Cargo.toml").exists() && folder.join("src").exists() {
            folders.push(folder);
        }
    }
    folders.sort();
    Ok(folders)
}

fn of_crate(name: &str, folder: &Path, house: &mut House) -> anyhow::Result<Size> {
    let (src, mut paths) = (folder.join("src"), Vec::new());
    collect(folder, "rs", &mut paths)?;
    let (mut size, mut sources) = (Size::default(), Vec::new());
    for path in paths {
        // All of testkit is there for tests.
        if name != "testkit" && path.starts_with(&src) {
            sources.push(SourceFile::read(&path)?);
        } else {
            size.tests += lines_of(&path)?;
        }
    }
    // All files first: which of them are tests is said by those that declare them.
    let for_tests: BTreeSet<PathBuf> = sources.iter().flat_map(SourceFile::test_files).collect();
    for source in &sources {
        let stem = source.path.with_extension("");
        // The modules below a module for tests are in the folder of its name.
        if for_tests.iter().any(|module| stem.starts_with(module)) {
            size.tests += lines_of(&source.path)?;
        } else {
            size += source.size();
            source.count(name, house);
        }
    }
    Ok(size)
}

/// The lines of a file that are not empty.
#[expect(clippy::disallowed_methods, reason = "the sources are read")]
fn lines_of(path: &Path) -> anyhow::Result<u64> {
    let text = std::fs::read_to_string(path)?;
    Ok(text.lines().filter(|line| !line.trim().is_empty()).count() as u64)
}

/// A file of production code, which may have tests below it.
struct SourceFile {
    path: PathBuf,
    text: String,
    stream: TokenStream,
    file: syn::File,
}

impl SourceFile {
    #[expect(clippy::disallowed_methods, reason = "the sources are read")]
    fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path)?;
        let place = || path.display().to_string();
        let stream: TokenStream = text
            .parse()
            .map_err(|error| anyhow!("{error}"))
            .with_context(place)?;
        let file = syn::parse2(stream.clone()).with_context(place)?;
        Ok(Self {
            path: path.to_owned(),
            text,
            stream,
            file,
        })
    }

    /// The modules in files of their own that are there for tests, without `.rs`.
    fn test_files(&self) -> Vec<PathBuf> {
        let is_root = ["lib.rs", "main.rs", "mod.rs"]
            .iter()
            .any(|name| self.path.ends_with(name));
        let folder = if is_root {
            self.path.parent().unwrap_or(&self.path).to_owned()
        } else {
            self.path.with_extension("")
        };
        let below = self.file.items.iter().filter_map(|item| match item {
            Item::Mod(module) if module.content.is_none() => Some(module),
            _ => None,
        });
        below
            .filter(|module| module.attrs.iter().any(is_for_tests))
            .map(|module| folder.join(module.ident.to_string()))
            .collect()
    }

    /// The lines of items that are there for tests.
    fn test_lines(&self) -> Vec<RangeInclusive<usize>> {
        let items = self.file.items.iter();
        items
            .filter(|item| attributes(item).iter().any(is_for_tests))
            .map(|item| item.span().start().line..=item.span().end().line)
            .collect()
    }

    fn size(&self) -> Size {
        let mut size = Size::default();
        let tests = self.test_lines();
        let is_for_tests = |line| tests.iter().any(|lines| lines.contains(&line));
        for (line, number) in self.text.lines().map(str::trim).zip(1..) {
            if line.is_empty() {
                continue;
            }
            if is_for_tests(number) {
                size.tests += 1;
            } else if line.starts_with("//") {
                size.comments += 1;
            } else {
                size.production += 1;
            }
        }
        size.tokens = tokens(self.stream.clone(), &is_for_tests);
        size
    }

    /// Adds what this file declares and names.
    fn count(&self, name: &str, house: &mut House) {
        let tests = self.test_lines();
        let lines = self.text.lines().zip(1..);
        let production =
            lines.filter(|(_, number)| !tests.iter().any(|lines| lines.contains(number)));
        for (line, _) in production {
            let code = line.split("//").next().unwrap_or(line);
            house.functions_of += u64::from(code.contains("fn of("));
            let starts = ["Client::start(", "XboardClient::start("];
            house.starts +=
                u64::from(name != "uci" && starts.iter().any(|call| code.contains(call)));
            // Only those of documents have a number at the end.
            for text in line.split('"').skip(1).step_by(2) {
                let parts: Vec<&str> = text.split('/').collect();
                if let ["touchstone", _, version] = parts[..]
                    && version.parse::<u32>().is_ok()
                {
                    house.schemas.insert(text.to_owned());
                }
            }
        }
        for item in &self.file.items {
            let ident = match item {
                Item::Enum(item) => &item.ident,
                Item::Struct(item) => &item.ident,
                Item::Trait(item) => &item.ident,
                Item::Type(item) => &item.ident,
                Item::Union(item) => &item.ident,
                _ => continue,
            };
            if attributes(item).iter().any(is_for_tests) {
                continue;
            }
            let ident = ident.to_string();
            house.formats += u64::from(matches!(item, Item::Enum(_)) && ident.ends_with("Format"));
            *house.types.entry(ident).or_default() += 1;
        }
    }
}

/// The tokens outside the lines that `is_left_out` names, without documentation: a group counts as two.
fn tokens(stream: TokenStream, is_left_out: &dyn Fn(usize) -> bool) -> u64 {
    let mut count = 0;
    let mut trees = stream.into_iter().peekable();
    while let Some(tree) = trees.next() {
        if is_left_out(tree.span().start().line) {
            continue;
        }
        match tree {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                // Of an inner attribute.
                trees.next_if(
                    |tree| matches!(tree, TokenTree::Punct(punct) if punct.as_char() == '!'),
                );
                let is_doc = |group: &proc_macro2::Group| {
                    let first = group.stream().into_iter().next();
                    matches!(first, Some(TokenTree::Ident(name)) if name == "doc")
                };
                let doc =
                    trees.next_if(|tree| matches!(tree, TokenTree::Group(group) if is_doc(group)));
                // A documentation comment is an attribute `#[doc = "..."]` to the parser.
                count += u64::from(doc.is_none());
            }
            TokenTree::Group(group) => count += 2 + tokens(group.stream(), is_left_out),
            TokenTree::Punct(_) | TokenTree::Ident(_) | TokenTree::Literal(_) => count += 1,
        }
    }
    count
}

/// The words of all pages in a folder.
#[expect(clippy::disallowed_methods, reason = "the pages are read")]
fn words(folder: &Path) -> anyhow::Result<u64> {
    let mut pages = Vec::new();
    collect(folder, "md", &mut pages)?;
    let mut words = 0;
    for page in pages {
        words += std::fs::read_to_string(page)?.split_whitespace().count() as u64;
    }
    Ok(words)
}

/// Adds the files of a folder and those below it that have this ending.
fn collect(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            if !["node_modules", "target"].contains(&file_name(&path).as_str()) {
                collect(&path, ending, found)?;
            }
        } else if path.extension().is_some_and(|it| it == ending) {
            found.push(path);
        }
    }
    Ok(())
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}
