//! A lane: plays one game at a time with its own engines.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use queue::{BrokerError, Lease, Standing, Unit, UnitResult};
use uci::Cancel;

use super::{HelpError, Setup, Shared};
use crate::fleet::protocol::{KIND, Message, MessageError, PairBody, PlayedGame, UnitBody};
use crate::fleet::retry::{ask, now, pause};
use crate::model::{GamePlan, Machine};
use crate::play::game::{GameError, Played, Rules};
use crate::play::player::PvUse;
use crate::play::referee::Endgames;
use crate::play::run::EnginePool;

/// The interval between requests for work.
const PAUSE: Duration = Duration::from_millis(500);

pub(crate) struct Lane<'a> {
    number: usize,
    shared: &'a Shared<'a>,
    /// Aborts the current game; the players are discarded once it is set.
    cancel: Cancel,
    pool: Option<(String, EnginePool)>,
}

enum Ended {
    /// All its pairs were sent back.
    Whole,
    BrokenOff,
}

impl<'a> Lane<'a> {
    pub(crate) fn new(number: usize, shared: &'a Shared<'a>) -> Self {
        Self {
            number,
            shared,
            cancel: Cancel::new(),
            pool: None,
        }
    }

    /// Plays until there is no more work. Its engines have exited then.
    pub(crate) fn work(mut self) -> Result<(), HelpError> {
        let worked = self.work_on();
        if worked.is_err() {
            // The other lanes return their leases.
            self.shared.failed.store(true, Ordering::Relaxed);
        }
        if let Some((_, mut pool)) = self.pool.take()
            && !self.cancel.is_set()
        {
            pool.quit();
        }
        worked
    }

    fn work_on(&mut self) -> Result<(), HelpError> {
        let helper = self.shared.helper;
        while !self.shared.is_over() {
            let lease = ask(helper.interrupt, helper.say, || {
                helper
                    .broker
                    .lease(&helper.name, &[KIND], helper.visibility)
            });
            let lease = match lease {
                Err(_) if helper.interrupt.has_come() => break,
                lease => lease?,
            };
            match lease {
                Some(lease) => {
                    self.play_lease(&lease)?;
                    *self.busy() = now();
                }
                None if self.is_idle_for_too_long() => break,
                None => pause(PAUSE, helper.interrupt),
            }
        }
        Ok(())
    }

    fn busy(&self) -> std::sync::MutexGuard<'_, std::time::Instant> {
        self.shared
            .busy
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn is_idle_for_too_long(&self) -> bool {
        let since = *self.busy();
        let limit = self.shared.helper.idle_exit;
        limit.is_some_and(|limit| now() - since >= limit)
    }

    /// Plays a lease; unplayed pairs are given back at once, unless the lease is lost.
    fn play_lease(&mut self, lease: &Lease) -> Result<(), HelpError> {
        if self.cancel.is_set() {
            (self.cancel, self.pool) = (Cancel::new(), None);
        }
        let pulse = &self.shared.pulse;
        pulse.hold(lease, &self.cancel);
        let played = self.play_units(lease);
        pulse.let_go(lease);
        if !matches!(played, Ok(Ended::Whole)) && self.shared.is_over() || played.is_err() {
            // A worker that is quarantined or cut off holds no lease any more.
            let _ = self.shared.helper.broker.give_back(lease, None);
        }
        played.map(|_| ())
    }

    fn play_units(&mut self, lease: &Lease) -> Result<Ended, HelpError> {
        let helper = self.shared.helper;
        let setup = {
            let mut setups = self
                .shared
                .setups
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            setups.get(&lease.job, helper)
        };
        let setup = setup.map_err(|source| {
            let (job, source) = (lease.job.id.clone(), Box::new(source));
            HelpError::Setup { job, source }
        })?;
        self.prepare(lease, &setup)?;
        for unit in &lease.units {
            if self.cancel.is_set() || self.shared.is_over() {
                return Ok(Ended::BrokenOff);
            }
            let Some(pair) = self.play_pair(lease, unit, &setup)? else {
                return Ok(Ended::BrokenOff);
            };
            self.send(lease, unit, &pair)?;
        }
        Ok(Ended::Whole)
    }

    /// Prepares the engines of this job, on their own CPUs if pinned.
    fn prepare(&mut self, lease: &Lease, setup: &Arc<Setup>) -> Result<(), HelpError> {
        let job = &lease.job.id;
        if self.pool.as_ref().is_some_and(|(of, _)| of == job) {
            return Ok(());
        }
        if let Some((_, mut pool)) = self.pool.take() {
            pool.quit();
        }
        if let Some(cpus) = &setup.cpus {
            uci::cpus::pin(&cpus[self.number]).map_err(|source| HelpError::System {
                what: "a game cannot be pinned",
                source,
            })?;
        }
        let patience = self.shared.helper.patience.with(setup.config.timeouts);
        let mut pool = EnginePool::new(&setup.config.engines, patience, &self.cancel);
        pool.use_pvs(PvUse::of(&setup.config));
        pool.pause_between_games(Duration::from_millis(setup.config.pairing.wait_ms));
        self.pool = Some((job.clone(), pool));
        Ok(())
    }

    /// Plays both games; `None` if they were aborted.
    fn play_pair(
        &mut self,
        lease: &Lease,
        unit: &Unit,
        setup: &Setup,
    ) -> Result<Option<PairBody>, HelpError> {
        let asked = UnitBody::from_text(&unit.body).and_then(|asked| known(asked, setup));
        let asked = asked.map_err(|source| {
            let job = lease.job.id.clone();
            HelpError::Message { job, source }
        })?;
        let mut games = Vec::with_capacity(2);
        for plan in asked.pairing.games() {
            match self.play_game(&plan, &asked, setup) {
                Ok(game) => games.push(game),
                Err(GameError::Cancelled) => return Ok(None),
                Err(error) => {
                    return Err(HelpError::Game {
                        job: lease.job.id.clone(),
                        pair: unit.key + 1,
                        is_configuration: matches!(error, GameError::Opening(_)),
                        error: error.to_string(),
                    });
                }
            }
        }
        let games = games.try_into().expect("a pair has two games");
        Ok(Some(PairBody { games }))
    }

    fn play_game(
        &mut self,
        plan: &GamePlan,
        asked: &UnitBody,
        setup: &Setup,
    ) -> Result<PlayedGame, GameError> {
        let rules = Rules {
            adjudication: &setup.config.adjudication,
            endgames: setup.tables.as_ref().map(|tables| tables as &dyn Endgames),
        };
        let (_, pool) = self.pool.as_mut().expect("it was prepared");
        let Played {
            mut record,
            transcript,
        } = pool.play(plan, &asked.opening, rules)?;
        record.machine = Some(Machine {
            worker: self.shared.helper.name.clone(),
            time_scale: setup.scale,
        });
        Ok(PlayedGame { record, transcript })
    }

    /// Sends a pair back at once, so that a test need not wait for the rest of the lease.
    fn send(&self, lease: &Lease, unit: &Unit, pair: &PairBody) -> Result<(), HelpError> {
        let helper = self.shared.helper;
        let result = [UnitResult {
            key: unit.key,
            value: pair.to_text(),
        }];
        let sent = ask(helper.interrupt, helper.say, || {
            helper.broker.complete(lease, &result)
        });
        match sent {
            Ok(_) => {
                self.shared.pairs.fetch_add(1, Ordering::Relaxed);
                Ok(())
            }
            // Another worker will play the pair again.
            Err(BrokerError::Unreachable(_)) if helper.interrupt.has_come() => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// Checks that the job has the engines of a pair.
fn known(asked: UnitBody, setup: &Setup) -> Result<UnitBody, MessageError> {
    let UnitBody { pairing, .. } = &asked;
    let engines = setup.config.engines.len();
    let is_known =
        pairing.first != pairing.second && pairing.first.0.max(pairing.second.0) < engines;
    is_known.then_some(asked).ok_or_else(|| MessageError {
        what: UnitBody::WHAT,
        column: 1,
        reason: format!("it is not of two of the job's {engines} engines"),
    })
}

// The pulse: sends heartbeats for every lease held, and aborts games that are no longer wanted.

/// How often it checks whether a heartbeat is due.
const SLICE: Duration = Duration::from_millis(20);
/// Number of heartbeats within the visibility time of a lease.
const BEATS: u32 = 4;

#[derive(Debug, Default)]
pub(crate) struct Pulse {
    held: Mutex<Vec<(Lease, Cancel)>>,
    is_over: AtomicBool,
}

impl Pulse {
    /// Keeps a lease alive; `cancel` is set when it is lost or no longer wanted.
    pub(crate) fn hold(&self, lease: &Lease, cancel: &Cancel) {
        self.held().push((lease.clone(), cancel.clone()));
    }

    pub(crate) fn let_go(&self, lease: &Lease) {
        self.held().retain(|(held, _)| held.token != lease.token);
    }

    /// Called when all lanes have ended.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    fn held(&self) -> MutexGuard<'_, Vec<(Lease, Cancel)>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends heartbeats until all lanes have ended.
    pub(crate) fn beat(&self, shared: &Shared<'_>) {
        let every = shared.helper.visibility / BEATS;
        let mut last = now();
        while !self.is_over.load(Ordering::Relaxed) {
            if shared.is_over() {
                self.held().iter().for_each(|(_, cancel)| cancel.set());
            } else if now() - last >= every {
                last = now();
                self.beat_once(shared);
            }
            std::thread::sleep(SLICE);
        }
    }

    fn beat_once(&self, shared: &Shared<'_>) {
        let helper = shared.helper;
        // Copied, so that lanes need not wait for the broker.
        let held = self.held().clone();
        for (lease, cancel) in held.into_iter().filter(|(_, cancel)| !cancel.is_set()) {
            match helper.broker.heartbeat(&lease, helper.visibility) {
                // A broker that cannot be reached now may be at the next beat; the lease may be
                // lost by then.
                Ok(Standing::Held) | Err(_) => {}
                Ok(Standing::Stopped(reason)) => {
                    (helper.say)(&format!("job {} was stopped: {reason}", lease.job.id));
                    cancel.set();
                }
                Ok(Standing::Lost) => {
                    (helper.say)(&format!(
                        "the lease of chunk {} of job {} is lost: its pairs are somebody else's",
                        lease.chunk, lease.job.id
                    ));
                    cancel.set();
                }
            }
        }
    }
}
