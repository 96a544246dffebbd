//! The thesis's move lists: four characters per move (section 3.1).
//!
//! Rows and columns count from 0 at the top left, a8, so `6444` is e2-e4: from row 6, column 4, to
//! row 4, column 4. The special moves:
//!
//! - **Promotion**: `P` and the new piece, then the two columns: `PQ34` promotes on column 4 from
//!   column 3. Black writes small letters, `pq34`. The rows follow from the colour (section 3.2).
//! - **Castling**: the king's two squares, `7476` and `7472` for White, `0406` and `0402` for
//!   Black (section 3.6, whose pseudocode has a slip for `7472`). In Chess960, where those may be
//!   an ordinary step, castling with any other king or rook than those of standard chess is
//!   written as king takes rook.
//! - **En passant**: like any other move. The thesis promises a special notation and gives none;
//!   none is needed, since no other move of a pawn leads to an empty square of another column.
//!
//! A list is the moves one after the other; white space between them is free.

use crate::rules::{CastlingSide, Color, File, Move, Position, Rank, Square};

/// Why a move list cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what the variants and fields are"
)]
pub enum ParseMoveListError {
    #[error("move {number}: '{text}' has {found} characters, a move has 4")]
    Length {
        /// Which move of the list, from 1.
        number: usize,
        text: String,
        found: usize,
    },
    #[error("move {number}: '{text}' is not a legal move in {fen}")]
    Illegal {
        /// Which move of the list, from 1.
        number: usize,
        text: String,
        fen: String,
    },
    #[error("move {number}: '{text}' is in the list already")]
    Repeated {
        /// Which move of the list, from 1.
        number: usize,
        text: String,
    },
}

/// The four characters of a legal move.
pub fn write_move(m: Move, position: &Position) -> String {
    if let Some(promotion) = m.promotion() {
        let (from, to) = (column(m.from()), column(m.to()));
        let text = format!("P{}{from}{to}", promotion.to_char());
        return match position.side_to_move() {
            Color::White => text,
            Color::Black => text.to_lowercase(),
        };
    }
    let us = position.side_to_move();
    let side = CastlingSide::new(m.from(), m.to());
    let is_standard_castling = position.is_castling(m)
        && m.from() == Square::new(File::E, Rank::R1.relative_to(us))
        && m.to() == side.standard_rook(us);
    let to = if is_standard_castling {
        side.king_target(us)
    } else {
        m.to()
    };
    let squares = [m.from(), to].map(|square| format!("{}{}", row(square), column(square)));
    squares.concat()
}

/// The legal moves given, with a blank between each two.
pub fn write(moves: &[Move], position: &Position) -> String {
    let texts: Vec<String> = moves.iter().map(|&m| write_move(m, position)).collect();
    texts.join(" ")
}

/// Reads a list of legal moves, no move twice.
///
/// # Errors
///
/// At the first move that is cut short, not legal, or given before.
pub fn parse(text: &str, position: &Position) -> Result<Vec<Move>, ParseMoveListError> {
    let legal = position.legal_moves();
    let letters: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut moves = Vec::with_capacity(letters.len() / 4);
    for (index, chunk) in letters.chunks(4).enumerate() {
        let number = index + 1;
        let text: String = chunk.iter().collect();
        if chunk.len() != 4 {
            return Err(ParseMoveListError::Length {
                number,
                text,
                found: chunk.len(),
            });
        }
        let Some(&m) = legal.iter().find(|&&m| write_move(m, position) == text) else {
            let fen = super::fen::write(position);
            return Err(ParseMoveListError::Illegal { number, text, fen });
        };
        if moves.contains(&m) {
            return Err(ParseMoveListError::Repeated { number, text });
        }
        moves.push(m);
    }
    Ok(moves)
}

fn row(square: Square) -> usize {
    7 - square.rank().index()
}

fn column(square: Square) -> usize {
    square.file().index()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::notation::fen;

    /// Thesis, figure 3.7: the board of its figure B.8, White to move.
    const FIGURE: &str = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 1";
    const LIST: &str = "6050 6040 7071 6151 6141 4251 4233 4224 4215 \
                        4231 4220 4253 4264 4275 5240 5231 5233 5264 \
                        5271 6353 6343 7364 7464 7475 7476 5536 5547 \
                        5576 5543 5534 6656 6646 6757 6747 7776 7775";

    #[test]
    fn the_list_of_figure_3_7_is_complete() {
        let position = fen::parse(FIGURE).expect("legal");
        let mut read = parse(LIST, &position).expect("every move is legal");
        let mut generated = position.legal_moves().to_vec();
        read.sort_unstable();
        generated.sort_unstable();
        assert_eq!(read, generated);
        let written = write(&generated, &position);
        let written: BTreeSet<&str> = written.split(' ').collect();
        assert_eq!(written, LIST.split_whitespace().collect());
    }

    #[test]
    fn blanks_are_free() {
        let position = fen::parse(FIGURE).expect("legal");
        let joined: String = LIST.split_whitespace().collect();
        assert_eq!(parse(&joined, &position), parse(LIST, &position));
    }

    #[test]
    fn special_moves() {
        let rows = [
            ("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "PQ43", "e7d8q"),
            ("7K/8/8/8/8/8/4p3/3R3k b - - 0 1", "pn43", "e2d1n"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "7472", "e1a1"),
            ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "0406", "e8h8"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "3423", "e5d6"),
            ("4k3/8/8/8/8/8/8/5K1R w K - 0 1", "7577", "f1h1"),
            ("4k3/8/8/8/8/8/8/5K1R w K - 0 1", "7576", "f1g1"),
        ];
        for (text, four, expected) in rows {
            let position = fen::parse(text).expect("legal");
            let moves = parse(four, &position).expect(four);
            assert_eq!(moves[0].to_string(), expected);
            assert_eq!(write(&moves, &position), four);
        }
    }

    #[test]
    fn bad_lists_say_which_move() {
        let position = fen::parse(FIGURE).expect("legal");
        for (text, expected) in rows![
            "6050 604" => "move 2: '604' has 3 characters, a move has 4";
            "6050 6050" => "move 2: '6050' is in the list already";
            "6030" => &*format!("move 1: '6030' is not a legal move in {FIGURE}");
        ] {
            let error = parse(text, &position).expect_err(text);
            assert_eq!(error.to_string(), expected);
        }
    }
}
