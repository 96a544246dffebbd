//! A board drawn as SVG by the template `drawing.html`, without scripts: of chess with the pieces of
//! the board's package, or as text if it is not installed; of variants with the pieces of their card.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use askama::Template;
use chess::notation::fen;
use chess::rules::{Color, PieceType, Position, Square};

use crate::assets::{self, OWN};
use crate::model::{BoardPlace, MoveParts, MoveText};
use crate::variant::{Card, Picture, Placement, Stand};
use crate::web::language::PageRequest;

/// The side of a square, in units of the drawing; the pieces are drawn for this size.
const SIDE: u16 = 40;
/// Room for the names of ranks on the left, and of files below.
const EDGE: u16 = 14;
/// Maximum number of arrows; more would hide the board.
pub(super) const MOST_ARROWS: usize = 64;

#[derive(Template)]
#[template(path = "drawing.html")]
pub(super) struct Drawing {
    grid: Grid,
    /// The part of the plane that is drawn, as SVG has it, and its size.
    view: String,
    width: u16,
    height: u16,
    /// The dark squares, as an SVG path.
    dark: String,
    /// The names of ranks from the top, of files from the left, each with its middle along the edge.
    ranks: Vec<(String, u16)>,
    files: Vec<(String, u16)>,
    men: Vec<Man>,
    /// The corners of marked squares.
    marks: Vec<(u16, u16)>,
    arrows: Vec<Arrow>,
    /// What it shows, in words.
    words: String,
    /// Whether the arrows are named in words, too.
    names_arrows: bool,
    /// What is in the pockets, in words; empty if nothing.
    pockets: String,
}

/// The squares of a board, and the side from which they are seen.
#[derive(Clone, Copy)]
struct Grid {
    files: u8,
    ranks: u8,
    below: Color,
}

/// A piece and the upper left corner of its square.
struct Man {
    shape: Shape,
    is_white: bool,
    x: u16,
    y: u16,
}

enum Shape {
    /// The address of a picture of the board's package.
    Packaged(String),
    /// A filled chess symbol.
    Sign(&'static str),
    /// An SVG path.
    Path(String),
    Letter(char),
}

/// What an arrow means. Its colour is not the only sign of it (WCAG 1.4.1).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// A move.
    Plain,
    /// A legal move that was missed.
    Missed,
    /// A move that is not legal.
    Wrong,
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

impl Grid {
    fn chess(below: Color) -> Self {
        Self {
            files: 8,
            ranks: 8,
            below,
        }
    }

    fn of_card(card: &Card) -> Self {
        Self {
            files: card.files,
            ranks: card.ranks,
            below: Color::White,
        }
    }

    fn width(self) -> u16 {
        SIDE * u16::from(self.files)
    }

    fn height(self) -> u16 {
        SIDE * u16::from(self.ranks)
    }

    /// The upper left corner of a square.
    fn corner(self, place: BoardPlace) -> (u16, u16) {
        let (column, row) = match self.below {
            Color::White => (place.file, self.ranks - 1 - place.rank),
            Color::Black => (self.files - 1 - place.file, place.rank),
        };
        (SIDE * u16::from(column), SIDE * u16::from(row))
    }

    /// Every other column from a and row from the second: where they cross, they cancel each other.
    fn dark(self) -> String {
        let (width, height) = (self.width(), self.height());
        let mut path = String::new();
        // The template fills the path by the even-odd rule.
        for file in (0..self.files).step_by(2) {
            let (x, _) = self.corner(BoardPlace { file, rank: 0 });
            write!(path, "M{x} 0h{SIDE}v{height}h-{SIDE}z").expect("a string takes all");
        }
        for rank in (1..self.ranks).step_by(2) {
            let (_, y) = self.corner(BoardPlace { file: 0, rank });
            write!(path, "M0 {y}h{width}v{SIDE}h-{width}z").expect("a string takes all");
        }
        path
    }

    fn arrow(self, (from, to): (BoardPlace, BoardPlace), look: Look, title: String) -> Arrow {
        const HEAD: f64 = 15.0;
        const HALF_HEAD: f64 = 9.0;
        let middle = |place| {
            let (x, y) = self.corner(place);
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
        Arrow {
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
            Self::Plain => "plain",
            Self::Missed => "missed",
            Self::Wrong => "wrong",
            Self::Count => "count",
        }
    }
}

impl Drawing {
    /// A board without pieces.
    fn new(grid: Grid, words: String) -> Self {
        let (width, height) = (grid.width() + EDGE, grid.height() + EDGE);
        let middle = |corner: u16| corner + SIDE / 2;
        let name_of_rank = |rank| {
            let (_, y) = grid.corner(BoardPlace { file: 0, rank });
            ((rank + 1).to_string(), middle(y))
        };
        let name_of_file = |file| {
            let (x, _) = grid.corner(BoardPlace { file, rank: 0 });
            (char::from(b'a' + file).to_string(), middle(x))
        };
        Self {
            grid,
            view: format!("-{EDGE} 0 {width} {height}"),
            width,
            height,
            dark: grid.dark(),
            ranks: (0..grid.ranks).map(name_of_rank).collect(),
            files: (0..grid.files).map(name_of_file).collect(),
            men: Vec::new(),
            marks: Vec::new(),
            arrows: Vec::new(),
            words,
            names_arrows: true,
            pockets: String::new(),
        }
    }

    /// A board of chess without pieces.
    pub(super) fn empty(label: &str) -> Self {
        Self::new(Grid::chess(Color::White), label.to_owned())
    }

    /// A position of chess.
    pub(super) fn from_position(position: &Position, below: Color) -> Self {
        let mut drawing = Self::new(Grid::chess(below), in_words(position));
        let address = assets::board_is_there().then(|| OWN.url(assets::PIECES));
        for square in Square::ALL {
            let Some(piece) = position.piece_at(square) else {
                continue;
            };
            let (name, sign) = drawn(piece.color, piece.piece_type);
            let shape = match &address {
                Some(address) => Shape::Packaged(format!("{address}#{name}")),
                None => Shape::Sign(sign),
            };
            drawing.put(place(square), shape, piece.color == Color::White);
        }
        drawing
    }

    /// A position of chess, or of a variant by its card, which is seen from White's side.
    pub(super) fn at(fen: &str, card: Option<&Arc<Card>>, below: Color) -> Self {
        let words = || {
            let language = PageRequest::now().language;
            language.text("position-label", &[("fen", fen.into())])
        };
        match card {
            // Positions were read when they were imported.
            None => match fen::parse(fen) {
                Ok(position) => Self::from_position(&position, below),
                Err(_) => Self::empty(&words()),
            },
            Some(card) => {
                let mut drawing = Self::new(Grid::of_card(card), words());
                if let Ok(placement) = Placement::read(card, fen) {
                    drawing.put_all(card, &placement.board);
                    drawing.pockets = pockets(&placement);
                }
                drawing
            }
        }
    }

    /// A picture of a rules card.
    pub(super) fn of_picture(card: &Card, picture: &Picture) -> Self {
        let grid = Grid::of_card(card);
        let mut drawing = Self::new(grid, picture.caption.clone());
        drawing.put_all(card, &picture.board);
        drawing.marks = picture.marks.iter().map(|&at| grid.corner(at)).collect();
        let arrows = picture.arrows.iter();
        let arrow = |&ends| grid.arrow(ends, Look::Plain, String::new());
        drawing.arrows = arrows.map(arrow).collect();
        // The caption of a picture describes its arrows.
        drawing.names_arrows = false;
        drawing
    }

    fn put_all(&mut self, card: &Card, board: &BTreeMap<BoardPlace, Stand>) {
        for (&at, stand) in board {
            let Some(piece) = card.piece(stand.letter) else {
                continue;
            };
            let shape = match &piece.path {
                Some(path) => Shape::Path(path.clone()),
                None => Shape::Letter(stand.sign()),
            };
            self.put(at, shape, stand.white);
        }
    }

    fn put(&mut self, at: BoardPlace, shape: Shape, is_white: bool) {
        let (x, y) = self.grid.corner(at);
        self.men.push(Man {
            shape,
            is_white,
            x,
            y,
        });
    }

    /// Without coordinates, which are too small to be read on a small board.
    pub(super) fn without_edge(self) -> Self {
        let (width, height) = (self.grid.width(), self.grid.height());
        Self {
            view: format!("0 0 {width} {height}"),
            width,
            height,
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

    /// With an arrow for each move, as far as there is room; a drop has none.
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
            if let MoveParts::Step { from, to, .. } = mv.wide_parts()
                && self.arrows.len() < MOST_ARROWS
            {
                self.arrows.push(self.grid.arrow((from, to), look, title));
            }
        }
        self
    }

    pub(super) fn arrows(&self) -> usize {
        self.arrows.len()
    }

    /// What it shows, in words.
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

fn place(square: Square) -> BoardPlace {
    let index = |index: usize| u8::try_from(index).expect("a board has eight");
    BoardPlace {
        file: index(square.file().index()),
        rank: index(square.rank().index()),
    }
}

/// "White’s pocket: Q."
fn pockets(placement: &Placement) -> String {
    let language = PageRequest::now().language;
    let mut texts = Vec::new();
    for color in [Color::White, Color::Black] {
        let white = color == Color::White;
        let held = placement.pocket.iter().filter(|it| it.white == white);
        let signs: Vec<String> = held.map(|stand| stand.sign().to_string()).collect();
        if !signs.is_empty() {
            let signs = ("pieces", signs.join(" ").into());
            texts.push(language.text("pocket-has", &[("side", side(color).into()), signs]));
        }
    }
    texts.join(" ")
}

/// The name among the pieces of the package, and the filled symbol with a selector against emoji.
fn drawn(color: Color, piece_type: PieceType) -> (&'static str, &'static str) {
    let (names, sign) = match piece_type {
        PieceType::King => (["wk", "bk"], "\u{265A}\u{FE0E}"),
        PieceType::Queen => (["wq", "bq"], "\u{265B}\u{FE0E}"),
        PieceType::Rook => (["wr", "br"], "\u{265C}\u{FE0E}"),
        PieceType::Bishop => (["wb", "bb"], "\u{265D}\u{FE0E}"),
        PieceType::Knight => (["wn", "bn"], "\u{265E}\u{FE0E}"),
        PieceType::Pawn => (["wp", "bp"], "\u{265F}\u{FE0E}"),
    };
    (names[color.index()], sign)
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
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::{SHIPPED, read_card};

    fn men(drawing: &Drawing) -> Vec<String> {
        let man = |man: &Man| {
            let name = match &man.shape {
                Shape::Packaged(address) => address.rsplit('#').next().unwrap_or("").to_owned(),
                Shape::Sign(sign) => (*sign).to_owned(),
                Shape::Path(_) => "path".to_owned(),
                Shape::Letter(letter) => letter.to_string(),
            };
            format!("{name} {} {}", man.x, man.y)
        };
        drawing.men.iter().map(man).collect()
    }

    fn edge(drawing: &Drawing) -> ((&str, u16), (&str, u16)) {
        let (rank, file) = (&drawing.ranks[7], &drawing.files[0]);
        ((&rank.0, rank.1), (&file.0, file.1))
    }

    #[test]
    fn both_sides_may_be_below() {
        let position = fen::parse("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").expect("a position");
        let mv: MoveText = "e2e4".parse().expect("a move");
        let white = Drawing::from_position(&position, Color::White).with(Look::Plain, [&mv]);
        let black = Drawing::from_position(&position, Color::Black).with(Look::Plain, [&mv]);
        if assets::board_is_there() {
            assert_eq!(men(&white), ["wk 160 280", "wp 160 240", "bk 160 0"]);
            assert_eq!(men(&black), ["wk 120 0", "wp 120 40", "bk 120 280"]);
        }
        assert_eq!(white.arrows[0].line, "M180.0 260.0 L180.0 195.0");
        assert_eq!(white.arrows[0].head, "180.0,180.0 189.0,195.0 171.0,195.0");
        assert_eq!(edge(&white), (("8", 20), ("a", 20)));
        assert_eq!(edge(&black), (("8", 300), ("a", 300)));
        assert_eq!(
            white.label(),
            "White to move. White: king e1, pawn e2. Black: king e8. Arrows: e2 to e4."
        );
        let small = white.without_edge();
        assert!(small.ranks.is_empty() && small.files.is_empty());
        assert_eq!(small.view, "0 0 320 320");
        assert_eq!(small.labelled("x".to_owned()).label(), "x");
    }

    #[test]
    fn the_corner_a1_is_dark() {
        for (ranks, below, expected) in [
            (2, Color::White, "M0 0h40v80h-40zM0 0h80v40h-80z"),
            (2, Color::Black, "M40 0h40v80h-40zM0 40h80v40h-80z"),
            (3, Color::White, "M0 0h40v120h-40zM0 40h80v40h-80z"),
        ] {
            let files = 2;
            let grid = Grid {
                files,
                ranks,
                below,
            };
            assert_eq!(grid.dark(), expected);
        }
    }

    #[test]
    fn arrows_have_a_limit() {
        let mv: MoveText = "a1h8".parse().expect("a move");
        let drawing = Drawing::empty("Nothing.").with(Look::Wrong, vec![&mv; 99]);
        assert_eq!(drawing.arrows(), MOST_ARROWS);
    }

    #[test]
    fn boards_of_any_size_are_drawn() {
        let card = Arc::new(read_card(SHIPPED[1].card).expect("good"));
        let fen = "10/10/10/10/10/10/10/R4K3r[Qn] w";
        let drawing = Drawing::at(fen, Some(&card), Color::White);
        assert_eq!((drawing.width, drawing.height), (414, 334));
        let places: Vec<(u16, u16)> = drawing.men.iter().map(|man| (man.x, man.y)).collect();
        assert_eq!(places, [(0, 280), (200, 280), (360, 280)]);
        assert_eq!(drawing.pockets, "White’s pocket: Q. Black’s pocket: n.");
        let text = drawing.render().expect("rendered");
        assert!(text.contains("aria-label=\"The position 10/10/"), "{text}");
    }

    #[test]
    fn what_cannot_be_read_is_an_empty_board() {
        let drawing = Drawing::at("99999/xyz", None, Color::White);
        assert!(drawing.men.is_empty());
        assert_eq!(drawing.label(), "The position 99999/xyz");
    }
}
