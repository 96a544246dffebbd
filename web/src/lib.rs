//! What the web servers of Touchstone share, written once. It has no routes, no database and no pages.
//!
//! | module | owns |
//! |---|---|
//! | [`problem`] | errors as problem details, kinds that every site has |
//! | [`extract`] | strict extractors |
//! | [`cookies`], [`secret`] | cookies and bearer tokens; random texts and their hashes |

pub mod cookies;
pub mod extract;
pub mod problem;
pub mod secret;
