//! Failures that the client is not responsible for.

use web::secret::NoRandom;

use crate::store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the system gave no random bytes")]
    Random(#[from] NoRandom),
    #[error("the work in the background ended early: {0}")]
    Background(String),
}

/// Makes `?` take a failed query in methods with an error type of their own.
macro_rules! from_store {
    ($error:ty) => {
        impl From<$crate::store::StoreError> for $error {
            fn from(error: $crate::store::StoreError) -> Self {
                Self::Service($crate::service::ServiceError::Store(error))
            }
        }
    };
}
pub(super) use from_store;
