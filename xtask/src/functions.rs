//! Private functions with one caller.
//!
//! A reader jumps to such a function and back. It earns its place by a name that is a concept of the
//! field; a crate in which every third function is one has been cut too small.

use std::collections::BTreeMap;

use syn::visit::Visit;
use syn::{ImplItemFn, ItemFn, ItemImpl, Visibility};

use crate::modules::{Modules, is_for_tests};

/// The functions of a crate that it does not publish, without those of traits and tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Functions {
    /// Number of functions without `pub`, or with it for a part of the crate only.
    pub count: usize,
    /// Those named in exactly one other place of the crate, with their modules.
    pub with_one_caller: Vec<String>,
}

impl Functions {
    /// Counts the functions of a crate, given its library and its programs. Names are compared, not resolved: of two
    /// functions with the same name, neither has one caller.
    #[must_use]
    pub fn from_modules(targets: &[Modules]) -> Self {
        let mut names = UsedNames::default();
        for modules in targets {
            for (path, module) in &modules.0 {
                names.module = path.join("::");
                for item in &module.items {
                    names.visit_item(item);
                }
            }
        }
        let private = &names.private;
        let has_one_caller =
            // The definition and one use.
            |name: &String| names.occurrences[name] == 2 && names.definitions[name] == 1;
        let with_one_caller = private
            .iter()
            .filter(|(_, name)| has_one_caller(name))
            .map(|(module, name)| format!("{module}::{name}"));
        Self {
            count: private.len(),
            with_one_caller: with_one_caller.collect(),
        }
    }

    /// The share of functions with one caller, 0 without functions.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of functions are small")]
    pub fn share(&self) -> f64 {
        self.with_one_caller.len() as f64 / self.count.max(1) as f64
    }
}

/// The names in the code of a crate.
#[derive(Default)]
struct UsedNames {
    /// The module being read.
    module: String,
    /// Private functions, each with its module.
    private: Vec<(String, String)>,
    definitions: BTreeMap<String, usize>,
    /// How often each identifier occurs, its definition included.
    occurrences: BTreeMap<String, usize>,
}

impl UsedNames {
    fn define(&mut self, visibility: &Visibility, name: &syn::Ident) {
        let name = name.to_string();
        *self.definitions.entry(name.clone()).or_default() += 1;
        if !matches!(visibility, Visibility::Public(_)) && name != "main" {
            self.private.push((self.module.clone(), name));
        }
    }
}

impl<'a> Visit<'a> for UsedNames {
    fn visit_ident(&mut self, name: &'a syn::Ident) {
        *self.occurrences.entry(name.to_string()).or_default() += 1;
    }

    fn visit_item_fn(&mut self, function: &'a ItemFn) {
        self.define(&function.vis, &function.sig.ident);
        syn::visit::visit_item_fn(self, function);
    }

    fn visit_item_impl(&mut self, item: &'a ItemImpl) {
        for function in &item.items {
            if let syn::ImplItem::Fn(ImplItemFn {
                vis, sig, attrs, ..
            }) = function
                && item.trait_.is_none()
                && !attrs.iter().any(is_for_tests)
            {
                self.define(vis, &sig.ident);
            }
        }
        syn::visit::visit_item_impl(self, item);
    }

    fn visit_impl_item_fn(&mut self, function: &'a ImplItemFn) {
        if !function.attrs.iter().any(is_for_tests) {
            syn::visit::visit_impl_item_fn(self, function);
        }
    }

    /// The content of a macro call is tokens; what is quoted in it is text.
    fn visit_macro(&mut self, call: &'a syn::Macro) {
        syn::visit::visit_macro(self, call);
        let tokens = call.tokens.to_string();
        // Every other part is outside of quotes.
        for code in tokens.split('"').step_by(2) {
            let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
            for name in code.split(|letter| !is_part(letter)) {
                *self.occurrences.entry(name.to_owned()).or_default() += 1;
            }
        }
    }

    fn visit_attribute(&mut self, _: &'a syn::Attribute) {}
}
