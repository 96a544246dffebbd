//! Which file of a crate uses what is declared in which other.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use syn::visit::Visit;

use crate::modules::{Modules, Target, hands_on, is_for_tests, leaves};

/// For each file the files that it uses, with the paths by which it names them.
///
/// A file uses another when it names something declared there, wherever the name is handed on by `pub use`. What a module
/// takes from the one around it does not count: a folder's `mod.rs` declares what those within share, and uses them.
/// Methods and fields are not seen, since their types are not written where they are used.
#[derive(Debug)]
pub struct Uses(BTreeMap<PathBuf, BTreeMap<PathBuf, BTreeSet<String>>>);

/// Files that use each other, directly or by way of others.
#[derive(Debug)]
pub struct Circle(Vec<(PathBuf, PathBuf, BTreeSet<String>)>);

impl Uses {
    /// What the files of a crate use of each other.
    #[must_use]
    pub fn of(modules: &Modules) -> Self {
        let mut uses = Self(BTreeMap::new());
        for (path, module) in &modules.0 {
            uses.0.entry(module.file.clone()).or_default();
            let mut code = Code {
                modules,
                module: path,
                uses: &mut uses,
            };
            for item in &module.items {
                code.visit_item(item);
            }
        }
        uses
    }

    /// Every file with those it uses.
    pub fn iter(&self) -> impl Iterator<Item = (&Path, impl Iterator<Item = &Path>)> {
        let files = self.0.iter();
        files.map(|(file, used)| (file.as_path(), used.keys().map(PathBuf::as_path)))
    }

    /// The files that can be reached from one.
    fn reached_from(&self, file: &Path) -> BTreeSet<&Path> {
        let mut reached = BTreeSet::new();
        let mut open = vec![file];
        while let Some(file) = open.pop() {
            for used in self.0.get(file).into_iter().flat_map(BTreeMap::keys) {
                if reached.insert(used.as_path()) {
                    open.push(used);
                }
            }
        }
        reached
    }

    /// All circles: of files that each can be reached from each other of them.
    #[must_use]
    pub fn circles(&self) -> Vec<Circle> {
        let reached: BTreeMap<&Path, BTreeSet<&Path>> = self
            .0
            .keys()
            .map(|file| (file.as_path(), self.reached_from(file)))
            .collect();
        let mut circles = BTreeSet::new();
        for (file, others) in &reached {
            let circle: BTreeSet<&Path> = others
                .iter()
                .copied()
                .filter(|other| reached[other].contains(file))
                .collect();
            if !circle.is_empty() {
                circles.insert(circle);
            }
        }
        circles
            .into_iter()
            .map(|circle| self.arrows_of(&circle))
            .collect()
    }

    fn arrows_of(&self, circle: &BTreeSet<&Path>) -> Circle {
        let mut arrows = Vec::new();
        for (file, used) in self.0.iter().filter(|(file, _)| circle.contains(&***file)) {
            for (other, names) in used.iter().filter(|(other, _)| circle.contains(&***other)) {
                arrows.push((file.clone(), other.clone(), names.clone()));
            }
        }
        Circle(arrows)
    }
}

impl fmt::Display for Circle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (file, used, names) in &self.0 {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let names = names.join(", ");
            writeln!(f, "{} -> {}: {names}", file.display(), used.display())?;
        }
        Ok(())
    }
}

/// The code of one module.
struct Code<'a> {
    modules: &'a Modules,
    module: &'a [String],
    uses: &'a mut Uses,
}

impl Code<'_> {
    fn uses(&mut self, path: &[String]) {
        let Some(Target::Item(module)) = self.modules.resolve(self.module, path) else {
            return;
        };
        if self.module.starts_with(&module) {
            return;
        }
        let here = &self.modules.0[self.module].file;
        let there = &self.modules.0[&module].file;
        if here != there {
            let used = self.uses.0.entry(here.clone()).or_default();
            let names = used.entry(there.clone()).or_default();
            names.insert(path.join("::"));
        }
    }
}

impl<'a> Visit<'a> for Code<'_> {
    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        if hands_on(&item.vis) {
            return;
        }
        for (_, path) in leaves(&item.tree) {
            self.uses(&path);
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let names: Vec<String> = path
            .segments
            .iter()
            .map(|part| part.ident.to_string())
            .collect();
        self.uses(&names);
        syn::visit::visit_path(self, path);
    }

    /// What is written within a macro is no syntax yet: paths of two names or more are looked for.
    fn visit_macro(&mut self, call: &'a syn::Macro) {
        syn::visit::visit_macro(self, call);
        let tokens = call.tokens.to_string();
        let is_part = |letter: char| letter.is_alphanumeric() || "_: ".contains(letter);
        for text in tokens.split(|letter| !is_part(letter)) {
            let joined = text.replace(" :: ", "::");
            for path in joined.split_whitespace().filter(|word| word.contains("::")) {
                let names: Vec<String> = path.split("::").map(str::to_owned).collect();
                self.uses(&names);
            }
        }
    }

    fn visit_attribute(&mut self, _: &'a syn::Attribute) {}

    fn visit_impl_item_fn(&mut self, function: &'a syn::ImplItemFn) {
        if !function.attrs.iter().any(is_for_tests) {
            syn::visit::visit_impl_item_fn(self, function);
        }
    }
}
