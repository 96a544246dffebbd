//! Writing games in PGN's export format.

mod movetext;
#[cfg(test)]
mod tests;

use super::game::tag_value;
use super::reader::read_start;
use super::{
    MAX_GAME_BYTES, MAX_TAGS, MAX_VARIATION_DEPTH, MAX_WORD_BYTES, PgnGame, PgnReason, PgnResult,
};
use crate::notation::fen;
use crate::rules::{CastlingMode, IllegalMoveError, Position};
use movetext::Layout;

/// Writes a game in the export format of the PGN standard (3.2, 8.1, 8.2), in UTF-8, followed by a
/// blank line: games can simply be concatenated.
///
/// - The Seven Tag Roster comes first, in its order; missing roster tags are written as unknown.
///   The other tags follow in the order of the game.
/// - A game that does not begin with the standard starting position gets the `SetUp` and FEN
///   (X-FEN) tags, a Chess960 game the Variant tag, after the other tags, unless already present.
/// - Moves are written in SAN; a black move is numbered at the start of a line of moves and after
///   comments and variations. The glyphs of a move come first, then its comments, then its
///   variations.
/// - Movetext lines have at most 79 columns, counted in characters. Each tag has a line of its own,
///   of any length.
/// - A comment of up to 77 characters is written on one line, verbatim. In a longer comment, or one
///   with tabs or line breaks, each run of white space becomes one space or line break.
/// - A missing result is taken from the Result tag, or else written as `*`.
///
/// Apart from the above, [`super::PgnReader`] reads the same game back. `place` and `fen_faults`
/// are not written.
///
/// ```
/// use chess::notation::pgn::{self, PgnGame, PgnResult};
/// use chess::rules::{CastlingMode, Game, Move, Position, Square};
///
/// let mut game = Game::new(Position::startpos());
/// game.play(Move::new(Square::E2, Square::E4))?;
/// game.play(Move::new(Square::E7, Square::E5))?;
///
/// let mut pgn = PgnGame::from_game(&game, CastlingMode::Standard);
/// pgn.set_tag("White", "One");
/// pgn.set_tag("TimeControl", "10+0.1");
/// pgn.result = Some(PgnResult::Draw);
/// pgn.mainline.moves[0].comments.push("+0.31/12 0.45s".to_owned());
/// assert_eq!(
///     pgn::write(&pgn)?,
///     r#"[Event "?"]
/// [Site "?"]
/// [Date "????.??.??"]
/// [Round "?"]
/// [White "One"]
/// [Black "?"]
/// [Result "1/2-1/2"]
/// [TimeControl "10+0.1"]
///
/// 1. e4 {+0.31/12 0.45s} 1... e5 1/2-1/2
///
/// "#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// What PGN has no form for, or what would be read back as something else; nothing is left out or
/// fixed.
pub fn write(game: &PgnGame) -> Result<String, WritePgnError> {
    write_in(game, MoveNotation::San)
}

/// How moves are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MoveNotation {
    /// Standard algebraic notation, that of PGN: `Nf3`, `exd5`.
    #[default]
    San,
    /// Long algebraic notation: `Ng1-f3`, `e4xd5`.
    Lan,
    /// As in UCI: `g1f3`, `e4d5`.
    Uci,
}

/// Writes a game as [`write()`] does, with moves in another notation, which other programs may not
/// read.
///
/// # Errors
///
/// As for [`write()`].
pub fn write_in(game: &PgnGame, notation: MoveNotation) -> Result<String, WritePgnError> {
    let result = result_of(game)?;
    let mut text = String::new();
    for (name, value) in complete_tags(game, result)? {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text.extend(["[", &name, " \"", &value, "\"]\n"]);
    }
    text.push('\n');
    let mut layout = Layout::default();
    movetext::write(game, notation, &mut layout)?;
    layout.put(&result.to_string());
    text.push_str(&layout.finish());
    text.push_str("\n\n");
    if text.len() > MAX_GAME_BYTES {
        return Err(WritePgnError::TooLong { found: text.len() });
    }
    Ok(text)
}

/// Why a game cannot be written as PGN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what the variants and fields are"
)]
pub enum WritePgnError {
    #[error(
        "'{name}' is not the name of a tag, expected 1 to 255 letters, digits and '_', \
         a letter or digit first"
    )]
    TagName { name: String },
    /// A control character, such as an end of line, in the value of a tag.
    #[error("tag '{name}' has {found:?} in its value, expected no control characters")]
    TagValue { name: String, found: char },
    #[error("tag '{name}' is given twice")]
    RepeatedTag { name: String },
    /// More tags than [`super::PgnReader`] accepts, including those added on writing.
    #[error("the game has {found} tags, expected at most {MAX_TAGS}")]
    TooManyTags { found: usize },
    #[error("tag Result is \"{found}\", expected {expected}")]
    Result { found: String, expected: String },
    /// The FEN tag is not the starting position, or is malformed.
    #[error("tag FEN is \"{found}\", but the game begins with {expected}")]
    Fen { found: String, expected: String },
    #[error("the first position would not be read back: {reason}")]
    Start {
        #[source]
        reason: PgnReason,
    },
    #[error("tag SetUp is \"{found}\", expected \"1\", since the game has a tag FEN")]
    SetUp { found: String },
    /// The game is standard chess but its tags are those of Chess960, or vice versa.
    #[error("the tags are those of {found}, but the game is one of {expected}")]
    Variant {
        /// The variant given by the Variant and FEN tags.
        found: &'static str,
        expected: &'static str,
    },
    #[error("{place}: {error}")]
    Move {
        place: String,
        #[source]
        error: IllegalMoveError,
    },
    /// A character that cannot occur in a comment: `}`, or a control character.
    #[error("{place}: a comment has {found:?}, expected neither '}}' nor control characters")]
    Comment { place: String, found: char },
    #[error("more than {MAX_VARIATION_DEPTH} variations within one another")]
    TooDeep,
    #[error("the game is {found} bytes long, expected at most {MAX_GAME_BYTES}")]
    TooLong {
        /// Its length in bytes.
        found: usize,
    },
}

type Tags = Vec<(String, String)>;

/// The Seven Tag Roster (PGN standard, 8.1.1), with the placeholder for unknown values. The last
/// one is always known.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// The result of a game; an error if its Result tag contradicts it.
fn result_of(game: &PgnGame) -> Result<PgnResult, WritePgnError> {
    let Some(tag) = game.tag("Result") else {
        return Ok(game.result.unwrap_or(PgnResult::Unknown));
    };
    let mut results = PgnResult::ALL.into_iter();
    match results.find(|result| result.to_string() == tag) {
        Some(named) if game.result.is_none_or(|result| result == named) => Ok(named),
        _ => Err(WritePgnError::Result {
            found: tag.to_owned(),
            expected: game.result.map_or_else(
                || "1-0, 0-1, 1/2-1/2 or *".to_owned(),
                |result| result.to_string(),
            ),
        }),
    }
}

/// All tags in the order of the export format.
fn complete_tags(game: &PgnGame, result: PgnResult) -> Result<Tags, WritePgnError> {
    at_most(game.tags.len())?;
    check_tags(&game.tags)?;
    let roster = ROSTER.map(|(name, unknown)| {
        let value = game.tag(name).unwrap_or(unknown);
        (name.to_owned(), value.to_owned())
    });
    let mut tags = Tags::from(roster);
    tags[ROSTER.len() - 1].1 = result.to_string();
    let in_roster = |name: &str| ROSTER.iter().any(|&(one, _)| one == name);
    let others = game.tags.iter().filter(|(name, _)| !in_roster(name));
    tags.extend(others.cloned());
    add_start(game, &mut tags);
    check_start(game, &tags)?;
    at_most(tags.len())?;
    Ok(tags)
}

/// Rejects more tags than the reader accepts.
fn at_most(found: usize) -> Result<(), WritePgnError> {
    if found > MAX_TAGS {
        return Err(WritePgnError::TooManyTags { found });
    }
    Ok(())
}

fn check_tags(tags: &[(String, String)]) -> Result<(), WritePgnError> {
    for (index, (name, value)) in tags.iter().enumerate() {
        let name = name.clone();
        if !is_name(&name) {
            return Err(WritePgnError::TagName { name });
        }
        if tags[..index].iter().any(|(earlier, _)| *earlier == name) {
            return Err(WritePgnError::RepeatedTag { name });
        }
        if let Some(found) = value.chars().find(|c| c.is_control()) {
            return Err(WritePgnError::TagValue { name, found });
        }
    }
    Ok(())
}

fn is_name(name: &str) -> bool {
    name.len() <= MAX_WORD_BYTES
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Adds missing tags that describe the starting position.
fn add_start(game: &PgnGame, tags: &mut Tags) {
    let needs_fen = game.start != Position::startpos()
        || tag_value(tags, "FEN").is_some()
        || tag_value(tags, "SetUp") == Some("1");
    let mut add = |name: &str, text: String| {
        if tag_value(tags, name).is_none() {
            tags.push((name.to_owned(), text));
        }
    };
    if game.mode == CastlingMode::Chess960 {
        add("Variant", "Chess960".to_owned());
    }
    if needs_fen {
        add("SetUp", "1".to_owned());
        add("FEN", fen::write(&game.start));
    }
}

/// Checks that the tags would be read back as the start of this game.
fn check_start(game: &PgnGame, tags: &Tags) -> Result<(), WritePgnError> {
    let read = read_start(tags).map_err(|(_, reason)| WritePgnError::Start { reason })?;
    let setup = tag_value(tags, "SetUp").unwrap_or("1");
    let fen = tag_value(tags, "FEN").unwrap_or_default();
    if !fen.is_empty() && setup != "1" {
        let found = setup.to_owned();
        return Err(WritePgnError::SetUp { found });
    }
    if read.position != game.start || !read.fen_faults.is_empty() {
        return Err(WritePgnError::Fen {
            found: fen.to_owned(),
            expected: fen::write(&game.start),
        });
    }
    if read.mode != game.mode {
        let [found, expected] = [read.mode, game.mode].map(|mode| match mode {
            CastlingMode::Standard => "standard chess",
            CastlingMode::Chess960 => "Chess960",
        });
        return Err(WritePgnError::Variant { found, expected });
    }
    Ok(())
}
