use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::certify::{Ballot, Rule};
use super::evidence::Evidence;
use crate::model::MoveText;

/// Selects the questions of a second look: up to `limit` disputed candidates, mixed with as many
/// undisputed ones, half of them settled as legal and half as illegal.
///
/// The most disputed candidates are preferred and, among settled ones, those with some dissent: an
/// obvious filler would show which questions are open. The order is random, by the seed. Everything
/// derives from the contributors' answers; without a position the function cannot query a
/// generator. Empty if nothing is disputed.
pub fn questions(evidence: &Evidence, rule: &Rule, seed: u64, limit: usize) -> Vec<MoveText> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut ballots = Ballot::all(evidence, rule);
    ballots.shuffle(&mut rng);
    let (mut disputed, settled): (Vec<Ballot>, Vec<Ballot>) = ballots
        .into_iter()
        .filter(|ballot| ballot.yes + ballot.no > 0)
        .partition(|ballot| ballot.dispute(rule).is_some());
    disputed.sort_by(|a, b| b.bits().total_cmp(&a.bits()));
    disputed.truncate(limit);
    let (yes, no): (Vec<Ballot>, Vec<Ballot>) = settled.into_iter().partition(Ballot::says_yes);
    let of_yes = disputed.len().div_ceil(2);
    let of_no = disputed.len() - of_yes;
    let mut asked = disputed;
    asked.extend(fillers(yes, of_yes));
    asked.extend(fillers(no, of_no));
    asked.shuffle(&mut rng);
    asked
        .into_iter()
        .map(|ballot| ballot.estimate.text.clone())
        .collect()
}

/// The settled candidates with the most dissent, or else any.
fn fillers(mut settled: Vec<Ballot>, count: usize) -> Vec<Ballot> {
    settled.sort_by(|a, b| b.bits().total_cmp(&a.bits()));
    settled.truncate(count);
    settled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MoveClass;
    use crate::trust::Estimate;
    use std::collections::BTreeSet;

    fn estimates() -> Vec<Estimate> {
        let row = |(file, rank): (char, u8), yes: &[i64], no: &[i64], dawid_skene| Estimate {
            text: format!("a1{file}{rank}").parse().expect("a move"),
            class: MoveClass::Ordinary,
            yes: yes.to_vec(),
            no: no.to_vec(),
            dawid_skene,
        };
        let mut all = Vec::new();
        for rank in 1..=8 {
            all.push(row(('b', rank), &[1, 2], &[3, 4], 0.5));
            all.push(row(('c', rank), &[1, 2, 3, 4], &[], 0.99));
            all.push(row(('d', rank), &[], &[1, 2, 3, 4], 0.01));
            all.push(row(('e', rank), &[], &[], 0.5));
        }
        all.push(row(('f', 1), &[1, 2, 3], &[4], 0.99));
        all.push(row(('f', 2), &[4], &[1, 2, 3], 0.01));
        all
    }

    fn asked(seed: u64, limit: usize) -> Vec<String> {
        let estimates = estimates();
        let evidence = Evidence {
            estimates: &estimates,
            reliabilities: &[],
        };
        let texts = questions(&evidence, &Rule::default(), seed, limit);
        texts.iter().map(MoveText::to_string).collect()
    }

    fn of_file(texts: &[String], file: char) -> usize {
        texts
            .iter()
            .filter(|text| text.chars().nth(2) == Some(file))
            .count()
    }

    #[test]
    fn half_are_disputed_and_the_others_half_yes_half_no() {
        for (limit, sizes) in [
            (0, [0, 0, 0, 0]),
            (1, [1, 0, 0, 1]),
            (4, [4, 1, 1, 2]),
            (5, [5, 2, 1, 2]),
        ] {
            let texts = asked(7, limit);
            let found = ['b', 'c', 'd', 'f'].map(|file| of_file(&texts, file));
            assert_eq!(found, sizes, "{limit}: {texts:?}");
            assert_eq!(of_file(&texts, 'e'), 0, "nobody has answered there");
        }
    }

    #[test]
    fn order_and_choice_follow_the_seed() {
        let orders: BTreeSet<Vec<String>> = (0..20).map(|seed| asked(seed, 4)).collect();
        assert!(orders.len() > 15);
        assert_eq!(asked(3, 4), asked(3, 4));
        let first: BTreeSet<char> = (0..50)
            .filter_map(|seed| asked(seed, 4)[0].chars().nth(2))
            .collect();
        assert!(
            first.len() > 2,
            "disputed ones do not come first: {first:?}"
        );
    }

    #[test]
    fn nothing_is_asked_where_nothing_is_disputed() {
        let mut estimates = estimates();
        estimates.retain(|e| e.yes.len() != e.no.len() || e.yes.is_empty());
        let evidence = Evidence {
            estimates: &estimates,
            reliabilities: &[],
        };
        assert!(questions(&evidence, &Rule::default(), 1, 4).is_empty());
    }
}
