//! A board drawn as SVG by the template `drawing.html`, without scripts.

use std::fmt::Write as _;

use askama::Template;
use chess::notation::fen;
use chess::rules::{Color, File, PieceType, Position, Rank, Square};

use crate::assets::{self, OWN};
use crate::model::{MoveText, Side};
use crate::web::language::PageRequest;

/// The side of a square, in units of the drawing; the pieces are drawn for this size.
const SIDE: u16 = 40;
const BOARD: u16 = 8 * SIDE;
/// Maximum number of arrows; more would hide the board.
pub(super) const MOST_ARROWS: usize = 64;

#[derive(Template)]
#[template(path = "drawing.html")]
pub(super) struct Drawing {
    below: Color,
    dark: String,
    /// The names of ranks on the right and of files below, each with the start of its square along the edge.
    ranks: Vec<(char, u16)>,
    files: Vec<(char, u16)>,
    pieces: String,
    men: Vec<Man>,
    arrows: Vec<Arrow>,
    words: String,
    /// Whether the arrows are named in words, too.
    names_arrows: bool,
}

/// The name of a piece, such as `wk`, and the upper left corner of its square.
struct Man {
    name: String,
    x: u16,
    y: u16,
}

/// What an arrow means. Its colour is not the only sign of it (WCAG 1.4.1).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// A legal move, such as one that was missed.
    Good,
    Bad,
    /// A move with another count.
    Count,
}

/// A line and the triangle at its end.
struct Arrow {
    look: Look,
    /// For those who point at it; may be empty.
    title: String,
    /// "e2 to e4".
    words: String,
    line: String,
    head: String,
}

fn corner(square: Square, below: Color) -> (u16, u16) {
    let (column, row) = match below {
        Color::White => (square.file().index(), 7 - square.rank().index()),
        Color::Black => (7 - square.file().index(), square.rank().index()),
    };
    let units = |squares: usize| SIDE * u16::try_from(squares).expect("a board has eight");
    (units(column), units(row))
}

/// The dark squares: every other column from a and row from the second. Where they cross, they cancel each other.
fn dark(below: Color) -> String {
    let mut path = String::new();
    // The template fills the path by the even-odd rule.
    for file in File::ALL.into_iter().step_by(2) {
        let (x, _) = corner(Square::new(file, Rank::R1), below);
        write!(path, "M{x} 0h{SIDE}v{BOARD}h-{SIDE}z").expect("a string takes all");
    }
    for rank in Rank::ALL.into_iter().skip(1).step_by(2) {
        let (_, y) = corner(Square::new(File::A, rank), below);
        write!(path, "M0 {y}h{BOARD}v{SIDE}h-{BOARD}z").expect("a string takes all");
    }
    path
}

impl Arrow {
    fn new((from, to): (Square, Square), below: Color, look: Look, title: String) -> Self {
        const HEAD: f64 = 15.0;
        const HALF_HEAD: f64 = 9.0;
        let middle = |square| {
            let (x, y) = corner(square, below);
            (f64::from(x + SIDE / 2), f64::from(y + SIDE / 2))
        };
        let ((x1, y1), (x2, y2)) = (middle(from), middle(to));
        let (dx, dy) = (x2 - x1, y2 - y1);
        // A move goes to another square, so the length is not 0.
        let length = dx.hypot(dy);
        let (dx, dy) = (dx / length, dy / length);
        // The line ends at the neck, since it would be seen beside the point of the head.
        let (neck_x, neck_y) = (x2 - dx * HEAD, y2 - dy * HEAD);
        let (side_x, side_y) = (-dy * HALF_HEAD, dx * HALF_HEAD);
        Self {
            look,
            title,
            words: PageRequest::now().language.text(
                "drawing-arrow",
                &[
                    ("from", from.to_string().into()),
                    ("to", to.to_string().into()),
                ],
            ),
            line: format!("M{x1:.1} {y1:.1} L{neck_x:.1} {neck_y:.1}"),
            head: format!(
                "{x2:.1},{y2:.1} {:.1},{:.1} {:.1},{:.1}",
                neck_x + side_x,
                neck_y + side_y,
                neck_x - side_x,
                neck_y - side_y
            ),
        }
    }
}

impl Look {
    fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Count => "count",
        }
    }
}

impl Drawing {
    fn new(below: Color, words: String) -> Self {
        let name_of_rank = |rank: Rank| {
            let (_, y) = corner(Square::new(File::A, rank), below);
            (rank.to_char(), y)
        };
        let name_of_file = |file: File| {
            let (x, _) = corner(Square::new(file, Rank::R1), below);
            (file.to_char(), x)
        };
        Self {
            below,
            dark: dark(below),
            ranks: Rank::ALL.map(name_of_rank).into(),
            files: File::ALL.map(name_of_file).into(),
            pieces: OWN.url(assets::PIECES),
            men: Vec::new(),
            arrows: Vec::new(),
            words,
            names_arrows: true,
        }
    }

    pub(super) fn empty(label: &str) -> Self {
        Self::new(Color::White, label.to_owned())
    }

    pub(super) fn from_position(position: &Position, below: Color) -> Self {
        let mut drawing = Self::new(below, in_words(position));
        for square in Square::ALL {
            let Some(piece) = position.piece_at(square) else {
                continue;
            };
            let (x, y) = corner(square, below);
            let color = &side(piece.color)[..1];
            let kind = piece.piece_type.to_char().to_ascii_lowercase();
            let name = format!("{color}{kind}");
            drawing.men.push(Man { name, x, y });
        }
        drawing
    }

    pub(super) fn at(text: &str, below: Color) -> Self {
        if let Ok(position) = fen::parse(text) {
            return Self::from_position(&position, below);
        }
        // Positions were read when they were imported, so this is for what is not ours.
        let language = PageRequest::now().language;
        Self::empty(&language.text("position-label", &[("fen", text.into())]))
    }

    /// Without coordinates, which are too small to be read on a small board.
    pub(super) fn without_edge(self) -> Self {
        Self {
            ranks: Vec::new(),
            files: Vec::new(),
            ..self
        }
    }

    /// With other words for what it shows, for example in another language; they stand for the arrows,
    /// too.
    pub(super) fn labelled(self, words: String) -> Self {
        Self {
            words,
            names_arrows: false,
            ..self
        }
    }

    /// With an arrow for each move, as far as there is room.
    pub(super) fn with<'a>(
        self,
        look: Look,
        moves: impl IntoIterator<Item = &'a MoveText>,
    ) -> Self {
        self.with_titled(look, moves.into_iter().map(|mv| (mv, String::new())))
    }

    /// Adds an arrow for each move, with a title for those who point at it.
    pub(super) fn with_titled<'a>(
        mut self,
        look: Look,
        moves: impl IntoIterator<Item = (&'a MoveText, String)>,
    ) -> Self {
        for (mv, title) in moves {
            if self.arrows.len() < MOST_ARROWS {
                let (from, to, _) = mv.parts();
                let arrow = Arrow::new((from, to), self.below, look, title);
                self.arrows.push(arrow);
            }
        }
        self
    }

    pub(super) fn arrows(&self) -> usize {
        self.arrows.len()
    }

    pub(super) fn label(&self) -> String {
        if !self.names_arrows || self.arrows.is_empty() {
            return self.words.clone();
        }
        let arrows: Vec<&str> = self.arrows.iter().map(|one| one.words.as_str()).collect();
        let arrows = [("arrows", arrows.join(", ").into())];
        let arrows = PageRequest::now().language.text("drawing-arrows", &arrows);
        format!("{} {arrows}", self.words)
    }
}

/// "White to move. White: king e1, pawn e2. Black: king e8."
fn in_words(position: &Position) -> String {
    let language = PageRequest::now().language;
    // A picture needs a text that says the same (WCAG 1.1.1).
    let turn = [("side", side(position.side_to_move()).into())];
    let mut text = format!("{}.", language.text("results-turn", &turn));
    for color in [Color::White, Color::Black] {
        let mut men = Vec::new();
        for piece_type in PieceType::ALL.into_iter().rev() {
            let kind = piece_type.to_char().to_ascii_lowercase().to_string();
            let name = language.text("piece", &[("kind", kind.into())]);
            for square in position.pieces(color, piece_type) {
                men.push(format!("{name} {square}"));
            }
        }
        let name = language.text(side(color), &[]);
        write!(text, " {name}: {}.", men.join(", ")).expect("a string takes all");
    }
    text
}

/// A side as the variable of a text, which is the name of the text with its own name too.
pub(super) fn side(color: Color) -> &'static str {
    Side::from(color).as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn men(drawing: &Drawing) -> Vec<String> {
        let man = |man: &Man| format!("{} {} {}", man.name, man.x, man.y);
        drawing.men.iter().map(man).collect()
    }

    fn edge(drawing: &Drawing) -> [(char, u16); 2] {
        [drawing.ranks[7], drawing.files[0]]
    }

    #[test]
    fn both_sides_may_be_below() {
        let position = fen::parse("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").expect("a position");
        let mv: MoveText = "e2e4".parse().expect("a move");
        let white = Drawing::from_position(&position, Color::White).with(Look::Good, [&mv]);
        let black = Drawing::from_position(&position, Color::Black).with(Look::Good, [&mv]);
        assert_eq!(men(&white), ["wk 160 280", "wp 160 240", "bk 160 0"]);
        assert_eq!(men(&black), ["wk 120 0", "wp 120 40", "bk 120 280"]);
        assert_eq!(white.arrows[0].line, "M180.0 260.0 L180.0 195.0");
        assert_eq!(white.arrows[0].head, "180.0,180.0 189.0,195.0 171.0,195.0");
        assert_eq!(edge(&white), [('8', 0), ('a', 0)]);
        assert_eq!(edge(&black), [('8', 280), ('a', 280)]);
        assert_eq!(
            white.label(),
            "White to move. White: king e1, pawn e2. Black: king e8. Arrows: e2 to e4."
        );
        let small = white.without_edge();
        assert!(small.ranks.is_empty() && small.files.is_empty());
        assert_eq!(small.labelled("x".to_owned()).label(), "x");
    }

    #[test]
    fn the_corner_a1_is_dark() {
        let has = |below, part: &str| assert!(dark(below).contains(part), "{}", dark(below));
        // The file a and the second rank, which cross where a2 is light.
        has(Color::White, "M0 0h40v320h-40z");
        has(Color::White, "M0 240h320v40h-320z");
        has(Color::Black, "M280 0h40v320h-40z");
        has(Color::Black, "M0 40h320v40h-320z");
    }

    #[test]
    fn arrows_have_a_limit() {
        let mv: MoveText = "a1h8".parse().expect("a move");
        let drawing = Drawing::empty("Nothing.").with(Look::Bad, vec![&mv; 99]);
        assert_eq!(drawing.arrows(), MOST_ARROWS);
    }

    #[test]
    fn what_cannot_be_read_is_an_empty_board() {
        let drawing = Drawing::at("99999/xyz", Color::White);
        assert!(drawing.men.is_empty());
        assert_eq!(drawing.label(), "The position 99999/xyz");
    }
}
