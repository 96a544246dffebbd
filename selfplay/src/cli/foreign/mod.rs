//! `selfplay fastchess` and `selfplay cutechess`: lines of other programs, translated into ours.
//!
//! Each translator is pure, from words to words. The words are printed, parsed by the definition of
//! our own command line, and run as if they had been typed.

mod configured;
mod cutechess;
mod fastchess;
mod group;
mod output;
mod plan;

use std::path::{Path, PathBuf};

pub(super) use group::is_option;
pub(super) use plan::quoted;
use plan::{Machine, Translation, split_settings};

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

/// Translates a line: the words of our command line, and the text of a file for `--config`, which may be
/// empty. Notes on what has no counterpart are passed to `remark`.
pub(super) fn translate(
    program: Program,
    words: &[String],
    remark: &dyn Fn(&str),
) -> anyhow::Result<(Vec<String>, String)> {
    let translation = match program {
        Program::Fastchess => fastchess::translate(words, machine(None)),
        Program::Cutechess => {
            let needs_engines =
                |word: &String| word.starts_with("conf=") || word.ends_with("-engines");
            let engines = match words.iter().any(needs_engines).then(engines_file).flatten() {
                Some(path) => Some(kit::read::text(&path, kit::read::SETTINGS).map_err(
                    |error| super::bad(format!("cannot read {}: {error}", path.display())),
                )?),
                None => None,
            };
            cutechess::translate(words, machine(engines))
        }
    };
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
    let one = fastchess::OPTIONS.iter().find(|row| row.name == name);
    if let Some(row) = one {
        let here = fastchess::translate_option(words, machine(None));
        return Some(("fastchess", row.ours, here.map(text)));
    }
    let row = cutechess::OPTIONS.iter().find(|row| row.name == name)?;
    let here = cutechess::translate_option(words, machine(None));
    Some(("cutechess-cli", row.ours, here.map(text)))
}

fn machine(engines: Option<String>) -> Machine {
    Machine {
        cpus: std::thread::available_parallelism().map_or(1, usize::from),
        engines,
        is_file: Path::is_file,
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
