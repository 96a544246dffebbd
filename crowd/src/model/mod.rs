//! Types shared by all modules; plain values.

mod class;
mod list;
mod mode;
mod move_text;
mod name;
mod timestamp;

pub use class::MoveClass;
pub use list::{ListEvent, Op, answers, moves_of};
pub use mode::{Mode, ParseModeError};
pub use move_text::{MoveText, ParseMoveTextError};
pub use name::{NameError, PlayerName};
pub use timestamp::Timestamp;
