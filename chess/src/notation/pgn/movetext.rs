//! Builds lines of moves from tokens.

use super::lexer::{Token, glyph_number};
use super::{MAX_VARIATION_DEPTH, PgnLine, PgnMove, PgnReason};
use crate::notation::san;
use crate::rules::Position;

/// The moves of a game being parsed.
#[derive(Debug)]
pub(super) struct Movetext {
    main: OpenLine,
    /// The open variations, each nested in the previous one.
    open: Vec<OpenLine>,
    /// Number of open variations that are skipped.
    skipped: usize,
    keep_variations: bool,
}

#[derive(Debug)]
struct OpenLine {
    line: PgnLine,
    /// The position after the last move.
    position: Position,
    /// The position before the last move, where a variation begins.
    before: Position,
}

impl OpenLine {
    fn new(position: Position, comments: Vec<String>) -> Self {
        let moves = Vec::new();
        Self {
            line: PgnLine { comments, moves },
            position,
            before: position,
        }
    }
}

impl Movetext {
    /// Starts without moves, after `comments`.
    pub(super) fn new(start: Position, comments: Vec<String>, keep_variations: bool) -> Self {
        Self {
            main: OpenLine::new(start, comments),
            open: Vec::new(),
            skipped: 0,
            keep_variations,
        }
    }

    /// Takes the next token of the moves. Results are left to the caller.
    pub(super) fn take(&mut self, token: Token) -> Result<(), PgnReason> {
        match token {
            Token::Open => self.open_variation(),
            Token::Close => self.close_variation(),
            _ if self.skipped > 0 => Ok(()),
            Token::Comment(text) => {
                let line = &mut self.current().line;
                match line.moves.last_mut() {
                    Some(last) => last.comments.push(text),
                    None => line.comments.push(text),
                }
                Ok(())
            }
            Token::Nag(nag) => self.annotate(nag),
            Token::Word(text) => self.play(&text),
            Token::Tag { .. } | Token::Result(_) | Token::Filler | Token::End => Ok(()),
        }
    }

    /// The main line; variations that are still open are dropped.
    pub(super) fn into_mainline(self) -> PgnLine {
        self.main.line
    }

    /// Number of open variations.
    fn depth(&self) -> usize {
        self.open.len() + self.skipped
    }

    fn current(&mut self) -> &mut OpenLine {
        self.open.last_mut().unwrap_or(&mut self.main)
    }

    fn open_variation(&mut self) -> Result<(), PgnReason> {
        if self.depth() == MAX_VARIATION_DEPTH {
            return Err(PgnReason::TooDeep);
        }
        if self.skipped == 0 && self.current().line.moves.is_empty() {
            return Err(PgnReason::VariationBeforeMove);
        }
        if self.keep_variations {
            let start = self.current().before;
            self.open.push(OpenLine::new(start, Vec::new()));
        } else {
            self.skipped += 1;
        }
        Ok(())
    }

    fn close_variation(&mut self) -> Result<(), PgnReason> {
        if self.skipped > 0 {
            self.skipped -= 1;
            return Ok(());
        }
        let Some(closed) = self.open.pop() else {
            return Err(PgnReason::Unexpected {
                found: "')'".to_owned(),
                expected: "a move, since no variation is open",
            });
        };
        // There is such a move: variations are only opened after one.
        if let Some(varied) = self.current().line.moves.last_mut() {
            varied.variations.push(closed.line);
        }
        Ok(())
    }

    fn annotate(&mut self, nag: Option<u8>) -> Result<(), PgnReason> {
        let Some(last) = self.current().line.moves.last_mut() else {
            return Err(PgnReason::Unexpected {
                found: "an annotation glyph".to_owned(),
                expected: "a move before it",
            });
        };
        last.nags.extend(nag);
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<(), PgnReason> {
        if matches!(text, "--" | "Z0" | "0000" | "@@@@") {
            return Err(PgnReason::NullMove {
                found: text.to_owned(),
            });
        }
        let current = self.current();
        let played = san::parse_lenient(text, &current.position)?;
        current.before = current.position;
        current.position = current.before.play_unchecked(played);
        let bare = text.trim_end_matches(['!', '?']);
        let mut one = PgnMove::new(played);
        one.nags.extend(glyph_number(&text[bare.len()..]));
        current.line.moves.push(one);
        Ok(())
    }
}
