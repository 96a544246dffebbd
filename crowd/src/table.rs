//! Tables as CSV.

/// A table whose head is given as one text; no name in it has a comma.
pub(crate) fn csv<const N: usize>(
    head: &str,
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let in_memory = "memory takes all, and all rows have as many fields";
    writer.write_record(head.split(',')).expect(in_memory);
    for row in rows {
        writer.write_record(row).expect(in_memory);
    }
    let bytes = writer.into_inner().expect(in_memory);
    String::from_utf8(bytes).expect("all of it was text")
}
