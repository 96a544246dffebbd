//! Texts as JSON for scripts: a string, or a list of strings, `{"name"}` of a variable, and choices
//! `{"by", "among", "other"}` by a variable's number, its plural category, or its text.

use fluent_syntax::ast::{
    Entry, Expression, InlineExpression, Pattern, PatternElement, VariantKey,
};
use serde_json::{Map, Value, json};

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
