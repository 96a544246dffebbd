use std::fmt;
use std::str::FromStr;

/// A display name: up to 32 characters, without control characters or direction marks.
///
/// It is plain text, never markup; output must escape it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerName(String);

/// Why a name is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Only white space.
    #[error("a name has at least one character")]
    Empty,
    /// Too long; the number of characters.
    #[error("a name has at most 32 characters, this one has {0}")]
    Long(usize),
    /// A character that is not visible by itself.
    #[error(
        "a name has no control characters and none that change the direction of text (U+{0:04X})"
    )]
    Sign(u32),
}

impl PlayerName {
    const LONGEST: usize = 32;

    /// The name, trimmed.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for PlayerName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let name = text.trim();
        if name.is_empty() {
            return Err(NameError::Empty);
        }
        let length = name.chars().count();
        if length > Self::LONGEST {
            return Err(NameError::Long(length));
        }
        match name.chars().find(|&c| is_hidden(c)) {
            Some(sign) => Err(NameError::Sign(u32::from(sign))),
            None => Ok(Self(name.to_owned())),
        }
    }
}

/// Control characters, and those of Unicode's category Cf that can disguise names.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_names_as_they_are() {
        for name in ["Ada", "<script>", "O'Brien; --", "Ζωή", "名"] {
            assert_eq!(
                name.parse::<PlayerName>().map(|n| n.to_string()),
                Ok(name.to_owned())
            );
        }
        assert_eq!(
            "  a b ".parse::<PlayerName>().map(|n| n.to_string()),
            Ok("a b".to_owned())
        );
    }

    #[test]
    fn refuses_what_cannot_be_shown() {
        assert_eq!(" ".parse::<PlayerName>(), Err(NameError::Empty));
        assert_eq!(
            "x".repeat(33).parse::<PlayerName>(),
            Err(NameError::Long(33))
        );
        assert_eq!(
            "a\u{202E}b".parse::<PlayerName>(),
            Err(NameError::Sign(0x202E))
        );
        assert_eq!("a\0b".parse::<PlayerName>(), Err(NameError::Sign(0)));
    }
}
