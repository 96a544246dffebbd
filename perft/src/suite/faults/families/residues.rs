//! What moves leave behind: castling rights, en passant squares, pieces, the king's square, the side to move.

use chess::rules::{Color, File, Piece, PieceType, Rank, Square};

use super::super::board::{Board, Change, How, Right};
use super::super::features::{
    ASKS, CORNERS, DIRECTIONS, FILES, MOVES, PIECES, PROMOTIONS, SIDES, SQUARES, VICTIMS,
    direction, distance,
};
use super::super::scene::{Candidate, Scene};
use super::attacks::victim_values;
use super::castling::side;
use super::en_passant::is_ep;
use super::moves::promoted;
use super::{Changes, Effect, Family, Sides, Values, at, only};

type Out<'a> = &'a mut Vec<(Values, Changes)>;

/// What takes a rook.
const TAKERS: [&str; 9] = [
    "knight",
    "bishop",
    "rook",
    "queen",
    "king",
    "promotion-q",
    "promotion-r",
    "promotion-b",
    "promotion-n",
];
const HOW_LOST: [&str; 4] = ["king-moved", "castled", "rook-moved", "rook-captured"];
const WRONG_EP: [&str; 4] = ["west", "east", "beyond", "behind"];
const CAPTURERS: [&str; 3] = ["west", "east", "both"];
const WRONG_VICTIMS: [&str; 3] = ["beyond", "west-of-it", "east-of-it"];
const WRONG_CASTLING: [&str; 5] = [
    "rook-stays",
    "rook-doubled",
    "rook-vanishes",
    "king-doubled",
    "one-file-too-far",
];
const LEFT_CASTLING: [&str; 3] = ["rook-left", "rook-doubled", "rook-missing"];

pub(super) const FAMILIES: &[Family] = &[
    Family::new(
        "right-kept/king-moved",
        "a king that takes {} keeps the right to {}, {}",
        &[&VICTIMS, &CORNERS, &ASKS],
        Sides::Shared,
        Effect::Leaves(|scene, one, next, out| {
            each_lost(scene, one, next, 0, |corner, right| {
                keep(out, victim_values(one), corner, right);
            });
        }),
    ),
    Family::new(
        "right-kept/castled",
        "castling {} keeps the right to {}, {}",
        &[&SIDES, &CORNERS, &ASKS],
        Sides::Shared,
        Effect::Leaves(|scene, one, next, out| {
            each_lost(scene, one, next, 1, |corner, right| {
                let side = side(one).expect("it castles");
                keep(out, side.index(), corner, right);
            });
        }),
    ),
    Family::new(
        "right-kept/rook-moved",
        "a rook that takes {} keeps the right to {}, {}",
        &[&VICTIMS, &CORNERS, &ASKS],
        Sides::Shared,
        Effect::Leaves(|scene, one, next, out| {
            each_lost(scene, one, next, 2, |corner, right| {
                keep(out, victim_values(one), corner, right);
            });
        }),
    ),
    Family::new(
        "right-kept/king-step",
        "a king that steps to the {} keeps the right to {}, {}",
        &[&DIRECTIONS, &CORNERS, &ASKS],
        Sides::Shared,
        Effect::Leaves(|scene, one, next, out| {
            each_lost(scene, one, next, 0, |corner, right| {
                if let Some(step) = direction(one.step.from, one.step.to) {
                    keep(out, step, corner, right);
                }
            });
        }),
    ),
    Family::new(
        "right-kept/rook-slide",
        "a rook that moves along its {} keeps the right to {}, {}",
        &[&["file", "rank"], &CORNERS, &ASKS],
        Sides::Shared,
        Effect::Leaves(|scene, one, next, out| {
            each_lost(scene, one, next, 2, |corner, right| {
                let is_rank = one.step.from.rank() == one.step.to.rank();
                keep(out, usize::from(is_rank), corner, right);
            });
        }),
    ),
    Family::new(
        "right-kept/rook-captured",
        "a rook taken by a {} keeps the right to {}, {}",
        &[&TAKERS, &CORNERS, &ASKS],
        Sides::Shared,
        Effect::Leaves(|scene, one, next, out| {
            each_lost(scene, one, next, 3, |corner, right| {
                if let Some(taker) = promoted(one)
                    .map(|kind| 5 + kind)
                    .or_else(|| one.piece.index().checked_sub(1))
                {
                    keep(out, taker, corner, right);
                }
            });
        }),
    ),
    Family::new(
        "right-kept/off-corner",
        "keeps the right lost as '{}' to {} of Chess960, {}",
        &[&HOW_LOST, &CORNERS, &ASKS],
        Sides::Shared,
        Effect::Leaves(|scene, one, next, out| {
            for how in 0..HOW_LOST.len() {
                each_lost(scene, one, next, how, |corner, right| {
                    let [color, side] = corner_of(corner);
                    let usual = home(Color::ALL[color], chess::rules::CastlingSide::ALL[side]);
                    if (right.king, right.rook) != (usual.king, usual.rook) {
                        keep(out, how, corner, right);
                    }
                });
            }
        }),
    ),
    Family::new(
        "right-lost/from",
        "a piece that leaves {} ends the right to {}",
        &[&SQUARES, &CORNERS],
        Sides::Apart,
        Effect::Leaves(|_, one, next, out| {
            each_kept(next, |corner, lost| {
                out.push((at([one.step.from.index(), corner]), lost));
            });
        }),
    ),
    Family::new(
        "right-lost/to",
        "a piece that comes to {} ends the right to {}",
        &[&SQUARES, &CORNERS],
        Sides::Apart,
        Effect::Leaves(|_, one, next, out| {
            each_kept(next, |corner, lost| {
                out.push((at([one.step.to.index(), corner]), lost));
            });
        }),
    ),
    Family::new(
        "right-lost/by",
        "{} ends the right to {}",
        &[&MOVES, &CORNERS],
        Sides::Apart,
        Effect::Leaves(|_, one, next, out| {
            each_kept(next, |corner, lost| {
                out.push((at([one.kind, corner]), lost));
            });
        }),
    ),
    Family::new(
        "right-lost/check",
        "a check ends the right to {}",
        &[&CORNERS],
        Sides::Shared,
        Effect::Leaves(|_, _, next, out| {
            let us = next.side_to_move;
            if next.rights[us].iter().any(Option::is_some)
                && let Some(king) = next.kings[us]
                && !next.attackers(king, !us, next.occupied()).is_empty()
            {
                each_kept(next, |corner, lost| {
                    if corner / 2 == us.index() {
                        out.push((at([corner]), lost));
                    }
                });
            }
        }),
    ),
    Family::new(
        "ep-not-set",
        "a double push on the {}-file sets no en passant square",
        &[&FILES],
        Sides::Apart,
        Effect::Leaves(|_, one, _, out| {
            if one.step.how == How::DoublePush {
                out.push((at([one.step.to.file().index()]), only(Change::SetEp(None))));
            }
        }),
    ),
    Family::new(
        "ep-not-set/capturers",
        "a double push sets no en passant square if a pawn may take from: {}",
        &[&CAPTURERS],
        Sides::Each,
        Effect::Leaves(|scene, one, _, out| {
            if one.step.how == How::DoublePush {
                let is = |files| {
                    let beside = one.step.to.offset(files, 0);
                    beside.is_some_and(|square| scene.board.is(square, scene.them, PieceType::Pawn))
                };
                let capturers = match (is(-1), is(1)) {
                    (true, true) => 2,
                    (true, false) => 0,
                    (false, true) => 1,
                    _ => return,
                };
                out.push((at([capturers]), only(Change::SetEp(None))));
            }
        }),
    ),
    Family::new(
        "ep-not-set/context",
        "a double push sets no en passant square {}",
        &[&["with-check", "in-check", "with-an-old-square"]],
        Sides::Each,
        Effect::Leaves(|scene, one, next, out| {
            if one.step.how == How::DoublePush {
                let us = next.side_to_move;
                let king = next.kings[us];
                let is = [
                    king.is_some_and(|king| !next.attackers(king, !us, next.occupied()).is_empty()),
                    !scene.checkers.is_empty(),
                    scene.board.ep_square.is_some(),
                ];
                for (index, _) in is.into_iter().enumerate().filter(|&(_, is)| is) {
                    out.push((at([index]), only(Change::SetEp(None))));
                }
            }
        }),
    ),
    Family::new(
        "ep-set/wrong",
        "a double push sets the en passant square one square off: {}",
        &[&WRONG_EP],
        Sides::Each,
        Effect::Leaves(|scene, one, next, out| {
            if let (How::DoublePush, Some(right)) = (one.step.how, next.ep_square) {
                let forward = scene.us.forward();
                let steps = [(-1, 0), (1, 0), (0, forward), (0, -forward)];
                for (index, (files, ranks)) in steps.into_iter().enumerate() {
                    let wrong = right.offset(files, ranks);
                    if wrong.is_some() {
                        out.push((at([index]), only(Change::SetEp(wrong))));
                    }
                }
            }
        }),
    ),
    Family::new(
        "ep-set/by",
        "an en passant square is set after two squares along a file by a {}, or a single push: {}",
        &[&PIECES, &["from-rank-2", "elsewhere"]],
        Sides::Each,
        Effect::Leaves(|scene, one, _, out| {
            let (from, to) = (one.step.from, one.step.to);
            let (files, ranks) = distance(from, to);
            let forward = scene.us.forward();
            let is_pawn = one.piece == PieceType::Pawn;
            let behind = match (files, ranks.abs()) {
                (0, 2) if !is_pawn => to.offset(0, -ranks.signum()),
                (0, 1) if is_pawn => to.offset(0, -forward),
                _ => None,
            };
            if behind.is_some() {
                let is_start = from.rank() == Rank::R2.relative_to(scene.us);
                let values = at([one.piece.index(), usize::from(!is_start)]);
                out.push((values, only(Change::SetEp(behind))));
            }
        }),
    ),
    Family::new(
        "ep-kept",
        "{} does not end the right to take en passant",
        &[&MOVES],
        Sides::Each,
        Effect::Leaves(|scene, one, next, out| {
            let had = scene.board.ep_square.is_some();
            if had && one.step.how != How::DoublePush && scene.board.ep_square != next.ep_square {
                out.push((at([one.kind]), only(Change::KeepEp)));
            }
        }),
    ),
    Family::new(
        "ep-not-replaced",
        "a double push does not replace the en passant square of another",
        &[],
        Sides::Each,
        Effect::Leaves(|scene, one, _, out| {
            if scene.board.ep_square.is_some() && one.step.how == How::DoublePush {
                out.push((at([]), only(Change::KeepEp)));
            }
        }),
    ),
    Family::new(
        "victim-kept",
        "leaves the pawn taken en passant on the {}-file",
        &[&FILES],
        Sides::Apart,
        Effect::Leaves(|scene, one, _, out| {
            if is_ep(one) {
                let victim = scene.board.victim_square(one.step.to);
                out.push((at([victim.file().index()]), only(Change::Keep(victim))));
            }
        }),
    ),
    Family::new(
        "victim-kept/way",
        "leaves the pawn taken en passant to the {}",
        &[&["west", "east"]],
        Sides::Each,
        Effect::Leaves(|scene, one, _, out| {
            if is_ep(one) {
                let victim = scene.board.victim_square(one.step.to);
                let is_east = victim.file() > one.step.from.file();
                out.push((at([usize::from(is_east)]), only(Change::Keep(victim))));
            }
        }),
    ),
    Family::new(
        "victim-wrong",
        "takes en passant what stands {}",
        &[&WRONG_VICTIMS],
        Sides::Each,
        Effect::Leaves(|scene, one, _, out| {
            if is_ep(one) {
                let victim = scene.board.victim_square(one.step.to);
                let wrong = [
                    one.step.to.offset(0, scene.us.forward()),
                    victim.offset(-1, 0),
                    victim.offset(1, 0),
                ];
                for (index, wrong) in wrong.into_iter().enumerate() {
                    if let Some(wrong) = wrong {
                        let changes = [
                            Some(Change::Keep(victim)),
                            Some(Change::Remove(wrong)),
                            None,
                            None,
                        ];
                        out.push((at([index]), changes));
                    }
                }
            }
        }),
    ),
    Family::new(
        "piece-takes-ep",
        "a {} that comes to the en passant square takes the pawn",
        &[&PIECES],
        Sides::Each,
        Effect::Leaves(|scene, one, _, out| {
            if Some(one.step.to) == scene.board.ep_square && !is_ep(one) {
                let victim = scene.board.victim_square(one.step.to);
                out.push((at([one.piece.index()]), only(Change::Remove(victim))));
            }
        }),
    ),
    Family::new(
        "promotes-wrong",
        "promotes to {} and puts a {}, by {}",
        &[&PROMOTIONS, &PIECES, &["push", "capture"]],
        Sides::Each,
        Effect::Leaves(|scene, one, _, out| {
            if let Some(kind) = promoted(one) {
                for wrong in PieceType::ALL {
                    if Some(wrong) != one.promotion() && wrong != PieceType::King {
                        let put = Change::Put(one.step.to, Piece::new(scene.us, wrong));
                        let takes = usize::from(one.victim.is_some());
                        out.push((at([kind, wrong.index(), takes]), only(put)));
                    }
                }
            }
        }),
    ),
    Family::new(
        "promotes-theirs",
        "gives the piece of a promotion to {} to the other side",
        &[&PROMOTIONS],
        Sides::Each,
        Effect::Leaves(|scene, one, _, out| {
            if let (Some(kind), Some(promotion)) = (promoted(one), one.promotion()) {
                let put = Change::Put(one.step.to, Piece::new(scene.them, promotion));
                out.push((at([kind]), only(put)));
            }
        }),
    ),
    Family::new(
        "piece-left",
        "{} leaves the piece on its square as well",
        &[&MOVES],
        Sides::Each,
        Effect::Leaves(|_, one, _, out| {
            if !one.is_castling() {
                out.push((at([one.kind]), only(Change::Keep(one.step.from))));
            }
        }),
    ),
    Family::new(
        "castling-wrong",
        "castles {} with this fault: {}",
        &[&SIDES, &WRONG_CASTLING],
        Sides::Each,
        Effect::Leaves(wrong_castling),
    ),
    Family::new(
        "swap-erases",
        "castling {} wipes out the {} that lands where the other stood",
        &[&SIDES, &["king", "rook"]],
        Sides::Each,
        Effect::Leaves(|scene, one, _, out| {
            if let Some(side) = side(one) {
                let targets = [side.king_target(scene.us), side.rook_target(scene.us)];
                let origins = [one.step.to, one.step.from];
                for (index, (target, origin)) in targets.into_iter().zip(origins).enumerate() {
                    if target == origin {
                        out.push((at([side.index(), index]), only(Change::Remove(target))));
                    }
                }
            }
        }),
    ),
    Family::new(
        "king-square",
        "takes the king to be where it was after it takes {}",
        &[&VICTIMS],
        Sides::Each,
        Effect::Leaves(|_, one, _, out| {
            if one.piece == PieceType::King && !one.is_castling() {
                out.push((at([victim_values(one)]), only(Change::KeepKing)));
            }
        }),
    ),
    Family::new(
        "king-square/castled",
        "takes the king to be where it was after castling {}",
        &[&SIDES],
        Sides::Each,
        Effect::Leaves(|_, one, _, out| {
            if let Some(side) = side(one) {
                out.push((at([side.index()]), only(Change::KeepKing)));
            }
        }),
    ),
    Family::new(
        "same-side",
        "lets the same side move again after {}",
        &[&MOVES],
        Sides::Each,
        Effect::Leaves(|_, one, _, out| out.push((at([one.kind]), only(Change::SameSide)))),
    ),
    Family::new(
        "undo/right",
        "does not give back the right lost as '{}' to {} when the move is taken back",
        &[&HOW_LOST, &CORNERS],
        Sides::Shared,
        Effect::Unmakes(|scene, one, next, out| {
            for how in 0..HOW_LOST.len() {
                each_lost(scene, one, next, how, |corner, _| {
                    out.push((at([how, corner]), only(lose(corner))));
                });
            }
        }),
    ),
    Family::new(
        "undo/right-late",
        "does not give back the right lost as '{}' to {} before castling is listed",
        &[&HOW_LOST, &CORNERS],
        Sides::Shared,
        Effect::Unmakes(|scene, one, next, out| {
            for how in 0..HOW_LOST.len() {
                each_lost(scene, one, next, how, |corner, _| {
                    out.push((at([how, corner]), late(lose(corner))));
                });
            }
        }),
    ),
    Family::new(
        "undo/right-given",
        "gives a right to {} that was not there when {} is taken back",
        &[&CORNERS, &["a-king's-move", "a-rook's-move", "any-move"]],
        Sides::Shared,
        Effect::Unmakes(|scene, one, _, out| {
            for color in Color::ALL {
                for side in chess::rules::CastlingSide::ALL {
                    let right = home(color, side);
                    if scene.board.rights[color][side.index()].is_none() {
                        let give = only(Change::GiveRight(right));
                        let corner = 2 * color.index() + side.index();
                        out.push((at([corner, 2]), give));
                        match one.piece {
                            PieceType::King if color == scene.us => {
                                out.push((at([corner, 0]), give))
                            }
                            PieceType::Rook if color == scene.us => {
                                out.push((at([corner, 1]), give))
                            }
                            _ => {}
                        }
                    }
                }
            }
        }),
    ),
    Family::new(
        "undo/ep-late",
        "does not restore the en passant square when {} is taken back, before the capture is listed",
        &[&MOVES],
        Sides::Each,
        Effect::Unmakes(|scene, one, next, out| {
            if scene.board.ep_square != next.ep_square {
                out.push((at([one.kind]), late(Change::KeepEp)));
            }
        }),
    ),
    Family::new(
        "undo/victim",
        "does not put back what {} took",
        &[&MOVES],
        Sides::Each,
        Effect::Unmakes(|scene, one, _, out| {
            if one.victim.is_some() {
                let from = if is_ep(one) {
                    scene.board.victim_square(one.step.to)
                } else {
                    one.step.to
                };
                out.push((at([one.kind]), only(Change::Remove(from))));
            }
        }),
    ),
    Family::new(
        "undo/victim-wrong",
        "puts back {} for what {} took",
        &[&["a-pawn", "a-queen", "an-own-piece"], &MOVES],
        Sides::Each,
        Effect::Unmakes(|scene, one, _, out| {
            if let Some(victim) = one.victim.filter(|_| !is_ep(one)) {
                let pieces = [
                    Piece::new(scene.them, PieceType::Pawn),
                    Piece::new(scene.them, PieceType::Queen),
                    Piece::new(scene.us, victim),
                ];
                for (index, piece) in pieces.into_iter().enumerate() {
                    let put = Change::Put(one.step.to, piece);
                    out.push((at([index, one.kind]), only(put)));
                }
            }
        }),
    ),
    Family::new(
        "undo/ep-victim",
        "puts the pawn taken en passant back {}",
        &[&["on-the-target", "beyond", "beside-its-file"]],
        Sides::Each,
        Effect::Unmakes(|scene, one, _, out| {
            if is_ep(one) {
                let victim = scene.board.victim_square(one.step.to);
                let pawn = Piece::new(scene.them, PieceType::Pawn);
                let squares = [
                    Some(one.step.to),
                    one.step.to.offset(0, scene.us.forward()),
                    victim.offset(distance(one.step.from, victim).0, 0),
                ];
                for (index, square) in squares.into_iter().enumerate() {
                    if let Some(square) = square {
                        let put = Some(Change::Put(square, pawn));
                        let changes = [Some(Change::Remove(victim)), put, None, None];
                        out.push((at([index]), changes));
                    }
                }
            }
        }),
    ),
    Family::new(
        "undo/promotion",
        "leaves the piece of a promotion to {} by {} where the pawn stood",
        &[&PROMOTIONS, &["push", "capture"]],
        Sides::Each,
        Effect::Unmakes(|scene, one, _, out| {
            if let (Some(kind), Some(promotion)) = (promoted(one), one.promotion()) {
                let put = Change::Put(one.step.from, Piece::new(scene.us, promotion));
                let takes = usize::from(one.victim.is_some());
                out.push((at([kind, takes]), only(put)));
            }
        }),
    ),
    Family::new(
        "undo/castling",
        "takes castling {} back with this fault: {}",
        &[&SIDES, &LEFT_CASTLING],
        Sides::Each,
        Effect::Unmakes(|scene, one, _, out| {
            if let Some(side) = side(one) {
                let rook = Piece::new(scene.us, PieceType::Rook);
                let left = (side.rook_target(scene.us) != one.step.from)
                    .then(|| Change::Put(side.rook_target(scene.us), rook));
                let removed = Some(Change::Remove(one.step.to));
                for (index, changes) in [
                    [removed, left, None, None],
                    [left, None, None, None],
                    [removed, None, None, None],
                ]
                .into_iter()
                .enumerate()
                {
                    out.push((at([side.index(), index]), changes));
                }
            }
        }),
    ),
    Family::new(
        "undo/king-square",
        "takes the king to be where a move put it that took {}",
        &[&VICTIMS],
        Sides::Each,
        Effect::Unmakes(|_, one, _, out| {
            if one.piece == PieceType::King && !one.is_castling() {
                out.push((at([victim_values(one)]), only(Change::KeepKing)));
            }
        }),
    ),
    Family::new(
        "undo/king-square-castled",
        "takes the king to be where castling {} put it",
        &[&SIDES],
        Sides::Each,
        Effect::Unmakes(|_, one, _, out| {
            if let Some(side) = side(one) {
                out.push((at([side.index()]), only(Change::KeepKing)));
            }
        }),
    ),
    Family::new(
        "undo/piece-left",
        "leaves a {} where it had moved to",
        &[&PIECES],
        Sides::Each,
        Effect::Unmakes(|_, one, _, out| {
            if !one.is_castling() && one.victim.is_none() && one.promotion().is_none() {
                out.push((at([one.piece.index()]), only(Change::Keep(one.step.to))));
            }
        }),
    ),
];

/// The rights that a move ends in one of [`HOW_LOST`].
fn each_lost(
    scene: &Scene<'_>,
    one: &Candidate,
    next: &Board,
    how: usize,
    mut take: impl FnMut(usize, Right),
) {
    for color in Color::ALL {
        for index in 0..2 {
            let (Some(right), None) = (scene.board.rights[color][index], next.rights[color][index])
            else {
                continue;
            };
            let lost = if color != scene.us {
                3
            } else if one.is_castling() {
                1
            } else if one.piece == PieceType::King {
                0
            } else {
                2
            };
            if lost == how {
                take(2 * color.index() + index, right);
            }
        }
    }
}

/// The right stays, in a generator that asks for king and rook, and in one that does not.
fn keep(out: Out<'_>, value: usize, corner: usize, _: Right) {
    for (index, asks) in [true, false].into_iter().enumerate() {
        let [color, side] = corner_of(corner);
        let change = Change::KeepRight(
            Color::ALL[color],
            chess::rules::CastlingSide::ALL[side],
            asks,
        );
        out.push((at([value, corner, index]), only(change)));
    }
}

/// A change that counts for moves listed after it, too.
fn late(change: Change) -> Changes {
    [Some(change), Some(Change::Late), None, None]
}

/// The right of standard chess.
fn home(color: Color, side: chess::rules::CastlingSide) -> Right {
    Right {
        king: Square::new(File::E, Rank::R1.relative_to(color)),
        rook: side.standard_rook(color),
        asks: true,
    }
}

fn corner_of(corner: usize) -> [usize; 2] {
    [corner / 2, corner % 2]
}

fn lose(corner: usize) -> Change {
    let [color, side] = corner_of(corner);
    Change::LoseRight(Color::ALL[color], chess::rules::CastlingSide::ALL[side])
}

/// The rights that a move leaves, each with its loss.
fn each_kept(next: &Board, mut take: impl FnMut(usize, Changes)) {
    for corner in 0..CORNERS.len() {
        let [color, side] = corner_of(corner);
        if next.rights[Color::ALL[color]][side].is_some() {
            take(corner, only(lose(corner)));
        }
    }
}

fn wrong_castling(scene: &Scene<'_>, one: &Candidate, next: &Board, out: Out<'_>) {
    let Some(side) = side(one) else {
        return;
    };
    let us = scene.us;
    let (king, rook) = (side.king_target(us), side.rook_target(us));
    let [from, corner] = [one.step.from, one.step.to];
    let piece = |kind| Piece::new(us, kind);
    // Squares that king and rook now share with their origins stay as they are.
    let is_apart = king != corner && rook != from && rook != corner && king != from;
    let put_rook = Some(Change::Put(corner, piece(PieceType::Rook)));
    let no_rook = Some(Change::Remove(rook));
    let mut push = |index: usize, changes: Changes| out.push((at([side.index(), index]), changes));
    if is_apart {
        push(0, [no_rook, put_rook, None, None]);
        push(1, [put_rook, None, None, None]);
        push(3, [Some(Change::Keep(from)), None, None, None]);
    }
    push(2, [no_rook, None, None, None]);
    let too_far = |square: Square| square.offset(-1, 0);
    if let (Some(far_king), Some(far_rook)) = (too_far(king), too_far(rook))
        && side == chess::rules::CastlingSide::Queen
        && king.file() == File::C
        && next.at(far_king).is_none()
    {
        let far_king = Change::Put(far_king, piece(PieceType::King));
        let far_rook = Change::Put(far_rook, piece(PieceType::Rook));
        push(
            4,
            [
                Some(Change::Remove(rook)),
                Some(far_rook),
                Some(far_king),
                None,
            ],
        );
    }
}
