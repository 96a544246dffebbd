use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::MoveText;

/// One edit of a list. Events are append-only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ListEvent {
    /// Its sequence number in the list, from 1, without gaps.
    pub seq: u32,
    /// The operation.
    pub op: Op,
    /// The move it applies to.
    #[serde(rename = "move")]
    pub mv: MoveText,
    /// Client time in milliseconds since the position was shown.
    pub at_ms: u32,
}

/// An edit of a list, or an answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Op {
    /// The move is added to the list.
    Add,
    /// The move is removed.
    Remove,
    /// Second look: the move is possible.
    Yes,
    /// Second look: the move is not possible.
    No,
}

impl Op {
    /// Its name in texts and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Remove => "remove",
            Self::Yes => "yes",
            Self::No => "no",
        }
    }
}

/// The list that results from the events, in the order in which its moves were added; a move added
/// twice is listed once.
pub fn moves_of(events: &[ListEvent]) -> Vec<MoveText> {
    let mut moves: Vec<MoveText> = Vec::new();
    for event in events {
        match event.op {
            Op::Add if !moves.contains(&event.mv) => moves.push(event.mv.clone()),
            Op::Remove => moves.retain(|m| *m != event.mv),
            Op::Add | Op::Yes | Op::No => {}
        }
    }
    moves
}

/// The answers of a second look; the last answer to each move counts.
pub fn answers(events: &[ListEvent]) -> BTreeMap<MoveText, bool> {
    let mut answers = BTreeMap::new();
    for event in events {
        match event.op {
            Op::Yes => answers.insert(event.mv.clone(), true),
            Op::No => answers.insert(event.mv.clone(), false),
            Op::Add | Op::Remove => None,
        };
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(seq: u32, op: Op, mv: &str) -> ListEvent {
        let mv = mv.parse().expect("a move");
        ListEvent {
            seq,
            op,
            mv,
            at_ms: 0,
        }
    }

    #[test]
    fn a_list_is_what_was_added_and_not_removed() {
        let events = [
            event(1, Op::Add, "e2e4"),
            event(2, Op::Add, "d2d4"),
            event(3, Op::Add, "e2e4"),
            event(4, Op::Remove, "e2e4"),
            event(5, Op::Add, "a2a3"),
        ];
        let texts: Vec<String> = moves_of(&events).iter().map(MoveText::to_string).collect();
        assert_eq!(texts, ["d2d4", "a2a3"]);
    }

    #[test]
    fn the_last_answer_counts() {
        let events = [event(1, Op::Yes, "e2e4"), event(2, Op::No, "e2e4")];
        assert_eq!(answers(&events).into_values().collect::<Vec<_>>(), [false]);
    }
}
