//! `perft count --resume FILE`.

use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use kit::{
    BadInput, Exit, Interrupt, Progress,
    output::{self, grouped},
};

use super::args::CountArgs;
use super::cut;
use super::{LEAST_DEPTH_FOR_TABLE, counter};
use crate::count::{Counted, Ended, Format};
use crate::resume::{self, Header, JournalFile, OpenError};
use crate::run;

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
pub(super) fn resume(args: &CountArgs, path: &Path, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let (position, depth) = args.position_and_depth()?;
    let table = args.effort.table(depth >= LEAST_DEPTH_FOR_TABLE)?;
    let counter = counter(&args.effort, table.as_ref())?;
    let pool = run::pool(args.effort.threads())?;
    let start = Instant::now();
    let cut = args.cut.cut().unwrap_or(resume::CUT);
    let units = cut::units(&pool, &position, depth, cut, interrupt)?;
    let header = Header::new(&units);
    let (mut journal, mut counts) = JournalFile::open(path, &header).map_err(explain)?;
    let resumed = units.sum(&counts);
    let progress = Progress::new(0, "units", args.format == Format::Human);
    let surroundings = (&pool, interrupt, &progress);
    let ran = resume::run(&units, &mut counts, &mut journal, counter, surroundings);
    progress.finish();
    ran?;
    let done = counts.iter().flatten().count();
    let counted = Counted {
        position,
        depth,
        nodes: units.sum(&counts),
        divide: None,
        breakdown: None,
        resumed,
        shared: None,
        ended: if done < counts.len() {
            Ended::Interrupted
        } else {
            Ended::Complete
        },
        time: start.elapsed(),
    };
    output::to_stdout(&counted.write(args.format)?)?;
    if counted.ended == Ended::Interrupted {
        say_how_to_go_on(done, counts.len(), path);
    }
    Ok(counted.ended.exit())
}

fn explain(error: OpenError) -> anyhow::Error {
    let bad_input = error.is_bad_input();
    let error = anyhow::Error::from(error);
    if bad_input {
        BadInput(format!("{error:#}")).into()
    } else {
        error
    }
}

fn say_how_to_go_on(done: usize, total: usize, path: &Path) {
    let words: Vec<String> = std::env::args_os()
        .map(|word| quoted(&word.to_string_lossy()))
        .collect();
    // Standard error may be closed; the exit code reports the failure all the same.
    let _ = writeln!(
        std::io::stderr(),
        "{} of {} units are in {}; to go on: {}",
        grouped(done as u64),
        grouped(total as u64),
        path.display(),
        words.join(" ")
    );
}

/// Quotes a word for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_a_shell() {
        let rows = [
            ("--resume", "--resume"),
            ("", "''"),
            ("8/8 w - -", "'8/8 w - -'"),
            ("it's", r"'it'\''s'"),
        ];
        for (word, expected) in rows {
            assert_eq!(quoted(word), expected);
        }
    }
}
