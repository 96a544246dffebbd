//! The talk with the user: every line is obeyed, or refused with a word why.
//!
//! Searches, `go perft` and `bench` are work for the other thread; everything else is done at
//! once. While that thread works, what would disturb it is refused; once it has been told to stop,
//! it is waited for instead: milliseconds for a search; for a count on very many threads, up to a
//! second.

mod setup;
mod work;

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use chess::rules::Position;
use engine::book::Book;
use engine::eval::{ChessBin, Evaluation, Network, Touchstone};
use engine::search::Profile;
use tablebase::Tablebase;
use uci::grammar::{Command, Message};

use crate::board::Board;
use crate::control::Control;
use crate::display::Drawing;
use crate::input::BadLine;
use crate::opening::Random;
use crate::options::Options;
use crate::output::Output;
use crate::report::NO_MOVE;
use crate::request::{Intent, Request};
use crate::stopwatch::Stopwatch;
use crate::worker::Worker;

/// The version of the program.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// How long `quit` waits for the last words of a search.
const FAREWELL: Duration = Duration::from_secs(1);

const NO_POSITION: &str = "there is no position, the last one was refused";

const HELP: &str = "\
UCI: uci, isready, ucinewgame, position, go, stop, ponderhit, setoption, debug, register, quit
go: wtime btime winc binc movestogo movetime nodes depth mate infinite ponder searchmoves perft
d               draws the board, with FEN, key, checkers, legal moves and outcome
flip            exchanges the colours and turns the board over
eval            takes the evaluation of the position apart
bench [DEPTH]   searches a fixed set of positions; the number of nodes is a signature
help            prints this";

/// What follows a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// The next line.
    Continue,
    /// The next line; this one was refused.
    Refused,
    /// The end.
    Quit,
}

/// All that is known between two lines.
#[derive(Debug)]
pub(crate) struct Session {
    output: Arc<Output>,
    worker: Worker,
    options: Options,
    /// None after a position that was refused.
    board: Option<Board>,
    book: Book,
    /// Shared with the search that runs; without it the terms value positions.
    network: Option<Arc<Network>>,
    /// Shared with the search that runs; that ends before others are opened.
    tables: Option<Arc<Tablebase>>,
    random: Random,
    /// The work begun last; none once it is known to be over.
    current: Option<Arc<Control>>,
    debug: bool,
}

impl Session {
    /// The start position on the board.
    pub(crate) fn new(
        options: Options,
        worker: Worker,
        random: Random,
        output: Arc<Output>,
    ) -> Self {
        Self {
            board: Some(Board::new(Position::startpos(), options.castling_mode())),
            output,
            worker,
            options,
            book: Book::built_in(),
            network: Some(Network::built_in()),
            tables: None,
            random,
            current: None,
            debug: false,
        }
    }

    /// Obeys a line that was read when `read` started.
    pub(crate) fn obey(&mut self, line: &str, read: Stopwatch) -> Next {
        if line.trim_ascii().is_empty() {
            return Next::Continue;
        }
        match line.parse() {
            Ok(Request::Uci(command)) => self.obey_uci(command, read),
            Ok(Request::Draw) => self.with_board(|board| Drawing(board).to_string()),
            Ok(Request::Flip) => self.flip(),
            Ok(Request::Evaluate) => {
                self.with_board(|board| self.evaluation().trace(board.position()).to_string())
            }
            Ok(Request::Bench(depth)) => self.bench(depth),
            Ok(Request::Help) => self.say(HELP),
            Err(error) => self.refuse_request(Intent::of(line), &error),
        }
    }

    /// Refuses a line that cannot be read.
    pub(crate) fn refuse_line(&mut self, line: &BadLine) {
        self.refuse_request(Intent::of(&line.beginning), &line.fault);
    }

    /// Ends after the end of the input: work that comes to an end by itself is waited for. False
    /// where the work begun last could not be done.
    pub(crate) fn finish(self) -> bool {
        if let Some(control) = &self.current {
            if !control.ends_by_itself() {
                control.stop();
            }
            control.wait();
        }
        self.worker.join();
        !self.current.is_some_and(|control| control.has_failed())
    }

    /// Ends soon.
    pub(crate) fn quit(self) {
        if let Some(control) = &self.current {
            control.stop();
            control.wait_at_most(FAREWELL);
        }
    }

    fn obey_uci(&mut self, command: Command, read: Stopwatch) -> Next {
        match command {
            Command::Uci => self.introduce(),
            Command::Debug(on) => self.debug = on,
            Command::IsReady => self.output.say(Message::ReadyOk),
            Command::UciNewGame => return self.new_game(),
            Command::Register(_) => {
                self.output.tell("this engine needs no registration");
            }
            Command::SetOption { name, value } => return self.set_option(&name, value.as_deref()),
            Command::Position(position) => return self.set_position(&position),
            Command::Go(go) => return self.go(&go, read),
            Command::Stop => {
                if let Some(control) = &self.current {
                    control.stop();
                }
            }
            Command::PonderHit => return self.ponderhit(),
            Command::Quit => return Next::Quit,
        }
        Next::Continue
    }

    fn with_board(&self, write: impl FnOnce(&Board) -> String) -> Next {
        match &self.board {
            Some(board) => self.say(write(board)),
            None => self.refuse(NO_POSITION),
        }
    }

    /// What values positions.
    fn evaluation(&self) -> &dyn Evaluation {
        match (self.options.profile(), &self.network) {
            (Profile::ChessBin, _) => &ChessBin,
            (Profile::Touchstone, Some(network)) => &**network,
            (Profile::Touchstone, None) => &Touchstone,
        }
    }

    fn say(&self, text: impl Display) -> Next {
        self.output.say(text);
        Next::Continue
    }

    fn debug(&self, text: impl FnOnce() -> String) {
        if self.debug {
            self.output.tell(text());
        }
    }

    fn refuse(&self, why: impl Display) -> Next {
        self.output.tell(why);
        Next::Refused
    }

    fn refuse_position(&mut self, error: impl Display) -> Next {
        self.board = None;
        self.refuse(format_args!("position refused: {error}"))
    }

    /// Refuses a search. Whoever asked waits for a move, unless another search owes one.
    fn refuse_search(&mut self, why: impl Display) -> Next {
        let is_owed = self.is_busy() && self.owes_move();
        self.output.tell(why);
        if !is_owed {
            self.output.say(Message::BestMove(NO_MOVE));
        }
        Next::Refused
    }

    fn refuse_request(&mut self, intent: Intent, why: impl Display) -> Next {
        match intent {
            Intent::Search => self.refuse_search(why),
            Intent::Position => self.refuse_position(why),
            Intent::Other => self.refuse(why),
        }
    }
}
