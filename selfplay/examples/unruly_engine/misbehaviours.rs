//! Doing wrong.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use crate::flags::Misbehaviour;
use crate::say;

/// Whether to misbehave now: always, or only as long as a file is not there, which is then written.
#[expect(
    clippy::disallowed_methods,
    reason = "the file is a memory beyond death"
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

/// Does what comes before the answer, which is given. Says whether an answer is to follow at all;
/// otherwise the engine is to end.
pub(crate) fn indulge(misbehaviour: Misbehaviour, answer: &str) -> io::Result<bool> {
    match misbehaviour {
        Misbehaviour::Crash => return Ok(false),
        Misbehaviour::Abort => std::process::abort(),
        Misbehaviour::Hang => hang(),
        Misbehaviour::Late(time) => std::thread::sleep(time),
        Misbehaviour::Flood => loop {
            say(&b"info depth 1 score cp 1 nodes 1 pv e2e4\n".repeat(100))?;
        },
        Misbehaviour::EndlessLine => loop {
            say(&[b'x'; 4096])?;
        },
        Misbehaviour::LongLine(bytes) => {
            write_in_pieces(&mut io::stdout().lock(), bytes)?;
            say(b"\n")?;
        }
        Misbehaviour::NoNewline => {
            say(answer.as_bytes())?;
            hang()
        }
        Misbehaviour::Garbage => say(b"\xff\xfe\0\x1b[31m\x80garbage\0\r\n\r\n\n\xc3\n")?,
        Misbehaviour::Stderr(bytes) => write_in_pieces(&mut io::stderr().lock(), bytes)?,
        Misbehaviour::CloseStdout => {
            close_stdout()?;
            hang()
        }
        Misbehaviour::LeaveGroup => {
            leave_group()?;
            hang()
        }
        Misbehaviour::LeaveChild => leave_child()?,
        _ => {}
    }
    Ok(true)
}

/// Does nothing for ever.
pub(crate) fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_hours(1));
    }
}

/// Writes `bytes` bytes, and no end of line.
fn write_in_pieces(to: &mut impl Write, mut bytes: usize) -> io::Result<()> {
    let piece = [b'x'; 4096];
    while bytes > 0 {
        let count = bytes.min(piece.len());
        to.write_all(&piece[..count])?;
        bytes -= count;
    }
    to.flush()
}

#[expect(clippy::disallowed_methods, reason = "a child is what is asked for")]
fn leave_child() -> io::Result<()> {
    std::process::Command::new("sleep").arg("3600").spawn()?;
    Ok(())
}

/// Goes over to the process group of the parent.
#[cfg(unix)]
fn leave_group() -> io::Result<()> {
    use rustix::process::{getpgid, getppid, setpgid};
    let group = getpgid(getppid())?;
    Ok(setpgid(None, Some(group))?)
}

#[cfg(not(unix))]
fn leave_group() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Closes standard output, by putting another file in its place.
#[cfg(unix)]
fn close_stdout() -> io::Result<()> {
    let null = std::fs::OpenOptions::new().write(true).open("/dev/null")?;
    Ok(rustix::stdio::dup2_stdout(null)?)
}

/// Closes standard input, by putting another file in its place.
#[cfg(unix)]
pub(crate) fn close_stdin() -> io::Result<()> {
    Ok(rustix::stdio::dup2_stdin(io::pipe()?.0)?)
}

#[cfg(not(unix))]
fn close_stdout() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(unix))]
pub(crate) fn close_stdin() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
