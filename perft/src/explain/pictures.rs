//! The boards that explain a position and its moves (the figures of the thesis, chapter 3).

use chess::notation::uci_move::UciMove;
use chess::rules::explain::{Explanation, Sight, line_of_sight};
use chess::rules::{Bitboard, Position, Square};

use super::Explained;
use super::boards::{Mark, MarkedBoard};
use super::human::{names, side_to_move};

/// The boards: the position, the check, the pins, the squares forbidden to the king; then for each
/// move what its piece sees, unless already drawn, and what the reason refers to.
pub(super) fn pictures(explained: &Explained) -> Vec<MarkedBoard<'_>> {
    let (position, sight) = (&explained.position, &explained.sight);
    let whole = MarkedBoard {
        position,
        caption: side_to_move(position),
        marks: Vec::new(),
    };
    let state = [
        Some(whole),
        check(position, sight),
        pins(position, sight),
        Some(danger(position, sight)),
    ];
    let mut boards: Vec<MarkedBoard> = state.into_iter().flatten().collect();
    let mut drawn = Bitboard::EMPTY;
    for explanation in &explained.moves {
        let from = explanation.asked().from();
        if !drawn.contains(from) {
            boards.extend(piece(position, from));
            drawn |= from.bitboard();
        }
        boards.extend(reason(position, explanation));
    }
    boards
}

fn check<'a>(position: &'a Position, sight: &Sight) -> Option<MarkedBoard<'a>> {
    let answers = sight.answers?;
    let checkers = names(position, sight.checkers);
    // Two checkers can be neither captured nor blocked by one move.
    let caption = if answers.is_empty() {
        format!("double check from {checkers} (*): the king must move")
    } else if sight.checkers == answers {
        // Pawns, knights and neighbours of the king give checks that cannot be blocked.
        format!("check from {checkers} (*): capture it or move the king")
    } else {
        format!("check from {checkers} (*): capture it, block on +, or move the king")
    };
    Some(MarkedBoard {
        position,
        caption,
        marks: vec![(Mark::Subject, sight.checkers), (Mark::Open, answers)],
    })
}

fn pins<'a>(position: &'a Position, sight: &Sight) -> Option<MarkedBoard<'a>> {
    let pinned: Bitboard = sight.pins.iter().map(|pin| pin.piece).collect();
    let rays = sight
        .pins
        .iter()
        .fold(Bitboard::EMPTY, |rays, pin| rays | pin.ray);
    let caption = if pinned.has_several() {
        "pinned pieces (*) and the lines they must keep to (+)"
    } else {
        "a pinned piece (*) and the line it must keep to (+)"
    };
    (!pinned.is_empty()).then(|| MarkedBoard {
        position,
        caption: caption.to_owned(),
        marks: vec![(Mark::Subject, pinned), (Mark::Open, rays)],
    })
}

fn danger<'a>(position: &'a Position, sight: &Sight) -> MarkedBoard<'a> {
    let king = position.king(position.side_to_move());
    let through = sight.danger_through_king;
    let signs = if through.is_empty() { "!" } else { "! #" };
    MarkedBoard {
        position,
        caption: format!("where the king on {king} (*) may not go ({signs})"),
        marks: vec![
            (Mark::Subject, king.bitboard()),
            (Mark::DangerThroughKing, through),
            (Mark::Danger, sight.danger),
        ],
    }
}

fn piece(position: &Position, from: Square) -> Option<MarkedBoard<'_>> {
    // A move from an empty square may be asked for as well.
    position.piece_at(from)?;
    let targets = targets(position, from);
    let seen = line_of_sight(position, from) & !targets;
    let may = if targets.is_empty() {
        "may go nowhere"
    } else {
        "may go to +"
    };
    let sees = if seen.is_empty() { "" } else { ", and sees -" };
    Some(MarkedBoard {
        position,
        caption: format!("{} (*) {may}{sees}", names(position, from.bitboard())),
        marks: vec![
            (Mark::Subject, from.bitboard()),
            (Mark::Open, targets),
            (Mark::Seen, seen),
        ],
    })
}

/// The target squares as written: castling ends on g or c in standard chess.
fn targets(position: &Position, from: Square) -> Bitboard {
    let mode = position.castling_mode();
    let moves = position.legal_moves();
    let own = moves.into_iter().filter(|m| m.from() == from);
    own.map(|m| UciMove::from_move(m, position, mode).to)
        .collect()
}

fn reason<'a>(position: &'a Position, explanation: &Explanation) -> Option<MarkedBoard<'a>> {
    let squares = explanation.squares();
    let verdict = if explanation.is_legal() {
        "legal"
    } else {
        "illegal"
    };
    let asked = explanation.asked();
    let rule = explanation.rule().as_str().replace('-', " ");
    (!squares.is_empty()).then(|| MarkedBoard {
        position,
        caption: format!("why {asked} is {verdict}: {rule} (*)"),
        marks: vec![(Mark::Subject, squares)],
    })
}
