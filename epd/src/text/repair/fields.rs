//! The fields of the position: variant forms, clocks, and missing or extra fields.

use chess::notation::fen::{self, FenField, FenReason, FenStyle};
use chess::rules::{CastlingSide, Color, File, Piece, PieceType, Position, Rank, Square};

use super::draft::Notes;
use crate::text::diagnostic::RecordProblem;
use crate::text::operation::is_standard_opcode;
use crate::text::read::{ToleratedFields, read_position, tolerate};
use crate::text::scan::{EpdToken, EpdTokenKind, Scan, join, scan, scan_after};
use crate::text::value::is_known;

/// A line whose position has been read.
pub(super) struct Placed<'a> {
    /// The position, with the clocks of the fields.
    pub(super) position: Position,
    /// The four fields in the standard form.
    pub(super) fields: String,
    pub(super) scan: Scan<'a>,
}

/// Reads the position of a line; `None`, with a fault noted, if there is none.
pub(super) fn read<'a>(line: &'a str, notes: &mut Notes) -> Option<Placed<'a>> {
    let scan = scan(line);
    let mut faults = match read_position(&scan.fields) {
        Ok(position) => {
            let fields = join(&scan.fields[..4]);
            return Some(Placed {
                position,
                fields,
                scan,
            });
        }
        Err(faults) => faults,
    };
    // Before the lenient reader, which would take the first operation for the missing field.
    if let Some(placed) = supply_missing(line, notes) {
        return Some(placed);
    }
    // A field is missing, and which one it was cannot be known: the other attempts would only
    // guess.
    if notes.in_doubt {
        return None;
    }
    if let Some(placed) = drop_extra(line, notes) {
        return Some(placed);
    }
    if let Some(ToleratedFields { position, repairs }) = tolerate(&scan.fields) {
        for repair in repairs {
            notes.fix(repair.offset, repair.problem, &repair.before, &repair.after);
        }
        let fields = fen::write_epd(&position, FenStyle::default());
        return Some(Placed {
            position,
            fields,
            scan,
        });
    }
    let is_rank_count = |(_, problem): &(usize, RecordProblem)| {
        matches!(
            problem,
            RecordProblem::Fen {
                reason: FenReason::RankCount { .. },
                ..
            }
        )
    };
    if faults.iter().any(is_rank_count) {
        // The line is not a record at all; faults of the other words would be noise.
        faults.retain(is_rank_count);
    }
    notes.faults(faults);
    None
}

/// Reads a line that lacks the castling field, the en passant field, or both.
///
/// A missing field is supplied only if it must have been `-`: no king and rook are on their
/// standard home squares, and no pawn can be captured en passant. Otherwise a fault is noted.
fn supply_missing<'a>(line: &'a str, notes: &mut Notes) -> Option<Placed<'a>> {
    let Scan {
        fields: words,
        operations,
        ..
    } = scan(line);
    let next = operations.first().and_then(|operation| operation.first());
    let is_opcode = |index: usize| is_opcode(&words[index], words.get(index + 1).or(next));
    let most = words.len().min(4);
    let count = (0..most).find(|&index| is_opcode(index)).unwrap_or(most);
    let third = match (count, words.get(2)) {
        (2, _) => None,
        (3, Some(third)) => Some(third.text),
        _ => return None,
    };
    let (castling, ep) = match third {
        None | Some("-") => (None, None),
        // Castling rights never look like a square, so the field tells which one is missing.
        Some(text) if text.parse::<Square>().is_ok() => (None, Some(text)),
        Some(text) => (Some(text), None),
    };
    let (placement, side) = (words[0].text, words[1].text);
    let last_two = [castling, ep].map(|field| field.unwrap_or("-"));
    let fields = format!("{placement} {side} {}", last_two.join(" "));
    let position = fen::parse(&fields).ok()?;
    let last = words[count - 1];
    let offset = last.offset + last.text.len();
    // The field may have held something: `-` would take away a right without a trace.
    let field = if castling.is_none() && may_castle(&position) {
        notes.in_doubt = true;
        FenField::Castling
    } else if ep.is_none() && may_capture_en_passant(&position) {
        notes.in_doubt = true;
        FenField::EpSquare
    } else if castling.is_none() {
        FenField::Castling
    } else {
        FenField::EpSquare
    };
    let problem = RecordProblem::MissingField { field };
    if notes.in_doubt {
        notes.fault(offset, problem);
        return None;
    }
    notes.fix(offset, problem, "", if count == 2 { " - -" } else { " -" });
    let scan = scan_after(line, move |tokens| count.min(tokens.len()));
    Some(Placed {
        position,
        fields,
        scan,
    })
}

/// Whether a word begins the operations. A lone `b` or `c` may be a field and is not an opcode;
/// `c3` and `c6` are comment opcodes before a string, and en passant squares otherwise.
fn is_opcode(word: &EpdToken<'_>, next: Option<&EpdToken<'_>>) -> bool {
    let is_square = word.text.parse::<Square>().is_ok();
    word.kind == EpdTokenKind::Word
        && is_standard_opcode(word.text)
        && is_known(word.text)
        && (!is_square || next.is_some_and(|next| next.kind == EpdTokenKind::Text))
}

/// Whether a king and a rook are on squares where standard castling rights are possible.
fn may_castle(position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| {
        let home = Square::new(File::E, Rank::R1.relative_to(color));
        let rook = Some(Piece::new(color, PieceType::Rook));
        let has_rook = |side: CastlingSide| position.piece_at(side.standard_rook(color)) == rook;
        position.king(color) == home && CastlingSide::ALL.into_iter().any(has_rook)
    })
}

/// Whether a capture would be legal for some en passant square.
fn may_capture_en_passant(position: &Position) -> bool {
    // The en passant square is behind a pawn of the opponent that has just advanced two squares.
    let rank = Rank::R6.relative_to(position.side_to_move());
    File::ALL.into_iter().any(|file| {
        let mut setup = position.to_setup();
        // `legal_ep_square` needs a square in the position, so each possible one is tried.
        setup.ep_square = Some(Square::new(file, rank));
        Position::from_setup(setup).is_ok_and(|position| position.legal_ep_square().is_some())
    })
}

/// Reads fields that are valid except for dashes: `- - - bm` has one too many, `- -1 12` lacks a
/// blank between the en passant field and a clock.
fn drop_extra<'a>(line: &'a str, notes: &mut Notes) -> Option<Placed<'a>> {
    let mut scan = scan(line);
    let dash = scan.fields.get(3).copied();
    let glued = dash.filter(|field| field.text.starts_with('-') && field.text.len() > 1);
    let mut extra: Vec<usize> = Vec::new();
    if let Some(field) = glued {
        let (ep, text) = field.text.split_at(1);
        scan.fields[3].text = ep;
        let offset = field.offset + 1;
        scan.fields.insert(
            4,
            EpdToken {
                offset,
                text,
                ..field
            },
        );
    } else {
        let behind = scan.fields.iter().skip(4);
        let dashes = behind.filter(|field| field.text == "-");
        extra.extend(dashes.map(|field| field.offset));
    }
    scan.fields.retain(|field| !extra.contains(&field.offset));
    let position = read_position(&scan.fields).ok()?;
    for offset in extra {
        notes.fix(offset, RecordProblem::ExtraField, " -", "");
    }
    if let Some(field) = glued {
        notes.fix(field.offset + 1, RecordProblem::NoBlank, "", " ");
    }
    let fields = join(&scan.fields[..4]);
    Some(Placed {
        position,
        fields,
        scan,
    })
}
