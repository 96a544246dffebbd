//! Locates and fingerprints the programs of engines.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use kit::programs;
use uci::CommandLine;

use crate::model::{Adjudication, EngineConfig, OpeningSource, RunConfig};
use crate::play::player;

#[derive(Debug, thiserror::Error)]
#[error("engine '{engine}': {reason}")]
pub struct ProgramError {
    pub engine: String,
    pub reason: String,
    /// Whether the request is invalid, as opposed to a missing program.
    pub is_input: bool,
}

/// Makes every path of a configuration absolute, so that the run can be resumed from any directory.
/// Relative paths start at the current directory; a program without `/` is searched for in `PATH`.
pub fn locate(config: &mut RunConfig) -> Result<(), ProgramError> {
    for engine in &mut config.engines {
        let failed = |reason, is_input| ProgramError {
            engine: engine.name.clone(),
            reason,
            is_input,
        };
        let program = find(&engine.command.program);
        engine.command.program = program.map_err(|reason| failed(reason, false))?;
        if let Some(directory) = &mut engine.command.directory {
            *directory = absolute(directory);
            if !directory.is_dir() {
                let reason = format!("dir: {} is not a directory", directory.display());
                return Err(failed(reason, true));
            }
        }
    }
    if let OpeningSource::Book { path, .. } = &mut config.openings {
        *path = absolute(path);
    }
    for file in config.output.files_mut() {
        file.path = absolute(&file.path);
    }
    let Adjudication { tablebase, .. } = &mut config.adjudication;
    for path in tablebase.iter_mut().flat_map(|rule| &mut rule.paths) {
        *path = absolute(path);
    }
    Ok(())
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn find(program: &Path) -> Result<PathBuf, String> {
    let why = |error: io::Error| {
        let why = uci::why_not_started(&CommandLine::new(program), &error);
        format!("cmd: cannot start {}: {why}", program.display())
    };
    // As in a shell, only a name without a directory is searched for in `PATH`.
    if program.components().count() > 1 || program.is_absolute() {
        let path = programs::with_ending(absolute(program));
        return match programs::is_executable(&path) {
            Ok(true) => Ok(path),
            Ok(false) => Err(why(io::ErrorKind::PermissionDenied.into())),
            Err(error) => Err(format!("{}{}", why(error), hint(program))),
        };
    }
    let found = programs::find(program);
    found
        .map(|path| absolute(&path))
        .ok_or_else(|| format!("{}{}", why(io::ErrorKind::NotFound.into()), hint(program)))
}

fn hint(program: &Path) -> &'static str {
    if program.to_string_lossy().contains(' ') {
        "; arguments are given by args"
    } else {
        ""
    }
}

/// Length and CRC-32 of a program, by which a resumed run checks that it is unchanged.
pub fn fingerprint(engine: &EngineConfig) -> Result<String, ProgramError> {
    let path = &engine.command.program;
    player::fingerprint(path).map_err(|error| ProgramError {
        engine: engine.name.clone(),
        reason: format!("cannot read {}: {error}", path.display()),
        is_input: false,
    })
}

/// The fingerprint of each engine's program, by engine name.
pub fn fingerprints(config: &RunConfig) -> Result<BTreeMap<String, String>, ProgramError> {
    // Engines often share a program, which may be large.
    let mut known: BTreeMap<&Path, String> = BTreeMap::new();
    let engines = config.engines.iter();
    let sums = engines.map(|engine| {
        let sum = match known.entry(&engine.command.program) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(new) => {
                let sum = fingerprint(engine)?;
                new.insert(sum).clone()
            }
        };
        Ok((engine.name.clone(), sum))
    });
    sums.collect()
}

/// The revision that a program's name requests, if it starts with `rev:`.
pub fn revision(program: &OsStr) -> Option<&str> {
    program.to_str()?.strip_prefix(crate::config::REVISION)
}
