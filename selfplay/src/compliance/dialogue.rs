//! A dialogue with one process of the engine: every wait has a deadline, and output is bounded.

use std::time::{Duration, Instant};

use uci::grammar::{EngineOption, OptionKind};
use uci::{Client, EngineError, Line, LineDirection, ProcessExit, Received};

use super::check::{CheckFinding, CheckedEngine, CommonCause, Objection, Patience, demand};
use super::judge::{self, JudgedOutput};
use super::question::{PositionQuestion, middle_game};

/// Maximum output before one answer, in bytes.
const MOST_OUTPUT: usize = 64 << 20;

/// How often a wait that is no wait for a line looks whether the user has ended the run.
const SLICE: Duration = Duration::from_millis(50);

/// How this engine is asked for a short search. The limit is one that it answers, which need not be
/// the one that it obeys best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ShortSearch {
    /// Sends `ucinewgame` before the first position.
    with_new_game: bool,
    limit: ShortLimit,
    /// Whether the engine answers neither a depth nor a time per move.
    needs_clock: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ShortLimit {
    #[default]
    Depth,
    Movetime,
    Clock,
}

/// The greatest depth of a short search.
const DEEPEST: u32 = 6;

/// Time for the answer to a short search while its kind is being sought.
const SHORT: Duration = Duration::from_secs(2);

impl ShortSearch {
    /// The first kind that the engine answers with a legal move, each tried in a fresh process, and that
    /// remains short at the greatest depth; the first that is answered at all if none does, and the usual
    /// one if none is.
    pub(super) fn find(subject: &CheckedEngine) -> Self {
        // A depth comes first: its answer does not depend on how busy the machine is.
        let limits = [ShortLimit::Depth, ShortLimit::Movetime, ShortLimit::Clock];
        let kinds = [false, true].into_iter().flat_map(|with_new_game| {
            limits.map(|limit| Self {
                with_new_game,
                limit,
                needs_clock: limit == ShortLimit::Clock,
            })
        });
        let mut slow: Option<Self> = None;
        for kind in kinds {
            // An engine that has answered, if slowly, needs no `ucinewgame`; sending it would
            // change nothing.
            if slow.is_some_and(|slow| slow.with_new_game != kind.with_new_game) {
                break;
            }
            // An engine that answers a depth or a time per move slowly does not need a clock.
            let needs_clock = kind.needs_clock && slow.is_none();
            let kind = Self {
                needs_clock,
                ..kind
            };
            let Ok(mut dialogue) = Dialogue::start(subject, kind) else {
                break;
            };
            // Without a handshake no kind works; and an end or an illegal move is no matter of limits.
            if dialogue.begin_games().is_err() {
                break;
            }
            match dialogue.first_search(SHORT) {
                Ok(()) => {}
                Err(Objection::Unanswered(_)) => continue,
                Err(_) => break,
            }
            if !dialogue.is_slow() {
                return kind;
            }
            slow.get_or_insert(kind);
        }
        slow.unwrap_or_default()
    }
}

/// A `go` command.
#[derive(Clone, Debug)]
pub(super) enum GoRequest {
    /// A short search: to this depth, if the engine answers `go depth`.
    Short(u32),
    Line(String),
}

impl From<u32> for GoRequest {
    fn from(depth: u32) -> Self {
        Self::Short(depth)
    }
}

impl From<&str> for GoRequest {
    fn from(line: &str) -> Self {
        Self::Line(line.to_owned())
    }
}

impl From<String> for GoRequest {
    fn from(line: String) -> Self {
        Self::Line(line)
    }
}

/// A dialogue with a fresh engine process.
pub(super) struct Dialogue<'a> {
    pub(super) client: Client,
    subject: &'a CheckedEngine,
    short: ShortSearch,
    /// The last `go` command that was sent alone.
    asked: String,
    /// The lines between `uci` and `uciok`.
    pub(super) introduction: Vec<String>,
}

/// A line that was waited for, and the output before it.
#[derive(Debug)]
pub(super) struct AwaitedLine {
    pub(super) before: Vec<Line>,
    pub(super) line: Line,
}

#[derive(Debug)]
pub(super) struct SearchedQuestion {
    /// Its `info` lines and any other output before the answer.
    pub(super) before: Vec<Line>,
    pub(super) answer: JudgedOutput,
    /// Time from the last byte sent to the answer.
    pub(super) took: Duration,
}

impl SearchedQuestion {
    pub(super) fn infos(&self) -> impl DoubleEndedIterator<Item = &Line> {
        self.before.iter().filter(|line| is(line, "info"))
    }
}

impl<'a> Dialogue<'a> {
    /// Starts the engine without sending anything.
    pub(super) fn start(
        subject: &'a CheckedEngine,
        short: ShortSearch,
    ) -> Result<Self, EngineError> {
        let mut client = Client::start(&subject.start)?;
        // An engine that does not read its input must not block the check.
        client.set_send_timeout(subject.patience.answer);
        Ok(Self {
            client,
            subject,
            short,
            asked: String::new(),
            introduction: Vec::new(),
        })
    }

    pub(super) fn patience(&self) -> Patience {
        self.subject.patience
    }

    /// Lines that the engine has written to standard error.
    pub(super) fn stderr(&self) -> Vec<String> {
        let transcript = self.client.transcript();
        let complaints = transcript
            .entries()
            .filter(|entry| entry.direction == LineDirection::Stderr);
        complaints.map(|entry| entry.text.clone()).collect()
    }

    /// Fails once the user has ended the run.
    pub(super) fn check_cancelled(&self) -> CheckFinding {
        if self.subject.start.cancel.is_set() {
            Err(Objection::Cancelled)
        } else {
            Ok(())
        }
    }

    // Sending.

    pub(super) fn say(&mut self, line: &str) -> Result<Instant, Objection> {
        Ok(self.client.send_line(line)?)
    }

    pub(super) fn say_at_once(&mut self, lines: &[&str]) -> Result<Instant, Objection> {
        Ok(self.client.send_lines(lines)?)
    }

    /// Sends a text as is, including its line ends.
    pub(super) fn say_as_it_is(&mut self, text: &str) -> Result<Instant, Objection> {
        Ok(self.client.send_text(text)?)
    }

    // Receiving.

    /// Reads until a line begins with `word`.
    pub(super) fn hear(&mut self, word: &str, within: Duration) -> Result<AwaitedLine, Objection> {
        let deadline = now() + within;
        let mut before = Vec::new();
        let mut bytes = 0;
        while let Some(line) = self.next(deadline)? {
            if is(&line, word) {
                return Ok(AwaitedLine { before, line });
            }
            bytes += line.text.len() + line.cut;
            demand(bytes <= MOST_OUTPUT, || {
                format!("no {word}, but more than 64 MiB of other output")
            })?;
            before.push(line);
        }
        let within = within.as_secs_f64();
        Err(Objection::Unanswered(format!(
            "no {word} within {within} s"
        )))
    }

    /// Reads for a fixed time and returns all lines.
    pub(super) fn listen(&mut self, time: Duration) -> Result<Vec<Line>, Objection> {
        let deadline = now() + time;
        let mut lines = Vec::new();
        while let Some(line) = self.next(deadline)? {
            lines.push(line);
        }
        Ok(lines)
    }

    /// The next line; `None` if there is none by the deadline.
    fn next(&mut self, deadline: Instant) -> Result<Option<Line>, Objection> {
        match self.client.next_line(deadline)? {
            Received::Line(line) => Ok(Some(line)),
            Received::TimedOut => Ok(None),
            Received::Cancelled => Err(Objection::Cancelled),
            Received::Eof => Err(self.client.ended().into()),
        }
    }

    // Building blocks of most checks.

    /// Sends `uci`, sets the user's options, and waits until the engine is ready.
    pub(super) fn greet(&mut self) -> CheckFinding {
        self.introduce()?;
        for (name, value) in &self.subject.start.options {
            let Some(option) = self.option(name) else {
                return Err(Objection::NoOption(name.clone()));
            };
            let value = match value.as_deref() {
                // UCI: a button has no value, and "an empty string has the value `<empty>`".
                Some("") if option.kind == OptionKind::Button => None,
                Some("") => Some("<empty>"),
                value => value,
            };
            self.say(&set_option(name, value))?;
        }
        self.ready()?;
        Ok(())
    }

    /// Sends `uci`, sets the options, and announces a game if the engine needs that.
    pub(super) fn begin_games(&mut self) -> CheckFinding {
        self.greet()?;
        if self.short.with_new_game {
            self.new_game()?;
        }
        Ok(())
    }

    /// Sends `uci` and reads the answer up to `uciok`.
    pub(super) fn introduce(&mut self) -> Result<&[String], Objection> {
        self.say("uci")?;
        let heard = self.hear("uciok", self.patience().answer)?;
        self.introduction = heard.before.into_iter().map(|line| line.text).collect();
        Ok(&self.introduction)
    }

    /// The objection to an engine that has not answered `uci`.
    pub(super) fn unanswered_greeting(&self, what: String) -> Objection {
        Objection::Unanswered(match self.subject.start.other_protocol() {
            Some(speaks) => format!("{what}: {}", EngineError::WrongProtocol { speaks }),
            None => what,
        })
    }

    /// The option of this name, ignoring case.
    pub(super) fn option(&self, name: &str) -> Option<EngineOption> {
        judge::declared(&self.introduction)
            .into_iter()
            .find(|option| option.name.eq_ignore_ascii_case(name))
    }

    pub(super) fn set(&mut self, name: &str, value: &str) -> CheckFinding {
        self.say(&set_option(name, Some(value)))?;
        Ok(())
    }

    /// Sends `isready`, waits for `readyok`, and returns the lines before it.
    pub(super) fn ready(&mut self) -> Result<Vec<Line>, Objection> {
        self.say("isready")?;
        let heard = self.hear("readyok", self.patience().answer)?;
        Ok(heard.before)
    }

    /// Checks that the engine is alive and has not sent `bestmove` meanwhile.
    pub(super) fn ready_without_bestmove(&mut self) -> CheckFinding {
        no_bestmove(&self.ready()?)
    }

    pub(super) fn new_game(&mut self) -> CheckFinding {
        self.say("ucinewgame")?;
        self.ready_without_bestmove()
    }

    /// The `go` command of a short search, to this depth if the engine answers `go depth`.
    pub(super) fn short(&self, depth: u32) -> String {
        match self.short.limit {
            ShortLimit::Depth => format!("go depth {depth}"),
            ShortLimit::Movetime => "go movetime 50".to_owned(),
            ShortLimit::Clock => "go wtime 1000 btime 1000".to_owned(),
        }
    }

    pub(super) fn begin(
        &mut self,
        question: &PositionQuestion,
        go: impl Into<GoRequest>,
    ) -> Result<Instant, Objection> {
        self.asked = match go.into() {
            GoRequest::Short(depth) => self.short(depth),
            GoRequest::Line(line) => line,
        };
        self.say(&question.line)?;
        let go = self.asked.clone();
        self.say(&go)
    }

    /// Whether the last `go` has one of these words.
    fn has_asked(&self, words: &[&str]) -> bool {
        let mut asked = self.asked.split(' ');
        asked.any(|word| words.contains(&word))
    }

    /// A short search, which no book answers. The engine has time to read the position before `go` comes,
    /// so that nothing but a search is tried.
    pub(super) fn first_search(&mut self, within: Duration) -> CheckFinding {
        let question = PositionQuestion::outside_books();
        self.say(&question.line)?;
        no_bestmove(&self.listen(SLICE)?)?;
        self.asked = self.short(1);
        let go = self.asked.clone();
        let since = self.say(&go)?;
        self.answer_within(&question, since, within)?;
        self.ready_without_bestmove()
    }

    /// Whether a short search takes long where there is much to search. A slow engine must not fail the
    /// checks that only want to see an answer.
    fn is_slow(&mut self) -> bool {
        let question = middle_game();
        let tried = self.begin(&question, DEEPEST);
        let tried = tried.and_then(|since| self.answer_within(&question, since, SHORT));
        matches!(tried, Err(Objection::Unanswered(_)))
    }

    /// Waits for the one legal answer to the search started at `since`.
    pub(super) fn answer(
        &mut self,
        question: &PositionQuestion,
        since: Instant,
    ) -> Result<SearchedQuestion, Objection> {
        self.answer_within(question, since, self.patience().answer)
    }

    /// Waits less than usual for the answer, where waiting longer would change no verdict.
    pub(super) fn answer_within(
        &mut self,
        question: &PositionQuestion,
        since: Instant,
        within: Duration,
    ) -> Result<SearchedQuestion, Objection> {
        let heard = self.hear("bestmove", within);
        let heard = heard.map_err(|objection| self.without_clock(objection))?;
        let took = heard.line.at.saturating_duration_since(since);
        let is_found =
            |line: &Line| is(line, "info") && !judge::values(&line.text, "pv").is_empty();
        // Nobody ends a search to a depth or number of nodes early.
        let is_ended = !self.has_asked(&["depth", "nodes", "mate"]);
        let answer = judge::read(question, &heard.line.text).map_err(|what| {
            if heard.before.iter().any(is_found) || !is_ended {
                Objection::Fault(what)
            } else {
                Objection::Symptom(CommonCause::NoMoveYet, what)
            }
        })?;
        Ok(SearchedQuestion {
            before: heard.before,
            answer,
            took,
        })
    }

    /// Searches a position: exactly one legal answer is expected.
    pub(super) fn search(
        &mut self,
        question: &PositionQuestion,
        go: impl Into<GoRequest>,
    ) -> Result<SearchedQuestion, Objection> {
        let since = self.begin(question, go)?;
        let searched = self.answer(question, since)?;
        self.ready_without_bestmove()?;
        Ok(searched)
    }

    /// The fault of a search without an answer: of one without a clock, by an engine that answers no depth
    /// and no time per move, it is that it needs one.
    fn without_clock(&self, objection: Objection) -> Objection {
        match objection {
            Objection::Unanswered(what)
                if self.short.needs_clock && !self.has_asked(&["wtime"]) =>
            {
                let what = format!("{what}; it answers a go with wtime and btime alone");
                Objection::Symptom(CommonCause::ClockOnly, what)
            }
            objection => objection,
        }
    }

    /// The fault of a command that had no effect during a search: of one that ended the search, it is that
    /// whatever comes is taken for `stop`.
    pub(super) fn of_lost_line(&self, objection: Objection) -> Objection {
        match objection {
            Objection::Fault(what) | Objection::Unanswered(what)
                if self.client.has_printed("bestmove") =>
            {
                let what = format!("{what}, but bestmove came");
                Objection::Symptom(CommonCause::LineTakenForStop, what)
            }
            objection => objection,
        }
    }

    /// Reads until the engine has exited, and returns how; `None` if it is alive after `within`.
    pub(super) fn wait_for_end(
        &mut self,
        within: Duration,
    ) -> Result<Option<ProcessExit>, Objection> {
        let deadline = now() + within;
        loop {
            match self.client.next_line(deadline)? {
                Received::Line(_) => {}
                Received::Cancelled => return Err(Objection::Cancelled),
                // An engine cannot exit while it is blocked on a full pipe, so its output is read
                // until then.
                Received::TimedOut | Received::Eof => break,
            }
        }
        loop {
            let exit = self.client.wait(deadline.min(now() + SLICE));
            if exit.is_some() || now() >= deadline {
                return Ok(exit);
            }
            self.check_cancelled()?;
        }
    }
}

/// A `setoption` command; a button takes no value.
pub(super) fn set_option(name: &str, value: Option<&str>) -> String {
    match value {
        Some(value) => format!("setoption name {name} value {value}"),
        None => format!("setoption name {name}"),
    }
}

/// Whether the line begins with this word.
pub(super) fn is(line: &Line, word: &str) -> bool {
    line.text.split_ascii_whitespace().next() == Some(word)
}

pub(super) fn no_bestmove(lines: &[Line]) -> CheckFinding {
    let bestmove = lines.iter().find(|line| is(line, "bestmove"));
    demand(bestmove.is_none(), || {
        let text = bestmove.map_or("", |line| &line.text);
        format!("'{text}' came unasked for")
    })
}

#[expect(clippy::disallowed_methods, reason = "deadlines are met here")]
pub(super) fn now() -> Instant {
    Instant::now()
}

// Lists the live processes of a process group.

/// Live processes of a group, including its leader; `None` where the system does not report them.
/// Processes that have exited but have not been reaped are not counted.
#[cfg(target_os = "linux")]
pub(super) fn living(group: u32) -> Option<Vec<u32>> {
    let entries = std::fs::read_dir("/proc").ok()?;
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    Some(numbers.filter(|&number| is_in(number, group)).collect())
}

/// Not supported on this system.
#[cfg(not(target_os = "linux"))]
pub(super) fn living(_group: u32) -> Option<Vec<u32>> {
    None
}

#[cfg(target_os = "linux")]
#[expect(clippy::disallowed_methods, reason = "the kernel reports it in files")]
fn is_in(process: u32, group: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"));
    stat.is_ok_and(|stat| is_living_member(&stat, group))
}

/// Parses `/proc/…/stat`: pid, name in parentheses, state, parent, group. The name may contain
/// anything, including parentheses.
#[cfg(target_os = "linux")]
fn is_living_member(stat: &str, group: u32) -> bool {
    let Some((_, fields)) = stat.rsplit_once(')') else {
        return false;
    };
    let mut fields = fields.split_ascii_whitespace();
    // proc_pid_stat(5): fields 3 to 5 are state, parent and group; Z is a zombie, X is dead.
    let state = fields.next().unwrap_or("Z");
    let its_group = fields.nth(1).and_then(|field| field.parse().ok());
    its_group == Some(group) && !matches!(state, "Z" | "X")
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn members_live() {
        let rows = [
            ("7 (a b) c) S 1 5 5 0", 5, true),
            ("7 (a) R 1 5 5 0", 6, false),
            ("7 (a) Z 1 5 5 0", 5, false),
            ("", 5, false),
        ];
        for (stat, group, expected) in rows {
            assert_eq!(is_living_member(stat, group), expected, "{stat}");
        }
    }
}
