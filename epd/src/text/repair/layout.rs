//! Encodings, line ends, quotes, semicolons and blanks.

use std::borrow::Cow;

use super::draft::Notes;
use crate::text::diagnostic::RecordProblem;
use crate::text::scan::{EpdTokenKind, Scan, open_string, tokens};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// The end-of-file mark of DOS text files.
const CTRL_Z: u8 = 0x1a;
/// The characters of Windows-1252 from 0x80; `?` stands for five undefined bytes. From 0xa0 on, it
/// equals Latin-1.
const FROM_80: &str = "€?‚ƒ„…†‡ˆ‰Š‹Œ?Ž??‘’“”•–—˜™š›œ?žŸ";

/// The text of a line, without its end; `None` if the bytes are not text.
pub(super) fn decode(line: &[u8], notes: &mut Notes) -> Option<String> {
    let bytes = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    if bytes.len() < line.len() {
        notes.fix(0, RecordProblem::ByteOrderMark, "\u{feff}", "");
    }
    let is_content = |byte: &u8| !matches!(*byte, b'\r' | b'\0' | CTRL_Z);
    let last = bytes.iter().rposition(is_content);
    let (content, end) = bytes.split_at(last.map_or(0, |last| last + 1));
    let text = match std::str::from_utf8(content) {
        Ok(text) => text.to_owned(),
        // Old suites are in Windows-1252, where every text without undefined bytes is valid.
        Err(_) => decode_windows_1252(content, notes)?,
    };
    let found = char::from(CTRL_Z);
    for (byte, problem) in [
        (b'\0', RecordProblem::Nul),
        (CTRL_Z, RecordProblem::ControlCharacter { found }),
        (b'\r', RecordProblem::CarriageReturn),
    ] {
        if let Some(within) = end.iter().position(|&found| found == byte) {
            let before = char::from(byte).to_string();
            notes.fix(text.len() + within, problem, &before, "");
        }
    }
    Some(text)
}

fn decode_windows_1252(content: &[u8], notes: &mut Notes) -> Option<String> {
    // If parts are valid non-ASCII UTF-8, two encodings are mixed, or neither is meant.
    let is_mixed = content.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    let mut text = String::with_capacity(content.len() + 8);
    for &byte in content {
        let found = byte;
        let character = match byte {
            0x80..=0x9f => FROM_80.chars().nth(usize::from(byte - 0x80)),
            _ => Some(char::from(byte)),
        };
        let is_defined = byte.is_ascii() || character != Some('?') && !is_mixed;
        let Some(character) = character.filter(|_| is_defined) else {
            // Offset in the decoded text, in which every character so far takes one byte.
            notes.fault(text.chars().count(), RecordProblem::NotUtf8 { found });
            return None;
        };
        if !byte.is_ascii() {
            let (before, after) = (format!("\\x{byte:02x}"), character.to_string());
            notes.fix(
                text.len(),
                RecordProblem::NotUtf8 { found },
                &before,
                &after,
            );
        }
        text.push(character);
    }
    Some(text)
}

/// Closes the last string if only its closing quote can be missing: the opening quote is followed
/// by no semicolon except one at the very end.
pub(super) fn close_string<'a>(line: &'a str, notes: &mut Notes) -> Cow<'a, str> {
    let Some(open) = open_string(line) else {
        return Cow::Borrowed(line);
    };
    let inner = line[open + 1..].trim_end_matches([' ', '\t']);
    let inner = inner.strip_suffix(';').unwrap_or(inner).trim_end();
    if inner.contains(';') {
        // Reading will report the unterminated string.
        return Cow::Borrowed(line);
    }
    let closed = format!("\"{inner}\"");
    notes.fix(
        open,
        RecordProblem::UnterminatedString,
        &line[open..],
        &closed,
    );
    Cow::Owned(format!("{}{closed};", &line[..open]))
}

/// Notes text that was cut out or supplied between words.
pub(super) fn note_spacing(line: &str, scan: &Scan<'_>, notes: &mut Notes) {
    for (offset, problem) in &scan.problems {
        let rest = &line[*offset..];
        let after = rest.trim_start_matches([' ', '\t']);
        let blanks = &rest[..rest.len() - after.len()];
        let is_before_semicolon =
            matches!(problem, RecordProblem::Tab | RecordProblem::Blanks { .. })
                && after.starts_with(';')
                && scan.leading_semicolon.is_none();
        if is_before_semicolon {
            // The note on the semicolon covers this fault.
            continue;
        }
        let (before, after) = match problem {
            RecordProblem::LeadingBlanks | RecordProblem::TrailingBlanks => (blanks, ""),
            RecordProblem::Tab | RecordProblem::Blanks { .. } => (blanks, " "),
            RecordProblem::EmptyOperation => (";", ""),
            RecordProblem::NoBlank => ("", " "),
            RecordProblem::NoSemicolon => ("", ";"),
            _ => {
                notes.fault(*offset, problem.clone());
                continue;
            }
        };
        notes.fix(*offset, problem.clone(), before, after);
    }
    if let Some(offset) = scan.leading_semicolon {
        notes.fix(offset, RecordProblem::LeadingSemicolon, ";", "");
        return;
    }
    // Each semicolon preceded by a blank or not followed by one.
    let tokens = tokens(line);
    for (index, token) in tokens.iter().enumerate() {
        if token.kind != EpdTokenKind::Semicolon {
            continue;
        }
        let next = tokens.get(index + 1).map(|next| next.kind);
        match index.checked_sub(1).map(|before| tokens[before]) {
            // Blanks at the start of the line have a note of their own.
            Some(before) if before.kind == EpdTokenKind::Blanks && before.offset > 0 => {
                notes.fix(
                    before.offset,
                    RecordProblem::SemicolonSpacing,
                    before.text,
                    "",
                );
            }
            _ if matches!(next, Some(EpdTokenKind::Word | EpdTokenKind::Text)) => {
                notes.fix(token.offset, RecordProblem::SemicolonSpacing, ";", "; ");
            }
            _ => {}
        }
    }
}
