//! Games that are long, repeat positions, or are nearly over.

use std::time::Duration;

use uci::ProcessExit;

use super::limits::MATE_IN_ONE;
use super::{
    Check, CheckFinding, Dialogue, Prerequisites, answers, recommended, required, switch_on,
};
use crate::compliance::check::{Objection, demand, only_if};
use crate::compliance::dialogue::{self, now};
use crate::compliance::judge;
use crate::compliance::question::{PositionQuestion, long_game, middle_game};

pub(super) static POSITIONS: &[Check] = &[
    required(
        "long-game",
        "reads a game of 500 plies and continues it",
        "the line is more than 2500 characters long: lines and histories of fixed size overflow",
        // With an odd number of plies Black is to move, with an even number White.
        |dialogue| answers(dialogue, 2, [299, 500].map(long_game)),
    )
    .after(&["repetition"]),
    required(
        "positions-in-any-order",
        "takes any position after any other",
        "the next game begins anywhere, and takebacks go back",
        |dialogue| {
            let questions = [
                PositionQuestion::startpos().after("e2e4 e7e5 g1f3"),
                PositionQuestion::startpos().after("e2e4"),
                middle_game(),
                PositionQuestion::fen("8/8/8/4k3/8/8/4P3/4K3 b - - 5 60").after("e5e4 e1f2"),
                PositionQuestion::startpos(),
            ];
            answers(dialogue, 2, questions)
        },
    ),
    required(
        "repetition",
        "answers where the position has been on the board before",
        "the game is not over at the second time",
        |dialogue| {
            let question = PositionQuestion::startpos().after("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
            answers(dialogue, 4, [question])
        },
    ),
    required(
        "fifty-moves",
        "answers one ply before fifty moves without capture or pawn move",
        "the game is not over before",
        |dialogue| {
            let question = PositionQuestion::fen("8/8/3k4/8/8/3K4/4R3/8 w - - 98 120");
            answers(dialogue, 4, [question.clone(), question.after("d3d4")])
        },
    ),
    recommended(
        "drawn-history",
        "answers with a legal move also where a draw may be claimed",
        "the players need not claim it, and who analyses wants an answer",
        |dialogue| {
            // A draw may be claimed after the third occurrence (FIDE 9.2) or 50 moves (9.3); after
            // the fifth or 75 moves (9.6) the game would be over.
            let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(3);
            let questions = [
                PositionQuestion::startpos().after(&shuffle),
                PositionQuestion::fen("8/8/3k4/8/8/3K4/4R3/8 w - - 110 120"),
            ];
            answers(dialogue, 4, questions)
        },
    )
    .after(&["positions-in-any-order", "repetition", "fifty-moves"]),
    recommended(
        "bare-kings",
        "answers with a legal move also where neither side can mate",
        "not every contest ends such games by itself",
        |dialogue| {
            let question = PositionQuestion::fen("8/8/3k4/8/8/3K4/8/8 w - - 0 90");
            answers(dialogue, 4, [question])
        },
    ),
    recommended(
        "many-moves",
        "answers where 218 moves are legal",
        "no legal position is known with more; shorter move lists overflow",
        |dialogue| answers(dialogue, 1, [PositionQuestion::fen(MANY_MOVES)]),
    ),
    recommended(
        "mate-in-one",
        "mates in one",
        "an engine that does not can hardly be sound",
        |dialogue| {
            let searched = dialogue.search(&PositionQuestion::fen(MATE_IN_ONE), 3)?;
            let text = searched.answer.text;
            demand(text == "a1a8", || {
                format!("it plays {text}, and a1a8 mates")
            })
        },
    ),
    recommended(
        "mated",
        "answers with no move where it is mated, and lives",
        "no match asks it, but those who analyse do",
        |dialogue| answers_no_move(dialogue, MATED),
    ),
    recommended(
        "stalemated",
        "answers with no move where it is stalemated, and lives",
        "no match asks it, but those who analyse do",
        |dialogue| answers_no_move(dialogue, STALEMATED),
    )
    .after(&["mated"]),
];

/// Nenad Petrović, 1964.
const MANY_MOVES: &str = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";

const MATED: &str = "3k4/3Q4/3K4/8/8/8/8/8 b - - 0 1";
const STALEMATED: &str = "k7/8/1Q6/8/8/8/8/7K b - - 0 1";

fn answers_no_move(dialogue: &mut Dialogue<'_>, fen: &str) -> CheckFinding {
    dialogue.begin(&PositionQuestion::fen(fen), 3)?;
    // There is nothing to search, so an engine that will answer does so at once.
    let patience = dialogue.patience().answer.min(Duration::from_secs(3));
    let heard = dialogue.hear("bestmove", patience)?;
    demand(judge::is_no_move(&heard.line.text), || {
        let line = heard.line.text;
        format!("expected bestmove (none) or 0000, not '{line}'")
    })?;
    answers(dialogue, 2, [PositionQuestion::outside_books()])
}

// En passant, promotion and castling, as received and as played by the engine.

pub(super) static SPECIAL_MOVES: &[Check] = &[
    required(
        "en-passant",
        "plays en passant, and understands it in a list of moves",
        "an engine that misses it answers from another position, and loses the game",
        en_passant,
    )
    .after(&["positions-in-any-order"]),
    required(
        "promotion",
        "writes promotions with a small letter, and understands all four in a list of moves",
        "UCI wants e7e8q; other spellings are illegal moves",
        promotion,
    ),
    required(
        "castling-understood",
        "understands castling, written e1g1, in a list of moves",
        "an engine that leaves the rook behind answers from another position",
        castling_understood,
    ),
    required(
        "castling-written",
        "writes castling as the step of the king, e1g1",
        "e1h1 is Chess960's spelling, and an illegal move otherwise",
        |dialogue| {
            let mates =
                CASTLING_MATES.map(|(fen, castling)| (PositionQuestion::fen(fen), castling));
            castles(dialogue, mates)
        },
    ),
    required(
        "check-evasions",
        "answers checks, double checks too, with legal moves",
        "an illegal answer loses the game",
        |dialogue| answers(dialogue, 3, EVASIONS.map(after)),
    )
    .after(&["positions-in-any-order"]),
];

fn castles<'a>(
    dialogue: &mut Dialogue<'_>,
    mates: impl IntoIterator<Item = (PositionQuestion, &'a str)>,
) -> CheckFinding {
    for (question, castling) in mates {
        let searched = dialogue.search(&question, 4)?;
        let is_castling = searched.answer.text == castling;
        // The check is about spelling: an engine may miss the mate.
        only_if(
            is_castling,
            "it did not castle where castling mates at once",
        )?;
    }
    Ok(())
}

/// Castling is the only mate in one. Found by random search; the tests verify the mates.
const CASTLING_MATES: [(&str, &str); 2] = [
    ("8/1p6/8/8/8/8/6Q1/1k2K2R w K - 0 1", "e1g1"),
    ("8/8/8/8/8/4P3/2Q5/R3K1k1 w Q - 0 1", "e1c1"),
];

/// En passant is the only legal move: from a FEN with the square, and after the double step.
const EN_PASSANT: [(&str, &str); 3] = [
    ("7k/8/4p3/3pP3/8/1q6/8/K7 w - d6 0 2", ""),
    ("7k/3p4/4p3/4P3/8/1q6/8/K7 b - - 0 1", "d7d5"),
    ("k7/8/1Q6/8/3Pp3/4P3/8/7K b - d3 0 1", ""),
];

/// The position of a FEN after some moves.
fn after((fen, moves): (&str, &str)) -> PositionQuestion {
    PositionQuestion::fen(fen).after(moves)
}

fn en_passant(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    answers(dialogue, 2, EN_PASSANT.map(after))?;
    // The captured pawn is gone, so the king can pass its square.
    let question = PositionQuestion::startpos().after("e2e4 a7a6 e4e5 d7d5 e5d6 e7d6 d1e2");
    answers(dialogue, 2, [question])
}

/// Every legal move is a promotion, for White and for Black.
const PROMOTIONS: [&str; 2] = [
    "k7/6P1/8/8/8/1q6/8/K7 w - - 0 1",
    "k7/8/1Q6/8/8/8/6p1/K7 b - - 0 1",
];
/// Black must answer a check by the promoted piece. There is material to mate with in each case.
const PROMOTED: [(&str, &str); 4] = [
    ("7k/2P5/8/8/8/8/8/K7 w - - 0 1", "c7c8q"),
    ("7k/2P5/8/8/8/8/8/K7 w - - 0 1", "c7c8r"),
    ("8/2P5/8/8/6k1/8/P7/K7 w - - 0 1", "c7c8b"),
    ("8/2P1k3/8/8/8/8/P7/K7 w - - 0 1", "c7c8n"),
];

fn promotion(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    for fen in PROMOTIONS {
        let searched = dialogue.search(&PositionQuestion::fen(fen), 3)?;
        let text = searched.answer.text;
        demand(text.len() == 5, || {
            format!("{text} does not say what the pawn becomes")
        })?;
    }
    answers(dialogue, 2, PROMOTED.map(after))
}

/// The castled rook gives check: few moves are legal.
const CASTLED: [(&str, &str); 4] = [
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
    ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"),
    ("4k2r/8/8/8/8/8/8/5K2 b k - 0 1", "e8g8"),
    ("r3k3/8/8/8/8/8/8/3K4 b q - 0 1", "e8c8"),
];

/// After castling and a check, the king can only go to the corner that the rook has left; had it stayed,
/// the king could only go where the rook is. So no answer is legal by chance.
const ROOK_LEFT: [(&str, &str); 2] = [
    ("8/2q5/8/1k6/8/8/8/4K2R w K - 0 1", "e1g1 c7g3"),
    ("4k2r/8/8/8/1K6/8/2Q5/8 b k - 0 1", "e8g8 c2g6"),
];

fn castling_understood(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    answers(dialogue, 2, CASTLED.map(after))?;
    answers(dialogue, 2, ROOK_LEFT.map(after))?;
    let moves = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6 d2d3 e8g8 f1e1 f8e8";
    answers(dialogue, 2, [PositionQuestion::startpos().after(moves)])
}

/// Double checks by discovery, a check that can be blocked, a double check given by the FEN.
const EVASIONS: [(&str, &str); 4] = [
    ("4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1", "e4f6"),
    ("4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1", "e4d6"),
    (
        "rnbqk1nr/pppp1ppp/8/4p3/1b1P4/8/PPP1PPPP/RNBQKBNR w KQkq - 1 3",
        "",
    ),
    ("4k3/4r3/8/8/7b/8/8/R3KB2 w Q - 0 1", ""),
];

// How the engine exits, and what it leaves behind.

/// Time that an engine may take to exit.
const GRACE: Duration = Duration::from_secs(2);

pub(super) static ENDINGS: &[Check] = &[
    required(
        "quit",
        "ends within 2 s of quit",
        "engines that stay take CPU and memory from the games that follow",
        |dialogue| {
            dialogue.search(&PositionQuestion::outside_books(), 1)?;
            quits(dialogue).map(drop)
        },
    ),
    required(
        "quit-in-search",
        "ends within 2 s of quit during a search",
        "an interrupted match ends this way",
        |dialogue| {
            dialogue.begin(&middle_game(), "go infinite")?;
            dialogue.listen(Duration::from_millis(100))?;
            let quit = quits(dialogue).map(drop);
            quit.map_err(|objection| dialogue.of_lost_line(objection))
        },
    )
    .after(&["go-infinite", "stop", "quit"]),
    recommended(
        "quit-before-uci",
        "ends within 2 s of quit as its first command",
        "a program that only looks whether the engine is there ends so",
        |dialogue| quits(dialogue).map(drop),
    )
    .before_search(Prerequisites::Nothing)
    .after(&["quit"]),
    recommended(
        "exit-code",
        "ends with exit code 0 after quit",
        "another code, or a signal, is a crash at the end",
        |dialogue| {
            dialogue.search(&middle_game(), 4)?;
            let exit = quits(dialogue)?;
            demand(exit.is_success(), || format!("the engine {exit}"))
        },
    )
    .after(&["quit"]),
    recommended(
        "end-of-input",
        "ends within 2 s of the end of its input",
        "so nothing remains when the program that runs it is killed",
        |dialogue| {
            dialogue.client.close_stdin();
            ends(dialogue).map(drop)
        },
    ),
    recommended(
        "end-of-input-in-search",
        "ends within 2 s of the end of its input during a search",
        "otherwise it searches on for ever when the program that runs it is killed",
        |dialogue| {
            dialogue.begin(&middle_game(), "go infinite")?;
            dialogue.listen(Duration::from_millis(100))?;
            dialogue.client.close_stdin();
            ends(dialogue).map(drop)
        },
    )
    .after(&["go-infinite", "stop", "end-of-input"]),
    required(
        "no-children",
        "leaves no process behind after quit",
        "children that live on take CPU from the games that follow",
        no_children,
    ),
];

fn quits(dialogue: &mut Dialogue<'_>) -> Result<ProcessExit, Objection> {
    dialogue.say("quit")?;
    ends(dialogue)
}

fn ends(dialogue: &mut Dialogue<'_>) -> Result<ProcessExit, Objection> {
    let grace = GRACE.as_secs_f64();
    let exit = dialogue.wait_for_end(GRACE)?;
    exit.ok_or_else(|| Objection::Fault(format!("it is still running after {grace} s")))
}

/// Looks while the engine has exited but has not been reaped, so that its group id cannot have been
/// reused.
fn no_children(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    // The engine leads its process group.
    let group = dialogue.client.process().id();
    let can_tell = dialogue::living(group).is_some();
    only_if(
        can_tell,
        "this system does not say which processes there are",
    )?;
    dialogue.search(&middle_game(), 4)?;
    dialogue.say("quit")?;
    let deadline = now() + GRACE;
    while now() < deadline {
        if dialogue::living(group).is_none_or(|living| living.is_empty()) {
            return Ok(());
        }
        dialogue.check_cancelled()?;
        // The system reports the end of a child to its parent only, which may be gone.
        std::thread::sleep(Duration::from_millis(20));
    }
    let living = dialogue::living(group).unwrap_or_default();
    // An engine that is still there itself has failed the check `quit`, not this one.
    demand(living.contains(&group), || {
        format!("{} of its children live on 2 s after quit", living.len())
    })?;
    Err(Objection::NotApplicable("it does not quit".to_owned()))
}

// Chess960, for engines with the option `UCI_Chess960`.

pub(super) static CHESS960: &[Check] = &[
    required(
        "chess960-positions",
        "plays from first positions of Chess960, castling rights written KQkq or HAha",
        "openings of Chess960 are written in both ways",
        |dialogue| {
            switch_on(dialogue, "UCI_Chess960")?;
            let questions = FIRST_POSITIONS.map(|fen| PositionQuestion::fen(fen).chess960());
            answers(dialogue, 3, questions)
        },
    ),
    required(
        "chess960-castling-understood",
        "understands castling, written as the king takes the rook, in a list of moves",
        "an engine that takes the rook answers from another position",
        |dialogue| {
            switch_on(dialogue, "UCI_Chess960")?;
            let castled =
                CASTLED_960.map(|(fen, moves)| PositionQuestion::fen(fen).chess960().after(moves));
            answers(dialogue, 2, castled)
        },
    )
    .after(&["castling-understood", "chess960-positions"]),
    required(
        "chess960-castling-written",
        "writes castling as the king takes the rook, e1h1",
        "e1g1 may be a step of the king in Chess960; it is another move, or an illegal one",
        |dialogue| {
            switch_on(dialogue, "UCI_Chess960")?;
            let positions = CASTLING_MATES.map(|(fen, _)| PositionQuestion::fen(fen).chess960());
            castles(dialogue, positions.into_iter().zip(["e1h1", "e1a1"]))
        },
    )
    .after(&["castling-written", "chess960-positions"]),
];

// Castling rights in both notations: X-FEN's KQkq, and Shredder-FEN's files of the rooks.
const FIRST_POSITIONS: [&str; 3] = [
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "nrkbqrbn/pppppppp/8/8/8/8/PPPPPPPP/NRKBQRBN w KQkq - 0 1",
    "rkbbnnqr/pppppppp/8/8/8/8/PPPPPPPP/RKBBNNQR w HAha - 0 1",
];

/// The castled rook gives check. King and rook may start on adjacent squares, and the king may stay
/// on its square.
const CASTLED_960: [(&str, &str); 4] = [
    ("5k2/8/8/8/8/8/8/5KR1 w K - 0 1", "f1g1"),
    ("5k2/8/8/8/8/8/8/6KR w K - 0 1", "g1h1"),
    ("3k4/8/8/8/8/8/8/RK6 w Q - 0 1", "b1a1"),
    ("1r3k2/8/8/8/8/8/8/3K4 b q - 0 1", "f8b8"),
];

#[cfg(test)]
mod tests {
    use chess::notation::uci_move;
    use chess::rules::{CastlingMode, CastlingSide, File, Move, Outcome, Position, Square};

    use super::*;

    #[test]
    fn positions_are_what_they_are_called() {
        let many = *PositionQuestion::fen(MANY_MOVES).position();
        assert_eq!(many.legal_move_count(), 218);
        let mated = *PositionQuestion::fen(MATE_IN_ONE).after("a1a8").position();
        let [end, stalemate] =
            [MATED, STALEMATED].map(|fen| *PositionQuestion::fen(fen).position());
        for (position, is_check) in [(mated, true), (end, true), (stalemate, false)] {
            assert_eq!(position.legal_move_count(), 0);
            assert_eq!(position.is_check(), is_check);
        }
    }

    #[test]
    fn castling_is_the_only_mate() {
        for (fen, castling) in CASTLING_MATES {
            let position = *PositionQuestion::fen(fen).position();
            let mates = |m: &&Move| {
                let after = position.play_unchecked(**m);
                matches!(after.outcome(), Some(Outcome::Checkmate { .. }))
            };
            let moves = position.legal_moves();
            let mates: Vec<String> = moves
                .iter()
                .filter(mates)
                .map(|&m| uci_move::write(m, &position, CastlingMode::Standard))
                .collect();
            assert_eq!(mates, [castling]);
        }
    }

    #[test]
    fn forced_moves_are_forced() {
        for (fen, moves) in EN_PASSANT {
            let question = PositionQuestion::fen(fen).after(moves);
            assert_eq!(question.position().legal_move_count(), 1, "{fen}");
        }
        for fen in PROMOTIONS {
            let moves = PositionQuestion::fen(fen).position().legal_moves();
            assert!(moves.iter().all(|m| m.promotion().is_some()), "{fen}");
            assert_eq!(moves.len(), 4, "{fen}");
        }
        for (fen, moves) in CASTLED.into_iter().chain(PROMOTED) {
            let question = PositionQuestion::fen(fen).after(moves);
            assert!(question.position().is_check(), "{fen}");
            assert!(question.position().legal_move_count() > 0, "{fen}");
        }
    }

    /// An engine that leaves the rook behind has one move, and it is illegal.
    #[test]
    fn no_answer_with_the_rook_left_behind_is_legal() {
        for (fen, moves) in ROOK_LEFT {
            let position = *PositionQuestion::fen(fen).after(moves).position();
            let us = position.side_to_move();
            let side = CastlingSide::King;
            let mut left = position.to_setup();
            let corner = Square::new(File::H, side.rook_target(us).rank());
            left.board[corner.index()] = left.board[side.rook_target(us).index()].take();
            let left = Position::from_setup(left).expect("legal");
            let moves: Vec<Move> = left.legal_moves().into_iter().collect();
            let expected = [Move::new(side.king_target(us), side.rook_target(us))];
            assert_eq!(moves, expected);
            assert!(!position.is_legal(moves[0]), "{fen}");
            assert_eq!(position.legal_move_count(), 1, "{fen}");
        }
    }

    #[test]
    fn evasions_are_evasions() {
        for (fen, moves) in EVASIONS {
            let question = PositionQuestion::fen(fen).after(moves);
            let count = question.position().legal_move_count();
            assert!((1..=8).contains(&count), "{fen}: {count}");
            assert!(question.position().is_check(), "{fen}");
        }
    }

    #[test]
    fn castling_gives_check() {
        for (fen, moves) in CASTLED_960 {
            let question = PositionQuestion::fen(fen).chess960().after(moves);
            assert!(question.position().is_check(), "{fen}");
            assert!(question.position().legal_move_count() > 0, "{fen}");
        }
    }
}
