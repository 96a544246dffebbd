//! Forms: the values that a person gave, kept beside what is wrong with them. Pure.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

/// The fields of a form, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fields {
    values: BTreeMap<String, String>,
    errors: BTreeMap<String, String>,
}

impl Fields {
    /// The fields as they were sent; white space around values means nothing.
    pub(crate) fn new(sent: impl IntoIterator<Item = (String, String)>) -> Self {
        let sent = sent.into_iter();
        Self {
            values: sent
                .map(|(name, value)| (name, value.trim().to_owned()))
                .collect(),
            errors: BTreeMap::new(),
        }
    }

    /// The value of a field; empty if it was not sent.
    pub(crate) fn value(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }

    /// What is wrong with a field; empty if nothing is.
    pub(crate) fn error(&self, name: &str) -> &str {
        self.errors.get(name).map_or("", String::as_str)
    }

    /// Whether a field has this value.
    pub(crate) fn is(&self, name: &str, value: &str) -> bool {
        self.value(name) == value
    }

    /// Sets a value.
    pub(crate) fn set(&mut self, name: &str, value: impl Display) {
        self.values.insert(name.to_owned(), value.to_string());
    }

    /// Says what is wrong with a field; the first error of a field stays.
    pub(crate) fn fault(&mut self, name: &str, message: impl Into<String>) {
        // A default stands for what cannot be read, and its own faults would hide the reason.
        self.errors.entry(name.to_owned()).or_insert(message.into());
    }

    /// Whether something is wrong.
    pub(crate) fn has_faults(&self) -> bool {
        !self.errors.is_empty()
    }

    /// All that is wrong: fields and messages.
    pub(crate) fn faults(&self) -> impl Iterator<Item = (&String, &String)> {
        self.errors.iter()
    }

    /// The text of a field, if it has one.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let value = self.value(name);
        (!value.is_empty()).then(|| value.to_owned())
    }

    /// The number in a field, if it has one. What is not a number is a fault.
    pub(crate) fn number<T: FromStr>(&mut self, name: &str, expected: &str) -> Option<T> {
        let value = self.text(name)?;
        // Pages print thousands with narrow spaces (`format::grouped`), and people copy numbers from there.
        let number = value.replace([' ', '_', '\u{202f}'], "").parse();
        if number.is_err() {
            self.fault(name, format!("'{value}', expected {expected}"));
        }
        number.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_kept_beside_their_errors() {
        let sent = [("a", " 7 "), ("b", "x")];
        let mut fields = Fields::new(sent.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(fields.number::<u32>("a", "a number"), Some(7));
        assert_eq!(fields.number::<u32>("b", "a number"), None);
        assert_eq!(fields.number::<u32>("c", "a number"), None);
        assert_eq!(fields.error("b"), "'x', expected a number");
        assert_eq!((fields.value("b"), fields.value("c")), ("x", ""));
        assert!(fields.has_faults());
    }
}
