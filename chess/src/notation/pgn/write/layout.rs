//! Line wrapping.

/// The maximal line length without the line ending (PGN standard, 8.2.1: less than 80 columns).
pub(super) const COLUMNS: usize = 79;

/// Joins words with spaces or line breaks. A word longer than a line gets a line of its own.
#[derive(Debug, Default)]
pub(super) struct Layout {
    text: String,
    /// Number of columns used in the last line.
    column: usize,
    /// The last word, which can still be extended.
    word: String,
    /// Whether the next text is joined to the last word.
    joins: bool,
}

impl Layout {
    /// Adds a word, or extends the last one if both fit in a line.
    pub(super) fn put(&mut self, text: &str) {
        let joined = columns(&self.word) + columns(text);
        if !self.joins || joined > COLUMNS {
            self.end_word();
        }
        self.joins = false;
        self.word.push_str(text);
    }

    /// Suppresses the space after the last word.
    pub(super) fn join(&mut self) {
        self.joins = true;
    }

    /// Adds a word to the same line as the last one.
    pub(super) fn put_beside(&mut self, text: &str) {
        self.word.push(' ');
        self.word.push_str(text);
        self.joins = false;
    }

    /// The text, without a final line ending.
    pub(super) fn finish(mut self) -> String {
        self.end_word();
        self.text
    }

    fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let columns = columns(&self.word);
        if self.column > 0 && self.column + 1 + columns > COLUMNS {
            self.text.push('\n');
            self.column = 0;
        }
        if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(&self.word);
        self.column += columns;
        self.word.clear();
    }
}

fn columns(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_full_and_no_longer() {
        let mut layout = Layout::default();
        for length in [40, 38, 79, 80, 1, 78] {
            layout.put(&"é".repeat(length));
        }
        for _ in 0..2 {
            layout.join();
            layout.put(")");
        }
        let text = layout.finish();
        let lengths: Vec<usize> = text.lines().map(columns).collect();
        assert_eq!(lengths, [79, 79, 80, 1, 79, 1]);
    }

    #[test]
    fn what_is_joined_stays_together() {
        let mut layout = Layout::default();
        layout.put(&"x".repeat(76));
        layout.put("(");
        layout.join();
        layout.put("y");
        layout.put_beside("%z");
        let text = layout.finish();
        assert_eq!(text.lines().nth(1), Some("(y %z"));
    }
}
