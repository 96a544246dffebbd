//! Reads games one at a time.

use std::io::{self, BufRead};

use super::game::tag_value;
use super::lexer::{Lexer, Located, PgnToken, glyph_number, without_sign};
use super::{
    MAX_GAME_BYTES, MAX_TAGS, MAX_VARIATION_DEPTH, ParsePgnError, PgnGame, PgnLine, PgnMove,
    PgnReason, PgnResult, Place, ReadPgnError,
};
use crate::notation::fen::FenFault;
use crate::notation::{fen, san};
use crate::rules::{CastlingMode, CastlingSide, Color, File, Position};

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
        let mut draft = GameDraft::new(self.keep_variations);
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
            Ok(game) => game.map(|game| Ok(game?)),
            Err(error) => Some(Err(error.into())),
        }
    }
}

/// The part of a game parsed so far.
#[derive(Debug)]
struct GameDraft {
    place: Option<Place>,
    tags: Vec<(String, String)>,
    /// Location of each tag, for errors found only after all tags are known.
    tag_places: Vec<Place>,
    /// Comments before the first token of the moves.
    comments: Vec<String>,
    /// From the first token of the moves on.
    moves: Option<(GameStart, Movetext)>,
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

impl GameDraft {
    fn new(keep_variations: bool) -> Self {
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
    fn has_begun(&self) -> bool {
        !self.tags.is_empty() || self.in_movetext || self.error.is_some()
    }

    /// Whether a token belongs to the next game: a tag after moves, or a second Event tag, which is
    /// the first tag of a game (PGN standard, 8.1.1). A faulty tag counts only at the start of a
    /// line; elsewhere it is an error in the movetext.
    fn ends_before(&self, next: &Located) -> bool {
        match &next.token {
            Ok(PgnToken::End) => true,
            Ok(PgnToken::Tag { name, .. }) => self.in_movetext || name == "Event" && self.has_event,
            Err(_) => self.in_movetext && next.is_tag && next.begins_line,
            Ok(_) => false,
        }
    }

    /// Takes a token. Returns the result if it ends the game.
    fn take(&mut self, next: Located) -> Option<PgnResult> {
        let place = next.place;
        self.place.get_or_insert(place);
        let comment = matches!(next.token, Ok(PgnToken::Comment(_)));
        self.in_movetext |= !next.is_tag && !comment;
        match next.token {
            Err(reason) => self.fail(place, reason),
            Ok(PgnToken::Result(result)) if self.depth == 0 => return Some(result),
            Ok(PgnToken::Tag { name, value }) => self.take_tag(place, name, value),
            Ok(PgnToken::Comment(text)) if !self.in_movetext => {
                if self.error.is_none() {
                    self.comments.push(text);
                }
            }
            Ok(token) => self.take_of_moves(place, token),
        }
        None
    }

    /// Records the first fault and drops what was kept of the game.
    fn fail(&mut self, place: Place, reason: PgnReason) {
        if self.error.is_none() {
            self.error = Some(ParsePgnError { place, reason });
            self.tags = Vec::new();
            self.tag_places = Vec::new();
            self.comments = Vec::new();
            self.moves = None;
        }
    }

    /// The game, or its first fault.
    fn finish(mut self, result: Option<PgnResult>) -> Result<PgnGame, ParsePgnError> {
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
            // Variations that are still open are dropped.
            mainline: movetext.main.line,
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

    fn take_of_moves(&mut self, place: Place, token: PgnToken) {
        match token {
            PgnToken::Open => {
                if self.depth == 0 {
                    self.opened = place;
                }
                self.depth += 1;
            }
            PgnToken::Close => self.depth = self.depth.saturating_sub(1),
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
        match read_start(&self.tags) {
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

/// The moves of a game being parsed.
#[derive(Debug)]
struct Movetext {
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
    fn new(start: Position, comments: Vec<String>, keep_variations: bool) -> Self {
        Self {
            main: OpenLine::new(start, comments),
            open: Vec::new(),
            skipped: 0,
            keep_variations,
        }
    }

    /// Takes the next token of the moves. Results are left to the caller.
    fn take(&mut self, token: PgnToken) -> Result<(), PgnReason> {
        match token {
            PgnToken::Open => self.open_variation(),
            PgnToken::Close => self.close_variation(),
            _ if self.skipped > 0 => Ok(()),
            PgnToken::Comment(text) => {
                let line = &mut self.current().line;
                match line.moves.last_mut() {
                    Some(last) => last.comments.push(text),
                    None => line.comments.push(text),
                }
                Ok(())
            }
            PgnToken::Nag(nag) => match self.current().line.moves.last_mut() {
                Some(last) => {
                    last.nags.extend(nag);
                    Ok(())
                }
                None => Err(PgnReason::Unexpected {
                    found: "an annotation glyph".to_owned(),
                    expected: "a move before it",
                }),
            },
            PgnToken::Word(text) => self.play(&text),
            PgnToken::Tag { .. } | PgnToken::Result(_) | PgnToken::Filler | PgnToken::End => Ok(()),
        }
    }

    fn current(&mut self) -> &mut OpenLine {
        self.open.last_mut().unwrap_or(&mut self.main)
    }

    fn open_variation(&mut self) -> Result<(), PgnReason> {
        if self.open.len() + self.skipped == MAX_VARIATION_DEPTH {
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

    fn play(&mut self, text: &str) -> Result<(), PgnReason> {
        if matches!(text, "--" | "Z0" | "0000" | "@@@@") {
            return Err(PgnReason::NullMove {
                found: text.to_owned(),
            });
        }
        let current = self.current();
        let position = current.position;
        let (played, text, sign) = match san::parse_lenient(text, &position) {
            Ok(played) => (played, text, None),
            // Only then, since `+` is also a part of moves.
            Err(error) => without_sign(text)
                .find_map(|(text, sign)| {
                    let played = san::parse_lenient(text, &position).ok()?;
                    Some((played, text, Some(sign)))
                })
                .ok_or(error)?,
        };
        current.before = position;
        current.position = position.play_unchecked(played);
        let bare = text.trim_end_matches(['!', '?']);
        let mut one = PgnMove::new(played);
        one.nags.extend(glyph_number(&text[bare.len()..]));
        one.nags.extend(sign);
        current.line.moves.push(one);
        Ok(())
    }
}

/// The starting position of a game, and its variant.
#[derive(Clone, Debug)]
pub(super) struct GameStart {
    pub(super) position: Position,
    pub(super) mode: CastlingMode,
    pub(super) fen_faults: Vec<FenFault>,
}

/// Reads the FEN, `SetUp` and Variant tags (PGN standard, 9.7; Variant by convention). An error
/// names the tag at fault.
pub(super) fn read_start(
    tags: &[(String, String)],
) -> Result<GameStart, (&'static str, PgnReason)> {
    let tag = |name: &str| tag_value(tags, name).map(str::trim);
    let named = tag("Variant").map(mode_of_variant).transpose();
    let named = named.map_err(|reason| ("Variant", reason))?;
    let (position, fen_faults, by_files) = match tag("FEN") {
        Some(text) => {
            let read = fen::parse_lenient(text).map_err(|error| ("FEN", error.into()))?;
            // Shredder-FEN, or X-FEN with the file of a rook.
            let castling = text.split_whitespace().nth(2).unwrap_or_default();
            let by_files = castling.contains(|c| matches!(c, 'A'..='H' | 'a'..='h'));
            (read.position, read.tolerated, by_files)
        }
        None if tag("SetUp") == Some("1") => return Err(("SetUp", PgnReason::SetUpWithoutFen)),
        None => (Position::startpos(), Vec::new(), false),
    };
    let chess960 = named == Some(CastlingMode::Chess960) || by_files || !is_standard(&position);
    let mode = if chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    };
    Ok(GameStart {
        position,
        mode,
        fen_faults,
    })
}

/// The names that programs and sites use for the two supported variants.
fn mode_of_variant(value: &str) -> Result<CastlingMode, PgnReason> {
    let letters = value.chars().filter(char::is_ascii_alphanumeric);
    let name: String = letters.map(|c| c.to_ascii_lowercase()).collect();
    match name.as_str() {
        "" | "standard" | "chess" | "normal" | "fromposition" => Ok(CastlingMode::Standard),
        "chess960" | "fischerandom" | "fischerrandom" | "fischerrandomchess" | "frc" => {
            Ok(CastlingMode::Chess960)
        }
        _ => Err(PgnReason::Variant {
            found: value.to_owned(),
        }),
    }
}

/// Whether all castling rights are those of standard chess.
fn is_standard(position: &Position) -> bool {
    Color::ALL.into_iter().all(|color| {
        let king = position.king(color);
        let mut rooks = (position.castling_rooks() & position.by_color(color)).into_iter();
        rooks.all(|rook| {
            king.file() == File::E && CastlingSide::new(king, rook).standard_rook(color) == rook
        })
    })
}
