//! Castling that is refused, or listed although it is illegal.

use chess::rules::{CastlingSide, PieceType, Rank, Square, attacks};

use super::super::board::{How, is_on};
use super::super::features::{
    CASTLING, CORNERS, DIRECTIONS, FILES, OWNERS, PIECES, SIDES, STEPS, direction, distance, jump,
    slides,
};
use super::super::scene::{Breach, Candidate, Role, Scene, Violation, along};
use super::{Effect, Family, Sides, Values, at};

/// The squares of the castling king.
const PLACES: [&str; 3] = ["out-of", "across", "onto"];
/// Directions of lines, then jumps.
const FROM: [&str; 16] = [
    "n", "e", "s", "w", "ne", "se", "sw", "nw", "1n2", "2n1", "2s1", "1s2", "-1s2", "-2s1", "-2n1",
    "-1n2",
];
/// Squares that may be attacked, with the rook's first.
const ELSEWHERE: [&str; 4] = ["rook", "beside-rook", "beside-king", "other-corner"];
/// The first two ranks from the castling side.
const NEAR: [&str; 16] = [
    "a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2",
];
/// The other rights, by which castling may be judged in place of its own.
const OTHER_RIGHTS: [&str; 4] = ["own-other", "their-same", "their-other", "none"];
const REASONS: [&str; 6] = [
    "blocked-between",
    "blocked-beyond",
    "out-of",
    "across",
    "onto",
    "uncovers",
];

pub(super) const FAMILIES: &[Family] = &[
    Family::new(
        "omits/castling-shielded",
        "refuses castling {} where an attack on the square '{}' from the {} is blocked by {}",
        &[&SIDES, &PLACES, &DIRECTIONS, &BLOCKERS],
        Sides::Apart,
        Effect::Omits(shielded),
    ),
    Family::new(
        "omits/castling-attacked",
        "refuses castling {} where the square '{}' is attacked by a {}",
        &[&SIDES, &ELSEWHERE, &PIECES],
        Sides::Apart,
        Effect::Omits(attacked_elsewhere),
    ),
    Family::new(
        "omits/castling-near",
        "refuses castling {} where {} has {} piece",
        &[&SIDES, &NEAR, &OWNERS],
        Sides::Apart,
        Effect::Omits(|scene, one, out| {
            let Some(side) = side(one) else {
                return;
            };
            let [king, rook] = [one.step.from, one.step.to];
            for (index, _) in NEAR.iter().enumerate() {
                let square = Square::ALL[index];
                let square = if is_on(square, square.rank(), scene.us) {
                    square
                } else {
                    square.flip_rank()
                };
                if square != king
                    && square != rook
                    && let Some(piece) = scene.board.at(square)
                {
                    let owner = usize::from(piece.color != scene.us);
                    out.push(at([side.index(), index, owner]));
                }
            }
        }),
    ),
    Family::new(
        "omits/castling-by-right",
        "refuses castling {} without the right '{}'",
        &[&SIDES, &OTHER_RIGHTS],
        Sides::Apart,
        Effect::Omits(|scene, one, out| {
            if let Some(side) = side(one) {
                for (index, has) in other_rights(scene, side).into_iter().enumerate() {
                    if !has {
                        out.push(at([side.index(), index]));
                    }
                }
            }
        }),
    ),
    Family::new(
        "omits/castling-pair",
        "drops castling {} where both are legal",
        &[&SIDES],
        Sides::Each,
        Effect::Omits(|scene, one, out| {
            if let Some(side) = side(one)
                && scene
                    .legal
                    .iter()
                    .filter(|one| usize::from(one.kind) >= CASTLING)
                    .count()
                    > 1
            {
                out.push(at([side.index()]));
            }
        }),
    ),
    Family::new(
        "omits/castling-context",
        "refuses castling with the right to {} {}",
        &[&CORNERS, &["after-fen", "after-move", "with-check"]],
        Sides::Shared,
        Effect::Omits(|scene, one, out| {
            if let Some(side) = side(one) {
                let corner = 2 * scene.us.index() + side.index();
                out.push(at([corner, usize::from(scene.board.last.is_some())]));
                let rook = side.rook_target(scene.us);
                let king = scene.board.kings[scene.them];
                let without = scene.occupied & !(one.step.from.bitboard() | one.step.to.bitboard());
                if king.is_some_and(|king| attacks::rook(rook, without).contains(king)) {
                    out.push(at([corner, 2]));
                }
            }
        }),
    ),
    Family::new(
        "omits/castling-files",
        "refuses castling with the king on the {}-file and the rook on the {}-file",
        &[&FILES, &FILES],
        Sides::Apart,
        Effect::Omits(|_, one, out| {
            if one.is_castling() {
                out.push(files(one));
            }
        }),
    ),
    Family::new(
        "omits/castling-inner-rook",
        "refuses castling {} with a rook that has another behind it",
        &[&SIDES],
        Sides::Each,
        Effect::Omits(|scene, one, out| {
            if let Some(side) = side(one) {
                let behind = distance(one.step.from, one.step.to).0.signum();
                let mut pieces = along(scene.board, one.step.to, (behind, 0));
                if pieces.any(|(square, _)| scene.board.is(square, scene.us, PieceType::Rook)) {
                    out.push(at([side.index()]));
                }
            }
        }),
    ),
    Family::new(
        "lists/castling-files",
        "castles with the king on the {}-file and the rook on the {}-file although: {}",
        &[&FILES, &FILES, &REASONS],
        Sides::Apart,
        Effect::Lists(|_, one, why| {
            if !one.is_castling() {
                return None;
            }
            let [king, rook, ..] = files(one);
            let reason = match why {
                Violation::Breach(Breach::Blocked(square)) => {
                    let between = attacks::between(one.step.from, one.step.to);
                    usize::from(!between.contains(*square))
                }
                Violation::Attack(attack) => match attack.role {
                    Role::Path(place) => 2 + place,
                    _ => 5,
                },
                Violation::Breach(_) => return None,
            };
            Some(at([king, rook, reason]))
        }),
    ),
    Family::new(
        "lists/castling-hit",
        "castles {} {} a square attacked by a {} from the {}",
        &[&SIDES, &PLACES, &PIECES, &FROM],
        Sides::Apart,
        Effect::Lists(|_, one, why| {
            let (side, attack) = (side(one)?, path_attack(why)?);
            let Role::Path(place) = attack.role else {
                return None;
            };
            let from = direction(attack.target, attack.by)
                .or_else(|| jump(attack.target, attack.by).map(|jump| 8 + jump))?;
            Some(at([side.index(), place, attack.kind.index(), from]))
        }),
    ),
    Family::new(
        "lists/castling-attacked-by",
        "castles {} whatever a {} attacks",
        &[&SIDES, &PIECES],
        Sides::Apart,
        Effect::Lists(|_, one, why| {
            let (side, attack) = (side(one)?, path_attack(why)?);
            Some(at([side.index(), attack.kind.index()]))
        }),
    ),
    Family::new(
        "lists/castling-attacked",
        "castles {} {} an attacked square",
        &[&SIDES, &PLACES],
        Sides::Each,
        Effect::Lists(|_, one, why| {
            let (side, attack) = (side(one)?, path_attack(why)?);
            let Role::Path(place) = attack.role else {
                return None;
            };
            Some(at([side.index(), place]))
        }),
    ),
    Family::new(
        "lists/castling-across-or-onto",
        "castles {} whatever is attacked",
        &[&SIDES],
        Sides::Each,
        Effect::Lists(|_, one, why| {
            let (side, _) = (side(one)?, path_attack(why)?);
            Some(at([side.index()]))
        }),
    ),
    Family::new(
        "lists/castling-blocked",
        "castles {} through {} {} on the {}-file",
        &[&SIDES, &OWNERS, &PIECES, &FILES],
        Sides::Apart,
        Effect::Lists(|scene, one, why| {
            let side = side(one)?;
            let Violation::Breach(Breach::Blocked(square)) = why else {
                return None;
            };
            let piece = scene.board.at(*square)?;
            let owner = usize::from(piece.color != scene.us);
            let file = square.file().index();
            Some(at([side.index(), owner, piece.piece_type.index(), file]))
        }),
    ),
    Family::new(
        "lists/castling-through-pieces",
        "castles {} whatever is in the way",
        &[&SIDES],
        Sides::Each,
        Effect::Lists(|_, one, why| {
            let side = side(one)?;
            matches!(why, Violation::Breach(Breach::Blocked(_))).then(|| at([side.index()]))
        }),
    ),
    Family::new(
        "lists/castling-by-right",
        "castles {} without its right, by the right '{}'",
        &[&SIDES, &OTHER_RIGHTS],
        Sides::Apart,
        Effect::Lists(|scene, one, why| {
            let side = side(one)?;
            if *why != Violation::Breach(Breach::NoRight) {
                return None;
            }
            let others = other_rights(scene, side);
            let index = others.iter().position(|&has| has).unwrap_or(3);
            Some(at([side.index(), index]))
        }),
    ),
];

/// Own pieces, then those of the other side.
const BLOCKERS: [&str; 12] = [
    "own-pawn",
    "own-knight",
    "own-bishop",
    "own-rook",
    "own-queen",
    "own-king",
    "their-pawn",
    "their-knight",
    "their-bishop",
    "their-rook",
    "their-queen",
    "their-king",
];

pub(super) fn side(one: &Candidate) -> Option<CastlingSide> {
    match one.step.how {
        How::Castling(side) => Some(side),
        _ => None,
    }
}

fn files(one: &Candidate) -> Values {
    at([one.step.from, one.step.to].map(|square| square.file().index()))
}

fn path_attack(why: &Violation) -> Option<&super::super::scene::Attack> {
    match why {
        Violation::Attack(attack) => Some(attack),
        Violation::Breach(_) => None,
    }
}

/// Whether the rights of [`OTHER_RIGHTS`] are there.
fn other_rights(scene: &Scene<'_>, side: CastlingSide) -> [bool; 3] {
    let rights = &scene.board.rights;
    let other = 1 - side.index();
    [
        rights[scene.us][other].is_some(),
        rights[scene.them][side.index()].is_some(),
        rights[scene.them][other].is_some(),
    ]
}

fn place_of(square: Square, king: Square, target: Square) -> usize {
    match square {
        _ if square == target => 2,
        _ if square == king => 0,
        _ => 1,
    }
}

fn shielded(scene: &Scene<'_>, one: &Candidate, out: &mut Vec<Values>) {
    let Some(side) = side(one) else {
        return;
    };
    let (king, target) = (one.step.from, side.king_target(scene.us));
    let path = attacks::between(king, target) | king.bitboard() | target.bitboard();
    for square in path {
        for (way, &step) in STEPS.iter().enumerate() {
            let mut pieces = along(scene.board, square, step);
            let (Some((blocker_at, blocker)), Some((_, slider))) = (pieces.next(), pieces.next())
            else {
                continue;
            };
            let is_castling = blocker_at == king || blocker_at == one.step.to;
            if !is_castling && slider.color == scene.them && slides(slider.piece_type, way) {
                let owner = usize::from(blocker.color != scene.us);
                let blocker = 6 * owner + blocker.piece_type.index();
                let place = place_of(square, king, target);
                out.push(at([side.index(), place, way, blocker]));
            }
        }
    }
}

fn attacked_elsewhere(scene: &Scene<'_>, one: &Candidate, out: &mut Vec<Values>) {
    let Some(side) = side(one) else {
        return;
    };
    let [king, rook] = [one.step.from, one.step.to];
    let toward_king = distance(rook, king).0.signum();
    let target = side.king_target(scene.us);
    let path = attacks::between(king, target) | king.bitboard() | target.bitboard();
    let squares = [
        Some(rook),
        rook.offset(toward_king, 0),
        king.offset(toward_king, 0),
        Some(Square::new(
            chess::rules::File::ALL[if toward_king > 0 { 7 } else { 0 }],
            Rank::R1.relative_to(scene.us),
        )),
    ];
    for (index, square) in squares.into_iter().enumerate() {
        let Some(square) = square.filter(|&square| !path.contains(square)) else {
            continue;
        };
        for by in scene.board.attackers(square, scene.them, scene.occupied) {
            let kind = scene.kind_at(by).unwrap_or(PieceType::Pawn);
            out.push(at([side.index(), index, kind.index()]));
        }
    }
}
