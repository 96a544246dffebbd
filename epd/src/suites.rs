//! The built-in suites. The head of each file gives the source of its positions and of its counts
//! or solutions.

use std::io;

use crate::suite::Suite;

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
}

/// The built-in perft suites: what `perft check` runs by default.
pub const ALL: [BuiltIn; 5] = [
    BuiltIn {
        name: "quick",
        text: include_str!("../suites/quick.epd"),
    },
    BuiltIn {
        name: "standard",
        text: include_str!("../suites/standard.epd"),
    },
    BuiltIn {
        name: "chess960",
        text: include_str!("../suites/chess960.epd"),
    },
    BuiltIn {
        name: "edge",
        text: include_str!("../suites/edge.epd"),
    },
    BuiltIn {
        name: "thesis",
        text: include_str!("../suites/thesis.epd"),
    },
];

/// The built-in tactical suites: one best move per position, `bm`, and no perft counts.
pub const TACTICS: [BuiltIn; 5] = [
    BuiltIn {
        name: "mate-in-1",
        text: include_str!("../suites/tactics/mate-in-1.epd"),
    },
    BuiltIn {
        name: "mate-in-2",
        text: include_str!("../suites/tactics/mate-in-2.epd"),
    },
    BuiltIn {
        name: "mate-in-3",
        text: include_str!("../suites/tactics/mate-in-3.epd"),
    },
    BuiltIn {
        name: "mate-in-4",
        text: include_str!("../suites/tactics/mate-in-4.epd"),
    },
    BuiltIn {
        name: "tactics",
        text: include_str!("../suites/tactics/tactics.epd"),
    },
];

/// The built-in suite of this name, perft or tactical.
pub fn find(name: &str) -> Option<BuiltIn> {
    let mut suites = ALL.into_iter().chain(TACTICS);
    suites.find(|suite| suite.name == name)
}

/// The error message for a suite that is neither a readable file nor a built-in one; a near miss
/// also lists the built-in names.
pub fn describe_missing(name: &str, error: &io::Error) -> String {
    let said = format!("cannot read {name}: {error}");
    if error.kind() != io::ErrorKind::NotFound || name.contains(['/', '.']) {
        return said;
    }
    let known: Vec<&str> = ALL.iter().chain(&TACTICS).map(|suite| suite.name).collect();
    format!("{said}; built in are {}", known.join(", "))
}

/// The suites are clean and complete, and their counts correct to two plies.
#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use chess::rules::mailbox;

    use super::*;

    #[test]
    fn they_are_read_without_a_word() {
        for built_in in ALL.into_iter().chain(TACTICS) {
            let suite = built_in.parse();
            let name = format!("{}.epd", built_in.name);
            let found: Vec<String> = suite
                .diagnostics
                .iter()
                .map(|one| one.display(&name).to_string())
                .collect();
            assert!(found.is_empty(), "{}", found.join("\n"));
            assert!(!suite.entries.is_empty(), "{name} has no record");
            assert_eq!(find(built_in.name), Some(built_in));
        }
        assert_eq!(find("nonesuch"), None);
    }

    #[test]
    fn every_record_has_an_id_of_its_own_a_tag_and_a_first_count() {
        let mut seen = HashMap::new();
        for built_in in ALL {
            for entry in built_in.parse().entries {
                let place = format!("{}.epd:{}", built_in.name, entry.line);
                let record = entry.record;
                let id = record
                    .id()
                    .unwrap_or_else(|| panic!("{place} has no id"))
                    .to_owned();
                assert_ne!(record.tags().count(), 0, "{place} has no tag");
                assert!(
                    record.perft_counts().iter().any(|&(depth, _)| depth == 1),
                    "{place}: no D1"
                );
                if let Some(first) = seen.insert(id.clone(), place.clone()) {
                    panic!("{place}: id '{id}' is that of {first}");
                }
            }
        }
    }

    #[test]
    fn every_operand_fits_its_opcode() {
        for built_in in ALL.into_iter().chain(TACTICS) {
            for entry in built_in.parse().entries {
                let found = entry.check_operands();
                assert!(found.is_empty(), "{}.epd:{}", built_in.name, found[0]);
            }
        }
    }

    #[test]
    fn shallow_counts_are_those_of_the_oracle() {
        for built_in in ALL {
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
