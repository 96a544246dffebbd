//! Hunts every toy down from a big position.

use std::fmt::Write as _;
use std::num::NonZeroU32;

use chess::notation::{fen, uci_move};
use chess::perft::Counter;
use chess::rules::{CastlingMode, CastlingSide, Color, Position, Setup, Square};

use super::judge::Asker;
use super::shrink::same_moves_from;
use super::toys;
use super::trace::{Trace, WrongMoveClass};
use super::*;
use crate::count::subject::{Answer, Failure, Route, Subject};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const POSITION_3: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
const POSITION_4: &str = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
const POSITION_5: &str = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";
const ROOKS: &str = "r3k2r/p6p/8/8/8/8/P5BP/R3K2R w KQkq - 3 20";
const MATES: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
const STALEMATES: &str = "7k/7p/5K1P/p7/P5Q1/3p1p2/3P1P2/8 w - - 3 40";

fn question(text: &str, depth: u32) -> CountQuestion {
    let position = fen::parse(text).expect("legal");
    CountQuestion::by_fen(position, NonZeroU32::new(depth).expect("not 0"))
}

fn describe(name: &str, finding: &HuntResult) -> String {
    let HuntResult { shown, fault, .. } = finding;
    let mut text = format!(
        "{name}: {}\n  {}",
        fault.kind(),
        fen::write(shown.route.root())
    );
    if !shown.route.moves().is_empty() {
        write!(text, " moves {:?}", shown.route.moves()).unwrap();
    }
    write!(text, " depth {}\n  {fault:?}\n", shown.depth).unwrap();
    let CountPair { ours, theirs } = finding.counts;
    writeln!(
        text,
        "  ours {ours}, theirs {theirs:?}; path {:?}; {} questions; {}",
        finding.path.moves(),
        finding.questions,
        finding.end.as_str()
    )
    .unwrap();
    text
}

/// A toy, with a position and a depth that show its fault.
struct Case {
    name: &'static str,
    subject: Box<dyn Subject>,
    text: &'static str,
    depth: u32,
}

impl Case {
    fn hunt(&mut self, limits: HuntLimits) -> HuntResult {
        let asked = question(self.text, self.depth);
        hunt(self.subject.as_mut(), &asked, limits).expect(self.name)
    }
}

#[rustfmt::skip]
fn cases() -> Vec<Case> {
    use toys::*;
    fn case(name: &'static str, toy: impl Subject + 'static, text: &'static str, depth: u32) -> Case {
        Case { name, subject: Box::new(toy), text, depth }
    }
    vec![
        case("en passant pin", breaks("lists/ep-kings-rank/*"), POSITION_3, 4),
        case("no pins", breaks("lists/attack/*/pin*"), KIWIPETE, 3),
        case("castling through check", breaks("lists/castling-hit/queenside/across/*"), KIWIPETE, 3),
        case("castles over a knight", breaks("lists/castling-blocked/queenside/*/b/*"), KIWIPETE, 3),
        case("castles twice", breaks("repeats/move/castling-*"), KIWIPETE, 3),
        case("right of a captured rook", breaks("right-kept/rook-captured/*/unasked"), KIWIPETE, 4),
        case("stale en passant", breaks("ep-kept/*"), POSITION_3, 4),
        case("jumping pawn", breaks("lists/double-over/*"), KIWIPETE, 3),
        case("blind pawn", breaks("omits/pawn-step/*/takes-east/*"), KIWIPETE, 3),
        case("only queens", breaks("omits/promotion/r/*+omits/promotion/b/*+omits/promotion/n/*"), POSITION_4, 3),
        case("promotes to king", breaks("lists/promotes/to-king/*"), POSITION_5, 3),
        case("counts checkmate", breaks("counts/ended/mate"), MATES, 3),
        case("counts stalemate", breaks("counts/ended/stalemate"), STALEMATES, 3),
        case("counts stalemate below", counts_ends_below(), STALEMATES, 3),
        case("wrong sum", wrong_sum(), KIWIPETE, 3),
        case("promotion stays", breaks("undo/promotion/q/*"), POSITION_4, 3),
        case("rights not restored", breaks("undo/right/*"), KIWIPETE, 3),
        case("crashes on en passant", crashes_on_en_passant(), KIWIPETE, 3),
        case("hangs on castling", hangs_on_castling(), POSITION_5, 3),
        case("mumbles", mumbles(), POSITION_4, 3),
        case("empty rows", empty_rows(), KIWIPETE, 1),
        case("silent", silent(), KIWIPETE, 3),
        case("totals: en passant pin", total_only("lists/ep-kings-rank/*"), POSITION_3, 4),
        case("totals: only queens", total_only("omits/promotion/r/*+omits/promotion/b/*+omits/promotion/n/*"), POSITION_4, 3),
        case("totals: castles twice", total_only("repeats/move/castling-*"), KIWIPETE, 3),
        case("totals: blind pawn", total_only("omits/pawn-step/*/takes-east/*"), KIWIPETE, 3),
        case("totals: through check", total_only("lists/castling-hit/queenside/across/*"), KIWIPETE, 3),
        case("totals: right of a captured rook", total_only("right-kept/rook-captured/*/unasked"), ROOKS, 3),
    ]
}

/// The cause of a toy's fault: the move, and what it leaves behind.
fn cause_of(subject: &mut dyn Subject, asked: &CountQuestion) -> (String, StateEffect) {
    let finding = hunt(subject, asked, HuntLimits::default()).expect("it answers");
    let cause = finding.cause.expect("it is known");
    (cause.m.to_string(), cause.effect)
}

#[test]
fn the_move_that_is_the_cause_is_known() {
    let by_fen = |pattern, text, depth| {
        let asked = question(text, depth);
        cause_of(&mut toys::breaks(pattern), &asked)
    };
    let kept = by_fen("right-kept/rook-captured/*/unasked", KIWIPETE, 4);
    let right = StateEffect::RightKept(Color::Black, CastlingSide::King);
    assert_eq!(kept, ("g6h8".to_owned(), right));
    let kept = by_fen("ep-kept/*", POSITION_3, 4);
    assert_eq!(kept, ("h5b5".to_owned(), StateEffect::EpKept(Square::E3)));
    let unmade = by_fen("undo/promotion/q/*", POSITION_4, 3);
    assert!(matches!(unmade.1, StateEffect::Unmake(_)));
    let route = Route::by_fen(fen::parse(ROOKS).expect("legal"));
    let m = uci_move::parse("e1g1", route.position(), CastlingMode::Standard);
    let asked = CountQuestion {
        route: route.then(m.expect("legal")),
        depth: NonZeroU32::MIN,
    };
    let left = StateEffect::RookMisplaced {
        here: Square::H1,
        there: Square::F1,
    };
    assert_eq!(
        cause_of(&mut toys::leaves_rook(), &asked),
        ("e1h1".to_owned(), left)
    );
}

/// Rows that are printed from depth 2 on name the move that is wrong at depth 1.
#[test]
fn rows_of_a_greater_depth_name_the_move() {
    let asked = question("r3k3/8/2N5/8/8/8/8/4K3 b q - 0 1", 1);
    let mut subject = toys::rows_from_two("lists/castling-hit/queenside/across/*");
    let finding = hunt(&mut subject, &asked, HuntLimits::default()).expect("it answers");
    let HuntFault::Moves(moves) = finding.fault else {
        panic!("{:?}", finding.fault);
    };
    assert!(matches!(&moves[..], [WrongMove::Extra { text, .. }] if !text.is_empty()));
}

/// Snapshot of each hunt: position, move, kind, and number of questions.
#[test]
fn every_toy_is_hunted_down() {
    let mut found = Vec::new();
    for mut case in cases() {
        let finding = case.hunt(HuntLimits::default());
        assert!(finding.questions < 150, "{}", case.name);
        assert_eq!(finding.end, HuntEnd::Complete, "{}", case.name);
        assert!(finding.oracle_agrees, "{}", case.name);
        assert_smallest(&mut case, &finding);
        found.push(describe(case.name, &finding));
    }
    insta::assert_snapshot!(found.join("\n"));
}

/// A route is cut to the last moves that the fault needs: from the rook's capture on, or none.
#[test]
fn a_route_is_cut_to_its_end() {
    let mut route = Route::by_fen(fen::parse(ROOKS).expect("legal"));
    for text in ["a2a3", "h7h6", "g2a8", "a7a6", "h2h3"] {
        let m = uci_move::parse(text, route.position(), CastlingMode::Standard);
        route = route.then(m.expect("legal"));
    }
    let depth = NonZeroU32::MIN;
    let asked = CountQuestion { route, depth };
    let found = |subject: &mut dyn Subject| {
        let finding = hunt(subject, &asked, HuntLimits::default()).expect("it answers");
        assert_eq!(finding.path, asked.route);
        assert_eq!(finding.found.position(), asked.position());
        (finding.fault.kind(), finding.found.route.moves().len())
    };
    let keeps_right = found(&mut toys::breaks("right-kept/rook-captured/*/unasked"));
    assert_eq!(keeps_right, ("state-after-moves", 3));
    assert_eq!(
        found(&mut toys::breaks("repeats/move/castling-*")),
        ("duplicate-move", 0)
    );
    assert_eq!(found(&mut toys::crashes_on_capture()), ("crash", 3));
}

#[test]
fn answers_that_change_are_flaky() {
    let asked = question(KIWIPETE, 2);
    let hunted = |subject: &mut dyn Subject| {
        let finding = hunt(subject, &asked, HuntLimits::default()).expect("it answers");
        assert_eq!(finding.questions, 2);
        finding.fault
    };
    let flaky = |answers: [u64; 2]| HuntFault::Flaky(answers.map(Some).to_vec());
    assert_eq!(hunted(&mut toys::flaky()), flaky([2040, 2039]));
    assert_eq!(hunted(&mut toys::sound()), flaky([2039, 2039]));
}

/// For positions of random games too, the result is legal, still wrong, and 1-minimal.
#[test]
fn nothing_more_can_be_removed() {
    let limits = HuntLimits {
        timeouts: 100,
        ..HuntLimits::default()
    };
    let mut random = 1;
    for mut case in cases() {
        for text in [KIWIPETE, POSITION_3, POSITION_4, POSITION_5] {
            for _ in 0..4 {
                let position = random_position(text, &mut random);
                let asked = CountQuestion::by_fen(position, TWO);
                let finding = hunt(case.subject.as_mut(), &asked, limits).expect(case.name);
                // Otherwise the toy is right about this position.
                if !matches!(finding.fault, HuntFault::Flaky(_)) {
                    assert_smallest(&mut case, &finding);
                }
            }
        }
    }
}

const TWO: NonZeroU32 = NonZeroU32::new(2).expect("not 0");

/// Plays up to twelve moves; random numbers by Knuth's MMIX generator.
fn random_position(text: &str, random: &mut u64) -> Position {
    let mut position = fen::parse(text).expect("legal");
    for _ in 0..12 {
        *random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let moves = position.legal_moves();
        let index = (*random >> 33) as usize % moves.len().max(1);
        let Some(&m) = moves.get(index) else { break };
        position = position.play_unchecked(m);
    }
    position
}

fn assert_smallest(case: &mut Case, finding: &HuntResult) {
    let (name, subject) = (case.name, case.subject.as_mut());
    let shown = &finding.shown;
    assert_eq!(finding.end, HuntEnd::Complete);
    let no_limits = HuntLimits {
        questions: u32::MAX,
        timeouts: u32::MAX,
    };
    let mut asker = Asker::new(subject, no_limits, Counter::new());
    let judged = asker.judged(shown).expect("no limit").expect("it is wrong");
    let mut trace = Trace::new(shown, &judged);
    if let (Trace::Moves(_), [first, ..]) = (trace, finding.fault.wrong_moves()) {
        trace = Trace::Moves(WrongMoveClass::new(first, shown.position()));
    }
    let again = trace
        .look(&mut asker, shown)
        .expect("no limit")
        .expect("it shows");
    let kind = std::mem::discriminant::<HuntFault>;
    assert_eq!(kind(&again.fault), kind(&finding.fault), "{name}");
    for smaller in smaller_questions(shown) {
        let found = trace.look(&mut asker, &smaller).expect("no limit");
        let root = fen::write(smaller.route.root());
        assert_eq!(found, None, "{name}: {root} would do");
    }
}

/// Every question with one piece, right or clock less, or less depth.
fn smaller_questions(shown: &CountQuestion) -> Vec<CountQuestion> {
    let setup = shown.route.root().to_setup();
    let mut smaller = Vec::new();
    for square in Square::ALL {
        let mut without_right = setup.clone();
        without_right.castling_rooks &= !square.bitboard();
        smaller.push(without_right.clone());
        let mut without_piece = without_right;
        without_piece.board[square.index()] = None;
        smaller.push(without_piece.clone());
        without_piece.ep_square = None;
        smaller.push(without_piece);
    }
    smaller.push(Setup {
        ep_square: None,
        ..setup.clone()
    });
    smaller.push(Setup {
        halfmove_clock: 0,
        ..setup.clone()
    });
    smaller.push(Setup {
        fullmove_number: 1,
        ..setup.clone()
    });
    smaller.retain(|smaller| *smaller != setup);
    let roots = smaller
        .into_iter()
        .filter_map(|setup| Position::from_setup(setup).ok());
    let routes = roots.filter_map(|root| same_moves_from(&root, &shown.route));
    let questions = routes.map(|route| CountQuestion {
        route,
        depth: shown.depth,
    });
    let less_deep = shown.smaller_depths().map(|depth| shown.at_depth(depth));
    questions.chain(less_deep).collect()
}

/// A subject that is cancelled after this many questions.
struct Interrupted<'a> {
    subject: &'a mut dyn Subject,
    left: u32,
}

impl Subject for Interrupted<'_> {
    fn perft(&mut self, route: &Route, depth: NonZeroU32) -> Result<Answer, Failure> {
        self.left = self.left.checked_sub(1).ok_or(Failure::Cancelled)?;
        self.subject.perft(route, depth)
    }
}

/// A slow count costs one timeout, and one answer for each part of it.
#[test]
fn what_is_slow_is_not_shrunk() {
    let asked = question("4k3/8/8/8/8/8/7P/4K3 w - - 0 1", 4);
    let mut slow = toys::hangs_at(4);
    let finding = hunt(&mut slow, &asked, HuntLimits::default()).expect("it answers");
    assert_eq!(finding.fault.kind(), "no-answer");
    assert_eq!(finding.shown, asked);
    // The position itself at depths 1, 2, 3, and each of its 7 moves by FEN and by moves.
    assert_eq!(finding.questions, 1 + 3 + 7 + 7);
}

#[test]
fn every_limit_ends_a_hunt() {
    let mut toys: [Box<dyn Subject>; 3] = [
        Box::new(toys::total_only("lists/castling-hit/queenside/across/*")),
        Box::new(toys::breaks("undo/right/*")),
        Box::new(toys::hangs_on_castling()),
    ];
    let asked = question("r3k2r/8/b7/8/8/8/8/R3K2R w KQkq - 0 1", 3);
    for subject in &mut toys {
        let all = hunt(subject.as_mut(), &asked, HuntLimits::default()).expect("it answers");
        for questions in 0..all.questions {
            let limits = HuntLimits {
                questions,
                timeouts: 6,
            };
            let limited = hunt(subject.as_mut(), &asked, limits);
            assert_ended(limited, questions, HuntEnd::Questions);
            let mut subject = Interrupted {
                subject: subject.as_mut(),
                left: questions,
            };
            let cancelled = hunt(&mut subject, &asked, HuntLimits::default());
            assert_ended(cancelled, questions + 1, HuntEnd::Cancelled);
        }
    }
    let mut hanging = toys::hangs_on_castling();
    let limits = HuntLimits {
        questions: 1000,
        timeouts: 2,
    };
    let finding = hunt(&mut hanging, &asked, limits).expect("it answers");
    assert_eq!(
        (finding.fault.kind(), finding.end),
        ("no-answer", HuntEnd::Timeouts)
    );
}

fn assert_ended(outcome: Result<HuntResult, HuntError>, questions: u32, end: HuntEnd) {
    match outcome {
        Ok(finding) => assert_eq!((finding.questions, finding.end), (questions, end)),
        Err(error) => {
            assert_eq!(error, HuntError::Unanswered(end));
            assert!(questions <= 1, "one answer is something");
        }
    }
}

#[test]
fn what_cannot_be_counted_cannot_be_hunted() {
    let asked = question(KIWIPETE, 300);
    let error = hunt(&mut toys::sound(), &asked, HuntLimits::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot tell what is right: depth 300 is larger than 255, the largest that is counted"
    );
    let none = HuntLimits {
        questions: 0,
        timeouts: 6,
    };
    let error = hunt(&mut toys::sound(), &question(KIWIPETE, 1), none).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the hunt ended before the first answer (questions)"
    );
}
