//! Writes the movetext.

use super::{MoveNotation, PgnGame, WritePgnError};
use crate::notation::pgn::{MAX_VARIATION_DEPTH, PgnLine};
use crate::notation::{san, uci_move};
use crate::rules::{CastlingMode, Color, Move, PieceType, Position};

/// Writes the moves, without the result.
pub(super) fn write(
    game: &PgnGame,
    notation: MoveNotation,
    layout: &mut Layout,
) -> Result<(), WritePgnError> {
    let mut writer = Writer {
        layout,
        notation,
        mode: game.mode,
        last: None,
    };
    writer.line(&game.mainline, game.start, 0)
}

struct Writer<'a> {
    layout: &'a mut Layout,
    notation: MoveNotation,
    mode: CastlingMode,
    /// The last move written, and the position before it.
    last: Option<(Position, Move)>,
}

impl Writer<'_> {
    /// Writes a line at nesting level `depth`.
    fn line(&mut self, line: &PgnLine, start: Position, depth: usize) -> Result<(), WritePgnError> {
        if depth > MAX_VARIATION_DEPTH {
            return Err(WritePgnError::TooDeep);
        }
        for comment in &line.comments {
            self.comment(comment)?;
        }
        let mut position = start;
        // Whether a black move needs a number (PGN standard, 8.2.2.2).
        let mut interrupted = true;
        for one in &line.moves {
            if position.side_to_move() == Color::White || interrupted {
                self.layout.put(&number(&position));
            }
            let next = position.play(one.played).map_err(|error| {
                let place = self.place();
                WritePgnError::Move { place, error }
            })?;
            self.layout.put(&self.text(one.played, &position));
            self.last = Some((position, one.played));
            for nag in &one.nags {
                self.layout.put(&format!("${nag}"));
            }
            for comment in &one.comments {
                self.comment(comment)?;
            }
            for variation in &one.variations {
                self.layout.put("(");
                self.layout.join();
                self.line(variation, position, depth + 1)?;
                self.layout.join();
                self.layout.put(")");
            }
            position = next;
            interrupted = !(one.comments.is_empty() && one.variations.is_empty());
        }
        Ok(())
    }

    fn text(&self, m: Move, position: &Position) -> String {
        match self.notation {
            MoveNotation::San => san::write(m, position),
            MoveNotation::Lan => long_algebraic(m, position),
            MoveNotation::Uci => uci_move::write(m, position, self.mode),
        }
    }

    /// Where the writer is, for errors.
    fn place(&self) -> String {
        self.last.as_ref().map_or_else(
            || "before the first move".to_owned(),
            |(position, m)| format!("behind {} {}", number(position), self.text(*m, position)),
        )
    }

    fn comment(&mut self, text: &str) -> Result<(), WritePgnError> {
        let is_wrong = |c: char| c == '}' || c.is_control() && !is_break(c);
        if let Some(found) = text.chars().find(|&c| is_wrong(c)) {
            let place = self.place();
            return Err(WritePgnError::Comment { place, found });
        }
        if text.contains(is_break) || text.chars().count() + "{}".len() > COLUMNS {
            self.words(text);
        } else {
            self.layout.put(&format!("{{{text}}}"));
        }
        Ok(())
    }

    /// Writes a comment over as many lines as it needs.
    fn words(&mut self, text: &str) {
        let words = text.split(|c| c == ' ' || is_break(c));
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let comment = format!("{{{}}}", words.join(" "));
        for word in comment.split(' ') {
            // Readers skip lines that begin with `%` (PGN standard, 6), and some, this one included,
            // take a line that looks like the start of a game for one even inside a comment.
            if word.starts_with('%') || word.starts_with("[Event") {
                self.layout.put_beside(word);
            } else {
                self.layout.put(word);
            }
        }
    }
}

/// `Ng1-f3`, `e4xd5`, `e7-e8=Q+`; castling as in SAN.
fn long_algebraic(m: Move, position: &Position) -> String {
    let san = san::write(m, position);
    let to = m.to().to_string();
    let Some(end) = san.rfind(&to).filter(|_| !position.is_castling(m)) else {
        return san;
    };
    let piece = position.piece_type_at(m.from());
    let piece = piece.filter(|&piece| piece != PieceType::Pawn);
    let piece = piece.map_or_else(String::new, |piece| piece.to_char().to_string());
    let sign = if position.is_capture(m) { 'x' } else { '-' };
    format!("{piece}{}{sign}{}", m.from(), &san[end..])
}

fn number(position: &Position) -> String {
    let dots = match position.side_to_move() {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{}{dots}", position.fullmove_number())
}

fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\t')
}

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
    fn long_moves_name_both_squares() {
        let position = "r3k2r/1P6/8/3p4/4P3/8/8/RN2K2R w KQkq - 0 1";
        let position = crate::notation::fen::parse(position).expect("legal");
        let rows = [
            ("Nc3", "Nb1-c3"),
            ("exd5", "e4xd5"),
            ("O-O", "O-O"),
            ("b8=Q+", "b7-b8=Q+"),
            ("bxa8=N", "b7xa8=N"),
            ("Kd2", "Ke1-d2"),
        ];
        for (text, expected) in rows {
            let m = san::parse(text, &position).expect(text);
            assert_eq!(long_algebraic(m, &position), expected);
        }
    }

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
