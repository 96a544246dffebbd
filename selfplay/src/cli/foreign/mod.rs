//! `selfplay fastchess` and `selfplay cutechess`: lines of other programs, translated into ours.
//!
//! Each translator is pure, from words to words. The words are printed, parsed by the definition of
//! our own command line, and run as if they had been typed.

mod engines;
mod group;
mod line;
mod options;
mod plan;
mod saved;
mod state;

use std::path::{Path, PathBuf};

pub(super) use group::is_option;
pub(super) use plan::quoted;
use plan::{ForeignMachine, Translation, split_settings};

/// Arguments of another program.
#[derive(Debug, clap::Args)]
pub(super) struct ForeignArgs {
    /// Print the equivalent command line, and exit
    ///
    /// On standard output.
    #[arg(long)]
    pub(super) print: bool,

    /// Run directory, as of `selfplay match`
    #[arg(short, long, value_name = "DIR")]
    pub(super) output: Option<String>,

    /// The arguments, as they are
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGS",
        required = true
    )]
    pub(super) words: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Program {
    Fastchess,
    Cutechess,
}

impl Program {
    const fn name(self) -> &'static str {
        match self {
            Self::Fastchess => "fastchess",
            Self::Cutechess => "cutechess-cli",
        }
    }

    /// The command of ours that takes its lines.
    const fn command(self) -> &'static str {
        match self {
            Self::Fastchess => "fastchess",
            Self::Cutechess => "cutechess",
        }
    }
}

/// Translates a line: the words of our command line, and the text of a file for `--config`, which may be
/// empty. Notes on what has no counterpart are passed to `remark`.
pub(super) fn translate(
    program: Program,
    words: &[String],
    remark: &dyn Fn(&str),
) -> anyhow::Result<(Vec<String>, String)> {
    let needs_engines = |word: &String| word.starts_with("conf=") || word.ends_with("-engines");
    let is_cutechess = program == Program::Cutechess;
    let is_configured = is_cutechess && words.iter().any(needs_engines);
    let engines = match is_configured.then(engines_file).flatten() {
        Some(path) => Some(
            kit::read::text(&path, kit::read::SETTINGS)
                .map_err(|error| super::bad(format!("cannot read {}: {error}", path.display())))?,
        ),
        None => None,
    };
    let translation = line::translate(program, words, machine(engines));
    let Translation { words, notes } = translation.map_err(super::bad)?;
    for note in notes {
        remark(&format!("note: {note}"));
    }
    Ok(split_settings(words))
}

/// An option of fastchess or cutechess-cli with its words: the program, what we have for the
/// option, and the words of ours if they can be given. Fastchess comes first, where both have it.
pub(super) fn option_here(
    words: &[String],
) -> Option<(&'static str, &'static str, Option<String>)> {
    let name = words.first()?;
    let text = |words: Vec<String>| {
        let (words, settings) = split_settings(words);
        let words = uci::join_words(words.iter().map(|word| &**word));
        match settings.trim_end() {
            "" => words,
            lines => format!("{words} --config FILE, with the line `{lines}`")
                .trim_start()
                .to_owned(),
        }
    };
    [Program::Fastchess, Program::Cutechess]
        .into_iter()
        .find_map(|program| {
            let mut rows = options::OPTIONS.iter();
            let row = rows.find(|row| row.name == name && row.is_of(program))?;
            let here = line::translate_option(program, words, machine(None));
            Some((program.name(), row.ours, here.map(text)))
        })
}

fn machine(engines: Option<String>) -> ForeignMachine {
    ForeignMachine {
        cpus: std::thread::available_parallelism().map_or(1, usize::from),
        engines,
        is_file: Path::is_file,
        read: |path| kit::read::text(path, kit::read::SETTINGS).map_err(|error| error.to_string()),
    }
}

/// Where cutechess-cli looks for its engines: in the current directory, then in the folder of
/// settings.
#[expect(
    clippy::disallowed_methods,
    reason = "cutechess' folder of settings depends on the environment"
)]
fn engines_file() -> Option<PathBuf> {
    const NAME: &str = "engines.json";
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let settings = if cfg!(windows) {
        variable("APPDATA")
    } else {
        let home = || Some(variable("HOME")?.join(".config"));
        variable("XDG_CONFIG_HOME").or_else(home)
    };
    let in_settings = settings.map(|folder| folder.join("cutechess").join(NAME));
    let places = std::iter::once(PathBuf::from(NAME)).chain(in_settings);
    places.into_iter().find(|path| path.is_file())
}

#[cfg(test)]
mod tests;
