//! Who played the games of a run on a fleet.

use super::RunReport;
use super::summary::WorkerSummary;
use crate::fleet::conduct::Conduct;

/// What the columns of the table are.
pub(super) const HEAD: [&str; 4] = ["worker", "games", "LL,LD,DD,WD,WW", "lost by machine"];
/// What the table tells.
pub(super) const CAPTION: &str = "Who played, as the first engine sees it: pairs by points, worst first; games lost by faults that a machine can cause.";

impl RunReport<'_> {
    /// The rows of the table; none where one machine played all.
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
