//! Aligns columns.

/// Rows of equal length; the first column is left-aligned, the others right-aligned.
pub(super) fn align(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| match column {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn columns_are_aligned() {
        let rows = [["suite", "n"], ["a", "12"], ["long name", "3"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(
            super::align(&rows),
            "suite       n\na          12\nlong name   3\n"
        );
    }
}
