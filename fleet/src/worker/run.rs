//! `fleet worker URL`.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use kit::values::{mebibytes, time, time_or_zero};
use kit::{BadInput, Exit, Interrupt};
use perft::task::CountTask;
use queue::program::Folder;
use queue::wire::{Abilities, Register, Registered};
use queue::work::{Task, Timing, WorkerLoop};
use queue::{AskError, LabClient, RetryPolicy, Worker};
use selfplay::fleet::task::{PairSettings, PairTask};
use selfplay::player::EngineTimeouts;
use serde::Serialize;
use trainer::distributed::GamesTask;

use super::builds::{BuildSettings, Builds};
use super::machine;
use super::programs::Engines;
use super::sandbox::Sandbox;
use super::speed::wait_for_quiet;
use super::step::StepLimits;
use crate::model::{BUILDS, TIMED};
use crate::service;

/// Polling interval of an idle worker.
const POLL: Duration = Duration::from_secs(2);
/// The largest token file, in bytes.
const LARGEST_TOKEN: u64 = 4096;
/// The largest table of perft, in MiB, and its share of the memory.
const LARGEST_TABLE: u64 = 1024;
// Both are those of `perft` without `--hash`.
const TABLE_SHARE: u64 = 4;

/// Work for a lab: build engines, play games, search positions, count
///
/// The token, which the lab's pages print once, is read from the environment variable `FLEET_TOKEN`
/// or from --token-file. Runs until Ctrl-C or SIGTERM, then gives back what is not finished.
///
/// Engines are built from commits of the lab's approved repositories, in a sandbox made by
/// `bubblewrap`, or by the kernel's Landlock where that cannot work: no network, an empty home, a
/// read-only system. Without a sandbox, nothing is built, unless --unsandboxed is given.
///
/// Example: `fleet worker https://lab.example --token-file token --cores 8`.
#[derive(Clone, Debug, clap::Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
#[command(
    after_help = "Exit codes: 0 ended after --idle-exit, 2 invalid usage or input, or the token is not \
                  accepted, 3 the server or the environment failed, or the worker is quarantined, 4 nothing was \
                  done before --idle-exit, 130 interrupted."
)]
pub struct WorkerArgs {
    /// Address of the lab, such as `https://lab.example`
    #[arg(value_name = "URL", env = "FLEET_URL")]
    url: String,

    /// File with the token of this worker
    ///
    /// Without it, the environment variable `FLEET_TOKEN` is the token.
    #[arg(long, value_name = "FILE", env = "FLEET_TOKEN_FILE")]
    token_file: Option<PathBuf>,

    /// Number of CPU cores to use [default: all]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    cores: Option<u16>,

    /// Memory to use, such as 16GB [default: free]
    ///
    /// Memory to use, in MiB or such as 16GB [default: what is free at the start].
    #[arg(long, value_name = "SIZE", value_parser = mebibytes)]
    memory: Option<u64>,

    /// Folder of sources and builds
    ///
    /// No other worker may use it [default: touchstone/worker in the user's cache].
    #[arg(long, value_name = "DIR", env = "FLEET_CACHE")]
    cache: Option<PathBuf>,

    /// Folder of engine programs, known by SHA-256
    ///
    /// Folder of engine programs that jobs may name by their SHA-256.
    #[arg(long, value_name = "DIR")]
    engines: Option<PathBuf>,

    /// Folder of Syzygy tablebases; may be repeated
    #[arg(long, value_name = "DIR")]
    syzygy: Vec<PathBuf>,

    /// Another folder that builds and engines may read
    ///
    /// Such as that of a tool chain; may be repeated.
    #[arg(long, value_name = "DIR")]
    readable: Vec<PathBuf>,

    /// Host in this network that builds may fetch from
    ///
    /// Such as a mirror of crates.io. Builds fetch from the internet and from the host of their repository, and reach no
    /// other host in the networks of this machine. May be repeated.
    #[arg(hide_short_help = true, long, value_name = "HOST", value_parser = super::proxy::host)]
    fetch_from: Vec<String>,

    /// Build and run engines without a sandbox
    ///
    /// Anyone who can commit to an approved repository can then do on this machine what you can.
    #[arg(long)]
    unsandboxed: bool,

    /// Work as root, whose files the kernel protects less
    ///
    /// Work as root, although a sandbox keeps less from root: what the kernel asks of a file's owner only, root may.
    #[arg(hide_short_help = true, long)]
    as_root: bool,

    /// Exit after this much idle time [default: never]
    ///
    /// Such as 10m [default: never].
    #[arg(long, value_name = "TIME", value_parser = time_or_zero)]
    idle_exit: Option<Duration>,

    /// Silence after which others take over its work
    ///
    /// Time of silence after which other workers may take over its work, from 2s to 1h.
    #[arg(hide_short_help = true, long, value_name = "TIME", default_value = "60s", value_parser = lease)]
    lease: Duration,

    /// Time to keep retrying an unreachable server
    ///
    /// Time to keep retrying when the server becomes unreachable.
    #[arg(hide_short_help = true, long, value_name = "TIME", default_value = "1h", value_parser = time_or_zero)]
    patience: Duration,

    /// Perft nodes per second and core [default: found]
    ///
    /// Speed of this machine, in perft nodes per second and core [default: measured at the start].
    #[arg(hide_short_help = true, long, value_name = "NPS")]
    speed: Option<NonZeroU64>,

    /// Pin each game to its own CPUs (Linux)
    ///
    /// Pin each game to its own CPUs, one per core first, then hyperthread siblings (Linux)
    #[arg(hide_short_help = true, long)]
    pin: bool,

    /// Play even if memory or CPUs are too few
    #[arg(hide_short_help = true, long)]
    force: bool,
}

/// Size of the builds that are kept, in bytes: those not used for the longest time are deleted first.
const CACHE_SIZE: u64 = 10 << 30;
/// Time to wait for other programs to end before the speed is measured.
const QUIET_WAIT: Duration = Duration::from_mins(2);

fn lease(text: &str) -> Result<Duration, String> {
    let time = time(text)?;
    if (Duration::from_secs(2)..=Duration::from_hours(1)).contains(&time) {
        Ok(time)
    } else {
        Err("expected a time from 2s to 1h".to_owned())
    }
}

/// What is shown of a worker to people.
#[derive(Serialize)]
struct About {
    program: &'static str,
    version: &'static str,
    system: String,
    cpu: Option<String>,
    cores: usize,
    memory_mib: u64,
    /// How builds are confined.
    sandbox: String,
}

/// Works until it is idle for too long or an interrupt comes.
///
/// # Errors
/// The options are invalid, the server rejects the worker or cannot be reached for too long, or the
/// machine lacks what every worker needs.
pub fn run(args: &WorkerArgs, is_quiet: bool) -> anyhow::Result<Exit> {
    #[cfg(unix)]
    refuse_root(args)?;
    #[cfg(unix)]
    // It replaces the process, so that nothing may be running or held yet.
    forget_token(args)?;
    let interrupt = Interrupt::listen()?;
    let remark = |text: &str| {
        if !is_quiet {
            print_line(text);
        }
    };
    let retry = RetryPolicy {
        most: args.patience,
        interrupt: &interrupt,
        report: &remark,
    };
    match work(args, retry) {
        Err(error) if matches!(error.downcast_ref(), Some(AskError::Interrupted)) => {
            Ok(Exit::Interrupted)
        }
        Err(error) => Err(explain(error)),
        ended => ended,
    }
}

fn work(args: &WorkerArgs, retry: RetryPolicy<'_>) -> anyhow::Result<Exit> {
    let cores = args.cores.map_or_else(machine::cores, usize::from);
    let memory = args.memory.or_else(machine::free_mebibytes);
    let client = queue::connect(&args.url, &token(args)?)?;
    if let Some(warning) = client.warning() {
        (retry.report)(&warning);
    }
    check_folders(args)?;
    let mut readable = args.syzygy.clone();
    readable.extend(args.engines.clone());
    let (sandbox, builds) = open_builds(args, memory)?;
    if let Err(reason) = &builds {
        (retry.report)(&format!("note: engines are not built here: {reason}"));
    }
    let confined = sandbox.name();
    let speed = match args.speed {
        Some(speed) => Some(speed),
        None => wait_for_quiet(cores, QUIET_WAIT, retry)?,
    };
    let about = About {
        program: "fleet",
        version: env!("CARGO_PKG_VERSION"),
        system: machine::system(),
        cpu: machine::processor(),
        cores,
        memory_mib: memory.unwrap_or(0),
        sandbox: confined.to_owned(),
    };
    let about = serde_json::to_string(&about)?;
    let abilities = abilities(
        args,
        cores,
        memory,
        speed,
        builds.is_ok().then_some(&sandbox),
    );
    let client = client.with_abilities(abilities.clone());
    let name = register(&client, &about, abilities, retry)?;
    let speed_text = speed.map_or_else(|| "unknown".to_owned(), |speed| speed.to_string());
    (retry.report)(&format!(
        "worker {name}: {cores} cores, perft nodes a second in each: {speed_text}, sandbox: {confined}"
    ));
    let engines = Engines {
        folder: Folder::new(args.engines.clone()),
        sandbox,
        readable,
        builds,
        report: retry.report,
    };
    // Systems without `/proc/meminfo` do not report their free memory: the table is small there.
    let table = memory.map_or(256, |memory| (memory / TABLE_SHARE).min(LARGEST_TABLE));
    let counts = CountTask::new(None, usize::try_from(table).unwrap_or(0))?;
    let pairs = PairTask::new(PairSettings {
        name: name.clone(),
        programs: &engines,
        cores,
        speed,
        syzygy: args.syzygy.clone(),
        memory: memory.map(|mebibytes| mebibytes << 20),
        pin: args.pin,
        force: args.force,
        patience: EngineTimeouts::default(),
        report: retry.report,
    });
    let pairs = pairs.context("games cannot be pinned")?;
    let searches = epd::task::SearchTask::new(&engines);
    let training_games = GamesTask::default();
    let tasks: [&dyn Task; 4] = [&counts, &pairs, &searches, &training_games];
    let workplace = WorkerLoop {
        broker: &client,
        worker: &Worker { name, about },
        tasks: &tasks,
        lanes: cores,
        pace: Timing {
            visibility: args.lease,
            poll: POLL,
            idle_exit: args.idle_exit,
        },
        retry,
    };
    // A unit counts as started only now that the server has accepted the token and knows the speed.
    service::ready();
    let shift = workplace.run()?;
    service::stopping();
    (retry.report)(&format!(
        "done: chunks {}, results {}, given back as impossible {}",
        shift.chunks, shift.results, shift.unable
    ));
    Ok(match shift.results {
        _ if shift.interrupted => Exit::Interrupted,
        0 => Exit::Nothing,
        _ => Exit::Agreed,
    })
}

/// Registers, and returns the name that belongs to the token.
fn register(
    client: &LabClient,
    about: &str,
    abilities: Abilities,
    retry: RetryPolicy<'_>,
) -> Result<String, AskError> {
    let register = Register {
        about: about.to_owned(),
        abilities,
    };
    let ask = || client.post::<Registered>("/api/1/worker/register", &register);
    Ok(retry.ask(ask)?.name)
}

/// Builds and engines are strangers' programs.
#[cfg(unix)]
fn refuse_root(args: &WorkerArgs) -> Result<(), BadInput> {
    if args.as_root || !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    Err(BadInput(
        "a worker does not run as root, as it builds and runs strangers' programs: start it as a user, such as by \
         'runuser -u USER -- fleet worker …', or with --as-root"
            .to_owned(),
    ))
}

/// Becomes this program anew without the token among its variables, which other processes of the user can read: the
/// token goes through a pipe.
#[cfg(unix)]
#[expect(
    clippy::disallowed_methods,
    reason = "the edge reads the environment and starts this program"
)]
fn forget_token(args: &WorkerArgs) -> anyhow::Result<()> {
    use std::os::fd::AsRawFd as _;
    use std::os::unix::process::CommandExt as _;

    let Some(token) = std::env::var_os("FLEET_TOKEN").filter(|_| args.token_file.is_none()) else {
        return Ok(());
    };
    let mut words = std::env::args_os();
    words.next();
    let (reader, mut writer) = std::io::pipe().context("no pipe")?;
    // Nobody reads yet: writing more than a pipe holds (65,536 bytes, `pipe(7)`) would never return.
    let token = std::io::Read::take(token.as_encoded_bytes(), LARGEST_TOKEN);
    std::io::copy(&mut { token }, &mut writer).context("no pipe")?;
    drop(writer);
    // The standard library marks pipes as closed on exec; this end must survive it.
    rustix::io::fcntl_setfd(&reader, rustix::io::FdFlags::empty()).context("no pipe")?;
    let error = std::process::Command::new(std::env::current_exe()?)
        .args(words)
        .env_remove("FLEET_TOKEN")
        .env(
            "FLEET_TOKEN_FILE",
            format!("/dev/fd/{}", reader.as_raw_fd()),
        )
        .exec();
    Err(anyhow::Error::new(error).context("this program cannot be started anew"))
}

#[expect(clippy::disallowed_methods, reason = "the edge reads the environment")]
fn token(args: &WorkerArgs) -> anyhow::Result<String> {
    let Some(path) = &args.token_file else {
        return Ok(std::env::var("FLEET_TOKEN").unwrap_or_default());
    };
    let text = kit::read::text(path, LARGEST_TOKEN);
    let text =
        text.map_err(|error| BadInput(format!("--token-file: {}: {error}", path.display())))?;
    Ok(text.trim().to_owned())
}

fn check_folders(args: &WorkerArgs) -> Result<(), BadInput> {
    let engines = args.engines.iter().map(|path| ("--engines", path));
    let syzygy = args.syzygy.iter().map(|path| ("--syzygy", path));
    let readable = args.readable.iter().map(|path| ("--readable", path));
    let mut all = engines.chain(syzygy).chain(readable);
    match all.find(|(_, path)| !path.is_dir()) {
        Some((option, path)) => {
            let path = path.display();
            Err(BadInput(format!("{option}: {path} is not a directory")))
        }
        None => Ok(()),
    }
}

/// What confines engines, and what builds them, or why nothing does.
fn open_builds(
    args: &WorkerArgs,
    memory: Option<u64>,
) -> anyhow::Result<(Sandbox, Result<Builds, String>)> {
    let absolute = |path: &PathBuf| std::path::absolute(path);
    let readable: Vec<PathBuf> = args
        .readable
        .iter()
        .map(absolute)
        .collect::<Result<_, _>>()?;
    let sandbox = if args.unsandboxed {
        Sandbox::none(readable)
    } else {
        match Sandbox::find(readable.clone()) {
            Ok(sandbox) => sandbox,
            Err(error) => {
                let reason = format!("{error}; expected one of them, or --unsandboxed");
                // Only the owner's programs of `--engines` run then; nothing of strangers is built.
                return Ok((Sandbox::none(readable), Err(reason)));
            }
        }
    };
    let cache = match &args.cache {
        Some(path) => path.clone(),
        None => selfplay::config::revision::default_cache()
            .map_err(|error| BadInput(error.to_string()))?
            .join("worker"),
    };
    let mut limits = StepLimits::default();
    let memory = memory.map(|mebibytes| mebibytes << 20);
    limits.memory = memory.unwrap_or(limits.memory);
    let sandbox = sandbox.with_memory(memory);
    let builds = Builds::open(BuildSettings {
        cache: std::path::absolute(&cache)?,
        most: CACHE_SIZE,
        sandbox: sandbox.clone(),
        limits,
        fetch_from: args.fetch_from.clone(),
        local: false,
    });
    let builds = builds.map_err(|error| BadInput(format!("--cache: {error}")))?;
    Ok((sandbox, Ok(builds)))
}

fn abilities(
    args: &WorkerArgs,
    cores: usize,
    memory: Option<u64>,
    speed: Option<NonZeroU64>,
    builds: Option<&Sandbox>,
) -> Abilities {
    let mut has = machine::instructions();
    has.extend(machine::tablebases(&args.syzygy));
    if let Some(sandbox) = builds {
        has.push(BUILDS.to_owned());
        has.extend(sandbox.ability().map(str::to_owned));
        has.extend(machine::tools());
    }
    if speed.is_some() {
        has.push(TIMED.to_owned());
    }
    Abilities {
        cores: u32::try_from(cores).unwrap_or(u32::MAX),
        memory_mib: memory.unwrap_or(0),
        has,
        speed: speed.map_or(0, NonZeroU64::get),
        version: concat!("fleet ", env!("CARGO_PKG_VERSION")).to_owned(),
        system: machine::system(),
    }
}

/// Chooses the exit code: invalid requests and failures differ.
fn explain(error: anyhow::Error) -> anyhow::Error {
    match error.downcast::<AskError>() {
        Ok(AskError::Broker(error)) => error.into(),
        Ok(error) => error.into(),
        Err(error) => error,
    }
}

fn print_line(text: &str) {
    use std::io::Write as _;
    // Standard error may be closed; the work goes on all the same.
    let _ = writeln!(std::io::stderr(), "{text}");
}
