//! Detects engines too broken to continue with: they would only lose games. Pure.

use crate::model::{EngineIndex, FaultKind, GameRecord};

/// Number of consecutive games that each engine has lost by its own fault.
#[derive(Clone, Debug)]
pub struct Strikes(Vec<StrikeCount>);

#[derive(Clone, Copy, Debug, Default)]
struct StrikeCount {
    faults: u32,
    /// Losses because it could not be started.
    starts: u32,
}

/// An engine that has lost too many games by faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StruckOut {
    pub engine: EngineIndex,
    pub games: u32,
    pub kind: FaultKind,
    pub detail: String,
    /// The path of that game's transcript, relative to the run directory.
    pub transcript: Option<String>,
}

/// Maximum number of consecutive games lost because the engine does not start.
const MAX_STARTS: u32 = 3;
/// Maximum number of consecutive games lost by any fault.
const MAX_FAULTS: u32 = 20;

impl Strikes {
    /// No engine has lost a game yet.
    pub fn new(engines: usize) -> Self {
        Self(vec![StrikeCount::default(); engines])
    }

    /// Notes a game, in the order in which games end.
    pub fn note(&mut self, record: &GameRecord) -> Result<(), StruckOut> {
        let culprit = record.fault.as_ref();
        for player in [record.plan.white, record.plan.black] {
            if culprit.is_none_or(|fault| fault.engine != player) {
                // Any game without a fault of its own ends an engine's series.
                self.0[player.0] = StrikeCount::default();
            }
        }
        let Some(fault) = culprit else { return Ok(()) };
        // In the middle of a game, `no-readyok` is a ping after a ponder miss.
        let is_start = matches!(
            fault.kind,
            FaultKind::CannotStart | FaultKind::NoUciok | FaultKind::NoReadyok
        ) && record.moves.is_empty();
        let count = &mut self.0[fault.engine.0];
        count.faults += 1;
        count.starts = if is_start { count.starts + 1 } else { 0 };
        let games = if count.starts >= MAX_STARTS {
            count.starts
        } else if count.faults >= MAX_FAULTS {
            count.faults
        } else {
            return Ok(());
        };
        Err(StruckOut {
            engine: fault.engine,
            games,
            kind: fault.kind,
            detail: fault.detail.clone(),
            transcript: fault.transcript.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Termination;
    use crate::play::ledger::samples::{fault, record};

    /// After how many of these games an engine is out; `Some` is a game that the first engine loses
    /// by this fault. It alternates between White and Black.
    fn out_after(kinds: &[Option<FaultKind>]) -> Option<usize> {
        let mut strikes = Strikes::new(2);
        (0..).zip(kinds).position(|(game, kind)| {
            let mut record = record(game, 0);
            if let Some(kind) = *kind {
                record.termination = Termination::Fault;
                record.fault = Some(fault(EngineIndex(0), kind, "it did"));
            }
            strikes.note(&record).is_err()
        })
    }

    #[test]
    fn only_games_in_a_row_count() {
        let (start, crash) = (Some(FaultKind::CannotStart), Some(FaultKind::Crash));
        assert_eq!(out_after(&[start, start, start]), Some(2));
        assert_eq!(out_after(&[start, start, None, start, start]), None);
        assert_eq!(out_after(&[start, start, crash, start, start]), None);
        assert_eq!(out_after(&[crash; 20]), Some(19));
        let mut mixed = [crash; 39];
        mixed[19] = None;
        assert_eq!(out_after(&mixed), None);
    }
}
