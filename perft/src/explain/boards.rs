//! Small boards in plain text, side by side: `+p` is a pawn on a marked square, ` +` an empty one.

use chess::rules::{Bitboard, File, Position, Rank, Square};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    /// Width of the output in columns; each row has at least one board.
    pub(crate) width: usize,
    /// Whether to colour marked squares on a terminal. The marks are printed in any case.
    pub(crate) color: bool,
}

/// The mark on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// The subject of the caption.
    Subject,
    /// A square the piece may move to.
    Open,
    /// Seen by the piece, but not available to it.
    Seen,
    Danger,
    /// Attacked by the opponent only through the king.
    DangerThroughKing,
}

impl Mark {
    const ALL: [Self; 5] = [
        Self::Subject,
        Self::Open,
        Self::Seen,
        Self::Danger,
        Self::DangerThroughKing,
    ];

    /// The character before the piece, its colours on a terminal (black on yellow, green, grey, red,
    /// magenta), and the legend.
    fn look(self) -> (char, &'static str, &'static str) {
        match self {
            Self::Subject => ('*', "\x1b[30;43m", "what the caption names"),
            Self::Open => ('+', "\x1b[30;42m", "open to move to"),
            Self::Seen => ('-', "\x1b[30;47m", "seen, but not open"),
            Self::Danger => ('!', "\x1b[30;41m", "attacked"),
            Self::DangerThroughKing => ('#', "\x1b[30;45m", "attacked through the king"),
        }
    }
}

const PLAIN: &str = "\x1b[0m";

/// A board with marks and a caption.
#[derive(Clone, Debug)]
pub(super) struct MarkedBoard<'a> {
    pub(super) position: &'a Position,
    pub(super) caption: String,
    /// If a square has several marks, the first is drawn.
    pub(super) marks: Vec<(Mark, Bitboard)>,
}

/// Width of a board with its rank digits.
const BOARD_WIDTH: usize = 18;
/// Width of a board and its caption.
const BLOCK_WIDTH: usize = 24;
const GAP: usize = 3;

/// Draws the boards in rows that fit the width, and a legend.
pub(super) fn draw(boards: &[MarkedBoard], style: Style) -> String {
    // The last board of a row needs no gap.
    let in_a_row = ((style.width + GAP) / (BLOCK_WIDTH + GAP)).max(1);
    let mut text = String::new();
    for row in boards.chunks(in_a_row) {
        let blocks: Vec<_> = row.iter().map(|board| board.lines(style.color)).collect();
        text.push_str(&side_by_side(&blocks));
        text.push('\n');
    }
    text + &legend(boards, style.width)
}

/// A line and its visible width: escape sequences take no columns.
type BoardLine = (String, usize);

fn side_by_side(blocks: &[Vec<BoardLine>]) -> String {
    let height = blocks.iter().map(Vec::len).max().unwrap_or(0);
    let mut text = String::new();
    for index in 0..height {
        // Blanks are written only before something else: no line ends in them.
        let mut blanks = 0;
        for block in blocks {
            let (line, columns) = block.get(index).map_or(("", 0), |(line, n)| (line, *n));
            if columns > 0 {
                text.push_str(&" ".repeat(blanks));
                text.push_str(line);
                blanks = 0;
            }
            // A word of a caption may be wider than its block.
            blanks += (BLOCK_WIDTH + GAP).saturating_sub(columns);
        }
        text.push('\n');
    }
    text
}

/// The marks that occur, in lines of at most `width` columns.
fn legend(boards: &[MarkedBoard], width: usize) -> String {
    let used = |mark: &Mark| {
        let mut marks = boards.iter().flat_map(|board| &board.marks);
        marks.any(|(other, squares)| other == mark && !squares.is_empty())
    };
    let mut text = "capitals: White".to_owned();
    let mut columns = text.len();
    for mark in Mark::ALL.into_iter().filter(used) {
        let (symbol, _, meaning) = mark.look();
        let part = format!("{symbol} {meaning}");
        let fits = columns + GAP + part.len() <= width;
        columns = part.len() + if fits { columns + GAP } else { 0 };
        text.push_str(if fits { "   " } else { "\n" });
        text.push_str(&part);
    }
    text + "\n"
}

impl MarkedBoard<'_> {
    fn lines(&self, color: bool) -> Vec<BoardLine> {
        let mut lines = Vec::new();
        for rank in Rank::ALL.into_iter().rev() {
            let squares = File::ALL.map(|file| self.cell(Square::new(file, rank), color));
            // The width is a digit, a blank, and eight cells of two columns.
            lines.push((
                format!("{} {}", rank.to_char(), squares.concat()),
                BOARD_WIDTH,
            ));
        }
        let files = File::ALL.map(|file| format!(" {}", file.to_char()));
        lines.push((format!("  {}", files.concat()), BOARD_WIDTH));
        for line in wrap(&self.caption, BLOCK_WIDTH) {
            let columns = line.chars().count();
            lines.push((line, columns));
        }
        lines
    }

    /// Two columns: the mark before a piece, or the mark itself.
    fn cell(&self, square: Square, color: bool) -> String {
        let mut marks = self.marks.iter();
        let mark = marks.find(|(_, squares)| squares.contains(square));
        let look = mark.map(|(mark, _)| mark.look());
        let cell = match (self.position.piece_at(square), look) {
            (Some(piece), None) => format!(" {}", piece.to_char()),
            (Some(piece), Some((symbol, ..))) => format!("{symbol}{}", piece.to_char()),
            (None, None) => " .".to_owned(),
            (None, Some((symbol, ..))) => format!(" {symbol}"),
        };
        match look {
            Some((_, colors, _)) if color => format!("{colors}{cell}{PLAIN}"),
            _ => cell,
        }
    }
}

/// Wraps a text at blanks into lines of at most `width` columns; longer words are not broken.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board<'a>(position: &'a Position, caption: &str) -> MarkedBoard<'a> {
        MarkedBoard {
            position,
            caption: caption.to_owned(),
            marks: vec![
                (Mark::Subject, Square::G1.bitboard()),
                (Mark::Open, Square::F3.bitboard() | Square::H3.bitboard()),
                (Mark::Seen, Square::E2.bitboard() | Square::F3.bitboard()),
            ],
        }
    }

    #[test]
    fn one_board() {
        let position = Position::startpos();
        let plain = Style {
            width: 80,
            color: false,
        };
        let expected = "\
8  r n b q k b n r
7  p p p p p p p p
6  . . . . . . . .
5  . . . . . . . .
4  . . . . . . . .
3  . . . . . + . +
2  P P P P-P P P P
1  R N B Q K B*N R
   a b c d e f g h
the knight on g1

capitals: White   * what the caption names   + open to move to
- seen, but not open
";
        assert_eq!(
            draw(&[board(&position, "the knight on g1")], plain),
            expected
        );
    }

    #[test]
    fn as_many_in_a_row_as_there_is_room_for() {
        let position = Position::startpos();
        let boards = vec![board(&position, "a caption of more words than one line holds"); 4];
        let rows = |width| {
            let style = Style {
                width,
                color: false,
            };
            let text = draw(&boards, style);
            let boards = text.split("\n\n").next().expect("a row").to_owned();
            assert!(
                boards.lines().all(|line| line.len() <= width.max(24)),
                "{text}"
            );
            assert!(boards.lines().all(|line| line == line.trim_end()), "{text}");
            boards
                .lines()
                .next()
                .expect("a line")
                .matches("r n b q")
                .count()
        };
        let narrow = Style {
            width: 40,
            color: false,
        };
        let text = draw(&boards, narrow);
        let legend =
            "capitals: White\n* what the caption names\n+ open to move to   - seen, but not open\n";
        assert!(text.ends_with(legend), "{text}");
        assert_eq!([0, 24, 50, 51, 77, 78, 80].map(rows), [1, 1, 1, 2, 2, 3, 3]);
    }

    #[test]
    fn colour_adds_nothing_but_colour() {
        let position = Position::startpos();
        let boards = vec![board(&position, "caption"); 3];
        let [plain, coloured] =
            [false, true].map(|color| draw(&boards, Style { width: 80, color }));
        let mut stripped = coloured.replace(PLAIN, "");
        for mark in Mark::ALL {
            stripped = stripped.replace(mark.look().1, "");
        }
        assert_ne!(plain, coloured);
        assert_eq!(plain, stripped);
    }

    #[test]
    fn wrapping() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(
            wrap("a longer-than-that word", 6),
            ["a", "longer-than-that", "word"]
        );
        assert!(wrap("", 6).is_empty());
    }
}
