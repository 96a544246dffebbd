//! The human-readable report on a hunt: the fault, how it was reached, how to reproduce it.

use std::fmt::{self, Write as _};

use chess::notation::fen;
use chess::notation::uci_move::{self, UciMove};
use chess::rules::explain::explain;
use chess::rules::{
    CastlingMode, CastlingSide, File, Move, Piece, PieceType, Position, Rank, Square,
};
use kit::output::grouped;
use uci::perft::{Dialect, uci_moves};

use crate::count::subject::{Failure, Route};
use crate::engine_check::hunt::{
    Cause, CountPair, CountQuestion, HuntEnd, HuntFault, HuntResult, StateEffect, WrongMove,
    WrongRow, as_written,
};

/// Maximum number of wrong moves or rows to print.
const MOST_LINES: usize = 8;

/// A few complete lines on a finding. `dialect` is the dialect of the faulty engine.
pub(crate) fn write(finding: &HuntResult, dialect: Option<&Dialect>) -> String {
    let mut text = String::new();
    write_into(finding, dialect, &mut text).expect("a string can be written to");
    text
}

/// The lines that reproduce the fault when sent to an engine; empty for one-shot programs.
pub(crate) fn lines_to_send(question: &CountQuestion, dialect: &Dialect) -> Vec<String> {
    let CountQuestion { route, depth } = question;
    if dialect.ask().is_program() {
        return Vec::new();
    }
    let mut lines = dialect.question(route, *depth);
    if route.root().castling_mode() == CastlingMode::Chess960 {
        lines.insert(0, "setoption name UCI_Chess960 value true".to_owned());
    }
    lines
}

fn write_into(finding: &HuntResult, dialect: Option<&Dialect>, text: &mut String) -> fmt::Result {
    let HuntResult {
        shown,
        fault,
        asked,
        path,
        ..
    } = finding;
    let headline = finding.cause.map_or_else(
        || headline(shown, fault),
        |cause| cause_text(&cause, &shown.route),
    );
    writeln!(text, "{}: {headline}", fault.kind())?;
    writeln!(text, "    {}", fen::write(shown.position()))?;
    for line in board(shown.position()) {
        writeln!(text, "    {line}")?;
    }
    write_details(text, shown, fault)?;
    let CountPair { ours, theirs } = finding.counts;
    let theirs = theirs.map_or_else(
        || "gives no count".to_owned(),
        |theirs| format!("counts {}", grouped(theirs)),
    );
    let (depth, ours) = (shown.depth, grouped(ours));
    writeln!(text, "  perft {depth}: {ours}, the engine {theirs}")?;
    let (root, depth) = (fen::write(path.root()), asked.depth);
    write!(text, "  found by perft {depth} of {root}")?;
    if !path.moves().is_empty() {
        write!(text, ", after {}", uci_moves(path).join(" "))?;
    }
    writeln!(text)?;
    let lines = dialect.map_or_else(Vec::new, |dialect| lines_to_send(shown, dialect));
    if !lines.is_empty() {
        writeln!(text, "  to reproduce:")?;
    }
    for line in lines {
        writeln!(text, "    {line}")?;
    }
    let questions = grouped(finding.questions);
    let plural = if finding.questions == 1 { "" } else { "s" };
    let end = match finding.end {
        HuntEnd::Complete => "",
        HuntEnd::Questions => "; limit reached, the position may not be minimal",
        HuntEnd::Timeouts => "; too many timeouts, the position may not be minimal",
        HuntEnd::Cancelled => "; interrupted, the position may not be minimal",
    };
    let oracle = if finding.oracle_agrees {
        "the mailbox generator lists the same moves as we do"
    } else {
        "the mailbox generator lists other moves than we do: our own moves are in doubt"
    };
    writeln!(text, "  {oracle}\n  {questions} question{plural}{end}")
}

/// What a move leaves behind wrong, in one line.
fn cause_text(cause: &Cause, route: &Route) -> String {
    let before = cause.position(route);
    let m = move_text(cause.m, &before);
    let named = |piece: Option<Piece>| {
        piece.map_or_else(
            || "nothing".to_owned(),
            |piece| {
                format!(
                    "a {} {}",
                    piece.color.to_string().to_lowercase(),
                    piece.piece_type
                )
            },
        )
    };
    let wing = |side| match side {
        CastlingSide::King => "king's",
        CastlingSide::Queen => "queen's",
    };
    match cause.effect {
        StateEffect::RightKept(color, side) => {
            let taken = before.piece_type_at(cause.m.to());
            let taken = taken
                .filter(|_| before.is_capture(cause.m))
                .map_or_else(String::new, |kind| {
                    format!(", which takes the {kind} on {},", cause.m.to())
                });
            let wing = wing(side);
            format!("{m}{taken} does not end {color}'s right to castle on the {wing} side")
        }
        StateEffect::RightLost(color, side) => {
            let wing = wing(side);
            format!("{m} ends {color}'s right to castle on the {wing} side, but must not")
        }
        StateEffect::EpKept(square) => {
            format!("{m} leaves the en passant square {square} of the move before")
        }
        StateEffect::EpNotSet(square) => {
            format!("after {m} there is no en passant square, though it is {square}")
        }
        StateEffect::CheckUnseen => format!("the check that {m} gives is not seen"),
        StateEffect::Holds(square, holds) => {
            let is_left = holds == before.piece_at(square);
            let held = named(holds);
            let truth = before.play_unchecked(cause.m).piece_at(square);
            let truth = truth.map_or_else(
                || "it is empty".to_owned(),
                |_| format!("it has {}", named(truth)),
            );
            let still = if is_left { "still " } else { "" };
            format!("after {m}, {square} {still}holds {held}; {truth}")
        }
        StateEffect::RookMisplaced { here, there } if before.is_castling(cause.m) => {
            format!("{m} castles, but leaves the rook on {here}; it belongs on {there}")
        }
        StateEffect::RookMisplaced { here, there } => {
            format!("{m} is taken for castling: the rook on {there} goes to {here}")
        }
        StateEffect::Unmake(last) => {
            let last = last.map_or_else(String::new, |last| {
                format!(
                    ", or a move counted after it up to {},",
                    move_text(last, &before)
                )
            });
            format!("unmaking {m}{last} does not restore the position: the rows behind are wrong")
        }
    }
}

/// The fault in one line, without its moves.
fn headline(question: &CountQuestion, fault: &HuntFault) -> String {
    match fault {
        HuntFault::Moves(wrong) if wrong.iter().all(is_counted) => {
            "the number of moves is wrong; these together would explain it".to_owned()
        }
        HuntFault::Moves(_) => "the list of moves is wrong".to_owned(),
        HuntFault::UnknownMove(moves) => match moves.len() {
            0 => "the number of moves is wrong; no single move explains it".to_owned(),
            1 => "the number of moves is wrong; one move would explain it".to_owned(),
            _ => "the number of moves is wrong; each of these alone would explain it".to_owned(),
        },
        HuntFault::WrongTotal => "every row is right, the total is not".to_owned(),
        HuntFault::CountsMated { end, after: None } => {
            format!(
                "{}: no move is legal, so the count is 0, not 1",
                end.as_str()
            )
        }
        HuntFault::CountsMated {
            end,
            after: Some(m),
        } => format!(
            "{} is {}: no move is legal then, so its row is 0, not 1",
            move_text(*m, question.position()),
            end.as_str()
        ),
        HuntFault::StateAfterMoves(inner) => format!(
            "wrong after the moves, right when the position is given by FEN; {}",
            headline(question, inner)
        ),
        HuntFault::IgnoredMoves(moves) => {
            let written = uci_moves(&question.route);
            let ignored = &written[written.len() - moves.len()..];
            let ignored = match ignored {
                [first, .., last] if ignored.len() > MOST_LINES => {
                    format!("the {} moves from {first} to {last}", ignored.len())
                }
                few => few.join(" "),
            };
            format!("the engine answers as if {ignored} had not been played")
        }
        HuntFault::Undo(row) => {
            let m = move_text(row.m, question.position());
            format!(
                "the row of {m} is wrong, although the position after {m} is counted correctly when \
                 asked about directly: making a move leaves something wrong behind, as a castling right, \
                 unmaking it is incomplete, inner nodes are counted differently from the root, or a hash \
                 table mixes up positions"
            )
        }
        // The kind of fault is already in the headline.
        HuntFault::Failed(Failure::Crashed { how }) => how.clone(),
        HuntFault::Failed(failure) => failure.to_string(),
        HuntFault::Flaky(answers) => flaky(answers),
        HuntFault::WrongCount(_) => "the count is wrong".to_owned(),
    }
}

fn flaky(answers: &[Option<u64>]) -> String {
    if answers.windows(2).all(|pair| pair[0] == pair[1]) {
        return "the same question got another divide".to_owned();
    }
    let word = |answer: &Option<u64>| answer.map_or_else(|| "no count".to_owned(), grouped);
    let words: Vec<String> = answers.iter().map(word).collect();
    format!("the same question got {}", words.join(", then "))
}

fn write_details(text: &mut String, question: &CountQuestion, fault: &HuntFault) -> fmt::Result {
    let position = question.position();
    match fault {
        HuntFault::Moves(wrong) | HuntFault::UnknownMove(wrong) => {
            write_lines(text, wrong, |wrong| sentence(wrong, position))
        }
        HuntFault::StateAfterMoves(inner) => write_details(text, question, inner),
        HuntFault::WrongCount(rows) => write_lines(text, rows, |row| row_text(row, position)),
        HuntFault::Undo(row) => writeln!(text, "  {}", row_text(row, position)),
        _ => Ok(()),
    }
}

fn write_lines<T>(text: &mut String, items: &[T], line: impl Fn(&T) -> String) -> fmt::Result {
    for item in items.iter().take(MOST_LINES) {
        writeln!(text, "  {}", line(item))?;
    }
    match items.len().saturating_sub(MOST_LINES) {
        0 => Ok(()),
        more => writeln!(text, "  and {more} more"),
    }
}

/// A sentence on the fault of a move.
fn sentence(wrong: &WrongMove, position: &Position) -> String {
    match wrong {
        WrongMove::Missing(m) => {
            // As printed: castling in standard chess by the king's two squares.
            let written = UciMove::from_move(*m, position, position.castling_mode());
            format!("missing: {}", explain(position, plain_move(written)))
        }
        WrongMove::Extra { m, text } if text.is_empty() => {
            format!("counted: {}", explain(position, as_written(*m, position)))
        }
        WrongMove::Extra { m, .. } => {
            format!("listed: {}", explain(position, as_written(*m, position)))
        }
        WrongMove::Duplicate { m, times } => {
            format!("{} is listed {times} times", move_text(*m, position))
        }
        WrongMove::Promotions { from, to, listed } => {
            format!(
                "{from}{to} promotes to {}, not to queen, rook, bishop and knight once each",
                promotions(listed)
            )
        }
        WrongMove::Unreadable { text } => format!("'{text}' is listed, which is not a move"),
    }
}

/// Whether a move follows from a count, and is not listed.
fn is_counted(wrong: &WrongMove) -> bool {
    matches!(wrong, WrongMove::Extra { text, .. } if text.is_empty())
}

/// The squares and the promotion of a UCI move as they are, whatever they mean in a position.
pub(crate) fn plain_move(text: UciMove) -> Move {
    match text.promotion {
        Some(kind) => Move::new_promotion(text.from, text.to, kind),
        None => Move::new(text.from, text.to),
    }
}

fn promotions(listed: &[Option<PieceType>]) -> String {
    let words: Vec<String> = listed
        .iter()
        .map(|kind| kind.map_or_else(|| "nothing".to_owned(), |kind| kind.to_string()))
        .collect();
    match words.split_last() {
        Some((last, [])) => format!("{last} only"),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => "nothing".to_owned(),
    }
}

fn row_text(row: &WrongRow, position: &Position) -> String {
    let (ours, theirs) = (grouped(row.ours), grouped(row.theirs));
    let m = move_text(row.m, position);
    format!("{m}: {ours}, the engine counts {theirs}")
}

/// The board as eight lines, the eighth rank first.
fn board(position: &Position) -> impl Iterator<Item = String> + '_ {
    Rank::ALL.into_iter().rev().map(|rank| {
        let pieces = File::ALL.map(|file| {
            let piece = position.piece_at(Square::new(file, rank));
            piece.map_or_else(|| ".".to_owned(), |piece| piece.to_char().to_string())
        });
        pieces.join(" ")
    })
}

fn move_text(m: Move, position: &Position) -> String {
    uci_move::write(m, position, position.castling_mode())
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;
    use std::time::Duration;

    use super::*;
    use crate::count::subject::Subject;
    use crate::engine_check::hunt::toys::{breaks, counts_ends_below, total_only, wrong_sum};
    use crate::engine_check::hunt::{HuntLimits, hunt};

    fn question(text: &str, depth: u32) -> CountQuestion {
        let position = fen::parse(text).expect("legal");
        CountQuestion::by_fen(position, NonZeroU32::new(depth).expect("not 0"))
    }

    fn hunted(mut subject: impl Subject, text: &str, depth: u32) -> String {
        let finding = hunt(&mut subject, &question(text, depth), HuntLimits::default());
        write(&finding.expect("it answers"), None)
    }

    #[test]
    fn texts() {
        const CASTLING: &str = "r3k2r/p6p/8/8/8/8/P5BP/R3K2R w KQkq - 3 20";
        let texts = [
            hunted(
                breaks("lists/ep-kings-rank/*"),
                "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
                4,
            ),
            hunted(
                breaks("omits/promotion/r/*+omits/promotion/b/*+omits/promotion/n/*"),
                "8/P3k3/8/8/8/8/4K3/8 b - - 0 1",
                2,
            ),
            hunted(
                breaks("repeats/move/castling-*"),
                "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GB - 0 1",
                1,
            ),
            hunted(breaks("right-kept/rook-captured/*/unasked"), CASTLING, 3),
            hunted(breaks("undo/right/*"), CASTLING, 3),
            hunted(counts_ends_below(), "7k/8/5K2/8/6Q1/8/8/8 w - - 0 1", 2),
            hunted(wrong_sum(), "4k3/8/8/8/8/5Q2/8/4K3 w - - 0 1", 2),
            hunted(total_only("repeats/move/castling-*"), CASTLING, 3),
        ];
        insta::assert_snapshot!(texts.join("\n"));
    }

    #[test]
    fn what_no_toy_does() {
        let asked = question("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 1);
        let finding = |fault, end| HuntResult {
            path: asked.route.clone(),
            found: asked.clone(),
            shown: asked.clone(),
            asked: asked.clone(),
            fault,
            cause: None,
            counts: CountPair {
                ours: 5,
                theirs: None,
            },
            questions: 1,
            oracle_agrees: false,
            end,
        };
        let m = Move::new(Square::E1, Square::E2);
        let rows = vec![
            WrongRow {
                m,
                ours: 1,
                theirs: 2000,
            };
            10
        ];
        let hung = Failure::TimedOut {
            after: Duration::from_secs(5),
        };
        let crashed = Failure::Crashed {
            how: "the engine ended with exit code 3".to_owned(),
        };
        let unreadable = WrongMove::Unreadable {
            text: "Kd2".to_owned(),
        };
        let texts = [
            finding(HuntFault::WrongCount(rows), HuntEnd::Questions),
            finding(HuntFault::Failed(hung), HuntEnd::Timeouts),
            finding(HuntFault::Failed(crashed), HuntEnd::Complete),
            finding(HuntFault::Flaky(vec![Some(5), Some(5)]), HuntEnd::Complete),
            finding(HuntFault::Flaky(vec![Some(4), None]), HuntEnd::Cancelled),
            finding(HuntFault::UnknownMove(Vec::new()), HuntEnd::Complete),
            finding(
                HuntFault::Moves(vec![unreadable, WrongMove::Missing(m)]),
                HuntEnd::Complete,
            ),
        ];
        let texts: Vec<String> = texts.iter().map(|finding| write(finding, None)).collect();
        insta::assert_snapshot!(texts.join("\n"));
    }
}
