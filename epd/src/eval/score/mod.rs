//! Judges evaluations by the results of games: prediction loss, calibration, agreement with
//! reference scores, and whether one evaluation is better than another.

pub(crate) mod features;
pub(crate) mod judge;
pub(crate) mod model;
pub(crate) mod page;
pub(crate) mod report;
pub(crate) mod rows;
pub(crate) mod statistics;
