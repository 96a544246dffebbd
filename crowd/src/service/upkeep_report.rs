use serde::Serialize;

/// Results of one round of upkeep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UpkeepReport {
    /// Number of assignments that expired.
    pub expired: u64,
    /// Number of lists scored against a known answer.
    pub scored: u64,
    /// Whether estimates were recomputed.
    pub aggregated: bool,
    /// Number of positions that became test cases.
    pub agreed: u64,
    /// Number of positions added to the moderators' queue.
    pub disputed: u64,
    /// Number of flags raised.
    pub flags: u64,
}

impl UpkeepReport {
    /// Whether anything changed.
    pub fn did_something(self) -> bool {
        self != Self::default()
    }
}
