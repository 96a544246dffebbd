//! Candidate moves, their classes and canonical form: by the diagram alone, without legality.

use std::collections::BTreeSet;

use chess::rules::{
    Bitboard, CastlingMode, CastlingSide, Color, File, PieceType, Position, Rank, Square, attacks,
};

use crate::model::{MoveClass, MoveText};

/// The input of candidate generation: one side's pieces, the en passant field, and the castling
/// notation.
///
/// It excludes the opponent's pieces and castling rights, so that candidates cannot reveal anything
/// about them.
pub(super) struct Diagram {
    own: [Option<PieceType>; Square::COUNT],
    pub(super) side: Color,
    pub(super) ep_square: Option<Square>,
    pub(super) form: CastlingMode,
}

impl Diagram {
    pub(super) fn from_position(position: &Position) -> Self {
        let side = position.side_to_move();
        let own = Square::ALL.map(|square| {
            let piece = position.piece_at(square)?;
            (piece.color == side).then_some(piece.piece_type)
        });
        Self {
            own,
            side,
            ep_square: position.ep_square(),
            form: position.castling_mode(),
        }
    }

    pub(super) fn own(&self, square: Square) -> Option<PieceType> {
        self.own[square.index()]
    }

    pub(super) fn squares(&self, piece_type: PieceType) -> impl Iterator<Item = Square> + '_ {
        Square::ALL
            .into_iter()
            .filter(move |&square| self.own(square) == Some(piece_type))
    }

    /// The king's home square in standard chess.
    pub(super) fn standard_king(&self) -> Square {
        match self.side {
            Color::White => Square::E1,
            Color::Black => Square::E8,
        }
    }

    pub(super) fn first_rank(&self) -> Rank {
        Rank::R1.relative_to(self.side)
    }

    pub(super) fn last_rank(&self) -> Rank {
        Rank::R8.relative_to(self.side)
    }

    /// Whether the move is castling in the notation used here: the king's two squares, or king
    /// takes rook.
    pub(super) fn is_castling(&self, from: Square, to: Square) -> bool {
        if self.own(from) != Some(PieceType::King) || from.rank() != self.first_rank() {
            return false;
        }
        match self.form {
            CastlingMode::Standard => {
                from == self.standard_king()
                    && to.rank() == from.rank()
                    && from.index().abs_diff(to.index()) == 2
            }
            CastlingMode::Chess960 => {
                to.rank() == from.rank() && self.own(to) == Some(PieceType::Rook)
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Candidate {
    pub text: MoveText,
    pub class: MoveClass,
}

/// All candidate moves of the side to move, sorted by text, each once.
pub fn candidates(position: &Position) -> Vec<Candidate> {
    let diagram = Diagram::from_position(position);
    let candidates: BTreeSet<Candidate> = PieceType::ALL
        .into_iter()
        .flat_map(|piece_type| diagram.squares(piece_type))
        .flat_map(|from| texts_from(&diagram, from))
        .map(|text| Candidate {
            class: class(&diagram, &text),
            text,
        })
        // Sorted texts are in no generator's order, which would hint at the answers.
        .collect();
    candidates.into_iter().collect()
}

/// The class of a candidate; `None` for a move that is not a candidate or not in canonical form.
pub fn class_of(position: &Position, text: &MoveText) -> Option<MoveClass> {
    let diagram = Diagram::from_position(position);
    let (from, _, _) = text.parts();
    diagram.own(from)?;
    texts_from(&diagram, from)
        .contains(text)
        .then(|| class(&diagram, text))
}

fn texts_from(diagram: &Diagram, from: Square) -> Vec<MoveText> {
    let Some(piece_type) = diagram.own(from) else {
        return Vec::new();
    };
    let targets = targets(diagram, piece_type, from).into_iter();
    if piece_type == PieceType::Pawn {
        return targets
            .flat_map(|to| pawn_texts(diagram, from, to))
            .collect();
    }
    targets.map(|to| MoveText::new(from, to, None)).collect()
}

fn pawn_texts(diagram: &Diagram, from: Square, to: Square) -> Vec<MoveText> {
    if to.rank() != diagram.last_rank() {
        return vec![MoveText::new(from, to, None)];
    }
    // Four promotions are four legal moves, as perft counts them.
    PieceType::PROMOTIONS
        .into_iter()
        .map(|promotion| MoveText::new(from, to, Some(promotion)))
        .collect()
}

/// The squares that a piece reaches on an empty board; for the king, also castling in the notation
/// used here.
fn targets(diagram: &Diagram, piece_type: PieceType, from: Square) -> Bitboard {
    let straight = || attacks::rook(from, Bitboard::EMPTY);
    let aslant = || attacks::bishop(from, Bitboard::EMPTY);
    match piece_type {
        PieceType::Pawn => attacks::pawn(diagram.side, from) | steps_ahead(diagram, from),
        PieceType::Knight => attacks::knight(from),
        PieceType::Bishop => aslant(),
        PieceType::Rook => straight(),
        PieceType::Queen => straight() | aslant(),
        PieceType::King => attacks::king(from) | castling_targets(diagram, from),
    }
}

fn steps_ahead(diagram: &Diagram, from: Square) -> Bitboard {
    let at_start = from.rank() == Rank::R2.relative_to(diagram.side);
    let longest = if at_start { 2 } else { 1 };
    (1..=longest)
        .filter_map(|steps| from.offset(0, steps * diagram.side.forward()))
        .collect()
}

fn castling_targets(diagram: &Diagram, king: Square) -> Bitboard {
    let everywhere: Bitboard = match diagram.form {
        CastlingMode::Standard => [-2, 2]
            // Rooks and rights do not matter here: a missing question would be a hint.
            .into_iter()
            .filter_map(|files| king.offset(files, 0))
            .collect(),
        CastlingMode::Chess960 => diagram.squares(PieceType::Rook).collect(),
    };
    everywhere
        .into_iter()
        .filter(|&to| diagram.is_castling(king, to))
        .collect()
}

fn class(diagram: &Diagram, text: &MoveText) -> MoveClass {
    let (from, to, promotion) = text.parts();
    match diagram.own(from) {
        Some(PieceType::King) if diagram.is_castling(from, to) => MoveClass::Castling,
        Some(PieceType::King) => MoveClass::King,
        Some(PieceType::Pawn) if promotion.is_some() => MoveClass::Promotion,
        Some(PieceType::Pawn) if diagram.ep_square == Some(to) && from.file() != to.file() => {
            MoveClass::EnPassant
        }
        _ => MoveClass::Ordinary,
    }
}

/// Why a move cannot be listed: a fault of form, visible in the diagram; legality is not
/// considered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListedMoveError {
    /// The first square is empty or holds an opponent's piece.
    #[error("no piece of the side to move stands on {0}")]
    NotOwnPiece(Square),
    #[error(
        "the pawn from {0} to its last rank becomes another piece: one of n, b, r, q is expected at the end"
    )]
    MissingPromotion(Square),
    #[error(
        "only a pawn that goes to its last rank is promoted, and on {0} none does: no letter is expected at the end"
    )]
    SuperfluousPromotion(Square),
}

/// The canonical form of a listed move, legal or not, candidate or not.
///
/// Only castling has two forms. The canonical one is the king's two squares (`e1g1`) in standard
/// chess, also if the king was put on its rook in the corner; in Chess960 it is king takes rook,
/// also if the king was moved two squares or more towards the g-file or c-file and it has one rook
/// on that side.
///
/// # Errors
///
/// [`ListedMoveError`], when the diagram rules the text out as a move of the side to move.
pub fn canonical(position: &Position, text: &MoveText) -> Result<MoveText, ListedMoveError> {
    let diagram = Diagram::from_position(position);
    let (from, to, promotion) = text.parts();
    let piece_type = diagram
        .own(from)
        .ok_or(ListedMoveError::NotOwnPiece(from))?;
    let promotes = piece_type == PieceType::Pawn && to.rank() == diagram.last_rank();
    match (promotes, promotion) {
        (true, None) => Err(ListedMoveError::MissingPromotion(from)),
        (false, Some(_)) => Err(ListedMoveError::SuperfluousPromotion(from)),
        _ if piece_type == PieceType::King => {
            let to = castling_target(&diagram, from, to).unwrap_or(to);
            Ok(MoveText::new(from, to, None))
        }
        _ => Ok(text.clone()),
    }
}

/// The target of a king move in canonical form, if it can only be meant as castling.
fn castling_target(diagram: &Diagram, king: Square, to: Square) -> Option<Square> {
    if to.rank() != king.rank() || king.rank() != diagram.first_rank() {
        return None;
    }
    let side = CastlingSide::new(king, to);
    match diagram.form {
        CastlingMode::Standard => {
            // The corner is beyond the king's reach, so that a king put on its rook can only mean
            // castling.
            let in_corner =
                to == side.standard_rook(diagram.side) && diagram.own(to) == Some(PieceType::Rook);
            (in_corner && king == diagram.standard_king()).then(|| side.king_target(diagram.side))
        }
        CastlingMode::Chess960 => {
            // Two files or more to the c-file or g-file are no step of a king. With two rooks on
            // that side it would be a guess which one castles.
            let is_long_way = matches!(to.file(), File::C | File::G)
                && king.index().abs_diff(to.index()) >= 2
                && !diagram.is_castling(king, to);
            let mut rooks = diagram.squares(PieceType::Rook).filter(|&rook| {
                diagram.is_castling(king, rook) && CastlingSide::new(king, rook) == side
            });
            let rook = rooks.next().filter(|_| is_long_way)?;
            rooks.next().is_none().then_some(rook)
        }
    }
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;

    use super::*;

    fn check(text: &str, listed: &str, expected: Result<&str, &str>) {
        let position = fen::parse(text).expect("a legal FEN");
        let found = canonical(&position, &listed.parse().expect("two squares"));
        let found = found
            .map(|text| text.to_string())
            .map_err(|error| error.to_string());
        let expected = expected.map(str::to_owned).map_err(str::to_owned);
        assert_eq!(found, expected, "{listed} in {text}");
    }

    #[test]
    fn standard_castling_is_the_kings_two_squares() {
        let both = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        check(both, "e1h1", Ok("e1g1"));
        check(both, "e1a1", Ok("e1c1"));
        check(both, "e1g1", Ok("e1g1"));
        let black = "r3k2r/8/8/8/8/8/8/R3K2R b - - 0 1";
        check(black, "e8h8", Ok("e8g8"));
        check(black, "e8a8", Ok("e8c8"));
        check("4k3/8/8/8/8/8/8/4KR2 w - - 0 1", "e1f1", Ok("e1f1"));
        check("4k3/8/8/8/8/8/8/4K2N w - - 0 1", "e1h1", Ok("e1h1"));
        check("4k3/8/8/8/8/8/8/5K1R w - - 0 1", "f1h1", Ok("f1h1"));
        check("4k3/8/8/8/8/8/4K2R/8 w - - 0 1", "e2h2", Ok("e2h2"));
    }

    #[test]
    fn castling_in_chess960_is_king_takes_rook() {
        let two = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w BGbg - 0 1";
        check(two, "e1g1", Ok("e1g1"));
        check(two, "e1b1", Ok("e1b1"));
        check(two, "e1c1", Ok("e1b1"));
        check(two, "e1d1", Ok("e1d1"));
        let beside = "4k3/8/8/8/8/8/8/R4KR1 w AG - 0 1";
        check(beside, "f1g1", Ok("f1g1"));
        check(beside, "f1c1", Ok("f1a1"));
        let three = "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1";
        check(three, "e1c1", Ok("e1c1"));
        check(three, "e1a1", Ok("e1a1"));
    }

    #[test]
    fn faults_of_form_are_refused_and_nothing_else() {
        let text = "4k3/P7/8/8/8/8/4q3/4K3 w - - 0 1";
        check(text, "a7a8q", Ok("a7a8q"));
        check(text, "a7h8n", Ok("a7h8n"));
        check(text, "a7a1", Ok("a7a1"));
        check(text, "e1e8", Ok("e1e8"));
        check(
            text,
            "a7a8",
            Err(
                "the pawn from a7 to its last rank becomes another piece: one of n, b, r, q is expected at the end",
            ),
        );
        check(
            text,
            "a7a6q",
            Err(
                "only a pawn that goes to its last rank is promoted, and on a7 none does: no letter is expected at the end",
            ),
        );
        check(
            text,
            "e1e2q",
            Err(
                "only a pawn that goes to its last rank is promoted, and on e1 none does: no letter is expected at the end",
            ),
        );
        check(
            text,
            "e2e3",
            Err("no piece of the side to move stands on e2"),
        );
        check(
            text,
            "d4d5",
            Err("no piece of the side to move stands on d4"),
        );
    }
}
