//! The command line that starts an engine.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::words::{quote_word, split_words};

/// A program with its arguments, working directory and environment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CommandLine {
    /// The program: a path, or a name to look up in `PATH`.
    pub program: OsString,
    /// Its arguments, passed verbatim: no shell is involved.
    pub arguments: Vec<OsString>,
    /// Working directory; ours by default. A relative path of the program is resolved against it
    /// too.
    pub directory: Option<PathBuf>,
    /// Environment variables to set in addition to ours.
    pub environment: Vec<(OsString, OsString)>,
    /// Whether standard error is merged into standard output, in the order in which the engine
    /// writes to both.
    pub merge_stderr: bool,
}

/// A command line that cannot be split into words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what the variants and fields are"
)]
pub enum SplitCommandError {
    /// An unclosed quotation mark, or a backslash at the end.
    #[error(
        "'{text}' is not a command line: a quotation mark is not closed, or a backslash ends it"
    )]
    Unclosed { text: String },
    #[error("'{text}' names no program")]
    Empty { text: String },
}

impl CommandLine {
    /// A program without arguments.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        Self {
            program: program.as_ref().to_owned(),
            arguments: Vec::new(),
            directory: None,
            environment: Vec::new(),
            merge_stderr: false,
        }
    }

    /// Adds an argument.
    pub fn argument(self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments([argument])
    }

    /// Adds several arguments.
    pub fn arguments<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        let arguments = arguments.into_iter();
        self.arguments
            .extend(arguments.map(|argument| argument.as_ref().to_owned()));
        self
    }

    /// Sets the working directory.
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Sets an environment variable.
    pub fn variable(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        let pair = (name.as_ref().to_owned(), value.as_ref().to_owned());
        self.environment.push(pair);
        self
    }
}

impl FromStr for CommandLine {
    type Err = SplitCommandError;

    /// Splits a text into words as a shell does, see [`crate::split_words`].
    fn from_str(text: &str) -> Result<Self, SplitCommandError> {
        let text = text.to_owned();
        let Some(words) = split_words(&text) else {
            return Err(SplitCommandError::Unclosed { text });
        };
        match words.split_first() {
            Some((program, arguments)) => Ok(Self::new(program).arguments(arguments)),
            None => Err(SplitCommandError::Empty { text }),
        }
    }
}

impl fmt::Display for CommandLine {
    /// Writes program and arguments, quoted where a shell would need it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_word(f, &self.program)?;
        self.arguments.iter().try_for_each(|argument| {
            f.write_str(" ")?;
            write_word(f, argument)
        })
    }
}

fn write_word(f: &mut fmt::Formatter<'_>, word: &OsStr) -> fmt::Result {
    f.write_str(&quote_word(&word.to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_as_a_shell_does() {
        let line: CommandLine = r#"'./my engine' --name "A B" '' c"#.parse().expect("well formed");
        assert_eq!(line.program, "./my engine");
        assert_eq!(line.arguments, ["--name", "A B", "", "c"]);
        if cfg!(unix) {
            assert_eq!(line.to_string(), "'./my engine' --name 'A B' '' c");
            assert_eq!(r"./my\ engine --name 'A B' '' c".parse(), Ok(line.clone()));
        }
        assert_eq!(line.to_string().parse(), Ok(line));
    }

    #[test]
    fn bad_text_says_why() {
        for (text, expected) in rows![
            "engine 'x" =>
                "'engine 'x' is not a command line: a quotation mark is not closed, or a backslash ends it";
            "  " => "'  ' names no program";
        ] {
            let error = text.parse::<CommandLine>().expect_err("bad text");
            assert_eq!(error.to_string(), expected);
        }
    }
}
