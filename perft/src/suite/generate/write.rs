//! The suite as text.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

use chess::rules::mailbox;
use epd::Record;

use super::choose::NODES_OF_A_POSITION;
use super::{Chosen, Measured};
use crate::suite::faults::Fault;
use kit::output::grouped;

const TITLE: &str = "few nodes that catch many faulty move generators.";
const NAMING: &str = "An id names the fault that the fewest other positions show; the tags are common among the \
                      faults that no position above shows.";
const MADE_BY: &str =
    "Counted by this project's bitboard generator, confirmed by its mailbox generator, with";
/// Maximum length of a comment line in bytes, unless a single word is longer.
const MAX_LINE: usize = 100;
/// Maximum length of an id without the suite's name.
const MAX_NAME: usize = 52;

/// Words of faults' names, each with the tag of the suites that means the same.
const TAGS: [(&str, &str); 29] = [
    ("castl", "castling"),
    ("right", "rights"),
    ("ep", "ep"),
    ("en-passant", "ep"),
    ("double-push", "double-push"),
    ("promot", "promotion"),
    ("-x-", "capture"),
    ("/check", "check"),
    ("double-check", "double-check"),
    ("double-pawn", "double-check"),
    ("double-knight", "double-check"),
    ("double-sliders", "double-check"),
    ("block", "evasion"),
    ("between", "evasion"),
    ("pin", "pin"),
    ("line", "pin"),
    ("king-step", "kings"),
    ("king-takes", "protected"),
    ("king-attack", "kings"),
    ("ray", "x-ray"),
    ("slide", "slider"),
    ("knight", "knight"),
    ("wrap", "wrap"),
    ("clock", "clock"),
    ("mate", "mate"),
    ("stalemate", "stalemate"),
    ("material", "few-pieces"),
    ("beyond", "many-pieces"),
    ("undo", "stale"),
];

/// The header of the suite.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Heading {
    /// Name of the suite and prefix of its ids.
    pub(crate) name: String,
    /// The command that reproduces it.
    pub(crate) command: String,
    /// Number of faults that the suite was asked to catch.
    pub(crate) wanted: usize,
}

/// A position of the suite.
struct Line<'a> {
    candidate: usize,
    measured: &'a Measured,
    depth: usize,
    faults: Vec<Fault>,
}

impl Line<'_> {
    fn cost(&self) -> u64 {
        self.measured.levels[self.depth - 1].cost
    }

    fn record(&self, id: &str, tags: &BTreeSet<&str>) -> Record {
        let position = self.measured.position;
        let levels = self.measured.levels.iter().take(self.depth);
        let counts: Vec<u64> = levels.map(|level| level.nodes).collect();
        let setup = position.to_setup();
        for (depth, &nodes) in (1..).zip(&counts) {
            assert_eq!(
                nodes,
                mailbox::perft(&setup, depth),
                "the generators disagree at depth {depth} of {}",
                chess::notation::fen::write(&position)
            );
        }
        let tags: Vec<&str> = tags.iter().copied().collect();
        Record::of_suite(position, Some(id), &tags, &counts).expect("id and tags are plain")
    }
}

/// Writes the suite, the cheapest positions first, each count confirmed by the mailbox generator.
///
/// # Panics
///
/// When the two generators disagree, which is a bug in this program.
pub(crate) fn write(heading: &Heading, candidates: &[Measured], chosen: &Chosen) -> String {
    let lines = chosen.choices.iter().map(|choice| {
        let measured = &candidates[choice.candidate];
        Line {
            candidate: choice.candidate,
            measured,
            depth: choice.depth,
            faults: measured.faults(choice.depth).collect(),
        }
    });
    let mut lines: Vec<Line<'_>> = lines.collect();
    lines.sort_by_key(|one| (one.cost(), one.candidate));
    let mut times: HashMap<Fault, usize> = HashMap::new();
    for fault in lines.iter().flat_map(|one| &one.faults) {
        *times.entry(*fault).or_default() += 1;
    }
    let mut text = head(heading, &lines, times.len(), candidates.len(), chosen);
    let mut seen = BTreeSet::new();
    let mut used: HashMap<String, usize> = HashMap::new();
    for line in &lines {
        let rarest = line.faults.iter().min_by_key(|fault| times[*fault]);
        let mut name = rarest
            .expect("a choice shows something")
            .name()
            .replace('/', "-");
        // Names are ASCII: no character is cut.
        name.truncate(MAX_NAME);
        let number = used.entry(name.clone()).or_default();
        *number += 1;
        // Ids are unique in a suite.
        if *number > 1 {
            write!(name, "-{number}").expect("a string can be written to");
        }
        let own = |fault: &&Fault| Some(*fault) == rarest || !seen.contains(*fault);
        let tags = common_tags(line.faults.iter().filter(own));
        seen.extend(line.faults.iter().copied());
        let record = line.record(&format!("{}.{name}", heading.name), &tags);
        writeln!(text, "{record}").expect("a string can be written to");
    }
    text
}

/// The most common topics of these faults, and those of at least a fifth of them; nearly every position has
/// some fault of every topic.
fn common_tags<'a>(faults: impl Iterator<Item = &'a Fault>) -> BTreeSet<&'static str> {
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    let mut number = 0;
    for fault in faults {
        number += 1;
        for tag in tags(*fault) {
            *times.entry(tag).or_default() += 1;
        }
    }
    let most = times.values().copied().max().unwrap_or_default();
    let common = times
        .into_iter()
        .filter(|&(_, times)| times == most || 5 * times >= number);
    common.map(|(tag, _)| tag).collect()
}

/// The topics of a fault, in the words of the suites' tags; `moves` if there is none.
pub(crate) fn tags(fault: Fault) -> Vec<&'static str> {
    let name = fault.name();
    // Short ones stand in others: `ep` in `step`.
    let has = |words: &str| match words.len() {
        ..3 => name.split(['/', '-']).any(|word| word == words),
        _ => name.contains(words),
    };
    let named = TAGS.iter().filter(|(words, _)| has(words));
    let tags: Vec<&str> = named.map(|(_, tag)| *tag).collect();
    if tags.is_empty() { vec!["moves"] } else { tags }
}

fn head(
    heading: &Heading,
    lines: &[Line<'_>],
    caught: usize,
    candidates: usize,
    chosen: &Chosen,
) -> String {
    let nodes = lines.iter().map(Line::cost).fold(0, u64::saturating_add);
    let mut text = format!("# Perft suite `{}`: {TITLE}\n#\n", heading.name);
    text += &comment(&format!(
        "Of {} faults that a generator can have, it catches {} with {} leaf nodes: {} positions of {} that \
         were tried. {NAMING}",
        grouped(heading.wanted as u64),
        grouped(caught as u64),
        grouped(nodes),
        grouped(lines.len() as u64),
        grouped(candidates as u64),
    ));
    // A choice of limited length has no bound.
    if chosen.lower_bound > 0.0 {
        text += &comment(&format!(
            "A position counted as {NODES_OF_A_POSITION} leaf nodes, the suite costs {:.0}; no choice among the \
             candidates that catches the same costs less than {:.0}.",
            chosen.cost, chosen.lower_bound
        ));
    }
    format!("{text}#\n# {MADE_BY}\n#   {}\n\n", heading.command)
}

/// A comment, wrapped at blanks.
fn comment(text: &str) -> String {
    let mut lines = String::new();
    let mut line = "#".to_owned();
    for word in text.split(' ') {
        if line.len() + 1 + word.len() > MAX_LINE {
            lines += &std::mem::replace(&mut line, "#".to_owned());
            lines.push('\n');
        }
        line.push(' ');
        line.push_str(word);
    }
    lines + &line + "\n"
}
