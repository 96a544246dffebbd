//! Completions for shells, and man pages.
//!
//! Both are generated from the definition that also parses the command line, so that they cannot
//! deviate from it.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Command, Subcommand};
use clap_complete::Shell;

use crate::{Exit, output};

/// Commands shared by all programs. [`crate::cli::main`] adds them to those of a program.
#[derive(Clone, Debug, Subcommand)]
pub enum SelfDescription {
    /// Print completions for a shell
    ///
    /// Example: `perft completions bash > ~/.local/share/bash-completion/completions/perft`.
    Completions {
        /// Shell to print completions for
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Write man pages: one for the program, one for each command
    ///
    /// Example: `perft man ~/.local/share/man/man1`.
    Man {
        /// Folder to write them to; created if missing
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

impl SelfDescription {
    /// Runs the command for the program with this definition.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn run(&self, program: Command) -> anyhow::Result<Exit> {
        match self {
            Self::Completions { shell } => output::to_stdout(completions(*shell, program))?,
            Self::Man { folder } => man_pages(folder, program)?,
        }
        Ok(Exit::Agreed)
    }
}

fn completions(shell: Shell, mut program: Command) -> Vec<u8> {
    let name = program.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program, name, &mut script);
    script
}

fn man_pages(folder: &Path, program: Command) -> anyhow::Result<()> {
    let fail = || format!("cannot write man pages to {}", folder.display());
    std::fs::create_dir_all(folder).with_context(fail)?;
    clap_mangen::generate_to(program, folder).with_context(fail)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    /// Tries things.
    #[derive(Debug, Parser)]
    #[command(name = "trial", version = "1.2.3")]
    struct Args {
        #[command(subcommand)]
        command: Ours,
    }

    #[derive(Debug, Subcommand)]
    enum Ours {
        /// Tastes a cake
        Taste {
            /// How much of it
            #[arg(long)]
            crumbs: u32,
        },
        #[command(flatten)]
        SelfDescription(SelfDescription),
    }

    fn program() -> Command {
        <Args as clap::CommandFactory>::command()
    }

    #[test]
    fn every_shell_is_told_commands_and_options() {
        for shell in <Shell as clap::ValueEnum>::value_variants() {
            let script = String::from_utf8(completions(*shell, program())).expect("UTF-8");
            for word in ["trial", "taste", "crumbs"] {
                assert!(script.contains(word), "{shell} lacks {word}");
            }
        }
    }

    #[test]
    fn each_command_has_a_page() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path().join("new/man1");
        man_pages(&folder, program()).expect("written");
        let mut names: Vec<String> = std::fs::read_dir(&folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name())
            .map(|name| name.into_string().expect("UTF-8"))
            .collect();
        names.sort();
        let expected = ["completions", "man", "taste"].map(|name| format!("trial-{name}.1"));
        assert_eq!(names[..3], expected);
        assert_eq!(names[3..], ["trial.1"]);
    }

    #[test]
    fn both_commands_are_parsed_and_listed() {
        let args = Args::try_parse_from(["trial", "completions", "bash"]).expect("known");
        assert!(matches!(
            args.command,
            Ours::SelfDescription(SelfDescription::Completions { shell: Shell::Bash })
        ));
        assert!(Args::try_parse_from(["trial", "man", "folder"]).is_ok());
        assert!(Args::try_parse_from(["trial", "completions", "dos"]).is_err());
        let help = program().render_help().to_string();
        for word in ["taste", "completions", "man"] {
            assert!(help.contains(word), "{help}");
        }
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let folder = file.path().join("man1");
        let error = man_pages(&folder, program()).expect_err("below a file");
        let expected = format!("cannot write man pages to {}", folder.display());
        assert_eq!(error.to_string(), expected);
    }
}
