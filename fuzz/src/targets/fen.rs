//! FENs, and the positions they describe.

use std::sync::LazyLock;

use chess::notation::fen::{
    CastlingText, EnPassantMode, FenFault, FenReason, FenStyle, ParseFenError,
};
use chess::notation::uci_move::UciMove;
use chess::notation::{fen, move_list, san, uci_move};
use chess::rules::explain::explain;
use chess::rules::{CastlingMode, Move, Position, PositionFault, mailbox};

use crate::target::{FuzzTarget, InputVerdict, ensure, rejected, same, sound, text};

const WORDS: &[&str] = words![
    "rnbqkbnr" "pppppppp" "8/8/8" "/" "K" "k" "Q" "r" "P" "p" "w" "b" "-" "KQkq" "HAha" "EBeb" "e3"
    "d6" "a6" "h3" "0 1" "1" "8" "44" "11111111" "qqqqqqqq" "NNNNNNNN"
];

pub(super) const TARGETS: &[FuzzTarget] = &[
    FuzzTarget {
        name: "fen",
        corpus: corpus!("fen.txt"),
        words: WORDS,
        check: |bytes| {
            let text = text(bytes);
            let setup = match fen::parse_setup(&text) {
                Ok(setup) => setup,
                Err(error) => {
                    same("fen::parse", &fen::parse(&text), &Err(error.clone()))?;
                    return fen_error(&text, &error);
                }
            };
            same("mirrored twice", &setup.mirrored().mirrored(), &setup)?;
            match Position::from_setup(setup) {
                Ok(position) => {
                    same("fen::parse", &fen::parse(&text), &Ok(position))?;
                    let lenient = sound(fen::parse_lenient(&text))?;
                    same("lenient", &lenient.position, &position)?;
                    same("tolerated", &lenient.tolerated, &Vec::new())?;
                    check_text(&position)?;
                    check_position(&position)?;
                    Ok(InputVerdict::Read)
                }
                Err(_) => match fen::parse(&text) {
                    Ok(_) => Err("an illegal setup was read as a position".to_owned()),
                    Err(error) => fen_error(&text, &error),
                },
            }
        },
    },
    FuzzTarget {
        name: "fen-lenient",
        corpus: corpus!("fen.txt"),
        words: WORDS,
        check: |bytes| {
            let text = text(bytes);
            match fen::parse_lenient(&text) {
                Ok(read) => {
                    faults_lie_within(&text, &read.tolerated)?;
                    // Only lenient reading accepts impossible checks, but `check_text` is strict.
                    let cannot_arise = |fault: &FenFault| {
                        matches!(
                            fault.reason,
                            FenReason::Position(PositionFault::ImpossibleCheck { .. })
                        )
                    };
                    if !read.tolerated.iter().any(cannot_arise) {
                        check_text(&read.position)?;
                    }
                    check_position(&read.position)?;
                    Ok(InputVerdict::Read)
                }
                Err(error) => {
                    let strict = fen::parse(&text).is_err();
                    ensure(strict, || "strict reads what lenient does not".to_owned())?;
                    fen_error(&text, &error)
                }
            }
        },
    },
    FuzzTarget {
        name: "san",
        corpus: corpus!("san.txt"),
        words: words![
            "N" "B" "R" "Q" "K" "P" "a" "e4" "d8" "x" "=" "(Q)" "/N" "+" "++" "#" "!?" "e.p." "O-O"
            "O-O-O" "0-0" "o-o-o" "-" ":" "e2e4" "e7e8q"
        ],
        check: |bytes| {
            let text = text(bytes);
            let mut checked = InputVerdict::Rejected;
            for position in POSITIONS.iter() {
                match san::parse_lenient(&text, position) {
                    Ok(m) => {
                        checked = InputVerdict::Read;
                        let written = san::write(m, position);
                        same("read again", &san::parse(&written, position), &Ok(m))?;
                        let is_standard = san::parse(&text, position).is_ok();
                        same("is standard", &is_standard, &(text == written))?;
                    }
                    Err(error) => {
                        rejected(&error)?;
                        // Strict reading begins with lenient reading, so its error is the same.
                        let strict = san::parse(&text, position);
                        same("strict", &strict, &Err(error))?;
                    }
                }
            }
            Ok(checked)
        },
    },
    FuzzTarget {
        name: "uci-move",
        corpus: corpus!("uci_move.txt"),
        words: words![
            "a1" "h8" "e1" "g1" "c1" "e8" "q" "r" "b" "n" "k" "Q" "0000"
        ],
        check: |bytes| {
            let text = text(bytes);
            let read: UciMove = match text.parse() {
                Ok(read) => read,
                Err(error) => return rejected(&error),
            };
            same("written", &read.to_string().as_str(), &&*text)?;
            for position in POSITIONS.iter() {
                for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
                    match uci_move::parse(&text, position, mode) {
                        Ok(m) => {
                            ensure(position.is_legal(m), || format!("{m} is not legal"))?;
                            let written = UciMove::from_move(m, position, mode);
                            same("read again", &written.to_move(position, mode), &Some(m))?;
                        }
                        Err(error) => drop(rejected(&error)?),
                    }
                }
                let m = match read.promotion {
                    Some(kind) => Move::new_promotion(read.from, read.to, kind),
                    None => Move::new(read.from, read.to),
                };
                rejected(&explain(position, m))?;
            }
            Ok(InputVerdict::Read)
        },
    },
    FuzzTarget {
        name: "move-list",
        corpus: corpus!("move_list.txt"),
        words: words![
            "6444" "7476" "7472" "PQ34" "pn01" "P" "p" "Q" "0" "7" "8" " "
        ],
        check: |bytes| {
            let text = text(bytes);
            let mut checked = InputVerdict::Rejected;
            for position in POSITIONS.iter() {
                match move_list::parse(&text, position) {
                    Ok(moves) => {
                        checked = InputVerdict::Read;
                        let written = move_list::write(&moves, position);
                        same(
                            "read again",
                            &move_list::parse(&written, position),
                            &Ok(moves),
                        )?;
                    }
                    Err(error) => drop(rejected(&error)?),
                }
            }
            Ok(checked)
        },
    },
];

fn fen_error(text: &str, error: &ParseFenError) -> Result<InputVerdict, String> {
    ensure(!error.faults.is_empty(), || {
        "an error without a fault".to_owned()
    })?;
    same("text of the error", &error.text.as_str(), &text)?;
    faults_lie_within(text, &error.faults)?;
    rejected(error)
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
            let mut again = sound(fen::parse(&written))?;
            if again.ep_square() != position.ep_square() {
                // Only an en passant square that nobody can use may be left out.
                let mut setup = again.to_setup();
                setup.ep_square = position.ep_square();
                again = sound(Position::from_setup(setup))?;
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
    // One move is fast to check; the key picks it, so that a failure can be repeated.
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
        // In standard notation, castling from squares of Chess960 can look like a step of the king.
        let is_unambiguous = mode == CastlingMode::Chess960 || mode == position.castling_mode();
        let written = uci_move::write(m, position, mode);
        let again = uci_move::parse(&written, position, mode);
        ensure(!is_unambiguous || again == Ok(m), || {
            format!("{written} is read as {again:?}")
        })?;
    }
    let list = move_list::write(&moves, position);
    match move_list::parse(&list, position) {
        Ok(again) => same("list of moves", &again, &moves),
        Err(error) => Err(error.to_string()),
    }
}

/// Positions with castling, promotions, en passant, pins, many queens, checkmate, and no move at all.
pub(super) static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    let fens = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "8/2P1P3/8/K2pP2r/8/8/1p4k1/R7 w - d6 0 2",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "1rk1r1r1/8/8/8/8/8/8/1RK1R1R1 w EBeb - 0 1",
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    ];
    let read = |text| fen::parse(text).expect("a sound FEN");
    fens.into_iter().map(read).collect()
});
