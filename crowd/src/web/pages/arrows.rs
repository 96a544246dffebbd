//! Moves as arrows over a diagram; drawn by a template, without scripts.

use crate::model::MoveText;

/// More would hide the board.
const MOST: usize = 40;

/// A move, in units of a square from the corner of a8.
pub(super) struct Arrow {
    /// The class of its look: `missing`, `wrong` or `count`.
    pub(super) kind: &'static str,
    /// What it means, for those who point at it.
    pub(super) title: String,
    /// The ends of the line.
    pub(super) from: (f32, f32),
    pub(super) to: (f32, f32),
    /// The points of the head.
    pub(super) head: String,
}

impl Arrow {
    /// The arrow of a move of standard chess.
    pub(super) fn new(mv: &MoveText, kind: &'static str, title: String) -> Self {
        let parts = mv.parts();
        let (from, to, _) = parts.expect("variants have drawings of their own");
        let middle = |square: chess::rules::Square| {
            let (file, rank) = (square.file().index(), square.rank().index());
            (half(file), half(7 - rank))
        };
        let ((x1, y1), (x2, y2)) = (middle(from), middle(to));
        let length = (x2 - x1).hypot(y2 - y1);
        let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
        let at = |along: f32, aside: f32| {
            let (x, y) = (x2 - along * dx - aside * dy, y2 - along * dy + aside * dx);
            (x, y)
        };
        let points = [at(0.05, 0.0), at(0.4, 0.18), at(0.4, -0.18)];
        let points = points.map(|(x, y)| format!("{x:.2},{y:.2}"));
        Self {
            kind,
            title,
            from: (x1, y1),
            to: at(0.4, 0.0),
            head: points.join(" "),
        }
    }

    /// As many as a board has room for.
    pub(super) fn some(arrows: impl IntoIterator<Item = Self>) -> Vec<Self> {
        arrows.into_iter().take(MOST).collect()
    }
}

/// The middle of a file or rank.
fn half(index: usize) -> f32 {
    let index = u8::try_from(index).expect("a board has eight");
    f32::from(index) + 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_ends_on_its_square() {
        let arrow = Arrow::new(&"e2e4".parse().expect("a move"), "missing", String::new());
        assert_eq!(arrow.from, (4.5, 6.5));
        assert_eq!(arrow.to, (4.5, 4.9));
        assert_eq!(arrow.head, "4.50,4.55 4.68,4.90 4.32,4.90");
        let all =
            (0..99).map(|_| Arrow::new(&"a1h8".parse().expect("a move"), "wrong", String::new()));
        assert_eq!(Arrow::some(all).len(), MOST);
    }
}
