//! Table of the workers of a run on a fleet.

use super::RunReport;
use super::summary::WorkerSummary;
use crate::fleet::conduct::Conduct;

/// Column names of the table.
pub(super) const HEAD: [&str; 4] = ["worker", "games", "LL,LD,DD,WD,WW", "lost by machine"];
/// Caption of the table.
pub(super) const CAPTION: &str = "Who played, as the first engine sees it: pairs by points, worst first; games lost by faults that a machine can cause.";

impl RunReport<'_> {
    /// Rows of the table; empty if one machine played all games.
    pub(super) fn worker_rows(&self) -> Vec<[String; 4]> {
        let rows = self.summary.workers.iter();
        rows.map(|WorkerSummary { name, conduct }| {
            let Conduct {
                pairs,
                games,
                faults,
            } = conduct;
            [
                name.clone(),
                games.to_string(),
                pairs.to_string(),
                faults.to_string(),
            ]
        })
        .collect()
    }
}
