//! The misbehaviours, and how to ask for them.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

/// The flags.
pub(crate) const HELP: &str = "\
Flags:
  --crash-at-start      ends with exit code 1 before printing anything
  --crash-on-go=HOW     on go: 'panic', 'abort', or a number to end with that exit code
  --hang-on-go          on go: does nothing forever
  --hang-on-isready     on isready: does nothing forever
  --no-uciok            never prints uciok
  --slow-uciok=MS       answers uci only after so many milliseconds
  --silent              reads everything and prints nothing
  --deaf                reads nothing and prints nothing
  --ignore-quit         continues after quit, and after the end of its input
  --ignore-stop         continues to search after stop
  --late-bestmove=MS    gives each best move so many milliseconds late
  --illegal-bestmove    gives a1a1 as each best move
  --double-bestmove     gives each best move twice
  --no-final-newline    ends after the first best move, which has no end of line
  --close-stdout        closes its output after uciok, and keeps running
  --close-stdin         closes its input after uciok, reports it, and keeps running
  --flood-stdout        on go: prints lines forever
  --flood-stderr=BYTES  on go: prints so many bytes on standard error, then answers
  --long-line=BYTES     on go: prints one line of so many bytes, then answers
  --garbage             on go: prints bytes that are not text, then answers; ends lines by CR LF
  --leave-child         after uciok: starts a child that outlives it, and prints its id";

/// The flags given, with their values.
#[derive(Default)]
pub(crate) struct Faults(BTreeMap<String, String>);

impl Faults {
    /// Accepts the flags that the help text names, with a number wherever it has a `=`.
    pub(crate) fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut faults = Self::default();
        for argument in arguments {
            let (flag, value) = argument.split_once('=').unwrap_or((argument, ""));
            let wants_value = HELP
                .split_whitespace()
                .find_map(|word| match word.split_once('=') {
                    Some((name, _)) => (name == flag).then_some(true),
                    None => (word == flag).then_some(false),
                });
            let is_value = value.parse::<u64>().is_ok()
                || flag == "--crash-on-go" && matches!(value, "panic" | "abort");
            if !flag.starts_with("--") || wants_value != Some(is_value) {
                return Err(format!("cannot understand '{argument}'"));
            }
            faults.0.insert(flag.to_owned(), value.to_owned());
        }
        Ok(faults)
    }

    pub(crate) fn has(&self, flag: &str) -> bool {
        debug_assert!(HELP.contains(flag), "{flag}");
        self.0.contains_key(flag)
    }

    pub(crate) fn value(&self, flag: &str) -> Option<&str> {
        debug_assert!(HELP.contains(flag), "{flag}");
        self.0.get(flag).map(String::as_str)
    }

    /// The value of a flag that takes a number.
    pub(crate) fn number(&self, flag: &str) -> Option<usize> {
        self.value(flag)
            .map(|number| number.parse().expect("checked when parsed"))
    }

    /// The time that a flag gives in milliseconds; none without it.
    pub(crate) fn time(&self, flag: &str) -> Duration {
        Duration::from_millis(self.number(flag).unwrap_or(0) as u64)
    }
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
pub(crate) fn close_stdout() -> io::Result<()> {
    #[cfg(unix)]
    return Ok(rustix::stdio::dup2_stdout(
        std::fs::OpenOptions::new().write(true).open("/dev/null")?,
    )?);
    #[cfg(not(unix))]
    Err(io::ErrorKind::Unsupported.into())
}

/// Closes standard input, by putting another file in its place.
pub(crate) fn close_stdin() -> io::Result<()> {
    #[cfg(unix)]
    return Ok(rustix::stdio::dup2_stdin(io::pipe()?.0)?);
    #[cfg(not(unix))]
    Err(io::ErrorKind::Unsupported.into())
}
