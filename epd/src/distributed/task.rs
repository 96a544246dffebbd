//! Searches as work for a worker: the kind `epd-run/1`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use kit::Progress;
use queue::program::{Programs, is_harmless};
use queue::work::{CannotRun, Submit, Task};
use queue::{Lease, UnitResult};
use uci::{Cancel, CommandLine, Start};

use super::protocol::{JobBody, KIND, cases};
use crate::run::driver::{EngineRun, SearchEvent, TestedEngine};
use crate::run::journal::EngineJournal;
use crate::run::ledger::{Handshake, Trial};
use crate::run::plan::RunCase;
use crate::run::wire::CaseResult;

/// Runs an engine on the positions of a lease, and submits each search when it is finished.
#[derive(Clone, Copy)]
pub struct SearchTask<'a> {
    programs: &'a dyn Programs,
}

impl<'a> SearchTask<'a> {
    /// Searches with these programs.
    pub fn new(programs: &'a dyn Programs) -> Self {
        Self { programs }
    }

    /// The command on this machine.
    fn command(
        &self,
        body: &JobBody,
        stop: &Arc<AtomicBool>,
    ) -> Result<(CommandLine, Arc<()>), CannotRun> {
        let theirs = body.command();
        let found = { self.programs }.find(body.engine(), body.wanted(), body.hash_mib(), stop)?;
        if let Some(path) = theirs.directory.as_ref().filter(|path| !path.is_dir()) {
            let path = path.display();
            let reason = format!("the engine runs in {path}, which is not a directory here");
            return Err(CannotRun(reason));
        }
        // Jobs come from a network: a variable such as `LD_PRELOAD` would run any code.
        if let Some((name, _)) = theirs
            .environment
            .iter()
            .find(|(name, _)| !is_harmless(name))
        {
            let name = name.display();
            return Err(CannotRun(format!(
                "no job may set the variable {name} here"
            )));
        }
        let ours = found.arguments.into_iter().map(Into::into);
        let command = CommandLine {
            program: found.program.into_os_string(),
            arguments: ours.chain(theirs.arguments).collect(),
            ..theirs
        };
        Ok((command, found.keep))
    }
}

impl Task for SearchTask<'_> {
    fn kinds(&self) -> Vec<&'static str> {
        vec![KIND]
    }

    fn cores(&self, lease: &Lease) -> Result<usize, CannotRun> {
        Ok(read(lease)?.threads())
    }

    fn work(
        &self,
        _lane: usize,
        lease: &Lease,
        stop: &Arc<AtomicBool>,
        submit: Submit<'_>,
    ) -> Result<(), CannotRun> {
        let body = read(lease)?;
        let cases = cases(&lease.units).map_err(|error| CannotRun(error.to_string()))?;
        let (command, _keep) = self.command(&body, stop)?;
        let engine = TestedEngine {
            name: lease.job.id.clone(),
            start: Start {
                options: body.options().to_vec(),
                cancel: Cancel::from(Arc::clone(stop)),
                ..Start::new(command)
            },
            handshake: OnceLock::new(),
        };
        let (handshake, searched) = search(&engine, &cases, &body, lease, submit);
        // An engine that does not even start here may work elsewhere.
        match handshake {
            // A worker that is being stopped has not failed.
            _ if stop.load(Ordering::Relaxed) => Ok(()),
            Handshake::Ready { .. } if searched == lease.units.len() => Ok(()),
            Handshake::Ready { .. } => Err(CannotRun(
                "the engine lacks UCI_Chess960, which it had where the job was posted".to_owned(),
            )),
            Handshake::Refused { reason, .. } | Handshake::Failed { reason, .. } => {
                Err(CannotRun(format!("the engine does not start: {reason}")))
            }
        }
    }
}

fn read(lease: &Lease) -> Result<JobBody, CannotRun> {
    JobBody::read(&lease.job.body).map_err(|error| CannotRun(error.to_string()))
}

/// Runs the engine; returns how it started and the number of finished searches.
fn search(
    engine: &TestedEngine,
    cases: &[RunCase],
    body: &JobBody,
    lease: &Lease,
    submit: Submit<'_>,
) -> (Handshake, usize) {
    let mut searched = 0;
    let mut keep = |event: &SearchEvent<'_>| {
        if let SearchEvent::Finished { case, finished, .. } = event
            && let Some(result) = CaseResult::new(&finished.outcome, &finished.searches)
        {
            let value = serde_json::to_string(&result).expect("numbers and strings can be written");
            let key = lease.units[*case].key;
            submit(&[UnitResult { key, value }]);
            searched += 1;
        }
        Ok(())
    };
    let run = EngineRun {
        engine,
        cases,
        rules: body.rules(),
        progress: &Progress::new(0, "searches", false),
    };
    let trial: anyhow::Result<Trial> = run.run(EngineJournal::default(), &mut keep);
    let trial = trial.expect("submitting does not fail");
    (trial.handshake, searched)
}
