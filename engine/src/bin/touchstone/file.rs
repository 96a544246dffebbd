//! Files named by the user, read within limits: opening books and networks.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::sync::Arc;

use engine::book::{self, Book};
use engine::eval::Network;
use engine::eval::network::Weights;

/// The option value for the built-in network.
pub(crate) const BUILT_IN: &str = "<built-in>";

/// The maximal book size, 1 GiB: 67 million entries.
const BOOK_BYTES: u64 = 1 << 30;
const NETWORK_BYTES: u64 = 64 << 20;

/// Loads the book from a file, or the built-in one if the path is empty.
pub(crate) fn book(path: &str) -> Result<Book, String> {
    if path.is_empty() {
        return Ok(book::built_in());
    }
    load(path, BOOK_BYTES, "Polyglot book", Book::from_bytes)
}

/// Loads the network from a file, or the built-in one.
pub(crate) fn network(path: &str) -> Result<Arc<Network>, String> {
    match path {
        "" => {
            let text = "no file is named, and the engine has no evaluation without a network";
            return Err(format!("{text}; the one that comes with it is {BUILT_IN}"));
        }
        BUILT_IN => return Ok(Network::built_in()),
        _ => {}
    }
    let parse = |bytes: Vec<u8>| Weights::from_bytes(&bytes);
    let weights = load(path, NETWORK_BYTES, "network", parse)?;
    Ok(Arc::new(Network::new(weights)))
}

fn load<T, E: Display>(
    path: &str,
    most: u64,
    what: &str,
    parse: impl FnOnce(Vec<u8>) -> Result<T, E>,
) -> Result<T, String> {
    let bytes = read(path, most).map_err(|error| format!("{path} cannot be read: {error}"))?;
    parse(bytes).map_err(|error| format!("{path} is not a valid {what}: {error}"))
}

/// Reads a regular file of at most `most` bytes. Folders, pipes and devices, which might be endless,
/// are errors.
#[expect(clippy::disallowed_methods, reason = "the user names the file")]
fn read(path: &str, most: u64) -> io::Result<Vec<u8>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    up_to(File::open(path)?, most)
}

fn up_to(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more distinguishes a file of exactly that length from a longer one.
    input.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let text = format!("it is longer than {most} bytes, the maximum");
        return Err(io::Error::new(ErrorKind::FileTooLarge, text));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endless_input_is_an_error() {
        let error = up_to(io::repeat(0), 1 << 10).expect_err("too much");
        let expected = "it is longer than 1024 bytes, the maximum";
        assert_eq!(error.to_string(), expected);
        let whole = up_to(io::repeat(0).take(32), 32);
        assert_eq!(whole.expect("within the bound").len(), 32);
    }

    #[test]
    fn invalid_files_are_named_with_the_reason() {
        let folder = env!("CARGO_MANIFEST_DIR");
        let text = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        for (path, reason) in [
            (
                "/nowhere/at.all",
                "cannot be read: No such file or directory (os error 2)",
            ),
            (folder, "cannot be read: it is not a regular file"),
            (text, "is not a valid WHAT: "),
        ] {
            for (what, error) in [
                ("Polyglot book", book(path).expect_err(path)),
                ("network", network(path).expect_err(path)),
            ] {
                let error = testkit::programs::portable(error);
                let expected = format!("{path} {}", reason.replace("WHAT", what));
                assert!(error.starts_with(&expected), "{error}");
            }
        }
    }

    #[test]
    fn some_need_no_file() {
        let built_in = network(BUILT_IN).expect("it is there");
        assert_eq!(built_in.fingerprint(), Network::built_in().fingerprint());
        assert_eq!(book("").expect("it is there").len(), book::built_in().len());
    }
}
