//! Errors that are the user's.

/// An error in what the user gave: a program that ends with it exits with [`crate::Exit::BadInput`].
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadInput(pub String);
