//! Variants of chess that have no move generator here: the rules are on a card that people read.
//!
//! | module | owns |
//! |---|---|
//! | `card` | the checked rules card: board, pieces, how they move, drops, promotion, the text |
//! | `read` | reading a card from TOML; every error says its line and field |
//! | `shapes` | the drawings of pieces that come with the program |
//! | `placement` | positions: who stands where, what is in the pockets, whose move it is |
//! | `geometry` | candidate moves by the diagram alone, and the one form of a listed move |
//! | `suite` | perft-1 suites: a position and its legal moves per line |
//! | `shipped` | the campaigns that come with the program |
//!
//! All of it is pure. Nothing here knows which moves are legal. `docs/crowd-variants.md` describes the formats.

mod card;
mod geometry;
mod placement;
mod read;
mod shapes;
mod shipped;
mod suite;

pub use card::{Card, Movement, Paragraphs, Picture, Piece, Promotion, Reach, Stand, Ways};
pub use geometry::{FormError, candidates, canonical};
pub use placement::{Placement, PlacementError};
pub use read::{CardError, read_card};
pub use shipped::{SHIPPED, Shipped};
pub use suite::{SuiteError, SuiteLine, read_suite};
