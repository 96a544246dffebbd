//! Writing games in PGN's export format.

mod error;
mod layout;
mod movetext;
mod tags;
#[cfg(test)]
mod tests;

pub use error::WritePgnError;

use super::{MAX_GAME_BYTES, PgnGame};
use layout::Layout;

/// Writes a game in the export format of the PGN standard (3.2, 8.1, 8.2), in UTF-8, with a blank
/// line behind it: texts of games need only be put one after the other to make a file.
///
/// - The Seven Tag Roster comes first, in its order; tags of it that the game does not have are
///   written as unknown. The other tags follow in the order of the game.
/// - A game that does not begin with the start position gets the tags `SetUp` and FEN (X-FEN), one of
///   Chess960 the tag Variant, each behind the other tags, unless it has them already.
/// - Moves are written in SAN; the number of a black move is written where a line of moves begins
///   and behind comments and variations. The glyphs of a move come first, then its comments, then
///   its variations.
/// - Lines of moves have at most 79 columns, which count characters. Tags have a line each, of any
///   length.
/// - A comment of up to 77 characters stands whole in one line, exactly as it is. In a longer one,
///   or one with tabs or ends of line, white space says only that words are apart: any run of it is
///   written as one blank or one end of line.
/// - A missing result is that of the tag Result, or else `*`.
///
/// [`super::PgnReader`] reads the same game back, but for what is said above. Its `place` and
/// `fen_faults` are not written.
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
    let result = tags::result(game)?;
    let mut text = String::new();
    for (name, value) in tags::complete(game, result)? {
        text.push_str(&tags::line(&name, &value));
    }
    text.push('\n');
    let mut layout = Layout::default();
    movetext::write(game, &mut layout)?;
    layout.put(&result.to_string());
    text.push_str(&layout.finish());
    text.push_str("\n\n");
    if text.len() > MAX_GAME_BYTES {
        return Err(WritePgnError::TooLong { found: text.len() });
    }
    Ok(text)
}
