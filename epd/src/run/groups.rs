//! Groups of positions, such as the themes of a suite, and their scores.

use std::collections::HashMap;
use std::str::FromStr;

use regex::Regex;
use serde::Serialize;

use super::ledger::{PositionState, Trial};
use super::plan::RunCase;
use crate::text::{Operand, Record, is_standard_opcode};

/// What positions are grouped by.
#[derive(Clone, Debug)]
pub(crate) enum GroupBy {
    /// The `id` without the number at its end: `STS(v1.0) Undermine.001`, `WAC.017`.
    IdPrefix,
    /// What a regular expression matches in the `id`: its first group, or all.
    Id(Regex),
    /// Each tag; a position with two of them counts in both groups.
    Tag,
    /// The operands of an opcode: `c0 "deflection"`.
    Opcode(String),
}

impl FromStr for GroupBy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(pattern) = text.strip_prefix("id:") {
            let regex = Regex::new(pattern);
            return regex.map(Self::Id).map_err(|error| error.to_string());
        }
        match text {
            "id-prefix" => Ok(Self::IdPrefix),
            "tag" => Ok(Self::Tag),
            _ if is_standard_opcode(text) => Ok(Self::Opcode(text.to_owned())),
            _ => Err("expected id-prefix, tag, id:REGEX, or an opcode such as c0".to_owned()),
        }
    }
}

impl GroupBy {
    /// The groups of a record, at least one.
    pub(crate) fn names(&self, record: &Record) -> Vec<String> {
        let none = |name: &str| vec![format!("(no {name})")];
        let id = || record.id();
        let groups: Vec<String> = match self {
            Self::IdPrefix => id().map(id_prefix).into_iter().collect(),
            Self::Id(regex) => {
                let matched = |id| {
                    let captures = regex.captures(id)?;
                    captures.get(1).or_else(|| captures.get(0))
                };
                let matched = id().and_then(matched);
                return matched.map_or_else(
                    || none("match"),
                    |matched| vec![matched.as_str().to_owned()],
                );
            }
            Self::Tag => each_once(record.tags().map(str::to_owned)),
            Self::Opcode(opcode) => {
                let words = record.operations_of(opcode).map(|operation| {
                    let operands = operation.operands().iter().map(Operand::as_str);
                    operands.collect::<Vec<_>>().join(" ")
                });
                each_once(words)
            }
        };
        match (groups.is_empty(), self) {
            (false, _) => groups,
            (true, Self::Tag) => none("tag"),
            (true, Self::Opcode(opcode)) => none(opcode),
            (true, Self::IdPrefix | Self::Id(_)) => none("id"),
        }
    }
}

/// A position counts once in each of its groups.
fn each_once(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut once: Vec<String> = Vec::new();
    for name in names {
        if !once.contains(&name) {
            once.push(name);
        }
    }
    once
}

/// Removes the number at the end of an `id`, and what separates it.
fn id_prefix(id: &str) -> String {
    let prefix = id.trim_end_matches(|c: char| c.is_ascii_digit());
    let prefix = prefix.trim_end_matches([' ', '.', '-', '_', '#', ':', '/']);
    if prefix.is_empty() { id } else { prefix }.to_owned()
}

/// The cases of each group, in the order of the suites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CaseGroup {
    pub(crate) name: String,
    pub(crate) cases: Vec<usize>,
}

/// Groups the cases; groups are in the order in which they first occur.
pub(crate) fn groups(by: &GroupBy, cases: &[RunCase]) -> Vec<CaseGroup> {
    let mut places = HashMap::new();
    let mut groups: Vec<CaseGroup> = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        for name in by.names(&case.record) {
            let place = *places.entry(name.clone()).or_insert_with(|| {
                groups.push(CaseGroup {
                    name,
                    cases: Vec::new(),
                });
                groups.len() - 1
            });
            groups[place].cases.push(index);
        }
    }
    groups
}

/// The score of an engine in a group; points are those of all searches.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct GroupScore {
    pub(crate) name: String,
    pub(crate) positions: usize,
    /// Positions searched the requested number of times.
    pub(crate) searched: usize,
    pub(crate) solved: usize,
    pub(crate) points: u64,
    pub(crate) most_points: u64,
    /// Points as a percentage of the maximum; without points, the positions solved.
    pub(crate) percent: Option<f64>,
}

impl CaseGroup {
    pub(crate) fn score(&self, trial: &Trial, cases: &[RunCase]) -> GroupScore {
        let mut score = GroupScore {
            name: self.name.clone(),
            positions: self.cases.len(),
            ..GroupScore::default()
        };
        for &case in &self.cases {
            let state = trial.state(case);
            if !matches!(state, PositionState::Solved | PositionState::Unsolved) {
                continue;
            }
            score.searched += 1;
            score.solved += usize::from(state == PositionState::Solved);
            if let Some((points, most)) = trial.points(cases, case) {
                score.points += points;
                score.most_points += most;
            }
        }
        score.percent = match score.most_points {
            0 => percent(score.solved as u64, score.searched as u64),
            most => percent(score.points, most),
        };
        score
    }
}

#[expect(clippy::cast_precision_loss, reason = "points are far below 2^53")]
fn percent(part: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| part as f64 * 100.0 / of as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_grouped() {
        let table = r#"
id-prefix | id "STS(v1.0) Undermine.001"; | STS(v1.0) Undermine
id-prefix | id "STS: Undermining 001"; | STS: Undermining
id-prefix | id "WAC.017"; | WAC
id-prefix | id "pin"; | pin
id-prefix | id "12"; | 12
id-prefix | c0 "x"; | (no id)
id:v([0-9]+) | id "STS(v15.0) AT.001"; | 15
id:^[A-Z]+ | id "STS(v15.0) AT.001"; | STS
id:x | id "STS"; | (no match)
tag | tag pin fork; | pin, fork
tag | tag pin pin; | pin
tag | id "x"; | (no tag)
c0 | c0 "a theme"; | a theme
c0 | c1 "a theme"; | (no c0)"#;
        for [by, operations, expected] in crate::rows::rows(table) {
            let by: GroupBy = by.parse().expect("readable");
            let record = format!("6k1/5ppp/8/8/8/8/8/R3K3 w - - {operations}");
            let record: Record = record.parse().expect("a record");
            assert_eq!(by.names(&record).join(", "), expected, "{operations}");
        }
    }

    #[test]
    fn other_words_are_rejected() {
        for text in [
            "",
            "id prefix",
            "0c",
            "id:(",
            "abcdefghijklmnop",
            "c-0",
            "ä",
        ] {
            assert!(text.parse::<GroupBy>().is_err(), "{text}");
        }
    }
}
