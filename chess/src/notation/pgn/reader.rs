//! Reads games one at a time.

use std::io::{self, BufRead};

use super::draft::Draft;
use super::lexer::{Lexer, Located};
use super::{MAX_GAME_BYTES, ParsePgnError, PgnGame, PgnReason, ReadPgnError};

/// Reads the games of a text one at a time. At most [`MAX_GAME_BYTES`] of text are held in memory,
/// however long the input is.
///
/// This is an iterator of games. A faulty game yields its error, and reading continues with the
/// next one; an I/O error ends the iteration.
#[derive(Debug)]
pub struct PgnReader<R> {
    lexer: Lexer<R>,
    /// A token already read that belongs to the next game.
    pending: Option<Located>,
    keep_variations: bool,
    ended: bool,
}

impl<R: BufRead> PgnReader<R> {
    /// Reads `input`, which may be a file or a byte slice. Variations are skipped and their moves
    /// are not checked.
    pub fn new(input: R) -> Self {
        Self {
            lexer: Lexer::new(input),
            pending: None,
            keep_variations: false,
            ended: false,
        }
    }

    /// Keeps variations, whose moves must then be legal too.
    pub fn keep_variations(mut self) -> Self {
        self.keep_variations = true;
        self
    }

    fn read_game(&mut self) -> io::Result<Option<Result<PgnGame, ParsePgnError>>> {
        let mut draft = Draft::new(self.keep_variations);
        let begin = self.lexer.taken();
        loop {
            let next = match self.pending.take() {
                Some(next) => next,
                None => self.lexer.next()?,
            };
            if draft.ends_before(&next) {
                let is_game = draft.has_begun();
                self.pending = Some(next);
                return Ok(is_game.then(|| draft.finish(None)));
            }
            if self.lexer.taken() - begin > MAX_GAME_BYTES as u64 {
                draft.fail(next.place, PgnReason::TooLong);
            }
            if let Some(result) = draft.take(next) {
                return Ok(Some(draft.finish(Some(result))));
            }
        }
    }
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = Result<PgnGame, ReadPgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let read = self.read_game();
        self.ended = matches!(read, Ok(None) | Err(_));
        match read {
            Ok(game) => game.map(|game| game.map_err(ReadPgnError::Game)),
            Err(error) => Some(Err(ReadPgnError::Io(error))),
        }
    }
}
