//! `epd merge`.

use std::path::PathBuf;

use kit::{Exit, output};

use super::dedupe::tell;
use super::documents::{Documents, InputArgs, records, say, write_document};
use crate::files::dedupe::{Duplicates, dedupe};
use crate::files::merge::{concat, make_ids_unique};

/// Join files in the order given
///
/// Comments stay in place, so the head of each file stays above its records. Later records of a
/// position are handled as in `epd dedupe`.
///
/// Examples: `epd merge a.epd b.epd -o all.epd`, `epd merge *.epd --duplicates keep --unique-ids`.
///
/// Exit codes: 0 no conflict, 1 operations were lost to a conflict, 2 bad input, 4 no record.
#[derive(Debug, clap::Args)]
pub(super) struct MergeArgs {
    #[command(flatten)]
    input: InputArgs,

    /// What to do with later records of a position
    #[arg(long, value_enum, default_value_t = Duplicates::Merge)]
    duplicates: Duplicates,

    /// Append a number to ids that are already used: `pin` becomes `pin (2)`
    #[arg(long)]
    unique_ids: bool,

    /// Write to this file instead of standard output; may be one of the input files
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(args: &MergeArgs) -> anyhow::Result<Exit> {
    output::check_writable(&[args.output.as_deref()])?;
    let Documents { names, documents } = args.input.read()?;
    let mut document = concat(documents);
    let left_out = dedupe(&mut document, args.duplicates);
    if args.unique_ids {
        let renamed = make_ids_unique(&mut document);
        say(&format!("gave {} a new id", records(renamed)));
    }
    let exit = write_document(args.output.as_deref(), &document)?;
    Ok(if exit == Exit::Agreed {
        tell(&left_out, &names)
    } else {
        exit
    })
}
