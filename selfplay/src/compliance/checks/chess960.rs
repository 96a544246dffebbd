//! Chess960, for engines with the option `UCI_Chess960`.

use super::special_moves::{CASTLING_MATES, NO_CASTLING};
use super::{Check, Finding, Talk, required};
use crate::compliance::finding::only_if;
use crate::compliance::question::Question;

pub(super) static CHECKS: &[Check] = &[
    required(
        "chess960-positions",
        "plays from first positions of Chess960, castling rights written KQkq or HAha",
        "openings of Chess960 are written in both ways",
        |talk| {
            greet_chess960(talk)?;
            for fen in FIRST_POSITIONS {
                talk.search(&Question::fen(fen).chess960(), "go depth 3")?;
            }
            Ok(())
        },
    ),
    required(
        "chess960-castling-understood",
        "understands castling, written as the king takes the rook, in a list of moves",
        "an engine that takes the rook answers from another position",
        |talk| {
            greet_chess960(talk)?;
            for (fen, moves) in CASTLED {
                talk.search(&Question::fen(fen).chess960().after(moves), "go depth 2")?;
            }
            Ok(())
        },
    ),
    required(
        "chess960-castling-written",
        "writes castling as the king takes the rook, e1h1",
        "e1g1 may be a step of the king in Chess960; it is another move, or an illegal one",
        |talk| {
            greet_chess960(talk)?;
            for ((fen, _), castling) in CASTLING_MATES.into_iter().zip(["e1h1", "e1a1"]) {
                let searched = talk.search(&Question::fen(fen).chess960(), "go depth 4")?;
                only_if(searched.answer.text == castling, NO_CASTLING)?;
            }
            Ok(())
        },
    ),
];

const FIRST_POSITIONS: [&str; 3] = [
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "nrkbqrbn/pppppppp/8/8/8/8/PPPPPPPP/NRKBQRBN w KQkq - 0 1",
    "rkbbnnqr/pppppppp/8/8/8/8/PPPPPPPP/RKBBNNQR w HAha - 0 1",
];

/// The castled rook gives check. King and rook may start on adjacent squares, and the king may stay
/// on its square.
const CASTLED: [(&str, &str); 4] = [
    ("5k2/8/8/8/8/8/8/5KR1 w K - 0 1", "f1g1"),
    ("5k2/8/8/8/8/8/8/6KR w K - 0 1", "g1h1"),
    ("3k4/8/8/8/8/8/8/RK6 w Q - 0 1", "b1a1"),
    ("1r3k2/8/8/8/8/8/8/3K4 b q - 0 1", "f8b8"),
];

fn greet_chess960(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    let has_option = talk.option("UCI_Chess960").is_some();
    only_if(has_option, "it has no option UCI_Chess960")?;
    talk.set("UCI_Chess960", "true")?;
    talk.ready()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn castling_gives_check() {
        for (fen, moves) in CASTLED {
            let question = Question::fen(fen).chess960().after(moves);
            assert!(question.position().is_check(), "{fen}");
            assert!(question.position().legal_move_count() > 0, "{fen}");
        }
    }
}
