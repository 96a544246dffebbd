//! The searches against plain min-max: every line to its end, no bounds, no table, no order.

mod draws;
pub(crate) mod games;
mod mates;
mod min_max;
pub(crate) mod reference;
