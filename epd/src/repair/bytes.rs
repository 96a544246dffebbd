//! Decodes bytes to text: line ends and encodings.

use super::notes::Notes;
use crate::diagnostic::Problem;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// The end-of-file mark of DOS text files.
const CTRL_Z: u8 = 0x1a;

/// The text of a line, without its end; `None` if the bytes are not text.
pub(super) fn decode(line: &[u8], notes: &mut Notes) -> Option<String> {
    let bytes = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    if bytes.len() < line.len() {
        notes.fix(0, Problem::ByteOrderMark, "\u{feff}", "");
    }
    let is_end = |byte: &u8| matches!(*byte, b'\r' | b'\0' | CTRL_Z);
    let length = bytes
        .iter()
        .rposition(|byte| !is_end(byte))
        .map_or(0, |last| last + 1);
    let (content, end) = bytes.split_at(length);
    let text = decode_content(content, notes)?;
    note_end(text.len(), end, notes);
    Some(text)
}

fn note_end(offset: usize, end: &[u8], notes: &mut Notes) {
    let place = |byte| Some(offset + end.iter().position(|&found| found == byte)?);
    if let Some(offset) = place(b'\0') {
        notes.fix(offset, Problem::Nul, "\0", "");
    }
    if let Some(offset) = place(CTRL_Z) {
        let found = char::from(CTRL_Z);
        notes.fix(offset, Problem::ControlCharacter { found }, "\u{1a}", "");
    }
    if let Some(offset) = place(b'\r') {
        notes.fix(offset, Problem::CarriageReturn, "\r", "");
    }
}

fn decode_content(content: &[u8], notes: &mut Notes) -> Option<String> {
    if let Ok(text) = std::str::from_utf8(content) {
        return Some(text.to_owned());
    }
    // If parts are valid non-ASCII UTF-8, two encodings are mixed, or neither is meant.
    let is_mixed = content.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    let mut text = String::with_capacity(content.len() + 8);
    for &byte in content {
        let Some(character) = windows_1252(byte).filter(|_| byte.is_ascii() || !is_mixed) else {
            // Offset in the decoded text, in which every character so far takes one byte.
            notes.fault(text.chars().count(), Problem::NotUtf8 { found: byte });
            return None;
        };
        if !byte.is_ascii() {
            let before = format!("\\x{byte:02x}");
            let problem = Problem::NotUtf8 { found: byte };
            notes.fix(text.len(), problem, &before, &character.to_string());
        }
        text.push(character);
    }
    Some(text)
}

/// The characters of Windows-1252 from 0x80; the rest is Latin-1. Five bytes are undefined.
const FROM_80: [Option<char>; 32] = [
    Some('€'),
    None,
    Some('‚'),
    Some('ƒ'),
    Some('„'),
    Some('…'),
    Some('†'),
    Some('‡'),
    Some('ˆ'),
    Some('‰'),
    Some('Š'),
    Some('‹'),
    Some('Œ'),
    None,
    Some('Ž'),
    None,
    None,
    Some('‘'),
    Some('’'),
    Some('“'),
    Some('”'),
    Some('•'),
    Some('–'),
    Some('—'),
    Some('˜'),
    Some('™'),
    Some('š'),
    Some('›'),
    Some('œ'),
    None,
    Some('ž'),
    Some('Ÿ'),
];

fn windows_1252(byte: u8) -> Option<char> {
    match byte {
        0x80..=0x9f => FROM_80[usize::from(byte - 0x80)],
        _ => Some(char::from(byte)),
    }
}
