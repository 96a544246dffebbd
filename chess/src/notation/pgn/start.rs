//! The starting position of a game, from its tags.

use super::PgnReason;
use crate::notation::fen::{self, FenFault};
use crate::rules::{CastlingMode, CastlingSide, Color, File, Position};

/// The starting position of a game, and its variant.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) position: Position,
    pub(super) mode: CastlingMode,
    pub(super) fen_faults: Vec<FenFault>,
}

/// Reads the FEN, `SetUp` and Variant tags (PGN standard, 9.7; Variant by convention). An error
/// names the tag at fault.
pub(super) fn read(tags: &[(String, String)]) -> Result<Start, (&'static str, PgnReason)> {
    let tag = |name: &str| {
        let mut tags = tags.iter();
        tags.find_map(|(found, value)| (found == name).then_some(value.trim()))
    };
    let named = tag("Variant").map(mode_of_variant).transpose();
    let named = named.map_err(|reason| ("Variant", reason))?;
    let (position, fen_faults, by_files) = match tag("FEN") {
        Some(text) => {
            let read = fen::parse_lenient(text).map_err(|error| ("FEN", error.into()))?;
            (read.position, read.tolerated, names_files(text))
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
    Ok(Start {
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

/// Whether the castling field is Shredder-FEN, or X-FEN with the file of a rook.
fn names_files(fen: &str) -> bool {
    let castling = fen.split_whitespace().nth(2).unwrap_or_default();
    castling.contains(|c| matches!(c, 'A'..='H' | 'a'..='h'))
}

/// Whether all castling rights are those of standard chess.
fn is_standard(position: &Position) -> bool {
    Color::ALL.into_iter().all(|color| {
        let king = position.king(color);
        let mut rooks = (position.castling_rooks() & position.by_color(color)).into_iter();
        rooks.all(|rook| {
            king.file() == File::E && CastlingSide::of(king, rook).standard_rook(color) == rook
        })
    })
}
