//! Loads the evaluation network: built in, from a file, or none.

use std::io;
use std::sync::Arc;

use engine::eval::Network;
use engine::eval::network::{ReadNetworkError, Weights};

use crate::file;

/// The option value for the built-in network.
pub(crate) const BUILT_IN: &str = "<built-in>";

/// Larger files are rejected.
const MOST_BYTES: u64 = 64 << 20;

/// Why a network cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LoadNetworkError {
    /// The file cannot be read.
    #[error("{path} cannot be read: {source}")]
    File {
        /// The file.
        path: String,
        /// The I/O error.
        source: io::Error,
    },
    /// The file is not a valid network.
    #[error("{path} is no network: {source}")]
    Format {
        /// The file.
        path: String,
        /// The format error.
        source: ReadNetworkError,
    },
}

/// Loads the network from a file, or the built-in one; `None` if the path is empty.
pub(crate) fn load(path: &str) -> Result<Option<Arc<Network>>, LoadNetworkError> {
    match path {
        "" => return Ok(None),
        BUILT_IN => return Ok(Some(Network::built_in())),
        _ => {}
    }
    let bytes = file::read(path, MOST_BYTES).map_err(|source| LoadNetworkError::File {
        path: path.to_owned(),
        source,
    })?;
    let weights = Weights::from_bytes(&bytes).map_err(|source| LoadNetworkError::Format {
        path: path.to_owned(),
        source,
    })?;
    Ok(Some(Arc::new(Network::new(weights))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_no_networks_are_named() {
        let fault = |path: &str| load(path).expect_err(path).to_string();
        let missing = fault("/nowhere/best.net");
        assert!(
            missing.starts_with("/nowhere/best.net cannot be read: "),
            "{missing}"
        );
        let folder = fault(env!("CARGO_MANIFEST_DIR"));
        assert!(
            folder.ends_with(" cannot be read: it is not a regular file"),
            "{folder}"
        );
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let text = fault(path);
        assert!(
            text.starts_with(&format!("{path} is no network: ")),
            "{text}"
        );
    }

    #[test]
    fn without_a_file_there_is_none() {
        assert!(load("").expect("none is wanted").is_none());
    }

    #[test]
    fn one_is_built_in() {
        let network = load(BUILT_IN).expect("it is there").expect("a network");
        assert_eq!(network.fingerprint(), Network::built_in().fingerprint());
    }
}
