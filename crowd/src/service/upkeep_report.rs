use serde::Serialize;

/// What one round of upkeep did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UpkeepReport {
    /// Assignments whose time was over.
    pub expired: u64,
    /// Lists that were scored against gold.
    pub scored: u64,
    /// Whether estimates were made anew.
    pub aggregated: bool,
    /// Positions that became test cases.
    pub agreed: u64,
    /// Positions that went to the moderator's queue.
    pub disputed: u64,
    /// Flags that were raised.
    pub flags: u64,
}

impl UpkeepReport {
    /// Whether anything was done.
    pub fn did_something(self) -> bool {
        self != Self::default()
    }
}
