//! Simulated tests: error rates as promised, lengths as planned. All seeds are fixed.

use std::num::NonZeroU64;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use selfplay::stats::simulate::{SimulatedTest, Simulation, SimulationTally};
use selfplay::stats::{
    Counts, EloModel, FastchessStrength, Hypotheses, PairModel, Pentanomial, SprtDesign, Summary,
    plan,
};

const PAIRS: PairModel = PairModel::Games {
    draw_ratio: 0.5,
    bias: 60.0,
};

fn design(model: EloModel) -> SprtDesign {
    let hypotheses = Hypotheses {
        elo0: 0.0,
        elo1: 20.0,
        model,
    };
    SprtDesign::new(hypotheses, 0.05, 0.1).expect("a test")
}

fn simulation(model: EloModel, elo: f64, correction: bool) -> Simulation {
    Simulation {
        design: design(model),
        pairs: PAIRS.at_elo(elo, model).expect("such pairs"),
        batch: NonZeroU64::MIN,
        max_pairs: 1_000_000,
        correction,
        seed: 7,
    }
}

fn tally(simulation: &Simulation, tests: u64) -> SimulationTally {
    let runs: Vec<SimulatedTest> = (0..tests)
        .into_par_iter()
        .map(|index| simulation.run(index))
        .collect();
    SimulationTally::from_runs(&runs).expect("tests")
}

#[test]
#[expect(
    clippy::cast_precision_loss,
    reason = "there are far fewer than 2^53 tests"
)]
fn errors_are_as_rare_as_promised() {
    for model in [EloModel::Logistic, EloModel::Normalized] {
        let tests = testkit::scale(100, 8000);
        let [h0, h1] = [0.0, 20.0].map(|elo| tally(&simulation(model, elo, true), tests));
        // Four standard errors, and a little for the counts being few.
        let most = |share: f64| 0.003 + 4.0 * (share * (1.0 - share) / tests as f64).sqrt();
        let [alpha, beta] = [h0.pass.value, 1.0 - h1.pass.value];
        assert!(
            (alpha - 0.05).abs() < most(0.05),
            "{model:?}: alpha {alpha}"
        );
        assert!((beta - 0.1).abs() < most(0.1), "{model:?}: beta {beta}");
        assert_eq!(h0.undecided + h1.undecided, 0);
    }
}

#[test]
#[expect(clippy::cast_precision_loss, reason = "lengths are far below 2^53")]
fn lengths_and_chances_are_as_planned() {
    for elo in [0.0, 10.0, 20.0] {
        let planned = plan(&PAIRS, &design(EloModel::Logistic), elo).expect("such pairs");
        let tests = testkit::scale(400, 4000);
        // The lengths of 4,000 tests are within 8 %; errors shrink by the root.
        let most = 0.08 * (4000.0 / tests as f64).sqrt();
        let played = tally(&simulation(EloModel::Logistic, elo, true), tests);
        let error = (played.pass.value - planned.pass).abs();
        assert!(
            error < 3.0 / 8.0 * most,
            "{elo}: {played:?}, planned {planned:?}"
        );
        for (played, planned) in [
            (played.games, planned.games),
            (played.median as f64, planned.median),
            (played.most as f64, planned.most),
        ] {
            let ratio = played / planned;
            assert!(
                (ratio - 1.0).abs() < most,
                "{elo}: {played}, planned {planned}"
            );
        }
    }
}

/// Wald's bounds are passed by an overshoot, which makes tests longer.
#[test]
fn the_correction_saves_games() {
    let [with, without] = [true, false].map(|correction| {
        let simulation = simulation(EloModel::Logistic, 0.0, correction);
        tally(&simulation, testkit::scale(400, 4000))
    });
    assert!(with.games < without.games, "{with:?}, {without:?}");
    assert!(
        with.pass.value >= without.pass.value,
        "{with:?}, {without:?}"
    );
}

#[test]
fn a_test_is_the_same_on_every_thread() {
    let simulation = simulation(EloModel::Normalized, 5.0, true);
    let tests = testkit::scale(20, 200);
    let one_by_one: Vec<SimulatedTest> = (0..tests).map(|index| simulation.run(index)).collect();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(3)
        .build()
        .expect("threads");
    let together: Vec<SimulatedTest> = pool.install(|| {
        (0..tests)
            .into_par_iter()
            .map(|index| simulation.run(index))
            .collect()
    });
    assert_eq!(one_by_one, together);
}

#[test]
fn a_test_can_be_given_up() {
    let mut simulation = simulation(EloModel::Logistic, 10.0, true);
    simulation.max_pairs = 3;
    simulation.batch = NonZeroU64::new(2).expect("not 0");
    let tally = tally(&simulation, 10);
    assert_eq!((tally.undecided, tally.most), (10, 6));
}

/// How many of 100 intervals of nElo contain the true value: ours, and that of fastchess, which
/// treats the variance as known. Matches of 500 pairs.
#[test]
#[expect(
    clippy::cast_precision_loss,
    reason = "there are far fewer than 2^53 matches"
)]
fn intervals_of_nelo_contain_the_true_value() {
    let matches = testkit::scale(1000, 5000);
    println!(" nElo    ours  fastchess");
    let pairs = PairModel::Games {
        draw_ratio: 0.2,
        bias: 60.0,
    };
    for nelo in [0.0, 50.0, 100.0, 200.0, 300.0] {
        let mut simulation = simulation(EloModel::Normalized, 0.0, true);
        let model = EloModel::Normalized;
        simulation.pairs = pairs.at_elo(nelo, model).expect("such pairs");
        let (mean, _) = simulation.pairs.mean_and_variance();
        let deviation = simulation.pairs.deviation_per_game();
        let truth = (mean - 0.5) / deviation * 800.0 / std::f64::consts::LN_10;
        simulation.seed = 11;
        let found = |index| {
            let counts = Counts::of_pairs(Pentanomial(simulation.sample(index, 500)));
            let ours = Summary::from_counts(&counts).expect("pairs").nelo;
            let theirs = FastchessStrength::from_counts(&counts);
            let is_inside = [
                (ours.value - truth).abs() <= ours.error(),
                (theirs.nelo - truth).abs() <= theirs.nelo_error,
            ];
            is_inside.map(u32::from)
        };
        let sum = |[a, b]: [u32; 2], [c, d]: [u32; 2]| [a + c, b + d];
        let inside = (0..matches)
            .into_par_iter()
            .map(found)
            .reduce(|| [0; 2], sum);
        let [ours, theirs] = inside.map(|inside| 100.0 * f64::from(inside) / matches as f64);
        println!("{truth:>5.0}  {ours:>5.1}%  {theirs:>8.1}%");
        // Four standard errors.
        let most = 4.0 * (95.0 * 5.0 / matches as f64).sqrt();
        assert!((ours - 95.0).abs() < most, "{truth}: {ours}%");
        if nelo >= 200.0 {
            assert!(theirs < 90.0, "{truth}: {theirs}%");
        }
    }
}
