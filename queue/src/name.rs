//! Names of workers.

use std::hash::{BuildHasher as _, RandomState};

/// Machine name, process id and a random number: unique for every worker.
#[expect(clippy::disallowed_methods, reason = "the edge asks the system")]
pub fn worker_name() -> String {
    // Without it, as on other systems than Linux, the random number still makes names unique.
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname");
    let host = host.unwrap_or_else(|_| "host".to_owned());
    // The keys of a `RandomState` are random, which saves a crate for random numbers here.
    let random = RandomState::new().hash_one(0) >> 32;
    format!("{}-{}-{random:08x}", host.trim(), std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worker_names_are_unique() {
        let (one, other) = (worker_name(), worker_name());
        assert_ne!(one, other);
        assert!(one.contains(&format!("-{}-", std::process::id())), "{one}");
        assert!(!one.contains(char::is_whitespace), "{one}");
    }
}
