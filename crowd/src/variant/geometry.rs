//! Candidate moves of a variant, by the diagram alone: where a piece of the side to move could go on an otherwise empty
//! board, as the card says. The opponent's pieces are not looked at, so that candidates reveal nothing about them.

use std::collections::BTreeSet;

use super::{Card, Movement, Piece, Placement, Reach, Ways};
use crate::candidates::Candidate;
use crate::model::{BoardPlace, MoveClass, MoveParts, MoveText};

/// All candidate moves of the side to move, sorted by text, each once.
pub fn candidates(card: &Card, placement: &Placement) -> Vec<Candidate> {
    let white = placement.white_to_move;
    let mut found = BTreeSet::new();
    for (from, letter) in placement.own() {
        let piece = card
            .piece(letter)
            .expect("a placement has pieces of its card");
        for to in targets(card, piece, from, white) {
            let becoming = |becomes| MoveText::from(MoveParts::Step { from, to, becomes });
            let promotion = promotion_on(card, piece, to, white);
            let (letters, must) = promotion.map_or(("", false), |it| (it.to.as_str(), it.must));
            let class = if piece.royal {
                MoveClass::King
            } else {
                MoveClass::Ordinary
            };
            if !must {
                let text = becoming(None);
                found.insert(Candidate { text, class });
            }
            found.extend(letters.chars().map(|letter| Candidate {
                text: becoming(Some(letter)),
                class: MoveClass::Promotion,
            }));
        }
    }
    let held = card
        .pieces
        .iter()
        .filter(|piece| placement.holds(piece.letter));
    for piece in held {
        let squares = card.squares();
        let squares = squares.filter(|&to| piece.drop_ranks.contains(&card.rank_for(to, white)));
        found.extend(squares.map(|to| Candidate {
            text: MoveText::from(MoveParts::Drop {
                piece: piece.letter,
                to,
            }),
            class: MoveClass::Ordinary,
        }));
    }
    found.into_iter().collect()
}

fn promotion_on<'a>(
    card: &Card,
    piece: &'a Piece,
    to: BoardPlace,
    white: bool,
) -> Option<&'a super::Promotion> {
    let promotion = piece.promotion.as_ref()?;
    let is_there = promotion.ranks.contains(&card.rank_for(to, white));
    is_there.then_some(promotion)
}

fn targets(card: &Card, piece: &Piece, from: BoardPlace, white: bool) -> BTreeSet<BoardPlace> {
    let mut targets = BTreeSet::new();
    for movement in &piece.moves {
        let is_from =
            movement.from.is_empty() || movement.from.contains(&card.rank_for(from, white));
        if is_from {
            go(card, movement, from, white, &mut targets);
        }
    }
    targets.remove(&from);
    targets
}

fn go(
    card: &Card,
    movement: &Movement,
    from: BoardPlace,
    white: bool,
    to: &mut BTreeSet<BoardPlace>,
) {
    let (step, most) = match movement.reach {
        Reach::Free => {
            to.extend(card.squares());
            return;
        }
        Reach::Leap(x, y) => ((x, y), 1),
        Reach::Ride { step, most } => (step, most),
    };
    for (files, ranks) in images(step) {
        let ahead = if white { ranks } else { -ranks };
        let is_wanted = match movement.ways {
            Ways::All => true,
            Ways::Ahead => ahead > 0,
            Ways::Back => ahead < 0,
            Ways::Side => ahead == 0,
        };
        let mut at = from;
        for _ in 0..most {
            let file = at.file.checked_add_signed(files);
            let rank = at.rank.checked_add_signed(ranks);
            let next = file.zip(rank).map(|(file, rank)| BoardPlace { file, rank });
            let Some(next) = next.filter(|&next| is_wanted && card.has(next)) else {
                break;
            };
            to.insert(next);
            at = next;
        }
    }
}

/// The up to eight steps that a pair of distances stands for.
fn images((x, y): (u8, u8)) -> BTreeSet<(i8, i8)> {
    let (x, y) = (x.cast_signed(), y.cast_signed());
    let pairs = [(x, y), (y, x)].into_iter();
    pairs
        .flat_map(|(x, y)| [(x, y), (-x, y), (x, -y), (-x, -y)])
        .collect()
}

/// Why a move cannot be listed: a fault of form, visible in the diagram and on the card.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    /// A square beyond the board.
    #[error("{0} is not on this board, which has {1} files and {2} ranks")]
    OffBoard(BoardPlace, u8, u8),
    /// The first square is empty or holds an opponent's piece.
    #[error("no piece of the side to move stands on {0}")]
    NotOwnPiece(BoardPlace),
    /// A piece that must become another one does not.
    #[error(
        "the {name} that goes to {to} becomes another piece: one of {letters} is expected at the end"
    )]
    MissingPromotion {
        /// What the piece is called.
        name: String,
        /// Its target.
        to: BoardPlace,
        /// The letters to choose from.
        letters: String,
    },
    /// A promotion piece for a move that does not promote, or another one than the card has.
    #[error("the {name} that goes to {to} does not become '{letter}'")]
    OtherPromotion {
        /// What the piece is called.
        name: String,
        /// Its target.
        to: BoardPlace,
        /// The letter given.
        letter: char,
    },
    /// A drop of a piece that is not in the pocket.
    #[error("the side to move has no '{0}' in its pocket")]
    NotHeld(char),
}

/// A listed move, legal or not, candidate or not, if the diagram and the card's promotions allow its form.
///
/// # Errors
///
/// [`FormError`], when the diagram rules the text out as a move of the side to move.
pub fn canonical(
    card: &Card,
    placement: &Placement,
    text: &MoveText,
) -> Result<MoveText, FormError> {
    let off = |place| FormError::OffBoard(place, card.files, card.ranks);
    let on_board = |place: BoardPlace| card.has(place).then_some(place).ok_or_else(|| off(place));
    match text.wide_parts() {
        MoveParts::Drop { piece, to } => {
            on_board(to)?;
            if !placement.holds(piece) {
                return Err(FormError::NotHeld(piece.to_ascii_uppercase()));
            }
        }
        MoveParts::Step { from, to, becomes } => {
            on_board(from)?;
            on_board(to)?;
            let white = placement.white_to_move;
            let stand = placement.board.get(&from).filter(|it| it.white == white);
            let stand = stand.ok_or(FormError::NotOwnPiece(from))?;
            let piece = card.piece(stand.letter);
            let piece = piece.expect("a placement has pieces of its card");
            let promotion = promotion_on(card, piece, to, white);
            let name = || piece.name.clone();
            match (becomes, promotion) {
                (None, Some(promotion)) if promotion.must => {
                    return Err(FormError::MissingPromotion {
                        name: name(),
                        to,
                        letters: promotion.to.clone(),
                    });
                }
                (Some(letter), of) if of.is_none_or(|of| !of.to.contains(letter)) => {
                    let name = name();
                    return Err(FormError::OtherPromotion { name, to, letter });
                }
                _ => {}
            }
        }
    }
    Ok(text.clone())
}

#[cfg(test)]
mod tests {
    use super::super::read::tests::{CHESS_LIKE, card};
    use super::super::read_card;
    use super::*;

    #[test]
    fn standard_chess_by_a_card_has_the_candidates_of_standard_chess() {
        let card = read_card(CHESS_LIKE).expect("good");
        for suite in epd::suites::ALL {
            for entry in suite.parse().entries {
                let position = *entry.record.position();
                if position.castling_mode() == chess::rules::CastlingMode::Chess960 {
                    continue;
                }
                let fen = chess::notation::fen::write(&position);
                let placement = Placement::read(&card, &fen).expect("a standard board");
                let texts = |all: Vec<Candidate>| -> Vec<MoveText> {
                    all.into_iter().map(|one| one.text).collect()
                };
                let mut expected = texts(crate::candidates::candidates(&position));
                // The card has no castling, which depends on more than the king's rank.
                let king = position.king(position.side_to_move());
                let is_castling = |text: &MoveText| {
                    let (from, to, _) = text.parts().expect("standard");
                    from == king && from.file().index().abs_diff(to.file().index()) == 2
                };
                expected.retain(|text| !is_castling(text));
                assert_eq!(texts(candidates(&card, &placement)), expected, "{fen}");
            }
        }
    }

    #[test]
    fn drops_free_pieces_and_ways_are_candidates() {
        let card = card(4, 3);
        let texts = |fen: &str| {
            let placement = Placement::read(&card, fen).expect(fen);
            let found = candidates(&card, &placement).into_iter();
            found
                .map(|one| one.text.to_string())
                .collect::<Vec<_>>()
                .join(" ")
        };
        // The pawn goes ahead, and becomes a king or stays on the last rank; it is dropped on ranks 1 and 2.
        assert_eq!(texts("4/4/P3 w"), "a1a2");
        assert_eq!(texts("4/P3/4 w"), "a2a3 a2a3k");
        assert_eq!(texts("4/p3/4 b"), "a2a1 a2a1k");
        assert_eq!(
            texts("4/4/4[Pk] w"),
            "P@a1 P@a2 P@b1 P@b2 P@c1 P@c2 P@d1 P@d2"
        );
        assert_eq!(
            texts("4/4/4[p] b"),
            "P@a2 P@a3 P@b2 P@b3 P@c2 P@c3 P@d2 P@d3"
        );
        assert_eq!(texts("4/4/4[k] b"), "");
        assert_eq!(texts("4/4/F3 w").split(' ').count(), 11);
    }

    #[test]
    fn only_faults_of_form_are_rejected() {
        let card = card(4, 3);
        let placement = Placement::read(&card, "3k/P3/K3[P] w").expect("good");
        let check = |text: &str, expected: Result<&str, &str>| {
            let listed = text.parse().expect(text);
            let found = canonical(&card, &placement, &listed);
            let found = found
                .map(|m| m.to_string())
                .map_err(|error| error.to_string());
            assert_eq!(found, expected.map(str::to_owned).map_err(str::to_owned));
        };
        check("a2a3k", Ok("a2a3k"));
        check("a2a3", Ok("a2a3"));
        check("a1d3", Ok("a1d3"));
        check("P@d3", Ok("P@d3"));
        check("a2a3p", Err("the pawn that goes to a3 does not become 'p'"));
        check("a2b2k", Err("the pawn that goes to b2 does not become 'k'"));
        check("d3d2", Err("no piece of the side to move stands on d3"));
        check("b1b2", Err("no piece of the side to move stands on b1"));
        check("K@b1", Err("the side to move has no 'K' in its pocket"));
        check(
            "a1e1",
            Err("e1 is not on this board, which has 4 files and 3 ranks"),
        );
        check(
            "P@a4",
            Err("a4 is not on this board, which has 4 files and 3 ranks"),
        );
    }
}
