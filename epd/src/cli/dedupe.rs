//! `epd dedupe`, and what `epd merge` shares with it.

use std::path::PathBuf;

use kit::{Exit, output};

use super::documents::{Documents, InputArgs, records, say, write_document};
use crate::files::dedupe::{Duplicates, LeftOut, dedupe};
use crate::files::merge::concat;

/// Keep one record of each position
///
/// Positions are the same when a game would repeat: pieces, side to move, castling rights, and the
/// en passant square where a capture there is legal. The first record stays where it is; of the
/// others, operations with an opcode it has not are added, words of tag too. The same opcode with
/// other operands is a conflict: the first stays, and both are told on standard error. An id that
/// differs goes without a word.
///
/// Examples: `epd dedupe book.epd -o unique.epd`, `cat *.epd | epd dedupe -`.
///
/// Exit codes: 0 no conflict, 1 some operations were lost to a conflict, 2 bad input, 4 no record.
#[derive(Debug, clap::Args)]
pub(super) struct DedupeArgs {
    #[command(flatten)]
    input: InputArgs,

    /// What becomes of the later records of a position
    #[arg(long, value_enum, default_value_t = Duplicates::Merge)]
    duplicates: Duplicates,

    /// Write to this file instead of standard output; it may be one that is read
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

/// Tells of what was left out; whether anything was lost.
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
