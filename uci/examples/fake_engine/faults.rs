//! The misbehaviours, and how to ask for them.

use std::io::{self, Write};
use std::time::Duration;

/// The flags.
pub(crate) const HELP: &str = "\
Flags:
  --crash-at-start      ends with exit code 1 before saying anything
  --crash-on-go=HOW     on go: 'panic', 'abort', or a number to end with that exit code
  --hang-on-go          on go: does nothing for ever
  --hang-on-isready     on isready: does nothing for ever
  --no-uciok            never says uciok
  --slow-uciok=MS       answers uci only after so many milliseconds
  --silent              reads everything and says nothing
  --deaf                reads nothing and says nothing
  --ignore-quit         goes on after quit, and after the end of its input
  --ignore-stop         goes on searching after stop
  --late-bestmove=MS    gives each best move so many milliseconds late
  --illegal-bestmove    gives a1a1 as each best move
  --double-bestmove     gives each best move twice
  --no-final-newline    ends after the first best move, which has no end of line
  --close-stdout        closes its output after uciok, and lives on
  --close-stdin         closes its input after uciok, says so, and lives on
  --flood-stdout        on go: prints lines for ever
  --flood-stderr=BYTES  on go: prints so many bytes on standard error, then answers
  --long-line=BYTES     on go: prints one line of so many bytes, then answers
  --garbage             on go: prints bytes that are no text, then answers; ends lines by CR LF
  --leave-child         after uciok: starts a child that outlives it, and says which";

/// What to do wrong.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Faults {
    pub(crate) crash_at_start: bool,
    pub(crate) crash_on_go: Option<Crash>,
    pub(crate) hang_on_go: bool,
    pub(crate) hang_on_isready: bool,
    pub(crate) no_uciok: bool,
    pub(crate) slow_uciok: Duration,
    pub(crate) silent: bool,
    pub(crate) deaf: bool,
    pub(crate) ignore_quit: bool,
    pub(crate) ignore_stop: bool,
    pub(crate) late_bestmove: Duration,
    pub(crate) illegal_bestmove: bool,
    pub(crate) double_bestmove: bool,
    pub(crate) no_final_newline: bool,
    pub(crate) close_stdout: bool,
    pub(crate) close_stdin: bool,
    pub(crate) flood_stdout: bool,
    pub(crate) flood_stderr: Option<usize>,
    pub(crate) long_line: Option<usize>,
    pub(crate) garbage: bool,
    pub(crate) leave_child: bool,
}

/// How to crash.
#[derive(Clone, Copy)]
pub(crate) enum Crash {
    Panic,
    Abort,
    Exit(u8),
}

impl Faults {
    pub(crate) fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut faults = Self::default();
        for argument in arguments {
            let (flag, value) = argument.split_once('=').unwrap_or((argument, ""));
            faults
                .set(flag, value)
                .ok_or_else(|| format!("cannot understand '{argument}'"))?;
        }
        Ok(faults)
    }

    fn set(&mut self, flag: &str, value: &str) -> Option<()> {
        let switch = match flag {
            "--crash-on-go" => {
                return Crash::parse(value).map(|crash| self.crash_on_go = Some(crash));
            }
            "--slow-uciok" => return milliseconds(value).map(|time| self.slow_uciok = time),
            "--late-bestmove" => return milliseconds(value).map(|time| self.late_bestmove = time),
            "--flood-stderr" => return value.parse().ok().map(|n| self.flood_stderr = Some(n)),
            "--long-line" => return value.parse().ok().map(|n| self.long_line = Some(n)),
            "--crash-at-start" => &mut self.crash_at_start,
            "--hang-on-go" => &mut self.hang_on_go,
            "--hang-on-isready" => &mut self.hang_on_isready,
            "--no-uciok" => &mut self.no_uciok,
            "--silent" => &mut self.silent,
            "--deaf" => &mut self.deaf,
            "--ignore-quit" => &mut self.ignore_quit,
            "--ignore-stop" => &mut self.ignore_stop,
            "--illegal-bestmove" => &mut self.illegal_bestmove,
            "--double-bestmove" => &mut self.double_bestmove,
            "--no-final-newline" => &mut self.no_final_newline,
            "--close-stdout" => &mut self.close_stdout,
            "--close-stdin" => &mut self.close_stdin,
            "--flood-stdout" => &mut self.flood_stdout,
            "--garbage" => &mut self.garbage,
            "--leave-child" => &mut self.leave_child,
            _ => return None,
        };
        *switch = true;
        value.is_empty().then_some(())
    }
}

impl Crash {
    fn parse(how: &str) -> Option<Self> {
        match how {
            "panic" => Some(Self::Panic),
            "abort" => Some(Self::Abort),
            code => code.parse().ok().map(Self::Exit),
        }
    }
}

fn milliseconds(text: &str) -> Option<Duration> {
    text.parse().ok().map(Duration::from_millis)
}

/// Writes `bytes` bytes, and no end of line.
pub(crate) fn write_in_pieces(to: &mut impl Write, mut bytes: usize) -> io::Result<()> {
    let piece = [b'x'; 4096];
    while bytes > 0 {
        let count = bytes.min(piece.len());
        to.write_all(&piece[..count])?;
        bytes -= count;
    }
    to.flush()
}

/// Starts a child that sleeps for long, and gives its number.
#[expect(clippy::disallowed_methods, reason = "a child is what is asked for")]
pub(crate) fn leave_child() -> io::Result<u32> {
    let child = std::process::Command::new("sleep").arg("3600").spawn()?;
    Ok(child.id())
}

/// Closes standard output, by putting another file in its place.
#[cfg(unix)]
pub(crate) fn close_stdout() -> io::Result<()> {
    let null = std::fs::OpenOptions::new().write(true).open("/dev/null")?;
    Ok(rustix::stdio::dup2_stdout(null)?)
}

/// Closes standard input, by putting another file in its place.
#[cfg(unix)]
pub(crate) fn close_stdin() -> io::Result<()> {
    Ok(rustix::stdio::dup2_stdin(io::pipe()?.0)?)
}

#[cfg(not(unix))]
pub(crate) fn close_stdout() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(unix))]
pub(crate) fn close_stdin() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
