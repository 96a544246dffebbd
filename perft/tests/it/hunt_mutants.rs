//! Mutants are hunted down: to a small position, a fault that is really there, a wrong move that
//! is really wrong.

use std::num::NonZeroU32;

use chess::notation::fen;
use chess::perft::count;
use chess::rules::{Move, Position, mailbox};
use epd::suites;
use perft::hunt::{CountQuestion, HuntEnd, HuntFault, HuntLimits, HuntResult, WrongMove, hunt};
use perft::mutants::{Budget, Mutant, Mutation};
use perft::subject::{Answer, MoveMeaning, Subject};
use rayon::prelude::*;
use testkit::some;

/// Two kings and what a rule may need: castling with a rook and a piece that attacks, say.
const MOST_PIECES: u32 = 7;
/// What a list that is too short needs: more pieces of a kind, or more moves, than it has room for.
const MOST_PIECES_OF_LISTS: u32 = 24;
/// Leaf nodes of the questions that a mutant is caught by, by depth.
const MOST_NODES: [u64; 5] = [200_000, 200_000, 200_000, 20_000, 5_000];

#[test]
fn mutants_are_hunted_down() {
    let positions = positions();
    let faults: Vec<String> = some(Mutation::ALL.to_vec(), 12)
        .into_par_iter()
        .filter_map(|mutation| {
            let faults = faults_of_hunt(mutation, &positions);
            (!faults.is_empty()).then(|| format!("{}: {}", mutation.name(), faults.join("; ")))
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The positions of the suites, those with many pieces first: there is much to take away.
fn positions() -> Vec<Position> {
    let mut positions: Vec<Position> = suites::ALL
        .iter()
        .flat_map(|suite| suite.parse().entries)
        .map(|entry| *entry.record.position())
        .collect();
    positions.sort_by_key(|position| std::cmp::Reverse(position.occupied().count()));
    positions
}

/// What is wrong with the hunt for a mutant.
fn faults_of_hunt(mutation: Mutation, positions: &[Position]) -> Vec<String> {
    let mut mutant = Mutant::new(Some(mutation));
    let Some(question) = first_wrong(&mut mutant, positions) else {
        return vec!["no position of the suites catches it".to_owned()];
    };
    let finding = hunt(&mut mutant, &question, HuntLimits::default()).expect("a mutant answers");
    let shown = &finding.shown;
    let root = shown.route.root();
    let answer = ask(&mut mutant, shown);
    let checks = [
        (
            "it did not come to its end",
            finding.end == HuntEnd::Complete,
        ),
        ("the oracle is in doubt", finding.oracle_agrees),
        (
            "many pieces",
            root.occupied().count() <= most_pieces(mutation),
        ),
        (
            "our count is not that of the oracle",
            mailbox::perft(&shown.position().to_setup(), shown.depth.get()) == finding.counts.ours,
        ),
        (
            "the mutant says something else",
            answer.count() == finding.counts.theirs,
        ),
        (
            "the fault is not there",
            is_there(&finding.fault, &finding, &answer, &mut mutant),
        ),
    ];
    let faults = checks.into_iter().filter(|&(_, holds)| !holds);
    faults
        .map(|(fault, _)| {
            let fen = fen::write(root);
            format!("{fault} ({fen} depth {}, {:?})", shown.depth, finding.fault)
        })
        .collect()
}

fn most_pieces(mutation: Mutation) -> u32 {
    let tags = mutation.tags();
    if tags.contains(&"many-pieces") || tags.contains(&"many-moves") {
        MOST_PIECES_OF_LISTS
    } else {
        MOST_PIECES
    }
}

/// The shallowest count that the mutant gets wrong.
fn first_wrong(mutant: &mut Mutant, positions: &[Position]) -> Option<CountQuestion> {
    for (depth, most) in (1..).zip(MOST_NODES) {
        let budget = Budget {
            leaves: most,
            made: most,
        };
        for position in positions {
            let right = count(position, depth).expect("a small count");
            if right > most {
                continue;
            }
            let counted = mutant.perft_within(position, depth, budget);
            if counted.is_some_and(|counted| counted != right) {
                let depth = NonZeroU32::new(depth).expect("from 1 on");
                return Some(CountQuestion::by_fen(*position, depth));
            }
        }
    }
    None
}

fn ask(mutant: &mut Mutant, question: &CountQuestion) -> Answer {
    Subject::perft(mutant, &question.route, question.depth).expect("a mutant answers")
}

/// Whether a fault is what the mutant shows.
fn is_there(fault: &HuntFault, finding: &HuntResult, answer: &Answer, mutant: &mut Mutant) -> bool {
    let shown = &finding.shown;
    let moves = mailbox::legal_moves(&shown.position().to_setup());
    match fault {
        HuntFault::Moves(wrong) => {
            !wrong.is_empty() && wrong.iter().all(|wrong| is_wrong(wrong, &moves, answer))
        }
        HuntFault::CountsMated { after: None, .. } => moves.is_empty(),
        HuntFault::CountsMated { after: Some(m), .. } => {
            let after = shown.position().play(*m).expect("a legal move");
            mailbox::legal_moves(&after.to_setup()).is_empty()
        }
        HuntFault::StateAfterMoves(inner) => {
            let by_fen = CountQuestion::by_fen(*shown.position(), shown.depth);
            let counts = ask(mutant, &by_fen).count();
            counts == Some(finding.counts.ours) && is_there(inner, finding, answer, mutant)
        }
        HuntFault::Undo(row) => {
            let child = shown.child(row.m).expect("more than one ply");
            let alone = ask(mutant, &child).count();
            row.ours != row.theirs && alone == Some(row.ours)
        }
        // A mutant divides, always answers, and its total is the sum of its rows.
        _ => false,
    }
}

fn is_wrong(wrong: &WrongMove, legal: &[Move], answer: &Answer) -> bool {
    let rows = answer.rows.as_deref().unwrap_or_default();
    let listed = |m: Move| {
        rows.iter()
            .filter(|row| matches!(row.meaning, MoveMeaning::Legal(o) | MoveMeaning::Illegal(o) if o == m))
            .count()
    };
    match wrong {
        WrongMove::Missing(m) => legal.contains(m) && listed(*m) == 0,
        WrongMove::Extra { m, .. } => !legal.contains(m) && listed(*m) > 0,
        WrongMove::Duplicate { m, times } => legal.contains(m) && listed(*m) == *times,
        WrongMove::Promotions { from, to, .. } => {
            let is_here = |m: &Move| (m.from(), m.to()) == (*from, *to);
            let meant = rows.iter().filter_map(|row| match row.meaning {
                MoveMeaning::Legal(m) | MoveMeaning::Illegal(m) => Some(m),
                MoveMeaning::Unreadable => None,
            });
            let mut shown: Vec<Move> = meant.filter(is_here).collect();
            let mut right: Vec<Move> = legal.iter().copied().filter(is_here).collect();
            shown.sort_unstable();
            right.sort_unstable();
            right.len() == 4 && shown != right
        }
        WrongMove::Unreadable { .. } => false,
    }
}
