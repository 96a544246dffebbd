//! Castling that is refused, or listed although it is illegal.

use chess::rules::{Bitboard, CastlingSide, File, PieceType, Rank, Square, attacks};

use super::super::board::How;
use super::super::features::{
    ASIDE, CORNERS, DIRECTIONS, FILES, OWNERS, PIECES, SIDES, STEPS, slides,
};
use super::super::scene::{Attack, Breach, Candidate, Role, Scene, Violation, along};
use super::{Effect, Family, Hits, Sides, at};

/// The squares of the castling king.
const PLACES: [&str; 3] = ["out-of", "across", "onto"];
/// Squares that may be attacked.
const ELSEWHERE: [&str; 4] = ["rook", "beside-rook", "beside-king", "other-corner"];
/// The first two ranks from the castling side.
#[rustfmt::skip]
const NEAR: [&str; 16] = [
    "a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2",
];
/// The other rights, by which castling may be judged in place of its own.
const OTHER_RIGHTS: [&str; 4] = ["own-other", "their-same", "their-other", "none"];
const CONTEXTS: [&str; 3] = ["after-fen", "after-move", "with-check"];
#[rustfmt::skip]
const REASONS: [&str; 6] = ["blocked-between", "blocked-beyond", "out-of", "across", "onto", "uncovers"];

families! {
    Apart Omits "omits/castling-shielded" [SIDES, PLACES, DIRECTIONS, OWNERS]
        "refuses castling {} where an attack on the square '{}' from the {} is blocked by {} piece" =>
        |scene, m, hits| shielded(scene, m, |place, way, owner, _| { hits.at([side(m)?, place, way, owner]); None });
    Apart Omits "omits/castling-shielded-by" [SIDES, OWNERS, PIECES]
        "refuses castling {} where an attack on its way is blocked by {} {}" =>
        |scene, m, hits| shielded(scene, m, |_, _, owner, kind| { hits.at([side(m)?, owner, kind]); None });
    Apart Omits "omits/castling-attacked" [SIDES, ELSEWHERE, PIECES]
        "refuses castling {} where the square '{}' is attacked by a {}" => attacked_elsewhere;
    Apart Omits "omits/castling-near" [SIDES, NEAR, OWNERS] "refuses castling {} where {} has {} piece" =>
        |scene, m, hits| {
            let side = side(m)?;
            for (index, _) in NEAR.iter().enumerate() {
                let file = File::ALL[index % 8];
                let square = Square::new(file, Rank::ALL[index / 8].relative_to(scene.us));
                if let Some(piece) = scene.board.at(square)
                    && square != m.from && square != m.to
                {
                    hits.at([side, index, usize::from(piece.color != scene.us)]);
                }
            }
            None
        };
    Apart Omits "omits/castling-by-right" [SIDES, OTHER_RIGHTS] "refuses castling {} without the right '{}'" =>
        |scene, m, hits| {
            let side = side(m)?;
            for (other, _) in other_rights(scene, side).into_iter().enumerate().filter(|&(_, has)| !has) {
                hits.at([side, other]);
            }
            None
        };
    Each Omits "omits/castling-pair" [SIDES] "drops castling {} where both are legal" =>
        |scene, m, hits| {
            let number = scene.legal.iter().filter(|other| other.is_castling()).count();
            (number > 1).then(|| hits.at([side(m)?]))?
        };
    Shared Omits "omits/castling-context" [CORNERS, CONTEXTS] "refuses castling with the right to {} {}" =>
        |scene, m, hits| {
            let corner = 2 * scene.us.index() + side(m)?;
            hits.at([corner, usize::from(scene.board.last.is_some())]);
            let rook = CastlingSide::new(m.from, m.to).rook_target(scene.us);
            let left = scene.occupied & !(m.from.bitboard() | m.to.bitboard());
            let gives = attacks::rook(rook, left).contains(scene.board.kings[scene.them]?);
            gives.then(|| hits.at([corner, 2]))?
        };
    Apart Omits "omits/castling-files" [FILES, FILES]
        "refuses castling with the king on the {}-file and the rook on the {}-file" =>
        |_, m, hits| m.is_castling().then(|| hits.at([m.from, m.to].map(|square| square.file().index())))?;
    Each Omits "omits/castling-inner-rook" [SIDES] "refuses castling {} with a rook that has another behind it" =>
        |scene, m, hits| {
            // X-FEN: `K` and `Q` mean the outermost rook; an inner one needs its file's letter.
            let step = [(1, 0), (-1, 0)][side(m)?];
            let mut pieces = along(scene.board, m.to, step);
            let is_outer = pieces.any(|(square, _)| scene.board.is(square, scene.us, PieceType::Rook));
            is_outer.then(|| hits.at([side(m)?]))?
        };
    Apart Lists "lists/castling-files" [FILES, FILES, REASONS]
        "castles with the king on the {}-file and the rook on the {}-file although: {}" =>
        |_, m, why| {
            let reason = match why {
                Violation::Breach(Breach::Blocked(square)) => {
                    // In Chess960, king or rook may pass squares that are not between the two.
                    usize::from(!attacks::between(m.from, m.to).contains(*square))
                }
                Violation::Attack(Attack { role: Role::Path(place), .. }) => 2 + place,
                Violation::Attack(_) => 5,
                Violation::Breach(_) => return None,
            };
            let [king, rook] = [m.from, m.to].map(|square| square.file().index());
            m.is_castling().then(|| at([king, rook, reason]))?
        };
    Apart Lists "lists/castling-hit" [SIDES, PLACES, PIECES, ASIDE] "castles {} {} a square attacked by a {} from the {}" =>
        |_, m, why| {
            let attack = why.attack()?;
            let Role::Path(place) = attack.role else { return None };
            at([side(m)?, place, attack.kind.index(), attack.aside()?])
        };
    Apart Lists "lists/castling-attacked-by" [SIDES, PIECES] "castles {} whatever a {} attacks" =>
        |_, m, why| at([side(m)?, why.attack()?.kind.index()]);
    Apart Lists "lists/castling-blocked" [SIDES, OWNERS, PIECES, FILES] "castles {} through {} {} on the {}-file" =>
        |scene, m, why| {
            let Violation::Breach(Breach::Blocked(square)) = why else { return None };
            let piece = scene.board.at(*square)?;
            let owner = usize::from(piece.color != scene.us);
            at([side(m)?, owner, piece.piece_type.index(), square.file().index()])
        };
    Each Lists "lists/castling-although" [SIDES, ["blocked", "attacked"]] "castles {} although its way is {}" =>
        |_, m, why| at([side(m)?, match why {
            Violation::Breach(Breach::Blocked(_)) => 0,
            Violation::Attack(_) => 1,
            Violation::Breach(_) => return None,
        }]);
    Apart Lists "lists/castling-by-right" [SIDES, OTHER_RIGHTS] "castles {} without its right, by the right '{}'" =>
        |scene, m, why| {
            let side = side(m)?;
            let other = other_rights(scene, side).into_iter().position(|has| has).unwrap_or(3);
            (*why == Violation::Breach(Breach::NoRight)).then(|| at([side, other]))?
        };
}

/// The side to which a move castles; index into [`SIDES`].
pub(super) fn side(m: &Candidate) -> Option<usize> {
    match m.step.how {
        How::Castling(side) => Some(side.index()),
        _ => None,
    }
}

/// Whether the rights of [`OTHER_RIGHTS`] are there.
fn other_rights(scene: &Scene<'_>, side: usize) -> [bool; 3] {
    let has = |color, side: usize| scene.board.rights[color][side].is_some();
    let [us, them] = [scene.us, scene.them];
    [has(us, 1 - side), has(them, side), has(them, 1 - side)]
}

/// The squares on which the castling king stands, one after another.
fn path(scene: &Scene<'_>, m: &Candidate) -> Bitboard {
    // FIDE 3.8.2: none of these may be attacked.
    let target = CastlingSide::new(m.from, m.to).king_target(scene.us);
    attacks::between(m.from, target) | m.from.bitboard() | target.bitboard()
}

/// Attacks on the king's way that are blocked: the place, the direction, whose piece blocks, and its kind.
fn shielded(
    scene: &Scene<'_>,
    m: &Candidate,
    mut take: impl FnMut(usize, usize, usize, usize) -> Option<()>,
) -> Option<()> {
    side(m)?;
    let target = CastlingSide::new(m.from, m.to).king_target(scene.us);
    for square in path(scene, m) {
        for (way, &step) in STEPS.iter().enumerate() {
            let mut pieces = along(scene.board, square, step);
            // Only what stands next behind the blocker would attack without it.
            let (Some((at, blocker)), Some((_, slider))) = (pieces.next(), pieces.next()) else {
                continue;
            };
            let shields = slider.color == scene.them && slides(slider.piece_type, way);
            // King and rook leave their squares by themselves.
            if shields && at != m.from && at != m.to {
                let place = match square {
                    _ if square == target => 2,
                    _ => usize::from(square != m.from),
                };
                let owner = usize::from(blocker.color != scene.us);
                take(place, way, owner, blocker.piece_type.index());
            }
        }
    }
    None
}

fn attacked_elsewhere(scene: &Scene<'_>, m: &Candidate, hits: &mut Hits) -> Option<()> {
    let side = side(m)?;
    let toward_king = [-1, 1][side];
    let other_corner = Square::new([File::A, File::H][side], Rank::R1.relative_to(scene.us));
    let squares = [
        Some(m.to),
        m.to.offset(toward_king, 0),
        m.from.offset(toward_king, 0),
        Some(other_corner),
    ];
    for (index, square) in squares.into_iter().enumerate() {
        // On the king's way, an attack does prevent castling.
        let Some(square) = square.filter(|&square| !path(scene, m).contains(square)) else {
            continue;
        };
        for by in scene.board.attackers(square, scene.them, scene.occupied) {
            hits.at([side, index, scene.kind_at(by)?.index()]);
        }
    }
    None
}
