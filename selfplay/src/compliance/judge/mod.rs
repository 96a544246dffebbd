//! Judges the answers of an engine: pure functions of text.

pub(super) mod answer;
pub(super) mod info;
pub(super) mod options;
