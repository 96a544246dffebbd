//! What answers are worth: pure functions from text to judgements.

pub(super) mod answer;
pub(super) mod info;
pub(super) mod options;
