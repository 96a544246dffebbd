//! What holds of the statistics whatever the counts are.

use proptest::prelude::*;
use selfplay::stats::{
    AfterStop, Counts, EloModel, Estimate, Hypotheses, Pentanomial, SprtDesign, Summary, Wdl,
    bayes_elo, find_root, llr,
};

fn some_counts() -> impl Strategy<Value = Counts> {
    let cell = || prop_oneof![Just(0_u64), 0..20_u64, 0..100_000_u64];
    let pairs = [cell(), cell(), cell(), cell(), cell()]
        .prop_map(|cells| Counts::of_pairs(Pentanomial(cells)));
    let games = [cell(), cell(), cell()].prop_map(|[wins, draws, losses]| {
        Counts::Games(Wdl {
            wins,
            draws,
            losses,
        })
    });
    prop_oneof![pairs, games].prop_filter("there are games", |counts| counts.samples() > 0)
}

fn some_bounds() -> impl Strategy<Value = [f64; 2]> {
    (-20.0..20.0, 0.1..20.0).prop_map(|(elo0, width)| [elo0, elo0 + width])
}

const MODELS: [EloModel; 2] = [EloModel::Logistic, EloModel::Normalized];

fn assert_ordered(estimate: &Estimate) -> Result<(), TestCaseError> {
    let Estimate {
        value,
        lower,
        upper,
    } = *estimate;
    prop_assert!(lower <= value && value <= upper, "{estimate:?}");
    Ok(())
}

proptest! {
    #[test]
    fn the_other_side_sees_the_opposite(counts in some_counts(), [elo0, elo1] in some_bounds()) {
        for model in MODELS {
            let one = llr(&counts, &Hypotheses { elo0, elo1, model }).expect("not BayesElo");
            let other = Hypotheses { elo0: -elo1, elo1: -elo0, model };
            let other = llr(&counts.reversed(), &other).expect("not BayesElo");
            prop_assert!((one + other).abs() <= 1e-8 * (1.0 + one.abs()), "{one}, {other}");
        }
        let [one, other] = [counts, counts.reversed()].map(|counts| Summary::from_counts(&counts).expect("games"));
        prop_assert!((one.elo.value + other.elo.value).abs() < 1e-8);
        prop_assert!((one.los + other.los - 1.0).abs() < 1e-9);
    }

    #[test]
    fn hypotheses_swapped_change_the_sign(counts in some_counts(), [elo0, elo1] in some_bounds()) {
        for model in MODELS {
            let one = llr(&counts, &Hypotheses { elo0, elo1, model }).expect("not BayesElo");
            let swapped = Hypotheses { elo0: elo1, elo1: elo0, model };
            let other = llr(&counts, &swapped).expect("not BayesElo");
            prop_assert!((one + other).abs() <= 1e-9 * (1.0 + one.abs()), "{one}, {other}");
        }
    }

    #[test]
    fn a_pair_won_raises_the_llr_and_one_lost_lowers_it(
        cells in [1..1000_u64, 1..1000_u64, 1..1000_u64, 1..1000_u64, 1..1000_u64],
        [elo0, elo1] in some_bounds(),
    ) {
        let hypotheses = Hypotheses { elo0, elo1, model: EloModel::Logistic };
        let of = |cells| llr(&Counts::of_pairs(Pentanomial(cells)), &hypotheses).expect("logistic");
        let [mut won, mut lost] = [cells; 2];
        won[4] += 1;
        lost[0] += 1;
        prop_assert!(of(won) > of(cells) && of(cells) > of(lost));
    }

    #[test]
    fn numbers_are_finite_and_in_order(counts in some_counts(), [elo0, elo1] in some_bounds()) {
        let summary = Summary::from_counts(&counts).expect("games");
        for estimate in [&summary.elo, &summary.nelo, &summary.draw_ratio] {
            prop_assert!(estimate.lower.is_finite() && estimate.upper.is_finite());
            assert_ordered(estimate)?;
        }
        prop_assert!((0.0..=1.0).contains(&summary.los));
        if let Some(ratio) = &summary.pairs_ratio {
            assert_ordered(ratio)?;
        }
        for model in MODELS {
            let hypotheses = Hypotheses { elo0, elo1, model };
            prop_assert!(llr(&counts, &hypotheses).expect("not BayesElo").is_finite());
            let design = SprtDesign::new(hypotheses, 0.05, 0.05).expect("a test");
            let after = AfterStop::new(&counts, &design).expect("not BayesElo").expect("games");
            assert_ordered(&after.elo)?;
            prop_assert!((0.0..=1.0).contains(&after.los), "{after:?}");
        }
    }

    #[test]
    fn a_root_is_where_the_sign_changes(root in -5.0..5.0_f64, power in 1..6_i32, low in -9.0..-5.0, high in 5.0..9.0) {
        let f = |x: f64| (x - root).abs().powi(power).copysign(x - root);
        let found = find_root(f, low, high).expect("a change of sign");
        // Flat curves round to 0 around their root.
        let near = if power == 1 { 1e-12 } else { 1e-3 };
        prop_assert!((found - root).abs() < near || f(found) == 0.0, "{found}");
    }
}

/// One formula in the model itself, the other by logistic bounds: they tell the same story.
#[test]
fn both_bayes_elo_ratios_are_near() {
    let wdl = Wdl {
        wins: 716,
        draws: 2163,
        losses: 591,
    };
    let hypotheses = Hypotheses {
        elo0: 0.0,
        elo1: 6.0,
        model: EloModel::Bayesian,
    };
    let generalised = llr(&Counts::Games(wdl), &hypotheses).expect("draws are known");
    let plain = bayes_elo::llr(wdl, 0.0, 6.0);
    assert!(
        (generalised / plain - 1.0).abs() < 0.02,
        "{generalised}, {plain}"
    );
}

#[test]
fn no_games_are_defined() {
    for counts in [
        Counts::of_pairs(Pentanomial::default()),
        Counts::Games(Wdl::default()),
    ] {
        assert_eq!(Summary::from_counts(&counts), None);
        for model in MODELS {
            let hypotheses = Hypotheses {
                elo0: 0.0,
                elo1: 5.0,
                model,
            };
            assert_eq!(llr(&counts, &hypotheses), Ok(0.0));
            let design = SprtDesign::new(hypotheses, 0.05, 0.05).expect("a test");
            assert_eq!(AfterStop::new(&counts, &design), Ok(None));
        }
    }
}
