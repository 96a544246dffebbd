//! Faults are hunted down: to a small position, a fault that is really there, a wrong move that
//! is really wrong.

use chess::notation::fen;
use chess::perft::count;
use chess::rules::{Move, mailbox};
use perft::faults::{Fault, FaultExample, Faulty, Scope, examples};
use perft::hunt::{CountQuestion, HuntEnd, HuntFault, HuntLimits, HuntResult, WrongMove, hunt};
use perft::subject::{Answer, MoveMeaning, Subject};
use rayon::prelude::*;
use std::num::NonZeroU32;
use testkit::some;

/// Two kings and what a rule may need: castling with a rook and a piece that attacks, say; pieces are taken off,
/// none is moved, so that one may be left to shield a king.
const MOST_PIECES: u32 = 10;
/// What a list that is too short needs: more pieces of a kind, or more moves or pins, than it has room for.
const MOST_PIECES_OF_LISTS: u32 = 25;

#[test]
fn faults_are_hunted_down() {
    let of_example = |example: &'static FaultExample| {
        let faults = example.faults.iter();
        faults.map(move |&fault| (fault, example))
    };
    let all: Vec<(Fault, &FaultExample)> = examples(Scope::Chess960).flat_map(of_example).collect();
    let wrong: Vec<String> = some(all, 60)
        .into_par_iter()
        .filter_map(|(fault, example)| {
            let wrong = wrong_with_hunt(fault, example);
            (!wrong.is_empty()).then(|| format!("{}: {}", fault.name(), wrong.join("; ")))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with the hunt for a fault.
fn wrong_with_hunt(fault: Fault, example: &FaultExample) -> Vec<String> {
    let mut faulty = Faulty::with(fault);
    let differs = |depth: &u32| {
        let right = count(&example.position, *depth).expect("a small count");
        Faulty::with(fault).perft(&example.position, *depth) != right
    };
    let Some(depth) = (1..=example.depth).find(differs).and_then(NonZeroU32::new) else {
        return vec!["its example does not show it".to_owned()];
    };
    let question = CountQuestion::by_fen(example.position, depth);
    let finding = hunt(&mut faulty, &question, HuntLimits::default()).expect("it answers");
    let shown = &finding.shown;
    let root = shown.route.root();
    let answer = ask(&mut faulty, shown);
    let checks = [
        (
            "it did not come to its end",
            finding.end == HuntEnd::Complete,
        ),
        ("the oracle is in doubt", finding.oracle_agrees),
        ("many pieces", root.occupied().count() <= most_pieces(fault)),
        (
            "our count is not that of the oracle",
            mailbox::perft(&shown.position().to_setup(), shown.depth.get()) == finding.counts.ours,
        ),
        (
            "the generator says something else",
            answer.count() == finding.counts.theirs,
        ),
        (
            "the fault is not there",
            is_there(&finding.fault, &finding, &answer, &mut faulty),
        ),
    ];
    let wrong = checks.into_iter().filter(|&(_, holds)| !holds);
    wrong
        .map(|(what, _)| {
            let fen = fen::write(root);
            format!("{what} ({fen} depth {}, {:?})", shown.depth, finding.fault)
        })
        .collect()
}

fn most_pieces(fault: Fault) -> u32 {
    let is_list = |part: &&str| fault.family_name().contains(*part);
    if ["beyond", "several-pins"].iter().any(is_list) {
        MOST_PIECES_OF_LISTS
    } else {
        MOST_PIECES
    }
}

fn ask(faulty: &mut Faulty, question: &CountQuestion) -> Answer {
    Subject::perft(faulty, &question.route, question.depth).expect("it answers")
}

/// Whether a fault is what the generator shows.
fn is_there(fault: &HuntFault, finding: &HuntResult, answer: &Answer, faulty: &mut Faulty) -> bool {
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
            let counts = ask(faulty, &by_fen).count();
            counts == Some(finding.counts.ours) && is_there(inner, finding, answer, faulty)
        }
        HuntFault::Undo(row) => {
            let child = shown.child(row.m).expect("more than one ply");
            let alone = ask(faulty, &child).count();
            row.ours != row.theirs && alone == Some(row.ours)
        }
        // The generator divides, always answers, and its total is the sum of its rows.
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
