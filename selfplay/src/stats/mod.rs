//! The statistics of matches: pure functions of counts.
//!
//! The input is [`Counts`]: games by result ([`Wdl`]) or pairs of games by points
//! ([`Pentanomial`]). [`Summary`] computes the strength; [`llr`] weighs one hypothesis against
//! another; [`Sprt`] is the test that continues until one of them is accepted; [`AfterStop`] is the
//! strength estimated once it has stopped. [`PairModel`] and [`Plan`] predict the length and result
//! of a test, [`simulate`] runs it by Monte Carlo simulation.
//!
//! Sources, each named again where it is used:
//!
//! - M. Van den Bergh, "The Generalized Sequential Probability Ratio Test", "Normalized Elo
//!   Practical", "Comments on Normalized Elo", "MLE for a multinomial distribution with given
//!   expectation", all published for fishtest, the testing framework of Stockfish, whose numbers
//!   these agree with.
//! - A. Wald, *Sequential Analysis* (1947); D. Siegmund, *Sequential Analysis* (1985).
//!
//! Conventions where formulas have no answer: a result that never occurred counts as
//! [`EMPTY_CELL`], as in fishtest, so that the likelihood never divides by zero; scores are clamped
//! to 0.001 to 0.999 before they are converted to Elo ([`elo::MAX_ELO`]); without any game there is
//! no [`Summary`], and the log-likelihood ratio is 0. No function returns NaN for finite input. All
//! of them use `libm`, so that every machine computes the same digits.

mod after_stop;
pub mod bayes_elo;
mod brownian;
mod counts;
mod design;
pub mod duplicates;
pub mod elo;
mod fastchess;
pub mod games;
pub mod homogeneity;
mod likelihood;
mod matrix;
pub(crate) mod number;
pub(crate) mod numeric;
pub mod pair_test;
mod plan;
pub mod rating;
pub mod simulate;
pub(crate) mod spread;
mod sprt;
mod summary;

pub use after_stop::AfterStop;
pub use counts::{Counts, Distribution, EMPTY_CELL, ParseCountsError, Pentanomial, Wdl};
pub use design::{DesignError, EloModel, Hypotheses, SprtDesign, UnknownDrawsError};
pub use fastchess::{FastchessStrength, fastchess_counts, fastchess_llr};
pub use homogeneity::{CountShare, Homogeneity, homogeneity, more_than_its_share};
pub use likelihood::{llr, llr_approximate};
pub(crate) use number::{to_f64, twelve_digits};
pub use numeric::find_root;
pub use pair_test::{PairTest, TestedGame};
pub use plan::{PairModel, PairModelError, Plan, plan};
pub use sprt::{Overshoot, Sprt, SprtState, SprtVerdict};
pub use summary::{Estimate, Summary};
