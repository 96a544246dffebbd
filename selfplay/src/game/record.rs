//! The record of a move.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::model::MoveRecord;
use crate::player::Thought;

/// The record of a move, with the time left on the clock after it.
pub(super) fn move_record(thought: &Thought, left: Option<Duration>) -> MoveRecord {
    let insight = &thought.insight;
    let score = insight.score.map(|value| {
        let bound = None;
        uci::grammar::Score { value, bound }.to_string()
    });
    MoveRecord {
        uci: thought.best_move.reply.to_string(),
        score,
        depth: insight.depth,
        seldepth: insight.seldepth,
        nodes: insight.nodes,
        elapsed_us: u64::try_from(thought.elapsed.as_micros()).unwrap_or(u64::MAX),
        clock_ms: left.map(|left| i64::try_from(left.as_millis()).unwrap_or(i64::MAX)),
    }
}

pub(super) fn whole_milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The start time in milliseconds; 0 if the clock is set before 1970.
pub(super) fn milliseconds_since_1970(time: SystemTime) -> u64 {
    whole_milliseconds(time.duration_since(UNIX_EPOCH).unwrap_or_default())
}
