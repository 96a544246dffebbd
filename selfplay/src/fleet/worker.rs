//! A worker that plays pairs for a coordinator: lanes that each play one game at a time, and a
//! pulse that sends their heartbeats.
//!
//! ```text
//! lane:  lease -> play a pair -> send it back -> next pair of the lease -> next lease
//! pulse: heartbeat for every lease held; a stopped job or a lost lease aborts the game
//! ```

mod lane;
mod pulse;
mod setup;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ::fleet::{Broker, BrokerError, Worker};
use kit::Interrupt;
use serde::Serialize;

use super::patient::{ask, chain, now};
use super::program::Places;
use super::words::WordsError;
use crate::player::Patience;
use lane::Lane;
use pulse::Pulse;
pub use setup::SetupError;
use setup::Setups;

/// The configuration of a worker.
pub struct Helper<'a> {
    /// The broker.
    pub broker: &'a dyn Broker,
    /// The unique name of the worker.
    pub name: String,
    /// Number of lanes, that is, of concurrent games.
    pub lanes: usize,
    /// The speed of the machine with this many concurrent games, in perft nodes per second.
    pub speed: std::num::NonZeroU64,
    /// Where to look for programs.
    pub places: Places,
    /// Whether each lane is pinned to its own CPUs.
    pub pin: bool,
    /// Whether to play even if the machine is too small.
    pub force: bool,
    /// Exit after this time without work.
    pub idle_exit: Option<Duration>,
    /// The time after which a lease without a heartbeat expires.
    pub visibility: Duration,
    /// Timeouts of the engines.
    pub patience: Patience,
    /// Set when the user interrupts the worker.
    pub interrupt: &'a Interrupt,
    /// Prints notes for the user.
    pub say: &'a (dyn Fn(&str) + Sync),
}

/// The information about a worker that the broker stores.
#[derive(Debug, Serialize)]
struct About<'a> {
    program: &'static str,
    version: &'static str,
    system: &'a str,
    games: usize,
    speed: u64,
}

/// Why a worker cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum HelpError {
    /// The broker fails, or has quarantined the worker.
    #[error("{}", chain(.0))]
    Broker(#[from] BrokerError),
    /// A job cannot be played on this machine.
    #[error("job {job} cannot be played here: {source}")]
    Setup {
        /// The name of the job.
        job: String,
        /// The reason.
        source: Box<SetupError>,
    },
    /// A unit of a job cannot be parsed.
    #[error("job {job} cannot be played: {source}")]
    Words {
        /// The name of the job.
        job: String,
        /// The reason.
        source: WordsError,
    },
    /// A game cannot be played.
    #[error("job {job}, pair {pair}: {error}")]
    Game {
        /// The name of the job.
        job: String,
        /// The number of the pair, from 1.
        pair: u64,
        /// The reason.
        error: String,
        /// Whether the configuration is to blame.
        is_configuration: bool,
    },
    /// The operating system fails.
    #[error("{what}: {source}")]
    System {
        /// The operation that failed.
        what: &'static str,
        /// The error of the operating system.
        source: std::io::Error,
    },
}

impl HelpError {
    /// Returns true if the user's input or the job is to blame.
    pub fn is_input(&self) -> bool {
        match self {
            Self::Setup { source, .. } => source.is_input(),
            Self::Game {
                is_configuration, ..
            } => *is_configuration,
            Self::Words { .. } => true,
            Self::Broker(_) | Self::System { .. } => false,
        }
    }
}

/// Shared by all lanes.
struct Shared<'a> {
    helper: &'a Helper<'a>,
    setups: Mutex<Setups>,
    pulse: Pulse,
    /// Set when a lane cannot continue; all others end then.
    failed: AtomicBool,
    /// Number of pairs sent back.
    pairs: AtomicU64,
    /// When there last was work.
    busy: Mutex<Instant>,
}

impl Shared<'_> {
    fn is_over(&self) -> bool {
        self.helper.interrupt.has_come() || self.failed.load(Ordering::Relaxed)
    }
}

/// Plays until the user interrupts, there was no work for too long, or it cannot continue. Returns
/// the number of pairs sent back. By then all engines have exited and all leases have been
/// returned.
///
/// # Errors
///
/// If it cannot continue.
///
/// # Panics
///
/// If a lane panics.
pub fn help(helper: &Helper<'_>) -> Result<u64, HelpError> {
    enlist(helper)?;
    let setups = Setups::new(helper).map_err(|source| HelpError::System {
        what: "the CPUs of this machine cannot be asked for",
        source,
    })?;
    let shared = Shared {
        helper,
        setups: Mutex::new(setups),
        pulse: Pulse::default(),
        failed: AtomicBool::new(false),
        pairs: AtomicU64::new(0),
        busy: Mutex::new(now()),
    };
    let shared = &shared;
    let ended: Vec<Result<(), HelpError>> = std::thread::scope(|scope| {
        let lanes: Vec<_> = (0..helper.lanes)
            .map(|number| scope.spawn(move || Lane::new(number, shared).work()))
            .collect();
        let beating = scope.spawn(|| shared.pulse.beat(shared));
        let ended = lanes
            .into_iter()
            .map(|lane| lane.join().expect("a lane has panicked"));
        let ended = ended.collect();
        shared.pulse.end();
        beating.join().expect("the pulse has panicked");
        ended
    });
    ended.into_iter().collect::<Result<(), _>>()?;
    Ok(shared.pairs.load(Ordering::Relaxed))
}

fn enlist(helper: &Helper<'_>) -> Result<(), HelpError> {
    let about = About {
        program: "selfplay",
        version: env!("CARGO_PKG_VERSION"),
        system: std::env::consts::OS,
        games: helper.lanes,
        speed: helper.speed.get(),
    };
    let worker = Worker {
        name: helper.name.clone(),
        about: serde_json::to_string(&about).expect("it is text and numbers"),
    };
    Ok(ask(helper.interrupt, helper.say, || {
        helper.broker.enlist(&worker)
    })?)
}
