//! Repairs quotes, semicolons and blanks.

use std::borrow::Cow;

use super::notes::Notes;
use crate::diagnostic::Problem;
use crate::scan::{Scan, TokenKind, open_string, tokens};
use crate::style::StyleProblem;

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
    notes.fix(open, Problem::UnterminatedString, &line[open..], &closed);
    Cow::Owned(format!("{}{closed};", &line[..open]))
}

/// Notes text that was cut out or supplied between words.
pub(super) fn note(line: &str, scan: &Scan<'_>, notes: &mut Notes) {
    for (offset, problem) in &scan.problems {
        let rest = &line[*offset..];
        let after = rest.trim_start_matches([' ', '\t']);
        let blanks = &rest[..rest.len() - after.len()];
        let is_before_semicolon = matches!(problem, Problem::Tab | Problem::Blanks { .. })
            && after.starts_with(';')
            && scan.leading_semicolon.is_none();
        if is_before_semicolon {
            // The note on the semicolon covers this fault.
            continue;
        }
        let (before, after) = match problem {
            Problem::LeadingBlanks | Problem::TrailingBlanks => (blanks, ""),
            Problem::Tab | Problem::Blanks { .. } => (blanks, " "),
            Problem::EmptyOperation => (";", ""),
            Problem::NoBlank => ("", " "),
            Problem::NoSemicolon => ("", ";"),
            _ => {
                notes.fault(*offset, problem.clone());
                continue;
            }
        };
        notes.fix(*offset, problem.clone(), before, after);
    }
    if let Some(offset) = scan.leading_semicolon {
        notes.fix(offset, StyleProblem::LeadingSemicolon.into(), ";", "");
    } else {
        semicolons(line, notes);
    }
}

/// Notes each semicolon preceded by a blank or not followed by one.
fn semicolons(line: &str, notes: &mut Notes) {
    let tokens = tokens(line);
    let mut note = |offset, before: &str, after| {
        notes.fix(offset, StyleProblem::SemicolonSpacing.into(), before, after);
    };
    for (index, token) in tokens.iter().enumerate() {
        if token.kind != TokenKind::Semicolon {
            continue;
        }
        let next = tokens.get(index + 1).map(|next| next.kind);
        match index.checked_sub(1).map(|before| tokens[before]) {
            Some(before) if before.kind == TokenKind::Blanks && before.offset > 0 => {
                note(before.offset, before.text, "");
            }
            _ if matches!(next, Some(TokenKind::Word | TokenKind::Text)) => {
                note(token.offset, ";", "; ");
            }
            _ => {}
        }
    }
}
