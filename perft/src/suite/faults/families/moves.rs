//! Legal moves that are not listed, or twice.

use chess::rules::{Bitboard, CastlingSide, Color, PieceType, Rank, Square, attacks};

use super::super::board::is_on;
use super::super::features::{
    CHECKS, DIRECTIONS, DISTANCES, FILES, JUMP_NAMES, JUMPS, MOVES, NUMBERS, PIECES, PINS,
    PROMOTIONS, RANKS, SLIDERS, SQUARES, STEPS, TAKES, WEST_EAST, across, beyond_board, direction,
    is_straight, jump, slider, slides, steps,
};
use super::super::scene::{Candidate, Scene, along};
use super::{Effect, Family, Hits, Sides};

const PAWN_STEPS: [&str; 4] = ["push", "double", "takes-west", "takes-east"];
const WAYS: [&str; 3] = ["push", "takes-west", "takes-east"];
const ALONG: [&str; 3] = ["nearer", "farther", "takes-pinner"];
const ORDER: [&str; 2] = ["first", "second"];
const GIVES: [&str; 3] = ["directly", "by-discovery", "twice"];
/// What a position may have.
const STATES: [&str; 3] = ["an-ep-square", "an-own-right", "a-right-of-theirs"];
/// Lists that are too short: of all moves, captures, other moves, moves in check, moves of one piece.
const LISTS: [&str; 5] = ["moves", "captures", "quiet-moves", "evasions", "targets"];
/// Lengths at which they end.
// No legal position is known with more than 218 moves: 217 is the longest list that is too short.
const LENGTHS: [usize; 16] = [
    4, 8, 12, 16, 20, 24, 26, 28, 32, 40, 48, 64, 96, 128, 192, 217,
];
#[rustfmt::skip]
const LENGTH_NAMES: [&str; 16] = [
    "4", "8", "12", "16", "20", "24", "26", "28", "32", "40", "48", "64", "96", "128", "192", "217",
];
/// Pieces that attack nothing, but are taken to.
#[rustfmt::skip]
const PHANTOMS: [&str; 16] = [
    "pawn-ahead", "pawn-two-ahead", "pawn-backward", "pawn-across-edge", "knight-across-edge", "bishop-as-rook",
    "rook-as-bishop", "through-our-piece", "through-their-piece", "king-two-steps", "piece-as-pawn",
    "queen-as-knight", "pawn-of-ours", "pawn-beyond-board", "knight-beyond-board", "king-beyond-board",
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
/// What the test of the king takes off the board before en passant, without the pawn where it lands.
const TAKEN_OFF: [&str; 4] = ["victim", "capturer", "both", "both-capturers"];
const EP_CONTEXTS: [&str; 5] = [
    "after-fen",
    "after-move",
    "in-check",
    "on-file-of-king",
    "with-other-captures",
];

families! {
    Each Omits "omits/check" [MOVES, CHECKS] "does not list {} in a position of check '{}'" =>
        |scene, m, hits| hits.at([m.kind, scene.check]);
    Each Omits "omits/pin" [MOVES, PINS] "does not list {} of a piece that is pinned: {}" =>
        |_, m, hits| (m.pin > 0).then(|| hits.at([m.kind, m.pin]))?;
    Apart Omits "omits/from-file" [MOVES, FILES] "does not list {} from the {}-file" =>
        |_, m, hits| hits.at([m.kind, m.from.file().index()]);
    Apart Omits "omits/to-file" [MOVES, FILES] "does not list {} to the {}-file" =>
        |_, m, hits| hits.at([m.kind, m.to.file().index()]);
    Apart Omits "omits/from-rank" [MOVES, RANKS] "does not list {} from rank {}" =>
        |_, m, hits| hits.at([m.kind, m.from.rank().index()]);
    Apart Omits "omits/to-rank" [MOVES, RANKS] "does not list {} to rank {}" =>
        |_, m, hits| hits.at([m.kind, m.to.rank().index()]);
    Apart Omits "omits/to" [PIECES, SQUARES, TAKES] "does not list moves of a {} to {}: {}" =>
        |_, m, hits| hits.at([m.piece.index(), m.to.index(), m.takes()]);
    Each Omits "omits/state" [MOVES, STATES] "does not list {} where there is {}" => |scene, m, hits| {
        let has_right = |color: Color| scene.board.rights[color].iter().any(Option::is_some);
        let is = [scene.board.ep_square.is_some(), has_right(scene.us), has_right(scene.them)];
        for (state, _) in is.into_iter().enumerate().filter(|&(_, is)| is) {
            hits.at([m.kind, state]);
        }
        None
    };
    Each Omits "omits/gives" [MOVES, GIVES] "does not list {} that gives check {}" =>
        |scene, m, hits| hits.at([m.kind, gives(scene, m)?]);
    Apart Omits "omits/knight-step" [SQUARES, JUMP_NAMES] "lacks the knight's jump from {} by {}" =>
        |_, m, hits| m.is(PieceType::Knight).then(|| hits.at([m.from.index(), jump(m.from, m.to)?]))?;
    Apart Omits "omits/king-step" [SQUARES, DIRECTIONS] "lacks the king's step from {} to the {}" =>
        |_, m, hits| m.is_king_step().then(|| hits.at([m.from.index(), direction(m.from, m.to)?]))?;
    Apart Omits "omits/pawn-step" [SQUARES, PAWN_STEPS] "lacks the pawn's move from {}: {}" =>
        |_, m, hits| m.is(PieceType::Pawn).then(|| {
            let is_double = usize::from(steps(m.from, m.to) == 2);
            hits.at([m.from.index(), [is_double, 2, 3][m.way()]])
        })?;
    Apart Omits "omits/slide" [SLIDERS, SQUARES, DIRECTIONS, DISTANCES] "lacks the slide of a {} from {} to the {} by {}" =>
        |_, m, hits| hits.at([slider(m.piece)?, m.from.index(), direction(m.from, m.to)?, steps(m.from, m.to)]);
    Apart Omits "omits/promotion" [PROMOTIONS, FILES, WAYS] "does not promote to {} on the {}-file by {}" =>
        |_, m, hits| hits.at([m.promotion()?, m.to.file().index(), m.way()]);
    Each Omits "omits/block" [DIRECTIONS, DISTANCES, PIECES] "does not block a check from the {} {} squares from the king by {}" =>
        |scene, m, hits| {
            let (king, _, way) = block(scene, m)?;
            hits.at([way, steps(king, m.to), m.piece.index()])
        };
    Shared Omits "omits/between" [SQUARES, DIRECTIONS, DISTANCES]
        "has no squares between the king on {} and a checker to the {} by {}" =>
        |scene, m, hits| {
            let (king, checker, way) = block(scene, m)?;
            hits.at([king.index(), way, steps(king, checker)])
        };
    Each Omits "omits/along-pin" [PIECES, DIRECTIONS, ALONG] "does not move a pinned {} along its pin to the {}: {}" =>
        |scene, m, hits| {
            let (pin, king) = (scene.pin_of(m.from)?, scene.king?);
            let is_farther = usize::from(steps(king, m.to) > steps(king, m.from));
            let how = if m.to == pin.pinner { 2 } else { is_farther };
            hits.at([m.piece.index(), pin.direction, how])
        };
    Each Omits "omits/same-target" [PIECES, PIECES, ORDER] "does not list the move of a {} where a {} goes too: {}" =>
        |scene, m, hits| {
            let mut seen = [[false; 2]; 6];
            for (ordinal, other) in scene.legal.iter().enumerate() {
                if other.to == m.to && other.from != m.from {
                    seen[other.piece.index()][usize::from(ordinal < m.ordinal)] = true;
                }
            }
            for (other, orders) in seen.into_iter().enumerate() {
                for (order, _) in orders.into_iter().enumerate().filter(|&(_, seen)| seen) {
                    hits.at([m.piece.index(), other, order]);
                }
            }
            None
        };
    Each Omits "omits/two-captures" [PIECES, ORDER] "does not list the capture by a {} that has another: {}" =>
        |scene, m, hits| {
            m.victim?;
            let is_other = |at: usize| {
                let other = &scene.legal[at];
                other.from == m.from && other.takes && other.to != m.to
            };
            let (mut before, mut after) = (0..m.ordinal, m.ordinal + 1..scene.legal.len());
            if after.any(is_other) {
                hits.at([m.piece.index(), 0]);
            }
            before.any(is_other).then(|| hits.at([m.piece.index(), 1]))?
        };
    Each Omits "omits/push-and-capture" [WAYS, ["last-rank", "other-rank"]]
        "does not list a pawn's move where it may push and capture: {} to {}" =>
        |scene, m, hits| {
            let is_other = |other: &super::super::scene::Brief| {
                other.from == m.from && other.takes != m.victim.is_some()
            };
            let is_pair = m.is(PieceType::Pawn) && scene.legal.iter().any(is_other);
            is_pair.then(|| hits.at([m.way(), usize::from(m.promotion().is_none())]))?
        };
    Each Omits "omits/beyond" [LISTS, LENGTH_NAMES] "ends its list of {} at {}" => beyond;
    Each Omits "omits/beyond-pieces" [PIECES, NUMBERS] "does not move a {} if there are {} before it" =>
        |scene, m, hits| {
            for number in 1..=number_before(scene, m.from) {
                hits.at([m.piece.index(), number]);
            }
            None
        };
    Each Omits "sees/attack" [PHANTOMS, CONTEXTS] "takes a square to be attacked by {}: {}" => sees_attack;
    Each Omits "sees/pin" [FALSE_PINS, DIRECTIONS, PIECES] "takes a piece to be pinned by {} from the {}: {}" => sees_pin;
    Each Repeats "repeats/move" [MOVES, ["quiet", "check"]] "lists {} twice, {}" =>
        |scene, m, hits| hits.at([m.kind, usize::from(!scene.checkers.is_empty())]);
    Each Omits "omits/ep-shield" [TAKEN_OFF, DIRECTIONS, SLIDERS]
        "refuses en passant since without the {} the king would be open to the {} to a {}" => ep_shields;
    Each Omits "omits/ep-kings-rank" [["capturer", "victim"], ["nothing", "a-rook-or-queen"]]
        "refuses en passant on the king's rank, {} nearer to the king, with {} on the rank" =>
        |scene, m, hits| {
            // En passant empties two squares of this rank at once, which no single pin shows.
            let king = scene.king.filter(|king| m.is_ep() && king.rank() == m.from.rank())?;
            let is_victim = steps(king, scene.board.victim_square(m.to)) < steps(king, m.from);
            let of = |kind| scene.board.pieces(scene.them, kind);
            let sliders = of(PieceType::Rook) | of(PieceType::Queen);
            hits.at([usize::from(is_victim), usize::from(sliders.intersects(king.rank().bitboard()))])
        };
    Apart Omits "omits/ep-file" [FILES, WEST_EAST] "does not take en passant on the {}-file to the {}" =>
        |_, m, hits| m.is_ep().then(|| hits.at([m.to.file().index(), m.way() - 1]))?;
    Each Omits "omits/ep-pair" [WEST_EAST] "drops, of two en passant captures, the one to the {}" =>
        |scene, m, hits| {
            let number = || scene.legal.iter().filter(|other| other.kind == m.kind).count();
            (m.is_ep() && number() > 1).then(|| hits.at([m.way() - 1]))?
        };
    Each Omits "omits/ep-context" [EP_CONTEXTS] "does not take en passant {}" =>
        |scene, m, hits| {
            let moved = scene.board.last.is_some();
            let on_file = scene.king.is_some_and(|king| king.file() == m.to.file());
            let is = [!moved, moved, !scene.checkers.is_empty(), on_file, scene.captures > 1];
            for (context, _) in is.into_iter().enumerate().filter(|&(_, is)| is && m.is_ep()) {
                hits.at([context]);
            }
            None
        };
}

/// How a move gives check; index into [`GIVES`].
fn gives(scene: &Scene<'_>, m: &Candidate) -> Option<usize> {
    let next = scene.board.make(m.step, m.kind);
    let checkers = next.attackers(next.kings[scene.them]?, scene.us, next.occupied());
    let is_direct = next.last?.moved.contains(checkers.first()?);
    Some(if checkers.has_several() {
        2
    } else {
        usize::from(!is_direct)
    })
}

/// Of a move that blocks a check: the king, the checker, and the direction from one to the other.
fn block(scene: &Scene<'_>, m: &Candidate) -> Option<(Square, Square, usize)> {
    // A double check cannot be blocked.
    let (king, checker) = (scene.king?, scene.checkers.only()?);
    let blocks = attacks::between(king, checker).contains(m.to) && !m.is(PieceType::King);
    blocks.then_some((king, checker, direction(king, checker)?))
}

fn beyond(scene: &Scene<'_>, m: &Candidate, hits: &mut Hits) -> Option<()> {
    let before = &scene.legal[..m.ordinal];
    let captures = before.iter().filter(|other| other.takes).count();
    let of_piece = before.iter().filter(|other| other.from == m.from);
    let (takes, in_check) = (m.victim.is_some(), !scene.checkers.is_empty());
    let lists = [
        Some(m.ordinal),
        takes.then_some(captures),
        (!takes).then_some(m.ordinal - captures),
        in_check.then_some(m.ordinal),
        Some(of_piece.count()),
    ];
    for (list, before) in lists.into_iter().enumerate() {
        let is_full = |length: &&usize| before.is_some_and(|before| before >= **length);
        for length in 0..LENGTHS.iter().take_while(is_full).count() {
            hits.at([list, length]);
        }
    }
    None
}

/// Number of pieces like the one on this square that stand before it.
pub(super) fn number_before(scene: &Scene<'_>, square: Square) -> usize {
    let all = scene.board.at(square);
    let all = all.map(|piece| scene.board.pieces(piece.color, piece.piece_type));
    // Boards are scanned from a1 on, so pieces on lower squares come first.
    let before = all.unwrap_or_default() & Bitboard(square.bitboard().0 - 1);
    before.count() as usize
}

/// The phantoms that attack a square, as bits, when one square is taken to be empty.
fn phantoms(scene: &Scene<'_>, square: Square, without: Option<Square>) -> u32 {
    let (board, us, them) = (scene.board, scene.us, scene.them);
    let is = |from: Option<Square>, color, kind| {
        from.is_some_and(|from| Some(from) != without && board.is(from, color, kind))
    };
    let ahead = us.forward();
    let mut found = 0;
    // The numbers are indices into `PHANTOMS`.
    let mut add = |phantom: usize, is: bool| found |= u32::from(is) << phantom;
    let (beyond, two) = (square.offset(0, ahead), square.offset(0, 2 * ahead));
    add(0, is(beyond, them, PieceType::Pawn));
    let is_start = two.is_some_and(|two| is_on(two, Rank::R2, them));
    let is_free = beyond.is_some_and(|one| !scene.occupied.contains(one));
    add(1, is(two, them, PieceType::Pawn) && is_start && is_free);
    for files in [-1, 1] {
        let diagonal = square.offset(files, ahead);
        add(2, is(square.offset(files, -ahead), them, PieceType::Pawn));
        add(12, is(diagonal, us, PieceType::Pawn));
        let other = diagonal
            .and_then(|from| board.at(from))
            .filter(|piece| piece.color == them);
        add(
            10,
            other.is_some_and(|piece| piece.piece_type != PieceType::Pawn),
        );
        add(3, is(across(square, files, ahead), them, PieceType::Pawn));
        add(
            13,
            is(beyond_board(square, files, ahead), them, PieceType::Pawn),
        );
    }
    for (files, ranks) in JUMPS {
        add(
            14,
            is(beyond_board(square, files, ranks), them, PieceType::Knight),
        );
        add(11, is(square.offset(files, ranks), them, PieceType::Queen));
        add(4, is(across(square, files, ranks), them, PieceType::Knight));
    }
    for (way, &step) in STEPS.iter().enumerate() {
        let pieces = along(board, square, step).filter(|&(at, _)| Some(at) != without);
        let mut blocker = None;
        // The second piece is seen through the first.
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
    for (files, ranks) in STEPS {
        add(
            15,
            is(beyond_board(square, files, ranks), them, PieceType::King),
        );
    }
    let king = board.pieces(them, PieceType::King).first();
    add(9, king.is_some_and(|king| steps(king, square) == 2));
    found
}

fn sees_attack(scene: &Scene<'_>, m: &Candidate, hits: &mut Hits) -> Option<()> {
    let king = scene.king?;
    let mut push = |phantoms: u32, context: usize| {
        for phantom in (0..PHANTOMS.len()).filter(|bit| phantoms >> bit & 1 == 1) {
            hits.at([phantom, context]);
        }
    };
    if m.is_king_step() {
        // The king has left its square when it arrives.
        push(phantoms(scene, m.to, Some(king)), 0);
        return None;
    }
    // The king is taken to be in check by something that no move captures or blocks.
    push(scene.phantom_checks(|scene| phantoms(scene, king, None)), 3);
    if m.is_castling() {
        let target = CastlingSide::new(m.from, m.to).king_target(scene.us);
        for square in attacks::between(king, target) {
            push(phantoms(scene, square, Some(king)), 1);
        }
        push(phantoms(scene, target, Some(king)), 2);
    }
    None
}

fn sees_pin(scene: &Scene<'_>, m: &Candidate, hits: &mut Hits) -> Option<()> {
    let king = scene.king.filter(|_| !m.is(PieceType::King))?;
    let way = direction(king, m.from)?;
    // Along the line, even a pinned piece may move; and a real pin is no mistake.
    if direction(king, m.to) == Some(way) || scene.pin_of(m.from).is_some() {
        return None;
    }
    let mut pieces = along(scene.board, king, STEPS[way]);
    let [(at, first), (next, second)] = [pieces.next()?, pieces.next()?];
    let third = pieces.next().map(|(_, piece)| piece);
    let is_slider = slides(second.piece_type, way);
    let snipes = third.is_some_and(|one| one.color == scene.them && slides(one.piece_type, way));
    let both_own = first.color == scene.us && second.color == scene.us;
    let is_first = at == m.from;
    let reasons = [
        both_own && snipes && (is_first || next == m.from),
        is_first && second.color == scene.them && !is_slider && snipes,
        is_first && second.color == scene.them && !is_slider && slider(second.piece_type).is_some(),
        is_first && second.color == scene.us && is_slider,
    ];
    for (reason, _) in reasons.into_iter().enumerate().filter(|&(_, is)| is) {
        hits.at([reason, way, m.piece.index()]);
    }
    None
}

fn ep_shields(scene: &Scene<'_>, m: &Candidate, hits: &mut Hits) -> Option<()> {
    let king = scene.king.filter(|_| m.is_ep())?;
    let others = attacks::pawn(scene.them, m.to) & scene.board.pieces(scene.us, PieceType::Pawn);
    let [victim, capturer] = [scene.board.victim_square(m.to), m.from].map(Square::bitboard);
    // A test may take off all pawns that could capture, not only the one that does.
    let left_by_all = scene.occupied & !(victim | others) | m.to.bitboard();
    let boards = [
        scene.occupied & !victim,
        scene.occupied & !capturer,
        scene.occupied & !(victim | capturer),
        if others.has_several() {
            left_by_all
        } else {
            scene.occupied
        },
    ];
    for (taken_off, occupied) in boards.into_iter().enumerate() {
        // Sliders that give check already are not opened by the capture.
        for by in scene.board.sliders_to(king, scene.them, occupied) & !scene.checkers {
            let kind = scene.kind_at(by).and_then(slider)?;
            hits.at([taken_off, direction(king, by)?, kind]);
        }
    }
    None
}
