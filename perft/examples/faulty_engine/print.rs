//! The wording of answers.

use chess::notation::san;
use chess::rules::{CastlingMode, Move, PieceType};

use crate::counts::{Board, Counted};
use crate::flags::{Castling, Rows, Total};

/// How answers are worded.
#[derive(Clone, Copy)]
pub(crate) struct Wording {
    pub(crate) rows: Rows,
    pub(crate) total: Total,
    pub(crate) castling: Castling,
}

impl Wording {
    /// The rows; none if it prints none.
    pub(crate) fn rows(self, board: &Board, counted: &Counted) -> Vec<String> {
        if self.rows == Rows::None {
            return Vec::new();
        }
        let rows = counted.rows.iter().enumerate();
        rows.map(|(index, &row)| self.row(board, index + 1, row))
            .collect()
    }

    fn row(self, board: &Board, number: usize, (m, nodes): (Move, u64)) -> String {
        let plain = self.coordinates(board, m);
        match self.rows {
            Rows::Colon => format!("{plain}: {nodes}"),
            Rows::Space => format!("{plain} {nodes}"),
            Rows::Dash => format!("{plain} - {nodes}"),
            Rows::Arrow => format!("{plain} -> {nodes}"),
            Rows::Numbered => format!("{number}. {plain} {nodes}"),
            Rows::TwoNumbers => format!("{plain} {} {nodes}", replies(board, m)),
            Rows::Grouped => format!("{plain}: {}", grouped(nodes)),
            Rows::Upper => format!("{}: {nodes}", upper(&plain)),
            Rows::San => format!("{} {nodes}", short(board, m).unwrap_or(plain)),
            Rows::Long => format!("{} = {nodes}", long(board, m)),
            Rows::InfoString => format!("info string {plain}: {nodes}"),
            Rows::None => String::new(),
        }
    }

    fn coordinates(self, board: &Board, m: Move) -> String {
        let by_rook = match self.castling {
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
    pub(crate) fn total(self, counted: &Counted, earlier: &[u64]) -> Vec<String> {
        let Counted { depth, total, .. } = counted;
        match self.total {
            Total::Stockfish => vec![String::new(), format!("Nodes searched: {total}")],
            Total::Word => vec![format!("Total: {total}")],
            Total::Bare => vec![total.to_string()],
            Total::PerftEq => vec![format!("perft({depth}) = {total}")],
            Total::NodesFirst => vec![format!("{total} nodes, {}ms", total / 1000)],
            Total::Grouped => vec![format!("Nodes: {} in 0.005 s", grouped(*total))],
            Total::PerDepth => per_depth(earlier, *total),
            Total::Info => vec![format!(
                "info depth {depth} nodes {total} time {}",
                total / 1000
            )],
            Total::None => Vec::new(),
        }
    }
}

fn per_depth(earlier: &[u64], total: u64) -> Vec<String> {
    let totals = earlier.iter().chain([&total]).enumerate();
    totals
        .map(|(index, total)| format!("perft({}) = {total}", index + 1))
        .collect()
}

/// How many legal moves answer a move; 0 where it is not legal itself.
fn replies(board: &Board, m: Move) -> u32 {
    let after = board.position().play(m);
    after.map_or(0, |after| after.legal_move_count())
}

fn upper(text: &str) -> String {
    let (squares, promotion) = text.split_at(4);
    format!("{squares}{}", promotion.to_uppercase())
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
