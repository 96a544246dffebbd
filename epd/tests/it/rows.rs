//! Tables of cases in text, for the unit tests of the crate too.

/// The rows of a table, one a line, whose cells are separated by ` | `; a line that begins with `#` is a comment.
pub(crate) fn rows<const N: usize>(table: &str) -> Vec<[&str; N]> {
    let lines = table.trim().lines().filter(|line| !line.starts_with('#'));
    let rows = lines.map(|line| {
        let cells: Vec<&str> = line.split(" | ").collect();
        let count = cells.len();
        <[&str; N]>::try_from(cells).unwrap_or_else(|_| panic!("{count} cells in a row: {line}"))
    });
    rows.collect()
}
