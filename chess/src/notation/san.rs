//! Standard Algebraic Notation (PGN standard 8.2.3; FIDE appendix C).

use crate::rules::{Bitboard, CastlingSide, File, Move, PieceType, Position, Rank, Square};

/// Why a SAN move is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what the variants and fields are"
)]
pub enum ParseSanError {
    /// The text does not have the form of a move.
    #[error("'{text}' has not the form of a move, such as Nf3, exd5, e8=Q or O-O")]
    Syntax { text: String },
    #[error("no legal move is '{text}' in {fen}")]
    Illegal { text: String, fen: String },
    #[error("'{text}' may be {candidates}")]
    Ambiguous { text: String, candidates: String },
    /// The text names a move, but not in standard form.
    #[error("'{text}' should be written {expected}")]
    NotStandard { text: String, expected: String },
}

/// Writes a legal move of `position` in standard SAN: the minimal disambiguation of the origin, `x`
/// for captures, `=Q`, `+` or `#`.
pub fn write(m: Move, position: &Position) -> String {
    let mut text = if position.is_castling(m) {
        match CastlingSide::new(m.from(), m.to()) {
            CastlingSide::King => "O-O".to_owned(),
            CastlingSide::Queen => "O-O-O".to_owned(),
        }
    } else {
        write_plain(m, position)
    };
    let next = position.play_unchecked(m);
    if next.is_check() {
        let is_mate = next.legal_move_count() == 0;
        text.push(if is_mate { '#' } else { '+' });
    }
    text
}

fn write_plain(m: Move, position: &Position) -> String {
    let kind = position
        .piece_type_at(m.from())
        .expect("a legal move starts from a piece");
    let mut text = String::with_capacity(8);
    if kind == PieceType::Pawn {
        if position.is_capture(m) {
            text.push(m.from().file().to_char());
        }
    } else {
        text.push(kind.to_char());
        text.push_str(&origin(m, kind, position));
    }
    if position.is_capture(m) {
        text.push('x');
    }
    text.push_str(&m.to().to_string());
    if let Some(promotion) = m.promotion() {
        text.push('=');
        text.push(promotion.to_char());
    }
    text
}

/// File, else rank, else both: the first that distinguishes the move from those of like pieces.
fn origin(m: Move, kind: PieceType, position: &Position) -> String {
    let moves = position.legal_moves().into_iter();
    // Castling is never written by its squares, so it is no rival.
    let others = moves.filter(|other| other.to() == m.to() && !position.is_castling(*other));
    let origins: Bitboard = others.map(Move::from).collect();
    let from = m.from();
    let rivals = origins & position.by_type(kind) & !from.bitboard();
    if rivals.is_empty() {
        String::new()
    } else if !rivals.intersects(from.file().bitboard()) {
        from.file().to_char().to_string()
    } else if !rivals.intersects(from.rank().bitboard()) {
        from.rank().to_char().to_string()
    } else {
        from.to_string()
    }
}

/// Parses a legal move of `position` in standard form.
///
/// # Errors
///
/// If the text names no legal move, or names one in another form; the standard form is then given.
pub fn parse(text: &str, position: &Position) -> Result<Move, ParseSanError> {
    let m = parse_lenient(text, position)?;
    let expected = write(m, position);
    if text == expected {
        Ok(m)
    } else {
        Err(ParseSanError::NotStandard {
            text: text.to_owned(),
            expected,
        })
    }
}

/// Parses a legal move of `position` as people and programs write it. It tolerates:
///
/// - `+`, `#`, `!`, `?`, `e.p.`, `ep` or `/ep` at the end, whether right, wrong or missing, also
///   after white space;
/// - `x`, `-`, `:` or nothing between the squares, whether or not the move is a capture;
/// - more of the origin than needed: `Ngf3`, `Ng1f3`, `e2e4`; `P` for a pawn;
/// - the whole origin without the piece, as in UCI: `g1f3`, `e7e8q`, `e1g1`, `e1h1`;
/// - a promotion as `e8Q`, `e8(Q)`, `e8/Q` or `e8q`;
/// - castling with zeros or lower-case letters: `0-0`, `o-o-o`.
///
/// # Errors
///
/// If the text does not have the form of a move, or matches no legal move or several.
pub fn parse_lenient(text: &str, position: &Position) -> Result<Move, ParseSanError> {
    let pattern = SanPattern::read(text).ok_or_else(|| ParseSanError::Syntax {
        text: text.to_owned(),
    })?;
    let moves = position.legal_moves().into_iter();
    let fitting: Vec<Move> = moves.filter(|&m| pattern.fits(m, position)).collect();
    match fitting[..] {
        [m] => Ok(m),
        [] => Err(ParseSanError::Illegal {
            text: text.to_owned(),
            fen: super::fen::write(position),
        }),
        // A king step and castling can have the same UCI text; the step is meant.
        [a, b] if position.is_castling(a) != position.is_castling(b) => {
            Ok(if position.is_castling(a) { b } else { a })
        }
        _ => {
            let names: Vec<String> = fitting.iter().map(|&m| write(m, position)).collect();
            Err(ParseSanError::Ambiguous {
                text: text.to_owned(),
                candidates: names.join(" or "),
            })
        }
    }
}

/// The parts of a SAN move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SanPattern {
    Castling(CastlingSide),
    Plain {
        /// `None` if the whole origin is given instead of the piece.
        kind: Option<PieceType>,
        file: Option<File>,
        rank: Option<Rank>,
        to: Square,
        promotion: Option<PieceType>,
    },
}

impl SanPattern {
    fn read(text: &str) -> Option<Self> {
        let is_suffix = |c: char| matches!(c, '+' | '#' | '!' | '?') || c.is_ascii_whitespace();
        let text = text.trim().trim_end_matches(is_suffix);
        let text = without_en_passant(text).trim_end();
        match text {
            "O-O" | "0-0" | "o-o" => return Some(Self::Castling(CastlingSide::King)),
            "O-O-O" | "0-0-0" | "o-o-o" => return Some(Self::Castling(CastlingSide::Queen)),
            _ => {}
        }
        let (kind, rest) = match text.chars().next().and_then(PieceType::from_char) {
            Some(kind) => (Some(kind), &text[1..]),
            None => (None, text),
        };
        let (rest, promotion) = split_promotion(rest);
        // The target is the last two characters.
        let split = rest.len().checked_sub(2)?;
        let to: Square = rest.get(split..)?.parse().ok()?;
        let origin = rest.get(..split)?;
        let origin = origin.strip_suffix(['x', '-', ':']).unwrap_or(origin);
        let mut letters = origin.chars().peekable();
        let file = letters.peek().copied().and_then(File::from_char);
        letters.next_if(|_| file.is_some());
        let rank = letters.peek().copied().and_then(Rank::from_char);
        letters.next_if(|_| rank.is_some());
        if letters.next().is_some() {
            return None;
        }
        let kind = match (kind, file, rank) {
            (None, Some(_), Some(_)) => None,
            (None, ..) => Some(PieceType::Pawn),
            (kind, ..) => kind,
        };
        Some(Self::Plain {
            kind,
            file,
            rank,
            to,
            promotion,
        })
    }

    fn fits(self, m: Move, position: &Position) -> bool {
        match self {
            Self::Castling(side) => {
                position.is_castling(m) && CastlingSide::new(m.from(), m.to()) == side
            }
            Self::Plain {
                kind,
                file,
                rank,
                to,
                promotion,
            } => {
                let target_fits = if position.is_castling(m) {
                    let side = CastlingSide::new(m.from(), m.to());
                    // Castling by squares requires the king's whole origin.
                    kind.is_none()
                        && (to == m.to() || to == side.king_target(position.side_to_move()))
                } else {
                    to == m.to()
                };
                target_fits
                    && m.promotion() == promotion
                    && kind.is_none_or(|kind| position.by_type(kind).contains(m.from()))
                    && file.is_none_or(|file| m.from().file() == file)
                    && rank.is_none_or(|rank| m.from().rank() == rank)
            }
        }
    }
}

/// Strips an en passant suffix: `exd6e.p.`, `e5xd6/ep`.
fn without_en_passant(text: &str) -> &str {
    let rest = text
        .strip_suffix("e.p.")
        .or_else(|| text.strip_suffix("ep"));
    rest.map_or(text, |rest| {
        let rest = rest.trim_end();
        rest.strip_suffix('/').unwrap_or(rest)
    })
}

/// Splits `e8=Q`, `e8Q`, `e8q`, `e8/Q` or `e8(Q)` into the rest and the promotion.
fn split_promotion(text: &str) -> (&str, Option<PieceType>) {
    let inner = text.strip_suffix(')').unwrap_or(text);
    let Some(letter) = inner.chars().last() else {
        return (text, None);
    };
    let kind = PieceType::from_char(letter.to_ascii_uppercase());
    let Some(kind) = kind.filter(|kind| PieceType::PROMOTIONS.contains(kind)) else {
        return (text, None);
    };
    let rest = &inner[..inner.len() - 1];
    let opened = if inner.len() < text.len() {
        rest.strip_suffix('(')
    } else {
        Some(rest)
    };
    match opened {
        Some(rest) => (rest.strip_suffix(['=', '/']).unwrap_or(rest), Some(kind)),
        None => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;

    type Parser = fn(&str, &Position) -> Result<Move, ParseSanError>;

    /// The move, or the text of the error.
    fn read(parser: Parser, text: &str, fen_text: &str) -> String {
        let position = fen::parse(fen_text).expect("legal");
        let read = parser(text, &position);
        read.map_or_else(|error| error.to_string(), |m| m.to_string())
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    const PROMOTION: &str = "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1";
    const THREE_QUEENS: &str = "6k1/8/8/8/Q6Q/8/8/K6Q w - - 0 1";
    const EN_PASSANT: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";

    #[test]
    fn strict_reads_only_the_standard_form() {
        for (text, position, expected) in rows![
            "Nf3", START => "g1f3";
            "Ngf3", START => "'Ngf3' should be written Nf3";
            "Nf3+", START => "'Nf3+' should be written Nf3";
            "O-O", CASTLING => "e1h1";
            "0-0", CASTLING => "'0-0' should be written O-O";
            "exd8=Q+", PROMOTION => "e7d8q";
            "Qh4e4", THREE_QUEENS => "h4e4";
            "Qae4", THREE_QUEENS => "a4e4";
            "exd6", EN_PASSANT => "e5d6";
            "Nf4", START => &*format!("no legal move is 'Nf4' in {START}");
        ] {
            assert_eq!(read(parse, text, position), expected);
        }
    }

    #[test]
    fn lenient_reads_what_it_says() {
        let rows = [
            ("Ngf3", START, "g1f3"),
            ("Ng1-f3", START, "g1f3"),
            ("g1f3", START, "g1f3"),
            ("Nf3!?", START, "g1f3"),
            ("Nf3 +", START, "g1f3"),
            ("Pe4", START, "e2e4"),
            ("e2-e4", START, "e2e4"),
            ("0-0-0", CASTLING, "e1a1"),
            ("e1g1", CASTLING, "e1h1"),
            ("e1h1", CASTLING, "e1h1"),
            ("Rxa8+", CASTLING, "a1a8"),
            ("Ra8", CASTLING, "a1a8"),
            ("e8Q", PROMOTION, "e7e8q"),
            ("e8(N)", PROMOTION, "e7e8n"),
            ("e8/R", PROMOTION, "e7e8r"),
            ("e7e8b", PROMOTION, "e7e8b"),
            ("ed8=Q", PROMOTION, "e7d8q"),
            ("exd6e.p.", EN_PASSANT, "e5d6"),
            ("exd6 e.p.", EN_PASSANT, "e5d6"),
            ("exd6ep", EN_PASSANT, "e5d6"),
            ("exd6 ep+", EN_PASSANT, "e5d6"),
            ("e5xd6/ep", EN_PASSANT, "e5d6"),
            ("e5xd6/e.p.", EN_PASSANT, "e5d6"),
        ];
        for (text, position, expected) in rows {
            assert_eq!(read(parse_lenient, text, position), expected, "{text}");
        }
    }

    #[test]
    fn lenient_still_rejects() {
        for text in [
            "", "x", "N", "Nf", "ep", "/ep", "f9", "Nf3f", "e8=K", "e7e8k", "O-O-O-O", "é4", "Né4",
            "e8=", "(Q)",
        ] {
            let error = read(parse_lenient, text, START);
            assert!(error.contains("has not the form"), "{text}: {error}");
        }
        let error = read(parse_lenient, "Qe4", THREE_QUEENS);
        assert_eq!(error, "'Qe4' may be Q1e4 or Qae4 or Qh4e4");
        let error = read(parse_lenient, "e8", PROMOTION);
        assert!(error.starts_with("no legal move is 'e8' in "), "{error}");
    }
}
