//! The engine as a process: bytes in, lines out, every wait with a deadline, all of it written down.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// More of a line than this is not written down.
const SHOWN: usize = 400;

/// What the engine did wrong.
pub(crate) type Fault = String;

/// What came of listening.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    Line(String),
    /// Nothing, in the time given.
    Silence,
    /// The engine has closed its output.
    End,
}

/// A running engine and all that was said.
pub(crate) struct Talk {
    child: Child,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Vec<u8>>,
    stderr: Option<JoinHandle<String>>,
    dialogue: String,
}

impl Talk {
    /// Starts `touchstone`. Threads write to and read from it, so that no pipe can block the test.
    #[expect(clippy::disallowed_methods, reason = "the engine is a process")]
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_touchstone"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let mut stdin = child.stdin.take().expect("it is piped");
        let stdout = child.stdout.take().expect("it is piped");
        let mut stderr = child.stderr.take().expect("it is piped");
        let (input, to_write) = channel::<Vec<u8>>();
        std::thread::spawn(move || {
            for bytes in to_write {
                // An engine that has ended does not read.
                if stdin.write_all(&bytes).is_err() {
                    break;
                }
            }
        });
        let (lines, output) = channel();
        std::thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            let mut line = Vec::new();
            while matches!(stdout.read_until(b'\n', &mut line), Ok(1..)) {
                if lines.send(std::mem::take(&mut line)).is_err() {
                    break;
                }
            }
        });
        let stderr = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            // What could be read until then is enough.
            let _ = stderr.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        });
        Self {
            child,
            input: Some(input),
            output,
            stderr: Some(stderr),
            dialogue: String::new(),
        }
    }

    /// Sends bytes, and notes them.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.send_in_pieces(bytes, |rest| rest);
    }

    /// Sends bytes in pieces, each as long as `cut` says, which gets how many are left.
    pub(crate) fn send_in_pieces(&mut self, mut bytes: &[u8], mut cut: impl FnMut(usize) -> usize) {
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.note('>', line.strip_suffix(b"\n").unwrap_or(line));
        }
        let input = self.input.as_ref().expect("the input is open");
        while !bytes.is_empty() {
            let (piece, rest) = bytes.split_at(cut(bytes.len()));
            // An engine that has ended is noticed by its silence.
            let _ = input.send(piece.to_vec());
            bytes = rest;
        }
    }

    /// Closes the engine's input, once all that was sent has been written.
    pub(crate) fn close(&mut self) {
        self.note('>', b"(end of input)");
        self.input = None;
    }

    /// The next line, without its end.
    ///
    /// # Errors
    ///
    /// When it is no UTF-8, or the output ends in the middle of a line.
    pub(crate) fn listen(&mut self, patience: Duration) -> Result<Heard, Fault> {
        let line = match self.output.recv_timeout(patience) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => return Ok(Heard::Silence),
            Err(RecvTimeoutError::Disconnected) => return Ok(Heard::End),
        };
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        self.note('<', text);
        if text.len() == line.len() {
            return Err("the output ends in the middle of a line".to_owned());
        }
        String::from_utf8(text.to_vec())
            .map_err(|error| error.to_string())
            .map(Heard::Line)
    }

    /// How the engine ended, if it has by the end of `patience`, and its standard error.
    pub(crate) fn exit(&mut self, patience: Duration) -> Option<(ExitStatus, String)> {
        let started = now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it is our child") {
                let stderr = self.stderr.take().map(JoinHandle::join);
                let text = stderr.map_or(String::new(), |text| text.expect("no panic there"));
                for line in text.lines() {
                    self.note('!', line.as_bytes());
                }
                return Some((status, text));
            }
            if started.elapsed() >= patience {
                return None;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// All that was said: `>` by us, `<` by the engine, `!` on its standard error.
    pub(crate) fn dialogue(&mut self) -> &str {
        let _ = self.child.kill();
        self.exit(Duration::from_secs(5));
        &self.dialogue
    }

    fn note(&mut self, who: char, text: &[u8]) {
        let shown = &text[..text.len().min(SHOWN)];
        let (text, rest) = (shown.escape_ascii(), text.len() - shown.len());
        let more = match rest {
            0 => String::new(),
            _ => format!("… and {rest} bytes"),
        };
        writeln!(self.dialogue, "{who} {text}{more}").expect("a text takes all");
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        // It fails when the engine has ended, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[expect(clippy::disallowed_methods, reason = "deadlines are set here")]
fn now() -> Instant {
    Instant::now()
}
