//! `epd filter`.

use std::path::PathBuf;

use chess::rules::Color;
use kit::{Exit, output};
use regex::Regex;

use super::documents::{Documents, InputArgs, records, say, write_document};
use crate::files::Phase;
use crate::files::filter::Filter;
use crate::files::merge::concat;
use crate::files::range::{NumberRange, Range};

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
    conditions: Conditions,

    /// Keep the records that do not meet the conditions
    #[arg(long)]
    invert: bool,

    /// Write to this file instead of standard output; may be one of the input files
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Conditions")]
struct Conditions {
    /// Has this opcode; may be given several times
    #[arg(long, value_name = "OPCODE")]
    has: Vec<String>,

    /// Lacks this opcode; may be given several times
    #[arg(long, value_name = "OPCODE")]
    without: Vec<String>,

    /// Has this tag; may be given several times
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,

    /// Lacks this tag; may be given several times
    #[arg(long, value_name = "TAG")]
    without_tag: Vec<String>,

    /// Id matches this regular expression, anywhere unless anchored with `^` and `$`
    #[arg(long, value_name = "REGEX")]
    id: Option<Regex>,

    /// Side to move
    #[arg(long, value_enum)]
    side: Option<Side>,

    /// Game phase; if given several times, any of them
    #[arg(long, value_enum)]
    phase: Vec<Phase>,

    /// Number of pieces, kings and pawns included: `32`, `3..7`, `..10`, `20..`
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pieces: Option<Range>,

    /// Whether the side to move is in check
    #[arg(long, value_name = "YES|NO", value_parser = yes_or_no)]
    check: Option<bool>,

    /// Whether the castling rights are possible only in Chess960
    #[arg(long, value_name = "YES|NO", value_parser = yes_or_no)]
    chess960: Option<bool>,

    /// Number of an opcode lies in a range, such as acd=20.. or ce=-50..50; may be given several
    /// times
    #[arg(long, value_name = "OPCODE=RANGE")]
    number: Vec<NumberRange>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Side {
    #[value(alias = "w")]
    White,
    #[value(alias = "b")]
    Black,
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("expected yes or no".to_owned()),
    }
}

impl From<Conditions> for Filter {
    fn from(conditions: Conditions) -> Self {
        Self {
            has: conditions.has,
            without: conditions.without,
            tags: conditions.tag,
            without_tags: conditions.without_tag,
            id: conditions.id,
            side: conditions.side.map(|side| match side {
                Side::White => Color::White,
                Side::Black => Color::Black,
            }),
            phases: conditions.phase,
            pieces: conditions.pieces,
            check: conditions.check,
            chess960: conditions.chess960,
            numbers: conditions.number,
        }
    }
}

pub(super) fn run(args: &FilterArgs) -> anyhow::Result<Exit> {
    output::check_writable(&[args.output.as_deref()])?;
    let Documents { documents, .. } = args.input.read()?;
    let filter = Filter::from(args.conditions.clone());
    let mut document = concat(documents);
    let before = document.items.len();
    document.retain(|item| filter.passes(&item.record) != args.invert);
    let kept = document.items.len();
    let exit = write_document(args.output.as_deref(), &document)?;
    say(&format!("kept {kept} of {}", records(before)));
    Ok(exit)
}
