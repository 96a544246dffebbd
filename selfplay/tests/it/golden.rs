//! The statistics against those of fishtest, number by number.

use std::num::NonZeroU64;

use selfplay::stats::{
    AfterStop, Counts, EloModel, Hypotheses, PairModel, Pentanomial, Sprt, SprtDesign, SprtState,
    Summary, Wdl, llr, plan,
};

fn counts(kind: &str, cells: &str, wdl: &str) -> Counts {
    let numbers = |text: &str| -> Vec<u64> {
        let words = text.split(' ').map(|word| word.parse().expect("a count"));
        words.collect()
    };
    let wdl = numbers(wdl);
    let wdl = Wdl {
        wins: wdl[0],
        draws: wdl[1],
        losses: wdl[2],
    };
    if kind == "games" {
        return Counts::Games(wdl);
    }
    let pairs = Pentanomial(numbers(cells).try_into().expect("five counts"));
    let games = (wdl != Wdl::default()).then_some(wdl);
    assert!(games.is_none_or(|games| pairs.can_be_made_of(games)));
    Counts::Pairs { pairs, games }
}

fn model(name: &str) -> EloModel {
    let models = [EloModel::Logistic, EloModel::Normalized, EloModel::Bayesian];
    let found = models.into_iter().find(|model| model.name() == name);
    found.expect("a model")
}

/// Agrees to 9 digits; where a number should be 0, as far as the other side knows it to be.
fn check(what: &str, found: f64, expected: f64, row: &csv::StringRecord) {
    let (zero, doubt) = match what {
        "llr" => (1e-6, 1e-14),
        _ if what.contains("elo") => (1e-6, 1e-7),
        _ => (1e-300, 1e-300),
    };
    let is_zero = expected.abs() < zero;
    let near = if is_zero {
        doubt
    } else {
        1e-9 * expected.abs()
    };
    let difference = (found - expected).abs();
    assert!(
        difference <= near,
        "{what} is {found}, expected {expected}: {row:?}"
    );
}

#[test]
fn agrees_with_fishtest_to_nine_digits() {
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(include_str!("../data/fishtest.csv").as_bytes());
    let mut rows = 0;
    for row in reader.records() {
        let row = row.expect("a row");
        let number = |column: usize| -> f64 { row[column].parse().expect("a number") };
        let counts = counts(&row[0], &row[1], &row[2]);
        let hypotheses = Hypotheses {
            elo0: number(4),
            elo1: number(5),
            model: model(&row[3]),
        };
        let design = SprtDesign::new(hypotheses, number(6), number(7)).expect("a test");
        let summary = Summary::from_counts(&counts).expect("games");
        let llr = llr(&counts, &hypotheses).expect("draws are known");
        let after = AfterStop::new(&counts, &design).expect("draws are known");
        let after = after.expect("games");
        let numbers = [
            ("elo", summary.elo.value),
            ("elo_error", summary.elo.error()),
            ("los", summary.los),
            ("nelo", summary.nelo.value),
            ("nelo_error", summary.nelo.error()),
            ("llr", llr),
            ("stop_elo", after.elo.value),
            ("stop_lower", after.elo.lower),
            ("stop_upper", after.elo.upper),
            ("stop_los", after.los),
        ];
        for (column, (what, found)) in numbers.into_iter().enumerate() {
            check(what, found, number(8 + column), &row);
        }
        rows += 1;
    }
    assert_eq!(rows, 340);
}

/// A test as fishtest ran it, on pairs of a known generator.
struct Course {
    model: EloModel,
    bounds: [f64; 2],
    batch: u64,
    seed: u64,
    /// Where among 1000 numbers each kind of pair ends.
    ends: [u64; 4],
    state: SprtState,
    pairs: u64,
    llr: f64,
    overshoot: [f64; 2],
}

/// `update_SPRT` of fishtest's `stat_util.py`, at the commit named in `data/fishtest.csv`.
#[rustfmt::skip]
const COURSES: [Course; 5] = [
    Course { model: EloModel::Logistic, bounds: [0.0, 5.0], batch: 1, seed: 1, ends: [50, 250, 750, 950],
        state: SprtState::AcceptedH0, pairs: 7405, llr: -2.949_307_449_674_176_2, overshoot: [0.018_270_377_338_691_15, 0.015_825_665_876_407_91] },
    Course { model: EloModel::Logistic, bounds: [0.0, 5.0], batch: 8, seed: 2, ends: [45, 240, 740, 945],
        state: SprtState::AcceptedH1, pairs: 4088, llr: 2.938_536_498_493_831, overshoot: [0.050_861_932_200_028_39, 0.056_300_867_119_579_066] },
    Course { model: EloModel::Normalized, bounds: [0.0, 5.0], batch: 1, seed: 3, ends: [30, 240, 740, 955],
        state: SprtState::AcceptedH1, pairs: 6807, llr: 2.930_662_466_893_727, overshoot: [0.011_563_743_556_941_324, 0.014_368_172_338_133_714] },
    Course { model: EloModel::Logistic, bounds: [-10.0, 10.0], batch: 4, seed: 4, ends: [100, 300, 600, 800],
        state: SprtState::AcceptedH1, pairs: 204, llr: 3.056_562_485_433_585, overshoot: [0.0, 0.086_249_829_533_587_76] },
    Course { model: EloModel::Normalized, bounds: [-5.0, 5.0], batch: 32, seed: 5, ends: [60, 260, 760, 950],
        state: SprtState::AcceptedH0, pairs: 1504, llr: -2.870_680_006_969_822_6, overshoot: [0.133_487_627_203_300_85, 0.292_710_209_431_469_86] },
];

#[test]
fn tests_stop_where_fishtest_s_do() {
    for course in &COURSES {
        let [elo0, elo1] = course.bounds;
        let model = course.model;
        let design = SprtDesign::new(Hypotheses { elo0, elo1, model }, 0.05, 0.05);
        let design = design.expect("a test");
        let batch = NonZeroU64::new(course.batch).expect("not 0");
        let mut sprt = Sprt::new(design, batch);
        let (mut cells, mut pairs, mut number) = ([0; 5], 0, course.seed);
        let state = loop {
            // D. E. Knuth's MMIX generator.
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let part = (number >> 33) % 1000;
            cells[course.ends.iter().filter(|&&end| part >= end).count()] += 1;
            pairs += 1;
            if pairs % course.batch != 0 {
                continue;
            }
            let counts = Counts::of_pairs(Pentanomial(cells));
            let state = sprt.update(&counts).expect("not BayesElo");
            if state != SprtState::Running {
                break state;
            }
        };
        assert_eq!((state, pairs), (course.state, course.pairs));
        assert!(
            (sprt.llr() / course.llr - 1.0).abs() < 1e-9,
            "{}",
            sprt.llr()
        );
        let [lower, upper] = sprt.bounds();
        let found = [lower - design.lower_bound(), design.upper_bound() - upper];
        for (found, expected) in found.into_iter().zip(course.overshoot) {
            assert!(
                (found - expected).abs() < 1e-9,
                "{found}, expected {expected}"
            );
        }
    }
}

/// Bounds, draw ratio, opening bias and chances of an error; then the chance to pass and the mean
/// length for equal engines, of `sprt.js` of fishtest's SPRT calculator, at the same commit, under
/// Node.
const PLANS: [([f64; 6], [f64; 2]); 4] = rows![
    [0.0, 5.0, 0.5, 60.0, 0.05, 0.05] => [0.05, 12_048.780_068_016_75];
    [-3.0, 1.0, 0.61, 0.0, 0.05, 0.1] => [0.731_492_087_579_627_8, 17_770.310_252_776_282];
    [-2.0, 2.0, 0.3, 191.0, 0.05, 0.05] => [0.5, 29_413.050_481_435_65];
    [-7.0, -1.0, 0.49, 120.0, 0.01, 0.05] => [0.981_376_464_609_926_1, 8_872.627_898_460_567];
];

#[test]
fn plans_are_those_of_fishtest_s_calculator() {
    for ([elo0, elo1, draw_ratio, bias, alpha, beta], [pass, games]) in PLANS {
        let model = EloModel::Logistic;
        let design = SprtDesign::new(Hypotheses { elo0, elo1, model }, alpha, beta);
        let pairs = PairModel::Games { draw_ratio, bias };
        let plan = plan(&pairs, &design.expect("a test"), 0.0).expect("such pairs");
        assert!((plan.pass / pass - 1.0).abs() < 1e-9, "{plan:?}");
        assert!((plan.games / games - 1.0).abs() < 1e-9, "{plan:?}");
    }
}
