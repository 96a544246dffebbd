//! The suite as text.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use chess::rules::mailbox;
use epd::Record;

use super::{Choice, Level, Measured, Reach, Target, TargetSet};
use crate::suite::coverage::{NODES_OF_A_POSITION, Signature, SignatureSet};
use crate::suite::mutants::Mutation;
use kit::output::grouped;

const TITLE: &str = "few nodes that catch many broken move generators.";
const NAMING: &str = "An id names what is broken in the generator that the fewest other positions \
                      catch; the tags are its own, and those of generators that no two positions \
                      above catch.";
const MADE_BY: &str =
    "Counted by this project's bitboard generator, confirmed by its mailbox generator, with";
/// Maximum number of missed targets to name.
const MAX_NAMED: usize = 10;
/// Maximum length of a comment line in bytes, unless a single word is longer.
const MAX_LINE: usize = 100;

/// The header of the suite.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Heading {
    /// Name of the suite and prefix of its ids.
    pub(crate) name: String,
    /// The command that reproduces it.
    pub(crate) command: String,
    /// The targets that the suite was asked to catch.
    pub(crate) targets: TargetSet,
    /// If it was asked to reach signatures, how near it is to the best.
    pub(crate) reach: Option<Reach>,
}

/// Writes the suite, the cheapest positions first, each count confirmed by the mailbox generator.
///
/// # Panics
///
/// When the two generators disagree, which is a bug in this program.
pub(crate) fn write(heading: &Heading, candidates: &[Measured], choices: &[Choice]) -> String {
    let mut chosen: Vec<Chosen<'_>> = choices
        .iter()
        .map(|one| Chosen::new(candidates, one))
        .collect();
    chosen.sort_by_key(|one| (one.last().cost, one.index));
    let times = Times::new(&chosen);
    let mut text = head(heading, &chosen, &times, candidates.len());
    let labels = labels(&chosen, &heading.targets, &times);
    for (one, label) in chosen.iter().zip(labels) {
        let record = one.record(&heading.name, &label);
        writeln!(text, "{record}").expect("a string can be written to");
    }
    text
}

/// How many positions of the suite catch each target, and reach each signature, by index.
struct Times {
    targets: [usize; Target::COUNT],
    signatures: Vec<usize>,
}

impl Times {
    fn new(chosen: &[Chosen<'_>]) -> Self {
        let mut times = Self {
            targets: [0; Target::COUNT],
            signatures: vec![0; Signature::COUNT],
        };
        for one in chosen {
            for target in one.caught().iter() {
                times.targets[target.index()] += 1;
            }
            for signature in &one.last().reached {
                times.signatures[signature.index()] += 1;
            }
        }
        times
    }
}

/// A position of the suite.
struct Chosen<'a> {
    index: usize,
    measured: &'a Measured,
    levels: &'a [Level],
}

impl<'a> Chosen<'a> {
    fn new(candidates: &'a [Measured], choice: &Choice) -> Self {
        let measured = &candidates[choice.candidate];
        Self {
            index: choice.candidate,
            measured,
            levels: &measured.levels[..choice.depth],
        }
    }

    fn last(&self) -> &'a Level {
        self.levels.last().expect("a choice has a depth")
    }

    fn caught(&self) -> &'a TargetSet {
        &self.last().caught
    }

    fn record(&self, suite: &str, label: &Label) -> Record {
        let position = self.measured.position;
        let tags: Vec<&str> = label.tags.iter().copied().collect();
        let counts: Vec<u64> = self.levels.iter().map(|level| level.nodes).collect();
        let setup = position.to_setup();
        for (depth, &nodes) in (1..).zip(&counts) {
            assert_eq!(
                nodes,
                mailbox::perft(&setup, depth),
                "the generators disagree at depth {depth} of {}",
                chess::notation::fen::write(&position)
            );
        }
        let id = format!("{suite}.{}", label.name);
        Record::of_suite(position, Some(&id), &tags, &counts).expect("id and tags are plain")
    }
}

/// The id of a position without the suite's name, and its tags.
struct Label {
    name: String,
    tags: BTreeSet<&'static str>,
}

/// A position is named after the target it catches that the fewest others catch, or, if others catch it too,
/// after the signature that it alone reaches. Its tags are those of that, and of all targets caught by at
/// most two positions so far.
fn labels(chosen: &[Chosen<'_>], targets: &TargetSet, times: &Times) -> Vec<Label> {
    let mut seen = [TargetSet::default(); 2];
    let mut used: HashMap<String, usize> = HashMap::new();
    let mut label = |one: &Chosen<'_>| {
        let caught = one.caught();
        let own = caught.and(targets);
        let rarest = own
            .iter()
            .min_by_key(|target| times.targets[target.index()]);
        let is_alone = |signature: &&Signature| times.signatures[signature.index()] == 1;
        let signature = one.last().reached.iter().find(is_alone);
        let caught_again = rarest.is_none_or(|target| times.targets[target.index()] > 1);
        let mut tagged = caught.without(&seen[1]);
        for target in caught.iter() {
            let twice = usize::from(seen[0].contains(target));
            seen[twice].insert(target);
        }
        let (name, own_tags) = match (signature, rarest) {
            (Some(signature), _) if caught_again => (signature.name(), signature.tags().collect()),
            (_, Some(target)) => {
                tagged.insert(target);
                (target.mutation.name().to_owned(), BTreeSet::new())
            }
            _ => unreachable!("a choice catches or reaches something"),
        };
        let mutations = tagged.iter().map(|target| target.mutation);
        let tags = mutations.flat_map(Mutation::tags).copied().chain(own_tags);
        let number = used.entry(name.clone()).or_default();
        *number += 1;
        Label {
            name: match number {
                1 => name,
                number => format!("{name}-{number}"),
            },
            tags: tags.collect(),
        }
    };
    chosen.iter().map(&mut label).collect()
}

fn head(heading: &Heading, chosen: &[Chosen<'_>], times: &Times, candidates: usize) -> String {
    let caught = |least: usize| {
        let targets = heading.targets.iter();
        targets
            .filter(|&one| times.targets[one.index()] >= least)
            .count()
    };
    let costs = chosen.iter().map(|one| one.last().cost);
    let mut text = format!("# Perft suite `{}`: {TITLE}\n#\n", heading.name);
    text += &comment(&format!(
        "Of {} deliberately broken generators, each with one rule broken for one side, it catches {}, \
         and {} by more than one position, with {} leaf nodes: {} positions of {} that were tried. \
         {NAMING}",
        grouped(u64::from(heading.targets.count())),
        caught(1),
        caught(2),
        grouped(costs.fold(0, u64::saturating_add)),
        grouped(chosen.len() as u64),
        grouped(candidates as u64),
    ));
    text += &missed(heading, times);
    if let Some(reach) = &heading.reach {
        text += &comment(&reached(chosen, reach));
    }
    format!("{text}#\n# {MADE_BY}\n#   {}\n\n", heading.command)
}

fn reached(chosen: &[Chosen<'_>], reach: &Reach) -> String {
    let reached = chosen.iter().flat_map(|one| &one.last().reached).copied();
    let reached: SignatureSet = reached.collect();
    format!(
        "It reaches {} signatures, all that the candidates do; an id that begins with a side names one that no \
         other position reaches. A position counted as {} leaf nodes, the suite costs {:.1} positions; no choice \
         among the candidates that reaches and catches the same costs less than {:.1}.",
        grouped(u64::from(reached.count())),
        grouped(NODES_OF_A_POSITION),
        reach.cost,
        reach.lower_bound
    )
}

/// The missed targets, by name as far as there is room.
fn missed(heading: &Heading, times: &Times) -> String {
    let missed = heading.targets.iter();
    let missed = missed.filter(|&one| times.targets[one.index()] == 0);
    let name = |one: Target| format!("{} for {}", one.mutation.name(), one.side);
    let missed: Vec<String> = missed.map(name).collect();
    let named = missed.len().min(MAX_NAMED);
    let others = match missed.len() - named {
        _ if missed.is_empty() => return String::new(),
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    comment(&format!(
        "Not caught: {}{others}.",
        missed[..named].join(", ")
    ))
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
