//! The node count of an engine's `bench`: a signature that changes with its search or evaluation.
//!
//! [`signature`] is pure; [`bench`] starts the engine.

pub mod signature;

use std::time::{Duration, Instant};

use uci::grammar::Message;
use uci::{
    Cancel, Client, CommandLine, Engine, EngineError, EngineProtocol, LineDirection, Received,
    Start,
};

/// How the bench is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BenchBy {
    /// As an argument: `engine bench`
    Argument,
    /// As a command on standard input
    Input,
}

#[derive(Debug)]
pub(crate) struct BenchResult {
    pub(crate) nodes: Option<u64>,
    pub(crate) error: Option<String>,
    pub(crate) transcript: String,
}

#[derive(Clone, Debug)]
pub(crate) struct BenchJob<'a> {
    pub(crate) command: &'a CommandLine,
    /// The words of the bench command, such as `bench`.
    pub(crate) words: &'a [String],
    pub(crate) bench_by: BenchBy,
    /// Whether the engine may not support `bench_by`. If so, it is probed with `isready` after some
    /// silence instead of being waited for until the timeout.
    pub(crate) may_be_unknown: bool,
    pub(crate) timeout: Duration,
    pub(crate) cancel: &'a Cancel,
}

/// An engine that is silent this long is sent `isready`.
const SILENCE: Duration = Duration::from_secs(2);
/// Required silence after `readyok`: some engines answer it in the middle of a search.
const SETTLING: Duration = Duration::from_secs(1);
/// An engine that may not know the bench, and has not answered `isready` after such a silence, waits for
/// input: a bench prints something in this time.
const SILENCE_OF_UNKNOWN: Duration = Duration::from_secs(30);
/// Maximum number of lines kept: the total comes last.
const MOST_LINES: usize = 10_000;

/// The nodes that an engine's bench prints when it is started with these arguments.
///
/// # Errors
/// It fails, prints no number of nodes, or takes longer than `timeout`.
pub fn nodes(
    command: &CommandLine,
    words: &[String],
    timeout: Duration,
    cancel: &Cancel,
) -> Result<u64, String> {
    let found = bench(&BenchJob {
        command,
        words,
        bench_by: BenchBy::Argument,
        may_be_unknown: false,
        timeout,
        cancel,
    });
    match (found.error, found.nodes) {
        (Some(error), _) => Err(error),
        (None, Some(nodes)) => Ok(nodes),
        (None, None) => Err("it printed no number of nodes".to_owned()),
    }
}

/// Runs `bench` and reads the engine's output until it exits or has nothing more to do.
///
/// Nothing is sent to a busy engine, not even `quit`: engines that poll for input while searching
/// would end their bench early, with a different count.
pub(crate) fn bench(job: &BenchJob<'_>) -> BenchResult {
    let command = match job.bench_by {
        BenchBy::Argument => {
            let words = job.words.iter();
            words.fold(job.command.clone(), CommandLine::argument)
        }
        BenchBy::Input => job.command.clone(),
    };
    let mut engine = Engine::new(Start {
        protocol: EngineProtocol::Lines,
        cancel: job.cancel.clone(),
        ..Start::new(command)
    });
    match engine.ready() {
        Ok(client) => {
            let mut reading = BenchReading {
                client,
                job,
                deadline: now() + job.timeout,
                stage: BenchStage::AtWork,
                lines: Vec::new(),
                nodes: None,
            };
            let error = reading.read_all().err();
            // What is printed after `quit` is no part of the bench.
            if reading.stage != BenchStage::Quitting {
                reading.nodes = reading.signature();
            }
            BenchResult {
                nodes: reading.nodes,
                error,
                transcript: reading.client.transcript().to_string(),
            }
        }
        Err(error) => BenchResult {
            nodes: None,
            error: Some(error.to_string()),
            transcript: String::new(),
        },
    }
}

/// Progress of the bench, as seen from the engine's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BenchStage {
    /// Running, as far as we know.
    AtWork,
    Asked,
    /// `readyok` came, and nothing since.
    Ready,
    Quitting,
}

struct BenchReading<'a> {
    client: &'a mut Client,
    job: &'a BenchJob<'a>,
    deadline: Instant,
    stage: BenchStage,
    lines: Vec<String>,
    /// The count found before `quit` was sent.
    nodes: Option<u64>,
}

impl BenchReading<'_> {
    /// Reads until the engine has exited normally.
    fn read_all(&mut self) -> Result<(), String> {
        if self.job.bench_by == BenchBy::Input {
            // If the engine has exited or does not read, the next read shows it.
            let _ = self.client.send_line(&self.job.words.join(" "));
        }
        loop {
            let silence = match self.stage {
                BenchStage::AtWork => SILENCE,
                BenchStage::Ready => SETTLING,
                BenchStage::Asked if self.job.may_be_unknown => SILENCE_OF_UNKNOWN,
                // Some engines answer `isready` only after the bench, which may take long.
                BenchStage::Asked | BenchStage::Quitting => Duration::MAX,
            };
            let deadline = now().checked_add(silence).unwrap_or(self.deadline);
            match self.client.next_line(deadline.min(self.deadline)) {
                Ok(Received::Line(line)) => self.note(line.text),
                Ok(Received::Eof) => break,
                Ok(Received::TimedOut) if now() >= self.deadline => {
                    let seconds = self.job.timeout.as_secs_f64();
                    return Err(format!("no end after {seconds:.1} s"));
                }
                Ok(Received::TimedOut)
                    if self.stage == BenchStage::Asked && self.job.may_be_unknown =>
                {
                    let seconds = SILENCE_OF_UNKNOWN.as_secs();
                    return Err(format!("nothing is printed within {seconds} s"));
                }
                Ok(Received::TimedOut) => self.break_silence(),
                Ok(Received::Cancelled) => return Err(EngineError::Cancelled.to_string()),
                Err(error) => return Err(error.to_string()),
            }
        }
        match self.client.wait(self.deadline) {
            Some(exit) if exit.is_success() => Ok(()),
            Some(exit) => Err(format!("the engine {exit}")),
            None => Err("the engine closed its output and did not end".to_owned()),
        }
    }

    fn note(&mut self, line: String) {
        match self.stage {
            BenchStage::Asked if Message::parse(&line) == Message::ReadyOk => {
                self.stage = BenchStage::Ready;
                return;
            }
            BenchStage::Ready => self.stage = BenchStage::AtWork,
            BenchStage::AtWork | BenchStage::Asked | BenchStage::Quitting => {}
        }
        if self.lines.len() >= MOST_LINES {
            // Half of them at once, so that long output is not moved line by line.
            self.lines.drain(..MOST_LINES / 2);
        }
        self.lines.push(line);
    }

    fn break_silence(&mut self) {
        match self.stage {
            // A silent engine may be searching. It is asked only if it has printed a total, or may
            // not know the command.
            BenchStage::AtWork if self.job.may_be_unknown || self.signature().is_some() => {
                let _ = self.client.send_line("isready");
                self.stage = BenchStage::Asked;
            }
            BenchStage::Ready => {
                self.nodes = self.signature();
                let _ = self.client.send_line("quit");
                self.stage = BenchStage::Quitting;
            }
            BenchStage::AtWork | BenchStage::Asked | BenchStage::Quitting => {}
        }
    }

    /// The count in the output so far, standard error included.
    fn signature(&self) -> Option<u64> {
        let transcript = self.client.transcript();
        let entries = transcript.entries();
        // Stockfish prints its total on standard error.
        let stderr = entries.filter(|entry| entry.direction == LineDirection::Stderr);
        let stderr: Vec<&str> = stderr.map(|entry| entry.text.as_str()).collect();
        let stdout = self.lines.iter().map(String::as_str);
        signature::find(&stdout.chain(stderr.iter().copied()))
    }
}

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
fn now() -> Instant {
    Instant::now()
}
