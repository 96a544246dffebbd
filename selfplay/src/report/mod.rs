//! What is known as text, one file for each command.

#[cfg(unix)]
pub mod compliance;
#[cfg(unix)]
pub mod live;
pub mod plan;
pub mod rate;
pub mod run;
pub mod simulate;
pub mod stats;
#[cfg(unix)]
pub mod summary;
pub mod tune;

use comfy_table::{CellAlignment, Table, presets};

/// A number with this many decimals, without a sign if it is zero.
fn decimals(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let is_zero = text
        .bytes()
        .all(|byte| !byte.is_ascii_digit() || byte == b'0');
    match text.strip_prefix('-') {
        Some(text) if is_zero => text.to_owned(),
        _ => text,
    }
}

fn percent(part: f64) -> String {
    decimals(100.0 * part, 2) + "%"
}

/// Rows below a head, the first column to the left, the others to the right.
fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(head);
    for row in rows {
        table.add_row(row);
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if index > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines = table.lines().map(|line| line.trim_end().to_owned() + "\n");
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_have_no_sign() {
        assert_eq!(decimals(-0.001, 2), "0.00");
        assert_eq!(decimals(-0.01, 2), "-0.01");
    }
}
