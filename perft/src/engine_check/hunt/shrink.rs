//! Removes parts of the position while the fault still shows.

use chess::notation::fen;
use chess::rules::{Color, Piece, PieceType, Position, Setup, Square};

use super::fault::{HuntEnd, NoReply};
use super::judge::Asker;
use super::question::CountQuestion;
use super::trace::{MoveClass, Sighting, Trace};
use crate::count::subject::Route;

/// Makes a sighting as small as possible: least depth first, then the fewest parts. At the end, no
/// single part can be removed. If asking ends early, the smallest sighting so far remains.
///
/// # Errors
///
/// When asking ended before shrinking was complete.
pub(super) fn shrink(
    asker: &mut Asker<'_>,
    trace: &Trace,
    sighting: &mut Sighting,
) -> Result<(), HuntEnd> {
    let mut shrinker = Shrinker {
        asker,
        trace,
        sighting,
    };
    shrinker.lower_depth()?;
    if *trace == Trace::Failed(NoReply::NoAnswer) {
        shrinker.keep_few()?;
    }
    shrinker.remove_parts()?;
    while shrinker.lower_depth()? {
        shrinker.remove_parts()?;
    }
    Ok(())
}

/// Two kings and what a rule may need: castling with a rook and a piece that attacks, say.
const MOST_PIECES_OF_A_RULE: u32 = 7;

struct Shrinker<'h, 'a> {
    asker: &'h mut Asker<'a>,
    trace: &'h Trace,
    sighting: &'h mut Sighting,
}

impl Shrinker<'_, '_> {
    /// Replaces the sighting by a smaller question if the fault shows there.
    fn take_if_wrong(&mut self, question: &CountQuestion) -> Result<bool, HuntEnd> {
        let found = self.trace.look(self.asker, question)?;
        Ok(found.map(|found| *self.sighting = found).is_some())
    }

    fn lower_depth(&mut self) -> Result<bool, HuntEnd> {
        for depth in self.sighting.question.smaller_depths() {
            if self.take_if_wrong(&self.sighting.question.at_depth(depth))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Removes ever smaller groups of parts, finally one by one until none can be removed.
    fn remove_parts(&mut self) -> Result<(), HuntEnd> {
        let mut size = self.parts().len();
        while size > 0 {
            let mut removed = false;
            for group in self.parts().chunks(size) {
                removed |= self.remove(group)?;
            }
            if size > 1 || !removed {
                size /= 2;
            }
            if size == 0 && self.remove_with_king_aside()? {
                size = 1;
            }
        }
        Ok(())
    }

    /// Removes a part and puts a king into a corner, if more pieces remain than a rule needs: some may only
    /// be there to shield that king. Returns whether that was possible.
    fn remove_with_king_aside(&mut self) -> Result<bool, HuntEnd> {
        let root = *self.sighting.question.route.root();
        if root.occupied().count() <= MOST_PIECES_OF_A_RULE {
            return Ok(false);
        }
        for color in Color::ALL {
            for corner in [Square::A1, Square::H1, Square::A8, Square::H8] {
                let Some(aside) = with_king_at(&root, color, corner) else {
                    continue;
                };
                for part in parts_of(&aside) {
                    if self.take_root_if_wrong(without(&aside, &[part]))? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    fn remove(&mut self, parts: &[RemovablePart]) -> Result<bool, HuntEnd> {
        let root = self.sighting.question.route.root();
        self.take_root_if_wrong(without(root, parts))
    }

    /// Asks for the same moves from another root, if there is one from which they can be played.
    fn take_root_if_wrong(&mut self, root: Option<Position>) -> Result<bool, HuntEnd> {
        let CountQuestion { route, depth } = &self.sighting.question;
        let depth = *depth;
        match root.and_then(|root| same_moves_from(&root, route)) {
            Some(route) => self.take_if_wrong(&CountQuestion { route, depth }),
            None => Ok(false),
        }
    }

    /// Tries positions with at most two pieces besides the kings. Where each sighting costs a timeout
    /// and each miss next to nothing, this is cheaper than removing parts.
    fn keep_few(&mut self) -> Result<(), HuntEnd> {
        let is_piece = |part: &RemovablePart| matches!(part, RemovablePart::Piece(_));
        let pieces: Vec<RemovablePart> = self.parts().into_iter().filter(is_piece).collect();
        let none = std::iter::once(Vec::new());
        let singles = pieces.iter().map(|&part| vec![part]);
        let pairs = pieces.iter().enumerate().flat_map(|(index, &first)| {
            let others = pieces[index + 1..].iter();
            others.map(move |&second| vec![first, second])
        });
        for kept in none.chain(singles).chain(pairs) {
            let others = pieces.iter().copied().filter(|part| !kept.contains(part));
            if self.remove(&others.collect::<Vec<_>>())? {
                break;
            }
        }
        Ok(())
    }

    fn parts(&self) -> Vec<RemovablePart> {
        parts_of(self.sighting.question.route.root())
    }
}

/// The same moves from a smaller root, if they are legal there and of the same class.
pub(crate) fn same_moves_from(root: &Position, route: &Route) -> Option<Route> {
    let mut old = *route.root();
    let mut smaller = Route::by_fen(*root);
    for &m in route.moves() {
        let new = smaller.position();
        if !new.is_legal(m) || MoveClass::new(m, &old) != MoveClass::new(m, new) {
            return None;
        }
        old = old.play_unchecked(m);
        smaller = smaller.then(m);
    }
    Some(smaller)
}

/// A part of a position that may be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RemovablePart {
    HalfmoveClock,
    FullmoveNumber,
    EpSquare,
    /// The right to castle with the rook on this square.
    CastlingRight(Square),
    Piece(Square),
}

/// Every removable part: all but the kings.
pub(crate) fn parts_of(position: &Position) -> Vec<RemovablePart> {
    let mut parts = Vec::new();
    if position.halfmove_clock() != 0 {
        parts.push(RemovablePart::HalfmoveClock);
    }
    if position.fullmove_number() != 1 {
        parts.push(RemovablePart::FullmoveNumber);
    }
    parts.extend(position.ep_square().map(|_| RemovablePart::EpSquare));
    parts.extend(
        position
            .castling_rooks()
            .into_iter()
            .map(RemovablePart::CastlingRight),
    );
    let pieces = position.occupied() & !position.by_type(PieceType::King);
    parts.extend(pieces.into_iter().map(RemovablePart::Piece));
    parts
}

/// The position without some parts and their dependants; `None` if that is not legal.
pub(crate) fn without(position: &Position, parts: &[RemovablePart]) -> Option<Position> {
    let mut setup = position.to_setup();
    for &part in parts {
        remove(&mut setup, part);
    }
    let smaller = Position::from_setup(setup).ok()?;
    let text = fen::write(&smaller);
    (fen::parse(&text) == Ok(smaller) && smaller != *position).then_some(smaller)
}

/// The position with a king on another square, and without its castling rights; `None` if that is illegal.
fn with_king_at(position: &Position, color: Color, square: Square) -> Option<Position> {
    let mut setup = position.to_setup();
    let king = setup.board[position.king(color).index()].take();
    let is_free = setup.board[square.index()].is_none();
    setup.board[square.index()] = king;
    setup.castling_rooks &= !position.by_color(color);
    Position::from_setup(setup).ok().filter(|_| is_free)
}

fn remove(setup: &mut Setup, part: RemovablePart) {
    match part {
        RemovablePart::HalfmoveClock => setup.halfmove_clock = 0,
        RemovablePart::FullmoveNumber => setup.fullmove_number = 1,
        RemovablePart::EpSquare => setup.ep_square = None,
        RemovablePart::CastlingRight(rook) => setup.castling_rooks &= !rook.bitboard(),
        RemovablePart::Piece(square) => {
            setup.board[square.index()] = None;
            setup.castling_rooks &= !square.bitboard();
            // The pawn that has passed over the en passant square must still be there.
            let them = !setup.side_to_move;
            let in_front = |square: Square| square.offset(0, Color::forward(them));
            let pawn = setup.ep_square.and_then(in_front);
            let is_pawn = pawn.and_then(|square| setup.piece_at(square))
                == Some(Piece::new(them, PieceType::Pawn));
            if !is_pawn {
                setup.ep_square = None;
            }
        }
    }
}
