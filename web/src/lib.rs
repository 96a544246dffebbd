//! What the web servers of Touchstone share, written once. It has no routes, no database and no pages.
//!
//! | module | owns |
//! |---|---|
//! | [`serve`], [`files`] | connections with limits, of which idle ones make room for new ones; room among open files |
//! | [`tls`], [`signals`] | HTTPS, and how a server ends |
//! | [`layers`] | what surrounds all routes: headers, cross-site checks, time limits, errors as pages or JSON |
//! | [`limits`] | quotas of requests by session or address |
//! | [`extract`], [`problem`] | strict extractors; errors as problem details |
//! | [`cookies`], [`secret`] | cookies and bearer tokens; random texts and their hashes |
//! | [`batch`] | requests that become one transaction |
//! | [`assets`] | files embedded in the program, under fingerprinted addresses |
//! | [`description`] | an `OpenAPI` description as a page |

pub mod assets;
pub mod batch;
pub mod cookies;
pub mod description;
pub mod extract;
pub mod files;
pub mod layers;
pub mod limits;
mod places;
pub mod problem;
pub mod secret;
pub mod serve;
pub mod signals;
pub mod tls;

pub use extract::{ApiAnswer, Form, Json, Path, Query};
pub use problem::Problem;
