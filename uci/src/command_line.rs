//! How an engine is started.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// A program with its arguments, and what it is to find around it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CommandLine {
    /// The program: a path, or a name that is looked for along `PATH`.
    pub program: OsString,
    /// Its arguments, each given as it is: no shell reads them.
    pub arguments: Vec<OsString>,
    /// Where it works; where we work unless given. A relative path of the program starts from
    /// there too.
    pub directory: Option<PathBuf>,
    /// Variables set in its environment, besides ours.
    pub environment: Vec<(OsString, OsString)>,
    /// Whether its standard error is read as if it were standard output, in the order in which it
    /// writes to both.
    pub merge_stderr: bool,
}

/// A command line that cannot be cut into words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SplitCommandError {
    /// A quotation mark without its fellow, or a backslash at the end.
    #[error("'{text}' is no command line: a quotation mark is not closed, or a backslash ends it")]
    Unclosed {
        /// The text.
        text: String,
    },
    /// No word at all.
    #[error("'{text}' names no program")]
    Empty {
        /// The text.
        text: String,
    },
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
    pub fn argument(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// Sets where it works.
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Sets a variable in its environment.
    pub fn variable(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        let pair = (name.as_ref().to_owned(), value.as_ref().to_owned());
        self.environment.push(pair);
        self
    }
}

impl FromStr for CommandLine {
    type Err = SplitCommandError;

    /// Cuts a text into words as a POSIX shell does: blanks part words unless quoted or escaped,
    /// `#` begins a comment. Variables, patterns and the like mean nothing.
    fn from_str(text: &str) -> Result<Self, SplitCommandError> {
        let text = text.to_owned();
        let Some(words) = shlex::split(&text) else {
            return Err(SplitCommandError::Unclosed { text });
        };
        let mut words = words.into_iter();
        let Some(program) = words.next() else {
            return Err(SplitCommandError::Empty { text });
        };
        let line = Self::new(program);
        Ok(words.fold(line, Self::argument))
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
    let word = word.to_string_lossy();
    // Only a NUL cannot be quoted, and no program is started with one.
    f.write_str(&shlex::try_quote(&word).unwrap_or_else(|_| word.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_as_a_shell_does() {
        let line: CommandLine = r#"./my\ engine --name "A B" '' c"#.parse().expect("well formed");
        assert_eq!(line.program, "./my engine");
        assert_eq!(line.arguments, ["--name", "A B", "", "c"]);
        assert_eq!(line.to_string(), "'./my engine' --name 'A B' '' c");
        assert_eq!(line.to_string().parse(), Ok(line));
    }

    #[test]
    fn bad_text_says_why() {
        let rows = [
            (
                "engine 'x",
                "'engine 'x' is no command line: a quotation mark is not closed, or a backslash \
                 ends it",
            ),
            ("  ", "'  ' names no program"),
        ];
        for (text, expected) in rows {
            let error = text.parse::<CommandLine>().expect_err("bad text");
            assert_eq!(error.to_string(), expected);
        }
    }
}
