//! The players of one worker: one for each engine, each plays many games.

use std::collections::BTreeMap;

use uci::Cancel;

use crate::model::{EngineConfig, EngineIndex, Fault, GamePlan, Opening};
use crate::play::{
    game::{GameError, Played, Players, Rules, play},
    player::{Patience, Player, PlayerError, SlowMove},
};

#[derive(Debug)]
pub(crate) struct EnginePool(BTreeMap<EngineIndex, Player>);

impl EnginePool {
    /// Creates players whose engines are not started yet. Setting `cancel` aborts their games.
    pub(crate) fn new(engines: &[EngineConfig], patience: Patience, cancel: &Cancel) -> Self {
        let engines = engines.iter().enumerate();
        let players = engines.map(|(index, config)| {
            let index = EngineIndex(index);
            let player = Player::new(index, config.clone(), patience, cancel.clone());
            (index, player)
        });
        Self(players.collect())
    }

    /// Calls `report` with each move that takes long, and with `None` once it is over.
    pub(crate) fn on_slow_move(
        &mut self,
        report: impl FnMut(Option<SlowMove>) + Clone + Send + 'static,
    ) {
        for player in self.0.values_mut() {
            player.on_slow_move(report.clone());
        }
    }

    /// Starts every engine, sets its options and checks its search limits. `trying` is called with
    /// the next engine and, for each limit, with the command sent.
    pub(crate) fn verify(
        &mut self,
        chess960: bool,
        mut trying: impl FnMut(EngineIndex, Option<String>),
    ) -> Result<(), (String, PlayerError)> {
        for (&engine, player) in &mut self.0 {
            trying(engine, None);
            let verified = player.verify(chess960).and_then(|()| {
                player.try_limits(chess960, &mut |command| trying(engine, Some(command)))
            });
            verified.map_err(|error| (player.config().name.clone(), error))?;
        }
        Ok(())
    }

    /// Changes the options of an engine between games; an exit that this reveals is an incident.
    pub(crate) fn reconfigure(
        &mut self,
        engine: EngineIndex,
        options: &[(String, String)],
    ) -> Result<Option<Fault>, PlayerError> {
        let player = self.0.get_mut(&engine);
        let player = player.expect("there is one for each engine");
        let incident = player.reconfigure(options)?;
        Ok(incident.map(|incident| incident.by(engine)))
    }

    pub(crate) fn play(
        &mut self,
        plan: &GamePlan,
        opening: &Opening,
        rules: Rules<'_>,
    ) -> Result<Played, GameError> {
        let mut take = |index| self.0.remove(&index).expect("there is one for each engine");
        let (mut white, mut black) = (take(plan.white), take(plan.black));
        let both = Players {
            white: &mut white,
            black: &mut black,
        };
        let played = play(plan, opening, both, rules);
        self.0.extend([(plan.white, white), (plan.black, black)]);
        played
    }

    pub(crate) fn quit(&mut self) {
        self.0.values_mut().for_each(Player::quit);
    }
}
