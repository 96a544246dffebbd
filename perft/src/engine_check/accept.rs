//! Positions that an engine refuses: those with a high clock, with many queens, with anything that
//! a strict library takes for impossible. It then answers for the position before, or prints 0,
//! which says nothing about its move generator.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use chess::notation::fen;
use chess::perft::Counter;
use chess::rules::{Color, Piece, PieceType, Position, Square};

use super::hunt::{CountQuestion, judge};
use crate::count::subject::{Answer, Failure, MoveMeaning, Route, Subject};

/// Positions that every engine accepts, with different counts and no move in common: it is asked
/// about each of them, and then about the one that it may have refused.
const BEFORE: [&str; 2] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "6k1/8/8/8/8/8/8/K6R w - - 0 1",
];
/// An engine that answers 0 is asked about so many positions below at most.
const MOST_BELOW: usize = 6;
/// So few of them may be without a move in a faulty generator as well.
const FEWEST_BELOW: usize = 2;
/// Full moves without a capture or a pawn's move after which some generators end, in plies (FIDE
/// Laws of Chess, article 9.3: a draw that has to be claimed).
const FIFTY_MOVES: u32 = 100;

/// How it shows that an engine has refused a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PositionRefusal {
    /// Its answer is that for the position asked before, whichever that was.
    AnswersForTheOneBefore,
    /// It answers 0, without any move, or an error, here and in every position below that was tried.
    SaysNothing,
}

impl PositionRefusal {
    /// What the engine does instead.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::AnswersForTheOneBefore => "it answers for the position asked before",
            Self::SaysNothing => "it answers 0 or an error, here and after each move",
        }
    }
}

/// Whether a wrong answer comes of a position that the engine has refused. An engine that follows
/// the position, however wrongly, is not excused. Asked at depth 1, where a refused position is
/// answered wrongly as well.
///
/// # Errors
///
/// When the user ended the run.
pub(crate) fn refusal(
    subject: &mut dyn Subject,
    route: &Route,
    shows: Shows,
    counter: Counter<'_>,
) -> Result<Option<PositionRefusal>, Failure> {
    if route.position().legal_move_count() == 0 {
        return Ok(None);
    }
    let question = CountQuestion {
        route: route.clone(),
        depth: NonZeroU32::MIN,
    };
    for before in BEFORE {
        let before = fen::parse(before).expect("the positions are legal");
        if !repeats(subject, &question, &before, shows, counter)? {
            let is_refused = says_nothing_below(subject, route, counter)?;
            return Ok(is_refused.then_some(PositionRefusal::SaysNothing));
        }
    }
    Ok(Some(PositionRefusal::AnswersForTheOneBefore))
}

/// What an answer shows of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shows {
    /// Its count, and its moves if it lists them.
    Counts,
    /// One move, among ours.
    Reply,
}

/// Whether the question, asked after another position, is answered as that one was.
fn repeats(
    subject: &mut dyn Subject,
    question: &CountQuestion,
    before: &Position,
    shows: Shows,
    counter: Counter<'_>,
) -> Result<bool, Failure> {
    let before = CountQuestion::by_fen(*before, question.depth);
    let first = answer(subject, &before.route, before.depth)?;
    let second = answer(subject, &question.route, question.depth)?;
    let (Some(first), Some(second)) = (first, second) else {
        return Ok(false);
    };
    let is_same = match shows {
        Shows::Counts => first.count() == second.count() && moves(&first) == moves(&second),
        Shows::Reply => {
            let rows = second.rows.iter().flatten();
            let mut illegal = rows.filter_map(|row| match row.meaning {
                MoveMeaning::Illegal(m) => Some(m),
                MoveMeaning::Legal(_) | MoveMeaning::Unreadable => None,
            });
            illegal.any(|m| before.position().is_legal(m))
        }
    };
    // It has to be right about the one before, and wrong about this one.
    let is_right = judge(&before, &Ok(first), counter).is_none();
    Ok(is_same && is_right && judge(question, &Ok(second), counter).is_some())
}

/// Whether the answer is 0 without a move, or a message, here and below, where an engine that had the
/// position on its board would have played.
fn says_nothing_below(
    subject: &mut dyn Subject,
    route: &Route,
    counter: Counter<'_>,
) -> Result<bool, Failure> {
    // The position that is given as a FEN is what an engine refuses, not what moves lead to.
    let root = Route::by_fen(*route.root());
    let is_silent = says_nothing(subject, route)?;
    if !is_silent || !route.moves().is_empty() && !says_nothing(subject, &root)? {
        return Ok(false);
    }
    let mut silent = below(route);
    if silent.len() < FEWEST_BELOW {
        // A generator that ends at a draw is silent in all of them. One more pawn ends the draw.
        silent = with_a_pawn_more(route.root());
    }
    for route in &silent {
        if !says_nothing(subject, route)? {
            return Ok(false);
        }
    }
    Ok(silent.len() >= FEWEST_BELOW && plays_moves(subject, counter)?)
}

/// Positions that are reached from this one, by a move before two, in which the side to move has a
/// move and a generator that takes some games for drawn does not end.
fn below(route: &Route) -> Vec<Route> {
    let children = |route: &Route| -> Vec<Route> {
        let moves = route.position().legal_moves().into_iter();
        let children = moves.map(|m| route.then(m));
        let has_moves = |child: &Route| child.position().legal_move_count() > 0;
        children.filter(has_moves).collect()
    };
    let goes_on = |route: &Route| !may_be_drawn(route.position());
    let nearest = children(route);
    let farther = nearest.iter().flat_map(children).filter(goes_on);
    let nearest = nearest.iter().filter(|route| goes_on(route)).cloned();
    let some = nearest.take(MOST_BELOW / 2).chain(farther);
    some.take(MOST_BELOW).collect()
}

/// Whether some generators find no move here, since they take the game for drawn.
fn may_be_drawn(position: &Position) -> bool {
    position.is_insufficient_material() || position.halfmove_clock() >= FIFTY_MOVES
}

/// The position itself and positions below, with one more pawn on the first square that allows it.
fn with_a_pawn_more(position: &Position) -> Vec<Route> {
    let setup = position.to_setup();
    let pawns = Color::ALL.map(|color| Piece::new(color, PieceType::Pawn));
    let squares = Square::ALL.into_iter();
    let places = squares.flat_map(|square| pawns.map(|pawn| (square, pawn)));
    let mut empty = places.filter(|&(square, _)| setup.piece_at(square).is_none());
    let routes = empty.find_map(|(square, pawn)| {
        let mut setup = setup.clone();
        setup.board[square.index()] = Some(pawn);
        let root = Route::by_fen(Position::from_setup(setup).ok()?);
        let below = below(&root);
        let is_enough = root.position().legal_move_count() > 0 && below.len() >= FEWEST_BELOW;
        is_enough.then(|| [vec![root], below].concat())
    });
    routes.unwrap_or_default()
}

/// Whether the engine plays moves after a position. The silence of one that ignores them says nothing.
fn plays_moves(subject: &mut dyn Subject, counter: Counter<'_>) -> Result<bool, Failure> {
    let position = fen::parse(BEFORE[0]).expect("the positions are legal");
    let question = CountQuestion {
        route: Route::by_fen(position).then(position.legal_moves()[0]),
        depth: NonZeroU32::MIN,
    };
    let answer = answer(subject, &question.route, question.depth)?;
    Ok(answer.is_some_and(|answer| judge(&question, &Ok(answer), counter).is_none()))
}

/// Whether the answer at depth 1 is 0 without a move, or a message.
fn says_nothing(subject: &mut dyn Subject, route: &Route) -> Result<bool, Failure> {
    match subject.perft(route, NonZeroU32::MIN) {
        Ok(answer) => Ok(answer.count() == Some(0) && moves(&answer).is_empty()),
        Err(Failure::Refused { .. }) => Ok(true),
        Err(Failure::Cancelled) => Err(Failure::Cancelled),
        Err(_) => Ok(false),
    }
}

/// The answer; `None` if there is none.
fn answer(
    subject: &mut dyn Subject,
    route: &Route,
    depth: NonZeroU32,
) -> Result<Option<Answer>, Failure> {
    match subject.perft(route, depth) {
        Ok(answer) => Ok(Some(answer)),
        Err(Failure::Cancelled) => Err(Failure::Cancelled),
        Err(_) => Ok(None),
    }
}

/// The moves of the rows as printed.
fn moves(answer: &Answer) -> BTreeSet<&str> {
    let rows = answer.rows.iter().flatten();
    rows.map(|row| row.text.as_str()).collect()
}

/// A property of positions for which engines refuse them.
struct Property {
    name: &'static str,
    value: fn(&Position) -> usize,
}

/// The properties, the likeliest reason first.
const PROPERTIES: [Property; 5] = [
    Property {
        name: "halfmove clock",
        value: |position| position.halfmove_clock() as usize,
    },
    Property {
        name: "queens of one side",
        value: |position| most_of(position, PieceType::Queen),
    },
    Property {
        name: "promoted pieces of one side",
        value: most_promoted,
    },
    Property {
        name: "checkers",
        value: |position| position.checkers().count() as usize,
    },
    Property {
        name: "letters in the FEN",
        value: |position| fen::write(position).len(),
    },
];

fn most_of(position: &Position, kind: PieceType) -> usize {
    let of = |color| position.pieces(color, kind).count() as usize;
    Color::ALL.into_iter().map(of).max().unwrap_or(0)
}

/// Pieces beyond those of the start position.
fn most_promoted(position: &Position) -> usize {
    let of_start = [
        (PieceType::Queen, 1),
        (PieceType::Rook, 2),
        (PieceType::Bishop, 2),
        (PieceType::Knight, 2),
    ];
    let of = |color| -> usize {
        let beyond = of_start.iter().map(|&(kind, usual)| {
            let count = position.pieces(color, kind).count() as usize;
            count.saturating_sub(usual)
        });
        beyond.sum()
    };
    Color::ALL.into_iter().map(of).max().unwrap_or(0)
}

/// What the refused positions have, and few of the accepted ones: `halfmove clock of 100 and more`.
/// Learnt from the positions of this run. Some of a kind that the engine refuses are answered
/// rightly by chance, with the count of the position before.
pub(crate) fn reasons(refused: &[Position], accepted: &[Position]) -> Vec<String> {
    let mut left: Vec<&Position> = refused.iter().collect();
    let mut reasons = Vec::new();
    for Property { name, value } in &PROPERTIES {
        let values: BTreeSet<usize> = left.iter().map(|position| value(position)).collect();
        let is_reason = |&least: &usize| {
            let refused = left.iter().filter(|position| value(position) >= least);
            let accepted = accepted.iter().filter(|&position| value(position) >= least);
            refused.count() > 2 * accepted.count()
        };
        if let Some(least) = values.into_iter().find(is_reason) {
            reasons.push(format!("{name} of {least} and more"));
            left.retain(|position| value(position) < least);
        }
    }
    if !left.is_empty() {
        reasons.push("for no reason that shows".to_owned());
    }
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine_check::hunt::toys::{Toy, changing, sound};

    const CLOCK: &str = "4k3/8/8/8/8/8/4P3/R3K3 w - - 120 90";

    fn route(text: &str) -> Route {
        Route::by_fen(fen::parse(text).expect("legal"))
    }

    fn refused(subject: &mut dyn Subject, text: &str) -> Option<PositionRefusal> {
        let counter = Counter::new();
        refusal(subject, &route(text), Shows::Counts, counter).expect("nobody cancels")
    }

    #[test]
    fn who_answers_for_the_position_before_has_refused_this_one() {
        let mut before = Route::by_fen(Position::startpos());
        let mut keeps = Toy(|route: &Route, depth: NonZeroU32| {
            if route.root().halfmove_clock() < 100 {
                before = route.clone();
            }
            Subject::perft(&mut sound(), &before, depth)
        });
        let refusal = refused(&mut keeps, CLOCK);
        assert_eq!(refusal, Some(PositionRefusal::AnswersForTheOneBefore));
        assert_eq!(
            refused(&mut keeps, "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1"),
            None
        );
    }

    fn nothing() -> Answer {
        Answer {
            total: Some(0),
            rows: Some(Vec::new()),
        }
    }

    /// Counts nothing in and below a position with a clock of 100 and more, as a strict library that
    /// does not take it.
    fn strict(route: &Route, depth: NonZeroU32) -> Result<Answer, Failure> {
        if route.root().halfmove_clock() >= 100 {
            return Ok(nothing());
        }
        Subject::perft(&mut sound(), route, depth)
    }

    /// Without a pawn: no move sets the clock back, and one is a draw for want of material.
    const BARE: [&str; 2] = [
        "4k3/8/8/8/8/8/8/R3K3 w - - 120 90",
        "4k3/8/8/8/8/8/8/3NK3 w - - 120 90",
    ];

    #[test]
    fn who_answers_zero_everywhere_below_has_refused_the_position() {
        for text in [CLOCK].into_iter().chain(BARE) {
            let refusal = refused(&mut Toy(strict), text);
            assert_eq!(refusal, Some(PositionRefusal::SaysNothing), "{text}");
        }
    }

    #[test]
    fn a_generator_that_ends_at_a_draw_is_wrong() {
        let mut ends = changing(sound(), |position, answer| {
            if position.halfmove_clock() >= 100 || position.is_insufficient_material() {
                *answer = nothing();
            }
        });
        let bare = BARE.into_iter();
        for text in bare.chain([CLOCK, "4k3/8/8/8/8/8/8/3NK3 w - - 0 1"]) {
            assert_eq!(refused(&mut ends, text), None, "{text}");
        }
    }

    #[test]
    fn a_fault_of_its_own_excuses_no_engine() {
        let mut sees_mate = changing(sound(), |position, answer| {
            if position.halfmove_clock() == 120 {
                *answer = nothing();
            }
        });
        let mut reports = Toy(|route: &Route, depth: NonZeroU32| {
            let message = "error: illegal move".to_owned();
            match route.position().halfmove_clock() {
                120 => Err(Failure::Refused { message }),
                _ => Subject::perft(&mut sound(), route, depth),
            }
        });
        // Its silence below a position is that of the position itself.
        let mut ignores_moves =
            Toy(|route: &Route, depth: NonZeroU32| strict(&Route::by_fen(*route.root()), depth));
        let subjects: [&mut dyn Subject; 3] = [&mut sees_mate, &mut reports, &mut ignores_moves];
        for subject in subjects {
            assert_eq!(refused(subject, CLOCK), None);
        }
    }

    #[test]
    fn the_reason_is_what_no_accepted_position_has() {
        let parse = |texts: &[&str]| -> Vec<Position> {
            let positions = texts.iter().map(|text| fen::parse(text).expect("legal"));
            positions.collect()
        };
        let accepted = parse(&[
            "4k3/8/8/8/8/8/4P3/R3K3 w - - 99 90",
            "4k3/8/8/8/8/8/4P3/QQQ1K3 w - - 0 1",
        ]);
        let refused = parse(&[
            CLOCK,
            "4k3/8/8/8/8/8/4P3/QQQQK3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ]);
        let reasons = reasons(&refused, &accepted);
        let expected = [
            "halfmove clock of 120 and more",
            "queens of one side of 4 and more",
            "for no reason that shows",
        ];
        assert_eq!(reasons, expected);
    }
}
