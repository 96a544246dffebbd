//! Compares a subject's move list with ours: missing, extra, duplicate and unreadable moves.

use std::collections::BTreeMap;

use chess::rules::{Move, PieceType, Position, Square};

use super::fault::WrongMove;
use crate::count::subject::{DivideRow, MoveMeaning};

/// Everything that is wrong with the moves of the rows, whatever their counts.
pub(super) fn wrong_moves(position: &Position, rows: &[DivideRow]) -> Vec<WrongMove> {
    let legal = position.legal_moves();
    let mut listed: BTreeMap<Move, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut illegal = Vec::new();
    for row in rows {
        match meaning(row, position) {
            MoveMeaning::Legal(m) => *listed.entry(m).or_default() += 1,
            MoveMeaning::Illegal(m) => illegal.push((m, row.text.clone())),
            MoveMeaning::Unreadable => wrong.push(WrongMove::Unreadable {
                text: row.text.clone(),
            }),
        }
    }
    let promotions = wrong_promotions(&legal, &listed, &illegal);
    let of_promotion = |m: Move| {
        promotions
            .iter()
            .any(|&(from, to, _)| same_squares(m, from, to))
    };
    illegal.retain(|&(m, _)| !of_promotion(m));
    wrong.extend(
        illegal
            .into_iter()
            .map(|(m, text)| WrongMove::Extra { m, text }),
    );
    let mut legal: Vec<Move> = legal.into_iter().filter(|&m| !of_promotion(m)).collect();
    legal.sort_unstable();
    wrong.extend(legal.into_iter().filter_map(|m| match listed.get(&m) {
        None => Some(WrongMove::Missing(m)),
        Some(1) => None,
        Some(&times) => Some(WrongMove::Duplicate { m, times }),
    }));
    wrong.extend(
        promotions
            .into_iter()
            .map(|(from, to, listed)| WrongMove::Promotions { from, to, listed }),
    );
    wrong
}

/// Interprets a row. A promotion to a king or a pawn is a move, however odd.
fn meaning(row: &DivideRow, position: &Position) -> MoveMeaning {
    match row.meaning {
        MoveMeaning::Legal(m) if !position.is_legal(m) => MoveMeaning::Illegal(m),
        MoveMeaning::Unreadable => {
            odd_promotion(&row.text).map_or(MoveMeaning::Unreadable, MoveMeaning::Illegal)
        }
        known => known,
    }
}

fn odd_promotion(text: &str) -> Option<Move> {
    let kind = match text.get(4..)? {
        "k" | "K" => PieceType::King,
        "p" | "P" => PieceType::Pawn,
        _ => return None,
    };
    let square = |range: std::ops::Range<usize>| text.get(range)?.parse::<Square>().ok();
    Some(Move::new_promotion(square(0..2)?, square(2..4)?, kind))
}

/// Origin and target of a promotion, and the pieces listed for it.
type Promotions = (Square, Square, Vec<Option<PieceType>>);

/// The promotions of which some are listed, but not exactly one for each of the four pieces.
fn wrong_promotions(
    legal: &[Move],
    listed: &BTreeMap<Move, usize>,
    illegal: &[(Move, String)],
) -> Vec<Promotions> {
    let queens = legal
        .iter()
        .filter(|m| m.promotion() == Some(PieceType::Queen));
    let mut found = Vec::new();
    for &queen in queens {
        let (from, to) = (queen.from(), queen.to());
        let mut kinds = Vec::new();
        for kind in PieceType::PROMOTIONS {
            let times = listed.get(&Move::new_promotion(from, to, kind));
            kinds.extend(std::iter::repeat_n(Some(kind), times.copied().unwrap_or(0)));
        }
        let odd = illegal.iter().filter(|(m, _)| same_squares(*m, from, to));
        kinds.extend(odd.map(|(m, _)| m.promotion()));
        if !kinds.is_empty() && kinds != PieceType::PROMOTIONS.map(Some) {
            found.push((from, to, kinds));
        }
    }
    found.sort_unstable_by_key(|&(from, to, _)| (from, to));
    found
}

fn same_squares(m: Move, from: Square, to: Square) -> bool {
    (m.from(), m.to()) == (from, to)
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;

    use super::*;

    fn row(text: &str, meaning: MoveMeaning) -> DivideRow {
        let text = text.to_owned();
        DivideRow {
            text,
            meaning,
            nodes: 1,
        }
    }

    #[test]
    fn every_kind_of_wrong_row() {
        let position = fen::parse("7k/4P3/8/8/8/8/8/K7 w - - 0 1").expect("legal");
        let mut rows: Vec<DivideRow> = position
            .legal_moves()
            .into_iter()
            .filter(|m| m.to() != Square::B1)
            .map(|m| row(&m.to_string(), MoveMeaning::Legal(m)))
            .collect();
        assert_eq!(
            wrong_moves(&position, &rows),
            [WrongMove::Missing(Move::new(Square::A1, Square::B1))]
        );

        let far = Move::new(Square::A1, Square::A3);
        let step = Move::new(Square::A1, Square::A2);
        rows.push(row("e7e8k", MoveMeaning::Unreadable));
        rows.push(row("Kb1", MoveMeaning::Unreadable));
        rows.push(row("a1a3", MoveMeaning::Legal(far)));
        rows.push(row("a1a2", MoveMeaning::Legal(step)));
        let mut listed = PieceType::PROMOTIONS.map(Some).to_vec();
        listed.push(Some(PieceType::King));
        let text = |text: &str| text.to_owned();
        assert_eq!(
            wrong_moves(&position, &rows),
            [
                WrongMove::Unreadable { text: text("Kb1") },
                WrongMove::Extra {
                    m: far,
                    text: text("a1a3"),
                },
                WrongMove::Missing(Move::new(Square::A1, Square::B1)),
                WrongMove::Duplicate { m: step, times: 2 },
                WrongMove::Promotions {
                    from: Square::E7,
                    to: Square::E8,
                    listed,
                },
            ]
        );
    }
}
