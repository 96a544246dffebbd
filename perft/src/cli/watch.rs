//! `perft check --watch`: a round of the suite after each change of the engine.

use std::collections::VecDeque;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use kit::output::remark;
use kit::report::{Format, write};
use kit::{BadInput, Exit, Interrupt, output};
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use uci::perft::Detection;
use uci::{Cancel, CommandLine, Process, Received, Start};

use super::CommandContext;
use crate::engine_check::ledger::EngineCheck;
use crate::engine_check::run::{EngineRules, EngineStart, check_engine};
use crate::report::EngineReport;

/// Nothing may change for this long before a round begins: a linker writes a program in many steps.
const QUIET: Duration = Duration::from_millis(200);
/// Number of lines to show of a failed build.
const BUILD_LINES: usize = 20;
/// A build that prints nothing is looked at this often.
const SILENCE: Duration = Duration::from_mins(1);

/// Extensions of source files.
const SOURCES: [&str; 38] = [
    "adb", "ads", "asm", "c", "c++", "cc", "cpp", "cs", "cxx", "d", "dart", "f90", "fs", "go", "h",
    "h++", "hh", "hpp", "hs", "hxx", "inc", "inl", "java", "js", "kt", "m", "mk", "ml", "nim",
    "pas", "py", "rb", "rs", "s", "swift", "toml", "ts", "zig",
];
/// Other files that a build depends on.
const BUILD_FILES: [&str; 4] = ["CMakeLists.txt", "GNUmakefile", "Makefile", "makefile"];
/// Folders in which builds write, even sources.
const PRODUCTS: [&str; 4] = ["CMakeFiles", "build", "node_modules", "target"];

/// Checks an engine again after each change of the file or the sources at `path`, until the user ends
/// it. `report` has no engines yet.
#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
pub(super) fn watch(
    engine: &EngineStart<'_>,
    path: &Path,
    build: Option<&str>,
    rules: &EngineRules<'_>,
    report: &EngineReport<'_>,
    session: &CommandContext,
) -> anyhow::Result<Exit> {
    let interrupt = &session.interrupt;
    let changes = FileChanges::from_path(path)?;
    let mut rules = rules.clone();
    let mut before: Option<EngineCheck> = None;
    loop {
        let start = Instant::now();
        let failed = match build {
            Some(command) => run_build(command, interrupt)?,
            None => None,
        };
        if interrupt.has_come() {
            return Ok(Exit::Interrupted);
        }
        if let Some(lines) = failed {
            let seconds = start.elapsed().as_secs_f64();
            output::to_stdout(format!("{lines}BUILD FAILED after {seconds:.2} s\n"))?;
        } else {
            let progress = session.progress(0, "positions", true);
            let checks = [check_engine(
                engine,
                report.cases,
                &rules,
                &progress,
                &|text| remark(session.quiet, text),
            )];
            progress.finish();
            let report = EngineReport {
                engines: &checks,
                ..*report
            };
            output::stdout_with(|out| match &before {
                _ if interrupt.has_come() => write(&report, Format::Human, out),
                Some(before) => Ok(report.write_changes(before, out)?),
                None => write(&report, Format::Human, out),
            })?;
            let [check] = checks;
            // An engine that cannot be asked has no failing positions to compare the next with.
            if matches!(check.detection, Detection::Understood(_)) {
                rules.first = check.failing().map(|(case, _)| case).collect();
                before = Some(check);
            }
        }
        remark(
            session.quiet,
            &format!("waiting for a change of {}", path.display()),
        );
        if !changes.wait(interrupt) {
            return Ok(Exit::Interrupted);
        }
    }
}

/// The file of an engine, by which its changes are seen.
///
/// # Errors
///
/// When the program is not named by its path.
pub(super) fn program(start: &Start) -> Result<PathBuf, BadInput> {
    let program = Path::new(&start.command.program);
    let directory = start.command.directory.as_deref().unwrap_or(Path::new(""));
    let path = directory.join(program);
    if path.is_file() || program.components().count() > 1 {
        return Ok(path);
    }
    let name = program.display();
    Err(BadInput(format!(
        "--watch: {name} is not the path of a file, expected --watch=PATH"
    )))
}

/// Changes of a file, or of the sources in a folder.
struct FileChanges {
    path: PathBuf,
    /// One for each change that matters.
    events: Receiver<()>,
    _watcher: RecommendedWatcher,
}

impl FileChanges {
    /// # Errors
    ///
    /// When the folder does not exist, or the system has no more watches.
    fn from_path(path: &Path) -> anyhow::Result<Self> {
        let fail = |error| BadInput(format!("--watch: cannot watch {}: {error}", path.display()));
        let is_folder = path.is_dir();
        // A file may be replaced by another one, so that its folder is watched.
        let name = path.file_name().filter(|_| !is_folder);
        let parent = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        let folder = if is_folder {
            path
        } else {
            parent.unwrap_or(Path::new("."))
        };
        let folder = folder.canonicalize().map_err(fail)?;
        let path = name.map_or_else(|| folder.clone(), |name| folder.join(name));
        let (sender, events) = crossbeam_channel::unbounded();
        let watched = path.clone();
        let is_relevant = move |event: &notify::Event| {
            let mut paths = event.paths.iter();
            event.need_rescan()
                || !event.kind.is_access()
                    && paths.any(|changed| match changed.strip_prefix(&watched) {
                        Ok(inner) => !is_folder || is_source(inner),
                        Err(_) => false,
                    })
        };
        let mut watcher =
            notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
                // After an error, changes may have been missed.
                if event.as_ref().map_or(true, &is_relevant) {
                    // Nobody waits any more when the program ends.
                    let _ = sender.send(());
                }
            })
            .context("--watch")?;
        let mode = if is_folder {
            RecursiveMode::Recursive
        } else {
            RecursiveMode::NonRecursive
        };
        watcher.watch(&folder, mode).context("--watch")?;
        Ok(Self {
            path,
            events,
            _watcher: watcher,
        })
    }

    /// Waits for a change since the last call, and until nothing has changed for a moment; `false` if the
    /// user ended the program.
    fn wait(&self, interrupt: &Interrupt) -> bool {
        let mut has_changed = false;
        while !interrupt.has_come() {
            match self.events.recv_timeout(QUIET) {
                Ok(()) => has_changed = true,
                // What is replaced may be missing for a moment.
                Err(RecvTimeoutError::Timeout) if has_changed && self.path.exists() => return true,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return false,
            }
        }
        false
    }
}

/// Whether a file, named from the watched folder, is the source of something. What a build writes must
/// not start another one.
fn is_source(path: &Path) -> bool {
    let is_hidden_or_made = |component: Component<'_>| {
        let name = component.as_os_str().to_string_lossy();
        name.starts_with('.') || PRODUCTS.contains(&&*name)
    };
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        return false;
    };
    let extension = path.extension().and_then(|extension| extension.to_str());
    let extension = extension.unwrap_or_default().to_ascii_lowercase();
    let is_named_so = SOURCES.contains(&&*extension) || BUILD_FILES.contains(&name);
    is_named_so && !path.components().any(is_hidden_or_made)
}

/// Runs a command of the system's shell. Returns the last lines that it printed, and how it ended, if it
/// failed; `None` too if it was interrupted.
#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
fn run_build(command: &str, interrupt: &Interrupt) -> anyhow::Result<Option<String>> {
    let (shell, option) = if cfg!(windows) {
        ("cmd", "/C")
    } else {
        ("sh", "-c")
    };
    let mut line = CommandLine::new(shell).arguments([option, command]);
    line.merge_stderr = true;
    let cancel = Cancel::from(interrupt.shared());
    let mut build = Process::start(&line, cancel).with_context(|| format!("--build: {shell}"))?;
    build.close_stdin();
    let mut last = VecDeque::new();
    loop {
        match build.next_line(Instant::now() + SILENCE)? {
            Received::Line(line) => {
                last.push_back(line.text);
                if last.len() > BUILD_LINES {
                    last.pop_front();
                }
            }
            Received::TimedOut => {}
            Received::Cancelled => return Ok(None),
            Received::Eof => break,
        }
    }
    while !interrupt.has_come() {
        if let Some(exit) = build.wait(Instant::now() + SILENCE) {
            let lines = last.iter().map(|line| format!("  | {line}\n"));
            let text = lines.chain([format!("{command}: it {exit}\n")]).collect();
            return Ok((!exit.is_success()).then_some(text));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_is_no_source() {
        for path in [
            "movegen.cpp",
            "src/Bitboard.H",
            "Makefile",
            "a/b/c.rs",
            "Cargo.toml",
        ] {
            assert!(is_source(Path::new(path)), "{path}");
        }
        for path in [
            "engine",
            "movegen.o",
            "src/.movegen.cpp.swp",
            ".git/x.c",
            "target/gen.rs",
            "",
        ] {
            assert!(!is_source(Path::new(path)), "{path}");
        }
    }
}
