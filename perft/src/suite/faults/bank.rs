//! The bank: every fault that some position is known to show, with a cheap example of each.
//!
//! Most combinations of conditions are impossible, or make a generator that counts right all the same. Those
//! that differ were found by search (example `find_faults`): `bank.epd` has positions that strict libraries
//! accept, `bank960.epd` those of Chess960, `bank_edge.epd` those that strict libraries refuse. Each file has
//! only what those before it do not show. A record lists its faults as opcode `c0`, by family and number.

use std::sync::LazyLock;

use chess::rules::Position;
use epd::{Operand, Record, Suite};

use super::fault::{Fault, FaultSet, family_ranges};

/// Which positions may show a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Those of standard chess that strict libraries accept.
    Standard,
    /// Those of Chess960 as well.
    Chess960,
    /// Those as well that strict libraries refuse.
    Edge,
}

/// A position whose count shows faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultExample {
    /// The position.
    pub position: Position,
    /// The depth of the count.
    pub depth: u32,
    /// The faults of which it is the example.
    pub faults: Vec<Fault>,
}

/// The examples of a scope, those of standard chess first.
pub fn examples(scope: Scope) -> impl Iterator<Item = &'static FaultExample> {
    static FILES: LazyLock<[Vec<FaultExample>; 3]> = LazyLock::new(|| {
        [
            include_bytes!("bank.epd").as_slice(),
            include_bytes!("bank960.epd"),
            include_bytes!("bank_edge.epd"),
        ]
        .map(|text| {
            let suite = Suite::parse("bank", text);
            assert!(suite.diagnostics.is_empty(), "{:?}", suite.diagnostics);
            let records = suite.entries.iter().map(|entry| read(&entry.record));
            records
                .map(|example| example.expect("the bank is in order"))
                .collect()
        })
    });
    // Scopes are in the order of the files, each of which adds to those before it.
    FILES[..=scope as usize].iter().flatten()
}

/// The faults of a scope.
pub fn bank(scope: Scope) -> &'static FaultSet {
    static SETS: LazyLock<[FaultSet; 3]> = LazyLock::new(|| {
        [Scope::Standard, Scope::Chess960, Scope::Edge].map(|scope| {
            examples(scope)
                .flat_map(|one| &one.faults)
                .copied()
                .collect()
        })
    });
    &SETS[scope as usize]
}

fn read(record: &Record) -> Result<FaultExample, String> {
    let list = record.operations().iter().find(|one| one.opcode() == "c0");
    let list = list.and_then(|one| one.operands().first());
    let mut faults = Vec::new();
    for word in list.map_or("", Operand::as_str).split(' ') {
        let (name, numbers) = word.split_once(':').ok_or("no numbers")?;
        let (_, range) = family_ranges()
            .find(|(family, _)| *family == name)
            .ok_or_else(|| format!("no family is called '{name}'"))?;
        for part in numbers.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let number = |text: &str| text.parse::<usize>().map_err(|error| error.to_string());
            for number in number(first)?..=number(last)? {
                let fault = Fault::from_index(range.start + number);
                // A number too large would be a fault of the next family.
                faults.extend(fault.filter(|fault| range.contains(&fault.index())));
            }
        }
    }
    Ok(FaultExample {
        position: *record.position(),
        depth: record.perft_counts().last().map_or(1, |&(depth, _)| depth),
        faults,
    })
}
