//! The program at the other end of three pipes.

use std::time::Duration;

use crate::talk::{Heard, Talk};

/// Time for what should come.
pub(crate) const PLENTY: Duration = testkit::HANG;
/// Time for what should not come.
const LITTLE: Duration = Duration::from_millis(200);

/// A running program; killed when dropped.
pub(crate) struct Touchstone(Talk);

/// What a program left behind.
#[derive(Debug)]
pub(crate) struct Rest {
    /// The lines that nobody had read.
    pub(crate) lines: Vec<String>,
    /// Its exit code.
    pub(crate) code: Option<i32>,
}

impl Touchstone {
    /// Starts the program without arguments.
    pub(crate) fn start() -> Self {
        Self::with(&[])
    }

    /// Starts the program.
    pub(crate) fn with(arguments: &[&str]) -> Self {
        Self(Talk::start(arguments))
    }

    /// Writes a line.
    pub(crate) fn say(&mut self, line: &str) {
        self.write(format!("{line}\n").as_bytes());
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        self.0.send(bytes);
    }

    /// The next line, or the end of the output, one of which must come.
    fn hear(&mut self) -> Option<String> {
        match self.0.listen(PLENTY) {
            Ok(Heard::Line(line)) => Some(line),
            Ok(Heard::End) => None,
            other => panic!("{other:?}:\n{}", self.0.dialogue()),
        }
    }

    /// The next line, which must come.
    pub(crate) fn line(&mut self) -> String {
        let line = self.hear();
        line.unwrap_or_else(|| panic!("the output has ended:\n{}", self.0.dialogue()))
    }

    /// Fails if a line comes within a short time.
    pub(crate) fn expect_silence(&mut self) {
        assert_eq!(self.0.listen(LITTLE), Ok(Heard::Silence));
    }

    /// The next lines, up to the first that begins so.
    pub(crate) fn until(&mut self, beginning: &str) -> Vec<String> {
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
        self.0.close();
        self.wait()
    }

    /// Says `quit`, and waits for the end.
    pub(crate) fn quit(mut self) -> Rest {
        self.say("quit");
        self.wait()
    }

    fn wait(&mut self) -> Rest {
        let lines = std::iter::from_fn(|| self.hear()).collect();
        let ended = self.0.exit(PLENTY);
        let (status, _) = ended.expect("a program that has closed its output ends");
        Rest {
            lines,
            code: status.code(),
        }
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
