use chacha20::ChaCha8Rng;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};

use super::*;

/// A candidate: its text, the votes of workers 1, 2, 3… as `y`, `n` or `-` for none, and
/// Dawid-Skene's probability.
fn estimate((text, votes, dawid_skene): (&str, &str, f64)) -> MoveEstimate {
    let who = |answer: char| {
        let votes = (1..).zip(votes.chars());
        let voters = votes.filter(move |&(_, vote)| vote == answer);
        voters.map(|(worker, _)| worker).collect()
    };
    let text = text.parse().expect("a move");
    MoveEstimate {
        yes: who('y'),
        no: who('n'),
        dawid_skene,
        ..MoveEstimate::unanswered(text, MoveClass::Ordinary)
    }
}

fn verdict_on(rows: &[(&str, &str, f64)], reliabilities: &[Reliability]) -> String {
    let estimates: Vec<MoveEstimate> = rows.iter().copied().map(estimate).collect();
    let evidence = Evidence {
        estimates: &estimates,
        reliabilities,
    };
    match certify(&evidence, &LENIENT) {
        CertificateVerdict::Certified(certified) => {
            let moves: Vec<&str> = certified.moves().iter().map(MoveText::as_str).collect();
            format!("{} lists: {}", certified.lists(), moves.join(" "))
        }
        CertificateVerdict::Undecided(undecided) => {
            let open = undecided.unsettled.iter();
            let open: Vec<String> = open.map(|u| format!("{} {:?}", u.text, u.doubt)).collect();
            format!("lacks {}: {}", undecided.lacking, open.join(", "))
        }
    }
}

/// A contributor with a thousand known answers.
fn reliability(worker: i64, class: MoveClass, value: f64) -> Reliability {
    with_known(worker, class, value, 1000)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "shares of a thousand"
)]
fn with_known(worker: i64, class: MoveClass, value: f64, labels: u32) -> Reliability {
    let half = labels / 2;
    let right = (f64::from(half) * value).round() as u32;
    Reliability {
        worker,
        class,
        value: 0.1, // The model's does not matter.
        labels,
        known: KnownLabels {
            possible: half,
            found: right,
            impossible: half,
            invented: half - right,
        },
    }
}

#[test]
fn a_few_labels_of_a_rare_class_exclude_nobody() {
    let estimates = [("a2a3", "yyyy", 0.99), ("a2a4", "nnnn", 0.01)].map(estimate);
    for (labels, value, is_excluded) in [(2, 0.0, false), (8, 0.5, false), (40, 0.5, true)] {
        let rare = with_known(1, MoveClass::Ordinary, value, labels);
        let reliabilities = [rare, reliability(1, MoveClass::King, 0.98)];
        let evidence = Evidence {
            estimates: &estimates,
            reliabilities: &reliabilities,
        };
        let excluded = excluded(&evidence, &LENIENT);
        assert_eq!(excluded.len(), usize::from(is_excluded), "{labels} {value}");
    }
}

#[test]
fn each_way_to_stay_undecided_is_reported() {
    let table = "\
        a2a3 yyy 0.99 a2a4 nnn 0.01 | 3 lists: a2a3
        a2a3 yyyn 0.95 a2a4 nnnn 0.05 | 4 lists: a2a3
        a2a3 yy 0.99 a2a4 yn 0.99 | lacks 1: a2a3 TooFewLists, a2a4 Tie
        a2a3 yyy 0.94 a2a4 nnn 0.06 | lacks 0: a2a3 Uncertain, a2a4 Uncertain
        a2a3 yyn 0.01 a2a4 nny 0.99 | lacks 0: a2a3 MethodsDiffer, a2a4 MethodsDiffer
        a2a3 yyy NaN | lacks 0: a2a3 MethodsDiffer
        a2a3 nnn NaN | lacks 0: a2a3 Uncertain
        a2a3 - 0.5 | lacks 3: a2a3 TooFewLists
        | lacks 3:\u{20}
        a2a3 yyyy 0.99 a2a4 nn-- 0.01 | lacks 1: a2a3 TooFewLists, a2a4 TooFewLists";
    for line in table.lines() {
        let (rows, expected) = line.trim_start().split_once("| ").expect("two parts");
        let words: Vec<&str> = rows.split_whitespace().collect();
        let rows = words
            .chunks(3)
            .map(|row| (row[0], row[1], row[2].parse().expect("a number")));
        // A second look answers for some candidates only, so it is no list.
        assert_eq!(
            verdict_on(&rows.collect::<Vec<_>>(), &[]),
            expected,
            "{line}"
        );
    }
}

#[test]
fn the_unreliable_are_excluded_and_named() {
    let rows = [("a2a3", "yyyn", 0.99), ("a2a4", "nnyy", 0.01)];
    assert_eq!(verdict_on(&rows, &[]), "lacks 1: a2a4 Tie");
    let bad = [reliability(4, MoveClass::Ordinary, 0.67)];
    assert_eq!(verdict_on(&rows, &bad), "3 lists: a2a3");
    let two = [bad[0], reliability(3, MoveClass::Ordinary, 0.1)];
    assert_eq!(
        verdict_on(&rows, &two),
        "lacks 1: a2a3 TooFewLists, a2a4 TooFewLists"
    );
    // Classes that do not occur here and contributors who did not answer are irrelevant.
    let elsewhere = [
        bad[0],
        with_known(1, MoveClass::Castling, 0.1, 100),
        reliability(1, MoveClass::Ordinary, 0.98),
        reliability(9, MoveClass::Ordinary, 0.1),
        reliability(2, MoveClass::Ordinary, 0.72),
    ];
    assert_eq!(verdict_on(&rows, &elsewhere), "3 lists: a2a3");
    let estimates: Vec<MoveEstimate> = rows.into_iter().map(estimate).collect();
    let evidence = Evidence {
        estimates: &estimates,
        reliabilities: &elsewhere,
    };
    assert_eq!(excluded(&evidence, &LENIENT), BTreeSet::from([4]));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    /// A laxer rule certifies every position that a stricter one does, with the same moves.
    #[test]
    fn a_laxer_rule_keeps_what_a_stricter_one_certified(
        votes in proptest::collection::vec((proptest::collection::vec(any::<bool>(), 5), 0.0..1.0_f64), 1..4),
        sure in any::<bool>(),
        (strict, lax) in (0.8..0.999_f64, 0.5..0.8_f64),
        (more, fewer) in (3_u32..6, 0_u32..3),
    ) {
        let texts = ["a2a3", "a2a4", "b2b3", "b2b4"];
        let estimates: Vec<MoveEstimate> = texts.iter().zip(&votes).map(|(text, (votes, probability))| {
            let yes = votes.iter().filter(|&&vote| vote).count() > 2;
            let probability = if sure { f64::from(u8::from(yes)) } else { *probability };
            let votes: String = votes.iter().map(|&vote| if vote { 'y' } else { 'n' }).collect();
            estimate((text, &votes, probability))
        }).collect();
        let evidence = Evidence { estimates: &estimates, reliabilities: &[] };
        let rule = |min_lists, certainty| CertificateRule { min_lists, certainty, ..LENIENT };
        if let CertificateVerdict::Certified(by_strict) = certify(&evidence, &rule(more, strict)) {
            let CertificateVerdict::Certified(by_lax) = certify(&evidence, &rule(fewer, lax)) else {
                return Err(TestCaseError::fail("the laxer rule does not certify"));
            };
            prop_assert_eq!(by_strict.moves(), by_lax.moves());
        }
    }
}

/// Unanimous lists of careful people under the default rule: each weighs ln(0.95 / 0.5), so that 15
/// exceed ln(10,000), and each dissenter costs 3.6 more.
#[test]
fn so_many_lists_exclude_that_half_are_wrong_together() {
    assert_eq!(CertificateRule::default().sufficient_lists(), 15);
    let both = CertificateRule::default().of_both();
    assert_eq!(both.map(|rule| rule.sufficient_lists()), [15, 18]);
    for (yes, no, expected) in [
        (15, 0, "15 lists, bound 6.6e-5"),
        (14, 0, "lacks 1: TooFewLists"),
        (17, 1, "lacks 1: TooFewLists"),
        (18, 1, "19 lists, bound 9.6e-5"),
        (2, 1, "lacks 16: Contested"),
        (12, 4, "lacks 17: Contested"),
    ] {
        let votes = "y".repeat(yes) + &"n".repeat(no);
        let estimates = [estimate(("a2a3", &votes, 0.999))];
        let evidence = Evidence {
            estimates: &estimates,
            reliabilities: &[],
        };
        let found = match certify(&evidence, &CertificateRule::default()) {
            CertificateVerdict::Certified(c) => {
                format!("{} lists, bound {:.1e}", c.lists(), c.error_bound())
            }
            CertificateVerdict::Undecided(u) => {
                format!("lacks {}: {:?}", u.lacking, u.unsettled[0].doubt)
            }
        };
        assert_eq!(found, expected, "{yes} yes, {no} no");
    }
}

/// The stated bound against the measured rate: every person is wrong with the assumed probability,
/// the crowd is looked at after each vote, and reliabilities are whatever they may be.
#[test]
fn the_error_bound_holds_however_often_the_crowd_is_looked_at() {
    const RUNS: u32 = 300;
    let mut rng = ChaCha8Rng::seed_from_u64(29);
    for (wrong_share, error_bound) in [(0.5, 0.1), (0.3, 0.1), (0.1, 0.1)] {
        let rule = CertificateRule {
            min_lists: 1,
            wrong_share,
            error_bound,
            ..CertificateRule::default()
        };
        let mut wrong = 0;
        for _ in 0..RUNS {
            // The truth is no; Dawid-Skene follows the majority with certainty.
            let mut votes = String::new();
            let reliabilities: Vec<Reliability> = (1..=30)
                .map(|who| reliability(who, MoveClass::Ordinary, rng.random_range(0.7..1.0)))
                .collect();
            wrong += u32::from((0..30).any(|_| {
                votes.push(if rng.random::<f64>() < wrong_share {
                    'y'
                } else {
                    'n'
                });
                let yes = votes.matches('y').count() * 2 > votes.len();
                let certain = if yes { 0.999 } else { 0.001 };
                let estimates = [estimate(("a2a3", &votes, certain))];
                let evidence = Evidence {
                    estimates: &estimates,
                    reliabilities: &reliabilities,
                };
                let verdict = certify(&evidence, &rule);
                matches!(verdict, CertificateVerdict::Certified(list) if !list.moves().is_empty())
            }));
        }
        let rate = f64::from(wrong) / f64::from(RUNS);
        println!("stated {error_bound}, measured {rate} at {wrong_share}");
        assert!(rate <= error_bound && rate > 0.0, "{rate} at {wrong_share}");
    }
}

#[test]
fn entropy_is_greatest_in_the_middle() {
    for (probability, bits) in [(0.0, 0.0), (1.0, 0.0), (0.5, 1.0), (0.25, 0.811_278_124)] {
        assert!((entropy(probability) - bits).abs() < 1e-9, "{probability}");
    }
    assert!((entropy(f64::NAN) - 1.0).abs() < 1e-12);
}

#[test]
fn only_answers_to_every_candidate_are_a_list() {
    let text = |text: &str| text.parse::<MoveText>().expect("a move");
    let candidates = ["a2a3", "a2a4"].map(|t| Candidate {
        text: text(t),
        class: MoveClass::Ordinary,
    });
    let found = estimate(("a2a3", "yn", 0.7));
    let elsewhere = estimate(("h2h4", "y", 0.9));
    let found = [found, elsewhere].map(|one| ((7, one.text.clone()), one));
    let gathered = gather(7, &candidates, &BTreeMap::from(found));
    assert_eq!(
        (&gathered[0].yes[..], &gathered[0].no[..]),
        (&[1][..], &[2][..])
    );
    assert!((gathered[0].dawid_skene - 0.7).abs() < 1e-12);
    assert!(gathered[1].yes.is_empty() && gathered[1].no.is_empty());
    let evidence = Evidence {
        estimates: &gathered,
        reliabilities: &[],
    };
    assert!(evidence.listers().is_empty());
    assert_eq!(evidence.workers(), BTreeSet::from([1, 2]));
}
