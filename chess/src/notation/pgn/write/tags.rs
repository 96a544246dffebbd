//! Completes the tags of a game.

use super::super::start;
use super::{PgnGame, WritePgnError};
use crate::notation::fen;
use crate::notation::pgn::{MAX_TAGS, MAX_WORD_BYTES, PgnResult};
use crate::rules::{CastlingMode, Position};

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
pub(super) fn result(game: &PgnGame) -> Result<PgnResult, WritePgnError> {
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
pub(super) fn complete(game: &PgnGame, result: PgnResult) -> Result<Tags, WritePgnError> {
    at_most(game.tags.len())?;
    check(&game.tags)?;
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

/// A tag as it is written.
pub(super) fn line(name: &str, value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{name} \"{value}\"]\n")
}

fn check(tags: &[(String, String)]) -> Result<(), WritePgnError> {
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

fn value<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let mut tags = tags.iter();
    tags.find_map(|(found, value)| (found == name).then_some(value.as_str()))
}

/// Adds missing tags that describe the starting position.
fn add_start(game: &PgnGame, tags: &mut Tags) {
    let needs_fen = game.start != Position::startpos()
        || value(tags, "FEN").is_some()
        || value(tags, "SetUp") == Some("1");
    let mut add = |name: &str, text: String| {
        if value(tags, name).is_none() {
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
    let read = start::read(tags).map_err(|(_, reason)| WritePgnError::Start { reason })?;
    let setup = value(tags, "SetUp").unwrap_or("1");
    let fen = value(tags, "FEN").unwrap_or_default();
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
        let (found, expected) = (variant(read.mode), variant(game.mode));
        return Err(WritePgnError::Variant { found, expected });
    }
    Ok(())
}

fn variant(mode: CastlingMode) -> &'static str {
    match mode {
        CastlingMode::Standard => "standard chess",
        CastlingMode::Chess960 => "Chess960",
    }
}
