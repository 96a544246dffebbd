//! Tables of evaluations, as `epd eval dump` writes them, and two of them compared.

use epd::eval::diff::{Diff, diff};
use epd::eval::table::{self, Table};

use super::corpus;
use crate::target::{Checked, Target, ensure, read_again, same};

pub(super) const TARGETS: &[Target] = &[Target {
    name: "epd-evaluations",
    corpus: corpus!("epd_evaluations.txt"),
    words: &[
        "file,line,id,fen,score_cp,way,raw\n",
        "a.epd",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "-31",
        "2147483647",
        "-2147483648",
        "eval",
        "failed",
        "depth 1",
        "\"",
        "\"\"",
        ",",
        ",,",
        "\n",
        "==\n",
    ],
    check,
}];

/// An input is a table, or two with a line `==` between.
fn check(bytes: &[u8]) -> Result<Checked, String> {
    let parts = std::str::from_utf8(bytes).ok();
    let parts = parts.and_then(|text| text.split_once("==\n"));
    let (a, b) = parts.map_or((bytes, bytes), |(a, b)| (a.as_bytes(), b.as_bytes()));
    let (Some(a), Some(b)) = (read(a)?, read(b)?) else {
        return Ok(Checked::Refused);
    };
    let found = diff(&a, &b, 5);
    check_diff(&found, &a, &b)?;
    let reversed = diff(&b, &a, 5);
    same(
        "positions the other way",
        &reversed.compared,
        &found.compared,
    )?;
    same(
        "changes the other way",
        &reversed.changes.len(),
        &found.changes.len(),
    )?;
    let own = diff(&a, &a, 0);
    ensure(!own.is_news(), || format!("differs from itself: {own:?}"))?;
    Ok(Checked::Read)
}

fn read(bytes: &[u8]) -> Result<Option<Table>, String> {
    let write = |table: &Table| table::write(&table.rows).expect("text and numbers");
    read_again(bytes, Table::read, write)
}

/// Each position is compared once or is in one table alone, and no number is none.
fn check_diff(found: &Diff, a: &Table, b: &Table) -> Result<(), String> {
    same(
        "of A",
        &(found.compared + found.missing.len()),
        &a.rows.len(),
    )?;
    same("of B", &(found.compared + found.new.len()), &b.rows.len())?;
    let numbers = [
        found.mean_cp,
        found.mean_absolute_cp,
        found.median_absolute_cp,
        found.rms_cp,
    ];
    ensure(numbers.iter().all(|number| number.is_finite()), || {
        format!("{numbers:?}")
    })
}
