//! From a TOML file and the command line to the effective configuration of a run.
//!
//! Both are read into a [`Draft`], in which everything may be missing; the command line overrides
//! the file ([`Draft::over`]). `resolve` fills in defaults and validates everything; it is pure,
//! and runs before anything is started or built. Then come the parts with side effects: [`program`]
//! finds the engines, and [`revision`] builds those that are revisions of their source.

mod draft;
mod engine;
pub mod program;
mod resolve;
pub mod revision;
mod value;

pub use draft::{
    AdjudicationDraft, BuildDraft, Draft, OpeningsDraft, ParseConfigError, SprtDraft,
    TimeoutsDraft, Variant, parse,
};
pub use engine::{EngineDraft, EngineSide, REVISION};
pub use resolve::{ConfigError, Contest, book_format, fill_in, resolve};
pub use value::{
    AtOnce, ClockSetting, DrawText, Margin, MoveTime, OnOff, PgnText, PinSetting, ProtocolWord,
    ResignText, RestartWord, Text, WordList, number,
};
