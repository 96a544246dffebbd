//! Talking to chess engines: the Universal Chess Interface, `XBoard`'s protocol, and a driver for engine
//! processes.
//!
//! [`grammar`] parses and writes the lines of UCI. Above it are four loosely coupled parts:
//! [`Session`] is the protocol, a state machine that receives lines and times and does no I/O;
//! [`Process`] handles pipes and signals and knows no chess; [`Transcript`] records the lines;
//! [`Client`] combines the three to a running engine, and [`Engine`] starts one when it is needed, and
//! again after a fault. One thread drives an engine. [`xboard`] has the grammar and the session of the
//! Chess Engine Communication Protocol. [`perft`] asks any engine for perft counts, given only its
//! command line.
//!
//! Every wait has a deadline, and ends early if the engine ends or the work is cancelled
//! ([`Cancel`]). An engine may misbehave in any way: its output cannot fill the memory, block us,
//! or be mistaken for something else. On Unix and Windows.
//!
//! Deliberately absent: any judgement of an engine's moves, scores or counts.

/// Rows of a table: in tests what is given, then, behind the arrow, what is expected. rustfmt leaves
/// each row as it is.
macro_rules! rows {
    ($($($given:expr),+ => $expected:expr;)+) => { [$(($($given,)+ $expected)),+] };
}

pub mod grammar;
pub mod obedience;
pub mod perft;
pub mod xboard;

mod command_line;
pub mod engine_spec;
mod lines;
mod session;
mod start;
mod start_failure;
mod transcript;
mod words;

mod driver;
mod engine;
mod process;

pub use command_line::{CommandLine, SplitCommandError};
pub use engine_spec::{EngineSpec, EngineSpecError};
pub use lines::{Line, MAX_LINE};
pub use session::{
    Claim, ClaimKind, Identity, Session, SessionError, SessionEvent, SessionState, Wait,
};
pub use transcript::{LineDirection, Transcript, TranscriptLine};
pub use words::{join_words, quote_word, split_words};

pub use driver::{Client, EngineError, EngineEvent, ExitReport, Searched, Until};
pub use engine::Engine;
pub use process::{Cancel, Process, ProcessExit, ProcessTree, Received, SendError, cpus};
pub use start::{EngineProtocol, Start};
pub use start_failure::why_not_started;
