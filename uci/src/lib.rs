//! Talking to chess engines: the Universal Chess Interface, and one driver of other people's engines.
//!
//! [`grammar`] is UCI's lines as values, both ways. Above it are four parts that know little of each other: [`Session`] is
//! the protocol, a state machine that is fed lines and times and does no I/O; [`Process`] is pipes and signals and knows
//! no chess; [`Transcript`] is what was said; [`Client`] joins the three. One thread drives an engine. [`perft`] puts perft
//! questions to an engine of which nothing is known but its command line.
//!
//! Every wait has a deadline, and ends also when the engine does or the work is cancelled ([`Cancel`]). An engine may do
//! what it likes: nothing it prints can fill the memory, block us, or be taken for what it is not. [`Process`] and what
//! needs it exist on Unix only.
//!
//! Deliberately absent: any judgement of an engine's moves, scores or counts.

pub mod grammar;
#[cfg(unix)]
pub mod perft;

mod command_line;
mod lines;
mod session;
mod transcript;

#[cfg(unix)]
mod driver;
#[cfg(unix)]
mod error;
#[cfg(unix)]
mod process;

pub use command_line::{CommandLine, SplitCommandError};
pub use lines::{Line, MAX_LINE};
pub use session::{Event, Identity, Session, SessionError, State, Surprise, Wait};
pub use transcript::{Direction, Entry, Transcript};

#[cfg(unix)]
pub use driver::{Client, Farewell, News, Searched};
#[cfg(unix)]
pub use error::EngineError;
#[cfg(unix)]
pub use process::{Cancel, Exit, Process, Received, SendError};
