//! From a TOML file and the command line to the effective configuration of a run.
//!
//! Both are read into a [`Draft`], in which everything may be missing; the command line overrides
//! the file ([`Draft::over`]). [`resolve`] fills in defaults and validates everything; it is pure,
//! and runs before anything is started or built. Then come the parts with side effects: [`program`]
//! finds the engines, [`revision`] builds those that are revisions of their source, and [`budget`]
//! compares the resources that a run needs with those of the machine.

pub mod budget;
mod draft;
mod engine;
mod error;
mod file;
mod names;
pub mod program;
mod resolve;
#[cfg(unix)]
pub mod revision;
mod rules;
mod value;
mod words;

pub use draft::{AdjudicationDraft, BuildDraft, Draft, OpeningsDraft, SprtDraft, Variant};
pub use engine::{EngineDraft, EngineTextError, REVISION, Side};
pub use error::ConfigError;
pub use file::{ParseConfigError, parse};
pub use resolve::{Contest, resolve};
pub use rules::{DrawText, ResignText};
pub use value::{Clock, OnOff, RestartWord, Seconds, Text, ValueError, Words};
pub use words::number;
