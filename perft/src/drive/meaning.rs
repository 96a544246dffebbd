//! What a move that an engine has written means in a position.

use engine::notation::{san, uci_move::UciMove};
use engine::rules::{CastlingMode, Move, PieceType, Position, Square};

use crate::subject::Meaning;

/// Reads a move in coordinates or SAN, in any of the usual spellings. Castling may be written in
/// both ways; where they say different moves, `mode` decides.
pub(crate) fn meaning(text: &str, position: &Position, mode: CastlingMode) -> Meaning {
    if let Some(m) = coordinates(text) {
        return match legal(m, text, position, mode) {
            Some(legal) => Meaning::Legal(legal),
            None => Meaning::Illegal(m),
        };
    }
    san::parse_lenient(text, position).map_or(Meaning::Unreadable, Meaning::Legal)
}

/// The legal move that is written so. A letter that is no piece, or where nothing is promoted, is
/// a mark of the engine's own, such as the `e` of `e5d6e`.
fn legal(m: Move, text: &str, position: &Position, mode: CastlingMode) -> Option<Move> {
    let other = match mode {
        CastlingMode::Standard => CastlingMode::Chess960,
        CastlingMode::Chess960 => CastlingMode::Standard,
    };
    let plain = UciMove {
        from: m.from(),
        to: m.to(),
        promotion: m.promotion(),
    };
    if position.is_legal(m) && !position.is_castling(m) {
        return Some(m);
    }
    if m.promotion().is_some() && !marks_only(text) {
        return None;
    }
    let bare = UciMove {
        promotion: None,
        ..plain
    };
    bare.to_move(position, mode)
        .or_else(|| bare.to_move(position, other))
}

/// Whether the letter behind the squares cannot be meant as a promotion.
fn marks_only(text: &str) -> bool {
    text.ends_with("ep")
}

/// The two squares and the promotion, if the text is written in coordinates.
fn coordinates(text: &str) -> Option<Move> {
    let text = text.trim_end_matches(['+', '#']);
    let squares = text
        .strip_prefix(['N', 'B', 'R', 'Q', 'K', 'P'])
        .unwrap_or(text);
    let from: Square = squares.get(0..2)?.parse().ok()?;
    let rest = squares.get(2..)?;
    let rest = rest.strip_prefix(['-', 'x', ':']).unwrap_or(rest);
    let to: Square = rest.get(0..2)?.parse().ok()?;
    let suffix = rest.get(2..)?.trim_matches(['=', '(', ')']);
    let promotion = match suffix.chars().next() {
        _ if suffix == "ep" => None,
        Some(letter) => piece_type(letter),
        None => None,
    };
    Some(match promotion {
        Some(kind) => Move::new_promotion(from, to, kind),
        None => Move::new(from, to),
    })
}

fn piece_type(letter: char) -> Option<PieceType> {
    PieceType::ALL
        .into_iter()
        .find(|kind| kind.to_char().eq_ignore_ascii_case(&letter))
}

#[cfg(test)]
mod tests {
    use engine::notation::fen;

    use super::*;

    const PROMOTION: &str = "4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1";
    const EN_PASSANT: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";

    fn read(text: &str, fen_text: &str, mode: CastlingMode) -> String {
        let position = fen::parse(fen_text).expect("legal");
        match meaning(text, &position, mode) {
            Meaning::Legal(m) => format!("legal {m}"),
            Meaning::Illegal(m) => format!("illegal {m}"),
            Meaning::Unreadable => "unreadable".to_owned(),
        }
    }

    #[test]
    fn spellings() {
        for (text, fen_text, expected) in [
            ("e1e2", PROMOTION, "legal e1e2"),
            ("Ke1-e2", PROMOTION, "legal e1e2"),
            ("Ke2", PROMOTION, "legal e1e2"),
            ("a7a8Q", PROMOTION, "legal a7a8q"),
            ("a7a8=N+", PROMOTION, "legal a7a8n"),
            ("a7a8(R)", PROMOTION, "legal a7a8r"),
            ("a8=B", PROMOTION, "legal a7a8b"),
            ("a7a8", PROMOTION, "illegal a7a8"),
            ("a7a8k", PROMOTION, "illegal a7a8k"),
            ("e1e2q", PROMOTION, "illegal e1e2q"),
            ("e1e3", PROMOTION, "illegal e1e3"),
            ("e5d6", EN_PASSANT, "legal e5d6"),
            ("e5xd6ep", EN_PASSANT, "legal e5d6"),
            ("e5d6e", EN_PASSANT, "legal e5d6"),
            ("exd6", EN_PASSANT, "legal e5d6"),
            ("Nf3", EN_PASSANT, "unreadable"),
            ("e5", EN_PASSANT, "unreadable"),
        ] {
            assert_eq!(
                read(text, fen_text, CastlingMode::Standard),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn castling_in_both_ways() {
        let near = "4k3/8/8/8/8/8/8/5K1R w K - 0 1";
        for (text, fen_text, mode, expected) in [
            ("e1g1", PROMOTION, CastlingMode::Standard, "legal e1h1"),
            ("e1h1", PROMOTION, CastlingMode::Standard, "legal e1h1"),
            ("e1c1", PROMOTION, CastlingMode::Chess960, "legal e1a1"),
            ("O-O-O", PROMOTION, CastlingMode::Standard, "legal e1a1"),
            ("0-0", PROMOTION, CastlingMode::Standard, "legal e1h1"),
            ("f1g1", near, CastlingMode::Chess960, "legal f1g1"),
            ("f1h1", near, CastlingMode::Chess960, "legal f1h1"),
            ("e1g1", EN_PASSANT, CastlingMode::Standard, "illegal e1g1"),
        ] {
            assert_eq!(read(text, fen_text, mode), expected, "{text}");
        }
    }
}
