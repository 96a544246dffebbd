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
