//! Formats a run in one line, for `selfplay watch`.

use super::{RunReport, words};
use crate::report::{count, decimals, elo_interval, percent};

impl RunReport<'_> {
    /// Progress and result of the run, in one line.
    pub fn line(&self) -> String {
        let summary = self.summary;
        let mut parts = vec![self.progress()];
        match summary.only_couple() {
            Some(couple) => {
                let [first, second] = self.names(couple);
                parts.push(format!(
                    "{first} against {second} {}",
                    words::wdl(couple.counted.games)
                ));
                if let Some(strength) = &couple.strength {
                    parts.push(format!("Elo {}", elo_interval(&strength.elo, 1)));
                    parts.push(format!("LOS {}", percent(strength.los)));
                }
            }
            None if summary.games > 0 => parts.push(self.headline().text),
            None => {}
        }
        if let Some(test) = &summary.test {
            parts.push(format!(
                "LLR {} {}",
                decimals(test.llr, 2),
                words::bounds(test)
            ));
        }
        match summary.faults.total() {
            0 => {}
            faults => parts.push(count(faults, "fault")),
        }
        match summary.faults.incidents.values().sum() {
            0 => {}
            incidents => parts.push(count(incidents, "incident")),
        }
        if summary.distinct < summary.games {
            parts.push(format!("only {} distinct", summary.distinct));
        }
        parts.extend(self.time_left());
        words::printable(&parts.join(" | "))
    }
}
