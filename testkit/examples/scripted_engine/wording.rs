//! The wording of counts.

use chess::notation::san;
use chess::rules::{CastlingMode, Move, PieceType};

use crate::board::{Board, Counted};
use crate::flags::{Castling, Count, Rows, Total};

/// A row for each move.
pub(crate) fn rows(flags: &Count, board: &Board, counted: &Counted) -> Vec<String> {
    let row = |(index, &(m, nodes)): (usize, &(Move, u64))| {
        let plain = coordinates(flags, board, m);
        match flags.rows {
            Rows::Colon => format!("{plain}: {nodes}"),
            Rows::Space => format!("{plain} {nodes}"),
            Rows::Dash => format!("{plain} - {nodes}"),
            Rows::Arrow => format!("{plain} -> {nodes}"),
            Rows::Numbered => format!("{}. {plain} {nodes}", index + 1),
            Rows::TwoNumbers => {
                // An illegal move has no replies.
                let after = board.position().play(m);
                let replies = after.map_or(0, |after| after.legal_move_count());
                format!("{plain} {replies} {nodes}")
            }
            Rows::Grouped => format!("{plain}: {}", grouped(nodes)),
            Rows::Upper => {
                let (squares, promotion) = plain.split_at(4);
                format!("{squares}{}: {nodes}", promotion.to_uppercase())
            }
            Rows::San => format!("{} {nodes}", short(board, m).unwrap_or(plain)),
            Rows::Long => format!("{} = {nodes}", long(board, m)),
            Rows::InfoString => format!("info string {plain}: {nodes}"),
            Rows::None => String::new(),
        }
    };
    if flags.rows == Rows::None {
        return Vec::new();
    }
    counted.rows.iter().enumerate().map(row).collect()
}

/// A move by its squares, castling as the flags say.
pub(crate) fn coordinates(flags: &Count, board: &Board, m: Move) -> String {
    let by_rook = match flags.castling {
        Castling::ByMode => board.root().castling_mode() == CastlingMode::Chess960,
        Castling::Rook => true,
        Castling::King => false,
    };
    match board.castling_side(m) {
        Some((side, color)) if !by_rook => format!("{}{}", m.from(), side.king_target(color)),
        _ => m.to_string(),
    }
}

/// The lines of the total; `earlier` are the totals of smaller depths.
pub(crate) fn total(flags: &Count, counted: &Counted, earlier: &[u64]) -> Vec<String> {
    let Counted { depth, total, .. } = counted;
    match flags.total {
        Total::Stockfish => vec![String::new(), format!("Nodes searched: {total}")],
        Total::Word => vec![format!("Total: {total}")],
        Total::Bare => vec![total.to_string()],
        Total::PerftEq => vec![format!("perft({depth}) = {total}")],
        Total::NodesFirst => vec![format!("{total} nodes, {}ms", total / 1000)],
        Total::Grouped => vec![format!("Nodes: {} in 0.005 s", grouped(*total))],
        Total::PerDepth => {
            let totals = earlier.iter().chain([total]).enumerate();
            totals
                .map(|(index, total)| format!("perft({}) = {total}", index + 1))
                .collect()
        }
        Total::Info => vec![format!(
            "info depth {depth} nodes {total} time {}",
            total / 1000
        )],
        Total::None => Vec::new(),
    }
}

/// SAN, which only legal moves have.
fn short(board: &Board, m: Move) -> Option<String> {
    let position = board.position();
    position.is_legal(m).then(|| san::write(m, position))
}

/// `Ng1-f3`, `e5xd6`, `a7-a8=Q`, `O-O`.
fn long(board: &Board, m: Move) -> String {
    let position = board.position();
    if let (Some(_), Some(castling)) = (board.castling_side(m), short(board, m)) {
        return castling;
    }
    let letter = match position.piece_type_at(m.from()) {
        Some(PieceType::Pawn) | None => String::new(),
        Some(kind) => kind.to_char().to_string().to_uppercase(),
    };
    let sign = if position.piece_at(m.to()).is_some() {
        'x'
    } else {
        '-'
    };
    let promotion = m.promotion().map_or_else(String::new, |kind| {
        format!("={}", kind.to_char().to_uppercase())
    });
    format!("{letter}{}{sign}{}{promotion}", m.from(), m.to())
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
