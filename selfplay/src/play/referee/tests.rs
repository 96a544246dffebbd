//! Scripted games: answers in, endings out.

use std::cell::Cell;

use chess::rules::{Color, Position};
use tablebase::TablebaseWdl;
use uci::grammar::{Reply, ScoreValue};

use super::{BadAnswer, Endgames, Ending, Referee};
use crate::model::{
    Adjudication, DrawRule, FaultKind, GameResult, Opening, ResignRule, TablebaseResults,
    TablebaseRule, Termination,
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 ";
const OFF: Adjudication = Adjudication {
    resign: None,
    draw: None,
    max_moves: None,
    tablebase: None,
};

fn opening(fen: &str, moves: &str, chess960: bool) -> Opening {
    Opening {
        label: "test".to_owned(),
        fen: fen.to_owned(),
        moves: moves.split_whitespace().map(str::to_owned).collect(),
        chess960,
    }
}

fn reply(text: &str) -> Reply {
    match uci::grammar::Message::parse(&format!("bestmove {text}")) {
        uci::grammar::Message::BestMove(best_move) => best_move.reply,
        other => panic!("{other:?}"),
    }
}

type Scored = (&'static str, Option<ScoreValue>);

fn cp(score: i32) -> ScoreValue {
    ScoreValue::Cp(score)
}

/// Plays moves with scores; returns after how many moves the game ended, and how.
fn play(
    start: &str,
    rules: &Adjudication,
    moves: &[(&str, Option<ScoreValue>)],
) -> Option<(usize, GameResult, Termination)> {
    let mut referee = Referee::new(&opening(start, "", false), rules, None).expect("playable");
    assert_eq!(referee.ending(), None);
    for (index, (text, score)) in moves.iter().enumerate() {
        let ending = referee.answer(&reply(text), *score).expect("legal");
        if let Some(Ending {
            result,
            termination,
        }) = ending
        {
            assert_eq!(referee.ending(), ending);
            return Some((index + 1, result, termination));
        }
    }
    None
}

fn without_scores(moves: &str) -> Vec<(&str, Option<ScoreValue>)> {
    moves.split_whitespace().map(|text| (text, None)).collect()
}

/// Knights to and fro with these scores, White's first.
fn shuffle(scores: &[i32]) -> Vec<Scored> {
    // A tour of two knights each, so that no position occurs three times for long.
    let tour = "g1f3 g8f6 f3g5 f6g4 g5h3 g4h6 h3f4 h6f5 f4d3 f5d6 d3e5 d6e4";
    let tour = tour.split_whitespace();
    tour.zip(scores)
        .map(|(text, &score)| (text, Some(cp(score))))
        .collect()
}

#[test]
fn the_rules_end_games() {
    use GameResult::{BlackWins, Draw, WhiteWins};
    let rows = rows![
        START, "f2f3 e7e5 g2g4 d8h4" => (4, BlackWins, Termination::Checkmate);
        "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8" => (1, WhiteWins, Termination::Checkmate);
        "k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "c1c7" => (1, Draw, Termination::Stalemate);
        "8/8/4k3/8/8/3Kp3/8/8 w - - 0 1", "d3e3" => (1, Draw, Termination::InsufficientMaterial);
        "4k3/8/8/8/8/8/8/4K2R w - - 98 80", "h1h2 e8e7" => (2, Draw, Termination::FiftyMoves);
        // Mate takes precedence over the fifty-move rule.
        "6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 80", "a1a8" => (1, WhiteWins, Termination::Checkmate);
        // Threefold repetition takes precedence over the fifty-move rule.
        "6k1/5ppp/8/8/8/8/8/R5K1 w - - 92 80", "a1a2 g8f8 a2a1 f8g8 a1a2 g8f8 a2a1 f8g8" =>
            (8, Draw, Termination::Threefold);
    ];
    for (start, moves, expected) in rows {
        let found = play(start, &OFF, &without_scores(moves));
        assert_eq!(found, Some(expected), "{start} {moves}");
    }
    let threefold = Some((8, Draw, Termination::Threefold));
    let found = play(START, &OFF, &without_scores(&SHUFFLE.repeat(3)));
    assert_eq!(found, threefold);
}

#[test]
fn an_opening_may_be_over() {
    let rows = rows![
        opening(START, "f2f3 e7e5 g2g4 d8h4", false) => Some(Termination::Checkmate);
        opening(START, &SHUFFLE.repeat(2), false) => Some(Termination::Threefold);
        opening(START, SHUFFLE, false) => None;
    ];
    for (opening, expected) in rows {
        let referee = Referee::new(&opening, &OFF, None).expect("playable");
        let ending = referee.ending().map(|ending| ending.termination);
        assert_eq!(ending, expected, "{:?}", opening.moves);
    }
    // The book moves count for repetition.
    let book = opening(START, SHUFFLE, false);
    let mut referee = Referee::new(&book, &OFF, None).expect("playable");
    for text in ["g1f3", "g8f6", "f3g1"] {
        assert_eq!(referee.answer(&reply(text), None), Ok(None));
    }
    let ending = referee.answer(&reply("f6g8"), None).expect("legal");
    let expected = Some(Termination::Threefold);
    assert_eq!(ending.map(|ending| ending.termination), expected);
}

#[test]
fn openings_that_cannot_be_played_say_why() {
    let rows = rows![
        opening("8/8/8/8/8/8/8/8 w - - 0 1", "", false) => "opening 'test': ";
        opening(START, "e2e4 e2e4", false) =>
            "opening 'test', move 2: e2e4 is not a legal move in rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
        opening("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "", false) =>
            "opening 'test': castling in 1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1 can be written in Chess960 only";
    ];
    for (opening, expected) in rows {
        let error = Referee::new(&opening, &OFF, None).err().expect("bad");
        let text = error.to_string();
        assert!(text.starts_with(expected), "{text}");
    }
}

#[test]
fn the_position_is_sent_move_by_move() {
    let mut referee = Referee::new(&opening(START, "", false), &OFF, None).expect("playable");
    assert_eq!(referee.position_line(), "position startpos");
    let ponder = "e2e4".parse().expect("a move");
    let expected = Some("position startpos moves e2e4");
    assert_eq!(referee.position_line_after(ponder).as_deref(), expected);
    referee.answer(&reply("e2e4"), None).expect("legal");
    referee.answer(&reply("e7e5"), None).expect("legal");
    assert_eq!(referee.position_line(), "position startpos moves e2e4 e7e5");
    // An illegal move cannot be pondered on.
    assert_eq!(referee.position_line_after(ponder), None);
    let fen = "rk2r3/pp2p3/8/8/8/8/PP2P3/RK2R3 w EAea - 0 1";
    let mut referee = Referee::new(&opening(fen, "b1e1", true), &OFF, None).expect("playable");
    let expected = format!("position fen {fen} moves b1e1");
    assert_eq!(referee.position_line(), expected);
    assert_eq!(referee.side_to_move(), Color::Black);
    // Only the Chess960 notation of castling is accepted.
    assert!(referee.answer(&reply("b8g8"), None).is_err());
    assert_eq!(referee.answer(&reply("b8a8"), None), Ok(None));
    // A mating move leaves nothing to ponder on.
    let mated = opening(START, "f2f3 e7e5 g2g4", false);
    let referee = Referee::new(&mated, &OFF, None).expect("playable");
    let mate = "d8h4".parse().expect("a move");
    assert_eq!(referee.position_line_after(mate), None);
}

#[test]
fn bad_answers_are_faults() {
    let start = opening(START, "e2e4", false);
    let mut referee = Referee::new(&start, &OFF, None).expect("playable");
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    let long = "x".repeat(500);
    let rows = rows![
        "e7e4", FaultKind::IllegalMove => "e7e4, which is not legal".to_owned();
        "e7e5q", FaultKind::IllegalMove => "e7e5q, which is not legal".to_owned();
        "(none)", FaultKind::NoMove => "(none), though there are legal moves".to_owned();
        "0000", FaultKind::NoMove => "0000, the null move".to_owned();
        "e5", FaultKind::Unreadable => "e5, which is not a move".to_owned();
        "e7e5e7e5", FaultKind::Unreadable => "e7e5e7e5, which is not a move".to_owned();
        "NULL", FaultKind::Unreadable => "NULL, which is not a move".to_owned();
        "resign", FaultKind::Unreadable => "resign, which is not a move".to_owned();
        "ponder e7e5", FaultKind::Unreadable => "ponder, which is not a move".to_owned();
        "", FaultKind::Unreadable => "nothing, which is not a move".to_owned();
        "e5\x1b[31m", FaultKind::Unreadable => "e5\u{fffd}[31m, which is not a move".to_owned();
        &long, FaultKind::Unreadable => format!("{}, which is not a move", &long[..40]);
    ];
    for (text, kind, what) in rows {
        let detail = format!("it answered {what}, in {fen}");
        let expected = Err(BadAnswer { kind, detail });
        assert_eq!(referee.answer(&reply(text), None), expected);
    }
    let promotion = opening("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", false);
    let mut promoting = Referee::new(&promotion, &OFF, None).expect("playable");
    let rows = rows![
        "a7a8", FaultKind::IllegalMove => "a7a8, which is not legal: the promotion piece is missing";
        "a7a8Q", FaultKind::Unreadable => "a7a8Q, which is not a move: it must be lower case";
        "E1E2", FaultKind::Unreadable => "E1E2, which is not a move: it must be lower case";
        "A7A8", FaultKind::Unreadable => "A7A8, which is not a move";
        "e1e3", FaultKind::IllegalMove => "e1e3, which is not legal";
    ];
    for (text, kind, what) in rows {
        let detail = format!("it answered {what}, in {}", promotion.fen);
        let found = promoting.answer(&reply(text), None);
        assert_eq!(found, Err(BadAnswer { kind, detail }));
    }
    let lost = Referee::lost_by(Color::White);
    assert_eq!(lost.result, GameResult::BlackWins);
    assert_eq!(lost.termination, Termination::Fault);
    // The game is unchanged.
    assert_eq!(referee.answer(&reply("e7e5"), None), Ok(None));
}

#[test]
fn nothing_is_adjudicated_unless_asked_for() {
    let scores = [2000, -2000, 2000, -2000, 0, 0, 0, 0, 0, 0, 2000, -2000];
    assert_eq!(play(START, &OFF, &shuffle(&scores)), None);
}

/// After how many moves a game ended, and how.
type End = (usize, GameResult);

fn resign(moves: u32, two_sided: bool) -> Adjudication {
    Adjudication {
        resign: Some(ResignRule {
            moves,
            score_cp: 600,
            two_sided,
        }),
        ..OFF
    }
}

#[test]
fn a_side_resigns_after_low_scores_on_end() {
    use GameResult::{BlackWins, WhiteWins};
    let rows: [(&[i32], bool, Option<End>); 7] = rows![
        // Black's second low score ends it; White's scores do not matter.
        &[0, -600, 0, -700], false => Some((4, WhiteWins));
        &[-600, 0, -600, 0], false => Some((3, BlackWins));
        // A better score in between restarts the count.
        &[0, -600, 0, -599, 0, -600, 0, -600], false => Some((8, WhiteWins));
        // Two-sided: the opponent's scores must agree for as long.
        &[0, -600, 0, -700, 0, -700], true => None;
        &[600, -600, 600, -700], true => Some((4, WhiteWins));
        &[0, -600, 600, -700, 600, -700], true => Some((5, WhiteWins));
        &[-900, 900, -900, 900], true => Some((4, BlackWins));
    ];
    for (scores, two_sided, expected) in rows {
        let found = play(START, &resign(2, two_sided), &shuffle(scores));
        let expected = expected.map(|(moves, result)| {
            let termination = Termination::ResignAdjudication;
            (moves, result, termination)
        });
        assert_eq!(found, expected, "{scores:?} {two_sided}");
    }
}

#[test]
fn mates_are_beyond_every_limit_and_silence_breaks_a_series() {
    let moves = |scores: [Option<ScoreValue>; 4]| -> Vec<Scored> {
        let tour = ["g1f3", "g8f6", "f3g5", "f6g4"];
        tour.into_iter().zip(scores).collect()
    };
    let mate = |moves| Some(ScoreValue::Mate(moves));
    let rows = [
        ([mate(3), mate(-3), mate(2), mate(-2)], true),
        // A side that is mated reports `mate 0`.
        ([mate(1), mate(0), mate(1), Some(cp(-601))], true),
        ([mate(1), mate(-1), mate(1), None], false),
        ([mate(1), mate(-1), None, mate(-1)], false),
        ([mate(3), mate(3), mate(3), mate(3)], false),
    ];
    for (scores, ends) in rows {
        let found = play(START, &resign(2, true), &moves(scores));
        assert_eq!(found.is_some(), ends, "{scores:?}");
    }
    let draw = Adjudication {
        draw: Some(DrawRule {
            from_move: 0,
            moves: 1,
            score_cp: u32::MAX,
        }),
        ..OFF
    };
    assert_eq!(play(START, &draw, &moves([mate(3); 4])), None);
    assert_eq!(play(START, &draw, &moves([None; 4])), None);
}

fn draw(from_move: u32, moves: u32) -> Adjudication {
    Adjudication {
        draw: Some(DrawRule {
            from_move,
            moves,
            score_cp: 8,
        }),
        ..OFF
    }
}

#[test]
fn level_scores_of_both_sides_draw() {
    let rows: [(&[i32], u32, u32, Option<usize>); 5] = [
        (&[8, -8, 0, 5], 0, 2, Some(4)),
        (&[9, 0, 0, 0, 0], 0, 2, Some(5)),
        (&[0, 0, 0, -9, 0, 0, 0], 0, 2, None),
        // Not before the given move number.
        (&[0; 8], 4, 2, Some(7)),
        (&[0; 8], 5, 2, None),
    ];
    for (scores, from_move, moves, expected) in rows {
        let found = play(START, &draw(from_move, moves), &shuffle(scores));
        let expected = expected.map(|moves| {
            let termination = Termination::DrawAdjudication;
            (moves, GameResult::Draw, termination)
        });
        assert_eq!(found, expected, "{scores:?} {from_move} {moves}");
    }
}

#[test]
fn captures_and_pawn_moves_begin_the_count_of_level_scores_anew() {
    let level = |moves: &'static str| -> Vec<_> {
        moves
            .split_whitespace()
            .map(|text| (text, Some(cp(0))))
            .collect()
    };
    // 1. e4 is the first of the series, 1... e5 restarts it, 2... Nxe4 restarts it again.
    let moves = level("e2e4 g8f6 b1c3 f6e4 g1f3 b8c6 f3g1");
    let found = play(START, &draw(0, 2), &moves);
    let expected = Some((7, GameResult::Draw, Termination::DrawAdjudication));
    assert_eq!(found, expected);
}

#[test]
fn the_greatest_length_counts_moves_of_the_engines() {
    let rules = Adjudication {
        max_moves: Some(2),
        ..OFF
    };
    let book = opening(START, "e2e4 e7e5 d2d4", false);
    let mut referee = Referee::new(&book, &rules, None).expect("playable");
    for text in ["g8f6", "g1f3", "f6g8"] {
        assert_eq!(referee.answer(&reply(text), None), Ok(None));
    }
    let ending = referee.answer(&reply("f3g1"), None).expect("legal");
    let expected = Ending {
        result: GameResult::Draw,
        termination: Termination::MaxMoves,
    };
    assert_eq!(ending, Some(expected));
}

#[test]
fn mate_scores_have_a_variation_that_mates() {
    // White mates in two: Kb6 Kb8 Rh8, or in one from the corner.
    let two = opening("k7/8/2K5/8/8/8/8/7R w - - 0 1", "", false);
    let mated = opening("k7/8/1K6/8/8/8/8/7R b - - 0 1", "", false);
    let rows = rows![
        &two, 2, Some("c6b6 a8b8 h1h8") => None;
        &mated, -1, Some("a8b8 h1h8") => None;
        &two, 3, Some("c6b6 a8b8 h1h8") => Some("its PV for mate 3 has length 3, expected 5 plies");
        &two, -2, Some("c6b6 a8b8 h1h8") => Some("its PV for mate -2 has length 3, expected 4 plies");
        &two, 2, Some("c6b6 a8b8 h1h7") => Some("its PV for mate 2 does not end in mate");
        &two, 2, Some("c6b6 a8a7 h1h8") => Some("ply 2 of its PV for mate 2 is 'a8a7', which is not legal there");
        &two, 1, Some("") => Some("its PV for mate 1 has length 0, expected 1 plies");
        &two, 1, None => Some("it announced mate 1 without a PV");
        &two, i64::MIN, Some("c6b6") =>
            Some("its PV for mate -9223372036854775808 has length 1, expected 18446744073709551615 plies");
    ];
    for (start, moves, pv, expected) in rows {
        let referee = Referee::new(start, &OFF, None).expect("playable");
        let found = referee.bad_mate_pv(moves, pv);
        assert_eq!(found.as_deref(), expected, "{moves} {pv:?}");
    }
}

/// Tablebases in which every position is lost, and which count probes.
struct Fake;

thread_local! {
    static PROBES: Cell<u32> = const { Cell::new(0) };
}

impl Endgames for Fake {
    fn pieces(&self) -> u32 {
        4
    }

    fn probe(&self, _: &Position) -> Option<TablebaseWdl> {
        PROBES.set(PROBES.get() + 1);
        Some(TablebaseWdl::Loss)
    }
}

#[test]
fn tables_are_probed_once_few_pieces_are_left() {
    use TablebaseResults::{Both, Draw, Win};
    let (six, five) = (
        "4k3/8/8/8/8/4p3/p7/R2QK3 w - - 5 40",
        "4k3/8/8/8/8/8/p7/R2QK3 w - - 5 40",
    );
    // White captures a pawn; Black, to move, is lost.
    let won = Some((GameResult::WhiteWins, Termination::Tablebase));
    let rows = rows![
        six, None, Both, "d1d5 e8e7 a1a2" => (None, 0);
        five, None, Both, "a1a2" => (won, 1);
        five, None, Win, "a1a2" => (won, 1);
        // Probed, but a win does not end the game.
        five, None, Draw, "a1a2" => (None, 1);
        // The rule allows fewer pieces than the tables have.
        five, Some(3), Both, "a1a2" => (None, 0);
    ];
    for (start, pieces, results, moves, expected) in rows {
        let rules = Adjudication {
            tablebase: Some(TablebaseRule {
                paths: Vec::new(),
                pieces,
                fifty_moves: true,
                results,
            }),
            ..OFF
        };
        PROBES.set(0);
        let start = opening(start, "", false);
        let mut referee = Referee::new(&start, &rules, Some(&Fake)).expect("playable");
        for text in moves.split(' ') {
            assert_eq!(referee.ending(), None, "before {text}");
            referee.answer(&reply(text), None).expect("legal");
        }
        let ending = referee.ending().map(|end| (end.result, end.termination));
        assert_eq!((ending, PROBES.get()), expected, "{start:?} {pieces:?}");
    }
}
