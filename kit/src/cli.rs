//! What every command line has: the options of all commands, exit codes at the end of every help
//! text, and the way from an error to an exit code.
//!
//! The vocabulary, the same in all programs; what several of them share is defined in
//! [`crate::options`]:
//!
//! | option | value |
//! |---|---|
//! | `--engine` | a command, or words such as `cmd=./engine name=New option.Hash=16` (`uci::EngineSpec`) |
//! | `--option NAME=VALUE` | a UCI option, [`crate::values::option`] |
//! | `--concurrency N`, `-j N` | games, positions or processes at once |
//! | `--threads N` | threads of our own computation, or of an engine |
//! | `--timeout`, `--movetime`, `--margin TIME` | [`crate::values::time`]: `250ms`, `10s`, `2m`, `1h` |
//! | `--hash`, `--memory SIZE` | [`crate::values::mebibytes`]: `64`, `64MB`, `1GB` |
//! | `--nodes N`, `--depth PLIES`, `--seed N` | whole numbers |
//! | `-o`, `--output PATH` | where the result goes; checked before the work begins. The ending of a report chooses its format |
//! | `--format FORMAT` | `human`, `json`, `csv`, `junit`, `github`, as far as they make sense |
//! | `-q`, `-v`, `--color` | [`Common`] |

pub mod help;

use std::ffi::OsString;
use std::io::Write as _;
use std::num::{IntErrorKind, ParseIntError};
use std::path::Path;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use clap::builder::Resettable;
use clap::error::{ContextKind, ContextValue};
use clap::{Args, ColorChoice, CommandFactory, FromArgMatches, Subcommand, ValueEnum};

use crate::{BadInput, Exit, SelfDescription, engine_log, programs};

/// The options of every command. A program flattens them into its top level.
#[derive(Clone, Copy, Debug, Args)]
pub struct Common {
    /// Print results and errors only
    ///
    /// No progress, no remarks.
    #[arg(short, long, global = true, hide_short_help = true, help_heading = help::GLOBAL,
          conflicts_with = "verbose")]
    pub quiet: bool,

    /// Print the dialogue with engines, if any, on standard error
    #[arg(short, long, global = true, hide_short_help = true, help_heading = help::GLOBAL)]
    pub verbose: bool,

    /// Colour of help, errors and progress
    #[arg(
        long,
        global = true,
        hide_short_help = true,
        help_heading = help::GLOBAL,
        value_name = "WHEN",
        value_enum,
        default_value = "auto"
    )]
    pub color: ColorWhen,
}

/// When output is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal, unless the variable `NO_COLOR` is set.
    Auto,
    /// Also into files and pipes.
    Always,
    /// Never.
    Never,
}

/// Exit codes of a program without codes of its own; see [`Exit`].
pub const EXIT_CODES: &str = "Exit codes: 0 success, 1 a difference was found, 2 invalid usage or \
                              input, 3 an engine or the environment failed, 4 nothing was \
                              selected or run, 130 interrupted.";

/// The commands of a program: its own, then those of every program.
#[derive(Debug, Subcommand)]
enum AnyCommand<C: Subcommand> {
    #[command(flatten)]
    Own(C),
    #[command(flatten)]
    SelfDescription(SelfDescription),
}

/// The commands `C` of a program, and options `G` of its own that all of them have: those are `global`.
#[derive(Debug)]
pub struct With<G, C> {
    /// The options.
    pub options: G,
    /// The command.
    pub command: C,
}

impl<G: Args, C: Subcommand> FromArgMatches for With<G, C> {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
        Self::from_arg_matches_mut(&mut matches.clone())
    }

    fn from_arg_matches_mut(matches: &mut clap::ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self {
            options: G::from_arg_matches_mut(matches)?,
            command: C::from_arg_matches_mut(matches)?,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        self.options.update_from_arg_matches(matches)?;
        self.command.update_from_arg_matches(matches)
    }
}

impl<G: Args, C: Subcommand> Subcommand for With<G, C> {
    fn augment_subcommands(command: clap::Command) -> clap::Command {
        // The description of the program is that of its commands.
        C::augment_subcommands(G::augment_args(command))
    }

    fn augment_subcommands_for_update(command: clap::Command) -> clap::Command {
        C::augment_subcommands_for_update(G::augment_args_for_update(command))
    }

    fn has_subcommand(name: &str) -> bool {
        C::has_subcommand(name)
    }
}

/// How a program reads its words beyond its definition.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// The words as they are meant, without the name of the program: puts in a command that may be left
    /// out.
    pub meant: fn(Vec<OsString>) -> Vec<OsString>,
    /// The definition for these words as typed: help describes a command by the name that was typed.
    pub define: fn(clap::Command, &[OsString]) -> clap::Command,
    /// After a usage error or invalid input, the command line that would have worked, if it is obvious.
    /// It is given the words as typed, without the name of the program, and the program's definition.
    pub instead: fn(&[String], &clap::Command) -> Option<String>,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            meant: |words| words,
            define: |definition, _| definition,
            instead: |_, _| None,
        }
    }
}

/// Runs a program of this name: parses the arguments of the process into one of its commands `C`,
/// whose documentation and version are the program's, and calls `program` with it. Errors become exit
/// codes as by [`run`].
pub fn main<C: Subcommand>(
    name: &'static str,
    exit_codes: &'static str,
    reading: Reading,
    program: impl FnOnce(C, Common) -> anyhow::Result<Exit>,
    exit_of: impl FnOnce(&anyhow::Error) -> Option<Exit>,
) -> ExitCode {
    let typed: Vec<OsString> = std::env::args_os().skip(1).collect();
    let instead = {
        let lossy = |word: &OsString| word.to_string_lossy().into_owned();
        let words: Vec<String> = typed.iter().map(lossy).collect();
        // To ask for help is no mistake.
        let asks_for_help = |word: &String| ["-h", "--help"].contains(&&**word);
        let is_help = words.iter().any(asks_for_help);
        move || {
            (!is_help)
                .then(|| (reading.instead)(&words, &definition::<C>(name, exit_codes)))
                .flatten()
        }
    };
    let program = || {
        let definition = (reading.define)(definition::<C>(name, exit_codes), &typed);
        let words = std::iter::once(OsString::from(name)).chain((reading.meant)(typed));
        let parsed = parse_by(definition.clone(), words.collect(), &instead, |matches| {
            let common = Common::from_arg_matches_mut(matches)?;
            Ok((common, AnyCommand::from_arg_matches_mut(matches)?))
        });
        let (common, command) = parsed;
        common.apply();
        match command {
            AnyCommand::Own(command) => program(command, common),
            AnyCommand::SelfDescription(command) => command.run(definition),
        }
    };
    run_or(program, exit_of, &instead)
}

/// The definition of a program whose commands are `C`, and those of every program.
pub fn definition<C: Subcommand>(name: &'static str, exit_codes: &'static str) -> clap::Command {
    // Called the same everywhere: on Windows, the file has an ending.
    let command = clap::Command::new(name)
        .bin_name(name)
        .subcommand_required(true);
    let command = command.arg_required_else_help(true);
    let command = C::augment_subcommands(Common::augment_args(command));
    let [about, long_about] =
        [command.get_about(), command.get_long_about()].map(|text| Resettable::from(text.cloned()));
    // This replaces the description by its own.
    let command = SelfDescription::augment_subcommands(command);
    let command = command.about(about).long_about(long_about);
    help::complete(command.max_term_width(MOST_COLUMNS), exit_codes)
}

/// Help is never wider.
const MOST_COLUMNS: usize = 100;

/// The definition of a program whose help texts all end with its exit codes. A command with codes of
/// its own sets `after_help`.
pub fn command<A: CommandFactory>(exit_codes: &'static str) -> clap::Command {
    let command = A::command();
    let name = command.get_name().to_owned();
    help::complete(
        command.bin_name(name).max_term_width(MOST_COLUMNS),
        exit_codes,
    )
}

/// Parses the arguments of the process and applies `common`, found by the given function. Help,
/// version and usage errors end the process, as with [`clap::Parser::parse`].
pub fn parse<A: CommandFactory + FromArgMatches>(
    exit_codes: &'static str,
    common: impl FnOnce(&A) -> Common,
) -> A {
    let words = std::env::args_os().collect();
    let parsed = parse_by(
        command::<A>(exit_codes),
        words,
        &|| None,
        A::from_arg_matches_mut,
    );
    common(&parsed).apply();
    parsed
}

/// Parses words, without the name of the program, as [`main`] parses the arguments of the process, and
/// applies the options of every command. Help, version and usage errors end the process.
pub fn parse_words<C: Subcommand>(
    name: &'static str,
    exit_codes: &'static str,
    words: Vec<String>,
) -> (C, Common) {
    let words = std::iter::once(name.to_owned()).chain(words);
    let words = words.map(OsString::from).collect();
    let definition = definition::<C>(name, exit_codes);
    let parsed = parse_by(definition, words, &|| None, |matches| {
        let common = Common::from_arg_matches_mut(matches)?;
        Ok((C::from_arg_matches_mut(matches)?, common))
    });
    parsed.1.apply();
    parsed
}

#[expect(clippy::exit, reason = "as clap ends a process, after one more line")]
fn parse_by<A>(
    command: clap::Command,
    words: Vec<OsString>,
    instead: &dyn Fn() -> Option<String>,
    read: impl FnOnce(&mut clap::ArgMatches) -> Result<A, clap::Error>,
) -> A {
    // Help and usage errors are printed while the arguments are parsed: what they look like must be
    // known before.
    let typed = || words.iter().filter_map(|word| word.to_str());
    let mut command = command.color(match color_of(typed()) {
        ColorWhen::Auto => ColorChoice::Auto,
        ColorWhen::Always => ColorChoice::Always,
        ColorWhen::Never => ColorChoice::Never,
    });
    if !typed().any(|word| matches!(word, "--help" | "help")) {
        command = help::brief(command);
    }
    let parsed = command
        .try_get_matches_from_mut(words)
        .and_then(|mut matches| read(&mut matches));
    parsed.unwrap_or_else(|error| {
        let error = explained(error, &command).format(&mut command);
        if error.use_stderr()
            && let Some(line) = instead()
        {
            // If it cannot be printed, the exit code still reports the failure.
            let _ = error.print();
            print_instead(&line);
            std::process::exit(error.exit_code());
        }
        error.exit()
    })
}

/// An error that says which number was expected, where Rust's names a digit that is none.
fn explained(error: clap::Error, command: &clap::Command) -> clap::Error {
    let source = std::error::Error::source(&error);
    let kind = source.and_then(|source| Some(source.downcast_ref::<ParseIntError>()?.kind()));
    if !matches!(kind, Some(IntErrorKind::InvalidDigit | IntErrorKind::Empty)) {
        return error;
    }
    let mut explained = clap::Error::new(error.kind()).with_cmd(command);
    for (kind, value) in error.context() {
        explained.insert(kind, value.clone());
    }
    let tip = "write a whole number, digits only, such as 1000".into();
    explained.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    explained
}

/// Prints the command line that would have worked.
fn print_instead(line: &str) {
    let _ = writeln!(anstream::stderr(), "try: {line}");
}

/// The words of a command line without the options before programs that do not take one: `--run ./x` where
/// an engine is meant. `definition` is that of the program; `wrong` are options of it that take no path.
pub fn without_misnamed<'a>(
    words: &[&'a str],
    definition: &clap::Command,
    wrong: &[&str],
) -> Vec<&'a str> {
    let command = { words.iter() }.find_map(|word| definition.find_subcommand(word));
    let is_known = |name: &str| {
        let mut known = command.into_iter().flat_map(clap::Command::get_arguments);
        known.any(|option| {
            let aliases = option.get_all_aliases().unwrap_or_default();
            option.get_long() == Some(name) || aliases.contains(&name)
        })
    };
    let is_misnamed = |index: usize| {
        let Some(name) = words[index].strip_prefix("--") else {
            return false;
        };
        let next = words.get(index + 1);
        next.is_some_and(|next| is_program(next, definition))
            && (wrong.contains(&name) || !is_known(name))
    };
    let kept = (0..words.len()).filter(|&index| !is_misnamed(index));
    kept.map(|index| words[index]).collect()
}

/// Whether a word names a program: a path of one, or a name in `PATH` that is no command of ours.
/// `definition` is that of our program.
pub fn is_program(word: &str, definition: &clap::Command) -> bool {
    let is_ours = word.starts_with('-') || definition.find_subcommand(word).is_some();
    let found = programs::find(Path::new(word)).filter(|_| !is_ours);
    // Elsewhere, any file may be executed.
    found.is_some_and(|path| cfg!(unix) || path.extension().is_some_and(|end| end == "exe"))
}

/// The value of `--color` among unparsed arguments; the last one counts. An invalid value is reported
/// by the parser.
fn color_of<'a>(words: impl Iterator<Item = &'a str>) -> ColorWhen {
    let mut color = ColorWhen::Auto;
    let mut is_value = false;
    for word in words {
        // Behind `--` there are no options.
        if word == "--" {
            break;
        }
        let value = word.strip_prefix("--color=").or(is_value.then_some(word));
        if let Some(Ok(value)) = value.map(|value| ColorWhen::from_str(value, false)) {
            color = value;
        }
        is_value = word == "--color";
    }
    color
}

impl Common {
    /// Applies colour and verbosity to standard error of this process.
    fn apply(self) {
        match self.color {
            ColorWhen::Auto => {}
            ColorWhen::Always | ColorWhen::Never => {
                let is_wanted = self.color == ColorWhen::Always;
                anstream::ColorChoice::write_global(if is_wanted {
                    anstream::ColorChoice::Always
                } else {
                    anstream::ColorChoice::Never
                });
                indicatif_colors(is_wanted);
            }
        }
        if self.verbose {
            engine_log::to_standard_error();
        }
    }
}

fn indicatif_colors(is_wanted: bool) {
    // `indicatif` draws by `console`, which does not know the choice of `anstream`.
    console::set_colors_enabled(is_wanted);
    console::set_colors_enabled_stderr(is_wanted);
}

/// Runs a program. An error is printed on standard error; its exit code is what `exit_of` says, else
/// [`Exit::BadInput`] for [`BadInput`] or a bad journal, and [`Exit::Failed`] for all others.
pub fn run(
    program: impl FnOnce() -> anyhow::Result<Exit>,
    exit_of: impl FnOnce(&anyhow::Error) -> Option<Exit>,
) -> ExitCode {
    run_or(program, exit_of, &|| None)
}

fn run_or(
    program: impl FnOnce() -> anyhow::Result<Exit>,
    exit_of: impl FnOnce(&anyhow::Error) -> Option<Exit>,
    instead: &dyn Fn() -> Option<String>,
) -> ExitCode {
    crate::make_file_limit_an_error();
    let exit = program().unwrap_or_else(|error| {
        print_error(&error);
        exit_of(&error).unwrap_or(if is_bad_input(&error) {
            Exit::BadInput
        } else {
            Exit::Failed
        })
    });
    // Other errors are no fault of the command line.
    if matches!(exit, Exit::BadInput | Exit::Nothing)
        && let Some(line) = instead()
    {
        print_instead(&line);
    }
    exit.into()
}

fn is_bad_input(error: &anyhow::Error) -> bool {
    #[cfg(feature = "journal")]
    if let Some(error) = error.downcast_ref::<crate::journal::JournalError>() {
        return error.is_bad_input();
    }
    error.is::<BadInput>()
}

/// Prints `error: ...` on standard error.
fn print_error(error: &anyhow::Error) {
    let style = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    // If standard error is closed, the exit code still reports the failure.
    let _ = writeln!(anstream::stderr(), "{style}error:{style:#} {error:#}");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tries things.
    #[derive(Debug, PartialEq, Subcommand)]
    #[command(version)]
    enum TrialCommand {
        Plain,
        #[command(after_help = "Exit codes: 0 always.")]
        Own,
    }

    fn matches(line: &str) -> Result<clap::ArgMatches, clap::Error> {
        definition::<TrialCommand>("trial", EXIT_CODES).try_get_matches_from(line.split(' '))
    }

    #[test]
    fn every_long_help_ends_with_exit_codes_and_every_short_one_with_the_way_to_it() {
        let program = definition::<TrialCommand>("trial", EXIT_CODES);
        for (path, exit_codes) in [
            ("", EXIT_CODES),
            ("plain", EXIT_CODES),
            ("own", "0 always."),
        ] {
            let rendered = |mut program: clap::Command, is_long| {
                program.build();
                let command = match path {
                    "" => &mut program,
                    name => program.find_subcommand_mut(name).expect("a command"),
                };
                let help = if is_long {
                    command.render_long_help()
                } else {
                    command.render_help()
                };
                // Wrapped to the width of the terminal.
                let help = help.to_string();
                help.split_whitespace().collect::<Vec<_>>().join(" ")
            };
            let long = rendered(program.clone(), true);
            assert!(long.ends_with(exit_codes), "{path}: {long}");
            let (_, last) = long.split_once("Global options:").expect("they come last");
            assert!(
                last.contains("--help") && last.contains("--quiet"),
                "{last}"
            );
            let short = rendered(help::brief(program.clone()), false);
            let way = format!("{} --help` for all.", format!("`trial {path}").trim_end());
            assert!(short.ends_with(&way), "{path}: {short}");
            assert!(!short.contains("--quiet"), "{path}: {short}");
        }
    }

    #[test]
    fn common_options_stand_before_and_after_the_command() {
        for line in [
            "trial -q plain",
            "trial plain --quiet",
            "trial plain -q --color never",
        ] {
            let mut matches = matches(line).expect(line);
            let common = Common::from_arg_matches_mut(&mut matches).expect(line);
            assert!(common.quiet && !common.verbose, "{line}");
            let command = AnyCommand::from_arg_matches_mut(&mut matches).expect(line);
            assert!(
                matches!(command, AnyCommand::Own(TrialCommand::Plain)),
                "{line}"
            );
        }
        matches("trial plain -q -v").expect_err("they contradict each other");
        matches("trial plain --color red").expect_err("no such value");
        matches("trial").expect_err("no command");
    }

    #[test]
    fn a_number_that_is_none_is_explained() {
        let program = clap::Command::new("trial")
            .arg(
                clap::Arg::new("nodes")
                    .long("nodes")
                    .value_parser(clap::value_parser!(u64).range(1..)),
            )
            .arg(
                clap::Arg::new("size")
                    .long("size")
                    .value_parser(clap::value_parser!(usize)),
            );
        let error = |option: &str, value: &str| {
            let words = ["trial", option, value];
            let error = program.clone().try_get_matches_from(words);
            explained(error.expect_err(value), &program).to_string()
        };
        for (option, value) in [("nodes", "1e6"), ("size", "64MB"), ("size", "")] {
            let text = error(&format!("--{option}"), value);
            let expected = format!(
                "error: invalid value '{value}' for '--{option} <{option}>'\n\n  \
                 tip: write a whole number, digits only, such as 1000\n\n\
                 For more information, try '--help'.\n"
            );
            assert_eq!(text, expected);
        }
        // Others say what is wrong.
        let text = error("--nodes", "0");
        assert!(text.contains("0 is not in 1.."), "{text}");
        let text = error("--size", "99999999999999999999");
        assert!(text.contains("number too large"), "{text}");
        assert!(error("--sizes", "1").contains("unexpected argument"));
    }

    #[test]
    fn a_program_describes_itself() {
        let program = definition::<TrialCommand>("trial", EXIT_CODES);
        let about = program.get_about().expect("it has a comment").to_string();
        assert_eq!(about, "Tries things");
        assert_eq!(program.get_version(), Some(env!("CARGO_PKG_VERSION")));
        let mut matches = matches("trial man folder").expect("a command of every program");
        let command = AnyCommand::<TrialCommand>::from_arg_matches_mut(&mut matches);
        let command = command.expect("it is parsed");
        assert!(
            matches!(command, AnyCommand::SelfDescription(_)),
            "{command:?}"
        );
    }

    #[test]
    fn color_is_known_before_the_arguments_are_parsed() {
        for (line, expected) in [
            ("trial plain", ColorWhen::Auto),
            ("trial --color=always plain", ColorWhen::Always),
            ("trial plain --color never", ColorWhen::Never),
            ("trial --color never --color always", ColorWhen::Always),
            ("trial --color red", ColorWhen::Auto),
            ("trial -- --color never", ColorWhen::Auto),
        ] {
            assert_eq!(color_of(line.split(' ')), expected, "{line}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn an_option_that_does_not_take_a_program_is_left_out_before_one() {
        let program = definition::<TrialCommand>("trial", EXIT_CODES);
        for (line, expected) in [
            ("plain --run /bin/sh", "plain /bin/sh"),
            ("plain --color /bin/sh", "plain /bin/sh"),
            ("plain --quiet /bin/sh", "plain --quiet /bin/sh"),
            ("plain --run nothing", "plain --run nothing"),
        ] {
            let words: Vec<&str> = line.split(' ').collect();
            let mut program = program.clone();
            program.build();
            let found = without_misnamed(&words, &program, &["color"]);
            assert_eq!(found.join(" "), expected);
        }
    }

    #[test]
    fn errors_become_exit_codes() {
        let exit = |error: anyhow::Error, own| format!("{:?}", run(|| Err(error), |_| own));
        let code = |exit: Exit| format!("{:?}", ExitCode::from(exit));
        let bad = || anyhow::Error::new(BadInput("x".to_owned()));
        assert_eq!(exit(bad(), None), code(Exit::BadInput));
        assert_eq!(exit(anyhow::anyhow!("x"), None), code(Exit::Failed));
        assert_eq!(exit(bad(), Some(Exit::Nothing)), code(Exit::Nothing));
    }
}
