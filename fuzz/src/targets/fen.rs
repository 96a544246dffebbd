//! FENs, and the positions they describe.

use chess::notation::fen::{
    self, CastlingText, EnPassantMode, FenFault, FenReason, FenStyle, ParseFenError,
};
use chess::notation::{move_list, san, uci_move};
use chess::rules::{CastlingMode, Move, Position, PositionFault, mailbox};

use super::corpus;
use crate::target::{Checked, Target, ensure, same, text};

const WORDS: &[&str] = &[
    "rnbqkbnr", "pppppppp", "8/8/8", "/", "K", "k", "Q", "r", "P", "p", "w", "b", "-", "KQkq",
    "HAha", "EBeb", "e3", "d6", "a6", "h3", "0 1", "1", "8", "44", "11111111", "qqqqqqqq",
    "NNNNNNNN",
];

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "fen",
        corpus: corpus!("fen.txt"),
        words: WORDS,
        check: check_strict,
    },
    Target {
        name: "fen-lenient",
        corpus: corpus!("fen.txt"),
        words: WORDS,
        check: check_lenient,
    },
];

fn check_strict(bytes: &[u8]) -> Result<Checked, String> {
    let text = text(bytes);
    let setup = match fen::parse_setup(&text) {
        Ok(setup) => setup,
        Err(error) => {
            same("fen::parse", &fen::parse(&text), &Err(error.clone()))?;
            return refused(&text, &error);
        }
    };
    same("mirrored twice", &setup.mirrored().mirrored(), &setup)?;
    match Position::from_setup(setup) {
        Ok(position) => {
            same("fen::parse", &fen::parse(&text), &Ok(position))?;
            let lenient = fen::parse_lenient(&text).map_err(|error| error.to_string())?;
            same("lenient", &lenient.position, &position)?;
            same("tolerated", &lenient.tolerated, &Vec::new())?;
            check_text(&position)?;
            check_position(&position)?;
            Ok(Checked::Read)
        }
        Err(_) => match fen::parse(&text) {
            Ok(_) => Err("an illegal setup was read as a position".to_owned()),
            Err(error) => refused(&text, &error),
        },
    }
}

fn check_lenient(bytes: &[u8]) -> Result<Checked, String> {
    let text = text(bytes);
    match fen::parse_lenient(&text) {
        Ok(read) => {
            faults_lie_within(&text, &read.tolerated)?;
            let cannot_arise = |fault: &FenFault| {
                matches!(
                    fault.reason,
                    FenReason::Position(
                        PositionFault::ImpossibleCheck { .. }
                            | PositionFault::EpImpossibleCheck { .. }
                    )
                )
            };
            if !read.tolerated.iter().any(cannot_arise) {
                check_text(&read.position)?;
            }
            check_position(&read.position)?;
            Ok(Checked::Read)
        }
        Err(error) => {
            let strict = fen::parse(&text).is_err();
            ensure(strict, || "strict reads what lenient does not".to_owned())?;
            refused(&text, &error)
        }
    }
}

fn refused(text: &str, error: &ParseFenError) -> Result<Checked, String> {
    ensure(!error.faults.is_empty(), || {
        "an error without a fault".to_owned()
    })?;
    same("text of the error", &error.text.as_str(), &text)?;
    faults_lie_within(text, &error.faults)?;
    crate::target::refused(error)
}

fn faults_lie_within(text: &str, faults: &[FenFault]) -> Result<(), String> {
    faults.iter().try_for_each(|fault| {
        ensure(text.is_char_boundary(fault.offset), || {
            format!("{fault}: not within the text")
        })
    })
}

/// A position is written and read again as itself, in every style.
fn check_text(position: &Position) -> Result<(), String> {
    same(
        "read again",
        &fen::parse(&fen::write(position)),
        &Ok(*position),
    )?;
    for ep in [
        EnPassantMode::Always,
        EnPassantMode::PseudoLegal,
        EnPassantMode::Legal,
    ] {
        for castling in [CastlingText::XFen, CastlingText::Shredder] {
            let style = FenStyle { ep, castling };
            let written = fen::write_with(position, style);
            let mut again = fen::parse(&written).map_err(|error| error.to_string())?;
            if again.ep_square() != position.ep_square() {
                // Only an en passant square that nobody can use may be left out.
                let mut setup = again.to_setup();
                setup.ep_square = position.ep_square();
                again = Position::from_setup(setup).map_err(|error| error.to_string())?;
            }
            same("style", &again, position)?;
        }
    }
    Ok(())
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort_unstable();
    moves
}

/// Both generators agree, and each move survives every notation.
fn check_position(position: &Position) -> Result<(), String> {
    let moves = sorted(position.legal_moves());
    let oracle = sorted(mailbox::legal_moves(&position.to_setup()));
    same("legal moves", &moves, &oracle)?;
    let count = position.legal_move_count() as usize;
    same("count", &count, &moves.len())?;
    same("key", &position.key(), &position.key_from_scratch())?;
    for &m in &moves {
        let next = position.play_unchecked(m);
        same("key after", &next.key(), &next.key_from_scratch())?;
    }
    let picked = position.key() % moves.len().max(1) as u64;
    let picked = usize::try_from(picked).expect("an index");
    let Some(&m) = moves.get(picked) else {
        return Ok(());
    };
    same(
        "SAN",
        &san::parse(&san::write(m, position), position),
        &Ok(m),
    )?;
    for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
        let is_told = mode == CastlingMode::Chess960 || mode == position.castling_mode();
        let written = uci_move::write(m, position, mode);
        let again = uci_move::parse(&written, position, mode);
        ensure(!is_told || again == Ok(m), || {
            format!("{written} is read as {again:?}")
        })?;
    }
    let list = move_list::write(&moves, position);
    match move_list::parse(&list, position) {
        Ok(again) => same("list of moves", &again, &moves),
        Err(error) => Err(error.to_string()),
    }
}
