//! Setting workers aside: their games are taken out, and played again by others.

use std::collections::BTreeSet;

use ::fleet::BrokerError;

use super::{CoordinateError, Desk, Result};
use crate::fleet::conduct::Roll;
use crate::ledger::Remaining;
use crate::model::SetAside;
use crate::run::{RunError, State, StruckOut};

impl Desk<'_, '_> {
    /// Counts what was recorded before, and makes sure that who was set aside then is aside.
    pub(super) fn begin(&mut self) -> Result<()> {
        let all = self.run.ledger.set_aside()?;
        self.aside = all
            .iter()
            .map(|one| one.worker.clone())
            .collect::<BTreeSet<_>>();
        for aside in &all {
            self.forget(aside)?;
        }
        // Without anybody aside the roll is still to be called.
        if let Some(last) = all.last() {
            self.take_out(last)?;
        } else {
            let records = std::mem::take(&mut self.run.recorded);
            self.roll = Roll::new(&records);
        }
        self.run.state.set_aside = all;
        Ok(())
    }

    /// Whether anybody was set aside because of what it has brought.
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

    /// On one machine games are lost in a row: if others have no such trouble it is the machine, else
    /// the engine.
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

    /// Takes no more from a worker, and has what it brought played again. First it is noted, so that
    /// what is not done when this program is killed is done when the run goes on.
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
            // Another broker: this one has never heard of it.
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
