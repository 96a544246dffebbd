//! The journal of `epd run --resume` as a file, which is appended and survives `kill -9`.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use kit::journal::SyncPolicy;
use kit::output::{grouped, to_stderr};
use kit::{BadInput, Journal, programs};
use sha2::{Digest as _, Sha256};
use uci::CommandLine;

use crate::run::driver::{SearchEvent, TestedEngine};
use crate::run::journal::{
    EngineJournal, Header, JournalLine, JournaledEngine, ResultLine, Started, hex,
};
use crate::run::plan::RunPlan;
use crate::run::wire::CaseResult;

/// A journal file that this run alone writes.
#[derive(Debug)]
pub(super) struct JournalFile {
    file: Journal<Header, JournalLine>,
    /// What earlier runs have done, by engine.
    engines: Vec<EngineJournal>,
    finished: usize,
}

impl JournalFile {
    /// Opens or creates the journal of a run.
    pub(super) fn open(path: &Path, header: &Header, plan: &RunPlan) -> anyhow::Result<Self> {
        let empty = EngineJournal::empty(plan.cases.len(), header.repeat);
        let mut engines = vec![empty; header.engines.len()];
        let policy = SyncPolicy::EverySecond;
        let file = Journal::open(path, header, policy, |line: JournalLine, place| {
            let read = line.read(&mut engines, plan);
            read.map_err(|reason| place.error(reason))
        })?;
        if file.torn() > 0 {
            let name = path.display();
            to_stderr(&format!("note: {name}: an incomplete last line is dropped"));
        }
        let finished = engines.iter().map(EngineJournal::finished).sum();
        Ok(Self {
            file,
            engines,
            finished,
        })
    }

    /// What earlier runs have done with an engine.
    pub(super) fn done(&self, engine: usize) -> EngineJournal {
        self.engines[engine].clone()
    }

    /// Appends an event of an engine. Once this returns, it survives a kill of the program.
    ///
    /// # Errors
    ///
    /// When the file cannot be written, or the engine is not that of the earlier runs.
    pub(super) fn append(&mut self, engine: usize, event: &SearchEvent<'_>) -> anyhow::Result<()> {
        let line = match *event {
            SearchEvent::Started { name, chess960 } => {
                let now = Started {
                    engine,
                    name: name.map(str::to_owned),
                    chess960,
                };
                match &self.engines[engine].started {
                    None => JournalLine::Started(now),
                    Some(earlier) if *earlier == now => return Ok(()),
                    Some(earlier) => return Err(self.other_engine(earlier, &now).into()),
                }
            }
            SearchEvent::Finished {
                case,
                repeat,
                elapsed,
                finished,
            } => {
                let outcome = CaseResult::new(&finished.outcome, &finished.searches);
                // An engine that was not asked will not be asked when the run resumes.
                let Some(outcome) = outcome else {
                    return Ok(());
                };
                self.finished += 1;
                JournalLine::Result(ResultLine {
                    engine,
                    position: case,
                    search: repeat,
                    elapsed_ms: u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
                    outcome,
                })
            }
        };
        Ok(self.file.append(&line)?)
    }

    fn other_engine(&self, earlier: &Started, now: &Started) -> BadInput {
        let describe = |one: &Started| {
            let name = one.name.as_deref().unwrap_or("without a name");
            let chess960 = if one.chess960 { "with" } else { "without" };
            format!("'{name}' {chess960} UCI_Chess960")
        };
        let (path, number) = (self.file.path().display(), now.engine + 1);
        BadInput(format!(
            "{path}: engine {number} was {} and is now {}",
            describe(earlier),
            describe(now)
        ))
    }

    /// How far the run is, and the command that resumes it.
    pub(super) fn how_to_resume(&self, searches: usize) -> String {
        let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
        let words: Vec<String> = words.collect();
        format!(
            "{} of {} searches are in {}; to resume: {}",
            grouped(self.finished as u64),
            grouped(searches as u64),
            self.file.path().display(),
            uci::join_words(words.iter().map(String::as_str))
        )
    }
}

/// An engine as it is started, for the header of a journal.
pub(super) fn engine_text(engine: &TestedEngine) -> JournaledEngine {
    let command = &engine.start.command;
    let directory = command.directory.as_ref();
    let directory = directory.map(|directory| format!("directory {}", directory.display()));
    let variables = command.environment.iter();
    let variables = variables.map(|(name, value)| {
        let (name, value) = (name.to_string_lossy(), value.to_string_lossy());
        format!("{name}={value}")
    });
    let options = engine.start.options.iter();
    let options = options.map(|(name, value)| match value {
        Some(value) => format!("{name}={value}"),
        None => name.clone(),
    });
    JournaledEngine {
        command: command.to_string(),
        surroundings: directory.into_iter().chain(variables).collect(),
        options: options.collect(),
        program: find_program(command).and_then(|path| digest(&path).ok()),
    }
}

/// The file of a program: a path, or a name that is looked up in `PATH`.
pub(super) fn find_program(command: &CommandLine) -> Option<PathBuf> {
    let program = Path::new(&command.program);
    match &command.directory {
        Some(directory) if program.components().count() > 1 => {
            programs::find(&directory.join(program))
        }
        _ => programs::find(program),
    }
}

#[expect(clippy::disallowed_methods, reason = "the edge reads programs")]
pub(super) fn digest(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let (mut sum, mut buffer) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex(&sum.finalize())),
            length => sum.update(&buffer[..length]),
        }
    }
}
