//! An engine as users describe it on a command line: a command, or `key=value` words.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::CommandLine;
use crate::words::{quote_word, split_words};

/// An engine: how to start it, what to call it, and its UCI options.
///
/// ```
/// let plain: uci::EngineSpec = "./my-engine --some-flag".parse()?;
/// assert_eq!(plain.name(), "my-engine");
/// let words: uci::EngineSpec = "cmd=./my-engine name=New option.Hash=16 dir=/tmp".parse()?;
/// assert_eq!(words.name(), "New");
/// assert_eq!(words.options, [("Hash".to_owned(), Some("16".to_owned()))]);
/// # Ok::<(), uci::EngineSpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The name given by `name=`.
    pub given_name: Option<String>,
    /// How to start it.
    pub command: CommandLine,
    /// UCI options to set, in order. `option.X=` sets an empty string, and presses a button
    /// (`option.Clear Hash=`); `None`, a button without a value, is left to callers.
    pub options: Vec<(String, Option<String>)>,
}

/// A text that does not describe an engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("engine '{engine}': {problem}")]
pub struct EngineSpecError {
    /// The engine's name or command if it could be read, else the whole text.
    pub engine: String,
    /// What is wrong.
    pub problem: String,
}

/// The parts of a description: see [`split`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineText {
    /// A program and its arguments; never empty.
    Command(Vec<String>),
    /// Keys and values in the order given. Keys are not checked.
    Words(Vec<(String, String)>),
}

/// Splits the description of an engine into words, see [`crate::split_words`]. It is a list of `key=value`
/// if the first word is one with a key accepted by `is_key`, else a command.
///
/// # Errors
///
/// When it is empty, a quotation mark is not closed, a word of a list has no `=`, or a known key
/// follows a plain command, where the engine would get it as an argument.
pub fn split(text: &str, is_key: impl Fn(&str) -> bool) -> Result<EngineText, EngineSpecError> {
    let fail = |problem: String| EngineSpecError {
        engine: text.to_owned(),
        problem,
    };
    let words = split_words(text).ok_or_else(|| {
        fail("a quotation mark is not closed, or a backslash ends the text".to_owned())
    })?;
    let has_key = |word: &String| word.split_once('=').is_some_and(|(key, _)| is_key(key));
    let Some(first) = words.first() else {
        return Err(fail("there is no command".to_owned()));
    };
    if has_key(first) {
        let pair = |word: String| match word.split_once('=') {
            Some((key, value)) => Ok((key.to_owned(), value.to_owned())),
            None => Err(fail(format!("expected key=value instead of '{word}'"))),
        };
        return words
            .into_iter()
            .map(pair)
            .collect::<Result<_, _>>()
            .map(EngineText::Words);
    }
    let Some(key) = words.iter().position(has_key) else {
        return Ok(EngineText::Command(words));
    };
    let (command, keys) = words.split_at(key);
    let mut full = vec![as_key_values(command)];
    full.extend(keys.iter().map(|word| quoted(word)));
    let key = &words[key];
    Err(fail(format!(
        "'{key}' follows a plain command: write {}, or put it into args=",
        quote_word(&full.join(" "))
    )))
}

/// A plain command as `key=value` words, `cmd=... args=...`, to which others may be added.
///
/// # Panics
///
/// When there is no program.
pub fn as_key_values(command: &[String]) -> String {
    let (program, arguments) = command.split_first().expect("a command has a program");
    let mut words = quoted(&format!("cmd={program}"));
    if !arguments.is_empty() {
        let arguments: Vec<String> = arguments.iter().map(|word| quoted(word)).collect();
        words += " ";
        words += &quoted(&format!("args={}", arguments.join(" ")));
    }
    words
}

/// Quotes a word if necessary, for use inside the quotation marks of a shell.
fn quoted(word: &str) -> String {
    let is_special = |c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '\\' | '#');
    if !word.contains(is_special) {
        return word.to_owned();
    }
    quote_word(word)
}

impl EngineSpec {
    /// An engine that is described by its command alone.
    pub fn new(command: CommandLine) -> Self {
        Self {
            given_name: None,
            command,
            options: Vec::new(),
        }
    }

    /// Reads the value of a command-line option: the path of an existing file needs no quotation
    /// marks, even if it contains blanks; everything else is parsed.
    ///
    /// # Errors
    ///
    /// As for [`EngineSpec::from_str`].
    pub fn from_argument(text: &str) -> Result<Self, EngineSpecError> {
        if Path::new(text).is_file() {
            Ok(Self::new(CommandLine::new(text)))
        } else {
            text.parse()
        }
    }

    /// The given name, or the file name of the program.
    pub fn name(&self) -> String {
        let program = Path::new(&self.command.program);
        self.given_name.clone().unwrap_or_else(|| {
            let name = program.file_name().unwrap_or(program.as_os_str());
            name.to_string_lossy().into_owned()
        })
    }

    /// Sets the value of a key; a repeated key is an error.
    fn set(&mut self, key: &str, value: String) -> Result<(), String> {
        let twice = || Err("given twice".to_owned());
        match key.split_once('.') {
            Some(("option", name)) if !name.is_empty() => {
                // Names of options are case-insensitive (UCI).
                let mut names = self.options.iter().map(|(other, _)| other);
                if names.any(|other| other.eq_ignore_ascii_case(name)) {
                    return twice();
                }
                self.options.push((name.to_owned(), Some(value)));
            }
            Some(("env", name)) if !name.is_empty() => {
                let environment = &mut self.command.environment;
                if environment.iter().any(|(other, _)| other == name) {
                    return twice();
                }
                environment.push((name.into(), value.into()));
            }
            _ => match key {
                "cmd" if !self.command.program.is_empty() => return twice(),
                "cmd" => self.command.program = value.into(),
                "args" if !self.command.arguments.is_empty() => return twice(),
                "args" => {
                    let words = split_words(&value).ok_or("a quotation mark is not closed")?;
                    self.command.arguments = words.into_iter().map(Into::into).collect();
                }
                "dir" if self.command.directory.is_some() => return twice(),
                "dir" => self.command.directory = Some(value.into()),
                "name" if self.given_name.is_some() => return twice(),
                "name" => self.given_name = Some(value),
                // Engines of a match are written so, and may speak XBoard's protocol.
                "proto" if value == "uci" => {}
                "proto" => {
                    let value = value.escape_debug();
                    return Err(format!("'{value}', but this command speaks only uci"));
                }
                _ => {
                    let keys = "cmd, args, dir, name, proto, env.NAME or option.NAME";
                    return Err(format!("unknown key, expected {keys}"));
                }
            },
        }
        Ok(())
    }
}

impl FromStr for EngineSpec {
    type Err = EngineSpecError;

    /// Parses a command, or `cmd=... name=... args=... dir=... proto=uci env.X=... option.X=...`, quoted as
    /// for a shell.
    fn from_str(text: &str) -> Result<Self, EngineSpecError> {
        let is_key = |key: &str| {
            matches!(key, "cmd" | "args" | "dir" | "name" | "proto")
                || key.starts_with("env.")
                || key.starts_with("option.")
        };
        let pairs = match split(text, is_key)? {
            EngineText::Command(words) => {
                let (program, arguments) = words.split_first().expect("a command has a program");
                let command = CommandLine::new(program).arguments(arguments);
                return Ok(Self::new(command));
            }
            EngineText::Words(pairs) => pairs,
        };
        let mut engine = Self::new(CommandLine::new(""));
        let set = pairs.into_iter().try_for_each(|(key, value)| {
            let set = engine.set(&key, value);
            set.map_err(|fault| format!("{key}: {fault}"))
        });
        let problem = match set {
            Ok(()) if !engine.command.program.is_empty() => return Ok(engine),
            Ok(()) => "there is no cmd=".to_owned(),
            Err(problem) => problem,
        };
        let is_nameless = engine.given_name.is_none() && engine.command.program.is_empty();
        Err(EngineSpecError {
            engine: if is_nameless {
                text.to_owned()
            } else {
                engine.name()
            },
            problem,
        })
    }
}

impl fmt::Display for EngineSpec {
    /// The given name, or the command.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.given_name {
            Some(name) => f.write_str(name),
            None => self.command.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_keys_are_read() {
        let text = "cmd='./my engine' name=New args='-a \"b c\"' dir=/x proto=uci env.A=1 \
                    option.Hash=16 'option.Clear Hash=' option.EvalFile=";
        let engine: EngineSpec = text.parse().expect("an engine");
        let command = CommandLine::new("./my engine").arguments(["-a", "b c"]);
        assert_eq!(engine.command, command.directory("/x").variable("A", "1"));
        assert_eq!([engine.name(), engine.to_string()], ["New", "New"]);
        let options = [("Hash", "16"), ("Clear Hash", ""), ("EvalFile", "")];
        let options = options.map(|(name, value)| (name.to_owned(), Some(value.to_owned())));
        assert_eq!(engine.options, options);
    }

    #[test]
    fn keys_come_in_any_order() {
        let expected = "cmd=a name=New".parse::<EngineSpec>();
        assert!(expected.is_ok());
        for text in ["proto=uci name=New cmd=a", "name=New cmd=a proto=uci"] {
            assert_eq!(text.parse(), expected, "{text}");
        }
    }

    #[test]
    fn a_command_is_a_program_with_arguments() {
        let engine: EngineSpec = "./a/b --c='d e' --nodes=5 file=x"
            .parse()
            .expect("a command");
        assert_eq!(engine.name(), "b");
        assert_eq!(engine.command.arguments, ["--c=d e", "--nodes=5", "file=x"]);
        let shown = if cfg!(windows) {
            r#"./a/b "--c=d e" --nodes=5 file=x"#
        } else {
            "./a/b '--c=d e' '--nodes=5' 'file=x'"
        };
        assert_eq!(engine.to_string(), shown);
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test of files")]
    fn an_existing_file_needs_no_quotation_marks() {
        let file = std::env::temp_dir().join(format!("a b {}", std::process::id()));
        std::fs::write(&file, "").expect("written");
        let engine = EngineSpec::from_argument(&file.to_string_lossy()).expect("a file");
        std::fs::remove_file(&file).expect("removed");
        assert_eq!(engine.command, CommandLine::new(&file));
        assert_eq!(
            EngineSpec::from_argument("no such file"),
            "no such file".parse()
        );
    }

    #[test]
    fn bad_texts_say_what_is_wrong() {
        for (text, expected) in rows![
            "" => "engine '': there is no command";
            "a 'b" => "engine 'a 'b': a quotation mark is not closed, or a backslash ends the text";
            "name=A" => "engine 'A': there is no cmd=";
            "cmd=a word" => "engine 'cmd=a word': expected key=value instead of 'word'";
            "cmd=a hash=1" =>
                "engine 'a': hash: unknown key, expected cmd, args, dir, name, proto, env.NAME or \
                 option.NAME";
            "cmd=a proto=xboard" => "engine 'a': proto: 'xboard', but this command speaks only uci";
            "proto=xboard cmd=a" =>
                "engine 'proto=xboard cmd=a': proto: 'xboard', but this command speaks only uci";
            "a proto=uci" =>
                "engine 'a proto=uci': 'proto=uci' follows a plain command: write 'cmd=a proto=uci', or put it \
                 into args=";
            "name=A name=B" => "engine 'A': name: given twice";
            "cmd=a option.Hash=1 option.hash=2" => "engine 'a': option.hash: given twice";
            "cmd=a option.Hash= option.hash=" => "engine 'a': option.hash: given twice";
            "cmd=a env.X=1 env.X=2" => "engine 'a': env.X: given twice";
            "a -b 'c d' option.Hash=64 'option.X=y z'" =>
                "engine 'a -b 'c d' option.Hash=64 'option.X=y z'': 'option.Hash=64' follows a plain \
                 command: write \"cmd=a \\\"args=-b 'c d'\\\" option.Hash=64 'option.X=y z'\", or put it into \
                 args=";
        ] {
            let found = text.parse::<EngineSpec>().expect_err(text).to_string();
            let advice = |text: &str| {
                let (_, advice) = text.split_once(": write ")?;
                let (advice, _) = advice.rsplit_once(", or ")?;
                Some(advice.to_owned())
            };
            let (ours, theirs) = (advice(&found), advice(expected));
            if let (true, Some(ours), Some(theirs)) = (cfg!(windows), ours, theirs) {
                // There, words are quoted otherwise: what is around the advice is the same, and a shell
                // passes the advice as one argument that gives the engine.
                assert_eq!(found.replace(&ours, ""), expected.replace(&theirs, ""));
                let [argument] = &*split_words(&ours).expect("quoted") else {
                    panic!("{ours} is one argument")
                };
                assert!(argument.starts_with("cmd=a "), "{ours}");
                continue;
            }
            assert_eq!(found, expected);
        }
    }
}
