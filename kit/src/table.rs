//! Tables of results, as aligned text and as Markdown.

use std::ops::RangeBounds;

use comfy_table::{CellAlignment, Table, presets};

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
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(head.iter().map(AsRef::as_ref));
    table.add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if numbers.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines = table.lines().map(|line| line.trim_end().to_owned() + "\n");
    lines.collect()
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
    let head = head.iter().map(|cell| cell.as_ref().to_owned()).collect();
    let rule = format!(
        "|:--|{}\n",
        "--:|".repeat(Vec::len(&head).saturating_sub(1))
    );
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let escaped = |cells: Vec<String>| cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    let rows = rows.into_iter().map(|cells| row(escaped(cells)));
    [row(head), rule].into_iter().chain(rows).collect()
}
