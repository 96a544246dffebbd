//! The UCI session: executes each input line or rejects it with a reason.
//!
//! Searches, `go perft` and `bench` run on the worker thread; everything else is executed at once.
//! A `go` after a search that ends by itself is done after it. Other commands that would interfere
//! with a running job are rejected. If the job has been stopped, the session waits for it instead:
//! milliseconds for a search, up to a second for a count on very many threads.

mod setup;
mod work;

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use chess::rules::Position;
use engine::book::{self, Book};
use engine::eval::{ChessBin, Evaluation, Network};
use engine::search::Profile;
use tablebase::Tablebase;
use uci::grammar::{Command, Message};

use crate::board::SessionBoard;
use crate::control::JobControl;
use crate::display::{BoardDrawing, MoveLine};
use crate::input::BadLine;
use crate::opening::SplitMix64;
use crate::options::Options;
use crate::output::StandardOutput;
use crate::report::NO_MOVE;
use crate::request::{Intent, Request};
use crate::worker::{SinceLine, WorkerThread};

/// How long `quit` waits for the answer of a search.
const FAREWELL: Duration = Duration::from_secs(1);

const NO_POSITION: &str = "no position: the last one was invalid";

const HELP: &str = "\
UCI: uci, isready, ucinewgame, position, go, stop, ponderhit, setoption, debug, register, quit
go: wtime btime winc binc movestogo movetime nodes depth mate infinite ponder searchmoves perft
d               print the board, FEN, key, checkers, legal moves and outcome
list MOVES      print moves: legal, captures, evasions (in check) or checks
flip            exchange the colours and mirror the board
eval            print the terms of the static evaluation
bench [DEPTH]   search a fixed set of positions; the node count is a signature
help            print this help";

/// What to do after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterLine {
    Continue,
    /// Read the next line; this one was rejected.
    Rejected,
    Quit,
}

/// The state between two input lines.
#[derive(Debug)]
pub(crate) struct Session {
    output: Arc<StandardOutput>,
    worker: WorkerThread,
    options: Options,
    /// `None` after a rejected position.
    board: Option<SessionBoard>,
    book: Book,
    /// Shared with the running search.
    network: Arc<Network>,
    /// Shared with the running search, which ends before other tablebases are opened.
    tables: Option<Arc<Tablebase>>,
    random: SplitMix64,
    /// The jobs that are not known to be done, in the order in which the worker does them.
    jobs: Vec<Arc<JobControl>>,
    debug: bool,
}

impl Session {
    /// A session with the start position.
    pub(crate) fn new(
        options: Options,
        worker: WorkerThread,
        random: SplitMix64,
        output: Arc<StandardOutput>,
    ) -> Self {
        Self {
            board: Some(SessionBoard::new(
                Position::startpos(),
                options.castling_mode(),
            )),
            output,
            worker,
            options,
            book: book::built_in(),
            network: Network::built_in(),
            tables: None,
            random,
            jobs: Vec::new(),
            debug: false,
        }
    }

    /// Executes a line; `read` was started when the line was read.
    pub(crate) fn execute(&mut self, line: &str, read: SinceLine) -> AfterLine {
        if line.trim_ascii().is_empty() {
            return AfterLine::Continue;
        }
        let (request, remarks) = match Request::read(line) {
            Ok(read) => read,
            Err(error) => return self.reject_request(Intent::from_line(line), &error),
        };
        for remark in remarks {
            self.output.info(remark);
        }
        match request {
            Request::Uci(command) => self.execute_uci(command, read),
            Request::Draw => self.with_board(|board| BoardDrawing(board).to_string()),
            Request::List(set) => self.with_board(|board| MoveLine(board, set).to_string()),
            Request::Flip => self.flip(),
            Request::Evaluate => {
                self.with_board(|board| self.evaluation().trace(board.position()).to_string())
            }
            Request::Bench(depth) => self.bench(depth),
            Request::Help => self.say(HELP),
        }
    }

    pub(crate) fn reject_line(&mut self, line: &BadLine) {
        self.reject_request(Intent::from_line(&line.beginning), &line.fault);
    }

    /// Ends the session at the end of the input: waits for a job that ends by itself, and stops any
    /// other. Returns false if the latest job failed.
    pub(crate) fn finish(self) -> bool {
        let latest = self.jobs.last();
        if let Some(control) = latest {
            if !control.ends_by_itself() {
                control.stop();
            }
            control.wait();
        }
        self.worker.join();
        !latest.is_some_and(|control| control.has_failed())
    }

    pub(crate) fn quit(self) {
        self.stop();
        if let Some(control) = self.jobs.last() {
            control.wait_at_most(FAREWELL);
        }
    }

    fn execute_uci(&mut self, command: Command, read: SinceLine) -> AfterLine {
        match command {
            Command::Uci => self.introduce(),
            Command::Debug(on) => self.debug = on,
            Command::IsReady => self.output.say(Message::ReadyOk),
            Command::UciNewGame => return self.new_game(),
            Command::Register(_) => {
                self.output.info("this engine needs no registration");
            }
            Command::SetOption { name, value } => return self.set_option(&name, value.as_deref()),
            Command::Position(position) => return self.set_position(&position),
            Command::Go(go) => return self.go(&go, read),
            Command::Stop => self.stop(),
            Command::PonderHit => return self.ponderhit(),
            Command::Quit => return AfterLine::Quit,
        }
        AfterLine::Continue
    }

    fn with_board(&self, write: impl FnOnce(&SessionBoard) -> String) -> AfterLine {
        match &self.board {
            Some(board) => self.say(write(board)),
            None => self.reject(NO_POSITION),
        }
    }

    fn evaluation(&self) -> &dyn Evaluation {
        match self.options.profile() {
            Profile::ChessBin => &ChessBin,
            Profile::Touchstone => &*self.network,
        }
    }

    fn say(&self, text: impl Display) -> AfterLine {
        self.output.say(text);
        AfterLine::Continue
    }

    fn debug(&self, text: impl FnOnce() -> String) {
        if self.debug {
            self.output.info(text());
        }
    }

    fn reject(&self, why: impl Display) -> AfterLine {
        self.output.info(why);
        AfterLine::Rejected
    }

    fn reject_position(&mut self, error: impl Display) -> AfterLine {
        // A search of the position before would answer another question.
        self.board = None;
        self.reject(format_args!("position rejected: {error}"))
    }

    /// Rejects a search, with a null `bestmove` for the waiting GUI unless a search that needs a
    /// `stop` owes one.
    fn reject_search(&mut self, why: impl Display) -> AfterLine {
        self.output.info(why);
        if !self.is_busy() || !self.owes_move() || self.may_queue() {
            self.answer(Message::BestMove(NO_MOVE).to_string());
        }
        AfterLine::Rejected
    }

    fn reject_request(&mut self, intent: Intent, why: impl Display) -> AfterLine {
        match intent {
            Intent::Search => self.reject_search(why),
            Intent::Position => self.reject_position(why),
            Intent::Other => self.reject(why),
        }
    }
}
