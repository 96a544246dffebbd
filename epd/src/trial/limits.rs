//! Search limits.

use std::fmt;
use std::time::Duration;

use uci::grammar::Go;

use crate::goal::GoalError;
use crate::goal::GoalReason;
use crate::{OpcodeValue, Record};

/// The limits of one search, which ends at the first one reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of nodes.
    pub nodes: Option<u64>,
    /// Maximum depth, in plies.
    pub depth: Option<u32>,
    /// Time per search.
    pub time: Option<Duration>,
    /// Mate to search for, in moves.
    pub mate: Option<u32>,
}

impl Limits {
    /// Whether no limit is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The limits of a record, from `acd`, `acn` and `acs`; zeros are ignored.
    ///
    /// # Errors
    ///
    /// When an operand is not a number, or out of range.
    pub fn of_record(record: &Record) -> Result<Self, GoalError> {
        let depth = number(record, "acd")?;
        Ok(Self {
            depth: depth.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)),
            nodes: number(record, "acn")?,
            time: number(record, "acs")?.map(Duration::from_secs),
            mate: None,
        })
    }

    /// The parameters of `go`.
    pub fn to_go(&self) -> Go {
        Go {
            nodes: self.nodes,
            depth: self.depth,
            movetime_ms: self
                .time
                .map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
            mate: self.mate,
            ..Go::default()
        }
    }
}

fn number(record: &Record, opcode: &'static str) -> Result<Option<u64>, GoalError> {
    let Some(operation) = record.operation(opcode) else {
        return Ok(None);
    };
    match operation.value(record.position()) {
        Ok(OpcodeValue::Unsigned(number)) => Ok(Some(number).filter(|&number| number > 0)),
        _ => Err(GoalError {
            opcode,
            reason: GoalReason::NotALimit {
                found: operation.to_string(),
            },
        }),
    }
}

/// Formats as `nodes 1000, depth 5`, or `no limit`.
impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.nodes.map(|nodes| format!("nodes {nodes}")),
            self.depth.map(|depth| format!("depth {depth}")),
            self.time
                .map(|time| format!("time {} s", time.as_secs_f64())),
            self.mate.map(|moves| format!("mate {moves}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() {
            return f.write_str("no limit");
        }
        f.write_str(&parts.join(", "))
    }
}
