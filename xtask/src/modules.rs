//! The modules of a crate as its sources declare them, and what the names in them mean.

use std::collections::BTreeMap;
use std::path::Path;

use syn::{Attribute, Ident, Item, UseTree, Visibility};

/// A chain of aliases that is longer runs in a circle.
pub(crate) const MOST_ALIASES: usize = 32;

/// A module of a crate, in a file of its own or within its parent's. Code behind `#[cfg(test)]` is left out.
#[derive(Debug)]
pub struct Module {
    /// What it declares, and what it imports.
    names: BTreeMap<String, NameMeaning>,
    /// Modules whose every name it imports.
    globs: Vec<Vec<String>>,
    /// Its code, without the modules within it.
    pub(crate) items: Vec<Item>,
}

/// What a name stands for.
#[derive(Clone, Debug)]
enum NameMeaning {
    /// Something declared in the module itself.
    Item,
    /// A module below it.
    Module,
    /// What a path from the module leads to.
    Alias(Vec<String>),
}

/// All modules of a crate, by their paths; the root has the empty path.
#[derive(Debug)]
pub struct Modules(pub(crate) BTreeMap<Vec<String>, Module>);

/// What a path leads to.
pub(crate) enum PathTarget {
    /// A module, by its path.
    Module(Vec<String>),
    /// Something declared in a module.
    Item(Vec<String>),
}

impl Modules {
    /// Reads a crate from its root, `lib.rs` or `main.rs`.
    ///
    /// # Panics
    ///
    /// When a source is missing or does not parse: the crate would not compile.
    #[must_use]
    pub fn read(root: &Path) -> Self {
        let mut modules = Self(BTreeMap::new());
        let folder = root.parent().expect("a file lies in a folder");
        modules.read_file(Vec::new(), root, folder);
        modules
    }

    #[expect(clippy::disallowed_methods, reason = "the sources are read")]
    fn read_file(&mut self, path: Vec<String>, file: &Path, folder: &Path) {
        let text = std::fs::read_to_string(file)
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let source =
            syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.add(path, file, folder, source.items);
    }

    /// Adds a module with all below it; the files of those lie in `folder`.
    fn add(&mut self, path: Vec<String>, file: &Path, folder: &Path, items: Vec<Item>) {
        let mut module = Module {
            names: BTreeMap::new(),
            globs: Vec::new(),
            items: Vec::new(),
        };
        for item in items {
            if is_test_item(&item) {
                continue;
            }
            let Item::Mod(below) = item else {
                module.declare(&item);
                module.items.push(item);
                continue;
            };
            let name = below.ident.to_string();
            module.names.insert(name.clone(), NameMeaning::Module);
            let path = [&path[..], std::slice::from_ref(&name)].concat();
            let folder_below = folder.join(&name);
            if let Some((_, items)) = below.content {
                self.add(path, file, &folder_below, items);
                continue;
            }
            if let Some(named) = below.attrs.iter().find_map(path_attribute) {
                let file_below = file.with_file_name(named);
                let folder_below = file_below.parent().expect("a file lies in a folder");
                self.read_file(path, &file_below, folder_below);
                continue;
            }
            // The two places where rustc looks (Rust Reference, "Module Source Filenames").
            let candidates = [
                folder.join(format!("{name}.rs")),
                folder_below.join("mod.rs"),
            ];
            let file_below = candidates.iter().find(|file| file.exists());
            let file_below =
                file_below.unwrap_or_else(|| panic!("{}: no file of mod {name}", file.display()));
            self.read_file(path, file_below, &folder_below);
        }
        self.0.insert(path, module);
    }

    /// What a path that is written in a module leads to, by at most `depth` aliases, if it stays
    /// within the crate.
    pub(crate) fn resolve(
        &self,
        module: &[String],
        path: &[String],
        depth: usize,
    ) -> Option<PathTarget> {
        let depth = depth.checked_sub(1)?;
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => return self.descend(Vec::new(), rest, depth),
            "self" => return self.descend(module.to_vec(), rest, depth),
            "super" => return self.descend(module.split_last()?.1.to_vec(), rest, depth),
            _ => {}
        }
        self.descend(module.to_vec(), path, depth)
    }

    /// Follows a path down from a module.
    fn descend(&self, module: Vec<String>, path: &[String], depth: usize) -> Option<PathTarget> {
        let Some((name, rest)) = path.split_first() else {
            return Some(PathTarget::Module(module));
        };
        if name == "super" {
            let parent = module.split_last()?.1.to_vec();
            return self.descend(parent, rest, depth);
        }
        let here = self.0.get(&module)?;
        match here.names.get(name) {
            Some(NameMeaning::Module) => {
                let below = [&module[..], std::slice::from_ref(name)].concat();
                self.descend(below, rest, depth)
            }
            // A variant or an associated function is its type's.
            Some(NameMeaning::Item) => Some(PathTarget::Item(module)),
            Some(NameMeaning::Alias(alias)) => match self.resolve(&module, alias, depth)? {
                PathTarget::Module(target) => self.descend(target, rest, depth),
                item @ PathTarget::Item(_) => Some(item),
            },
            None => here.globs.iter().find_map(|glob| {
                let PathTarget::Module(target) = self.resolve(&module, glob, depth)? else {
                    return None;
                };
                // Names of another module, found in this one by its own glob, would run in a circle.
                (target != module).then(|| self.descend(target, path, depth.checked_sub(1)?))?
            }),
        }
    }
}

impl Module {
    fn declare(&mut self, item: &Item) {
        if let (Some(name), _) = name_and_attributes(item) {
            self.names.insert(name.to_string(), NameMeaning::Item);
        }
        let Item::Use(item) = item else {
            return;
        };
        for (name, path) in leaves(&item.tree) {
            match name {
                Some(name) => {
                    let alias = self.names.entry(name);
                    // `pub(crate) use check;` gives a macro of this module its path.
                    alias.or_insert(NameMeaning::Alias(path));
                }
                None => self.globs.push(path),
            }
        }
    }
}

/// The names that an import brings, each with its path; a glob brings the names of its path.
pub(crate) fn leaves(tree: &UseTree) -> Vec<(Option<String>, Vec<String>)> {
    match tree {
        UseTree::Path(path) => {
            let first = path.ident.to_string();
            let rest = leaves(&path.tree).into_iter();
            rest.map(|(name, mut rest)| {
                let name = match rest.last() {
                    // `use a::{self}` brings `a`.
                    Some(last) if rest.len() == 1 && last == "self" => {
                        rest.clear();
                        name.map(|name| if name == "self" { first.clone() } else { name })
                    }
                    _ => name,
                };
                rest.insert(0, first.clone());
                (name, rest)
            })
            .collect()
        }
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            vec![(Some(name.clone()), vec![name])]
        }
        UseTree::Rename(rename) => {
            vec![(
                Some(rename.rename.to_string()),
                vec![rename.ident.to_string()],
            )]
        }
        UseTree::Glob(_) => vec![(None, Vec::new())],
        UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
    }
}

/// Whether an import is there for other modules: it hands a name on and uses nothing.
pub(crate) fn hands_on(visibility: &Visibility) -> bool {
    !matches!(visibility, Visibility::Inherited)
}

/// What an item declares, and its attributes.
pub(crate) fn name_and_attributes(item: &Item) -> (Option<&Ident>, &[Attribute]) {
    macro_rules! named {
        ($($kind:ident)+) => {
            match item {
                $(Item::$kind(item) => (Some(&item.ident), &item.attrs),)+
                Item::Fn(item) => (Some(&item.sig.ident), &item.attrs),
                Item::Impl(item) => (None, &item.attrs),
                Item::Macro(item) => (item.ident.as_ref(), &item.attrs),
                Item::Use(item) => (None, &item.attrs),
                _ => (None, &[]),
            }
        };
    }
    named!(Const Enum Mod Static Struct Trait Type Union)
}

/// Whether an item is there for tests only.
pub(crate) fn is_test_item(item: &Item) -> bool {
    name_and_attributes(item).1.iter().any(is_for_tests)
}

/// The file that `#[path = "..."]` names.
fn path_attribute(attribute: &Attribute) -> Option<String> {
    let named = attribute.meta.require_name_value().ok()?;
    let syn::Expr::Lit(literal) = &named.value else {
        return None;
    };
    match &literal.lit {
        syn::Lit::Str(text) if named.path.is_ident("path") => Some(text.value()),
        _ => None,
    }
}

/// Whether an attribute is `#[cfg(test)]`.
pub(crate) fn is_for_tests(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && attribute
            .parse_args::<syn::Path>()
            .is_ok_and(|condition| condition.is_ident("test"))
}
