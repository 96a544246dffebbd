//! An engine's answers as texts: their form learnt from known counts, and others read by it. No process.

use engine::rules::{CastlingMode, Position};

use super::format::Format;
use super::identify::learn_script;
use super::line::Line;
use crate::subject::Answer;

/// How an engine writes its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerForm(Format);

impl AnswerForm {
    /// Learns the form from what an engine says of the first position at depths 1, 2 and 3. `None`
    /// where nothing in it looks like those counts.
    pub fn learn(known: [&str; 3]) -> Option<Self> {
        learn_script(known.map(lines)).map(Self)
    }

    /// Reads what the engine says of a position at a depth.
    pub fn read(&self, text: &str, depth: u32, position: &Position, mode: CastlingMode) -> Answer {
        self.0.read(&lines(text), depth, position, mode)
    }
}

/// The lines that say anything.
fn lines(text: &str) -> Vec<Line> {
    let lines = text.lines().map(Line::parse);
    lines.filter_map(Line::with_numbers).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_learnt_and_used() {
        let known = ["nodes 20", "nodes 400", "nodes 8902"];
        let form = AnswerForm::learn(known).expect("it is plain");
        let start = Position::startpos();
        let answer = form.read("time 5 ms\nnodes 197281", 4, &start, CastlingMode::Standard);
        assert_eq!(answer.count(), Some(197_281));
        assert_eq!(AnswerForm::learn(["", "hello", "42"]), None);
    }
}
