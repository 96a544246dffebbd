//! `perft generate`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use chess::perft::MAX_DEPTH;
use chess::rules::{CastlingMode, Position};
use clap::ValueEnum as _;
use epd::{Severity, Suite};
use kit::{BadInput, Exit, output, read};

use super::{CommandContext, plan_whole, print_line};
use crate::suite::check::plan::CountFilter;
use crate::suite::coverage::{self, SignatureSet};
use crate::suite::generate::sources::{Random, Sample, Source};
use crate::suite::generate::{
    Bank, CountLimits, Goal, Heading, Measured, Target, TargetSet, choose, measure, reach, sources,
    write,
};
use crate::suite::mutants::Mutation;

/// Make a suite: the fewest nodes that catch the most broken generators
///
/// Positions are tried on a bank of deliberately broken move generators, the mutants. The command
/// chooses those that catch the most mutants for the fewest nodes. The same command makes the same
/// suite on every machine, with any number of threads.
///
/// Examples: `perft generate -o my.epd`, `perft generate --source placements --tag ep`,
/// `perft generate --from games.pgn --count 50 --cover 2`.
#[derive(Debug, clap::Args)]
pub(super) struct GenerateArgs {
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 64)]
    seed: u64,

    /// Maximum number of positions
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    count: u32,

    /// Positions that should catch each mutant
    ///
    /// Number of positions that should catch each mutant, broken for White alone and for Black alone
    /// [default: as many as --count allows].
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    cover: Option<u32>,

    /// Maximum depth in plies
    #[arg(long, value_name = "PLIES", default_value_t = 4,
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: u32,

    /// Maximum leaf nodes of one count
    #[arg(long, value_name = "NODES", default_value_t = 5_000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    max_nodes: u64,

    /// Number of candidate positions
    ///
    /// This many random ones, and this many from the files.
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = 2_000,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    candidates: u32,

    /// Source of random positions
    ///
    /// May be given several times [default: play, or none with --from].
    #[arg(long, value_enum, value_name = "SOURCE")]
    source: Vec<Source>,

    /// Take positions from a suite, or from PGN games
    ///
    /// Take positions from an EPD suite, built in or not, or from games in PGN; may be given several
    /// times.
    #[arg(long, value_name = "FILE")]
    from: Vec<PathBuf>,

    /// Make half of the random positions Chess960
    ///
    /// Positions.
    #[arg(long)]
    chess960: bool,

    /// Target only mutants with this name or tag
    ///
    /// May be given several times.
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,

    /// Also reach every signature of the candidates
    ///
    /// Also reach every signature that a candidate reaches (see `perft coverage`), with as many
    /// positions as needed.
    #[arg(hide_short_help = true, long, conflicts_with_all = ["count", "cover"])]
    signatures: bool,

    /// Leave out what this suite reaches and catches
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
    let mut wanted = Wanted {
        targets: args.targets()?,
        signatures: args.signatures(),
    };
    super::check_outputs(&[args.output.as_deref()], &args.from)?;
    let positions = args.positions(session)?;
    let pool = session.threads.pool()?;
    let limits = CountLimits {
        depth: args.depth,
        max_nodes: args.max_nodes,
    };
    let measure = |positions: &[Position], wanted: &Wanted| {
        let bank = Bank::new(&wanted.targets, wanted.signatures.clone());
        let progress = session.progress(positions.len() as u64, "positions", true);
        let measured = measure(positions, &bank, limits, &pool, interrupt, &progress);
        progress.finish();
        measured.filter(|_| !interrupt.has_come())
    };
    if !args.beyond.is_empty() {
        let known = args.known_positions()?;
        let (positions, depths): (Vec<Position>, Vec<u32>) = known.into_iter().unzip();
        let Some(known) = measure(&positions, &wanted) else {
            return Ok(Exit::Interrupted);
        };
        wanted.leave_out(&known, &depths);
    }
    let targets = wanted.targets;
    let measured = measure(&positions, &wanted);
    let Some(measured) = measured else {
        return Ok(Exit::Interrupted);
    };
    let Some(text) = args.suite(targets, &measured) else {
        print_line(&format!(
            "error: none of the {} positions tried catches a wanted mutant or reaches a wanted signature \
             within --depth and --max-nodes",
            measured.len()
        ));
        return Ok(Exit::Nothing);
    };
    match &args.output {
        Some(path) => output::to_file(path, &text)?,
        None => output::to_stdout(&text)?,
    }
    Ok(Exit::Agreed)
}

/// What the suite is to catch and to reach.
struct Wanted {
    targets: TargetSet,
    signatures: SignatureSet,
}

impl Wanted {
    /// Takes away what positions catch and reach up to these depths.
    fn leave_out(&mut self, known: &[Measured], depths: &[u32]) {
        for (one, &depth) in known.iter().zip(depths) {
            let Some(level) = one.levels.iter().take(depth as usize).next_back() else {
                continue;
            };
            self.targets = self.targets.without(&level.caught);
            for &signature in &level.reached {
                self.signatures.remove(signature);
            }
        }
    }
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
    /// The selected mutations, each for both sides.
    fn targets(&self) -> anyhow::Result<TargetSet> {
        let fits = |mutation: Mutation, wanted: &str| {
            mutation.name() == wanted || mutation.tags().contains(&wanted)
        };
        let is_known = |wanted: &str| Mutation::ALL.into_iter().any(|one| fits(one, wanted));
        if let Some(unknown) = self.tag.iter().find(|wanted| !is_known(wanted)) {
            let tags: BTreeSet<&str> = Mutation::ALL
                .iter()
                .flat_map(|one| one.tags())
                .copied()
                .collect();
            let tags: Vec<&str> = tags.into_iter().collect();
            let message = format!(
                "no mutant is called '{unknown}' or has it as a tag; the tags are {}",
                tags.join(", ")
            );
            return Err(BadInput(message).into());
        }
        let is_target = |&one: &Mutation| {
            self.tag.is_empty() || self.tag.iter().any(|wanted| fits(one, wanted))
        };
        let mutations = Mutation::ALL.into_iter().filter(is_target);
        Ok(mutations.flat_map(Target::both).collect())
    }

    fn signatures(&self) -> SignatureSet {
        match (self.signatures, self.chess960) {
            (false, _) => SignatureSet::default(),
            (true, false) => coverage::possible(CastlingMode::Standard).clone(),
            (true, true) => coverage::possible(CastlingMode::Chess960).clone(),
        }
    }

    /// The positions of the suites that are known, with the depth of the last count of each.
    fn known_positions(&self) -> anyhow::Result<Vec<(Position, u32)>> {
        let filter = CountFilter {
            depth: Some(self.depth),
            max_nodes: Some(self.max_nodes),
            ..CountFilter::default()
        };
        let mut plan = plan_whole(&self.beyond, &filter)?;
        plan.keep_deepest();
        let counts = plan.counts();
        Ok(counts
            .map(|one| (one.record.position(), one.depth))
            .collect())
    }

    /// The candidate positions without duplicates; only some of them after an interrupt.
    fn positions(&self, session: &CommandContext) -> anyhow::Result<Vec<Position>> {
        let mut sample = Sample::new(self.candidates as usize, self.seed);
        for path in &self.from {
            show_file(path, &mut sample, session)?;
        }
        let mut positions = sample.into_positions();
        let sources = self.sources();
        if !sources.is_empty() {
            let random = Random {
                sources,
                chess960: self.chess960,
                seed: self.seed,
            };
            let wanted = (0..self.candidates).take_while(|_| !session.interrupt.has_come());
            positions.extend(wanted.map(|index| random.position(index)));
        }
        Ok(sources::without_repetitions(positions))
    }

    fn sources(&self) -> Vec<Source> {
        if self.source.is_empty() && self.from.is_empty() {
            vec![Source::Play]
        } else {
            self.source.clone()
        }
    }

    /// The text of the suite; `None` if there is nothing to choose.
    fn suite(&self, targets: TargetSet, measured: &[Measured]) -> Option<String> {
        let (choices, reach) = if self.signatures {
            let reach = reach(measured, &targets);
            (reach.choices.clone(), Some(reach))
        } else {
            let goal = Goal {
                targets,
                count: self.count as usize,
                cover: self.cover.unwrap_or(u32::MAX),
            };
            (choose(measured, &goal), None)
        };
        let heading = Heading {
            name: self.name.clone(),
            command: self.command(),
            targets,
            reach,
        };
        (!choices.is_empty()).then(|| write(&heading, measured, &choices))
    }

    /// The command line, with every option that affects the suite.
    fn command(&self) -> String {
        let mut text = format!("perft generate --seed {}", self.seed);
        let mut option = |name: &str, value: &str| {
            let quote = if value.contains(' ') { "'" } else { "" };
            write!(text, " --{name} {quote}{value}{quote}").expect("a string can be written to");
        };
        if !self.signatures {
            option("count", &self.count.to_string());
        }
        if let Some(cover) = self.cover {
            option("cover", &cover.to_string());
        }
        option("depth", &self.depth.to_string());
        option("max-nodes", &self.max_nodes.to_string());
        option("candidates", &self.candidates.to_string());
        for source in self.sources() {
            let value = source.to_possible_value().expect("no source is hidden");
            option("source", value.get_name());
        }
        for path in &self.from {
            option("from", &path.display().to_string());
        }
        for path in &self.beyond {
            option("beyond", &path.display().to_string());
        }
        for tag in &self.tag {
            option("tag", tag);
        }
        option("name", &self.name);
        for (is_set, name) in [
            (self.signatures, " --signatures"),
            (self.chess960, " --chess960"),
        ] {
            text += if is_set { name } else { "" };
        }
        text
    }
}

/// Adds all positions of a file, or of the built-in suite of this name if there is no such file, to
/// the sample.
#[expect(clippy::disallowed_methods, reason = "the edge reads files")]
fn show_file(path: &Path, sample: &mut Sample, session: &CommandContext) -> anyhow::Result<()> {
    let name = path.display().to_string();
    let fail = |error| BadInput(format!("cannot read {name}: {error}"));
    if !path.exists() {
        let bytes = read::all(super::open_suite(path)?, read::DATA).map_err(fail)?;
        return show_suite(&Suite::parse(&name, &bytes), sample);
    }
    let mut input = BufReader::new(std::fs::File::open(path).map_err(fail)?);
    let is_pgn = match path.extension().and_then(|extension| extension.to_str()) {
        Some(extension) if extension.eq_ignore_ascii_case("pgn") => true,
        Some(extension) if extension.eq_ignore_ascii_case("epd") => false,
        _ => sources::looks_like_pgn(input.fill_buf().map_err(fail)?),
    };
    if is_pgn {
        let faults = sources::read_pgn(input, sample, session.interrupt.flag()).map_err(fail)?;
        // Faulty games are only warned about: the other games are still useful.
        if let Some(first) = &faults.first {
            let games = faults.games;
            session.remark(&format!(
                "warning: {name}: {games} faulty games skipped, the first at {first}"
            ));
        }
        return Ok(());
    }
    let bytes = read::all(input, read::DATA).map_err(fail)?;
    show_suite(&Suite::parse(&name, &bytes), sample)
}

/// A suite with unreadable lines is rejected as a source.
fn show_suite(suite: &Suite, sample: &mut Sample) -> anyhow::Result<()> {
    let mut diagnostics = suite.diagnostics.iter();
    if let Some(error) = diagnostics.find(|one| one.severity() == Severity::Error) {
        return Err(BadInput(error.display(&suite.name).to_string()).into());
    }
    sources::read_epd(suite, sample);
    Ok(())
}
