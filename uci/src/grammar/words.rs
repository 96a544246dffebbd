//! Splits a line into words, each with its offset; writes keys with their values.

use std::fmt;

/// Writes a key and its value, with a leading blank, if there is a value.
pub(super) fn write_value(
    f: &mut fmt::Formatter<'_>,
    key: &str,
    value: Option<impl fmt::Display>,
) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {key} {value}"))
}

/// How an empty text is written.
pub(super) const EMPTY: &str = "<empty>";

pub(super) fn write_text(text: &str) -> &str {
    if text.is_empty() { EMPTY } else { text }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    /// The word, without white space.
    pub(super) text: &'a str,
    /// Its start, in bytes from 0.
    pub(super) offset: usize,
}

impl Word<'_> {
    /// Its end, in bytes from 0.
    pub(super) fn end(&self) -> usize {
        self.offset + self.text.len()
    }
}

/// The unread words of a line. Any ASCII white space separates words.
#[derive(Clone, Debug)]
pub(super) struct Words<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Words<'a> {
    /// All words of `line`.
    pub(super) fn new(line: &'a str) -> Self {
        Self { line, at: 0 }
    }

    /// The next word, without consuming it.
    pub(super) fn peek(&self) -> Option<Word<'a>> {
        self.clone().next()
    }

    /// Consumes and returns the unread text, without surrounding white space.
    pub(super) fn rest(&mut self) -> &'a str {
        let rest = &self.line[self.at..];
        self.at = self.line.len();
        rest.trim_ascii()
    }

    /// Consumes and returns the text before the first word for which `stop` is true, without
    /// surrounding white space.
    pub(super) fn until(&mut self, stop: impl Fn(&str) -> bool) -> &'a str {
        let from = self.at;
        while let Some(word) = self.peek() {
            if stop(word.text) {
                break;
            }
            self.at = word.end();
        }
        self.line[from..self.at].trim_ascii()
    }

    /// The earliest possible start of the next word, in bytes from 0.
    pub(super) fn offset(&self) -> usize {
        self.peek().map_or(self.line.len(), |word| word.offset)
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        let unread = &self.line[self.at..];
        let text = unread.trim_ascii_start();
        let offset = self.line.len() - text.len();
        let end = text.find(|c: char| c.is_ascii_whitespace());
        let text = &text[..end.unwrap_or(text.len())];
        self.at = offset + text.len();
        (!text.is_empty()).then_some(Word { text, offset })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_where_they_are() {
        let words: Vec<(&str, usize)> = Words::new(" \tgo  depth\r")
            .map(|word| (word.text, word.offset))
            .collect();
        assert_eq!(words, [("go", 2), ("depth", 6)]);
        assert_eq!(Words::new(" \r\n").next(), None);
    }

    #[test]
    fn text_is_taken_whole() {
        let mut words = Words::new("name Clear  Hash  value  a b ");
        words.next();
        assert_eq!(words.until(|word| word == "value"), "Clear  Hash");
        words.next();
        assert_eq!(words.rest(), "a b");
        assert_eq!(words.next(), None);
    }
}
