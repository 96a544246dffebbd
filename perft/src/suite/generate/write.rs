//! The suite as text.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use chess::rules::mailbox;
use epd::{Operand, Operation, Record};

use super::{Choice, Level, Measured, Target, TargetSet};
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heading {
    /// Name of the suite and prefix of its ids.
    pub(crate) name: String,
    /// The command that reproduces it.
    pub(crate) command: String,
    /// The targets that the suite was asked to catch.
    pub(crate) targets: TargetSet,
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
    let mut times = [0; Target::COUNT];
    for target in chosen.iter().flat_map(|one| one.caught().iter()) {
        times[target.index()] += 1;
    }
    let mut text = head(heading, &chosen, &times, candidates.len());
    let labels = labels(&chosen, &heading.targets, &times);
    for (one, label) in chosen.iter().zip(labels) {
        let record = one.record(&heading.name, &label);
        writeln!(text, "{record}").expect("a string can be written to");
    }
    text
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
        let mut record = Record::new(self.measured.position);
        let word = |word: &str| Operand::Word(word.to_owned());
        let mutations = label.tagged.iter().map(|target| target.mutation);
        let tags = mutations.flat_map(Mutation::tags).copied();
        let tags: BTreeSet<&str> = tags.collect();
        let id = format!("{suite}.{}", label.name);
        let position = &self.measured.position;
        for (opcode, value, usual) in [
            ("hmvc", position.halfmove_clock(), 0),
            ("fmvn", position.fullmove_number(), 1),
        ] {
            if value != usual {
                push(&mut record, opcode, vec![word(&value.to_string())]);
            }
        }
        push(&mut record, "id", vec![Operand::Text(id)]);
        push(&mut record, "tag", tags.into_iter().map(word).collect());
        let setup = self.measured.position.to_setup();
        for (depth, level) in (1..).zip(self.levels) {
            let confirmed = mailbox::perft(&setup, depth);
            assert_eq!(
                level.nodes,
                confirmed,
                "the generators disagree at depth {depth} of {}",
                chess::notation::fen::write(&self.measured.position)
            );
            push(
                &mut record,
                &format!("D{depth}"),
                vec![word(&level.nodes.to_string())],
            );
        }
        record
    }
}

fn push(record: &mut Record, opcode: &str, operands: Vec<Operand>) {
    let operation = Operation::new(opcode, operands).expect("opcode and operands are plain");
    record.push(operation).expect("each depth comes once");
}

/// The id of a position, and the caught mutations that its tags name.
struct Label {
    name: String,
    tagged: TargetSet,
}

/// A position is named after the target it catches that the fewest others catch. Its tags are those
/// of this target, and of all targets caught by at most two positions so far.
fn labels(chosen: &[Chosen<'_>], targets: &TargetSet, times: &Times) -> Vec<Label> {
    let mut seen = [TargetSet::default(); 2];
    let mut used: HashMap<&str, usize> = HashMap::new();
    let mut label = |one: &Chosen<'_>| {
        let caught = one.caught();
        let own = caught.and(targets);
        let rarest = own.iter().min_by_key(|&target| times[target.index()]);
        let rarest = rarest.expect("a choice catches a target");
        let name = rarest.mutation.name();
        let number = used.entry(name).or_default();
        *number += 1;
        let mut tagged = caught.without(&seen[1]);
        tagged.insert(rarest);
        for target in caught.iter() {
            let twice = usize::from(seen[0].contains(target));
            seen[twice].insert(target);
        }
        Label {
            name: match number {
                1 => name.to_owned(),
                number => format!("{name}-{number}"),
            },
            tagged,
        }
    };
    chosen.iter().map(&mut label).collect()
}

/// Number of positions that catch each target, by the target's index.
type Times = [usize; Target::COUNT];

fn head(heading: &Heading, chosen: &[Chosen<'_>], times: &Times, candidates: usize) -> String {
    let caught = |least: usize| {
        let targets = heading.targets.iter();
        targets.filter(|&one| times[one.index()] >= least).count()
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
    format!("{text}#\n# {MADE_BY}\n#   {}\n\n", heading.command)
}

/// The missed targets, by name as far as there is room.
fn missed(heading: &Heading, times: &Times) -> String {
    let missed = heading.targets.iter();
    let missed = missed.filter(|&one| times[one.index()] == 0);
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
