//! The files under `corpus/`, all of them our own.
//!
//! A file is a list of entries, one a line. Where an entry has several lines the file begins with the
//! line `%%`, and so does each entry after the first. Where it begins with `%hex` each line is an entry in
//! hexadecimal digits, blanks between them left out.

/// The entries of a file.
pub fn entries(file: &str) -> Vec<Vec<u8>> {
    if let Some(lines) = file.strip_prefix("%hex\n") {
        return lines.lines().map(from_hex).collect();
    }
    match file.strip_prefix("%%\n") {
        Some(blocks) => blocks
            .split("%%\n")
            .map(|block| block.as_bytes().to_vec())
            .collect(),
        None => file.lines().map(|line| line.as_bytes().to_vec()).collect(),
    }
}

/// The bytes of hexadecimal digits; of an odd number the last is left out.
fn from_hex(line: &str) -> Vec<u8> {
    let digits: Vec<u32> = line.chars().filter_map(|c| c.to_digit(16)).collect();
    let pairs = digits.as_chunks::<2>().0;
    let byte = |&[high, low]: &[u32; 2]| u8::try_from(high << 4 | low);
    pairs
        .iter()
        .map(|pair| byte(pair).expect("two digits are a byte"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_lines_blocks_or_digits() {
        assert_eq!(entries("a\nb c\n"), [b"a".to_vec(), b"b c".to_vec()]);
        assert_eq!(
            entries("%%\na\nb\n%%\nc\n"),
            [b"a\nb\n".to_vec(), b"c\n".to_vec()]
        );
        assert_eq!(entries("%hex\n00 ff\n0a\n"), [vec![0, 255], vec![10]]);
    }
}
