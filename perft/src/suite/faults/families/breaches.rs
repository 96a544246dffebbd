//! Moves that no piece has, listed all the same.

use chess::rules::Rank;

use super::super::features::{
    DIRECTIONS, FILES, OWNERS, PIECES, SLIDERS, direction, distance, slider,
};
use super::super::scene::{Breach, Candidate, Scene};
use super::moves::way;
use super::{Effect, Family, Sides, Values, at};

const WAYS: [&str; 2] = ["west", "east"];
const RANKS: [&str; 3] = ["3", "4", "5"];
const PLACES: [&str; 2] = ["to-rank-8", "to-other-rank"];
const ONTO: [&str; 2] = ["onto-nothing", "onto-piece"];
const EDGES: [&str; 4] = ["a", "b", "g", "h"];

pub(super) const FAMILIES: &[Family] = &[
    family(
        "lists/own",
        "takes with a {} its own {}",
        &[&PIECES, &PIECES],
        |scene, one, breach| {
            let taken = scene.kind_at(one.step.to)?;
            (breach == Breach::TakesOwn).then(|| at([one.piece.index(), taken.index()]))
        },
    ),
    family(
        "lists/jump",
        "slides with a {} to the {} over {} {}",
        &[&SLIDERS, &DIRECTIONS, &OWNERS, &PIECES],
        |scene, one, breach| {
            let Breach::Jumps(over) = breach else {
                return None;
            };
            let piece = scene.board.at(over)?;
            let way = direction(one.step.from, one.step.to)?;
            let owner = usize::from(piece.color != scene.us);
            Some(at([
                slider(one.piece)?,
                way,
                owner,
                piece.piece_type.index(),
            ]))
        },
    ),
    family(
        "lists/jump-over",
        "slides over {} {}, {}",
        &[&OWNERS, &PIECES, &ONTO],
        |scene, one, breach| {
            let Breach::Jumps(over) = breach else {
                return None;
            };
            let piece = scene.board.at(over)?;
            let owner = usize::from(piece.color != scene.us);
            let onto = usize::from(one.victim.is_some());
            Some(at([owner, piece.piece_type.index(), onto]))
        },
    ),
    family(
        "lists/wrap",
        "moves a {} across the edge from the {}-file, step {}, {}",
        &[&PIECES, &EDGES, &STEPS, &ONTO],
        |_, one, breach| {
            if breach != Breach::Wraps {
                return None;
            }
            let onto = usize::from(one.victim.is_some());
            // A slider arrives there from the last file before the edge.
            let file = match one.step.from.file().index() {
                _ if slider(one.piece).is_some() => usize::from(one.step.to.file().index() < 4) * 3,
                file @ 0..=1 => file,
                file => file - 4,
            };
            let (_, ranks) = distance(one.step.from, one.step.to);
            let step = usize::try_from(ranks.clamp(-3, 3) + 3).ok()?;
            Some(at([one.piece.index(), file.min(3), step, onto]))
        },
    ),
    family(
        "lists/push-onto",
        "pushes a pawn onto a {}, {}",
        &[&PIECES, &PLACES],
        |scene, one, breach| {
            let taken = one.victim.filter(|_| breach == Breach::PushOnto)?;
            Some(at([taken.index(), place(scene, one)]))
        },
    ),
    family(
        "lists/double-over",
        "pushes a pawn two squares over {} {}",
        &[&OWNERS, &PIECES],
        |scene, _, breach| {
            let Breach::DoubleOver(over) = breach else {
                return None;
            };
            let piece = scene.board.at(over)?;
            let owner = usize::from(piece.color != scene.us);
            Some(at([owner, piece.piece_type.index()]))
        },
    ),
    family(
        "lists/double-over-file",
        "pushes a pawn on the {}-file two squares over a piece",
        &[&FILES],
        |_, one, breach| {
            let file = one.step.from.file().index();
            matches!(breach, Breach::DoubleOver(_)).then(|| at([file]))
        },
    ),
    family(
        "lists/double-onto",
        "pushes a pawn two squares onto a {}",
        &[&PIECES],
        |_, one, breach| {
            let taken = one.victim.filter(|_| breach == Breach::DoubleOnto)?;
            Some(at([taken.index()]))
        },
    ),
    family(
        "lists/double-onto-file",
        "pushes a pawn on the {}-file two squares onto a piece",
        &[&FILES],
        |_, one, breach| {
            let file = one.step.from.file().index();
            (breach == Breach::DoubleOnto).then(|| at([file]))
        },
    ),
    family(
        "lists/double-from",
        "pushes a pawn two squares from rank {}",
        &[&RANKS],
        |_, _, breach| match breach {
            Breach::DoubleFrom(rank) => Some(at([rank.index() - Rank::R3.index()])),
            _ => None,
        },
    ),
    family(
        "lists/takes-empty",
        "takes with a pawn nothing to the {} on the {}-file, {}",
        &[&WAYS, &FILES, &PLACES],
        |scene, one, breach| {
            let file = one.step.to.file().index();
            (breach == Breach::TakesEmpty).then(|| at([way(one) - 1, file, place(scene, one)]))
        },
    ),
    family(
        "lists/takes-empty-any",
        "takes with a pawn nothing, {}",
        &[&PLACES],
        |scene, one, breach| (breach == Breach::TakesEmpty).then(|| at([place(scene, one)])),
    ),
    family(
        "lists/backward",
        "moves a pawn backward: {}",
        &[&["push", "capture"]],
        |_, _, breach| match breach {
            Breach::Backward => Some(at([0])),
            Breach::TakesBackward => Some(at([1])),
            _ => None,
        },
    ),
    family(
        "lists/promotes",
        "promotes a pawn {}, by {}",
        &[&["to-king", "to-nothing"], &["push", "capture"]],
        |_, one, breach| {
            let what = match breach {
                Breach::PromotesToKing => 0,
                Breach::NotPromoted => 1,
                _ => return None,
            };
            Some(at([what, usize::from(one.victim.is_some())]))
        },
    ),
    family(
        "lists/ep-without-square",
        "takes en passant on the {}-file to the {} after no double push",
        &[&FILES, &WAYS],
        |_, one, breach| {
            let file = one.step.to.file().index();
            (breach == Breach::NoEpSquare).then(|| at([file, way(one) - 1]))
        },
    ),
    family(
        "lists/ep-without-square-any",
        "takes en passant after no double push, {}",
        &[&["with-another-square", "without-a-square"]],
        |scene, _, breach| {
            let is_without = usize::from(scene.board.ep_square.is_none());
            (breach == Breach::NoEpSquare).then(|| at([is_without]))
        },
    ),
];

/// Ranks from three down to three up.
const STEPS: [&str; 7] = ["s3", "s2", "s1", "0", "n1", "n2", "n3"];

type Ask = fn(&Scene<'_>, &Candidate, Breach) -> Option<Values>;

/// A family of moves with one breach and nothing else against them.
const fn family(
    name: &'static str,
    about: &'static str,
    conditions: &'static [&'static [&'static str]],
    ask: Ask,
) -> Family {
    Family::new(name, about, conditions, Sides::Each, Effect::Breaks(ask))
}

fn place(scene: &Scene<'_>, one: &Candidate) -> usize {
    usize::from(one.step.to.rank() != Rank::R8.relative_to(scene.us))
}
