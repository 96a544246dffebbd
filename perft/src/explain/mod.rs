//! `perft explain`: the checks and pins of a position, and why moves are legal or not.
//!
//! The reasons come from `engine`; this module turns them into text. It is pure: width and colour
//! are passed in as a [`Style`].

mod boards;
mod human;
mod json;
mod pictures;

pub(crate) use boards::Style;

use chess::rules::explain::{Explanation, Sight, explain};
use chess::rules::{Move, Position};
use kit::Exit;

/// A position and the moves to explain.
#[derive(Clone, Debug)]
pub(crate) struct Explained {
    position: Position,
    sight: Sight,
    moves: Vec<Explanation>,
}

impl Explained {
    /// Explains each of the moves in the same position.
    pub(crate) fn new(position: Position, moves: &[Move]) -> Self {
        Self {
            position,
            sight: Sight::from_position(&position),
            moves: moves.iter().map(|&m| explain(&position, m)).collect(),
        }
    }

    /// The exit code: whether every move is legal.
    pub(crate) fn exit(&self) -> Exit {
        if self.moves.iter().all(Explanation::is_legal) {
            Exit::Agreed
        } else {
            Exit::Differs
        }
    }

    /// The human-readable report: sentences on the moves, or the state of the position if there are
    /// none; then boards, if there is a style to draw them in.
    pub(crate) fn human(&self, boards: Option<Style>) -> String {
        let mut text = human::write(self);
        if let Some(style) = boards {
            text.push('\n');
            text.push_str(&boards::draw(&pictures::pictures(self), style));
        }
        text
    }

    /// The JSON report.
    ///
    /// # Errors
    ///
    /// When the library cannot write it.
    pub(crate) fn json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(&json::ExplainReport::new(self))? + "\n")
    }
}
