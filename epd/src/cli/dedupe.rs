//! `epd dedupe`, and code shared with `epd merge`.

use std::path::PathBuf;

use kit::{Exit, output};

use super::documents::{Documents, InputArgs, records, say, write_document};
use crate::files::dedupe::{Duplicates, LeftOut, dedupe};
use crate::files::merge::concat;

/// Keep one record of each position
///
/// Positions are equal as for repetition: pieces, side to move, castling rights, and the en passant
/// square if a capture there is legal. The first record stays in place; operations of later records
/// are added to it if it lacks their opcode, as are words of tag. The same opcode with other
/// operands is a conflict: the first is kept, and both are reported on standard error. A different
/// id is dropped silently.
///
/// Examples: `epd dedupe book.epd -o unique.epd`, `cat *.epd | epd dedupe -`.
///
/// Exit codes: 0 no conflict, 1 operations were lost to a conflict, 2 bad input, 4 no record.
#[derive(Debug, clap::Args)]
pub(super) struct DedupeArgs {
    #[command(flatten)]
    input: InputArgs,

    /// What to do with later records of a position
    #[arg(long, value_enum, default_value_t = Duplicates::Merge)]
    duplicates: Duplicates,

    /// Write to this file instead of standard output; may be one of the input files
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(args: &DedupeArgs) -> anyhow::Result<Exit> {
    output::check_writable(&[args.output.as_deref()])?;
    let Documents { names, documents } = args.input.read()?;
    let mut document = concat(documents);
    let left_out = dedupe(&mut document, args.duplicates);
    let exit = write_document(args.output.as_deref(), &document)?;
    Ok(if exit == Exit::Agreed {
        tell(&left_out, &names)
    } else {
        exit
    })
}

/// Reports what was left out; the exit code reflects whether anything was lost.
pub(super) fn tell(left_out: &[LeftOut], names: &[String]) -> Exit {
    let mut conflicts = 0;
    for LeftOut {
        at,
        first,
        conflicts: lost,
    } in left_out
    {
        let (name, line) = (&names[at.0], at.1);
        for conflict in lost {
            say(&format!(
                "{name}:{line}: conflict: '{}' is left out, {}:{} says '{}'",
                conflict.lost, names[first.0], first.1, conflict.kept
            ));
        }
        conflicts += lost.len();
    }
    if !left_out.is_empty() {
        let count = records(left_out.len());
        say(&format!(
            "left out {count} of a position that came before; conflicts: {conflicts}"
        ));
    }
    if conflicts == 0 {
        Exit::Agreed
    } else {
        Exit::Differs
    }
}
