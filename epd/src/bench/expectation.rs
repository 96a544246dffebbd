//! The expected bench signature, from a file or a commit message.

use regex::Regex;

use super::signature::number;

/// Parses a file: one number, optionally as `Bench: 4463545`; lines that begin with `#` are
/// comments.
///
/// # Errors
///
/// When there is no number, or more than one line.
pub(crate) fn from_file(text: &str) -> Result<u64, String> {
    let lines = text.lines().map(str::trim);
    let lines: Vec<&str> = lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    let [line] = lines[..] else {
        return Err(format!(
            "{} lines, expected one with the number of nodes",
            lines.len()
        ));
    };
    let word = line.rsplit([' ', ':', '=', '\t']).next().unwrap_or(line);
    number(word)
        .ok_or_else(|| format!("'{line}' is not a number of nodes, expected one such as 4463545"))
}

/// What a commit message states about the signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// The signature itself.
    Nodes(u64),
    /// `No functional change`: the signature of the parent commit.
    Unchanged,
    /// Nothing.
    Nothing,
}

/// Parses a commit message: the last `Bench: 4463545`, or `bench 4463545` on a line of its own.
pub(crate) fn from_message(message: &str) -> Said {
    let bench = Regex::new(
        r"(?im)(?:(?:^|[\s(])bench(?:mark)?\s*[:=]\s*|^\s*bench\s+)([0-9][0-9,'_]*)(?:[\s.)]|$)",
    )
    .expect("the pattern is well formed");
    let last = bench.captures_iter(message).last();
    let nodes = last.and_then(|found| number(&found[1]));
    let unchanged = Regex::new(r"(?i)\bno(?:n-|\s+)functional(?:\s+change)?")
        .expect("the pattern is well formed");
    match nodes {
        Some(nodes) => Said::Nodes(nodes),
        None if unchanged.is_match(message) => Said::Unchanged,
        None => Said::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages() {
        for (message, expected) in [
            ("Tune\n\nBench: 4463545\n", Said::Nodes(4_463_545)),
            ("Tune\n\nbench 4463545", Said::Nodes(4_463_545)),
            ("Tune (Bench: 4,463,545)\n", Said::Nodes(4_463_545)),
            ("Tune\n\nBench: 1\nBench: 2", Said::Nodes(2)),
            ("Tune\n\nBENCH = 12", Said::Nodes(12)),
            ("Tidy\n\nNo functional change", Said::Unchanged),
            ("Tidy\n\nNon-functional change.", Said::Unchanged),
            ("Give the bench 2 positions more", Said::Nothing),
            ("workbench 12", Said::Nothing),
            ("Tidy", Said::Nothing),
        ] {
            assert_eq!(from_message(message), expected, "{message:?}");
        }
    }

    #[test]
    fn files() {
        for (text, expected) in [
            ("4463545\n", Ok(4_463_545)),
            ("# of main\nBench: 4,463,545\n", Ok(4_463_545)),
            ("Bench:7", Ok(7)),
            ("", Err("0 lines, expected one with the number of nodes")),
            (
                "1\n2\n",
                Err("2 lines, expected one with the number of nodes"),
            ),
            (
                "nodes\n",
                Err("'nodes' is not a number of nodes, expected one such as 4463545"),
            ),
        ] {
            assert_eq!(from_file(text), expected.map_err(str::to_owned), "{text:?}");
        }
    }
}
