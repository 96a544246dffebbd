//! Notations of moves, in the rows of a divide and after `moves`.

use std::sync::LazyLock;

use chess::notation::san;
use chess::notation::uci_move::{self, UciMove};
use chess::rules::{CastlingMode, Move, PieceType, Position, Square};
use regex_lite::Regex;

use super::answer::{MoveMeaning, Route};

/// Two squares with the additions of various engines: `e2e4`, `Ng1-f3`, `pe7e5`, `e2->e4`, `e2 e4`,
/// `e7e8=Q`, `e7e8/Q`, `e7e8 q`, `e5xd6/ep`, `E2E4`. For use with the flag `x`.
pub(super) const COORDINATES: &str = r"
    [NBRQKPnbrqkp\u{2654}-\u{265f}]?(?:
        [a-h][1-8](?:\s?(?:->|=>|to|[-x:/,>\u{2013}\u{2192}])\s?|\s)?[a-h][1-8]
        | [A-H][1-8](?:\s?(?:->|=>|TO|[-X:/,>\u{2013}\u{2192}])\s?|\s)?[A-H][1-8]
    )
    (?:[=/(:_~.]?[A-Za-z\u{2654}-\u{265f}]\)?|\s\(?=?[NBRQnbrq]\)?)?
    (?:\s?/?e\.?p\.?)?[+\#!?]*
";

static WRITTEN: LazyLock<Regex> = LazyLock::new(|| {
    // B3f5 is the SAN of a bishop move.
    let pattern = r"(?x)^[NBRQKPnbrqkp\u{2654}-\u{265f}]?(?:
        (?<from>[a-h][1-8])[^a-h0-9]{0,4}(?<to>[a-h][1-8])
        | (?<FROM>[A-H][1-8])[^A-H0-9]{0,4}(?<TO>[A-H][1-8])
        )(?<mark>[\s=/(:_~.]*)(?<letter>.?)";
    Regex::new(pattern).expect("the pattern is well formed")
});

/// A parsed move in coordinates.
#[derive(Debug, PartialEq, Eq)]
struct Written {
    m: Move,
    /// Whether the promotion letter is detached, and so may mean something else.
    letter_is_apart: bool,
}

/// Parses a move in coordinates or SAN, in any of the usual notations. Both forms of castling are
/// accepted; if they denote different moves, `mode` decides.
pub(super) fn meaning(text: &str, position: &Position, mode: CastlingMode) -> MoveMeaning {
    if let Some(written) = coordinates(text) {
        return match legal(&written, text, position, mode) {
            Some(legal) => MoveMeaning::Legal(legal),
            None => MoveMeaning::Illegal(written.m),
        };
    }
    san::parse_lenient(text, position).map_or(MoveMeaning::Unreadable, MoveMeaning::Legal)
}

/// The legal move with this notation. A letter that is not a piece, or is detached from a move that
/// is no promotion, is an annotation of the engine, such as the second `e` of `e5d6e`.
fn legal(written: &Written, text: &str, position: &Position, mode: CastlingMode) -> Option<Move> {
    let other = match mode {
        CastlingMode::Standard => CastlingMode::Chess960,
        CastlingMode::Chess960 => CastlingMode::Standard,
    };
    let m = written.m;
    if position.is_legal(m) && !position.is_castling(m) {
        return Some(m);
    }
    let is_mark = written.letter_is_apart || text.trim_end_matches('.').ends_with("ep");
    if m.promotion().is_some() && !is_mark {
        return None;
    }
    let bare = UciMove {
        from: m.from(),
        to: m.to(),
        promotion: None,
    };
    bare.to_move(position, mode)
        .or_else(|| bare.to_move(position, other))
}

/// The move, if the text is exactly one in UCI notation.
pub(super) fn move_in_uci(text: &str) -> Option<Move> {
    let m: UciMove = text.parse().ok()?;
    Some(match m.promotion {
        Some(kind) => Move::new_promotion(m.from, m.to, kind),
        None => Move::new(m.from, m.to),
    })
}

/// The two squares and the promotion, if the text is in coordinates.
fn coordinates(text: &str) -> Option<Written> {
    // The pattern finds the same in it, and takes long.
    let usual = move_in_uci(text).map(|m| Written {
        m,
        letter_is_apart: false,
    });
    usual.or_else(|| coordinates_by_pattern(text))
}

fn coordinates_by_pattern(text: &str) -> Option<Written> {
    let parts = WRITTEN.captures(text)?;
    let square = |lower: &str, upper: &str| -> Option<Square> {
        let text = parts.name(lower).or_else(|| parts.name(upper))?;
        text.as_str().to_ascii_lowercase().parse().ok()
    };
    let (from, to) = (square("from", "FROM")?, square("to", "TO")?);
    let is_ep = text.trim_end_matches(['+', '#', '.']).ends_with('p');
    let kind = parts["letter"].chars().next().and_then(piece_type);
    let promotion = kind.filter(|_| !is_ep);
    Some(Written {
        m: match promotion {
            Some(kind) => Move::new_promotion(from, to, kind),
            None => Move::new(from, to),
        },
        letter_is_apart: parts["mark"].contains(char::is_whitespace),
    })
}

/// A piece by its letter in either case, or by its Unicode symbol.
fn piece_type(letter: char) -> Option<PieceType> {
    // Unicode has the kings first and the pawns last, those of White before those of Black.
    let figure = ('\u{2654}'..='\u{265f}').position(|figure| figure == letter);
    match figure {
        Some(index) => PieceType::ALL.into_iter().rev().cycle().nth(index),
        None => PieceType::from_char(letter.to_ascii_uppercase()),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PromotionSpelling {
    /// `a7a8q`, as in UCI.
    Lower,
    /// `a7a8Q`.
    Upper,
    /// `a7a8=Q`.
    Equals,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CastlingSpelling {
    /// `e1g1` in standard chess, `e1h1` in Chess960, as in UCI.
    ByMode,
    /// `e1h1`: king takes rook.
    KingTakesRook,
    /// `O-O`.
    Letters,
}

/// The notation of moves that an engine accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spelling {
    pub(super) promotion: PromotionSpelling,
    pub(super) castling: CastlingSpelling,
}

impl Spelling {
    pub(super) const UCI: Self = Self {
        promotion: PromotionSpelling::Lower,
        castling: CastlingSpelling::ByMode,
    };

    /// Every notation of promotions, UCI's first.
    pub(super) const PROMOTIONS: [PromotionSpelling; 3] = [
        PromotionSpelling::Lower,
        PromotionSpelling::Upper,
        PromotionSpelling::Equals,
    ];

    /// Every notation of castling, UCI's first.
    pub(super) const CASTLINGS: [CastlingSpelling; 3] = [
        CastlingSpelling::ByMode,
        CastlingSpelling::KingTakesRook,
        CastlingSpelling::Letters,
    ];

    pub(super) fn moves(self, route: &Route) -> Vec<String> {
        let mut position = *route.root();
        let mut words = Vec::new();
        for &m in route.moves() {
            words.push(self.write(m, &position));
            position = position.play(m).expect("a route has legal moves");
        }
        words
    }

    fn write(self, m: Move, position: &Position) -> String {
        let mode = position.castling_mode();
        if position.is_castling(m) {
            return match self.castling {
                CastlingSpelling::ByMode => uci_move::write(m, position, mode),
                CastlingSpelling::KingTakesRook => m.to_string(),
                CastlingSpelling::Letters => san::write(m, position)
                    .trim_end_matches(['+', '#'])
                    .to_owned(),
            };
        }
        let squares = format!("{}{}", m.from(), m.to());
        let Some(letter) = m.promotion().map(PieceType::to_char) else {
            return squares;
        };
        match self.promotion {
            PromotionSpelling::Lower => format!("{squares}{}", letter.to_ascii_lowercase()),
            PromotionSpelling::Upper => format!("{squares}{letter}"),
            PromotionSpelling::Equals => format!("{squares}={letter}"),
        }
    }
}

/// The moves of a route in UCI notation, as seen from its root.
pub fn uci_moves(route: &Route) -> Vec<String> {
    Spelling::UCI.moves(route)
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;

    use super::*;

    const PROMOTION: &str = "4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1";
    const TWO_BISHOPS: &str = "K7/7B/8/8/8/7B/5k2/8 w - - 0 1";
    const EN_PASSANT: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";

    fn read(text: &str, fen_text: &str, mode: CastlingMode) -> String {
        let position = fen::parse(fen_text).expect("legal");
        match meaning(text, &position, mode) {
            MoveMeaning::Legal(m) => format!("legal {m}"),
            MoveMeaning::Illegal(m) => format!("illegal {m}"),
            MoveMeaning::Unreadable => "unreadable".to_owned(),
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
            ("a7a8/Q", PROMOTION, "legal a7a8q"),
            ("a7a8:q", PROMOTION, "legal a7a8q"),
            ("a7a8_n", PROMOTION, "legal a7a8n"),
            ("a7a8 q", PROMOTION, "legal a7a8q"),
            ("a7a8 (N)", PROMOTION, "legal a7a8n"),
            ("a7a8\u{2655}", PROMOTION, "legal a7a8q"),
            ("pa7->a8r", PROMOTION, "legal a7a8r"),
            ("A7A8Q", PROMOTION, "legal a7a8q"),
            ("e1->e2", PROMOTION, "legal e1e2"),
            ("e1 e2", PROMOTION, "legal e1e2"),
            ("e1 to e2", PROMOTION, "legal e1e2"),
            ("ke1e2", PROMOTION, "legal e1e2"),
            ("e1e2 n", PROMOTION, "legal e1e2"),
            ("e5xd6/ep", EN_PASSANT, "legal e5d6"),
            ("e5d6 e.p.", EN_PASSANT, "legal e5d6"),
            ("a7a8", PROMOTION, "illegal a7a8"),
            ("a7a8k", PROMOTION, "illegal a7a8k"),
            ("e1e2q", PROMOTION, "illegal e1e2q"),
            ("e1e3", PROMOTION, "illegal e1e3"),
            ("e5d6", EN_PASSANT, "legal e5d6"),
            ("e5xd6ep", EN_PASSANT, "legal e5d6"),
            ("e5d6e", EN_PASSANT, "legal e5d6"),
            ("exd6", EN_PASSANT, "legal e5d6"),
            ("B3f5", TWO_BISHOPS, "legal h3f5"),
            ("B7f5", TWO_BISHOPS, "legal h7f5"),
            ("H3F5", TWO_BISHOPS, "legal h3f5"),
            ("Nf3", EN_PASSANT, "unreadable"),
            ("e5", EN_PASSANT, "unreadable"),
        ] {
            let found = read(text, fen_text, CastlingMode::Standard);
            assert_eq!(found, expected, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn uci_is_read_as_by_the_pattern(text in "[a-h][1-8][a-h][1-8][nbrqNBRQkp]?") {
            assert_eq!(coordinates(&text), coordinates_by_pattern(&text), "{text:?}");
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

    #[test]
    fn moves_are_written_in_every_spelling() {
        let root = fen::parse("8/P5k1/8/8/8/8/8/R3K2R w KQ - 0 1").expect("legal");
        let route = Route::by_fen(root)
            .then(Move::new(Square::E1, Square::H1))
            .then(Move::new(Square::G7, Square::G6))
            .then(Move::new_promotion(Square::A7, Square::A8, PieceType::Rook));
        let write = |promotion, castling| {
            let spelling = Spelling {
                promotion,
                castling,
            };
            spelling.moves(&route).join(" ")
        };
        assert_eq!(uci_moves(&route).join(" "), "e1g1 g7g6 a7a8r");
        assert_eq!(
            write(PromotionSpelling::Upper, CastlingSpelling::KingTakesRook),
            "e1h1 g7g6 a7a8R"
        );
        assert_eq!(
            write(PromotionSpelling::Equals, CastlingSpelling::Letters),
            "O-O g7g6 a7a8=R"
        );
    }
}
