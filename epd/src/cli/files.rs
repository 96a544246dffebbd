//! The tools for files: `epd filter`, `split`, `dedupe`, `merge` and `stats`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use kit::{BadInput, Exit, output};
use serde::Serialize;

use super::input::{Documents, InputArgs, OutputArgs, records, remark, report};
use crate::files::dedupe::{Conflict, Duplicates, dedupe};
use crate::files::document::{Document, concat, make_ids_unique};
use crate::files::filter::Filter;
use crate::files::split::{Division, Part, Quality, shuffle, split};
use crate::files::stats::{Stats, stats};

/// Keep the records that meet every condition
///
/// Order and comments are kept. An endgame has at most 8 points of material (knight, bishop 1, rook
/// 2, queen 4; 24 at the start of a game); an opening at least 20, and at least five knights,
/// bishops and queens of both sides together on their own back rank; everything else is a
/// middlegame.
///
/// Examples: `epd filter wac.epd --has bm --pieces 10..`, `epd filter - --phase endgame --side white`,
/// `epd filter sts.epd --id 'STS.*\.00[1-9]'`, `epd filter analysed.epd --number acd=20..`.
#[derive(Debug, clap::Args)]
pub(super) struct FilterArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    conditions: Filter,

    /// Keep the records that do not meet the conditions
    #[arg(long)]
    invert: bool,

    #[command(flatten)]
    output: OutputArgs,
}

pub(super) fn filter_files(args: &FilterArgs, is_quiet: bool) -> anyhow::Result<Exit> {
    args.output.check()?;
    let Documents { documents, .. } = args.input.read()?;
    let mut document = concat(documents);
    let before = records(document.items.len());
    document.retain(|item| args.conditions.passes(&item.record) != args.invert);
    let exit = args.output.write(&document)?;
    remark(
        is_quiet,
        &format!("kept {} of {before}", document.items.len()),
    );
    Ok(exit)
}

/// Split files into parts
///
/// Each part begins with the comments above the first record. The names of the parts are printed on
/// standard output, one per line, with their sizes.
///
/// Examples: `epd split book.epd --parts 4 -o 'book-{}.epd'`,
/// `epd split all.epd --by tag -o 'tagged/{}.epd'`,
/// `epd split book.epd --records 1000 --shuffle --seed 7 -o '{}.epd'`.
#[derive(Debug, clap::Args)]
pub(super) struct SplitArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    division: DivisionArgs,

    /// Shuffle the records before splitting
    #[arg(long)]
    shuffle: bool,

    /// Random seed of the shuffle; the same seed gives the same order on every machine
    #[arg(long, value_name = "N", default_value_t = 1, requires = "shuffle")]
    seed: u64,

    /// Names of the parts; `{}` is replaced by their number or value
    #[arg(short, long, value_name = "PATTERN", default_value = "part-{}.epd")]
    output: String,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct DivisionArgs {
    /// Records per part; the last may have fewer
    #[arg(long, value_name = "N")]
    records: Option<NonZeroUsize>,

    /// Number of parts, as even as possible
    #[arg(long, value_name = "N")]
    parts: Option<NonZeroUsize>,

    /// One part per tag, side or phase
    #[arg(long, value_enum)]
    by: Option<Quality>,
}

pub(super) fn split_files(args: &SplitArgs, is_quiet: bool) -> anyhow::Result<Exit> {
    let pattern = &args.output;
    if !pattern.contains("{}") {
        let error = format!("--output: '{pattern}' has no {{}} for the name of the part");
        return Err(BadInput(error).into());
    }
    let Documents { documents, .. } = args.input.read()?;
    let mut document = concat(documents);
    if document.items.is_empty() {
        report("error: there are no records");
        return Ok(Exit::Nothing);
    }
    if args.shuffle {
        shuffle(&mut document, args.seed);
        remark(is_quiet, &format!("shuffled with --seed {}", args.seed));
    }
    let division = match (args.division.records, args.division.parts, args.division.by) {
        (Some(size), _, _) => Division::Records(size.get()),
        (_, Some(count), _) => Division::Parts(count.get()),
        (_, _, quality) => Division::By(quality.expect("one of the three is required")),
    };
    let parts = split(document, division);
    let paths = paths(&parts, args)?;
    // All or nothing: half of the parts is worse than none.
    let outputs: Vec<Option<&Path>> = paths.iter().map(|path| Some(path.as_path())).collect();
    output::check_writable(&outputs)?;
    let mut list = String::new();
    for (part, path) in parts.iter().zip(&paths) {
        output::to_file(path, part.document.to_string())?;
        let size = records(part.document.items.len());
        writeln!(list, "{}: {size}", path.display())?;
    }
    output::to_stdout(&list)?;
    Ok(Exit::Agreed)
}

/// Paths of the parts; rejects duplicates and paths of input files.
fn paths(parts: &[Part], args: &SplitArgs) -> Result<Vec<PathBuf>, BadInput> {
    let read = args.input.files.iter();
    let read: Vec<PathBuf> = read.filter_map(|file| file.canonicalize().ok()).collect();
    let mut taken: HashMap<String, &str> = HashMap::new();
    let mut paths = Vec::with_capacity(parts.len());
    for Part { name, .. } in parts {
        let path = PathBuf::from(args.output.replace("{}", &file_name(name)));
        let shown = path.display();
        if path.canonicalize().is_ok_and(|path| read.contains(&path)) {
            let message = format!("the part '{name}' would replace {shown}, which is read");
            return Err(BadInput(message));
        }
        // Some file systems are case-insensitive.
        let folded = path.to_string_lossy().to_lowercase();
        if let Some(other) = taken.insert(folded, name) {
            let message = format!("the parts '{other}' and '{name}' would both be {shown}");
            return Err(BadInput(message));
        }
        paths.push(path);
    }
    Ok(paths)
}

/// Replaces characters that are not portable in file names by `_`.
fn file_name(name: &str) -> String {
    let is_safe = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let safe = name.chars().map(|c| if is_safe(c) { c } else { '_' });
    let hidden = if name.starts_with('.') { "_" } else { "" };
    hidden.to_owned() + &safe.collect::<String>()
}

/// Keep one record of each position
///
/// Positions are equal as for repetition: pieces, side to move, castling rights, and the en passant
/// square if a capture there is legal. The first record stays in place; operations of later records
/// are added to it if it lacks their opcode, as are words of tag. The same opcode with other
/// operands is a conflict: the first is kept, and both are reported on standard error. A different
/// id is dropped silently.
///
/// Examples: `epd dedupe book.epd -o unique.epd`, `cat *.epd | epd dedupe -`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 no conflict, 1 operations were lost to a conflict, 2 bad input, 4 no record."
)]
pub(super) struct DedupeArgs {
    #[command(flatten)]
    input: InputArgs,

    /// What to do with later records of a position
    #[arg(long, value_enum, default_value_t = Duplicates::Merge)]
    duplicates: Duplicates,

    #[command(flatten)]
    output: OutputArgs,
}

/// Later records of a position are handled as `args` says, then ids made unique if wanted. The exit code
/// reflects whether anything was lost.
pub(super) fn dedupe_files(
    args: &DedupeArgs,
    unique_ids: bool,
    is_quiet: bool,
) -> anyhow::Result<Exit> {
    args.output.check()?;
    let Documents { names, documents } = args.input.read()?;
    let mut document = concat(documents);
    let left_out = dedupe(&mut document, args.duplicates);
    if unique_ids {
        let renamed = records(make_ids_unique(&mut document));
        remark(is_quiet, &format!("gave {renamed} a new id"));
    }
    let exit = args.output.write(&document)?;
    if exit != Exit::Agreed {
        return Ok(exit);
    }
    let mut conflicts = 0;
    for one in &left_out {
        let (name, line) = (&names[one.at.0], one.at.1);
        let first = format!("{}:{}", names[one.first.0], one.first.1);
        for Conflict { kept, lost } in &one.conflicts {
            let what = format!("'{lost}' is left out, {first} has '{kept}'");
            report(&format!("{name}:{line}: conflict: {what}"));
        }
        conflicts += one.conflicts.len();
    }
    if !left_out.is_empty() {
        let count = records(left_out.len());
        let summary = format!("left out {count} of a repeated position; conflicts: {conflicts}");
        remark(is_quiet, &summary);
    }
    Ok(if conflicts == 0 {
        Exit::Agreed
    } else {
        Exit::Differs
    })
}

/// Join files in the order given
///
/// Comments stay in place, so the head of each file stays above its records. Later records of a
/// position are handled as in `epd dedupe`.
///
/// Examples: `epd merge a.epd b.epd -o all.epd`, `epd merge *.epd --duplicates keep --unique-ids`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 no conflict, 1 operations were lost to a conflict, 2 bad input, 4 no record."
)]
pub(super) struct MergeArgs {
    #[command(flatten)]
    pub(super) dedupe: DedupeArgs,

    /// Append a number to ids that are already used: `pin` becomes `pin (2)`
    #[arg(long)]
    pub(super) unique_ids: bool,
}

/// Print statistics of files: positions, phases, pieces, opcodes, tags, duplicates
///
/// An endgame has at most 8 points of material (knight, bishop 1, rook 2, queen 4; 24 at the start
/// of a game); an opening at least 20, and at least five knights, bishops and queens of both sides
/// together on their own back rank; everything else is a middlegame.
///
/// Examples: `epd stats wac.epd`, `cat *.epd | epd stats - --format json`.
#[derive(Debug, clap::Args)]
pub(super) struct StatsArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Output format
    #[arg(long, value_enum, default_value_t = StatsFormat::Human)]
    format: StatsFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum StatsFormat {
    /// Text for people
    Human,
    /// One JSON object
    Json,
}

#[derive(Serialize)]
struct StatsReport<'a> {
    schema: &'static str,
    files: Vec<FileReport<'a>>,
    total: Stats,
}

#[derive(Serialize)]
struct FileReport<'a> {
    name: &'a str,
    #[serde(flatten)]
    stats: Stats,
}

pub(super) fn print_stats(args: &StatsArgs) -> anyhow::Result<Exit> {
    let Documents { names, documents } = args.input.read()?;
    let items = || documents.iter().flat_map(|document| &document.items);
    let total = stats(items());
    if total.records == 0 {
        report("error: there are no records");
        return Ok(Exit::Nothing);
    }
    let text = match args.format {
        StatsFormat::Human => total.to_string(),
        StatsFormat::Json => {
            let file = |(name, document): (_, &Document)| FileReport {
                name,
                stats: stats(document.items.iter()),
            };
            let names = names.iter().map(String::as_str);
            let object = StatsReport {
                schema: "touchstone/epd-stats/1",
                files: names.zip(&documents).map(file).collect(),
                total,
            };
            serde_json::to_string_pretty(&object)? + "\n"
        }
    };
    output::to_stdout(&text)?;
    Ok(Exit::Agreed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_stay_in_their_folder() {
        for (name, expected) in [
            ("pin-rank", "pin-rank"),
            ("../../etc", "_.._.._etc"),
            ("a/b c", "a_b_c"),
            ("..", "_.."),
        ] {
            assert_eq!(file_name(name), expected);
        }
    }
}
