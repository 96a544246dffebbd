//! Ratings of many engines from their games.
//!
//! The model is that of Bradley and Terry ("Rank analysis of incomplete block designs", Biometrika
//! 39, 1952) with draws after Rao and Kupper ("Ties in paired-comparison experiments", Journal of
//! the American Statistical Association 62, 1967) and an advantage of White, as in R. Coulom's
//! `BayesElo`. With `z` the rating difference plus the advantage, White wins with probability
//! `1 / (1 + exp(c - z))`, loses with `1 / (1 + exp(c + z))`, and draws otherwise. All ratings, the
//! advantage and the draw parameter `c` are maximum-likelihood estimates.
//!
//! Values that cannot be determined are reported as such. Engines can be compared only within a
//! *group*: each can be reached from every other along games that were not lost. Without that, the
//! most likely ratings are infinitely far apart: an engine that won all its games is a group by
//! itself, and so are two sets of engines that never met. Each group has its own zero, its mean;
//! games between groups contain no information about differences within. Virtual draws
//! ([`Table::with_prior`]) join all engines that have met into one group.
//!
//! The advantage and `c` have a normal prior of 1000 Elo around 0: too wide to matter, except if
//! the games do not determine them at all (one engine always White, every game drawn).

mod fit;
mod groups;
mod matrix;
mod table;
#[cfg(test)]
mod tests;

pub use fit::{MAX_ROUNDS, Rating, Ratings, rate};
pub use table::{Score, Table};
