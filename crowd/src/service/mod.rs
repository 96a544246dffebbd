//! Application logic: contributors enter, are assigned positions, list moves, and see the results.
//!
//! The service joins the database (`store`) and the pure modules (`candidates`, `trust`,
//! `aggregate`). It is independent of HTTP. Every method receives the time. Whatever a method
//! acknowledges is committed; concurrent requests are resolved by unique keys and conditional
//! updates in the database, never by a check beforehand.

mod account;
mod assign;
mod assignment;
mod cases;
mod core;
mod error;
mod import;
mod lists;
mod moderate;
mod networks;
mod people;
mod phrase;
mod positions;
mod record;
mod results;
mod rows;
mod sessions;
mod settings;
mod token;
mod upkeep;

pub use crate::model::{Act, PositionState, Progress, QueueState, Resolution};
pub use crate::trust::Shown;
pub use account::PersonExport;
pub use assign::AssignError;
pub use assignment::{
    Agreement, Assignment, AssignmentState, Finished, GivenPosition, OwnResult, Partner, TokenError,
};
pub use cases::{CaseFormat, CaseMove, Provenance, TestCase, write_cases};
pub use core::Service;
pub use error::ServiceError;
pub use import::{ImportError, ImportPlan, ImportProblem, ImportReport, import_problems};
pub use lists::{HeldList, LISTS_A_PAGE, ListOutcome, OwnList};
pub use moderate::{Deed, FlagItem, ModerateError, PositionOverview, Question, QueueItem, Ruling};
pub use people::{BoardRow, Counts, NamingError, Period, Standing};
pub use phrase::{ParsePhraseError, Phrase};
pub use record::RecordError;
pub use results::ClosedPosition;
pub use rows::{Contributor, ContributorId, QueueMove};
pub(crate) use sessions::ModeratorSession;
pub use settings::Settings;
pub use token::{AssignmentToken, ParseTokenError, SessionToken};
pub use upkeep::UpkeepReport;
