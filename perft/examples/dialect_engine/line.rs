//! Lines made from templates.

/// Fills in `{key}`, padded by `{key:<8}` or `{key:>8}`; braces around anything that is no such word
/// stay as they are, so that JSON can be written.
///
/// # Errors
///
/// The key that has no value.
pub(crate) fn fill(
    template: &str,
    value: &dyn Fn(&str) -> Option<String>,
) -> Result<String, String> {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        match after.split_once('}') {
            Some((place, behind)) if is_place(place) => {
                let (key, width) = place.split_once(':').unwrap_or((place, ""));
                let value = value(key).ok_or_else(|| key.to_owned())?;
                text.push_str(&padded(&value, width));
                rest = behind;
            }
            _ => {
                text.push('{');
                rest = after;
            }
        }
    }
    text.push_str(rest);
    Ok(text)
}

fn is_place(place: &str) -> bool {
    let (key, width) = place.split_once(':').unwrap_or((place, "<0"));
    let is_key = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
    let number = width.strip_prefix(['<', '>']);
    is_key && number.is_some_and(|number| number.parse::<usize>().is_ok())
}

fn padded(value: &str, width: &str) -> String {
    let (side, number) = width.split_at_checked(1).unwrap_or(("<", "0"));
    let width = number.parse().unwrap_or(0);
    if side == ">" {
        format!("{value:>width$}")
    } else {
        format!("{value:<width$}")
    }
}

/// A number with its digits in groups of three.
pub(crate) fn grouped(number: u64, separator: &str) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push_str(separator);
        }
        text.push(digit);
    }
    text
}
