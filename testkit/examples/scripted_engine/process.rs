//! What the engine does to its process and its pipes.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use crate::flags::Crash;

/// What to do after a line.
pub(crate) enum Next {
    Read,
    End(ExitCode),
}

/// Prints bytes at once.
pub(crate) fn say(text: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text)?;
    stdout.flush()
}

/// Whether to misbehave now: always, or only as long as a file does not exist, which is then written.
#[expect(
    clippy::disallowed_methods,
    reason = "the file outlives the process, which restarts"
)]
pub(crate) fn is_due(once: Option<&Path>) -> bool {
    let Some(path) = once else {
        return true;
    };
    if path.exists() {
        return false;
    }
    std::fs::write(path, std::process::id().to_string()).expect("the file can be written");
    true
}

pub(crate) fn crash(how: Crash) -> Next {
    match how {
        Crash::Panic => panic!("as asked"),
        Crash::Abort => std::process::abort(),
        Crash::Exit(code) => Next::End(ExitCode::from(code)),
    }
}

/// Does nothing forever.
pub(crate) fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_hours(1));
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

/// Starts a child that sleeps for an hour, and returns its process id.
#[expect(clippy::disallowed_methods, reason = "a child is what is asked for")]
pub(crate) fn leave_child() -> io::Result<u32> {
    let child = std::process::Command::new("sleep").arg("3600").spawn()?;
    Ok(child.id())
}

/// Joins the process group of the parent.
pub(crate) fn leave_group() -> io::Result<()> {
    use rustix::process::{getpgid, getppid, setpgid};
    let group = getpgid(getppid())?;
    Ok(setpgid(None, Some(group))?)
}

/// Closes standard output, by putting another file in its place.
pub(crate) fn close_stdout() -> io::Result<()> {
    let null = std::fs::OpenOptions::new().write(true).open("/dev/null")?;
    Ok(rustix::stdio::dup2_stdout(null)?)
}

/// Closes standard input, by putting another file in its place.
pub(crate) fn close_stdin() -> io::Result<()> {
    Ok(rustix::stdio::dup2_stdin(io::pipe()?.0)?)
}
