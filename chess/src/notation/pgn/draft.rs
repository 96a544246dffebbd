//! A game being parsed.

use super::lexer::{Located, Token};
use super::movetext::Movetext;
use super::start::{self, Start};
use super::{MAX_TAGS, ParsePgnError, PgnGame, PgnReason, PgnResult, Place};

/// The part of a game parsed so far.
#[derive(Debug)]
pub(super) struct Draft {
    place: Option<Place>,
    tags: Vec<(String, String)>,
    /// Location of each tag, for errors found only after all tags are known.
    tag_places: Vec<Place>,
    /// Comments before the first token of the moves.
    comments: Vec<String>,
    /// From the first token of the moves on.
    moves: Option<(Start, Movetext)>,
    keep_variations: bool,
    /// Once set, nothing more is kept; tokens are skipped until the end of the game.
    error: Option<ParsePgnError>,
    has_event: bool,
    in_movetext: bool,
    /// Number of open variations, counted in faulty games too.
    depth: usize,
    /// Where the outermost open variation begins.
    opened: Place,
}

impl Draft {
    pub(super) fn new(keep_variations: bool) -> Self {
        Self {
            place: None,
            tags: Vec::new(),
            tag_places: Vec::new(),
            comments: Vec::new(),
            moves: None,
            keep_variations,
            error: None,
            has_event: false,
            in_movetext: false,
            depth: 0,
            opened: Place { line: 1, column: 1 },
        }
    }

    /// Whether anything other than comments was read.
    pub(super) fn has_begun(&self) -> bool {
        !self.tags.is_empty() || self.in_movetext || self.error.is_some()
    }

    /// Whether a token belongs to the next game: a tag after moves, or a second Event tag, which is
    /// the first tag of a game (PGN standard, 8.1.1). A faulty tag counts only at the start of a
    /// line; elsewhere it is an error in the movetext.
    pub(super) fn ends_before(&self, next: &Located) -> bool {
        match &next.token {
            Ok(Token::End) => true,
            Ok(Token::Tag { name, .. }) => self.in_movetext || name == "Event" && self.has_event,
            Err(_) => self.in_movetext && next.is_tag && next.begins_line,
            Ok(_) => false,
        }
    }

    /// Takes a token. Returns the result if it ends the game.
    pub(super) fn take(&mut self, next: Located) -> Option<PgnResult> {
        let place = next.place;
        self.place.get_or_insert(place);
        let comment = matches!(next.token, Ok(Token::Comment(_)));
        self.in_movetext |= !next.is_tag && !comment;
        match next.token {
            Err(reason) => self.fail(place, reason),
            Ok(Token::Result(result)) if self.depth == 0 => return Some(result),
            Ok(Token::Tag { name, value }) => self.take_tag(place, name, value),
            Ok(Token::Comment(text)) if !self.in_movetext => {
                if self.error.is_none() {
                    self.comments.push(text);
                }
            }
            Ok(token) => self.take_of_moves(place, token),
        }
        None
    }

    /// Records the first fault and drops what was kept of the game.
    pub(super) fn fail(&mut self, place: Place, reason: PgnReason) {
        if self.error.is_none() {
            self.error = Some(ParsePgnError { place, reason });
            self.tags = Vec::new();
            self.tag_places = Vec::new();
            self.comments = Vec::new();
            self.moves = None;
        }
    }

    /// The game, or its first fault.
    pub(super) fn finish(mut self, result: Option<PgnResult>) -> Result<PgnGame, ParsePgnError> {
        if self.depth > 0 {
            self.fail(self.opened, PgnReason::UnclosedVariation);
        }
        self.begin_moves();
        if let Some(error) = self.error {
            return Err(error);
        }
        let (start, movetext) = self.moves.expect("begun, since there is no error");
        Ok(PgnGame {
            place: self.place.expect("a game has a first token"),
            tags: self.tags,
            start: start.position,
            mode: start.mode,
            fen_faults: start.fen_faults,
            mainline: movetext.into_mainline(),
            result,
        })
    }

    fn take_tag(&mut self, place: Place, name: String, value: String) {
        self.has_event |= name == "Event";
        if self.error.is_some() {
            return;
        }
        if self.tags.is_empty() {
            // Comments before the tags do not belong to any game.
            self.comments.clear();
            self.place = Some(place);
        }
        if self.tags.len() == MAX_TAGS {
            self.fail(place, PgnReason::TooManyTags);
        } else if self.tags.iter().any(|(known, _)| *known == name) {
            self.fail(place, PgnReason::RepeatedTag { name });
        } else {
            self.tags.push((name, value));
            self.tag_places.push(place);
        }
    }

    fn take_of_moves(&mut self, place: Place, token: Token) {
        match token {
            Token::Open => {
                if self.depth == 0 {
                    self.opened = place;
                }
                self.depth += 1;
            }
            Token::Close => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.begin_moves();
        let taken = match &mut self.moves {
            Some((_, movetext)) => movetext.take(token),
            None => Ok(()),
        };
        if let Err(reason) = taken {
            self.fail(place, reason);
        }
    }

    /// Sets up the starting position, unless the game is faulty or its moves have begun.
    fn begin_moves(&mut self) {
        if self.error.is_some() || self.moves.is_some() {
            return;
        }
        match start::read(&self.tags) {
            Ok(start) => {
                let comments = std::mem::take(&mut self.comments);
                let movetext = Movetext::new(start.position, comments, self.keep_variations);
                self.moves = Some((start, movetext));
            }
            Err((name, reason)) => {
                let mut places = self.tags.iter().zip(&self.tag_places);
                let place = places.find(|((known, _), _)| known == name);
                let place = place.map_or(self.opened, |(_, &place)| place);
                self.fail(place, reason);
            }
        }
    }
}
