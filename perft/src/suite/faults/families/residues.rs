//! What moves leave behind: castling rights, en passant squares, pieces, the king's square, the side to move.

use chess::rules::{CastlingSide, Color, File, Piece, PieceType, Rank, Square};

use super::super::board::{Board, Change, Right};
use super::super::features::{
    ASKS, CORNERS, DIRECTIONS, FILES, MOVES, PIECES, PROMOTIONS, SIDES, SQUARES, TAKES, VICTIMS,
    WEST_EAST, direction, distance,
};
use super::super::scene::{Candidate, Scene};
use super::castling::side;
use super::{Effect, Family, Left, ORDERS, Sides};

/// What takes a rook.
#[rustfmt::skip]
const TAKERS: [&str; 9] = [
    "knight", "bishop", "rook", "queen", "king", "promotion-q", "promotion-r", "promotion-b", "promotion-n",
];
const HOW_LOST: [&str; 5] = [
    "king-moved",
    "castled",
    "rook-moved",
    "rook-captured",
    "rook-captured-by-promotion",
];
const ODD: [&str; 2] = ["king", "rook"];
const CONTEXTS: [&str; 3] = ["with-check", "in-check", "with-an-old-square"];
const WRONG_EP: [&str; 4] = ["west", "east", "beyond", "behind"];
const WRONG_VICTIMS: [&str; 3] = ["beyond", "west-of-it", "east-of-it"];
#[rustfmt::skip]
const WRONG_CASTLING: [&str; 5] = ["rook-stays", "rook-doubled", "rook-vanishes", "king-doubled", "one-file-too-far"];
const LEFT_CASTLING: [&str; 3] = ["rook-left", "rook-doubled", "rook-missing"];
const GIVEN_BY: [&str; 3] = ["a-king's-move", "a-rook's-move", "any-move"];
const PUT_BACK: [&str; 3] = ["a-pawn", "a-queen", "an-own-piece"];
const EP_PUT_BACK: [&str; 3] = ["on-the-target", "beyond", "beside-its-file"];

families! {
    Shared Leaves "right-kept/king-moved" [VICTIMS, CORNERS, ASKS] "a king that takes {} keeps the right to {}, {}" =>
        |scene, m, next, left| keeps(scene, m, next, 0, left, || Some(m.victim_value()));
    Shared Leaves "right-kept/castled" [SIDES, CORNERS, ASKS] "castling {} keeps the right to {}, {}" =>
        |scene, m, next, left| keeps(scene, m, next, 1, left, || side(m));
    Shared Leaves "right-kept/rook-moved" [VICTIMS, CORNERS, ASKS] "a rook that takes {} keeps the right to {}, {}" =>
        |scene, m, next, left| keeps(scene, m, next, 2, left, || Some(m.victim_value()));
    Shared Leaves "right-kept/king-step" [DIRECTIONS, CORNERS, ASKS] "a king that steps to the {} keeps the right to {}, {}" =>
        |scene, m, next, left| keeps(scene, m, next, 0, left, || direction(m.from, m.to));
    Shared Leaves "right-kept/rook-slide" [["file", "rank"], CORNERS, ASKS] "a rook that moves along its {} keeps the right to {}, {}" =>
        |scene, m, next, left| keeps(scene, m, next, 2, left, || Some(usize::from(m.from.rank() == m.to.rank())));
    Shared Leaves "right-kept/rook-captured" [TAKERS, CORNERS, ASKS] "a rook taken by a {} keeps the right to {}, {}" =>
        |scene, m, next, left| keeps(scene, m, next, 3, left, || {
            // A pawn can take a rook at home only by promoting.
            m.promotion().map(|kind| 5 + kind).or_else(|| m.piece.index().checked_sub(1))
        });
    Shared Leaves "right-kept/off-corner" [HOW_LOST, CORNERS, ODD, ASKS]
        "keeps the right lost as '{}' to {} of Chess960, with a {} elsewhere than in standard chess, {}" =>
        |scene, m, next, left| {
            for (corner, how) in lost(scene, m, next) {
                let (color, side) = corner_of(corner);
                // A generator that knows e1 and the corners alone misses pieces from elsewhere.
                let (of_chess960, of_standard) = (right(scene.board, corner)?, home(color, side));
                let is_odd = [of_chess960.king != of_standard.king, of_chess960.rook != of_standard.rook];
                for odd in (0..ODD.len()).filter(|&odd| is_odd[odd]) {
                    keep(corner, left, |asks| [how, corner, odd, asks]);
                }
            }
            None
        };
    Apart Leaves "right-lost/from" [SQUARES, CORNERS] "a piece that leaves {} ends the right to {}" =>
        |_, m, next, left| loses(next, left, m.from.index());
    Apart Leaves "right-lost/to" [SQUARES, CORNERS] "a piece that comes to {} ends the right to {}" =>
        |_, m, next, left| loses(next, left, m.to.index());
    Apart Leaves "right-lost/by" [MOVES, CORNERS] "{} ends the right to {}" =>
        |_, m, next, left| loses(next, left, m.kind);
    Shared Leaves "right-lost/check" [["any"], CORNERS] "{} check ends the right to {} of the side in check" =>
        |_, _, next, left| {
            let mut checked = *next;
            checked.rights[!next.side_to_move] = [None; 2];
            (checked.rights.0.iter().flatten().any(Option::is_some) && next.is_check()).then(|| loses(&checked, left, 0))?
        };
    Apart Leaves "ep-not-set" [FILES] "a double push on the {}-file sets no en passant square" =>
        |_, m, _, left| m.is_double().then(|| left.at([m.to.file().index()], Change::SetEp(None)))?;
    Each Leaves "ep-not-set/capturers" [["west", "east", "both"]]
        "a double push sets no en passant square if a pawn may take from: {}" => |scene, m, _, left| {
        let [west, east] = [-1, 1].map(|files| {
            let beside = m.to.offset(files, 0).filter(|_| m.is_double());
            beside.is_some_and(|square| scene.board.is(square, scene.them, PieceType::Pawn))
        });
        let capturers = (usize::from(west) + 2 * usize::from(east)).checked_sub(1)?;
        left.at([capturers], Change::SetEp(None))
    };
    Each Leaves "ep-not-set/context" [CONTEXTS] "a double push sets no en passant square {}" => |scene, m, next, left| {
        let is = [next.is_check(), !scene.checkers.is_empty(), scene.board.ep_square.is_some()];
        for (context, _) in is.into_iter().enumerate().filter(|&(_, is)| is && m.is_double()) {
            left.at([context], Change::SetEp(None));
        }
        None
    };
    Each Leaves "ep-set/wrong" [WRONG_EP] "a double push sets the en passant square one square off: {}" => |scene, m, next, left| {
        let (right, forward) = (next.ep_square.filter(|_| m.is_double())?, scene.us.forward());
        let steps = [(-1, 0), (1, 0), (0, forward), (0, -forward)];
        for (index, (files, ranks)) in steps.into_iter().enumerate() {
            if let wrong @ Some(_) = right.offset(files, ranks) {
                left.at([index], Change::SetEp(wrong));
            }
        }
        None
    };
    Each Leaves "ep-set/by" [PIECES, ["from-rank-2", "elsewhere"]]
        "an en passant square is set after two squares along a file by a {}, or a single push: {}" => |scene, m, _, left| {
        let (files, ranks) = distance(m.from, m.to);
        let behind = match (files, ranks.abs(), m.is(PieceType::Pawn)) {
            (0, 2, false) | (0, 1, true) => m.to.offset(0, -ranks.signum()),
            _ => None,
        };
        let is_elsewhere = m.from.rank() != Rank::R2.relative_to(scene.us);
        behind.and_then(|_| left.at([m.piece.index(), usize::from(is_elsewhere)], Change::SetEp(behind)))
    };
    Each Leaves "ep-kept" [MOVES] "{} does not end the right to take en passant" => |scene, m, _, left| {
        // Double pushes have a family of their own below.
        let keeps = scene.board.ep_square.is_some() && !m.is_double();
        keeps.then(|| left.at([m.kind], Change::KeepEp))?
    };
    Each Leaves "ep-not-replaced" [["same", "other"]] "a double push does not replace the en passant square of the {} rank" =>
        |scene, m, next, left| {
            let (old, new) = (scene.board.ep_square.filter(|_| m.is_double())?, next.ep_square?);
            left.at([usize::from(old.rank() != new.rank())], Change::KeepEp)
        };
    Apart Leaves "victim-kept" [FILES] "leaves the pawn taken en passant on the {}-file" => |scene, m, _, left|
        m.is_ep().then(|| left.at([m.to.file().index()], Change::Keep(scene.board.victim_square(m.to))))?;
    Each Leaves "victim-kept/way" [WEST_EAST] "leaves the pawn taken en passant to the {}" => |scene, m, _, left|
        m.is_ep().then(|| left.at([m.way() - 1], Change::Keep(scene.board.victim_square(m.to))))?;
    Each Leaves "victim-wrong" [WRONG_VICTIMS] "takes en passant what stands {}" => |scene, m, _, left| {
        let victim = scene.board.victim_square(m.to);
        let wrong = [m.to.offset(0, scene.us.forward()), victim.offset(-1, 0), victim.offset(1, 0)];
        for (index, wrong) in wrong.into_iter().enumerate().filter(|_| m.is_ep()) {
            left.all([index], [Some(Change::Keep(victim)), wrong.map(Change::Remove), None]);
        }
        None
    };
    Each Leaves "piece-takes-ep" [PIECES] "a {} that comes to the en passant square takes the pawn" => |scene, m, _, left| {
        // FIDE 3.7.3.1: only a pawn takes en passant.
        let takes = Some(m.to) == scene.board.ep_square && !m.is_ep();
        takes.then(|| left.at([m.piece.index()], Change::Remove(scene.board.victim_square(m.to))))?
    };
    Each Leaves "promotes-wrong" [PROMOTIONS, PIECES, TAKES] "promotes to {} and puts a {}: {}" => |scene, m, _, left| {
        let kind = m.promotion()?;
        // Promotions to a king are listed by a fault of another family.
        let is_wrong = |wrong: &PieceType| *wrong != PieceType::PROMOTIONS[kind] && *wrong != PieceType::King;
        for wrong in PieceType::ALL.into_iter().filter(is_wrong) {
            left.at([kind, wrong.index(), m.takes()], Change::Put(m.to, Piece::new(scene.us, wrong)));
        }
        None
    };
    Each Leaves "promotes-theirs" [PROMOTIONS] "gives the piece of a promotion to {} to the other side" => |scene, m, _, left| {
        let kind = m.promotion()?;
        left.at([kind], Change::Put(m.to, Piece::new(scene.them, PieceType::PROMOTIONS[kind])))
    };
    Each Leaves "piece-left" [MOVES] "{} leaves the piece on its square as well" => |_, m, _, left|
        (!m.is_castling()).then(|| left.at([m.kind], Change::Keep(m.from)))?;
    Each Leaves "castling-wrong" [SIDES, WRONG_CASTLING] "castles {} with this fault: {}" => wrong_castling;
    Each Leaves "swap-erases" [SIDES, ["king", "rook"]] "castling {} wipes out the {} that lands where the other stood" =>
        |scene, m, _, left| {
            let side = side(m)?;
            // In Chess960, one may land where the other stood: clearing must come before placing.
            let [king, rook] = targets(scene, side);
            for (index, target) in [(0, king), (1, rook)].into_iter().filter(|&(index, target)| target == [m.to, m.from][index]) {
                left.at([side, index], Change::Remove(target));
            }
            None
        };
    Each Leaves "king-square" [VICTIMS] "takes the king to be where it was after it takes {}" => |_, m, _, left|
        m.is_king_step().then(|| left.at([m.victim_value()], Change::KeepKing))?;
    Each Leaves "king-square/castled" [SIDES] "takes the king to be where it was after castling {}" =>
        |_, m, _, left| left.at([side(m)?], Change::KeepKing);
    Each Leaves "same-side" [MOVES] "lets the same side move again after {}" => |_, m, _, left| left.at([m.kind], Change::SameSide);
    Shared Undoes "undo/right" [HOW_LOST, CORNERS, ORDERS] "does not give back the right lost as '{}' to {} when the move is taken back, moves made {}" =>
        |scene, m, next, left| not_given_back(scene, m, next, left, None);
    Shared Undoes "undo/right-late" [HOW_LOST, CORNERS, ORDERS]
        "does not give back the right lost as '{}' to {} before castling is listed, moves made {}" =>
        |scene, m, next, left| not_given_back(scene, m, next, left, Some(Change::Late));
    Shared Undoes "undo/right-given" [CORNERS, GIVEN_BY, ORDERS] "gives a right to {} that was not there when {} is taken back, moves made {}" =>
        |scene, m, _, left| {
            for corner in (0..CORNERS.len()).filter(|&corner| right(scene.board, corner).is_none()) {
                let (color, side) = corner_of(corner);
                let give = Change::GiveRight(home(color, side));
                left.at([corner, 2], give);
                if color == scene.us && (m.is(PieceType::King) || m.is(PieceType::Rook)) {
                    left.at([corner, usize::from(m.is(PieceType::Rook))], give);
                }
            }
            None
        };
    Each Undoes "undo/ep-late" [MOVES, ORDERS]
        "does not restore the en passant square when {} is taken back, before the capture is listed, moves made {}" => |scene, m, next, left| {
        let is_lost = scene.board.ep_square != next.ep_square;
        is_lost.then(|| left.all([m.kind], [Some(Change::KeepEp), Some(Change::Late), None]))?
    };
    Each Undoes "undo/victim" [MOVES, ORDERS] "does not put back what {} took, moves made {}" => |scene, m, _, left| {
        m.victim?;
        let from = if m.is_ep() { scene.board.victim_square(m.to) } else { m.to };
        left.at([m.kind], Change::Remove(from))
    };
    Each Undoes "undo/victim-wrong" [PUT_BACK, MOVES, ORDERS] "puts back {} for what {} took, moves made {}" => |scene, m, _, left| {
        let victim = m.victim.filter(|_| !m.is_ep())?;
        let pieces = [(scene.them, PieceType::Pawn), (scene.them, PieceType::Queen), (scene.us, victim)];
        for (index, (color, kind)) in pieces.into_iter().enumerate() {
            left.at([index, m.kind], Change::Put(m.to, Piece::new(color, kind)));
        }
        None
    };
    Each Undoes "undo/ep-victim" [EP_PUT_BACK, ORDERS] "puts the pawn taken en passant back {}, moves made {}" => |scene, m, _, left| {
        let victim = scene.board.victim_square(m.to);
        let beside = victim.offset(distance(m.from, victim).0, 0);
        let squares = [Some(m.to), m.to.offset(0, scene.us.forward()), beside];
        let pawn = Piece::new(scene.them, PieceType::Pawn);
        for (index, square) in squares.into_iter().enumerate().filter(|_| m.is_ep()) {
            let put = square.map(|square| Change::Put(square, pawn));
            left.all([index], [Some(Change::Remove(victim)), put, None]);
        }
        None
    };
    Each Undoes "undo/promotion" [PROMOTIONS, TAKES, ORDERS] "leaves the piece of a promotion to {} where the pawn stood: {}, moves made {}" => |scene, m, _, left| {
        let kind = m.promotion()?;
        left.at([kind, m.takes()], Change::Put(m.from, Piece::new(scene.us, PieceType::PROMOTIONS[kind])))
    };
    Each Undoes "undo/castling" [SIDES, LEFT_CASTLING, ORDERS] "takes castling {} back with this fault: {}, moves made {}" => |scene, m, _, left| {
        let side = side(m)?;
        let [_, target] = targets(scene, side);
        let put = Change::Put(target, Piece::new(scene.us, PieceType::Rook));
        // If the rook has landed on the king's square, the king is put back over it.
        let (put, removed) = ((target != m.from).then_some(put), Some(Change::Remove(m.to)));
        left.all([side, 0], [removed, put, None]);
        left.all([side, 1], [put, None, None]);
        left.all([side, 2], [removed, None, None])
    };
    Each Undoes "undo/king-square" [VICTIMS, ORDERS] "takes the king to be where a move put it that took {}, moves made {}" => |_, m, _, left|
        m.is_king_step().then(|| left.at([m.victim_value()], Change::KeepKing))?;
    Each Undoes "undo/king-square-castled" [SIDES, ORDERS] "takes the king to be where castling {} put it, moves made {}" =>
        |_, m, _, left| left.at([side(m)?], Change::KeepKing);
    Each Undoes "undo/piece-left" [PIECES, ORDERS] "leaves a {} where it had moved to, moves made {}" => |_, m, _, left| {
        // What was taken and what has promoted are restored by code of their own.
        let is_plain = !m.is_castling() && m.victim.is_none() && m.promotion().is_none();
        is_plain.then(|| left.at([m.piece.index()], Change::Keep(m.to)))?
    };
}

fn corner_of(corner: usize) -> (Color, CastlingSide) {
    (Color::ALL[corner / 2], CastlingSide::ALL[corner % 2])
}

fn right(board: &Board, corner: usize) -> Option<Right> {
    let (color, side) = corner_of(corner);
    board.rights[color][side.index()]
}

/// The right of standard chess.
fn home(color: Color, side: CastlingSide) -> Right {
    Right {
        king: Square::new(File::E, Rank::R1.relative_to(color)),
        rook: side.standard_rook(color),
        asks: true,
    }
}

/// The rights that a move ends, each with its index into [`HOW_LOST`].
fn lost<'a>(
    scene: &'a Scene<'_>,
    m: &'a Candidate,
    next: &'a Board,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let is_lost =
        |corner: &usize| right(scene.board, *corner).is_some() && right(next, *corner).is_none();
    (0..CORNERS.len()).filter(is_lost).flat_map(|corner| {
        let how = match m.piece {
            _ if corner_of(corner).0 != scene.us => 3,
            _ if m.is_castling() => 1,
            PieceType::King => 0,
            _ => 2,
        };
        // Promotions have code of their own.
        let also = (how == 3 && m.promotion().is_some()).then_some(4);
        std::iter::once(how)
            .chain(also)
            .map(move |how| (corner, how))
    })
}

/// The rights that a move ends in this way stay, in a generator that asks for king and rook, and in one that
/// does not.
fn keeps(
    scene: &Scene<'_>,
    m: &Candidate,
    next: &Board,
    how: usize,
    left: &mut Left,
    value: impl Fn() -> Option<usize>,
) -> Option<()> {
    for (corner, _) in lost(scene, m, next).filter(|&(_, other)| other == how) {
        let value = value()?;
        keep(corner, left, |asks| [value, corner, asks]);
    }
    None
}

/// The right stays; `values` are those of the conditions, by the index into [`ASKS`].
fn keep<const N: usize>(corner: usize, left: &mut Left, values: impl Fn(usize) -> [usize; N]) {
    let (color, side) = corner_of(corner);
    for (index, asks) in [true, false].into_iter().enumerate() {
        left.at(values(index), Change::KeepRight(color, side, asks));
    }
}

/// The rights that a move leaves are lost.
fn loses(next: &Board, left: &mut Left, value: usize) -> Option<()> {
    for corner in (0..CORNERS.len()).filter(|&corner| right(next, corner).is_some()) {
        let (color, side) = corner_of(corner);
        left.at([value, corner], Change::LoseRight(color, side));
    }
    None
}

fn not_given_back(
    scene: &Scene<'_>,
    m: &Candidate,
    next: &Board,
    left: &mut Left,
    late: Option<Change>,
) -> Option<()> {
    for (corner, how) in lost(scene, m, next) {
        let (color, side) = corner_of(corner);
        left.all(
            [how, corner],
            [Some(Change::LoseRight(color, side)), late, None],
        );
    }
    None
}

/// Where king and rook land; `side` is an index into [`SIDES`].
fn targets(scene: &Scene<'_>, side: usize) -> [Square; 2] {
    let side = CastlingSide::ALL[side];
    [side.king_target(scene.us), side.rook_target(scene.us)]
}

fn wrong_castling(scene: &Scene<'_>, m: &Candidate, next: &Board, left: &mut Left) -> Option<()> {
    let side = side(m)?;
    let [king, rook] = targets(scene, side);
    let piece = |kind| Piece::new(scene.us, kind);
    let put_rook = Some(Change::Put(m.to, piece(PieceType::Rook)));
    let no_rook = Some(Change::Remove(rook));
    // Squares that king and rook share with their origins stay as they are.
    if king != m.to && rook != m.from && rook != m.to && king != m.from {
        left.all([side, 0], [no_rook, put_rook, None]);
        left.all([side, 1], [put_rook, None, None]);
        left.at([side, 3], Change::Keep(m.from));
    }
    left.at([side, 2], Change::Remove(rook));
    // Castling as in a mirror of the king's side ends on b1 and c1.
    let far = king
        .offset(-1, 0)
        .filter(|&far| next.at(far).is_none() && king.file() == File::C)?;
    // King and rook stand side by side: each one file on.
    let put_king = Some(Change::Put(far, piece(PieceType::King)));
    let put_rook = Some(Change::Put(king, piece(PieceType::Rook)));
    left.all([side, 4], [no_rook, put_rook, put_king])
}
