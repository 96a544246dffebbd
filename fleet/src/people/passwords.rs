//! Passwords: Argon2id with the parameters of RFC 9106 for limited memory, off the threads that answer.

use std::sync::Arc;
use std::time::Duration;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use rand::TryRng as _;
use rand::rngs::SysRng;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// RFC 9106, section 4, the second recommended option: 64 MiB, three passes, four lanes.
const MEMORY_KIB: u32 = 64 * 1024;
const PASSES: u32 = 3;
const LANES: u32 = 4;

/// What is checked for names that do not exist, so that an answer takes as long as for those that do.
// The parameters are those above: a check takes as long as those of the hash demand.
const NOBODY: &str = "$argon2id$v=19$m=65536,t=3,p=4$bm9ib2R5IGhhcyB0aGlzIQ\
    $V2hhdGV2ZXIgaXMgdHlwZWQsIGl0IGlzIHdyb25nLi4";

/// Hashes computed at once: each needs 64 MiB and a core for a tenth of a second.
const AT_ONCE: usize = 2;
/// The longest wait for one's turn.
const PATIENCE: Duration = Duration::from_secs(10);

/// The shortest and the longest password, in characters.
const LENGTHS: std::ops::RangeInclusive<usize> = 12..=200;

/// Why a password was rejected, or neither hashed nor checked.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// Too many are waiting.
    #[error("too many passwords are being checked")]
    Busy,
    /// It is soon guessed; the reason says what is wrong, and what is expected.
    #[error("password: {0}")]
    Weak(String),
    /// The algorithm failed.
    #[error("{0}")]
    Hash(String),
}

/// Hashes passwords, a few at once; clones share the limit.
#[derive(Clone, Debug)]
pub struct Passwords(Arc<Semaphore>);

impl Default for Passwords {
    fn default() -> Self {
        Self::at_once(AT_ONCE)
    }
}

impl Passwords {
    /// Computes so many hashes at once; the others wait for their turn.
    pub fn at_once(most: usize) -> Self {
        Self(Arc::new(Semaphore::new(most)))
    }

    /// Hashes a password as a PHC string.
    ///
    /// # Errors
    /// Too many are waiting, or the system has no random numbers.
    pub async fn hash(&self, password: &str) -> Result<String, PasswordError> {
        // RFC 9106, section 3.1, recommends 16 bytes for passwords.
        let mut salt = [0; 16];
        let filled = SysRng.try_fill_bytes(&mut salt);
        filled.map_err(|error| PasswordError::Hash(error.to_string()))?;
        let password = password.to_owned();
        self.aside(move || {
            let hash: PasswordHash = argon2()?
                .hash_password_with_salt(password.as_bytes(), &salt)
                .map_err(|error| PasswordError::Hash(error.to_string()))?;
            Ok(hash.to_string())
        })
        .await
    }

    /// Returns true if the password is the one of the hash. Without a hash it takes as long, and returns
    /// false.
    ///
    /// # Errors
    /// Too many are waiting, or the hash is malformed.
    pub async fn check(&self, password: &str, hash: Option<&str>) -> Result<bool, PasswordError> {
        let is_somebody = hash.is_some();
        let (password, hash) = (password.to_owned(), hash.unwrap_or(NOBODY).to_owned());
        self.aside(move || {
            let hash =
                PasswordHash::new(&hash).map_err(|error| PasswordError::Hash(error.to_string()))?;
            let verified = argon2()?.verify_password(password.as_bytes(), &hash);
            Ok(verified.is_ok() && is_somebody)
        })
        .await
    }

    async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, PasswordError> + Send + 'static,
    ) -> Result<T, PasswordError> {
        let turn = timeout(PATIENCE, Arc::clone(&self.0).acquire_owned()).await;
        let turn = turn.map_err(|_| PasswordError::Busy)?;
        let turn = turn.expect("the semaphore is never closed");
        let done = tokio::task::spawn_blocking(move || {
            let result = work();
            // The turn ends with the work: a caller that goes away does not stop this thread.
            drop(turn);
            result
        });
        done.await
            .map_err(|error| PasswordError::Hash(error.to_string()))?
    }
}

fn argon2() -> Result<Argon2<'static>, PasswordError> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None)
        .map_err(|error| PasswordError::Hash(error.to_string()))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// Rejects passwords that are soon guessed.
///
/// # Errors
/// It is too short or too long, contains the name, or is one character or sequence repeated.
pub fn check_strength(name: &str, password: &str) -> Result<(), PasswordError> {
    let length = password.chars().count();
    let reason = if !LENGTHS.contains(&length) {
        let (least, most) = (LENGTHS.start(), LENGTHS.end());
        format!("{length} characters, expected {least} to {most}")
    // Names are in lower case (`check_name`).
    } else if password.to_lowercase().contains(name) {
        String::from("it contains the name of the account")
    } else if distinct_characters(password) < 5 {
        String::from("it has fewer than five different characters")
    } else {
        return Ok(());
    };
    Err(PasswordError::Weak(reason))
}

fn distinct_characters(text: &str) -> usize {
    let found: std::collections::BTreeSet<char> = text.chars().collect();
    found.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_is_known_by_its_hash_alone() {
        let passwords = Passwords::default();
        let hash = passwords
            .hash("correct horse battery")
            .await
            .expect("hashed");
        for hash in [&*hash, NOBODY] {
            assert!(
                hash.starts_with("$argon2id$v=19$m=65536,t=3,p=4$"),
                "{hash}"
            );
        }
        let again = passwords
            .hash("correct horse battery")
            .await
            .expect("hashed");
        assert_ne!(hash, again);
        let check = async |password, hash| {
            let checked = passwords.check(password, hash).await;
            checked.expect("checked")
        };
        assert!(check("correct horse battery", Some(&hash)).await);
        assert!(!check("correct horse batterx", Some(&hash)).await);
        assert!(!check("correct horse battery", None).await);
    }

    #[test]
    fn weak_passwords_are_rejected() {
        let check = |password: &str| {
            check_strength("ada", password)
                .map_err(|error| error.to_string())
                .err()
        };
        assert_eq!(check("correct horse"), None);
        assert_eq!(
            check("short").as_deref(),
            Some("password: 5 characters, expected 12 to 200")
        );
        assert!(check(&"ab".repeat(20)).is_some());
        assert!(check("it is Ada's secret").is_some());
        assert!(check(&"äöüabcdefghi".repeat(20)).is_some());
    }
}
