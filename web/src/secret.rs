//! Random texts that cannot be guessed, and their hashes.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rand::TryRng as _;
use rand::rngs::SysRng;
use sha2::{Digest as _, Sha256};

/// The system has no random numbers.
pub use rand::rngs::SysError as NoRandom;

/// Length of the text that [`random`] returns.
pub const LENGTH: usize = 43;

/// 256 bits of the system's random numbers, as base64url.
///
/// # Errors
/// The system has none.
pub fn random() -> Result<String, NoRandom> {
    let mut bytes = [0; 32];
    SysRng.try_fill_bytes(&mut bytes)?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

/// Returns true if the text has the form of those that [`random`] returns.
pub fn is_well_formed(text: &str) -> bool {
    let is_base64url = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    text.len() == LENGTH && text.bytes().all(is_base64url)
}

/// The SHA-256 of a text, under which it is stored and found. A random text cannot be guessed from it,
/// so that passwords, which people choose, need more.
pub fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_differ_and_are_well_formed() {
        let one = random().expect("random bytes");
        assert!(is_well_formed(&one));
        assert_ne!(one, random().expect("random bytes"));
        assert_ne!(hash(&one), hash("other"));
        let long = "a".repeat(44);
        let odd = format!("{}'", "a".repeat(42));
        for text in ["", "abc", &long, &odd] {
            assert!(!is_well_formed(text), "{text}");
        }
    }
}
