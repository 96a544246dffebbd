//! The order in which games end has no effect on the state.

use proptest::prelude::*;

use super::*;
use crate::model::{EloModel, GameResult, SprtConfig};
use crate::play::ledger::samples::{config, record};

fn test_config() -> RunConfig {
    let mut config = config();
    config.sprt = Some(SprtConfig::new([0.0, 100.0], EloModel::Logistic));
    config
}

/// Games of 100 pairs, most of them won by the first engine.
fn games() -> impl Strategy<Value = Vec<GameRecord>> {
    let result = prop_oneof![4 => Just(2_u8), 2 => Just(1_u8), 2 => Just(0_u8)];
    prop::collection::vec(result, 200).prop_map(|points| {
        let games = (0..).zip(points);
        let games = games.map(|(game, points)| {
            let mut record = record(game, 0);
            let is_white = game % 2 == 0;
            record.result = match (points, is_white) {
                (1, _) => GameResult::Draw,
                (2, true) | (0, false) => GameResult::WhiteWins,
                _ => GameResult::BlackWins,
            };
            record
        });
        games.collect()
    })
}

#[test]
fn a_run_whose_last_games_are_being_played_is_not_over() {
    let mut config = test_config();
    config.rounds = 1;
    let mut state = RunState::new(config, &[]).expect("a run");
    for game in 0..2 {
        assert!(matches!(
            state.schedule.next(),
            crate::play::schedule::Next::Game(_)
        ));
        assert!(!state.is_over(), "{game}");
    }
    assert_eq!(state.verdict(), Some(SprtState::Running));
    for game in 0..2 {
        assert!(!state.is_over(), "{game}");
        state.add(&record(game, 0)).expect("of this run");
    }
    assert!(state.is_over());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_verdict_does_not_depend_on_the_order(
        (games, shuffled) in games().prop_flat_map(|games| (Just(games.clone()), Just(games).prop_shuffle()))
    ) {
        let mut in_order = RunState::new(test_config(), &[]).expect("a run");
        for game in &games {
            in_order.add(game).expect("of this run");
            if in_order.is_decided() {
                break;
            }
        }
        let mut any_order = RunState::new(test_config(), &[]).expect("a run");
        for (index, game) in shuffled.iter().enumerate() {
            any_order.add(game).expect("of this run");
            if index % 50 == 0 {
                let resumed = RunState::new(test_config(), &shuffled[..=index]).expect("of this run");
                prop_assert_eq!(resumed.verdict(), any_order.verdict());
                prop_assert_eq!(
                    resumed.tally.counts(&resumed.schedule),
                    any_order.tally.counts(&any_order.schedule)
                );
            }
        }
        prop_assert_eq!(in_order.verdict(), any_order.verdict());
        prop_assert_eq!(
            in_order.tally.counts(&in_order.schedule),
            any_order.tally.counts(&any_order.schedule)
        );
    }

    #[test]
    fn pairs_and_games_agree(games in games(), length in 0..200_usize) {
        let state = RunState::new(config(), &games[..length]).expect("of this run");
        let counts = state.tally.counts(&state.schedule).expect("a match");
        let Counts::Pairs { pairs, games: Some(games) } = counts else {
            panic!("{counts:?}");
        };
        prop_assert_eq!(pairs.pairs(), length as u64 / 2);
        prop_assert!(pairs.can_be_made_of(games));
        prop_assert_eq!(state.tally.games(), length as u64);
    }
}
