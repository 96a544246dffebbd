//! Numbers as people and programs write them.

/// Parses an announced mate, in moves: `#3`, `M3`, `+M3`, `-M3`, `#-3`, `mate3`; negative if the
/// side to move is mated.
pub(super) fn mate(word: &str) -> Option<i64> {
    let (sign, rest) = signed(word);
    let rest = rest
        .strip_prefix(['#', 'M'])
        .or_else(|| rest.strip_prefix("mate"))?;
    let (inner, digits) = signed(rest);
    let moves: i64 = digits.parse().ok().filter(|_| is_digits(digits))?;
    (1..=10_000)
        .contains(&moves)
        .then_some(sign * inner * moves)
}

fn signed(text: &str) -> (i64, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A mate as an evaluation (PGN standard, 16.2.5.6): 32767 minus the plies to mate.
pub(super) fn evaluation(mate: i64) -> i64 {
    if mate > 0 {
        32767 - (2 * mate - 1)
    } else {
        -(32767 + 2 * mate)
    }
}

/// The canonical form of a number: no `+`, no leading zeros, no digit grouping.
pub(super) fn canonical(text: &str) -> Option<String> {
    let (sign, digits) = signed(text);
    let digits = ungroup(digits)?;
    let digits = digits.trim_start_matches('0');
    Some(match (digits, sign) {
        ("", _) => "0".to_owned(),
        (digits, -1) => format!("-{digits}"),
        (digits, _) => digits.to_owned(),
    })
}

/// The digits of `1234` or `1,234`; a first group of one to three, then groups of three.
fn ungroup(text: &str) -> Option<String> {
    let mut groups = text.split(',');
    let first = groups.next()?;
    let is_grouped = text.len() > first.len();
    let is_first = is_digits(first) && (!is_grouped || first.len() <= 3);
    let are_threes = groups.all(|group| group.len() == 3 && is_digits(group));
    (is_first && are_threes).then(|| text.replace(',', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_read_and_valued() {
        let rows = [
            ("#3", Some(3), 32762),
            ("M1", Some(1), 32766),
            ("+M2", Some(2), 32764),
            ("-M2", Some(-2), -32763),
            ("#-1", Some(-1), -32765),
            ("mate15", Some(15), 32738),
            ("#0", None, 0),
            ("#", None, 0),
            ("M2x", None, 0),
            ("#99999", None, 0),
        ];
        for (word, expected, value) in rows {
            assert_eq!(mate(word), expected, "{word}");
            if let Some(mate) = expected {
                assert_eq!(evaluation(mate), value, "{word}");
            }
        }
    }

    #[test]
    fn numbers_have_one_form() {
        let rows = [
            ("+15", Some("15")),
            ("-007", Some("-7")),
            ("-0", Some("0")),
            ("1,234,567", Some("1234567")),
            ("12,34", None),
            ("1234,567", None),
            ("1.5", None),
            ("", None),
            ("+", None),
        ];
        for (text, expected) in rows {
            assert_eq!(canonical(text).as_deref(), expected, "{text}");
        }
    }
}
