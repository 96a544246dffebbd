//! The built-in suites. The head of each file gives the source of its positions and of its counts
//! or solutions.

use std::io;

use crate::text::Suite;

/// A built-in suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name on the command line.
    pub name: &'static str,
    /// The text of its file.
    pub text: &'static str,
}

impl BuiltIn {
    /// Reads the suite.
    pub fn parse(&self) -> Suite {
        Suite::parse(self.name, self.text.as_bytes())
    }

    /// What the suite is, in a few words: the first sentence of its file after the name.
    pub fn summary(&self) -> String {
        let head = self.text.lines().map_while(|line| line.strip_prefix("# "));
        let head = head.collect::<Vec<_>>().join(" ");
        let (_, summary) = head.split_once(": ").unwrap_or(("", &head));
        let end = summary.find(". ").unwrap_or(summary.len());
        summary[..end].trim_end_matches('.').to_owned()
    }
}

macro_rules! built_in {
    ($($name:literal in $folder:literal),*) => {
        [$(BuiltIn {
            name: $name,
            text: include_str!(concat!("../suites/", $folder, $name, ".epd")),
        }),*]
    };
}

/// The built-in perft suites: what `perft check` runs by default.
pub const ALL: [BuiltIn; 6] = built_in![
    "quick" in "", "full" in "", "standard" in "", "chess960" in "", "edge" in "", "thesis" in ""
];

/// The built-in perft suite for a growing move generator. It is not part of [`ALL`]: it has no rule
/// that those do not have, and is asked in stages.
pub const STAGES: BuiltIn = built_in!["stages" in ""][0];

/// The built-in perft suite of positions that have broken a move generator before, each with its
/// source. It is not part of [`ALL`]: it grows with what becomes known.
pub const BUGS: BuiltIn = built_in!["bugs" in ""][0];

/// The built-in tactical suites: one best move per position, `bm`, and no perft counts.
pub const TACTICS: [BuiltIn; 5] = built_in![
    "mate-in-1" in "tactics/", "mate-in-2" in "tactics/", "mate-in-3" in "tactics/",
    "mate-in-4" in "tactics/", "tactics" in "tactics/"
];

/// All built-in suites, perft and tactical.
pub fn all() -> impl Iterator<Item = BuiltIn> {
    ALL.into_iter().chain([STAGES, BUGS]).chain(TACTICS)
}

/// The built-in suite of this name, perft or tactical.
pub fn find(name: &str) -> Option<BuiltIn> {
    all().find(|suite| suite.name == name)
}

/// The names of all built-in suites.
pub fn names() -> Vec<&'static str> {
    all().map(|suite| suite.name).collect()
}

/// The error message for a suite that is neither a readable file nor a built-in one; one that is like a
/// built-in name ends with what `did_you_mean` says of it and of the built-in names.
pub fn describe_missing(
    name: &str,
    error: &io::Error,
    did_you_mean: impl FnOnce(&str, Vec<&'static str>) -> String,
) -> String {
    let message = format!("cannot read {name}: {error}");
    // A name with a folder or an ending was meant as a file.
    if error.kind() != io::ErrorKind::NotFound || name.contains(['/', '.']) {
        return message;
    }
    let known = names();
    let list = known.join(", ");
    format!(
        "{message}; built in are {list}{}",
        did_you_mean(name, known)
    )
}

/// The suites are clean and complete, and their counts correct to two plies.
#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use chess::rules::mailbox;

    use super::*;
    use crate::text::{RecordProblem, SuiteEntry, lint};

    #[test]
    fn they_are_read_without_a_diagnostic_and_operands_fit() {
        for built_in in all() {
            let suite = built_in.parse();
            let name = format!("{}.epd", built_in.name);
            let found = suite.diagnostics.iter();
            let found: Vec<String> = found.map(|one| one.display(&name).to_string()).collect();
            assert!(found.is_empty(), "{}", found.join("\n"));
            assert!(!suite.entries.is_empty(), "{name} has no record");
            let operands = suite.entries.iter().flat_map(SuiteEntry::check_operands);
            let operands: Vec<_> = operands.collect();
            assert_eq!(operands, [], "{name}");
            assert_eq!(find(built_in.name), Some(built_in));
        }
        assert_eq!(find("nonesuch"), None);
    }

    /// The same position comes again only with another clock or en passant square, which `lint` does not
    /// distinguish.
    #[test]
    fn lint_finds_them_in_standard_form() {
        for built_in in all() {
            let lines: Vec<&str> = built_in.text.lines().collect();
            let written = |line: usize| {
                let line = lines[line - 1];
                let clock = line.split("; ").find(|one| one.starts_with("hmvc "));
                (line.split(' ').nth(3), clock)
            };
            for finding in lint(built_in.name, built_in.text.as_bytes()).findings {
                let line = finding.diagnostic.line;
                let is_other = match finding.diagnostic.problem {
                    RecordProblem::Duplicate { first } => written(first) != written(line),
                    _ => false,
                };
                assert!(is_other, "{}", finding.display(built_in.name));
            }
        }
    }

    #[test]
    fn summaries_are_one_sentence_of_the_head() {
        let expected = "60 positions in which one first move alone forces mate in 3, and nothing \
                        mates faster";
        let summary = find("mate-in-3").map(|suite| suite.summary());
        assert_eq!(summary.as_deref(), Some(expected));
        for built_in in all() {
            let (name, summary) = (built_in.name, built_in.summary());
            assert!((20..200).contains(&summary.len()), "{name}: {summary}");
        }
    }

    #[test]
    fn every_record_has_an_id_of_its_own_a_tag_and_a_first_count() {
        let mut seen = HashMap::new();
        for built_in in ALL.into_iter().chain([STAGES, BUGS]) {
            for entry in built_in.parse().entries {
                let place = format!("{}.epd:{}", built_in.name, entry.line);
                let record = entry.record;
                let id = record.id();
                let id = id.unwrap_or_else(|| panic!("{place} has no id"));
                assert_ne!(record.tags().count(), 0, "{place} has no tag");
                let has_first = record.perft_counts().iter().any(|count| count.0 == 1);
                assert!(has_first, "{place}: no D1");
                if let Some(first) = seen.insert(id.to_owned(), place.clone()) {
                    panic!("{place}: id '{id}' is that of {first}");
                }
            }
        }
    }

    #[test]
    fn shallow_counts_are_those_of_the_oracle() {
        for built_in in ALL.into_iter().chain([STAGES, BUGS]) {
            for entry in built_in.parse().entries {
                let setup = entry.record.position().to_setup();
                for (depth, count) in entry.record.perft_counts() {
                    let place = format!("{}.epd:{}, depth {depth}", built_in.name, entry.line);
                    if depth <= 2 {
                        assert_eq!(mailbox::perft(&setup, depth), count, "{place}");
                    }
                }
            }
        }
    }
}
