//! Illegal moves that are listed because an attack on the king is overlooked.

use chess::rules::{PieceType, attacks};

use super::super::features::{
    ASIDE, AXES, CHECKS, DIRECTIONS, DISTANCES, JUMP_NAMES, MOVES, NUMBERS, PIECES, PINS, SLIDERS,
    SQUARES, TAKES, VICTIMS, WEST_EAST, axis, direction, jump, slider, steps,
};
use super::super::scene::{Attack, Candidate, Role, Scene, Violation};
use super::moves::number_before;
use super::{Effect, Family, Sides, at};

const ROLES: [&str; 5] = ["check", "pin", "en-passant", "king-step", "ray"];
const ANSWERS: [&str; 2] = ["takes-one", "blocks-one"];
/// What shielded the king before en passant.
const SHIELDS: [&str; 3] = ["victim", "capturer", "both"];
const FROM_WHERE: [&str; 2] = ["from-the-first", "from-the-last"];
const BLOCKS: [&str; 3] = ["behind-checker", "behind-king", "beside"];

families! {
    Each Lists "lists/check" [MOVES, CHECKS] "lists {} though a check of kind '{}' remains" =>
        |scene, m, why| why.in_role(Role::Check).and(at([m.kind, scene.check]));
    Each Lists "lists/pin" [MOVES, PINS] "lists {} of a pinned piece: {}" => |_, m, why| {
        // En passant exposes the king by the pawn that it removes as well.
        let is_pin = matches!(why.attack()?.role, Role::Opens | Role::EnPassant);
        is_pin.then(|| at([m.kind, m.pin]))?
    };
    Each Lists "lists/exposed" [MOVES, PIECES] "lists {} although its king can be taken by a {}" =>
        |_, m, why| at([m.kind, why.attack()?.kind.index()]);
    Each Lists "lists/attack" [PIECES, ASIDE, ROLES] "does not see the attack of a {} from the {}: {}" => |_, _, why| {
        let attack = why.attack()?;
        at([attack.kind.index(), attack.aside()?, role(attack)?])
    };
    Apart Lists "lists/knight-attack" [SQUARES, JUMP_NAMES] "does not see the knight's attack from {} by {}" => |_, _, why| {
        let attack = why.by(PieceType::Knight)?;
        at([attack.by.index(), jump(attack.by, attack.target)?])
    };
    Apart Lists "lists/king-attack" [SQUARES, DIRECTIONS] "does not see the king's attack from {} to the {}" => |_, _, why| {
        let attack = why.by(PieceType::King)?;
        at([attack.by.index(), direction(attack.by, attack.target)?])
    };
    Apart Lists "lists/pawn-attack" [SQUARES, WEST_EAST] "does not see the pawn's attack from {} to the {}" => |_, _, why| {
        let attack = why.by(PieceType::Pawn)?;
        at([attack.by.index(), usize::from(attack.target.file() > attack.by.file())])
    };
    Each Lists "lists/slider-attack" [SLIDERS, DIRECTIONS, DISTANCES] "does not see a {} to the {} at distance {}" => |_, _, why| {
        let attack = why.attack()?;
        at([slider(attack.kind)?, attack.direction()?, steps(attack.target, attack.by)])
    };
    Shared Lists "lists/line-check" [SQUARES, DIRECTIONS, DISTANCES] "does not see checks of a king on {} from the {} at distance {}" =>
        |_, _, why| {
            let attack = why.in_role(Role::Check)?;
            slider(attack.kind)?;
            at([attack.target.index(), attack.direction()?, steps(attack.target, attack.by)])
        };
    Shared Lists "lists/line" [SQUARES, DIRECTIONS, DISTANCES] "does not see pins of a king on {} from the {} at distance {}" =>
        |_, m, why| {
            let attack = why.in_role(Role::Opens)?;
            at([attack.target.index(), attack.direction()?, steps(attack.target, m.from)])
        };
    Apart Lists "lists/king-to" [SQUARES, PIECES] "steps with the king to {} where a {} attacks" =>
        |_, m, why| m.is_king_step().then(|| at([m.to.index(), why.attack()?.kind.index()]))?;
    Apart Lists "lists/unanswered" [PIECES, PIECES, ASIDE] "moves a {} although a {} gives check from the {}" => |_, m, why| {
        let attack = why.in_role(Role::Check)?;
        at([m.piece.index(), attack.kind.index(), attack.aside()?])
    };
    Apart Lists "lists/pin-by" [PIECES, SLIDERS, DIRECTIONS, TAKES] "moves a {} that a {} pins from the {}: {}" => |_, m, why| {
        let attack = why.in_role(Role::Opens)?;
        at([m.piece.index(), slider(attack.kind)?, attack.direction()?, m.takes()])
    };
    Each Lists "lists/pinner" [SLIDERS, DIRECTIONS, DISTANCES]
        "does not see the pin by a {} from the {}, at distance {} from the pinned piece" => |_, m, why| {
        let attack = why.in_role(Role::Opens)?;
        at([slider(attack.kind)?, attack.direction()?, steps(m.from, attack.by)])
    };
    Each Lists "lists/pin-toward" [AXES, DIRECTIONS] "lets a piece pinned on a {} move to the {}" =>
        |_, m, why| at([axis(why.in_role(Role::Opens)?.direction()?), direction(m.from, m.to)?]);
    Each Lists "lists/several-pins" [NUMBERS, FROM_WHERE] "sees no pin after the first {}, {}" => |scene, m, why| {
        why.in_role(Role::Opens)?;
        let index = scene.pins.iter().position(|pin| pin.pinned == m.from)?;
        match scene.pins.len() {
            _ if index > 0 => at([index, 0]),
            // A scan from the other end finds this pin last.
            several => (several > 1).then(|| at([several - 1, 1]))?,
        }
    };
    Each Lists "lists/pin-in-check" [CHECKS] "forgets pins in a check of kind '{}'" =>
        |scene, _, why| why.in_role(Role::Opens).and(at([scene.check]));
    Each Lists "lists/king-step" [DIRECTIONS, PIECES, VICTIMS] "steps with the king to the {} where a {} attacks, taking {}" =>
        |_, m, why| m.is_king_step().then(|| {
            at([direction(m.from, m.to)?, why.attack()?.kind.index(), m.victim_value()])
        })?;
    Each Lists "lists/king-step-line" [DIRECTIONS, DIRECTIONS] "steps with the king to the {} where a slider attacks from the {}" =>
        |_, m, why| m.is_king_step().then(|| at([direction(m.from, m.to)?, why.attack()?.direction()?]))?;
    Each Lists "lists/king-takes" [PIECES, PIECES] "takes with the king a {} that a {} protects" =>
        |_, m, why| m.is_king_step().then(|| at([m.victim?.index(), why.attack()?.kind.index()]))?;
    Each Lists "lists/attack-by-pinned" [PIECES, AXES] "does not see the attack of a {} that is pinned on a {}" => |scene, _, why| {
        // FIDE 3.1.3: a pinned piece attacks all the same.
        let attack = why.attack()?;
        let king = scene.board.kings[scene.them]?;
        let mut pinners = scene.board.sliders_to(king, scene.us, scene.board.by_color(scene.us)).into_iter();
        let shields = |pinner| attacks::between(king, pinner) & scene.board.by_color(scene.them);
        pinners.find(|&pinner| shields(pinner).only() == Some(attack.by))?;
        at([attack.kind.index(), axis(direction(king, attack.by)?)])
    };
    Each Lists "lists/attack-beyond-pieces" [PIECES, NUMBERS] "does not see the attack of a {} if there are {} before it" =>
        |scene, _, why| {
            let attack = why.attack()?;
            // A piece list that is too short loses the last pieces.
            let before = number_before(scene, attack.by);
            (before > 0).then(|| at([attack.kind.index(), before]))?
        };
    Each Lists "lists/check-after" [MOVES, ["directly", "by-discovery"]] "does not see the check given by {}, {}" => |scene, _, why| {
        let (attack, last) = (why.in_role(Role::Check)?, scene.board.last?);
        // A checker that has not moved was uncovered.
        at([usize::from(last.kind), usize::from(!last.moved.contains(attack.by))])
    };
    Each Lists "lists/double-check" [PIECES, ANSWERS, PIECES] "answers one of two checks with a {}: {} of a {}" => |scene, m, why| {
        let attack = why.in_role(Role::Check).filter(|_| scene.checkers.has_several())?;
        let other = (scene.checkers & !attack.by.bitboard()).first()?;
        let blocks = attacks::between(attack.target, other).contains(m.to);
        let answers = m.to == other || blocks;
        answers.then(|| at([m.piece.index(), usize::from(blocks), scene.kind_at(other)?.index()]))?
    };
    Each Lists "lists/block" [DIRECTIONS, PIECES, BLOCKS]
        "blocks a check from the {} with a {} where it cannot be blocked: {}" => |scene, m, why| {
        let attack = why.in_role(Role::Check).filter(|_| !scene.checkers.has_several())?;
        let (king, way) = (attack.target, attack.direction()?);
        // A ray taken for the squares between king and checker reaches beyond.
        let is_behind = direction(king, m.to) == Some(way) && steps(king, m.to) > steps(king, attack.by);
        let place = match m.to {
            _ if is_behind => 0,
            to if attacks::line(king, attack.by).contains(to) => 1,
            to if steps(king, to) == 1 => 2,
            _ => return None,
        };
        at([way, m.piece.index(), place])
    };
    Each Lists "lists/ep-opens" [WEST_EAST, SLIDERS, DIRECTIONS, SHIELDS]
        "takes en passant to the {} though a {} is open from the {}, shielded by the {} before" => |scene, m, why| {
        let attack = why.in_role(Role::EnPassant)?;
        at([m.way() - 1, slider(attack.kind)?, attack.direction()?, shield(scene, m, attack)])
    };
    Each Lists "lists/ep-kings-rank" [["capturer", "victim"]] "takes en passant on the king's rank with the {} nearer to the king" =>
        |scene, m, why| {
            let attack = why.in_role(Role::EnPassant)?;
            let king = Some(attack.target).filter(|king| king.rank() == attack.by.rank())?;
            let victim = scene.board.victim_square(m.to);
            at([usize::from(steps(king, victim) < steps(king, m.from))])
        };
    Each Lists "lists/last-ply" [ROLES] "tests nothing at the last ply: {}" =>
        // Bulk counting adds the length of the last list, which must not have illegal moves.
        |scene, _, why| (scene.depth == 1).then(|| at([role(why.attack()?)?]))?;
}

/// Index into [`ROLES`].
fn role(attack: &Attack) -> Option<usize> {
    match attack.role {
        Role::Check => Some(0),
        Role::Opens => Some(1),
        Role::EnPassant => Some(2),
        Role::Step => Some(3),
        Role::Ray => Some(4),
        // Castling has families of its own.
        Role::Path(_) | Role::Uncovers => None,
    }
}

impl Violation {
    pub(super) fn attack(&self) -> Option<&Attack> {
        match self {
            Self::Attack(attack) => Some(attack),
            Self::Breach(_) => None,
        }
    }

    fn in_role(&self, role: Role) -> Option<&Attack> {
        self.attack().filter(|attack| attack.role == role)
    }

    fn by(&self, kind: PieceType) -> Option<&Attack> {
        self.attack().filter(|attack| attack.kind == kind)
    }
}

impl Attack {
    /// The direction to a piece that attacks along a line.
    fn direction(&self) -> Option<usize> {
        direction(self.target, self.by)
    }

    /// The direction or the jump to the attacker; index into [`ASIDE`].
    pub(super) fn aside(&self) -> Option<usize> {
        let jump = || jump(self.target, self.by).map(|jump| 8 + jump);
        self.direction().or_else(jump)
    }
}

/// Index into [`SHIELDS`].
fn shield(scene: &Scene<'_>, m: &Candidate, attack: &Attack) -> usize {
    let between = attacks::between(attack.target, attack.by);
    let victim = scene.board.victim_square(m.to);
    match (between.contains(victim), between.contains(m.from)) {
        (true, true) => 2,
        (true, false) => 0,
        _ => 1,
    }
}
