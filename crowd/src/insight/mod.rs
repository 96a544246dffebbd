//! What people overlook: of closed positions, which legal moves finished lists lack and which illegal moves they have,
//! by position, by kind of move and by rule. Pure: lists in, figures out.
//!
//! `docs/crowd-data.md` has the definitions, and which lists count.

mod kinds;
mod share;

use std::collections::{BTreeMap, BTreeSet};

use chess::notation::san;
use chess::rules::Position;
use chess::rules::explain::{Rule, explain};

use crate::candidates::move_of;
use crate::model::{MoveText, PositionState};

pub use kinds::{Kind, kinds_of};
pub use share::{Cluster, Share};

#[derive(Clone, Debug)]
pub struct Listed {
    pub person: i64,
    pub moves: BTreeSet<MoveText>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionName {
    pub id: i64,
    pub name: String,
    pub fen: String,
    pub chess960: bool,
    pub state: PositionState,
}

/// A position whose answer is known, with the lists of it that count; at most one of each person.
#[derive(Clone, Debug)]
pub struct ClosedLists {
    pub about: PositionName,
    pub position: Position,
    pub legal: BTreeSet<MoveText>,
    /// Moves on which a moderator decided against the rules: nobody is right or wrong about them.
    pub overruled: BTreeSet<MoveText>,
    pub lists: Vec<Listed>,
}

/// A legal move of a position, and how many lists lack it.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveShare {
    pub mv: MoveText,
    pub san: String,
    pub kinds: Vec<Kind>,
    /// The lists it was shown to, and those that have it.
    pub share: Share,
}

#[derive(Clone, Debug, PartialEq)]
pub struct IllegalMove {
    pub mv: MoveText,
    pub rule: Rule,
    /// The lists that do not have it, as found; `overlooked` is the share of lists that have it.
    pub share: Share,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PositionShare {
    pub about: PositionName,
    /// Over all its legal moves and lists: how often they were shown and found.
    pub share: Share,
    /// The most overlooked first.
    pub moves: Vec<MoveShare>,
    /// The most frequent first.
    pub illegal: Vec<IllegalMove>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct KindShare {
    pub kind: Kind,
    pub positions: u64,
    pub share: Share,
}

/// A rule by how many lists have a move that it forbids.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleShare {
    pub rule: Rule,
    pub moves: u64,
    /// The lists without such a move, as found; `overlooked` is the share of lists with one.
    pub share: Share,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Insight {
    pub lists: u64,
    pub people: u64,
    /// Positions with lists and legal moves, hardest first.
    pub positions: Vec<PositionShare>,
    /// The hardest first.
    pub kinds: Vec<KindShare>,
    /// The most frequently broken first.
    pub rules: Vec<RuleShare>,
}

/// What each person was shown and found of something.
type ByPerson = BTreeMap<i64, Cluster>;

fn note(people: &mut ByPerson, person: i64, shown: u64, found: u64) {
    let one = people.entry(person).or_default();
    one.shown += shown;
    one.found += found;
}

fn share_of(people: &ByPerson) -> Share {
    let clusters: Vec<Cluster> = people.values().copied().collect();
    Share::from_clusters(&clusters)
}

pub fn analyse(closed: &[ClosedLists]) -> Insight {
    let mut kinds: BTreeMap<Kind, (u64, ByPerson)> = BTreeMap::new();
    let mut lists: ByPerson = BTreeMap::new();
    let mut broken: BTreeMap<Rule, (u64, ByPerson)> = BTreeMap::new();
    let mut insight = Insight::default();
    for one in closed.iter().filter(|one| !one.lists.is_empty()) {
        let position = position_share(one);
        let mut kinds_here = BTreeSet::new();
        for mv in &position.moves {
            for &kind in &mv.kinds {
                let (positions, people) = kinds.entry(kind).or_default();
                *positions += u64::from(kinds_here.insert(kind));
                for list in &one.lists {
                    let found = u64::from(list.moves.contains(&mv.mv));
                    note(people, list.person, 1, found);
                }
            }
        }
        for list in &one.lists {
            note(&mut lists, list.person, 1, 0);
            let wrong = position.illegal.iter();
            let wrong = wrong.filter(|wrong| list.moves.contains(&wrong.mv));
            let mut rules = BTreeSet::new();
            for one in wrong {
                let (moves, people) = broken.entry(one.rule).or_default();
                *moves += 1;
                if rules.insert(one.rule) {
                    note(people, list.person, 1, 0);
                }
            }
        }
        if !position.moves.is_empty() {
            insight.positions.push(position);
        }
    }
    insight.lists = lists.values().map(|one| one.shown).sum();
    insight.people = lists.len() as u64;
    let kind = |(kind, (positions, people)): (Kind, (u64, ByPerson))| KindShare {
        kind,
        positions,
        share: share_of(&people),
    };
    insight.kinds = kinds.into_iter().map(kind).collect();
    let rule = |(rule, (moves, breakers)): (Rule, (u64, ByPerson))| {
        let person = |(person, all): (&i64, &Cluster)| Cluster {
            shown: all.shown,
            found: all.shown - breakers.get(person).map_or(0, |broke| broke.shown),
        };
        let people: Vec<Cluster> = lists.iter().map(person).collect();
        let share = Share::from_clusters(&people);
        RuleShare { rule, moves, share }
    };
    insight.rules = broken.into_iter().map(rule).collect();
    hardest_first(&mut insight.positions, |one| one.share);
    hardest_first(&mut insight.kinds, |one| one.share);
    hardest_first(&mut insight.rules, |one| one.share);
    insight
}

/// By the share overlooked; of equal ones the better known first.
fn hardest_first<T>(all: &mut [T], share: impl Fn(&T) -> Share) {
    all.sort_by(|one, other| {
        let (one, other) = (share(one), share(other));
        let by_share = other.overlooked.total_cmp(&one.overlooked);
        by_share.then(other.low.total_cmp(&one.low))
    });
}

fn position_share(one: &ClosedLists) -> PositionShare {
    let answer: Vec<&MoveText> = one.legal.difference(&one.overruled).collect();
    // Each list is of another person, so that each is a cluster.
    let of_move = |mv: &MoveText, is_legal: bool| {
        let right = |list: &Listed| Cluster {
            shown: 1,
            found: u64::from(list.moves.contains(mv) == is_legal),
        };
        Share::from_clusters(&one.lists.iter().map(right).collect::<Vec<_>>())
    };
    let legal = answer.iter().map(|&mv| {
        let m = move_of(&one.position, mv);
        MoveShare {
            mv: mv.clone(),
            san: san::write(m, &one.position),
            kinds: kinds_of(&one.position, m),
            share: of_move(mv, true),
        }
    });
    let mut moves: Vec<MoveShare> = legal.collect();
    hardest_first(&mut moves, |mv| mv.share);
    let listed: BTreeSet<&MoveText> = one.lists.iter().flat_map(|list| &list.moves).collect();
    let wrong = listed
        .into_iter()
        .filter(|mv| !one.legal.contains(*mv) && !one.overruled.contains(*mv));
    let illegal = wrong.map(|mv| IllegalMove {
        mv: mv.clone(),
        rule: explain(&one.position, move_of(&one.position, mv)).rule(),
        share: of_move(mv, false),
    });
    let mut illegal: Vec<IllegalMove> = illegal.collect();
    hardest_first(&mut illegal, |mv| mv.share);
    let list = |list: &Listed| {
        let found = answer.iter().filter(|mv| list.moves.contains(**mv)).count();
        Cluster {
            shown: answer.len() as u64,
            found: found as u64,
        }
    };
    PositionShare {
        about: one.about.clone(),
        share: Share::from_clusters(&one.lists.iter().map(list).collect::<Vec<_>>()),
        moves,
        illegal,
    }
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;

    use super::*;
    use crate::candidates::legal_texts;

    /// A pinned knight, castling both ways, and a king that f1 and d1 are safe for.
    const PINNED: &str = "4r1k1/8/8/8/8/8/4N3/R3K2R w KQ - 0 1";

    fn closed(id: i64, place: &str, lists: &[(i64, &[&str], &[&str])]) -> ClosedLists {
        let position = fen::parse(place).expect("a legal FEN");
        let legal = legal_texts(&position);
        let list = |&(person, without, with): &(i64, &[&str], &[&str])| Listed {
            person,
            moves: legal
                .iter()
                .filter(|mv| !without.contains(&mv.as_str()))
                .cloned()
                .chain(with.iter().map(|mv| mv.parse().expect("a move")))
                .collect(),
        };
        ClosedLists {
            about: PositionName {
                id,
                name: id.to_string(),
                fen: place.to_owned(),
                chess960: false,
                state: PositionState::Agreed,
            },
            position,
            lists: lists.iter().map(list).collect(),
            legal,
            overruled: BTreeSet::new(),
        }
    }

    #[test]
    fn nobody_is_wrong_about_what_a_moderator_overruled() {
        let mut one = closed(1, PINNED, &[(1, &["e1c1"], &["e2c3"])]);
        one.overruled = ["e1c1", "e2c3"]
            .map(|mv| mv.parse().expect("a move"))
            .into();
        let found = analyse(&[one]);
        assert!(found.rules.is_empty());
        let share = found.positions[0].share;
        assert_eq!(share.found, share.shown);
    }

    #[test]
    fn without_lists_or_moves_there_is_nothing_to_overlook() {
        let none = closed(1, PINNED, &[]);
        let mate = closed(2, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", &[(1, &[], &["h8g7"])]);
        let found = analyse(&[none, mate]);
        assert!(found.positions.is_empty() && found.kinds.is_empty());
        assert_eq!(
            (found.lists, found.rules[0].rule),
            (1, Rule::KingTakesProtected)
        );
    }
}
