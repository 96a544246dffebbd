//! A position drawn as SVG by the template `drawing.html`, without scripts: with the pieces of the board's package if
//! it is installed, and as text otherwise.

use std::fmt::Write as _;

use chess::rules::{Color, PieceType, Position, Square};

use crate::assets::{self, OWN};
use crate::model::MoveText;
use crate::web::language::Asked;

/// The side of a square, in units of the drawing; the pieces are drawn for this size.
const SIDE: u8 = 40;

const WITH_EDGE: &str = "-14 0 334 334";

pub(crate) struct Drawing {
    /// The address of the pieces, if they are installed.
    pub(super) pieces: Option<String>,
    pub(super) men: Vec<Man>,
    pub(super) arrows: Vec<Arrow>,
    /// The part of the plane that is drawn, as SVG has it: the board, and beside and below it its coordinates.
    pub(super) view: &'static str,
    /// Ranks from the top, files from the left, each with its middle along the edge.
    pub(super) ranks: Vec<(char, u16)>,
    pub(super) files: Vec<(char, u16)>,
    /// What it shows, in words.
    pub(super) label: String,
}

/// A piece and the upper left corner of its square.
pub(super) struct Man {
    /// Its name among the pieces, such as `wk`.
    pub(super) name: &'static str,
    pub(super) sign: &'static str,
    pub(super) is_white: bool,
    pub(super) x: u16,
    pub(super) y: u16,
}

/// A line and the triangle at its end.
pub(super) struct Arrow {
    pub(super) line: String,
    pub(super) head: String,
}

impl Drawing {
    /// A board without pieces.
    pub(super) fn empty(label: &str) -> Self {
        Self {
            pieces: None,
            men: Vec::new(),
            arrows: Vec::new(),
            view: WITH_EDGE,
            ranks: edge("12345678".chars().rev()),
            files: edge("abcdefgh".chars()),
            label: label.to_owned(),
        }
    }

    pub(super) fn of(position: &Position, below: Color, arrows: &[MoveText]) -> Self {
        let man = |square: Square| {
            let piece = position.piece_at(square)?;
            let (x, y) = corner(square, below);
            let (name, sign) = drawn(piece.color, piece.piece_type);
            Some(Man {
                name,
                sign,
                is_white: piece.color == Color::White,
                x,
                y,
            })
        };
        let (mut ranks, mut files) = ("12345678".to_owned(), "hgfedcba".to_owned());
        if below == Color::White {
            ranks = ranks.chars().rev().collect();
            files = files.chars().rev().collect();
        }
        Self {
            pieces: assets::board_is_there().then(|| OWN.url("vendor/assets/pieces/standard.svg")),
            men: Square::ALL.into_iter().filter_map(man).collect(),
            arrows: arrows.iter().filter_map(|mv| arrow(mv, below)).collect(),
            view: WITH_EDGE,
            ranks: edge(ranks.chars()),
            files: edge(files.chars()),
            label: in_words(position, arrows),
        }
    }

    /// Without coordinates, which are too small to be read on a small board.
    pub(super) fn without_edge(self) -> Self {
        Self {
            view: "0 0 320 320",
            ranks: Vec::new(),
            files: Vec::new(),
            ..self
        }
    }
}

fn edge(names: impl Iterator<Item = char>) -> Vec<(char, u16)> {
    names
        .zip((u16::from(SIDE / 2)..).step_by(SIDE.into()))
        .collect()
}

fn corner(square: Square, below: Color) -> (u16, u16) {
    let (file, rank) = (square.file().index(), square.rank().index());
    let (x, y) = match below {
        Color::White => (file, 7 - rank),
        Color::Black => (7 - file, rank),
    };
    let units = |index: usize| u16::try_from(index).unwrap_or(0) * u16::from(SIDE);
    (units(x), units(y))
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

const HEAD: f64 = 15.0;
const HALF_HEAD: f64 = 9.0;

fn arrow(mv: &MoveText, below: Color) -> Option<Arrow> {
    let (from, to, _) = mv.parts()?;
    let middle = |square| {
        let (x, y) = corner(square, below);
        let half = f64::from(SIDE) / 2.0;
        (f64::from(x) + half, f64::from(y) + half)
    };
    let ((x1, y1), (x2, y2)) = (middle(from), middle(to));
    let (dx, dy) = (x2 - x1, y2 - y1);
    // A move goes to another square, so the length is not 0.
    let length = dx.hypot(dy);
    let (dx, dy) = (dx / length, dy / length);
    let (neck_x, neck_y) = (x2 - dx * HEAD, y2 - dy * HEAD);
    let (side_x, side_y) = (-dy * HALF_HEAD, dx * HALF_HEAD);
    Some(Arrow {
        line: format!("M{x1:.1} {y1:.1} L{neck_x:.1} {neck_y:.1}"),
        head: format!(
            "{x2:.1},{y2:.1} {:.1},{:.1} {:.1},{:.1}",
            neck_x + side_x,
            neck_y + side_y,
            neck_x - side_x,
            neck_y - side_y
        ),
    })
}

/// "White to move. White: king e1, pawn e2. Black: king e8. Arrows: e2 to e4."
fn in_words(position: &Position, arrows: &[MoveText]) -> String {
    let language = Asked::now().language;
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
    let arrows: Vec<String> = arrows
        .iter()
        .map(|mv| {
            let (from, to) = mv.ends();
            language.text("drawing-arrow", &[("from", from.into()), ("to", to.into())])
        })
        .collect();
    if !arrows.is_empty() {
        let arrows = [("arrows", arrows.join(", ").into())];
        text = format!("{text} {}", language.text("drawing-arrows", &arrows));
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
    use chess::notation::fen;

    use super::*;

    #[test]
    fn both_sides_may_be_below() {
        let position = fen::parse("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").expect("a position");
        let arrows = ["e2e4".parse().expect("a move")];
        let white = Drawing::of(&position, Color::White, &arrows);
        let black = Drawing::of(&position, Color::Black, &arrows);
        let at = |drawing: &Drawing| -> Vec<(&str, u16, u16)> {
            drawing
                .men
                .iter()
                .map(|man| (man.name, man.x, man.y))
                .collect()
        };
        assert_eq!(
            at(&white),
            [("wk", 160, 280), ("wp", 160, 240), ("bk", 160, 0)]
        );
        assert_eq!(
            at(&black),
            [("wk", 120, 0), ("wp", 120, 40), ("bk", 120, 280)]
        );
        assert_eq!(white.arrows[0].line, "M180.0 260.0 L180.0 195.0");
        assert_eq!(white.arrows[0].head, "180.0,180.0 189.0,195.0 171.0,195.0");
        assert_eq!((white.ranks[0], white.files[7]), (('8', 20), ('h', 300)));
        assert_eq!((black.ranks[0], black.files[7]), (('1', 20), ('a', 300)));
        assert_eq!(
            white.label,
            "White to move. White: king e1, pawn e2. Black: king e8. Arrows: e2 to e4."
        );
    }
}
