use chess::rules::{Bitboard, Color, Piece, PieceType, Position, Setup, Square};

/// Number of Chess960 start positions.
const COUNT: u16 = 960;

/// The squares of the two knights among the five remaining ones, by their number.
const KNIGHTS: [(usize, usize); 10] = [
    (0, 1),
    (0, 2),
    (0, 3),
    (0, 4),
    (1, 2),
    (1, 3),
    (1, 4),
    (2, 3),
    (2, 4),
    (3, 4),
];

/// The Chess960 start position of a number from 0 to 959, as numbered by Reinhard Scharnagl: 518 is
/// the standard one. `None` for other numbers.
pub fn chess960_start(number: u16) -> Option<Position> {
    (number < COUNT).then(|| {
        let setup = setup(back_rank(usize::from(number)));
        Position::from_setup(setup).expect("the first positions are legal")
    })
}

/// First the bishops, light-squared before dark-squared, then the queen, then the knights; rook,
/// king, rook fill the rest.
fn back_rank(number: usize) -> [PieceType; 8] {
    let (rest, light) = (number / 4, number % 4);
    let (rest, dark) = (rest / 4, rest % 4);
    let (knights, queen) = (rest / 6, rest % 6);
    let mut rank = [None; 8];
    rank[light * 2 + 1] = Some(PieceType::Bishop);
    rank[dark * 2] = Some(PieceType::Bishop);
    let place = |rank: &mut [Option<PieceType>; 8], among: usize, piece| {
        let square = (0..8).filter(|&square| rank[square].is_none()).nth(among);
        rank[square.expect("as many squares are free")] = Some(piece);
    };
    place(&mut rank, queen, PieceType::Queen);
    let (first, second) = KNIGHTS[knights];
    // The second index refers to the squares free before the first knight was placed.
    place(&mut rank, second, PieceType::Knight);
    place(&mut rank, first, PieceType::Knight);
    for piece in [PieceType::Rook, PieceType::King, PieceType::Rook] {
        place(&mut rank, 0, piece);
    }
    rank.map(|piece| piece.expect("eight pieces were placed"))
}

fn setup(rank: [PieceType; 8]) -> Setup {
    let mut setup = Setup::empty();
    for (file, piece_type) in rank.into_iter().enumerate() {
        for (color, pieces, pawns) in [(Color::White, 0, 8), (Color::Black, 56, 48)] {
            setup.board[pieces + file] = Some(Piece::new(color, piece_type));
            setup.board[pawns + file] = Some(Piece::new(color, PieceType::Pawn));
        }
    }
    setup.castling_rooks = rooks(&setup);
    setup
}

fn rooks(setup: &Setup) -> Bitboard {
    let is_rook = |square: &Square| {
        setup.piece_at(*square).map(|piece| piece.piece_type) == Some(PieceType::Rook)
    };
    Square::ALL.into_iter().filter(is_rook).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use chess::notation::fen;

    use super::*;

    #[test]
    fn numbers_are_those_of_the_table() {
        // From the tables in FIDE's guidelines for Chess960 and in Scharnagl's book.
        let rows = [
            (0, "bbqnnrkr"),
            (1, "bqnbnrkr"),
            (518, "rnbqkbnr"),
            (959, "rkrnnqbb"),
        ];
        for (number, expected) in rows {
            let text = fen::write(&chess960_start(number).expect("in range"));
            assert!(text.starts_with(expected), "{number}: {text}");
        }
        assert_eq!(chess960_start(518), Some(Position::startpos()));
        assert_eq!(chess960_start(960), None);
    }

    #[test]
    fn there_are_960() {
        let all: BTreeSet<String> = (0..COUNT)
            .map(|number| fen::write(&chess960_start(number).expect("in range")))
            .collect();
        assert_eq!(all.len(), usize::from(COUNT));
    }
}
