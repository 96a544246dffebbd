//! Random positions without end, put to an engine: [`sources`] make them, [`counts`] counts each by two
//! generators, [`stream`] asks (the edge). Only what fails is kept.

mod counts;
mod sources;
mod stream;

pub(crate) use stream::{RandomLimits, StreamSpan, StreamStart, check_random};
