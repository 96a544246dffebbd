//! The searches against plain min-max: every line to its end, no bounds, no table, no order.

mod draws;
mod games;
mod mates;
mod min_max;
mod reference;
