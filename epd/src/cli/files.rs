//! The tools for files: `epd filter`, `dedupe` and `stats`.

use kit::output::{remark, to_stderr};
use kit::report::{Format, Formats as _, TextFormats, json};
use kit::{Exit, Interrupt, output};
use serde::Serialize;

use super::records::{InputArgs, ItemWriter, RecordOutputArgs, Streamed, Workers, records};
use crate::files::dedupe::{Conflict, Deduper, DuplicatePolicy};
use crate::files::filter::RecordFilter;
use crate::files::ids::UniqueIds;
use crate::files::items::StoredItem;
use crate::files::stats::{Facts, Stats, StatsCollector};
use crate::stream::sorter::{Sorter, entry, number};
use crate::stream::spool::Spool;
use crate::text::{Record, position_key};

/// Keep the records that meet every condition
///
/// Order and comments are kept. An endgame has at most 8 points of material (knight, bishop 1, rook
/// 2, queen 4; 24 at the start of a game); an opening at least 20, and at least five knights,
/// bishops and queens of both sides together on their own back rank; everything else is a
/// middlegame.
///
/// Examples: `epd filter wac.epd --has bm --pieces 10..`, `epd filter - --is endgame --is white`,
/// `epd filter sts.epd --id 'STS.*\.00[1-9]'`, `epd filter analysed.epd --number acd=20..`.
#[derive(Debug, clap::Args)]
pub(super) struct FilterArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,

    #[command(flatten)]
    conditions: RecordFilter,

    /// Keep the records that do not meet all conditions
    ///
    /// Those without an opcode: `--has bm --invert`.
    #[arg(long)]
    invert: bool,

    #[command(flatten)]
    output: RecordOutputArgs,
}

pub(super) fn filter_files(
    args: &FilterArgs,
    interrupt: &Interrupt,
    is_quiet: bool,
) -> anyhow::Result<Exit> {
    args.output.check()?;
    let mut out = args.output.begin()?;
    let mut before = 0;
    // Comments above a dropped record move to the next one that is kept: they may apply to more than one.
    let mut waiting = String::new();
    let is_wanted = |record: &_| args.conditions.passes(record) != args.invert;
    let take = |mut item: StoredItem, is_wanted: bool| -> anyhow::Result<()> {
        before += 1;
        waiting += &item.above;
        if is_wanted {
            item.above = std::mem::take(&mut waiting);
            out.write(&item)?;
        }
        Ok(())
    };
    let workers = Workers::all(interrupt);
    let Streamed { tail, .. } = args.input.stream(&workers, is_wanted, take)?;
    let kept = out.records;
    let exit = out.end(&(waiting + &tail))?;
    remark(is_quiet, &format!("kept {kept} of {}", records(before)));
    Ok(exit)
}

/// Join files, and keep one record of each position
///
/// Files are joined in the order given, each under its comments.
///
/// Positions are equal as for repetition: pieces, side to move, castling rights, and the en passant
/// square if a capture there is legal. The first record stays in place; operations of later records
/// are added to it if it lacks their opcode, as are words of tag. The same opcode with other
/// operands is a conflict: the first is kept, and both are reported on standard error. A different
/// id is dropped silently.
///
/// Examples: `epd dedupe a.epd b.epd -o all.epd`, `epd dedupe book.epd -o unique.epd`,
/// `epd dedupe *.epd --duplicates keep --unique-ids`, `cat *.epd | epd dedupe -`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 no conflict, 1 operations were lost to a conflict, 2 bad input, 4 no record."
)]
pub(super) struct DedupeArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,

    /// What to do with later records of a position
    #[arg(long, value_enum, default_value_t = DuplicatePolicy::Merge)]
    duplicates: DuplicatePolicy,

    /// Append a number to ids that are already used
    ///
    /// `pin` becomes `pin (2)`.
    #[arg(long)]
    unique_ids: bool,

    #[command(flatten)]
    output: RecordOutputArgs,
}

/// Later records of a position are handled as `args` says, then ids made unique if wanted. The exit code
/// reflects whether anything was lost.
pub(super) fn dedupe_files(
    args: &DedupeArgs,
    interrupt: &Interrupt,
    is_quiet: bool,
) -> anyhow::Result<Exit> {
    args.output.check()?;
    let workers = Workers::all(interrupt);
    let mut sink = ItemSink {
        out: args.output.begin()?,
        ids: args.unique_ids.then(UniqueIds::new),
        workers,
    };
    let mut conflicts = ConflictList::new();
    let (left_out, tail) = if args.duplicates == DuplicatePolicy::Keep {
        let take = |item, ()| sink.push(&item);
        (0, args.input.stream(&workers, |_| (), take)?.tail)
    } else {
        let mut deduper = Deduper::new();
        let key = |record: &Record| position_key(record.position());
        let take = |item: StoredItem, key| Ok(deduper.add(&item, &key)?);
        let Streamed { names, tail } = args.input.stream(&workers, key, take)?;
        let dropped = deduper.finish()?.each(
            args.duplicates,
            |item| sink.push(&item),
            |first, duplicate, place, conflict| {
                conflicts.add(place, &describe(&names, first, duplicate, &conflict))
            },
        )?;
        (dropped.records, dropped.comments + &tail)
    };
    let exit = sink.end(&tail, is_quiet)?;
    if exit != Exit::Agreed {
        return Ok(exit);
    }
    let lost = conflicts.print()?;
    if left_out > 0 {
        let count = records(left_out);
        let summary = format!("left out {count} of a repeated position; conflicts: {lost}");
        remark(is_quiet, &summary);
    }
    Ok(if lost == 0 {
        Exit::Agreed
    } else {
        Exit::Differs
    })
}

fn describe(
    names: &[String],
    first: &StoredItem,
    duplicate: &StoredItem,
    conflict: &Conflict,
) -> String {
    let place = |item: &StoredItem| format!("{}:{}", names[item.file], item.line);
    let Conflict { kept, lost } = conflict;
    let (here, there) = (place(duplicate), place(first));
    format!("{here}: conflict: '{lost}' is left out, {there} has '{kept}'")
}

/// Writes items at once, or when their ids are unique.
struct ItemSink<'a> {
    out: ItemWriter,
    ids: Option<UniqueIds>,
    workers: Workers<'a>,
}

impl ItemSink<'_> {
    fn push(&mut self, item: &StoredItem) -> anyhow::Result<()> {
        self.workers.check()?;
        match &mut self.ids {
            Some(ids) => ids.add(item)?,
            None => self.out.write(item)?,
        }
        Ok(())
    }

    fn end(mut self, tail: &str, is_quiet: bool) -> anyhow::Result<Exit> {
        if let Some(ids) = self.ids.take() {
            let renamed = ids.finish()?.each(|item| self.push(&item))?;
            remark(is_quiet, &format!("gave {} a new id", records(renamed)));
        }
        self.out.end(tail)
    }
}

/// Messages on conflicts, which are found by the first record of a position and printed by the later one.
struct ConflictList {
    messages: Spool,
    /// The place of the later record, and of the message.
    order: Sorter<16>,
}

impl ConflictList {
    fn new() -> Self {
        Self {
            messages: Spool::new(),
            order: Sorter::new(),
        }
    }

    fn add(&mut self, place: u64, message: &str) -> anyhow::Result<()> {
        let message = self.messages.push(&[message.as_bytes()])?;
        Ok(self.order.push(entry(&[], &[place, message]))?)
    }

    /// Prints the messages on standard error; returns their number.
    fn print(self) -> anyhow::Result<usize> {
        let messages = self.messages.finish()?;
        let mut count = 0;
        for found in self.order.sorted()? {
            let message = messages.get(number(&found?, 8))?;
            to_stderr(&String::from_utf8_lossy(&message));
            count += 1;
        }
        Ok(count)
    }
}

/// Print statistics of files: positions, phases, pieces, opcodes, tags, duplicates
///
/// An endgame has at most 8 points of material (knight, bishop 1, rook 2, queen 4; 24 at the start
/// of a game); an opening at least 20, and at least five knights, bishops and queens of both sides
/// together on their own back rank; everything else is a middlegame.
///
/// Examples: `epd stats wac.epd`, `cat *.epd | epd stats - --format json`.
#[derive(Debug, clap::Args)]
pub(super) struct FileStatsArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,

    /// Output format
    #[arg(long, value_parser = Format::parser(TextFormats::ALL), default_value = "human")]
    format: Format,
}

#[derive(Serialize)]
struct FileStatsReport<'a> {
    schema: &'static str,
    files: Vec<FileStatsObject<'a>>,
    total: Stats,
}

#[derive(Serialize)]
struct FileStatsObject<'a> {
    name: &'a str,
    #[serde(flatten)]
    stats: Stats,
}

pub(super) fn print_stats(args: &FileStatsArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let is_by_file = args.format == Format::Json && args.input.files.len() > 1;
    let mut all = StatsCollector::new();
    let mut by_file: Vec<Stats> = Vec::new();
    let mut current = StatsCollector::new();
    let take = |item: StoredItem, facts: Facts| -> anyhow::Result<()> {
        all.add(&facts)?;
        if is_by_file {
            while by_file.len() < item.file {
                by_file.push(std::mem::replace(&mut current, StatsCollector::new()).finish()?);
            }
            current.add(&facts)?;
        }
        Ok(())
    };
    let workers = Workers::all(interrupt);
    let Streamed { names, .. } = args.input.stream(&workers, Facts::from_record, take)?;
    let total = all.finish()?;
    if total.records == 0 {
        to_stderr("error: there are no records");
        return Ok(Exit::Nothing);
    }
    if args.format == Format::Human {
        output::to_stdout(total.to_string())?;
        return Ok(Exit::Agreed);
    }
    if is_by_file {
        while by_file.len() < names.len() {
            by_file.push(std::mem::replace(&mut current, StatsCollector::new()).finish()?);
        }
    } else {
        by_file.push(total.clone());
    }
    let file = |(name, stats): (_, _)| FileStatsObject { name, stats };
    let names = names.iter().map(String::as_str);
    let object = FileStatsReport {
        schema: "touchstone/epd-stats/1",
        files: names.zip(by_file).map(file).collect(),
        total,
    };
    output::stdout_with(|out| json(&object, out))?;
    Ok(Exit::Agreed)
}
