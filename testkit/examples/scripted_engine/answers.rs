//! Requests for counts, and their answers.

use std::io;
use std::num::NonZeroU32;
use std::thread::JoinHandle;

use chess::notation::fen;

use crate::board::Board;
use crate::flags::{Crash, Dialect, Flags};
use crate::process::{Next, crash, hang, say};
use crate::wording;

/// What counting leaves behind.
#[derive(Default)]
pub(crate) struct Counts {
    answers: u32,
    /// A count in a thread.
    counting: Option<JoinHandle<io::Result<()>>>,
    /// An answer that is printed after `readyok`.
    pub(crate) late: Vec<String>,
}

/// The depth, if the line asks for a count in the engine's dialect.
pub(crate) fn question(flags: &Flags, line: &str, board: &mut Board) -> Option<NonZeroU32> {
    match flags.count.dialect {
        Dialect::GoPerft => line.strip_prefix("go perft ")?.parse().ok(),
        Dialect::Perft => line.strip_prefix("perft ")?.parse().ok(),
        Dialect::PerftFen => {
            let (depth, fen) = line.strip_prefix("perft ")?.split_once(' ')?;
            board.start_from(fen::parse(fen.trim()).ok()?);
            depth.parse().ok()
        }
        Dialect::Script => None,
    }
}

impl Counts {
    /// Answers a question about the position on the board.
    pub(crate) fn count(
        &mut self,
        flags: &Flags,
        board: &Board,
        depth: NonZeroU32,
    ) -> io::Result<Next> {
        if let Some(counting) = self.counting.take() {
            counting.join().expect("counting does not panic")?;
        }
        let count = &flags.count;
        let has_ep_square = board.position().ep_square().is_some();
        let plies = board.game().moves().len();
        let aborts = count.most_plies.is_some_and(|most| plies > most)
            || count.crash_on_bare_king && board.is_bare_king();
        let how = flags
            .turn
            .crash
            .or(count.crash_on_ep.filter(|_| has_ep_square));
        if let Some(how) = how.or(aborts.then_some(Crash::Abort)) {
            return Ok(crash(how));
        }
        let is_first = *board.position() == *Board::startpos().position();
        if flags.turn.hang && !is_first
            || count.hang_on_castling && board.can_castle()
            || count.hang_on_bare_king && board.is_bare_king()
        {
            hang();
        }
        if let Some(lines) = flags.turn.flood {
            for _ in 0..lines {
                say(b"still counting\n")?;
            }
            return Ok(Next::Read);
        }
        if count.mute {
            return Ok(Next::Read);
        }
        self.answers += 1;
        let (flags, board, number) = (flags.clone(), board.clone(), self.answers);
        if count.ready_first && !is_first {
            let answer = Answer::new(&flags, &board, number, depth);
            self.late = [answer.before, answer.rows, answer.after].concat();
        } else if count.asynchronous {
            let print = move || Answer::new(&flags, &board, number, depth).print(&flags);
            self.counting = Some(std::thread::spawn(print));
        } else {
            Answer::new(&flags, &board, number, depth).print(&flags)?;
        }
        Ok(if count.end_after_answer {
            Next::End(std::process::ExitCode::SUCCESS)
        } else {
            Next::Read
        })
    }
}

/// The lines of an answer. Only the rows may be printed slowly.
struct Answer {
    before: Vec<String>,
    rows: Vec<String>,
    after: Vec<String>,
}

impl Answer {
    fn new(flags: &Flags, board: &Board, number: u32, depth: NonZeroU32) -> Self {
        let flags = &flags.count;
        let mut counted = board.count(flags, depth);
        let earlier = (1..depth.get()).filter_map(NonZeroU32::new);
        let earlier = earlier.map(|depth| board.count(flags, depth).total);
        let earlier: Vec<u64> = earlier.collect();

        let text = |m| wording::coordinates(flags, board, m);
        let texts = counted.rows.iter().map(|&(m, _)| text(m));
        let adds = texts.min().as_deref() == Some("a1b1");
        if flags.flaky && number.is_multiple_of(3) {
            if let Some((_, nodes)) = counted.rows.first_mut() {
                *nodes += 1;
            }
            counted.total += 1;
        }
        if flags.twice
            && let Some(&row) = counted.rows.iter().max_by_key(|(m, _)| text(*m))
        {
            counted.rows.push(row);
            counted.total += row.1;
        }
        if let Some(out) = &flags.leave_out {
            let left = counted.rows.extract_if(.., |(m, _)| text(*m) == *out);
            counted.total -= left.map(|(_, nodes)| nodes).sum::<u64>();
        }
        let mut rows = wording::rows(flags, board, &counted);
        if let Some(added) = flags.add.as_ref().filter(|_| adds) {
            rows.push(format!("{added}: 1"));
            counted.total += 1;
        }
        if flags.duplicate_row {
            rows.extend(rows.last().cloned());
        }
        counted.total += u64::from(flags.wrong_total);

        let mut before = Vec::new();
        let mut after = wording::total(flags, &counted, &earlier);
        if flags.chatter {
            before.extend(
                [
                    "Hash: 16 MB",
                    "info string best line so far e2e4 e7e5, 12 plies",
                    "e2e4 e7e5 g1f3",
                ]
                .map(str::to_owned),
            );
        }
        before.extend((0..flags.log).map(|number| format!("visited node {number}")));
        if flags.total_first {
            before.append(&mut after);
        }
        if flags.chatter {
            after.extend(["2 threads, 16 MB", "done"].map(str::to_owned));
        }
        Self {
            before,
            rows,
            after,
        }
    }

    fn print(&self, flags: &Flags) -> io::Result<()> {
        if flags.turn.garbage {
            say(GARBAGE)?;
        }
        flags.say_lines(&self.before)?;
        if flags.count.slow_rows.is_zero() {
            flags.say_lines(&self.rows)?;
        } else {
            for row in &self.rows {
                flags.say_lines(std::slice::from_ref(row))?;
                std::thread::sleep(flags.count.slow_rows);
            }
        }
        flags.say_lines(&self.after)
    }
}

/// Bytes that are not text, in two lines.
pub(crate) const GARBAGE: &[u8] = b"\xff\xfe\0\x1b[31m\x80garbage\0\r\n\r\n\n\xc3\n";

impl Flags {
    /// Prints lines, all in one write.
    pub(crate) fn say_lines(&self, lines: &[impl AsRef<str>]) -> io::Result<()> {
        let end = if self.turn.garbage { "\r\n" } else { "\n" };
        let text = lines.iter().flat_map(|line| [line.as_ref(), end]);
        say(text.collect::<String>().as_bytes())
    }
}
