//! Standard output: whole lines, flushed, from any thread.

use std::fmt::{self, Display, Write as _};
use std::io::{self, ErrorKind, Write};
use std::sync::{Mutex, PoisonError};

use uci::grammar::{Info, Message};

/// Maximal length of an `info string` in characters: quoted input may be long.
const MAX_TEXT: usize = 600;

/// The only writer to standard output.
pub(crate) struct StandardOutput {
    writer: Mutex<Box<dyn Write + Send>>,
}

impl StandardOutput {
    pub(crate) fn stdout() -> Self {
        Self {
            writer: Mutex::new(Box::new(io::stdout())),
        }
    }

    /// Writes a line, or several lines that must not be interleaved with others.
    pub(crate) fn say(&self, lines: impl Display) {
        let text = format!("{lines}\n");
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let written = writer.write_all(text.as_bytes());
        if let Err(error) = written.and_then(|()| writer.flush()) {
            give_up(&error);
        }
    }

    pub(crate) fn info(&self, text: impl Display) {
        self.say(info_string(text));
    }
}

impl fmt::Debug for StandardOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Output")
    }
}

/// An `info string` of bounded length, without control characters.
pub(crate) fn info_string(text: impl Display) -> Message {
    let mut written = String::new();
    let text = text.to_string();
    for letter in text.chars().take(MAX_TEXT) {
        // Quoted input must not begin a new line of the protocol.
        if letter.is_control() {
            write!(written, "{}", letter.escape_default()).expect("a string takes any text");
        } else {
            written.push(letter);
        }
    }
    if text.chars().nth(MAX_TEXT).is_some() {
        written.push('…');
    }
    Message::Info(Box::new(Info {
        string: Some(written),
        ..Info::default()
    }))
}

/// Exits the process, since nobody reads its output any more. The input thread may be blocked on a
/// line that never comes, so it cannot be notified.
#[expect(clippy::exit, reason = "see above")]
fn give_up(error: &io::Error) -> ! {
    // A closed pipe has ended the engine on purpose.
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    // Standard error may be broken too; then nothing more can be done.
    let _ = writeln!(io::stderr(), "error: cannot write the output: {error}");
    std::process::exit(kit::Exit::Failed as i32);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_info_string_is_one_short_line() {
        let written = |text: &str| info_string(text).to_string();
        assert_eq!(written("no position"), "info string no position");
        assert_eq!(written("a\u{1b}b\nc"), "info string a\\u{1b}b\\nc");
        let long = written(&"ä".repeat(MAX_TEXT + 1));
        assert_eq!(long, format!("info string {}…", "ä".repeat(MAX_TEXT)));
        let exact = "ä".repeat(MAX_TEXT);
        assert_eq!(written(&exact), format!("info string {exact}"));
    }
}
