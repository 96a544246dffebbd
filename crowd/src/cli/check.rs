//! `crowd check`.

use std::path::{Path, PathBuf};

use kit::{BadInput, Exit};

use super::input;
use crate::verify::{check_human, check_json, compare, read_list, read_position};

/// Compare a written list of moves with the legal moves of a position
///
/// FEN.txt has one FEN, with or without counters, optionally in round brackets. MOVES.txt has moves
/// of four characters as in the thesis (rows and columns from a8: `6444` is e2e4, `PQ34` promotes,
/// `7476` castles), or in UCI notation (`e2e4`, `e7e8q`), separated by white space, commas or
/// semicolons.
///
/// Example: `crowd check FEN.txt MOVES.txt`.
///
/// Exit codes: 0 the list is correct and complete, 1 it is not, 2 an item or file cannot be read.
#[derive(Debug, clap::Args)]
pub(super) struct CheckArgs {
    /// File with the position; `-` is standard input
    #[arg(value_name = "FEN.txt")]
    fen: PathBuf,

    /// File with the list of moves; `-` is standard input
    #[arg(value_name = "MOVES.txt")]
    moves: PathBuf,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// Report format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// Text for people
    Human,
    /// JSON
    Json,
}

pub(super) fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    let stdin = Path::new("-");
    if args.fen == stdin && args.moves == stdin {
        let message = "position and list cannot both be standard input";
        return Err(BadInput(message.to_owned()).into());
    }
    let position = read_position(&input::read_text(&args.fen)?)
        .map_err(|error| BadInput(format!("{}: {error}", input::name(&args.fen))))?;
    let items = read_list(&input::read_text(&args.moves)?, position.side_to_move());
    let listed = compare(&position, items);
    kit::output::to_stdout(match args.format {
        Format::Human => check_human(&listed),
        Format::Json => check_json(&listed),
    })?;
    Ok(if !listed.unreadable.is_empty() {
        Exit::BadInput
    } else if listed.agrees() {
        Exit::Agreed
    } else {
        Exit::Differs
    })
}
