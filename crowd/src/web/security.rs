//! `/.well-known/security.txt` (RFC 9116): where to report a weakness of the site.

use std::str::FromStr;

use time::{Duration, OffsetDateTime};

use crate::model::Timestamp;

/// The address of a contact: `mailto:`, `tel:` or `https://`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecurityContact(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected mailto:, tel: or https:// and an address of printable ASCII, without blanks")]
pub struct SecurityContactError;

impl FromStr for SecurityContact {
    type Err = SecurityContactError;

    fn from_str(text: &str) -> Result<Self, SecurityContactError> {
        let schemes = ["mailto:", "tel:", "https://"];
        let rest = schemes.iter().find_map(|scheme| text.strip_prefix(scheme));
        // A line end would begin another field.
        let is_address =
            |rest: &str| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_graphic());
        match rest {
            Some(rest) if is_address(rest) => Ok(Self(text.to_owned())),
            _ => Err(SecurityContactError),
        }
    }
}

/// How long what the file says is good; RFC 9116 recommends less than a year.
const GOOD_FOR: Duration = Duration::days(180);

/// The file; `None` without a contact, which RFC 9116 requires.
pub(crate) fn security_txt(contacts: &[SecurityContact], now: Timestamp) -> Option<String> {
    if contacts.is_empty() {
        return None;
    }
    let seconds = now.0.div_euclid(1000);
    let now = OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let expires = now.saturating_add(GOOD_FOR).date();
    let contacts = contacts.iter();
    let mut lines: Vec<String> = contacts
        .map(|SecurityContact(address)| format!("Contact: {address}"))
        .collect();
    // RFC 9116 (2.5.5) needs a time as in RFC 3339.
    lines.push(format!("Expires: {expires}T00:00:00Z\n"));
    Some(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_names_contacts_and_expires() {
        let contacts = ["mailto:ada@crowd.example", "https://crowd.example/report"];
        let contacts = contacts.map(|text| text.parse().expect("an address"));
        let file = security_txt(&contacts, Timestamp(1_700_000_000_000));
        let expected = "Contact: mailto:ada@crowd.example\nContact: https://crowd.example/report\n\
                        Expires: 2024-05-12T00:00:00Z\n";
        assert_eq!(file.as_deref(), Some(expected));
        assert_eq!(security_txt(&[], Timestamp(0)), None);
    }

    #[test]
    fn a_contact_is_one_address() {
        for text in [
            "",
            "ada@crowd.example",
            "mailto:",
            "http://crowd.example/",
            "https://crowd.example/a b",
            "mailto:ada@crowd.example\nContact: x",
        ] {
            assert_eq!(
                text.parse::<SecurityContact>(),
                Err(SecurityContactError),
                "{text}"
            );
        }
    }
}
