//! Misbehaviours, which are data: `misbehaviours.txt` has a flag and the steps of each.

use clap::{Arg, ArgAction, ArgMatches, Args, Command};

/// The moments, and the heading of their flags.
const MOMENTS: [(&str, &str); 5] = [
    ("start", "At the start"),
    ("uci", "At the start"),
    ("uciok", "At the start"),
    ("ready", "At the start"),
    ("turn", "Instead of a move"),
];

/// What the flags ask for: a moment and a step, in the order of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Misbehaviours(Vec<(&'static str, String)>);

impl Misbehaviours {
    /// The steps at this moment.
    pub(crate) fn at(&self, moment: &str) -> Vec<String> {
        let steps = self.0.iter().filter(|(when, _)| *when == moment);
        steps.map(|(_, step)| step.clone()).collect()
    }

    pub(crate) fn has(&self, step: &str) -> bool {
        self.0.iter().any(|(_, one)| one == step)
    }

    /// Gives up whatever is due at other times than in place of a move, if `is_due` denies it.
    pub(crate) fn forget_start(&mut self, is_due: impl Fn() -> bool) {
        if self.0.iter().any(|(when, _)| *when != "turn") && !is_due() {
            self.0.retain(|(when, _)| *when == "turn");
        }
    }
}

/// When, the flag, its value (needed if empty), steps, and what it does.
fn rows() -> impl Iterator<Item = [&'static str; 5]> {
    let lines = include_str!("misbehaviours.txt").lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| {
        let mut cells = line.splitn(4, '|').map(str::trim);
        let [when, flag, steps, what] = [(); 4].map(|()| cells.next().expect("four cells"));
        let (flag, value) = flag.split_once('=').unwrap_or((flag, "none"));
        [when, flag, value, steps, what]
    })
}

impl Args for Misbehaviours {
    fn augment_args(command: Command) -> Command {
        rows().fold(command, |command, [when, flag, value, _, what]| {
            let heading = MOMENTS.iter().find(|(moment, _)| *moment == when);
            let arg = Arg::new(flag).long(flag).help(what);
            let arg = arg.help_heading(heading.expect("a moment").1);
            command.arg(match value {
                "none" => arg.action(ArgAction::SetTrue),
                "" => arg.value_name("VALUE"),
                value => arg
                    .value_name("VALUE")
                    .num_args(0..=1)
                    .default_missing_value(value),
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for Misbehaviours {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = Vec::new();
        for [when, flag, value, steps, _] in rows() {
            let value = match value {
                "none" => matches.get_flag(flag).then(String::new),
                _ => matches.get_one::<String>(flag).cloned(),
            };
            for step in value.iter().flat_map(|_| steps.split("; ")) {
                let value = value.as_deref().unwrap_or_default();
                given.push((when, step.replace("{}", value)));
            }
        }
        Ok(Self(given))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
