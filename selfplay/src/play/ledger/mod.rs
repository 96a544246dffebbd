//! The run directory: the state of a run, which survives even `kill -9`.
//!
//! | file | content |
//! |---|---|
//! | `config.json` | the complete effective configuration ([`Stored`]); written once, before the first game |
//! | `ledger.jsonl` | authoritative: one [`GameRecord`](crate::model::GameRecord) per line, in the order in which games ended |
//! | `games.pgn` | the same games for people and other programs; regenerated from the ledger on resume |
//! | `failures/` | the transcripts of both engines for each game that ended by a fault; `incidents.txt` |
//! | `set-aside.jsonl` | of a lab's test only: quarantined workers, whose games do not count |
//! | `lock` | held by the process that writes |
//!
//! A game is recorded once its line, with its end, is in the ledger, a [`kit::Journal`] that is
//! synced to disk every second and at the end.

mod error;
mod exports;
mod files;
mod follower;
mod pgn;
mod quarantine;
mod replay;
#[cfg(test)]
pub(crate) mod samples;
mod stored;
mod writer;

pub use error::{LedgerError, RecordFault};
pub use exports::{check_outputs, measure};
pub use files::{default_name, failure_name};
pub use follower::Follower;
pub use pgn::{UtcTime, game as pgn_game};
pub use replay::{check as check_record, read_record};
pub use stored::{FleetJob, Host, Stored, schema_of};
pub use writer::{Ledger, Paused, Resumed};
