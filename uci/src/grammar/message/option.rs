//! The `option` message.

use std::fmt;

use crate::grammar::words::{EMPTY, Words, write_text, write_value};

/// A declared option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption {
    /// The option's name, which may contain blanks.
    pub name: String,
    /// Its type, with its range and default.
    pub kind: OptionKind,
}

/// The type of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the fields say what they are")]
pub enum OptionKind {
    /// On or off.
    Check { default: Option<bool> },
    /// A whole number: engines declare bounds up to 2^64 - 1.
    Spin {
        default: Option<i128>,
        min: Option<i128>,
        max: Option<i128>,
    },
    /// One of several texts.
    Combo {
        default: Option<String>,
        /// The texts to choose from.
        vars: Vec<String>,
    },
    /// A button, which has no value.
    Button,
    /// Any text.
    String { default: Option<String> },
}

impl EngineOption {
    /// Parses the arguments of `option`; `None` if name or type is missing.
    pub(super) fn read(words: &mut Words<'_>) -> Option<Self> {
        words.next().filter(|word| word.text == "name")?;
        let name = words.until(|word| word == "type");
        if name.is_empty() {
            return None;
        }
        words.next()?;
        let kind = match words.next()?.text {
            "check" => OptionKind::Check {
                // Some engines write `True`.
                default: OptionFields::read(words)
                    .default
                    .and_then(|text| text.to_ascii_lowercase().parse().ok()),
            },
            "spin" => {
                let fields = OptionFields::read(words);
                let number = |text: Option<&str>| text?.parse().ok();
                OptionKind::Spin {
                    default: number(fields.default),
                    min: number(fields.min),
                    max: number(fields.max),
                }
            }
            "combo" => {
                let fields = OptionFields::read(words);
                OptionKind::Combo {
                    default: fields.default.map(read_text),
                    vars: fields.vars.into_iter().map(read_text).collect(),
                }
            }
            "button" => OptionKind::Button,
            "string" => OptionKind::String {
                // It may contain any word, so it extends to the end of the line.
                default: words
                    .next()
                    .filter(|word| word.text == "default")
                    .map(|_| read_text(words.rest())),
            },
            _ => return None,
        };
        Some(Self {
            name: name.to_owned(),
            kind,
        })
    }
}

/// The fields after the type, by key.
#[derive(Default)]
struct OptionFields<'a> {
    default: Option<&'a str>,
    min: Option<&'a str>,
    max: Option<&'a str>,
    vars: Vec<&'a str>,
}

impl<'a> OptionFields<'a> {
    fn read(words: &mut Words<'a>) -> Self {
        let is_key = |word: &str| matches!(word, "default" | "min" | "max" | "var");
        let mut fields = Self::default();
        while let Some(key) = words.next() {
            let value = words.until(is_key);
            match key.text {
                "default" => fields.default = Some(value),
                "min" => fields.min = Some(value),
                "max" => fields.max = Some(value),
                "var" => fields.vars.push(value),
                _ => {}
            }
        }
        fields
    }
}

fn read_text(text: &str) -> String {
    if text == EMPTY { "" } else { text }.to_owned()
}

impl fmt::Display for EngineOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => {
                f.write_str("check")?;
                write_value(f, "default", *default)
            }
            OptionKind::Spin { default, min, max } => {
                f.write_str("spin")?;
                write_value(f, "default", *default)?;
                write_value(f, "min", *min)?;
                write_value(f, "max", *max)
            }
            OptionKind::Combo { default, vars } => {
                f.write_str("combo")?;
                write_value(f, "default", default.as_deref().map(write_text))?;
                vars.iter()
                    .try_for_each(|var| write_value(f, "var", Some(write_text(var))))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::String { default } => {
                f.write_str("string")?;
                write_value(f, "default", default.as_deref().map(write_text))
            }
        }
    }
}
