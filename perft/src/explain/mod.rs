//! `perft explain`: what a position asks of the side to move, and why moves are legal or not.
//!
//! The reasons are `engine`'s; here they become text. Values in, text out: drawing knows the width
//! and whether to colour only by what [`Style`] says.

mod boards;
mod human;
mod json;
mod pictures;

pub use boards::Style;

use chess::rules::explain::{Explanation, Sight, explain};
use chess::rules::{Move, Position};
use kit::Exit;

/// A format of the report on a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Format {
    /// For people.
    Human,
    /// One object, schema `touchstone/perft-explain/1`.
    Json,
}

/// A position and the moves asked about.
#[derive(Clone, Debug)]
pub struct Explained {
    position: Position,
    sight: Sight,
    moves: Vec<Explanation>,
}

impl Explained {
    /// Explains each of the moves in the same position.
    pub fn new(position: Position, moves: &[Move]) -> Self {
        Self {
            position,
            sight: Sight::of(&position),
            moves: moves.iter().map(|&m| explain(&position, m)).collect(),
        }
    }

    /// Whether every move asked about is legal.
    pub fn exit(&self) -> Exit {
        if self.moves.iter().all(Explanation::is_legal) {
            Exit::Agreed
        } else {
            Exit::Differs
        }
    }

    /// The report for people: the sentences, or the state of the position when no move was asked
    /// about; then boards, when there is a style to draw them in.
    pub fn human(&self, boards: Option<Style>) -> String {
        let mut text = human::write(self);
        if let Some(style) = boards {
            text.push('\n');
            text.push_str(&boards::draw(&pictures::of(self), style));
        }
        text
    }

    /// The report for programs.
    ///
    /// # Errors
    ///
    /// When the library cannot write it.
    pub fn json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(&json::Report::new(self))? + "\n")
    }
}
