//! A worker: plays one game at a time with its own players, an [`EnginePool`].

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, never};
use uci::Cancel;

use super::pinning::{Places, threads_of_game};
use crate::model::{
    EngineConfig, EngineIndex, Fault, FaultKind, GamePlan, GameRecord, Opening, PairOptions,
    Pairing, Pinning, RunConfig,
};
use crate::openings::Openings;
use crate::play::{
    game::{FinishedPlay, GameError, GameRules, Players, play},
    now,
    player::{EngineTimeouts, PendingAnswer, Player, PlayerError, PvUse, RunPrograms},
};

#[derive(Clone, Copy)]
pub(super) struct SharedRun<'a> {
    pub(super) config: &'a RunConfig,
    pub(super) openings: &'a Openings,
    pub(super) rules: GameRules<'a>,
    pub(super) patience: EngineTimeouts,
    pub(super) programs: &'a RunPrograms,
    pub(super) cancel: &'a Cancel,
}

pub(super) struct GameWorker<'a> {
    pub(super) number: usize,
    pub(super) shared: SharedRun<'a>,
    pub(super) gate: &'a Gate,
    pub(super) places: Arc<Places>,
    /// Which of these places are its own.
    pub(super) place: usize,
    pub(super) jobs: Receiver<GameJob>,
    pub(super) events: Sender<WorkerEvent>,
    pub(super) waits: Waits,
}

/// A game to play.
pub(super) struct GameJob {
    pub(super) plan: GamePlan,
    /// What its engines are set to before, if games differ in that.
    pub(super) options: Option<PairOptions>,
}

/// Number of workers that may play; the others wait.
#[derive(Debug, Default)]
pub(super) struct Gate(AtomicUsize);

impl Gate {
    /// Lets the first `workers` play; 0 ends the work of those that wait.
    pub(super) fn open_for(&self, workers: usize) {
        self.0.store(workers, Ordering::Relaxed);
    }

    pub(super) fn width(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// How long a worker that waits takes to notice that it may play, or that the run is over.
const LOOK: Duration = Duration::from_millis(50);

/// What the games of a run wait for. Few are looked at: an event for each would wake the run for
/// nothing.
#[derive(Clone, Default)]
pub(super) struct Waits(Arc<Mutex<BTreeMap<(usize, EngineIndex), PendingAnswer>>>);

impl Waits {
    fn set(&self, worker: usize, engine: EngineIndex, waiting: Option<PendingAnswer>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match waiting {
            Some(waiting) => all.insert((worker, engine), waiting),
            None => all.remove(&(worker, engine)),
        };
    }

    /// The longest wait that began by then; one that should have ended by itself before a move that has
    /// its time.
    pub(super) fn longest(&self, begun_by: Instant) -> Option<(EngineIndex, PendingAnswer)> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let old = all.iter().filter(|(_, one)| one.since <= begun_by);
        let longest = old.min_by_key(|(_, one)| (one.is_timed, one.since));
        longest.map(|(&(_, engine), waiting)| (engine, waiting.clone()))
    }
}

/// What a worker reports to the loop that owns the run.
pub(super) enum WorkerEvent {
    /// An engine is about to be checked, by `command` once it is set up.
    Trying {
        engine: EngineIndex,
        command: Option<String>,
    },
    /// The engines are checked: games can begin.
    Ready,
    /// A game is over, with the transcript of both engines if it ended by a fault.
    Finished {
        record: Box<GameRecord>,
        transcript: Option<String>,
    },
    /// A game was aborted because the run ends; it is replayed on resume.
    Abandoned,
    Failed(WorkerFailure),
}

pub(super) struct WorkerFailure {
    pub(super) error: String,
    /// Whether the configuration does not fit the book.
    pub(super) is_configuration: bool,
}

impl GameWorker<'_> {
    /// Plays games until there are no more or it is cancelled. All its engines have exited then.
    pub(super) fn work(self) {
        let _alarm = PanicAlarm(&self);
        if let Err(failure) = self.play_all() {
            self.send(WorkerEvent::Failed(failure));
        }
    }

    /// A closed channel is no error: the loop that owns the run stops listening once it ends.
    fn send(&self, event: WorkerEvent) {
        let _ = self.events.send(event);
    }

    fn play_all(&self) -> Result<(), WorkerFailure> {
        let SharedRun {
            config,
            patience,
            programs,
            cancel,
            ..
        } = self.shared;
        let mut pool = EnginePool::new(&config.engines, patience, cancel);
        pool.compare_with(programs);
        pool.use_pvs(PvUse::from_config(config));
        pool.pause_between_games(Duration::from_millis(config.pairing.wait_ms));
        let (worker, waits) = (self.number, self.waits.clone());
        pool.on_wait(move |engine, waiting| waits.set(worker, engine, waiting));
        // One worker is enough to find configuration errors.
        if self.number == 0 {
            self.pin()?;
            self.verify(&mut pool)?;
            self.unpin_many_threads(&mut pool);
            self.send(WorkerEvent::Ready);
        }
        let (mut is_pinned, mut is_idle) = (self.number == 0, true);
        loop {
            let width = self.gate.width();
            if cancel.is_set() || width == 0 {
                break;
            }
            if self.number >= width {
                // Engines that may not play for long must not hold memory.
                if !std::mem::replace(&mut is_idle, true) {
                    pool.quit();
                }
                std::thread::sleep(LOOK);
                continue;
            }
            let job = match self.jobs.recv_timeout(LOOK) {
                Ok(job) => job,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            // Engines that are started by this thread from now on inherit its CPUs.
            if !is_pinned {
                self.pin()?;
                is_pinned = true;
            }
            if cancel.is_set() {
                break;
            }
            is_idle = false;
            self.play(&job, &mut pool)?;
        }
        // In a run that was cancelled, dropping the pool kills the engines at once.
        if !cancel.is_set() {
            pool.quit();
        }
        Ok(())
    }

    /// Keeps this thread, and the engines that it starts from now on, on the CPUs of this worker.
    fn pin(&self) -> Result<(), WorkerFailure> {
        let Some(cpus) = self.places.of_worker(self.place) else {
            return Ok(());
        };
        match uci::cpus::pin(cpus) {
            // Nobody asked for it.
            Err(_) if self.shared.config.pinning == Pinning::Auto => Ok(()),
            pinned => pinned.map_err(|error| WorkerFailure {
                error: format!("cannot pin a game to CPU {cpus:?}: {error}"),
                is_configuration: false,
            }),
        }
    }

    /// Gives up default pinning if an engine would use more threads than games have CPUs.
    fn unpin_many_threads(&self, pool: &mut EnginePool) {
        let config = self.shared.config;
        let are_too_many = config.pinning == Pinning::Auto
            && self.places.of_worker(self.place).is_some()
            && pool.most_threads() > threads_of_game(&config.engines);
        if are_too_many {
            self.places.give_up();
            // If that fails, this worker's games are slower.
            let _ = uci::cpus::unpin();
            // They are started anew on any CPU.
            pool.quit();
        }
    }

    /// Starts every engine and sets its options.
    fn verify(&self, pool: &mut EnginePool) -> Result<(), WorkerFailure> {
        let chess960 = self.shared.config.openings.is_chess960();
        let verified = pool.verify(chess960, |engine, command| {
            self.send(WorkerEvent::Trying { engine, command });
        });
        match verified {
            Ok(()) | Err((_, PlayerError::Cancelled)) => Ok(()),
            Err((name, error)) => Err(WorkerFailure {
                is_configuration: false,
                error: not_started(&name, &error),
            }),
        }
    }

    fn play(&self, job: &GameJob, pool: &mut EnginePool) -> Result<(), WorkerFailure> {
        let pairing = &job.plan.pairing;
        let opening = self.shared.openings.get(pairing.opening);
        let opening = opening.map_err(|error| WorkerFailure {
            error: error.to_string(),
            is_configuration: false,
        })?;
        let mut incidents = match pool.reconfigure(pairing, job.options.as_ref()) {
            Ok(incidents) => incidents,
            Err(PlayerError::Cancelled) => {
                self.send(WorkerEvent::Abandoned);
                return Ok(());
            }
            Err(error) => {
                return Err(WorkerFailure {
                    is_configuration: false,
                    error: error.to_string(),
                });
            }
        };
        match pool.play(&job.plan, &opening, self.shared.rules) {
            Ok(mut played) => {
                played.record.incidents.append(&mut incidents);
                self.send(WorkerEvent::Finished {
                    record: Box::new(played.record),
                    transcript: played.transcript,
                });
                Ok(())
            }
            Err(GameError::Cancelled) => {
                self.send(WorkerEvent::Abandoned);
                Ok(())
            }
            Err(error) => Err(WorkerFailure {
                is_configuration: matches!(error, GameError::Opening(_)),
                error: error.to_string(),
            }),
        }
    }
}

/// The players of one worker: one for each engine, each plays many games.
#[derive(Debug)]
pub(crate) struct EnginePool {
    players: BTreeMap<EngineIndex, Player>,
    cancel: Cancel,
    /// Pause between two games.
    pause: Duration,
    has_played: bool,
}

/// How long a pause lasts after it was cancelled, at most.
const PAUSE_SLICE: Duration = Duration::from_millis(20);

impl EnginePool {
    /// Creates players whose engines are not started yet. Setting `cancel` aborts their games.
    pub(crate) fn new(engines: &[EngineConfig], patience: EngineTimeouts, cancel: &Cancel) -> Self {
        let engines = engines.iter().enumerate();
        let players = engines.map(|(index, config)| {
            let index = EngineIndex(index);
            let player = Player::new(index, config.clone(), patience, cancel.clone());
            (index, player)
        });
        Self {
            players: players.collect(),
            cancel: cancel.clone(),
            pause: Duration::ZERO,
            has_played: false,
        }
    }

    /// Sets the pause between two games.
    pub(crate) const fn pause_between_games(&mut self, pause: Duration) {
        self.pause = pause;
    }

    /// See [`Player::on_wait`].
    pub(crate) fn on_wait(
        &mut self,
        report: impl FnMut(EngineIndex, Option<PendingAnswer>) + Clone + Send + 'static,
    ) {
        for player in self.players.values_mut() {
            player.on_wait(report.clone());
        }
    }

    /// Sets the programs with which the run began.
    pub(crate) fn compare_with(&mut self, programs: &RunPrograms) {
        for player in self.players.values_mut() {
            player.compare_with(programs.clone());
        }
    }

    /// Sets what principal variations are for.
    pub(crate) fn use_pvs(&mut self, pv_use: PvUse) {
        for player in self.players.values_mut() {
            player.use_pvs(pv_use);
        }
    }

    /// Starts every engine, sets its options and checks its search limits. `trying` is called with
    /// the next engine and, for each limit, with the command sent.
    pub(crate) fn verify(
        &mut self,
        chess960: bool,
        mut trying: impl FnMut(EngineIndex, Option<String>),
    ) -> Result<(), (String, PlayerError)> {
        for (&engine, player) in &mut self.players {
            trying(engine, None);
            let verified = player.verify(chess960);
            let verified = match verified {
                known @ Err(PlayerError::Cancelled | PlayerError::WrongProtocol { .. }) => known,
                // That an engine speaks the other protocol explains more than that it was silent.
                other => player.wrong_protocol().map_or(other, Err),
            };
            let tried = verified.and_then(|()| {
                player.try_limits(chess960, &mut |command| trying(engine, Some(command)))
            });
            tried.map_err(|error| (player.config().name.clone(), error))?;
        }
        Ok(())
    }

    /// Changes the options of both engines of a pairing between games, if it has options of its own; an
    /// exit that this reveals is an incident.
    pub(crate) fn reconfigure(
        &mut self,
        pairing: &Pairing,
        options: Option<&PairOptions>,
    ) -> Result<Vec<Fault>, PlayerError> {
        let mut incidents = Vec::new();
        let engines = [pairing.first, pairing.second];
        for (engine, options) in engines.into_iter().zip(options.into_iter().flatten()) {
            let player = self.players.get_mut(&engine);
            let player = player.expect("there is one for each engine");
            let incident = player.reconfigure(options)?;
            incidents.extend(incident.map(|incident| incident.by(engine)));
        }
        Ok(incidents)
    }

    /// The most threads that an engine uses by default where it is not configured; 0 if none declares it.
    pub(crate) fn most_threads(&self) -> usize {
        let players = self.players.values();
        players
            .filter_map(Player::default_threads)
            .max()
            .unwrap_or(0)
    }

    /// Plays a game, after a pause if there was one before.
    pub(crate) fn play(
        &mut self,
        plan: &GamePlan,
        opening: &Opening,
        rules: GameRules<'_>,
    ) -> Result<FinishedPlay, GameError> {
        if self.has_played {
            self.wait()?;
        }
        self.has_played = true;
        // Taken out of the map, since both are borrowed mutably at the same time.
        let mut take = |index| {
            self.players
                .remove(&index)
                .expect("there is one for each engine")
        };
        let (mut white, mut black) = (take(plan.white), take(plan.black));
        let both = Players {
            white: &mut white,
            black: &mut black,
        };
        let played = play(plan, opening, both, rules);
        let both = [(plan.white, white), (plan.black, black)];
        self.players.extend(both);
        played
    }

    /// Waits until the pause is over, or the work is cancelled.
    fn wait(&self) -> Result<(), GameError> {
        let end = now() + self.pause;
        loop {
            if self.cancel.is_set() {
                return Err(GameError::Cancelled);
            }
            let left = end.saturating_duration_since(now());
            if left.is_zero() {
                return Ok(());
            }
            // Nothing is ever received: this sleeps.
            let slept = never::<()>().recv_timeout(left.min(PAUSE_SLICE));
            debug_assert_eq!(slept, Err(RecvTimeoutError::Timeout), "nobody sends");
        }
    }

    pub(crate) fn quit(&mut self) {
        self.players.values_mut().for_each(Player::quit);
    }
}

/// Describes why an engine cannot be used.
pub(crate) fn not_started(name: &str, error: &PlayerError) -> String {
    match error {
        // These messages already contain the name.
        PlayerError::Setup(_) | PlayerError::Disobedient(_) => error.to_string(),
        _ => format!("engine '{name}': {error}{}", hint(error)),
    }
}

const fn hint(error: &PlayerError) -> &'static str {
    match error {
        PlayerError::Fault {
            kind: FaultKind::NoUciok,
            ..
        } => {
            "; is it a UCI engine, and does it need arguments (args=) to be one, or proto=xboard? If it is \
             slow, give it time: startup in [timeouts] of a file for --config"
        }
        PlayerError::Fault {
            kind: FaultKind::NoReadyok,
            ..
        } => "; if it is slow, give it time: new-game in [timeouts] of a file for --config",
        _ => "",
    }
}

/// Reports a worker that panics, so that the loop does not wait for its game.
struct PanicAlarm<'w, 'a>(&'w GameWorker<'a>);

impl Drop for PanicAlarm<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.send(WorkerEvent::Failed(WorkerFailure {
                error: "a worker has panicked".to_owned(),
                is_configuration: false,
            }));
        }
    }
}
