//! Misbehaviours, which are data: `misbehaviours.txt` has a flag and the steps of each.

use std::io::{self, Read as _};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Args, Command};
use uci::grammar::Go;

use crate::engine::Engine;
use crate::process::{self, Next, hang, say};

/// The moments, and the heading of their flags.
const MOMENTS: [(&str, &str); 5] = [
    ("start", "At the start"),
    ("uci", "At the start"),
    ("uciok", "At the start"),
    ("ready", "At the start"),
    ("turn", "Instead of a move"),
];

/// Bytes that are not text, in two lines.
pub(crate) const GARBAGE: &[u8] = b"\xff\xfe\0\x1b[31m\x80garbage\0\r\n\r\n\n\xc3\n";

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

/// What has come of some steps.
pub(crate) enum Done {
    /// The move was answered, or something else in its place.
    Answered,
    /// Go on as usual.
    Usual,
    End(ExitCode),
}

impl Engine {
    /// Takes steps, some of which answer `go`.
    pub(crate) fn perform(&mut self, steps: &[String], go: &Go) -> io::Result<Done> {
        let mut done = Done::Usual;
        for step in steps {
            let (word, value) = step.split_once(' ').unwrap_or((step, ""));
            let number = || value.parse::<u64>().expect("a number");
            match word {
                "!answer" => match self.answer(go)? {
                    Next::Read => done = Done::Answered,
                    Next::End(code) => return Ok(Done::End(code)),
                },
                "!say" => {
                    let best = self.best(go).map(|(best, _)| best);
                    let best = best.unwrap_or_else(|| "(none)".to_owned());
                    say(&process::unescape(&value.replace("{move}", &best)))?;
                    done = Done::Answered;
                }
                "!crash" => return Ok(Done::End(process::crash(value))),
                "!exit" => return Ok(Done::End(ExitCode::SUCCESS)),
                "!hang" => hang(),
                "!sleep" => std::thread::sleep(Duration::from_millis(number())),
                "!swallow" => {
                    io::copy(&mut io::stdin().lock(), &mut io::sink())?;
                    return Ok(Done::End(ExitCode::SUCCESS));
                }
                "!flood" => {
                    for _ in 0..number() {
                        say(&b"info depth 1 score cp 1 nodes 1 pv e2e4\n".repeat(100))?;
                    }
                }
                "!long-line" => {
                    let line = io::repeat(b'x').take(number());
                    io::copy(&mut io::BufReader::new(line), &mut io::stdout().lock())?;
                    say(b"\n")?;
                }
                "!stderr" => {
                    io::copy(&mut io::repeat(b'x').take(number()), &mut io::stderr())?;
                }
                "!complain" => return process::complain(number()).map(Done::End),
                "!garbage" => say(GARBAGE)?,
                "!close-stdin" => process::close_stdin()?,
                "!close-stdout" => process::close_stdout()?,
                "!leave-group" => process::leave_group()?,
                "!leave-child" => self.output.say(&[process::leave_child()?])?,
                "!no-uciok" | "!no-readyok" => {}
                "bestmove" if self.flags.xboard.is_some() => {
                    self.output.say(&[step.replace("bestmove", "move")])?;
                    done = Done::Answered;
                }
                _ => {
                    self.output.say(&[step])?;
                    done = Done::Answered;
                }
            }
        }
        Ok(done)
    }
}
