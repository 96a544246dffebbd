/// A position drawn by a template, without scripts.
pub(super) struct Diagram {
    /// The squares, each with its place on a board of 8 by 8 units.
    pub(super) squares: Vec<Cell>,
}

/// One square.
pub(super) struct Cell {
    pub(super) x: u8,
    pub(super) y: u8,
    pub(super) is_light: bool,
    /// The symbol of its piece; empty if there is none.
    pub(super) sign: &'static str,
    pub(super) is_white: bool,
}

impl Diagram {
    /// Parses the board of a validated FEN; anything unreadable is left empty.
    pub(super) fn of(fen: &str) -> Self {
        let board = fen.split(' ').next().unwrap_or("");
        let rows = (0..8u8).zip(board.split('/'));
        Self {
            squares: rows.flat_map(|(y, row)| cells(y, row)).collect(),
        }
    }
}

fn cells(y: u8, row: &str) -> Vec<Cell> {
    let signs = row.chars().flat_map(|c| match c.to_digit(10) {
        Some(empty) => vec![None; empty as usize],
        None => vec![Some(c)],
    });
    (0..8u8)
        .zip(signs)
        .map(|(x, piece)| Cell {
            x,
            y,
            is_light: (x + y).is_multiple_of(2),
            sign: piece.map_or("", sign),
            is_white: piece.is_some_and(char::is_uppercase),
        })
        .collect()
}

/// The filled symbol for both colours, with a variation selector against emoji rendering.
fn sign(piece: char) -> &'static str {
    match piece.to_ascii_lowercase() {
        'k' => "\u{265A}\u{FE0E}",
        'q' => "\u{265B}\u{FE0E}",
        'r' => "\u{265C}\u{FE0E}",
        'b' => "\u{265D}\u{FE0E}",
        'n' => "\u{265E}\u{FE0E}",
        'p' => "\u{265F}\u{FE0E}",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_is_drawn() {
        let diagram = Diagram::of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
        assert_eq!(diagram.squares.len(), 64);
        let pieces = diagram.squares.iter().filter(|cell| !cell.sign.is_empty());
        assert_eq!(pieces.count(), 32);
        let e4 = &diagram.squares[4 * 8 + 4];
        assert!(e4.is_white && e4.is_light && (e4.x, e4.y) == (4, 4));
    }

    #[test]
    fn junk_draws_nothing_wrong() {
        assert!(Diagram::of("").squares.is_empty());
        assert!(Diagram::of("99999/xyz").squares.len() <= 64);
    }
}
