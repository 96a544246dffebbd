//! `epd from-pgn`.

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use chess::notation::pgn::{PgnReader, ReadPgnError};
use kit::output::{remark, to_stderr};
use kit::{BadInput, DraftFile, Exit, Interrupt, output};

use super::input::{StreamedFile, cannot_read};
use super::records::records;
use crate::files::filter::FilterRange;
use crate::files::openings::{Extras, Picker, PositionChoice};

/// Extract positions from games: openings at a ply, or quiet positions
///
/// Without --ply, quiet positions are taken. A position is quiet if the side to move is not in check, the last move was neither a capture nor
/// a promotion, and the side to move has no promotion and no capture that wins material by static
/// exchange: each side recaptures on the target square with its least valuable piece and stops when
/// it does not pay.
///
/// Unreadable games are reported on standard error and yield no positions.
///
/// Examples: `epd from-pgn games.pgn --ply 16 | epd dedupe - -o book.epd`,
/// `epd from-pgn *.pgn --every 8 --add result`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 all games were read, 2 bad usage, or unreadable games without --skip-bad, 4 no position."
)]
pub(super) struct FromPgnArgs {
    /// PGN files, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Take the position after this many plies
    ///
    /// Of each game with so many plies, also of one that ends there; not if it has no legal move.
    #[arg(long, value_name = "PLIES")]
    ply: Option<usize>,

    /// Take the first of every N quiet positions
    ///
    /// Of each game.
    #[arg(long, value_name = "N", default_value = "1", conflicts_with = "ply")]
    every: NonZeroUsize,

    /// Plies of quiet positions, such as 8..60
    ///
    /// First and last ply to consider.
    #[arg(
        long,
        value_name = "RANGE",
        default_value = "8..",
        conflicts_with = "ply"
    )]
    plies: FilterRange,

    /// Operations to add: clocks, id, result
    ///
    /// Separated by commas. Example: `--add id,result`.
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    add: Vec<ExtraFields>,

    /// Set from --skip-bad, an option of every command.
    #[arg(skip)]
    pub(super) skip_bad: bool,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What is written besides the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ExtraFields {
    /// The clocks, as hmvc and fmvn
    Clocks,
    /// File, game number and ply, as id
    Id,
    /// The result of the game, as c9
    Result,
}

pub(super) fn run(
    args: &FromPgnArgs,
    interrupt: &Interrupt,
    is_quiet: bool,
) -> anyhow::Result<Exit> {
    output::refuse_to_replace(&[args.output.as_deref()], &args.files)?;
    output::check_writable(&[args.output.as_deref()])?;
    let choice = match args.ply {
        Some(ply) => PositionChoice::AtPly(ply),
        None => PositionChoice::Quiet {
            least: args.plies.first(),
            most: args.plies.last(),
            every: args.every.get(),
        },
    };
    let extras = Extras {
        clocks: args.add.contains(&ExtraFields::Clocks),
        id: args.add.contains(&ExtraFields::Id),
        result: args.add.contains(&ExtraFields::Result),
    };
    let picker = Picker::new(choice, extras);
    let mut draft = DraftFile::new(args.output.as_deref())?;
    let mut read = ImportCounts::default();
    for path in &args.files {
        if !read.file(path, &picker, &mut draft, interrupt)? {
            return Ok(Exit::Interrupted);
        }
    }
    let ImportCounts { games, bad, count } = read;
    let found = records(count);
    let what = format!("{bad} games cannot be read");
    remark(is_quiet, &format!("{found} from {games} games; {what}"));
    if bad > 0 && !args.skip_bad {
        let error = "some games cannot be read, nothing is written; --skip-bad leaves them out";
        return Err(BadInput(error.to_owned()).into());
    }
    if count == 0 {
        return Ok(Exit::Nothing);
    }
    draft.commit()?;
    Ok(Exit::Agreed)
}

/// Number of games and records.
#[derive(Default)]
struct ImportCounts {
    games: usize,
    bad: usize,
    count: usize,
}

impl ImportCounts {
    /// Reads the games of a file; `false` if Ctrl-C ended that.
    fn file(
        &mut self,
        path: &Path,
        picker: &Picker,
        draft: &mut DraftFile,
        interrupt: &Interrupt,
    ) -> anyhow::Result<bool> {
        let StreamedFile { name, text, .. } = StreamedFile::open(path)?;
        let mut is_whole = true;
        for (game, number) in PgnReader::new(text).zip(1..) {
            if interrupt.has_come() {
                return Ok(false);
            }
            match game {
                Ok(game) => {
                    is_whole = game.result.is_some();
                    self.games += 1;
                    for record in picker.pick(&game, &name, number) {
                        self.count += 1;
                        writeln!(draft, "{record}")?;
                    }
                }
                Err(ReadPgnError::Game(error)) => {
                    self.bad += 1;
                    let (line, column) = (error.place.line, error.place.column);
                    to_stderr(&format!("{name}:{line}:{column}: error: {}", error.reason));
                }
                Err(ReadPgnError::Io(error)) => return Err(cannot_read(&name, &error).into()),
            }
        }
        if !is_whole {
            to_stderr(&format!(
                "{name}: warning: the last game has no result behind its moves: the file may have been cut off"
            ));
        }
        Ok(true)
    }
}
