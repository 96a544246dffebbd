//! The program at the other end of three pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Time for what should come.
pub(crate) const PLENTY: Duration = Duration::from_mins(1);
/// Time for what should not come.
pub(crate) const LITTLE: Duration = Duration::from_millis(200);

/// A running program; killed when dropped.
pub(crate) struct Touchstone {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

/// What a program left behind.
#[derive(Debug)]
pub(crate) struct Rest {
    /// The lines that nobody had read.
    pub(crate) lines: Vec<String>,
    /// Its exit code.
    pub(crate) code: Option<i32>,
}

#[expect(clippy::disallowed_methods, reason = "deadlines are set here")]
fn now() -> Instant {
    Instant::now()
}

impl Touchstone {
    /// Starts the program without arguments.
    pub(crate) fn start() -> Self {
        Self::with(&[])
    }

    /// Starts the program.
    #[expect(
        clippy::disallowed_methods,
        reason = "the program under test is started here"
    )]
    pub(crate) fn with(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_touchstone"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines() {
                // The test may have ended.
                let _ = sender.send(line.expect("text"));
            }
        });
        Self {
            input: child.stdin.take(),
            child,
            lines,
        }
    }

    /// Writes a line.
    pub(crate) fn say(&mut self, line: &str) {
        self.write(format!("{line}\n").as_bytes());
    }

    /// Writes bytes.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).expect("the program reads");
    }

    /// The next line, which must come.
    pub(crate) fn line(&self) -> String {
        self.lines.recv_timeout(PLENTY).expect("a line in time")
    }

    /// Fails if a line comes within a short time.
    pub(crate) fn expect_silence(&self) {
        assert_eq!(
            self.lines.recv_timeout(LITTLE),
            Err(RecvTimeoutError::Timeout)
        );
    }

    /// The next lines, up to the first that begins so.
    pub(crate) fn until(&self, beginning: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            let is_last = line.starts_with(beginning);
            lines.push(line);
            if is_last {
                return lines;
            }
        }
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
    pub(crate) fn end(mut self) -> Rest {
        self.input = None;
        self.wait()
    }

    /// Says `quit`, and waits for the end.
    pub(crate) fn quit(mut self) -> Rest {
        self.say("quit");
        self.wait()
    }

    fn wait(&mut self) -> Rest {
        let deadline = now() + PLENTY;
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(deadline - now()) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("still running after {PLENTY:?}"),
            }
        }
        let code = self.child.wait().expect("the program ends").code();
        Rest { lines, code }
    }
}

impl Drop for Touchstone {
    fn drop(&mut self) {
        // It may have ended.
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
