//! One who plays pairs for others: lanes that each play one game at a time, and a pulse that says that
//! they are alive.
//!
//! ```text
//! lane:  lease -> play a pair -> send it back -> next pair of the lease -> next lease
//! pulse: heartbeat for every lease that is held; a job that was stopped or a lease that is lost
//!        breaks the game off
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

/// Who plays, and how.
pub struct Helper<'a> {
    /// Where work is.
    pub broker: &'a dyn Broker,
    /// Its name among all workers.
    pub name: String,
    /// Games at once.
    pub lanes: usize,
    /// The speed of the machine with so many games at once, in nodes of perft a second.
    pub speed: std::num::NonZeroU64,
    /// Where programs are.
    pub places: Places,
    /// Whether each lane has CPUs of its own.
    pub pin: bool,
    /// Whether it plays on a machine that is too small.
    pub force: bool,
    /// It ends when there was no work for so long.
    pub idle_exit: Option<Duration>,
    /// A lease that is not renewed for so long is somebody else's.
    pub visibility: Duration,
    /// How long engines are waited for.
    pub patience: Patience,
    /// Whether the user wants it to end.
    pub interrupt: &'a Interrupt,
    /// Where notes for the user go.
    pub say: &'a (dyn Fn(&str) + Sync),
}

/// What a broker is told of a worker.
#[derive(Debug, Serialize)]
struct About<'a> {
    program: &'static str,
    version: &'static str,
    system: &'a str,
    games: usize,
    speed: u64,
}

/// Why it cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum HelpError {
    /// The broker fails, or has set it aside.
    #[error("{}", chain(.0))]
    Broker(#[from] BrokerError),
    /// It cannot play a job.
    #[error("job {job} cannot be played here: {source}")]
    Setup {
        /// The job.
        job: String,
        /// Why not.
        source: Box<SetupError>,
    },
    /// A unit of a job cannot be understood.
    #[error("job {job} cannot be played: {source}")]
    Words {
        /// The job.
        job: String,
        /// Why not.
        source: WordsError,
    },
    /// A game cannot be played.
    #[error("job {job}, pair {pair}: {error}")]
    Game {
        /// The job.
        job: String,
        /// The pair, from 1.
        pair: u64,
        /// Why not.
        error: String,
        /// Whether it is the configuration that does not fit.
        is_configuration: bool,
    },
    /// It cannot be done on this machine.
    #[error("{what}: {source}")]
    System {
        /// What.
        what: &'static str,
        /// What the system says.
        source: std::io::Error,
    },
}

impl HelpError {
    /// Whether it is what was asked for that makes no sense here.
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

/// What all lanes share.
struct Shared<'a> {
    helper: &'a Helper<'a>,
    setups: Mutex<Setups>,
    pulse: Pulse,
    /// Set when a lane cannot go on: then all end.
    failed: AtomicBool,
    /// Pairs that were sent back.
    pairs: AtomicU64,
    /// When there was work last.
    busy: Mutex<Instant>,
}

impl Shared<'_> {
    fn is_over(&self) -> bool {
        self.helper.interrupt.has_come() || self.failed.load(Ordering::Relaxed)
    }
}

/// Plays until the user wants no more, there was no work for too long, or it cannot go on. How many pairs
/// it has sent back. No engine is left, and what it holds is given back.
///
/// # Errors
///
/// Why it cannot go on.
///
/// # Panics
///
/// If a lane does.
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
