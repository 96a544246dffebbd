//! From a file in TOML and the command line to the whole effective configuration of a run.
//!
//! Both are read into a [`Draft`], in which everything may be missing; the command line lies over the
//! file ([`Draft::over`]). [`resolve`] fills in what is missing and checks all: pure, and before
//! anything is started or built. Only then the edges are asked: [`program`] finds the engines,
//! [`revision`] builds those that are revisions of their source, [`budget`] compares what a run will
//! take with what the machine has.

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
