//! Application logic: contributors enter, are assigned positions, list moves, and see the results.
//!
//! The service joins the database (`store`) and the pure modules (`universe`, `trust`,
//! `aggregate`). It is independent of HTTP. Every method receives the time. Whatever a method
//! acknowledges is committed; concurrent requests are resolved by unique keys and conditional
//! updates in the database, never by a check beforehand.

mod assign;
mod assignment;
mod board;
mod cases;
mod closed;
mod context;
mod core;
mod enter;
mod error;
mod export;
mod finish;
mod import;
mod known;
mod memory;
mod moderate;
mod moderation;
mod positions;
mod recent;
mod record;
mod results;
mod score;
mod settings;
mod standing;
mod token;
mod upkeep;
mod upkeep_report;

pub use assignment::{
    Agreement, Assignment, AssignmentState, Finished, GivenPosition, OwnResult, Partner, Progress,
    Shown, Side,
};
pub use closed::{CaseMove, ClosedPosition, ImportProblem, ImportReport, Provenance, TestCase};
pub use core::Service;
pub use error::{
    AssignError, ImportError, RecordError, ResolveError, RetireError, ServiceError, TokenError,
};
pub use export::{CaseFormat, write_cases};
pub use import::{ImportPlan, import_problems};
pub use moderation::{
    FlagItem, PositionOverview, PositionState, QueueItem, QueueMove, QueueState, Resolution,
};
pub use settings::Settings;
pub use standing::{BoardRow, Contributor, ContributorId, Counts, Period, Standing};
pub use token::{AssignmentToken, ParseTokenError, SessionToken};
pub use upkeep_report::UpkeepReport;
