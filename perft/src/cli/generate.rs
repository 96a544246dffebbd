//! `perft generate`.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use chess::perft::MAX_DEPTH;
use chess::rules::Position;
use epd::{Severity, Suite};
use kit::output::{remark, to_stderr};
use kit::{BadInput, Exit, output, read};

use super::{CommandContext, plan_whole};
use crate::suite::check::plan::CountFilter;
use crate::suite::faults::{self, FaultSet, Scope};
use crate::suite::generate::{CountLimits, Heading, choose, measure, sources, write};

/// Make a suite: the fewest nodes that catch the most faults
///
/// Each position is counted with every fault that a generator can have. The command chooses the
/// positions that show all faults that any of them shows, for the fewest nodes: of an example of every known
/// fault, or of those from files. The same command makes the same suite on every machine, with any number of
/// threads.
///
/// Examples: `perft generate --fault '*ep*' -o ep.epd`, `perft generate --from games.pgn --count 50`.
#[derive(Debug, clap::Args)]
pub(super) struct GenerateArgs {
    /// Maximum number of positions
    ///
    /// Maximum number of positions [default: as many as it takes].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    count: Option<u32>,

    /// Maximum depth in plies
    #[arg(long, value_name = "PLIES", default_value_t = 5,
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: u32,

    /// Maximum leaf nodes of one count
    #[arg(long, value_name = "NODES", default_value_t = 20_000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    max_nodes: u64,

    /// Take positions from a suite, or from PGN games
    ///
    /// Take positions from an EPD suite, built in or not, or from games in PGN; may be given several times.
    #[arg(long, value_name = "FILE")]
    from: Vec<PathBuf>,

    /// Number of positions from the games of a file
    ///
    /// Number of positions from the games of a file, drawn at random if it has more.
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = 2_000,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    candidates: u32,

    /// Catch faults that only Chess960 shows, too
    #[arg(long)]
    chess960: bool,

    /// Catch only faults whose names fit this pattern
    ///
    /// Catch only faults whose names fit this pattern, such as '*ep*'; may be given several times.
    #[arg(long, value_name = "PATTERN", value_parser = pattern)]
    fault: Vec<FaultPattern>,

    /// Leave out what this suite catches
    ///
    /// May be given several times.
    #[arg(hide_short_help = true, long, value_name = "SUITE")]
    beyond: Vec<PathBuf>,

    /// Name of the suite and prefix of its ids
    ///
    /// Letters, digits, - and _.
    #[arg(hide_short_help = true, long, value_name = "NAME", default_value = "generated", value_parser = suite_name)]
    name: String,

    /// Write the suite to a file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn generate(args: &GenerateArgs, session: &CommandContext) -> anyhow::Result<Exit> {
    let interrupt = &session.interrupt;
    let mut wanted = args.wanted();
    super::check_outputs(&[args.output.as_deref()], &args.from)?;
    let positions = args.positions(session)?;
    let pool = session.threads.pool()?;
    let limits = CountLimits {
        depth: args.depth,
        max_nodes: args.max_nodes,
    };
    if !args.beyond.is_empty() {
        let filter = CountFilter {
            depth: Some(args.depth),
            max_nodes: Some(args.max_nodes),
            ..CountFilter::default()
        };
        let plan = plan_whole(&args.beyond, &filter)?;
        let known = pool.install(|| faults::caught(&plan, &wanted, interrupt.flag(), || ()));
        for known in known {
            wanted = wanted.without(&known);
        }
    }
    let progress = session.progress(positions.len() as u64, "positions", true);
    let measured = measure(&positions, &wanted, limits, &pool, interrupt, &progress);
    progress.finish();
    let Some(measured) = measured.filter(|_| !interrupt.has_come()) else {
        return Ok(Exit::Interrupted);
    };
    let chosen = choose(
        &measured,
        args.count.map_or(usize::MAX, |most| most as usize),
    );
    if chosen.choices.is_empty() {
        to_stderr(&format!(
            "error: none of the {} positions tried shows a wanted fault within --depth and --max-nodes",
            measured.len()
        ));
        return Ok(Exit::Nothing);
    }
    let heading = Heading {
        name: args.name.clone(),
        command: args.command(),
        wanted: wanted.len(),
    };
    let text = write(&heading, &measured, &chosen);
    match &args.output {
        Some(path) => output::to_file(path, &text)?,
        None => output::to_stdout(&text)?,
    }
    Ok(Exit::Agreed)
}

/// Faults, as they are named on the command line.
#[derive(Clone, Debug)]
struct FaultPattern {
    text: String,
    faults: FaultSet,
}

fn pattern(text: &str) -> Result<FaultPattern, String> {
    Ok(FaultPattern {
        text: text.to_owned(),
        faults: faults::find(text)
            .map_err(|error| format!("{error}; `perft coverage` prints families"))?,
    })
}

fn suite_name(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !text.is_empty() && text.chars().all(is_plain) {
        Ok(text.to_owned())
    } else {
        Err("expected letters, digits, - and _".to_owned())
    }
}

impl GenerateArgs {
    fn scope(&self) -> Scope {
        if self.chess960 {
            Scope::Chess960
        } else {
            Scope::Standard
        }
    }

    /// The faults to catch: those of the patterns, or all that are known to show.
    fn wanted(&self) -> FaultSet {
        if self.fault.is_empty() {
            return faults::bank(self.scope()).clone();
        }
        let mut wanted = FaultSet::default();
        for faults in &self.fault {
            wanted.add(&faults.faults);
        }
        wanted
    }

    /// The candidate positions without duplicates; only some of them after an interrupt.
    fn positions(&self, session: &CommandContext) -> anyhow::Result<Vec<Position>> {
        let mut positions = Vec::new();
        if self.from.is_empty() {
            positions.extend(faults::examples(self.scope()).map(|example| example.position));
        }
        for path in &self.from {
            positions.extend(self.read_file(path, session)?);
        }
        Ok(sources::without_repetitions(positions))
    }

    /// The command line, with every option that affects the suite.
    fn command(&self) -> String {
        let mut text = "perft generate".to_owned();
        let mut option = |name: &str, value: &str| {
            // As for a shell, on every machine: the header is the same everywhere.
            let quote = if value.contains([' ', '*']) { "'" } else { "" };
            write!(text, " --{name} {quote}{value}{quote}").expect("a string can be written to");
        };
        if let Some(count) = self.count {
            option("count", &count.to_string());
        }
        option("depth", &self.depth.to_string());
        option("max-nodes", &self.max_nodes.to_string());
        if !self.from.is_empty() {
            option("candidates", &self.candidates.to_string());
        }
        for path in &self.from {
            option("from", &path.display().to_string());
        }
        for path in &self.beyond {
            option("beyond", &path.display().to_string());
        }
        for pattern in &self.fault {
            option("fault", &pattern.text);
        }
        option("name", &self.name);
        if self.chess960 {
            text += " --chess960";
        }
        text
    }

    /// The positions of a file, or of the built-in suite of this name if there is no such file.
    #[expect(clippy::disallowed_methods, reason = "the edge reads files")]
    fn read_file(&self, path: &Path, session: &CommandContext) -> anyhow::Result<Vec<Position>> {
        let name = path.display().to_string();
        let fail = |error| BadInput(format!("cannot read {name}: {error}"));
        if !path.exists() {
            let bytes = read::all(super::open_suite(path)?, read::DATA).map_err(fail)?;
            return suite_positions(&Suite::parse(&name, &bytes));
        }
        let mut input = BufReader::new(std::fs::File::open(path).map_err(fail)?);
        let is_pgn = match path.extension().and_then(|extension| extension.to_str()) {
            Some(extension) if extension.eq_ignore_ascii_case("pgn") => true,
            Some(extension) if extension.eq_ignore_ascii_case("epd") => false,
            _ => sources::looks_like_pgn(input.fill_buf().map_err(fail)?),
        };
        if !is_pgn {
            let bytes = read::all(input, read::DATA).map_err(fail)?;
            return suite_positions(&Suite::parse(&name, &bytes));
        }
        let size = self.candidates as usize;
        let games = sources::sample_pgn(input, size, session.interrupt.flag()).map_err(fail)?;
        // Faulty games are only warned about: the other games are still useful.
        if let Some(first) = &games.first_error {
            let number = games.faulty_games;
            remark(
                session.quiet,
                &format!("warning: {name}: {number} faulty games skipped, the first at {first}"),
            );
        }
        Ok(games.positions)
    }
}

/// A suite with unreadable lines is rejected as a source.
fn suite_positions(suite: &Suite) -> anyhow::Result<Vec<Position>> {
    let mut diagnostics = suite.diagnostics.iter();
    if let Some(error) = diagnostics.find(|one| one.severity() == Severity::Error) {
        return Err(BadInput(error.display(&suite.name).to_string()).into());
    }
    let records = suite.entries.iter().map(|entry| &entry.record);
    Ok(records.map(|record| *record.position()).collect())
}
