//! Finds the node count in an engine's output.

use regex::Regex;

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
pub(crate) fn find<'a>(lines: &(impl Iterator<Item = &'a str> + Clone)) -> Option<u64> {
    FORMS.iter().find_map(|form| {
        let form = Regex::new(form).expect("the forms are well formed");
        lines.clone().filter_map(|line| read(&form, line)).last()
    })
}

fn read(form: &Regex, line: &str) -> Option<u64> {
    // A search's own info line: `info depth 5 nodes 30922 nps 2576000`.
    if line.trim_start().starts_with("info ") {
        return None;
    }
    number(form.captures(line)?.get(1)?.as_str())
}

/// Parses a number, possibly with digit grouping.
pub(super) fn number(text: &str) -> Option<u64> {
    text.replace([',', '\'', '_'], "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        for (lines, expected) in [
            (
                &[
                    "Total time (ms) : 2000",
                    "Nodes searched  : 3467381",
                    "Nodes/second    : 1733690",
                ][..],
                Some(3_467_381),
            ),
            (
                &["Time  : 2266ms", "Nodes : 5132900", "NPS   : 2265180"],
                Some(5_132_900),
            ),
            (&["Bench: 1,234,567"], Some(1_234_567)),
            (
                &[
                    "[# 1] 100 nodes 5000 nps",
                    "[# 2] 30 nodes 6000 nps",
                    "OVERALL: 130 nodes 5500 nps",
                ],
                Some(130),
            ),
            (&["4463545 nodes 1234567 nps"], Some(4_463_545)),
            (
                &[
                    "info depth 5 nodes 30922 nps 2576000 pv e2e4",
                    "Nodes searched: 7",
                ],
                Some(7),
            ),
            (&["info depth 5 nodes 30922 nps 2576000 pv e2e4"], None),
            (&["Nodes searched : 99999999999999999999"], None),
            (&["Position: 1/50", "benchmarks: none"], None),
        ] {
            assert_eq!(find(&lines.iter().copied()), expected, "{lines:?}");
        }
    }
}
