//! Options that several programs share, each defined once: name, form of value and help.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::values::{option, time};
use crate::{BadInput, github, output};

/// Engines, and how they are run: of every command that takes any number of them.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Engines")]
pub struct EngineArgs {
    /// Engine: a command line, or KEY=VALUE words
    ///
    /// A command line, split into words as in a shell, or words such as `cmd=./my-engine name=New
    /// args=... dir=... env.X=... option.Hash=16`; may be given several times, where engines are
    /// compared.
    #[arg(id = "engine", long, value_name = "ENGINE", required = true)]
    pub engines: Vec<String>,

    /// UCI options of all of them.
    #[command(flatten)]
    pub options: EngineOptionArgs,

    #[command(flatten)]
    concurrency: ConcurrencyArgs,
}

impl EngineArgs {
    /// Processes of an engine at once: the given number, or as many as there are cores for the
    /// threads of each, by the option `Threads`.
    pub fn processes(&self) -> usize {
        self.concurrency
            .or_cores(threads(&self.options.options).unwrap_or(1))
    }

    /// The only engine.
    ///
    /// # Errors
    ///
    /// When there are several.
    pub fn only(&self) -> Result<&str, BadInput> {
        match &*self.engines {
            [engine] => Ok(engine),
            engines => Err(BadInput(format!(
                "--engine: expected one engine, found {}",
                engines.len()
            ))),
        }
    }
}

/// The UCI option `Threads`, if it is set to a number; the last one counts.
pub fn threads(options: &[(String, Option<String>)]) -> Option<usize> {
    let is_threads = |(name, _): &&(String, _)| name.eq_ignore_ascii_case("Threads");
    let (_, value) = options.iter().rfind(is_threads)?;
    value.as_ref()?.trim().parse().ok()
}

/// UCI options of engines that are asked.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Engines")]
pub struct EngineOptionArgs {
    /// Set a UCI option; may be given several times
    ///
    /// For a button, the name alone. Example: `--option Hash=64 --option 'Clear Hash'`.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, Option<String>)>,
}

impl EngineOptionArgs {
    /// The options with their values; that of a button is empty.
    pub fn pairs(&self) -> impl Iterator<Item = (String, String)> {
        let options = self.options.iter().cloned();
        options.map(|(name, value)| (name, value.unwrap_or_default()))
    }
}

/// Limits of a search, which ends at the first one reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Limits (several may be given; the engine ends at the first)")]
pub struct LimitArgs {
    /// Nodes per search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// Depth per search, in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=255))]
    pub depth: Option<u32>,

    /// Time per search, such as 500ms, 2s or 1m
    #[arg(long, alias = "time", alias = "st", value_name = "TIME", value_parser = time)]
    pub movetime: Option<Duration>,
}

/// How many engines, threads or processes work at once.
#[derive(Clone, Copy, Debug, Args)]
pub struct ConcurrencyArgs {
    /// Engine processes at once [default: by cores]
    ///
    /// As many as there are cores, if each has one thread.
    #[arg(short = 'j', long, alias = "jobs", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: Option<u16>,
}

impl ConcurrencyArgs {
    /// The given number, or one process for each core, if each has so many threads.
    pub fn or_cores(self, threads: usize) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.concurrency
            .map_or_else(|| (cores() / threads.max(1)).max(1), usize::from)
    }
}

/// How long an engine may take for an answer.
#[derive(Clone, Copy, Debug, Args)]
pub struct TimeoutArgs {
    /// Time limit for one position, such as 500ms
    ///
    /// For all that is asked about it.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time, hide_short_help = true)]
    pub timeout: Duration,
}

/// Where a report goes, in which format.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs<F: ValueEnum + Clone + Send + Sync + 'static> {
    /// Format of the report
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "human")]
    format: F,

    /// Write the report to a file; may be repeated
    ///
    /// The ending of its name chooses the format: .json, .csv, .xml (JUnit), .html, .svg, .md, .epd;
    /// with another, it is that of --format. Standard output gets the format of --format too, unless a file
    /// has it already: then the human-readable report.
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,
}

impl<F: ValueEnum + Clone + PartialEq + Send + Sync + 'static> OutputArgs<F> {
    /// The format of standard output.
    pub fn format(&self) -> F {
        if self.files().any(|(_, format)| format == self.format) {
            return F::from_str("human", false).unwrap_or_else(|_| self.format.clone());
        }
        self.format.clone()
    }

    /// The files and their formats.
    fn files(&self) -> impl Iterator<Item = (&Path, F)> {
        self.output.iter().map(|path| {
            let end = path.extension().and_then(|end| end.to_str());
            let named = end.and_then(|end| {
                let end = end.to_ascii_lowercase();
                let name = match &*end {
                    "xml" => "junit",
                    "md" => "markdown",
                    end => end,
                };
                F::from_str(name, false).ok()
            });
            (path.as_path(), named.unwrap_or_else(|| self.format.clone()))
        })
    }

    /// Whether this format is written anywhere.
    pub fn has(&self, format: &F) -> bool {
        self.format() == *format || self.files().any(|(_, of_file)| of_file == *format)
    }

    /// The files that are written.
    pub fn paths(&self) -> Vec<Option<&Path>> {
        self.output
            .iter()
            .map(|path| Some(path.as_path()))
            .collect()
    }

    /// Checks before the work begins that the files can be written, and replace neither an input nor one
    /// another; `others` are written besides.
    ///
    /// # Errors
    ///
    /// When they cannot.
    pub fn check(&self, others: &[Option<&Path>], inputs: &[PathBuf]) -> Result<(), BadInput> {
        let mut all = self.paths();
        all.extend(others);
        output::check_writable(&all)?;
        output::refuse_to_replace(&all, inputs)?;
        match self.summary() {
            Some(summary) => output::check_appendable(&summary),
            None => Ok(()),
        }
    }

    /// The file that a workflow of GitHub shows, if standard output is for one: a Markdown summary is
    /// appended to it.
    pub fn summary(&self) -> Option<PathBuf> {
        let format = self.format().to_possible_value()?;
        (format.get_name() == "github").then(github::summary_file)?
    }

    /// Writes the report to standard output first, so that a long run is not lost to a full disk, and to
    /// the files.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write(
        &self,
        mut report: impl FnMut(F, &mut dyn Write) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        output::stdout_with(|out| report(self.format(), out))?;
        for (path, format) in self.files() {
            output::file_with(path, |out| report(format, out))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
    enum Format {
        Human,
        Json,
        Junit,
        Github,
    }

    #[derive(Parser)]
    struct Trial {
        #[command(flatten)]
        output: OutputArgs<Format>,
    }

    #[test]
    fn a_file_has_the_format_of_its_name() {
        use Format::{Github, Human, Json, Junit};
        let rows: [(&str, Format, &[Format]); 6] = [
            ("", Human, &[]),
            ("--format json", Json, &[]),
            ("--format junit -o x", Human, &[Junit]),
            ("-o x.xml -o x.JSON", Human, &[Junit, Json]),
            ("--format github -o x.xml", Github, &[Junit]),
            ("--format json -o x.json -o y.xml", Human, &[Json, Junit]),
        ];
        for (line, stdout, files) in rows {
            let words = std::iter::once("trial").chain(line.split_whitespace());
            let output = Trial::parse_from(words).output;
            assert_eq!(output.format(), stdout, "{line}");
            let found: Vec<Format> = output.files().map(|(_, format)| format).collect();
            assert_eq!(found, files, "{line}");
        }
    }
}
