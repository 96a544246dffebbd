//! Recovery phrases: by these a person is known again on another device.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use web::secret::{self, NoRandom};

/// 100 random bits as twenty letters and digits, in groups of four: `7k3m-q0zt-…`.
///
/// There is no i, l, o or u, so that nothing looks like 1, 0 or v; what is typed instead is read as
/// the digit that it looks like.
#[derive(Clone, PartialEq, Eq)]
pub struct Phrase(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a recovery phrase has twenty letters and digits, in five groups of four")]
pub struct ParsePhraseError;

const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH: usize = 20;
const GROUP: usize = 4;

impl Phrase {
    pub(super) fn random() -> Result<Self, NoRandom> {
        // 43 characters of base64url hold 256 random bits; the hash spreads them over whole bytes.
        let bytes = secret::hash(&secret::random()?);
        // 256 is a multiple of 32, so that all digits are equally probable.
        let digit = |byte: &u8| char::from(DIGITS[usize::from(byte % 32)]);
        Ok(Self(bytes.iter().take(LENGTH).map(digit).collect()))
    }

    /// Its stored form. Guesses are hopeless: there are 2 to the 100th.
    pub(super) fn hash(&self) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(secret::hash(&self.0))
    }
}

impl FromStr for Phrase {
    type Err = ParsePhraseError;

    fn from_str(text: &str) -> Result<Self, ParsePhraseError> {
        let is_between = |c: char| c.is_whitespace() || matches!(c, '-' | '–' | '.' | ',');
        let mut read = String::with_capacity(LENGTH);
        for c in text.chars().filter(|c| !is_between(*c)) {
            let digit = match c.to_ascii_lowercase() {
                'i' | 'l' => '1',
                'o' => '0',
                'u' => 'v',
                other => other,
            };
            let is_digit = u8::try_from(digit).is_ok_and(|byte| DIGITS.contains(&byte));
            if !is_digit || read.len() == LENGTH {
                return Err(ParsePhraseError);
            }
            read.push(digit);
        }
        if read.len() == LENGTH {
            Ok(Self(read))
        } else {
            Err(ParsePhraseError)
        }
    }
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let starts = (0..LENGTH).step_by(GROUP);
        let groups: Vec<&str> = starts.map(|at| &self.0[at..at + GROUP]).collect();
        f.write_str(&groups.join("-"))
    }
}

impl fmt::Debug for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // It is a secret; it must not reach a log.
        f.write_str("Phrase(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_differ_and_are_read_as_people_type_them() {
        let phrase = Phrase::random().expect("random bytes");
        assert_ne!(phrase, Phrase::random().expect("random bytes"));
        let shown = phrase.to_string();
        assert_eq!(shown.len(), 24);
        let typed = [
            shown.clone(),
            format!(" {} ", shown.to_uppercase().replace('-', " ")),
            shown.replace('-', ""),
            shown.replace('1', "l").replace('0', "O").replace('v', "u"),
        ];
        for text in typed {
            assert_eq!(text.parse(), Ok(phrase.clone()), "{text}");
        }
        assert_eq!(format!("{phrase:?}"), "Phrase(…)");
        assert_ne!(phrase.hash(), shown);
    }

    #[test]
    fn other_texts_are_rejected() {
        let long = "a".repeat(21);
        let odd = "é".repeat(20);
        for text in ["", "abcd-efgh", &long, &odd, "0000-0000-0000-0000-000!"] {
            assert_eq!(text.parse::<Phrase>(), Err(ParsePhraseError), "{text}");
        }
    }
}
