//! Errors caused by the user's input.

/// Invalid input: a program that ends with this error exits with [`crate::Exit::BadInput`].
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadInput(pub String);
