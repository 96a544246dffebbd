//! Reads a file line by line.

use std::collections::HashSet;

use super::is_told_once;
use crate::finding::Finding;
use crate::repair::{Line, read_line};

/// A line of a file.
pub(super) struct FileLine<'a> {
    /// Its number, from 1.
    pub(super) number: usize,
    /// The raw bytes, without line feed.
    pub(super) bytes: &'a [u8],
    pub(super) line: Line,
    pub(super) findings: Vec<Finding>,
}

impl FileLine<'_> {
    /// Whether its record is already in the standard form.
    pub(super) fn is_unchanged(&self) -> bool {
        let content = self.bytes.strip_suffix(b"\r").unwrap_or(self.bytes);
        match &self.line {
            Line::Record(Some(record)) => record.text().as_bytes() == content,
            _ => false,
        }
    }
}

/// Reads the lines. File-level problems are reported at the first line concerned.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = FileLine<'_>> {
    let content = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let count = if bytes.is_empty() { 0 } else { usize::MAX };
    let mut told: HashSet<String> = HashSet::new();
    let lines = content.split(|&byte| byte == b'\n').take(count);
    lines.enumerate().map(move |(index, bytes)| {
        let number = index + 1;
        let (line, mut findings) = read_line(bytes, number);
        findings.retain(|finding| {
            let problem = &finding.diagnostic.problem;
            !is_told_once(problem) || told.insert(problem.to_string())
        });
        FileLine {
            number,
            bytes,
            line,
            findings,
        }
    })
}
