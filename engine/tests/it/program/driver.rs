//! The program at the other end of three pipes: bytes in, lines out, every wait with a deadline, all
//! of it written down.

use std::fmt::Write as _;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use uci::grammar::{EngineOption, Message};

/// Time for what should come.
const PLENTY: Duration = testkit::HANG;
/// More of a line than this is not written down.
const SHOWN: usize = 400;

/// A running program and all that was said; killed when dropped.
pub(crate) struct Touchstone {
    child: Child,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<io::Result<String>>,
    stderr: Option<JoinHandle<io::Result<String>>>,
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
        let mut command = Command::new(env!("CARGO_BIN_EXE_touchstone"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let started = command.args(arguments).stderr(Stdio::piped()).spawn();
        let mut child = started.expect("the engine starts");
        let mut stdin = child.stdin.take().expect("it is piped");
        let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        let stderr = child.stderr.take().expect("it is piped");
        let (input, to_write) = channel::<Vec<u8>>();
        // An engine that has ended does not read.
        std::thread::spawn(move || to_write.iter().try_for_each(|it| stdin.write_all(&it)));
        let (lines, output) = channel();
        std::thread::spawn(move || {
            let mut next = move || {
                let mut line = String::new();
                let read = stdout.read_line(&mut line);
                (!matches!(read, Ok(0))).then(|| read.map(|_| line))
            };
            while next().is_some_and(|line| lines.send(line).is_ok()) {}
        });
        Self {
            child,
            input: Some(input),
            output,
            stderr: Some(std::thread::spawn(move || io::read_to_string(stderr))),
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

    /// Writes any bytes.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.note('>', line.strip_suffix(b"\n").unwrap_or(line));
        }
        let input = self.input.as_ref().expect("the input is open");
        // An engine that has ended is noticed by its silence.
        let _ = input.send(bytes.to_vec());
    }

    /// The next line, if one comes in time, or the end of the output as an error.
    fn hear_for(&mut self, patience: Duration) -> Result<Option<String>, RecvTimeoutError> {
        let line = match self.output.recv_timeout(patience) {
            Ok(line) => line.unwrap_or_else(|error| self.fail(&error.to_string())),
            Err(RecvTimeoutError::Timeout) => return Ok(None),
            Err(end) => return Err(end),
        };
        self.note('<', line.trim_end_matches('\n').as_bytes());
        match line.strip_suffix('\n') {
            Some(text) => Ok(Some(text.to_owned())),
            None => self.fail("the output ends in the middle of a line"),
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

    /// The lines of a search, which is begun by `go`.
    pub(crate) fn search(&mut self, go: &str) -> Vec<String> {
        self.say(go);
        self.until("bestmove")
    }

    /// Holds a dialogue, row by row: `what is sent | an answer | the next answer`. Rows without `|`
    /// are sent without waiting. After the others, no more may be said than stands there: in an
    /// answer, `*` is any text, and an answer `...` any lines but best moves.
    pub(crate) fn dialogue(&mut self, rows: &str) {
        for row in rows.lines().map(str::trim).filter(|row| !row.is_empty()) {
            let Some((sent, answers)) = row.split_once(" |") else {
                self.say(row);
                continue;
            };
            self.say(sent);
            let mut may_skip = false;
            let answers = answers
                .split(" | ")
                .map(str::trim)
                .filter(|it| !it.is_empty());
            for answer in answers {
                if answer == "..." {
                    may_skip = true;
                    continue;
                }
                let mut line = self.line();
                while may_skip && !matches(answer, &line) && !line.starts_with("bestmove") {
                    line = self.line();
                }
                if !matches(answer, &line) {
                    self.fail(&format!("expected '{answer}'"));
                }
                may_skip = false;
            }
            let more = self.said();
            let is_complete = more.is_empty() || may_skip && count(&more, "bestmove") == 0;
            if !is_complete {
                self.fail(&format!("more was said than in '{row}'"));
            }
        }
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
        let stderr = self.stderr.take().expect("a program ends once").join();
        Rest {
            lines,
            code: status.code(),
            stderr: stderr.expect("no panic there").expect("UTF-8"),
        }
    }

    /// Says `quit`, and waits for the end.
    pub(crate) fn quit(&mut self) -> Rest {
        self.say("quit");
        self.end()
    }

    fn note(&mut self, who: char, text: &[u8]) {
        let (shown, rest) = text.split_at(text.len().min(SHOWN));
        let more = match rest.len() {
            0 => String::new(),
            count => format!("… and {count} bytes"),
        };
        writeln!(self.dialogue, "{who} {}{more}", shown.escape_ascii()).expect("a text takes all");
    }
}

impl Drop for Touchstone {
    fn drop(&mut self) {
        // It fails when the engine has ended, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether a line is that of a pattern, in which `*` is any text.
fn matches(pattern: &str, line: &str) -> bool {
    match pattern.split_once('*') {
        None => line == pattern,
        Some((beginning, rest)) => line.strip_prefix(beginning).is_some_and(|line| {
            let mut ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
            ends.any(|at| matches(rest, &line[at..]))
        }),
    }
}

/// Holds a [dialogue](Touchstone::dialogue) with a program that has just started, and must end well.
pub(crate) fn dialogue(rows: &str) {
    let mut program = Touchstone::start();
    program.dialogue(rows);
    let rest = program.quit();
    if (rest.code, &rest.lines[..]) != (Some(0), &[]) {
        program.fail(&format!("{rest:?}"));
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
    let found = lines.iter().filter(|line| line.starts_with(beginning));
    found.count()
}

/// The options that the engine declares.
pub(crate) fn declared() -> Vec<EngineOption> {
    let lines = talk("uci\n").into_iter();
    let options = lines.filter_map(|line| match Message::parse(&line) {
        Message::Option(option) => Some(option),
        _ => None,
    });
    options.collect()
}
