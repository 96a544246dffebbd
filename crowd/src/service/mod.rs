//! Application logic: contributors enter, are assigned positions, list moves, and see the results.
//!
//! The service joins the database (`store`) and the pure modules (`candidates`, `trust`,
//! `aggregate`). It is independent of HTTP. Every method receives the time. Whatever a method
//! acknowledges is committed; concurrent requests are resolved by unique keys and conditional
//! updates in the database, never by a check beforehand.

mod account;
mod begin;
mod cases;
mod class;
mod core;
mod daily;
mod error;
mod import;
mod import_problem;
mod insight;
mod list;
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
pub use crate::score::Shown;
pub use crate::store::Ruling;
pub use crate::trust::QueueMove;
pub use account::PersonExport;
pub use begin::{BeginError, Wanted};
pub use cases::{ByDifficulty, CaseFormat, CaseMove, Provenance, TestCase, write_cases};
pub use class::{
    ClassError, ClassInfo, ClassOverview, ClassSource, ClassTitle, NewClass, StudentAnswer,
    StudentState, TitleError,
};
pub use core::Service;
pub use daily::{DayRank, Today};
pub use error::ServiceError;
pub use import::{ImportPlan, import_problems};
pub use import_problem::{ImportError, ImportProblem, ImportReport};
pub use insight::{OverlookedFormat, overlooked_csv};
pub use list::{GivenPosition, List, Partner, TokenError};
pub use lists::{HeldList, LISTS_A_PAGE, OwnList};
pub use moderate::{FlagItem, ModerateError, PositionOverview, Question, QueueItem};
pub use people::{BoardPage, NamingError, Period, PersonCounts, Standing};
pub use phrase::{ParsePhraseError, Phrase};
pub use record::RecordError;
pub use results::{Agreement, ClosedPosition, ListOutcome, ListResult};
pub use rows::{Contributor, ContributorId};
pub use settings::Settings;
pub use token::{ClassToken, ListToken, ParseTokenError, SessionToken};
pub use upkeep::UpkeepReport;
