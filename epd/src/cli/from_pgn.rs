//! `epd from-pgn`.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use chess::notation::pgn::{PgnReader, ReadPgnError};
use kit::{BadInput, Exit, Interrupt, output};

use super::input::{self, records, remark, report, write};
use crate::files::openings::{Choice, Extras, Picker};

/// Extract positions from games: openings at a ply, or quiet positions
///
/// A position is quiet if the side to move is not in check, the last move was neither a capture nor
/// a promotion, and the side to move has no promotion and no capture that wins material by static
/// exchange: each side recaptures on the target square with its least valuable piece and stops when
/// it does not pay.
///
/// Unreadable games are reported on standard error and yield no positions.
///
/// Examples: `epd from-pgn games.pgn --ply 16 --unique -o book.epd`,
/// `epd from-pgn *.pgn --quiet-positions --every 8 --result`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 all games were read, 2 bad usage, or unreadable games without --skip-bad, 4 no position."
)]
pub(super) struct FromPgnArgs {
    /// PGN files, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Take the position after this many plies, from each game that continues there
    #[arg(long, value_name = "PLIES", conflicts_with = "quiet_positions")]
    ply: Option<usize>,

    /// Take the quiet positions
    // Before `--quiet` had one meaning in all programs, it meant this; it still does without --ply.
    #[arg(long)]
    quiet_positions: bool,

    /// With --quiet-positions: take only the first of every N quiet positions of a game
    #[arg(long, value_name = "N", default_value = "1", conflicts_with = "ply")]
    every: NonZeroUsize,

    /// With --quiet-positions: first ply to consider
    #[arg(
        long,
        value_name = "PLIES",
        default_value_t = 8,
        conflicts_with = "ply"
    )]
    from_ply: usize,

    /// With --quiet-positions: last ply to consider
    #[arg(long, value_name = "PLIES", default_value_t = usize::MAX, hide_default_value = true, conflicts_with = "ply")]
    to_ply: usize,

    /// Write each position once, even if it occurs in several games
    #[arg(long)]
    unique: bool,

    #[command(flatten)]
    extras: ExtrasArgs,

    /// Skip games that cannot be read, instead of rejecting the whole input
    #[arg(long)]
    skip_bad: bool,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What is written besides the position")]
struct ExtrasArgs {
    /// Add the clocks, as hmvc and fmvn
    #[arg(long)]
    clocks: bool,

    /// Add file, game number and ply, as id
    #[arg(long)]
    id: bool,

    /// Add the result of the game, as c9
    #[arg(long)]
    result: bool,
}

pub(super) fn run(
    args: &FromPgnArgs,
    interrupt: &Interrupt,
    is_quiet: bool,
) -> anyhow::Result<Exit> {
    output::refuse_to_replace(&[args.output.as_deref()], &args.files)?;
    output::check_writable(&[args.output.as_deref()])?;
    let choice = match args.ply {
        Some(ply) => Choice::AtPly(ply),
        None if args.quiet_positions || is_quiet => Choice::Quiet {
            least: args.from_ply,
            most: args.to_ply,
            every: args.every.get(),
        },
        None => {
            let message = "which positions? expected --ply or --quiet-positions";
            return Err(BadInput(message.to_owned()).into());
        }
    };
    let ExtrasArgs { clocks, id, result } = args.extras;
    let mut picker = Picker::new(choice, Extras { clocks, id, result }, args.unique);
    let (mut text, mut games, mut bad, mut count) = (String::new(), 0, 0, 0);
    for file in &args.files {
        let (name, reader) = input::open_one(file)?;
        for (index, game) in PgnReader::new(reader).enumerate() {
            if interrupt.has_come() {
                return Ok(Exit::Interrupted);
            }
            match game {
                Ok(game) => {
                    games += 1;
                    for record in picker.pick(&game, &name, index + 1) {
                        count += 1;
                        writeln!(text, "{record}")?;
                    }
                }
                Err(ReadPgnError::Game(error)) => {
                    bad += 1;
                    let (line, column) = (error.place.line, error.place.column);
                    report(&format!("{name}:{line}:{column}: error: {}", error.reason));
                }
                Err(ReadPgnError::Io(error)) => {
                    return Err(BadInput(format!("cannot read {name}: {error}")).into());
                }
            }
        }
    }
    let (found, repeated) = (records(count), picker.repeated);
    let what = format!("{repeated} repeated, {bad} games cannot be read");
    remark(is_quiet, &format!("{found} from {games} games; {what}"));
    if bad > 0 && !args.skip_bad {
        let error = "some games cannot be read, nothing is written; --skip-bad leaves them out";
        return Err(BadInput(error.to_owned()).into());
    }
    if count == 0 {
        return Ok(Exit::Nothing);
    }
    write(args.output.as_deref(), &text)?;
    Ok(Exit::Agreed)
}
