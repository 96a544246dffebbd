//! Which module of a crate uses what is declared in which other, and the drawings of that.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::Visit;

use crate::modules::{MOST_ALIASES, Modules, PathTarget, hands_on, is_for_tests, leaves};

/// For each module the modules that it uses, with the paths by which it names what they declare.
///
/// A module uses another when it names something declared there, wherever the name is handed on by `pub use`. What a module
/// takes from those around it does not count: a folder's `mod.rs` declares what those within share, and uses them.
/// Methods and fields are not seen, since their types are not written where they are used.
#[derive(Debug)]
pub struct Uses(BTreeMap<Vec<String>, BTreeMap<Vec<String>, BTreeSet<String>>>);

/// Who uses whom among the modules that one module has right below it; the names they use stand with each arrow.
pub type Neighbours = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

impl Uses {
    /// What the modules of a crate use of each other.
    #[must_use]
    pub fn from_modules(modules: &Modules) -> Self {
        let mut uses = Self(BTreeMap::new());
        for (path, module) in &modules.0 {
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

    /// Who uses whom among the modules right below `parent`, each with all that is below it; the crate's root has the
    /// empty path.
    #[must_use]
    pub fn below(&self, parent: &[String]) -> Neighbours {
        let child = |path: &[String]| path.strip_prefix(parent)?.first().cloned();
        let mut neighbours = Neighbours::new();
        for (user, used) in &self.0 {
            for (other, names) in used {
                let (Some(from), Some(to)) = (child(user), child(other)) else {
                    continue;
                };
                if from != to {
                    let arrow = neighbours.entry(from).or_default().entry(to).or_default();
                    arrow.extend(
                        names
                            .iter()
                            .map(|name| format!("{}: {name}", user.join("::"))),
                    );
                }
            }
        }
        neighbours
    }

    /// The arrows that lie on a circle, each as a line of text: of two neighbours, on whatever level, each can be reached
    /// from the other.
    #[must_use]
    pub fn circles(&self) -> Vec<String> {
        let mut parents: BTreeSet<Vec<String>> = BTreeSet::new();
        for path in self.0.keys() {
            parents.extend((0..path.len()).map(|length| path[..length].to_vec()));
        }
        let mut circles = Vec::new();
        for parent in parents {
            let neighbours = self.below(&parent);
            for (from, used) in &neighbours {
                for (to, names) in used {
                    if reached(&neighbours, to).contains(from) {
                        let (names, parent) =
                            (names.iter().cloned().collect::<Vec<_>>(), parent.join("::"));
                        circles.push(format!("{parent}: {from} -> {to} ({})", names.join(", ")));
                    }
                }
            }
        }
        circles
    }
}

/// The modules that can be reached from one.
fn reached(neighbours: &Neighbours, from: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![from.to_owned()];
    while let Some(module) = open.pop() {
        for used in neighbours.get(&module).into_iter().flat_map(BTreeMap::keys) {
            if found.insert(used.clone()) {
                open.push(used.clone());
            }
        }
    }
    found
}

/// The arrows between neighbours, without those that follow from others: a drawing in Mermaid's language, a line an arrow.
#[must_use]
pub fn drawing(neighbours: &Neighbours) -> String {
    let mut text = "graph TD\n".to_owned();
    for (from, used) in neighbours {
        for to in used.keys() {
            let mut others = used.keys().filter(|other| *other != to);
            // An arrow that another path implies would only hide the levels.
            if !others.any(|other| reached(neighbours, other).contains(to)) {
                text.extend(["    ", from, " --> ", to, "\n"]);
            }
        }
    }
    text
}

/// The code of one module.
struct Code<'a> {
    modules: &'a Modules,
    module: &'a [String],
    uses: &'a mut Uses,
}

impl Code<'_> {
    fn uses(&mut self, path: &[String]) {
        let Some(PathTarget::Item(module)) = self.modules.resolve(self.module, path, MOST_ALIASES)
        else {
            return;
        };
        if self.module.starts_with(&module) {
            return;
        }
        let used = self.uses.0.entry(self.module.to_vec()).or_default();
        used.entry(module).or_default().insert(path.join("::"));
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
