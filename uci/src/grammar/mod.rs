//! The Universal Chess Interface (Huber and Meyer-Kahlen, April 2006): its grammar, both ways.
//!
//! [`Command`] is what a GUI tells an engine, [`Message`] what an engine tells a GUI; each is read
//! from one line and written back by `Display`. Commands are read strictly, since we write them or
//! judge them; messages leniently, since engines print anything. No I/O, and no state: which line
//! may follow which is decided by `Session`.
//!
//! ```
//! use uci::grammar::{Command, Message};
//!
//! let command: Command = "go wtime 60000 btime 60000 winc 600 binc 600".parse()?;
//! assert_eq!(command.to_string(), "go wtime 60000 btime 60000 winc 600 binc 600");
//!
//! let error = "go depth x".parse::<Command>().unwrap_err();
//! assert_eq!(error.to_string(), "column 10: 'x' is no depth, expected a number from 0 to 4294967295");
//!
//! assert_eq!(Message::parse(" uciok\r"), Message::UciOk);
//! # Ok::<(), uci::grammar::ParseCommandError>(())
//! ```

mod command;
mod fen_text;
mod message;
mod words;

pub use command::{
    Command, CommandFault, Go, ParseCommandError, PositionCommand, Registration, StartPosition,
};
pub use fen_text::FenText;
pub use message::{
    BestMove, Bound, CheckState, CurrLine, EngineOption, Info, Message, OptionKind, Reply, Score,
    ScoreValue, WinDrawLoss,
};
