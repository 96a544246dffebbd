//! Illegal moves that are listed because an attack on the king is overlooked.

use chess::rules::{PieceType, attacks};

use super::super::features::{
    CHECKS, DIRECTIONS, JUMP_NAMES, MOVES, NUMBERS, PIECES, PINS, SLIDERS, SQUARES, VICTIMS,
    direction, jump, slider, steps,
};
use super::super::scene::{Attack, Candidate, Role, Scene, Violation};
use super::en_passant::is_ep;
use super::moves::{number_before, way};
use super::{Effect, Family, Sides, at};

const DISTANCES: [&str; 8] = ["0", "1", "2", "3", "4", "5", "6", "7"];
const ROLES: [&str; 5] = ["check", "pin", "en-passant", "king-step", "ray"];
const ANSWERS: [&str; 3] = ["takes-one", "blocks-one", "neither"];
/// What shielded the king before en passant.
const SHIELDS: [&str; 3] = ["victim", "capturer", "both"];

pub(super) const FAMILIES: &[Family] = &[
    Family::new(
        "lists/check",
        "lists {} though a check of kind '{}' remains",
        &[&MOVES, &CHECKS],
        Sides::Each,
        Effect::Lists(|scene, one, why| {
            let is_unanswered = matches!(role(why)?, Role::Check);
            is_unanswered.then(|| at([one.kind, scene.check]))
        }),
    ),
    Family::new(
        "lists/pin",
        "lists {} of a pinned piece: {}",
        &[&MOVES, &PINS],
        Sides::Each,
        Effect::Lists(|_, one, why| {
            let is_pin = matches!(role(why)?, Role::Opens | Role::EnPassant);
            is_pin.then(|| at([one.kind, one.pin]))
        }),
    ),
    Family::new(
        "lists/exposed",
        "lists {} although its king can be taken by a {}",
        &[&MOVES, &PIECES],
        Sides::Each,
        Effect::Lists(|_, one, why| {
            let attack = attack(why)?;
            Some(at([one.kind, attack.kind.index()]))
        }),
    ),
    Family::new(
        "lists/attack",
        "does not see the attack of a {} from the {}: {}",
        &[&PIECES, &FROM, &ROLES],
        Sides::Each,
        Effect::Lists(|_, _, why| {
            let attack = attack(why)?;
            let from = direction(attack.target, attack.by)
                .or_else(|| jump(attack.target, attack.by).map(|jump| 8 + jump))?;
            Some(at([attack.kind.index(), from, role_index(attack.role)?]))
        }),
    ),
    Family::new(
        "lists/role",
        "tests nothing of this kind: {}",
        &[&ROLES],
        Sides::Each,
        Effect::Lists(|_, _, why| Some(at([role_index(attack(why)?.role)?]))),
    ),
    Family::new(
        "lists/knight-attack",
        "does not see the knight's attack from {} by {}",
        &[&SQUARES, &JUMP_NAMES],
        Sides::Apart,
        Effect::Lists(|_, _, why| {
            let attack = attack(why).filter(|attack| attack.kind == PieceType::Knight)?;
            Some(at([attack.by.index(), jump(attack.by, attack.target)?]))
        }),
    ),
    Family::new(
        "lists/king-attack",
        "does not see the king's attack from {} to the {}",
        &[&SQUARES, &DIRECTIONS],
        Sides::Apart,
        Effect::Lists(|_, _, why| {
            let attack = attack(why).filter(|attack| attack.kind == PieceType::King)?;
            Some(at([
                attack.by.index(),
                direction(attack.by, attack.target)?,
            ]))
        }),
    ),
    Family::new(
        "lists/pawn-attack",
        "does not see the pawn's attack from {} to the {}",
        &[&SQUARES, &["west", "east"]],
        Sides::Apart,
        Effect::Lists(|_, _, why| {
            let attack = attack(why).filter(|attack| attack.kind == PieceType::Pawn)?;
            let is_east = attack.target.file() > attack.by.file();
            Some(at([attack.by.index(), usize::from(is_east)]))
        }),
    ),
    Family::new(
        "lists/slider-attack",
        "does not see a {} to the {} at distance {}",
        &[&SLIDERS, &DIRECTIONS, &DISTANCES],
        Sides::Each,
        Effect::Lists(|_, _, why| {
            let attack = attack(why)?;
            let kind = slider(attack.kind)?;
            let way = direction(attack.target, attack.by)?;
            Some(at([kind, way, steps(attack.target, attack.by)]))
        }),
    ),
    Family::new(
        "lists/line-check",
        "does not see checks of a king on {} from the {} at distance {}",
        &[&SQUARES, &DIRECTIONS, &DISTANCES],
        Sides::Shared,
        Effect::Lists(|scene, _, why| {
            let attack = attack(why).filter(|attack| attack.role == Role::Check)?;
            let king = scene.king?;
            slider(attack.kind)?;
            Some(at([
                king.index(),
                direction(king, attack.by)?,
                steps(king, attack.by),
            ]))
        }),
    ),
    Family::new(
        "lists/king-to",
        "steps with the king to {} where a {} attacks",
        &[&SQUARES, &PIECES],
        Sides::Apart,
        Effect::Lists(|_, one, why| {
            let attack = attack(why).filter(|_| is_king_step(one))?;
            Some(at([one.step.to.index(), attack.kind.index()]))
        }),
    ),
    Family::new(
        "lists/unanswered",
        "moves a {} although a {} gives check from the {}",
        &[&PIECES, &PIECES, &FROM],
        Sides::Apart,
        Effect::Lists(|_, one, why| {
            let attack = attack(why).filter(|attack| attack.role == Role::Check)?;
            let from = direction(attack.target, attack.by)
                .or_else(|| jump(attack.target, attack.by).map(|jump| 8 + jump))?;
            Some(at([one.piece.index(), attack.kind.index(), from]))
        }),
    ),
    Family::new(
        "lists/pin-by",
        "moves a {} that a {} pins from the {}: {}",
        &[&PIECES, &SLIDERS, &DIRECTIONS, &["quiet", "capture"]],
        Sides::Apart,
        Effect::Lists(|_, one, why| {
            let attack = attack(why).filter(|attack| attack.role == Role::Opens)?;
            let way = direction(attack.target, attack.by)?;
            let takes = usize::from(one.victim.is_some());
            Some(at([one.piece.index(), slider(attack.kind)?, way, takes]))
        }),
    ),
    Family::new(
        "lists/line",
        "does not see pins of a king on {} from the {} at distance {}",
        &[&SQUARES, &DIRECTIONS, &DISTANCES],
        Sides::Shared,
        Effect::Lists(|scene, one, why| {
            let king = scene.king.filter(|_| role(why) == Some(Role::Opens))?;
            let pinned = one.step.from;
            Some(at([
                king.index(),
                direction(king, pinned)?,
                steps(king, pinned),
            ]))
        }),
    ),
    Family::new(
        "lists/off-pin",
        "moves a pinned {} freely, pinned from the {}",
        &[&PIECES, &DIRECTIONS],
        Sides::Each,
        Effect::Lists(|_, one, why| {
            let attack = attack(why).filter(|attack| attack.role == Role::Opens)?;
            Some(at([
                one.piece.index(),
                direction(attack.target, attack.by)?,
            ]))
        }),
    ),
    Family::new(
        "lists/pinner",
        "does not see the pin by a {} from the {}, at distance {} from the pinned piece",
        &[&SLIDERS, &DIRECTIONS, &DISTANCES],
        Sides::Each,
        Effect::Lists(|_, one, why| {
            let attack = attack(why).filter(|attack| attack.role == Role::Opens)?;
            let way = direction(attack.target, attack.by)?;
            Some(at([
                slider(attack.kind)?,
                way,
                steps(one.step.from, attack.by),
            ]))
        }),
    ),
    Family::new(
        "lists/pin-toward",
        "lets a piece pinned on a {} move to the {}",
        &[&["file", "rank", "diagonal", "antidiagonal"], &DIRECTIONS],
        Sides::Each,
        Effect::Lists(|_, one, why| {
            let attack = attack(why).filter(|attack| attack.role == Role::Opens)?;
            let pin = direction(attack.target, attack.by)?;
            let to = direction(one.step.from, one.step.to)?;
            Some(at([super::super::features::axis(pin), to]))
        }),
    ),
    Family::new(
        "lists/several-pins",
        "sees no pin after the first {}, {}",
        &[&NUMBERS, &["from-the-first", "from-the-last"]],
        Sides::Each,
        Effect::Lists(|scene, one, why| {
            role(why).filter(|&role| role == Role::Opens)?;
            let index = scene
                .pins
                .iter()
                .position(|pin| pin.pinned == one.step.from)?;
            match (index, scene.pins.len()) {
                (index @ 1.., _) => Some(at([index, 0])),
                (0, several @ 2..) => Some(at([several - 1, 1])),
                _ => None,
            }
        }),
    ),
    Family::new(
        "lists/pin-in-check",
        "forgets pins in a check of kind '{}'",
        &[&CHECKS],
        Sides::Each,
        Effect::Lists(|scene, _, why| (role(why)? == Role::Opens).then(|| at([scene.check]))),
    ),
    Family::new(
        "lists/king-step",
        "steps with the king to the {} where a {} attacks, taking {}",
        &[&DIRECTIONS, &PIECES, &VICTIMS],
        Sides::Each,
        Effect::Lists(|_, one, why| {
            let attack = attack(why).filter(|_| is_king_step(one))?;
            let step = direction(one.step.from, one.step.to)?;
            Some(at([step, attack.kind.index(), victim(one)]))
        }),
    ),
    Family::new(
        "lists/king-step-line",
        "steps with the king to the {} where a slider attacks from the {}",
        &[&DIRECTIONS, &DIRECTIONS],
        Sides::Each,
        Effect::Lists(|_, one, why| {
            let attack = attack(why).filter(|_| is_king_step(one))?;
            slider(attack.kind)?;
            let step = direction(one.step.from, one.step.to)?;
            Some(at([step, direction(attack.target, attack.by)?]))
        }),
    ),
    Family::new(
        "lists/king-takes",
        "takes with the king a {} that a {} protects",
        &[&PIECES, &PIECES],
        Sides::Each,
        Effect::Lists(|_, one, why| {
            let attack = attack(why).filter(|_| is_king_step(one))?;
            Some(at([one.victim?.index(), attack.kind.index()]))
        }),
    ),
    Family::new(
        "lists/attack-by-pinned",
        "does not see the attack of a {} that is pinned on a {}",
        &[&PIECES, &["file", "rank", "diagonal", "antidiagonal"]],
        Sides::Each,
        Effect::Lists(|scene, _, why| {
            let attack = attack(why)?;
            let king = scene.board.kings[scene.them]?;
            let way = direction(king, attack.by)?;
            let ours = scene.board.of(scene.us);
            let mut pinners = scene.board.sliders_to(king, scene.us, ours).into_iter();
            pinners.find(|&pinner| {
                let between = attacks::between(king, pinner);
                (between & scene.board.of(scene.them)).only() == Some(attack.by)
            })?;
            let axis = super::super::features::axis(way);
            Some(at([attack.kind.index(), axis]))
        }),
    ),
    Family::new(
        "lists/attack-beyond-pieces",
        "does not see the attack of a {} if there are {} before it",
        &[&PIECES, &NUMBERS],
        Sides::Each,
        Effect::Lists(|scene, _, why| {
            let attack = attack(why)?;
            let before = number_before(scene, attack.by);
            (before > 0).then(|| at([attack.kind.index(), before]))
        }),
    ),
    Family::new(
        "lists/check-after",
        "does not see the check given by {}, {}",
        &[&MOVES, &["directly", "by-discovery"]],
        Sides::Each,
        Effect::Lists(|scene, _, why| {
            let attack = attack(why).filter(|attack| attack.role == Role::Check)?;
            let last = scene.board.last?;
            let is_discovered = !last.moved.contains(attack.by);
            Some(at([usize::from(last.kind), usize::from(is_discovered)]))
        }),
    ),
    Family::new(
        "lists/double-check",
        "answers one of two checks with a {}: {} of a {}",
        &[&PIECES, &ANSWERS, &PIECES],
        Sides::Each,
        Effect::Lists(|scene, one, why| {
            let attack = attack(why).filter(|attack| attack.role == Role::Check)?;
            let king = scene.king.filter(|_| scene.checkers.has_several())?;
            let others = scene.checkers & !attack.by.bitboard();
            let other = others.first()?;
            let answer = if one.step.to == other {
                0
            } else if attacks::between(king, other).contains(one.step.to) {
                1
            } else {
                return None;
            };
            let other = scene.kind_at(other)?;
            Some(at([one.piece.index(), answer, other.index()]))
        }),
    ),
    Family::new(
        "lists/block",
        "blocks a check from the {} with a {} where it cannot be blocked: {}",
        &[
            &DIRECTIONS,
            &PIECES,
            &["behind-checker", "behind-king", "beside"],
        ],
        Sides::Each,
        Effect::Lists(|scene, one, why| {
            let attack = attack(why).filter(|attack| attack.role == Role::Check)?;
            let king = scene.king.filter(|_| !scene.checkers.has_several())?;
            let way = direction(king, attack.by)?;
            let to = one.step.to;
            let place =
                if direction(king, to) == Some(way) && steps(king, to) > steps(king, attack.by) {
                    0
                } else if attacks::line(king, attack.by).contains(to) {
                    1
                } else if steps(king, to) == 1 {
                    2
                } else {
                    return None;
                };
            Some(at([way, one.piece.index(), place]))
        }),
    ),
    Family::new(
        "lists/ep-opens",
        "takes en passant to the {} though a {} is open from the {}, shielded by the {} before",
        &[&["west", "east"], &SLIDERS, &DIRECTIONS, &SHIELDS],
        Sides::Each,
        Effect::Lists(|scene, one, why| {
            let attack =
                attack(why).filter(|attack| is_ep(one) && attack.role == Role::EnPassant)?;
            Some(at([
                way(one) - 1,
                slider(attack.kind)?,
                direction(attack.target, attack.by)?,
                ep_shield(scene, one, attack),
            ]))
        }),
    ),
    Family::new(
        "lists/ep-kings-rank",
        "takes en passant on the king's rank with the {} nearer to the king",
        &[&["capturer", "victim"]],
        Sides::Each,
        Effect::Lists(|scene, one, why| {
            let attack =
                attack(why).filter(|attack| is_ep(one) && attack.role == Role::EnPassant)?;
            let king = scene.king.filter(|king| king.rank() == attack.by.rank())?;
            let victim = scene.board.victim_square(one.step.to);
            let is_victim = steps(king, victim) < steps(king, one.step.from);
            Some(at([usize::from(is_victim)]))
        }),
    ),
    Family::new(
        "lists/ep-exposed",
        "does not test the king after en passant of kind '{}'",
        &[&["pin", "check", "any"]],
        Sides::Each,
        Effect::Lists(|_, one, why| {
            let attack = attack(why).filter(|_| is_ep(one))?;
            Some(at([usize::from(attack.role == Role::Check)]))
        }),
    ),
    Family::new(
        "lists/last-ply",
        "tests nothing at the last ply: {}",
        &[&ROLES],
        Sides::Each,
        Effect::Lists(|scene, _, why| {
            let attack = attack(why).filter(|_| scene.depth == 1)?;
            Some(at([role_index(attack.role)?]))
        }),
    ),
];

/// Directions of lines, then jumps.
const FROM: [&str; 16] = [
    "n", "e", "s", "w", "ne", "se", "sw", "nw", "1n2", "2n1", "2s1", "1s2", "-1s2", "-2s1", "-2n1",
    "-1n2",
];

fn attack(why: &Violation) -> Option<&Attack> {
    match why {
        Violation::Attack(attack) => Some(attack),
        Violation::Breach(_) => None,
    }
}

fn role(why: &Violation) -> Option<Role> {
    attack(why).map(|attack| attack.role)
}

fn role_index(role: Role) -> Option<usize> {
    match role {
        Role::Check => Some(0),
        Role::Opens => Some(1),
        Role::EnPassant => Some(2),
        Role::Step => Some(3),
        Role::Ray => Some(4),
        Role::Path(_) | Role::Uncovers => None,
    }
}

fn is_king_step(one: &Candidate) -> bool {
    one.piece == PieceType::King && !one.is_castling()
}

fn victim(one: &Candidate) -> usize {
    let victim = one.victim.filter(|&kind| kind != PieceType::King);
    victim.map_or(0, |kind| 1 + kind.index())
}

/// Index into [`SHIELDS`].
fn ep_shield(scene: &Scene<'_>, one: &Candidate, attack: &Attack) -> usize {
    let between = attacks::between(attack.target, attack.by);
    let victim = scene.board.victim_square(one.step.to);
    match (between.contains(victim), between.contains(one.step.from)) {
        (true, true) => 2,
        (true, false) => 0,
        _ => 1,
    }
}

/// The values of a piece's victims.
pub(super) fn victim_values(one: &Candidate) -> usize {
    victim(one)
}
