//! The code of a class, as a teacher writes it on a blackboard.

use std::fmt;
use std::str::FromStr;

/// Six letters and digits that are not mistaken for each other, and no vowels, so that they spell nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClassCode(String);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not the code of a class: six letters and digits are expected, as in B7K-2QX")]
pub struct ParseCodeError(pub String);

const ALPHABET: &[u8; 28] = b"BCDFGHJKMNPQRSTVWXYZ23456789";
const LENGTH: usize = 6;

impl ClassCode {
    /// Makes a code of random bytes, of which those that would prefer some letters are skipped; none if too few are left.
    pub fn from_random(random: &[u8]) -> Option<Self> {
        // 28 divides 252 and not 256: the last four bytes would prefer the first four letters.
        let even = 256 / ALPHABET.len() * ALPHABET.len();
        let bytes = random.iter().map(|&byte| usize::from(byte));
        let letters = bytes.filter(|&byte| byte < even).take(LENGTH);
        let code: String = letters
            .map(|byte| char::from(ALPHABET[byte % ALPHABET.len()]))
            .collect();
        (code.len() == LENGTH).then_some(Self(code))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// In two groups: `B7K-2QX`.
impl fmt::Display for ClassCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (one, other) = self.0.split_at(LENGTH / 2);
        write!(f, "{one}-{other}")
    }
}

/// Reads a code as people write it: small letters, hyphens and blanks are fine.
impl FromStr for ClassCode {
    type Err = ParseCodeError;

    fn from_str(text: &str) -> Result<Self, ParseCodeError> {
        let code: String = text
            .chars()
            .filter(|c| !matches!(c, '-' | ' '))
            .map(|c| c.to_ascii_uppercase())
            // One character too many is enough to see that it is no code.
            .take(LENGTH + 1)
            .collect();
        let is_code = code.len() == LENGTH && code.bytes().all(|byte| ALPHABET.contains(&byte));
        if is_code {
            Ok(Self(code))
        } else {
            Err(ParseCodeError(text.chars().take(20).collect()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_as_they_are_written() {
        let code = ClassCode::from_random(&[0, 27, 28, 255, 1, 2, 3]).expect("enough bytes");
        assert_eq!(code.as_str(), "B9BCDF");
        assert_eq!(code.to_string(), "B9B-CDF");
        for text in ["B9B-CDF", "b9bcdf", " b9b cdf "] {
            assert_eq!(text.parse().as_ref(), Ok(&code), "{text}");
        }
        assert_eq!(ClassCode::from_random(&[255; 32]), None);
        for text in ["", "B9BCD", "B9BCDFG", "B9BCDA", "B9BCD0", "B9BCDÄ"] {
            assert_eq!(
                text.parse::<ClassCode>(),
                Err(ParseCodeError(text.to_owned()))
            );
        }
    }
}
