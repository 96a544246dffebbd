//! En passant captures that are refused.

use chess::rules::{PieceType, attacks};

use super::super::features::{DIRECTIONS, EN_PASSANT, FILES, SLIDERS, direction, slider, steps};
use super::super::scene::{Candidate, Scene};
use super::moves::way;
use super::{Effect, Family, Sides, Values, at};

const WAYS: [&str; 2] = ["west", "east"];
/// What the test of the king takes off the board, without putting the capturing pawn where it lands.
const TAKEN_OFF: [&str; 4] = ["victim", "capturer", "both", "both-capturers"];

pub(super) const FAMILIES: &[Family] = &[
    Family::new(
        "omits/ep-shield",
        "refuses en passant since without the {} the king would be open to the {} to a {}",
        &[&TAKEN_OFF, &DIRECTIONS, &SLIDERS],
        Sides::Each,
        Effect::Omits(shields),
    ),
    Family::new(
        "omits/ep-kings-rank",
        "refuses en passant on the king's rank, {} nearer to the king, with {} on the rank",
        &[&["capturer", "victim"], &["nothing", "a-rook-or-queen"]],
        Sides::Each,
        Effect::Omits(|scene, one, out| {
            if let Some(king) = scene
                .king
                .filter(|king| is_ep(one) && king.rank() == one.step.from.rank())
            {
                let victim = scene.board.victim_square(one.step.to);
                let is_victim = steps(king, victim) < steps(king, one.step.from);
                let of = |kind| scene.board.pieces(scene.them, kind);
                let sliders = of(PieceType::Rook) | of(PieceType::Queen);
                let on_rank = sliders.intersects(king.rank().bitboard());
                out.push(at([usize::from(is_victim), usize::from(on_rank)]));
            }
        }),
    ),
    Family::new(
        "omits/ep-file",
        "does not take en passant on the {}-file to the {}",
        &[&FILES, &WAYS],
        Sides::Apart,
        Effect::Omits(|_, one, out| {
            if is_ep(one) {
                out.push(at([one.step.to.file().index(), way(one) - 1]));
            }
        }),
    ),
    Family::new(
        "omits/ep-pair",
        "drops, of two en passant captures, the one to the {}",
        &[&WAYS],
        Sides::Each,
        Effect::Omits(|scene, one, out| {
            if is_ep(one)
                && scene
                    .legal
                    .iter()
                    .filter(|one| usize::from(one.kind) == EN_PASSANT)
                    .count()
                    > 1
            {
                out.push(at([way(one) - 1]));
            }
        }),
    ),
    Family::new(
        "omits/ep-context",
        "does not take en passant {}",
        &[&[
            "after-fen",
            "after-move",
            "in-check",
            "on-file-of-king",
            "with-other-captures",
        ]],
        Sides::Each,
        Effect::Omits(|scene, one, out| {
            if is_ep(one) {
                out.push(at([usize::from(scene.board.last.is_some())]));
                if !scene.checkers.is_empty() {
                    out.push(at([2]));
                }
                if scene
                    .king
                    .is_some_and(|king| king.file() == one.step.to.file())
                {
                    out.push(at([3]));
                }
                if scene.captures > 1 {
                    out.push(at([4]));
                }
            }
        }),
    ),
];

pub(super) fn is_ep(one: &Candidate) -> bool {
    one.kind == EN_PASSANT
}

fn shields(scene: &Scene<'_>, one: &Candidate, out: &mut Vec<Values>) {
    let Some(king) = scene.king.filter(|_| is_ep(one)) else {
        return;
    };
    let victim = scene.board.victim_square(one.step.to);
    let pawns = scene.board.pieces(scene.us, PieceType::Pawn);
    let others = attacks::pawn(scene.them, one.step.to) & pawns;
    let [victim, capturer] = [victim, one.step.from].map(chess::rules::Square::bitboard);
    let landed = one.step.to.bitboard();
    let both_capturers = if others.has_several() {
        scene.occupied & !(victim | others) | landed
    } else {
        scene.occupied
    };
    let boards = [
        scene.occupied & !victim,
        scene.occupied & !capturer,
        scene.occupied & !(victim | capturer),
        both_capturers,
    ];
    for (taken_off, occupied) in boards.into_iter().enumerate() {
        let seen = scene.board.sliders_to(king, scene.them, occupied);
        for by in seen & !scene.checkers {
            let kind = scene.kind_at(by).and_then(slider).expect("it slides");
            let way = direction(king, by).expect("it attacks");
            out.push(at([taken_off, way, kind]));
        }
    }
}
