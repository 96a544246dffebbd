//! Small boards drawn by the server, with arrows for moves; without scripts.

use chess::notation::fen;
use chess::rules::Square;

use super::arrows::Arrow;
use crate::assets;
use crate::model::MoveText;
use crate::web::language::Asked;

/// A position as a small picture; `miniature.html` draws it.
pub(super) struct Miniature {
    pub(super) pieces: Vec<Placed>,
    pub(super) arrows: Vec<Arrow>,
    /// What the picture shows, in words.
    pub(super) label: String,
    /// The pieces' drawings; none if they are not installed.
    pub(super) sprite: Option<String>,
}

/// A piece and the corner of its square, in units of the drawings.
pub(super) struct Placed {
    pub(super) x: usize,
    pub(super) y: usize,
    /// As the drawings name it: `wk`.
    pub(super) name: String,
    /// The chess character.
    pub(super) sign: &'static str,
}

/// The side of a square: that of the drawings of pieces.
const SQUARE: usize = 40;

impl Miniature {
    /// The position of a valid FEN, seen from White's side, with arrows for moves.
    pub(super) fn of(text: &str, moves: &[&MoveText]) -> Self {
        let position = fen::parse(text).ok();
        let pieces = Square::ALL.into_iter().filter_map(|square| {
            let piece = position.as_ref()?.piece_at(square)?;
            let letter = piece.piece_type.to_char().to_ascii_lowercase();
            let side = ["w", "b"][piece.color.index()];
            Some(Placed {
                x: square.file().index() * SQUARE,
                y: (7 - square.rank().index()) * SQUARE,
                name: format!("{side}{letter}"),
                sign: super::public::sign(letter),
            })
        });
        let sprite = assets::board_is_there();
        let sprite = sprite.then(|| assets::OWN.url("vendor/assets/pieces/standard.svg"));
        let names: Vec<&str> = moves.iter().map(|mv| mv.as_str()).collect();
        let language = Asked::now().language;
        let fen = ("fen", text.into());
        let label = if names.is_empty() {
            language.text("position-label", &[fen])
        } else {
            let arrows = ("arrows", names.join(", ").into());
            language.text("position-with-arrows", &[fen, arrows])
        };
        Self {
            pieces: pieces.collect(),
            arrows: moves
                .iter()
                .map(|mv| Arrow::new(mv, "missing", mv.to_string()))
                .collect(),
            label,
            sprite,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_stand_on_their_squares_and_arrows_point_at_theirs() {
        let mv: MoveText = "e1e8".parse().expect("a move");
        let drawn = Miniature::of("4k3/8/8/8/8/8/8/K3R3 b - - 0 1", &[&mv]);
        let placed: Vec<_> = drawn
            .pieces
            .iter()
            .map(|p| (p.name.as_str(), p.x, p.y))
            .collect();
        assert_eq!(placed, [("wk", 0, 280), ("wr", 160, 280), ("bk", 160, 0)]);
        assert_eq!(drawn.arrows.len(), 1);
        assert!(drawn.label.ends_with("with arrows e1e8"));
    }
}
