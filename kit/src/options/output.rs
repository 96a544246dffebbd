//! Where the report of a command goes, and in which format.

use std::io::Write;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::report::{self, Format, Formats, Report};
use crate::{BadInput, Exit, github, output};

/// Where a report goes, in which format.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs<F: Formats> {
    /// Format of the report
    #[arg(long, value_name = "FORMAT", default_value = "human", value_parser = Format::parser(F::ALL))]
    format: Format,

    /// Write the report to a file; may be repeated
    ///
    /// The ending of its name chooses the format: .json, .csv, .xml (JUnit), .html, .svg, .md, .epd;
    /// with another, it is that of --format. Standard output gets the format of --format too, unless a file
    /// has it already: then the human-readable report.
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,

    #[arg(skip = PhantomData)]
    formats: PhantomData<F>,
}

impl<F: Formats> OutputArgs<F> {
    /// The format of standard output.
    pub fn format(&self) -> Format {
        if self.files().any(|(_, format)| format == self.format) {
            return Format::Human;
        }
        self.format
    }

    /// The files and their formats.
    fn files(&self) -> impl Iterator<Item = (&Path, Format)> {
        self.output.iter().map(|path| {
            let end = path.extension().and_then(|end| end.to_str());
            let named = end.and_then(Format::of_ending);
            let named = named.filter(|format| F::ALL.contains(format));
            (path.as_path(), named.unwrap_or(self.format))
        })
    }

    /// Whether this format is written anywhere.
    pub fn has(&self, format: Format) -> bool {
        self.format() == format || self.files().any(|(_, of_file)| of_file == format)
    }

    /// The files that are written.
    pub fn paths(&self) -> Vec<Option<&Path>> {
        self.output
            .iter()
            .map(|path| Some(path.as_path()))
            .collect()
    }

    /// Checks before the work begins that the files and the summary of a workflow can be written, and
    /// replace neither an input nor one another; `others` are written besides.
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
    fn summary(&self) -> Option<PathBuf> {
        (self.format() == Format::Github).then(github::summary_file)?
    }

    /// Writes the report in every format that is asked for, and returns the exit code of its verdict.
    /// Standard output comes first, so that a long run is not lost to a full disk.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn report(&self, report: &dyn Report) -> anyhow::Result<Exit> {
        self.write(|format, out| report::write(report, format, out))?;
        if let Some(summary) = self.summary() {
            output::append_with(&summary, |out| report::write(report, Format::Markdown, out))?;
        }
        Ok(report.verdict().exit)
    }

    /// [`OutputArgs::report`] for what is no [`Report`]: `write` writes one format.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write(
        &self,
        mut write: impl FnMut(Format, &mut dyn Write) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        output::stdout_with(|out| write(self.format(), out))?;
        for (path, format) in self.files() {
            output::file_with(path, |out| write(format, out))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::report::CaseFormats;

    #[derive(Parser)]
    struct Trial {
        #[command(flatten)]
        output: OutputArgs<CaseFormats>,
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
