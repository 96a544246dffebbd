//! `epd split`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use kit::{BadInput, Exit, output};

use super::documents::{Documents, InputArgs, records, say};
use crate::files::merge::concat;
use crate::files::split::{Division, Part, Quality, shuffle, split};

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

impl DivisionArgs {
    fn division(&self) -> Division {
        match (self.records, self.parts, self.by) {
            (Some(size), _, _) => Division::Records(size.get()),
            (_, Some(count), _) => Division::Parts(count.get()),
            (_, _, quality) => Division::By(quality.expect("one of the three is required")),
        }
    }
}

pub(super) fn run(args: &SplitArgs) -> anyhow::Result<Exit> {
    if !args.output.contains("{}") {
        let error = format!(
            "--output: '{}' has no {{}} for the name of the part",
            args.output
        );
        return Err(BadInput(error).into());
    }
    let Documents { documents, .. } = args.input.read()?;
    let mut document = concat(documents);
    if document.items.is_empty() {
        say("error: there are no records");
        return Ok(Exit::Nothing);
    }
    if args.shuffle {
        shuffle(&mut document, args.seed);
        say(&format!("shuffled with --seed {}", args.seed));
    }
    let parts = split(document, args.division.division());
    let paths = paths(&parts, args)?;
    // All or nothing: half of the parts is worse than none.
    let outputs: Vec<Option<&Path>> = paths.iter().map(|path| Some(path.as_path())).collect();
    output::check_writable(&outputs)?;
    let mut list = String::new();
    for (part, path) in parts.iter().zip(&paths) {
        output::to_file(path, part.document.to_string())?;
        writeln!(
            list,
            "{}: {}",
            path.display(),
            records(part.document.items.len())
        )?;
    }
    output::to_stdout(&list)?;
    Ok(Exit::Agreed)
}

/// Paths of the parts; rejects duplicates and paths of input files.
fn paths(parts: &[Part], args: &SplitArgs) -> Result<Vec<PathBuf>, BadInput> {
    let read: Vec<PathBuf> = args
        .input
        .files
        .iter()
        .filter_map(|file| file.canonicalize().ok())
        .collect();
    let mut taken: HashMap<PathBuf, &str> = HashMap::new();
    let mut paths = Vec::with_capacity(parts.len());
    for part in parts {
        let path = PathBuf::from(args.output.replace("{}", &file_name(&part.name)));
        let shown = path.display();
        if path.canonicalize().is_ok_and(|path| read.contains(&path)) {
            return Err(BadInput(format!(
                "the part '{}' would replace {shown}, which is read",
                part.name
            )));
        }
        // Some file systems are case-insensitive.
        let folded = Path::new(&path.to_string_lossy().to_lowercase()).to_owned();
        if let Some(other) = taken.insert(folded, &part.name) {
            let name = &part.name;
            return Err(BadInput(format!(
                "the parts '{other}' and '{name}' would both be {shown}"
            )));
        }
        paths.push(path);
    }
    Ok(paths)
}

/// Replaces characters that are not portable in file names by `_`.
fn file_name(name: &str) -> String {
    let is_safe = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let safe: String = name
        .chars()
        .map(|c| if is_safe(c) { c } else { '_' })
        .collect();
    if safe.starts_with('.') {
        format!("_{safe}")
    } else {
        safe
    }
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
