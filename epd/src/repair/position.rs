//! Repairs the fields of the position.

use chess::notation::fen::{self, FenReason, FenStyle};

use super::lost::{self, Lost};
use super::notes::Notes;
use super::placed::Placed;
use crate::diagnostic::Problem;
use crate::read::{ToleratedFields, join, read_position, tolerate};
use crate::scan::{Token, scan};
use crate::style::StyleProblem;

/// Reads the position of a line; `None`, with a fault noted, if there is none.
pub(super) fn read<'a>(line: &'a str, notes: &mut Notes) -> Option<Placed<'a>> {
    let scan = scan(line);
    let mut faults = match read_position(&scan.fields) {
        Ok(position) => return Some(Placed::new(position, join(&scan.fields[..4]), scan)),
        Err(faults) => faults,
    };
    match lost::read(line, notes) {
        Lost::Nothing => {}
        Lost::Doubtful => return None,
        Lost::Supplied(placed) => return Some(*placed),
    }
    if let Some(placed) = superfluous(line, notes) {
        return Some(placed);
    }
    if let Some(ToleratedFields { position, repairs }) = tolerate(&scan.fields) {
        for repair in repairs {
            notes.fix(repair.offset, repair.problem, &repair.before, &repair.after);
        }
        let fields = fen::write_epd(&position, FenStyle::default());
        return Some(Placed::new(position, fields, scan));
    }
    let is_rank_count = |(_, problem): &(usize, Problem)| {
        let Problem::Fen { reason, .. } = problem else {
            return false;
        };
        matches!(reason, FenReason::RankCount { .. })
    };
    if faults.iter().any(is_rank_count) {
        // The line is not a record at all; faults of the other words would be noise.
        faults.retain(is_rank_count);
    }
    notes.faults(faults);
    None
}

/// Reads fields that are valid except for dashes: `- - - bm` has one too many, `- -1 12` lacks a
/// blank between the en passant field and a clock.
fn superfluous<'a>(line: &'a str, notes: &mut Notes) -> Option<Placed<'a>> {
    let mut scan = scan(line);
    let dash = scan.fields.get(3).copied();
    let glued = dash.filter(|field| field.text.starts_with('-') && field.text.len() > 1);
    let extra: Vec<Token<'_>> = match glued {
        Some(_) => Vec::new(),
        None => scan
            .fields
            .iter()
            .skip(4)
            .filter(|field| field.text == "-")
            .copied()
            .collect(),
    };
    if let Some(field) = glued {
        let (ep, clock) = field.text.split_at(1);
        scan.fields[3].text = ep;
        let clock = Token {
            offset: field.offset + 1,
            text: clock,
            ..field
        };
        scan.fields.insert(4, clock);
    }
    scan.fields
        .retain(|field| !extra.iter().any(|dash| dash.offset == field.offset));
    let position = read_position(&scan.fields).ok()?;
    for field in &extra {
        notes.fix(field.offset, StyleProblem::ExtraField.into(), " -", "");
    }
    if let Some(field) = glued {
        notes.fix(field.offset + 1, Problem::NoBlank, "", " ");
    }
    Some(Placed::new(position, join(&scan.fields[..4]), scan))
}

/// Notes the repair of the clock fields, which become `operations`.
pub(super) fn note_clocks(placed: &Placed<'_>, operations: &str, notes: &mut Notes) {
    let Some(offset) = placed.clocks else {
        return;
    };
    let found = join(&placed.scan.fields[4..]);
    let before = found.clone();
    notes.fix(
        offset,
        StyleProblem::Clocks { found }.into(),
        &before,
        operations,
    );
}
