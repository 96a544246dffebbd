//! Playing against the engine: `/api/v1/play`.
//!
//! The server keeps no game state: the browser sends the whole game with each request. [`game`] and
//! its siblings are pure; [`Opponent`] is the edge that starts threads and reads a clock; `web`
//! handles HTTP. Nothing here touches the store: games are not contributions.

pub mod game;
mod opponent;
mod pgn;
mod pool;
mod view;

pub use opponent::{Opponent, OpponentLevel, OpponentReply};
pub use pgn::{MAX_PGN_BYTES, PgnError, read_pgn, write_pgn};
pub use pool::{Load, OpponentError, OpponentSettings};
pub use view::{
    EvalAnswer, GameRequest, LegalMove, LoneKings, MoveAnswer, MoveRequest, Outcome, PgnReadAnswer,
    PgnTag, PgnText, Score, StartAnswer, StateAnswer, TaggedGame, Times, view,
};
