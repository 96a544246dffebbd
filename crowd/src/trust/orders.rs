//! The move orders of programs, to recognise copied lists. They contain the legal moves: never show
//! them to a contributor who is still listing.

use chess::rules::{Move, PieceType, Position, Square, mailbox};

use crate::candidates::text_of;
use crate::model::MoveText;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratorOrder {
    pub name: String,
    /// The moves, in canonical form.
    pub moves: Vec<MoveText>,
}

/// Every order known here, each also in reverse.
pub fn generator_orders(position: &Position) -> Vec<GeneratorOrder> {
    let oracle = mailbox::legal_moves(&position.to_setup());
    let mut orders = vec![
        written("our generator's order", position, &position.legal_moves()),
        written("the mailbox oracle's order", position, &oracle),
    ];
    let keyed = SORTED.iter().map(|(name, key)| {
        let mut moves = position.legal_moves().to_vec();
        moves.sort_by_key(|&m| key(position, m));
        written(name, position, &moves)
    });
    orders.extend(keyed);
    let mut alphabetical = written("alphabetical order", position, &position.legal_moves());
    alphabetical.moves.sort();
    orders.push(alphabetical);
    let backwards = orders.clone().into_iter().map(|mut order| {
        order.name += ", backwards";
        order.moves.reverse();
        order
    });
    orders.extend(backwards);
    orders
}

type Key = fn(&Position, Move) -> [usize; 4];

const SORTED: [(&str, Key); 6] = [
    ("the order of squares a1, b1 … h8", |_, m| {
        [m.from().index(), m.to().index(), promotion(m), 0]
    }),
    ("the order of squares a8, b8 … h1", |_, m| {
        let [from, to] = [m.from(), m.to()].map(|square| square.flip_rank().index());
        [from, to, promotion(m), 0]
    }),
    ("the order of target squares", |_, m| {
        [m.to().index(), m.from().index(), promotion(m), 0]
    }),
    ("pawns first, king last", by_piece),
    ("captures first, then by kind of piece", |position, m| {
        let quiet = usize::from(!position.is_capture(m));
        let [kind, from, to, _] = by_piece(position, m);
        [quiet, kind, from * Square::COUNT + to, promotion(m)]
    }),
    ("python-chess's order", as_python_chess),
];

fn by_piece(position: &Position, m: Move) -> [usize; 4] {
    [
        kind(position, m),
        m.from().index(),
        m.to().index(),
        promotion(m),
    ]
}

/// Pieces from h8 down to a1, castling, then pawn moves: captures, single steps, double steps, en
/// passant.
fn as_python_chess(position: &Position, m: Move) -> [usize; 4] {
    let [from, to] = [m.from(), m.to()].map(|square| Square::COUNT - square.index());
    let steps = m.from().rank().index().abs_diff(m.to().rank().index());
    let group = if kind(position, m) != PieceType::Pawn.index() {
        usize::from(position.is_castling(m))
    } else if position.is_en_passant(m) {
        5
    } else if m.from().file() != m.to().file() {
        2
    } else {
        2 + steps
    };
    // python-chess yields promotions as queen, rook, bishop, knight.
    let queen_first = PieceType::COUNT - promotion(m);
    // python-chess scans the targets of single and double pawn steps, and the origins of all else.
    match group {
        3 | 4 => [group, to, queen_first, 0],
        _ => [group, from, to, queen_first],
    }
}

fn kind(position: &Position, m: Move) -> usize {
    let piece_type = position.piece_type_at(m.from());
    piece_type.map_or(PieceType::COUNT, PieceType::index)
}

fn promotion(m: Move) -> usize {
    m.promotion().map_or(0, PieceType::index)
}

fn written(name: &str, position: &Position, moves: &[Move]) -> GeneratorOrder {
    GeneratorOrder {
        name: name.to_owned(),
        moves: moves.iter().map(|&m| text_of(position, m)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use chess::notation::fen;

    use super::*;

    #[test]
    fn every_order_has_every_move_once() {
        for text in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/1P5k/8/3pP3/8/8/8/K7 w - d6 0 1",
        ] {
            let position = fen::parse(text).expect("a legal FEN");
            let legal = crate::candidates::legal_texts(&position);
            let orders = generator_orders(&position);
            assert_eq!(orders.len(), 2 * (2 + SORTED.len() + 1));
            for order in orders {
                assert_eq!(order.moves.len(), legal.len(), "{}", order.name);
                assert_eq!(order.moves.into_iter().collect::<BTreeSet<_>>(), legal);
            }
        }
    }

    #[test]
    fn python_chess_begins_with_the_knight_on_g1() {
        let orders = generator_orders(&Position::startpos());
        let order = orders.iter().find(|o| o.name == "python-chess's order");
        let texts: Vec<&str> = order
            .expect("it is known")
            .moves
            .iter()
            .map(MoveText::as_str)
            .collect();
        let expected = "g1h3 g1f3 b1c3 b1a3 h2h3 g2g3 f2f3 e2e3 d2d3 c2c3 b2b3 a2a3 \
                        h2h4 g2g4 f2f4 e2e4 d2d4 c2c4 b2b4 a2a4";
        assert_eq!(texts.join(" "), expected);
    }
}
