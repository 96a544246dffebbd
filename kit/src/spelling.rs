//! Names that a user may have meant by one that does not exist.

/// Maximum number of names to suggest.
const MOST: usize = 3;

/// `: did you mean a, b or c?`, for the end of a message about a name that does not exist, with those known
/// names that are most like it, the nearest first; empty if none is like it.
///
/// A third of the letters may differ, three at most, counted as insertions, removals, replacements and exchanges of
/// neighbours, or one name may be a part of the other. Dashes before a name and case do not count.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let bare = |name: &str| name.trim_start_matches('-').to_ascii_lowercase();
    let name = bare(name);
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .map(|known| (strsim::damerau_levenshtein(&name, &bare(known)), known))
        .filter(|&(edits, known)| {
            let known = bare(known);
            // One or two letters are part of nearly any name.
            let is_part =
                name.len().min(known.len()) > 2 && (known.contains(&name) || name.contains(&known));
            edits <= (known.len() / 3).min(3) || is_part
        })
        .collect();
    near.sort_unstable();
    let near: Vec<&str> = near.into_iter().take(MOST).map(|(_, name)| name).collect();
    match &*near {
        [] => String::new(),
        [one] => format!(": did you mean {one}?"),
        [others @ .., last] => format!(": did you mean {} or {last}?", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn near_names_are_suggested() {
        let known = [
            "quick",
            "full",
            "mate-in-1",
            "mate-in-2",
            "tactics",
            "-rounds",
        ];
        for (name, expected) in [
            ("quik", ": did you mean quick?"),
            ("qiuck", ": did you mean quick?"),
            ("Tatics", ": did you mean tactics?"),
            ("mate-in-3", ": did you mean mate-in-1 or mate-in-2?"),
            ("mate", ": did you mean mate-in-1 or mate-in-2?"),
            ("--round", ": did you mean -rounds?"),
            ("tacticsuite", ": did you mean tactics?"),
            ("fl", ""),
            ("x", ""),
            ("", ""),
            ("stockfish", ""),
        ] {
            assert_eq!(did_you_mean(name, known), expected, "{name}");
        }
    }
}
