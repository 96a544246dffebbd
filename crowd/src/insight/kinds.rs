//! The kinds of legal moves, as chess people name them. A move may be of several kinds.

use chess::rules::explain::{Rule, explain};
use chess::rules::{Color, Move, PieceType, Position};

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $word:literal, $title:literal;)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind {
            $($(#[$doc])* $name,)+
        }

        impl Kind {
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)+ }
            }

            /// What people call moves of it.
            pub fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)+ }
            }
        }
    };
}

kinds! {
    /// A pawn move other than a capture or promotion, of one square.
    PawnStep = "pawn-step", "Pawn steps";
    DoubleStep = "double-step", "Double steps of pawns";
    /// A pawn's capture other than en passant; it may promote.
    PawnCapture = "pawn-capture", "Captures by pawns";
    EnPassant = "en-passant", "En passant";
    Promotion = "promotion", "Promotions to a queen";
    Underpromotion = "underpromotion", "Underpromotions";
    Knight = "knight", "Knight moves";
    Bishop = "bishop", "Bishop moves";
    Rook = "rook", "Rook moves";
    Queen = "queen", "Queen moves";
    King = "king", "King moves";
    CastlingShort = "castling-short", "Castling short";
    CastlingLong = "castling-long", "Castling long";
    PieceCapture = "piece-capture", "Captures by pieces";
    Check = "check", "Moves that give check";
    /// A move that gives check by a piece that did not move, or by two.
    DiscoveredCheck = "discovered-check", "Discovered checks";
    /// A bishop's or queen's move of four squares or more along a diagonal.
    LongDiagonal = "long-diagonal", "Long diagonal moves";
    /// A rook's or queen's move of four squares or more along a rank or file.
    LongStraight = "long-straight", "Long moves along ranks and files";
    /// A bishop's, rook's or queen's move towards its own first rank.
    Backward = "backward", "Backward moves of bishops, rooks and queens";
    BackwardKnight = "backward-knight", "Backward knight moves";
    Pinned = "pinned", "Moves of pinned pieces";
    CapturesChecker = "captures-checker", "Taking the piece that gives check";
    BlocksCheck = "blocks-check", "Putting a piece between";
    LeavesCheck = "leaves-check", "King moves out of check";
}

/// From this many squares on, a move along a line is long.
const LONG: usize = 4;

/// The kinds of a legal move, castling as king takes rook; in the order of [`Kind`].
pub fn kinds_of(position: &Position, m: Move) -> Vec<Kind> {
    let Some(mover) = position.piece_type_at(m.from()) else {
        return Vec::new();
    };
    let mut kinds = Vec::new();
    let us = position.side_to_move();
    let rule = explain(position, m).rule();
    let files = m.to().file().index().abs_diff(m.from().file().index());
    let ranks = m.to().rank().index().abs_diff(m.from().rank().index());
    let is_capture = position.is_capture(m);
    let is_castling = position.by_color(us).contains(m.to());
    match mover {
        PieceType::Pawn => {
            let is_en_passant = files > 0 && position.piece_at(m.to()).is_none();
            let step = match (files, ranks) {
                _ if is_en_passant => Some(Kind::EnPassant),
                (0, 2) => Some(Kind::DoubleStep),
                (0, _) => m.promotion().is_none().then_some(Kind::PawnStep),
                _ => Some(Kind::PawnCapture),
            };
            kinds.extend(step);
            kinds.extend(m.promotion().map(|piece| match piece {
                PieceType::Queen => Kind::Promotion,
                _ => Kind::Underpromotion,
            }));
        }
        PieceType::King if is_castling && m.to() > m.from() => kinds.push(Kind::CastlingShort),
        PieceType::King if is_castling => kinds.push(Kind::CastlingLong),
        PieceType::Knight => kinds.push(Kind::Knight),
        PieceType::Bishop => kinds.push(Kind::Bishop),
        PieceType::Rook => kinds.push(Kind::Rook),
        PieceType::Queen => kinds.push(Kind::Queen),
        PieceType::King => kinds.push(Kind::King),
    }
    if is_capture && mover != PieceType::Pawn {
        kinds.push(Kind::PieceCapture);
    }
    let checkers = position.play_unchecked(m).checkers();
    if !checkers.is_empty() {
        kinds.push(Kind::Check);
        // A castling rook has moved, though not to the square that the move names.
        if !is_castling && checkers.into_iter().any(|square| square != m.to()) {
            kinds.push(Kind::DiscoveredCheck);
        }
    }
    let is_slider = matches!(
        mover,
        PieceType::Bishop | PieceType::Rook | PieceType::Queen
    );
    if is_slider && files.max(ranks) >= LONG {
        let is_aslant = files == ranks;
        kinds.push(if is_aslant {
            Kind::LongDiagonal
        } else {
            Kind::LongStraight
        });
    }
    let is_backward = match us {
        Color::White => m.to().rank() < m.from().rank(),
        Color::Black => m.to().rank() > m.from().rank(),
    };
    if is_backward && is_slider {
        kinds.push(Kind::Backward);
    }
    if is_backward && mover == PieceType::Knight {
        kinds.push(Kind::BackwardKnight);
    }
    kinds.extend(match rule {
        Rule::AlongPin => Some(Kind::Pinned),
        Rule::CapturesChecker => Some(Kind::CapturesChecker),
        Rule::BlocksCheck => Some(Kind::BlocksCheck),
        Rule::LeavesCheck => Some(Kind::LeavesCheck),
        _ => None,
    });
    kinds
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;

    use super::*;
    use crate::candidates::{legal_texts, move_of};

    /// Positions, and below each some of its moves with their kinds.
    const MOVES: &str = "\
        r3k2r/1P6/8/3pP3/8/1n6/P6P/R3K2R w KQkq d6 0 1
        h2h3: pawn-step
        h2h4: double-step
        a2b3: pawn-capture
        e5d6: en-passant
        b7a8q: pawn-capture promotion check
        b7a8n: pawn-capture underpromotion
        b7b8r: underpromotion check
        e1g1: castling-short
        e1e2: king
        h1f1: rook
        4k3/8/8/8/8/2N4b/8/R3K3 w Q - 0 1
        e1c1: castling-long
        c3b1: knight backward-knight
        c3b5: knight
        a1a8: rook check long-straight
        4k3/8/8/q7/8/2B5/8/B3K2R w - - 0 1
        c3a5: bishop piece-capture pinned
        c3d2: bishop backward pinned
        h1h8: rook check long-straight
        4k3/8/8/8/4N3/8/7Q/4RK2 w - - 0 1
        e4d6: knight check discovered-check
        e4c3: knight check discovered-check backward-knight
        h2b8: queen check long-diagonal
        h2h1: queen backward
        k3r3/8/8/8/B7/5N2/8/4K3 w - - 0 1
        a4e8: bishop piece-capture long-diagonal captures-checker
        f3e5: knight blocks-check
        e1f2: king leaves-check";

    #[test]
    fn moves_are_of_the_kinds_that_people_name() {
        let mut position = Position::startpos();
        for line in MOVES.lines().map(str::trim) {
            let Some((text, expected)) = line.split_once(": ") else {
                position = fen::parse(line).expect("a legal FEN");
                continue;
            };
            let m = move_of(&position, &text.parse().expect("a move"));
            assert!(position.is_legal(m), "{line}");
            let kinds = kinds_of(&position, m);
            assert!(kinds.is_sorted(), "{line}");
            let words: Vec<&str> = kinds.into_iter().map(Kind::as_str).collect();
            assert_eq!(words.join(" "), expected, "{line}");
        }
    }

    /// Every legal move is of a kind, with Black as with White.
    #[test]
    fn no_move_is_without_a_kind() {
        for place in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ] {
            let position = fen::parse(place).expect("a legal FEN");
            for text in legal_texts(&position) {
                assert!(!kinds_of(&position, move_of(&position, &text)).is_empty());
            }
        }
    }
}
