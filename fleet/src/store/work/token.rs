//! Tokens of leases: what a lease is, sealed, so that no worker can make one, change one, or see
//! how many there are.
//!
//! Sealing is deterministic authenticated encryption from HMAC-SHA256 alone, built as SIV: the tag
//! is that of the plain text, and the key stream is made from the tag.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::model::{JobNumber, WorkerId};

const PLAIN: usize = 44;
const TAG: usize = 16;

/// The keys that tokens are sealed with, made from the lab's.
#[derive(Clone)]
pub(super) struct TokenKeys {
    tag: Hmac<Sha256>,
    stream: Hmac<Sha256>,
}

impl std::fmt::Debug for TokenKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key")
    }
}

/// A lease, as the server knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leased {
    pub(super) job: JobNumber,
    pub(super) chunk: i64,
    /// The first unit of the chunk, and how many there are.
    pub(super) first: i64,
    pub(super) units: i32,
    pub(super) worker: WorkerId,
    /// No other lease has it.
    pub(super) number: i64,
    /// When it began, in milliseconds since 1970, by the database's clock.
    pub(super) began_ms: u64,
}

impl Leased {
    /// Whether a unit is in the chunk.
    pub(super) fn holds(&self, key: u64) -> bool {
        i64::try_from(key)
            .is_ok_and(|key| key >= self.first && key - self.first < i64::from(self.units))
    }

    fn to_bytes(self) -> [u8; PLAIN] {
        let mut bytes = [0; PLAIN];
        let mut at = 0;
        let mut add = |part: &[u8]| {
            bytes[at..at + part.len()].copy_from_slice(part);
            at += part.len();
        };
        add(&self.job.0.to_le_bytes());
        add(&self.chunk.to_le_bytes());
        add(&self.first.to_le_bytes());
        add(&self.units.to_le_bytes());
        add(&self.worker.0.to_le_bytes());
        add(&self.number.to_le_bytes());
        add(&self.began_ms.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; PLAIN]) -> Self {
        let mut at = 0;
        let mut take = |size: usize| {
            let mut value = [0; 8];
            value[..size].copy_from_slice(&bytes[at..at + size]);
            at += size;
            i64::from_le_bytes(value)
        };
        let narrow = |value: i64| {
            let [a, b, c, d, ..] = value.to_le_bytes();
            i32::from_le_bytes([a, b, c, d])
        };
        Self {
            job: JobNumber(narrow(take(4))),
            chunk: take(8),
            first: take(8),
            units: narrow(take(4)),
            worker: WorkerId(narrow(take(4))),
            number: take(8),
            began_ms: take(8).cast_unsigned(),
        }
    }
}

impl TokenKeys {
    pub(super) fn new(secret: &[u8]) -> Self {
        let mac = |key: &[u8]| {
            Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of every length")
        };
        let derived = |purpose: &[u8]| {
            let derived = mac(secret).chain_update(purpose).finalize().into_bytes();
            mac(&derived)
        };
        Self {
            tag: derived(b"lease tag"),
            stream: derived(b"lease stream"),
        }
    }

    /// The token of a lease.
    pub(super) fn seal(&self, lease: Leased) -> String {
        let mut bytes = lease.to_bytes();
        let tag = self.tag.clone().chain_update(bytes).finalize().into_bytes();
        self.mask(&tag[..TAG], &mut bytes);
        let sealed = [&tag[..TAG], &bytes].concat();
        BASE64_URL_SAFE_NO_PAD.encode(sealed)
    }

    /// The lease of a token; `None` if this lab never made it.
    pub(super) fn open(&self, token: &str) -> Option<Leased> {
        // Longer ones are not decoded.
        if token.len() > 2 * (PLAIN + TAG) {
            return None;
        }
        let sealed = BASE64_URL_SAFE_NO_PAD.decode(token).ok()?;
        let (tag, plain) = sealed.split_at_checked(TAG)?;
        let mut bytes: [u8; PLAIN] = plain.try_into().ok()?;
        self.mask(tag, &mut bytes);
        // Compared in constant time.
        let expected = self.tag.clone().chain_update(bytes);
        expected.verify_truncated_left(tag).ok()?;
        Some(Leased::from_bytes(&bytes))
    }

    fn mask(&self, tag: &[u8], bytes: &mut [u8; PLAIN]) {
        for (nth, part) in (0_u8..).zip(bytes.chunks_mut(32)) {
            let stream = self.stream.clone().chain_update(tag).chain_update([nth]);
            let stream = stream.finalize().into_bytes();
            for (byte, mask) in part.iter_mut().zip(stream) {
                *byte ^= mask;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lease() -> Leased {
        Leased {
            job: JobNumber(7),
            chunk: 1 << 40,
            first: -3,
            units: 100,
            worker: WorkerId(i32::MAX),
            number: i64::MIN,
            began_ms: u64::MAX - 5,
        }
    }

    #[test]
    fn what_is_sealed_can_be_opened_by_the_lab_alone() {
        let key = TokenKeys::new(b"secret");
        let token = key.seal(lease());
        assert_eq!(key.open(&token), Some(lease()));
        assert_eq!(TokenKeys::new(b"other").open(&token), None);
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(&token).expect("base64");
        for nth in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[nth] ^= 1;
            assert_eq!(key.open(&BASE64_URL_SAFE_NO_PAD.encode(changed)), None);
        }
        for wrong in ["", "x", &token[1..], &token[..60], &token.repeat(9)] {
            assert_eq!(key.open(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn nothing_of_a_lease_can_be_read() {
        let key = TokenKeys::new(b"secret");
        let open = |number| {
            let lease = Leased { number, ..lease() };
            let bytes = BASE64_URL_SAFE_NO_PAD.decode(key.seal(lease));
            bytes.expect("base64")
        };
        let (one, other) = (open(1), open(2));
        let same = one.iter().zip(&other).filter(|(a, b)| a == b).count();
        assert!(same < 8, "{same} of {} bytes are the same", one.len());
    }
}
