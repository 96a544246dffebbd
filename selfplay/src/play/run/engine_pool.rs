//! The players of one worker: one for each engine, each plays many games.

use std::collections::BTreeMap;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, never};
use uci::Cancel;

use crate::model::{EngineConfig, EngineIndex, Fault, GamePlan, Opening, PairOptions, Pairing};
use crate::play::{
    game::{FinishedPlay, GameError, GameRules, Players, play},
    now,
    player::{EngineTimeouts, PendingAnswer, Player, PlayerError, PvUse, RunPrograms},
};

#[derive(Debug)]
pub(crate) struct EnginePool {
    players: BTreeMap<EngineIndex, Player>,
    cancel: Cancel,
    /// Pause between two games.
    pause: Duration,
    has_played: bool,
}

/// How long a pause lasts after it was cancelled, at most.
const SLICE: Duration = Duration::from_millis(20);

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
            let slept = never::<()>().recv_timeout(left.min(SLICE));
            debug_assert_eq!(slept, Err(RecvTimeoutError::Timeout), "nobody sends");
        }
    }

    pub(crate) fn quit(&mut self) {
        self.players.values_mut().for_each(Player::quit);
    }
}
