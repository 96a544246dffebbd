//! Legal moves that are not listed, or twice.

use chess::rules::{PieceType, Rank, Square, attacks};

use super::super::board::is_on;
use super::super::features::{
    CHECKS, DIRECTIONS, DOUBLE_PUSH, FILES, JUMP_NAMES, MOVES, NUMBERS, PIECES, PINS, PROMOTIONS,
    SLIDERS, SQUARES, STEPS, axis, direction, distance, is_straight, jump, slider, slides, steps,
};
use super::super::scene::{Candidate, Scene, along};
use super::{Effect, Family, Sides, at};

const DISTANCES: [&str; 8] = ["0", "1", "2", "3", "4", "5", "6", "7"];
const RANKS: [&str; 8] = ["1", "2", "3", "4", "5", "6", "7", "8"];
/// What a position may have.
const STATES: [&str; 3] = ["an-ep-square", "an-own-right", "a-right-of-theirs"];
const PAWN_STEPS: [&str; 4] = ["push", "double", "takes-west", "takes-east"];
const WAYS: [&str; 3] = ["push", "takes-west", "takes-east"];
const ALONG: [&str; 3] = ["nearer", "farther", "takes-pinner"];
const ORDER: [&str; 2] = ["first", "second"];
/// Lengths at which lists end.
const LENGTHS: [usize; 24] = [
    10, 16, 20, 24, 28, 32, 36, 40, 48, 50, 56, 60, 64, 72, 80, 96, 100, 110, 120, 128, 150, 180,
    200, 217,
];
const LENGTH_NAMES: [&str; 24] = [
    "10", "16", "20", "24", "28", "32", "36", "40", "48", "50", "56", "60", "64", "72", "80", "96",
    "100", "110", "120", "128", "150", "180", "200", "217",
];
/// Lengths at which lists of captures, of evasions and of one piece's moves end.
const SHORT: [usize; 16] = [4, 6, 8, 10, 12, 14, 16, 20, 24, 26, 28, 32, 40, 48, 56, 64];
const SHORT_NAMES: [&str; 16] = [
    "4", "6", "8", "10", "12", "14", "16", "20", "24", "26", "28", "32", "40", "48", "56", "64",
];

/// Pieces that attack nothing, but are taken to.
const PHANTOMS: [&str; 13] = [
    "pawn-ahead",
    "pawn-two-ahead",
    "pawn-backward",
    "pawn-across-edge",
    "knight-across-edge",
    "bishop-as-rook",
    "rook-as-bishop",
    "through-our-piece",
    "through-their-piece",
    "king-two-steps",
    "piece-as-pawn",
    "queen-as-knight",
    "pawn-of-ours",
];
/// What is taken to be attacked.
const CONTEXTS: [&str; 4] = ["king-step", "castling-across", "castling-onto", "check"];
/// Why a piece is taken to be pinned.
const FALSE_PINS: [&str; 4] = [
    "two-own-pieces",
    "their-piece-behind",
    "wrong-slider",
    "own-slider",
];

pub(super) const FAMILIES: &[Family] = &[
    Family::new(
        "omits/check",
        "does not list {} in a position of check '{}'",
        &[&MOVES, &CHECKS],
        Sides::Each,
        Effect::Omits(|scene, one, out| out.push(at([one.kind, scene.check]))),
    ),
    Family::new(
        "omits/pin",
        "does not list {} of a piece that is pinned: {}",
        &[&MOVES, &PINS],
        Sides::Each,
        Effect::Omits(|_, one, out| {
            if one.pin > 0 {
                out.push(at([one.kind, one.pin]));
            }
        }),
    ),
    Family::new(
        "omits/from-file",
        "does not list {} from the {}-file",
        &[&MOVES, &FILES],
        Sides::Apart,
        Effect::Omits(|_, one, out| out.push(at([one.kind, one.step.from.file().index()]))),
    ),
    Family::new(
        "omits/to-file",
        "does not list {} to the {}-file",
        &[&MOVES, &FILES],
        Sides::Apart,
        Effect::Omits(|_, one, out| out.push(at([one.kind, one.step.to.file().index()]))),
    ),
    Family::new(
        "omits/from-rank",
        "does not list {} from rank {}",
        &[&MOVES, &RANKS],
        Sides::Apart,
        Effect::Omits(|_, one, out| out.push(at([one.kind, one.step.from.rank().index()]))),
    ),
    Family::new(
        "omits/to-rank",
        "does not list {} to rank {}",
        &[&MOVES, &RANKS],
        Sides::Apart,
        Effect::Omits(|_, one, out| out.push(at([one.kind, one.step.to.rank().index()]))),
    ),
    Family::new(
        "omits/to",
        "does not list moves of a {} to {}: {}",
        &[&PIECES, &SQUARES, &["quiet", "capture"]],
        Sides::Apart,
        Effect::Omits(|_, one, out| {
            let takes = usize::from(one.victim.is_some());
            out.push(at([one.piece.index(), one.step.to.index(), takes]));
        }),
    ),
    Family::new(
        "omits/state",
        "does not list {} where there is {}",
        &[&MOVES, &STATES],
        Sides::Each,
        Effect::Omits(|scene, one, out| {
            let has_right = |color| scene.board.rights[color].iter().any(Option::is_some);
            let is = [
                scene.board.ep_square.is_some(),
                has_right(scene.us),
                has_right(scene.them),
            ];
            out.extend(
                (0..STATES.len())
                    .filter(|&state| is[state])
                    .map(|state| at([one.kind, state])),
            );
        }),
    ),
    Family::new(
        "omits/gives",
        "does not list {} that gives check {}",
        &[&MOVES, &["directly", "by-discovery", "twice"]],
        Sides::Each,
        Effect::Omits(|scene, one, out| {
            if let Some(how) = gives(scene, one) {
                out.push(at([one.kind, how]));
            }
        }),
    ),
    Family::new(
        "omits/knight-step",
        "lacks the knight's jump from {} by {}",
        &[&SQUARES, &JUMP_NAMES],
        Sides::Apart,
        Effect::Omits(|_, one, out| {
            if let (PieceType::Knight, Some(jump)) = (one.piece, jump(one.step.from, one.step.to)) {
                out.push(at([one.step.from.index(), jump]));
            }
        }),
    ),
    Family::new(
        "omits/king-step",
        "lacks the king's step from {} to the {}",
        &[&SQUARES, &DIRECTIONS],
        Sides::Apart,
        Effect::Omits(|_, one, out| {
            if one.piece == PieceType::King && !one.is_castling() {
                let step = direction(one.step.from, one.step.to).expect("a king's step");
                out.push(at([one.step.from.index(), step]));
            }
        }),
    ),
    Family::new(
        "omits/pawn-step",
        "lacks the pawn's move from {}: {}",
        &[&SQUARES, &PAWN_STEPS],
        Sides::Apart,
        Effect::Omits(|_, one, out| {
            if one.piece == PieceType::Pawn {
                let step = match way(one) {
                    0 => usize::from(one.kind == DOUBLE_PUSH),
                    way => way + 1,
                };
                out.push(at([one.step.from.index(), step]));
            }
        }),
    ),
    Family::new(
        "omits/slide",
        "lacks the slide of a {} from {} to the {} by {}",
        &[&SLIDERS, &SQUARES, &DIRECTIONS, &DISTANCES],
        Sides::Apart,
        Effect::Omits(|_, one, out| {
            if let Some(kind) = slider(one.piece) {
                let (from, to) = (one.step.from, one.step.to);
                let way = direction(from, to).expect("a slide");
                out.push(at([kind, from.index(), way, steps(from, to)]));
            }
        }),
    ),
    Family::new(
        "omits/slider",
        "does not move a {} to the {} by {}",
        &[&SLIDERS, &DIRECTIONS, &DISTANCES],
        Sides::Each,
        Effect::Omits(|_, one, out| {
            if let Some(kind) = slider(one.piece) {
                let (from, to) = (one.step.from, one.step.to);
                let way = direction(from, to).expect("a slide");
                out.push(at([kind, way, steps(from, to)]));
            }
        }),
    ),
    Family::new(
        "omits/promotion",
        "does not promote to {} on the {}-file by {}",
        &[&PROMOTIONS, &FILES, &WAYS],
        Sides::Apart,
        Effect::Omits(|_, one, out| {
            if let Some(kind) = promoted(one) {
                out.push(at([kind, one.step.to.file().index(), way(one)]));
            }
        }),
    ),
    Family::new(
        "omits/block",
        "does not block a check from the {} {} squares from the king by {}",
        &[&DIRECTIONS, &DISTANCES, &PIECES],
        Sides::Each,
        Effect::Omits(|scene, one, out| {
            if let Some((king, _, way)) = block(scene, one) {
                out.push(at([way, steps(king, one.step.to), one.piece.index()]));
            }
        }),
    ),
    Family::new(
        "omits/between",
        "has no squares between the king on {} and a checker to the {} by {}",
        &[&SQUARES, &DIRECTIONS, &DISTANCES],
        Sides::Shared,
        Effect::Omits(|scene, one, out| {
            if let Some((king, checker, way)) = block(scene, one) {
                out.push(at([king.index(), way, steps(king, checker)]));
            }
        }),
    ),
    Family::new(
        "omits/along-pin",
        "does not move a pinned {} along its pin to the {}: {}",
        &[&PIECES, &DIRECTIONS, &ALONG],
        Sides::Each,
        Effect::Omits(|scene, one, out| {
            if let (Some(pin), Some(king)) = (scene.pin_of(one.step.from), scene.king) {
                let [before, after] = [one.step.from, one.step.to].map(|to| steps(king, to));
                let how = match one.step.to {
                    to if to == pin.pinner => 2,
                    _ => usize::from(after > before),
                };
                out.push(at([one.piece.index(), pin.direction, how]));
            }
        }),
    ),
    Family::new(
        "omits/same-target",
        "does not list the move of a {} where a {} goes too: {}",
        &[&PIECES, &PIECES, &ORDER],
        Sides::Each,
        Effect::Omits(|scene, one, out| {
            let mut seen = [[false; 2]; 6];
            for (ordinal, other) in scene.legal.iter().enumerate() {
                if other.to == one.step.to && other.from != one.step.from {
                    seen[other.piece.index()][usize::from(ordinal < one.ordinal)] = true;
                }
            }
            for (other, orders) in seen.into_iter().enumerate() {
                for (order, _) in orders.into_iter().enumerate().filter(|&(_, seen)| seen) {
                    out.push(at([one.piece.index(), other, order]));
                }
            }
        }),
    ),
    Family::new(
        "omits/two-captures",
        "does not list the capture by a {} that has another: {}",
        &[&PIECES, &ORDER],
        Sides::Each,
        Effect::Omits(|scene, one, out| {
            if one.victim.is_some() {
                let (mut before, mut after) = (false, false);
                for (ordinal, other) in scene.legal.iter().enumerate() {
                    if other.from == one.step.from && other.takes && other.to != one.step.to {
                        before |= ordinal < one.ordinal;
                        after |= ordinal > one.ordinal;
                    }
                }
                for (order, _) in [after, before]
                    .into_iter()
                    .enumerate()
                    .filter(|&(_, is)| is)
                {
                    out.push(at([one.piece.index(), order]));
                }
            }
        }),
    ),
    Family::new(
        "omits/push-and-capture",
        "does not list a pawn's move where it may push and capture: {} to {}",
        &[&WAYS, &["last-rank", "other-rank"]],
        Sides::Each,
        Effect::Omits(|scene, one, out| {
            if one.piece == PieceType::Pawn {
                let takes = way(one) > 0;
                let mut others = scene.legal.iter();
                if others.any(|other| other.from == one.step.from && other.takes != takes) {
                    out.push(at([way(one), usize::from(one.promotion().is_none())]));
                }
            }
        }),
    ),
    Family::new(
        "omits/beyond-moves",
        "ends its list of moves at {}",
        &[&LENGTH_NAMES],
        Sides::Each,
        Effect::Omits(|_, one, out| {
            let full = LENGTHS.iter().take_while(|&&length| one.ordinal >= length);
            out.extend((0..full.count()).map(|length| at([length])));
        }),
    ),
    Family::new(
        "omits/beyond-captures",
        "ends its list of captures at {}",
        &[&SHORT_NAMES],
        Sides::Each,
        Effect::Omits(|scene, one, out| {
            if one.victim.is_some() && scene.captures > SHORT[0] {
                let before = &scene.legal[..one.ordinal];
                beyond(before.iter().filter(|other| other.takes).count(), out);
            }
        }),
    ),
    Family::new(
        "omits/beyond-quiet-moves",
        "ends its list of moves that take nothing at {}",
        &[&SHORT_NAMES],
        Sides::Each,
        Effect::Omits(|scene, one, out| {
            if one.victim.is_none() {
                let before = &scene.legal[..one.ordinal];
                beyond(before.iter().filter(|other| !other.takes).count(), out);
            }
        }),
    ),
    Family::new(
        "omits/beyond-evasions",
        "ends its list of moves in check at {}",
        &[&SHORT_NAMES],
        Sides::Each,
        Effect::Omits(|scene, one, out| {
            if !scene.checkers.is_empty() {
                beyond(one.ordinal, out);
            }
        }),
    ),
    Family::new(
        "omits/beyond-targets",
        "ends its list of one piece's moves at {}",
        &[&SHORT_NAMES],
        Sides::Each,
        Effect::Omits(|scene, one, out| {
            let before = &scene.legal[..one.ordinal];
            beyond(
                before
                    .iter()
                    .filter(|other| other.from == one.step.from)
                    .count(),
                out,
            );
        }),
    ),
    Family::new(
        "omits/beyond-pieces",
        "does not move a {} if there are {} before it",
        &[&PIECES, &NUMBERS],
        Sides::Each,
        Effect::Omits(|scene, one, out| {
            let before = number_before(scene, one.step.from);
            out.extend((1..=before).map(|number| at([one.piece.index(), number])));
        }),
    ),
    Family::new(
        "sees/attack",
        "takes a square to be attacked by {}: {}",
        &[&PHANTOMS, &CONTEXTS],
        Sides::Each,
        Effect::Omits(sees_attack),
    ),
    Family::new(
        "sees/pin",
        "takes a piece to be pinned by {} from the {}: {}",
        &[&FALSE_PINS, &DIRECTIONS, &PIECES],
        Sides::Each,
        Effect::Omits(sees_pin),
    ),
    Family::new(
        "repeats/move",
        "lists {} twice, {}",
        &[&MOVES, &["quiet", "check"]],
        Sides::Each,
        Effect::Repeats(|scene, one, out| {
            out.push(at([one.kind, usize::from(!scene.checkers.is_empty())]));
        }),
    ),
    Family::new(
        "repeats/queen",
        "lists a queen's move twice along a {}",
        &[&["file", "rank", "diagonal", "antidiagonal"]],
        Sides::Each,
        Effect::Repeats(|_, one, out| {
            if one.piece == PieceType::Queen {
                let way = direction(one.step.from, one.step.to).expect("a slide");
                out.push(at([axis(way)]));
            }
        }),
    ),
];

/// How a move gives check: by a piece that moves, by another, by two.
fn gives(scene: &Scene<'_>, one: &Candidate) -> Option<usize> {
    let next = scene.board.make(one.step, one.kind);
    let king = next.kings[scene.them]?;
    let checkers = next.attackers(king, scene.us, next.occupied());
    let checker = checkers.first()?;
    let is_direct = next.last.is_some_and(|last| last.moved.contains(checker));
    Some(match checkers.only() {
        None => 2,
        Some(_) => usize::from(!is_direct),
    })
}

/// The lengths of [`SHORT`] that a list has reached.
fn beyond(before: usize, out: &mut Vec<super::Values>) {
    let full = SHORT.iter().take_while(|&&length| before >= length);
    out.extend((0..full.count()).map(|length| at([length])));
}

/// Index into [`WAYS`] of a pawn's move.
pub(super) fn way(one: &Candidate) -> usize {
    match distance(one.step.from, one.step.to).0 {
        0 => 0,
        files if files < 0 => 1,
        _ => 2,
    }
}

pub(super) fn promoted(one: &Candidate) -> Option<usize> {
    let kind = one.promotion()?;
    PieceType::PROMOTIONS
        .iter()
        .position(|&other| other == kind)
}

/// Of a move that blocks a check: the king, the checker, and the direction from one to the other.
fn block(scene: &Scene<'_>, one: &Candidate) -> Option<(Square, Square, usize)> {
    let (king, checker) = (scene.king?, scene.checkers.only()?);
    let blocks = attacks::between(king, checker).contains(one.step.to);
    let way = direction(king, checker)?;
    (blocks && one.piece != PieceType::King).then_some((king, checker, way))
}

/// Number of pieces like the one on this square that stand before it.
pub(super) fn number_before(scene: &Scene<'_>, square: Square) -> usize {
    let piece = scene.board.at(square).expect("it moves");
    let all = scene.board.pieces(piece.color, piece.piece_type);
    let before = chess::rules::Bitboard(square.bitboard().0 - 1);
    (all & before).count() as usize
}

/// The phantoms that attack a square, as bits, when these squares are occupied.
fn phantoms(scene: &Scene<'_>, square: Square, without: Option<Square>) -> u32 {
    let (board, us, them) = (scene.board, scene.us, scene.them);
    let is = |from: Option<Square>, color, kind| {
        from.is_some_and(|from| Some(from) != without && board.is(from, color, kind))
    };
    let ahead = us.forward();
    let mut found = 0;
    let mut add = |phantom: usize, is: bool| found |= u32::from(is) << phantom;
    let beyond = square.offset(0, ahead);
    add(0, is(beyond, them, PieceType::Pawn));
    let two = square.offset(0, 2 * ahead);
    let is_start = two.is_some_and(|two| is_on(two, Rank::R2, them));
    let is_free = beyond.is_some_and(|one| !scene.occupied.contains(one));
    add(1, is(two, them, PieceType::Pawn) && is_start && is_free);
    for files in [-1, 1] {
        add(2, is(square.offset(files, -ahead), them, PieceType::Pawn));
        add(12, is(square.offset(files, ahead), us, PieceType::Pawn));
        let diagonal = square.offset(files, ahead);
        let other = diagonal.and_then(|from| board.at(from));
        let other = other.filter(|piece| piece.color == them);
        add(
            10,
            other.is_some_and(|piece| piece.piece_type != PieceType::Pawn),
        );
        if square.offset(files, 0).is_none() {
            add(3, is(wrapped(square, files, ahead), them, PieceType::Pawn));
        }
    }
    for (files, ranks) in super::super::features::JUMPS {
        match square.offset(files, ranks) {
            Some(from) => add(11, is(Some(from), them, PieceType::Queen)),
            None if square.offset(files, 0).is_none() => {
                add(
                    4,
                    is(wrapped(square, files, ranks), them, PieceType::Knight),
                );
            }
            None => {}
        }
    }
    for (way, &step) in STEPS.iter().enumerate() {
        let pieces = along(board, square, step).filter(|&(at, _)| Some(at) != without);
        let mut blocker = None;
        for (_, piece) in pieces.take(2) {
            let kind = piece.piece_type;
            match blocker {
                None if piece.color == them => {
                    add(5, kind == PieceType::Bishop && is_straight(way));
                    add(6, kind == PieceType::Rook && !is_straight(way));
                }
                Some(blocker) if piece.color == them && slides(kind, way) => {
                    add(if blocker == us { 7 } else { 8 }, true);
                }
                _ => {}
            }
            blocker = Some(piece.color);
        }
    }
    let king = board.pieces(them, PieceType::King).first();
    add(9, king.is_some_and(|king| steps(king, square) == 2));
    found
}

fn wrapped(from: Square, files: i32, ranks: i32) -> Option<Square> {
    let index = usize::try_from(from as i32 + 8 * ranks + files).ok()?;
    Square::try_from_index(index)
}

fn sees_attack(scene: &Scene<'_>, one: &Candidate, out: &mut Vec<super::Values>) {
    let mut push = |phantoms: u32, context: usize| {
        let bits = (0..PHANTOMS.len()).filter(|bit| phantoms >> bit & 1 == 1);
        out.extend(bits.map(|phantom| at([phantom, context])));
    };
    let Some(king) = scene.king else {
        return;
    };
    if one.piece != PieceType::King || one.is_castling() {
        // The king is taken to be in check by something that no move captures or blocks.
        push(scene.phantom_checks(|scene| phantoms(scene, king, None)), 3);
    }
    if one.is_castling() {
        let target =
            chess::rules::CastlingSide::new(one.step.from, one.step.to).king_target(scene.us);
        for square in attacks::between(king, target) {
            push(phantoms(scene, square, Some(king)), 1);
        }
        push(phantoms(scene, target, Some(king)), 2);
    } else if one.piece == PieceType::King {
        push(phantoms(scene, one.step.to, Some(king)), 0);
    }
}

fn sees_pin(scene: &Scene<'_>, one: &Candidate, out: &mut Vec<super::Values>) {
    let Some(king) = scene.king.filter(|_| one.piece != PieceType::King) else {
        return;
    };
    let Some(way) = direction(king, one.step.from) else {
        return;
    };
    if direction(king, one.step.to) == Some(way) || scene.pin_of(one.step.from).is_some() {
        return;
    }
    let mut pieces = along(scene.board, king, STEPS[way]);
    let first = pieces.next();
    let second = pieces.next();
    let third = pieces.next();
    let slides_here = |kind| slides(kind, way);
    let is_own = |piece: Option<(Square, chess::rules::Piece)>| {
        piece.is_some_and(|(_, piece)| piece.color == scene.us)
    };
    let snipes = |piece: Option<(Square, chess::rules::Piece)>| {
        piece.is_some_and(|(_, piece)| piece.color == scene.them && slides_here(piece.piece_type))
    };
    let is_mover = |piece: Option<(Square, _)>| piece.is_some_and(|(at, _)| at == one.step.from);
    let mut push = |reason: usize| out.push(at([reason, way, one.piece.index()]));
    // The mover is one of two own pieces before a slider.
    if is_own(first) && is_own(second) && snipes(third) && (is_mover(first) || is_mover(second)) {
        push(0);
    }
    if !is_mover(first) {
        return;
    }
    if second.is_some() && !is_own(second) && !snipes(second) && snipes(third) {
        push(1);
    }
    if let Some((_, piece)) = second {
        let is_slider = slider(piece.piece_type).is_some();
        if piece.color == scene.them && is_slider && !slides_here(piece.piece_type) {
            push(2);
        }
        if piece.color == scene.us && slides_here(piece.piece_type) {
            push(3);
        }
    }
}
