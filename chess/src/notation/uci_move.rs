//! Moves in UCI notation: `e2e4`, `e7e8q`; castling as `e1g1`, or in Chess960 as `e1h1`.

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayString;

use crate::rules::{
    CastlingMode, CastlingSide, Move, ParseSquareError, PieceType, Position, Square,
};

/// A UCI move as text, independent of any position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UciMove {
    /// The origin.
    pub from: Square,
    /// The target; in the Chess960 form of castling, the rook's square.
    pub to: Square,
    /// The promotion piece: knight, bishop, rook or queen.
    pub promotion: Option<PieceType>,
}

/// Why a UCI move is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what the variants and fields are"
)]
pub enum ParseUciMoveError {
    #[error("'{text}' has {found} characters, a UCI move has 4 or 5, such as e2e4 or e7e8q")]
    Length { text: String, found: usize },
    #[error("'{text}' is not a UCI move: {source}")]
    Square {
        text: String,
        source: ParseSquareError,
    },
    #[error("'{text}' promotes to '{found}', expected q, r, b or n{}", if found.is_uppercase() { " in lower case" } else { "" })]
    Promotion { text: String, found: char },
    /// The move is well formed, but not legal in this position.
    #[error("{text} is not a legal move in {fen}")]
    Illegal { text: String, fen: String },
    /// A pawn reaches its last rank.
    #[error("{text} is not a legal move in {fen}: the promotion piece is missing")]
    NoPromotion { text: String, fen: String },
}

impl FromStr for UciMove {
    type Err = ParseUciMoveError;

    fn from_str(text: &str) -> Result<Self, ParseUciMoveError> {
        let found = text.chars().count();
        if !matches!(found, 4 | 5) {
            let text = text.to_owned();
            return Err(ParseUciMoveError::Length { text, found });
        }
        let mut ends = text
            .char_indices()
            .map(|(index, _)| index)
            .skip(2)
            .step_by(2);
        let [middle, end] = [(); 2].map(|()| ends.next().unwrap_or(text.len()));
        let square = |name: &str| {
            name.parse::<Square>()
                .map_err(|source| ParseUciMoveError::Square {
                    text: text.to_owned(),
                    source,
                })
        };
        let promotion = |found| {
            PieceType::PROMOTIONS
                .into_iter()
                .find(|kind| kind.to_char().to_ascii_lowercase() == found)
                .ok_or_else(|| ParseUciMoveError::Promotion {
                    text: text.to_owned(),
                    found,
                })
        };
        Ok(Self {
            promotion: text[end..].chars().next().map(promotion).transpose()?,
            from: square(&text[..middle])?,
            to: square(&text[middle..end])?,
        })
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // At once: games are written move by move, and each call of a formatter costs.
        let mut text = ArrayString::<5>::new();
        for square in [self.from, self.to] {
            text.push(square.file().to_char());
            text.push(square.rank().to_char());
        }
        if let Some(kind) = self.promotion {
            text.push(kind.to_char().to_ascii_lowercase());
        }
        f.write_str(&text)
    }
}

impl UciMove {
    /// The text of a legal move in `mode`.
    pub fn from_move(m: Move, position: &Position, mode: CastlingMode) -> Self {
        let to = if mode == CastlingMode::Standard && position.is_castling(m) {
            CastlingSide::new(m.from(), m.to()).king_target(position.side_to_move())
        } else {
            m.to()
        };
        Self {
            from: m.from(),
            to,
            promotion: m.promotion(),
        }
    }

    /// The legal move with this text in `mode`. If a king step and castling have the same text, it
    /// is the step.
    pub fn to_move(self, position: &Position, mode: CastlingMode) -> Option<Move> {
        let m = match self.promotion {
            Some(kind) => Move::new_promotion(self.from, self.to, kind),
            None => Move::new(self.from, self.to),
        };
        // Internally, castling is king takes rook; in standard mode its text differs.
        let is_foreign = mode == CastlingMode::Standard && position.is_castling(m);
        if !is_foreign && position.is_legal(m) {
            return Some(m);
        }
        let may_castle = mode == CastlingMode::Standard && self.promotion.is_none();
        may_castle.then(|| self.to_castling(position)).flatten()
    }

    /// Returns true if it would be legal with a promotion piece, and has none.
    pub fn lacks_promotion(self, position: &Position) -> bool {
        let m = Move::new_promotion(self.from, self.to, PieceType::Queen);
        self.promotion.is_none() && position.is_legal(m)
    }

    /// Castling that moves the king between the two squares.
    fn to_castling(self, position: &Position) -> Option<Move> {
        let us = position.side_to_move();
        if self.from != position.king(us) {
            return None;
        }
        let rooks = position.castling_rooks() & position.by_color(us);
        rooks
            .into_iter()
            .filter(|&rook| CastlingSide::new(self.from, rook).king_target(us) == self.to)
            .map(|rook| Move::new(self.from, rook))
            .find(|&m| position.is_legal(m))
    }
}

/// Writes a legal move of `position`.
pub fn write(m: Move, position: &Position, mode: CastlingMode) -> String {
    UciMove::from_move(m, position, mode).to_string()
}

/// Parses a legal move of `position` strictly: lower case, nothing before or after.
///
/// # Errors
///
/// If the text is not a UCI move, or the move is not legal.
pub fn parse(
    text: &str,
    position: &Position,
    mode: CastlingMode,
) -> Result<Move, ParseUciMoveError> {
    let parsed: UciMove = text.parse()?;
    parsed.to_move(position, mode).ok_or_else(|| {
        let (text, fen) = (text.to_owned(), super::fen::write(position));
        if parsed.lacks_promotion(position) {
            ParseUciMoveError::NoPromotion { text, fen }
        } else {
            ParseUciMoveError::Illegal { text, fen }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;

    const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

    /// The move, or the text of the error.
    fn read(text: &str, fen_text: &str, mode: CastlingMode) -> String {
        let position = fen::parse(fen_text).expect("legal");
        let read = parse(text, &position, mode);
        read.map_or_else(|error| error.to_string(), |m| m.to_string())
    }

    #[test]
    fn castling_follows_the_mode() {
        let (standard, chess960) = (CastlingMode::Standard, CastlingMode::Chess960);
        let near = "4k3/8/8/8/8/8/8/5K1R w K - 0 1";
        for (text, fen_text, mode, expected) in rows![
            "e1g1", CASTLING, standard => "e1h1";
            "e1c1", CASTLING, standard => "e1a1";
            "e1h1", CASTLING, chess960 => "e1h1";
            "e1h1", CASTLING, standard => &*format!("e1h1 is not a legal move in {CASTLING}");
            "e1g1", CASTLING, chess960 => &*format!("e1g1 is not a legal move in {CASTLING}");
            // A step comes before castling that is written alike.
            "f1g1", near, standard => "f1g1";
            "f1h1", near, chess960 => "f1h1";
        ] {
            assert_eq!(read(text, fen_text, mode), expected);
        }
        let position = fen::parse(CASTLING).expect("legal");
        let castling = Move::new(Square::E1, Square::A1);
        assert_eq!(write(castling, &position, standard), "e1c1");
        assert_eq!(write(castling, &position, chess960), "e1a1");
    }

    /// Reference implementation of [`UciMove::to_move`]: searches all legal moves.
    fn to_move_from_list(text: UciMove, position: &Position, mode: CastlingMode) -> Option<Move> {
        let moves = position.legal_moves().into_iter();
        let fitting = moves.filter(|&m| UciMove::from_move(m, position, mode) == text);
        // Steps before castling.
        fitting.min_by_key(|&m| position.is_castling(m))
    }

    #[test]
    fn every_text_means_what_the_list_of_moves_says() {
        let promotions = PieceType::PROMOTIONS.map(Some).into_iter().chain([None]);
        let fens = [
            CASTLING,
            "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
            "4k3/8/8/8/8/8/8/5K1R w K - 0 1",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
            "4k3/8/8/8/8/8/8/2RK3R w HC - 0 1",
            "1n2k3/P1P5/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ];
        for fen_text in fens {
            let position = fen::parse(fen_text).expect("legal");
            for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
                let mut known = 0;
                let pairs = Square::ALL.map(|from| Square::ALL.map(|to| (from, to)));
                for (from, to) in pairs.into_iter().flatten() {
                    for promotion in promotions.clone() {
                        let text = UciMove {
                            from,
                            to,
                            promotion,
                        };
                        let expected = to_move_from_list(text, &position, mode);
                        assert_eq!(text.to_move(&position, mode), expected, "{text} {fen_text}");
                        known += usize::from(expected.is_some());
                    }
                }
                assert!(known > 0, "{fen_text}");
            }
        }
    }

    #[test]
    fn bad_text_says_why() {
        let rows = rows![
            "e2" => "'e2' has 2 characters, a UCI move has 4 or 5, such as e2e4 or e7e8q";
            "e7e8qq" => "'e7e8qq' has 6 characters, a UCI move has 4 or 5, such as e2e4 or e7e8q";
            "e2i4" =>
                "'e2i4' is not a UCI move: 'i4' is not a square, expected a file a-h and a rank 1-8 such as e4";
            "e7e8k" => "'e7e8k' promotes to 'k', expected q, r, b or n";
            "e7e8Q" => "'e7e8Q' promotes to 'Q', expected q, r, b or n in lower case";
            "e1e3" => "e1e3 is not a legal move in r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
            "éé" => "'éé' has 2 characters, a UCI move has 4 or 5, such as e2e4 or e7e8q";
        ];
        for (text, expected) in rows {
            assert_eq!(read(text, CASTLING, CastlingMode::Standard), expected);
        }
        let promotion = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(
            read("a7a8", promotion, CastlingMode::Standard),
            format!("a7a8 is not a legal move in {promotion}: the promotion piece is missing")
        );
    }
}
