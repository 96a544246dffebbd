//! The steps of misbehaviours and scripts.

use std::io::{self, Read as _};
use std::process::ExitCode;
use std::time::Duration;

use uci::grammar::Go;

use crate::engine::Engine;
use crate::process::{self, Done, GARBAGE, Next, hang, say};

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
