//! What is said to each line.

use std::io::{self, Write as _};
use std::num::NonZeroU32;
use std::process::ExitCode;
use std::thread::JoinHandle;
use std::time::Duration;

use crate::counts::Board;
use crate::flags::{Crash, Dialect, Flags};
use crate::print::Wording;

/// What to do after a line.
pub(crate) enum Next {
    Read,
    End(ExitCode),
}

/// A conversation.
pub(crate) struct Session {
    flags: Flags,
    board: Board,
    answers: u32,
    /// A count in a thread.
    counting: Option<JoinHandle<io::Result<()>>>,
    /// Whether a search waits for `stop`.
    searching: bool,
}

impl Session {
    pub(crate) fn new(flags: &Flags) -> Self {
        Self {
            flags: flags.clone(),
            board: Board::startpos(),
            answers: 0,
            counting: None,
            searching: false,
        }
    }

    pub(crate) fn set(&mut self, board: Board) {
        self.board = board;
    }

    pub(crate) fn obey(&mut self, line: &str) -> io::Result<Next> {
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "quit" if !self.flags.ignore_quit => return Ok(Next::End(ExitCode::SUCCESS)),
            "quit" => {}
            "uci" | "isready" | "setoption" | "stop" if !self.flags.console => {
                return self.obey_uci(word);
            }
            "position" if self.flags.dialect != Dialect::PerftFen => {
                match Board::of_command(rest, self.flags.castling_by_text) {
                    Some(board) => self.set(board),
                    None => say(&[format!("cannot set up {rest}")])?,
                }
            }
            "go" if !self.flags.console && self.searches() => self.search()?,
            _ => match self.question(line) {
                Some(depth) => return self.count(depth),
                None => say(&[format!("Unknown command: '{line}'")])?,
            },
        }
        Ok(Next::Read)
    }

    fn obey_uci(&mut self, word: &str) -> io::Result<Next> {
        match word {
            "uci" => {
                if let Some(how) = self.flags.crash_on_uci {
                    return Ok(Next::End(crash(how)));
                }
                say(&[
                    "id name Faulty Engine".to_owned(),
                    "id author Touchstone".to_owned(),
                    "option name Hash type spin default 16 min 1 max 1024".to_owned(),
                ])?;
                if !self.flags.no_chess960 {
                    say(&["option name UCI_Chess960 type check default false".to_owned()])?;
                }
                say(&["uciok".to_owned()])?;
            }
            "isready" => say(&["readyok".to_owned()])?,
            "stop" if std::mem::take(&mut self.searching) => say(&["bestmove e2e4".to_owned()])?,
            _ => {}
        }
        Ok(Next::Read)
    }

    /// The depth asked for, if the line is a question in the engine's dialect.
    fn question(&mut self, line: &str) -> Option<NonZeroU32> {
        match self.flags.dialect {
            Dialect::GoPerft => line.strip_prefix("go perft ")?.parse().ok(),
            Dialect::Perft => line.strip_prefix("perft ")?.parse().ok(),
            Dialect::PerftFen => {
                let (depth, fen) = line.strip_prefix("perft ")?.split_once(' ')?;
                self.board = Board::by_fen(fen)?;
                depth.parse().ok()
            }
            Dialect::Script => None,
        }
    }

    fn searches(&self) -> bool {
        self.flags.search || self.flags.search_until_stop
    }

    fn search(&mut self) -> io::Result<()> {
        say(&["info depth 1 score cp 20 nodes 20 pv e2e4".to_owned()])?;
        if self.flags.search_until_stop {
            self.searching = true;
            return Ok(());
        }
        say(&["bestmove e2e4".to_owned()])
    }

    /// Answers a question about the position on the board.
    pub(crate) fn count(&mut self, depth: NonZeroU32) -> io::Result<Next> {
        if let Some(counting) = self.counting.take() {
            counting.join().expect("counting does not panic")?;
        }
        if let Some(how) = self.crash_here() {
            return Ok(Next::End(crash(how)));
        }
        if self.hangs_here() {
            hang();
        }
        if self.flags.flood {
            loop {
                say(&["still counting".to_owned()])?;
            }
        }
        if self.flags.mute {
            return Ok(Next::Read);
        }
        self.answers += 1;
        let (flags, board, answers) = (self.flags.clone(), self.board.clone(), self.answers);
        if self.flags.asynchronous {
            let answer = move || answer(&flags, &board, answers, depth);
            self.counting = Some(std::thread::spawn(answer));
        } else {
            answer(&flags, &board, answers, depth)?;
        }
        Ok(if self.flags.end_after_answer {
            Next::End(ExitCode::SUCCESS)
        } else {
            Next::Read
        })
    }

    fn crash_here(&self) -> Option<Crash> {
        let has_ep_square = self.board.position().ep_square().is_some();
        let on_ep = self.flags.crash_on_ep.filter(|_| has_ep_square);
        let plies = self.board.plies();
        let is_long = self.flags.most_plies.is_some_and(|most| plies > most);
        self.flags
            .crash
            .or(on_ep)
            .or(is_long.then_some(Crash::Abort))
    }

    fn hangs_here(&self) -> bool {
        let is_first = *self.board.position() == *Board::startpos().position();
        self.flags.hang && !is_first || self.flags.hang_on_castling && self.board.can_castle()
    }
}

/// Counts and prints.
fn answer(flags: &Flags, board: &Board, answers: u32, depth: NonZeroU32) -> io::Result<()> {
    let count = |depth| match flags.repetition_ends {
        Some(times) => board.count_to_repetition(times, depth),
        None => board.count(flags.mutation, depth),
    };
    let mut counted = count(depth);
    if flags.flaky && answers.is_multiple_of(3) {
        if let Some((_, nodes)) = counted.rows.first_mut() {
            *nodes += 1;
        }
        counted.total += 1;
    }
    let wording = Wording {
        rows: flags.rows,
        total: flags.total,
        castling: flags.castling,
    };
    let mut rows = wording.rows(board, &counted);
    if flags.duplicate_row {
        rows.extend(rows.last().cloned());
    }
    counted.total += u64::from(flags.wrong_total);
    let earlier = (1..depth.get()).filter_map(NonZeroU32::new);
    let earlier: Vec<u64> = earlier.map(|depth| count(depth).total).collect();
    write_noise(flags)?;
    let end = if flags.garbage { "\r\n" } else { "\n" };
    let total = wording.total(&counted, &earlier);
    if flags.total_first {
        say_ended_by(&total, end)?;
    }
    say_slowly(&rows, flags.slow_rows)?;
    if !flags.total_first {
        say_ended_by(&total, end)?;
    }
    if flags.chatter {
        say(&["2 threads, 16 MB".to_owned(), "done".to_owned()])?;
    }
    Ok(())
}

/// What comes before the answer and is none of it.
fn write_noise(flags: &Flags) -> io::Result<()> {
    if flags.chatter {
        say(&[
            "Hash: 16 MB".to_owned(),
            "info string best line so far e2e4 e7e5, 12 plies".to_owned(),
            "e2e4 e7e5 g1f3".to_owned(),
        ])?;
    }
    if flags.garbage {
        let mut stdout = io::stdout().lock();
        stdout.write_all(b"\xff\xfe\0\x1b[31m\x80garbage\0\r\n\r\n\n")?;
    }
    for number in 0..flags.log {
        say(&[format!("visited node {number}")])?;
    }
    Ok(())
}

fn say_slowly(rows: &[String], pause_ms: u64) -> io::Result<()> {
    if pause_ms == 0 {
        return say(rows);
    }
    for row in rows {
        say(std::slice::from_ref(row))?;
        std::thread::sleep(Duration::from_millis(pause_ms));
    }
    Ok(())
}

fn say(lines: &[String]) -> io::Result<()> {
    say_ended_by(lines, "\n")
}

/// Prints lines, all in one write.
fn say_ended_by(lines: &[String], end: &str) -> io::Result<()> {
    let text: String = lines.iter().flat_map(|line| [line, end]).collect();
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

fn crash(how: Crash) -> ExitCode {
    match how {
        Crash::Panic => panic!("as asked"),
        Crash::Abort => std::process::abort(),
        Crash::Exit(code) => ExitCode::from(code),
    }
}

/// Does nothing for ever.
pub(crate) fn hang() -> ! {
    loop {
        std::thread::sleep(Duration::from_hours(1));
    }
}
