//! The help of all programs, made of one definition: `-h` fits a screen, `--help` has everything.
//!
//! A comment of a command has its summary in the first line and a paragraph `Examples: ...`; that of an
//! option its short text in the first paragraph. An option with `hide_short_help` is left to `--help`.

use std::fmt::Write as _;

use clap::{Arg, ArgAction, Command};

/// Heading of the options of every command, which come last.
pub(super) const GLOBAL: &str = "Global options";

/// Width that `-h` fits in.
const COLUMNS: usize = 80;
/// Lines that `-h` fits in.
const MOST_LINES: usize = 40;
/// Characters of an option's short text.
const LONGEST_TEXT: usize = 50;
/// Options that the commands of each program may have in all, without those of every command. An option
/// that is shown in three commands counts three times.
const MOST_OPTIONS: [(&str, usize); 7] = [
    ("crowd", 39),
    ("epd", 111),
    ("fleet", 27),
    ("perft", 63),
    ("selfplay", 112),
    ("touchstone", 1),
    ("trainer", 35),
];

/// Adds to a definition and the commands below it what every help has: examples before the options,
/// `-h` and `--help` among the global options, exit codes at the end.
pub(super) fn complete(command: Command, exit_codes: &'static str) -> Command {
    let help = Arg::new("help").short('h').long("help").global(true);
    let help = help
        .action(ArgAction::Help)
        .help("Print help: -h for a summary, --help for all")
        .help_heading(GLOBAL)
        .hide_short_help(true);
    let name = command.get_name().to_owned();
    complete_below(command.disable_help_flag(true).arg(help), &name, exit_codes)
}

fn complete_below(mut command: Command, path: &str, exit_codes: &'static str) -> Command {
    let ending = command
        .get_after_help()
        .map_or_else(|| exit_codes.to_owned(), ToString::to_string);
    let long_ending = command.get_after_long_help().map(ToString::to_string);
    let description = command.get_long_about().map(ToString::to_string);
    let (description, examples) = split_examples(&description.unwrap_or_default());
    let mut summary = String::new();
    if let Some(example) = examples.first() {
        let _ = write!(summary, "Example: {example}\n\n");
    }
    let _ = write!(summary, "`{path} --help` for all.");
    command = command
        .after_help(summary)
        .after_long_help(long_ending.unwrap_or(ending));
    if !examples.is_empty() {
        let mut long = format!("{description}\n\nExamples:");
        for example in &examples {
            let _ = write!(long, "\n  {example}");
        }
        command = command.long_about(long);
    }
    command.mut_subcommands(|below| {
        let path = format!("{path} {}", below.get_name());
        complete_below(below, &path, exit_codes)
    })
}

/// A description without its paragraph of examples, and the examples.
fn split_examples(description: &str) -> (String, Vec<String>) {
    let (examples, rest): (Vec<&str>, Vec<&str>) = description
        .split("\n\n")
        .partition(|text| text.starts_with("Example: `") || text.starts_with("Examples: `"));
    let quoted = examples
        .iter()
        .flat_map(|text| text.split('`').skip(1).step_by(2));
    (rest.join("\n\n"), quoted.map(str::to_owned).collect())
}

/// The definition for `-h`: one list of options, a line for each.
pub(super) fn brief(command: Command) -> Command {
    command
        .mut_args(|arg| {
            if !arg.get_action().takes_values() {
                return arg.help_heading(None);
            }
            let values = arg.get_default_values();
            let default: Vec<_> = values.iter().map(|value| value.to_string_lossy()).collect();
            let default = format!(" [default: {}]", default.join(" "));
            let is_long = short_text(&arg).chars().count() + default.len() > LONGEST_TEXT;
            arg.help_heading(None)
                .hide_default_value(is_long)
                .hide_possible_values(true)
                .hide_env(true)
        })
        .mut_subcommands(brief)
}

fn short_text(arg: &Arg) -> String {
    arg.get_help().map(ToString::to_string).unwrap_or_default()
}

/// The options of a command, without those of every command.
fn own_options(command: &Command) -> impl Iterator<Item = &Arg> {
    let is_own = |arg: &&Arg| {
        arg.get_long().is_some_and(|name| name != "version")
            && !arg.is_global_set()
            && !arg.is_hide_set()
    };
    command.get_arguments().filter(is_own)
}

/// Checks that the help of every command of a program fits: at most 40 lines of 80 columns for `-h`, at
/// most 50 characters for the short text of an option, and not more options than the program may have.
/// Prints a table of the commands.
///
/// # Panics
///
/// When it does not fit.
#[expect(clippy::print_stdout, reason = "the table of a test")]
pub fn check(definition: Command) {
    let name = definition.get_name().to_owned();
    let most = MOST_OPTIONS.iter().find(|(program, _)| *program == name);
    let (_, most) = most.expect("a program of this workspace");
    let (table, faults) = measure(definition, *most);
    println!("{table}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The table of the commands, and what does not fit.
fn measure(definition: Command, most_options: usize) -> (String, Vec<String>) {
    let (mut table, mut faults) = (String::new(), Vec::new());
    let mut brief = brief(definition).term_width(COLUMNS);
    // Only building gives the global options to the commands below.
    brief.build();
    let options = measure_below(&brief, "", &mut table, &mut faults);
    let _ = write!(table, "{:<32} {options:>3} options", "sum");
    if options > most_options {
        faults.push(format!(
            "{options} options, expected at most {most_options}"
        ));
    }
    (table, faults)
}

/// Adds a command and those below it; returns the number of their options.
fn measure_below(
    command: &Command,
    parent: &str,
    table: &mut String,
    faults: &mut Vec<String>,
) -> usize {
    let path = format!("{parent} {}", command.get_name());
    let path = path.trim_start();
    let help = command.clone().render_help().to_string();
    let lines = help.lines().count();
    if lines > MOST_LINES {
        faults.push(format!("{path} -h: {lines} lines, expected {MOST_LINES}"));
    }
    for line in help.lines().filter(|line| line.chars().count() > COLUMNS) {
        faults.push(format!("{path} -h: more than {COLUMNS} columns: {line}"));
    }
    for arg in own_options(command) {
        let (name, text) = (arg.get_long().unwrap_or_default(), short_text(arg));
        let length = text.chars().count();
        if length == 0 || length > LONGEST_TEXT {
            faults.push(format!("{path} --{name}: {length} characters: {text}"));
        }
    }
    let mut options = own_options(command).count();
    let _ = writeln!(
        table,
        "{path:<32} {options:>3} options, -h of {lines:>2} lines"
    );
    for below in command.get_subcommands() {
        if !below.is_hide_set() && below.get_name() != "help" {
            options += measure_below(below, path, table, faults);
        }
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_taken_out_of_a_description() {
        let text = "Tries things\n\nTwice.\n\nExamples: `trial a`, `trial b 'c d'`.\n\nNot more.";
        let (rest, examples) = split_examples(text);
        assert_eq!(rest, "Tries things\n\nTwice.\n\nNot more.");
        assert_eq!(examples, ["trial a", "trial b 'c d'"]);
        let none = split_examples("Tries things");
        assert_eq!(none, ("Tries things".to_owned(), Vec::new()));
    }

    fn trial(option: Arg) -> Command {
        complete(Command::new("trial").arg(option), "Exit codes: 0.")
    }

    #[test]
    fn all_programs_together_have_at_most_so_many_options() {
        let sum: usize = MOST_OPTIONS.iter().map(|(_, most)| most).sum();
        assert!(sum <= 388, "{sum}: 387 and --fetch-from");
    }

    #[test]
    fn options_are_counted_and_short_texts_measured() {
        let faults = |command, most| measure(command, most).1.len();
        let fits = || {
            Arg::new("a")
                .long("long-name")
                .help("x".repeat(LONGEST_TEXT))
        };
        assert_eq!(faults(trial(fits()), 1), 0);
        assert_eq!(faults(trial(fits()), 0), 1);
        let too_long = fits().help("x".repeat(LONGEST_TEXT + 1));
        assert_eq!(faults(trial(too_long), 1), 1);
        assert_eq!(faults(trial(fits().hide(true)), 0), 0);
        assert_eq!(faults(trial(fits().hide_short_help(true)), 0), 1);
        let many = (0..MOST_LINES).map(|number| {
            let name: &'static str = format!("o{number}").leak();
            Arg::new(name).long(name).help("x")
        });
        assert_eq!(faults(trial(fits()).args(many), 100), 1);
    }
}
