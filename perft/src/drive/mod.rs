//! Driving an engine as a counter: how it is asked, and how its answers are read.
//!
//! Of an engine nothing is known but its command line. `meet` finds out how it is asked, by questions
//! whose answers are known ([`Dialect`]); from them the form of its answers is learnt, so that any
//! wording will do. `Driven` then is a [`crate::subject::Subject`] like any other.

mod answer_form;
mod ask;
mod dialect;
mod driven;
mod format;
mod identify;
mod line;
mod meaning;
mod meet;
mod port;
mod script;
mod wire;

pub use answer_form::AnswerForm;
pub use dialect::{Dialect, route_moves};
pub(crate) use driven::Driven;
pub(crate) use identify::Speech;
pub(crate) use meet::meet;
pub use meet::{Meeting, Speaker};
pub(crate) use wire::Start;
