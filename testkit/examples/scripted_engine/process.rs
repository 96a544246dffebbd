//! What the engine does to its process and its pipes.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// What to do after a line.
pub(crate) enum Next {
    Read,
    End(ExitCode),
}

/// What has come of some steps.
pub(crate) enum Done {
    /// The move was answered, or something else in its place.
    Answered,
    /// Go on as usual.
    Usual,
    End(ExitCode),
}

/// Bytes that are not text, in two lines.
pub(crate) const GARBAGE: &[u8] = b"\xff\xfe\0\x1b[31m\x80garbage\0\r\n\r\n\n\xc3\n";

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

/// The bytes that a text with `\r`, `\n`, `\0` and `\xff` means.
pub(crate) fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes();
    let mut meant = Vec::new();
    let escapes: [(&[u8], u8); 4] = [
        (b"\\r", b'\r'),
        (b"\\n", b'\n'),
        (b"\\0", 0),
        (b"\\xff", 0xff),
    ];
    while let Some((&first, rest)) = bytes.split_first() {
        let escape = escapes.iter().find(|(escape, _)| bytes.starts_with(escape));
        meant.push(escape.map_or(first, |&(_, byte)| byte));
        bytes = escape.map_or(rest, |(escape, _)| &bytes[escape.len()..]);
    }
    meant
}

/// Panics print what they print where `RUST_BACKTRACE` is not set. Nobody reads the backtrace of this engine, and it takes
/// longer than all that a check asks besides.
#[expect(clippy::print_stderr, reason = "as panics do")]
pub(crate) fn panic_without_backtrace() {
    std::panic::set_hook(Box::new(|panic| {
        let thread = std::thread::current();
        let name = thread.name().unwrap_or("<unnamed>");
        eprintln!(
            "\nthread '{name}' {panic}\n\
             note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace"
        );
    }));
}

/// Crashes by `panic`, `abort` or `segfault`, or returns an exit code.
pub(crate) fn crash(how: &str) -> ExitCode {
    match how {
        "panic" => panic!("as asked"),
        "abort" => std::process::abort(),
        "hang" => hang(),
        "segfault" => segfault(),
        code => ExitCode::from(code.parse::<u8>().expect("panic, abort or an exit code")),
    }
}

/// Does nothing forever.
pub(crate) fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_hours(1));
    }
}

/// Appends the process id to the file that the variable `SCRIPTED_ENGINE_LOG` names, if any: children
/// inherit it, so that a test finds all processes.
#[expect(clippy::disallowed_methods, reason = "tests of processes need it")]
pub(crate) fn register() {
    if let Some(path) = std::env::var_os("SCRIPTED_ENGINE_LOG") {
        let mut options = std::fs::OpenOptions::new();
        let file = options.create(true).append(true).open(path);
        let id = std::process::id();
        file.and_then(|mut file| file.write_all(format!("{id}\n").as_bytes()))
            .expect("the file can be written");
    }
}

/// Prints the working directory and an environment variable.
#[expect(clippy::disallowed_methods, reason = "a variable is what is asked for")]
pub(crate) fn print_surroundings(variable: &str) -> io::Result<()> {
    let directory = std::env::current_dir()?;
    let value = std::env::var(variable).unwrap_or_default();
    say(format!("{}\n{value}\n", directory.display()).as_bytes())
}

/// Prints numbered lines on standard error.
pub(crate) fn complain(lines: u64) -> io::Result<ExitCode> {
    let mut stderr = io::stderr().lock();
    (0..lines).try_for_each(|number| writeln!(stderr, "line {number}"))?;
    Ok(ExitCode::SUCCESS)
}

/// Says how a program is called.
pub(crate) fn usage(forms: &[String]) -> io::Result<()> {
    writeln!(io::stderr(), "usage: {}", forms.join(" | "))
}

/// Starts a child that does nothing forever, and returns a line with the ids of both.
#[expect(clippy::disallowed_methods, reason = "a child is what is asked for")]
pub(crate) fn leave_child() -> io::Result<String> {
    let mut child = std::process::Command::new(std::env::current_exe()?);
    let child = child.arg("--deaf").spawn()?.id();
    let own = std::process::id();
    Ok(format!("info string child {child} of {own}"))
}

#[cfg(unix)]
pub(crate) use unix::{close_stdin, close_stdout, leave_group, segfault};
#[cfg(windows)]
pub(crate) use windows::{close_stdin, close_stdout, leave_group, segfault};

#[cfg(unix)]
mod unix {
    use std::io;

    pub(crate) fn segfault() -> ! {
        use rustix::process::{Signal, getpid, kill_process};
        loop {
            // The first one only takes the handler of Rust's runtime away.
            kill_process(getpid(), Signal::SEGV).expect("a process may send itself signals");
        }
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
}

#[cfg(windows)]
mod windows {
    use std::io;

    use windows_sys::Win32::Foundation::CloseHandle;
    use windows_sys::Win32::System::Console::{
        GetStdHandle, STD_HANDLE, STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, SetStdHandle,
    };

    pub(crate) fn segfault() -> ! {
        std::process::abort()
    }

    /// Nothing can leave a job.
    #[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
    pub(crate) fn leave_group() -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn close_stdout() -> io::Result<()> {
        close(STD_OUTPUT_HANDLE)
    }

    pub(crate) fn close_stdin() -> io::Result<()> {
        close(STD_INPUT_HANDLE)
    }

    #[expect(unsafe_code, reason = "the standard library never closes these")]
    fn close(which: STD_HANDLE) -> io::Result<()> {
        // SAFETY: the standard library asks for the handle at each use, and finds none from now on.
        let is_closed = unsafe {
            let handle = GetStdHandle(which);
            SetStdHandle(which, std::ptr::null_mut()) != 0 && CloseHandle(handle) != 0
        };
        if is_closed {
            Ok(())
        } else {
            Err(io::Error::last_os_error())
        }
    }
}
