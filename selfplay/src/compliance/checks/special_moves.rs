//! En passant, promotion and castling, as received and as played by the engine.

use super::{Check, Finding, Talk, required};
use crate::compliance::finding::{demand, only_if};
use crate::compliance::question::Question;

pub(super) static CHECKS: &[Check] = &[
    required(
        "en-passant",
        "plays en passant, and understands it in a list of moves",
        "an engine that misses it answers from another position, and loses the game",
        en_passant,
    ),
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
        |talk| {
            talk.greet()?;
            for (fen, castling) in CASTLING_MATES {
                let searched = talk.search(&Question::fen(fen), "go depth 4")?;
                only_if(searched.answer.text == castling, NO_CASTLING)?;
            }
            Ok(())
        },
    ),
    required(
        "check-evasions",
        "answers checks, double checks too, with legal moves",
        "an illegal answer loses the game",
        |talk| {
            talk.greet()?;
            for (fen, moves) in EVASIONS {
                talk.search(&Question::fen(fen).after(moves), "go depth 3")?;
            }
            Ok(())
        },
    ),
];

pub(super) const NO_CASTLING: &str = "it did not castle where castling mates at once";

/// Castling is the only mate in one. Found by random search; the tests verify the mates.
pub(super) const CASTLING_MATES: [(&str, &str); 2] = [
    ("8/1p6/8/8/8/8/6Q1/1k2K2R w K - 0 1", "e1g1"),
    ("8/8/8/8/8/4P3/2Q5/R3K1k1 w Q - 0 1", "e1c1"),
];

/// En passant is the only legal move: from a FEN with the square, and after the double step.
const EN_PASSANT: [(&str, &str); 3] = [
    ("7k/8/4p3/3pP3/8/1q6/8/K7 w - d6 0 2", ""),
    ("7k/3p4/4p3/4P3/8/1q6/8/K7 b - - 0 1", "d7d5"),
    ("k7/8/1Q6/8/3Pp3/4P3/8/7K b - d3 0 1", ""),
];

fn en_passant(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    for (fen, moves) in EN_PASSANT {
        talk.search(&Question::fen(fen).after(moves), "go depth 2")?;
    }
    // The captured pawn is gone, so the king can pass its square.
    let question = Question::startpos().after("e2e4 a7a6 e4e5 d7d5 e5d6 e7d6 d1e2");
    talk.search(&question, "go depth 2")?;
    Ok(())
}

/// Every legal move is a promotion, for White and for Black.
const PROMOTIONS: [&str; 2] = [
    "k7/6P1/8/8/8/1q6/8/K7 w - - 0 1",
    "k7/8/1Q6/8/8/8/6p1/K7 b - - 0 1",
];
/// Black must answer a check by the promoted piece.
const PROMOTED: [(&str, &str); 4] = [
    ("7k/2P5/8/8/8/8/8/K7 w - - 0 1", "c7c8q"),
    ("7k/2P5/8/8/8/8/8/K7 w - - 0 1", "c7c8r"),
    ("8/2P5/8/8/6k1/8/8/K7 w - - 0 1", "c7c8b"),
    ("8/2P1k3/8/8/8/8/8/K7 w - - 0 1", "c7c8n"),
];

fn promotion(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    for fen in PROMOTIONS {
        let searched = talk.search(&Question::fen(fen), "go depth 3")?;
        let text = searched.answer.text;
        demand(text.len() == 5, || {
            format!("{text} does not say what the pawn becomes")
        })?;
    }
    for (fen, moves) in PROMOTED {
        talk.search(&Question::fen(fen).after(moves), "go depth 2")?;
    }
    Ok(())
}

/// The castled rook gives check: few moves are legal. Most moves that would be legal had the rook
/// stayed are not.
const CASTLED: [(&str, &str); 4] = [
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
    ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"),
    ("4k2r/8/8/8/8/8/8/5K2 b k - 0 1", "e8g8"),
    ("r3k3/8/8/8/8/8/8/3K4 b q - 0 1", "e8c8"),
];

fn castling_understood(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    for (fen, moves) in CASTLED {
        talk.search(&Question::fen(fen).after(moves), "go depth 2")?;
    }
    let moves = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6 d2d3 e8g8 f1e1 f8e8";
    talk.search(&Question::startpos().after(moves), "go depth 2")?;
    Ok(())
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

#[cfg(test)]
mod tests {
    use chess::notation::uci_move;
    use chess::rules::{CastlingMode, Outcome};

    use super::*;

    #[test]
    fn castling_is_the_only_mate() {
        for (fen, castling) in CASTLING_MATES {
            let position = *Question::fen(fen).position();
            let mates = |m: &&chess::rules::Move| {
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
            let question = Question::fen(fen).after(moves);
            assert_eq!(question.position().legal_move_count(), 1, "{fen}");
        }
        for fen in PROMOTIONS {
            let moves = Question::fen(fen).position().legal_moves();
            assert!(moves.iter().all(|m| m.promotion().is_some()), "{fen}");
            assert_eq!(moves.len(), 4, "{fen}");
        }
        for (fen, moves) in CASTLED.into_iter().chain(PROMOTED) {
            let question = Question::fen(fen).after(moves);
            assert!(question.position().is_check(), "{fen}");
            assert!(question.position().legal_move_count() > 0, "{fen}");
        }
    }

    #[test]
    fn evasions_are_evasions() {
        for (fen, moves) in EVASIONS {
            let question = Question::fen(fen).after(moves);
            let count = question.position().legal_move_count();
            assert!((1..=8).contains(&count), "{fen}: {count}");
            assert!(question.position().is_check(), "{fen}");
        }
    }
}
