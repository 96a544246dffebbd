//! Texts as JSON for scripts: a string, or a list of strings, `{"name"}` of a variable, and choices
//! `{"by", "among", "other"}` by a variable's number, its plural category, or its text.

use std::collections::BTreeSet;

use fluent_syntax::ast::{
    Entry, Expression, InlineExpression, Pattern, PatternElement, VariantKey,
};
use serde_json::{Map, Value, json};

/// The texts that sources name in quotes, whole or by what stands around what is put in:
/// `t(`mode-${mode}`)`, `format!("nav-{here}")`.
#[derive(Debug, Default)]
pub(crate) struct NamedTexts {
    whole: BTreeSet<String>,
    starts: BTreeSet<String>,
    ends: BTreeSet<String>,
}

impl NamedTexts {
    /// Adds those that a source names.
    pub(crate) fn read(&mut self, source: &str) {
        let is_key = |text: &&str| {
            let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            !text.is_empty() && text.chars().all(is_part)
        };
        let add = |to: &mut BTreeSet<String>, text: &str| {
            to.extend(Some(text).filter(is_key).map(str::to_owned));
        };
        for quoted in source.split(['"', '`']) {
            add(&mut self.whole, quoted);
            if let (Some(open), Some(close)) = (quoted.find('{'), quoted.rfind('}')) {
                add(&mut self.starts, quoted[..open].trim_end_matches('$'));
                add(&mut self.ends, &quoted[close + 1..]);
            }
        }
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        let mut cuts = name.match_indices('-').map(|(at, _)| at);
        self.whole.contains(name)
            || cuts.any(|at| self.starts.contains(&name[..=at]) || self.ends.contains(&name[at..]))
    }
}

/// A message's name and text; none of a comment.
pub(super) fn text<'a>(entry: &Entry<&'a str>) -> Option<(&'a str, Value)> {
    match entry {
        Entry::Message(message) => Some((message.id.name, pattern(message.value.as_ref()?))),
        _ => None,
    }
}

fn pattern(pattern: &Pattern<&str>) -> Value {
    let parts: Vec<Value> = pattern.elements.iter().map(part).collect();
    match parts.as_slice() {
        [Value::String(text)] => json!(text),
        _ => json!(parts),
    }
}

fn part(element: &PatternElement<&str>) -> Value {
    let expression = match element {
        PatternElement::TextElement { value } => return json!(value),
        PatternElement::Placeable { expression } => expression,
    };
    match expression {
        Expression::Inline(inline) => match inline {
            InlineExpression::StringLiteral { value }
            | InlineExpression::NumberLiteral { value } => json!(value),
            _ => json!({ "name": variable(inline) }),
        },
        Expression::Select { selector, variants } => {
            let mut among = Map::new();
            let mut other = "";
            for variant in variants {
                let (VariantKey::Identifier { name: key }
                | VariantKey::NumberLiteral { value: key }) = &variant.key;
                among.insert((*key).to_owned(), pattern(&variant.value));
                if variant.default {
                    other = key;
                }
            }
            json!({ "by": variable(selector), "among": among, "other": other })
        }
    }
}

/// The name of a variable; empty of anything else, which a test keeps out of the files.
fn variable<'a>(inline: &InlineExpression<&'a str>) -> &'a str {
    match inline {
        InlineExpression::VariableReference { id } => id.name,
        _ => "",
    }
}
