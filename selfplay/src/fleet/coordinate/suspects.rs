//! Quarantine: the games of a worker are discarded, and played again by others.

use std::collections::BTreeSet;

use ::fleet::BrokerError;

use super::{CoordinateError, Desk, Result};
use crate::fleet::conduct::Roll;
use crate::ledger::Remaining;
use crate::model::SetAside;
use crate::run::{RunError, State, StruckOut};

impl Desk<'_, '_> {
    /// Counts the recorded games, and completes the quarantine of workers noted earlier.
    pub(super) fn begin(&mut self) -> Result<()> {
        let all = self.run.ledger.set_aside()?;
        self.aside = all
            .iter()
            .map(|one| one.worker.clone())
            .collect::<BTreeSet<_>>();
        for aside in &all {
            self.forget(aside)?;
        }
        // Otherwise `take_out` counts the remaining games.
        if let Some(last) = all.last() {
            self.take_out(last)?;
        } else {
            let records = std::mem::take(&mut self.run.recorded);
            self.roll = Roll::new(&records);
        }
        self.run.state.set_aside = all;
        Ok(())
    }

    /// Returns true if a worker was quarantined because of its results.
    pub(super) fn look_at_workers(&mut self, is_last: bool) -> Result<bool> {
        let Some(found) = self.watch.look(&self.roll, is_last) else {
            return Ok(false);
        };
        if found.is_certain() {
            self.set_aside(&found.worker, &found.to_string())?;
            return Ok(true);
        }
        (self.run.say)(&format!(
            "WARNING: worker '{}' and the others disagree, and with so few nobody knows who is right: {found}",
            found.worker
        ));
        Ok(false)
    }

    /// Consecutive losses by faults on one machine: the machine is to blame if the others have
    /// games without such faults, otherwise the engine is.
    pub(super) fn struck_out(&mut self, worker: &str, out: StruckOut) -> Result<()> {
        let rest = self.roll.rest(worker);
        let name = self.run.state.config.engines[out.engine.0].name.clone();
        if rest.games == rest.faults {
            return Err(RunError::StruckOut { name, out }.into());
        }
        let reason = format!(
            "on its machine engine '{name}' has lost {} games in a row by its own fault, the last by {}: {}; the \
             others have lost {} of {} games by such faults",
            out.games,
            out.kind.as_str(),
            out.detail,
            rest.faults,
            rest.games
        );
        self.set_aside(worker, &reason)
    }

    /// Quarantines a worker and has its games played again. The ledger notes this first, so that a
    /// resumed run can complete it if this program is killed.
    pub(super) fn set_aside(&mut self, worker: &str, reason: &str) -> Result<()> {
        let games = self.roll.of(worker).games;
        let aside = self.run.ledger.note_set_aside(worker, reason, games)?;
        self.aside.insert(worker.to_owned());
        (self.run.say)(&format!(
            "worker '{worker}' is set aside: {reason}; {} taken out and played again by others",
            match games {
                0 => "no game is".to_owned(),
                1 => "its game is".to_owned(),
                games => format!("its {games} games are"),
            }
        ));
        self.forget(&aside)?;
        self.take_out(&aside)?;
        self.run.state.set_aside.push(aside);
        Ok(())
    }

    fn forget(&self, aside: &SetAside) -> Result<()> {
        let set_aside = self.call(|broker, _| broker.set_aside(&aside.worker, &aside.reason));
        match set_aside {
            // A new broker may not know this worker.
            Ok(()) | Err(CoordinateError::Broker(BrokerError::NoWorker(_))) => {}
            Err(error) => return Err(error),
        }
        self.call(|broker, job| broker.forget(job, &aside.worker))?;
        Ok(())
    }

    fn take_out(&mut self, aside: &SetAside) -> Result<()> {
        let run = &mut *self.run;
        let Remaining {
            records,
            identities,
        } = run.ledger.take_out(aside)?;
        let set_aside = std::mem::take(&mut run.state.set_aside);
        let config = run.state.config.clone();
        let mut state = State::resumed(config, &records, &identities).map_err(RunError::from)?;
        state.set_aside = set_aside;
        run.state = state;
        self.roll = Roll::new(&records);
        self.strikes.remove(&aside.worker);
        Ok(())
    }
}
