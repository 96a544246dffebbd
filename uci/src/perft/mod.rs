//! Asking an engine for perft: how questions are written, and how answers are parsed.
//!
//! Only an engine's command line needs to be known. [`detect()`] tries the usual ways to [`Ask`], and
//! *calibrates*: on positions with known counts it proves, step by step, that the engine accepts a
//! FEN, that it plays moves, that its totals are parsed correctly, and that its rows are the legal
//! moves. Nothing unproved is used ([`Calibration`]), so that an unusual notation is never mistaken
//! for a wrong count. [`Driver`] then asks any question.

mod answer;
mod ask;
mod calibrate;
mod detect;
mod driver;
mod form;
mod known;
mod line;
mod lists;
mod pasted;
mod question;
mod spelling;
mod wire;

pub use answer::{Answer, DivideRow, Failure, MoveMeaning, Route};
pub use calibrate::{Calibration, Dialect};
pub use detect::{DetectedEngine, Detection, FailedAttempt, detect};
pub use driver::Driver;
pub use form::AnswerForm;
pub use known::KnownPositions;
pub use lists::MoveSource;
pub use pasted::{PastedRow, pasted_move, pasted_rows};
pub use question::{Ask, ParseAskError};
pub use spelling::uci_moves;
