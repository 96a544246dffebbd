//! The program at the other end of three pipes: bytes in, lines out, every wait with a deadline, all
//! of it written down.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Time for what should come.
const PLENTY: Duration = testkit::HANG;
/// More of a line than this is not written down.
const SHOWN: usize = 400;

/// A running program and all that was said; killed when dropped.
pub(crate) struct Touchstone {
    child: Child,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Vec<u8>>,
    stderr: Option<JoinHandle<String>>,
    dialogue: String,
}

/// What a program left behind.
#[derive(Debug)]
pub(crate) struct Rest {
    /// The lines that nobody had read.
    pub(crate) lines: Vec<String>,
    /// Its exit code.
    pub(crate) code: Option<i32>,
    /// What it printed on its standard error.
    pub(crate) stderr: String,
}

impl Touchstone {
    /// Starts the program without arguments.
    pub(crate) fn start() -> Self {
        Self::with(&[])
    }

    /// Starts the program. Threads write to and read from it, so that no pipe can block the test.
    #[expect(clippy::disallowed_methods, reason = "the engine is a process")]
    pub(crate) fn with(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_touchstone"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let mut stdin = child.stdin.take().expect("it is piped");
        let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut stderr = child.stderr.take().expect("it is piped");
        let (input, to_write) = channel::<Vec<u8>>();
        // An engine that has ended does not read.
        std::thread::spawn(move || {
            to_write
                .iter()
                .try_for_each(|bytes| stdin.write_all(&bytes))
        });
        let (lines, output) = channel();
        std::thread::spawn(move || {
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
            dialogue: format!("touchstone {}\n", arguments.join(" ")),
        }
    }

    /// Fails with all that was said.
    #[track_caller]
    pub(crate) fn fail(&self, fault: &str) -> ! {
        panic!("{}FAULT {fault}", self.dialogue)
    }

    /// Writes a line.
    pub(crate) fn say(&mut self, line: &str) {
        self.write(format!("{line}\n").as_bytes());
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        self.write_in_pieces(bytes, |rest| rest);
    }

    /// Writes bytes in pieces, each as long as `cut` says, which gets how many are left.
    pub(crate) fn write_in_pieces(
        &mut self,
        mut bytes: &[u8],
        mut cut: impl FnMut(usize) -> usize,
    ) {
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

    /// The next line, if one comes in time, or the end of the output as an error.
    fn hear_for(&mut self, patience: Duration) -> Result<Option<String>, RecvTimeoutError> {
        let line = match self.output.recv_timeout(patience) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => return Ok(None),
            Err(end) => return Err(end),
        };
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        self.note('<', text);
        match str::from_utf8(text) {
            Ok(text) if text.len() < line.len() => Ok(Some(text.to_owned())),
            Ok(_) => self.fail("the output ends in the middle of a line"),
            Err(error) => self.fail(&error.to_string()),
        }
    }

    /// The next line, or the end of the output, one of which must come.
    fn hear(&mut self) -> Option<String> {
        match self.hear_for(PLENTY) {
            Ok(None) => self.fail("silence"),
            heard => heard.ok().flatten(),
        }
    }

    /// The next line, which must come.
    pub(crate) fn line(&mut self) -> String {
        let line = self.hear();
        line.unwrap_or_else(|| self.fail("the output has ended"))
    }

    /// The next line, if one comes within a short time.
    pub(crate) fn line_soon(&mut self, patience: Duration) -> Option<String> {
        self.hear_for(patience).ok().flatten()
    }

    /// The next lines, up to the first that begins so.
    pub(crate) fn until(&mut self, beginning: &str) -> Vec<String> {
        let mut lines = vec![self.line()];
        while !lines[lines.len() - 1].starts_with(beginning) {
            lines.push(self.line());
        }
        lines
    }

    /// What is said up to now, but nothing of a search that goes on.
    pub(crate) fn said(&mut self) -> Vec<String> {
        self.say("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// The last line of a search, which is begun by `go`.
    pub(crate) fn best_move(&mut self, go: &str) -> String {
        self.say(go);
        self.until("bestmove").pop().expect("the last line")
    }

    /// Closes the input, and waits for the end.
    pub(crate) fn end(&mut self) -> Rest {
        self.input = None;
        let lines = std::iter::from_fn(|| self.hear()).collect();
        let ended = (0..PLENTY.as_millis()).find_map(|_| {
            let status = self.child.try_wait().expect("it is our child");
            if status.is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
            status
        });
        let status = ended.expect("a program that has closed its output ends");
        let stderr = self.stderr.take().map(JoinHandle::join);
        Rest {
            lines,
            code: status.code(),
            stderr: stderr.map_or(String::new(), |text| text.expect("no panic there")),
        }
    }

    /// Says `quit`, and waits for the end.
    pub(crate) fn quit(&mut self) -> Rest {
        self.say("quit");
        self.end()
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

impl Drop for Touchstone {
    fn drop(&mut self) {
        // It fails when the engine has ended, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// All that the program says to a script on its standard input, which must end well.
pub(crate) fn talk(script: &str) -> Vec<String> {
    let mut program = Touchstone::start();
    program.write(script.as_bytes());
    let rest = program.end();
    assert_eq!(rest.code, Some(0), "{script:?}: {:?}", rest.lines);
    rest.lines
}

/// How many of the lines begin so.
pub(crate) fn count(lines: &[String], beginning: &str) -> usize {
    lines
        .iter()
        .filter(|line| line.starts_with(beginning))
        .count()
}

/// What stands after `key` in a line.
pub(crate) fn value<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let mut words = line.split(' ');
    words.find(|&word| word == key)?;
    words.next()
}
