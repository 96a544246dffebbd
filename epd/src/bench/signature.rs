//! The bench signature: in an engine's output, and as expected by a file or a commit message.

use regex::Regex;
use uci::grammar::Message;

/// The forms in which engines print the total, most specific first.
const FORMS: [&str; 4] = [
    // Stockfish: `Nodes searched  : 4463545`.
    r"(?i)^\s*(?:total\s+)?nodes\s+searched\s*[:=]\s*([0-9][0-9,'_]*)\s*$",
    // `Bench: 4463545`, as in commit messages.
    r"(?i)^\s*bench(?:mark)?\s*[:=]\s*([0-9][0-9,'_]*)\s*$",
    // `Nodes : 4463545`.
    r"(?i)^\s*(?:total\s+)?nodes\s*[:=]\s*([0-9][0-9,'_]*)\s*$",
    // `4463545 nodes 1234567 nps`, possibly after a word such as `OVERALL:`.
    r"(?i)(?:^|\s)([0-9][0-9,'_]*)\s+nodes\s+[0-9][0-9,'_]*\s+nps\b",
];

/// The last total in the most specific form that occurs.
pub fn find<'a>(lines: &(impl Iterator<Item = &'a str> + Clone)) -> Option<u64> {
    FORMS.iter().find_map(|form| {
        let form = Regex::new(form).expect("the forms are well formed");
        lines.clone().filter_map(|line| read(&form, line)).last()
    })
}

fn read(form: &Regex, line: &str) -> Option<u64> {
    // A search's own info line: `info depth 5 nodes 30922 nps 2576000`.
    if matches!(Message::parse(line), Message::Info(_)) {
        return None;
    }
    number(form.captures(line)?.get(1)?.as_str())
}

/// Parses a number, possibly with digit grouping.
fn number(text: &str) -> Option<u64> {
    text.replace([',', '\'', '_'], "").parse().ok()
}

/// Parses a file: one number, optionally as `Bench: 4463545`; lines that begin with `#` are
/// comments.
pub(crate) fn from_file(text: &str) -> Result<u64, String> {
    let is_content = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let lines: Vec<&str> = text.lines().map(str::trim).filter(is_content).collect();
    let [line] = lines[..] else {
        let count = lines.len();
        return Err(format!(
            "{count} lines, expected one with the number of nodes"
        ));
    };
    let word = line.rsplit([' ', ':', '=', '\t']).next().unwrap_or(line);
    number(word)
        .ok_or_else(|| format!("'{line}' is not a number of nodes, expected one such as 4463545"))
}

/// What a commit message states about the signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stated {
    /// This number of nodes.
    Nodes(u64),
    /// `No functional change`: the signature of the parent commit.
    Unchanged,
    /// Nothing about it.
    Nothing,
}

/// Parses a commit message: the last `Bench: 4463545`, or `bench 4463545` on a line of its own.
pub fn from_message(message: &str) -> Stated {
    let bench = Regex::new(
        r"(?im)(?:(?:^|[\s(])bench(?:mark)?\s*[:=]\s*|^\s*bench\s+)([0-9][0-9,'_]*)(?:[\s.)]|$)",
    )
    .expect("the pattern is well formed");
    // Commits of Stockfish end with `Bench: N`, or with `No functional change`.
    let last = bench.captures_iter(message).last();
    let nodes = last.and_then(|found| number(&found[1]));
    let unchanged = Regex::new(r"(?i)\bno(?:n-|\s+)functional(?:\s+change)?")
        .expect("the pattern is well formed");
    match nodes {
        Some(nodes) => Stated::Nodes(nodes),
        None if unchanged.is_match(message) => Stated::Unchanged,
        None => Stated::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        let stockfish =
            "Total time (ms) : 2000\nNodes searched  : 3467381\nNodes/second    : 1733690";
        let overall =
            "[# 1] 100 nodes 5000 nps\n[# 2] 30 nodes 6000 nps\nOVERALL: 130 nodes 5500 nps";
        let info = "info depth 5 nodes 30922 nps 2576000 pv e2e4";
        for (lines, expected) in [
            (stockfish, Some(3_467_381)),
            (
                "Time  : 2266ms\nNodes : 5132900\nNPS   : 2265180",
                Some(5_132_900),
            ),
            ("Bench: 1,234,567", Some(1_234_567)),
            (overall, Some(130)),
            ("4463545 nodes 1234567 nps", Some(4_463_545)),
            (&format!("{info}\nNodes searched: 7"), Some(7)),
            (info, None),
            ("\tinfo\tdepth 5 nodes 30922 nps 2576000 pv e2e4", None),
            ("Nodes searched : 99999999999999999999", None),
            ("Position: 1/50\nbenchmarks: none", None),
        ] {
            assert_eq!(find(&lines.lines()), expected, "{lines}");
        }
    }

    #[test]
    fn messages() {
        for (message, expected) in [
            ("Tune\n\nBench: 4463545\n", Stated::Nodes(4_463_545)),
            ("Tune\n\nbench 4463545", Stated::Nodes(4_463_545)),
            ("Tune (Bench: 4,463,545)\n", Stated::Nodes(4_463_545)),
            ("Tune\n\nBench: 1\nBench: 2", Stated::Nodes(2)),
            ("Tune\n\nBENCH = 12", Stated::Nodes(12)),
            ("Tidy\n\nNo functional change", Stated::Unchanged),
            ("Tidy\n\nNon-functional change.", Stated::Unchanged),
            ("Give the bench 2 positions more", Stated::Nothing),
            ("workbench 12", Stated::Nothing),
            ("Tidy", Stated::Nothing),
        ] {
            assert_eq!(from_message(message), expected, "{message:?}");
        }
    }

    #[test]
    fn files() {
        let nodes = "'nodes' is not a number of nodes, expected one such as 4463545";
        for (text, expected) in [
            ("4463545\n", Ok(4_463_545)),
            ("# of main\nBench: 4,463,545\n", Ok(4_463_545)),
            ("Bench:7", Ok(7)),
            ("", Err("0 lines, expected one with the number of nodes")),
            (
                "1\n2\n",
                Err("2 lines, expected one with the number of nodes"),
            ),
            ("nodes\n", Err(nodes)),
        ] {
            assert_eq!(from_file(text), expected.map_err(str::to_owned), "{text:?}");
        }
    }
}
