//! Campaigns of variants, whose rules no generator here knows: the card, the lists, the certificate, the suite.

mod board;
mod crowd;
#[cfg(feature = "oracles")]
mod judge;
mod program;
