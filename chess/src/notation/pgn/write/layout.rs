//! Words in lines.

/// The longest line, without its end (PGN standard, 8.2.1: less than 80 columns).
pub(super) const COLUMNS: usize = 79;

/// Puts words one after the other, with a blank or an end of line between them. A word that is
/// longer than a line has one to itself.
#[derive(Debug, Default)]
pub(super) struct Layout {
    text: String,
    /// How many columns of the last line are taken.
    column: usize,
    /// The last word, to which more can be joined.
    word: String,
    /// Whether the next text belongs to the last word.
    joins: bool,
}

impl Layout {
    /// A word, or more of the last one where both fit in a line.
    pub(super) fn put(&mut self, text: &str) {
        let joined = columns(&self.word) + columns(text);
        if !self.joins || joined > COLUMNS {
            self.end_word();
        }
        self.joins = false;
        self.word.push_str(text);
    }

    /// No blank comes behind the last word.
    pub(super) fn join(&mut self) {
        self.joins = true;
    }

    /// A word behind the last one, in the same line.
    pub(super) fn put_beside(&mut self, text: &str) {
        self.word.push(' ');
        self.word.push_str(text);
        self.joins = false;
    }

    /// The lines, without an end behind the last.
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
