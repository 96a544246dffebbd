//! Validates `bestmove` and sequences of moves.

use chess::notation::{fen, uci_move::UciMove};
use chess::rules::{Move, Position};

use crate::compliance::question::Question;

/// A valid `bestmove` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::compliance) struct Answer {
    pub(in crate::compliance) best: Move,
    pub(in crate::compliance) text: String,
    /// Text of the ponder move, if there is one.
    pub(in crate::compliance) ponder: Option<String>,
}

/// Parses `bestmove` strictly: the move must be legal in the question's position, in its castling
/// mode. The ponder move is not validated here.
pub(in crate::compliance) fn read(question: &Question, line: &str) -> Result<Answer, String> {
    let mut words = line.split_ascii_whitespace().skip(1);
    let Some(text) = words.next() else {
        return Err("bestmove without a move".to_owned());
    };
    let position = question.position();
    if is_no_move(line) {
        let count = position.legal_move_count();
        return Err(format!(
            "bestmove {text}, but {} has {count} legal moves",
            fen::write(position)
        ));
    }
    let best = legal(question, position, text)?;
    let ponder = words.next().filter(|&word| word == "ponder");
    Ok(Answer {
        best,
        text: text.to_owned(),
        ponder: ponder.and_then(|_| words.next()).map(str::to_owned),
    })
}

/// Parses a legal move of a position that is reached from the question's position.
fn legal(question: &Question, position: &Position, text: &str) -> Result<Move, String> {
    let parsed: UciMove = text.parse().map_err(|error| format!("{error}"))?;
    parsed
        .to_move(position, question.mode())
        .ok_or_else(|| format!("{text} is not a legal move in {}", fen::write(position)))
}

/// Validates a sequence of moves from the question's position.
pub(in crate::compliance) fn legal_line(question: &Question, moves: &[&str]) -> Result<(), String> {
    let mut position = *question.position();
    for (index, text) in moves.iter().enumerate() {
        let m = legal(question, &position, text)
            .map_err(|error| format!("move {} of '{}': {error}", index + 1, moves.join(" ")))?;
        position = position.play_unchecked(m);
    }
    Ok(())
}

/// Whether the line reports that there is no move: `(none)`, `0000`, or common variants of them.
pub(in crate::compliance) fn is_no_move(line: &str) -> bool {
    let word = line.split_ascii_whitespace().nth(1).unwrap_or("");
    matches!(word, "(none)" | "0000" | "NULL" | "none")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROMOTION: &str = "k7/6P1/8/8/8/1q6/8/K7 w - - 0 1";

    fn judged(question: &Question, line: &str) -> String {
        match read(question, line) {
            Ok(Answer { text, ponder, .. }) => format!("{text} {ponder:?}"),
            Err(fault) => fault,
        }
    }

    #[test]
    fn answers() {
        let castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let rows = [
            (
                "startpos",
                "bestmove e2e4 ponder e7e5",
                "e2e4 Some(\"e7e5\")",
            ),
            ("startpos", "bestmove e2e4", "e2e4 None"),
            ("startpos", "bestmove", "bestmove without a move"),
            (
                "startpos",
                "bestmove e2e5",
                "e2e5 is not a legal move in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            ),
            (
                "startpos",
                "bestmove (none)",
                "bestmove (none), but rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 has 20 legal moves",
            ),
            (
                "8/8/8/8/8/8/6Pk/K7 w - - 0 1",
                "bestmove Ka1",
                "'Ka1' has 3 characters, a UCI move has 4 or 5, such as e2e4 or e7e8q",
            ),
            (castling, "bestmove e1g1", "e1g1 None"),
            (
                castling,
                "bestmove e1h1",
                "e1h1 is not a legal move in 4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            ),
        ];
        for (start, line, expected) in rows {
            let question = if start == "startpos" {
                Question::startpos()
            } else {
                Question::fen(start)
            };
            assert_eq!(judged(&question, line), expected);
        }
        let question = Question::fen(castling).chess960();
        assert_eq!(judged(&question, "bestmove e1h1"), "e1h1 None");
        assert!(judged(&question, "bestmove e1g1").contains("not a legal move"));
    }

    #[test]
    fn promotions_are_in_lower_case() {
        let question = Question::fen(PROMOTION);
        assert_eq!(judged(&question, "bestmove g7g8q"), "g7g8q None");
        assert_eq!(
            judged(&question, "bestmove g7g8Q"),
            "'g7g8Q' promotes to 'Q', expected q, r, b or n"
        );
        assert!(judged(&question, "bestmove g7g8").contains("not a legal move"));
    }

    #[test]
    fn lines_are_legal_to_the_end() {
        let question = Question::startpos();
        assert_eq!(legal_line(&question, &["e2e4", "e7e5", "g1f3"]), Ok(()));
        assert_eq!(
            legal_line(&question, &["e2e4", "e2e5"]).expect_err("illegal"),
            "move 2 of 'e2e4 e2e5': e2e5 is not a legal move in \
             rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
        );
    }

    #[test]
    fn no_move_has_many_names() {
        for line in ["bestmove (none)", "bestmove 0000", "bestmove NULL"] {
            assert!(is_no_move(line));
        }
        for line in ["bestmove e2e4", "bestmove"] {
            assert!(!is_no_move(line));
        }
    }
}
