//! The Universal Chess Interface (Huber and Meyer-Kahlen, April 2006): its grammar, both ways.
//!
//! [`Command`] is a line from the GUI to the engine, [`Message`] a line from the engine to the GUI;
//! each is parsed from one line and written back by `Display`. Commands are parsed strictly,
//! because we write them or judge them; messages leniently, because engines print anything. No I/O,
//! and no state: the order of lines is the concern of `crate::Session`.
//!
//! ```
//! use uci::grammar::{Command, Message};
//!
//! let command: Command = "go wtime 60000 btime 60000 winc 600 binc 600".parse()?;
//! assert_eq!(command.to_string(), "go wtime 60000 btime 60000 winc 600 binc 600");
//!
//! let error = "go depth x".parse::<Command>().unwrap_err();
//! assert_eq!(error.to_string(), "column 10: 'x' is not a depth, expected a number from 0 to 4294967295");
//!
//! assert_eq!(Message::parse(" uciok\r"), Message::UciOk);
//! # Ok::<(), uci::grammar::ParseCommandError>(())
//! ```

mod command;
mod message;
mod words;

pub use command::{
    Command, CommandFault, FenText, Go, ParseCommandError, PositionCommand, Registration,
    StartPosition,
};
pub use message::{
    BestMove, Bound, CheckState, CurrLine, EngineOption, Info, Message, OptionKind,
    ParseScoreError, Reply, Score, ScoreValue, WinDrawLoss,
};
