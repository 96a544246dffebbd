//! Pages of `epd`: cards with diagrams of positions as SVG, with arrows for moves. Their shapes are in the page
//! once.

use std::fmt::Write as _;

use askama::Template;
use chess::notation::uci_move::UciMove;
use chess::rules::{Color, Move, PieceType, Position, Square};
use kit::chart::escape;
use kit::page::Page;

/// Width of a square, in the units of the picture.
const SIZE: f64 = 45.0;

/// The outline of each piece on a square of 45 units: Touchstone's own drawings, as in the reports
/// of `selfplay`.
const SHAPES: [(PieceType, &str); 6] = [
    (
        PieceType::Pawn,
        "M22.5 8a6 6 0 0 1 3.9 10.6c4.6 2.8 3.3 8.9 7.6 13.4v6H11v-6c4.3-4.5 3-10.6 7.6-13.4A6 6 0 0 1 22.5 8z",
    ),
    (
        PieceType::Rook,
        "M10 38v-5h3.5V18.5L10 15.5V8h5.5v3.5h4V8h6v3.5h4V8H35v7.5l-3.5 3V33H35v5zM13.5 18.5h18M13.5 33h18",
    ),
    (
        PieceType::Knight,
        "M12 38v-4c1-8 9-9 9.5-16l-7 5.5-3.7-1.2-.8-4L16.5 9l1-4.5L21 8c9 .5 14 8 14 18v12zM18.5 13.3v.4",
    ),
    (
        PieceType::Bishop,
        "M20 9a2.6 2.6 0 1 1 5 0c4.5 3.8 7 7.5 7 12 0 3.5-2 6.5-4.2 8.7L29 33h5v5H11v-5h5l1.2-3.3C15 27.5 13 24.5 13 21c0-4.5 2.5-8.2 7-12zM22.5 15v8M18.5 19h8M17.2 29.7h10.6",
    ),
    (
        PieceType::Queen,
        "M11 38v-5l2.5-3L7 13.5l8.5 7.5L17 8.5 22.5 20 28 8.5l1.5 12.5 8.5-7.5L31.5 30l2.5 3v5zM13.5 30h18M11 33.5h23",
    ),
    (
        PieceType::King,
        "M11 38v-5l1.5-2c-6-4-7-9-4.5-12.5 3.3-4 9-2.5 12.5 2V12h-4V8.5h4V5h4v3.5h4V12h-4v8.5c3.5-4.5 9.2-6 12.5-2 2.5 3.5 1.5 8.5-4.5 12.5l1.5 2v5zM12.5 31h20M11 34h23",
    ),
];

/// The shapes that all diagrams of a page refer to.
pub(crate) fn shapes() -> String {
    let mut squares = String::new();
    for square in Square::ALL {
        let (file, rank) = (square.file() as u32, square.rank() as u32);
        // Files and ranks count from 0, and a1 is dark (FIDE Laws 2.1: the right corner is white).
        if (file + rank).is_multiple_of(2) {
            let (x, y) = (file * 45, (7 - rank) * 45);
            write!(squares, "M{x} {y}h45v45h-45z").expect("a string takes all");
        }
    }
    let pieces = SHAPES.map(|(piece, path)| {
        let letter = piece.to_char();
        format!(r#"<path id="piece-{letter}" d="{path}"/>"#)
    });
    format!(
        r#"<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs><g id="squares"><path class="square light" d="M0 0h360v360H0z"/><path class="square dark" d="{squares}"/></g>{}</defs></svg>"#,
        pieces.concat()
    )
}

/// A move to be shown, with the class of its arrow.
pub(crate) struct MoveArrow {
    pub(crate) class: &'static str,
    pub(crate) m: Move,
}

/// The position as seen by the side to move, with arrows; the last one is on top.
pub(crate) fn diagram(position: &Position, title: &str, arrows: &[MoveArrow]) -> String {
    let is_white = position.side_to_move() == Color::White;
    let place = |square: Square| {
        let (file, rank) = (
            f64::from(square.file() as u8),
            f64::from(square.rank() as u8),
        );
        // The y axis of SVG points down, so the first rank of White has the largest y.
        if is_white {
            [file * SIZE, (7.0 - rank) * SIZE]
        } else {
            [(7.0 - file) * SIZE, rank * SIZE]
        }
    };
    // The name of a position comes from a file and may contain markup.
    let title = escape(title);
    let mut svg = format!(
        r##"<svg class="board" viewBox="0 0 360 360" role="img" aria-label="{title}"><title>{title}</title><use href="#squares"/>"##
    );
    let mut put = |element: String| svg.push_str(&element);
    for square in Square::ALL {
        let [x, y] = place(square);
        let (file, rank) = (square.file().to_char(), square.rank().to_char());
        // Coordinates stand at the left and the lower edge of the picture, whichever side is below.
        if x == 0.0 {
            let y = y + 10.0;
            put(format!(r#"<text class="edge" x="2" y="{y}">{rank}</text>"#));
        }
        if y > 310.0 {
            let x = x + 37.0;
            put(format!(
                r#"<text class="edge" x="{x}" y="358">{file}</text>"#
            ));
        }
        if let Some(piece) = position.piece_at(square) {
            let color = if piece.color == Color::White {
                "white"
            } else {
                "black"
            };
            let letter = piece.piece_type.to_char();
            put(format!(
                r##"<use class="{color} piece" href="#piece-{letter}" x="{x}" y="{y}"/>"##
            ));
        }
    }
    for MoveArrow { class, m } in arrows {
        // Castling is king takes rook inside; the arrow goes to the king's target.
        let text = UciMove::from_move(*m, position, position.castling_mode());
        let middle = |square| place(square).map(|start| start + SIZE / 2.0);
        put(arrow(class, middle(text.from), middle(text.to)));
    }
    svg + "</svg>"
}

fn arrow(class: &str, [x, y]: [f64; 2], [to_x, to_y]: [f64; 2]) -> String {
    let (dx, dy) = (to_x - x, to_y - y);
    let length = dx.hypot(dy).max(1.0);
    let (unit_x, unit_y) = (dx / length, dy / length);
    // The shaft ends where the head begins, 16 units before the middle of the target.
    let (end_x, end_y) = (to_x - 16.0 * unit_x, to_y - 16.0 * unit_y);
    let corner = |side: f64| {
        let (x, y) = (end_x - side * unit_y, end_y + side * unit_x);
        format!("{x:.1} {y:.1}")
    };
    format!(
        r#"<path class="arrow {class}" d="M{x:.1} {y:.1}L{end_x:.1} {end_y:.1}"/><path class="tip {class}" d="M{}L{to_x:.1} {to_y:.1}L{}z"/>"#,
        corner(9.0),
        corner(-9.0)
    )
}

/// The style of boards and their cards.
const STYLE: &str = include_str!("../../templates/boards.css");

/// A board with what was wanted and what was played.
pub(crate) struct BoardCard {
    pub(crate) title: String,
    pub(crate) svg: String,
    /// Pairs of a name and a text.
    pub(crate) facts: Vec<(&'static str, String)>,
    pub(crate) href: String,
}

/// The cards of a section; see its template `templates/boards.html`.
#[derive(Template)]
#[template(path = "boards.html")]
struct BoardsHtml<'a> {
    cards: &'a [BoardCard],
}

/// The cards as HTML of a section.
pub(crate) fn boards(cards: &[BoardCard]) -> String {
    let html = BoardsHtml { cards };
    html.render().expect("writing to a string does not fail")
}

/// A page of `epd`, to be filled.
pub(crate) fn page() -> Page {
    Page {
        style: STYLE,
        footer: concat!("Written by epd ", env!("CARGO_PKG_VERSION"), ".").to_owned(),
        ..Page::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::notation::fen;

    #[test]
    fn boards_are_seen_by_the_side_to_move_and_castling_ends_on_the_kings_square() {
        let picture = |fen: &str, m: Move| {
            let position = fen::parse(fen).expect("legal");
            let class = "wanted";
            diagram(&position, "<b>", &[MoveArrow { class, m }])
        };
        let castling = Move::new(Square::E1, Square::H1);
        let white = picture("4k3/8/8/8/8/8/8/4K2R w K - 0 1", castling);
        let king = r##"<use class="white piece" href="#piece-K" x="180" y="315"/>"##;
        assert!(white.contains(king), "{white}");
        // From e1 to g1: the tip is in the middle of g1.
        assert!(white.contains("M202.5 337.5L276.5 337.5"), "{white}");
        assert!(white.contains("<title>&lt;b&gt;</title>"), "{white}");
        let black = picture(
            "4k3/8/8/8/8/8/8/4K2R b K - 0 1",
            Move::new(Square::E8, Square::D8),
        );
        assert!(black.contains("M157.5 337.5L"), "{black}");
    }
}
