//! Tables of results, as aligned text and as Markdown.

use std::ops::RangeBounds;

use console::{Alignment, measure_text_width, pad_str};

/// Aligned text: a line for the header and one for each row, two blanks between columns, none at
/// the end of a line. Columns within `numbers` are aligned to the right.
///
/// ```
/// let rows = [("a", 12), ("long name", 3)];
/// let rows = rows.map(|(name, number)| vec![name.to_owned(), number.to_string()]);
/// assert_eq!(
///     kit::table::text(&["suite", "n"], 1.., rows),
///     "suite       n\na          12\nlong name   3\n"
/// );
/// ```
pub fn text(
    head: &[impl AsRef<str>],
    numbers: impl RangeBounds<usize>,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let head = head.iter().map(|cell| cell.as_ref().to_owned()).collect();
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells
            // Colours take no column, wide characters two.
            .map(|cell| measure_text_width(cell))
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| {
            let alignment = if numbers.contains(&column) {
                Alignment::Right
            } else {
                Alignment::Left
            };
            pad_str(cell, width, alignment, None)
        });
        let cells: Vec<_> = cells.collect();
        cells.join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

/// A Markdown table; the first column is aligned to the left, the others to the right. Of Markdown
/// only the bar is escaped in cells.
///
/// ```
/// let rows = [vec!["a|b".to_owned(), "12".to_owned()]];
/// assert_eq!(
///     kit::table::markdown(&["suite", "n"], rows),
///     "| suite | n |\n|:--|--:|\n| a\\|b | 12 |\n"
/// );
/// ```
pub fn markdown(head: &[impl AsRef<str>], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let head = head
        .iter()
        .map(|cell| cell.as_ref().trim().to_owned())
        .collect();
    let rule = format!(
        "|:--|{}\n",
        "--:|".repeat(Vec::len(&head).saturating_sub(1))
    );
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let escaped = |cells: Vec<String>| {
        cells
            .iter()
            .map(|cell| cell.trim().replace('|', "\\|"))
            .collect()
    };
    let rows = rows.into_iter().map(|cells| row(escaped(cells)));
    [row(head), rule].into_iter().chain(rows).collect()
}
