//! Selects checks by name: of a check, of a group, or a pattern. Pure.

use super::checks::GROUPS;
use super::definition::{Check, CheckGroup};

/// A name that selects nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown check '{name}' (--list prints all checks and their groups){meant}")]
pub(crate) struct UnknownCheckError {
    name: String,
    meant: String,
}

/// The checks that `only` names, all if it is empty, without those that `skip` names, in the order
/// of the list. A name is that of a check or a group, or a pattern in which `*` stands for any
/// characters.
///
/// # Errors
///
/// The first name that selects nothing.
pub(crate) fn select(
    only: &[String],
    skip: &[String],
) -> Result<Vec<&'static Check>, UnknownCheckError> {
    let all = || {
        let groups = GROUPS.iter();
        groups.flat_map(|group| group.checks.iter().map(move |check| (group, check)))
    };
    let names = |name: &str, (group, check): (&CheckGroup, &Check)| {
        name == group.name || matches(name.as_bytes(), check.name.as_bytes())
    };
    // Checked first, since a typing error must not select fewer checks in silence.
    for name in only.iter().chain(skip) {
        if !all().any(|one| names(name, one)) {
            return Err(UnknownCheckError {
                name: name.clone(),
                meant: did_you_mean(name),
            });
        }
    }
    let is_wanted = |&(group, check): &(&CheckGroup, &Check)| {
        let is_named = |list: &[String]| list.iter().any(|name| names(name, (group, check)));
        (only.is_empty() || is_named(only)) && !is_named(skip)
    };
    Ok(all().filter(is_wanted).map(|(_, check)| check).collect())
}

/// Whether a text matches a pattern in which `*` stands for any characters.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    match pattern {
        [] => text.is_empty(),
        [b'*', rest @ ..] => (0..=text.len()).any(|from| matches(rest, &text[from..])),
        [first, rest @ ..] => text.first() == Some(first) && matches(rest, &text[1..]),
    }
}

/// The names of checks and groups that are most like this one.
fn did_you_mean(name: &str) -> String {
    let groups = GROUPS.iter().map(|group| group.name);
    let checks = GROUPS.iter().flat_map(|group| group.checks);
    let known = groups.chain(checks.map(|check| check.name));
    kit::spelling::did_you_mean(name, known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(only: &str, skip: &str) -> Result<Vec<&'static str>, String> {
        let list = |text: &str| {
            text.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let selected = select(&list(only), &list(skip)).map_err(|error| error.to_string())?;
        Ok(selected.into_iter().map(|check| check.name).collect())
    }

    #[test]
    fn checks_are_selected_by_name_group_and_pattern() {
        let all = names("", "").expect("all").len();
        assert_eq!(all, 96);
        let rows = rows![
            "search uci", "" => vec!["uci", "search"];
            "pondering", "ponder-*" => vec!["ponderhit"];
            "*-in-search", "shutdown" => vec!["isready-in-search", "go-in-search"];
            "*castling*", "chess960" => vec!["castling-understood", "castling-written"];
            "go-m*", "*" => vec![];
        ];
        for (only, skip, expected) in rows {
            assert_eq!(names(only, skip), Ok(expected), "{only} {skip}");
        }
        assert_eq!(names("*", "").map(|all| all.len()), Ok(all));
    }

    #[test]
    fn near_names_are_suggested() {
        let rows = rows![
            "stopp" => ": did you mean stop or stopping?";
            "castling" => ": did you mean castling-written, castling-understood or chess960-castling-written?";
            "go-dept" => ": did you mean go-depth?";
            "xyzzy" => "";
            "perft*" => "";
        ];
        for (name, meant) in rows {
            let expected = format!(
                "unknown check '{name}' (--list prints all checks and their groups){meant}"
            );
            assert_eq!(names(name, ""), Err(expected));
        }
    }
}
