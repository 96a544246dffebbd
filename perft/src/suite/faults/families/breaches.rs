//! Moves that no piece has, listed all the same.

use chess::rules::{Piece, Rank};

use super::super::features::{
    DIRECTIONS, FILES, OWNERS, PIECES, SLIDERS, TAKES, WEST_EAST, direction, distance, slider,
};
use super::super::scene::{Breach, Candidate, Scene};
use super::{Effect, Family, Sides, at};

const PLACES: [&str; 2] = ["to-rank-8", "to-other-rank"];
const EDGES: [&str; 4] = ["a", "b", "g", "h"];
/// Ranks from three down to three up.
const STEPS: [&str; 7] = ["s3", "s2", "s1", "0", "n1", "n2", "n3"];

families! {
    Each Breaks "lists/own" [PIECES, PIECES] "takes with a {} its own {}" => |scene, m, breach|
        (breach == Breach::TakesOwn).then(|| at([m.piece.index(), scene.kind_at(m.to)?.index()]))?;
    Each Breaks "lists/jump" [SLIDERS, DIRECTIONS, OWNERS, PIECES] "slides with a {} to the {} over {} {}" => |scene, m, breach| {
        let over = over(scene, breach)?;
        at([slider(m.piece)?, direction(m.from, m.to)?, owner(scene, over), over.piece_type.index()])
    };
    Each Breaks "lists/jump-over" [OWNERS, PIECES, TAKES] "slides over {} {}, {}" => |scene, m, breach| {
        let over = over(scene, breach)?;
        slider(m.piece)?;
        at([owner(scene, over), over.piece_type.index(), m.takes()])
    };
    Each Breaks "lists/wrap" [PIECES, EDGES, STEPS, TAKES] "moves a {} across the edge from the {}-file, step {}, {}" => |_, m, breach| {
        // A slider arrives there from the last file before the edge.
        let file = match m.from.file().index() {
            _ if slider(m.piece).is_some() => usize::from(m.to.file().index() < 4) * 3,
            // Knights cross the edge from two files on either side.
            file @ 0..=1 => file,
            file => file.saturating_sub(4).min(3),
        };
        // A knight goes two ranks, and a wrapped index one more.
        let step = usize::try_from(distance(m.from, m.to).1.clamp(-3, 3) + 3).ok()?;
        (breach == Breach::Wraps).then(|| at([m.piece.index(), file, step, m.takes()]))?
    };
    Each Breaks "lists/push-onto" [PIECES, PLACES] "pushes a pawn onto a {}, {}" => |scene, m, breach|
        (breach == Breach::PushOnto).then(|| at([m.victim?.index(), place(scene, m)]))?;
    Each Breaks "lists/double-over" [OWNERS, PIECES] "pushes a pawn two squares over {} {}" => |scene, m, breach| {
        let over = over(scene, breach)?;
        // Sliders that jump have families above.
        slider(m.piece).is_none().then(|| at([owner(scene, over), over.piece_type.index()]))?
    };
    Each Breaks "lists/double-onto" [PIECES] "pushes a pawn two squares onto a {}" => |_, m, breach|
        (breach == Breach::DoubleOnto).then(|| at([m.victim?.index()]))?;
    Each Breaks "lists/double-file" [FILES, ["over", "onto"]] "pushes a pawn on the {}-file two squares {} a piece" => |_, m, breach| {
        let what = match breach {
            Breach::DoubleOver(_) => 0,
            Breach::DoubleOnto => 1,
            _ => return None,
        };
        at([m.from.file().index(), what])
    };
    Each Breaks "lists/double-from" [["3", "4", "5"]] "pushes a pawn two squares from rank {}" => |_, _, breach| match breach {
        Breach::DoubleFrom(rank) => at([rank.index() - Rank::R3.index()]),
        _ => None,
    };
    Each Breaks "lists/takes-empty" [WEST_EAST, FILES, PLACES] "takes with a pawn nothing to the {} on the {}-file, {}" => |scene, m, breach|
        (breach == Breach::TakesEmpty).then(|| at([m.way() - 1, m.to.file().index(), place(scene, m)]))?;
    Each Breaks "lists/backward" [["push", "capture"]] "moves a pawn backward: {}" => |_, _, breach| match breach {
        Breach::Backward => at([0]),
        Breach::TakesBackward => at([1]),
        _ => None,
    };
    Each Breaks "lists/promotes" [["to-king", "to-nothing"], TAKES] "promotes a pawn {}: {}" => |_, m, breach| match breach {
        Breach::PromotesToKing => at([0, m.takes()]),
        Breach::NotPromoted => at([1, m.takes()]),
        _ => None,
    };
    Each Breaks "lists/ep-without-square" [FILES, WEST_EAST] "takes en passant on the {}-file to the {} after no double push" => |_, m, breach|
        (breach == Breach::NoEpSquare).then(|| at([m.to.file().index(), m.way() - 1]))?;
    Each Breaks "lists/ep-without-square-any" [["with-another-square", "without-a-square"]]
        "takes en passant after no double push, {}" => |scene, _, breach|
        (breach == Breach::NoEpSquare).then(|| at([usize::from(scene.board.ep_square.is_none())]))?;
}

/// The piece that a move passes.
fn over(scene: &Scene<'_>, breach: Breach) -> Option<Piece> {
    match breach {
        Breach::Jumps(over) | Breach::DoubleOver(over) => scene.board.at(over),
        _ => None,
    }
}

/// Index into [`OWNERS`].
fn owner(scene: &Scene<'_>, piece: Piece) -> usize {
    usize::from(piece.color != scene.us)
}

/// Index into [`PLACES`].
fn place(scene: &Scene<'_>, m: &Candidate) -> usize {
    usize::from(m.to.rank() != Rank::R8.relative_to(scene.us))
}
