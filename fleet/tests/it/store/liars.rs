//! Workers that lie.
