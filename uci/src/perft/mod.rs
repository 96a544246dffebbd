//! Asking an engine for perft: how questions are written, and how answers are read.
//!
//! Of an engine nothing is known but its command line. [`meet`] tries the usual ways to [`Ask`], and
//! *calibrates*: on positions whose counts are known it proves, one after the other, that the engine
//! takes a FEN, that it takes moves, that its totals are read whole, and that its rows are the legal
//! moves. What is not proved is not used ([`Calibration`]), so that an odd notation is never mistaken
//! for a wrong count. [`Driver`] then puts any question.

mod answer;
mod ask;
mod calibrate;
mod driver;
mod form;
mod line;
mod meet;
mod port;
mod program;
mod question;
mod spelling;
mod wire;

pub use answer::{Answer, Failure, Meaning, Route, Row};
pub use calibrate::{Calibration, Speech};
pub use driver::Driver;
pub use form::AnswerForm;
pub use meet::{Attempt, Meeting, Speaker, meet};
pub use question::{Ask, ParseAskError};
pub use spelling::uci_moves;
pub use wire::Start;
