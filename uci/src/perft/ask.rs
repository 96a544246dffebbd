//! One question and its answer, over a connection that may carry anything or nothing.

use std::time::Duration;

use super::form::AnswerForm;
use super::line::{AnswerLine, LineReading, MOST_BYTES, parse};

/// How the end of an engine's output is detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnswerEnd {
    /// The engine answers `isready` only after it has finished counting.
    WhenReady,
    /// The engine answers `isready` while it counts.
    ReadyAtOnce,
    /// The engine does not know `isready`: the end is a period of silence.
    Silence,
}

/// Minimum silence after a short answer that is complete.
const SILENCE: Duration = Duration::from_millis(100);
/// The same after an answer that has its total, or a row for every legal move.
const SILENCE_AFTER_ROWS: Duration = Duration::from_millis(300);
/// The same after an answer that looks incomplete.
const SILENCE_OF_A_PART: Duration = Duration::from_millis(500);
/// Replaces [`SILENCE`] and [`SILENCE_OF_A_PART`] if `readyok` came last, as from an engine that
/// counts before it reads on.
const SILENCE_WHEN_READY: Duration = Duration::from_millis(30);
const SILENCE_OF_A_PART_WHEN_READY: Duration = Duration::from_millis(150);
/// The same for any other answer.
const LONG_SILENCE: Duration = Duration::from_secs(1);
/// An engine that is ready but silent gets another `isready` after this time, then after twice this
/// time, and so on: some count in a thread whose output is flushed only by the next answer.
const FLUSH: Duration = Duration::from_millis(500);
/// An engine may pause this many times longer than before without its answer being taken as
/// complete.
const LONGER: u32 = 4;
/// More lines than any valid answer has.
pub(super) const MOST_LINES: usize = 100_000;
/// More rows than a known position has, at any depth up to the one asked for.
const MOST_ROWS: usize = 1_000;
/// More bytes than any valid answer has.
const MOST_BYTES_OF_ALL: usize = 16 << 20;
/// Time for the engine to become idle.
pub(super) const REST: Duration = Duration::from_secs(3);

/// Why a question has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoAnswer {
    /// The engine has ended.
    Ended,
    /// The time limit was exceeded.
    TimedOut,
    /// The output is longer than any answer.
    Endless,
    /// The user ended the run.
    Cancelled,
}

/// A question to an engine whose answer format is known.
pub(super) struct Question<'a> {
    pub(super) lines: &'a [String],
    /// Depth of the question, in plies.
    pub(super) depth: u32,
    pub(super) form: &'a AnswerForm,
    /// How the end of the answer is detected.
    pub(super) sync: AnswerEnd,
    /// Number of legal moves, and thus of rows in a correct divide.
    pub(super) moves: usize,
}

impl Question<'_> {
    /// Asks, and waits for the complete answer.
    ///
    /// # Errors
    ///
    /// When the engine does not answer.
    pub(super) fn ask(
        &self,
        port: &mut dyn Port,
        timeout: Duration,
    ) -> Result<Vec<String>, NoAnswer> {
        let deadline = port.now() + timeout;
        if self.sync == AnswerEnd::ReadyAtOnce {
            come_to_rest(port, deadline)?;
        }
        send(port, self.lines, self.sync);
        let mut heard = Answering {
            lines: Vec::new(),
            bytes: 0,
            rows: 0,
            has_total: false,
            has_message: false,
            is_ready: self.sync == AnswerEnd::Silence,
            pauses: Pauses::from(port.now()),
        };
        let mut flush = FLUSH;
        loop {
            let left = deadline.saturating_sub(port.now());
            let silence = match self.end_of(&heard) {
                End::Now => return Ok(heard.lines),
                End::AfterSilence => {
                    let has_every_row = self.moves > 0 && heard.rows >= self.moves;
                    let is_whole = has_every_row || heard.has_total;
                    let least = if is_whole {
                        SILENCE_AFTER_ROWS
                    } else {
                        LONG_SILENCE
                    };
                    Some(heard.pauses.silence(least))
                }
                End::Later => None,
            };
            let flushes = self.sync == AnswerEnd::ReadyAtOnce && heard.is_ready && flush < left;
            // Running into the deadline after a complete answer is not the engine's fault.
            let is_enough = |silence| silence <= left || heard.rows >= self.moves;
            let longest = if flushes { flush } else { left };
            match port.hear(silence.map_or(longest, |silence| silence.min(left))) {
                Incoming::Line(text) => {
                    let (text, is_ready) = without_ready_ok(&text);
                    self.take(text, port.now(), &mut heard)?;
                    heard.is_ready |= is_ready;
                }
                // Some engines exit after their answer.
                Incoming::End if heard.has_total => return Ok(heard.lines),
                Incoming::Nothing if silence.is_some_and(is_enough) => return Ok(heard.lines),
                Incoming::Nothing if silence.is_none() && flushes => {
                    port.send("isready");
                    flush *= 2;
                }
                other => return Err(no_answer(&other)),
            }
        }
    }

    /// Keeps a line that may belong to the answer.
    fn take(&self, text: &str, now: Duration, heard: &mut Answering) -> Result<(), NoAnswer> {
        if text.is_empty() {
            return Ok(());
        }
        heard.pauses.end_at(now);
        let (rows, is_total) = self.form.finds_in(text, self.depth);
        heard.rows += rows;
        heard.has_total |= is_total;
        let is_message = is_error(text);
        heard.has_message |= is_message;
        if rows > 0 || is_total || is_message {
            heard.lines.push(shortened(text));
        }
        heard.bytes += text.len();
        if heard.lines.len() > MOST_LINES || heard.bytes > MOST_BYTES_OF_ALL {
            return Err(NoAnswer::Endless);
        }
        Ok(())
    }

    /// The condition under which the answer is complete.
    fn end_of(&self, heard: &Answering) -> End {
        let waits_for_total = self.form.has_total();
        match self.sync {
            _ if !heard.is_ready => End::Later,
            AnswerEnd::WhenReady if heard.has_total => End::Now,
            // Some print the total first.
            _ if heard.has_total && self.form.has_rows() && heard.rows < self.moves => {
                End::AfterSilence
            }
            _ if heard.has_total => End::Now,
            AnswerEnd::WhenReady if !waits_for_total => End::Now,
            // An error comes in place of the count.
            AnswerEnd::WhenReady if heard.has_message && heard.rows == 0 => End::Now,
            _ if heard.has_message && heard.rows == 0 => End::AfterSilence,
            // Some engines print nothing for a position without moves; and a total may be missed
            // because its line has a new format.
            _ if heard.rows >= self.moves => End::AfterSilence,
            _ if waits_for_total || heard.lines.is_empty() => End::Later,
            _ => End::AfterSilence,
        }
    }
}

struct Answering {
    lines: Vec<String>,
    bytes: usize,
    rows: usize,
    has_total: bool,
    /// Whether one of the lines says that something is wrong with the question.
    has_message: bool,
    is_ready: bool,
    pauses: Pauses,
}

/// The longest pause between lines so far, from which the next ones are estimated.
struct Pauses {
    last_line: Duration,
    longest: Duration,
    has_lines: bool,
}

impl Pauses {
    fn from(asked: Duration) -> Self {
        Self {
            last_line: asked,
            longest: Duration::ZERO,
            has_lines: false,
        }
    }

    fn end_at(&mut self, line: Duration) {
        let pause = line.saturating_sub(self.last_line);
        self.longest = self.longest.max(pause);
        self.last_line = line;
        self.has_lines = true;
    }

    /// The length of silence after which no more output is expected.
    fn silence(&self, least: Duration) -> Duration {
        least.max(self.longest * LONGER)
    }
}

/// When an answer is complete.
enum End {
    Now,
    AfterSilence,
    Later,
}

/// An engine's output after a question that it may not understand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is seen by itself")]
pub(super) struct Tried {
    /// The lines with numbers, up to the first sign of a search.
    pub(super) lines: Vec<String>,
    /// Whether it printed output typical of a search.
    pub(super) searched: bool,
    /// Whether it said that it does not know the command.
    pub(super) refused: bool,
    /// Whether `readyok` came after all other output.
    pub(super) ready_came_last: bool,
    /// The last line that is not blank, verbatim.
    pub(super) last: Option<String>,
    /// Whether it printed `uciok`, so that it has only now begun to read.
    pub(super) late_uciok: bool,
}

/// The correct result, used to recognise a complete answer before its format is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expected {
    /// The correct total.
    pub(super) count: u64,
    /// Number of rows of a correct divide.
    pub(super) moves: usize,
}

/// Time limits of a question that an engine may not understand.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnswerPatience {
    /// For the whole answer.
    pub(super) answer: Duration,
    /// For its first line, once the engine has said that it is ready: one that is ready and silent
    /// has ignored the question, unless it counts in a thread.
    pub(super) silence: Duration,
}

/// On a busy machine an engine's silence is longer than the time in which it said that it is ready,
/// by no more than this factor.
const LOAD: u32 = 20;

/// Asks an engine about which nothing is known, and reads until it falls silent; the silence is
/// shorter if the answer looks complete.
///
/// # Errors
///
/// When the engine ends. Printing nothing is not an error here.
pub(super) fn try_asking(
    port: &mut dyn Port,
    question: &[String],
    sync: AnswerEnd,
    patience: AnswerPatience,
    expected: Expected,
) -> Result<Tried, NoAnswer> {
    let asked = port.now();
    let deadline = asked + patience.answer;
    // What came in time is read late on a busy machine; a flood never ends.
    let flooded = deadline + patience.answer;
    // When it has ignored the question if it has printed nothing.
    let mut ignored = deadline;
    send(port, question, sync);
    let mut tried = Tried::default();
    let mut is_ready = sync == AnswerEnd::Silence;
    let mut pauses = Pauses::from(port.now());
    let (mut has_count, mut may_be_count) = (false, false);
    let (mut came, mut rows, mut bytes) = (0, 0, 0);
    let mut flush = FLUSH.min(patience.silence / 2);
    loop {
        let left = if tried.last.is_some() {
            deadline
        } else {
            ignored
        };
        let left = left.saturating_sub(port.now());
        let some_came = is_ready && tried.last.is_some();
        let looks_whole = has_count || rows >= expected.moves;
        let silence = pauses.silence(match (looks_whole, tried.ready_came_last) {
            (true, true) => SILENCE_WHEN_READY,
            (true, false) => SILENCE,
            (false, true) => SILENCE_OF_A_PART_WHEN_READY,
            (false, false) => SILENCE_OF_A_PART,
        });
        let flushes = sync != AnswerEnd::Silence && is_ready && !some_came && flush < left;
        let wait = match (some_came, flushes) {
            (true, _) => left.min(silence),
            (false, true) => flush,
            (false, false) => left,
        };
        match port.hear(wait) {
            Incoming::Line(_) if came > MOST_ROWS && port.now() > flooded => {
                return Err(NoAnswer::Endless);
            }
            Incoming::Line(text) => {
                let (text, says_ready) = without_ready_ok(&text);
                if says_ready && !is_ready {
                    let ready = port.now();
                    let silence = patience.silence.max(ready.saturating_sub(asked) * LOAD);
                    ignored = deadline.min(ready + silence);
                }
                is_ready |= says_ready;
                tried.ready_came_last = says_ready;
                if says_ready && tried.refused {
                    return Ok(tried);
                }
                came += 1;
                if came > MOST_LINES || bytes > MOST_BYTES_OF_ALL {
                    return Err(NoAnswer::Endless);
                }
                if text.is_empty() {
                    continue;
                }
                tried.late_uciok |= text.trim() == "uciok";
                tried.refused |= is_refusal(text);
                pauses.end_at(port.now());
                if !text.trim().is_empty() {
                    tried.last = Some(shortened(text));
                }
                let usual = LineReading::all().next().expect("the usual one");
                let parts = parse(text, usual);
                // Some end a count with `bestmove`, too; a search prints a score before it, or
                // nothing that resembles the count.
                let ends_count =
                    (may_be_count || rows > 0) && text.trim_start().starts_with("bestmove");
                if parts.contains(&AnswerLine::Search) && !ends_count {
                    tried.searched = true;
                    return Ok(tried);
                }
                let is_row = |part: &&AnswerLine| matches!(part, AnswerLine::Row(_));
                rows += parts.iter().filter(is_row).count();
                if has_digit(text) {
                    has_count |= has_number(text, expected.count);
                    may_be_count |= resembles(text, expected.count);
                    tried.lines.push(shortened(text));
                }
                bytes += text.len();
            }
            Incoming::End if tried.last.is_some() => return Ok(tried),
            Incoming::Nothing if flushes => {
                port.send("isready");
                flush *= 2;
            }
            // Cut off in the middle of a flood, so it has not fallen silent.
            Incoming::Nothing
                if (!looks_whole || rows > MOST_ROWS)
                    && port.now() >= deadline
                    && pauses.has_lines
                    && deadline.saturating_sub(pauses.last_line) < SILENCE_OF_A_PART =>
            {
                return Err(NoAnswer::Endless);
            }
            Incoming::Nothing => return Ok(tried),
            other => return Err(no_answer(&other)),
        }
    }
}

pub(super) fn has_digit(text: &str) -> bool {
    text.contains(|letter: char| letter.is_ascii_digit())
}

/// Whether a line contains a number that a faulty engine may count instead of this one.
fn resembles(text: &str, number: u64) -> bool {
    let runs = text.split(|letter: char| !letter.is_ascii_digit());
    let mut numbers = runs.filter_map(|run| run.parse::<u64>().ok());
    numbers.any(|found| found / 2 <= number && number / 2 <= found)
}

/// Whether a line says that something is wrong with the position, such as `info string illegal FEN`.
pub(super) fn is_error(text: &str) -> bool {
    const WORDS: [&str; 5] = ["invalid", "illegal", "reject", "not valid", "error"];
    let text = text.to_ascii_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

/// Whether a line says that the command before it is unknown.
fn is_refusal(text: &str) -> bool {
    const WORDS: [&str; 5] = [
        "unknown",
        "unrecognized",
        "unrecognised",
        "invalid command",
        "illegal command",
    ];
    let text = text.to_ascii_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

/// Whether a line contains this number, with or without digit grouping.
pub(super) fn has_number(text: &str, number: u64) -> bool {
    let digits = number.to_string();
    let is_in = |separates: fn(char) -> bool| {
        let joined: String = text.chars().filter(|&letter| !separates(letter)).collect();
        joined
            .split(|letter: char| !letter.is_ascii_digit())
            .any(|run| run == digits)
    };
    is_in(|_| false)
        || is_in(|letter| ",._'".contains(letter))
        || is_in(|letter| letter.is_whitespace() || letter == '\u{2019}')
}

/// The part of a line that is parsed.
pub(super) fn shortened(text: &str) -> String {
    text[..text.floor_char_boundary(MOST_BYTES)].to_owned()
}

/// Stops whatever the engine may still be doing after it misunderstood a question.
///
/// # Errors
///
/// When the engine does not become idle within `patience`.
pub(super) fn stop(port: &mut dyn Port, patience: Duration) -> Result<(), NoAnswer> {
    port.send("stop");
    let deadline = port.now() + patience;
    come_to_rest(port, deadline)?;
    while let Incoming::Line(_) = port.hear(SILENCE.min(deadline.saturating_sub(port.now()))) {}
    Ok(())
}

/// Waits for `readyok`; output before it is discarded.
pub(super) fn come_to_rest(port: &mut dyn Port, deadline: Duration) -> Result<(), NoAnswer> {
    port.send("isready");
    loop {
        match port.hear(deadline.saturating_sub(port.now())) {
            Incoming::Line(text) if is_ready(&text) => return Ok(()),
            Incoming::Line(_) => {}
            other => return Err(no_answer(&other)),
        }
    }
}

fn send(port: &mut dyn Port, question: &[String], sync: AnswerEnd) {
    for line in question {
        port.send(line);
    }
    if sync != AnswerEnd::Silence {
        port.send("isready");
    }
}

/// Whether the line is or ends in `readyok`.
pub(super) fn is_ready(text: &str) -> bool {
    without_ready_ok(text).1
}

/// Strips a `readyok` from the end of a line, as some print it without a line end before it.
fn without_ready_ok(text: &str) -> (&str, bool) {
    let rest = text.trim_end().strip_suffix("readyok");
    rest.map_or((text, false), |rest| (rest, true))
}

pub(super) fn no_answer(heard: &Incoming) -> NoAnswer {
    match heard {
        Incoming::Cancelled => NoAnswer::Cancelled,
        Incoming::Nothing => NoAnswer::TimedOut,
        Incoming::End | Incoming::Line(_) => NoAnswer::Ended,
    }
}

/// The next input from an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Incoming {
    /// A line, without its line end.
    Line(String),
    /// The output has been closed; nothing more will come.
    End,
    /// Nothing arrived in time.
    Nothing,
    /// The user ended the run.
    Cancelled,
}

/// A connection that carries lines to and from an engine.
pub(super) trait Port {
    /// Sends a line. If the engine has ended, the next call of `hear` reports it.
    fn send(&mut self, line: &str);

    /// Waits for the next line, at most this long.
    fn hear(&mut self, wait: Duration) -> Incoming;

    /// Time since a fixed moment, used for deadlines.
    fn now(&self) -> Duration;
}

/// A scripted engine: its lines in answer to each line sent, in order.
#[cfg(test)]
pub(crate) mod scripted {
    use std::collections::VecDeque;

    use super::{Duration, Incoming, Port};

    /// An engine whose answers are a function of the line sent.
    pub(crate) struct Scripted<F> {
        pub(crate) sent: Vec<String>,
        answer: F,
        said: VecDeque<Incoming>,
        now: Duration,
    }

    impl<F: FnMut(&str) -> Vec<Incoming>> Scripted<F> {
        pub(crate) fn new(answer: F) -> Self {
            Self {
                sent: Vec::new(),
                answer,
                said: VecDeque::new(),
                now: Duration::ZERO,
            }
        }
    }

    impl<F: FnMut(&str) -> Vec<Incoming>> Port for Scripted<F> {
        fn send(&mut self, line: &str) {
            self.sent.push(line.to_owned());
            self.said.extend((self.answer)(line));
        }

        /// Time passes only while nothing is printed.
        fn hear(&mut self, wait: Duration) -> Incoming {
            let heard = self.said.pop_front().unwrap_or(Incoming::Nothing);
            if heard == Incoming::Nothing {
                self.now += wait;
            }
            heard
        }

        fn now(&self) -> Duration {
            self.now
        }
    }

    pub(crate) fn lines(text: &str) -> Vec<Incoming> {
        text.lines()
            .map(|line| Incoming::Line(line.to_owned()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perft::ask::scripted::{Scripted, lines};

    /// Asks about the start position at depth 1.
    fn try_port(port: &mut dyn Port) -> Result<Tried, NoAnswer> {
        let answer = Duration::from_secs(3);
        let patience = AnswerPatience {
            answer,
            silence: answer,
        };
        let (count, moves) = (20, 20);
        let expected = Expected { count, moves };
        let question = ["go perft 1".to_owned()];
        try_asking(port, &question, AnswerEnd::ReadyAtOnce, patience, expected)
    }

    fn try_it(answer: impl FnMut(&str) -> Vec<Incoming>) -> Result<Tried, NoAnswer> {
        let mut port = Scripted::new(answer);
        let tried = try_port(&mut port);
        assert_eq!(port.sent[..2], ["go perft 1", "isready"]);
        tried
    }

    /// What is printed in answer to `isready` alone.
    fn try_ready(text: &str) -> Result<Tried, NoAnswer> {
        try_it(|line| lines(if line == "isready" { text } else { "" }))
    }

    #[test]
    fn output_before_and_behind_readyok_is_distinguished() {
        let before = try_ready("Nodes: 20\nreadyok").expect("an answer");
        assert!(before.ready_came_last && before.lines == ["Nodes: 20"]);
        // Some print no line end before it.
        let glued = try_ready("Nodes: 20readyok");
        assert_eq!(glued, Ok(before));
        let behind = try_ready("readyok\nNodes: 20");
        assert!(!behind.expect("an answer").ready_came_last);
    }

    #[test]
    fn a_search_is_not_a_count_but_a_count_may_end_in_bestmove() {
        let searching = try_ready("info depth 1 score cp 20 pv e2e4\nreadyok");
        assert!(searching.expect("an answer").searched);
        let counting = try_ready("info nodes 20\nbestmove 0000\nreadyok");
        assert!(!counting.expect("an answer").searched);
    }

    /// It is not waited for to the deadline.
    #[test]
    fn who_is_ready_and_silent_has_ignored_the_question() {
        let mut port = Scripted::new(|line| lines(if line == "isready" { "readyok" } else { "" }));
        let patience = AnswerPatience {
            answer: Duration::from_secs(3),
            silence: Duration::from_millis(200),
        };
        let (count, moves) = (20, 20);
        let question = ["go perft 1".to_owned()];
        let expected = Expected { count, moves };
        let tried = try_asking(
            &mut port,
            &question,
            AnswerEnd::ReadyAtOnce,
            patience,
            expected,
        );
        assert_eq!(tried.expect("no answer").last, None);
        assert_eq!(port.now(), patience.silence);
        // Some count in a thread, and flush when they are asked again.
        assert_eq!(port.sent, ["go perft 1", "isready", "isready"]);
    }

    #[test]
    fn who_does_not_know_the_command_is_not_waited_for() {
        let mut port = Scripted::new(|line| {
            lines(match line {
                "isready" => "readyok",
                _ => "info string Unknown command: go perft",
            })
        });
        assert!(try_port(&mut port).expect("an answer").refused);
        assert_eq!(port.now(), Duration::ZERO);
    }

    /// As BBC, which searches at any `go`, and prints its clock before it.
    #[test]
    fn a_move_without_a_count_is_a_search() {
        let text = "time: -1 start: 694650030 stop: 0 depth: 64\nbestmove a8a8\nreadyok";
        assert!(try_ready(text).expect("an answer").searched);
        let wrong = "info nodes 19\nbestmove 0000\nreadyok";
        assert!(!try_ready(wrong).expect("an answer").searched);
    }

    #[test]
    fn silence_is_not_an_error_but_an_end_is() {
        let silent = try_ready("readyok");
        assert_eq!(silent.expect("no answer").last, None);
        assert_eq!(try_it(|_| vec![Incoming::End]), Err(NoAnswer::Ended));
    }

    /// An engine that prints this line every millisecond, forever.
    struct Flood(&'static str, Duration);

    impl Port for Flood {
        fn send(&mut self, _: &str) {}

        fn hear(&mut self, wait: Duration) -> Incoming {
            if wait.is_zero() {
                return Incoming::Nothing;
            }
            self.1 += Duration::from_millis(1);
            Incoming::Line(self.0.to_owned())
        }

        fn now(&self) -> Duration {
            self.1
        }
    }

    /// Within the time limit, a slow machine reads too little of a flood to recognise it.
    #[test]
    fn a_flood_that_the_deadline_cuts_off_is_no_answer() {
        for line in ["still counting", "e2e4: 1"] {
            let tried = try_port(&mut Flood(line, Duration::ZERO));
            assert_eq!(tried, Err(NoAnswer::Endless), "{line}");
        }
    }

    /// Its counting thread prints, but only the answer to `isready` flushes.
    #[test]
    fn who_does_not_flush_is_asked_again_whether_it_is_ready() {
        let mut asked = 0;
        let tried = try_it(|line| {
            asked += usize::from(line == "isready");
            match (line, asked) {
                ("isready", 2) => lines("Nodes: 20\nreadyok"),
                ("isready", _) => lines("readyok"),
                _ => Vec::new(),
            }
        });
        assert_eq!(tried.expect("an answer").lines, ["Nodes: 20"]);
    }

    #[test]
    fn numbers_are_found_in_groups() {
        for text in ["n 8902", "8,902", "8.902.", "8 902 ms", "8\u{202f}902"] {
            assert!(has_number(text, 8902), "{text}");
        }
        assert!(!has_number("18902 89020", 8902));
    }

    #[test]
    fn who_was_silent_may_be_so_again() {
        let second = Duration::from_secs(1);
        let mut pauses = Pauses::from(5 * second);
        assert_eq!(pauses.silence(second), second);
        for line in [5, 8, 9] {
            pauses.end_at(line * second);
        }
        assert_eq!(pauses.silence(second), 12 * second);
        assert_eq!(pauses.silence(20 * second), 20 * second);
    }
}
