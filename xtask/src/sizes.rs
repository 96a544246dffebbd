//! How large the house is: lines and tokens of each crate, and how often one idea is written down.
//!
//! `xtask/sizes.toml` holds the maxima; a test compares them with the sources, and
//! `cargo run -p touchstone-xtask -- sizes` lowers them to what is there.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{AddAssign, RangeInclusive};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, ensure};
use proc_macro2::{TokenStream, TokenTree};
use serde::{Deserialize, Serialize};
use syn::Item;
use syn::spanned::Spanned as _;

use crate::files::our_files;
use crate::modules::{is_test_item, name_and_attributes};

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
        let name = folder.file_name().expect("a folder has a name");
        let name = name.to_string_lossy();
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
    let columns = ["production", "tokens", "comments", "tests"];
    let names = numbers
        .keys()
        .filter_map(|key| Some(key.split_once('.')?.0));
    let names: BTreeSet<&str> = names.filter(|name| *name != "house").collect();
    let number = |name: &str, column: &str| {
        let number = numbers.get(&format!("{name}.{column}"));
        number.copied().unwrap_or(0)
    };
    let line = |name: &str, cells: [String; 4]| {
        format!(
            "{name:<12}{}\n",
            cells.map(|cell| format!("{cell:>12}")).concat()
        )
    };
    let mut text = line("crate", columns.map(str::to_owned));
    for name in &names {
        text += &line(name, columns.map(|column| number(name, column).to_string()));
    }
    let sum = |column| names.iter().map(|name| number(name, column)).sum::<u64>();
    text += &line("sum", columns.map(|column| sum(column).to_string()));
    for (key, number) in numbers {
        if let Some(what) = key.strip_prefix("house.") {
            text.extend([format!("{what:<24}{number:>12}\n")]);
        }
    }
    text
}

/// The file of maxima.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Maxima {
    /// By crate, or `house`, and by what is counted.
    most: BTreeMap<String, Numbers>,
    /// What has been allowed besides.
    #[serde(default)]
    raised: Vec<Raise>,
}

/// One number that had to grow.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
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

    /// What a number may be without raises; 0 for one that is not listed.
    fn listed(&self, key: &str) -> u64 {
        let (name, what) = key.split_once('.').unwrap_or((key, ""));
        let listed = self.most.get(name).and_then(|numbers| numbers.get(what));
        listed.copied().unwrap_or(0)
    }

    /// What a number may be.
    fn most(&self, key: &str) -> u64 {
        let raises = self.raised.iter().filter(|raise| raise.what == key);
        self.listed(key) + raises.map(|raise| raise.by).sum::<u64>()
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
        let mut lowered = self.clone();
        lowered.most.clear();
        for (key, &number) in numbers {
            let (name, what) = key.split_once('.').unwrap_or((key, ""));
            let most = match what {
                // Comments have no maximum; the file shows how many there are.
                "comments" => number,
                _ => number.min(self.listed(key)),
            };
            let most_of_crate = lowered.most.entry(name.to_owned()).or_default();
            most_of_crate.insert(what.to_owned(), most);
        }
        let number = |what: &String| numbers.get(what).copied().unwrap_or(0);
        lowered
            .raised
            .retain(|raise| number(&raise.what) > self.listed(&raise.what));
        let lowered = toml::to_string(&lowered).expect("texts and numbers");
        format!("{HEAD}\n{lowered}")
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
    let src = folder.join("src");
    let (mut size, mut sources) = (Size::default(), Vec::new());
    for path in our_files(folder, "rs")? {
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
        let tests = self.file.items.iter().filter(|item| is_test_item(item));
        let files = tests.filter_map(|item| match item {
            Item::Mod(module) if module.content.is_none() => Some(module.ident.to_string()),
            _ => None,
        });
        files.map(|name| folder.join(name)).collect()
    }

    /// The lines of items that are there for tests.
    fn test_lines(&self) -> Vec<RangeInclusive<usize>> {
        let items = self.file.items.iter();
        items
            .filter(|item| is_test_item(item))
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
        for item in self.file.items.iter().filter(|item| !is_test_item(item)) {
            let is_enum = matches!(item, Item::Enum(_));
            let is_type = matches!(
                item,
                Item::Struct(_) | Item::Trait(_) | Item::Type(_) | Item::Union(_)
            );
            if let (Some(name), _) = name_and_attributes(item)
                && (is_enum || is_type)
            {
                let name = name.to_string();
                house.formats += u64::from(is_enum && name.ends_with("Format"));
                *house.types.entry(name).or_default() += 1;
            }
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
    let mut words = 0;
    for page in our_files(folder, "md")? {
        words += std::fs::read_to_string(page)?.split_whitespace().count() as u64;
    }
    Ok(words)
}
