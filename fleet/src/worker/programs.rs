//! How tasks find engines: in the folder of the worker's owner, or built from their source.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use queue::program::{Folder, FoundProgram, Programs, WantedProgram};
use queue::work::CannotRun;

use super::builds::{BuildError, Builds};
use super::sandbox::Sandbox;

/// The engines of a worker.
pub(super) struct Engines<'a> {
    /// The programs of the worker's owner (`--engines`).
    pub(super) folder: Folder,
    /// Confines the owner's programs.
    pub(super) sandbox: Sandbox,
    /// Folders that engines may read besides their own.
    pub(super) readable: Vec<PathBuf>,
    /// Makes engines from their source, or why this worker does not.
    pub(super) builds: Result<Builds, String>,
    /// Where messages go.
    pub(super) report: &'a (dyn Fn(&str) + Sync),
}

impl Programs for Engines<'_> {
    fn find(
        &self,
        engine: &str,
        wanted: WantedProgram<'_>,
        hash_mib: u64,
        stop: &Arc<AtomicBool>,
    ) -> Result<FoundProgram, CannotRun> {
        let WantedProgram::Source(source) = wanted else {
            let found = self.folder.find(engine, wanted, hash_mib, stop)?;
            let FoundProgram { program, keep, .. } = found;
            return Ok(self
                .sandbox
                .engine(&program, &self.readable, hash_mib, keep));
        };
        let what = format!(
            "engine '{engine}', commit {} of {}",
            source.commit, source.name
        );
        let unable = |reason: String| CannotRun(format!("{what}: {reason}"));
        let builds = self
            .builds
            .as_ref()
            .map_err(|reason| unable(reason.clone()))?;
        let built = builds.get(source, stop, self.report);
        let built = built.map_err(|error: BuildError| unable(error.to_string()))?;
        // Two different builds of one commit stay unseen then, which the owner should know.
        if let Some(nodes) = built
            .nodes
            .filter(|_| source.bench.or(built.stated).is_none())
        {
            (self.report)(&format!("{what}: bench {nodes}, compared with nothing"));
        }
        let sandbox = builds.sandbox();
        Ok(sandbox.engine(&built.program, &self.readable, hash_mib, built.keep))
    }
}
