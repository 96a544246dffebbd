//! Whole schedules, played by engines whose results are a function of the game.

use std::collections::BTreeSet;

use chacha20::ChaCha8Rng;
use proptest::prelude::*;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;

use super::*;
use crate::model::{EngineConfig, GamesPerOpening};
use crate::play::ledger::samples::{self, record};

const FORMATS: [TournamentFormat; 5] = [
    TournamentFormat::Match,
    TournamentFormat::RoundRobin,
    TournamentFormat::Gauntlet,
    TournamentFormat::Swiss,
    TournamentFormat::Knockout,
];

fn config(format: TournamentFormat, engines: usize, rounds: u64, seed: u64) -> RunConfig {
    let engine = |index: usize| EngineConfig {
        name: format!("engine {index}"),
        ..EngineConfig::default()
    };
    RunConfig {
        format,
        engines: (0..engines).map(engine).collect(),
        rounds,
        seed,
        ..samples::config()
    }
}

/// The result depends only on the game; draws are frequent enough for tie-breaks in knockouts.
fn result(plan: &GamePlan, seed: u64) -> GameResult {
    let words = [plan.game, plan.white.0 as u64, plan.black.0 as u64, seed];
    let mixed = words.iter().fold(0x9e37_79b9_7f4a_7c15_u64, |sum, &word| {
        (sum ^ word)
            .wrapping_mul(0xbf58_476d_1ce4_e5b9)
            .rotate_left(29)
    });
    match mixed % 4 {
        0 => GameResult::WhiteWins,
        1 => GameResult::BlackWins,
        _ => GameResult::Draw,
    }
}

/// The schedule after these games.
fn resume(
    config: &RunConfig,
    games: impl Iterator<Item = (GamePlan, GameResult)>,
) -> Result<Schedule, ScheduleError> {
    let record = |(plan, result)| GameRecord {
        plan,
        result,
        ..record(0, 0)
    };
    Schedule::resume(config, &games.map(record).collect::<Vec<_>>())
}

type Games = BTreeMap<u64, GamePlan>;

/// Plays in order, one game at a time.
fn plain(config: &RunConfig, seed: u64) -> (Games, Schedule) {
    let mut schedule = Schedule::new(config).expect("can be scheduled");
    let mut games = Games::new();
    loop {
        match schedule.next() {
            Next::Game(plan) => {
                assert_eq!(
                    plan.game,
                    games.len() as u64,
                    "games are given in order, without gaps"
                );
                assert!(games.insert(plan.game, plan).is_none());
                schedule
                    .record(&plan, result(&plan, seed))
                    .expect("as scheduled");
            }
            Next::Wait => panic!("nothing to wait for"),
            Next::Done => return (games, schedule),
        }
    }
}

/// Plays many games at once, which end in any order, with occasional kills and resumes.
fn wild(
    config: &RunConfig,
    seed: u64,
    workers: usize,
    chance: &mut ChaCha8Rng,
) -> (Games, Schedule) {
    let mut schedule = Schedule::new(config).expect("can be scheduled");
    let mut recorded: Vec<GamePlan> = Vec::new();
    let mut running: Vec<GamePlan> = Vec::new();
    loop {
        if chance.random_range(0..12) == 0 {
            running.clear();
            recorded.shuffle(chance);
            let games = recorded.iter().map(|plan| (*plan, result(plan, seed)));
            schedule = resume(config, games).expect("records of this run");
        }
        let next = if running.len() < workers {
            schedule.next()
        } else {
            Next::Wait
        };
        match next {
            Next::Game(plan) => running.push(plan),
            Next::Done if running.is_empty() => break,
            Next::Wait | Next::Done => {
                assert!(!running.is_empty(), "waits for nothing");
                let plan = running.swap_remove(chance.random_range(0..running.len()));
                schedule
                    .record(&plan, result(&plan, seed))
                    .expect("as scheduled");
                recorded.push(plan);
            }
        }
    }
    let mut games = Games::new();
    for plan in recorded {
        assert!(
            games.insert(plan.game, plan).is_none(),
            "game {} is played twice",
            plan.game
        );
    }
    (games, schedule)
}

fn any_config() -> impl Strategy<Value = RunConfig> {
    (0..FORMATS.len(), 2..8_usize, 1..5_u64, any::<u64>()).prop_map(
        |(format, engines, rounds, seed)| {
            let format = FORMATS[format];
            let engines = if format == TournamentFormat::Match {
                2
            } else {
                engines
            };
            config(format, engines, rounds, seed)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn neither_order_nor_kills_change_the_games(
        config in any_config(), single in any::<bool>(), seed in any::<u64>(), workers in 1..9_usize,
        chance in any::<u64>(),
    ) {
        let mut config = config;
        if single {
            config.pairing.games = GamesPerOpening::One;
        }
        let (expected, plain) = plain(&config, seed);
        let (games, wild) = wild(&config, seed, workers, &mut ChaCha8Rng::seed_from_u64(chance));
        prop_assert_eq!(&games, &expected);
        prop_assert_eq!(wild.standings(), plain.standings());
        prop_assert_eq!(&wild.pairs, &plain.pairs);
        if let Some(total) = plain.total() {
            prop_assert_eq!(total, expected.len() as u64);
            prop_assert_eq!(Schedule::new(&config).expect("can be scheduled").total(), Some(total));
        }
    }

    #[test]
    fn pairs_have_both_colours_and_rounds_one_opening(config in any_config(), seed in any::<u64>()) {
        let (games, _) = plain(&config, seed);
        for plans in games.values().copied().collect::<Vec<_>>().chunks(2) {
            prop_assert_eq!(plans[0].pairing, plans[1].pairing);
            prop_assert_eq!(plans, plans[0].pairing.games());
            prop_assert_ne!(plans[0].white, plans[0].black);
            prop_assert_eq!(plans[0].pairing.opening, u64::from(plans[0].pairing.round));
        }
        let mut in_round: BTreeSet<(u32, EngineIndex, EngineIndex)> = BTreeSet::new();
        for plan in games.values() {
            let key = (plan.pairing.round, plan.white, plan.black);
            prop_assert!(in_round.insert(key), "{:?} twice", key);
        }
        let rounds: BTreeSet<u32> = in_round.iter().map(|&(round, ..)| round).collect();
        prop_assert_eq!(rounds.len(), rounds.last().map_or(0, |&last| last as usize + 1));
    }
}

fn meetings(games: &Games) -> BTreeMap<(usize, usize), usize> {
    let mut meetings = BTreeMap::new();
    for plan in games.values() {
        let couple = (plan.pairing.first.0, plan.pairing.second.0);
        *meetings.entry(couple).or_default() += 1;
    }
    meetings
}

#[test]
fn fixed_formats_have_the_couples_they_should() {
    let all = |engines: usize| {
        (0..engines).flat_map(move |one| (one + 1..engines).map(move |other| (one, other)))
    };
    for engines in 2..9 {
        let (games, _) = plain(&config(TournamentFormat::RoundRobin, engines, 3, 0), 1);
        let expected = all(engines).map(|couple| (couple, 6)).collect();
        assert_eq!(meetings(&games), expected);
        let (games, _) = plain(&config(TournamentFormat::Gauntlet, engines, 3, 0), 1);
        let expected = (1..engines).map(|other| ((0, other), 6)).collect();
        assert_eq!(meetings(&games), expected);
    }
    let (games, schedule) = plain(&config(TournamentFormat::Match, 2, 10, 0), 1);
    assert_eq!(meetings(&games), [((0, 1), 20)].into());
    let pairs = schedule
        .pairs(EngineIndex(1), EngineIndex(0))
        .expect("they met");
    assert_eq!(pairs.prefix_len(), 10);
}

#[test]
fn pairs_are_counted_by_the_view_of_the_first() {
    let config = config(TournamentFormat::Match, 2, 2, 0);
    let mut schedule = Schedule::new(&config).expect("can be scheduled");
    let plans: Vec<GamePlan> = (0..4).map(|game| schedule.plan(game)).collect();
    // Engine 0 wins both games of the second pair; in the first it draws one and loses one.
    let record =
        |schedule: &mut Schedule, game: usize, result| schedule.record(&plans[game], result);
    assert_eq!(record(&mut schedule, 3, GameResult::BlackWins), Ok(vec![]));
    assert_eq!(record(&mut schedule, 2, GameResult::WhiteWins), Ok(vec![]));
    assert_eq!(record(&mut schedule, 0, GameResult::Draw), Ok(vec![]));
    let expected = Ok(vec![1, 4]);
    assert_eq!(record(&mut schedule, 1, GameResult::WhiteWins), expected);
    let pairs = schedule
        .pairs(EngineIndex(0), EngineIndex(1))
        .expect("they met");
    assert_eq!(pairs.prefix(), [0, 1, 0, 0, 1]);
}

#[test]
fn a_knockout_has_one_unbeaten_winner() {
    for seed in 0..50 {
        let config = config(TournamentFormat::Knockout, 6, 2, 0);
        let (games, schedule) = plain(&config, seed);
        assert_eq!(schedule.total(), None);
        let last = games.values().last().expect("a game").pairing;
        assert!(
            meetings(&games).len() == 5,
            "five meetings leave one of six"
        );
        assert!(last.first < last.second);
    }
}

#[test]
fn a_long_run_is_resumed_without_memory_for_games_to_come() {
    let config = config(TournamentFormat::Match, 2, 5_000_000, 0);
    let mut schedule = Schedule::new(&config).expect("can be scheduled");
    assert_eq!(schedule.total(), Some(10_000_000));
    for game in 0..200_000 {
        let Next::Game(plan) = schedule.next() else {
            panic!("game {game} is due")
        };
        assert_eq!((plan.game, plan.pairing.opening), (game, game / 2));
        schedule
            .record(&plan, GameResult::Draw)
            .expect("as scheduled");
    }
    assert_eq!(schedule.recorded.prefix(), 200_000);
    assert_eq!(schedule.pairs.len(), 1);
}

/// Who has White against whom in each game, and the opening.
fn colors(config: &RunConfig) -> Vec<(usize, usize, u64)> {
    let (games, _) = plain(config, 1);
    let games = games.values();
    games
        .map(|plan| (plan.white.0, plan.black.0, plan.pairing.opening))
        .collect()
}

#[test]
fn colours_are_swapped_alternated_or_kept() {
    let two = PairingRules::default();
    let one = PairingRules {
        games: GamesPerOpening::One,
        ..two
    };
    let kept = |rules| PairingRules {
        no_swap: true,
        ..rules
    };
    let reversed = |rules| PairingRules {
        reverse: true,
        ..rules
    };
    let rows = rows![
        two => vec![(0, 1, 0), (1, 0, 0), (0, 1, 1), (1, 0, 1)];
        reversed(two) => vec![(1, 0, 0), (0, 1, 0), (1, 0, 1), (0, 1, 1)];
        kept(two) => vec![(0, 1, 0), (0, 1, 0), (0, 1, 1), (0, 1, 1)];
        reversed(kept(two)) => vec![(1, 0, 0), (1, 0, 0), (1, 0, 1), (1, 0, 1)];
        one => vec![(0, 1, 0), (1, 0, 1)];
        reversed(one) => vec![(1, 0, 0), (0, 1, 1)];
        kept(one) => vec![(0, 1, 0), (0, 1, 1)];
        PairingRules { repeat: 2, ..two } => vec![(0, 1, 0), (1, 0, 0), (0, 1, 0), (1, 0, 0)];
        PairingRules { repeat: 3, ..one } => vec![(0, 1, 0), (1, 0, 0)];
    ];
    for (rules, expected) in rows {
        let mut config = config(TournamentFormat::Match, 2, 2, 0);
        config.pairing = rules;
        assert_eq!(colors(&config), expected, "{rules:?}");
        let total = Schedule::new(&config).expect("can be scheduled").total();
        assert_eq!(total, Some(expected.len() as u64));
    }
}

#[test]
fn single_games_of_a_round_robin_give_all_engines_both_colours() {
    for engines in 2..9 {
        let mut config = config(TournamentFormat::RoundRobin, engines, 1, 0);
        config.pairing.games = GamesPerOpening::One;
        let games = colors(&config);
        assert_eq!(games.len(), engines * (engines - 1) / 2);
        for engine in 0..engines {
            let white = games.iter().filter(|(white, ..)| *white == engine).count();
            let all = engines - 1;
            assert!(
                (all / 2..=all.div_ceil(2)).contains(&white),
                "{engine}: {games:?}"
            );
        }
    }
}

#[test]
fn single_games_of_a_swiss_balance_the_colors() {
    let mut worst = [0; 2];
    for (engines, reverse, seed) in
        (2..17).flat_map(|engines| (0..40).map(move |seed| (engines, seed % 2 == 1, seed)))
    {
        // With more rounds, few pairings are left that are no rematches.
        let rounds = (engines as u64 / 2).max(1);
        let mut config = config(TournamentFormat::Swiss, engines, rounds, seed);
        config.pairing.games = GamesPerOpening::One;
        let straight = colors(&config);
        config.pairing.reverse = reverse;
        let games = colors(&config);
        for engine in 0..engines {
            let white: Vec<bool> = games
                .iter()
                .filter(|&&(white, black, _)| [white, black].contains(&engine))
                .map(|&(white, ..)| white == engine)
                .collect();
            let whites = white.iter().filter(|&&is_white| is_white).count();
            worst[0] = worst[0].max(whites.abs_diff(white.len() - whites));
            let row = white.chunk_by(|a, b| a == b).map(<[bool]>::len).max();
            worst[1] = worst[1].max(row.unwrap_or(0));
        }
        if reverse {
            assert_eq!((games[0].0, games[0].1), (straight[0].1, straight[0].0));
        }
    }
    assert_eq!(worst, [2, 2], "difference, and games in a row");
}

#[test]
fn every_format_can_be_played_in_single_games() {
    for format in FORMATS {
        let engines = if format == TournamentFormat::Match {
            2
        } else {
            7
        };
        let mut config = config(format, engines, 3, 5);
        config.pairing.games = GamesPerOpening::One;
        let (games, schedule) = plain(&config, 3);
        assert!(schedule.pairs.is_empty());
        assert!(
            games.keys().copied().eq(0..games.len() as u64),
            "{format:?}"
        );
        // A bye is worth the one game of a pairing.
        let standings = schedule.standings();
        let points: u64 = standings.table().iter().map(|row| row.half_points).sum();
        let byes: u64 = standings.table().iter().map(|row| row.byes).sum();
        assert_eq!(points, 2 * (games.len() as u64 + byes), "{format:?}");
    }
}

#[test]
fn the_seeds_of_a_gauntlet_do_not_meet() {
    let mut config = config(TournamentFormat::Gauntlet, 5, 1, 0);
    config.pairing.seeds = 2;
    let (games, _) = plain(&config, 1);
    let expected = [(0, 2), (1, 2), (0, 3), (1, 3), (0, 4), (1, 4)];
    let expected = expected.map(|couple| (couple, 2)).into_iter().collect();
    assert_eq!(meetings(&games), expected);
    for (seeds, expected) in [(0, "0 seeds"), (5, "5 seeds")] {
        config.pairing.seeds = seeds;
        let error = Schedule::new(&config).expect_err(expected).to_string();
        assert_eq!(
            error,
            format!("{expected}, expected 1 to 4, fewer than engines")
        );
    }
}

#[test]
fn what_cannot_be_scheduled() {
    let rows = rows![
        TournamentFormat::Match, 1, 1 => "1 engines, expected two or more";
        TournamentFormat::Match, 3, 1 => "3 engines in a match, expected two";
        TournamentFormat::Swiss, 4, 0 => "0 rounds, expected 1 to 50000000";
        TournamentFormat::RoundRobin, 4, 50_000_001 => "50000001 rounds, expected 1 to 50000000";
    ];
    for (format, engines, rounds, expected) in rows {
        let error = Schedule::new(&config(format, engines, rounds, 0)).expect_err(expected);
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn records_of_another_run_are_rejected() {
    let rejected = |format, rounds, games: Vec<GamePlan>| {
        let games = games.into_iter().map(|plan| (plan, GameResult::Draw));
        let resumed = resume(&config(format, 4, rounds, 0), games);
        resumed.expect_err("rejected").to_string()
    };
    let (games, _) = plain(&config(TournamentFormat::RoundRobin, 4, 2, 0), 0);
    let (swiss, _) = plain(&config(TournamentFormat::Swiss, 4, 2, 0), 0);
    let rows = rows![
        TournamentFormat::RoundRobin, 2, vec![games[&3], games[&3]] => "game 3 is recorded twice";
        TournamentFormat::RoundRobin, 1, vec![games[&12]] =>
            "game 12 is beyond the schedule, which has games 0 to 11";
        TournamentFormat::Gauntlet, 2, vec![games[&2]] =>
            "game 2 is recorded as engine 1 against engine 2 from opening 0, but scheduled as engine 0 against engine \
             2 from opening 0: the configuration is not that of the run";
        TournamentFormat::Swiss, 2, vec![swiss[&4]] =>
            "game 4 is recorded, but games before it, on which it depends, are not";
        TournamentFormat::Swiss, 2, vec![swiss[&4], swiss[&4]] => "game 4 is recorded twice";
    ];
    for (format, rounds, games, expected) in rows {
        assert_eq!(rejected(format, rounds, games), expected);
    }
}
